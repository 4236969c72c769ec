/* SPDX-License-Identifier: MIT */
#pragma once

#include <string.h>

#include "import/held.h"
#include "import/importer.h"
#include "import/visandor-nodes.h"
#include "import/visandor-squeeze.h"
#include "model/arena.h"

G_BEGIN_DECLS

/* Traces for VisAndOr: and- and or-parallel logic programs. Shared by the files visandor*.c,
 * by nobody else.
 *
 *   visandor.c        the importer: bid, lines
 *   visandor-line.c   one line into its six numbers
 *   visandor-order.c  lines in order of time
 *   visandor-scan.c   the same, quickly, for usual lines
 *   visandor-alike.h  those of them that are like others
 *   visandor-alike.c  what these look like
 *   visandor-loose.c  those of them that have any blanks
 *   visandor-squeeze.c  copies of lines without these
 *   visandor-usual.c  their events
 *   visandor-plain.c  the same, quickly, for tasks that come and go as they should
 *   visandor-digits.h  marks and numbers in their bytes
 *   visandor-trace.c  what each event means: agents, root, slaves, the window
 *   visandor-forks.c  nodes from their fork to their end
 *   visandor-tasks.c  their goals and branches from start to end
 *   visandor-run.h    how they come to run on an agent, and cease to
 *   visandor-stamp.c  events with one time stamp
 *   visandor-strangers.c  tasks whose fork is not in the trace
 *   visandor-fathers.c  who waits for these
 *   visandor-withdrawn.c  activations that are taken back
 *   visandor-splits.c  branches that have split, and have an end of their own all the same
 *   visandor-lost.c  goals and branches that have lost their end
 *   visandor-oblivion.c  nodes that are open, but of which nothing more is to come
 *   visandor-unseen.h  what the last six share: what the trace does not say, or says too late
 *   visandor-nodes.h  goals and branches, by the nodes that they are tasks of
 *   visandor-names.c  nodes by their ids, elements by what they are grouped by */

#define TS_VIS_MAX_LINE 4096          /* bytes */
#define TS_VIS_MAX_TASKS 65536        /* of one fork */
#define TS_VIS_MAX_OPEN_TASKS 4194304 /* of all open forks */
#define TS_VIS_TAIL 16                /* bytes of the end of a line that are recalled; but of one with long numbers: */
#define TS_VIS_LONG_TAIL 32
#define TS_VIS_NO_TEXT 0x20           /* no number begins with a blank */
#define TS_VIS_READERS 1000           /* agents of usual lines in any order have up to three digits */

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
  guint64 key; /* of the node, as in TsVisNodes */
  gint32  code, field, agent;
} TsVisRecord;

/* One that is older than another before it. */
typedef struct
{
  TsVisRecord record;
  gboolean    steps_back; /* it is older than the line before it, too */
} TsVisStray;

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

/* The end of a line that names an agent, from the blank before its WAM on. */
typedef struct
{
  guint8 text[TS_VIS_LONG_TAIL]; /* its first bytes are that */
  guint  others;            /* a bit for each of those behind */
  guint  length;            /* of that, with the newline */
  guint  number;            /* of all that were learnt, from 1 on; 0: no line has it */
} TsVisTail;

extern const TsVisTail ts_vis_no_tail; /* which no line has */

/* A fork of goals that is not in the trace. */
typedef struct
{
  guint64 start;  /* line of the first START_GOAL */
  gint64  time;   /* of that */
  guint64 fields; /* a bit for each of the first 64 goals that has started */
  guint64 father; /* line in which whoever forked began to run, if that is known */
  gint32  number; /* of that one; 0: it is not known */
  guint16 agent;  /* on which it ran */
  guint8  is_root;
} TsVisUnseenFork;

