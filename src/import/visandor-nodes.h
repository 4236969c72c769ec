/* SPDX-License-Identifier: MIT */
#pragma once

#include "import/parallelism.h"

G_BEGIN_DECLS

/* Goals and branches of VisAndOr, and the nodes that they are tasks of, by their ids. Shared by the files visandor*.c. */

#define TS_VIS_REMEMBERED 65536       /* ids of closed nodes */
#define TS_VIS_SPARE 8                /* nodes of fewer tasks are not freed, but used again */
#define TS_VIS_ROOM 3                 /* tasks that every node has room for */

typedef enum
{
  TS_VIS_PENDING,
  TS_VIS_RUNNING,
  TS_VIS_WAITING,   /* for the JOIN of its fork */
  TS_VIS_SUSPENDED,
  TS_VIS_SPLIT,     /* it made alternatives public, not all of which are over */
  TS_VIS_DONE,
} TsVisState;

typedef struct _TsVisNode TsVisNode;
typedef struct _TsVisTask TsVisTask;

enum
{
  TS_VIS_IS_WITHDRAWN = 1 << 0, /* it is known that all of its fork will be, so that there was no activation */
  TS_VIS_IS_RESOLVED = 1 << 1,  /* a branch that had split, and was taken as over when its alternatives were */
  TS_VIS_HAS_ENDED = 1 << 2,    /* a branch that had split, and has had an end of its own */
  TS_VIS_WAITS_UNSEEN = 1 << 3, /* a goal, for the JOIN of a fork that is lost */
  TS_VIS_IS_DISPLACED = 1 << 4, /* it runs, and another one began to where it does: see visandor-lost.c */
  TS_VIS_BESIDE_SLAVE = 1 << 5, /* the same, and that is a slave */
  TS_VIS_WAITS_KNOWN = 1 << 6,  /* as TS_VIS_WAITS_UNSEEN, and of which node is known */
  TS_VIS_IS_APART = 1 << 7,     /* its node is not found by its id: it is a stranger or an orphan */
};

/* What a task does. Compared and copied as a whole: a processor that is to read what it has just written in parts waits
 * until these are in the cache. */
typedef struct
{
  guint32 n_slaves;
  guint16 agent; /* of its last start or resumption */
  guint8  state; /* TsVisState */
  guint8  flags; /* TS_VIS_IS_WITHDRAWN ... */
} TsVisStatus;

G_STATIC_ASSERT (sizeof (TsVisStatus) == 8);

/* A goal, a branch, or the root. */
struct _TsVisTask
{
  TsParallelTask thread;
  TsVisNode     *node;  /* that it is a task of; NULL: the root */
  TsVisNode     *fork;  /* that it waits for or was split into, while that is open */
  TsVisTask     *below; /* what runs on the same agent, or waits unseen: more than one only in a defective trace */
  guint64        line;  /* of the event that brought it into its state */
  guint32        element;
  gint32         number;
  TsVisStatus    status;
};

G_STATIC_ASSERT (sizeof (TsVisTask) == 64);

typedef struct _TsVisSlot TsVisSlot;

/* How a node is found. */
typedef enum
{
  TS_VIS_BY_ID,
  TS_VIS_ORPHAN,   /* not any more: its id is that of another one */
  TS_VIS_STRANGER, /* by the name of its one task, the fork of which is not in the trace */
} TsVisPlace;

/* A fork, until it is joined or all its branches are over. */
struct _TsVisNode
{
  union
  {
    TsVisSlot *slot; /* where it is found */
    TsVisNode *next; /* of an orphan, and of one that is over: another one */
  };
  guint64    key; /* of its id, as in TsVisNodes */
  guint64    line;
  TsVisTask *father; /* NULL: none known */
  union
  {
    gint64  longest; /* of goals: path of its tasks so far */
    guint32 n_split; /* of branches: those that have, and of which not all alternatives are over */
  };
  guint32    n_tasks, n_done;
  guint32    depth;
  guint32    n_known; /* tasks that lines of the trace's own kind can be about */
  guint8     is_or, is_joined;
  guint8     is_far;        /* of that table */
  guint8     place;         /* TsVisPlace */
  guint8     was_closed;    /* a node with its id was */
  guint8     has_started;   /* a task of it has */
  union
  {
    guint16  first_waiting; /* as long as none has: tasks before it are withdrawn */
    guint16  first_field;   /* of a stranger: that of its task */
  };
  TsVisTask  tasks[];
};

G_STATIC_ASSERT (sizeof (gpointer) < 8 || sizeof (TsVisNode) == 64);

/* Nodes by keys other than 0: open addressing, a power of two. Where one whose key was used before is closed, the key
 * stays: it will be used again. */
struct _TsVisSlot
{
  guint64    key;  /* 0: free */
  TsVisNode *node; /* NULL: it was closed */
};

typedef struct
{
  TsVisSlot *slots; /* 2^(64 - shift) of them */
  guint      shift;
  gsize      n_used, n_usable; /* with more, it grows */
} TsVisNodes;

/* Ids of closed nodes that were used once. Where every node has an id of its own, as they should, these are many, and none
 * is used again: so they are not among the others, and most that are not there are known by four bits, which stay in a near
 * cache. */

#define TS_VIS_HINTS 16384 /* a power of two */

typedef struct
{
  guint64 hints[TS_VIS_HINTS]; /* four bits for each of them */
  guint32 last[TS_VIS_HINTS];  /* of a chain; 0: none */
  guint   n;
  struct
  {
    guint64  key;
    guint32  before; /* it in the chain */
    gboolean is_far;
  } ids[TS_VIS_REMEMBERED + 2]; /* from 1 on, and that of zeros is not counted */
} TsVisClosed;

/* Ids of more than 32 bits are known by themselves and this bit, which no byte of a text has. */
#define TS_VIS_LONG (G_GUINT64_CONSTANT (1) << 63)

/* Those that have it themselves, as addresses of a kernel do, have a table of their own. */
static inline gboolean
ts_vis_is_far (guint64 id)
{
  return (id & TS_VIS_LONG) != 0;
}

/* As ts_vis_nodes_find(), from @slot on. */
TsVisSlot *ts_vis_nodes_find_further (const TsVisNodes *nodes, TsVisSlot *slot, guint64 key);

static inline gsize
ts_vis_n_slots (const TsVisNodes *nodes)
{
  return (gsize) 1 << (64 - nodes->shift);
}

/* Ids are addresses, or count from 0; a key of text has its digits in any byte. The factor that spreads them was found by trial, with
 * some ids of each kind. */
#define TS_VIS_FACTOR G_GUINT64_CONSTANT (0x8950e4ac26ee2dd3)

static inline gsize
ts_vis_place (const TsVisNodes *nodes, guint64 key)
{
  return (gsize) (key * TS_VIS_FACTOR >> nodes->shift);
}

/* Where it is, or else a free one. */
static inline TsVisSlot *
ts_vis_nodes_find (const TsVisNodes *nodes, guint64 key)
{
  TsVisSlot *slot = &nodes->slots[ts_vis_place (nodes, key)];

  return G_LIKELY (slot->key == key) ? slot : ts_vis_nodes_find_further (nodes, slot, key);
}

G_END_DECLS
