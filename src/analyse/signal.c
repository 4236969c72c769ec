/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "analyse/job.h"

/* A signal is written and read at moments: it has no instances, but a delta time and the
 * age of what is read. */
void
ts_signal_access (TsTimeline *timeline, TsElementState *state, const TsEvent *event)
{
  TsElementState *accessor = event->owner < timeline->n_elements ? ts_timeline_element (timeline, event->owner) : NULL;
  gboolean        in_window = ts_timeline_in_window (timeline, event->time);

  if (event->kind == TS_EVENT_READ)
    {
      state->counts.reads++;
      if (accessor != NULL)
        accessor->counts.reads++;
      if (state->has_last_write && in_window)
        ts_timeline_emit (timeline, TS_INTERVAL_AGE, event->element, event->time - state->last_write, event->time,
                          (gint64) state->counts.reads);
      return;
    }
  state->counts.writes++;
  if (accessor != NULL)
    accessor->counts.writes++;
  if (state->has_last_write && in_window)
    ts_timeline_emit (timeline, TS_INTERVAL_DT, event->element, event->time - state->last_write, event->time,
                      (gint64) state->counts.writes);
  state->has_last_write = TRUE;
  state->last_write = event->time;
}
