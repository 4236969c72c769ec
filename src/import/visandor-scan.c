/* SPDX-License-Identifier: MIT */
#include "config.h"

#include <string.h>

#include "import/visandor-digits.h"
#include "import/visandor-run.h"

/* A quick reader of usual lines: one blank between two numbers, none of them long, by an agent that had a line of its
 * own before. Nodes are found by their digits as they stand, and an agent and its WAM by the end of the line, so that
 * only the time, the code and the fourth field are converted. Any other line is left to the general way, which also
 * says what is wrong. */

#define SPAN 72        /* bytes that must be readable from its beginning on */
#define BEFORE 16      /* and before it: digits of the time are loaded from behind */
#define MAX_DIGITS 15  /* of a time: TS_VIS_QUICK_LIMIT is beyond */
#define MAX_REST 3     /* a blank, a carriage return, a newline */
#define AGENTS 512     /* by two bytes */

struct _TsVisScan
{
  TsVisAgent *agents[AGENTS]; /* by the first two bytes behind the blank before them */
  TsVisAgent  nobody;         /* where there is none */
  gsize       n_rest;         /* bytes behind the agent, with the newline */
  gsize       n_behind_wam;   /* the same from the WAM on, where the agent has one digit */
  gboolean    is_missing;     /* a line came with an end that is not known */
  /* of the time before: */
  guint64     shape;          /* where blanks are, before it and behind */
  guint64     low, high;      /* of the last eight bytes, and of the eight before, those that are its digits */
  guint64     text;           /* the digits in front of the last eight */
  gint64      worth;          /* and what they are worth */
  /* of lines that are not regular: */
  guint       n_loose;
  guint       n_loose_to_come; /* maybe */
  guint64     first_loose;     /* line of the first of n_loose */
};

const TsVisTail ts_vis_no_tail = { .others = 1U << TS_VIS_TAIL };

/* Numbers */

/* The last n of eight bytes. */
static guint64
last_bytes (gsize n)
{
  return n > 0 ? ~G_GUINT64_CONSTANT (0) << (64 - 8 * n) : 0;
}

/* Times have the same number of digits for long. FALSE: too many. */
static gboolean G_GNUC_NO_INLINE
begin_shape (TsVisScan *scan, guint64 shape)
{
  gsize n = 63 - (gsize) __builtin_clzll (shape) - ts_vis_first (~shape);

  if (n > MAX_DIGITS)
    return FALSE;
  scan->shape = shape;
  scan->low = last_bytes (MIN (n, 8));
  scan->high = last_bytes (MAX (n, 8) - 8);
  /* not known yet, where there are more than eight: this byte is no part of it */
  scan->text = n > 8;
  scan->worth = 0;
  return TRUE;
}

/* In most traces these change once in a thousand lines. FALSE: they are none. */
static gboolean G_GNUC_NO_INLINE
begin_text (TsVisScan *scan, guint64 text)
{
  guint64 digits = (text ^ TS_EACH_BYTE ('0')) & scan->high;

  if (ts_eight_odd (digits) != 0)
    return FALSE;
  scan->text = text;
  scan->worth = (gint64) ts_eight_number (digits) * 100000000;
  return TRUE;
}

/* That ends at @end. */
static TS_VIS_ALWAYS_INLINE gboolean
read_time (TsVisScan *scan, const guint8 *end, guint64 shape, gint64 *time)
{
  guint64 low, text;

  if (G_UNLIKELY (shape != scan->shape) && !begin_shape (scan, shape))
    return FALSE;
  low = ts_eight_digits (end - 8) & scan->low;
  text = ts_eight_load (end - 16) & scan->high;
  if (G_UNLIKELY (ts_eight_odd (low) != 0))
    return FALSE;
  if (G_UNLIKELY (text != scan->text) && !begin_text (scan, text))
    return FALSE;
  *time = scan->worth + (gint64) ts_eight_number (low);
  return TRUE;
}

