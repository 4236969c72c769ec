/* SPDX-License-Identifier: MIT */
#pragma once

#include <stddef.h>
#include <string.h>

#include <tracestat/timeline.h>

#include "analyse/siblings.h"
#include "analyse/unsure.h"
#include "model/arena.h"
#include "model/inline.h"
#include "model/pages.h"

G_BEGIN_DECLS

/* The inside of the timeline. A *job* is one instance while it is being rebuilt: pending
 * from its activation, open from its start, published when it is closed or cut. */

typedef enum
{
  TS_JOB_PENDING, /* activated, not started */
  TS_JOB_RUNNING,
  TS_JOB_READY,   /* preempted, or released and not yet resumed */
  TS_JOB_WAITING, /* waits or is parked */
  TS_JOB_FROZEN,  /* nested, and the task that it ran in has ended */
  TS_JOB_FOLLOWS, /* nested, and as its task: see followers.c */
} TsJobState;

typedef struct _TsJob TsJob;
typedef struct _TsElementState TsElementState;
typedef struct _TsCore TsCore;
typedef struct _TsFollowers TsFollowers;
typedef struct _TsStandIn TsStandIn;
typedef struct _TsUnseen TsUnseen; /* see unseen.h */
typedef struct _TsPast TsPast;     /* see past.h */

struct _TsJob
{
  /* As they will be published: so far. From `preempted_closed' to `caller' a new job is zeroed, but for `self'. */
  TsInstance facts;

  /* A byte for each: they are written more often than a bit field is worth. The first four are looked at together. */
  guint8 state; /* TsJobState */
  guint8 is_head;
  guint8 links;          /* TS_JOB_IS_INDEXED ... */
  guint8 suspended;      /* nested: by an event of its own */
  guint8 was_waiting;    /* READY because it was released, or went on in front of its task */
  guint8 inferred_ready; /* READY because another one started on its core */
  guint8 on_core;        /* in the stack of its core */
  gint64 callees_running; /* of the direct callees that are closed */
  gint64 credited;        /* of `running', what the caller already knows */

  /* What is here and in `facts' is valid when its class, its state and its flags say so. */
  TsJob *caller;    /* nested: the next frame outwards, its owner at last */
  TsJob *owner;     /* nested: the task that it runs in, or who stands for that; NULL once that is over */
  TsJob *next, *previous; /* in the pending queue or the open list of its element */
  gint64 run_since; /* core clock at the beginning of the running slice */
  TsJob *innermost; /* scheduled: its innermost open callee; nested, in a task: the one that it called itself, unless it is the
                     * innermost; or itself */
  TsElementState *element; /* of facts.element; both pointers change when there are more elements or resources. NULL: see
                            * TsStandIn */
  TsCore         *core;    /* of facts.resource, once it has started */
  guint16 owner_number;   /* as in the event */
  gint32 highest_open;    /* if there is a `next' of the open ones: neither it nor one behind it has a higher number */
  gint64 since;     /* of the present state */
  union
  {
    struct
    {
      TsJob *below, *above; /* in the stack of its core, when it is on_core */
    };
    struct
    {
      TsJob *like;     /* of those that follow, the next one outwards of its element */
      TsJob *earliest; /* of it and those, if their intervals are samples */
    };
  };
  TsJob *next_activated, *previous_activated; /* tasks: activated after and before this one, while they exist */
  TsJob *next_indexed; /* in its chain of TsJobIndex */
  gint64 beside_since; /* if TS_JOB_RAN_BESIDE: another one began to run beside it; not later than `since': beside an earlier run,
                        * which tells nothing of this one */
  gint64 poll_since; /* if TS_JOB_POLLS; nested: if TS_JOB_WENT_ON, the time of that */
  gint64 credited_before; /* of `credited', what the caller does not keep: from before it was that, or while it was suspended */
  gint64 callees_before; /* while it is suspended: its `callees_running' as it began to be */
  gint64 next_start, next_start_number;
  gint64 next_activation, next_activation_number;
};

