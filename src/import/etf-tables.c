/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "analyse/usage.h"
#include "import/etf.h"

/* Use of resources and flow of objects: what TRACE's own users compute. */

/* A claim without extent is never in use. */
static gboolean
has_extent (const TsEtfRecord *record)
{
  return (record->flags & TS_ETF_EVENT) == 0 && record->t0 < record->t1;
}

static void
count_usage (TsEtf *etf, TsUsage *usage)
{
  gsize n = etf->n_records, start = 0, end = 0, n_open = 0;

  while (end < n)
    {
      const TsEtfRecord *first = start < n ? &etf->records[etf->by_start[start]] : NULL;
      const TsEtfRecord *last = ts_etf_by_end (etf, end);

      if (first != NULL && first->t0 < last->t1)
        {
          if (has_extent (first))
            {
              ts_usage_begin (usage, first->resource, first->t0, first->amount);
              n_open++;
              etf->n_open = MAX (etf->n_open, n_open);
            }
          start++;
        }
      else if (has_extent (last))
        {
          ts_usage_end (usage, last->resource, last->t1, last->amount);
          n_open--;
          end++;
        }
      else
        end++;
    }
  ts_usage_finish (usage);
}

/* More in use than there is: an expected input, and worth a note. */
static void
note_oversubscription (TsEtf *etf, const TsUsage *usage, const TsUsageInfo *infos)
{
  for (guint i = 0; i < etf->resources->len; i++)
    if (ts_usage_get (usage, i)->amount_max > infos[i].capacity)
      {
        char       most[TS_NUMBER_SIZE], capacity[TS_NUMBER_SIZE];
        TsRational scale = ts_rational (1, ts_etf_power_of_ten (etf->amount_decimals));

        ts_rational_format (ts_rational_multiply (ts_rational (ts_usage_get (usage, i)->amount_max, 1), scale), most);
        ts_rational_format (ts_rational_multiply (ts_rational (infos[i].capacity, 1), scale), capacity);
        ts_diagnostics_add (etf->import->diagnostics, TS_DIAGNOSTIC_OVERSUBSCRIBED,
                            g_array_index (etf->resources, TsEtfResource, i).line, "resource %s: up to %s of %s",
                            infos[i].name, most, capacity);
      }
}

static void
add_usage (TsEtf *etf)
{
  gint64  scale = ts_etf_power_of_ten (etf->amount_decimals), from, to;
  guint   n = etf->resources->len;
  g_autofree TsUsageInfo *infos = g_new0 (TsUsageInfo, MAX (n, 1));
  g_autoptr (TsUsage) usage = NULL;

  from = etf->first;
  to = etf->last;
  if (!ts_import_clip_window (etf->import, &from, &to))
    return;
  for (guint i = 0; i < n; i++)
    {
      const TsEtfResource *resource = &g_array_index (etf->resources, TsEtfResource, i);

      infos[i] = (TsUsageInfo){ resource->name, resource->id, resource->unit, resource->n_claims, resource->capacity };
    }
  usage = ts_usage_new (n, from, to);
  count_usage (etf, usage);
  note_oversubscription (etf, usage, infos);
  etf->import->busy = g_array_sized_new (FALSE, FALSE, sizeof (TsInt128), n);
  for (guint i = 0; i < n; i++)
    g_array_append_val (etf->import->busy, ts_usage_get (usage, i)->busy);
  if (etf->import->tables == NULL)
    return;
  g_ptr_array_add (etf->import->tables, ts_usage_summary_table (usage, infos, n, scale));
  g_ptr_array_add (etf->import->tables, ts_usage_table (usage, infos, n, scale));
  g_ptr_array_add (etf->import->tables, ts_usage_concurrency_table (usage, infos, n));
}

void
ts_etf_add_tables (TsEtf *etf)
{
  GPtrArray *tables = etf->import->tables;
  gsize      n;

  etf->by_start = ts_etf_order (etf, TS_ETF_BY_START, &n);
  /* events stand behind the claims, wherever they were in the file */
  if (etf->ends_go_back || etf->n_records > etf->n_claims)
    etf->by_end = ts_etf_order (etf, TS_ETF_BY_END, &n);
  if (etf->resources->len > 0)
    add_usage (etf);
  if (etf->objects == NULL)
    return;
  if (ts_objects_count (etf->objects) == 0)
    ts_diagnostics_add (etf->import->diagnostics, TS_DIAGNOSTIC_NO_OBJECT_KEY, 0, "--object-key %s", etf->object_key);
  if (tables == NULL)
    return;
  g_ptr_array_add (tables, ts_objects_throughput_table (etf->objects, etf->object_key,
                                                        ts_system_time_base (etf->import->system)));
  g_ptr_array_add (tables, ts_objects_table (etf->objects));
}