/* What to do with the event of a code. */
typedef enum
{
  TS_VIS_TAKE_RECORD, /* whatever its node is */
  TS_VIS_TAKE_FORK,
  TS_VIS_TAKE_JOIN,
  TS_VIS_TAKE_START,
  TS_VIS_TAKE_FINISH,
  TS_VIS_TAKE_SUSPEND,
  TS_VIS_TAKE_RESUME,
  TS_VIS_TAKE_CUT,
} TsVisAction;

/* Text, TsVisCode and TsVisAction in one word. */
#define KNOWN(text, code, action) ((text) | (guint32) (code) << 16 | (guint32) (action) << 24)

/* A usual line. */
typedef struct
{
  const guint8 *next; /* the line after it */
  TsVisAgent   *agent;
  gint64        time;
  guint64       node; /* its digits, as they are in memory, with a blank behind them if there are less than eight */
  guint32       field;
  guint32       known; /* as in `codes' */
} TsVisEntry;

/* The codes that each kind of trace has, by the place of their text; what has no text is left to the general way. */
static const guint32 codes[2][256] = {
#define CODE(tens, units, code, action) [TS_VIS_PLACE ((tens) | (units) << 8)] = KNOWN ((tens) | (units) << 8, code, action)
  { [0] = 1, CODE (' ', '1', TS_VIS_FORK, TS_VIS_TAKE_FORK), CODE (' ', '2', TS_VIS_START_GOAL, TS_VIS_TAKE_START),
    CODE (' ', '3', TS_VIS_FINISH_GOAL, TS_VIS_TAKE_FINISH), CODE (' ', '4', TS_VIS_JOIN, TS_VIS_TAKE_JOIN),
    CODE (' ', '7', TS_VIS_AGENT_BUSY, TS_VIS_TAKE_RECORD), CODE (' ', '8', TS_VIS_AGENT_IDLE, TS_VIS_TAKE_RECORD) },
  { [0] = 1, CODE (' ', '7', TS_VIS_AGENT_BUSY, TS_VIS_TAKE_RECORD), CODE (' ', '8', TS_VIS_AGENT_IDLE, TS_VIS_TAKE_RECORD),
    CODE ('2', '0', TS_VIS_MAKE_PUBLIC, TS_VIS_TAKE_FORK), CODE ('2', '1', TS_VIS_START_BRANCH, TS_VIS_TAKE_START),
    CODE ('2', '2', TS_VIS_SUCC_BRANCH, TS_VIS_TAKE_FINISH), CODE ('2', '3', TS_VIS_FAIL_BRANCH, TS_VIS_TAKE_FINISH),
    CODE ('2', '4', TS_VIS_SUSPEND_BRANCH, TS_VIS_TAKE_SUSPEND), CODE ('2', '5', TS_VIS_RESUME_BRANCH, TS_VIS_TAKE_RESUME),
    CODE ('2', '6', TS_VIS_CUTTING_BRANCH, TS_VIS_TAKE_CUT), CODE ('2', '7', TS_VIS_LEAF_CUT, TS_VIS_TAKE_RECORD),
    CODE ('3', '3', TS_VIS_START_BUSY, TS_VIS_TAKE_RECORD), CODE ('3', '4', TS_VIS_STOP_BUSY, TS_VIS_TAKE_RECORD) },
#undef CODE
};

static TS_VIS_ALWAYS_INLINE gboolean
read_code (const guint32 *codes_of_kind, guint text, guint32 *known)
{
  *known = codes_of_kind[TS_VIS_PLACE (text)];
  return (guint16) *known == text;
}

/* The key of the node of that id that @text is digits of. */
static inline guint64
key_of (guint64 id, guint64 text)
{
  gboolean has_small_letters = (text >> 1 & text & TS_EACH_BYTE (0x20)) != 0;
  gboolean has_zeros = (text & 0xff) == '0';

  return has_small_letters || has_zeros ? ts_vis_key (id) : text;
}

/* Agents */

static inline guint
place_of_agent (guint text)
{
  return text * 0x00880000U >> 23;
}

