/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "import/visandor-digits.h"

/* Usual lines with any blanks: their numbers have to be found first. */

/* The first byte of a number, and the one behind it. */
typedef struct
{
  gsize begin, end;
} Number;

/* The lowest of each; both move on to the next one. There is one. */
static TS_ALWAYS_INLINE Number
next_number (guint64 *begins, guint64 *ends)
{
  Number number = { ts_marks_first (*begins), ts_marks_first (*ends) };

  *begins = ts_marks_but_first (*begins);
  *ends = ts_marks_but_first (*ends);
  return number;
}

/* What follows a 0x of a hexadecimal number, or all of it. */
static TS_ALWAYS_INLINE Number
skip_prefix (const guint8 *p, Number number)
{
  const gboolean has_prefix = (ts_vis_load_two (p + number.begin) | 0x2000) == ('0' | 'x' << 8);

  return (Number){ number.begin + 2 * (gsize) has_prefix, number.end };
}

static TS_ALWAYS_INLINE gsize
length_of (Number number)
{
  return number.end - number.begin;
}

/* Up to eight digits, with a blank behind them if there are less. */
static TS_ALWAYS_INLINE guint64
load_digits (const guint8 *p, Number number)
{
  return ts_vis_load_digits (p + number.end, length_of (number));
}

/* A fourth field or an agent. What is before a single digit is a blank. */
static TS_ALWAYS_INLINE gboolean
read_small_number (const guint8 *p, Number text, guint *number)
{
  const gsize n = length_of (text);

  return G_LIKELY (n <= 2) ? ts_vis_read_small (ts_vis_load_two (p + text.end - 2), number)
                           : n <= 4 && ts_eight_read (p + text.begin, n, number);
}

static TS_ALWAYS_INLINE TsVisAgent *
find_agent (const TsVis *vis, guint id)
{
  const guint n = vis->reads_ahead ? TS_VIS_READERS : vis->n_near;

  return id < n ? (vis->reads_ahead ? vis->readers : vis->near_agents)[id] : NULL;
}

/* Of a WAM that is longer than eight bytes only its last digits remain, if it is a number at all. Returns those in front of
 * them; 0: there are none. */
static G_GNUC_NO_INLINE guint64
split_wam (const guint8 *p, Number *wam)
{
  const Number all = *wam = skip_prefix (p, *wam);

  if (length_of (all) <= TS_VIS_FEW_DIGITS || length_of (all) > TS_VIS_MOST_DIGITS)
    return 0;
  wam->begin = all.end - 8;
  return load_digits (p, (Number){ all.begin, wam->begin });
}

/* A line whose WAM, in two texts, is not written as that of its agent was before. FALSE: it is none, or there was no other
 * that it has its high bits in common with. */
static G_GNUC_NO_INLINE gboolean
learn_wam (const guint8 *p, Number wam, guint64 front, guint64 text, TsVisUsual *line)
{
  TsVisAgent *agent = line->agent;
  guint64     value, high = 0;

  if (front == 0)
    wam = skip_prefix (p, wam);
  if (!agent->has_wam || !ts_vis_read_hex (load_digits (p, wam), &value)
      || (front != 0 && !ts_vis_read_hex (front, &high)) || high != agent->wam_high)
    return FALSE;
  ts_vis_forget_wam (agent);
  agent->wam_text = text;
  agent->wam_front = front;
  line->event.action |= TS_VIS_CHANGES_WAM;
  line->wam = (guint32) value;
  return TRUE;
}

/* Up to TS_VIS_MAX_TIME digits, not beyond @limit, as the next ones will be. */
static G_GNUC_NO_INLINE gboolean
read_other_time (TsVisLoose *loose, const guint8 *end, gsize n, gint64 limit, gint64 *time)
{
  guint64 low = ts_eight_digits (end - 8), high = 0, top = 0;
  gint64  worth;

  if (n < 8)
    low &= ts_vis_last_bytes (n);
  else if (n > 8)
    high = ts_eight_digits (end - 16) & ts_vis_last_bytes (n - 8);
  if (n > 16)
    {
      guint64 digits = ts_eight_digits (end - 24) & ts_vis_last_bytes (n - 16);

      top = ts_eight_number (digits);
      if (n > TS_VIS_MAX_TIME || ts_eight_odd (digits) != 0 || top > TS_TIME_LIMIT / TS_VIS_WORTH_OF_TOP)
        return FALSE;
    }
  if ((ts_eight_odd (low) | ts_eight_odd (high)) != 0)
    return FALSE;
  worth = (gint64) (ts_eight_number (high) * TS_VIS_WORTH_OF_HIGH + top * TS_VIS_WORTH_OF_TOP);
  *time = worth + (gint64) ts_eight_number (low);
  if (n <= 16 && worth <= limit - TS_VIS_WORTH_OF_HIGH)
    {
      ts_vis_learn_time (&loose->time, end, n, n);
      loose->n_digits = n;
      loose->worth = worth;
    }
  return *time <= limit;
}

