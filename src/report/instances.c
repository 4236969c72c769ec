/* SPDX-License-Identifier: MIT */
#include "config.h"

#include <string.h>

#include "report/tables.h"
#include "report/writers.h"

/* The per-instance export: millions of rows, so what is the same for all instances of an element, resource or
 * section is made once, and times that are whole numbers of the unit take no detour. */

typedef enum
{
  COLUMN_INPUT,
  COLUMN_SECTION,
  COLUMN_RESOURCE,
  COLUMN_PARENT,
  COLUMN_ELEMENT,
  COLUMN_ID,
  COLUMN_TYPE,
  COLUMN_INSTANCE,
  COLUMN_STATUS,
  COLUMN_ACTIVATION_KIND,
  COLUMN_OWNER,
  COLUMN_UNIT,
  COLUMN_ACTIVATION,
  COLUMN_START,
  COLUMN_END,
  COLUMN_IPT,
  COLUMN_CET,
  COLUMN_SELF,
  COLUMN_GET,
  COLUMN_RT,
  COLUMN_DT,
  COLUMN_PER,
  COLUMN_ST,
  COLUMN_E2S,
  COLUMN_NPR,
  COLUMN_PRE,
  COLUMN_WAIT,
  COLUMN_START_TICKS,
  COLUMN_CET_TICKS,
  COLUMN_LINE,
  N_COLUMNS
} Column;

static const char *const column_names[N_COLUMNS] = {
  "input", "section", "resource", "parent", "element", "id",  "type", "instance", "status", "activation_kind",
  "owner", "unit",    "activation", "start", "end",    "ipt", "cet",  "self",     "get",    "rt",
  "dt",    "per",     "st",       "e2s",    "npr",     "pre", "wait", "start_ticks", "cet_ticks", "line",
};

typedef struct
{
  gboolean is_shown;
  char    *columns; /* parent to type, ready to be appended */
  char    *owner;   /* the column of instances that ran in it, made when there is one */
} ElementText;

struct _TsInstanceWriter
{
  char      *path;      /* for messages */
  TsFile    *file;
  TsOutput   output;
  gboolean   is_json;
  TsUnit     unit;
  TsFilter  *filter;
  TsTrace   *trace;     /* whose rows are being written */
  guint64    trace_start; /* where the first of them stands */
  TsSystem  *system;
  TsTimeBase base;      /* that factor and ticks were made for */
  TsRational factor, ticks;
  char      *unit_column;
  char      *input;
  GArray    *elements;  /* of ElementText */
  GPtrArray *resources; /* columns */
};

static void
element_text_clear (gpointer data)
{
  ElementText *text = data;

  g_free (text->columns);
  g_free (text->owner);
}

static void
begin_column (const TsInstanceWriter *writer, GString *out, Column column)
{
  if (!writer->is_json)
    {
      if (column > 0)
        g_string_append_c (out, ',');
      return;
    }
  g_string_append (out, column > 0 ? ",\"" : "{\"");
  g_string_append (out, column_names[column]);
  g_string_append (out, "\":");
}

/* An absent value is an empty column of CSV and nothing at all in JSON. */
static void
append_absent (const TsInstanceWriter *writer, GString *out)
{
  if (!writer->is_json)
    g_string_append_c (out, ',');
}

static void
append_text (const TsInstanceWriter *writer, GString *out, Column column, const char *text)
{
  g_autofree char *valid = NULL;

  if (text == NULL || *text == '\0')
    {
      append_absent (writer, out);
      return;
    }
  begin_column (writer, out, column);
  if (writer->is_json)
    {
      ts_json_append_text (out, text);
      return;
    }
  if (!g_utf8_validate (text, -1, NULL))
    text = valid = g_utf8_make_valid (text, -1);
  ts_csv_append_text (out, text);
}

static char *
make_column (const TsInstanceWriter *writer, Column column, const char *text)
{
  GString *out = g_string_new (NULL);

  append_text (writer, out, column, text);
  return g_string_free (out, FALSE);
}

