/* SPDX-License-Identifier: MIT */
#pragma once

#include <string.h>

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

/* Who runs the target, on which core, and the number of whose instance: the last word of an event. An effect has it but
 * for what the line says, with a mask in place of that number, and a place has it as well. */
#if G_BYTE_ORDER == G_LITTLE_ENDIAN
#define TS_BTF_CORE_SHIFT 32
#define TS_BTF_NUMBER_SHIFT 48
#else
#define TS_BTF_CORE_SHIFT 16
#define TS_BTF_NUMBER_SHIFT 0
#endif

G_STATIC_ASSERT (G_STRUCT_OFFSET (TsEvent, resource) == G_STRUCT_OFFSET (TsEvent, owner) + 4
                 && G_STRUCT_OFFSET (TsEvent, owner_number) == G_STRUCT_OFFSET (TsEvent, owner) + 6
                 && sizeof (TsEvent) == G_STRUCT_OFFSET (TsEvent, owner) + 8);
G_STATIC_ASSERT (G_STRUCT_OFFSET (TsBtfEffect, resource) == G_STRUCT_OFFSET (TsBtfEffect, owner) + 4
                 && G_STRUCT_OFFSET (TsBtfEffect, owner_number_mask) == G_STRUCT_OFFSET (TsBtfEffect, owner) + 6);
G_STATIC_ASSERT (G_STRUCT_OFFSET (TsBtfPart, resource) == G_STRUCT_OFFSET (TsBtfPart, owner) + 4
                 && G_STRUCT_OFFSET (TsBtfPart, owner_number_mask) == G_STRUCT_OFFSET (TsBtfPart, owner) + 6);
G_STATIC_ASSERT (G_STRUCT_OFFSET (TsBtfPlace, owner) == 0 && G_STRUCT_OFFSET (TsBtfPlace, core) == 4
                 && sizeof (TsBtfPlace) == 8);

/* What is to be done for a line, as an effect says, or two halves of one. */
typedef struct
{
  guint64 what;
  guint64 owner; /* with resource and mask of its number */
  guint32 place, source, element, counter, instance_mask, no_instance;
} TsBtfAct;

static TS_ALWAYS_INLINE TsBtfAct
ts_btf_act_of (const TsBtfEffect *effect)
{
  TsBtfAct act = { .what = effect->what,
                   .place = effect->place,
                   .source = effect->source,
                   .element = effect->element,
                   .counter = effect->counter,
                   .instance_mask = effect->instance_mask,
                   .no_instance = effect->no_instance };

  memcpy (&act.owner, &effect->owner, sizeof act.owner);
  return act;
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
