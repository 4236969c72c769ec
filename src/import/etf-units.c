/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "import/etf.h"

/* Stamps and amounts are whole numbers of units, which are as fine as the decimals of all of them ask for. Where that is
 * more than can be kept, as with the shortest texts of binary fractions (0.30000000000000004), the rest of the file is
 * only looked at for how fine they can be, and then it is read again, and rounded to that. */

/* What one reading tells the next. */
typedef struct
{
  gint decimals, amount_decimals;
} Kept;

/* Numbers of one kind, as far as they were looked at. */
static void
look_at (TsEtfRange *range, TsEtfDecimal number)
{
  const guint64 size = number.mantissa < 0 ? -(guint64) number.mantissa : (guint64) number.mantissa;

  range->decimals = MAX (range->decimals, number.decimals);
  range->largest_whole = MAX (range->largest_whole, size / (guint64) ts_etf_power_of_ten (number.decimals) + 1);
}

/* How many decimals can be kept of them. */
static gint
decimals_within (const TsEtfRange *range, guint64 limit)
{
  gint k = range->decimals;

  while (k > 0 && range->largest_whole > limit / (guint64) ts_etf_power_of_ten (k))
    k--;
  return k;
}

void
ts_etf_begin_units (TsEtf *etf)
{
  const Kept *kept = etf->import->memory->kept;

  if (kept == NULL)
    return;
  etf->rounds = TRUE;
  etf->decimals = kept->decimals;
  etf->amount_decimals = kept->amount_decimals;
}

void
ts_etf_keep_units (TsEtf *etf)
{
  TsImportMemory *memory = etf->import->memory;
  Kept           *kept = g_new (Kept, 1);

  kept->decimals = decimals_within (&etf->stamp_range, TS_TIME_LIMIT);
  kept->amount_decimals = decimals_within (&etf->amount_range, TS_ETF_AMOUNT_LIMIT);
  memory->kept = kept;
  memory->free_kept = g_free;
}

/* A number that cannot be kept exactly. Returns whether the file will be read again, and it can be rounded then. */
static gboolean
begin_to_look (TsEtf *etf)
{
  if (etf->rounds || !ts_import_request_reread (etf->import))
    return FALSE;
  etf->only_looks = TRUE;
  look_at (&etf->stamp_range, (TsEtfDecimal){ etf->largest_stamp, etf->decimals });
  if (etf->first <= etf->last)
    {
      look_at (&etf->stamp_range, (TsEtfDecimal){ etf->first, etf->decimals });
      look_at (&etf->stamp_range, (TsEtfDecimal){ etf->last, etf->decimals });
    }
  look_at (&etf->amount_range, (TsEtfDecimal){ etf->largest_amount, etf->amount_decimals });
  return TRUE;
}

static void
look_at_fields (TsEtfField *fields, guint first, guint n, TsEtfRange *range)
{
  for (guint i = first; i < first + n; i++)
    {
      TsEtfNumber kind = ts_etf_field_parse (&fields[i]);

      if (kind == TS_ETF_GOOD || kind == TS_ETF_LONG)
        look_at (range, fields[i].number);
      if (kind == TS_ETF_LONG)
        range->decimals = TS_ETF_MAX_DECIMALS;
    }
}

void
ts_etf_look_at_line (TsEtf *etf, TsEtfText kind, const char *p, const char *end)
{
  TsEtfField  fields[TS_ETF_MAX_FIELDS];
  const char *attributes;
  guint       n = ts_etf_split (p, end, fields, &attributes);

  if (ts_etf_text_is (kind, "C") && (n == 5 || n == 6))
    {
      look_at_fields (fields, 1, 2, &etf->stamp_range);
      look_at_fields (fields, 4, n - 4, &etf->amount_range);
    }
  else if (ts_etf_text_is (kind, "E") && n == 2)
    look_at_fields (fields, 1, 1, &etf->stamp_range);
  else if (ts_etf_text_is (kind, "R") && n == 3)
    look_at_fields (fields, 1, 1, &etf->amount_range);
}

/* In units of 10^-k, rounded. FALSE: as ts_etf_decimal_scale(). */
static gboolean
round_to (TsEtfDecimal number, gint k, gint64 limit, gint64 *value)
{
  if (number.decimals <= k)
    return ts_etf_decimal_scale (number, k, limit, value);
  *value = ts_etf_divide (number.mantissa, number.decimals - k);
  return *value <= limit && *value >= -limit;
}

static gboolean
fail_large (TsEtf *etf, const char *what, const TsEtfField *field)
{
  return ts_etf_fail_at (etf, TS_ERROR_RANGE, etf->line,
                         "%s `%.*s' is too large, or has too many decimals, to be kept exactly with the others", what,
                         TS_ETF_QUOTED (field->text));
}

