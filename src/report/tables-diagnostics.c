/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "report/tables.h"

/* What people are told at the end: how exact percentiles are, and what is remarkable in the traces. */

void
ts_add_diagnostics_table (GPtrArray *tables, const TsDiagnostics *diagnostics)
{
  static const TsColumn columns[] = { { "severity", "severity" }, { "count", "count" }, { "found", "found" },
                                      { "done", "done" },         { "first", "first" }, { "detail", "detail" },
                                      { "name", "name" } };
  TsTable *table = ts_table_new ("diagnostics", "Diagnostics", TS_TABLE_LIST, TS_FOR_PEOPLE, columns,
                                 G_N_ELEMENTS (columns));

  /* what matters most comes first */
  for (int severity = TS_SEVERITY_DEFECT; severity >= TS_SEVERITY_NOTE; severity--)
    for (TsDiagnosticId id = 0; id < TS_N_DIAGNOSTICS; id++)
      {
        const TsDiagnostic     *entry = &diagnostics->entries[id];
        const TsDiagnosticInfo *info = ts_diagnostic_info (id);
        g_autofree char        *place = NULL;

        if (entry->count == 0 || (int) info->severity != severity)
          continue;
        if (entry->line != 0)
          place = g_strdup_printf ("%s:%" G_GUINT64_FORMAT, entry->file, entry->line);
        ts_table_begin_row (table, 0);
        ts_table_add_text (table, ts_severity_name (info->severity));
        ts_table_add_integer (table, (gint64) entry->count);
        ts_table_add_text (table, info->found);
        ts_table_add_text (table, info->done);
        ts_table_add_text (table, place != NULL ? place : entry->file);
        ts_table_add_text (table, entry->detail);
        ts_table_add_text (table, info->name);
      }
  g_ptr_array_add (tables, table);
}

void
ts_add_precision (GPtrArray *tables, const TsReport *report, const TsPrintOptions *options)
{
  const gboolean   has_jitter = (options->metrics & 1u << TS_METRIC_JIT) != 0
                              || (options->rank != NULL && options->rank->metric == TS_METRIC_JIT);
  g_autofree char *text = NULL;

  if (report->exact || report->n_percentiles == 0 || options->metrics == 1u << TS_METRIC_LOAD)
    return;
  text = g_strdup_printf ("Percentiles of more than 2,048 samples come from a histogram, and are off by at most 0.4 %%%s.",
                          has_jitter ? ", those of JIT by 0.4 % of DT / P" : "");
  ts_tables_add_sentence (tables, "precision", text);
}
