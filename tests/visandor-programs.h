/* SPDX-License-Identifier: MIT */
#pragma once

#include "simulate-visandor.h"

G_BEGIN_DECLS

#define N_SEEDS 40

/* By the number of the test: and or or, one to many agents, reused and fresh ids, late ends
 * of branches, and traces that are cut. */
static inline VisProgram
make_program (int i)
{
  return (VisProgram){ .seed = (guint64) i * 7919 + 1,
                       .is_or = i % 2 == 1,
                       .n_agents = 1 + (guint) i % 7,
                       .n_tasks = 20 + (guint) (i % 5) * 200,
                       .max_width = 1 + (guint) i % 4,
                       .max_depth = i % 7 == 6 ? 5 : 0,
                       .max_work = 1 + (guint) (i % 6) * 40,
                       .fresh_ids = i % 3 == 0,
                       .splits_end = i % 4 == 3,
                       .max_events = i % 5 == 4 ? 100 + (guint) i * 3 : 0 };
}

G_END_DECLS