/* Whether it would fit if it was rounded. */
static gboolean
is_small (const TsEtfField *field, gint64 limit)
{
  gint64 whole;

  return round_to (field->number, 0, limit - 1, &whole);
}

/* Of a number that has no place among the others. */
static gboolean
give_up (TsEtf *etf, const char *what, const TsEtfField *field, gint64 limit)
{
  if (is_small (field, limit) && begin_to_look (etf))
    return FALSE;
  if (field->is_long)
    return ts_etf_fail_at (etf, TS_ERROR_RANGE, etf->line, "%s `%.*s' has more digits than can be kept exactly", what,
                           TS_ETF_QUOTED (field->text));
  return fail_large (etf, what, field);
}

/* Stamps */

static void
rescale_stamps (TsEtf *etf, gint64 factor)
{
  for (gsize i = 0; i < etf->n_records; i++)
    {
      etf->records[i].t0 *= factor;
      etf->records[i].t1 *= factor;
    }
  for (guint i = 0; i < etf->events->len; i++)
    g_array_index (etf->events, TsEtfEvent, i).time *= factor;
  for (gsize i = 0; i < etf->n_activations; i++)
    if (ts_etf_is_activation (etf->activations[i]))
      etf->activations[i] *= factor;
  if (etf->objects != NULL)
    ts_objects_rescale (etf->objects, factor);
  if (etf->first <= etf->last)
    {
      etf->first *= factor;
      etf->last *= factor;
    }
}

gint64
ts_etf_make_finer (TsEtf *etf, gint64 factor)
{
  gint64 larger;

  if (factor == 1 || __builtin_mul_overflow (etf->largest_stamp, factor, &larger) || larger > TS_TIME_LIMIT)
    return 1;
  rescale_stamps (etf, factor);
  return factor;
}

/* Amounts, and capacities */

static void
rescale_amounts (TsEtf *etf, gint64 factor)
{
  for (gsize i = 0; etf->amounts != NULL && i < etf->n_records; i++)
    etf->amounts[i] *= factor;
  for (guint i = 0; i < etf->resources->len; i++)
    {
      g_array_index (etf->resources, TsEtfResource, i).capacity *= factor;
      g_array_index (etf->resources, TsEtfResource, i).amount *= factor;
    }
  for (guint i = 0; i < etf->early_claims->len; i++)
    g_array_index (etf->early_claims, TsEtfEarlyClaim, i).extent *= factor;
}

/* Both */

/* One of the two kinds of values, with what is so far of it. */
typedef struct
{
  gint          *decimals;
  gint64        *largest;
  gint64         limit;
  TsDiagnosticId rounded;
  void (*rescale) (TsEtf *etf, gint64 factor);
} Values;

/* Finer units, for a value that has more decimals than all before it. FALSE: that is too fine for these. */
static gboolean
refine (TsEtf *etf, const Values *values, gint decimals)
{
  gint64 factor = ts_etf_power_of_ten (decimals - *values->decimals), larger;

  if (__builtin_mul_overflow (*values->largest, factor, &larger) || larger > values->limit)
    return FALSE;
  values->rescale (etf, factor);
  ts_etf_alike_forget (etf);
  *values->largest = larger;
  *values->decimals = decimals;
  return TRUE;
}

static gboolean
read_value (TsEtf *etf, TsEtfField *field, const char *what, const Values *values, gint64 *value)
{
  if (!ts_etf_number (etf, field, what))
    return FALSE;
  if (etf->rounds && G_UNLIKELY (field->is_long || field->number.decimals > *values->decimals))
    {
      ts_diagnostics_add (etf->import->diagnostics, values->rounded, etf->line, "%.*s", TS_ETF_QUOTED (field->text));
      if (!round_to (field->number, *values->decimals, values->limit, value))
        return fail_large (etf, what, field);
    }
  else if (G_UNLIKELY (field->is_long
                       || (field->number.decimals > *values->decimals
                           && !refine (etf, values, field->number.decimals)))
           || !ts_etf_decimal_scale (field->number, *values->decimals, values->limit, value))
    return give_up (etf, what, field, values->limit);
  *values->largest = MAX (*values->largest, ABS (*value));
  return TRUE;
}

gboolean
ts_etf_read_stamp (TsEtf *etf, TsEtfField *field, gint64 *value)
{
  const Values stamps = { &etf->decimals, &etf->largest_stamp, TS_TIME_LIMIT, TS_DIAGNOSTIC_ROUNDED_TIME,
                          rescale_stamps };

  return read_value (etf, field, "time", &stamps, value);
}

gboolean
ts_etf_read_amount (TsEtf *etf, TsEtfField *field, const char *what, gint64 *value)
{
  const Values amounts = { &etf->amount_decimals, &etf->largest_amount, TS_ETF_AMOUNT_LIMIT,
                           TS_DIAGNOSTIC_ROUNDED_AMOUNT, rescale_amounts };

  return read_value (etf, field, what, &amounts, value);
}