typedef struct
{
  TsVisTail  tail; /* how lines on it end; only as long as its WAM is the same */
  TsVisTask *top;  /* what runs on it */
  TsVisTask *waiting; /* goals that have left it for a fork that is lost, the latest first, by `below' */
  TsVisUnseenFork joined; /* of which the JOIN came here last, and nobody knows who forked it; of no start: there was none */
  guint64    wam;
  /* Lines are read before they are taken: `wam' is that of the event that was taken last; this of the usual line that was last
   * made a record, or taken; and the text and the tail are of the line that was last read. */
  guint64    wam_read;
  guint64    wam_text; /* the last eight digits of the WAM as they are in memory; TS_VIS_NO_TEXT: none was read */
  guint64    wam_front; /* and those in front of them; 0: there are none */
  guint32    wam_high;  /* what all WAMs of usual lines have beyond 32 bits */
  TsVisStatus plain[TS_VIS_DONE + 1]; /* of tasks that are in a state since they ran on it, or were forked there */
  TsParallelAgent *runner; /* what is known of it there */
  gint32     id;
  guint16    resource;
  gboolean   has_wam;
  guint      last_waiting; /* of its events with the last stamp, see TsVisStamp; 0: none waits */
  guint8     place[8]; /* how an event says that it is on it: `owner', `resource' and `owner_number' */
  /* as a slave */
  gboolean       is_slave;
  TsParallelTask thread;
  guint64        slave_node, slave_key, slave_line;
  gint32         slave_branch, slave_number;
  gint32         slave_of; /* the number of that branch; 0: it was not known */
  guint32        slave_element;
  /* as stated by AGENT_BUSY */
  gboolean is_busy;
  gint64   busy_since; /* while it is */
  gint32   busy_number;
  guint32  busy_element;
} TsVisAgent;

/* What to do with the event of a code: first those of a task. */
typedef enum
{
  TS_VIS_TAKE_START,
  TS_VIS_TAKE_FINISH,
  TS_VIS_TAKE_SUSPEND,
  TS_VIS_TAKE_RESUME,
  TS_VIS_TAKE_CUT,
  TS_VIS_TAKE_JOIN,
  TS_VIS_TAKE_FORK,
  TS_VIS_TAKE_BUSY, /* from here on whatever its node is */
  TS_VIS_TAKE_IDLE,
  TS_VIS_TAKE_RECORD,
} TsVisAction;

#define TS_VIS_USUAL 512 /* lines that are read at a time */

/* Whether its node is one of those that have a table of their own. */
#define TS_VIS_IS_FAR 0x80
/* Whether its agent may be on another WAM than before. */
#define TS_VIS_CHANGES_WAM 0x40
#define TS_VIS_ACTION 0x3f /* and what remains */

/* What a usual line is about. */
typedef struct
{
  guint8 code;   /* TsVisCode */
  guint8 action; /* TsVisAction, with TS_VIS_IS_FAR and TS_VIS_CHANGES_WAM or without */
} TsVisUsualCode;

/* One as it is written, a blank or a zero and a digit, or two digits. */
typedef struct
{
  guint16        text;
  TsVisUsualCode event;
} TsVisKnownCode;

/* A usual line. */
typedef struct
{
  TsVisAgent *agent;
  gint64      time;
  guint64     node; /* never 0: its digits, as they are written, with a blank behind them if there are less than eight;
                     * of more than 32 bits, what it is known by; or its id, if that is far */
  union
  {
    struct
    {
      guint16        field;
      TsVisUsualCode event;
    };
    guint32 what; /* both */
  };
  guint32 wam; /* if that may be another one, its last 32 bits */
} TsVisUsual;

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

typedef struct _TsVisScan TsVisScan;
typedef struct _TsVisLoose TsVisLoose;
typedef struct _TsVisSplits TsVisSplits;
typedef struct _TsVisBranches TsVisBranches;
typedef struct _TsVisOblivion TsVisOblivion;
typedef struct _TsVisStamp TsVisStamp;

/* What a task that runs may have lost behind that. */
typedef enum
{
  TS_VIS_LOST_END,
  TS_VIS_LOST_SUSPENSION, /* it is resumed instead */
  TS_VIS_LOST_FORK,       /* it has a JOIN instead */
  TS_VIS_N_LOSSES
} TsVisLoss;

/* What one reading tells the next. */
typedef struct
{
  GByteArray *late_ends; /* a bit for each branch, by number: it has split, and has an end of its own; NULL: for none */
  TsVisBranches *names;  /* the same of each branch of that name, as far as there are others; NULL: of none */
  gboolean awaits_ends;  /* of all branches that have split, since the first ones had ends of their own */
  gboolean awaits_none;  /* so many had none that it is better to know which ones do */
  /* A bit for each goal, and for each branch, by number: all of the fork of which it is the first are withdrawn, before one
   * of them starts. NULL: not known. */
  GByteArray *withdrawn[2];
  GArray  *lost[TS_VIS_N_LOSSES]; /* of guint64, in order: lines in which those began to run that did; NULL: none is known */
  GArray  *forks; /* of TsVisUnseenFork, by their starts; NULL: none is known */
  gboolean sort;
  gboolean holds_all;    /* lines: not to hold too many was not enough */
  gint64   largest_step; /* back in time */
  TsStrays *strays;      /* late lines, of TsVisStray, all of one section; NULL: there are none */
} TsVisKept;

