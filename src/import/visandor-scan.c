/* SPDX-License-Identifier: MIT */
#include "config.h"

#include <string.h>

#ifdef __SSE2__
#include <emmintrin.h>
#endif

#include "import/digits.h"
#include "import/visandor-run.h"

/* A quick reader of usual lines: one blank between two numbers, none of them long, by an agent that had a line of its
 * own before. Nodes are found by their digits as they stand, and an agent and its WAM by the end of the line, so that
 * only the time, the code and the fourth field are converted. Any other line is left to the general way, which also
 * says what is wrong. */

#define ALWAYS_INLINE inline __attribute__ ((always_inline))
#define BLOCK 48       /* bytes of a line up to its agent */
#define SPAN 64        /* bytes that must be readable from its beginning on */
#define BEFORE 16      /* and before it: digits of the time are loaded from behind */
#define MAX_DIGITS 15  /* of a time: TS_VIS_QUICK_LIMIT is beyond */
#define MAX_REST 3     /* a blank, a carriage return, a newline */
#define AGENTS 512     /* by two bytes */

struct _TsVisScan
{
  TsVisAgent *agents[AGENTS]; /* by the first two bytes behind the blank before them */
  TsVisAgent  nobody;         /* where there is none */
  gsize       n_rest;         /* bytes behind the agent, with the newline */
  gboolean    is_missing;     /* a line came with an end that is not known */
  /* of the time before: */
  guint64     shape;          /* where blanks are, before it and behind */
  guint64     low, high;      /* of the last eight bytes, and of the eight before, those that are its digits */
  guint64     text;           /* the digits in front of the last eight */
  gint64      worth;          /* and what they are worth */
};

const TsVisTail ts_vis_no_tail = { .others = 1U << TS_VIS_TAIL };

/* Bytes */

/* The byte at @p is the lower one. */
static inline guint
load_two (const guint8 *p)
{
  guint16 two;

  memcpy (&two, p, sizeof two);
  return GUINT16_FROM_LE (two);
}

/* Where blanks are among the BLOCK bytes at @p: a bit for each. */
#ifdef __SSE2__

static ALWAYS_INLINE guint64
find_blanks_in (const guint8 *p)
{
  __m128i bytes = _mm_loadu_si128 ((const __m128i *) (gconstpointer) p);

  return (guint) _mm_movemask_epi8 (_mm_cmpeq_epi8 (bytes, _mm_set1_epi8 (' ')));
}

static ALWAYS_INLINE guint64
find_blanks (const guint8 *p)
{
  return find_blanks_in (p) | find_blanks_in (p + 16) << 16 | find_blanks_in (p + 32) << 32;
}

static ALWAYS_INLINE gboolean
has_tail (const guint8 *end, const TsVisTail *tail)
{
  __m128i bytes = _mm_loadu_si128 ((const __m128i *) (gconstpointer) (end - TS_VIS_TAIL));
  __m128i known = _mm_loadu_si128 ((const __m128i *) (gconstpointer) tail->text);

  return ((guint) _mm_movemask_epi8 (_mm_cmpeq_epi8 (bytes, known)) | tail->others) == 0xffff;
}

#else

/* A bit for each byte that is 0; exact, for no carry leaves its byte. */
static inline guint
find_zeros (guint64 x)
{
  x = ~(((x & TS_EACH_BYTE (0x7f)) + TS_EACH_BYTE (0x7f)) | x | TS_EACH_BYTE (0x7f));
  return (guint) (((x >> 7) * G_GUINT64_CONSTANT (0x0102040810204080)) >> 56);
}

static inline guint64
find_blanks (const guint8 *p)
{
  guint64 found = 0;

  for (guint i = 0; i < BLOCK; i += 8)
    found |= (guint64) find_zeros (ts_eight_load (p + i) ^ TS_EACH_BYTE (' ')) << i;
  return found;
}

static inline gboolean
has_tail (const guint8 *end, const TsVisTail *tail)
{
  guint equal = find_zeros (ts_eight_load (end - 16) ^ ts_eight_load (tail->text))
                | find_zeros (ts_eight_load (end - 8) ^ ts_eight_load (tail->text + 8)) << 8;

  return (equal | tail->others) == 0xffff;
}

#endif

static inline gsize
first (guint64 marks)
{
  return (guint) __builtin_ctzll (marks);
}

/* Numbers */