/* Where else a job is known, what of the instance after it is, and what else its end has to be told to. */
enum
{
  TS_JOB_IS_INDEXED = 1 << 0,
  TS_JOB_NEXT_START = 1 << 1,
  TS_JOB_NEXT_ACTIVATION = 1 << 2,
  TS_JOB_POLLS = 1 << 3, /* since `poll_since' */
  TS_JOB_MAY_HAVE_ENDED = 1 << 4, /* pending: an end came that nobody started */
  TS_JOB_OUTLIVES = 1 << 5, /* nested: what seemed to have called it ended or was suspended, see `credited_before' */
  TS_JOB_QUEUE_INDEXED = 1 << 5, /* pending: it is indexed though it need not be, and so are all before it in the queue */
  TS_JOB_ALL_INDEXED = 1 << 6, /* open: it is indexed, and so are all that were opened before it */
  TS_JOB_WENT_ON = 1 << 7, /* nested: an event of its own said so, in front of its task */
  TS_JOB_RAN_BESIDE = 1 << 7, /* scheduled: see `beside_since' */
};

/* Whether @job runs, was seen to start, and nobody else is to be told that it ends. */
static inline gboolean
ts_job_is_plain (const TsJob *job)
{
  static const guint8 plain[] = { TS_JOB_RUNNING, FALSE, 0, FALSE };

  return memcmp ((const guint8 *) job + offsetof (TsJob, state), plain, sizeof plain) == 0;
}

/* The same, but it has @links; when it ends, what is known of the instance after it may have to be told. */
static TS_ALWAYS_INLINE gboolean
ts_job_is_plain_with (const TsJob *job, guint8 links)
{
  const guint8 plain[] = { TS_JOB_RUNNING, FALSE, links, FALSE };
  guint8       bytes[sizeof plain];

  memcpy (bytes, (const guint8 *) job + offsetof (TsJob, state), sizeof bytes);
  bytes[2] &= (guint8) ~(guint) TS_JOB_NEXT_START;
  return memcmp (bytes, plain, sizeof plain) == 0;
}

G_STATIC_ASSERT (offsetof (TsJob, links) == offsetof (TsJob, state) + 2);
G_STATIC_ASSERT (offsetof (TsJob, suspended) == offsetof (TsJob, state) + 3);

/* Jobs by element and number: those whose numbers are unique, and where many are open. */
typedef struct
{
  TsJob **slots; /* chains: 2^(32 - shift) of them, and half as many jobs at the most: few are longer than one */
  guint   shift;
} TsJobIndex;

/* As many instances of an element may well have been open when the section began. */
#define TS_ENDED_NUMBERS 8

/* What is known of the instances before: the flags of what the next one can be measured from there. */
enum
{
  TS_KNOWN_START = TS_INSTANCE_HAS_DT,
  TS_KNOWN_ACTIVATION = TS_INSTANCE_HAS_PER,
  TS_KNOWN_END = TS_INSTANCE_HAS_E2S,
  TS_KNOWN_END_FOR_ST = TS_INSTANCE_HAS_ST,
};

/* Who handles the events of an element. */
typedef enum
{
  TS_ROW_ABSENT, /* no event in this section so far, or no element at all */
  TS_ROW_NESTED,
  TS_ROW_TASK,
  TS_ROW_ISR, /* scheduled, but no task */
  TS_ROW_ALONE,
  TS_ROW_INFERRED, /* scheduled, where preemptions are inferred: who starts suspends another one */
  TS_ROW_CROWDED,  /* as TS_ROW_TASK or TS_ROW_ISR, and its instances overlap on what several may have, see crowded.c */
  TS_ROW_UNIQUE, /* as TS_ROW_ISR, and its instances have unique numbers, so far */
  TS_N_ROWS /* a power of two finds its handler in fewer steps */
} TsElementRow;

#define TS_COUNT(count) guint64 count;
typedef struct { TS_EVENT_COUNTS (TS_COUNT) } TsEventCounts;
#undef TS_COUNT

/* What is known of one element between its instances: whole lines of the cache, since of thousands of elements most are
 * in none. The first is what each instance needs; the second those that have numbers; the others those that are
 * activated. */
struct _TsElementState
{
  TsJob *open;    /* the most recently started first */
  TsJob *pending; /* in order of activation */
  TsJob *last_started; /* if it is still open; then the end of the instance that started last is not known */
  gint64 last_start;
  gint64 last_end;  /* of the instance that started last: where E2S begins */
  gint64 n_started; /* in this section, with those that were there before, and activations that an error event cut */
  gint64 n_ended;   /* in this section */
  guint16 resource; /* of its last event */
  guint16 no_cet;   /* TS_INSTANCE_NO_CET: it idles; or 0 */
  guint8 row;       /* TsElementRow */
  guint8 fresh;     /* no event of its state yet: it may have been open before */
  guint8 known;     /* TS_KNOWN_START ... */
  guint8 has_unnumbered; /* there may be open ones without a number, or above `highest_instance' */

