/* SPDX-License-Identifier: MIT */
#pragma once

#include <tracestat/instance.h>
#include <tracestat/metrics.h>
#include <tracestat/statistics.h>

#include "analyse/accumulator.h"
#include "analyse/tally.h"

G_BEGIN_DECLS

/* What is to become samples lies in slots: an interval takes one, an instance two, or three if it was activated. A
 * field without a sample may have any value. */
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
    guint32 kind;    /* TsIntervalKind */
    guint32 further; /* so many more of it */
    gint64  value, number, at;
  } interval;
} TsRecentSlot;

G_STATIC_ASSERT (sizeof (TsRecentSlot) == 32);

typedef struct
{
  guint32 element;
  guint32 words; /* of 64 bits, before its first slot */
} TsRecentPlace;

/* What came last, as it came. It goes to the accumulators when it is much, and by element: with thousands of elements
 * these are in no cache, and each would be fetched for each of its samples. What is added only needs the end of one
 * row. */
typedef struct
{
  gint64        *words; /* the slots */
  TsRecentPlace *places;
  guint32       *sorted; /* `words' of the places, by element: as much room */
  guint32       *counts; /* places of each element */
  guint          n_words, n_places;
  guint          full; /* from so many words on there is no room for an instance */
  guint          n_room; /* slots that there are, and as many places */
  GArray        *sections; /* of TsSampleSection, by words: of what is here, and at last the present one */
} TsRecents;

#define TS_RECENT_WORDS (sizeof (TsRecentSlot) / sizeof (gint64))

static inline TsRecentSlot *
ts_recents_slots (const TsRecents *recents, guint32 words)
{
  return (TsRecentSlot *) (gpointer) &recents->words[words];
}

/* One more, of @n_slots slots; there is room for it. */
static inline TsRecentSlot *
ts_recents_add (TsRecents *recents, guint32 element, guint n_slots)
{
  guint n_words = recents->n_words;

  recents->counts[element]++;
  recents->places[recents->n_places++] = (TsRecentPlace){ element, n_words };
  recents->n_words = n_words + n_slots * (guint) TS_RECENT_WORDS;
  return ts_recents_slots (recents, n_words);
}

/* recents.c */
void ts_recents_add_elements (TsRecents *recents, guint n_before, guint n_elements);
/* What comes from now on is of @section. */
void ts_recents_begin_section (TsRecents *recents, guint32 section);
/* Of these the earliest is at @time. */
TsSamplePlaces ts_recents_places (const TsRecents *recents, const gint64 *numbers, const gint64 *times,
                                  const guint32 *order, gint64 time);
void ts_recents_drop_room (TsRecents *recents); /* of what comes; it is made anew when something does */
void ts_recents_free (TsRecents *recents);
/* More room, up to what is worth while for so many elements. FALSE: there is that already. */
gboolean ts_recents_grow (TsRecents *recents, guint n_elements);
/* Fills `sorted'; the order within an element stays. From each of the `counts' comes where its element ends. */
void ts_recents_sort (TsRecents *recents, guint n_elements);
/* All is counted. */
void ts_recents_empty (TsRecents *recents, guint n_elements);

/* So many of `sorted' may be read beyond its end, and are places, too. They are fetched that far ahead: with half as many
 * most of the time went by waiting for them. */
#define TS_RECENTS_AHEAD 96

/* What is known of an element between its instances. */
typedef struct
{
  guint16 ran_on;      /* a bit for each of the first resources */
  guint16 last_ran_on; /* of the others, resource + 1; 0: none yet */
} TsRecent;

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
  guint64         ran_on;    /* of elements declared on no resource, a bit for each of the first 64 that it ran on */
  GArray         *ran_on_others; /* of guint64: the next ones; or NULL */
  guint           lacking;   /* bit 1 << TsMetricId: a report that was read does not have this metric; or TS_LACKS_DEFECTS */
  TsUnfinished   *unfinished; /* in an arena, or NULL */
} TsMeasuredElement;

