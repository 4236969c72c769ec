/* SPDX-License-Identifier: MIT */

#pragma once

#include <stdio.h>

#include <glib.h>

G_BEGIN_DECLS

/*
 * A seeded simulation of fixed-priority preemptive scheduling on one or more
 * cores.  It hands out, in order of time, the events that a tracing tool would
 * record and the truth that only the simulation knows: every instance, every
 * preemption, the busy time of every core.  It shares no code with the
 * library, so it serves as an oracle for it.
 *
 * The truth is what a perfect reader of the trace could know.  So while an
 * activation from before a recording still pends, the task is not activated
 * again (the two could not be told apart); and where preempt and resume are
 * not written, the end of a job always resumes the one below, even if another
 * one starts at the same time, which then makes two preemptions.
 *
 * All times are integers, in ticks of the time base divided by 10^decimals.
 * Memory depends on the number of elements, never on the length of the trace.
 */

typedef enum
{
  SIM_TASK,
  SIM_ISR,
  SIM_RUNNABLE,
  SIM_FUNCTION
} SimType;

typedef enum
{
  SIM_ACTIVATION,
  SIM_ACTIVATION_OS,
  SIM_ACTIVATION_CHAINED,
  SIM_ACTIVATION_FAILED,
  SIM_START,
  SIM_END,
  SIM_PREEMPT,
  SIM_RESUME,
  SIM_WAIT,
  SIM_RELEASE,
  SIM_N_KINDS
} SimKind;

#define SIM_FOREVER (G_MAXINT64 / 4)
#define SIM_MAX_QUEUE 16
#define SIM_MAX_CALLS 10000  /* of `depth' */

/* An instance may be cut at both ends: SIM_HEAD | SIM_TAIL. */
typedef enum
{
  SIM_COMPLETE = 0,
  SIM_HEAD = 1,  /* it ran before the recording began */
  SIM_TAIL = 2   /* it was open when the recording ended */
} SimStatus;

/* What a task does between two slices. */
typedef enum
{
  SIM_PREEMPTED,  /* preempt to resume */
  SIM_WAITING,    /* wait to release */
  SIM_RELEASED,   /* release to resume: ready, yet not preempted by anyone */
  SIM_N_INTERVALS
} SimIntervalKind;

/* Zero means "the usual" in every field, see sim_config_complete(). */
typedef struct
{
  guint64 seed;

  /* The system. */
  gboolean engine;       /* the fixed example; the counts below are not used */
  guint n_cores;
  guint n_tasks;         /* of all cores together */
  guint n_isrs;          /* of all cores together */
  guint n_chained;       /* how many of the tasks are activated by others */
  guint n_runnables;     /* per task */
  guint n_functions;     /* per runnable */
  guint load;            /* of the tasks on a core, 1/1000 */
  guint isr_load;        /* of the ISRs on a core, 1/1000 */
  gint64 base_period;    /* of the fastest task */
  guint queue_limit;     /* activations of a task that may be pending */
  gboolean idle_tasks;   /* one per core: starts once, never ends */
  gboolean shared;       /* runnables called from two tasks of a core */
  gboolean recursion;    /* functions that call themselves */
  guint depth;           /* not 0: in place of all that, each task calls one
                            function, which calls itself this deep */
  gboolean odd_names;    /* names that need escaping */

  /* What happens now and then: chances in 1/1000. */
  guint zero;            /* no execution time; also stirs equal time stamps */
  guint overrun;         /* several times the usual execution time */
  guint wait;            /* a task waits: ATF cannot say this */
  gboolean separate;     /* each job draws its own lots, so that a longer one
                            changes the work of no other */
  guint jitter;          /* of a periodic activation, 1/1000 of the period */

  /* What is recorded of it. */
  guint n_sections;
  gint64 start;          /* of the first section: > 0 gives partial heads */
  gint64 duration;       /* of each section */
  gint64 gap;            /* between two sections */
  gboolean no_preempt_events;  /* neither preempt nor resume is written */
  gboolean runnable_preempts;  /* they are written for runnables as well */
  gboolean alternative_order;  /* at one stamp: ISR start, then preempt;
                                  resume, then ISR end */

  /* How it is written. */
  guint decimals;
  guint base_numerator, base_denominator;
  const char *base_unit;
  const char *period_name;  /* annotation of the period; "" for none */
  const char *end_name;     /* event type of an end: end, stop, terminate */
} SimConfig;

