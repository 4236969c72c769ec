/* SPDX-License-Identifier: MIT */
#include "config.h"

#include <string.h>

#include "import/visandor-digits.h"
#include "import/visandor-run.h"

/* What usual lines are about: the same as ts_vis_record(), for what is known already. */

static inline gboolean
changes_wam (const TsVisUsual *line)
{
  return (line->event.action & TS_VIS_CHANGES_WAM) != 0;
}

/* It is that. */
static inline guint64
wam_of (const TsVisUsual *line)
{
  return (guint64) line->agent->wam_high << 32 | line->wam;
}

/* @line is the next one on its agent. */
static inline void
pass_wam (const TsVisUsual *line)
{
  if (G_UNLIKELY (changes_wam (line)))
    line->agent->wam_read = wam_of (line);
}

/* Before @line is taken, which is the one of that number: its WAM, as there may be another one now. FALSE: its node is not what
 * it looks like. */
static G_GNUC_NO_INLINE gboolean
settle_wam (TsVis *vis, TsVisUsual *line, guint64 number)
{
  if (!ts_vis_line_has_node (line))
    return FALSE;
  pass_wam (line);
  line->event.action &= (guint8) ~(guint) TS_VIS_CHANGES_WAM;
  vis->now_line = number;
  ts_vis_take_wam (vis, line->agent, wam_of (line));
  return TRUE;
}

/* All of @record but its line; @line is the next one on its agent. FALSE: its node is not what it looks like. */
static inline gboolean
make_record (const TsVisUsual *line, TsVisRecord *record)
{
  pass_wam (line);
  record->time = line->time;
  record->wam = line->agent->wam_read;
  record->code = line->event.code;
  record->field = (gint32) line->field;
  record->agent = line->agent->id;
  record->key = ts_vis_line_key (line);
  if (ts_vis_line_is_far (line))
    record->node = line->node;
  else if (!ts_vis_read_key (record->key, &record->node))
    return FALSE;
  return TRUE;
}

typedef enum
{
  TAKEN,
  UNUSUAL, /* the general way must be gone */
  FAILED,  /* vis->error is set */
} Result;

/* From here on @line is taken. */
static TS_ALWAYS_INLINE void
begin_event (TsVis *vis, const TsVisUsual *line, guint64 number)
{
  vis->now = line->time * vis->scale;
  vis->now_line = number;
  if (G_UNLIKELY (line->time == vis->last))
    ts_vis_note (vis, TS_DIAGNOSTIC_EQUAL_STAMPS);
  vis->last = line->time;
}

/* An event of a goal or branch that is known. */
static Result
take_event_of_task (TsVis *vis, TsVisNode *node, const TsVisUsual *line, TsVisAction action)
{
  TsVisTask  *task = &node->tasks[line->field];
  TsVisAgent *agent = line->agent;

  if (action == TS_VIS_TAKE_START)
    return ts_vis_start_task (vis, node, task, agent) ? TAKEN : FAILED;
  if (action == TS_VIS_TAKE_FINISH)
    ts_vis_finish_task (vis, node, task, (TsVisCode) line->event.code, agent);
  else if (action == TS_VIS_TAKE_SUSPEND)
    ts_vis_suspend_task (vis, task, agent);
  else if (action == TS_VIS_TAKE_RESUME)
    ts_vis_resume_task (vis, task, agent);
  else
    {
      ts_vis_emit_user (vis, agent->resource);
      ts_vis_cut_task (vis, task, agent);
    }
  return TAKEN;
}

/* Any other event. */
static G_GNUC_NO_INLINE Result
take_record (TsVis *vis, const TsVisUsual *line, guint64 number)
{
  TsVisRecord record;

  if (!make_record (line, &record))
    return UNUSUAL;
  begin_event (vis, line, number);
  record.line = number;
  return ts_vis_take_at_stamp (vis, &record, line->agent) ? TAKEN : FAILED;
}