/* What was measured in one trace, or in one section of it. */
typedef struct
{
  guint              section; /* its number; 0: all */
  guint              current_section; /* of what is being added */
  guint              exact_metrics; /* a bit for each TsMetricId of which every sample is kept */
  gboolean           no_samples, no_details; /* as TsOptions of the same names */
  gboolean           has_many_resources; /* some element ran on others than the first ones */
  TsArena            arena; /* of what the elements have, but for what came from elsewhere by ts_measured_merge() */
  TsMeasuredElement *elements;
  TsRecent          *recents; /* of each element */
  guint              n_elements;
  TsRecents          instances, intervals; /* that are not counted yet */
  TsTallies          tallies;   /* where neither samples nor details are kept */
  TsInt128          *busy; /* of each resource */
  guint              n_resources;
  TsInt128           window;
  TsInt128          *windows; /* of each resource, where they differ: of a report that was read; or NULL */
} TsMeasures;

TsMeasures *ts_measures_new (guint section, guint exact_metrics);
void        ts_measures_free (TsMeasures *measures);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (TsMeasures, ts_measures_free)

void ts_measures_grow (TsMeasures *measures, guint n_elements, guint n_resources);

/* When all samples were moved elsewhere: what is left is the memory that these are in. */
void ts_measures_drop_elements (TsMeasures *measures);

/* Notes that @element, which is declared on none, ran on @resource. */
void ts_measures_note_resource (TsMeasures *measures, guint32 element, guint16 resource);
/* The first resource from @from on that it did so on, or TS_NO_RESOURCE. */
guint16 ts_measured_ran_on (const TsMeasuredElement *element, guint from);

/* unfinished.c: as `unfinished' and `awaited' of TsTimelineSink have it */
void     ts_measures_note_unfinished (TsMeasures *measures, const TsInstance *instance);
void     ts_measures_note_awaited (TsMeasures *measures, const TsInterval *interval);
/* What is awaited is forgotten where it says nothing, since a sample took as long: once all samples are there. */
void     ts_measured_forget_awaited (TsMeasuredElement *element);
void     ts_unfinished_merge (TsArena *arena, TsUnfinished **to, const TsUnfinished *from); /* @from may be NULL */
/* As ts_accumulator_rescale(); NULL is nothing. */
gboolean ts_unfinished_rescale (TsUnfinished *unfinished, gint64 factor, guint input);

void ts_measures_add_counts (TsElementCounts *counts, const TsElementCounts *other);

/* The samples of @metric, or NULL. */
static inline TsAccumulator *
ts_measured_samples (const TsMeasuredElement *element, TsMetricId metric)
{
  return element->metrics[element->shared >> metric & 1 ? TS_METRIC_CET : metric];
}

/* GET of what is not preempted and SELF of what calls nothing are CET. Until they differ for the first time, one
 * accumulator serves. Whether it does, before more of both come. */
static inline gboolean
ts_measured_shares_cet (TsMeasuredElement *element, TsMetricId metric)
{
  if (element->metrics[TS_METRIC_CET] == NULL && element->metrics[metric] == NULL)
    element->shared |= 1u << metric;
  return (element->shared >> metric & 1) != 0;
}

/* From now on @metric has samples of its own. */
void ts_measured_unshare (TsArena *arena, TsMeasuredElement *element, TsMetricId metric);

/* That of @metric, which may be new. */
TsAccumulator *ts_measures_accumulator (TsMeasures *measures, TsMeasuredElement *element, TsMetricId metric);

/* Adds the samples of @from to those of @to; @moves: those of @from are no longer needed, but their arena is. What is
 * new comes from @arena. */
void ts_measured_merge (TsArena *arena, TsMeasuredElement *to, TsMeasuredElement *from, gboolean moves);

/* Adds what @other measured to @measures; @other covers later sections. */
void ts_measures_merge (TsMeasures *measures, const TsMeasures *other);

