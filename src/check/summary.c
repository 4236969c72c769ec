/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "check/verdict.h"
#include "model/number.h"
#include "report/tables.h"

/* The check for people, at the end of the summary, where a log shows it last: what changed against the baseline, what is
 * broken, what could not be looked at, and the verdict. */

/* Of thousands of lines nobody sees the worst, which come first. */
#define MAX_ROWS 100

static int
compare_worst (gconstpointer a, gconstpointer b)
{
  return ts_verdict_compare_worst (*(TsVerdict *const *) a, *(TsVerdict *const *) b);
}

/* Of TsVerdict, lent: those with a bound that is broken, the worst first; or those that could not be looked at. */
static GPtrArray *
list_failures (const TsCheck *check, gboolean violated)
{
  GPtrArray *failures = g_ptr_array_new ();

  for (guint i = 0; i < check->verdicts->len; i++)
    {
      TsVerdict *verdict = g_ptr_array_index (check->verdicts, i);

      if (!ts_verdict_is_pass (verdict->result) && (verdict->result == TS_VERDICT_VIOLATED) == violated)
        g_ptr_array_add (failures, verdict);
    }
  /* stable, so that equal ones stay in the order of the report */
  if (violated)
    g_ptr_array_sort (failures, compare_worst);
  return failures;
}

static void
add_left_out (GPtrArray *tables, guint n)
{
  g_autofree char *text = g_strdup_printf ("Not shown: %u more of these. All are in -f csv --table verdicts.", n);

  ts_tables_add_sentence (tables, "verdicts_left_out", text);
}

static void
add_list (GPtrArray *tables, const TsCheck *check, const TsPrintOptions *options, const char *name, const char *title,
          const GPtrArray *verdicts)
{
  static const TsColumn columns[] = { { "subject", NULL }, { "sentence", NULL }, { "origin", NULL } };
  TsTable *table;

  if (verdicts->len == 0)
    return;
  table = ts_table_new (name, title, TS_TABLE_LIST, TS_FOR_PEOPLE, columns, 3);
  for (guint i = 0; i < MIN (verdicts->len, MAX_ROWS); i++)
    {
      const TsVerdict *verdict = g_ptr_array_index (verdicts, i);
      g_autofree char *subject = ts_verdict_subject (verdict);
      g_autofree char *sentence = ts_verdict_sentence (check, verdict, options);
      g_autofree char *origin = ts_verdict_origin (check, verdict, options);

      ts_table_begin_row (table, 0);
      ts_table_add_text (table, subject);
      ts_table_add_text (table, sentence);
      ts_table_add_text (table, origin);
    }
  g_ptr_array_add (tables, table);
  if (verdicts->len > MAX_ROWS)
    add_left_out (tables, verdicts->len - MAX_ROWS);
}

static void
append_count (GString *text, guint count, const char *what)
{
  g_string_append_printf (text, "%s%u %s%s", text->len > 0 ? " and " : "", count, what, count == 1 ? "" : "s");
}

/* "12 limits and 230 comparisons" */
static char *
all_of_it (const TsCheck *check)
{
  GString *text = g_string_new (NULL);

  if (check->n_limits > 0)
    append_count (text, check->n_limits, "limit");
  if (check->baseline != NULL)
    {
      append_count (text, check->n_comparisons, "comparison");
      g_string_append_printf (text, " with %s", check->baseline_path);
    }
  return g_string_free (text, FALSE);
}

static guint64
n_failed (const TsReport *report)
{
  const TsReportBlock *all = g_ptr_array_index (report->blocks, 0);
  guint64              n = 0;

  for (guint i = 0; i < all->elements->len; i++)
    n += ((const TsReportElement *) g_ptr_array_index (all->elements, i))->counts.failed;
  return n;
}

/* No sample shows that an activation was refused: who does not run is never late. */
static void
append_failed (GString *text, const TsCheck *check)
{
  const guint64 n = n_failed (check->report), before = check->baseline != NULL ? n_failed (check->baseline) : 0;

  if (n <= before)
    return;
  g_string_append (text, "; ");
  ts_number_append_grouped (text, (gint64) n);
  g_string_append (text, n == 1 ? " activation failed" : " activations failed");
  if (check->baseline == NULL)
    return;
  g_string_append (text, ", and ");
  ts_number_append_grouped (text, (gint64) before);
  g_string_append (text, " in the baseline");
}

/* Elements of which a limit holds only since nothing more came: see rest.c. */
static void
append_rest (GString *text, const TsCheck *check)
{
  g_autoptr (GHashTable) labels = g_hash_table_new (g_str_hash, g_str_equal);
  const TsVerdict       *first = NULL;
  guint                  n;

  for (guint i = 0; i < check->verdicts->len; i++)
    {
      const TsVerdict *verdict = g_ptr_array_index (check->verdicts, i);

      if (!verdict->came_to_rest)
        continue;
      first = first != NULL ? first : verdict;
      g_hash_table_add (labels, verdict->label);
    }
  n = g_hash_table_size (labels);
  if (n == 1)
    g_string_append_printf (text, "; %s %s", first->label, first->note);
  else if (n > 1)
    g_string_append_printf (text, "; %u elements came to rest, as %s: %s", n, first->label, strchr (first->note, ':') + 2);
}

