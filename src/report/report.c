/* SPDX-License-Identifier: MIT */
#include "config.h"

#include <string.h>

#include <tracestat/report.h>

#include "analyse/trace.h"

/* Pools the measures of traces element by element, and calculates what is reported of
 * them. Elements of two traces are the same if they have the same type and name; of
 * several with the same in one trace, the first goes with the first. */

static const guint64 default_percentiles[] = { 50000000, 90000000, 95000000, 99000000 };

/* A block while it is being pooled. */
typedef struct
{
  TsReportBlock *block;
  TsMeasures    *measures; /* indexed like block->elements */
  GHashTable    *element_index;  /* "type\nname\nk" -> index + 1 */
  GHashTable    *resource_index; /* "name\nk" -> index + 1 */
  GPtrArray     *ran_on; /* of each element: a GHashTable of resource names */
  GArray        *declared_by; /* of each element: index of the first trace that has it */
  TsInt128      *windows; /* of each resource */
} Pool;

typedef struct
{
  TsReport        *report;
  const TsOptions *options;
  GPtrArray       *pools; /* of Pool, as many as blocks */
  gint64          *factors; /* of each trace: to the common base */
} Pooling;

static void
free_result (TsMetricResult *result)
{
  g_free (result->percentiles);
}

static void
free_element (gpointer data)
{
  TsReportElement *element = data;

  for (guint i = 0; i < TS_N_METRICS; i++)
    free_result (&element->metrics[i]);
  g_free ((char *) element->resource);
  g_free (element);
}

static void
free_resource (gpointer data)
{
  TsReportResource *resource = data;

  free_result (&resource->load);
  g_free (resource);
}

static void
free_block (gpointer data)
{
  TsReportBlock *block = data;

  g_ptr_array_unref (block->elements);
  g_ptr_array_unref (block->resources);
  g_free (block);
}

static void
free_pool (gpointer data)
{
  Pool *pool = data;

  g_hash_table_unref (pool->element_index);
  g_hash_table_unref (pool->resource_index);
  g_ptr_array_unref (pool->ran_on);
  g_array_unref (pool->declared_by);
  g_free (pool->windows);
  g_free (pool);
}

static Pool *
add_pool (Pooling *pooling, guint section, guint input)
{
  Pool *pool = g_new0 (Pool, 1);

  pool->block = g_new0 (TsReportBlock, 1);
  pool->block->section = section;
  pool->block->input = input;
  pool->block->elements = g_ptr_array_new_with_free_func (free_element);
  pool->block->resources = g_ptr_array_new_with_free_func (free_resource);
  pool->measures = ts_measures_new (section, pooling->options->exact_percentiles);
  pool->element_index = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);
  pool->resource_index = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);
  pool->ran_on = g_ptr_array_new_with_free_func ((GDestroyNotify) g_hash_table_unref);
  pool->declared_by = g_array_new (FALSE, FALSE, sizeof (guint));
  g_ptr_array_add (pooling->report->blocks, pool->block);
  g_ptr_array_add (pooling->report->measures, pool->measures);
  g_ptr_array_add (pooling->pools, pool);
  return pool;
}

/* The index that @key has in @indexes, or a new one, *is_new telling which; keys that
 * occur several times in one trace are told apart by how often @seen had them. */
static guint
find_index (GHashTable *indexes, GHashTable *seen, const char *key, guint next, gboolean *is_new)
{
  guint    occurrence = GPOINTER_TO_UINT (g_hash_table_lookup (seen, key));
  char    *full_key = g_strdup_printf ("%s\n%u", key, occurrence);
  gpointer index = g_hash_table_lookup (indexes, full_key);

  g_hash_table_insert (seen, g_strdup (key), GUINT_TO_POINTER (occurrence + 1));
  *is_new = index == NULL;
  if (index == NULL)
    {
      index = GUINT_TO_POINTER (next + 1);
      g_hash_table_insert (indexes, full_key, index);
    }
  else
    g_free (full_key);
  return GPOINTER_TO_UINT (index) - 1;
}

static guint
depth_of (const TsSystem *system, guint32 element)
{
  guint depth = 0;

  while ((element = ts_system_get_element (system, element)->parent) != TS_NO_ELEMENT)
    depth++;
  return depth;
}

