/* SPDX-License-Identifier: MIT */
#pragma once

#include <string.h>

#include "import/visandor-digits.h"
#include "model/inline.h"
#include "model/pages.h"

G_BEGIN_DECLS

/* Lines that are like others but for their time and their node. Shared by visandor-scan.c, which reads lines, and
 * visandor-alike.c, which learns what they look like. */

#define TS_VIS_BEFORE 24      /* bytes that must be readable before a line: digits of the time are loaded from behind */
#define TS_VIS_AGENT_ENDS 1024 /* by three bytes */
#define TS_VIS_KNOWN_BITS 10

/* Where the numbers of alike lines are, behind the end of their time. */
typedef struct
{
  guint32 head;   /* of the first four bytes, those up to the blank behind the code */
  guint   others; /* a bit for each byte of the tail from the fourth field on, with the blank before it, that is behind the line */
  gsize   first, node, behind_node; /* the node, and the last eight digits of it */
  gsize   field, agent, next; /* from there on, the ends of these, and the next line */
  guint64 digits, blank, least; /* of the node, as in ts_vis_texts */
  guint64 front, of_front; /* of a node of more than eight digits: the bytes before its last eight, and the bits of its own */
  guint64 high;            /* what these are worth, with TS_VIS_LONG; 0: nothing */
} TsVisLayout;

/* Alike lines of one code, fourth field and agent: of these nothing is to be read but the time and the node. */
typedef struct
{
  _Alignas (TS_CACHE_LINE) guint8 text[TS_VIS_LONG_TAIL]; /* of one of them, behind its node */
  TsVisAgent    *agent;
  guint32        head; /* as far as it is theirs */
  guint          tail; /* the number of the agent's, as it was then */
  guint32        what; /* as in a line */
} TsVisKnown;

