/* SPDX-License-Identifier: MIT */
#include "config.h"

#include <string.h>

#include "analyse/accumulator.h"
#include "model/mark.h"
#include "report/read.h"
#include "report/tables.h"

/* json-glib takes some 20 times the size of a document. */
#define MAX_REPORT (256 * 1024 * 1024)

gboolean
ts_report_detect (const guint8 *head, gsize length)
{
  gsize i = ts_mark_length (head, length);

  while (i < length && g_ascii_isspace (head[i]))
    i++;
  return i < length && head[i] == '{';
}

static guint16
find_resource (const TsSystem *system, const char *name, gsize length)
{
  for (guint i = 0; i < ts_system_n_resources (system); i++)
    {
      const char *candidate = ts_system_get_resource (system, (guint16) i)->name;

      if (strncmp (candidate, name, length) == 0 && candidate[length] == '\0')
        return (guint16) i;
    }
  return TS_NO_RESOURCE;
}

/* "5+12": names joined by '+', which a name may have too: the longest one that is a resource counts. */
static void
read_ran_on (TsReportReader *reader, TsMeasures *measures, guint32 element, const char *names)
{
  while (*names != '\0')
    {
      gsize   length = strlen (names);
      guint16 resource = find_resource (reader->trace->system, names, length);

      while (resource == TS_NO_RESOURCE && length > 0)
        {
          do
            length--;
          while (length > 0 && names[length] != '+');
          resource = find_resource (reader->trace->system, names, length);
        }
      if (resource == TS_NO_RESOURCE)
        {
          ts_json_fail (&reader->json, "`%s' is no resource of the report", names);
          return;
        }
      ts_measures_note_resource (measures, element, resource);
      names += length;
      if (*names == '+')
        names++;
    }
}

static gboolean
check_sums (const TsAccumulator *facts)
{
  TsInt128 low, high;

  if (facts->min.value > facts->max.value || __builtin_mul_overflow ((TsInt128) facts->n, facts->min.value, &low)
      || __builtin_mul_overflow ((TsInt128) facts->n, facts->max.value, &high))
    return FALSE;
  return facts->sum >= low && facts->sum <= high;
}

/* A sample that an older report has with 15 digits may be beyond the exact extremes by what these leave out. */
static gint64
settle_sample (gint64 value, const TsAccumulator *facts)
{
  const gint64   settled = CLAMP (value, facts->min.value, facts->max.value);
  const TsInt128 beyond = (TsInt128) settled - value;

  return ABS (beyond) <= ABS (value) / G_GINT64_CONSTANT (100000000000000) ? settled : value;
}

/* [[value, count], ...], times in ticks */
static GArray *
read_histogram (TsReportReader *reader, JsonObject *metric, const TsAccumulator *facts, gboolean is_exact,
                TsQuantity quantity)
{
  TsJsonReader *json = &reader->json;
  JsonArray    *rows = ts_json_array (json, metric, "histogram", TRUE);
  GArray       *buckets = g_array_new (FALSE, FALSE, sizeof (TsBucket));
  const gint64  scale = quantity == TS_QUANTITY_TIME ? reader->base.scale : 1;
  guint64       n = 0;

  for (guint i = 0; rows != NULL && i < ts_json_length (rows) && json->error == NULL; i++)
    {
      JsonArray *row = ts_json_array_at (json, rows, i);
      TsRational value = { 0, 1 }, count = { 0, 1 };
      TsBucket   bucket;

      if (!ts_json_number_at (json, row, 0, &value) || !ts_json_number_at (json, row, 1, &count))
        break;
      bucket.value = ts_report_whole (reader, value, ts_rational (scale, 1), "histogram");
      if (is_exact)
        bucket.value = settle_sample (bucket.value, facts);
      if (count.denominator != 1 || count.numerator < 1 || count.numerator > (TsInt128) (facts->n - n))
        ts_json_fail (json, "the counts of the histogram are not those of n = %" G_GUINT64_FORMAT, facts->n);
      else if (is_exact && (bucket.value < facts->min.value || bucket.value > facts->max.value))
        ts_json_fail (json, "the histogram does not lie between min and max");
      bucket.count = (guint64) count.numerator;
      n += bucket.count;
      g_array_append_val (buckets, bucket);
    }
  if (n != facts->n)
    ts_json_fail (json, "the counts of the histogram are not those of n = %" G_GUINT64_FORMAT, facts->n);
  return buckets;
}

