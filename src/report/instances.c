/* SPDX-License-Identifier: MIT */
#include "config.h"

#include <string.h>

#include "report/tables.h"
#include "report/writers.h"

/* The per-instance export: millions of rows, so what is the same for all instances of an element, resource or
 * section is made once, and times that are whole numbers of the unit take no detour. A row is written where it belongs:
 * there is room for all of it before it begins. */

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
  COLUMN_OWNER_INSTANCE,
  N_COLUMNS
} Column;

static const char *const column_names[N_COLUMNS] = {
  "input", "section", "resource", "parent", "element", "id",  "type", "instance", "status", "activation_kind",
  "owner", "unit",    "activation", "start", "end",    "ipt", "cet",  "self",     "get",    "rt",
  "dt",    "per",     "st",       "e2s",    "npr",     "pre", "wait", "start_ticks", "cet_ticks", "line",
  "owner_instance",
};

/* Columns, ready to be written; NULL: not made yet. */
typedef struct
{
  char *bytes;
  gsize length;
} Text;

typedef struct
{
  gboolean is_shown;
  Text     columns; /* parent to type */
  Text     owner;   /* the column of instances that ran in it, made when there is one */
} ElementText;

#define KEY_SIZE 24 /* of the longest and more, so that all are copied alike */

/* What stands before the value of a column. */
typedef struct
{
  char  bytes[KEY_SIZE];
  gsize length;
} Key;

/* From internal units to those that are written. */
typedef struct
{
  TsRational factor;
  gint64     whole; /* the same, or 0 if it is no whole number of 64 bits */
  gboolean   is_safe; /* whatever is written with it can be held */
} Scale;

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
  Scale      factor, ticks;
  gboolean   is_beyond; /* some time was too large for its unit */
  Key        keys[N_COLUMNS];
  gsize      absent_length; /* of a column without a value */
  Text       input, unit_column;
  Text       statuses[TS_N_STATUSES], activations[TS_N_EVENT_KINDS];
  GArray    *elements;  /* of ElementText */
  GArray    *resources; /* of Text */
};

static void
text_clear (gpointer data)
{
  Text *text = data;

  g_clear_pointer (&text->bytes, g_free);
}

