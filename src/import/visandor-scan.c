/* SPDX-License-Identifier: MIT */
#include "config.h"

#include <string.h>

#include "import/visandor-digits.h"
#include "model/pages.h"

/* A quick reader of usual lines: none of their numbers is long, and their agent had a line before. Nodes are left as
 * their digits stand, and an agent and its WAM are found by the end of the line, so that only the time, the code and
 * the fourth field are converted. That is for regular lines, with one blank or tabulator between two numbers, and a
 * time as wide as before. If all numbers are as wide as before the line is alike: where the next one begins is known
 * without a look at this one, so that a processor need not wait for that. Of loose lines, which have any blanks, the
 * numbers have to be found first, and the next ones may be regular like them. Any other line is left to the general
 * way, which also says what is wrong.
 *
 * Lines are read some dozens at a time, and their events taken later: what a line is about is foreseen by nobody, and
 * until it is known the next one would not be begun. */

#define SPAN 88     /* bytes that must be readable from its beginning on */
#define BEFORE 24   /* and before it: digits of the time are loaded from behind */
#define LEAST 10    /* bytes between it and the newline */
#define MAX_REST 3  /* a blank, a carriage return, a newline */
#define AGENTS 1024 /* by three bytes */

#define KNOWN_BITS 10

/* Where the numbers of alike lines are, behind the end of their time. */
typedef struct
{
  guint32 head;   /* of the first four bytes, those up to the blank behind the code */
  guint   others; /* a bit for each of 16 bytes from the fourth field on, with the blank before it, that is behind the line */
  gsize   node, behind_node;
  gsize   field, agent; /* the ends of these */
  gsize   next;         /* the next line */
  guint64 digits, blank, least; /* of the node, as in ts_vis_texts */
} Layout;

/* Alike lines of one code, fourth field and agent: of these nothing is to be read but the time and the node. */
typedef struct
{
  _Alignas (TS_CACHE_LINE) guint8 text[TS_VIS_TAIL]; /* of one of them, behind its node */
  TsVisAgent    *agent;
  guint32        head; /* as far as it is theirs */
  guint          tail; /* the number of the agent's, as it was then */
  guint32        what; /* as in a line */
} Known;

struct _TsVisScan
{
  /* of alike lines: */
  Known     known[1 << KNOWN_BITS]; /* see place_of_line() */
  TsVisTime time;                   /* of regular ones, too */
  Layout    layout;
  guint  n_times_unlike;    /* in succession, many lines were not alike */
  guint  n_regular_to_come; /* maybe */
  /* of regular lines: */
  TsVisAgent *agents[AGENTS]; /* by the ends of their numbers, see place_of_agent() */
  TsVisAgent  nobody;         /* where there is none */
  guint8      blanks[16];     /* one of them is between two numbers */
  gsize       n_rest;         /* bytes behind the agent, with the newline */
  gsize       n_time;         /* bytes up to the end of the time */
  guint64     front;          /* what is before the last 16 of these */
  guint64     of_front;       /* the bits of it that are of the line */
  gint64      worth;          /* of all but the last eight digits */
  guint       n_tails;        /* of agents that were learnt */
  gboolean    is_missing;     /* a line came that began or ended otherwise than those that are known: one is to be learnt */
  /* of loose lines: */
  TsVisLoose  loose;
  guint       n_loose_to_come; /* maybe */
  guint       n_rejected;      /* lines that were not what they looked like, since then */
  TsCopies    copies;          /* so that they become regular */
  gpointer    memory;          /* that all of this is in */
};

const TsVisTail ts_vis_no_tail = { .others = 1U << TS_VIS_TAIL, .length = 1 };

