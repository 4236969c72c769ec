/* SPDX-License-Identifier: MIT */
#include "config.h"

#include <string.h>

#include "check/limits.h"

/* How much worse than in the baseline a figure may be: which of all tolerances counts for it. */

void
ts_tolerance_free (gpointer data)
{
  TsTolerance *tolerance = data;

  g_free (tolerance->source);
  g_free (tolerance);
}

gboolean
ts_limits_add_tolerance (TsLimits *limits, const char *text, GError **error)
{
  const char      *separator = strchr (text, '=');
  g_autofree char *key = separator != NULL ? g_strndup (text, (gsize) (separator - text)) : NULL;
  g_autofree char *value = g_strdup (separator != NULL ? separator + 1 : text);
  TsTolerance     *tolerance = g_new0 (TsTolerance, 1);

  g_ptr_array_add (limits->given, tolerance);
  tolerance->source = g_strdup_printf ("--tolerance %s", text);
  if (ts_tolerance_parse (key != NULL ? g_strstrip (key) : NULL, g_strstrip (value), tolerance, error))
    return TRUE;
  g_prefix_error (error, "--tolerance %s: ", text);
  return FALSE;
}

guint
ts_tolerance_narrowness (const TsTolerance *tolerance, const TsFigure *figure)
{
  if (!tolerance->has_metric)
    return 1;
  if (tolerance->has_statistic)
    return ts_figure_equal (&tolerance->figure, figure) ? 3 : 0;
  return tolerance->figure.metric == figure->metric ? 2 : 0;
}

static const TsTolerance *
narrowest (const GPtrArray *tolerances, const TsFigure *figure)
{
  const TsTolerance *best = NULL;
  guint              best_rank = 1;

  for (guint i = 0; i < tolerances->len; i++)
    {
      const TsTolerance *tolerance = g_ptr_array_index (tolerances, i);
      guint              rank = ts_tolerance_narrowness (tolerance, figure);

      if (rank < best_rank)
        continue;
      best = tolerance;
      best_rank = rank;
    }
  return best;
}

/* What is said of some comes before what is said of all. */
const TsTolerance *
ts_limits_tolerance (const TsLimits *limits, const GPtrArray *sections, const TsFigure *figure)
{
  const TsTolerance *given = narrowest (limits->given, figure), *of_file = narrowest (limits->tolerances, figure);

  for (guint i = 0; i < sections->len; i++)
    {
      const TsLimitSection *section = g_ptr_array_index ((GPtrArray *) sections, i);
      const TsTolerance    *tolerance = narrowest (section->tolerances, figure);

      if (tolerance != NULL)
        return tolerance;
    }
  if (given == NULL || of_file == NULL)
    return given != NULL ? given : of_file;
  return ts_tolerance_narrowness (of_file, figure) > ts_tolerance_narrowness (given, figure) ? of_file : given;
}