static TsReportElement *
new_element (const TsSystem *system, guint32 id)
{
  const TsElement *element = ts_system_get_element (system, id);
  TsReportElement *result = g_new0 (TsReportElement, 1);

  result->parent = element->parent != TS_NO_ELEMENT ? ts_system_get_element (system, element->parent)->name : "";
  result->name = element->name;
  result->id = element->id != NULL ? element->id : "";
  result->comment = element->comment;
  result->type = element->type;
  result->depth = depth_of (system, id);
  result->idle = element->idle;
  result->annotations = element->annotations;
  return result;
}

/* For each element of @trace, which one of @pool it is. */
static guint32 *
map_elements (Pool *pool, const TsTrace *trace, guint input)
{
  guint    n = ts_system_n_elements (trace->system);
  guint32 *map = g_new (guint32, MAX (n, 1));
  g_autoptr (GHashTable) seen = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);

  for (guint32 i = 0; i < n; i++)
    {
      const TsElement *element = ts_system_get_element (trace->system, i);
      g_autofree char *key = g_strdup_printf ("%u\n%s", element->type, element->name);
      gboolean         is_new;

      map[i] = find_index (pool->element_index, seen, key, pool->block->elements->len, &is_new);
      if (is_new)
        {
          g_ptr_array_add (pool->block->elements, new_element (trace->system, i));
          g_ptr_array_add (pool->ran_on, g_hash_table_new (g_str_hash, g_str_equal));
          g_array_append_val (pool->declared_by, input);
        }
    }
  return map;
}

static guint16 *
map_resources (Pool *pool, const TsTrace *trace)
{
  guint    n = ts_system_n_resources (trace->system);
  guint16 *map = g_new (guint16, MAX (n, 1));
  g_autoptr (GHashTable) seen = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);

  for (guint i = 0; i < n; i++)
    {
      const TsResource *resource = ts_system_get_resource (trace->system, (guint16) i);
      gboolean          is_new;

      map[i] = (guint16) find_index (pool->resource_index, seen, resource->name, pool->block->resources->len, &is_new);
      if (is_new)
        {
          TsReportResource *result = g_new0 (TsReportResource, 1);

          result->name = resource->name;
          result->id = resource->id != NULL ? resource->id : "";
          result->scheduler = resource->scheduler;
          g_ptr_array_add (pool->block->resources, result);
        }
    }
  pool->windows = g_renew (TsInt128, pool->windows, pool->block->resources->len);
  for (guint i = pool->measures->n_resources; i < pool->block->resources->len; i++)
    pool->windows[i] = 0;
  return map;
}

/* The samples are moved, not copied, where nothing is there to merge them with. */
static gboolean
pool_samples (TsMeasuredElement *to, TsMeasuredElement *from, gint64 factor, guint input)
{
  for (guint i = 0; i < TS_N_METRICS; i++)
    {
      TsAccumulator *samples = from->metrics[i];

      if (samples == NULL)
        continue;
      if (!ts_accumulator_rescale (samples, factor, input))
        return FALSE;
      if (to->metrics[i] == NULL)
        {
          to->metrics[i] = g_steal_pointer (&from->metrics[i]);
          continue;
        }
      ts_accumulator_merge (to->metrics[i], samples);
    }
  return TRUE;
}

static void
note_resources (Pool *pool, guint index, const TsSystem *system, guint32 id, const TsMeasuredElement *measured)
{
  GHashTable *names = g_ptr_array_index (pool->ran_on, index);
  guint16     declared = ts_system_get_element (system, id)->resource;

  if (declared != TS_NO_RESOURCE)
    g_hash_table_add (names, (gpointer) ts_system_get_resource (system, declared)->name);
  for (guint i = 0; measured->resources != NULL && i < measured->resources->len; i++)
    g_hash_table_add (names, (gpointer) ts_system_get_resource (
                                 system, g_array_index (measured->resources, guint16, i))->name);
}

static gboolean
pool_measures (Pool *pool, const TsTrace *trace, TsMeasures *measures, gint64 factor, guint input, GError **error)
{
  g_autofree guint32 *elements = map_elements (pool, trace, input);
  g_autofree guint16 *resources = map_resources (pool, trace);

  ts_measures_grow (pool->measures, pool->block->elements->len, pool->block->resources->len);
  for (guint32 i = 0; i < measures->n_elements; i++)
    {
      TsReportElement *element = g_ptr_array_index (pool->block->elements, elements[i]);

      if (!pool_samples (&pool->measures->elements[elements[i]], &measures->elements[i], factor, input))
        {
          g_set_error (error, TS_ERROR, TS_ERROR_RANGE,
                       "%s: its times are too large for the time base that it shares with the other traces",
                       trace->path);
          return FALSE;
        }
      note_resources (pool, elements[i], trace->system, i, &measures->elements[i]);
      ts_measures_add_counts (&element->counts, &measures->elements[i].counts);
    }
  for (guint i = 0; i < measures->n_resources; i++)
    {
      pool->measures->busy[resources[i]] += measures->busy[i] * factor;
      pool->windows[resources[i]] += measures->window * factor;
    }
  return TRUE;
}