/* From now on lines end otherwise: no agent is known by its tail. */
static void
begin_style (TsVisScan *scan, gsize n_rest)
{
  scan->n_rest = n_rest;
  scan->n_behind_wam = n_rest + 2;
  for (guint i = 0; i < AGENTS; i++)
    scan->agents[i] = &scan->nobody;
}

TsVisScan *
ts_vis_scan_new (void)
{
  TsVisScan *scan = g_new0 (TsVisScan, 1);

  scan->nobody.tail = ts_vis_no_tail;
  begin_style (scan, 1);
  return scan;
}

void
ts_vis_scan_free (TsVisScan *scan)
{
  g_free (scan);
}

/* Where the number begins that ends at @end; NULL: there is no blank before it. */
static const guint8 *
begin_of_number (const guint8 *begin, const guint8 *end)
{
  const guint8 *p = end;

  while (p > begin && p[-1] > ' ')
    p--;
  return p < end && p > begin && p[-1] == ' ' ? p : NULL;
}

/* How lines on the agent of @entry, which began at @begin, end. */
static void
learn (TsVisScan *scan, const guint8 *begin, const TsVisEntry *entry)
{
  const guint8 *end = entry->next, *end_of_agent = end - 1, *number, *wam;
  TsVisAgent   *agent = entry->agent;
  gsize         n_rest, length;

  scan->is_missing = FALSE;
  while (end_of_agent[-1] <= ' ')
    end_of_agent--;
  n_rest = (gsize) (end - end_of_agent);
  if (n_rest > MAX_REST || (number = begin_of_number (begin, end_of_agent)) == NULL
      || (wam = begin_of_number (begin, number - 1)) == NULL)
    return;
  length = (gsize) (end + 1 - wam);
  if (length > TS_VIS_TAIL)
    return;
  if (n_rest != scan->n_rest)
    begin_style (scan, n_rest);
  memcpy (agent->tail.text, end - TS_VIS_TAIL, TS_VIS_TAIL);
  agent->tail.others = 0xffffU >> length;
  scan->agents[place_of_agent (ts_vis_load_two (number))] = agent;
}

/* Regular lines */

/* As most producers write them: with a blank between two numbers, and ends that are known. */
static TS_VIS_ALWAYS_INLINE gboolean
read_regular (TsVisScan *scan, const guint32 *codes_of_kind, const guint8 *p, TsVisEntry *entry)
{
  guint64 blanks = ts_vis_find_blanks (p), after_time, after_code, after_node, after_field, after_wam;
  gsize   time, code, node, field, wam;
  guint   text;

  /* without those in front of the time */
  after_time = blanks & (blanks + 1);
  after_code = after_time & (after_time - 1);
  after_node = after_code & (after_code - 1);
  after_field = after_node & (after_node - 1);
  after_wam = after_field & (after_field - 1);
  if (G_UNLIKELY (after_wam == 0))
    return FALSE;
  time = ts_vis_first (after_time);
  code = ts_vis_first (after_code);
  node = ts_vis_first (after_node);
  field = ts_vis_first (after_field);
  wam = ts_vis_first (after_wam);
  text = ts_vis_load_two (p + wam + 1);
  entry->agent = scan->agents[place_of_agent (text)];
  /* a second digit of the agent has this bit, a blank or the end of the line has not */
  entry->next = p + wam + (text >> 12 & 1) + scan->n_behind_wam;
  entry->node = ts_eight_load (p + code + 1) & ts_vis_text_masks[node - code];
  /* that is all of it from the fourth field on, and so there is no newline before */
  if (G_UNLIKELY (!ts_vis_has_tail (entry->next, &entry->agent->tail)))
    {
      scan->is_missing = TRUE;
      return FALSE;
    }
  return read_time (scan, p + time, blanks ^ after_code, &entry->time)
         && read_code (codes_of_kind, ts_vis_load_two (p + code - 2), &entry->known) && code - time <= 3
         && ts_vis_read_small (ts_vis_load_two (p + field - 2), &entry->field) && field - node <= 3;
}