  guint8 class;     /* TsElementClass */
  guint8 is_task;
  guint8 has_last_write;
  guint8 pending_ascends;  /* the queue is in the order of the numbers, which all have, each another one */
  guint8 n_ended_numbers;    /* so many, modulo 256 */
  guint8 is_counted;       /* it is in TsTimeline.counted */
  guint8 has_first_start;  /* nothing is known of it before `first_start' */
  guint32 told;            /* see ts_core_has_told() */
  guint  n_frozen;         /* open ones whose task has ended */
  gint32 highest_instance; /* of the format's own numbers: of those seen; TS_NO_INSTANCE: none */
  guint32 lowest_begun;    /* of those, what was activated or started in this section: see ts_number_rank() */
  union
  {
    TsJob  *last_activated; /* tasks: if it is still pending or open */
    guint32 started_in;     /* nested: the last task of those in unseen.h in which it was seen to start; TS_NO_ELEMENT: none */
  };
  gint32 ended_numbers[TS_ENDED_NUMBERS]; /* of the latest that ended, see ts_life_note_ended() */

  TsJob *pending_last;
  gint64 last_activation;
  gint64 last_end_for_st;   /* of the instance that was activated last: where ST begins */
  guint32 lowest_activated; /* as `lowest_begun', of those activated in this section */
  gint32 highest_head;      /* of the numbers, what was there when the section began */
  union
  {
    gint64  last_write;  /* signals */
    guint32 last_unsure; /* what is forked: the latest of TsUnsure, or 0 */
    gint64  first_start; /* all others whose numbers are not unique: of the first instance that was seen, as long as nobody knows what was before that */
  };
  TsEventCounts counts;     /* but for `n_started' and `n_ended', see ts_timeline_counts() */
};

#define TS_TOLD_BY_OTHERS (1u << TS_TOLD_RESOURCES)

G_STATIC_ASSERT (TS_N_ROWS == 8);
G_STATIC_ASSERT (sizeof (TsElementState) == 4 * TS_CACHE_LINE);
G_STATIC_ASSERT (offsetof (TsElementState, class) == TS_CACHE_LINE);
G_STATIC_ASSERT (offsetof (TsElementState, pending_last) == 2 * TS_CACHE_LINE);

/* What runs on one resource. */
struct _TsCore
{
  TsJob *top;     /* scheduled jobs that run here, the latest first; with inference also those that they suspend */
  TsStandIn *stand_ins; /* in which nested jobs were since `begin' */
  GArray *seen;   /* of guint32: elements that had an event since the last cut, see ts_cut_see(); NULL: none so far */
  gint64 begin;   /* start of the section, or the last error event */
  gint64 accounted; /* load is counted up to here; from here on n_running jobs run */
  gint64 overhead;  /* subtracted so far; time minus this is the core clock */
  gint64 last_event; /* or `begin': up to here overhead is charged */
  gint64 last_after; /* overhead after the stamp of that event */
  gint64 charged_idle; /* overhead within the window, where nobody ran who is known yet */
  guint  n_running; /* scheduled jobs that run */
  guint  n_busy;    /* of these, not idle */
  guint  n_overlapping; /* that began to run beside another one at `overlap_time` */
  gint64 overlap_time;
  guint64 overlap_line;
  gint64  suspended_time; /* the last time at which an instance that was there before was suspended, */
  guint32 suspended_head; /* and its element; TS_NO_ELEMENT: none was */
  gboolean is_shared;
  gint64 alone;      /* within the window, since `begin': one job ran, which is not counted below yet */
  gint64 idle_alone; /* of that: it idled */
  TsInt128 busy; /* all sections */
  TsInt128 occupied; /* within the window, since `begin`, by anyone */
  TsInt128 busy_beyond, occupied_beyond; /* the same behind a stop of the system, until it is known whether that counts */
};

/* An instance that started beside an older one of its element, on the same resource. */
typedef struct
{
  guint64 line;
  guint32 element;
  guint16 resource;
  guint32 n_preemptions; /* of the older one until then */
  gint64  older;         /* its number */
} TsBeside;