static int
compare_names (gconstpointer a, gconstpointer b)
{
  return strcmp (*(const char *const *) a, *(const char *const *) b);
}

static char *
join_names (GHashTable *names)
{
  guint             n;
  g_autofree char **sorted = (char **) g_hash_table_get_keys_as_array (names, &n);

  qsort (sorted, n, sizeof *sorted, compare_names);
  return g_strjoinv ("+", sorted);
}

static void
set_where (TsMetricResult *result, const TsAccumulator *samples)
{
  result->n = samples->n;
  result->min_where = samples->min;
  result->max_where = samples->max;
  result->accumulator = samples;
}

/* Nearest rank; @descending: the order of what falls where the samples rise. */
static void
set_percentiles (const TsReport *report, TsMetricResult *result, const TsAccumulator *samples, gboolean descending)
{
  g_autoptr (GArray) buckets = ts_accumulator_buckets (samples);

  result->percentiles = g_new (TsRational, MAX (report->n_percentiles, 1));
  for (guint i = 0; i < report->n_percentiles; i++)
    {
      guint64 rank = ts_percentile_rank (samples->n, report->percentiles[i]);
      gint64  value = ts_buckets_ranked (buckets, descending ? samples->n + 1 - rank : rank);

      result->percentiles[i] = ts_rational (CLAMP (value, samples->min.value, samples->max.value), 1);
    }
}

static void
set_times (const TsReport *report, TsMetricResult *result, const TsAccumulator *samples)
{
  set_where (result, samples);
  result->min = ts_rational (samples->min.value, 1);
  result->max = ts_rational (samples->max.value, 1);
  result->mean = ts_rational (samples->sum, (TsInt128) samples->n);
  result->sum = samples->sum;
  result->stddev = ts_accumulator_stddev (samples);
  set_percentiles (report, result, samples, FALSE);
}

/* 1 - value / period */
static TsRational
jitter_of (TsRational value, TsRational period)
{
  return ts_rational_subtract (ts_rational (1, 1), ts_rational_divide (value, period));
}

/* JIT falls where DT rises: everything follows from the statistics of DT. */
static void
set_jitter (const TsReport *report, TsMetricResult *result, const TsAccumulator *deltas)
{
  TsRational period = result->reference_value;

  result->n = deltas->n;
  result->accumulator = deltas;
  result->min_where = deltas->max;
  result->max_where = deltas->min;
  result->min = jitter_of (ts_rational (deltas->max.value, 1), period);
  result->max = jitter_of (ts_rational (deltas->min.value, 1), period);
  result->mean = jitter_of (ts_rational (deltas->sum, (TsInt128) deltas->n), period);
  result->stddev = ts_accumulator_stddev (deltas) / ts_rational_to_double (period);
  set_percentiles (report, result, deltas, TRUE);
  for (guint i = 0; i < report->n_percentiles; i++)
    result->percentiles[i] = jitter_of (result->percentiles[i], period);
}

/* A time in internal units as an exact fraction: a configured period need not be whole. */
static gboolean
resolve_period (const TsTimeText *text, const TsTimeBase *base, TsRational *period)
{
  TsTimeBase one_second = { 1, 1, text->exponent, 1, TRUE };

  if (!text->in_ticks && !base->known)
    return FALSE;
  if (text->in_ticks)
    *period = ts_rational_multiply (text->value, ts_rational (base->scale, 1));
  else
    *period = ts_rational_divide (ts_rational_multiply (text->value, ts_time_base_factor (&one_second, TS_UNIT_NS)),
                                  ts_time_base_factor (base, TS_UNIT_NS));
  return TRUE;
}