/* The codes that each kind of trace has, by the place of their text; what has no text is left to the general way. */
static const TsVisKnownCode codes[2][256] = {
#define CODE(tens, units, code, action)                                                                                \
  [TS_VIS_PLACE ((tens) | (units) << 8)] = { (tens) | (units) << 8, { TS_VIS_##code, TS_VIS_TAKE_##action } }
#define SHORT_CODE(digit, code, action)                                                                                \
  CODE (' ', digit, code, action), CODE ('\t', digit, code, action), CODE ('0', digit, code, action)
/* the place of two zero bytes, which are no text: that of this one is another */
#define NO_CODE [0] = { .text = 1 }
  { NO_CODE, SHORT_CODE ('1', FORK, FORK), SHORT_CODE ('2', START_GOAL, START), SHORT_CODE ('3', FINISH_GOAL, FINISH),
    SHORT_CODE ('4', JOIN, JOIN), SHORT_CODE ('7', AGENT_BUSY, BUSY), SHORT_CODE ('8', AGENT_IDLE, IDLE) },
  { NO_CODE, SHORT_CODE ('7', AGENT_BUSY, BUSY), SHORT_CODE ('8', AGENT_IDLE, IDLE),
    CODE ('2', '0', MAKE_PUBLIC, FORK), CODE ('2', '1', START_BRANCH, START), CODE ('2', '2', SUCC_BRANCH, FINISH),
    CODE ('2', '3', FAIL_BRANCH, FINISH), CODE ('2', '4', SUSPEND_BRANCH, SUSPEND),
    CODE ('2', '5', RESUME_BRANCH, RESUME), CODE ('2', '6', CUTTING_BRANCH, CUT), CODE ('2', '7', LEAF_CUT, RECORD),
    CODE ('3', '3', START_BUSY, RECORD), CODE ('3', '4', STOP_BUSY, RECORD) },
#undef CODE
#undef SHORT_CODE
#undef NO_CODE
};

/* What is regular */

/* By the last three bytes of its number, or what is before that: of up to 400 agents no two have the same. */
static TS_ALWAYS_INLINE guint
place_of_agent (const guint8 *end)
{
  guint32 four;

  memcpy (&four, end - 4, sizeof four);
  four = GUINT32_FROM_LE (four);
  return TS_VIS_PLACE (four >> 16) | (four & 0x300);
}

/* No line is known. */
static void
forget_lines (TsVisScan *scan)
{
  for (guint i = 0; i < G_N_ELEMENTS (scan->known); i++)
    scan->known[i] = (Known){ .agent = &scan->nobody, .tail = 1 };
}

/* From now on lines look otherwise: no agent is known by its tail. */
static void
begin_style (TsVisScan *scan, guint8 blank, gsize n_rest)
{
  memset (scan->blanks, blank, sizeof scan->blanks);
  scan->n_rest = n_rest;
  for (guint i = 0; i < AGENTS; i++)
    scan->agents[i] = &scan->nobody;
  forget_lines (scan);
}

TsVisScan *
ts_vis_scan_new (void)
{
  gpointer   memory = g_malloc0 (sizeof (TsVisScan) + TS_CACHE_LINE);
  TsVisScan *scan = ts_pages_first_line (memory);

  scan->memory = memory;
  scan->nobody.tail = ts_vis_no_tail;
  begin_style (scan, ' ', 1);
  return scan;
}

void
ts_vis_scan_free (TsVisScan *scan)
{
  if (scan != NULL)
    g_free (scan->memory);
}

void
ts_vis_scan_forget (TsVisScan *scan)
{
  if (scan != NULL)
    begin_style (scan, scan->blanks[0], scan->n_rest);
}

/* How lines begin: with a time like that of the line at @begin, which is @time. None beyond @limit. */
static void
learn_time (TsVisScan *scan, const guint8 *begin, gint64 time, gint64 limit)
{
  const gint64  worth = time - time % TS_VIS_WORTH_OF_HIGH;
  const guint8 *end;
  gsize         n = 0, n_blanks, n_digits;

  while (begin[n] <= ' ')
    n++;
  n_blanks = n;
  while (begin[n] > ' ')
    n++;
  if (n == n_blanks || n > TS_VIS_MAX_TIME || worth > limit - TS_VIS_WORTH_OF_HIGH)
    return;
  n_digits = n - n_blanks;
  end = begin + n;
  ts_vis_learn_time (&scan->time, end, n_digits, n);
  scan->n_time = n;
  scan->front = ts_eight_load (end - BEFORE);
  scan->of_front = n > 16 ? ts_vis_last_bytes (n - 16) : 0;
  scan->worth = worth;
}

/* Where the number begins that ends at @end; NULL: there is not that @blank before it. */
static const guint8 *
begin_of_number (const guint8 *begin, const guint8 *end, guint8 blank)
{
  const guint8 *p = end;

  while (p > begin && p[-1] > ' ')
    p--;
  return p < end && p > begin && p[-1] == blank ? p : NULL;
}

/* How lines on @agent end: as the one from @begin to @end. */
static void
learn_tail (TsVisScan *scan, const guint8 *begin, const guint8 *end, TsVisAgent *agent)
{
  const guint8 *end_of_agent = end - 1, *number, *wam;
  guint8        blank = begin[scan->n_time];
  gsize         n_rest, length;

  /* no number of a regular line has 0x in front */
  if (memchr (begin, 'x', (gsize) (end - begin)) != NULL || memchr (begin, 'X', (gsize) (end - begin)) != NULL)
    return;
  while (end_of_agent[-1] <= ' ')
    end_of_agent--;
  n_rest = (gsize) (end - end_of_agent);
  if (n_rest > MAX_REST || (number = begin_of_number (begin, end_of_agent, blank)) == NULL
      || (wam = begin_of_number (begin, number - 1, blank)) == NULL)
    return;
  length = (gsize) (end + 1 - wam);
  if (length > TS_VIS_TAIL)
    return;
  if (n_rest != scan->n_rest || blank != scan->blanks[0])
    begin_style (scan, blank, n_rest);
  memcpy (agent->tail.text, wam - 1, length);
  agent->tail.others = 0xffffU >> length << length;
  agent->tail.length = (guint) length;
  agent->tail.number = ++scan->n_tails;
  scan->agents[place_of_agent (end_of_agent)] = agent;
}

/* Alike lines */

/* Where the first @c behind @at is. */
static gsize
find_next (const guint8 *p, gsize at, guint8 c)
{
  do
    at++;
  while (p[at] != c);
  return at;
}

/* Where the numbers are in the regular line of which @time is the end of that. */
static Layout
measure (const TsVisScan *scan, const guint8 *time)
{
  const guint8 blank = *time;
  const gsize  code = find_next (time, 0, blank), node = find_next (time, code, blank);
  const gsize  field = find_next (time, node, blank), next = find_next (time, field, '\n') + 1;
  const gsize  n_tail = MIN (next - node, TS_VIS_TAIL + 1);

  return (Layout){ .head = G_MAXUINT32 >> 8 * (3 - code),
                   /* no line is like one whose end is too long */
                   .others = n_tail > TS_VIS_TAIL ? 1U << TS_VIS_TAIL : 0xffffU >> n_tail << n_tail,
                   .node = code + 1,
                   .behind_node = node,
                   .field = field,
                   .agent = next - scan->n_rest,
                   .next = next,
                   .digits = ts_vis_texts[node - code].digits,
                   .blank = ts_vis_texts[node - code].blank,
                   .least = ts_vis_texts[node - code].least };
}

static TS_ALWAYS_INLINE guint32
load_four (const guint8 *p)
{
  guint32 four;

  memcpy (&four, p, sizeof four);
  return GUINT32_FROM_LE (four);
}

/* That of the regular line of which @time is the end is the one of alike lines from now on. */
static void
learn_layout (TsVisScan *scan, const guint8 *time)
{
  const Layout layout = measure (scan, time);

  if (memcmp (&layout, &scan->layout, sizeof layout) == 0)
    return;
  scan->layout = layout;
  forget_lines (scan);
}

/* By the first two bytes of its code, the last two of its fourth field, and the last four of its agent. The factors put the
 * last digits of agent, code and field beside one another, so that of ten agents no two lines have one place, as long as
 * fields are below 8: which of two that share one comes next is foreseen by nobody, and each is learnt anew. */
static TS_ALWAYS_INLINE guint
place_of_line (const Layout *layout, const guint8 *time)
{
  return (ts_vis_load_two (time + 1) * 0x02020000U + ts_vis_load_two (time + layout->field - 2) * 0x00004000U
          + load_four (time + layout->agent - 4) * 0x00000510U)
         >> (32 - KNOWN_BITS);
}

/* From now on lines are known that are like the regular one which was read to be @line, if that has the layout. */
static void
learn_line (TsVisScan *scan, const guint8 *time, const guint8 *next, const TsVisUsual *line)
{
  const Layout layout = measure (scan, time);
  Known       *known = &scan->known[place_of_line (&layout, time)];

  if (memcmp (&layout, &scan->layout, sizeof layout) != 0 || next != time + layout.next)
    return;
  memcpy (known->text, time + layout.behind_node, sizeof known->text);
  known->head = load_four (time) & layout.head;
  known->agent = line->agent;
  known->tail = line->agent->tail.number;
  known->what = line->what;
}

/* The time that ends at @end. FALSE: it is not as wide as before, or too many of its digits are others. */
static TS_ALWAYS_INLINE gboolean
read_time (const TsVisScan *scan, const guint8 *end, gint64 *time)
{
  guint low;

  if (G_UNLIKELY (!ts_vis_read_time (&scan->time, end, &low)
                  || (scan->n_time > 16 && ((ts_eight_load (end - BEFORE) ^ scan->front) & scan->of_front) != 0)))
    return FALSE;
  *time = scan->worth + (gint64) low;
  return TRUE;
}

/* One that is known but for its time and its node, from *p on, which moves behind it. */
static TS_ALWAYS_INLINE gboolean
read_alike (const TsVisScan *scan, const guint8 **p, TsVisUsual *line)
{
  const Layout *layout = &scan->layout;
  const guint8 *time = *p + scan->n_time;
  const Known  *known = &scan->known[place_of_line (layout, time)];
  TsVisAgent   *agent = known->agent;
  const guint32 what = known->what;
  guint64       node = (ts_eight_load (time + layout->node) & layout->digits) | layout->blank;

  /* first what is not waited for: if the node is not as wide, that should be found out soon */
  if (G_UNLIKELY (time[layout->behind_node] != *time || agent->tail.number != known->tail
                  || (load_four (time) & layout->head) != known->head
                  || !ts_vis_has_text (time + layout->behind_node, known->text, layout->others)
                  || node < layout->least || !read_time (scan, time, &line->time)))
    return FALSE;
  line->node = node;
  line->agent = agent;
  line->what = what;
  *p = time + layout->next;
  return TRUE;
}

/* Regular lines */

/* The line at @p. Returns where the next one begins; NULL: it is not regular. */
static TS_ALWAYS_INLINE const guint8 *
read_regular (TsVisScan *scan, const TsVisKnownCode *codes_of_kind, const guint8 *p, TsVisUsual *line)
{
  const guint8 *time = p + scan->n_time, *next, *field;
  guint         newlines = ts_vis_find_newlines (time + LEAST), blanks, behind_code, code, node, text, number;
  TsVisAgent   *agent;

  const TsVisKnownCode *known;

  if (G_UNLIKELY (newlines == 0))
    return NULL;
  next = time + LEAST + ts_marks_first (newlines) + 1;
  agent = scan->agents[place_of_agent (next - scan->n_rest)];
  /* the tail is all of it from the fourth field on, and so there is no newline before */
  if (G_UNLIKELY (!read_time (scan, time, &line->time)
                  || !ts_vis_has_tail (next - agent->tail.length, &agent->tail)))
    {
      scan->is_missing = TRUE;
      return NULL;
    }
  blanks = ts_vis_find_equal (time, scan->blanks);
  if (G_UNLIKELY ((blanks & 1) == 0))
    {
      scan->is_missing = TRUE; /* the time is longer, maybe */
      return NULL;
    }
  blanks &= blanks - 1;
  behind_code = blanks & (blanks - 1);
  if (G_UNLIKELY (behind_code == 0))
    return NULL;
  code = (guint) ts_marks_first (blanks);
  node = (guint) ts_marks_first (behind_code);
  text = ts_vis_load_two (time + code - 2);
  known = &codes_of_kind[TS_VIS_PLACE (text)];
  if (G_UNLIKELY (known->text != text || code > 3))
    return NULL;
  field = next - agent->tail.length;
  text = ts_vis_load_two (field - 2);
  if (G_UNLIKELY (!ts_vis_read_small (text, &number) || (gsize) (field - time) - node - 2 > 1))
    return NULL;
  line->node = (ts_eight_load (time + code + 1) & ts_vis_texts[node - code].digits) | ts_vis_texts[node - code].blank;
  if (G_UNLIKELY (line->node < ts_vis_texts[node - code].least))
    return NULL;
  line->agent = agent;
  line->field = (guint16) number;
  line->event = known->event;
  return next;
}

/* All lines */

/* Where so many lines were not regular, and one of so many, those that follow are not looked at as regular ones. */
#define MANY_LOOSE 8
#define OF_LINES 8
#define LOOSE_TO_COME 20000
/* Where one of so many was not alike, so many times, those that follow are not looked at as alike ones: a wrong guess
 * costs more than what a right one saves. */
#define UNLIKE_OF_LINES 4
#define TIMES_UNLIKE 4
#define REGULAR_TO_COME 20000

/* One that is not regular. */
static G_GNUC_NO_INLINE const guint8 *
read_other (const TsVis *vis, const TsVisKnownCode *codes_of_kind, const guint8 *begin, TsVisUsual *line)
{
  TsVisScan    *scan = vis->scan;
  const guint8 *next = ts_vis_read_loose (vis, &scan->loose, codes_of_kind, begin, line);

  if (next != NULL && scan->is_missing)
    {
      scan->is_missing = FALSE;
      learn_time (scan, begin, line->time, vis->time_limit);
      learn_tail (scan, begin, next, line->agent);
    }
  return next;
}

static void
expect_loose (TsVisScan *scan)
{
  scan->n_loose_to_come = LOOSE_TO_COME;
  scan->n_rejected = 0;
  ts_copies_note_irregular (&scan->copies);
}

gboolean
ts_vis_scan_wants_copy (const TsVisScan *scan)
{
  return ts_copies_are_wanted (&scan->copies);
}

void
ts_vis_scan_begin_copy (TsVisScan *scan)
{
  if (ts_copies_begin (&scan->copies))
    scan->n_loose_to_come = 0;
}

void
ts_vis_scan_end_copy (TsVisScan *scan)
{
  ts_copies_end (&scan->copies);
}

void
ts_vis_scan_reject (TsVisScan *scan)
{
  if (++scan->n_rejected >= MANY_LOOSE)
    expect_loose (scan);
}

/* What @n lines were like decides what the next ones are taken for at first. @unlike is the end of the time of a regular
 * one that was not alike. */
static void
look_back (TsVisScan *scan, guint n, guint n_unlike, guint n_loose, const guint8 *unlike)
{
  if (n_loose >= MANY_LOOSE && n_loose >= n / OF_LINES)
    expect_loose (scan);
  else if (scan->n_regular_to_come > 0)
    scan->n_regular_to_come -= MIN (MAX (n, 1), scan->n_regular_to_come);
  else if (n_unlike <= n / UNLIKE_OF_LINES)
    scan->n_times_unlike = 0;
  else
    {
      if (n_unlike > n / 2 && unlike != NULL)
        learn_layout (scan, unlike);
      if (++scan->n_times_unlike == TIMES_UNLIKE)
        {
          scan->n_times_unlike = 0;
          scan->n_regular_to_come = REGULAR_TO_COME;
        }
    }
}

static TS_ALWAYS_INLINE guint
scan_regular (const TsVis *vis, const guint8 **position, const guint8 *last_begin, gint64 last, gboolean any_order,
              TsVisUsual *lines)
{
  TsVisScan *const  scan = vis->scan;
  const TsVisKnownCode *const codes_of_kind = codes[vis->is_or];
  const gboolean    may_be_alike = scan->n_regular_to_come == 0;
  const guint8     *begin = *position, *next = begin, *unlike = NULL;
  TsVisUsual       *line = lines;
  guint             n_loose = 0, n_unlike = 0, n;

  for (; begin <= last_begin; begin = next, line++)
    {
      if (!may_be_alike || G_UNLIKELY (!read_alike (scan, &next, line)))
        {
          n_unlike++;
          next = read_regular (scan, codes_of_kind, begin, line);
          if (G_LIKELY (next != NULL))
            {
              unlike = begin + scan->n_time;
              if (may_be_alike && next == unlike + scan->layout.next)
                learn_line (scan, unlike, next, line);
            }
          else
            {
              n_loose++;
              next = read_other (vis, codes_of_kind, begin, line);
            }
          if (G_UNLIKELY (next == NULL))
            break;
        }
      if (!any_order && G_UNLIKELY (line->time < last))
        {
          ts_vis_take_back (line);
          break;
        }
      last = line->time;
    }
  *position = begin;
  n = (guint) (line - lines);
  look_back (scan, n, n_unlike, n_loose, unlike);
  return n;
}

/* A function of its own, which is in nobody's way. */
static G_GNUC_NO_INLINE guint
scan_in_any_order (const TsVis *vis, const guint8 **position, const guint8 *last_begin, TsVisUsual *lines)
{
  return scan_regular (vis, position, last_begin, G_MININT64, TRUE, lines);
}

guint
ts_vis_scan (const TsVis *vis, const guint8 **position, const guint8 *block, const guint8 *end, gint64 last,
             TsVisUsual *lines, guint n)
{
  TsVisScan     *scan = vis->scan;
  const gboolean any_order = last == G_MININT64;
  const guint8  *last_begin;

  if (*position - block < BEFORE || end - *position < SPAN)
    return 0;
  /* as a line has more bytes, there will not be too many of them */
  last_begin = MIN (end - SPAN, *position + (n - 1) * LEAST);
  if (G_LIKELY (scan->n_loose_to_come == 0))
    return any_order ? scan_in_any_order (vis, position, last_begin, lines)
                     : scan_regular (vis, position, last_begin, last, FALSE, lines);
  n = ts_vis_scan_loose (vis, &scan->loose, codes[vis->is_or], position, last_begin, last, any_order, lines);
  scan->n_loose_to_come -= MIN (MAX (n, 1), scan->n_loose_to_come);
  return n;
}
