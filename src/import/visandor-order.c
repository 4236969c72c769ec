/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "import/visandor-unseen.h"

/* Order of time (METRICS, rule 15). What an event means depends on those before it, so lines are put in order before they
 * are understood: of a file at its second reading, by taking the few that are late where they belong, or else by holding
 * those within the largest step back, though not more than mostly suffices, since one that is far too early makes all that
 * follow late; where that is not enough it is begun anew, and as many are held as have to be. Of a stream only if that is
 * asked for. */

#define HELD_AT_LEAST 1024 /* until they are looked at */

guint ts_vis_most_held = 65536;

G_STATIC_ASSERT (G_STRUCT_OFFSET (TsVisRecord, time) == 0);

/* All up to @time, and so many of the others that no more than @most are left. */
static gboolean
release (TsVis *vis, gint64 time, gsize most)
{
  const TsVisRecord *records;
  gsize              n = ts_held_ready (&vis->held, time, sizeof (TsVisRecord));
  gboolean           ok = TRUE;

  if (vis->held.n_sorted - n > most)
    n = vis->held.n_sorted - most;
  records = (const TsVisRecord *) (gconstpointer) vis->held.items->data;
  for (gsize i = 0; ok && i < n; i++)
    ok = ts_vis_record (vis, &records[i]);
  if (n > 0)
    vis->released = records[n - 1].time;
  ts_held_drop (&vis->held, n);
  return ok;
}

/* The late line that comes next. */
static gboolean
take_stray (TsVis *vis)
{
  const TsVisStray *stray = ts_strays_take (vis->kept->strays);

  vis->next_stray = ts_strays_next_time (vis->kept->strays);
  return ts_vis_record (vis, &stray->record);
}

/* It is too late to be taken where it belongs, and is not used. */
static void
tell_late (TsVis *vis, const TsVisRecord *record)
{
  ts_diagnostics_add (vis->import->diagnostics, TS_DIAGNOSTIC_LATE_EVENT, record->line, NULL);
}

static void
note_step_back (TsVis *vis, const TsVisRecord *record)
{
  if (vis->n_steps++ == 0)
    vis->first_step = record->line;
}

/* Once the largest of them is known. */
static void
tell_steps_back (TsVis *vis)
{
  for (; vis->n_steps > 0; vis->n_steps--)
    ts_diagnostics_add (vis->import->diagnostics, TS_DIAGNOSTIC_BACKWARDS, vis->first_step,
                        "largest step back: %" G_GINT64_FORMAT " ticks behind the latest event before",
                        MAX (vis->kept->largest_step, vis->largest_step));
}

gboolean
ts_vis_release_held (TsVis *vis)
{
  while (vis->next_stray < G_MAXINT64)
    if (!take_stray (vis))
      return FALSE;
  tell_steps_back (vis);
  return release (vis, G_MAXINT64, 0);
}

/* From now on lines are read whose agents may come later. */
static void
read_ahead (TsVis *vis)
{
  vis->reads_ahead = TRUE;
  ts_vis_scan_forget (vis->scan);
}

/* The next line on that agent will be a usual one. */
void
ts_vis_note_reader (TsVis *vis, const TsVisRecord *record)
{
  TsVisAgent **place, *reader;

  if (G_LIKELY (!vis->reads_ahead) || record->agent >= TS_VIS_READERS)
    return;
  place = &vis->readers[record->agent];
  if (*place == NULL)
    *place = g_new0 (TsVisAgent, 1);
  reader = *place;
  if (reader->has_wam && reader->wam_read == record->wam)
    return;
  reader->id = record->agent;
  reader->has_wam = TRUE;
  reader->wam_read = record->wam;
  reader->wam_high = (guint32) (record->wam >> 32);
  ts_vis_forget_wam (reader);
}

/* Late lines: where there are few of them, the next reading takes each where it belongs, and skips it where it stands, so
 * that all others are taken as they come. */

static void
keep_stray (TsVis *vis, const TsVisRecord *record)
{
  TsVisKept       *kept = vis->kept;
  const TsVisStray stray = { *record, record->time < vis->previous };

  if (kept->strays == NULL)
    {
      kept->strays = ts_strays_new (sizeof (TsVisStray));
      ts_strays_begin_section (kept->strays, vis->scale);
    }
  ts_strays_learn (kept->strays, &stray, record->line, vis->scale);
}

