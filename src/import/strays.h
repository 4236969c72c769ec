/* SPDX-License-Identifier: MIT */
#pragma once

#include <tracestat/event.h>

G_BEGIN_DECLS

/* Events that come so late that all others would have to be held for them. Where there are few, one reading keeps these,
 * and the next one takes each where it belongs (METRICS, rule 15): at its time, behind the others of that time, since those
 * of them that come later still are strays as well. It skips them where they stand, if they are what they were: what an
 * event is must not depend on what was learnt in between. Owned by TsImportMemory. */
typedef struct _TsStrays TsStrays;

TsStrays *ts_strays_new (void);
void      ts_strays_free (TsStrays *strays);

/* More of them than this are not kept; for tests to change. */
extern guint ts_most_strays;

/* None is known or kept from here on: they have to be sorted with all others. */
void     ts_strays_give_up (TsStrays *strays);
gboolean ts_strays_are_given_up (const TsStrays *strays);

void ts_strays_begin_reading (TsStrays *strays);

/* The next section, in which a tick has @scale units: what was learnt in another scale is forgotten. */
void ts_strays_begin_section (TsStrays *strays, gint64 scale);

/* For each late event of the section in turn, @place being how many events are in front of it there, in the file: whether
 * it is known as a stray. */
gboolean ts_strays_pass (TsStrays *strays, const TsEvent *event, guint64 place);

/* The section is over: whether all that were known of it have passed. */
gboolean ts_strays_have_passed (const TsStrays *strays);

/* Keeps @event, which ts_strays_pass() did not know, for the next reading. FALSE: there are too many, or new ones in each
 * reading. */
gboolean ts_strays_learn (TsStrays *strays, const TsEvent *event, guint64 place, gint64 scale);

/* When the next of those that were known before this reading comes; G_MAXINT64: there is none in this section. */
gint64 ts_strays_next_time (const TsStrays *strays);

/* That one: lent until the next call. */
const TsEvent *ts_strays_take (TsStrays *strays);

G_END_DECLS
