/* SPDX-License-Identifier: MIT */
#include "config.h"

#include <string.h>

#include "check/verdict.h"
#include "model/number.h"
#include "report/tables.h"

/* What changed against the baseline, for people: first what is violated, and of that what is more than noise, the
 * largest first. What is likely noise, and what did not change, is only counted; CSV and JSON have all of it. */

#define MAX_ROWS 40

/* In the order of the table. */
typedef enum
{
  RANK_VIOLATED,
  RANK_VIOLATED_NOISE, /* likely */
  RANK_GONE,   /* it has no samples any more */
  RANK_EXCUSED, /* beyond its tolerance, but not significant where that was asked for */
  RANK_CHANGED,
  RANK_LIKELY_NOISE, /* from here on not shown */
  RANK_UNCHANGED,
  RANK_NONE, /* no change to speak of */
  N_RANKS
} Rank;

typedef struct
{
  Rank             rank;
  const TsVerdict *verdict;
  guint            n_figures; /* of one metric that say the same: with few samples p99 is the maximum */
  char            *figures;
} Change;

static void
free_change (gpointer data)
{
  Change *change = data;

  g_free (change->figures);
  g_free (change);
}

static Rank
rank_of (const TsVerdict *verdict)
{
  if (!verdict->is_comparison || !verdict->has_old || verdict->result == TS_VERDICT_DIFFERENT)
    return RANK_NONE;
  if (!verdict->has_value)
    return RANK_GONE;
  if (verdict->result == TS_VERDICT_VIOLATED)
    return verdict->has_p && !verdict->is_significant ? RANK_VIOLATED_NOISE : RANK_VIOLATED;
  if (ts_rational_compare (verdict->value, verdict->old) == 0)
    return RANK_UNCHANGED;
  if (verdict->result == TS_VERDICT_NOISE)
    return RANK_EXCUSED;
  return verdict->has_p && !verdict->is_significant ? RANK_LIKELY_NOISE : RANK_CHANGED;
}

/* What was 0 and so has no percentage first; then the largest first. */
static int
compare_relative (const TsVerdict *one, const TsVerdict *two)
{
  if (one->has_relative != two->has_relative)
    return one->has_relative ? 1 : -1;
  return one->has_relative ? ts_rational_compare (ts_rational_absolute (two->relative), ts_rational_absolute (one->relative)) : 0;
}

static int
compare_changes (gconstpointer a, gconstpointer b)
{
  const Change    *left = *(Change *const *) a, *right = *(Change *const *) b;
  const TsVerdict *one = left->verdict, *two = right->verdict;

  if (left->rank != right->rank)
    return left->rank < right->rank ? -1 : 1;
  if (left->rank == RANK_VIOLATED || left->rank == RANK_VIOLATED_NOISE)
    return ts_verdict_compare_worst (one, two);
  if (left->rank == RANK_GONE)
    return 0;
  return compare_relative (one, two);
}

static gboolean
is_chosen (const TsVerdict *verdict, const TsFilter *filter)
{
  TsElementType type = TS_TYPE_UNKNOWN;

  if (strcmp (verdict->type, "resource") == 0)
    return ts_filter_has_resource (filter, verdict->element);
  ts_element_type_parse (verdict->type, &type);
  return ts_filter_has_element (filter, type, verdict->element) && ts_filter_has_metric (filter, verdict->figure.metric);
}

static gboolean
says_the_same (const Change *change, Rank rank, const TsVerdict *verdict)
{
  const TsVerdict *other = change->verdict;

  return change->rank == rank && rank != RANK_GONE && strcmp (other->label, verdict->label) == 0
         && other->figure.metric == verdict->figure.metric && ts_rational_compare (other->old, verdict->old) == 0
         && ts_rational_compare (other->value, verdict->value) == 0
         && ts_rational_compare (other->bound, verdict->bound) == 0;
}

/* Of Change; *counts: how many figures have each rank; *n_others: that would be shown, and were not chosen. */
static GPtrArray *
list_changes (const TsCheck *check, const TsPrintOptions *options, guint counts[N_RANKS], guint *n_others)
{
  GPtrArray *changes = g_ptr_array_new_with_free_func (free_change);
  g_autoptr (TsFilter) filter = ts_filter_new (options);

  for (guint i = 0; i < check->verdicts->len; i++)
    {
      const TsVerdict *verdict = g_ptr_array_index (check->verdicts, i);
      Rank             rank = rank_of (verdict);
      Change          *change = changes->len > 0 ? g_ptr_array_index (changes, changes->len - 1) : NULL;
      char            *figures;

      if (rank == RANK_NONE)
        continue;
      if (!is_chosen (verdict, filter))
        {
          *n_others += rank < RANK_LIKELY_NOISE;
          continue;
        }
      counts[rank]++;
      if (rank >= RANK_LIKELY_NOISE)
        continue;
      if (change != NULL && says_the_same (change, rank, verdict))
        {
          figures = g_strdup_printf ("%s, %s", change->figures, ts_figure_statistic_name (&verdict->figure));
          g_free (change->figures);
          change->figures = figures;
          change->n_figures++;
          continue;
        }
      change = g_new0 (Change, 1);
      *change = (Change){ rank, verdict, 1, NULL };
      change->figures = g_strdup_printf ("%s.%s", ts_metric_info (verdict->figure.metric)->name,
                                         ts_figure_statistic_name (&verdict->figure));
      g_ptr_array_add (changes, change);
    }
  /* stable: equal ones stay in the order of the report */
  g_ptr_array_sort (changes, compare_changes);
  return changes;
}

static const char *
arrow_of (const TsVerdict *verdict, gboolean unicode)
{
  if (!verdict->has_value)
    return "-";
  return ts_rational_compare (verdict->value, verdict->old) > 0 ? (unicode ? "\xe2\x86\x91" : "^")
                                                                : (unicode ? "\xe2\x86\x93" : "v");
}