/* What is measured goes to tallies, where it may. */
static inline gboolean
ts_measures_has_tallies (const TsMeasures *measures)
{
  return measures->no_samples && measures->no_details;
}

/* tally.c. What is new, or full @before something was added to it, has more to be done. */
void ts_measures_note_tally (TsMeasures *measures, guint32 element, guint64 before);
/* The same, and where the greatest GET and RT are, if this is that; @sum, @get and @rt are from before it was added. */
void ts_measures_note_instance (TsMeasures *measures, const TsInstance *instance, guint64 sum, gint32 get, gint32 rt);
/* With many elements instances wait until their tallies have been fetched. */
void ts_measures_await (TsMeasures *measures, const TsInstance *instance);
/* What waits is added. */
void ts_measures_add_waiting (TsMeasures *measures);
/* All goes to the accumulators. */
void ts_measures_carry_tallies (TsMeasures *measures);
/* For all elements that there are. */
void ts_measures_grow_tallies (TsMeasures *measures);
void ts_measures_drop_tallies (TsMeasures *measures);

/* metrics.c. What is added from now on is of @section. */
void ts_metrics_begin_section (TsMeasures *measures, guint section);
/* What was added counts when the samples have been gathered. That takes its time for each element, so a section that is
 * not reported by itself does not ask for it. */
void ts_metrics_gather (TsMeasures *measures);
/* Gives the memory back that was for what comes: it is needed for the report. */
void ts_metrics_drop_room (TsMeasures *measures);
/* What the two below do where there is no room left. */
void ts_metrics_keep_instance_in_full (TsMeasures *measures, const TsInstance *instance);
void ts_metrics_keep_intervals_in_full (TsMeasures *measures, const TsInterval *interval, guint n);

/* FALSE: it does not fit there. */
static TS_ALWAYS_INLINE gboolean
ts_measures_tally_instance (TsMeasures *measures, const TsInstance *instance, gboolean activated)
{
  TsTally      *tally = &measures->tallies.rows[instance->element];
  TsTallyValues values;
  guint64       sum;
  gint32        get, rt;

  if (G_UNLIKELY (!ts_tally_get_values (&values, instance, activated) || !ts_tally_are_small (&values, activated)))
    return FALSE;
  sum = tally->pairs[TS_TALLY_CET_GET].sums[0];
  get = tally->pairs[TS_TALLY_CET_GET].greatest[1];
  rt = activated ? tally->pairs[TS_TALLY_IPT_RT].greatest[1] : 0;
  ts_tally_add_values (tally, &values, activated);
  if (G_UNLIKELY (sum - 1 >= TS_TALLY_FULL || TS_TALLY_GREATEST (values.gross) >= get
                  || (activated && TS_TALLY_GREATEST (values.response) >= rt)))
    ts_measures_note_instance (measures, instance, sum, get, rt);
  return TRUE;
}

static TS_ALWAYS_INLINE gboolean
ts_measures_tally_interval (TsMeasures *measures, const TsInterval *interval)
{
  const guint32 kind = interval->kind;
  TsTallyPair  *pair = &measures->tallies.rows[interval->element].pairs[ts_tally_seats[kind].pair];
  const guint64 before = pair->sums[ts_tally_seats[kind].which];

  if (!ts_tally_add_interval (pair, (guint64) interval->value, ts_tally_seats[kind].present))
    return FALSE;
  if (G_UNLIKELY (before - 1 >= TS_TALLY_FULL))
    ts_measures_note_tally (measures, interval->element, before);
  return TRUE;
}

