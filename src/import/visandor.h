/* SPDX-License-Identifier: MIT */
#pragma once

#include "analyse/parallelism.h"
#include "import/importer.h"

G_BEGIN_DECLS

/* Traces for VisAndOr: and- and or-parallel logic programs. Shared by the files visandor*.c,
 * by nobody else.
 *
 *   visandor.c        the importer: bid, lines, order of time
 *   visandor-line.c   one line into its six numbers
 *   visandor-trace.c  what each event means: agents, root, slaves, the window
 *   visandor-tasks.c  goals and branches from their fork to their end
 *   visandor-withdrawn.c  activations that are taken back
 *   visandor-names.c  nodes by their ids, elements by what they are grouped by */

#define TS_VIS_MAX_LINE 4096          /* bytes */
#define TS_VIS_MAX_TASKS 65536        /* of one fork */
#define TS_VIS_MAX_OPEN_TASKS 4194304 /* of all open forks */
#define TS_VIS_REMEMBERED 65536       /* ids of closed nodes, to notice that one is used again */
#define TS_VIS_SPARE 8                /* nodes of fewer tasks are not freed, but used again */

typedef enum
{
  TS_VIS_FORK = 1,
  TS_VIS_START_GOAL,
  TS_VIS_FINISH_GOAL,
  TS_VIS_JOIN,
  TS_VIS_START_TIME,
  TS_VIS_STOP_TIME,
  TS_VIS_AGENT_BUSY,
  TS_VIS_AGENT_IDLE,
  TS_VIS_CREATE_WAM,
  TS_VIS_CREATE_AGENT,
  TS_VIS_MAKE_PUBLIC = 20,
  TS_VIS_START_BRANCH,
  TS_VIS_SUCC_BRANCH,
  TS_VIS_FAIL_BRANCH,
  TS_VIS_SUSPEND_BRANCH,
  TS_VIS_RESUME_BRANCH,
  TS_VIS_CUTTING_BRANCH,
  TS_VIS_LEAF_CUT,
  TS_VIS_START_BUSY = 33,
  TS_VIS_STOP_BUSY,
  TS_VIS_N_CODES
} TsVisCode;

/* One line. */
typedef struct
{
  gint64  time; /* ticks */
  guint64 line; /* its number */
  guint64 node, wam;
  gint32  code, field, agent;
} TsVisRecord;

/* What is wrong with a line. */
typedef enum
{
  TS_VIS_GOOD,
  TS_VIS_BLANK,
  TS_VIS_BAD,   /* *reason says why */
  TS_VIS_RANGE, /* the time cannot be held */
} TsVisLine;

/* @begin is followed by a newline at @end. Fills all of @record but its line. */
TsVisLine ts_vis_line_parse (const guint8 *begin, const guint8 *end, TsVisRecord *record, const char **reason);

/* The same, if the line is an usual one: returns where the next begins, and fills all of @record but its line. NULL:
 * it is not, or is wrong. TS_VIS_QUICK_SPAN bytes must be readable from @begin on. */
#define TS_VIS_QUICK_SPAN 128
const guint8 *ts_vis_line_quick (const guint8 *begin, TsVisRecord *record);

typedef enum
{
  TS_VIS_PENDING,
  TS_VIS_RUNNING,
  TS_VIS_WAITING,   /* for the JOIN of its fork */
  TS_VIS_SUSPENDED,
  TS_VIS_SPLIT,     /* a branch that made its alternatives public: over, unless its end comes yet */
  TS_VIS_DONE,
} TsVisState;

typedef struct _TsVisNode TsVisNode;
typedef struct _TsVisTask TsVisTask;

/* A goal, a branch, or the root. */
struct _TsVisTask
{
  TsParallelTask thread;
  TsVisNode     *node;  /* that it is a task of; NULL: the root */
  TsVisNode     *fork;  /* that it waits for or was split into, while that is open */
  TsVisTask     *below; /* what runs on the same agent: more than one only in a defective trace */
  guint64        line;  /* of the event that brought it into its state */
  guint32        element;
  gint32         number;
  guint32        depth;
  guint32        n_slaves;
  guint16        agent; /* of its last start or resumption */
  guint8         state; /* TsVisState */
  guint8         is_withdrawn; /* it is known that it will be, so that it was not activated */
  gboolean       is_resolved; /* it had split, and was taken as over when its alternatives were */
};

