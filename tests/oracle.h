/* SPDX-License-Identifier: MIT */

#pragma once

#include <tracestat/tracestat.h>

G_BEGIN_DECLS

/*
 * The timing metrics a second time: slow, plain, with the whole section before
 * its eyes, and without a line of the library.  Everything is looked up by
 * scanning; nothing is kept up to date while time goes on.
 */

typedef struct
{
  TsElementType type;
  gboolean idle;
  guint16 resource;
  gint64 period; /* as configured, or 0 */
} OracleElement;

/* What is asked; one section. */
typedef struct
{
  const OracleElement *elements;
  guint n_elements;
  guint n_resources;
  const TsEvent *events; /* in the order of the file; times may go backwards */
  guint n_events;
  gboolean infer; /* rules 12 and 13 */
  gboolean has_start, has_stop;
  gint64 start, stop; /* of the section */
  gboolean has_from, has_to;
  gint64 from, to; /* analysis window, `to` excluded */
} OracleQuestion;

enum
{
  ORACLE_RUNNING,
  ORACLE_PREEMPTED,
  ORACLE_WAITING,
  ORACLE_READY, /* released, or told to resume, and not running yet */
  ORACLE_N_STATES
};

/* Places are indices into the sorted events: -1 is the section's begin, their
 * number is its end. */
typedef struct
{
  gint from, to;
  gint state;
} OracleSegment;

typedef struct
{
  guint element;
  guint16 resource;
  gint64 own_number; /* the format's, or TS_NO_INSTANCE */
  gint64 number;     /* from 1 in the order of the first events */
  gint first;        /* place of its first event */
  gint began, ended; /* places; of a head -1, of a tail the number of events */
  gint owner;        /* instance, or -1 */
  TsInstanceStatus status;
  gboolean has_activation, has_start, has_end;
  gint64 activation, start, end;
  gint64 running, preempted, waiting, self;
  guint n_preemptions;
  gboolean in_window;
  gboolean doubtful; /* the document does not say how long it ran */
  GArray *segments;  /* of OracleSegment */
} OracleInstance;

typedef struct
{
  gint64 value;
  gint64 at;
  gint64 number; /* 0: of no instance */
} OracleSample;

typedef struct
{
  GPtrArray *instances;    /* of OracleInstance, in the order of their first events */
  GArray **samples;        /* [element * TS_N_METRICS + metric], of OracleSample */
  TsElementCounts *counts; /* by element */
  guint *redundant;        /* by element: ends */
  gboolean *open_question; /* by element: instances may be told apart differently */
  gint64 *busy;            /* by resource */
  gboolean *busy_doubtful; /* by resource */
  gint64 window_from, window_to;
} OracleAnswer;

OracleAnswer *oracle_ask (const OracleQuestion *question);
void oracle_answer_free (OracleAnswer *answer);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (OracleAnswer, oracle_answer_free)

/* Samples of JIT are those of DT; the rest is up to oracle_jitter(). */
GArray *oracle_samples (const OracleAnswer *answer, guint element, TsMetricId metric);

/* Statistics by sorting. */
typedef struct
{
  guint n;
  gint64 min, max;
  TsInt128 sum;
  double mean, stddev;
} OracleStatistics;

OracleStatistics oracle_statistics (const gint64 *values, guint n);

/* The smallest of @values that at least @percent of them do not exceed. */
gint64 oracle_percentile (const gint64 *values, guint n, guint percent);

G_END_DECLS