typedef struct
{
  TsImport  *import;
  TsVisKept *kept;
  GError    *error;
  gboolean   is_or;
  TsVisGroup group;
  TsVisScan *scan; /* NULL: it is not wanted */
  TsSqueezed *squeezed; /* NULL: none so far */

  /* lines */
  guint8     carry[TS_VIS_MAX_LINE + 1];
  gsize      n_carry;
  guint64    line;
  guint64    n_taken; /* those that were understood, up to the end of the trace */
  guint64    flag_line; /* the line before, if it looks like a flag: with START_TIME behind it begins another trace */
  gboolean   has_flag;
  gboolean   is_over; /* another trace has begun */
  gboolean   has_events, ends_in_blank; /* any line of one; there are blanks at the end of the first of these */

  /* order of time */
  gboolean   begun, sorts;
  gint64     newest, previous, largest_step;
  guint64    n_steps, first_step; /* back in time that are to be told, and the line of the first */
  TsHeld     held; /* TsVisRecord */
  gint64     released; /* the time of the last one that was held before */
  gboolean   has_strays; /* of those that are kept, each is taken before the first line that is newer */
  gint64     next_stray; /* the time of the next one; G_MAXINT64: none */
  gboolean   reads_ahead; /* lines are read before it is known what was before them */
  TsVisAgent *readers[TS_VIS_READERS]; /* then, what is known of agents: their numbers, WAMs and tails only */

  /* the trace */
  gboolean   has_first, awaits_start, is_stopped;
  guint64    first_line;
  gint64     scale; /* internal units a tick */
  gint64     time_limit; /* ticks: later stamps cannot be held */
  gint64     now;   /* internal units */
  guint64    now_line;
  gint64     last; /* stamp before */
  TsVisStamp *stamp; /* NULL: no event has waited so far */
  guint      n_waiting; /* events for others with the last stamp */
  gint64     from;     /* the analysis window */
  guint64    n_within; /* units in it */
  TsVisTask  root;
  TsVisNodes nodes; /* those with ids of up to 32 bits, by what is written for them as a rule */
  TsVisNodes far_nodes; /* all others, by their ids */
  TsVisNode *orphans;   /* joined, but with tasks that still run, and their id is free */
  guint      n_remembered; /* ids of closed nodes */
  guint64    highest_id; /* of all nodes so far */
  gboolean   writes_otherwise; /* ids are not written as they are known, but in small letters, or with zeros in front */
  TsVisClosed *closed;  /* those that were used once; NULL: there are none */
  TsVisNode *spare[TS_VIS_SPARE]; /* that are over, by their number of tasks */
  TsArena    node_memory; /* of those that have so few */
  guint      n_large; /* open nodes that have more */
  gboolean   is_unsure;  /* forks of branches are taken back when they are; otherwise that must be known before */
  TsVisOblivion *oblivion; /* NULL: never were many open */
  gboolean   has_forgotten;  /* a node */
  TsVisSplits *splits;   /* of closed nodes; NULL: there are none */
  gboolean   knows_late_ends; /* a reading before this one has found them */
  gboolean   tells_splits_apart; /* this one looks for them; otherwise with the first one the trace is begun anew */
  TsVisBranches *late;   /* of closed nodes, the end of which will come; NULL: there are none */
  GByteArray *late_ends; /* of branches that have split, as they show in this reading */
  gsize      n_open_tasks;
  GArray    *lost[TS_VIS_N_LOSSES], *forks; /* as in TsVisKept, as they show in this reading */
  GHashTable *unseen;   /* key of a node -> TsVisUnseenFork, of which who forked is not known; NULL: there are none */
  gboolean   asked_for_losses; /* these were the first to ask for another reading */
  gboolean   has_other_news;   /* something else has asked for one, too: what seems to be lost may be there */
  GHashTable *doubtful; /* branch -> line in which it began to run; it was displaced, and may have forked; NULL: there are none */
  guint64    n_proven;  /* displaced ones that had events of their own */
  GHashTable *strangers; /* open nodes of tasks whose fork is not in the trace; NULL: there were none */
  guint      n_strangers;
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
/* @agent, of which there is an event now, is on @wam. */
void     ts_vis_take_wam (TsVis *vis, TsVisAgent *agent, guint64 wam);
/* The same, when it is known that there is nothing to say of its time, its kind and its agent, and for codes of
 * goals, branches, agents and slaves only. */
gboolean ts_vis_event (TsVis *vis, const TsVisRecord *record, TsVisAgent *agent);
gboolean ts_vis_end (TsVis *vis); /* the input ended */
void     ts_vis_clear (TsVis *vis); /* frees all nodes */

/* visandor-order.c */
/* There was one that is no usual line. */
void     ts_vis_note_reader (TsVis *vis, const TsVisRecord *record);
extern guint ts_vis_most_held; /* lines, unless that is not enough; tests ask for fewer */
/* Takes it at once or later, as it is in order of time or not. FALSE: vis->error is set. */
gboolean ts_vis_take_record (TsVis *vis, const TsVisRecord *record);
gboolean ts_vis_release_held (TsVis *vis); /* at the end */
/* Whether only the lines that are late are of interest, and are few. */
gboolean ts_vis_looks_for_strays (const TsVis *vis);

/* visandor-scan.c */
TsVisScan *ts_vis_scan_new (void);
void       ts_vis_scan_free (TsVisScan *scan); /* or NULL */
void       ts_vis_scan_forget (TsVisScan *scan); /* all agents; or NULL */
/* Reads up to @n lines at *position, which moves behind them, as long as they are usual ones of what is known, and in
 * order of time from @last on, unless that is G_MININT64. Returns how many. */
guint ts_vis_scan (const TsVis *vis, const guint8 **position, const guint8 *block, const guint8 *end, gint64 last,
                   TsVisUsual *lines, guint n);

/* A line that was read turned out not to be what it looked like, and those read behind it were read in vain. */
void ts_vis_scan_reject (TsVisScan *scan);

/* Whether lines are to be squeezed before they are read: there were many with any blanks. */
gboolean ts_vis_scan_wants_copy (const TsVisScan *scan);
/* The next lines are a copy, up to its end. */
void ts_vis_scan_begin_copy (TsVisScan *scan);
void ts_vis_scan_end_copy (TsVisScan *scan);

/* visandor-loose.c */
/* One with any number of blanks or tabulators around its numbers. Returns where the next one begins; NULL: it is none. */
const guint8 *ts_vis_read_loose (const TsVis *vis, TsVisLoose *loose, const TsVisKnownCode *codes_of_kind, const guint8 *p,
                                 TsVisUsual *line);
/* Lines like that, up to the one that begins at @last_begin. */
guint ts_vis_scan_loose (const TsVis *vis, TsVisLoose *loose, const TsVisKnownCode *codes_of_kind, const guint8 **position,
                         const guint8 *last_begin, gint64 last, gboolean any_order, TsVisUsual *lines);

/* visandor-plain.c */
/* Whether its lines can be plain ones: if so, that does not change any more. */
gboolean ts_vis_is_plain_trace (const TsVis *vis);
/* Of such a trace, takes up to TS_VIS_USUAL lines, the first of which is that behind vis->line, as long as they are
 * plain. Returns how many. Before them is the line that was taken last, with its time. */
guint ts_vis_take_plain (TsVis *vis, const TsVisUsual *lines, guint n);

/* visandor-usual.c */
/* Takes lines from @begin on, as long as they are usual ones of what is known. Returns where it stopped, before the
 * first one of @block that is not; NULL: vis->error is set. The newest time must be that of the last event. */
const guint8 *ts_vis_take_usual (TsVis *vis, const guint8 *block, const guint8 *begin, const guint8 *end);
/* The same, but that nothing comes of them: it stops before one that is late. */
const guint8 *ts_vis_pass_usual (TsVis *vis, const guint8 *block, const guint8 *begin, const guint8 *end);
/* The same, where lines need not be in order of time. */
const guint8 *ts_vis_record_usual (TsVis *vis, const guint8 *block, const guint8 *begin, const guint8 *end);

static inline TsVisNodes *
ts_vis_nodes (TsVis *vis, gboolean is_far)
{
  return G_UNLIKELY (is_far) ? &vis->far_nodes : &vis->nodes;
}

/* visandor-names.c */
TsVisAgent *ts_vis_find_agent (TsVis *vis, gint32 id); /* NULL: too many */
guint64     ts_vis_key (guint64 id);
guint64     ts_vis_id (guint64 key, gboolean is_far);
TsVisNode  *ts_vis_find_node (TsVis *vis, const TsVisRecord *record);
/* The place of the node @id, of which @key is that in TsVisNodes. Sets *is_new if no node that is open or remembered has or
 * had that id. */
TsVisSlot  *ts_vis_claim_slot (TsVis *vis, guint64 key, guint64 id, gboolean *is_new);
/* The same for an id of up to 32 bits that was looked for in vain up to @slot, which is free. NULL: @key is that of none. */
TsVisSlot  *ts_vis_claim_free_slot (TsVis *vis, TsVisSlot *slot, guint64 key, gboolean *is_new);
void        ts_vis_give_up_slot (TsVis *vis, TsVisNode *node); /* which is closed */
void        ts_vis_nodes_init (TsVis *vis);
void        ts_vis_nodes_clear (TsVis *vis);
/* The element of an instance; TS_NO_ELEMENT with vis->error: too many. */
guint32 ts_vis_element (TsVis *vis, TsElementType type, guint64 node, gint32 field, guint32 depth, gint32 agent);
guint32 ts_vis_queue_element (TsVis *vis, TsElementType type); /* grouped by agent: before one has taken a task */
gint32  ts_vis_number (TsVis *vis, TsElementType type, guint n); /* the first of @n new ones; 0: too many */
gboolean ts_vis_fail (TsVis *vis, TsError code, guint64 line, const char *format, ...) G_GNUC_PRINTF (4, 5);

/* visandor-stamp.c: FALSE where vis->error is set */
/* The event of @record, which has the time vis->now, when it makes sense, but in the order of those on @agent. */
gboolean ts_vis_take_at_stamp (TsVis *vis, const TsVisRecord *record, TsVisAgent *agent);
/* The next event has another time, or there is none. */
gboolean ts_vis_leave_stamp (TsVis *vis);
void     ts_vis_stamp_free (TsVisStamp *stamp); /* or NULL */

/* visandor-forks.c: FALSE where vis->error is set */
gboolean ts_vis_fork (TsVis *vis, const TsVisRecord *record, TsVisAgent *agent);
/* Of @n_tasks, which is not too many, at a place whose key was used before. */
gboolean ts_vis_fork_again (TsVis *vis, TsVisSlot *slot, gboolean is_far, guint n_tasks, TsVisAgent *agent);
void     ts_vis_join (TsVis *vis, const TsVisRecord *record, TsVisAgent *agent);
void     ts_vis_join_node (TsVis *vis, TsVisNode *node, gint32 field, TsVisAgent *agent);
void     ts_vis_end_node (TsVis *vis, TsVisNode *node); /* all tasks of it are over */
void     ts_vis_close_exhausted (TsVis *vis, TsVisNode *node); /* all branches of it are, or have split */
void     ts_vis_forget_node (TsVis *vis, TsVisNode *node); /* the same, and what is said of it later is of none that is known */
TsVisNode *ts_vis_new_node (TsVis *vis, guint n_tasks); /* nothing of it is set */
gboolean   ts_vis_fail_open_tasks (TsVis *vis, guint64 line); /* too many */

/* visandor-tasks.c: FALSE where vis->error is set. Most have two parts: what the record refers to, and what comes of
 * it when that is known. */
gboolean ts_vis_start (TsVis *vis, const TsVisRecord *record, TsVisAgent *agent);
gboolean ts_vis_start_taken (TsVis *vis, TsVisTask *task, TsVisAgent *agent); /* grouped by agent */
void     ts_vis_finish (TsVis *vis, const TsVisRecord *record, TsVisAgent *agent);
void     ts_vis_finish_odd (TsVis *vis, TsVisTask *task, TsVisCode code, TsVisAgent *agent); /* not plainly running */
void     ts_vis_end_late (TsVis *vis, TsVisCode code, guint32 element, gint32 number, guint16 resource); /* it had split */
void     ts_vis_suspend (TsVis *vis, const TsVisRecord *record, const TsVisAgent *agent);
void     ts_vis_suspend_task (TsVis *vis, TsVisTask *task, const TsVisAgent *agent);
void     ts_vis_resume (TsVis *vis, const TsVisRecord *record, TsVisAgent *agent);
void     ts_vis_resume_task (TsVis *vis, TsVisTask *task, TsVisAgent *agent);
void     ts_vis_go_on (TsVis *vis, TsVisTask *task, TsVisAgent *agent); /* it was suspended, or waited */
void     ts_vis_cut (TsVis *vis, const TsVisRecord *record, const TsVisAgent *agent);
void     ts_vis_cut_task (TsVis *vis, TsVisTask *task, const TsVisAgent *agent);
void     ts_vis_check_slaves (TsVis *vis, const TsVisTask *task); /* which gives its agent up */
/* The task that an event means, if it is open, without a word; and the same of a branch. */
TsVisTask *ts_vis_find_open (TsVis *vis, const TsVisRecord *record);
TsVisTask *ts_vis_find_branch (TsVis *vis, const TsVisRecord *record);

static inline gboolean
ts_vis_has_bit (const GByteArray *bits, gint32 number)
{
  const guint byte = (guint) number / 8;

  return bits != NULL && byte < bits->len && (bits->data[byte] >> ((guint) number % 8) & 1) != 0;
}

/* @agent may be on another WAM when the next line is read. */
static inline void
ts_vis_forget_wam (TsVisAgent *agent)
{
  agent->tail = ts_vis_no_tail;
  agent->wam_text = TS_VIS_NO_TEXT;
}

/* The same, if @line was read in vain, and would have been what tells it. */
static inline void
ts_vis_take_back (const TsVisUsual *line)
{
  if (G_UNLIKELY ((line->event.action & TS_VIS_CHANGES_WAM) != 0))
    ts_vis_forget_wam (line->agent);
}

/* Whether it is known that all of the fork of which the first task has that number are withdrawn. */
static inline gboolean
ts_vis_is_withdrawn (const TsVis *vis, gboolean is_or, gint32 number)
{
  return ts_vis_has_bit (vis->kept->withdrawn[is_or], number);
}

/* Whether tasks have other numbers in the next reading, which puts the lines in another order. */
static inline gboolean
ts_vis_is_renumbered (const TsVis *vis)
{
  return vis->kept->sort && !vis->sorts;
}

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

/* Some traces have one of these for most lines: only the first is more than counted. */
static inline void
ts_vis_note (TsVis *vis, TsDiagnosticId id)
{
  TsDiagnostics *diagnostics = vis->import->diagnostics;

  if (diagnostics->entries[id].count > 0)
    diagnostics->entries[id].count++;
  else
    ts_diagnostics_add (diagnostics, id, vis->now_line, NULL);
}

static inline void
ts_vis_count (TsVis *vis, TsVisCount count)
{
  vis->counts[count] += (guint64) (vis->now - vis->from) < vis->n_within;
}

static inline void
ts_vis_put (TsVis *vis, TsEventKind kind, guint flags, guint32 element, gint32 number, guint32 owner,
            guint16 owner_number, guint16 resource)
{
  TsImport *import = vis->import;
  TsEvent  *event = ts_import_next (import);

  /* events go nowhere: what is read is to be understood only */
  ts_event_place (event, vis->now_line, ts_event_what (kind, (guint8) flags));
  event->time = vis->now;
  event->element = element;
  event->instance = number;
  event->owner = owner;
  event->resource = resource;
  event->owner_number = owner_number;
  ts_import_commit (import);
}

/* Of an instance, which has its number alone. */
static inline void
ts_vis_emit (TsVis *vis, TsEventKind kind, guint32 element, gint32 number, guint16 resource, guint flags)
{
  ts_vis_put (vis, kind, flags | TS_EVENT_UNIQUE, element, number, TS_NO_ELEMENT, 0, resource);
}

static inline void
ts_vis_emit_user (TsVis *vis, guint16 resource)
{
  ts_vis_put (vis, TS_EVENT_USER, 0, TS_NO_ELEMENT, TS_NO_INSTANCE, TS_NO_ELEMENT, 0, resource);
}

G_END_DECLS