/* A fork, until it is joined or all its branches are over. */
struct _TsVisNode
{
  guint64    id;
  guint64    line;
  TsVisTask *father; /* NULL: none known */
  TsVisNode *next_orphan;
  gint64     longest; /* path of its tasks so far */
  guint32    n_tasks, n_done;
  gboolean   is_or, is_joined;
  TsVisTask  tasks[];
};

/* A node by its id: open addressing, a power of two. */
typedef struct
{
  TsVisNode **slots;
  gsize       n_slots, n_used;
} TsVisNodes;

/* A set of ids: open addressing, a power of two. */
typedef struct
{
  guint64 *slots; /* 0: free */
  gsize    n_slots, n_used;
  gboolean has_zero;
} TsVisIds;

gboolean ts_vis_ids_contain (const TsVisIds *ids, guint64 id);
void     ts_vis_ids_add (TsVisIds *ids, guint64 id);

TsVisNode *ts_vis_nodes_find (const TsVisNodes *nodes, guint64 id);
void       ts_vis_nodes_insert (TsVisNodes *nodes, TsVisNode *node); /* whose id must not be there */
void       ts_vis_nodes_remove (TsVisNodes *nodes, TsVisNode *node);

typedef struct
{
  guint64    wam;
  TsVisTask *top; /* what runs on it */
  gint32     id;
  guint16    resource;
  gboolean   has_wam;
  /* as a slave */
  gboolean       is_slave;
  TsParallelTask thread;
  guint64        slave_node, slave_line;
  gint32         slave_branch, slave_number;
  guint32        slave_element;
  /* as stated by AGENT_BUSY */
  gboolean is_busy;
  gint32   busy_number;
  guint64  busy_line;
  guint32  busy_element;
} TsVisAgent;

typedef enum
{
  TS_VIS_BY_KIND,
  TS_VIS_BY_NODE,
  TS_VIS_BY_FIELD,
  TS_VIS_BY_AGENT,
  TS_VIS_BY_DEPTH,
  TS_VIS_N_GROUPS
} TsVisGroup;

typedef enum
{
  TS_VIS_SUCCEEDED,
  TS_VIS_FAILED,
  TS_VIS_CUT,
  TS_VIS_LEAF_CUTS,
  TS_VIS_SUSPENSIONS,
  TS_VIS_MIGRATIONS,
  TS_VIS_GOALS,
  TS_VIS_BRANCHES,
  TS_VIS_N_COUNTS
} TsVisCount;

/* What one reading tells the next. */
typedef struct
{
  gboolean splits_end;   /* branches that have split have an end of their own in this trace */
  /* A bit for each goal, and for each branch, by number: its activation is withdrawn later. NULL: not known. */
  GByteArray *withdrawn[2];
  gboolean sort;
  gint64   largest_step; /* back in time */
} TsVisKept;

typedef struct
{
  TsImport  *import;
  TsVisKept *kept;
  GError    *error;
  gboolean   is_or;
  TsVisGroup group;

  /* lines */
  guint8     carry[TS_VIS_MAX_LINE + 1];
  gsize      n_carry;
  guint64    line;
  guint64    flag_line; /* the line before, if it looks like a flag: with START_TIME behind it begins another trace */
  gboolean   has_flag;
  gboolean   is_over; /* another trace has begun */

  /* order of time */
  gboolean   begun, sorts;
  gint64     newest, previous, largest_step;
  GArray    *held; /* of records: a heap */

  /* the trace */
  gboolean   has_first, is_stopped;
  guint64    first_line;
  gint64     scale; /* internal units a tick */
  gint64     now;   /* internal units */
  guint64    now_line;
  gint64     last; /* stamp before */
  gint64     from, to; /* the analysis window */
  TsVisTask  root;
  TsVisNodes nodes;
  TsVisNode *orphans;   /* joined, but with tasks that still run, and their id is free */
  TsVisIds   closed;    /* ids of closed nodes */
  TsVisNode *spare[TS_VIS_SPARE]; /* that are over, by their number of tasks */
  GByteArray *withdrawn[2]; /* as they show in this reading */
  gboolean   wants_withdrawn, reads_otherwise; /* of the next reading */
  gsize      n_open_tasks;
  gboolean   has_resolved; /* a split branch was taken as over */
  GPtrArray *agents;    /* of TsVisAgent, by resource */
  TsVisAgent **near_agents; /* those with small numbers, by number */
  guint      n_near;
  GHashTable *far_agents; /* id -> TsVisAgent of the others */
  GHashTable *elements[TS_N_TYPES]; /* key -> element + 1, where they are grouped */
  guint32    kind_elements[TS_N_TYPES];
  guint32    queue_elements[TS_N_TYPES]; /* where activations wait until an agent takes them */
  gint32     n_instances[TS_N_TYPES];
  guint64    counts[TS_VIS_N_COUNTS]; /* within the window */
  guint64    n_cuts, n_leaf_cuts;     /* in all */
  TsParallelism *parallelism;
} TsVis;

