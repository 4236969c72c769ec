/* SPDX-License-Identifier: MIT */

/* What the two halves of the oracle share. */

#pragma once

#include "oracle.h"

G_BEGIN_DECLS

/* The part of the trace that is looked at: one resource between two error
 * events, which share nothing with the rest (rules 16 and 17). */
typedef struct
{
  const OracleQuestion *question;
  OracleAnswer *answer;
  TsEvent *events; /* sorted */
  gint n_events;
  guint16 resource;
  gint low, high; /* places; the part is between them */
} Part;

static inline OracleInstance *
instance_at (const Part *part, guint index)
{
  return g_ptr_array_index (part->answer->instances, index);
}

static inline gboolean
is_scheduled (const Part *part, guint element)
{
  TsElementType type = part->question->elements[element].type;

  return type == TS_TYPE_TASK || type == TS_TYPE_ISR;
}

static inline gboolean
is_nested (const Part *part, guint element)
{
  TsElementType type = part->question->elements[element].type;

  return type == TS_TYPE_RUNNABLE || type == TS_TYPE_PROCESS || type == TS_TYPE_FUNCTION || type == TS_TYPE_BASIC_BLOCK;
}

static inline gint64
time_at (const Part *part, gint place)
{
  const OracleQuestion *question = part->question;

  if (place < 0)
    return part->n_events > 0 ? MIN (part->answer->window_from, part->events[0].time) : part->answer->window_from;
  if (place < part->n_events)
    return part->events[place].time;
  if (part->n_events == 0)
    return question->stop;
  return MAX (part->answer->window_to, part->events[part->n_events - 1].time);
}

static inline gboolean
is_activation (const TsEvent *event)
{
  return event->kind == TS_EVENT_ACTIVATION || event->kind == TS_EVENT_ACTIVATION_OS
         || event->kind == TS_EVENT_ACTIVATION_CHAINED;
}

/* Walks the intervals of one instance. */
void oracle_measure (const Part *part, guint index);
/* All samples of the part's instances, the first of which is @first. */
void oracle_sample (const Part *part, guint first, const gboolean *taken);

G_END_DECLS
