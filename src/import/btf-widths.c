/* SPDX-License-Identifier: MIT */
#include "config.h"

#include <string.h>

#include "import/btf-widths.h"

/* The table of widths. */

#define WORD TS_BTF_WORD_BYTES
/* One in so many lines may have other widths than those before, or else each line is looked at by itself. */
#define FEW_ADDED 256
#define SOME_ADDED TS_BTF_MAX_WIDTHS
/* Of so many no two are to have the same place; of more, that some have costs less than to look for another factor. */
#define FEW_WIDTHS 256
#define MAX_FACTORS 64

/* One in so many lines may be beyond the level. */
#define FEW_UNFIT 128
#define SOME_UNFIT 16

static void
clear (TsBtfWidthsTable *table)
{
  memset (table->index, 0, sizeof table->index);
  table->n = 1;
}

static TsBtfWidthsTable *
make_table (TsBtfScan *scan)
{
  scan->widths_memory = g_malloc0 (sizeof (TsBtfWidthsTable) + TS_CACHE_LINE);
  scan->widths = ts_pages_first_line (scan->widths_memory);
  scan->widths->factor = G_GUINT64_CONSTANT (0x9e3779b97f4a7c15);
  scan->widths->n = 1;
  return scan->widths;
}

void
ts_btf_widths_count_unfit (TsBtfScan *scan)
{
  /* where they are wide, no more is ever in sight */
  scan->widths->n_unfit += scan->widths->level < TS_BTF_WIDE;
}

gboolean
ts_btf_widths_unfit (const TsBtf *btf)
{
  const TsBtfWidthsTable *table = btf->scan->widths;

  return (table->level < TS_BTF_LONGEST && ts_btf_are_many (btf, table->n_unfit, FEW_UNFIT, SOME_UNFIT))
         || (!table->has_large && ts_btf_are_many (btf, table->n_large, FEW_UNFIT, SOME_UNFIT));
}

/* What is needed for the lines that were beyond it. From TS_BTF_WIDE on marks are in two words. */
static void
raise_level (TsBtfWidthsTable *table)
{
  const TsBtfLevel level = table->level;

  if (table->n_large > table->n_unfit)
    {
      table->has_large = TRUE;
      table->level = MAX (level, TS_BTF_WIDE);
      table->n_large = 0;
    }
  else
    {
      table->level++;
      table->n_unfit = 0;
    }
  if (level < TS_BTF_WIDE && table->level >= TS_BTF_WIDE)
    clear (table);
}

gboolean
ts_btf_widths_prepare (TsBtf *btf)
{
  TsBtfScan        *scan = btf->scan;
  TsBtfWidthsTable *table = scan->widths != NULL ? scan->widths : make_table (scan);

  /* times that are never as they were, or whose factor has no place in half a word */
  if ((scan->high_text & ~scan->high_mask) != 0 || scan->factor > G_MAXUINT32)
    return FALSE;
  if (table->blank != scan->blank)
    clear (table);
  table->blank = scan->blank;
  if (ts_btf_widths_unfit (btf))
    raise_level (table);
  return !ts_btf_are_many (btf, table->n_added, FEW_ADDED, SOME_ADDED);
}

static TsBtfEnd
mask_of (gsize length, gsize i)
{
  TsBtfEnd mask;

  memcpy (&mask, ts_btf_mask (length, (1 + i) * TS_BTF_END), TS_BTF_END);
  return mask;
}

/* Where the first marks are. Returns how many there are at all. */
static guint
unpack_commas (TsBtfCommas marks, gsize *at)
{
  guint n = 0;

  for (; marks.near != 0; marks.near = ts_marks_but_first (marks.near), n++)
    if (n < TS_BTF_FIELDS)
      at[n] = ts_marks_first (marks.near);
  for (; marks.far != 0; marks.far = ts_marks_but_first (marks.far), n++)
    if (n < TS_BTF_FIELDS)
      at[n] = TS_BTF_NEAR + ts_marks_first (marks.far);
  return n;
}

/* The lowest level that such texts have. */
static TsBtfLevel
level_of (gsize n_source, gsize n_target)
{
  if (n_source > 2 * TS_BTF_END || n_target > 3 * TS_BTF_END)
    return TS_BTF_LONGEST;
  if (n_target > 2 * TS_BTF_END)
    return TS_BTF_LONGER;
  if (n_source > TS_BTF_END)
    return TS_BTF_WIDE;
  return n_target > TS_BTF_END ? TS_BTF_LONG_TARGET : TS_BTF_SHORT;
}