/* FALSE: vis->error is set. */
gboolean ts_vis_record (TsVis *vis, const TsVisRecord *record);
gboolean ts_vis_end (TsVis *vis); /* the input ended */

/* visandor-names.c */
TsVisAgent *ts_vis_find_agent (TsVis *vis, gint32 id); /* NULL: too many */
/* The element of an instance; TS_NO_ELEMENT with vis->error: too many. */
guint32 ts_vis_element (TsVis *vis, TsElementType type, guint64 node, gint32 field, guint32 depth, gint32 agent);
guint32 ts_vis_queue_element (TsVis *vis, TsElementType type); /* grouped by agent: before one has taken a task */
gint32  ts_vis_number (TsVis *vis, TsElementType type, guint n); /* the first of @n new ones; 0: too many */
gboolean ts_vis_fail (TsVis *vis, TsError code, guint64 line, const char *format, ...) G_GNUC_PRINTF (4, 5);

/* visandor-withdrawn.c: activations that are taken back */
gboolean ts_vis_is_withdrawn (const TsVis *vis, gboolean is_or, gint32 number);
void     ts_vis_withdraw (TsVis *vis, TsVisTask *task, guint16 resource);
void     ts_vis_keep_withdrawn (TsVis *vis); /* at the end of a reading, for the next one */

/* visandor-tasks.c: FALSE where vis->error is set */
gboolean ts_vis_fork (TsVis *vis, const TsVisRecord *record, TsVisAgent *agent, guint16 resource);
gboolean ts_vis_start (TsVis *vis, const TsVisRecord *record, TsVisAgent *agent, guint16 resource);
void     ts_vis_finish (TsVis *vis, const TsVisRecord *record, guint16 resource);
void     ts_vis_join (TsVis *vis, const TsVisRecord *record, TsVisAgent *agent, guint16 resource);
void     ts_vis_suspend (TsVis *vis, const TsVisRecord *record, guint16 resource);
void     ts_vis_resume (TsVis *vis, const TsVisRecord *record, TsVisAgent *agent, guint16 resource);
void     ts_vis_cut (TsVis *vis, const TsVisRecord *record, guint16 resource);
/* The branch of that name if it is open, without a word. */
TsVisTask *ts_vis_find_branch (TsVis *vis, guint64 node, gint32 branch);
void     ts_vis_run (TsVis *vis, TsVisTask *task, TsVisAgent *agent, guint16 resource);
void     ts_vis_halt (TsVis *vis, TsVisTask *task, TsVisState state);
void     ts_vis_end_tasks (TsVis *vis); /* at the end of the trace: what is open, and why that is remarkable */
void     ts_vis_tasks_clear (TsVis *vis);

static inline TsVisAgent *
ts_vis_agent (TsVis *vis, gint32 id)
{
  TsVisAgent *agent = (guint) id < vis->n_near ? vis->near_agents[id] : NULL;

  return G_LIKELY (agent != NULL) ? agent : ts_vis_find_agent (vis, id);
}

static inline TsVisAgent *
ts_vis_agent_at (TsVis *vis, guint16 resource)
{
  return g_ptr_array_index (vis->agents, resource);
}

static inline void
ts_vis_note (TsVis *vis, TsDiagnosticId id)
{
  ts_diagnostics_add (vis->import->diagnostics, id, vis->now_line, NULL);
}

static inline void
ts_vis_count (TsVis *vis, TsVisCount count)
{
  vis->counts[count] += vis->now >= vis->from && vis->now < vis->to;
}

static inline void
ts_vis_emit (TsVis *vis, TsEventKind kind, guint32 element, gint32 number, guint16 resource, guint flags,
             guint32 owner)
{
  TsEvent *event = ts_import_next (vis->import);

  *event = (TsEvent){ .time = vis->now,
                      .line = vis->now_line,
                      .kind = (guint8) kind,
                      .flags = (guint8) (number != TS_NO_INSTANCE ? flags | TS_EVENT_UNIQUE : flags),
                      .element = element,
                      .instance = number,
                      .owner = owner,
                      .resource = resource };
  ts_import_commit (vis->import);
}

G_END_DECLS
