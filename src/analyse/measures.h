/* SPDX-License-Identifier: MIT */
#pragma once

#include <tracestat/instance.h>
#include <tracestat/metrics.h>
#include <tracestat/statistics.h>

#include "analyse/accumulator.h"

G_BEGIN_DECLS

/* What is to become samples lies in slots: an interval takes one, an instance two, or three where instances of its
 * element are activated. A field without a sample may have any value. */
typedef union
{
  struct
  {
    guint32 flags; /* of the instance, TS_INSTANCE_NO_CET the other way round */
    guint32 n_preemptions;
    gint64  number, start, end;
  } instance; /* the first one */
  struct
  {
    gint64 running, self, dt, e2s;
  } times; /* the second */
  struct
  {
    gint64 activation, per, st, unused;
  } activation; /* the third */
  struct
  {
    gint64 kind; /* TsIntervalKind */
    gint64 value, number, at;
  } interval;
} TsRecentSlot;

G_STATIC_ASSERT (sizeof (TsRecentSlot) == 32);

/* So many may come before they are counted. */
#define TS_RECENT_MAX 128

/* What came last of one element is gathered, and goes to the accumulators when it is much: with thousands of elements
 * those are in no cache, and each of them would be fetched for each of its samples. Instances begin at the front of
 * the slots, intervals at the back. Small, since it is looked up for each of them. */
typedef struct
{
  TsRecentSlot *next;  /* free one */
  guint16       ran_on;      /* a bit for each of the first resources */
  guint16       last_ran_on; /* of the others, resource + 1; 0: none yet */
  guint8        n_free; /* slots from `next' on */
  guint8        n_slots;
  guint8        n_intervals;
  guint8        n_each; /* slots of an instance: 2, or 3 from the first on that was activated */
} TsRecent;

G_STATIC_ASSERT (sizeof (TsRecent) == 16);
G_STATIC_ASSERT (TS_RECENT_MAX <= G_MAXUINT8);

#define TS_RECENT_RESOURCES 16 /* that have a bit */

static inline gboolean
ts_recent_ran_on (const TsRecent *recent, guint16 resource)
{
  return G_LIKELY (resource < TS_RECENT_RESOURCES) ? recent->ran_on >> resource & 1
                                                   : (guint16) (resource + 1) == recent->last_ran_on;
}

/* What was measured of one element. */
typedef struct
{
  TsAccumulator  *metrics[TS_N_METRICS]; /* NULL: no sample, or shared; none for JIT and LOAD */
  guint           shared; /* bit 1 << TsMetricId: GET or SELF, whose samples so far are those of CET */
  TsElementCounts counts;
  GArray         *resources; /* of guint16: where it ran, for elements declared on none; or NULL */
  guint           lacking;   /* bit 1 << TsMetricId: a report that was read does not have this metric */
} TsMeasuredElement;

/* What was measured in one trace, or in one section of it. */
typedef struct
{
  guint              section; /* its number; 0: all */
  guint              current_section; /* of the samples that are being added */
  gboolean           keep_all;
  TsMeasuredElement *elements;
  TsRecent          *recents; /* of each element */
  guint              n_elements;
  TsInt128          *busy; /* of each resource */
  guint              n_resources;
  TsInt128           window;
  TsInt128          *windows; /* of each resource, where they differ: of a report that was read; or NULL */
  guint              input;   /* of a section of a report that was read: which of its inputs */
} TsMeasures;

TsMeasures *ts_measures_new (guint section, gboolean keep_all);
void        ts_measures_free (TsMeasures *measures);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (TsMeasures, ts_measures_free)

void ts_measures_grow (TsMeasures *measures, guint n_elements, guint n_resources);

/* Notes that @element, which is declared on none, ran on @resource. */
void ts_measures_note_resource (TsMeasures *measures, guint32 element, guint16 resource);

void ts_measures_add_counts (TsElementCounts *counts, const TsElementCounts *other);