static void
append_integer (const TsInstanceWriter *writer, GString *out, Column column, gint64 value)
{
  char    digits[24];
  guint   n = sizeof (digits);
  guint64 rest = value < 0 ? -(guint64) value : (guint64) value;

  begin_column (writer, out, column);
  do
    digits[--n] = (char) ('0' + (int) (rest % 10));
  while ((rest /= 10) != 0);
  if (value < 0)
    digits[--n] = '-';
  g_string_append_len (out, digits + n, sizeof (digits) - n);
}

static void
append_scaled (const TsInstanceWriter *writer, GString *out, Column column, gint64 units, TsRational factor)
{
  TsInt128 numerator;
  char     number[TS_NUMBER_SIZE];
  gsize    length;

  if (__builtin_mul_overflow ((TsInt128) units, factor.numerator, &numerator))
    length = ts_rational_format (ts_scaled (units, factor), number);
  else if (factor.denominator == 1 && numerator <= G_MAXINT64 && numerator >= G_MININT64)
    {
      append_integer (writer, out, column, (gint64) numerator);
      return;
    }
  else
    length = ts_rational_format ((TsRational){ numerator, factor.denominator }, number);
  begin_column (writer, out, column);
  g_string_append_len (out, number, (gssize) length);
}

static void
append_time (const TsInstanceWriter *writer, GString *out, Column column, gboolean is_known, gint64 units)
{
  if (is_known)
    append_scaled (writer, out, column, units, writer->factor);
  else
    append_absent (writer, out);
}

/* The columns from `parent' to `type'. */
static void
make_element_columns (TsInstanceWriter *writer, guint32 id, ElementText *text)
{
  const TsElement *element = ts_system_get_element (writer->system, id);
  const TsElement *parent =
      element->parent != TS_NO_ELEMENT ? ts_system_get_element (writer->system, element->parent) : NULL;
  GString         *out = g_string_new (NULL);

  append_text (writer, out, COLUMN_PARENT, parent != NULL ? parent->name : NULL);
  append_text (writer, out, COLUMN_ELEMENT, element->name);
  append_text (writer, out, COLUMN_ID, element->id);
  append_text (writer, out, COLUMN_TYPE, ts_element_type_name (element->type));
  text->is_shown = ts_filter_has_element (writer->filter, element->type, element->name);
  text->columns = g_string_free (out, FALSE);
}

static ElementText *
get_element_text (TsInstanceWriter *writer, guint32 id)
{
  ElementText *text;

  if (id >= writer->elements->len)
    g_array_set_size (writer->elements, id + 1);
  text = &g_array_index (writer->elements, ElementText, id);
  if (text->columns == NULL)
    make_element_columns (writer, id, text);
  return text;
}

static const char *
get_owner_column (TsInstanceWriter *writer, guint32 owner)
{
  ElementText *text;

  if (owner == TS_NO_ELEMENT)
    return writer->is_json ? "" : ",";
  text = get_element_text (writer, owner);
  if (text->owner == NULL)
    text->owner = make_column (writer, COLUMN_OWNER, ts_system_get_element (writer->system, owner)->name);
  return text->owner;
}

static const char *
get_resource_column (TsInstanceWriter *writer, guint16 resource)
{
  if (resource == TS_NO_RESOURCE)
    return writer->is_json ? "" : ",";
  if (resource >= writer->resources->len)
    g_ptr_array_set_size (writer->resources, resource + 1);
  if (g_ptr_array_index (writer->resources, resource) == NULL)
    g_ptr_array_index (writer->resources, resource) =
        make_column (writer, COLUMN_RESOURCE, ts_system_get_resource (writer->system, resource)->name);
  return g_ptr_array_index (writer->resources, resource);
}

