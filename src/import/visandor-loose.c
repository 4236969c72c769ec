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

/* One or two digits, as if there was a blank before them. */
static TS_ALWAYS_INLINE guint
load_short (const guint8 *p, Number number)
{
  guint two = ts_vis_load_two (p + number.end - 2);

  return number.end - number.begin == 1 ? (two & 0xff00) | ' ' : two;
}

/* Up to eight digits, with a blank behind them if there are less. */
static TS_ALWAYS_INLINE guint64
load_digits (const guint8 *p, Number number)
{
  gsize bits = 8 * (number.end - number.begin);

  /* no shift by 64, which would be none */
  return ts_eight_load (p + number.begin) << (64 - bits) >> (64 - bits) | (guint64) ' ' << bits / 2 << bits / 2;
}

/* A fourth field or an agent. */
static TS_ALWAYS_INLINE gboolean
read_small_number (const guint8 *p, Number text, guint *number)
{
  const gsize n = text.end - text.begin;

  return G_LIKELY (n <= 2) ? ts_vis_read_small (load_short (p, text), number)
                           : n <= 4 && ts_vis_read_digits (p + text.begin, n, number);
}

/* The agent of that number, if @wam is what its WAM is written with. */
static TS_ALWAYS_INLINE TsVisAgent *
find_agent (const TsVis *vis, guint id, guint64 wam)
{
  const guint n = vis->reads_ahead ? TS_VIS_READERS : vis->n_near;
  TsVisAgent *agent = id < n ? (vis->reads_ahead ? vis->readers : vis->near_agents)[id] : NULL;
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

/* Up to TS_VIS_MAX_TIME digits, not beyond @limit. */
static TS_ALWAYS_INLINE gboolean
read_time (const guint8 *p, Number number, gint64 limit, gint64 *time)
{
  const guint8 *end = p + number.end;
  gsize         n = number.end - number.begin;
  guint64       low = ts_eight_digits (end - 8), high = 0, top = 0;

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
  if (G_UNLIKELY ((ts_eight_odd (low) | ts_eight_odd (high)) != 0))
    return FALSE;
  *time = (gint64) (ts_eight_number (low) + ts_eight_number (high) * TS_VIS_WORTH_OF_HIGH + top * TS_VIS_WORTH_OF_TOP);
  return *time <= limit;
}

/* Up to sixteen digits. */
static inline gboolean
read_long_node (const guint8 *p, Number node, TsVisUsual *line)
{
  const Number high = { node.begin, node.end - 8 }, low = { node.end - 8, node.end };
  guint64      upper, lower;

  if (node.end - node.begin > 16 || !ts_vis_read_hex (load_digits (p, high), &upper)
      || !ts_vis_read_hex (load_digits (p, low), &lower))
    return FALSE;
  line->node = upper << 32 | lower;
  if (upper == 0)
    line->node = ts_vis_key (lower);
  else
    line->event.action |= TS_VIS_IS_FAR;
  return TRUE;
}

/* One with any number of blanks or tabulators around its numbers. Returns where the next one begins, or NULL. */
static TS_ALWAYS_INLINE const guint8 *
read_loose (const TsVis *vis, const TsVisKnownCode *codes_of_kind, const guint8 *p, TsVisUsual *line)
{
  const guint8 *next;
  guint64       blanks, newlines, text, begins, ends;
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
  node = skip_prefix (p, next_number (&begins, &ends));
  field = next_number (&begins, &ends);
  wam = skip_prefix (p, next_number (&begins, &ends));
  agent = next_number (&begins, &ends);
  if (G_UNLIKELY (node.end == node.begin || wam.end - wam.begin - 1 >= 8
                  || !read_small_number (p, agent, &id)
                  || (line->agent = find_agent (vis, id, load_digits (p, wam))) == NULL
                  || !read_time (p, time, vis->time_limit, &line->time)))
    return NULL;
  two = load_short (p, code);
  known = &codes_of_kind[TS_VIS_PLACE (two)];
  if (G_UNLIKELY (known->text != two || code.end - code.begin > 2
                  || !read_small_number (p, field, &number)))
    return NULL;
  line->field = (guint16) number;
  line->event = known->event;
  if (G_UNLIKELY (node.end - node.begin > 8))
    return read_long_node (p, node, line) ? next : NULL;
  line->node = ts_vis_node_of (load_digits (p, node));
  return line->node != 0 ? next : NULL; /* eight zero bytes are no digits, and the key of a free slot */
}

const guint8 *
ts_vis_read_loose (const TsVis *vis, const TsVisKnownCode *codes_of_kind, const guint8 *p, TsVisUsual *line)
{
  return read_loose (vis, codes_of_kind, p, line);
}

guint
ts_vis_scan_loose (const TsVis *vis, const TsVisKnownCode *codes_of_kind, const guint8 **position,
                   const guint8 *last_begin, gint64 last, gboolean any_order, TsVisUsual *lines)
{
  TsVisUsual *line = lines, read;

  for (const guint8 *next; *position <= last_begin; *position = next)
    {
      next = read_loose (vis, codes_of_kind, *position, &read);
      if (G_UNLIKELY (next == NULL || (read.time < last && !any_order)))
        break;
      last = read.time;
      *line++ = read;
    }
  return (guint) (line - lines);
}