/* Who stands for tasks, by these, their numbers and resources: open addressing, a quarter free. */
typedef struct
{
  TsStandIn **places; /* 2^(32 - shift) of them */
  guint       shift;
  guint       n;
  TsStandIn  *awaiting; /* those that are, in any order */
  TsStandIn  *free;     /* those that stand for nobody */
  gboolean    has_numbers; /* of instances */
} TsStandIns;

struct _TsTimeline
{
  const TsSystem   *system;
  TsDiagnostics    *diagnostics;
  TsTimelineOptions options;
  TsTimelineSink    sink;
  gpointer          sink_data;

  TsElementState *elements; /* [0] is for events without an element, element e is [e + 1] */
  gpointer        elements_memory;
  guint           n_elements, size_elements;
  GArray         *counted; /* of guint32: those that were cut in this section, by an error event */
  guint32        *defects; /* that were told of each of size_elements */
  TsCore         *cores; /* [0] is for events without a resource, resource r is [r + 1] */
  guint           n_cores;

  TsSection *section;
  gboolean   infers; /* rule 12 holds in this section */
  gboolean   begun;  /* the section's begin is known */
  gint64     begin;
  gint64     clip_from, clip_to; /* of LOAD */
  gint64     stop; /* of the system, which may yet go on; or G_MAXINT64 */
  gint64     window_from; /* of everything else (rule 20) */
  guint64    window_length;
  gint64     now;
  guint64    what; /* of the present event, with its line: see ts_timeline_line() */

  TsUnseen *unseen;    /* of this section */
  TsPast   *past;      /* likewise */
  GArray *besides;     /* of TsBeside: starts at `beside_time' */
  gint64  beside_time; /* G_MAXINT64: none */
  gboolean was_cut;    /* by an error event, just now */
  GPtrArray *went_on;  /* nested jobs that went on in front of their task at `went_on_at', the last time at which any did */
  gint64  went_on_at;
  gint64  stray_time; /* a nested job began whose task was not there; G_MAXINT64: none did, or that is settled */
  gint64  pause; /* from this time on there is something to do before an event: for one of these, or overhead to charge */

  gconstpointer credited; /* task or core, whose frames all had told their callers at `credited_at' how long they ran */
  gint64        credited_at;
  GHashTable   *followers; /* of TsFollowers, by their tasks; or NULL */

  TsInt128 window; /* all sections */

  TsJobIndex index;
  TsSiblings siblings;
  TsUnsure   unsure;
  TsStandIns stand_ins;
  TsJob     *free_jobs;
  TsJob      nobody; /* stands for one that is not there, see ts_life_chain_start() */
  GPtrArray *job_blocks;
  TsArena    job_memory;
};

#define TS_JOBS_A_BLOCK 64 /* jobs are made so many at a time */

/* job.c: from activation to publication */
void   ts_job_activate (TsTimeline *timeline, TsElementState *state, const TsEvent *event);
/* The job of what was activated by @event, so long after the activation before: it is still to be queued. */
TsJob *ts_job_make_pending (TsTimeline *timeline, const TsEvent *event, gint64 per);
void   ts_job_queue (TsElementState *state, TsJob *job);
/* The place of a number among all that there can be, in their order; TS_NO_INSTANCE is above all. */
static inline guint32
ts_number_rank (gint32 instance)
{
  return (guint32) instance + G_MAXINT32;
}
G_STATIC_ASSERT (TS_NO_INSTANCE == G_MININT32);

/* Whether an instance with that number began before the section, if it was never seen: numbers count activations. Those of tasks
 * and ISRs start in that order, so what has a number above one that was seen to start did not, whether it was activated or not. */
static inline gboolean
ts_job_is_early (const TsElementState *state, gint32 instance)
{
  guint32 lowest = state->lowest_activated < G_MAXUINT32 && state->class != TS_CLASS_SCHEDULED ? state->lowest_activated
                                                                                                : state->lowest_begun;

  return instance == TS_NO_INSTANCE || ts_number_rank (instance) < lowest;
}
/* Whether an activation with the number of @event is pending. */
gboolean ts_job_is_pending (TsTimeline *timeline, const TsElementState *state, const TsEvent *event);
void   ts_job_close (TsTimeline *timeline, TsJob *job);
/* The same for one that ended when it went into its present state. */
void   ts_job_close_earlier (TsTimeline *timeline, TsJob *job);
/* Takes back the queued activation that @event names, if it names one. */
void   ts_job_withdraw (TsTimeline *timeline, const TsEvent *event);
/* Gives @job up without an end: it lost it, or the section ends. */
void   ts_job_abandon (TsTimeline *timeline, TsJob *job, TsInstanceStatus status);
/* The pending activations of @state at the end of a section, or at an error event. */
void   ts_job_drop_pending (TsTimeline *timeline, TsElementState *state);
void   ts_job_forget_chains (TsElementState *state);
/* At the end of a section: what was counted in it goes to the counts of all. */
void   ts_job_settle_counts (TsElementState *state);
/* The elements or the cores have moved, and with them what all jobs refer to; followers.c: the same for those. */
void   ts_job_refer_all (TsTimeline *timeline);
void   ts_followers_refer (TsTimeline *timeline);

