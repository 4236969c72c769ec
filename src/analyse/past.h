/* SPDX-License-Identifier: MIT */
#pragma once

#include "analyse/job.h"

G_BEGIN_DECLS

/* What is known of the time before the first events of instances that were open when the section began (rule 6). */

/* Whether @job is such an instance: what only lost its start was not there. */
static inline gboolean
ts_job_was_there (const TsJob *job)
{
  return job->is_head && job->facts.start == job->core->begin;
}

TsPast *ts_past_new (void);
void    ts_past_free (TsPast *past);
/* Nothing is known of any element. */
void ts_past_clear (TsPast *past);

/* What was suspended with its task before it was seen: a function that was open, and whose first event comes when its task was
 * suspended, and went on, meanwhile (rule 10). */

/* Such an interval of @owner, which was there when the section began, has ended. */
void ts_past_remember (TsPast *past, const TsJob *owner, TsIntervalKind kind, gint64 length);
/* @job was in @owner when the section began, and has run in it since: the intervals of that are its own, too. */
void ts_past_recall (TsTimeline *timeline, TsJob *job, const TsJob *owner);
/* @owner is over, or nothing more is known of it. */
void ts_past_forget (TsPast *past, const TsJob *owner);

/* Numbers between that of such an instance and the first one that starts may be those of activations that failed. */

void ts_past_note_failed (TsPast *past, guint32 element, gint32 instance);
/* Whether all of @element from number @first up to @last, which is not lower, are known to have. */
gboolean ts_past_have_failed (const TsPast *past, guint32 element, gint32 first, gint32 last);

G_END_DECLS
