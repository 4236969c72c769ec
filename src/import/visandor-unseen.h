/* SPDX-License-Identifier: MIT */
#pragma once

#include "import/visandor.h"

G_BEGIN_DECLS

/* What the trace does not say, or only when it is too late: forks, ends and suspensions that are lost, activations that are taken
 * back, branches that end after they have split, and nodes of which nothing more is to come. */

/* visandor-strangers.c: tasks whose fork is not in the trace */
/* The one of that name; NULL: there is none. There must be any. */
TsVisTask *ts_vis_find_stranger (const TsVis *vis, const TsVisRecord *record);
/* FALSE: vis->error is set. There must be none of that name. */
gboolean   ts_vis_start_stranger (TsVis *vis, const TsVisRecord *record, gboolean is_or, TsVisAgent *agent);
/* It runs, and starts all the same: the one before has lost its end (METRICS, rule 8), which is told by the timeline. */
void       ts_vis_restart_stranger (TsVis *vis, TsVisTask *task, TsVisAgent *agent);
void       ts_vis_forget_stranger (TsVis *vis, const TsVisNode *node); /* it is over */
/* The node of @record is forked: those of that name that are displaced are of one before, and over. */
void       ts_vis_lose_strangers (TsVis *vis, const TsVisRecord *record);

/* visandor-fathers.c: who waits for goals the fork of which is lost */
/* @goal, which runs on @agent, has forked, and waits from now on for a JOIN. */
void       ts_vis_wait_unseen (TsVis *vis, TsVisTask *goal, TsVisAgent *agent);
void       ts_vis_leave_waiting (TsVisAgent *agent, const TsVisTask *task); /* it does, and is over all the same */
/* The goal of the stranger @node starts on @agent, on which @father runs; NULL: nobody. */
void       ts_vis_start_fatherless (TsVis *vis, const TsVisNode *node, TsVisTask *father, TsVisAgent *agent);
/* Whoever waits for the JOIN @record on @agent, the fork of which is lost. It does not any more, but its state is as before. NULL:
 * nobody does, or who did will be known in the next reading. */
TsVisTask *ts_vis_take_father (TsVis *vis, const TsVisRecord *record, TsVisAgent *agent);
/* @goal, which runs, ends on @agent: if it did not run there for all that is known, it has gone on there. */
void       ts_vis_learn_migration (TsVis *vis, const TsVisTask *goal, TsVisAgent *agent);
/* The father of @node, which is forked or joined, is not known: it may be who has gone on on @agent. */
void       ts_vis_fork_fatherless (TsVis *vis, const TsVisNode *node, TsVisAgent *agent);
void       ts_vis_join_fatherless (TsVis *vis, const TsVisNode *node, TsVisAgent *agent);
void       ts_vis_keep_forks (TsVis *vis); /* for the next reading */

/* visandor-withdrawn.c: activations that are taken back */
void     ts_vis_withdraw (TsVis *vis, TsVisTask *task, guint16 resource);
void     ts_vis_set_bit (GByteArray **bits, gint32 number);

/* visandor-lost.c: those that have lost their end */
/* Another one begins to run on @agent, where there is one already. */
void     ts_vis_displace (TsVis *vis, TsVisAgent *agent);
/* @task, which runs, was over before; its node is not told. */
void     ts_vis_lose_end (TsVis *vis, TsVisTask *task);
/* The id of @node is that of another one: of its tasks, none of which is told, those are over that are displaced or suspended. */
void     ts_vis_lose_displaced (TsVis *vis, TsVisNode *node);
/* @node is joined, or its id is that of another one, and not all of its tasks are over. */
void     ts_vis_miss_ends (TsVis *vis, TsVisNode *node);
/* The trace ends, and @task runs. Whether its end is lost. */
gboolean ts_vis_note_lost (TsVis *vis, TsVisTask *task);
/* @task, which runs, is resumed. Whether it will be read again with that known, and is taken as suspended now. */
gboolean ts_vis_miss_suspension (TsVis *vis, TsVisTask *task);
/* For something else: what seems to be lost in this reading may be there. FALSE: it cannot be read again. */
gboolean ts_vis_ask_anew (TsVis *vis);
/* That comes behind the line in which @task began to run. FALSE: it will not be read again with that known. */
gboolean ts_vis_learn_loss (TsVis *vis, TsVisLoss loss, const TsVisTask *task);
void     ts_vis_keep_lost (TsVis *vis);
/* The one that forks on its agent seems to be @task, which may be displaced; and @branch has an event of its own. */
void     ts_vis_doubt (TsVis *vis, const TsVisTask *task);
void     ts_vis_prove (TsVis *vis, gint32 branch, gboolean is_displaced);

/* visandor-oblivion.c. With so many open tasks nodes are forgotten, but for so many of them (at most TS_VIS_AWAITING); tests
 * ask for less. */
#define TS_VIS_MANY_TASKS 16384
#define TS_VIS_AWAITING 2048
extern guint ts_vis_many_tasks, ts_vis_n_awaiting;
void     ts_vis_await_oblivion (TsVis *vis, const TsVisNode *node); /* ts_vis_is_to_forget() of it */

/* visandor-splits.c. If more branches of closed nodes wait for an end than this, they are not awaited; tests ask for fewer. */
extern guint ts_vis_most_awaited;
void     ts_vis_note_split (TsVis *vis, const TsVisTask *task); /* a branch that is resolved */
void     ts_vis_note_closed (TsVis *vis, const TsVisNode *node); /* of branches, if any of this is asked */
gboolean ts_vis_has_late_name (const TsVis *vis, const TsVisTask *task);
/* The branch of that number had ended when it split, and here is an end. TRUE: it will be read again with that known;
 * FALSE: that was known, or cannot be, which is told. */
gboolean ts_vis_learn_late_end (TsVis *vis, gint32 number);
/* An end of a branch the node of which is not open. FALSE: it means none, or none for which it is not too late. */
gboolean ts_vis_end_of_closed (TsVis *vis, const TsVisRecord *record);
void     ts_vis_end_splits (TsVis *vis); /* of closed nodes that wait for an end when the trace is over */
void     ts_vis_keep_late_ends (TsVis *vis); /* at the end of a reading, for the next one */
/* Of the next reading instances have other numbers: what is kept by these is to be learnt anew. */
void     ts_vis_forget_numbers (TsVisKept *kept);
void     ts_vis_branches_free (TsVisBranches *branches); /* or NULL */

G_END_DECLS
