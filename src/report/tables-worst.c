/* SPDX-License-Identifier: MIT */
#include "config.h"

#include <string.h>

#include "report/label.h"
#include "report/results.h"
#include "report/tables.h"

/* The longest times of all, and when they were. */

#define WORST 5

typedef struct
{
  const TsReportElement *element;
  const TsExtreme       *max;
} Worst;

/* The first @n of @elements, of equal ones those that come first in the report. Returns how many there are. */
static guint
find_worst (const GPtrArray *elements, TsMetricId metric, Worst *worst, guint n)
{
  guint n_found = 0;

  for (guint i = 0; i < elements->len; i++)
    {
      const TsReportElement *element = g_ptr_array_index (elements, i);
      const TsExtreme       *max = ts_results_max (element, metric);
      guint                  place = n_found;

      if (max == NULL)
        continue;
      for (; place > 0 && worst[place - 1].max->value < max->value; place--)
        if (place < n)
          worst[place] = worst[place - 1];
      if (place < n)
        worst[place] = (Worst){ element, max };
      n_found = MIN (n_found + 1, n);
    }
  return n_found;
}

/* Whether the name of any of them is that of another element, too. */
static gboolean
are_ambiguous (const TsReport *report, const Worst *worst, guint n)
{
  const TsReportBlock *all = g_ptr_array_index (report->blocks, 0);

  for (guint i = 0; i < all->elements->len; i++)
    {
      const TsReportElement *element = g_ptr_array_index (all->elements, i);

      for (guint k = 0; k < n; k++)
        if (element != worst[k].element && strcmp (element->name, worst[k].element->name) == 0)
          return TRUE;
    }
  return FALSE;
}

static void
add_place (TsTable *table, const TsReport *report, const TsExtreme *where, gboolean has_sections)
{
  ts_table_add_time (table, (TsRational){ where->at, 1 });
  ts_table_add_integer (table, where->number);
  if (has_sections)
    ts_table_add_integer (table, where->section);
  if (report->traces->len > 1 && where->input < report->traces->len)
    ts_table_add_text (table, ts_trace_get_path (g_ptr_array_index (report->traces, where->input)));
}

static gboolean
has_sections (const TsReport *report)
{
  for (guint i = 0; i < report->traces->len; i++)
    if (ts_trace_n_sections (g_ptr_array_index (report->traces, i)) > 1)
      return TRUE;
  return FALSE;
}

void
ts_add_worst_table (GPtrArray *tables, const TsReport *report, const GPtrArray *elements, TsMetricId metric)
{
  gboolean               sections = has_sections (report);
  Worst                  worst[WORST];
  TsColumn               columns[6] = { { "element", "element" } };
  guint                  n_columns = 1, n_worst = find_worst (elements, metric, worst, WORST);
  g_autoptr (GHashTable) labels = are_ambiguous (report, worst, n_worst) ? ts_labels_new (report) : NULL;
  TsTable               *table;

  columns[n_columns++] = (TsColumn){ "max", ts_metric_info (metric)->name };
  columns[n_columns++] = (TsColumn){ "at", "at" };
  columns[n_columns++] = (TsColumn){ "instance", "instance" };
  if (sections)
    columns[n_columns++] = (TsColumn){ "section", "section" };
  if (report->traces->len > 1)
    columns[n_columns++] = (TsColumn){ "input", "trace" };
  table = ts_table_new ("worst",
                        metric == TS_METRIC_RT ? "Worst response times" : "Worst gross execution times",
                        TS_TABLE_LIST, TS_FOR_PEOPLE, columns, n_columns);
  for (guint i = 0; i < n_worst; i++)
    {
      g_autofree char *label = labels != NULL ? ts_label_of_element (labels, worst[i].element) : NULL;

      ts_table_begin_row (table, 0);
      ts_table_add_text (table, label != NULL ? label : worst[i].element->name);
      ts_table_add_time (table, (TsRational){ worst[i].max->value, 1 });
      add_place (table, report, worst[i].max, sections);
    }
  g_ptr_array_add (tables, table);
}
