/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "model/number.h"
#include "report/label.h"
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

#define MOST_NAMED 8

static int
compare_defects (gconstpointer a, gconstpointer b)
{
  const TsReportElement *left = *(const TsReportElement *const *) a, *right = *(const TsReportElement *const *) b;

  return left->counts.defects > right->counts.defects ? -1 : left->counts.defects < right->counts.defects;
}

void
ts_add_defective_elements (GPtrArray *tables, const TsReport *report)
{
  const TsReportBlock   *all = g_ptr_array_index (report->blocks, 0);
  g_autoptr (GPtrArray)  defective = g_ptr_array_new ();
  g_autoptr (GHashTable) labels = NULL;
  g_autoptr (GString)    text = g_string_new ("Defects are of");

  for (guint i = 0; i < all->elements->len; i++)
    {
      TsReportElement *element = g_ptr_array_index (all->elements, i);

      if ((element->lacking & TS_LACKS_DEFECTS) != 0)
        return;
      if (element->counts.defects > 0)
        g_ptr_array_add (defective, element);
    }
  if (defective->len == 0)
    return;
  /* stable, so that equal ones stay in the order of the report */
  g_ptr_array_sort (defective, compare_defects);
  labels = ts_labels_new (report);
  for (guint i = 0; i < MIN (defective->len, MOST_NAMED); i++)
    {
      const TsReportElement *element = g_ptr_array_index (defective, i);
      g_autofree char       *label = ts_label_of_element (labels, element);

      g_string_append_printf (text, "%s %s (", i > 0 ? "," : "", label);
      ts_number_append_grouped (text, (gint64) element->counts.defects);
      g_string_append_c (text, ')');
    }
  if (defective->len > MOST_NAMED)
    g_string_append_printf (text, " and %u more; all are in -f json, `counts'", defective->len - MOST_NAMED);
  g_string_append_c (text, '.');
  ts_tables_add_sentence (tables, "defective_elements", text->str);
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