/* The period that annotations give, in ticks of the trace that has them. */
static gboolean
annotated_period (const Pooling *pooling, const TsReportElement *element, guint input, TsRational *period)
{
  static const char *const names[] = { "PER", "PERav", "Period" };
  const TsTrace           *trace = g_ptr_array_index (pooling->report->traces, input);
  const TsTimeBase        *base = ts_system_time_base (trace->system);
  TsTimeText               text;

  for (guint k = 0; k < G_N_ELEMENTS (names); k++)
    for (guint i = 0; element->annotations != NULL && i < element->annotations->len; i++)
      {
        const TsAnnotation *annotation = &g_array_index (element->annotations, TsAnnotation, i);

        if (annotation->name == NULL || annotation->value == NULL
            || g_ascii_strcasecmp (annotation->name, names[k]) != 0
            || !ts_time_text_parse (annotation->value, &text, NULL) || !resolve_period (&text, base, period))
          continue;
        *period = ts_rational_multiply (*period, ts_rational (pooling->factors[input], 1));
        return TRUE;
      }
  return FALSE;
}

/* The period that the trace's own annotations or the user give; the user's wins. */
static gboolean
configured_period (const Pooling *pooling, const TsReportElement *element, guint input, TsRational *period)
{
  gboolean found = annotated_period (pooling, element, input, period);

  for (guint i = 0; pooling->options->periods != NULL && i < pooling->options->periods->len; i++)
    {
      const TsPeriodOption *option = g_ptr_array_index (pooling->options->periods, i);

      if (g_pattern_match_simple (option->name, element->name)
          && resolve_period (&option->period, &pooling->report->base, period))
        found = TRUE;
    }
  return found;
}

/* What JIT of @element relates to (rule of JIT: configured, else measured by activation, else by start). */
static void
set_reference (const Pooling *pooling, TsReportElement *element, guint input)
{
  TsMetricResult *jitter = &element->metrics[TS_METRIC_JIT];
  TsMetricResult *period = &element->metrics[TS_METRIC_PER];

  if (configured_period (pooling, element, input, &jitter->reference_value))
    {
      jitter->reference = period->reference = "configured";
      period->reference_value = jitter->reference_value;
      return;
    }
  if (period->n > 0)
    {
      jitter->reference = period->reference = "activation";
      jitter->reference_value = period->reference_value = period->mean;
    }
  else if (element->metrics[TS_METRIC_DT].n > 0)
    {
      jitter->reference = "start";
      jitter->reference_value = element->metrics[TS_METRIC_DT].mean;
    }
}

static void
calculate_element (const Pooling *pooling, const Pool *pool, guint index)
{
  TsReport            *report = pooling->report;
  TsReportElement     *element = g_ptr_array_index (pool->block->elements, index);
  const TsAccumulator *deltas = pool->measures->elements[index].metrics[TS_METRIC_DT];
  TsMetricResult      *jitter = &element->metrics[TS_METRIC_JIT];

  element->resource = join_names (g_ptr_array_index (pool->ran_on, index));
  for (guint i = 0; i < TS_N_METRICS; i++)
    {
      const TsAccumulator *samples = ts_metrics_samples (pool->measures, index, element->type, (TsMetricId) i);

      if (samples == NULL || i == TS_METRIC_JIT)
        continue;
      set_times (report, &element->metrics[i], samples);
      report->exact &= ts_accumulator_is_exact (samples);
    }
  set_reference (pooling, element, g_array_index (pool->declared_by, guint, index));
  if (deltas == NULL || jitter->reference == NULL)
    return;
  if (jitter->reference_value.numerator > 0)
    set_jitter (report, jitter, deltas);
  else if (pool->block->section == 0)
    ts_diagnostics_add (report->diagnostics, TS_DIAGNOSTIC_ZERO_PERIOD, 0, "%s", element->name);
}

static void
calculate_load (const TsReport *report, TsMetricResult *load, TsInt128 busy, TsInt128 window)
{
  if (window <= 0)
    return;
  load->n = 1;
  load->sum = busy;
  load->min = load->mean = load->max = ts_rational (busy, window);
  load->reference_value = ts_rational (window, 1);
  load->percentiles = g_new (TsRational, MAX (report->n_percentiles, 1));
  for (guint i = 0; i < report->n_percentiles; i++)
    load->percentiles[i] = load->mean;
}

