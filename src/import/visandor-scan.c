/* SPDX-License-Identifier: MIT */
#include "config.h"

#include <string.h>

#include "import/visandor-digits.h"
#include "import/visandor-run.h"

/* A quick reader of usual lines: none of their numbers is long, and their agent had a line before. Nodes are found by
 * their digits as they stand, and an agent and its WAM by the end of the line, so that only the time, the code and the
 * fourth field are converted. That is for regular lines, with one blank between two numbers; of loose ones, which have
 * any blanks, the numbers have to be found first. Any other line is left to the general way, which also says what is
 * wrong. */

#define SPAN 72        /* bytes that must be readable from its beginning on */
#define BEFORE 16      /* and before it: digits of the time are loaded from behind */
#define MAX_DIGITS 15  /* of a time: TS_VIS_QUICK_LIMIT is beyond */
#define MAX_REST 3     /* a blank, a carriage return, a newline */
#define AGENTS 512     /* by two bytes */

struct _TsVisScan
{
  TsVisAgent *agents[AGENTS]; /* by the first two bytes behind the blank before them */
  TsVisAgent  nobody;         /* where there is none */
  gsize       n_rest;         /* bytes behind the agent, with the newline: of regular lines */
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

/* What to do with the event of a code: first those of a task. */
typedef enum
{
  TAKE_START,
  TAKE_FINISH,
  TAKE_SUSPEND,
  TAKE_RESUME,
  TAKE_CUT,
  TAKE_JOIN,
  TAKE_FORK,
  TAKE_RECORD, /* whatever its node is */
} Action;

/* Text, TsVisCode and Action in one word. */
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
} Line;

/* The codes that each kind of trace has, by the place of their text; what has no text is left to the general way. */
static const guint32 codes[2][256] = {
#define CODE(tens, units, code, action)                                                                                \
  [TS_VIS_PLACE ((tens) | (units) << 8)] = KNOWN ((tens) | (units) << 8, code, action)
/* the place of two zero bytes, which are no text: that of this one is another */
#define NO_CODE [0] = 1
  { NO_CODE, CODE (' ', '1', TS_VIS_FORK, TAKE_FORK), CODE (' ', '2', TS_VIS_START_GOAL, TAKE_START),
    CODE (' ', '3', TS_VIS_FINISH_GOAL, TAKE_FINISH), CODE (' ', '4', TS_VIS_JOIN, TAKE_JOIN),
    CODE (' ', '7', TS_VIS_AGENT_BUSY, TAKE_RECORD), CODE (' ', '8', TS_VIS_AGENT_IDLE, TAKE_RECORD) },
  { NO_CODE, CODE (' ', '7', TS_VIS_AGENT_BUSY, TAKE_RECORD), CODE (' ', '8', TS_VIS_AGENT_IDLE, TAKE_RECORD),
    CODE ('2', '0', TS_VIS_MAKE_PUBLIC, TAKE_FORK), CODE ('2', '1', TS_VIS_START_BRANCH, TAKE_START),
    CODE ('2', '2', TS_VIS_SUCC_BRANCH, TAKE_FINISH), CODE ('2', '3', TS_VIS_FAIL_BRANCH, TAKE_FINISH),
    CODE ('2', '4', TS_VIS_SUSPEND_BRANCH, TAKE_SUSPEND), CODE ('2', '5', TS_VIS_RESUME_BRANCH, TAKE_RESUME),
    CODE ('2', '6', TS_VIS_CUTTING_BRANCH, TAKE_CUT), CODE ('2', '7', TS_VIS_LEAF_CUT, TAKE_RECORD),
    CODE ('3', '3', TS_VIS_START_BUSY, TAKE_RECORD), CODE ('3', '4', TS_VIS_STOP_BUSY, TAKE_RECORD) },
#undef CODE
#undef NO_CODE
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

/* How lines on the agent of @line, which began at @begin, end. */
static void
learn (TsVisScan *scan, const guint8 *begin, const Line *line)
{
  const guint8 *end = line->next, *end_of_agent = end - 1, *number, *wam;
  TsVisAgent   *agent = line->agent;
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
read_regular (TsVisScan *scan, const guint32 *codes_of_kind, const guint8 *p, Line *line)
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
  line->agent = scan->agents[place_of_agent (text)];
  /* a second digit of the agent has this bit, a blank or the end of the line has not */
  line->next = p + wam + (text >> 12 & 1) + scan->n_behind_wam;
  line->node = ts_eight_load (p + code + 1) & ts_vis_text_masks[node - code];
  /* that is all of it from the fourth field on, and so there is no newline before */
  if (G_UNLIKELY (!ts_vis_has_tail (line->next, &line->agent->tail)))
    {
      scan->is_missing = TRUE;
      return FALSE;
    }
  return read_time (scan, p + time, blanks ^ after_code, &line->time)
         && read_code (codes_of_kind, ts_vis_load_two (p + code - 2), &line->known) && code - time <= 3
         && ts_vis_read_small (ts_vis_load_two (p + field - 2), &line->field) && field - node <= 3;
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
read_loose (const TsVis *vis, const guint32 *codes_of_kind, const guint8 *p, Line *line)
{
  guint64 blanks, newlines, text, begins, ends;
  gsize   length;
  Number  time, code, node, field, wam, agent;
  guint   id;

  ts_vis_find_marks (p, &blanks, &newlines);
  if (G_UNLIKELY (newlines == 0))
    return FALSE;
  length = ts_vis_first (newlines);
  line->next = p + length + 1;
  length -= line->next[-2] == '\r';
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
                  || (line->agent = find_agent (vis, id, load_digits (p, wam))) == NULL))
    return FALSE;
  line->node = load_digits (p, node);
  return read_time (vis->scan, p + time.end, (guint64) 1 << (time.end - time.begin), &line->time)
         && read_code (codes_of_kind, load_short (p, code), &line->known) && code.end - code.begin <= 2
         && ts_vis_read_small (load_short (p, field), &line->field) && field.end - field.begin <= 2;
}