/* Up to eight digits, and the blank behind them. */
static const guint64 text_masks[BLOCK] = {
#define LOW(n) (~G_GUINT64_CONSTANT (0) >> (64 - 8 * (n)))
  0, LOW (2), LOW (3), LOW (4), LOW (5), LOW (6), LOW (7), LOW (8), LOW (8),
#undef LOW
};

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
  gsize n = 63 - (gsize) __builtin_clzll (shape) - first (~shape);

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
static ALWAYS_INLINE gboolean
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

/* One or two decimal digits. Where the lower byte of the text is the tens or a blank, and the upper one the units, no
 * two texts get the same place. */
#define PLACE(text) (guint8) ((guint32) (text) * 0x01100000 >> 24)
/* The place of two zero bytes, which are no text: that of this one is another. */
#define NO_TEXT [0] = { .text = 1 }

static const struct
{
  guint16 text, value;
} numbers[256] = {
  NO_TEXT,
#define NUMBER(tens, text, units)                                                                                      \
  [PLACE ((text) | ('0' + (units)) << 8)] = { (text) | ('0' + (units)) << 8, 10 * (tens) + (units) }
#define TEN(tens, text)                                                                                                \
  NUMBER (tens, text, 0), NUMBER (tens, text, 1), NUMBER (tens, text, 2), NUMBER (tens, text, 3),                      \
      NUMBER (tens, text, 4), NUMBER (tens, text, 5), NUMBER (tens, text, 6), NUMBER (tens, text, 7),                  \
      NUMBER (tens, text, 8), NUMBER (tens, text, 9)
  TEN (0, ' '), TEN (0, '0'), TEN (1, '1'), TEN (2, '2'), TEN (3, '3'), TEN (4, '4'),
  TEN (5, '5'), TEN (6, '6'), TEN (7, '7'), TEN (8, '8'), TEN (9, '9'),
#undef TEN
#undef NUMBER
};

/* What is in front of @end, behind the blank @n bytes before it. */
static ALWAYS_INLINE gboolean
read_small (const guint8 *end, gsize n, guint *value)
{
  guint text = load_two (end - 2), place = PLACE (text);

  *value = numbers[place].value;
  return numbers[place].text == text && n <= 3;
}

/* What to do with the event of a code. */
typedef enum
{
  TAKE_RECORD, /* whatever its node is */
  FORK,
  JOIN,
  START,
  FINISH,
  SUSPEND,
  RESUME,
  CUT,
} Action;

/* The codes that each kind of trace has, by the place of their text; what has no text is left to the general way. */
typedef struct
{
  guint16 text;
  guint8  code, action;
} Code;

static const Code codes[2][256] = {
#define CODE(tens, units, code, action) [PLACE ((tens) | (units) << 8)] = { (tens) | (units) << 8, code, action }
  { NO_TEXT, CODE (' ', '1', TS_VIS_FORK, FORK), CODE (' ', '2', TS_VIS_START_GOAL, START),
    CODE (' ', '3', TS_VIS_FINISH_GOAL, FINISH), CODE (' ', '4', TS_VIS_JOIN, JOIN),
    CODE (' ', '7', TS_VIS_AGENT_BUSY, TAKE_RECORD), CODE (' ', '8', TS_VIS_AGENT_IDLE, TAKE_RECORD) },
  { NO_TEXT, CODE (' ', '7', TS_VIS_AGENT_BUSY, TAKE_RECORD), CODE (' ', '8', TS_VIS_AGENT_IDLE, TAKE_RECORD),
    CODE ('2', '0', TS_VIS_MAKE_PUBLIC, FORK), CODE ('2', '1', TS_VIS_START_BRANCH, START),
    CODE ('2', '2', TS_VIS_SUCC_BRANCH, FINISH), CODE ('2', '3', TS_VIS_FAIL_BRANCH, FINISH),
    CODE ('2', '4', TS_VIS_SUSPEND_BRANCH, SUSPEND), CODE ('2', '5', TS_VIS_RESUME_BRANCH, RESUME),
    CODE ('2', '6', TS_VIS_CUTTING_BRANCH, CUT), CODE ('2', '7', TS_VIS_LEAF_CUT, TAKE_RECORD),
    CODE ('3', '3', TS_VIS_START_BUSY, TAKE_RECORD), CODE ('3', '4', TS_VIS_STOP_BUSY, TAKE_RECORD) },
#undef CODE
};

/* The same for the code. */
static ALWAYS_INLINE gboolean
read_code (const Code *known, const guint8 *end, gsize n, Code *code)
{
  guint text = load_two (end - 2);

  *code = known[PLACE (text)];
  return code->text == text && n <= 3;
}

