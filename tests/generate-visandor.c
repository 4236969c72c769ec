/* SPDX-License-Identifier: MIT */

/* Part of generate: traces of parallel logic programs, which have a simulation of their own. */

#include "generate-visandor.h"

#include <inttypes.h>

#include "simulate-visandor.h"

typedef struct
{
  FILE *csv;
  gboolean is_or;
} Truth;

static void
write_number (FILE *csv, gboolean known, gint64 value)
{
  if (known)
    fprintf (csv, ",%" PRId64, value);
  else
    fputc (',', csv);
}

/* The columns are those of the other formats.  A branch that has split, and has no end, has ended there. */
static void
write_instance (const VisTask *x, VisKind kind, gpointer data)
{
  const Truth *truth = data;
  gboolean known = kind == VIS_IS_TASK;
  gint64 end = kind == VIS_IS_ROOT && truth->is_or ? x->since : x->end;
  const char *type = kind == VIS_IS_ROOT ? "root" : kind == VIS_IS_SLAVE ? "slave" : truth->is_or ? "branch" : "goal";

  fprintf (truth->csv, "1,%d,%s,%s,%u,complete,%s", x->agent, type, type, MAX (x->place, 1),
           known ? "chained" : "");
  write_number (truth->csv, known, x->activation);
  write_number (truth->csv, TRUE, x->start);
  write_number (truth->csv, TRUE, end);
  write_number (truth->csv, TRUE, x->running);
  write_number (truth->csv, TRUE, x->running);
  write_number (truth->csv, TRUE, end - x->start);
  write_number (truth->csv, known, end - x->activation);
  write_number (truth->csv, known, x->start - x->activation);
  write_number (truth->csv, TRUE, x->n_preemptions);
  write_number (truth->csv, TRUE, x->preempted);
  write_number (truth->csv, TRUE, x->waiting);
  fputc ('\n', truth->csv);
}

gboolean
generate_visandor (guint64 seed, gboolean is_or, guint n_agents, guint64 n_events, FILE *file, FILE *csv)
{
  Truth truth = { csv, is_or };
  VisProgram program = { .seed = seed,
                         .is_or = is_or,
                         .n_agents = n_agents,
                         .max_width = 3,
                         .max_depth = is_or ? 8 : 10,
                         .max_work = 200,
                         .min_events = MAX (n_events, 1),
                         .on_instance = csv != NULL ? write_instance : NULL,
                         .data = &truth };

  /* branches are one tree, which must not end too early: each has one and a half on average */
  for (guint64 n = n_events; is_or && n > 0; n /= 2)
    program.max_depth += 3;
  vis_truth_free (vis_simulate (&program, NULL, file));
  return !ferror (file) && (csv == NULL || !ferror (csv));
}
