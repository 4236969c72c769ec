/* SPDX-License-Identifier: MIT */

#pragma once

#include <tracestat/tracestat.h>

#include "simulate.h"

G_BEGIN_DECLS

/* All that a simulation knows about one trace of it, kept, and the samples of
 * all metrics that follow from it.  Times are those of the simulation. */

typedef struct
{
  guint section;
  gint64 time;
} TruthActivation;

typedef struct
{
  GArray *instances;   /* of SimInstance, by section and number */
  GArray *intervals;   /* of SimInterval */
  GArray *activations; /* of TruthActivation */
  SimCounts counts;
  guint64 complete, heads, tails;
} TruthElement;

typedef struct
{
  const SimSystem *system;
  TruthElement *elements;
  gint64 *busy;
  gint64 window;
  guint n_sections;
  gboolean has_numbers; /* of instances, in the trace that is looked at */
} Truth;

/* Runs the simulation; with @text, writes it as ATF to its end. */
Truth *truth_new (const SimSystem *system, GString *text);
void truth_free (Truth *truth);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (Truth, truth_free)

/* How often @instance was preempted: a job that is released and not resumed at once is kept
 * off its core by others. */
gint64  truth_preemptions (const Truth *truth, const SimInstance *instance);

/* The samples, of gint64; those of JIT are DT's. */
GArray *truth_samples (const Truth *truth, guint element, TsMetricId metric);

G_END_DECLS
