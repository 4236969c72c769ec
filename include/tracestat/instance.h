/* SPDX-License-Identifier: MIT */
#pragma once

#include <tracestat/event.h>

G_BEGIN_DECLS

typedef enum
{
  TS_STATUS_COMPLETE,     /* its end was seen, and mostly its start */
  TS_STATUS_PARTIAL_HEAD, /* began before the section (METRICS, rule 6) */
  TS_STATUS_PARTIAL_TAIL, /* cut by the section's end or an error event (rule 7) */
  TS_STATUS_MISSING_END,  /* something came first that shows that it was over (rule 8) */
  TS_N_STATUSES
} TsInstanceStatus;

TS_API const char *ts_instance_status_name (TsInstanceStatus status);

enum
{
  TS_INSTANCE_HAS_ACTIVATION = 1 << 0,
  TS_INSTANCE_HAS_START = 1 << 1,
  TS_INSTANCE_HAS_END = 1 << 2,
  TS_INSTANCE_HAS_DT = 1 << 3,
  TS_INSTANCE_HAS_PER = 1 << 4,
  TS_INSTANCE_HAS_ST = 1 << 5,
  TS_INSTANCE_HAS_E2S = 1 << 6,
  TS_INSTANCE_IN_WINDOW = 1 << 7, /* its start lies in the analysis window (rule 20) */
  TS_INSTANCE_NO_CET = 1 << 8,    /* its running time cannot be known */
  TS_INSTANCE_COUNTS_PER = 1 << 9, /* its PER is a sample: its activation lies in the window */
  TS_INSTANCE_COUNTS_ST = 1 << 10, /* its ST is: the later of both events does. Of a task; elsewhere ST is E2S */
  TS_INSTANCE_TOLD_E2S = 1 << 11, /* its E2S is there, but was told as an interval: the instance before ended later */
};

/* One instance of one element, published when it is closed or cut. Times in internal
 * units; a field is valid only if its flag is set. Its DT and E2S are samples if it is in the window, but for an E2S
 * that was told. */
typedef struct
{
  /* as in the event that it begins with, of which this is a copy but for its kind and flags */
  gint64  start;
  guint64 line : 48; /* of its start, or of the first event seen of it */
  guint64 status : 8;          /* TsInstanceStatus */
  guint64 activation_kind : 8; /* TsEventKind */
  guint32 element;
  gint32  own_number; /* as in its events, or TS_NO_INSTANCE */
  guint32 owner;      /* element of the instance that it ran in, or TS_NO_ELEMENT */
  guint16 resource;   /* where it ended, or TS_NO_RESOURCE */
  guint16 flags;

  gint64  number; /* from 1 in order of start, or the format's own */
  gint64  activation, end;
  gint64  dt, e2s, st, per; /* from the instance before to this one */
  gint64  preempted_closed; /* of `preempted': what both ends were seen of (rules 6 and 7) */
  gint64  preempted, waiting, running; /* so far, for a cut one; waiting that did not end is not in it */
  gint64  self;             /* of `running': not in its callees */
  gint64  owner_instance;   /* if it has an owner: the number of that instance, or TS_NO_INSTANCE */
  guint32 n_preemptions;    /* closed ones */
  guint32 section;
} TsInstance;

G_STATIC_ASSERT (G_STRUCT_OFFSET (TsInstance, start) == G_STRUCT_OFFSET (TsEvent, time));
G_STATIC_ASSERT (G_STRUCT_OFFSET (TsInstance, element) == G_STRUCT_OFFSET (TsEvent, element));
G_STATIC_ASSERT (G_STRUCT_OFFSET (TsInstance, own_number) == G_STRUCT_OFFSET (TsEvent, instance));
G_STATIC_ASSERT (G_STRUCT_OFFSET (TsInstance, owner) == G_STRUCT_OFFSET (TsEvent, owner));
G_STATIC_ASSERT (G_STRUCT_OFFSET (TsInstance, resource) == G_STRUCT_OFFSET (TsEvent, resource));

/* A sample that is not in its instance: PRE, WAIT and POLL, of which an instance may have many; of the others what
 * is known only after the instance was published, or of an activation that never was one. */
typedef enum
{
  TS_INTERVAL_DT,   /* start to start */
  TS_INTERVAL_PER,  /* activation to activation */
  TS_INTERVAL_ST,   /* tasks: end to next activation; others: end to next start */
  TS_INTERVAL_E2S,  /* end to next start */
  TS_INTERVAL_PRE,  /* preempt to resume */
  TS_INTERVAL_WAIT, /* wait to the end of the waiting */
  TS_INTERVAL_POLL, /* busy waiting, which is running */
  TS_INTERVAL_AGE,  /* signals: write to read */
  TS_N_INTERVALS
} TsIntervalKind;

typedef struct
{
  guint32 element;
  guint32 kind;   /* TsIntervalKind */
  gint64  value;  /* internal units; ST and E2S may be negative */
  gint64  at;     /* DT, PER, ST, E2S: the event that ends it; PRE, WAIT, POLL: the start of the instance; AGE: the read */
  gint64  number; /* the instance that `at` belongs to */
} TsInterval;

G_END_DECLS