/* What is much shorter, as that of a run that was aborted, has few samples, which hardly differ from any others. */
static void
append_length (GString *text, const TsCheck *check, const TsPrintOptions *options)
{
  const TsFigure   time = { TS_METRIC_GET, TS_STATISTIC_MAX, 0 };
  const guint      n = check->report->traces->len, n_before = check->baseline != NULL ? check->baseline->traces->len : 0;
  g_autofree char *length = NULL, *length_before = NULL;
  TsRational       now, before;

  if (n == 0 || n_before == 0)
    return;
  now = ts_rational_divide (ts_report_span (check->report), ts_rational (n, 1));
  before = ts_rational_divide (check->baseline_span, ts_rational (n_before, 1));
  if (ts_rational_compare (ts_rational_multiply (now, ts_rational (2, 1)), before) >= 0)
    return;
  length = ts_value_text (&time, now, now, &check->report->base, options->unit);
  length_before = ts_value_text (&time, before, before, &check->report->base, options->unit);
  if (n == 1 && n_before == 1)
    g_string_append_printf (text, "; it is %s long, and the baseline %s", length, length_before);
  else
    g_string_append_printf (text, "; a trace is %s long on average, and one of the baseline %s", length, length_before);
}

/* In these the baseline may be worse than its program was. */
static void
append_baseline_defects (GString *text, const TsCheck *check)
{
  guint n = 0;

  for (TsDiagnosticId id = 0; id < TS_N_DIAGNOSTICS; id++)
    if (ts_check_refuses_baseline (check, id))
      g_string_append_printf (text, "%s %s", n++ == 0 ? "; the baseline has defects:" : ",", ts_diagnostic_info (id)->name);
}

static void
append_notes (GString *text, const TsCheck *check, const TsPrintOptions *options)
{
  static const struct
  {
    TsVerdictResult result;
    const char     *one, *many;
  } notes[] = { { TS_VERDICT_SKIPPED, "optional one has no samples", "optional ones have no samples" },
                { TS_VERDICT_NOISE, "change beyond the tolerance is not significant",
                  "changes beyond the tolerance are not significant" },
                { TS_VERDICT_NEW, "is new", "are new" } };
  gboolean is_first = TRUE;

  for (guint i = 0; i < G_N_ELEMENTS (notes); i++)
    {
      guint n = check->n_results[notes[i].result];

      if (n == 0)
        continue;
      g_string_append_printf (text, "%s%u %s", is_first ? " (" : ", ", n, n == 1 ? notes[i].one : notes[i].many);
      is_first = FALSE;
    }
  g_string_append (text, is_first ? "" : ")");
  if (check->baseline_window != NULL)
    g_string_append_printf (text, "; %s", check->baseline_window);
  else
    append_length (text, check, options);
  append_baseline_defects (text, check);
  append_failed (text, check);
  append_rest (text, check);
}

static void
add_verdict (GPtrArray *tables, const TsCheck *check, const TsPrintOptions *options, guint n_violated, guint n_unchecked)
{
  g_autofree char    *all = all_of_it (check);
  g_autoptr (GString) text = g_string_new (NULL);

  if (check->baseline == NULL && check->n_results[TS_VERDICT_SKIPPED] == check->n_limits)
    g_string_append (text, "PASSED, but nothing was checked");
  else if (n_violated + n_unchecked == 0)
    g_string_append_printf (text, "PASSED: %s, all hold", all);
  else
    {
      g_string_append (text, "FAILED: ");
      if (n_violated > 0)
        g_string_append_printf (text, "%u violated%s", n_violated, n_unchecked > 0 ? " and " : "");
      if (n_unchecked > 0)
        g_string_append_printf (text, "%u that could not be checked", n_unchecked);
      g_string_append_printf (text, ", of %s", all);
    }
  append_notes (text, check, options);
  ts_tables_add_sentence (tables, "verdict", text->str);
}

GPtrArray *
ts_check_summary (const TsCheck *check, const TsPrintOptions *options)
{
  GPtrArray             *tables = g_ptr_array_new_with_free_func ((GDestroyNotify) ts_table_free);
  g_autoptr (GPtrArray)  violated = list_failures (check, TRUE);
  g_autoptr (GPtrArray)  unchecked = list_failures (check, FALSE);

  if (check->baseline != NULL)
    ts_check_add_changes (tables, check, options);
  add_list (tables, check, options, "violated", "Violated, the worst first", violated);
  add_list (tables, check, options, "unchecked", "Could not be checked", unchecked);
  add_verdict (tables, check, options, violated->len, unchecked->len);
  return tables;
}
