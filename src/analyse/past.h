/* SPDX-License-Identifier: MIT */
#pragma once

#include "analyse/job.h"

G_BEGIN_DECLS

/* What was suspended with its task before it was seen at all: a function that was open when the section began, and whose first
 * event comes when its task was suspended, and went on, meanwhile (rules 6 and 10). */

TsPast *ts_past_new (void);
void    ts_past_free (TsPast *past);
/* Nothing is known of any task. */
void ts_past_clear (TsPast *past);
/* The task @owner is there since the section began: nothing is known of it so far. */
void ts_past_begin (TsPast *past, const TsJob *owner);
/* Such an interval of @owner, which is that, has ended. */
void ts_past_remember (TsPast *past, const TsJob *owner, TsIntervalKind kind, gint64 length);
/* @job has run in @owner since the section began: the intervals of that are its own, too. */
void ts_past_recall (TsTimeline *timeline, TsJob *job, const TsJob *owner);

G_END_DECLS
