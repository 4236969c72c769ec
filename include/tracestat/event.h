/* SPDX-License-Identifier: MIT */
#pragma once

#include <string.h>

#include <tracestat/system.h>

G_BEGIN_DECLS

/* What happened. The first group acts on an instance of an element; the last group
 * is only counted. */
typedef enum
{
  TS_EVENT_ACTIVATION,
  TS_EVENT_ACTIVATION_OS,
  TS_EVENT_ACTIVATION_CHAINED,
  TS_EVENT_ACTIVATION_FAILED,
  TS_EVENT_START,
  TS_EVENT_END,
  TS_EVENT_PREEMPT,
  TS_EVENT_RESUME,
  TS_EVENT_WAIT,    /* gives the resource up until released */
  TS_EVENT_RELEASE, /* ready again, not yet running */
  TS_EVENT_POLL,    /* busy waiting: keeps the resource, counts as running */
  TS_EVENT_RUN,     /* the end of polling */
  TS_EVENT_PARK,    /* polling gives the resource up: counts as waiting */
  TS_EVENT_UNPARK,  /* back on the resource, polling again */
  TS_EVENT_FORK,    /* as activation-chained, of siblings: so many more of them as `owner_number' says; one overhead */
  TS_EVENT_READ,    /* of a signal, by its owner */
  TS_EVENT_WRITE,
  TS_EVENT_ERROR,   /* the trace has a hole here: everything on the resource begins anew. In such a trace all events of an
                       element that is declared on a resource are there */
  TS_EVENT_USER,    /* counted only; with overheads it also costs time on its resource */
  TS_N_EVENT_KINDS
} TsEventKind;

#define TS_NO_INSTANCE G_MININT32

/* Where a format knows more than the kind says; those up to TS_EVENT_UNIQUE are of events with an instance number. */
enum
{
  /* activation-failed, but of no task: of the activation that is queued under the number; fork: it is known to come to
   * nothing, and of no activation */
  TS_EVENT_WITHDRAWN = 1 << 0,
  TS_EVENT_FROM_OWNER = 1 << 1,    /* start, but of no task: the activation is queued under the element `owner' */
  TS_EVENT_LOST = 1 << 1,          /* end: it was not in the trace, and came at the latest now; resume: the same of when it was
                                    * preempted, and preempt: of when it went on */
  TS_EVENT_ENDED_EARLIER = 1 << 2, /* end: it was when the instance went into its present state */
  TS_EVENT_UNSEEN = 1 << 2,        /* start: it was not in the trace; now the instance, which was activated, is preempted */
  /* no other instance of the element has the number, in all the trace; of what is no task it is not the format's own, so
   * that people are told another: instances are counted */
  TS_EVENT_UNIQUE = 1 << 3,
  TS_EVENT_REPLACES = 1 << 6,      /* start: while it runs, no other instance of the element does on the resource */
  TS_EVENT_STOPS = 1 << 4,         /* user: the recording ends here (rule 20), unless it goes on, or stops later */
  TS_EVENT_GOES_ON = 1 << 5,       /* user: it does not */
  /* Siblings of a fork, whose numbers are unique. The time since the activation before belongs to the first of them that
   * starts, which says so, and how many numbers before it the first one is that waited (`owner_number'); it need not where that
   * is itself, and the fork is sure. As long as none has started, the first one that waits says, if it is withdrawn, in the
   * same place how many numbers behind it the next one is. Where none of them starts, and all are withdrawn, there was no
   * activation: the last one says so, if the fork was unsure. */
  TS_EVENT_UNSURE = 1 << 7,        /* fork: that may be; so it is with all activations of the element */
  TS_EVENT_DECIDES = 1 << 7,       /* start, or end of what lost it: it is the first; activation-failed: it is the last */
};

/* One event. No pointers, 32 bytes. */
typedef struct
{
  gint64  time;     /* internal units */
  guint64 line : 48; /* where it stands in the file, from 1 */
  guint64 kind : 8;  /* TsEventKind */
  guint64 flags : 8; /* TS_EVENT_WITHDRAWN ... */
  guint32 element;  /* of the system; or TS_NO_ELEMENT for error and user events */
  gint32  instance; /* the format's own number, or TS_NO_INSTANCE */
  guint32 owner;    /* the task that a nested element runs in, or TS_UNDECLARED_OWNER; TS_NO_ELEMENT: who runs there */
  guint16 resource; /* or TS_NO_RESOURCE */
  /* Of the instance of `owner', see ts_event_owner_number(); 0: not known. Fork: siblings, whose numbers follow. */
  guint16 owner_number;
} TsEvent;