/* With one section of one trace a report does not say where: there is one place only. */
static void
read_place (TsReportReader *reader, JsonObject *metric, const char *which, TsExtreme *extreme)
{
  const TsTrace   *trace = reader->trace;
  g_autofree char *instance = g_strdup_printf ("%s_instance", which);
  g_autofree char *section = g_strdup_printf ("%s_section", which);
  g_autofree char *input = g_strdup_printf ("%s_input", which);
  guint            n_inputs = 1 + (trace->others != NULL ? trace->others->len : 0);

  extreme->number = ts_json_integer (&reader->json, metric, instance, -TS_REPORT_LIMIT, TS_REPORT_LIMIT);
  extreme->section = (guint32) ts_json_integer (&reader->json, metric, section, 0, G_MAXUINT32);
  extreme->input = (guint32) ts_json_integer (&reader->json, metric, input, 0, n_inputs - 1);
  if (!ts_json_has (metric, section) && trace->sections->len > 0)
    extreme->section = ((const TsSection *) g_ptr_array_index (trace->sections, 0))->number;
}

/* Whether all of @n samples are kept, as the report has more of them than are kept in any case: what is exact is not blurred
 * where there is no need to. Of samples that nobody asked for there are at most TS_MOST_RESTORED. */
static gboolean
take_room (TsReportReader *reader, guint64 n)
{
  if (n <= TS_EXACT_SAMPLES || n > TS_MOST_RESTORED - reader->n_kept)
    return FALSE;
  reader->n_kept += n;
  return TRUE;
}

static TsAccumulator *
read_samples (TsReportReader *reader, JsonObject *metric, TsQuantity quantity, gboolean keep_all)
{
  TsJsonReader *json = &reader->json;
  JsonObject   *merge;
  TsAccumulator *samples;
  TsAccumulator facts = { .n = ts_report_read_n (reader, metric) };
  gboolean      is_exact;
  const char   *squares;
  guint64       squares_high = 0;
  g_autoptr (GArray) buckets = NULL;

  if (facts.n == 0 || json->error != NULL)
    return NULL;
  merge = ts_json_object (json, metric, "merge", TRUE);
  is_exact = ts_json_flag (json, metric, "exact");
  facts.min.value = ts_json_integer (json, merge, "min", -G_MAXINT64, G_MAXINT64);
  facts.max.value = ts_json_integer (json, merge, "max", -G_MAXINT64, G_MAXINT64);
  facts.min.at = ts_json_integer (json, merge, "min_at", -G_MAXINT64, G_MAXINT64);
  facts.max.at = ts_json_integer (json, merge, "max_at", -G_MAXINT64, G_MAXINT64);
  facts.sum = ts_json_wide (json, merge, "sum");
  squares = ts_json_text (json, merge, "squares", TRUE);
  if (squares != NULL && !ts_uint192_parse (squares, &facts.squares, &squares_high))
    ts_json_fail (json, "`squares' is no sum of squares");
  facts.squares_high = squares_high;
  read_place (reader, metric, "min", &facts.min);
  read_place (reader, metric, "max", &facts.max);
  if (json->error == NULL && !check_sums (&facts))
    ts_json_fail (json, "n, min, max and sum contradict each other");
  if (json->error != NULL)
    return NULL;
  buckets = read_histogram (reader, metric, &facts, is_exact, quantity);
  if (is_exact && json->error == NULL)
    ts_report_check_squares (reader, &facts, buckets);
  if (json->error != NULL)
    return NULL;
  samples = ts_accumulator_restore (&facts, buckets, is_exact, keep_all || (is_exact && take_room (reader, facts.n)));
  ts_report_check_statistics (reader, metric, samples, quantity);
  return samples;
}