/* Lines with any blanks */

/* The first byte of a number, and the one behind it. */
typedef struct
{
  gsize begin, end;
} Number;

/* The lowest of each; both move on to the next one. There is one. */
static TS_VIS_ALWAYS_INLINE Number
next_number (guint64 *begins, guint64 *ends)
{
  Number number = { ts_vis_first (*begins), ts_vis_first (*ends) };

  *begins &= *begins - 1;
  *ends &= *ends - 1;
  return number;
}

/* Whether exactly six are set of @marks. */
static TS_VIS_ALWAYS_INLINE gboolean
are_six (guint64 marks)
{
  for (guint i = 0; i < 5; i++)
    marks &= marks - 1;
  return marks != 0 && (marks & (marks - 1)) == 0;
}

/* One or two digits, as if there was a blank before them. */
static TS_VIS_ALWAYS_INLINE guint
load_short (const guint8 *p, Number number)
{
  guint two = ts_vis_load_two (p + number.end - 2);

  return number.end - number.begin == 1 ? (two & 0xff00) | ' ' : two;
}

/* Up to eight digits, with a blank behind them if there are less. */
static TS_VIS_ALWAYS_INLINE guint64
load_digits (const guint8 *p, Number number)
{
  gsize bits = 8 * (number.end - number.begin);

  /* no shift by 64, which would be none */
  return ts_eight_load (p + number.begin) << (64 - bits) >> (64 - bits) | (guint64) ' ' << bits / 2 << bits / 2;
}

/* The agent of that number, if @wam is what its WAM is written with. */
static TS_VIS_ALWAYS_INLINE TsVisAgent *
find_agent (const TsVis *vis, guint id, guint64 wam)
{
  TsVisAgent *agent = id < vis->n_near ? vis->near_agents[id] : NULL;
  guint64     value;

  if (G_UNLIKELY (agent == NULL))
    return NULL;
  if (G_UNLIKELY (agent->wam_text != wam))
    {
      if (!agent->has_wam || !ts_vis_read_hex (wam, &value) || value != agent->wam)
        return NULL;
      agent->wam_text = wam;
    }
  return agent;
}

/* One with any number of blanks or tabulators around its numbers. */
static TS_VIS_ALWAYS_INLINE gboolean
read_loose (const TsVis *vis, const guint32 *codes_of_kind, const guint8 *p, TsVisEntry *entry)
{
  guint64 blanks, newlines, text, begins, ends;
  gsize   length;
  Number  time, code, node, field, wam, agent;
  guint   id;

  ts_vis_find_marks (p, &blanks, &newlines);
  if (G_UNLIKELY (newlines == 0))
    return FALSE;
  length = ts_vis_first (newlines);
  entry->next = p + length + 1;
  length -= p[length - 1] == '\r';
  text = ~blanks & (((guint64) 1 << length) - 1);
  begins = text & ~(text << 1);
  ends = ~text & text << 1;
  if (G_UNLIKELY (!are_six (begins)))
    return FALSE;
  time = next_number (&begins, &ends);
  code = next_number (&begins, &ends);
  node = next_number (&begins, &ends);
  field = next_number (&begins, &ends);
  wam = next_number (&begins, &ends);
  agent = next_number (&begins, &ends);
  if (G_UNLIKELY (node.end - node.begin > 8 || wam.end - wam.begin > 8 || agent.end - agent.begin > 2
                  || !ts_vis_read_small (load_short (p, agent), &id)
                  || (entry->agent = find_agent (vis, id, load_digits (p, wam))) == NULL))
    return FALSE;
  entry->node = load_digits (p, node);
  return read_time (vis->scan, p + time.end, (guint64) 1 << (time.end - time.begin), &entry->time)
         && read_code (codes_of_kind, load_short (p, code), &entry->known) && code.end - code.begin <= 2
         && ts_vis_read_small (load_short (p, field), &entry->field) && field.end - field.begin <= 2;
}