/* fork.c: siblings until they start */
void   ts_job_fork (TsTimeline *timeline, TsElementState *state, const TsEvent *event);
/* Takes the sibling that an event with a unique number means, wherever it is. FALSE: there is none. */
gboolean ts_sibling_take (TsTimeline *timeline, guint32 element, gint32 instance, TsSibling *sibling);
/* Whether it is there. */
gboolean ts_sibling_waits (const TsTimeline *timeline, guint32 element, gint32 instance);
/* Its job: pending, but in no queue. */
TsJob *ts_sibling_job (TsTimeline *timeline, const TsSibling *sibling);
/* Makes it one in the queue, if it is there. */
void   ts_sibling_queue (TsTimeline *timeline, guint32 element, gint32 instance);
void   ts_siblings_queue_all (TsTimeline *timeline);
/* All of them wait together, in order, until they are cleared. */
void   ts_siblings_sort (TsTimeline *timeline);
/* @job is the first of its fork that starts, or ends without a start, with @event: see TS_EVENT_DECIDES. */
void   ts_fork_begin (TsTimeline *timeline, TsElementState *state, const TsEvent *event, TsJob *job);
/* The same if @event says so. */
static inline void
ts_fork_may_begin (TsTimeline *timeline, TsElementState *state, const TsEvent *event, TsJob *job)
{
  if (event->flags & TS_EVENT_DECIDES)
    ts_fork_begin (timeline, state, event, job);
}
/* @job, which waited, is withdrawn with @event: what it would have been the first to tell the next one does. */
void   ts_fork_withdraw (TsTimeline *timeline, TsElementState *state, const TsEvent *event, TsJob *job);

/* unsure.c: forks that may come to nothing */
void   ts_unsure_add (TsTimeline *timeline, const TsEvent *event);
/* The unsure fork whose first sibling that waits, or did until now, is @instance, came to something, and its period is that
 * of @job, if it is known; otherwise that is told when it is. FALSE: there is none, and @job is as it was. */
gboolean ts_unsure_settle (TsTimeline *timeline, TsElementState *state, gint32 instance, TsJob *job);
/* That sibling is withdrawn: another one is the first now, or the fork came to nothing. */
void   ts_unsure_withdraw (TsTimeline *timeline, TsElementState *state, const TsEvent *event);

/* nested.c */
/* Hangs @job, which is in no state yet, under its task @owner, where it runs unless that does not, or it is @suspended; where
 * that is NULL, under who stands for whom @event names. */
void ts_nested_enter (TsTimeline *timeline, TsJob *job, TsJob *owner, const TsEvent *event, gboolean suspended);
/* @task goes on, at a time at which nested jobs did in front of their task (rule 10). Which task that would be could not be
 * told where an element is suspended in several of them: it is this one. */
void ts_nested_go_on_with (TsTimeline *timeline, const TsJob *task);

/* timeline.c: counts what was found in an instance of @element, which is named with the first one. */
void ts_timeline_diagnose (TsTimeline *timeline, TsDiagnosticId id, guint64 line, guint32 element);

/* head.c */
/* @job, which has started, and no start is known before it, may be the first one of all. @before is open, and was the last
 * one, or NULL. */
void ts_head_note_first_start (const TsTimeline *timeline, TsElementState *state, TsJob *job, TsJob *before);
/* @job, which was there before, is over, and nothing of it was seen before another one started. */
void ts_head_tell_first_start (TsTimeline *timeline, TsElementState *state, TsJob *job);
/* An end for which no instance is open. */
void ts_head_end (TsTimeline *timeline, TsElementState *state, const TsEvent *event);
/* Any other event for which none is. */
void ts_head_change (TsTimeline *timeline, TsElementState *state, const TsEvent *event);
/* A start that was not in the trace, see TS_EVENT_UNSEEN. */
void ts_head_start_unseen (TsTimeline *timeline, TsElementState *state, const TsEvent *event);