static TS_ALWAYS_INLINE gboolean
read_time (TsVisLoose *loose, const guint8 *end, gsize n, gint64 limit, gint64 *time)
{
  guint low;

  if (G_UNLIKELY (n != loose->n_digits || !ts_vis_read_time (&loose->time, end, &low)))
    return read_other_time (loose, end, n, limit, time);
  *time = loose->worth + (gint64) low;
  return TRUE;
}

static inline gboolean
read_long_node (const guint8 *p, Number node, TsVisUsual *line)
{
  guint64 id;

  if (length_of (node) > TS_VIS_MOST_DIGITS || !ts_vis_read_long (p + node.end, length_of (node), &id))
    return FALSE;
  line->node = ts_vis_key (id);
  if (ts_vis_is_far (id))
    line->event.action |= TS_VIS_IS_FAR;
  return TRUE;
}

/* Whether @text can be that of a node: eight zero bytes are no digits, and the key of a free slot, and no digit has the bit of
 * TS_VIS_LONG. */
static TS_ALWAYS_INLINE gboolean
is_text (guint64 text)
{
  return (gint64) text > 0;
}

/* A node that is not usual: it begins with a zero, maybe that of a prefix, or is long. */
static G_GNUC_NO_INLINE gboolean
read_odd_node (const guint8 *p, Number node, TsVisUsual *line)
{
  node = skip_prefix (p, node);
  if (length_of (node) > TS_VIS_FEW_DIGITS)
    return read_long_node (p, node, line);
  line->node = load_digits (p, node);
  if (!is_text (line->node))
    return FALSE;
  line->node = ts_vis_node_of (line->node);
  return length_of (node) > 0;
}

static TS_ALWAYS_INLINE gboolean
read_node (const guint8 *p, Number node, TsVisUsual *line)
{
  if (G_UNLIKELY (p[node.begin] == '0' || length_of (node) > TS_VIS_FEW_DIGITS))
    return read_odd_node (p, node, line);
  line->node = ts_vis_upper_case (load_digits (p, node));
  return is_text (line->node);
}

/* One with any number of blanks or tabulators around its numbers. Returns where the next one begins, or NULL: then nothing
 * was changed. */
static TS_ALWAYS_INLINE const guint8 *
read_loose (const TsVis *vis, TsVisLoose *loose, const TsVisKnownCode *codes_of_kind, const guint8 *p, TsVisUsual *line)
{
  const guint8 *next;
  guint64       blanks, newlines, text, begins, ends, wam_text, front = 0;
  gsize         length;
  guint         two, id, number;
  Number        time, code, node, field, wam, agent;

  const TsVisKnownCode *known;

  ts_vis_find_marks (p, &blanks, &newlines);
  if (G_UNLIKELY (newlines == 0))
    return NULL;
  length = ts_marks_first (newlines);
  next = p + length + 1;
  length -= next[-2] == '\r';
  text = ~blanks & (((guint64) 1 << length) - 1);
  begins = text & ~(text << 1);
  ends = ~text & text << 1;
  if (G_UNLIKELY (!ts_vis_are_six (begins)))
    return NULL;
  time = next_number (&begins, &ends);
  code = next_number (&begins, &ends);
  node = next_number (&begins, &ends);
  field = next_number (&begins, &ends);
  wam = next_number (&begins, &ends);
  agent = next_number (&begins, &ends);
  if (G_UNLIKELY (length_of (wam) > TS_VIS_FEW_DIGITS))
    front = split_wam (p, &wam);
  two = ts_vis_load_two (p + code.end - 2);
  known = &codes_of_kind[TS_VIS_PLACE (two)];
  if (G_UNLIKELY (length_of (wam) > TS_VIS_FEW_DIGITS || known->text != two || length_of (code) > 2
                  || !read_small_number (p, field, &number) || !read_small_number (p, agent, &id)
                  || (line->agent = find_agent (vis, id)) == NULL
                  || !read_time (loose, p + time.end, length_of (time), vis->time_limit, &line->time)))
    return NULL;
  line->field = (guint16) number;
  line->event = known->event;
  wam_text = load_digits (p, wam);
  if (G_UNLIKELY (!read_node (p, node, line)
                  || ((line->agent->wam_text != wam_text || line->agent->wam_front != front)
                      && !learn_wam (p, wam, front, wam_text, line))))
    return NULL;
  return next;
}

const guint8 *
ts_vis_read_loose (const TsVis *vis, TsVisLoose *loose, const TsVisKnownCode *codes_of_kind, const guint8 *p,
                   TsVisUsual *line)
{
  return read_loose (vis, loose, codes_of_kind, p, line);
}

guint
ts_vis_scan_loose (const TsVis *vis, TsVisLoose *loose, const TsVisKnownCode *codes_of_kind, const guint8 **position,
                   const guint8 *last_begin, gint64 last, gboolean any_order, TsVisUsual *lines)
{
  TsVisUsual *line = lines;

  for (const guint8 *next; *position <= last_begin; *position = next)
    {
      next = read_loose (vis, loose, codes_of_kind, *position, line);
      if (G_UNLIKELY (next == NULL))
        break;
      if (G_UNLIKELY (line->time < last && !any_order))
        {
          ts_vis_take_back (line);
          break;
        }
      last = line->time;
      line++;
    }
  return (guint) (line - lines);
}