typedef struct
{
  char *name;
  const char *comment;   /* or NULL */
  SimType type;
  gint parent;           /* where it is declared; -1 for tasks and ISRs */
  guint core;
  guint id;              /* sparse, in no order, unique in the file */
  guint priority;        /* tasks and ISRs: larger is more urgent */
  gint64 period;         /* as configured and annotated; 0 if not */
  gint64 cet_min, cet_max;  /* overruns excepted */
  gboolean idle;
  guint slow;            /* tasks and ISRs: 1/1000 that every job takes longer */
  gboolean has_activation;  /* FALSE: its activations are not traced */
  SimKind activation_kind;

  /*< private >*/
  gint64 interval;       /* between activations; 0: by others only */
  gint64 offset;
  gboolean sporadic;
  gint chain;            /* activated when this one ends, or -1 */
  guint queue_limit;
  GArray *children;      /* guint: what it may call */
} SimElement;

typedef struct
{
  SimConfig config;
  guint n_cores;
  guint *core_ids;
  guint n_elements;
  guint n_jobs;          /* the first elements are the tasks and ISRs */
  SimElement *elements;
  guint *order;          /* private: jobs by core, the most urgent first */
  guint *first;          /* private: by core, and one more: into order */
} SimSystem;

/* Only what is in the trace.  Equal times: the order is that of the file. */
typedef struct
{
  gint64 time;
  SimKind kind;
  guint element;
  guint core;
  guint64 instance;      /* from 0, over all sections; a failed activation
                            consumes a number, as does one not recorded */
  gint owner;            /* runnables, functions: the task or ISR that runs;
                            activations: who activates; or -1 */
  guint64 owner_instance;
} SimEvent;

typedef struct
{
  guint element;
  guint core;
  guint section;
  guint64 number;        /* from 1 in each section, in order of the first
                            event that the section contains of it */
  guint64 instance;      /* as in SimEvent */
  SimStatus status;
  gboolean has_activation;  /* it is recorded, in this section */
  SimKind activation_kind;
  gint64 activation;     /* the three times are true even if not recorded */
  gint64 start;
  gint64 end;            /* the section's stop for a tail */
  gint64 running;        /* inside the section, callees included */
  gint64 self;           /* without direct callees */
  gint64 off[SIM_N_INTERVALS];     /* sums of the intervals with both ends
                                      recorded, as they were delivered */
  guint64 n_off[SIM_N_INTERVALS];  /* how many these are */
  gint owner;            /* as in SimEvent */
  guint64 owner_instance;
  guint64 owner_number;  /* 0: nothing of it has been recorded so far */
  gboolean owner_seen;   /* some event of the owner was recorded before the
                            first of this one */
} SimInstance;

/* Only those whose both ends are recorded.  The interval of a head is left
   out where the trace has no event of that head, or of the task that it is
   in, before or at its begin. */
typedef struct
{
  SimIntervalKind kind;
  guint element;
  guint section;
  guint64 number;
  gint64 begin;
  gint64 end;
} SimInterval;

typedef struct
{
  guint64 instances;     /* of which the section has an event */
  guint64 activations;   /* successful ones */
  guint64 failed;
  guint64 pending;       /* recorded, not started when the section ended */
  guint64 starts;
  guint64 ends;
} SimCounts;

/* Members after `stop` are valid at the end of a section.  Busy is the
   running time of tasks and ISRs of which the section has an event. */
typedef struct
{
  guint index;
  gint64 start;
  gint64 stop;
  guint64 n_events;
  const SimCounts *counts;   /* one per element */
  const gint64 *busy;        /* one per core, without idle tasks */
  const gint64 *busy_idle;   /* one per core, of idle tasks alone */
} SimSection;

/* Every callback may be NULL. */
typedef struct
{
  void (*section_begin) (const SimSystem  *system,
                         const SimSection *section,
                         gpointer          user_data);
  void (*event)         (const SimSystem  *system,
                         const SimEvent   *event,
                         gpointer          user_data);
  void (*instance)      (const SimSystem   *system,
                         const SimInstance *instance,
                         gpointer           user_data);
  void (*interval)      (const SimSystem   *system,
                         const SimInterval *interval,
                         gpointer           user_data);
  void (*section_end)   (const SimSystem  *system,
                         const SimSection *section,
                         gpointer          user_data);
} SimCallbacks;