/* FALSE: lines with @marks are odd, or beyond the level of the table. */
static gboolean
measure (TsBtfWidthsTable *table, TsBtfWidths *widths, TsBtfCommas marks)
{
  const gboolean is_wide = table->level >= TS_BTF_WIDE;
  gsize          at[TS_BTF_FIELDS], n, n_source, n_number, n_source_number, n_event, n_digits;
  const guint    n_marks = unpack_commas (marks, at);

  if ((marks.near & 1) == 0 || n_marks < TS_BTF_FIELDS)
    return FALSE;
  *widths = (TsBtfWidths){ .marks = marks,
                           .source = (guint8) (at[1] + table->blank),
                           .source_number = (guint8) at[2],
                           .target = (guint8) (at[4] + table->blank),
                           .number = (guint8) at[5],
                           .event = (guint8) at[6] };
  n_source = widths->source + 1u;
  n = widths->target + 1u - widths->source_number;
  n_source_number = at[2] - n_source;
  n_number = at[5] - widths->target - 1;
  n_event = at[6] + 1 - at[5];
  n_digits = MAX (n_number, n_source_number);
  if (n_digits > TS_BTF_LARGE_DIGITS || MAX (n, n_source) > TS_BTF_MAX_FRONT)
    return FALSE;
  if (n_digits > WORD && !table->has_large)
    {
      table->n_large++;
      return FALSE;
    }
  if ((table->level < TS_BTF_NOTED && (n_marks > TS_BTF_FIELDS || n_event > TS_BTF_END))
      || (!is_wide && (n_number == 0 || n_source_number == 0))
      || level_of (n_source, n) > table->level)
    {
      table->n_unfit++;
      return FALSE;
    }
  widths->n_target = (guint8) n;
  widths->none[0] = n_number == 0 ? (guint32) TS_NO_INSTANCE : 0;
  widths->none[1] = n_source_number == 0 ? (guint32) TS_NO_INSTANCE : 0;
  memcpy (widths->masks[0], ts_btf_mask (n_number, WORD), WORD);
  memcpy (widths->masks[1], ts_btf_mask (n_source_number, WORD), WORD);
  widths->ends = (TsBtfEnds){ .source = mask_of (n_source, 0),
                              .target = mask_of (n, 0),
                              .event = mask_of (n_event, 0),
                              .before_source = mask_of (n_source, 1),
                              .before_target = mask_of (n, 1) };
  return TRUE;
}

/* FALSE: another one is in its way, and now in front of it. */
static gboolean
put (TsBtfWidthsTable *table, guint i)
{
  guint32     *place = &table->index[ts_btf_widths_hash (table->widths[i].marks, table->factor, TRUE)];
  TsBtfWidths *other;

  table->widths[i].next = 0;
  if (*place == 0)
    {
      *place = (guint32) (i * sizeof (TsBtfWidths));
      return TRUE;
    }
  for (other = &table->widths[*place / sizeof (TsBtfWidths)]; other->next > 0;)
    other = &table->widths[other->next];
  other->next = (guint16) i;
  return FALSE;
}

/* Returns how many are in the way of another. */
static guint
put_all (TsBtfWidthsTable *table)
{
  guint n = 0;

  memset (table->index, 0, sizeof table->index);
  for (guint i = 1; i < table->n; i++)
    n += put (table, i) ? 0 : 1;
  return n;
}

/* By another factor: the one by which the fewest are in the way of another. */
static void
put_anew (TsBtfWidthsTable *table)
{
  guint64 factor = table->factor, best_factor = factor;
  guint   n, fewest = G_MAXUINT;

  for (guint i = 0; i < MAX_FACTORS && fewest > 0; i++)
    {
      table->factor = factor;
      n = put_all (table);
      if (n < fewest)
        {
          fewest = n;
          best_factor = factor;
        }
      /* another odd one */
      factor = factor * G_GUINT64_CONSTANT (6364136223846793005) + 2;
    }
  table->factor = best_factor;
  if (fewest > 0)
    put_all (table);
}

gboolean
ts_btf_widths_add (TsBtfScan *scan, TsBtfCommas marks)
{
  TsBtfWidthsTable *table = scan->widths;

  if (table->n == TS_BTF_MAX_WIDTHS)
    clear (table);
  if (!measure (table, &table->widths[table->n], marks))
    return FALSE;
  table->n_added++;
  if (!put (table, table->n++) && table->n <= FEW_WIDTHS)
    put_anew (table);
  return TRUE;
}
