/* SPDX-License-Identifier: MIT */
#pragma once

#include "analyse/job.h"

G_BEGIN_DECLS

/* What was before instances that were open when the section began had their first events (rule 6). */

TsPast *ts_past_new (void);
void    ts_past_free (TsPast *past);
/* Nothing is known of any element. */
void ts_past_clear (TsPast *past);

/* What was suspended with its task before it was seen: a function that was open, and whose first event comes when its task was
 * suspended, and went on, meanwhile (rule 10). */

/* The task @owner is there since the section began: nothing is known of it so far. */
void ts_past_begin (TsPast *past, const TsJob *owner);
/* Such an interval of @owner, which is that, has ended. */
void ts_past_remember (TsPast *past, const TsJob *owner, TsIntervalKind kind, gint64 length);
/* @job has run in @owner since the section began: the intervals of that are its own, too. */
void ts_past_recall (TsTimeline *timeline, TsJob *job, const TsJob *owner);

/* Activations that failed have numbers, and nothing else. */

void ts_past_note_failed (TsPast *past, guint32 element, gint32 instance);
/* Whether all of @element from number @first up to @last, which is not lower, are known to have. */
gboolean ts_past_have_failed (const TsPast *past, guint32 element, gint32 first, gint32 last);

G_END_DECLS