/* The time base stands in the head of a trace, or is made finer by a second reading. */
static void
follow_time_base (TsInstanceWriter *writer)
{
  const TsTimeBase *base = ts_system_time_base (writer->system);
  TsUnit            unit;

  if (writer->unit_column != NULL && base->scale == writer->base.scale && base->numerator == writer->base.numerator
      && base->denominator == writer->base.denominator && base->exponent == writer->base.exponent
      && base->known == writer->base.known)
    return;
  unit = ts_file_unit (writer->unit, base);
  writer->base = *base;
  writer->factor = ts_time_base_factor (base, unit);
  writer->ticks = ts_time_base_factor (base, TS_UNIT_TICKS);
  g_free (writer->unit_column);
  writer->unit_column = make_column (writer, COLUMN_UNIT, ts_unit_name (unit));
}

static void
append_times (TsInstanceWriter *writer, GString *out, const TsInstance *instance)
{
  gboolean has_activation = (instance->flags & TS_INSTANCE_HAS_ACTIVATION) != 0;
  gboolean has_start = (instance->flags & TS_INSTANCE_HAS_START) != 0;
  gboolean has_end = (instance->flags & TS_INSTANCE_HAS_END) != 0;
  gboolean is_complete = instance->status == TS_STATUS_COMPLETE;
  gboolean has_get = is_complete && has_start && has_end;
  gboolean has_cet = has_get && (instance->flags & TS_INSTANCE_NO_CET) == 0;

  append_time (writer, out, COLUMN_ACTIVATION, has_activation, instance->activation);
  append_time (writer, out, COLUMN_START, has_start, instance->start);
  append_time (writer, out, COLUMN_END, has_end, instance->end);
  append_time (writer, out, COLUMN_IPT, has_activation && has_start, instance->start - instance->activation);
  append_time (writer, out, COLUMN_CET, has_cet, instance->running);
  append_time (writer, out, COLUMN_SELF, has_cet, instance->self);
  append_time (writer, out, COLUMN_GET, has_get, instance->end - instance->start);
  append_time (writer, out, COLUMN_RT, is_complete && has_activation && has_end, instance->end - instance->activation);
  append_time (writer, out, COLUMN_DT, (instance->flags & TS_INSTANCE_HAS_DT) != 0, instance->dt);
  append_time (writer, out, COLUMN_PER, (instance->flags & TS_INSTANCE_HAS_PER) != 0, instance->per);
  append_time (writer, out, COLUMN_ST, (instance->flags & TS_INSTANCE_HAS_ST) != 0, instance->st);
  append_time (writer, out, COLUMN_E2S, (instance->flags & TS_INSTANCE_HAS_E2S) != 0, instance->e2s);
  append_integer (writer, out, COLUMN_NPR, instance->n_preemptions);
  append_time (writer, out, COLUMN_PRE, TRUE, is_complete ? instance->preempted : instance->preempted_closed);
  append_time (writer, out, COLUMN_WAIT, TRUE, instance->waiting);
  if (has_start)
    append_scaled (writer, out, COLUMN_START_TICKS, instance->start, writer->ticks);
  else
    append_absent (writer, out);
  if (has_cet)
    append_scaled (writer, out, COLUMN_CET_TICKS, instance->running, writer->ticks);
  else
    append_absent (writer, out);
}

static void
write_instance (gpointer data, G_GNUC_UNUSED TsTrace *trace, const TsInstance *instance)
{
  TsInstanceWriter *writer = data;
  GString          *out = writer->output.text;
  ElementText      *element;

  if ((instance->flags & TS_INSTANCE_IN_WINDOW) == 0)
    return;
  element = get_element_text (writer, instance->element);
  if (!element->is_shown)
    return;
  follow_time_base (writer);

  g_string_append (out, writer->input);
  append_integer (writer, out, COLUMN_SECTION, instance->section);
  g_string_append (out, get_resource_column (writer, instance->resource));
  g_string_append (out, element->columns);
  append_integer (writer, out, COLUMN_INSTANCE, instance->number);
  append_text (writer, out, COLUMN_STATUS, ts_instance_status_name (instance->status));
  append_text (writer, out, COLUMN_ACTIVATION_KIND,
               instance->flags & TS_INSTANCE_HAS_ACTIVATION ? ts_event_kind_name (instance->activation_kind) : NULL);
  g_string_append (out, get_owner_column (writer, instance->owner));
  g_string_append (out, writer->unit_column);
  append_times (writer, out, instance);
  append_integer (writer, out, COLUMN_LINE, (gint64) instance->line);
  g_string_append (out, writer->is_json ? "}\n" : "\n");
  ts_output_check (&writer->output);
}