/* Shapes: named configurations, each showing one thing. */
guint       sim_n_shapes          (void);
const char *sim_shape_name        (guint index);
const char *sim_shape_description (guint index);

/* FALSE if there is no such shape. */
gboolean    sim_shape             (const char *name,
                                   guint64     seed,
                                   SimConfig  *config);

/* Whether ATF can say everything that the configuration makes happen. */
gboolean    sim_config_is_atf     (const SimConfig *config);

/* Fills in what is zero. */
void        sim_config_complete   (SimConfig *config);

SimSystem  *sim_system_new        (const SimConfig *config);
void        sim_system_free       (SimSystem *system);

void        sim_run               (const SimSystem    *system,
                                   const SimCallbacks *callbacks,
                                   gpointer            user_data);

/* The same; stops short after max_events, unless 0, without closing the
 * section.  Returns the time of the last event, or the end. */
gint64      sim_run_events        (const SimSystem    *system,
                                   const SimCallbacks *callbacks,
                                   gpointer            user_data,
                                   guint64             max_events);

/* How long the first section must be to hold at least n_events. */
gint64      sim_measure           (const SimConfig *config,
                                   guint64          n_events);

const char *sim_type_name         (SimType type);

/* As ATF calls it; END gives "end". */
const char *sim_kind_name         (SimKind kind);

/* A generator of its own, so that a seed gives the same bytes everywhere. */
static inline guint64
sim_random (guint64 *state)
{
  guint64 z = (*state += G_GUINT64_CONSTANT (0x9e3779b97f4a7c15));

  z = (z ^ (z >> 30)) * G_GUINT64_CONSTANT (0xbf58476d1ce4e5b9);
  z = (z ^ (z >> 27)) * G_GUINT64_CONSTANT (0x94d049bb133111eb);
  return z ^ (z >> 31);
}

/* Both ends included. */
static inline gint64
sim_random_range (guint64 *state, gint64 low, gint64 high)
{
  if (high <= low)
    return low;

  return low + (gint64) (sim_random (state) % (guint64) (high - low + 1));
}

static inline gboolean
sim_random_chance (guint64 *state, guint permille)
{
  return permille > 0 && sim_random (state) % 1000 < permille;
}

/* The writer */

/* Appends a time, in file ticks with as many decimals as it needs. */
void        sim_append_time       (GString *string,
                                   gint64   time,
                                   guint    decimals);

/* Runs the simulation and writes it as ATF 1.0, to `file` or, where that is
 * NULL, to the end of `string`.  The callbacks (may be NULL) are called as
 * by sim_run(), after the writer has seen the same thing.  FALSE, with errno
 * set, if the file cannot be written. */
gboolean    sim_atf_write         (const SimSystem    *system,
                                   FILE               *file,
                                   GString            *string,
                                   const SimCallbacks *callbacks,
                                   gpointer            user_data);

/* What a BTF trace can look like. */
typedef enum
{
  SIM_BTF_21,      /* tables in rows, blanks after commas, SYS events */
  SIM_BTF_23,
  SIM_BTF_NUMERIC  /* numbers for names and types */
} SimBtfDress;

/* Whether BTF can say everything that the configuration makes happen. */
gboolean    sim_config_is_btf     (const SimConfig *config);

/* As sim_atf_write(), for BTF: a nanosecond is a tick divided by
 * 10^decimals. */
gboolean    sim_btf_write         (const SimSystem    *system,
                                   SimBtfDress         dress,
                                   FILE               *file,
                                   GString            *string,
                                   const SimCallbacks *callbacks,
                                   gpointer            user_data);

/* Whether TRACE can say everything of tasks and ISRs that the configuration
 * makes happen, but for heads and tails: it knows neither. */
gboolean    sim_config_is_etf     (const SimConfig *config);

/* The same as TRACE (.etf): several claims of one job where it is preempted,
 * told apart by `id', and `event=activate' events, with dependencies from
 * these to the first claims if they are asked for. */
gboolean    sim_etf_write         (const SimSystem    *system,
                                   FILE               *file,
                                   GString            *string,
                                   gboolean            dependencies,
                                   const SimCallbacks *callbacks,
                                   gpointer            user_data);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (SimSystem, sim_system_free)

G_END_DECLS