/* scheduled.c: events of tasks and ISRs, and of elements that stand alone; nested.c: those that run in tasks */
void ts_task_start (TsTimeline *timeline, TsElementState *state, const TsEvent *event);
void ts_task_end (TsTimeline *timeline, TsElementState *state, const TsEvent *event);
void ts_isr_start (TsTimeline *timeline, TsElementState *state, const TsEvent *event);
void ts_isr_end (TsTimeline *timeline, TsElementState *state, const TsEvent *event);
void ts_scheduled_start_further (TsTimeline *timeline, TsElementState *state, const TsEvent *event);
void ts_scheduled_end_further (TsTimeline *timeline, TsElementState *state, const TsEvent *event);
void ts_crowded_start (TsTimeline *timeline, TsElementState *state, const TsEvent *event); /* crowded.c */
void ts_crowded_end (TsTimeline *timeline, TsElementState *state, const TsEvent *event);
void ts_alone_start (TsTimeline *timeline, TsElementState *state, const TsEvent *event);
void ts_alone_end (TsTimeline *timeline, TsElementState *state, const TsEvent *event);
/* the same, whatever is open or runs; where preemptions are inferred, that is known to be needed */
void ts_task_start_further (TsTimeline *timeline, TsElementState *state, const TsEvent *event);
void ts_task_end_further (TsTimeline *timeline, TsElementState *state, const TsEvent *event);
void ts_isr_start_further (TsTimeline *timeline, TsElementState *state, const TsEvent *event);
void ts_isr_end_further (TsTimeline *timeline, TsElementState *state, const TsEvent *event);
void ts_alone_start_further (TsTimeline *timeline, TsElementState *state, const TsEvent *event);
void ts_alone_end_further (TsTimeline *timeline, TsElementState *state, const TsEvent *event);
/* what makes them ready, running, waiting; so that it is the usual case, and in any case */
void ts_scheduled_preempt (TsTimeline *timeline, TsElementState *state, const TsEvent *event);
void ts_scheduled_resume (TsTimeline *timeline, TsElementState *state, const TsEvent *event);
void ts_scheduled_wait (TsTimeline *timeline, TsElementState *state, const TsEvent *event);
void ts_scheduled_suspend (TsTimeline *timeline, TsElementState *state, const TsEvent *event);
void ts_scheduled_go_on (TsTimeline *timeline, TsElementState *state, const TsEvent *event);
void ts_scheduled_give_up (TsTimeline *timeline, TsElementState *state, const TsEvent *event);
/* of those with unique numbers */
void ts_unique_activate (TsTimeline *timeline, TsElementState *state, const TsEvent *event);
void ts_unique_fork (TsTimeline *timeline, TsElementState *state, const TsEvent *event);
void ts_unique_start (TsTimeline *timeline, TsElementState *state, const TsEvent *event);
void ts_unique_end (TsTimeline *timeline, TsElementState *state, const TsEvent *event);
void ts_unique_resume (TsTimeline *timeline, TsElementState *state, const TsEvent *event);
void ts_alone_suspend (TsTimeline *timeline, TsElementState *state, const TsEvent *event);
void ts_alone_resume (TsTimeline *timeline, TsElementState *state, const TsEvent *event);
void ts_alone_wait (TsTimeline *timeline, TsElementState *state, const TsEvent *event);
void ts_nested_start (TsTimeline *timeline, TsElementState *state, const TsEvent *event);
void ts_nested_end (TsTimeline *timeline, TsElementState *state, const TsEvent *event);
void ts_nested_change (TsTimeline *timeline, TsElementState *state, const TsEvent *event);

/* signal.c: what is written and read */
void ts_signal_access (TsTimeline *timeline, TsElementState *state, const TsEvent *event);

/* cut.c: what is open is given up */
/* The first event of an element since the last cut: where there are many sections, or many error events, most elements
 * have none between two of them. */
void ts_cut_see (TsTimeline *timeline, const TsEvent *event);
void ts_cut_all (TsTimeline *timeline); /* the section ends */
/* Rule 8: where an instance runs beside a younger one of its element, which took its resource, it lost its end. To
 * be called when time goes on: at one time stamp the end may be written after the start. */