/* All lines */

/* Where so many of so many lines were not regular, so many of those that follow are not looked at as regular ones. */
#define MANY_LOOSE 8
#define OF_LINES 64
#define LOOSE_TO_COME 1000

static void
count_loose (TsVisScan *scan, guint64 number)
{
  if (scan->n_loose == 0)
    scan->first_loose = number;
  if (++scan->n_loose < MANY_LOOSE)
    return;
  scan->n_loose = 0;
  if (number - scan->first_loose < OF_LINES)
    scan->n_loose_to_come = LOOSE_TO_COME;
}

/* A line that is not regular, or not looked at as one. */
static G_GNUC_NO_INLINE gboolean
read_other (const TsVis *vis, const guint32 *codes_of_kind, const guint8 *begin, Line *line)
{
  TsVisScan *scan = vis->scan;

  if (!read_loose (vis, codes_of_kind, begin, line))
    return FALSE;
  if (scan->n_loose_to_come > 0)
    {
      scan->n_loose_to_come--;
      return TRUE;
    }
  if (scan->is_missing)
    learn (scan, begin, line);
  count_loose (scan, vis->line);
  return TRUE;
}

static TS_VIS_ALWAYS_INLINE gboolean
read_line (const TsVis *vis, TsVisScan *scan, const guint32 *codes_of_kind, const guint8 *begin, Line *line)
{
  Line other;

  if (G_LIKELY (scan->n_loose_to_come == 0) && G_LIKELY (read_regular (scan, codes_of_kind, begin, line)))
    return TRUE;
  /* a copy, so that what is read need not be in memory */
  if (!read_other (vis, codes_of_kind, begin, &other))
    return FALSE;
  *line = other;
  return TRUE;
}

/* Events */

static inline TsVisCode
code_of (const Line *line)
{
  return (TsVisCode) (line->known >> 16 & 0xff);
}

static inline Action
action_of (const Line *line)
{
  return (Action) (line->known >> 24);
}

/* All of @record but its line. FALSE: its node is not what it looks like. */
static inline gboolean
make_record (const Line *line, TsVisRecord *record)
{
  record->time = line->time;
  record->wam = line->agent->wam;
  record->code = code_of (line);
  record->field = (gint32) line->field;
  record->agent = line->agent->id;
  if (!ts_vis_read_hex (line->node, &record->node))
    return FALSE;
  record->key = key_of (record->node, line->node);
  return TRUE;
}

