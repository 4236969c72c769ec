/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "import/etf.h"

/* Use of resources and flow of objects: what TRACE's own users compute. */

void
ts_etf_use (TsEtf *etf, gsize claim, gint64 time, gint n)
{
  const TsEtfRecord *record = &etf->records[claim];
  const guint        resource = record->resource;

  if (etf->load != NULL && !ts_etf_element_of (etf, record)->is_idle)
    ts_usage_count (etf->load, resource, time, n);
  if (etf->amounts == NULL)
    ts_usage_count (etf->usage, resource, time, n);
  else if (n > 0)
    ts_usage_begin (etf->usage, resource, time, etf->amounts[claim]);
  else
    ts_usage_end (etf->usage, resource, time, etf->amounts[claim]);
}

static void
count_usage (TsEtf *etf)
{
  gsize n = etf->n_records, start = 0;

  for (gsize end = 0; end < n; end++)
    {
      const TsEtfRecord *last = &etf->records[ts_etf_nth_end (etf, end)];

      for (; start < n; start++)
        {
          gsize              number = ts_etf_nth_start (etf, start);
          const TsEtfRecord *first = &etf->records[number];

          if (first->t0 > last->t1)
            break;
          if ((first->flags & TS_ETF_EVENT) == 0)
            ts_etf_use (etf, number, first->t0, 1);
        }
      if ((last->flags & TS_ETF_EVENT) == 0)
        ts_etf_use (etf, ts_etf_nth_end (etf, end), last->t1, -1);
    }
}

/* Only how long there is any claim is asked for. */
static TsUsage *
new_load (const TsEtf *etf, gint64 from, gint64 to)
{
  TsUsage *load;
  gboolean idles = FALSE;

  for (guint i = 0; i < etf->elements->len && !idles; i++)
    idles = g_array_index (etf->elements, TsEtfElement, i).is_idle;
  if (!idles)
    return NULL;
  load = ts_usage_new (etf->resources->len, from, to);
  for (guint i = 0; i < etf->resources->len; i++)
    ts_usage_set_amount (load, i, 0);
  return load;
}

void
ts_etf_begin_usage (TsEtf *etf)
{
  gint64 from = etf->first, to = etf->last;

  if (etf->resources->len == 0 || !ts_import_clip_window (etf->import, &from, &to))
    return;
  etf->usage = ts_usage_new (etf->resources->len, from, to);
  etf->load = new_load (etf, from, to);
  for (guint i = 0; etf->amounts == NULL && i < etf->resources->len; i++)
    ts_usage_set_amount (etf->usage, i, g_array_index (etf->resources, TsEtfResource, i).amount);
  /* before claims grow together to jobs */
  if (!etf->starts_claims)
    {
      count_usage (etf);
      ts_etf_forget_amounts (etf);
    }
}

void
ts_etf_end_usage (TsEtf *etf)
{
  const guint    n = etf->resources->len;
  const TsUsage *load = etf->load != NULL ? etf->load : etf->usage;

  if (etf->usage == NULL)
    return;
  ts_usage_finish (etf->usage);
  if (etf->load != NULL)
    ts_usage_finish (etf->load);
  etf->import->busy = g_array_sized_new (FALSE, FALSE, sizeof (TsInt128), n);
  for (guint i = 0; i < n; i++)
    {
      TsInt128 busy = ts_usage_get (load, i)->busy;

      g_array_append_val (etf->import->busy, busy);
    }
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
  gint64  scale = ts_etf_power_of_ten (etf->amount_decimals);
  guint   n = etf->resources->len;
  g_autofree TsUsageInfo *infos = g_new0 (TsUsageInfo, MAX (n, 1));

  for (guint i = 0; i < n; i++)
    {
      const TsEtfResource *resource = &g_array_index (etf->resources, TsEtfResource, i);

      infos[i] = (TsUsageInfo){ resource->name, resource->id, resource->unit, resource->capacity };
    }
  note_oversubscription (etf, etf->usage, infos);
  if (etf->import->tables == NULL)
    return;
  g_ptr_array_add (etf->import->tables, ts_usage_summary_table (etf->usage, infos, n, scale));
  g_ptr_array_add (etf->import->tables, ts_usage_table (etf->usage, infos, n, scale));
  g_ptr_array_add (etf->import->tables, ts_usage_concurrency_table (etf->usage, infos, n));
}

void
ts_etf_add_tables (TsEtf *etf)
{
  GPtrArray *tables = etf->import->tables;

  if (etf->usage != NULL)
    add_usage (etf);
  if (etf->objects == NULL)
    return;
  if (ts_objects_count (etf->objects) == 0)
    ts_diagnostics_add (etf->import->diagnostics, TS_DIAGNOSTIC_NO_OBJECT_KEY, 0, "--object-key %s", etf->object_key);
  if (tables == NULL)
    return;
  g_ptr_array_add (tables, ts_objects_throughput_table (etf->objects, etf->object_key,
                                                        ts_system_time_base (etf->import->system)));
  g_ptr_array_add (tables, ts_objects_table (g_steal_pointer (&etf->objects)));
}
