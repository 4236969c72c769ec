/* SPDX-License-Identifier: MIT */
#include "config.h"

#include <string.h>

#include "import/visandor-alike.h"

/* A quick reader of usual lines: none of their numbers is long, and their agent had a line before. Nodes are left as
 * their digits stand, and an agent and its WAM are found by the end of the line, so that only the time, the code and
 * the fourth field are converted. That is for regular lines, with one blank or tabulator between two numbers, and a
 * time as wide as before. If all numbers are as wide as before the line is alike: where the next one begins is known
 * without a look at this one, so that a processor need not wait for that. Where ids of nodes have different widths, only
 * where they end is looked for. Of loose lines, which have any blanks, the
 * numbers have to be found first, and the next ones may be regular like them. Any other line is left to the general
 * way, which also says what is wrong.
 *
 * Lines are read some dozens at a time, and their events taken later: what a line is about is foreseen by nobody, and
 * until it is known the next one would not be begun. */

#define SPAN 88     /* bytes that must be readable from its beginning on */
#define LONG_SPAN 120 /* the same where numbers are long */
#define LEAST 10    /* bytes between it and the newline */
#define MAX_REST 3  /* a blank, a carriage return, a newline */
#define LONGEST_FIELD 3 /* the fourth one, with the blank before it */

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
  const guint32 four = ts_vis_load_four (end - 4);

  return TS_VIS_PLACE (four >> 16) | (four & 0x300);
}

/* No agent is known by its tail. */
static void
forget_tails (TsVisScan *scan)
{
  for (guint i = 0; i < TS_VIS_AGENT_ENDS; i++)
    scan->agents[i] = &scan->nobody;
  ts_vis_forget_lines (scan);
}

/* From now on lines look otherwise. */
static void
begin_style (TsVisScan *scan, guint8 blank, gsize n_rest)
{
  memset (scan->blanks, blank, sizeof scan->blanks);
  scan->n_rest = n_rest;
  forget_tails (scan);
}

/* From now on numbers may be as long as they can. */
static void
become_long (TsVisScan *scan)
{
  if (scan->is_long)
    return;
  scan->is_long = TRUE;
  forget_tails (scan);
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
  scan->front = ts_eight_load (end - TS_VIS_BEFORE);
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
  const guint8 *end_of_agent = end - 1, *number, *wam, *field, *node;
  guint8        blank = begin[scan->n_time];
  gsize         n_rest, length;

  /* no number of a regular line has 0x in front */
  if (memchr (begin, 'x', (gsize) (end - begin)) != NULL || memchr (begin, 'X', (gsize) (end - begin)) != NULL)
    return;
  while (end_of_agent[-1] <= ' ')
    end_of_agent--;
  n_rest = (gsize) (end - end_of_agent);
  if (n_rest > MAX_REST || (number = begin_of_number (begin, end_of_agent, blank)) == NULL
      || (wam = begin_of_number (begin, number - 1, blank)) == NULL
      || (field = begin_of_number (begin, wam - 1, blank)) == NULL
      || (node = begin_of_number (begin, field - 1, blank)) == NULL)
    return;
  length = (gsize) (end + 1 - wam);
  if (length > TS_VIS_LONG_TAIL - LONGEST_FIELD)
    return;
  if (n_rest != scan->n_rest || blank != scan->blanks[0])
    begin_style (scan, blank, n_rest);
  if (length > TS_VIS_TAIL - LONGEST_FIELD || field - 1 - node > TS_VIS_FEW_DIGITS)
    become_long (scan);
  memcpy (agent->tail.text, wam - 1, length);
  agent->tail.others = ts_vis_others (length, scan->is_long);
  agent->tail.length = (guint) length;
  agent->tail.number = ++scan->n_tails;
  scan->agents[place_of_agent (end_of_agent)] = agent;
}

/* Regular lines */