/* All lines */

/* Where so many of so many lines were not regular, so many of those that follow are not looked at as regular ones. */
#define MANY_LOOSE 8
#define OF_LINES 64
#define LOOSE_TO_COME 1000

static void
count_loose (TsVisScan *scan, guint64 line)
{
  if (scan->n_loose == 0)
    scan->first_loose = line;
  if (++scan->n_loose < MANY_LOOSE)
    return;
  scan->n_loose = 0;
  if (line - scan->first_loose < OF_LINES)
    scan->n_loose_to_come = LOOSE_TO_COME;
}

/* A line that is not regular, or not looked at as one. */
static G_GNUC_NO_INLINE gboolean
read_other (const TsVis *vis, const guint32 *codes_of_kind, const guint8 *begin, TsVisEntry *entry)
{
  TsVisScan *scan = vis->scan;

  if (!read_loose (vis, codes_of_kind, begin, entry))
    return FALSE;
  if (scan->n_loose_to_come > 0)
    {
      scan->n_loose_to_come--;
      return TRUE;
    }
  if (scan->is_missing)
    learn (scan, begin, entry);
  count_loose (scan, vis->line);
  return TRUE;
}

static TS_VIS_ALWAYS_INLINE gboolean
read_entry (const TsVis *vis, TsVisScan *scan, const guint32 *codes_of_kind, const guint8 *begin, TsVisEntry *entry)
{
  TsVisEntry other;

  if (G_LIKELY (scan->n_loose_to_come == 0) && G_LIKELY (read_regular (scan, codes_of_kind, begin, entry)))
    return TRUE;
  /* a copy, so that the others need not be in memory */
  if (!read_other (vis, codes_of_kind, begin, &other))
    return FALSE;
  *entry = other;
  return TRUE;
}

/* Events */

static inline TsVisCode
code_of (const TsVisEntry *entry)
{
  return (TsVisCode) (entry->known >> 16 & 0xff);
}

static inline TsVisAction
action_of (const TsVisEntry *entry)
{
  return (TsVisAction) (entry->known >> 24);
}

/* All of @record but its line. FALSE: its node is not what it looks like. */
static inline gboolean
make_record (const TsVisEntry *entry, TsVisRecord *record)
{
  record->time = entry->time;
  record->wam = entry->agent->wam;
  record->code = code_of (entry);
  record->field = (gint32) entry->field;
  record->agent = entry->agent->id;
  if (!ts_vis_read_hex (entry->node, &record->node))
    return FALSE;
  record->key = key_of (record->node, entry->node);
  return TRUE;
}

/* What the event is of; NULL: it is not known, or the event cannot be of it. */
static TS_VIS_ALWAYS_INLINE TsVisTask *
find_task (const TsVis *vis, const TsVisEntry *entry)
{
  TsVisNode *node = ts_vis_nodes_place (&vis->nodes, entry->node)->node;

  return G_LIKELY (node != NULL && entry->field < node->n_known) ? &node->tasks[entry->field] : NULL;
}

static TS_VIS_ALWAYS_INLINE TsVisNode *
find_fork (const TsVis *vis, const TsVisEntry *entry)
{
  TsVisNode *node = ts_vis_nodes_place (&vis->nodes, entry->node)->node;

  return G_LIKELY (node != NULL && node->n_known > 0 && !node->is_joined) ? node : NULL;
}

/* From here on @entry is taken. */
static TS_VIS_ALWAYS_INLINE void
begin_event (TsVis *vis, const TsVisEntry *entry, gboolean is_equal)
{
  vis->now = entry->time * vis->scale;
  vis->now_line = ++vis->line;
  if (G_UNLIKELY (is_equal))
    ts_vis_note (vis, TS_DIAGNOSTIC_EQUAL_STAMPS);
}

typedef enum
{
  TAKEN,
  UNUSUAL, /* the general way must be gone */
  FAILED,  /* vis->error is set */
} Result;

