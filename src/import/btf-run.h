/* SPDX-License-Identifier: MIT */
#pragma once

#include <string.h>

#include "import/btf-digits.h"
#include "import/btf.h"
#include "model/inline.h"

G_BEGIN_DECLS

/* Events of regular lines, one behind the other, as their effects say. */

/* What changes with every line, or is asked for in every line: in registers, and not in a TsBtf meanwhile. */
typedef struct
{
  TsEvent      *event, *end;
  guint64       line;
  TsBtfPlace   *places;
  TsBtfCounter *counters;
  guint32       n_changes;
} TsBtfRun;

static inline TsBtfRun
ts_btf_begin_run (const TsBtf *btf)
{
  TsImport *import = btf->import;

  return (TsBtfRun){ ts_import_next (import), import->events + TS_BATCH_EVENTS, btf->line, ts_btf_place (btf, 0),
                     (TsBtfCounter *) (gpointer) btf->counters->data, btf->n_changes };
}

G_STATIC_ASSERT (G_STRUCT_OFFSET (TsEvent, resource) == G_STRUCT_OFFSET (TsEvent, owner) + 4
                 && G_STRUCT_OFFSET (TsEvent, owner_number) == G_STRUCT_OFFSET (TsEvent, owner) + 6
                 && sizeof (TsEvent) == G_STRUCT_OFFSET (TsEvent, owner) + 8);
G_STATIC_ASSERT (G_STRUCT_OFFSET (TsBtfPlace, owner) == 0 && G_STRUCT_OFFSET (TsBtfPlace, core) == 4
                 && sizeof (TsBtfPlace) == 8);

/* What an event does to its target because of its source; whether the event is counted for the target, and not another
 * one, is asked for elsewhere. */
static TS_ALWAYS_INLINE TsBtfAct
ts_btf_act_of (const TsBtfDeed *deed, const TsBtfGoal *goal, const TsBtfPart *part)
{
  return (TsBtfAct){ .what = deed->what ^ part->what,
                     .owner = part->owner,
                     .place = goal->place & deed->place_mask,
                     .source = part->source,
                     .element = goal->element | deed->no_element,
                     .counter = goal->counter & deed->counter_mask,
                     .instance_mask = deed->instance_mask,
                     .no_instance = ~deed->instance_mask & (guint32) TS_NO_INSTANCE };
}

/* Whether the events that are counted of @goal are these, unless such as these are not. */
static TS_ALWAYS_INLINE gboolean
ts_btf_is_counted (const TsBtfDeed *deed, const TsBtfGoal *goal)
{
  return ((goal->word ^ deed->word) & deed->counter_mask) == 0;
}

/* The way of its act, unless its source makes that a matter of the rules. */
static inline guint32
ts_btf_way_of (const TsBtfDeed *deed, const TsBtfGoal *goal)
{
  return goal->way | deed->way | (ts_btf_is_counted (deed, goal) ? TS_BTF_PLAIN : TS_BTF_BY_RULES);
}

/* Which numbers of a line with such an event must not be odd. */
static TS_ALWAYS_INLINE guint32
ts_btf_odd_flags_of (const TsBtfDeed *deed)
{
  return TS_BTF_FIRST_IS_ODD | (deed->instance_mask & TS_BTF_SECOND_IS_ODD)
         | (deed->role == TS_BTF_RUNS ? TS_BTF_THIRD_IS_ODD : 0);
}

/* All of it, but for the flags of texts. */
static inline TsBtfEffect
ts_btf_effect_of (const TsBtfDeed *deed, const TsBtfGoal *goal, const TsBtfPart *part)
{
  const guint32 way = part->source == TS_BTF_OTHER_SOURCE ? TS_BTF_BY_RULES : TS_BTF_PLAIN;

  return (TsBtfEffect){ ts_btf_act_of (deed, goal, part), way | ts_btf_way_of (deed, goal),
                        ts_btf_odd_flags_of (deed) };
}

/* Whether that is not plain, or out of date. */
static TS_ALWAYS_INLINE gboolean
ts_btf_is_odd_act (const TsBtfDeed *deed, const TsBtfGoal *goal, guint32 source_way, guint32 n_changes)
{
  /* one question for all of it */
  return ((goal->way ^ n_changes) | (source_way ^ n_changes) | deed->way
          | ((goal->word ^ deed->word) & deed->counter_mask)) != 0;
}

static TS_ALWAYS_INLINE gboolean
ts_btf_is_of_runnable (const TsBtfAct *act)
{
  return (act->owner >> TS_BTF_NUMBER_SHIFT & G_MAXUINT16) != 0;
}

/* The event of a line whose source runs on @core, but for its time. Loads and stores are what this mostly takes, so it
 * has few of them. The caller sees to it that there is room for the next. */
static TS_ALWAYS_INLINE void
ts_btf_write_rest (TsBtfRun *run, const TsBtfAct *act, guint16 core, gint32 instance, guint16 owner_number)
{
  const guint64 number_mask = (guint64) G_MAXUINT16 << TS_BTF_NUMBER_SHIFT;
  TsEvent      *event = run->event++;
  guint64       owner = act->owner | (guint64) core << TS_BTF_CORE_SHIFT;

  memcpy (&run->places[act->place], &owner, sizeof owner);
  run->counters[act->counter].count++;
  ts_event_place (event, ++run->line, act->what);
  event->element = act->element;
  event->instance = (instance & (gint32) act->instance_mask) | (gint32) act->no_instance;
  owner &= (guint64) owner_number << TS_BTF_NUMBER_SHIFT | ~number_mask;
  memcpy (&event->owner, &owner, sizeof owner);
}

static TS_ALWAYS_INLINE void
ts_btf_write_event (TsBtfRun *run, const TsBtfAct *act, guint16 core, gint64 time, gint32 instance,
                    guint16 owner_number)
{
  run->event->time = time;
  ts_btf_write_rest (run, act, core, instance, owner_number);
}

static inline void
ts_btf_end_run (TsBtf *btf, const TsBtfRun *run)
{
  btf->n_events += run->line - btf->line;
  btf->line = run->line;
  btf->import->n_events = (guint) (run->event - btf->import->events);
}

/* When there is no place left. */
TsEvent *ts_btf_pass_batch (TsBtf *btf);

/* As ts_event_owner_number(), of what has up to eight digits, and is only asked for if it @may_lack. */
static TS_ALWAYS_INLINE guint16
ts_btf_owner_number_of (guint32 number, gboolean may_lack)
{
  return may_lack ? ts_event_owner_number ((gint32) number) : (guint16) (number | TS_EVENT_OWNER_IS_NUMBERED);
}

G_END_DECLS
