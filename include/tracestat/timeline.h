/* SPDX-License-Identifier: MIT */
#pragma once

#include <tracestat/diagnostics.h>
#include <tracestat/event.h>
#include <tracestat/instance.h>
#include <tracestat/metrics.h>

G_BEGIN_DECLS

/* The state machine: takes the events of a trace in order of time and rebuilds what each
 * element did (METRICS, rules 1 to 20). Knows nothing of formats and metrics. */
typedef struct _TsTimeline TsTimeline;

/* Who takes what it finds. The first two must be there. */
typedef struct
{
  void (*instance) (gpointer data, const TsInstance *instance);
  void (*interval) (gpointer data, const TsInterval *interval);
  /* An instance of @element leaves @resource, to go on on another one, or is about to be published, which has only the
   * last one: of those in a section the first, and others maybe. From TS_TOLD_RESOURCES on only those that leave are told,
   * and to be on none is told never. May be NULL. */
  void (*ran_on) (gpointer data, guint32 element, guint16 resource);
  /* The same as `interval' @n times: PRE or WAIT of so many instances of an element that were open together. @interval
   * is that of the one that started first. NULL: these are told one by one, each as that one. */
  void (*intervals) (gpointer data, const TsInterval *interval, guint n);
  /* Of what was not over when the section ended, or at an error event: `end' is that moment. So is told what ended, and was not
   * seen to start (TS_STATUS_PARTIAL_HEAD): it took as long as its times add up to, or longer. What had started was told by
   * `instance' before. May be NULL. */
  void (*unfinished) (gpointer data, const TsInstance *instance);
  /* DT or PER that was not over when the section ended, of an element that was there twice or more: `at' is the start, or the
   * activation, that none came after, and `number' is 0. May be NULL. */
  void (*awaited) (gpointer data, const TsInterval *interval);
} TsTimelineSink;

#define TS_TOLD_RESOURCES 31

typedef struct
{
  gboolean infer_preemption; /* even if the trace has explicit ones (rule 13) */
  gboolean subtract_overhead; /* rule 21 */
  gboolean has_from, has_to; /* analysis window (rule 20) */
  gint64   from, to;         /* internal units */
  gboolean joins_e2s; /* nobody asks whose E2S it is: an instance that has none may have that of the next one, which is
                       * not told then */
  gboolean no_self;   /* nobody asks for the running time of an instance without its callees: it may be anything */
  gboolean gives_e2s; /* somebody asks what each instance has: what is told of one that is open is given to it, too
                       * (TS_INSTANCE_TOLD_E2S) */
  gboolean names_come_late; /* an owner that is no element may turn out to be one later: the trace cannot be read again */
  guint    most_walked; /* so many open callees of an instance are looked at one by one whenever its state changes, and no
                         * more; 0: as many as it takes for that to be worth it */
} TsTimelineOptions;

/* @system, @diagnostics and @sink are lent and must outlive the timeline. */
TS_API TsTimeline *ts_timeline_new (const TsSystem *system, TsDiagnostics *diagnostics, const TsTimelineOptions *options,
                                    const TsTimelineSink *sink, gpointer sink_data);
TS_API void        ts_timeline_free (TsTimeline *timeline);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (TsTimeline, ts_timeline_free)

/* Each section is rebuilt alone (rule 16): it begins, has events, and ends, before the next one begins. Start, stop and
 * overheads are read from @section at the beginning, which is lent until the end; its window, first and last
 * are filled at the end.
 * Events come in order of time, within TS_TIME_LIMIT, and name elements and resources that the system has, or none: as this is
 * what is done with every event of a long trace, nobody looks whether they do. Importers see to it. */
TS_API void ts_timeline_begin_section (TsTimeline *timeline, TsSection *section);
TS_API void ts_timeline_events (TsTimeline *timeline, const TsEvent *events, gsize n_events);
TS_API void ts_timeline_end_section (TsTimeline *timeline);

/* Counts of an element, all sections together. */
TS_API TsElementCounts ts_timeline_counts (const TsTimeline *timeline, guint32 element);

/* Busy time of a resource within the windows, and the length of the windows, internal units. */
TS_API TsInt128 ts_timeline_busy (const TsTimeline *timeline, guint16 resource);
TS_API TsInt128 ts_timeline_window (const TsTimeline *timeline);

G_END_DECLS
