/* SPDX-License-Identifier: MIT */
#pragma once

#include <stdio.h>

#include <glib.h>

G_BEGIN_DECLS

/*
 * A seeded execution of a parallel logic program on some agents: goals that
 * fork and join, or branches that split, are suspended, cut, and helped by
 * slaves.  It writes the trace as VisAndOr reads it and keeps the truth, which
 * it knows from having decided it.  It shares no code with the library.
 */

typedef struct _VisTask VisTask;

typedef enum
{
  VIS_IS_ROOT,
  VIS_IS_TASK,           /* goal or branch */
  VIS_IS_SLAVE
} VisKind;

/* What is over, in no order of interest; a branch that was withdrawn is not told of. */
typedef void (*VisInstanceFunc) (const VisTask *instance, VisKind kind, gpointer data);

typedef struct
{
  guint64  seed;
  gboolean is_or;
  guint    n_agents;
  guint    n_tasks;     /* about so many are forked */
  guint    max_width;   /* tasks of a fork */
  guint    max_depth;   /* of forks in forks; 0: any */
  guint    max_work;    /* between two events of a task */
  gboolean fresh_ids;   /* a node has an id of its own, not one that is reused */
  gboolean splits_end;  /* or: branches that have split end once their branches are over */
  guint    max_events;  /* the trace is cut after so many lines; 0: never */
  /* For traces of any length: it forks on until there are so many lines, and what is over is told and forgotten,
   * so that memory grows with max_depth only.  0: the truth is kept, and n_tasks counts. */
  guint64  min_events;
  VisInstanceFunc on_instance; /* or NULL */
  gpointer data;
} VisProgram;

typedef enum
{
  VIS_PENDING,
  VIS_RUNNING,
  VIS_WAITING,
  VIS_SUSPENDED,
  VIS_SPLIT,
  VIS_ENDED,
  VIS_WITHDRAWN
} VisTaskState;

struct _VisTask
{
  VisTask   *father;
  guint64    node;       /* that it is a task of */
  guint      index;      /* in it */
  guint      depth;
  guint      number;     /* from 1 in order of forks, or of starts for a slave */
  guint      place;      /* from 1 in order of starts, of its kind */
  gint       agent;      /* that runs it, or ran it last */
  VisTaskState state;
  gint64     activation, start, end, since;
  gint64     running, waiting, preempted;
  guint      n_preemptions;
  gint64     finished_path; /* own work when its present fork was made, and before */
  GPtrArray *children;   /* of the present fork: of VisTask */
  GArray    *segments;   /* gint64: own work between forks */
  GPtrArray *forks;      /* of GPtrArray of VisTask */
  guint      n_open;     /* children that are not over */
  guint      fork_node;  /* index of its id in the pool */
  guint      forks_left;
  gint64     remaining;  /* work to do before the next event */
  gboolean   started;
};

typedef struct
{
  gint64 start, end;     /* one running interval */
  gint   agent;
} VisSlice;

typedef struct
{
  VisTask   *root;
  GPtrArray *tasks;      /* of VisTask, all, by number from 1 */
  GArray    *slices;     /* of VisSlice, all, slaves included */
  GArray    *slave_paths; /* gint64: path at the end of each slave's work */
  guint64    n_lines;
  gint64     begin, end; /* of the window */
  gboolean   is_cut;
} VisTruth;

/* Writes to `string` or, where that is NULL, to `file`. */
VisTruth *vis_simulate   (const VisProgram *program, GString *string, FILE *file);
void      vis_truth_free (VisTruth *truth);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (VisTruth, vis_truth_free)

G_END_DECLS
