/* SPDX-License-Identifier: MIT */
#include "config.h"

#include <string.h>

#include "report/tables.h"
#include "report/writers.h"

static const char *const text_suffixes[] = { ".txt", NULL };
static const char *const csv_suffixes[] = { ".csv", NULL };
static const char *const json_suffixes[] = { ".json", NULL };

static const TsWriter writers[] = {
  { "text", "summary for people, as on the terminal", text_suffixes, TS_FOR_PEOPLE, ts_text_write },
  { "csv", "a row per element and metric, for spreadsheets and scripts", csv_suffixes, TS_FOR_SHEETS, ts_csv_write },
  { "json", "everything, for programs and as a baseline of later runs", json_suffixes, TS_FOR_PROGRAMS, ts_json_write },
};

const TsWriter *
ts_writer_get (guint index)
{
  return index < G_N_ELEMENTS (writers) ? &writers[index] : NULL;
}

const TsWriter *
ts_writer_by_name (const char *name)
{
  for (guint i = 0; i < G_N_ELEMENTS (writers); i++)
    if (strcmp (writers[i].name, name) == 0)
      return &writers[i];
  return NULL;
}

static gboolean
has_suffix (const char *path, const char *suffix)
{
  gsize length = strlen (path), suffix_length = strlen (suffix);

  return length >= suffix_length && g_ascii_strcasecmp (path + length - suffix_length, suffix) == 0;
}

const TsWriter *
ts_writer_by_suffix (const char *path)
{
  for (guint i = 0; i < G_N_ELEMENTS (writers); i++)
    for (const char *const *suffix = writers[i].suffixes; *suffix != NULL; suffix++)
      if (has_suffix (path, *suffix))
        return &writers[i];
  return NULL;
}

gboolean
ts_report_write (const TsReport *report, const TsWriter *writer, const TsPrintOptions *options, TsSink sink,
                 GError **error)
{
  g_autoptr (GPtrArray) tables = NULL;
  TsUnit                unit;

  g_return_val_if_fail (report != NULL && writer != NULL && options != NULL, FALSE);
  unit = writer->audience == TS_FOR_PEOPLE ? options->unit : ts_file_unit (options->unit, &report->base);
  if (!ts_report_fits (report, unit, error))
    return FALSE;
  tables = ts_report_tables_for (report, options, writer->audience);
  return writer->write (sink, tables, &report->base, options, error);
}

void
ts_output_init (TsOutput *output, TsSink sink)
{
  output->text = g_string_sized_new (4096);
  output->sink = sink;
  output->error = NULL;
}

void
ts_output_flush (TsOutput *output)
{
  if (output->error == NULL
      && !output->sink.write (output->sink.data, output->text->str, output->text->len, &output->error)
      && output->error == NULL)
    g_set_error_literal (&output->error, TS_ERROR, TS_ERROR_OUTPUT, "the sink does not say why");
  g_string_truncate (output->text, 0);
}

gboolean
ts_output_finish (TsOutput *output, GError **error)
{
  ts_output_flush (output);
  g_string_free (g_steal_pointer (&output->text), TRUE);
  if (output->error == NULL)
    return TRUE;
  g_set_error_literal (error, TS_ERROR, TS_ERROR_OUTPUT, output->error->message);
  g_clear_error (&output->error);
  return FALSE;
}