void ts_cut_replaced (TsTimeline *timeline);
void ts_cut_at_error (TsTimeline *timeline, const TsEvent *event); /* events may be missing here (rule 17) */

/* The line of the present event. There is nothing but copied of each event what only few are asked for. */
static inline guint64
ts_timeline_line (const TsTimeline *timeline)
{
  return timeline->what >> TS_EVENT_LINE_SHIFT & TS_EVENT_LINE_MASK;
}

static inline void
ts_timeline_set_line (TsTimeline *timeline, guint64 line)
{
  timeline->what = line << TS_EVENT_LINE_SHIFT;
}

/* Whether its running time is load: it does not idle. */
static inline gboolean
ts_element_is_busy (const TsElementState *state)
{
  return state->no_cet == 0;
}

static inline TsCore *
ts_timeline_core (TsTimeline *timeline, guint16 resource)
{
  return &timeline->cores[(guint16) (resource + 1)];
}

static inline TsElementState *
ts_timeline_element (const TsTimeline *timeline, guint32 element)
{
  return &timeline->elements[element + 1];
}

/* To be called before anyone looks at the queue of an element that may have siblings. */
static inline void
ts_siblings_queue (TsTimeline *timeline)
{
  if (timeline->siblings.begin != timeline->siblings.end || timeline->siblings.waiting.n > 0)
    ts_siblings_queue_all (timeline);
}

/* @job is on @resource from now on. */
static inline void
ts_job_place (TsTimeline *timeline, TsJob *job, guint16 resource)
{
  job->facts.resource = resource;
  job->core = ts_timeline_core (timeline, resource);
}

/* The task or ISR that runs on @resource, or NULL. */
static inline TsJob *
ts_timeline_runner (TsTimeline *timeline, guint16 resource)
{
  TsJob *top = ts_timeline_core (timeline, resource)->top;

  return top != NULL && top->state == TS_JOB_RUNNING ? top : NULL;
}

/* What it follows from has changed. */
static inline void
ts_timeline_set_pause (TsTimeline *timeline)
{
  timeline->pause = timeline->beside_time < G_MAXINT64 ? timeline->beside_time + 1 : G_MAXINT64;
  timeline->pause = MIN (timeline->pause, timeline->stray_time);
  if (timeline->options.subtract_overhead || timeline->was_cut)
    timeline->pause = G_MININT64;
}

/* The `besides' are of @time; G_MAXINT64: there are none. */
static inline void
ts_timeline_expect (TsTimeline *timeline, gint64 time)
{
  timeline->beside_time = time;
  ts_timeline_set_pause (timeline);
}

/* The task of a nested job that began at @time may start at that, too; G_MAXINT64: there is none. */
static inline void
ts_timeline_expect_owner (TsTimeline *timeline, gint64 time)
{
  timeline->stray_time = time;
  ts_timeline_set_pause (timeline);
}

static inline gboolean
ts_event_starts_polling (const TsEvent *event)
{
  return event->kind == TS_EVENT_POLL || event->kind == TS_EVENT_UNPARK;
}

/* Whether the number of @event, if it has one, is the format's own, and so that of its instance. */
static TS_ALWAYS_INLINE gboolean
ts_event_has_own_number (const TsEvent *event, gboolean is_task)
{
  return is_task || !(event->flags & TS_EVENT_UNIQUE);
}

static inline gboolean
ts_timeline_in_window (const TsTimeline *timeline, gint64 time)
{
  /* what is before it is, unsigned, far behind it */
  return (guint64) time - (guint64) timeline->window_from < timeline->window_length;
}

static inline void
ts_timeline_emit (TsTimeline *timeline, TsIntervalKind kind, guint32 element, gint64 value, gint64 at, gint64 number)
{
  const TsInterval interval = { element, kind, value, at, number };

  timeline->sink.interval (timeline->sink_data, &interval);
}

/* The same for @n that are alike, of which this is the one to be named. */
static inline void
ts_timeline_emit_alike (TsTimeline *timeline, TsIntervalKind kind, guint32 element, gint64 value, gint64 at,
                        gint64 number, guint n)
{
  const TsInterval interval = { element, kind, value, at, number };

  if (timeline->sink.intervals != NULL)
    timeline->sink.intervals (timeline->sink_data, &interval, n);
  else
    for (; n > 0; n--)
      timeline->sink.interval (timeline->sink_data, &interval);
}

G_END_DECLS