static void
read_metrics (TsReportReader *reader, JsonObject *metrics, TsMeasuredElement *measured, TsElementType type)
{
  g_autofree char *element = g_strdup (reader->json.where);

  for (TsMetricId metric = 0; metric < TS_METRIC_LOAD && reader->json.error == NULL; metric++)
    {
      const TsMetricInfo *info = ts_metric_info (metric);
      JsonObject         *object = ts_json_object (&reader->json, metrics, info->name, FALSE);

      if (object == NULL)
        {
          if (!info->is_special)
            measured->lacking |= 1u << metric;
          continue;
        }
      g_free (reader->json.where);
      reader->json.where = g_strdup_printf ("%s, %s", element, info->name);
      if (metric == TS_METRIC_JIT)
        ts_report_check_jitter (reader, object, measured->metrics[TS_METRIC_DT]);
      /* JIT follows from DT; slack of what is no task is its E2S */
      if (metric == TS_METRIC_JIT || (metric == TS_METRIC_ST && type != TS_TYPE_TASK))
        continue;
      measured->metrics[metric] = read_samples (reader, object, info->quantity,
                                                (ts_options_exact_metrics (reader->options) >> metric & 1) != 0);
    }
}

/* What was not over: see TsUnfinished. */
static TsUnfinished *
read_unfinished (TsReportReader *reader, JsonObject *all)
{
  TsJsonReader *json = &reader->json;
  const guint   n_inputs = 1 + (reader->trace->others != NULL ? reader->trace->others->len : 0);
  TsUnfinished *unfinished;

  if (all == NULL)
    return NULL;
  unfinished = ts_arena_take (&reader->trace->measures->arena, sizeof *unfinished);
  unfinished->known = 0;
  for (guint i = 0; i < TS_N_UNFINISHED && json->error == NULL; i++)
    {
      JsonObject *one = ts_json_object (json, all, ts_metric_info ((TsMetricId) i)->name, FALSE);
      TsExtreme  *longest = &unfinished->longest[i];

      if (one == NULL)
        continue;
      unfinished->known |= 1u << i;
      longest->value = ts_json_integer (json, one, "value", 0, TS_REPORT_LIMIT);
      longest->at = ts_json_integer (json, one, "at", -TS_REPORT_LIMIT, TS_REPORT_LIMIT);
      longest->number = ts_json_integer (json, one, "instance", -TS_REPORT_LIMIT, TS_REPORT_LIMIT);
      longest->section = (guint32) ts_json_integer (json, one, "section", 0, G_MAXUINT32);
      longest->input = (guint32) ts_json_integer (json, one, "input", 0, n_inputs - 1);
    }
  return unfinished;
}

static void
read_counts (TsReportReader *reader, JsonObject *object, TsMeasuredElement *measured)
{
  TsElementCounts *counts = &measured->counts;

#define READ(count) counts->count = (guint64) ts_json_integer (&reader->json, object, #count, 0, TS_REPORT_LIMIT);
  TS_EVENT_COUNTS (READ)
  if (reader->json.error != NULL)
    return;
  if (ts_json_has (object, "defects"))
    READ (defects)
  else
    measured->lacking |= TS_LACKS_DEFECTS;
#undef READ
}

/* Elements stand in the order of their tree, so the parent is the last one before that is a level higher. */
static guint32
find_parent (const GArray *ancestors, guint depth)
{
  return depth > 0 && depth <= ancestors->len ? g_array_index ((GArray *) ancestors, guint32, depth - 1) : TS_NO_ELEMENT;
}

