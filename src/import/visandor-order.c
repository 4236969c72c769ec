/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "import/visandor.h"

/* Order of time (METRICS, rule 15). What an event means depends on those before it, so lines are put in order before they
 * are understood: of a file at its second reading, not many more being held than come within the largest step back; of a
 * stream only if that is asked for. */

#define HELD_AT_LEAST 1024 /* until they are looked at */

G_STATIC_ASSERT (G_STRUCT_OFFSET (TsVisRecord, time) == 0);

static gboolean
release (TsVis *vis, gint64 time)
{
  const gsize n = ts_held_ready (&vis->held, time, sizeof (TsVisRecord));
  gboolean    ok = TRUE;

  for (gsize i = 0; ok && i < n; i++)
    ok = ts_vis_record (vis, &g_array_index (vis->held.items, TsVisRecord, i));
  ts_held_drop (&vis->held, n);
  return ok;
}

gboolean
ts_vis_release_held (TsVis *vis)
{
  return release (vis, G_MAXINT64);
}

/* From now on lines are read whose agents may come later. */
static void
read_ahead (TsVis *vis)
{
  vis->reads_ahead = TRUE;
  ts_vis_scan_forget (vis->scan);
}

/* The next line on that agent will be a usual one. */
static void
note_reader (TsVis *vis, const TsVisRecord *record)
{
  TsVisAgent **place, *reader;

  if (record->agent >= TS_VIS_READERS)
    return;
  place = &vis->readers[record->agent];
  if (*place == NULL)
    *place = g_new0 (TsVisAgent, 1);
  reader = *place;
  if (reader->has_wam && reader->wam == record->wam)
    return;
  reader->id = record->agent;
  reader->has_wam = TRUE;
  reader->wam = record->wam;
  reader->wam_text = TS_VIS_NO_TEXT;
  reader->tail = ts_vis_no_tail;
}

/* One that is older than the newest, and not yet provided for. */
static void
take_late (TsVis *vis, const TsVisRecord *record)
{
  if (ts_import_request_reread (vis->import))
    {
      if (!vis->kept->sort)
        read_ahead (vis);
      vis->kept->sort = TRUE;
      vis->kept->largest_step = MAX (vis->kept->largest_step, vis->newest - record->time);
    }
  else
    ts_diagnostics_add (vis->import->diagnostics, TS_DIAGNOSTIC_LATE_EVENT, record->line, NULL);
}

static gboolean
take_sorted (TsVis *vis, const TsVisRecord *record)
{
  TsHeld *held = &vis->held;
  /* of a stream nothing was known before */
  gint64  reach = vis->kept->sort ? vis->kept->largest_step : G_MAXINT64 / 2;

  if (record->time < vis->previous)
    {
      vis->largest_step = MAX (vis->largest_step, vis->newest - record->time);
      ts_diagnostics_add (vis->import->diagnostics, TS_DIAGNOSTIC_BACKWARDS, record->line,
                          "largest step back: %" G_GINT64_FORMAT " ticks behind the latest event before",
                          MAX (vis->kept->largest_step, vis->largest_step));
    }
  vis->previous = record->time;
  vis->newest = MAX (vis->newest, record->time);
  g_array_append_val (held->items, *record);
  /* not for each of them, since all that are held may be looked at */
  return held->items->len - held->n_sorted < MAX (held->n_sorted / 2, HELD_AT_LEAST)
         || release (vis, vis->newest - reach - 1);
}

static void
begin (TsVis *vis, const TsVisRecord *record)
{
  vis->begun = TRUE;
  vis->sorts = vis->kept->sort
               || (vis->import->options != NULL && vis->import->options->sort && !vis->import->can_reread);
  vis->newest = vis->previous = record->time;
  if (vis->sorts)
    read_ahead (vis);
}

gboolean
ts_vis_take_record (TsVis *vis, const TsVisRecord *record)
{
  if (G_UNLIKELY (!vis->begun))
    begin (vis, record);
  if (G_UNLIKELY (vis->reads_ahead))
    note_reader (vis, record);
  if (G_UNLIKELY (vis->sorts))
    return take_sorted (vis, record);
  if (G_UNLIKELY (record->time < vis->newest))
    {
      take_late (vis, record);
      return TRUE;
    }
  vis->newest = record->time;
  /* once it is known that it has to be read again in another order, the rest is only measured */
  return vis->kept->sort || ts_vis_record (vis, record);
}
