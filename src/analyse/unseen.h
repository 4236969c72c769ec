/* SPDX-License-Identifier: MIT */
#pragma once

#include "analyse/job.h"

G_BEGIN_DECLS

/* Functions that were open when the section began, in tasks that were there then, or of which nothing was seen yet (rule 6). */

/* When so many instances were seen, it is as likely that one of them has lost its start as that one was there before. */
#define TS_FEW_STARTED 16

TsUnseen *ts_unseen_new (void);
void      ts_unseen_free (TsUnseen *unseen);
/* Those of the section before are forgotten. */
void ts_unseen_begin_section (TsUnseen *unseen);
/* A nested instance starts in a task that may have been there before. */
void ts_unseen_note_start (TsTimeline *timeline, TsElementState *state, const TsEvent *event);
/* Whether @event is of a function, of which no number tells instances apart, in a task that it names, and that was there before
 * the section began. */
gboolean ts_unseen_is_in_named_head (TsTimeline *timeline, const TsElementState *state, const TsEvent *event);
/* Whether @event is the first one of its function in a task that was there, or is not seen yet. Each of these may have been in a
 * function when the section began, but as that never says anything itself, it is believed soon and once only: what ends there again
 * lost its start. Where numbers tell instances apart, they need not be in the order of the starts of several tasks, but they are in
 * that of one: so behind one that started in it none was there before, and in front of one that was there any other was. */
gboolean ts_unseen_is_first (TsTimeline *timeline, const TsElementState *state, const TsEvent *event);
/* It is taken to have been there. */
void ts_unseen_remember (TsTimeline *timeline, const TsElementState *state, const TsEvent *event);

G_END_DECLS
