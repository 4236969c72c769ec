/* SPDX-License-Identifier: MIT */
#include "config.h"

#include <string.h>

#include "check/limits.h"
#include "model/error.h"

/* Numbers with units: a bare number is never taken for a time or a percentage, since a unit that
 * was forgotten would make a bound that everything keeps. */

static const char *
skip_blanks (const char *text)
{
  while (g_ascii_isspace (*text))
    text++;
  return text;
}

static gboolean
take_percent (TsAmount *amount)
{
  amount->kind = TS_AMOUNT_PERCENT;
  amount->value = ts_rational_multiply (amount->value, (TsRational){ 1, 100 });
  return TRUE;
}

static gboolean
take_time (const char *unit, TsAmount *amount, GError **error)
{
  if (strcmp (unit, "ticks") == 0 || strcmp (unit, "tick") == 0)
    {
      amount->kind = TS_AMOUNT_TICKS;
      return TRUE;
    }
  amount->kind = TS_AMOUNT_TIME;
  if (ts_time_base_exponent (unit, &amount->exponent))
    return TRUE;
  return ts_error_refuse (error, "`%s' is not a unit of time: s, ms, us, ns, ps, fs, as or ticks is expected", unit);
}

/* @what is the name of what has this amount, for messages. */
static gboolean
parse_amount (const char *what, const char *text, TsQuantity quantity, TsAmount *amount, GError **error)
{
  gsize            length = strspn (text, "+-0123456789.");
  g_autofree char *number = g_strndup (text, length);
  const char      *unit = skip_blanks (text + length);

  if (length == 0 || !ts_rational_parse (number, &amount->value))
    return ts_error_refuse (error, "%s: `%s' does not begin with a number of at most 18 digits", what, text);
  switch (quantity)
    {
    case TS_QUANTITY_RATIO:
      if (strcmp (unit, "%") == 0)
        return take_percent (amount);
      return ts_error_refuse (error, "%s is a ratio: `%s' should be a percentage, as 70 %%", what, text);
    case TS_QUANTITY_COUNT:
      amount->kind = TS_AMOUNT_COUNT;
      return *unit == '\0'
             || ts_error_refuse (error, "%s is a count: `%s' should be a number without a unit", what, text);
    case TS_QUANTITY_TIME:
    default:
      if (strcmp (unit, "%") == 0)
        return ts_error_refuse (error, "%s is a time: `%s' is a percentage", what, text);
      if (*unit == '\0')
        return ts_error_refuse (error, "%s is a time: `%s' has no unit (s, ms, us, ns, ps, fs, as or ticks)", what,
                                text);
      return take_time (unit, amount, error);
    }
}

gboolean
ts_bound_parse (const char *text, TsBound *bound, GError **error)
{
  const char      *metric = ts_metric_info (bound->figure.metric)->name;
  g_autofree char *what = g_strdup_printf ("%s.%s", metric, ts_figure_statistic_name (&bound->figure));

  bound->is_lower = bound->figure.statistic == TS_STATISTIC_MIN;
  if (g_str_has_prefix (text, ">=") || g_str_has_prefix (text, "<="))
    {
      bound->is_lower = text[0] == '>';
      text = skip_blanks (text + 2);
    }
  return parse_amount (what, text, ts_figure_quantity (&bound->figure), &bound->amount, error);
}

const TsFigure ts_compared[TS_N_COMPARED] = {
  { TS_METRIC_CET, TS_STATISTIC_MEAN, 0 },      { TS_METRIC_CET, TS_STATISTIC_PERCENTILE, 99000000 },
  { TS_METRIC_CET, TS_STATISTIC_MAX, 0 },       { TS_METRIC_GET, TS_STATISTIC_MEAN, 0 },
  { TS_METRIC_GET, TS_STATISTIC_PERCENTILE, 99000000 }, { TS_METRIC_GET, TS_STATISTIC_MAX, 0 },
  { TS_METRIC_RT, TS_STATISTIC_MEAN, 0 },       { TS_METRIC_RT, TS_STATISTIC_PERCENTILE, 99000000 },
  { TS_METRIC_RT, TS_STATISTIC_MAX, 0 },        { TS_METRIC_IPT, TS_STATISTIC_MEAN, 0 },
  { TS_METRIC_IPT, TS_STATISTIC_PERCENTILE, 99000000 }, { TS_METRIC_IPT, TS_STATISTIC_MAX, 0 },
  { TS_METRIC_ST, TS_STATISTIC_MIN, 0 },        { TS_METRIC_JIT, TS_STATISTIC_ABSMAX, 0 },
};

const TsFigure ts_compared_load = { TS_METRIC_LOAD, TS_STATISTIC_MAX, 0 };

/* Whether it can have an effect. */
static gboolean
is_of_use (const TsTolerance *tolerance)
{
  guint n = ts_tolerance_narrowness (tolerance, &ts_compared_load);

  for (guint i = 0; i < TS_N_COMPARED; i++)
    n += ts_tolerance_narrowness (tolerance, &ts_compared[i]);
  return n > 0;
}

gboolean
ts_tolerance_parse (const char *key, const char *text, TsTolerance *tolerance, GError **error)
{
  TsQuantity quantity = TS_QUANTITY_RATIO;

  if (key != NULL && g_ascii_strcasecmp (key, "all") != 0)
    {
      tolerance->has_metric = TRUE;
      tolerance->has_statistic = !ts_metric_parse (key, &tolerance->figure.metric);
      if (tolerance->has_statistic && !ts_figure_parse (key, &tolerance->figure, error))
        return FALSE;
      if (!is_of_use (tolerance))
        return ts_error_refuse (error, "`%s' is not compared: mean, p99 and max of CET, GET, RT and IPT, min of ST, "
                                "absmax of JIT, and LOAD are", key);
      if (!g_str_has_suffix (text, "%"))
        quantity = ts_metric_info (tolerance->figure.metric)->quantity;
    }
  if (!parse_amount (key != NULL ? key : "a tolerance", text, quantity, &tolerance->amount, error))
    return FALSE;
  if (tolerance->amount.value.numerator < 0)
    return ts_error_refuse (error, "`%s': a tolerance is not below 0", text);
  return TRUE;
}

gboolean
ts_amount_resolve (const TsAmount *amount, const TsTimeBase *base, TsRational *value)
{
  TsTimeText time = { amount->value, amount->kind == TS_AMOUNT_TICKS, amount->exponent };

  *value = amount->value;
  return (amount->kind != TS_AMOUNT_TIME && amount->kind != TS_AMOUNT_TICKS)
         || ts_time_text_exact (&time, base, value);
}