static guint32
declare_element (TsReportReader *reader, JsonObject *object, GArray *ancestors)
{
  TsJsonReader *json = &reader->json;
  TsSystem     *system = reader->trace->system;
  const char   *name = ts_json_text (json, object, "element", TRUE), *type_name, *id, *resource;
  guint         depth;
  TsElementType type;
  guint32       element;

  if (json->error != NULL)
    return TS_NO_ELEMENT;
  g_free (json->where);
  json->where = g_strdup (name);
  type_name = ts_json_text (json, object, "type", TRUE);
  id = ts_json_text (json, object, "id", FALSE);
  resource = ts_json_text (json, object, "declared_on", FALSE);
  depth = (guint) ts_json_integer (json, object, "depth", 0, MIN (ancestors->len, TS_MAX_DEPTH - 1));
  if (json->error != NULL)
    return TS_NO_ELEMENT;
  if (!ts_element_type_parse (type_name, &type))
    {
      ts_json_fail (json, "`%s' is no type of elements", type_name);
      return TS_NO_ELEMENT;
    }
  element = ts_system_add_element (system, type, name, id != NULL && *id != '\0' ? id : NULL,
                                   find_parent (ancestors, depth),
                                   resource != NULL ? find_resource (system, resource, strlen (resource)) : TS_NO_RESOURCE);
  if (element == TS_NO_ELEMENT)
    ts_json_fail (json, "too many elements");
  g_array_set_size (ancestors, depth);
  g_array_append_val (ancestors, element);
  return element;
}

static void
read_annotations (TsReportReader *reader, JsonArray *annotations, guint32 element)
{
  guint n_inputs = 1 + (reader->trace->others != NULL ? reader->trace->others->len : 0);

  for (guint i = 0; annotations != NULL && i < ts_json_length (annotations) && reader->json.error == NULL; i++)
    {
      JsonObject *object = ts_json_object_at (&reader->json, annotations, i);

      ts_system_annotate_input (reader->trace->system, element, ts_json_text (&reader->json, object, "name", FALSE),
                                ts_json_text (&reader->json, object, "value", FALSE),
                                ts_json_text (&reader->json, object, "tool", FALSE),
                                (guint) ts_json_integer (&reader->json, object, "input", 0, n_inputs - 1));
    }
}

static void
read_period (TsReportReader *reader, JsonObject *object, TsStatedPeriod *stated)
{
  TsInt128    numerator, denominator;
  const char *source;

  if (object == NULL)
    return;
  numerator = ts_json_wide (&reader->json, object, "numerator");
  denominator = ts_json_wide (&reader->json, object, "denominator");
  source = ts_json_text (&reader->json, object, "source", TRUE);
  if (reader->json.error != NULL)
    return;
  if (numerator < 0 || denominator <= 0)
    ts_json_fail (&reader->json, "the configured period is not above 0");
  else
    *stated = (TsStatedPeriod){ ts_rational (numerator, denominator), g_intern_string (source) };
}

static void
read_elements (TsReportReader *reader, JsonObject *report)
{
  TsJsonReader *json = &reader->json;
  TsTrace      *trace = reader->trace;
  JsonArray    *elements = ts_json_array (json, report, "elements", TRUE);
  g_autoptr (GArray) ancestors = g_array_new (FALSE, FALSE, sizeof (guint32));
  guint n = elements != NULL ? ts_json_length (elements) : 0;

  trace->periods = g_new0 (TsStatedPeriod, MAX (n, 1));
  ts_measures_grow (trace->measures, n, ts_system_n_resources (trace->system));
  for (guint i = 0; i < n && json->error == NULL; i++)
    {
      JsonObject *object = ts_json_object_at (json, elements, i);
      guint32     element = declare_element (reader, object, ancestors);
      const char *resource;

      if (json->error != NULL)
        break;
      ts_system_set_idle (trace->system, element, ts_json_flag (json, object, "idle"));
      ts_system_set_comment_of (trace->system, element, ts_json_text (json, object, "comment", FALSE));
      read_annotations (reader, ts_json_array (json, object, "annotations", FALSE), element);
      resource = ts_json_text (json, object, "resource", FALSE);
      if (resource != NULL)
        read_ran_on (reader, trace->measures, element, resource);
      read_counts (reader, ts_json_object (json, object, "counts", TRUE), &trace->measures->elements[element]);
      read_period (reader, ts_json_object (json, object, "configured_period", FALSE), &trace->periods[element]);
      trace->measures->elements[element].unfinished
          = read_unfinished (reader, ts_json_object (json, object, "unfinished", FALSE));
      read_metrics (reader, ts_json_object (json, object, "metrics", TRUE), &trace->measures->elements[element],
                    ts_system_get_element (trace->system, element)->type);
    }
  g_clear_pointer (&json->where, g_free);
}