struct _TsVisScan
{
  /* of alike lines: */
  TsVisKnown  known[1 << TS_VIS_KNOWN_BITS]; /* see ts_vis_place_of_line() */
  TsVisTime   time;                /* of regular ones, too */
  TsVisLayout layout;
  guint       n_any_width_to_come; /* maybe: nodes have up to seven digits, whatever the layout says */
  guint       n_times_unlike;      /* in succession, many lines were not alike */
  guint       n_regular_to_come;   /* maybe */
  /* of regular lines: */
  TsVisAgent *agents[TS_VIS_AGENT_ENDS]; /* by the ends of their numbers, see place_of_agent() */
  TsVisAgent  nobody;         /* where there is none */
  guint8      blanks[16];     /* one of them is between two numbers */
  gsize       n_rest;         /* bytes behind the agent, with the newline */
  gboolean    is_long;        /* numbers are that long that lines, or nodes, take more of the following */
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

static TS_ALWAYS_INLINE guint32
ts_vis_load_four (const guint8 *p)
{
  guint32 four;

  memcpy (&four, p, sizeof four);
  return GUINT32_FROM_LE (four);
}

static inline gboolean
ts_vis_has_any_width (const TsVisScan *scan)
{
  return scan->n_any_width_to_come > 0;
}

/* The text of the node of the line of which @time is the end of that, as it is known, and where it ends. FALSE: it has none, or
 * eight digits. */
static TS_ALWAYS_INLINE gboolean
ts_vis_find_node_text (const TsVisScan *scan, const guint8 *time, guint64 *node, const guint8 **behind)
{
  const guint8 *at = time + scan->layout.first;
  const guint64 text = ts_eight_load (at), others = text ^ ts_eight_load (scan->blanks);
  const guint64 ends = (others - TS_EACH_BYTE (1)) & ~others & TS_EACH_BYTE (0x80), first = ends & -ends;

  *node = (text & ((first >> 7) - 1)) | first / 0x80 * ' ';
  *behind = at + __builtin_ctzll (ends | (guint64) 1 << 63) / 8;
  return first > 0x80;
}

/* By the first two bytes of its code, the last two of its fourth field, and the last four of its agent. The
 * factors put the last digits of agent, code and field beside one another, so that of ten agents no two lines have one
 * place, as long as fields are below 8: which of two that share one comes next is foreseen by nobody, and each is learnt
 * anew. */
static TS_ALWAYS_INLINE guint
ts_vis_place_of_line (const TsVisLayout *layout, const guint8 *time, const guint8 *behind_node)
{
  return (ts_vis_load_two (time + 1) * 0x02020000U + ts_vis_load_two (behind_node + layout->field - 2) * 0x00004000U
          + ts_vis_load_four (behind_node + layout->agent - 4) * 0x00000510U)
         >> (32 - TS_VIS_KNOWN_BITS);
}

/* Behind @time there is a node as wide as before, with *node for its last eight digits: that becomes what it is known by. FALSE:
 * it is no such number, or its first digits are others. */
static TS_ALWAYS_INLINE gboolean
ts_vis_read_long_node (const TsVisLayout *layout, const guint8 *time, guint64 *node)
{
  guint64 low;

  if (G_UNLIKELY (((ts_eight_load (time + layout->node - 8) ^ layout->front) & layout->of_front) != 0))
    return FALSE;
  if (layout->high == 0)
    return TRUE;
  if (G_UNLIKELY (*node >> 56 <= ' ' || !ts_vis_read_hex (*node, &low)))
    return FALSE;
  *node = layout->high | low;
  return TRUE;
}

/* The time that ends at @end. FALSE: it is not as wide as before, or too many of its digits are others. */
static TS_ALWAYS_INLINE gboolean
ts_vis_read_whole_time (const TsVisScan *scan, const guint8 *end, gint64 *time)
{
  guint low;

  if (G_UNLIKELY (!ts_vis_read_time (&scan->time, end, &low)
                  || (scan->n_time > 16 && ((ts_eight_load (end - TS_VIS_BEFORE) ^ scan->front) & scan->of_front) != 0)))
    return FALSE;
  *time = scan->worth + (gint64) low;
  return TRUE;
}

/* One that is known but for its time and its node, from *p on, which moves behind it. */
static TS_ALWAYS_INLINE gboolean
ts_vis_read_alike (const TsVisScan *scan, const guint8 **p, gboolean any_width, gboolean is_long, TsVisUsual *line)
{
  const TsVisLayout *layout = &scan->layout;
  const guint8      *time = *p + scan->n_time, *behind_node = time + layout->behind_node;
  const TsVisKnown  *known;
  TsVisAgent        *agent;
  guint64            node;
  guint32            what;

  if (!any_width)
    node = (ts_eight_load (time + layout->node) & layout->digits) | layout->blank;
  else if (G_UNLIKELY (!ts_vis_find_node_text (scan, time, &node, &behind_node)))
    return FALSE;
  known = &scan->known[ts_vis_place_of_line (layout, time, behind_node)];
  agent = known->agent;
  what = known->what;

  /* first what is not waited for: if the node is not as wide, that should be found out soon */
  if (G_UNLIKELY ((!any_width && (*behind_node != *time || (gint64) node < (gint64) layout->least))
                  || agent->tail.number != known->tail || (ts_vis_load_four (time) & layout->head) != known->head
                  || !ts_vis_has_text (behind_node, known->text, layout->others, is_long)
                  || !ts_vis_read_whole_time (scan, time, &line->time)
                  || (is_long && !any_width && !ts_vis_read_long_node (layout, time, &node))))
    return FALSE;
  line->node = node;
  line->agent = agent;
  line->what = what;
  *p = behind_node + layout->next;
  return TRUE;
}

/* No line is known. */
void ts_vis_forget_lines (TsVisScan *scan);
/* The layout of the regular line of which @time is the end of that is the one of alike lines from now on. */
void ts_vis_learn_layout (TsVisScan *scan, const guint8 *time);
/* From now on lines are known that are like the regular one which was read to be @line, up to @next, if that has the layout. */
void ts_vis_learn_alike (TsVisScan *scan, const guint8 *time, const guint8 *next, const TsVisUsual *line);

G_END_DECLS