/* The node that ends at @end. FALSE: it is none, or too long. */
static TS_ALWAYS_INLINE gboolean
read_node (const guint8 *end, gsize n_digits, gboolean is_long, guint64 *node)
{
  guint64 id;

  if (is_long && n_digits > TS_VIS_FEW_DIGITS)
    {
      if (n_digits > TS_VIS_MOST_DIGITS || !ts_vis_read_long (end, n_digits, &id) || ts_vis_is_far (id))
        return FALSE;
      *node = id >> 32 != 0 ? ts_vis_key (id) : ts_eight_load (end - TS_VIS_FEW_DIGITS);
      return TRUE;
    }
  *node = ts_vis_load_digits (end, n_digits);
  return (gint64) *node >= (gint64) ts_vis_texts[n_digits + 1].least;
}

/* A line begins or ends otherwise than those that are known, or a number is longer, maybe: one is to be learnt. */
static TS_ALWAYS_INLINE const guint8 *
miss (TsVisScan *scan)
{
  scan->is_missing = TRUE;
  return NULL;
}

/* The line at @p. Returns where the next one begins; NULL: it is not regular. */
static TS_ALWAYS_INLINE const guint8 *
read_regular (TsVisScan *scan, const TsVisKnownCode *codes_of_kind, const guint8 *p, gboolean is_long, TsVisUsual *line)
{
  const guint8 *time = p + scan->n_time, *next, *field;
  const guint64 newlines = ts_vis_find_newlines (time + LEAST, is_long);
  guint         blanks, behind_code, code, node, text, number;
  TsVisAgent   *agent;

  const TsVisKnownCode *known;

  if (G_UNLIKELY (newlines == 0))
    return miss (scan);
  next = time + LEAST + ts_marks_first (newlines) + 1;
  agent = scan->agents[place_of_agent (next - scan->n_rest)];
  /* the tail is all of it from the fourth field on, and so there is no newline before */
  if (G_UNLIKELY (!ts_vis_read_whole_time (scan, time, &line->time)
                  || !ts_vis_has_tail (next - agent->tail.length, &agent->tail, is_long)))
    return miss (scan);
  blanks = ts_vis_find_equal (time, scan->blanks);
  if (is_long)
    blanks |= ts_vis_find_equal (time + 16, scan->blanks) << 16;
  if (G_UNLIKELY ((blanks & 1) == 0))
    return miss (scan);
  blanks &= blanks - 1;
  behind_code = blanks & (blanks - 1);
  if (G_UNLIKELY (behind_code == 0))
    return miss (scan);
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
  if (G_UNLIKELY (!read_node (time + node, node - code - 1, is_long, &line->node)))
    return miss (scan);
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
#define FEWEST_LINES 64 /* of less nothing is concluded */
#define REGULAR_TO_COME 20000
/* Where one of so many had a node of another width, those that follow may have any: that costs little more. */
#define WIDER_OF_LINES 8
#define ANY_WIDTH_TO_COME 20000

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
 * one that was not alike; @n_wider of these were wider or narrower, which is mostly for their nodes. */
static void
look_back (TsVisScan *scan, guint n, guint n_unlike, guint n_wider, guint n_loose, const guint8 *unlike)
{
  scan->n_any_width_to_come -= MIN (n, scan->n_any_width_to_come);
  if (n_loose >= MANY_LOOSE && n_loose >= n / OF_LINES)
    expect_loose (scan);
  else if (scan->n_regular_to_come > 0)
    scan->n_regular_to_come -= MIN (MAX (n, 1), scan->n_regular_to_come);
  else if (n_unlike <= n / UNLIKE_OF_LINES && n_wider <= n / WIDER_OF_LINES)
    scan->n_times_unlike = 0;
  else if (n < FEWEST_LINES && scan->layout.next > 0)
    return;
  else
    {
      if (n_unlike > n / 2 && unlike != NULL)
        ts_vis_learn_layout (scan, unlike);
      if (++scan->n_times_unlike == TIMES_UNLIKE)
        {
          scan->n_times_unlike = 0;
          if (n_wider > n / WIDER_OF_LINES)
            scan->n_any_width_to_come = ANY_WIDTH_TO_COME;
          else
            scan->n_regular_to_come = REGULAR_TO_COME;
        }
    }
}

static TS_ALWAYS_INLINE guint
scan_regular (const TsVis *vis, const guint8 **position, const guint8 *last_begin, gint64 last, gboolean any_order,
              gboolean any_width, gboolean is_long, TsVisUsual *lines)
{
  TsVisScan *const  scan = vis->scan;
  const TsVisKnownCode *const codes_of_kind = codes[vis->is_or];
  const gboolean    may_be_alike = scan->n_regular_to_come == 0;
  const guint8     *begin = *position, *next = begin, *unlike = NULL;
  TsVisUsual       *line = lines;
  guint             n_loose = 0, n_unlike = 0, n_wider = 0, n;

  for (; begin <= last_begin; begin = next, line++)
    {
      if (!may_be_alike || G_UNLIKELY (!ts_vis_read_alike (scan, &next, any_width, is_long, line)))
        {
          n_unlike++;
          next = read_regular (scan, codes_of_kind, begin, is_long, line);
          if (G_LIKELY (next != NULL))
            {
              unlike = begin + scan->n_time;
              if (may_be_alike && (any_width || next == unlike + scan->layout.behind_node + scan->layout.next))
                ts_vis_learn_alike (scan, unlike, next, line);
              else
                n_wider++;
            }
          else
            {
              n_loose++;
              next = read_other (vis, codes_of_kind, begin, line);
              if (!is_long && G_UNLIKELY (scan->is_long))
                last_begin = begin; /* those behind it are read another way */
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
  look_back (scan, n, n_unlike, n_wider, n_loose, unlike);
  return n;
}

/* A function of its own, which is in nobody's way. */
static G_GNUC_NO_INLINE guint
scan_in_any_order (const TsVis *vis, const guint8 **position, const guint8 *last_begin, TsVisUsual *lines)
{
  return scan_regular (vis, position, last_begin, G_MININT64, TRUE, ts_vis_has_any_width (vis->scan), vis->scan->is_long,
                       lines);
}

/* The same, so that nobody asks for it. */
static G_GNUC_NO_INLINE guint
scan_any_width (const TsVis *vis, const guint8 **position, const guint8 *last_begin, gint64 last, TsVisUsual *lines)
{
  return scan_regular (vis, position, last_begin, last, FALSE, TRUE, FALSE, lines);
}

/* Likewise. */
static G_GNUC_NO_INLINE guint
scan_long (const TsVis *vis, const guint8 **position, const guint8 *last_begin, gint64 last, TsVisUsual *lines)
{
  return scan_regular (vis, position, last_begin, last, FALSE, ts_vis_has_any_width (vis->scan), TRUE, lines);
}

guint
ts_vis_scan (const TsVis *vis, const guint8 **position, const guint8 *block, const guint8 *end, gint64 last,
             TsVisUsual *lines, guint n)
{
  TsVisScan     *scan = vis->scan;
  const gboolean any_order = last == G_MININT64;
  const gssize   span = scan->is_long ? LONG_SPAN : SPAN;
  const guint8  *last_begin;

  if (*position - block < TS_VIS_BEFORE || end - *position < span)
    return 0;
  /* as a line has more bytes, there will not be too many of them */
  last_begin = MIN (end - span, *position + (n - 1) * LEAST);
  if (G_LIKELY (scan->n_loose_to_come == 0))
    return any_order                     ? scan_in_any_order (vis, position, last_begin, lines)
           : scan->is_long               ? scan_long (vis, position, last_begin, last, lines)
           : ts_vis_has_any_width (scan) ? scan_any_width (vis, position, last_begin, last, lines)
                                         : scan_regular (vis, position, last_begin, last, FALSE, FALSE, FALSE, lines);
  n = ts_vis_scan_loose (vis, &scan->loose, codes[vis->is_or], position, last_begin, last, any_order, lines);
  scan->n_loose_to_come -= MIN (MAX (n, 1), scan->n_loose_to_come);
  return n;
}