/* The samples that an instance is worth: what it takes of each is copied here, and looked at when it is gathered. */
static inline void
ts_metrics_keep_instance (TsMeasures *measures, const TsInstance *instance)
{
  TsRecents    *recents = &measures->instances;
  TsRecentSlot *slots;

  if (!(instance->flags & (TS_INSTANCE_IN_WINDOW | TS_INSTANCE_COUNTS_PER | TS_INSTANCE_COUNTS_ST)))
    return;
  if (G_UNLIKELY (recents->n_words >= recents->full))
    {
      ts_metrics_keep_instance_in_full (measures, instance);
      return;
    }
  slots = ts_recents_add (recents, instance->element, 2);
  slots[0].instance.flags = instance->flags ^ TS_INSTANCE_NO_CET;
  slots[0].instance.n_preemptions = instance->n_preemptions;
  slots[0].instance.number = instance->number;
  slots[0].instance.start = instance->start;
  slots[0].instance.end = ts_just_written (&instance->end);
  slots[1].times.running = ts_just_written (&instance->running);
  slots[1].times.self = ts_just_written (&instance->self);
  slots[1].times.dt = instance->dt;
  slots[1].times.e2s = instance->e2s;
  if (!(instance->flags & TS_INSTANCE_HAS_ACTIVATION))
    return;
  recents->n_words += 2 * TS_RECENT_WORDS;
  slots[2].activation.activation = instance->activation;
  slots[2].activation.per = instance->per;
  slots[2].activation.st = instance->st;
}

/* @n samples that are alike, of which @interval is the one to be named. */
static TS_ALWAYS_INLINE void
ts_metrics_keep_intervals (TsMeasures *measures, const TsInterval *interval, guint n)
{
  TsRecentSlot *slot;

  if (G_UNLIKELY (measures->intervals.n_words >= measures->intervals.full))
    {
      ts_metrics_keep_intervals_in_full (measures, interval, n);
      return;
    }
  slot = ts_recents_add (&measures->intervals, interval->element, 1);
  slot->interval.kind = interval->kind;
  slot->interval.further = n - 1;
  slot->interval.value = interval->value;
  slot->interval.number = interval->number;
  slot->interval.at = interval->at;
}

static inline void
ts_metrics_keep_interval (TsMeasures *measures, const TsInterval *interval)
{
  ts_metrics_keep_intervals (measures, interval, 1);
}

/* tally.c. For what does not fit there is a wide tally; if it does not fit in that either, it is kept. This is seldom,
 * and apart, so that nothing is saved for it. */
void ts_metrics_add_odd_instance (TsMeasures *measures, const TsInstance *instance);
void ts_metrics_add_odd_interval (TsMeasures *measures, const TsInterval *interval);

/* One that was activated, by itself: with any other there is so little to be done that little is saved for it. */
void ts_metrics_add_activated (TsMeasures *measures, const TsInstance *instance);

static TS_ALWAYS_INLINE void
ts_metrics_add_now (TsMeasures *measures, const TsInstance *instance)
{
  if (instance->flags & TS_INSTANCE_HAS_ACTIVATION)
    ts_metrics_add_activated (measures, instance);
  else if (!ts_measures_tally_instance (measures, instance, FALSE))
    ts_metrics_add_odd_instance (measures, instance);
}

static inline void
ts_metrics_add_instance (TsMeasures *measures, const TsInstance *instance)
{
  if (measures->tallies.waiting != NULL)
    ts_measures_await (measures, instance);
  else if (measures->tallies.rows != NULL)
    ts_metrics_add_now (measures, instance);
  else
    ts_metrics_add_odd_instance (measures, instance);
}

static inline void
ts_metrics_add_interval (TsMeasures *measures, const TsInterval *interval)
{
  if (measures->tallies.rows == NULL || !ts_measures_tally_interval (measures, interval))
    ts_metrics_add_odd_interval (measures, interval);
}

/* The metric whose samples @metric of an element of @type is calculated from. */
TsMetricId ts_metric_sampled (TsMetricId metric, TsElementType type);
/* Those samples, or NULL. */
const TsAccumulator *ts_metrics_samples (const TsMeasures *measures, guint32 element, TsElementType type,
                                         TsMetricId metric);

G_END_DECLS