static Result
take_event (TsVis *vis, TsVisUsual *line, guint64 number)
{
  const guint64     key = ts_vis_line_key (line);
  const TsVisAction action = line->event.action & TS_VIS_ACTION;
  TsVisSlot        *slot = ts_vis_nodes_find (ts_vis_nodes (vis, ts_vis_line_is_far (line)), key);
  TsVisNode        *node = slot->node;

  if (G_UNLIKELY (changes_wam (line)) && !settle_wam (vis, line, number))
    return UNUSUAL;
  if (G_UNLIKELY (vis->n_waiting > 0 || vis->n_strangers > 0))
    return take_record (vis, line, number);
  if (action <= TS_VIS_TAKE_CUT)
    {
      if (G_LIKELY (node != NULL && line->field < node->n_known
                    && ts_vis_fits (&node->tasks[line->field], (TsVisCode) line->event.code, line->agent)))
        {
          begin_event (vis, line, number);
          return take_event_of_task (vis, node, line, action);
        }
    }
  else if (action == TS_VIS_TAKE_FORK)
    {
      if (G_LIKELY (node == NULL && slot->key == key && line->field > 0
                    && (line->agent->top == NULL || line->agent->top->status.n_slaves == 0)
                    && vis->n_open_tasks + line->field <= TS_VIS_MAX_OPEN_TASKS))
        {
          begin_event (vis, line, number);
          return ts_vis_fork_again (vis, slot, ts_vis_line_is_far (line), line->field, line->agent) ? TAKEN : FAILED;
        }
    }
  else if (action == TS_VIS_TAKE_JOIN)
    {
      if (G_LIKELY (node != NULL && node->n_known > 0 && ts_vis_join_fits (node)))
        {
          begin_event (vis, line, number);
          ts_vis_join_node (vis, node, line->field, line->agent);
          return TAKEN;
        }
    }
  return take_record (vis, line, number);
}

/* Events wait, and @line has another stamp than these. */
static G_GNUC_NO_INLINE Result
leave_stamp (TsVis *vis, const TsVisUsual *line)
{
  if (!ts_vis_line_has_node (line))
    return UNUSUAL; /* it is no event, and the stamp is not over */
  if (!ts_vis_leave_stamp (vis))
    return FAILED;
  return vis->is_stopped ? UNUSUAL : TAKEN;
}

/* Takes @n lines behind vis->line, which moves on, as long as they are what they look like. */
static Result
take_lines (TsVis *vis, TsVisUsual *lines, guint n)
{
  TsVisUsual    *end = lines + n;
  const gboolean is_plain = ts_vis_is_plain_trace (vis);
  Result         result = TAKEN;

  while (result == TAKEN && lines < end)
    {
      if (G_UNLIKELY (vis->n_waiting > 0) && lines->time != vis->last && (result = leave_stamp (vis, lines)) != TAKEN)
        break;
      if (is_plain && G_LIKELY (!ts_vis_line_is_far (lines) && vis->n_waiting == 0))
        {
          n = ts_vis_take_plain (vis, lines, (guint) (end - lines));
          vis->line += n;
          lines += n;
          if (lines == end)
            break;
          /* that may be all that is not plain */
          if (G_UNLIKELY (changes_wam (lines)) && settle_wam (vis, lines, vis->line + 1))
            continue;
        }
      result = take_event (vis, lines++, vis->line + 1);
      vis->line += result == TAKEN;
    }
  vis->newest = vis->last;
  return result;
}

#define MANY_NODES 2048 /* of thousands most are in no cache */

/* The nodes of all lines at once: while one arrives, the others are on their way. Always inline: a compiler leaves a call
 * of what does nothing but fetch out. */
static TS_ALWAYS_INLINE void
fetch_nodes (const TsVisNodes *nodes, const TsVisUsual *lines, guint n)
{
  guintptr node, task;

  for (guint i = 0; i < n; i++)
    __builtin_prefetch (&nodes->slots[ts_vis_place (nodes, lines[i].node)]);
  for (guint i = 0; i < n; i++)
    {
      node = (guintptr) nodes->slots[ts_vis_place (nodes, lines[i].node)].node;
      /* without a branch, since whether there is one is foreseen by nobody; and of a fork the field is no task */
      node = node != 0 ? node : (guintptr) nodes->slots;
      task = node + sizeof (TsVisNode) + lines[i].field * sizeof (TsVisTask);
      __builtin_prefetch ((const void *) node);
      __builtin_prefetch ((const void *) (node + offsetof (TsVisNode, is_or)));
      __builtin_prefetch ((const void *) task);
      __builtin_prefetch ((const void *) (task + offsetof (TsVisTask, status)));
    }
}

/* Of @n_lines from @begin on only @n were taken, and the others were read in vain. Returns where the first of these begins. */
static const guint8 *
give_back (const TsVisUsual *lines, guint n_lines, guint n, const guint8 *begin, const guint8 *end)
{
  for (guint i = n; i < n_lines; i++)
    ts_vis_take_back (&lines[i]);
  for (guint i = 0; i < n; i++)
    begin = (const guint8 *) memchr (begin, '\n', (gsize) (end - begin)) + 1;
  return begin;
}

