/* SPDX-License-Identifier: MIT */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

/* What comes so late that all else would have to be held for it: items of any type whose first member is their time. Where
 * there are few, one reading keeps these, and the next one takes each where it belongs (METRICS, rule 15): at its time,
 * behind the others of that time, since those of them that come later still are strays as well. It skips them where they
 * stand. Owned by what one reading leaves to the next. */
typedef struct _TsStrays TsStrays;

TsStrays *ts_strays_new (gsize size); /* of an item */
void      ts_strays_free (TsStrays *strays);

/* More of them than this are not kept; for tests to change. */
extern guint ts_most_strays;

/* None is known any more. */
void     ts_strays_forget (TsStrays *strays);

/* None is known or kept from here on: they have to be sorted with all others. */
void     ts_strays_give_up (TsStrays *strays);
gboolean ts_strays_are_given_up (const TsStrays *strays);

void ts_strays_begin_reading (TsStrays *strays);

/* The next section, in which a tick has @scale units: what was learnt in another scale is forgotten. */
void ts_strays_begin_section (TsStrays *strays, gint64 scale);

/* For each late item of the section in turn, @place telling where in the section it stands: as what it is known, lent
 * until the next one is learnt, or NULL. */
gconstpointer ts_strays_pass (TsStrays *strays, guint64 place);

/* The section is over: whether all that were known of it have passed. */
gboolean ts_strays_have_passed (const TsStrays *strays);

/* Keeps @item for the next reading, in place of what is known there, if there is any. FALSE: there are too many, or new
 * ones in each reading, and they are given up. */
gboolean ts_strays_learn (TsStrays *strays, gconstpointer item, guint64 place, gint64 scale);

/* When the next of those that were known before this section comes; G_MAXINT64: there is none in it. */
gint64 ts_strays_next_time (const TsStrays *strays);

/* That one: lent until the next section. */
gconstpointer ts_strays_take (TsStrays *strays);

G_END_DECLS