G_STATIC_ASSERT (sizeof (TsEvent) == 32);

/* What an event is and where it stands are one word. A compiler that is given the parts one after the other reads the
 * word again for each of them: these are for where events are made by the million. */
#if G_BYTE_ORDER == G_LITTLE_ENDIAN
#define TS_EVENT_LINE_SHIFT 0
#define TS_EVENT_KIND_SHIFT 48
#define TS_EVENT_FLAGS_SHIFT 56
#else
#define TS_EVENT_LINE_SHIFT 16
#define TS_EVENT_KIND_SHIFT 8
#define TS_EVENT_FLAGS_SHIFT 0
#endif

#define TS_EVENT_LINE_MASK ((G_GUINT64_CONSTANT (1) << 48) - 1) /* when it is shifted down */

/* That word without the line. */
static inline guint64
ts_event_what (TsEventKind kind, guint8 flags)
{
  return (guint64) kind << TS_EVENT_KIND_SHIFT | (guint64) flags << TS_EVENT_FLAGS_SHIFT;
}

/* Writes the whole of it; @line is below 2^48, and @what from ts_event_what(). */
static inline void
ts_event_place (TsEvent *event, guint64 line, guint64 what)
{
  const guint64 word = line << TS_EVENT_LINE_SHIFT | what;

  memcpy ((char *) event + sizeof event->time, &word, sizeof word);
}

/* Reads the whole of it, with the line. */
static inline guint64
ts_event_word (const TsEvent *event)
{
  guint64 word;

  memcpy (&word, (const char *) event + sizeof event->time, sizeof word);
  return word;
}

TS_API const char *ts_event_kind_name (TsEventKind kind);

/* Of the owner's number, an event has this bit, which says that it is known, and the 15 lowest bits: those that are open
 * rarely have the same. */
#define TS_EVENT_OWNER_IS_NUMBERED 0x8000

static inline guint16
ts_event_owner_number (gint32 instance)
{
  return instance != TS_NO_INSTANCE ? (guint16) ((guint32) instance | TS_EVENT_OWNER_IS_NUMBERED) : 0;
}

/* Time one traced event costs (ATF 1.0, 4.25), in internal units. */
typedef struct
{
  guint32 element; /* or TS_NO_ELEMENT: for every element without its own */
  gint64  before;  /* up to the moment where the stamp is taken */
  gint64  after;   /* from there on; a `total overhead` is all after */
} TsOverhead;

/* A tracing overhead as the trace states it, for the report. */
typedef struct
{
  const char *type;  /* "total overhead", "before taking time", "after taking time" */
  const char *range; /* "min", "max" or NULL */
  guint32     element; /* or TS_NO_ELEMENT */
  guint64     numerator, denominator;
  int         exponent;
} TsOverheadNote;

/* A comment at a moment or over a range (ATF 1.0, 4.15 and 4.17). */
typedef struct
{
  gint64      from, to; /* internal units; equal for a moment */
  gboolean    has_time; /* FALSE: on the trace as a whole */
  const char *text;
} TsTraceComment;

/* One separately taken recording (ATF 1.0, 4.21 TraceData). Texts are interned in the system. */
typedef struct
{
  guint      number; /* from 1 */
  gint64     start, stop; /* internal units */
  gboolean   has_start, has_stop;
  const char *comment;
  TsToolInfo tool;
  GArray    *overheads; /* of TsOverhead: what to subtract, or NULL */
  GArray    *overhead_notes; /* of TsOverheadNote, or NULL */
  GArray    *comments;  /* of TsTraceComment, or NULL */
  guint64    n_written; /* events as they stand in the trace, where one is none or several of those here; 0: as many */
  /* filled when the section ends */
  guint64    n_events; /* that many, or as many as there were */
  gint64     first, last; /* stamps of the first and last event */
  gint64     window_from, window_to; /* what LOAD is relative to */
} TsSection;

G_END_DECLS
