/* SPDX-License-Identifier: MIT */
#pragma once

#include <check.h>
#include <glib.h>

#include <tracestat/timeline.h>

#include "analyse/measures.h"

G_BEGIN_DECLS

/*
 * Feeds a trace, written as text, to a timeline and shows what came of it as text.
 *
 * A trace is a list of statements, parted by ';' or a line break:
 *
 *     TIME KIND [ELEMENT[#INSTANCE]] [on CORE] [in OWNER[#INSTANCE]] [FLAG]... [beside N]
 *     section [START [STOP]]      a section begins; without it: one section with START 0
 *     cores N                     so many more cores are declared
 *
 * KIND: act act-os act-chained act-failed start end preempt resume wait release poll run
 * park unpark fork error user. FLAG: unique replaces lost earlier unseen decides unsure withdrawn
 * from-owner stops goes-on; N is what an event of a fork says of siblings. An element is declared on core 0 where it first occurs; its first
 * letter is its type: T task, I ISR, r runnable, f function, b basic block, p process,
 * s stopwatch. CORE is 0 (which is the default), 1 or `-' for none, OWNER may be `?': one that
 * is none of the elements. The n-th statement stands in line n.
 */

typedef struct
{
  TsSystem         *system;
  TsDiagnostics    *diagnostics;
  TsTimelineOptions options;
  GArray           *overheads; /* of TsOverhead, for every section */
  TsTimeline       *timeline;
  TsMeasures       *measures;
  GArray           *instances; /* of TsInstance, in the order of publication */
  GArray           *intervals; /* of TsInterval */
  GPtrArray        *sections;  /* of TsSection */
  GPtrArray        *texts;     /* lent to the tests */
} TimelineFixture;

extern TimelineFixture fixture;

void fixture_setup (void);
void fixture_setup_following (void); /* of two open callees the outer one follows its task already */
void fixture_teardown (void);

/* Before the trace: */
void    fixture_infer (void); /* the trace can say neither preempt nor resume */
void    fixture_window (gint64 from, gint64 to);
void    fixture_overhead (const char *element, gint64 before, gint64 after); /* NULL: for all */
guint32 fixture_element (const char *name);

void run_trace (const char *script);
void run_events (const TsEvent *events, gsize n_events); /* one section with Start 0 */

/* Every metric with samples, these in ascending order: "CET 5 6 | GET 6 6 | DT 20". JIT and LOAD are not of the timeline. */
const char *shown_metrics (const char *element);
/* Busy time / window. */
const char *shown_load (guint core);
/* Everything that was diagnosed: "overlap 1, partial-tail 2". */
const char *shown_found (void);
/* Counts that are not 0: "starts 2, ends 2, complete 2". */
const char *shown_counts (const char *element);
/* What was not over, see TsUnfinished: "GET 98@12#1 | RT 100@12#1". */
const char *shown_unfinished (const char *element);
/* Instances in order of their end: "1 complete, 2 partial tail". */
const char *shown_instances (const char *element);
/* The samples of one kind as they came, with the event that ends them or their instance: "5@10#2". */
const char *shown_intervals (const char *element, TsIntervalKind kind);

const TsInstance *fixture_instance (const char *element, gint64 number);

#define expect(element, text) ck_assert_str_eq (shown_metrics (element), text)
#define expect_load(core, text) ck_assert_str_eq (shown_load (core), text)
#define expect_found(text) ck_assert_str_eq (shown_found (), text)
#define expect_counts(element, text) ck_assert_str_eq (shown_counts (element), text)
#define expect_unfinished(element, text) ck_assert_str_eq (shown_unfinished (element), text)
#define expect_instances(element, text) ck_assert_str_eq (shown_instances (element), text)
#define expect_intervals(element, kind, text) ck_assert_str_eq (shown_intervals (element, TS_INTERVAL_##kind), text)

/* What must hold in every trace: GET = CET + sum (PRE) + sum (WAIT), and the like. */
void check_invariants (void);

/* The parts of the suite. */
void add_activation_tests (Suite *suite);
void add_part_tests (Suite *suite);
void add_window_tests (Suite *suite);
void add_nested_tests (Suite *suite);
void add_stray_tests (Suite *suite);
void add_frame_tests (Suite *suite);
void add_core_tests (Suite *suite);
void add_inference_tests (Suite *suite);
void add_wait_tests (Suite *suite);
void add_fork_tests (Suite *suite);
void add_heads_tests (Suite *suite);
void add_lost_tests (Suite *suite);
void add_unfinished_tests (Suite *suite);
void add_crowd_tests (Suite *suite);
void add_many_tests (Suite *suite);
void add_random_tests (Suite *suite);
void add_stamp_tests (Suite *suite);

G_END_DECLS