/* The samples of @metric, or NULL. */
static inline TsAccumulator *
ts_measured_samples (const TsMeasuredElement *element, TsMetricId metric)
{
  return element->metrics[element->shared >> metric & 1 ? TS_METRIC_CET : metric];
}

/* From now on @metric has samples of its own. */
void ts_measured_unshare (TsMeasuredElement *element, TsMetricId metric);

/* Adds the samples of @from to those of @to; @moves: those of @from are no longer needed. */
void ts_measured_merge (TsMeasuredElement *to, TsMeasuredElement *from, gboolean moves);

/* Adds what @other measured to @measures; @other covers later sections. */
void ts_measures_merge (TsMeasures *measures, const TsMeasures *other);

/* metrics.c. What was added counts when the samples have been gathered, as must be before a section ends. */
void ts_metrics_gather (TsMeasures *measures);
/* Gives the memory back that was for what comes: it is needed for the report. */
void ts_metrics_drop_room (TsMeasures *measures);
/* The same when more is added than there is room for. */
void ts_metrics_add_instance_to_full (TsMeasures *measures, const TsInstance *instance);
void ts_metrics_add_interval_to_full (TsMeasures *measures, const TsInterval *interval);

/* The samples that an instance is worth: what it takes of each is copied here, and looked at when it is gathered. */
static inline void
ts_metrics_add_instance (TsMeasures *measures, const TsInstance *instance)
{
  TsRecent     *recent = &measures->recents[instance->element];
  TsRecentSlot *slots = recent->next;
  guint         n_each = recent->n_each;
  gboolean      is_activated = (instance->flags & TS_INSTANCE_HAS_ACTIVATION) != 0;

  if (!(instance->flags & (TS_INSTANCE_IN_WINDOW | TS_INSTANCE_COUNTS_PER | TS_INSTANCE_COUNTS_ST)))
    return;
  if (G_UNLIKELY (recent->n_free < n_each || (is_activated && n_each == 2)))
    {
      ts_metrics_add_instance_to_full (measures, instance);
      return;
    }
  recent->n_free = (guint8) (recent->n_free - n_each);
  recent->next = slots + n_each;
  /* with many elements it is in no cache any more when the next one comes */
  __builtin_prefetch (&slots[2 * n_each - 1], 1);
  slots[0].instance.flags = instance->flags ^ TS_INSTANCE_NO_CET;
  slots[0].instance.n_preemptions = instance->n_preemptions;
  slots[0].instance.number = instance->number;
  slots[0].instance.start = instance->start;
  slots[0].instance.end = instance->end;
  slots[1].times.running = instance->running;
  slots[1].times.self = instance->self;
  slots[1].times.dt = instance->dt;
  slots[1].times.e2s = instance->e2s;
  if (n_each == 2)
    return;
  /* whatever it is where it was not activated */
  slots[2].activation.activation = instance->activation;
  slots[2].activation.per = instance->per;
  slots[2].activation.st = instance->st;
}

static inline void
ts_metrics_add_interval (TsMeasures *measures, const TsInterval *interval)
{
  TsRecent     *recent = &measures->recents[interval->element];
  TsRecentSlot *slot;

  if (G_UNLIKELY (recent->n_free == 0))
    {
      ts_metrics_add_interval_to_full (measures, interval);
      return;
    }
  recent->n_free--;
  recent->n_intervals++;
  slot = &recent->next[recent->n_free];
  slot->interval.kind = interval->kind;
  slot->interval.value = interval->value;
  slot->interval.number = interval->number;
  slot->interval.at = interval->at;
}

/* The metric whose samples @metric of an element of @type is calculated from. */
TsMetricId ts_metric_sampled (TsMetricId metric, TsElementType type);
/* Those samples, or NULL. */
const TsAccumulator *ts_metrics_samples (const TsMeasures *measures, guint32 element, TsElementType type,
                                         TsMetricId metric);

G_END_DECLS