static void
element_text_clear (gpointer data)
{
  ElementText *text = data;

  text_clear (&text->columns);
  text_clear (&text->owner);
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

static Text
text_of (GString *out)
{
  gsize length = out->len;

  return (Text){ g_string_free (out, FALSE), length };
}

static Text
make_column (const TsInstanceWriter *writer, Column column, const char *text)
{
  GString *out = g_string_new (NULL);

  append_text (writer, out, column, text);
  return text_of (out);
}

static void
make_keys (TsInstanceWriter *writer)
{
  g_autoptr (GString) key = g_string_new (NULL);

  for (Column column = 0; column < N_COLUMNS; column++)
    {
      g_string_truncate (key, 0);
      begin_column (writer, key, column);
      g_assert (key->len <= KEY_SIZE);
      memcpy (writer->keys[column].bytes, key->str, key->len);
      writer->keys[column].length = key->len;
    }
  writer->absent_length = writer->is_json ? 0 : 1;
}

/* All that follow write to where there is room, and return the end. */

static char *
write_text (char *end, const Text *text)
{
  memcpy (end, text->bytes, text->length);
  return end + text->length;
}

static inline char *
write_key (char *end, const TsInstanceWriter *writer, Column column)
{
  memcpy (end, writer->keys[column].bytes, KEY_SIZE);
  return end + writer->keys[column].length;
}

/* In JSON the comma is there, but does not count: what comes next is written over it. */
static inline char *
write_absent (char *end, const TsInstanceWriter *writer)
{
  *end = ',';
  return end + writer->absent_length;
}

static inline char *
write_integer (char *end, const TsInstanceWriter *writer, Column column, gint64 value)
{
  end = write_key (end, writer, column);
  return end + ts_integer_format (value, end);
}

static gsize
format_scaled (gint64 units, TsRational factor, char *buffer)
{
  TsInt128 numerator;

  if (__builtin_mul_overflow ((TsInt128) units, factor.numerator, &numerator))
    return ts_rational_format (ts_scale_wide_number ((TsRational){ units, 1 }, factor), buffer);
  return ts_rational_format ((TsRational){ numerator, factor.denominator }, buffer);
}

static inline char *
write_scaled (char *end, const TsInstanceWriter *writer, Column column, gint64 units, const Scale *scale)
{
  gint64 value;

  if (scale->whole != 0 && !__builtin_mul_overflow (units, scale->whole, &value))
    return write_integer (end, writer, column, value);
  end = write_key (end, writer, column);
  return end + format_scaled (units, scale->factor, end);
}

static inline char *
write_time (char *end, const TsInstanceWriter *writer, Column column, gboolean is_known, gint64 units)
{
  return is_known ? write_scaled (end, writer, column, units, &writer->factor) : write_absent (end, writer);
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
  text->columns = text_of (out);
}

static ElementText *
get_element_text (TsInstanceWriter *writer, guint32 id)
{
  ElementText *text;

  if (id >= writer->elements->len)
    g_array_set_size (writer->elements, id + 1);
  text = &g_array_index (writer->elements, ElementText, id);
  if (text->columns.bytes == NULL)
    make_element_columns (writer, id, text);
  return text;
}

static Text
get_owner_column (TsInstanceWriter *writer, guint32 owner)
{
  ElementText *text = get_element_text (writer, owner);

  if (text->owner.bytes == NULL)
    text->owner = make_column (writer, COLUMN_OWNER, ts_system_get_element (writer->system, owner)->name);
  return text->owner;
}

static Text
get_resource_column (TsInstanceWriter *writer, guint16 resource)
{
  Text *text;

  if (resource >= writer->resources->len)
    g_array_set_size (writer->resources, resource + 1);
  text = &g_array_index (writer->resources, Text, resource);
  if (text->bytes == NULL)
    *text = make_column (writer, COLUMN_RESOURCE, ts_system_get_resource (writer->system, resource)->name);
  return *text;
}

static Scale
make_scale (const TsTimeBase *base, TsUnit unit)
{
  const TsRational factor = ts_time_base_factor (base, unit);
  gboolean         is_whole = factor.denominator == 1 && ts_rational_is_narrow (factor);

  return (Scale){ factor, is_whole ? (gint64) factor.numerator : 0, ts_time_fits ((double) G_MAXINT64, factor) };
}

/* The time base stands in the head of a trace, or is made finer by a second reading. */
static void
follow_time_base (TsInstanceWriter *writer)
{
  const TsTimeBase *base = ts_system_time_base (writer->system);
  TsUnit            unit;

  if (writer->unit_column.bytes != NULL && base->scale == writer->base.scale
      && base->numerator == writer->base.numerator && base->denominator == writer->base.denominator
      && base->exponent == writer->base.exponent && base->known == writer->base.known)
    return;
  unit = ts_file_unit (writer->unit, base);
  writer->base = *base;
  writer->factor = make_scale (base, unit);
  writer->ticks = make_scale (base, TS_UNIT_TICKS);
  text_clear (&writer->unit_column);
  writer->unit_column = make_column (writer, COLUMN_UNIT, ts_unit_name (unit));
}

static char *
write_times (char *end, const TsInstanceWriter *writer, const TsInstance *instance)
{
  gboolean has_activation = (instance->flags & TS_INSTANCE_HAS_ACTIVATION) != 0;
  gboolean has_start = (instance->flags & TS_INSTANCE_HAS_START) != 0;
  gboolean has_end = (instance->flags & TS_INSTANCE_HAS_END) != 0;
  gboolean is_complete = instance->status == TS_STATUS_COMPLETE;
  gboolean has_get = is_complete && has_start && has_end;
  gboolean has_cet = has_get && (instance->flags & TS_INSTANCE_NO_CET) == 0;

  end = write_time (end, writer, COLUMN_ACTIVATION, has_activation, instance->activation);
  end = write_time (end, writer, COLUMN_START, has_start, instance->start);
  end = write_time (end, writer, COLUMN_END, has_end, instance->end);
  end = write_time (end, writer, COLUMN_IPT, has_activation && has_start, instance->start - instance->activation);
  end = write_time (end, writer, COLUMN_CET, has_cet, instance->running);
  end = write_time (end, writer, COLUMN_SELF, has_cet, instance->self);
  end = write_time (end, writer, COLUMN_GET, has_get, instance->end - instance->start);
  end = write_time (end, writer, COLUMN_RT, has_activation && has_end, instance->end - instance->activation);
  end = write_time (end, writer, COLUMN_DT, (instance->flags & TS_INSTANCE_HAS_DT) != 0, instance->dt);
  end = write_time (end, writer, COLUMN_PER, (instance->flags & TS_INSTANCE_HAS_PER) != 0, instance->per);
  end = write_time (end, writer, COLUMN_ST, (instance->flags & TS_INSTANCE_HAS_ST) != 0, instance->st);
  end = write_time (end, writer, COLUMN_E2S, (instance->flags & (TS_INSTANCE_HAS_E2S | TS_INSTANCE_TOLD_E2S)) != 0,
                    instance->e2s);
  end = write_integer (end, writer, COLUMN_NPR, instance->n_preemptions);
  end = write_time (end, writer, COLUMN_PRE, TRUE, is_complete ? instance->preempted : instance->preempted_closed);
  end = write_time (end, writer, COLUMN_WAIT, TRUE, instance->waiting);
  end = has_start ? write_scaled (end, writer, COLUMN_START_TICKS, instance->start, &writer->ticks)
                  : write_absent (end, writer);
  return has_cet ? write_scaled (end, writer, COLUMN_CET_TICKS, instance->running, &writer->ticks)
                 : write_absent (end, writer);
}

static void
write_row (TsInstanceWriter *writer, const TsInstance *instance, const Text *columns)
{
  const Text none = { NULL, 0 };
  Text       owner = instance->owner != TS_NO_ELEMENT ? get_owner_column (writer, instance->owner) : none;
  Text       resource = instance->resource != TS_NO_RESOURCE ? get_resource_column (writer, instance->resource) : none;
  GString   *out = writer->output.text;
  char      *end = ts_output_room (out, N_COLUMNS * (KEY_SIZE + TS_NUMBER_SIZE) + writer->input.length + resource.length
                                            + columns->length + owner.length);

  end = write_text (end, &writer->input);
  end = write_integer (end, writer, COLUMN_SECTION, instance->section);
  end = resource.bytes != NULL ? write_text (end, &resource) : write_absent (end, writer);
  end = write_text (end, columns);
  end = write_integer (end, writer, COLUMN_INSTANCE, instance->number);
  end = write_text (end, &writer->statuses[instance->status]);
  end = instance->flags & TS_INSTANCE_HAS_ACTIVATION
            ? write_text (end, &writer->activations[instance->activation_kind])
            : write_absent (end, writer);
  end = owner.bytes != NULL ? write_text (end, &owner) : write_absent (end, writer);
  end = write_text (end, &writer->unit_column);
  end = write_times (end, writer, instance);
  end = write_integer (end, writer, COLUMN_LINE, (gint64) instance->line);
  end = owner.bytes != NULL && instance->owner_instance != TS_NO_INSTANCE
            ? write_integer (end, writer, COLUMN_OWNER_INSTANCE, instance->owner_instance)
            : write_absent (end, writer);
  if (writer->is_json)
    *end++ = '}';
  *end++ = '\n';
  out->len = (gsize) (end - out->str);
}

static gboolean
instance_fits (const TsInstanceWriter *writer, const TsInstance *instance)
{
  const gint64 times[] = { instance->start, instance->end, instance->activation, instance->dt,
                           instance->e2s,   instance->st,  instance->per };

  for (guint i = 0; i < G_N_ELEMENTS (times); i++)
    if (!ts_time_fits ((double) times[i], writer->factor.factor))
      return FALSE;
  return TRUE;
}

static void
write_instance (gpointer data, G_GNUC_UNUSED TsTrace *trace, const TsInstance *instance)
{
  TsInstanceWriter  *writer = data;
  const ElementText *element;

  if ((instance->flags & TS_INSTANCE_IN_WINDOW) == 0)
    return;
  element = get_element_text (writer, instance->element);
  if (!element->is_shown)
    return;
  follow_time_base (writer);
  if (!writer->factor.is_safe && !instance_fits (writer, instance))
    writer->is_beyond = TRUE;
  /* a copy, for elements move when there is a new one */
  write_row (writer, instance, &(const Text){ element->columns.bytes, element->columns.length });
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
  g_array_set_size (writer->resources, 0);
  text_clear (&writer->unit_column);
  text_clear (&writer->input);
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

/* Such a path has no suffix. */
static gboolean
is_open_file (const char *path)
{
  g_autofree char *target = ts_file_target (path);

  return target == NULL;
}

TsInstanceWriter *
ts_instance_writer_new (const char *path, const TsPrintOptions *options, GError **error)
{
  g_autofree char  *lower = NULL;
  gboolean          is_json;
  TsInstanceWriter *writer;
  TsFile           *file;

  g_return_val_if_fail (path != NULL && options != NULL, NULL);
  lower = g_ascii_strdown (path, -1);
  is_json = g_str_has_suffix (lower, ".jsonl");
  if (!is_json && !g_str_has_suffix (lower, ".csv") && !is_open_file (path))
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
  writer->resources = g_array_new (FALSE, TRUE, sizeof (Text));
  g_array_set_clear_func (writer->resources, text_clear);
  make_keys (writer);
  for (guint i = 0; i < TS_N_STATUSES; i++)
    writer->statuses[i] = make_column (writer, COLUMN_STATUS, ts_instance_status_name ((TsInstanceStatus) i));
  for (guint i = 0; i < TS_N_EVENT_KINDS; i++)
    writer->activations[i] = make_column (writer, COLUMN_ACTIVATION_KIND, ts_event_kind_name ((TsEventKind) i));
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
  if (is_written && writer->is_beyond)
    {
      g_set_error (error, TS_ERROR, TS_ERROR_RANGE, "times are too large to be written in %s",
                   ts_unit_name (ts_file_unit (writer->unit, &writer->base)));
      is_written = FALSE;
    }
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
  g_array_unref (writer->resources);
  for (guint i = 0; i < TS_N_STATUSES; i++)
    text_clear (&writer->statuses[i]);
  for (guint i = 0; i < TS_N_EVENT_KINDS; i++)
    text_clear (&writer->activations[i]);
  text_clear (&writer->unit_column);
  text_clear (&writer->input);
  g_free (writer->path);
  g_free (writer);
}
