/* SPDX-License-Identifier: MIT */
#include "config.h"

#include <string.h>

#include <tracestat/error.h>
#include <tracestat/time.h>

#include "model/number.h"

static const struct
{
  const char *name;
  int         exponent;
} unit_names[] = { { "s", 0 }, { "ms", -3 }, { "us", -6 }, { "ns", -9 }, { "ps", -12 }, { "fs", -15 }, { "as", -18 } };

static const struct
{
  const char *name;
  int         exponent;
} report_units[] = {
  [TS_UNIT_TICKS] = { "ticks", 0 }, [TS_UNIT_NS] = { "ns", -9 }, [TS_UNIT_US] = { "us", -6 },
  [TS_UNIT_MS] = { "ms", -3 },      [TS_UNIT_S] = { "s", 0 },
};

TsTimeBase
ts_time_base_ticks (void)
{
  return (TsTimeBase){ .numerator = 1, .denominator = 1, .exponent = 0, .scale = 1, .known = FALSE };
}

gboolean
ts_time_base_exponent (const char *name, int *exponent)
{
  for (gsize i = 0; i < G_N_ELEMENTS (unit_names); i++)
    if (strcmp (unit_names[i].name, name) == 0)
      {
        *exponent = unit_names[i].exponent;
        return TRUE;
      }
  return FALSE;
}

const char *
ts_time_base_unit_name (int exponent)
{
  for (gsize i = 0; i < G_N_ELEMENTS (unit_names); i++)
    if (unit_names[i].exponent == exponent)
      return unit_names[i].name;
  return "";
}

/* 10^exponent seconds that one internal unit lasts */
static TsRational
unit_length (const TsTimeBase *base, int exponent)
{
  TsRational length = ts_rational (base->numerator, base->denominator);
  int        shift = base->exponent - exponent;
  TsInt128   power = (TsInt128) ts_power_of_ten ((guint) ABS (shift));

  length = ts_rational_multiply (length, shift >= 0 ? ts_rational (power, 1) : ts_rational (1, power));
  return ts_rational_multiply (length, ts_rational (1, base->scale));
}

/* Whether 128 bits hold the fraction of a second that an internal unit of @base is. */
static gboolean
is_exact (const TsTimeBase *base)
{
  TsRational length = ts_rational (base->numerator, base->denominator), part = { 1, base->scale };
  TsRational power = { 1, (TsInt128) ts_power_of_ten ((guint) -base->exponent) }, tick, unit;

  return !base->known
         || (ts_rational_multiply_exactly (&length, &power, &tick) && ts_rational_multiply_exactly (&tick, &part, &unit));
}

gboolean
ts_time_base_check (const TsTimeBase *base, const char *path, GError **error)
{
  if (is_exact (base))
    return TRUE;
  g_set_error (error, TS_ERROR, TS_ERROR_RANGE,
               "%s: a tick of %" G_GUINT64_FORMAT "/%" G_GUINT64_FORMAT " %s, in %" G_GINT64_FORMAT
               " parts, is too fine: 128 bits do not hold such a part of a second",
               path, base->numerator, base->denominator, ts_time_base_unit_name (base->exponent), base->scale);
  return FALSE;
}

gboolean
ts_time_base_equal (const TsTimeBase *a, const TsTimeBase *b)
{
  if (a->known != b->known)
    return FALSE;
  if (!a->known)
    return a->scale == b->scale;
  return a->scale == b->scale && ts_rational_compare (unit_length (a, -9), unit_length (b, -9)) == 0;
}

TsRational
ts_time_base_factor (const TsTimeBase *base, TsUnit unit)
{
  g_assert (unit != TS_UNIT_FITTING);
  if (unit == TS_UNIT_TICKS || !base->known)
    return ts_rational (1, base->scale);
  return unit_length (base, report_units[unit].exponent);
}

/* A tick of a common base has no more of them: that is as many as the largest time of a trace. */
#define MOST_UNITS (G_GINT64_CONSTANT (1) << 61)

gboolean
ts_time_base_common (const TsTimeBase *a, const TsTimeBase *b, TsTimeBase *common, gint64 *factor_a, gint64 *factor_b)
{
  TsRational ratio;
  TsTimeBase finer = *a;

  if (a->known != b->known)
    return FALSE;
  if (ts_time_base_equal (a, b))
    {
      *common = *a;
      *factor_a = *factor_b = 1;
      return TRUE;
    }
  /* b = ratio * a as p/q in lowest terms: 1/q of a's unit divides both */
  if (a->known)
    ratio = ts_rational_divide (unit_length (b, -18), unit_length (a, -18));
  else
    ratio = ts_rational (a->scale, b->scale);
  if (ratio.denominator > MOST_UNITS || ratio.numerator > MOST_UNITS
      || __builtin_mul_overflow (a->scale, (gint64) ratio.denominator, &finer.scale) || finer.scale > MOST_UNITS
      || !is_exact (&finer))
    return FALSE;
  *common = finer;
  *factor_a = (gint64) ratio.denominator;
  *factor_b = (gint64) ratio.numerator;
  return TRUE;
}

gboolean
ts_unit_parse (const char *name, TsUnit *unit)
{
  g_return_val_if_fail (name != NULL, FALSE);
  for (guint i = 0; i < G_N_ELEMENTS (report_units); i++)
    if (strcmp (report_units[i].name, name) == 0)
      {
        *unit = (TsUnit) i;
        return TRUE;
      }
  return FALSE;
}

const char *
ts_unit_name (TsUnit unit)
{
  g_return_val_if_fail (unit < TS_UNIT_FITTING, "");
  return report_units[unit].name;
}

/* More than any stamp has, and few enough for all seconds to be whole attoseconds in 128 bits. */
#define MOST_DIGITS 20

gboolean
ts_time_text_parse (const char *text, TsTimeText *time, GError **error)
{
  gsize            length = strspn (text, "+-0123456789.");
  g_autofree char *number = g_strndup (text, length);
  const char      *unit = text + length;

  while (*unit == ' ')
    unit++;
  *time = (TsTimeText){ .in_ticks = *unit == '\0' || strcmp (unit, "ticks") == 0 };
  if (ts_rational_parse_long (number, MOST_DIGITS, &time->value)
      && (time->in_ticks || ts_time_base_exponent (unit, &time->exponent)))
    return TRUE;
  g_set_error (error, TS_ERROR, TS_ERROR_USAGE,
               "`%s' is not a time: a number of at most %d digits with s, ms, us, ns, ps, fs, as, or without a unit for "
               "ticks is expected", text, MOST_DIGITS);
  return FALSE;
}

gboolean
ts_time_text_exact (const TsTimeText *time, const TsTimeBase *base, TsRational *units)
{
  if (!time->in_ticks && !base->known)
    return FALSE;
  if (time->in_ticks)
    *units = ts_rational_multiply (time->value, ts_rational (base->scale, 1));
  else
    *units = ts_rational_divide (time->value, unit_length (base, time->exponent));
  return TRUE;
}

gboolean
ts_time_text_resolve (const TsTimeText *time, const TsTimeBase *base, gint64 *units, GError **error)
{
  TsRational value;
  TsInt128   whole;

  if (!ts_time_text_exact (time, base, &value))
    {
      g_set_error (error, TS_ERROR, TS_ERROR_USAGE,
                   "the trace does not say how long a tick is: give the time in ticks, without a unit");
      return FALSE;
    }
  whole = ts_rational_ceil (value);
  *units = (gint64) CLAMP (whole, -(TsInt128) TS_TIME_LIMIT - 1, (TsInt128) TS_TIME_LIMIT + 1);
  return TRUE;
}