/* What the event is of; NULL: it is not known, or the event cannot be of it. */
static TS_VIS_ALWAYS_INLINE TsVisTask *
find_task (const TsVis *vis, const Line *line)
{
  TsVisNode *node = ts_vis_nodes_place (&vis->nodes, line->node)->node;

  return G_LIKELY (node != NULL && line->field < node->n_known) ? &node->tasks[line->field] : NULL;
}

static TS_VIS_ALWAYS_INLINE TsVisNode *
find_fork (const TsVis *vis, const Line *line)
{
  TsVisNode *node = ts_vis_nodes_place (&vis->nodes, line->node)->node;

  return G_LIKELY (node != NULL && node->n_known > 0 && !node->is_joined) ? node : NULL;
}

/* From here on @line is taken. */
static TS_VIS_ALWAYS_INLINE void
begin_event (TsVis *vis, const Line *line, gboolean is_equal)
{
  vis->now = line->time * vis->scale;
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
take_record (TsVis *vis, const Line *line, gboolean is_equal)
{
  TsVisRecord record;

  if (!make_record (line, &record))
    return UNUSUAL;
  begin_event (vis, line, is_equal);
  record.line = vis->now_line;
  if (action_of (line) == TAKE_FORK)
    return ts_vis_fork (vis, &record, line->agent) ? TAKEN : FAILED;
  return ts_vis_event (vis, &record, line->agent) ? TAKEN : FAILED;
}

/* Questions and no table of jumps: most lines are about a start or an end, and where a jump goes is foreseen less. */
static TS_VIS_ALWAYS_INLINE Result
take_event_of_task (TsVis *vis, TsVisTask *task, const Line *line)
{
  TsVisAgent *agent = line->agent;
  Action      action = action_of (line);

  if (action == TAKE_START)
    return ts_vis_start_task (vis, task, agent) ? TAKEN : FAILED;
  if (action == TAKE_FINISH)
    ts_vis_finish_task (vis, task, code_of (line), agent);
  else if (action == TAKE_SUSPEND)
    ts_vis_suspend_task (vis, task, agent);
  else if (action == TAKE_RESUME)
    ts_vis_resume_task (vis, task, agent);
  else
    {
      ts_vis_emit_user (vis, agent->resource);
      ts_vis_cut_task (vis, task, agent);
    }
  return TAKEN;
}

static TS_VIS_ALWAYS_INLINE Result
take_event (TsVis *vis, const Line *line, gboolean is_equal)
{
  TsVisTask *task;
  TsVisNode *node;
  Line       other;

  if (action_of (line) <= TAKE_CUT)
    {
      if ((task = find_task (vis, line)) != NULL)
        {
          begin_event (vis, line, is_equal);
          return take_event_of_task (vis, task, line);
        }
    }
  else if (action_of (line) == TAKE_JOIN && (node = find_fork (vis, line)) != NULL)
    {
      begin_event (vis, line, is_equal);
      ts_vis_join_node (vis, node, (gint32) line->field, line->agent);
      return TAKEN;
    }
  /* a copy, so that the others need not be in memory */
  other = *line;
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
  Line     line;

  while (result == TAKEN && begin <= last_begin)
    {
      if (G_UNLIKELY (!read_line (vis, scan, codes_of_kind, begin, &line) || line.time < last))
        break;
      result = take_event (vis, &line, line.time == last);
      if (G_LIKELY (result == TAKEN))
        {
          last = line.time;
          begin = line.next;
        }
    }
  vis->newest = vis->last = last;
  return result != FAILED ? begin : NULL;
}

const guint8 *
ts_vis_scan_line (const TsVis *vis, const guint8 *block, const guint8 *begin, const guint8 *end, TsVisRecord *record)
{
  Line line;

  if (begin - block < BEFORE || end - begin < SPAN || !read_line (vis, vis->scan, codes[vis->is_or], begin, &line)
      || !make_record (&line, record))
    return NULL;
  return line.next;
}