/* How many are taken before the late one that comes next: the last of all is not. That one goes the general way, together
 * with the line behind it: it may change the WAM of an agent, or be the last of the trace. */
static guint
n_before_stray (const TsVis *vis, const TsVisUsual *lines)
{
  guint n = 0;

  while (lines[n].time <= vis->next_stray)
    n++;
  return n;
}

const guint8 *
ts_vis_take_usual (TsVis *vis, const guint8 *block, const guint8 *begin, const guint8 *end)
{
  Result        result = TAKEN;
  TsVisUsual    all[1 + TS_VIS_USUAL], *lines = all + 1; /* behind the one that was taken last, of which the time is known */
  const guint8 *next = begin;
  guint64       first;
  guint         n, n_scanned;

  while ((n = n_scanned = ts_vis_scan (vis, &next, block, end, vis->last, lines, TS_VIS_USUAL)) > 0)
    {
      first = vis->line;
      all[0].time = vis->last;
      if (G_UNLIKELY (vis->writes_otherwise))
        for (guint i = 0; i < n; i++)
          lines[i].node = ts_vis_line_key (&lines[i]);
      if (G_UNLIKELY (lines[n - 1].time > vis->next_stray))
        n = n_before_stray (vis, lines);
      if (G_UNLIKELY (vis->nodes.n_used >= MANY_NODES))
        fetch_nodes (&vis->nodes, lines, n);
      result = take_lines (vis, lines, n);
      vis->n_taken += vis->line - first;
      if (G_UNLIKELY (result == UNUSUAL))
        ts_vis_scan_reject (vis->scan);
      if (G_UNLIKELY (result != TAKEN || n < n_scanned))
        {
          begin = give_back (lines, n_scanned, (guint) (vis->line - first), begin, end);
          break;
        }
      begin = next;
    }
  return result != FAILED ? begin : NULL;
}

/* Of @n_lines from @begin to @next the first @n were what they looked like. Returns where the next one begins. */
static const guint8 *
pass_lines (TsVis *vis, const TsVisUsual *lines, guint n_lines, guint n, const guint8 *begin, const guint8 *next,
            const guint8 *end)
{
  vis->line += n;
  if (G_LIKELY (n == n_lines))
    return next;
  ts_vis_scan_reject (vis->scan);
  return give_back (lines, n_lines, n, begin, end);
}

const guint8 *
ts_vis_pass_usual (TsVis *vis, const guint8 *block, const guint8 *begin, const guint8 *end)
{
  const guint8 *next = begin;
  TsVisUsual    lines[TS_VIS_USUAL];
  guint         n_lines, n;

  do
    {
      n_lines = ts_vis_scan (vis, &next, block, end, vis->newest, lines, TS_VIS_USUAL);
      for (n = 0; n < n_lines && ts_vis_line_has_node (&lines[n]); n++)
        pass_wam (&lines[n]);
      if (n > 0)
        vis->newest = vis->previous = lines[n - 1].time;
      begin = next = pass_lines (vis, lines, n_lines, n, begin, next, end);
    }
  while (n > 0 && n == n_lines);
  return begin;
}

const guint8 *
ts_vis_record_usual (TsVis *vis, const guint8 *block, const guint8 *begin, const guint8 *end)
{
  const guint8 *next = begin;
  TsVisUsual    lines[TS_VIS_USUAL];
  TsVisRecord   records[TS_VIS_USUAL];
  guint         n_lines, n;

  do
    {
      n_lines = ts_vis_scan (vis, &next, block, end, G_MININT64, lines, TS_VIS_USUAL);
      /* all of them at first: what is taken may change the WAM of an agent */
      for (n = 0; n < n_lines && make_record (&lines[n], &records[n]); n++)
        records[n].line = vis->line + 1 + n;
      /* what comes behind what makes it begin anew is not to be learnt */
      for (guint i = 0; i < n && !vis->import->has_learnt; i++)
        {
          if (!ts_vis_take_record (vis, &records[i]))
            return NULL;
          /* it was too late, and no event: the WAM is still another one */
          if (G_UNLIKELY (!vis->reads_ahead && lines[i].agent->wam != records[i].wam))
            ts_vis_forget_wam (lines[i].agent);
        }
      begin = next = pass_lines (vis, lines, n_lines, n, begin, next, end);
    }
  while (n > 0 && n == n_lines);
  return begin;
}
