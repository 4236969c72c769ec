/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "import/visandor-alike.h"

/* What alike lines look like. */

void
ts_vis_forget_lines (TsVisScan *scan)
{
  for (guint i = 0; i < G_N_ELEMENTS (scan->known); i++)
    scan->known[i] = (TsVisKnown){ .agent = &scan->nobody, .tail = 1 };
}

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
static TsVisLayout
measure (const TsVisScan *scan, const guint8 *time)
{
  const guint8 blank = *time;
  const gsize  code = find_next (time, 0, blank), node = find_next (time, code, blank);
  const gsize  field = find_next (time, node, blank), next = find_next (time, field, '\n') + 1;
  const gsize  n_digits = node - code - 1, n_low = MIN (n_digits, TS_VIS_FEW_DIGITS);
  TsVisLayout  layout = { .head = G_MAXUINT32 >> 8 * (3 - code),
                          .others = ts_vis_others (next - node, scan->is_long),
                          .first = code + 1,
                          .node = node - n_low,
                          .behind_node = node,
                          .field = field - node,
                          .agent = next - scan->n_rest - node,
                          .next = next - node,
                          .digits = ts_vis_texts[n_low + 1].digits,
                          .blank = ts_vis_texts[n_low + 1].blank,
                          .least = ts_vis_texts[n_low + 1].least };
  guint64      id;

  if (n_digits > n_low && ts_vis_read_long (time + node, n_digits, &id))
    {
      layout.of_front = ts_vis_last_bytes (n_digits - n_low);
      layout.front = ts_eight_load (time + layout.node - 8) & layout.of_front;
      layout.high = id >> 32 != 0 ? TS_VIS_LONG | id >> 32 << 32 : 0;
    }
  return layout;
}

/* As @layout would be with nodes as wide as those of @other. */
static TsVisLayout
with_width_of (TsVisLayout layout, const TsVisLayout *other)
{
  layout.behind_node = other->behind_node;
  layout.digits = other->digits;
  layout.blank = other->blank;
  layout.least = other->least;
  layout.node = other->node;
  layout.front = other->front;
  layout.of_front = other->of_front;
  layout.high = other->high;
  return layout;
}

/* Whether @layout is the one of alike lines. */
static gboolean
is_layout (const TsVisScan *scan, const TsVisLayout *layout)
{
  const TsVisLayout same = ts_vis_has_any_width (scan) ? with_width_of (*layout, &scan->layout) : *layout;

  return memcmp (&same, &scan->layout, sizeof same) == 0;
}

void
ts_vis_learn_layout (TsVisScan *scan, const guint8 *time)
{
  const TsVisLayout layout = measure (scan, time);

  if (is_layout (scan, &layout))
    return;
  scan->layout = layout;
  ts_vis_forget_lines (scan);
}

void
ts_vis_learn_alike (TsVisScan *scan, const guint8 *time, const guint8 *next, const TsVisUsual *line)
{
  const guint8 *behind_node = next - scan->layout.next, *found;
  TsVisLayout   layout;
  TsVisKnown   *known;
  guint64       node;

  /* most that are not to be learnt can be told without a measure */
  if (behind_node != time + scan->layout.behind_node
      && !(ts_vis_find_node_text (scan, time, &node, &found) && found == behind_node))
    return;
  layout = measure (scan, time);
  if (!is_layout (scan, &layout))
    return;
  known = &scan->known[ts_vis_place_of_line (&scan->layout, time, behind_node)];
  memcpy (known->text, behind_node, sizeof known->text);
  known->head = ts_vis_load_four (time) & layout.head;
  known->agent = line->agent;
  known->tail = line->agent->tail.number;
  known->what = line->what;
}