/* An event that is not of a goal or branch which is known. */
static Result
take_record (TsVis *vis, const TsVisEntry *entry, gboolean is_equal)
{
  TsVisRecord record;

  if (!make_record (entry, &record))
    return UNUSUAL;
  begin_event (vis, entry, is_equal);
  record.line = vis->now_line;
  if (action_of (entry) == TS_VIS_TAKE_FORK)
    return ts_vis_fork (vis, &record, entry->agent) ? TAKEN : FAILED;
  return ts_vis_event (vis, &record, entry->agent) ? TAKEN : FAILED;
}

static TS_VIS_ALWAYS_INLINE Result
take_entry (TsVis *vis, const TsVisEntry *entry, gboolean is_equal)
{
  TsVisAgent *agent = entry->agent;
  TsVisTask  *task;
  TsVisNode  *node;
  TsVisEntry  other;

  switch (action_of (entry))
    {
    case TS_VIS_TAKE_START:
      if ((task = find_task (vis, entry)) == NULL)
        break;
      begin_event (vis, entry, is_equal);
      return ts_vis_start_task (vis, task, agent) ? TAKEN : FAILED;
    case TS_VIS_TAKE_FINISH:
      if ((task = find_task (vis, entry)) == NULL)
        break;
      begin_event (vis, entry, is_equal);
      ts_vis_finish_task (vis, task, code_of (entry), agent);
      return TAKEN;
    case TS_VIS_TAKE_JOIN:
      if ((node = find_fork (vis, entry)) == NULL)
        break;
      begin_event (vis, entry, is_equal);
      ts_vis_join_node (vis, node, (gint32) entry->field, agent);
      return TAKEN;
    case TS_VIS_TAKE_SUSPEND:
      if ((task = find_task (vis, entry)) == NULL)
        break;
      begin_event (vis, entry, is_equal);
      ts_vis_suspend_task (vis, task, agent);
      return TAKEN;
    case TS_VIS_TAKE_RESUME:
      if ((task = find_task (vis, entry)) == NULL)
        break;
      begin_event (vis, entry, is_equal);
      ts_vis_resume_task (vis, task, agent);
      return TAKEN;
    case TS_VIS_TAKE_CUT:
      if ((task = find_task (vis, entry)) == NULL)
        break;
      begin_event (vis, entry, is_equal);
      ts_vis_emit_user (vis, agent->resource);
      ts_vis_cut_task (vis, task, agent);
      return TAKEN;
    case TS_VIS_TAKE_RECORD:
    case TS_VIS_TAKE_FORK:
      break;
    }
  /* a copy, so that the others need not be in memory */
  other = *entry;
  return take_record (vis, &other, is_equal);
}

const guint8 *
ts_vis_scan (TsVis *vis, const guint8 *block, const guint8 *begin, const guint8 *end)
{
  TsVisScan     *const scan = vis->scan;
  const guint32 *codes_of_kind = codes[vis->is_or];
  const guint8  *last_begin = end - SPAN; /* of a line that can be read */
  gint64         last = vis->last;
  Result         result = begin - block >= BEFORE && end - begin >= SPAN ? TAKEN : UNUSUAL;
  TsVisEntry     entry;

  while (result == TAKEN && begin <= last_begin)
    {
      if (G_UNLIKELY (!read_entry (vis, scan, codes_of_kind, begin, &entry) || entry.time < last))
        break;
      result = take_entry (vis, &entry, entry.time == last);
      if (G_LIKELY (result == TAKEN))
        {
          last = entry.time;
          begin = entry.next;
        }
    }
  vis->newest = vis->last = last;
  return result != FAILED ? begin : NULL;
}

const guint8 *
ts_vis_scan_line (const TsVis *vis, const guint8 *block, const guint8 *begin, const guint8 *end, TsVisRecord *record)
{
  TsVisEntry entry;

  if (begin - block < BEFORE || end - begin < SPAN || !read_entry (vis, vis->scan, codes[vis->is_or], begin, &entry)
      || !make_record (&entry, record))
    return NULL;
  return entry.next;
}