static void
read_resources (TsReportReader *reader, JsonObject *report)
{
  TsJsonReader *json = &reader->json;
  TsMeasures   *measures = reader->trace->measures;
  JsonArray    *resources = ts_json_array (json, report, "resources", TRUE);
  guint         n = resources != NULL ? ts_json_length (resources) : 0;

  measures->windows = g_new0 (TsInt128, MAX (n, 1));
  for (guint i = 0; i < n && json->error == NULL; i++)
    {
      JsonObject *object = ts_json_object_at (json, resources, i), *stated;
      const char *name = ts_json_text (json, object, "resource", TRUE);
      const char *id = ts_json_text (json, object, "id", FALSE);
      JsonObject *metrics = ts_json_object (json, object, "metrics", TRUE);
      JsonObject *load = ts_json_object (json, metrics, "LOAD", TRUE);
      const TsInt128 most = (TsInt128) 1 << 96; /* so that no sum of many reports overflows */

      if (json->error != NULL)
        break;
      if (ts_system_add_resource (reader->trace->system, name, id != NULL && *id != '\0' ? id : NULL,
                                  ts_json_text (json, object, "scheduler", FALSE)) == TS_NO_RESOURCE)
        ts_json_fail (json, "too many resources");
      ts_measures_grow (measures, 0, i + 1);
      g_free (json->where);
      json->where = g_strdup_printf ("%s, LOAD", name);
      if (ts_report_read_n (reader, load) == 0)
        continue;
      stated = load;
      load = ts_json_object (json, load, "merge", TRUE);
      measures->busy[i] = ts_json_wide (json, load, "sum");
      measures->windows[i] = ts_json_wide (json, load, "window");
      if (measures->busy[i] < 0 || measures->busy[i] > most || measures->windows[i] < 0 || measures->windows[i] > most)
        ts_json_fail (json, "the load of `%s' is out of range", name);
      else if (measures->windows[i] > 0)
        ts_report_check_stated (reader, stated, "max",
                                ts_rational_to_double (ts_rational (measures->busy[i], measures->windows[i])), 1);
      g_clear_pointer (&json->where, g_free);
    }
}

static void
read_diagnostics (TsReportReader *reader, JsonObject *report)
{
  TsJsonReader  *json = &reader->json;
  JsonArray     *list = ts_json_array (json, report, "diagnostics", TRUE);
  TsDiagnostics *diagnostics = reader->trace->diagnostics;

  for (guint i = 0; list != NULL && i < ts_json_length (list) && json->error == NULL; i++)
    {
      JsonObject *object = ts_json_object_at (json, list, i);
      const char *name = ts_json_text (json, object, "name", TRUE);
      JsonObject *first = ts_json_object (json, object, "first", FALSE);

      TsDiagnostic  *entry;
      TsDiagnosticId id;

      /* one that only a later version knows cannot be named here; a period of zero is found anew */
      if (name == NULL || !ts_diagnostic_parse (name, &id) || id == TS_DIAGNOSTIC_ZERO_PERIOD)
        continue;
      entry = &diagnostics->entries[id];
      if (entry->count > 0)
        {
          ts_json_fail (json, "diagnostic `%s' is there twice", name);
          return;
        }
      entry->count = (guint64) ts_json_integer (json, object, "count", 1, TS_REPORT_LIMIT);
      entry->file = g_strdup (ts_json_text (json, first, "file", FALSE));
      entry->line = (guint64) ts_json_integer (json, first, "line", 0, G_MAXINT64);
      entry->detail = g_strdup (ts_json_text (json, first, "detail", FALSE));
    }
}