static gboolean
find_base (Pooling *pooling, GError **error)
{
  TsReport *report = pooling->report;
  GPtrArray *traces = report->traces;

  for (guint i = 0; i < traces->len; i++)
    {
      const TsTrace *trace = g_ptr_array_index (traces, i);
      TsTimeBase     common;
      gint64         factor, own_factor;

      pooling->factors[i] = 1;
      if (i == 0)
        {
          report->base = *ts_system_time_base (trace->system);
          continue;
        }
      if (!ts_time_base_common (&report->base, ts_system_time_base (trace->system), &common, &factor, &own_factor))
        {
          g_set_error (error, TS_ERROR, TS_ERROR_USAGE, "%s: its time base does not go together with that of %s",
                       trace->path, ((const TsTrace *) g_ptr_array_index (traces, 0))->path);
          return FALSE;
        }
      for (guint k = 0; k < i; k++)
        if (__builtin_mul_overflow (pooling->factors[k], factor, &pooling->factors[k]))
          {
            g_set_error (error, TS_ERROR, TS_ERROR_RANGE, "%s: its time base is too fine to be pooled", trace->path);
            return FALSE;
          }
      pooling->factors[i] = own_factor;
      report->base = common;
    }
  return TRUE;
}

static gboolean
pool_traces (Pooling *pooling, GError **error)
{
  TsReport *report = pooling->report;
  Pool     *all = add_pool (pooling, 0, 0);

  for (guint i = 0; i < report->traces->len; i++)
    {
      TsTrace *trace = g_ptr_array_index (report->traces, i);

      if (!pool_measures (all, trace, trace->measures, pooling->factors[i], i, error))
        return FALSE;
      for (guint k = 0; trace->section_measures != NULL && k < trace->section_measures->len; k++)
        {
          TsMeasures *measures = g_ptr_array_index (trace->section_measures, k);

          if (!pool_measures (add_pool (pooling, measures->section, i), trace, measures, pooling->factors[i], i, error))
            return FALSE;
        }
      ts_diagnostics_merge (report->diagnostics, trace->diagnostics);
    }
  for (guint i = 0; i < pooling->pools->len; i++)
    {
      Pool *pool = g_ptr_array_index (pooling->pools, i);

      for (guint k = 0; k < pool->block->elements->len; k++)
        calculate_element (pooling, pool, k);
      for (guint k = 0; k < pool->block->resources->len; k++)
        {
          TsReportResource *resource = g_ptr_array_index (pool->block->resources, k);

          calculate_load (report, &resource->load, pool->measures->busy[k], pool->windows[k]);
        }
    }
  return TRUE;
}

TsReport *
ts_report_new (GPtrArray *traces, const TsOptions *options, GError **error)
{
  g_autoptr (TsReport) report = g_new0 (TsReport, 1);
  g_autofree gint64 *factors = g_new0 (gint64, MAX (traces->len, 1));
  g_autoptr (GPtrArray) pools = g_ptr_array_new_with_free_func (free_pool);
  Pooling pooling = { report, options, pools, factors };
  g_autoptr (GString) input = g_string_new (NULL);

  report->traces = g_ptr_array_ref (traces);
  report->base = ts_time_base_ticks ();
  report->blocks = g_ptr_array_new_with_free_func (free_block);
  report->measures = g_ptr_array_new_with_free_func ((GDestroyNotify) ts_measures_free);
  report->diagnostics = ts_diagnostics_new (NULL);
  report->exact = TRUE;
  report->n_percentiles = options->percentiles != NULL ? options->percentiles->len : G_N_ELEMENTS (default_percentiles);
  report->percentiles = g_memdup2 (options->percentiles != NULL ? (gconstpointer) options->percentiles->data
                                                                : default_percentiles,
                                   report->n_percentiles * sizeof (guint64));
  for (guint i = 0; i < traces->len; i++)
    g_string_append_printf (input, "%s%s", i > 0 ? "+" : "", ((const TsTrace *) g_ptr_array_index (traces, i))->path);
  report->input = g_strdup (input->str);
  if (!find_base (&pooling, error) || !pool_traces (&pooling, error))
    return NULL;
  return g_steal_pointer (&report);
}

void
ts_report_free (TsReport *report)
{
  if (report == NULL)
    return;
  g_clear_pointer (&report->blocks, g_ptr_array_unref);
  g_clear_pointer (&report->measures, g_ptr_array_unref);
  g_clear_pointer (&report->traces, g_ptr_array_unref);
  ts_diagnostics_free (report->diagnostics);
  g_free (report->input);
  g_free (report->percentiles);
  g_free (report);
}