gboolean
ts_vis_looks_for_strays (const TsVis *vis)
{
  return vis->kept->sort && !vis->sorts && !ts_strays_are_given_up (vis->kept->strays);
}

/* One that is older than the newest, and not yet provided for. */
static void
note_stray (TsVis *vis, const TsVisRecord *record)
{
  TsVisKept *kept = vis->kept;

  if (!ts_vis_ask_anew (vis))
    {
      tell_late (vis, record);
      return;
    }
  if (!kept->sort)
    {
      read_ahead (vis);
      vis->previous = vis->newest;
    }
  kept->sort = TRUE;
  kept->largest_step = MAX (kept->largest_step, vis->newest - record->time);
  keep_stray (vis, record);
}

static void
provide_for_strays (TsVis *vis)
{
  ts_strays_begin_reading (vis->kept->strays);
  ts_strays_begin_section (vis->kept->strays, vis->scale);
  vis->next_stray = ts_strays_next_time (vis->kept->strays);
  vis->has_strays = TRUE;
}

/* Whether @record is one of those that are late, where it stands in the file. */
static gboolean
pass_stray (TsVis *vis, const TsVisRecord *record)
{
  const TsVisStray *stray = ts_strays_pass (vis->kept->strays, record->line);

  if (stray != NULL && stray->steps_back)
    note_step_back (vis, record);
  return stray != NULL;
}

/* Between those that are late. */
static gboolean
take_between (TsVis *vis, const TsVisRecord *record)
{
  if (pass_stray (vis, record))
    return TRUE;
  while (vis->next_stray < record->time)
    if (!take_stray (vis))
      return FALSE;
  if (G_UNLIKELY (record->time < vis->newest))
    {
      /* the file is not what it was */
      tell_late (vis, record);
      return TRUE;
    }
  vis->newest = record->time;
  return ts_vis_record (vis, record);
}

/* Where there are many, or nothing was known of them. */

/* Others were held for too short a time. */
static gboolean
hold_all (TsVis *vis, const TsVisRecord *record)
{
  if (!ts_vis_ask_anew (vis))
    {
      tell_late (vis, record);
      return TRUE;
    }
  vis->import->has_learnt = TRUE;
  vis->kept->holds_all = TRUE;
  /* they were given while this line was missing */
  ts_vis_forget_numbers (vis->kept);
  return TRUE;
}

static gboolean
take_sorted (TsVis *vis, const TsVisRecord *record)
{
  TsHeld     *held = &vis->held;
  const gsize most = vis->kept->sort && !vis->kept->holds_all ? ts_vis_most_held : G_MAXSIZE;
  /* of a stream nothing was known before */
  gint64      reach = vis->kept->sort ? vis->kept->largest_step : G_MAXINT64 / 2;

  if (G_UNLIKELY (record->time < vis->released))
    return hold_all (vis, record);
  if (record->time < vis->previous)
    {
      vis->largest_step = MAX (vis->largest_step, vis->newest - record->time);
      note_step_back (vis, record);
    }
  vis->previous = record->time;
  vis->newest = MAX (vis->newest, record->time);
  g_array_append_val (held->items, *record);
  /* not for each of them, since all that are held may be looked at */
  return held->items->len - held->n_sorted < MAX (held->n_sorted / 2, MIN (most, HELD_AT_LEAST))
         || release (vis, vis->newest - reach - 1, most);
}

static void
begin (TsVis *vis, const TsVisRecord *record)
{
  vis->begun = TRUE;
  vis->sorts = vis->kept->sort
               || (vis->import->options != NULL && vis->import->options->sort && !vis->import->can_reread);
  vis->newest = vis->previous = record->time;
  if (vis->sorts && vis->kept->strays != NULL && !ts_strays_are_given_up (vis->kept->strays))
    provide_for_strays (vis);
  else if (vis->sorts)
    read_ahead (vis);
}

gboolean
ts_vis_take_record (TsVis *vis, const TsVisRecord *record)
{
  if (G_UNLIKELY (!vis->begun))
    begin (vis, record);
  if (G_UNLIKELY (vis->has_strays))
    return take_between (vis, record);
  if (G_UNLIKELY (vis->sorts))
    return take_sorted (vis, record);
  if (G_UNLIKELY (record->time < vis->newest))
    {
      note_stray (vis, record);
      vis->previous = record->time;
      return TRUE;
    }
  vis->newest = vis->previous = record->time;
  /* once it is known that it has to be read again in another order, the rest is only measured */
  return vis->kept->sort || ts_vis_record (vis, record);
}
