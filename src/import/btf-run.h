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
  return (TsBtfAct){ .what = (deed->what & part->kept) ^ part->what,
                     .owner = part->owner,
                     .place = goal->place & deed->place_mask,
                     .source = part->source,
                     .element = goal->element | deed->no_element,
                     .no_instance = ~deed->instance_mask & (guint32) TS_NO_INSTANCE,
                     .counter = goal->counter & deed->counter_mask,
                     .instance_mask = deed->instance_mask };
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

G_STATIC_ASSERT (G_STRUCT_OFFSET (TsEvent, instance) == G_STRUCT_OFFSET (TsEvent, element) + 4);
G_STATIC_ASSERT (G_STRUCT_OFFSET (TsBtfAct, no_instance) == G_STRUCT_OFFSET (TsBtfAct, element) + 4
                 && G_STRUCT_OFFSET (TsBtfAct, instance_mask) == G_STRUCT_OFFSET (TsBtfAct, counter) + 4);

/* The target and its instance, as an event has them. */
static TS_ALWAYS_INLINE guint64
ts_btf_target_of (const TsBtfAct *act, guint32 instance)
{
  guint64 target, mask;

  memcpy (&target, &act->element, sizeof target);
  memcpy (&mask, &act->counter, sizeof mask);
  return target | ((guint64) instance << TS_BTF_INSTANCE_SHIFT & mask);
}

/* The number of an owner's instance where it stands in an event, and all other bits. */
#define TS_BTF_BUT_NUMBER (~((guint64) G_MAXUINT16 << TS_BTF_NUMBER_SHIFT))

static TS_ALWAYS_INLINE guint64
ts_btf_number_bits (guint16 owner_number)
{
  return (guint64) owner_number << TS_BTF_NUMBER_SHIFT | TS_BTF_BUT_NUMBER;
}

/* The same, as ts_event_owner_number(), of what has up to eight digits, or 31 bits if it @may_lack: only then that is
 * asked. */
static TS_ALWAYS_INLINE guint64
ts_btf_number_bits_of (guint32 number, gboolean may_lack)
{
  if (may_lack)
    return ts_btf_number_bits (ts_event_owner_number ((gint32) number));
  return (guint64) number << TS_BTF_NUMBER_SHIFT | ts_btf_number_bits (TS_EVENT_OWNER_IS_NUMBERED);
}

/* The event of a line whose source runs on @core, but for its time. Loads and stores are what this mostly takes, so it
 * has few of them. The caller sees to it that there is room for the next. */
static TS_ALWAYS_INLINE void
ts_btf_write_rest (TsBtfRun *run, const TsBtfAct *act, guint16 core, guint32 instance, guint64 number_bits)
{
  TsEvent      *event = run->event++;
  const guint64 target = ts_btf_target_of (act, instance);
  guint64       owner = act->owner | (guint64) core << TS_BTF_CORE_SHIFT;

  memcpy (&run->places[act->place], &owner, sizeof owner);
  run->counters[act->counter].count++;
  ts_event_place (event, ++run->line, act->what);
  memcpy (&event->element, &target, sizeof target);
  owner &= number_bits;
  memcpy (&event->owner, &owner, sizeof owner);
}

/* What @act becomes of the interval that the note behind @event_end names. FALSE: that is not known. */
static inline gboolean
ts_btf_find_interval (const TsBtf *btf, const char *event_end, TsBtfAct *act)
{
  const guint32 kind = act->element, element = ts_btf_known_interval (btf, event_end);

  act->what = ts_event_what ((TsEventKind) kind, 0);
  act->element = element;
  return element != TS_NO_ELEMENT;
}

/* ts_btf_write_rest() of an interval. FALSE: it is not known. */
static TS_ALWAYS_INLINE gboolean
ts_btf_write_interval (const TsBtf *btf, TsBtfRun *run, const TsBtfAct *act, guint16 core, const char *event_end)
{
  TsBtfAct of_interval = *act;

  if (!ts_btf_find_interval (btf, event_end, &of_interval))
    return FALSE;
  ts_btf_write_rest (run, &of_interval, core, 0, TS_BTF_BUT_NUMBER);
  return TRUE;
}

static TS_ALWAYS_INLINE void
ts_btf_write_event (TsBtfRun *run, const TsBtfAct *act, guint16 core, gint64 time, guint32 instance,
                    guint64 number_bits)
{
  run->event->time = time;
  ts_btf_write_rest (run, act, core, instance, number_bits);
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

G_END_DECLS