/* A trace is read from its beginning, perhaps once more: its rows so far are void, those of earlier traces stay. */
static void
restart_trace (gpointer data, TsTrace *trace)
{
  TsInstanceWriter *writer = data;

  ts_output_flush (&writer->output);
  if (writer->output.error != NULL)
    return;
  if (writer->trace != trace)
    {
      writer->trace = trace;
      writer->trace_start = ts_file_length (writer->file);
    }
  else
    ts_file_shorten (writer->file, writer->trace_start, &writer->output.error);

  writer->system = ts_trace_get_system (trace);
  g_array_set_size (writer->elements, 0);
  g_ptr_array_set_size (writer->resources, 0);
  g_clear_pointer (&writer->unit_column, g_free);
  g_free (writer->input);
  writer->input = make_column (writer, COLUMN_INPUT, ts_trace_get_path (trace));
}

static void
append_header (TsInstanceWriter *writer)
{
  for (Column column = 0; column < N_COLUMNS; column++)
    {
      if (column > 0)
        g_string_append_c (writer->output.text, ',');
      g_string_append (writer->output.text, column_names[column]);
    }
  g_string_append_c (writer->output.text, '\n');
}

TsInstanceWriter *
ts_instance_writer_new (const char *path, const TsPrintOptions *options, GError **error)
{
  g_autofree char  *lower = g_ascii_strdown (path, -1);
  gboolean          is_json = g_str_has_suffix (lower, ".jsonl");
  TsInstanceWriter *writer;
  TsFile           *file;

  if (!is_json && !g_str_has_suffix (lower, ".csv"))
    {
      g_set_error (error, TS_ERROR, TS_ERROR_USAGE, "`%s': instances are written as .csv or .jsonl", path);
      return NULL;
    }
  file = ts_file_create (path, error);
  if (file == NULL)
    return NULL;

  writer = g_new0 (TsInstanceWriter, 1);
  writer->path = g_strdup (path);
  writer->file = file;
  writer->is_json = is_json;
  writer->unit = options->unit;
  writer->filter = ts_filter_new (options);
  writer->elements = g_array_new (FALSE, TRUE, sizeof (ElementText));
  g_array_set_clear_func (writer->elements, element_text_clear);
  writer->resources = g_ptr_array_new_with_free_func (g_free);
  ts_output_init (&writer->output, ts_file_sink (file));
  if (!is_json)
    append_header (writer);
  return writer;
}

const TsInstanceSink *
ts_instance_writer_sink (void)
{
  static const TsInstanceSink sink = { restart_trace, write_instance };

  return &sink;
}

gboolean
ts_instance_writer_commit (TsInstanceWriter *writer, GError **error)
{
  gboolean is_written = ts_output_finish (&writer->output, error);

  /* what comes now would be lost */
  ts_output_init (&writer->output, ts_file_sink (writer->file));
  if (is_written)
    return ts_file_commit (writer->file, error);
  g_prefix_error (error, "%s: ", writer->path);
  return FALSE;
}

void
ts_instance_writer_free (TsInstanceWriter *writer)
{
  if (writer == NULL)
    return;
  g_string_free (writer->output.text, TRUE);
  g_clear_error (&writer->output.error);
  ts_file_free (writer->file);
  ts_filter_free (writer->filter);
  g_array_unref (writer->elements);
  g_ptr_array_unref (writer->resources);
  g_free (writer->unit_column);
  g_free (writer->input);
  g_free (writer->path);
  g_free (writer);
}