/* What an option asks that only the trace itself could answer. */
static gboolean
check_options (const char *path, const TsOptions *options, GError **error)
{
  const struct
  {
    gboolean    is_given;
    const char *name;
  } refused[] = {
    { options->has_from, "--from" },
    { options->has_to, "--to" },
    { options->infer_preemption, "--infer-preemption" },
    { options->subtract_overhead, "--subtract-overhead" },
    { options->per_section, "--per-section" },
  };

  for (guint i = 0; !options->is_baseline && i < G_N_ELEMENTS (refused); i++)
    if (refused[i].is_given)
      {
        g_set_error (error, TS_ERROR, TS_ERROR_USAGE, "%s: is a report: %s needs the trace itself", path,
                     refused[i].name);
        return FALSE;
      }
  return TRUE;
}

/* Idle tasks have no CET and are no load: that cannot be made up for. */
static void
check_idle (TsReportReader *reader)
{
  const TsSystem *system = reader->trace->system;

  for (guint i = 0; reader->options->idle != NULL && i < reader->options->idle->len; i++)
    for (guint32 k = 0; k < ts_system_n_elements (system); k++)
      {
        const TsElement *element = ts_system_get_element (system, k);
        const char      *pattern = g_ptr_array_index (reader->options->idle, i);

        if (!element->idle && ts_glob_matches (pattern, element->name))
          {
            ts_json_fail (&reader->json,
                          "is a report: `%s' was not idle when it was made; that `%s' is idle needs the trace itself",
                          element->name, pattern);
            return;
          }
      }
}

static void
read_report (TsReportReader *reader, JsonObject *report)
{
  TsJsonReader *json = &reader->json;
  gint64        schema;

  if (!ts_json_has (report, "schema") || !ts_json_has (report, "elements"))
    {
      ts_json_fail (json, "JSON, but no report of tracestat: `schema' or `elements' is missing");
      return;
    }
  schema = ts_json_integer (json, report, "schema", G_MININT64, G_MAXINT64);
  if (json->error == NULL && schema != TS_REPORT_SCHEMA)
    ts_json_fail (json, "a report with schema %" G_GINT64_FORMAT ", and this version reads schema %d", schema,
                  TS_REPORT_SCHEMA);
  if (ts_json_flag (json, report, "filtered"))
    ts_json_fail (json, "shows a part only (--metric, --element or --type): a whole report is needed");
  ts_report_read_inputs (reader, report);
  if (json->error == NULL)
    read_resources (reader, report);
  if (json->error == NULL)
    read_elements (reader, report);
  if (json->error == NULL)
    ts_report_read_overheads (reader, report);
  if (json->error == NULL)
    read_diagnostics (reader, report);
  if (json->error == NULL && reader->has_tables)
    ts_diagnostics_add (reader->trace->diagnostics, TS_DIAGNOSTIC_TABLES_LEFT_OUT, 0, "%s", json->path);
  if (json->error == NULL && !reader->options->is_baseline)
    check_idle (reader);
}

static gboolean
read_all (TsInput *input, const char *path, const guint8 *bytes, gsize length, GString *text, GError **error)
{
  while (length > 0)
    {
      if (text->len + length > MAX_REPORT)
        {
          g_set_error (error, TS_ERROR, TS_ERROR_FORMAT, "%s: too large for a report (more than %d MiB)", path,
                       MAX_REPORT / (1024 * 1024));
          return FALSE;
        }
      g_string_append_len (text, (const char *) bytes, (gssize) length);
      if (!ts_input_read (input, &bytes, &length, error))
        return FALSE;
    }
  return TRUE;
}

TsTrace *
ts_report_read (const char *path, TsInput *input, const guint8 *bytes, gsize length, const TsOptions *options,
                GError **error)
{
  TsReportReader reader = { .json = { .path = ts_input_title (path) }, .options = options };
  g_autoptr (GString) text = g_string_new (NULL);
  JsonObject *report;
  gsize       skip;

  if (!check_options (reader.json.path, options, error)
      || !read_all (input, reader.json.path, bytes, length, text, error))
    return NULL;
  skip = ts_mark_length (text->str, text->len);
  report = ts_json_load (&reader.json, text->str + skip, text->len - skip);
  if (report != NULL)
    read_report (&reader, report);
  ts_json_clear (&reader.json);
  if (reader.json.error == NULL)
    return reader.trace;
  g_propagate_error (error, reader.json.error);
  ts_trace_free (reader.trace);
  return NULL;
}