/* Up to eight digits, as they are in memory, with the blank behind them. */
static inline gboolean
read_hex (guint64 text, guint64 *value)
{
  guint64 digits, decimal = text ^ TS_EACH_BYTE ('0'), letter = (text | TS_EACH_BYTE (0x20)) ^ TS_EACH_BYTE (0x60); /* 1 to 6 */
  guint64 others = ((decimal + TS_EACH_BYTE (0x76)) | decimal) & (~(letter + TS_EACH_BYTE (0x7f)) | (letter + TS_EACH_BYTE (0x79)) | letter)
                   & TS_EACH_BYTE (0x80);
  gsize   n = others != 0 ? first (others) / 8 : 8;

  if (n == 0 || (n < 8 && text >> 8 * n != ' '))
    return FALSE;
  digits = (text & TS_EACH_BYTE (0x0f)) + 9 * ((text >> 6) & TS_EACH_BYTE (1));
  digits <<= 8 * (8 - n);
  digits = (digits << 4 | digits >> 8) & G_GUINT64_CONSTANT (0x00ff00ff00ff00ff);
  digits = (digits << 8 | digits >> 16) & G_GUINT64_CONSTANT (0x0000ffff0000ffff);
  *value = (digits << 16 | digits >> 32) & 0xffffffff;
  return TRUE;
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

void
ts_vis_scan_learn (TsVis *vis, const guint8 *begin, const guint8 *end, const TsVisRecord *record)
{
  TsVisScan    *scan = vis->scan;
  TsVisAgent   *agent = (guint) record->agent < vis->n_near ? vis->near_agents[record->agent] : NULL;
  const guint8 *end_of_agent = end, *number, *wam;
  gsize         n_rest, length;

  if (!scan->is_missing)
    return;
  scan->is_missing = FALSE;
  if (agent == NULL || !agent->has_wam || agent->wam != record->wam || end - begin < TS_VIS_TAIL)
    return;
  while (end_of_agent > begin && (end_of_agent[-1] == ' ' || end_of_agent[-1] == '\r'))
    end_of_agent--;
  n_rest = (gsize) (end + 1 - end_of_agent);
  if (n_rest > MAX_REST || (number = begin_of_number (begin, end_of_agent)) == NULL
      || (wam = begin_of_number (begin, number - 1)) == NULL)
    return;
  length = (gsize) (end + 2 - wam);
  if (length > TS_VIS_TAIL)
    return;
  if (n_rest != scan->n_rest)
    begin_style (scan, n_rest);
  memcpy (agent->tail.text, end + 1 - TS_VIS_TAIL, TS_VIS_TAIL);
  agent->tail.others = 0xffffU >> length;
  scan->agents[place_of_agent (load_two (number))] = agent;
}

/* Lines */

typedef struct
{
  const guint8 *next; /* the line after it */
  TsVisAgent   *agent;
  gint64        time;
  guint64       node; /* its digits, as they are in memory */
  guint         field;
  Code          code;
} Line;

static ALWAYS_INLINE gboolean
read_line (TsVisScan *scan, const Code *known, const guint8 *p, Line *line)
{
  guint64 blanks = find_blanks (p), after_time, after_code, after_node, after_field, after_wam;
  gsize   time, code, node, field, agent;
  guint   text;

  /* without those in front of the time */
  after_time = blanks & (blanks + 1);
  after_code = after_time & (after_time - 1);
  after_node = after_code & (after_code - 1);
  after_field = after_node & (after_node - 1);
  after_wam = after_field & (after_field - 1);
  if (G_UNLIKELY (after_wam == 0))
    return FALSE;
  time = first (after_time);
  code = first (after_code);
  node = first (after_node);
  field = first (after_field);
  agent = first (after_wam) + 1;
  text = load_two (p + agent);
  line->agent = scan->agents[place_of_agent (text)];
  /* a second digit of the agent has this bit, a blank or the end of the line has not */
  line->next = p + agent + 1 + (text >> 12 & 1) + scan->n_rest;
  line->node = ts_eight_load (p + code + 1) & text_masks[node - code - 1];
  /* that is all of it from the fourth field on, and so there is no newline before */
  if (G_UNLIKELY (!has_tail (line->next, &line->agent->tail)))
    {
      scan->is_missing = TRUE;
      return FALSE;
    }
  return read_time (scan, p + time, blanks ^ after_code, &line->time)
         && read_code (known, p + code, code - time, &line->code) && read_small (p + field, field - node, &line->field);
}

/* What the event is of; NULL: it is not known, or the event cannot be of it. */
static ALWAYS_INLINE TsVisTask *
find_task (const TsVis *vis, const Line *line)
{
  TsVisNode *node = ts_vis_nodes_place (&vis->nodes, line->node)->node;

  return G_LIKELY (node != NULL && line->field < node->n_known) ? &node->tasks[line->field] : NULL;
}

static ALWAYS_INLINE TsVisNode *
find_fork (const TsVis *vis, const Line *line)
{
  TsVisNode *node = ts_vis_nodes_place (&vis->nodes, line->node)->node;

  return G_LIKELY (node != NULL && node->n_known > 0 && !node->is_joined) ? node : NULL;
}

/* From here on @line is taken. */
static ALWAYS_INLINE void
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

/* FALSE: its node is not what it looks like. */
static inline gboolean
make_record (const Line *line, TsVisRecord *record)
{
  record->time = line->time;
  record->wam = line->agent->wam;
  record->code = line->code.code;
  record->field = (gint32) line->field;
  record->agent = line->agent->id;
  if (!read_hex (line->node, &record->node))
    return FALSE;
  record->key = key_of (record->node, line->node);
  return TRUE;
}

/* An event that is not of a goal or branch which is known. */
static Result
take_record (TsVis *vis, const Line *line, gboolean is_equal)
{
  TsVisRecord record;

  if (!make_record (line, &record))
    return UNUSUAL;
  begin_event (vis, line, is_equal);
  record.line = vis->now_line;
  if (line->code.action == FORK)
    return ts_vis_fork (vis, &record, line->agent) ? TAKEN : FAILED;
  return ts_vis_event (vis, &record, line->agent) ? TAKEN : FAILED;
}

static ALWAYS_INLINE Result
take_event (TsVis *vis, const Line *line, gboolean is_equal)
{
  TsVisAgent *agent = line->agent;
  TsVisTask  *task;
  TsVisNode  *node;
  Line        other;

  switch ((Action) line->code.action)
    {
    case START:
      if ((task = find_task (vis, line)) == NULL)
        break;
      begin_event (vis, line, is_equal);
      return ts_vis_start_task (vis, task, agent) ? TAKEN : FAILED;
    case FINISH:
      if ((task = find_task (vis, line)) == NULL)
        break;
      begin_event (vis, line, is_equal);
      ts_vis_finish_task (vis, task, (TsVisCode) line->code.code, agent);
      return TAKEN;
    case JOIN:
      if ((node = find_fork (vis, line)) == NULL)
        break;
      begin_event (vis, line, is_equal);
      ts_vis_join_node (vis, node, (gint32) line->field, agent);
      return TAKEN;
    case SUSPEND:
      if ((task = find_task (vis, line)) == NULL)
        break;
      begin_event (vis, line, is_equal);
      ts_vis_suspend_task (vis, task, agent);
      return TAKEN;
    case RESUME:
      if ((task = find_task (vis, line)) == NULL)
        break;
      begin_event (vis, line, is_equal);
      ts_vis_resume_task (vis, task, agent);
      return TAKEN;
    case CUT:
      if ((task = find_task (vis, line)) == NULL)
        break;
      begin_event (vis, line, is_equal);
      ts_vis_emit_user (vis, agent->resource);
      ts_vis_cut_task (vis, task, agent);
      return TAKEN;
    case TAKE_RECORD:
    case FORK:
      break;
    }
  /* a copy, so that the others need not be in memory */
  other = *line;
  return take_record (vis, &other, is_equal);
}

const guint8 *
ts_vis_scan (TsVis *vis, const guint8 *block, const guint8 *begin, const guint8 *end)
{
  const Code   *known = codes[vis->is_or];
  const guint8 *last_begin = end - SPAN; /* of a line that can be read */
  gint64        last = vis->last;
  Result        result = begin - block >= BEFORE && end - begin >= SPAN ? TAKEN : UNUSUAL;
  Line          line;

  while (result == TAKEN && begin <= last_begin)
    {
      if (G_UNLIKELY (!read_line (vis->scan, known, begin, &line) || line.time < last))
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

  if (begin - block < BEFORE || end - begin < SPAN || !read_line (vis->scan, codes[vis->is_or], begin, &line)
      || !make_record (&line, record))
    return NULL;
  return line.next;
}