/* For better or worse; and what an unbiased reader should make of it. */
static const char *
judgement_of (const Change *change)
{
  const TsVerdict *verdict = change->verdict;

  switch (change->rank)
    {
    case RANK_VIOLATED:
      return "VIOLATED";
    case RANK_VIOLATED_NOISE:
      return "VIOLATED, likely noise";
    case RANK_GONE:
      return "NO SAMPLES";
    case RANK_EXCUSED:
      return "likely noise";
    case RANK_CHANGED:
    case RANK_LIKELY_NOISE:
    case RANK_UNCHANGED:
    case RANK_NONE:
    case N_RANKS:
    default:
      return (ts_rational_compare (verdict->value, verdict->old) > 0) != verdict->is_lower ? "worse" : "better";
    }
}

/* Numbers of different metrics stand below each other, so each has its unit. */
static void
add_change (TsTable *table, const TsCheck *check, const Change *change, const TsPrintOptions *options)
{
  const TsVerdict  *verdict = change->verdict;
  const TsTimeBase *base = &check->report->base;
  g_autofree char  *old = ts_value_text (&verdict->figure, verdict->old, verdict->old, base, options->unit);
  g_autofree char  *now = NULL, *absolute_change = NULL, *signed_change = NULL, *percent = NULL, *signed_percent = NULL;

  if (verdict->has_value)
    {
      TsRational difference = ts_rational_subtract (verdict->value, verdict->old);

      now = ts_value_text (&verdict->figure, verdict->value, verdict->old, base, options->unit);
      absolute_change = ts_value_text (&verdict->figure, difference, difference, base, options->unit);
      signed_change = g_strdup_printf ("%s%s", difference.numerator > 0 ? "+" : "", absolute_change);
      percent = verdict->has_relative ? ts_percent_text (verdict->relative) : NULL;
      signed_percent = percent != NULL ? g_strdup_printf ("%s%s", difference.numerator < 0 ? "-" : "+", percent) : NULL;
    }
  ts_table_begin_row (table, 0);
  ts_table_add_text (table, verdict->label);
  ts_table_add_text (table, change->figures);
  ts_table_add_text (table, old);
  ts_table_add_text (table, now);
  ts_table_add_text (table, signed_change);
  ts_table_add_text (table, signed_percent);
  ts_table_add_text (table, arrow_of (verdict, options->unicode));
  ts_table_add_text (table, judgement_of (change));
}

static void
append_left_out (GString *text, guint count, const char *one, const char *many)
{
  if (count > 0)
    g_string_append_printf (text, "%s%u %s", text->len > 0 ? ", " : "", count, count == 1 ? one : many);
}

/* @n_left: how many figures of the ranks that are shown had no room; @n_others: or were not chosen. */
static void
add_left_out (GPtrArray *tables, const guint counts[N_RANKS], guint n_left, guint n_others)
{
  g_autoptr (GString) text = g_string_new (NULL);

  append_left_out (text, n_left, "more change", "more changes");
  append_left_out (text, n_others, "change of what was not chosen", "changes of what was not chosen");
  append_left_out (text, counts[RANK_LIKELY_NOISE], "change that is likely noise", "changes that are likely noise");
  append_left_out (text, counts[RANK_UNCHANGED], "figure without a change", "figures without a change");
  if (text->len == 0)
    return;
  g_string_prepend (text, "Not shown: ");
  g_string_append (text, ". All are in -f csv --table comparison.");
  ts_tables_add_sentence (tables, "changes_left_out", text->str);
}

static void
add_legend (GPtrArray *tables, const TsCheck *check, const TsPrintOptions *options)
{
  char             number[G_ASCII_DTOSTR_BUF_SIZE];
  double           limit = check->options.significance > 0 ? check->options.significance : TS_SIGNIFICANCE;
  g_autofree char *text
      = g_strdup_printf ("%s risen, %s fallen; VIOLATED: worse than its tolerance allows; likely noise: two runs of one "
                         "and the same program may well differ so much (p >= %s).",
                         options->unicode ? "\xe2\x86\x91" : "^", options->unicode ? "\xe2\x86\x93" : "v",
                         g_ascii_formatd (number, sizeof number, "%g", limit));

  ts_tables_add_sentence (tables, "changes_legend", text);
}

void
ts_check_add_changes (GPtrArray *tables, const TsCheck *check, const TsPrintOptions *options)
{
  static const TsColumn columns[] = { { "element", "element" }, { "figure", "figure" }, { "old", "before" },
                                      { "new", "now" },         { "change", "change" }, { "relative", "in %" },
                                      { "arrow", "" },          { "judgement", "" } };
  guint counts[N_RANKS] = { 0 }, n_left = 0, n_others = 0;
  g_autoptr (GPtrArray) changes = list_changes (check, options, counts, &n_others);
  g_autofree char      *title = g_strdup_printf ("Changes since %s", check->baseline_path);
  TsTable              *table;

  if (changes->len > 0)
    {
      table = ts_table_new ("changes", g_intern_string (title), TS_TABLE_LIST, TS_FOR_PEOPLE, columns,
                            G_N_ELEMENTS (columns));
      for (guint i = 0; i < changes->len; i++)
        if (i < MAX_ROWS)
          add_change (table, check, g_ptr_array_index (changes, i), options);
        else
          n_left += ((const Change *) g_ptr_array_index (changes, i))->n_figures;
      g_ptr_array_add (tables, table);
      add_legend (tables, check, options);
    }
  if (changes->len > 0 || counts[RANK_LIKELY_NOISE] > 0 || n_others > 0)
    add_left_out (tables, counts, n_left, n_others);
}
