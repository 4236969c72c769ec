/* SPDX-License-Identifier: MIT */
#include "config.h"

#include <string.h>

#include "import/etf.h"
#include "model/encoding.h"

/* The statements that say what happened: TU O T R C E. */

gboolean
ts_etf_number (TsEtf *etf, TsEtfField *field, const char *what)
{
  TsEtfNumber kind = ts_etf_field_parse (field);

  field->is_long = kind == TS_ETF_LONG;
  switch (kind)
    {
    case TS_ETF_GOOD:
    case TS_ETF_LONG:
      return TRUE;
    case TS_ETF_LARGE:
      return ts_etf_fail_at (etf, TS_ERROR_RANGE, etf->line, "%s `%.*s' has more digits than can be kept exactly", what,
                             TS_ETF_QUOTED (field->text));
    case TS_ETF_BAD:
    default:
      return ts_etf_fail (etf, "%s `%.*s' is no number", what, TS_ETF_QUOTED (field->text));
    }
}

gboolean
ts_etf_expect_fields (TsEtf *etf, guint n, guint least, guint most, const char *what)
{
  if (n >= least && n <= most)
    return TRUE;
  return ts_etf_fail (etf, "too %s fields; expected: %s", n > most ? "many" : "few", what);
}

void
ts_etf_expect_attributes (TsEtf *etf, const char **attributes, const char *end)
{
  if (*attributes != NULL)
    return;
  ts_etf_note (etf, NO_SEPARATOR, NULL);
  *attributes = end;
}

gboolean
ts_etf_read_unit (TsEtf *etf, const char *p, const char *end)
{
  static const struct
  {
    const char *name;
    guint64     numerator;
    int         exponent;
  } units[] = { { "NANOSECONDS", 1, -9 }, { "MICROSECONDS", 1, -6 }, { "MILLISECONDS", 1, -3 },
                { "SECONDS", 1, 0 },      { "MINUTES", 60, 0 },      { "HOURS", 3600, 0 } };
  TsTimeBase *base = ts_system_time_base (etf->import->system);
  TsEtfText   unit = ts_etf_next_field (&p, end), more = ts_etf_next_field (&p, end);

  if (etf->unit_line != 0)
    return ts_etf_fail (etf, "a second time unit; the first one is in line %u", etf->unit_line);
  if (unit.length == 0 || more.length > 0)
    return ts_etf_fail (etf, "TU and one time unit are expected");
  for (guint i = 0; i < G_N_ELEMENTS (units); i++)
    if (ts_etf_text_is (unit, units[i].name))
      {
        etf->unit_line = etf->line;
        base->numerator = units[i].numerator;
        base->exponent = units[i].exponent;
        return TRUE;
      }
  return ts_etf_fail (etf, "`%.*s' is no time unit: NANOSECONDS, MICROSECONDS, MILLISECONDS, SECONDS, MINUTES or HOURS"
                      " is expected", TS_ETF_QUOTED (unit));
}

gboolean
ts_etf_read_offset (TsEtf *etf, const char *p, const char *end)
{
  TsEtfText offset = ts_etf_next_field (&p, end), more = ts_etf_next_field (&p, end);
  gsize     sign = offset.length > 0 && (*offset.p == '-' || *offset.p == '+');

  if (etf->offset_line != 0)
    return ts_etf_fail (etf, "a second time offset; the first one is in line %u", etf->offset_line);
  if (offset.length == sign || more.length > 0)
    return ts_etf_fail (etf, "O and one number of milliseconds are expected");
  for (gsize i = sign; i < offset.length; i++)
    if (!g_ascii_isdigit (offset.p[i]))
      return ts_etf_fail (etf, "time offset `%.*s' is no whole number of milliseconds", TS_ETF_QUOTED (offset));
  if (offset.length - sign > 18)
    return ts_etf_fail_at (etf, TS_ERROR_RANGE, etf->line, "time offset `%.*s' is too large", TS_ETF_QUOTED (offset));
  etf->offset_line = etf->line;
  /* durations do not depend on it: it is told, not used */
  g_string_append_printf (etf->comment, "%stime 0 is %.*s ms after 1970-01-01 00:00 UTC", etf->comment->len > 0 ? ", " : "",
                          (int) offset.length, offset.p);
  return TRUE;
}

char *
ts_etf_text_dup (TsEtf *etf, TsEtfText text, guint32 line)
{
  gboolean is_latin;
  char    *copy = ts_utf8_dup (text.p, text.length, &is_latin);

  if (is_latin)
    ts_diagnostics_add (etf->import->diagnostics, TS_DIAGNOSTIC_NO_UTF8, line, "%s", copy);
  return copy;
}

static void
take_trace_attribute (TsEtf *etf, TsEtfText key, TsEtfText value)
{
  g_autofree char *text = NULL;

  if (ts_etf_text_is (key, "name"))
    {
      text = ts_etf_text_dup (etf, value, etf->line);
      ts_system_set_name (etf->import->system, text);
      return;
    }
  if (etf->comment->len > 0)
    g_string_append (etf->comment, ", ");
  g_string_append_len (etf->comment, key.p, (gssize) key.length);
  g_string_append_c (etf->comment, '=');
  g_string_append_len (etf->comment, value.p, (gssize) value.length);
}

gboolean
ts_etf_read_trace (TsEtf *etf, const char *p, const char *end)
{
  ts_etf_attributes_parse (etf, p, end, take_trace_attribute);
  return TRUE;
}

/* Resources */

static TsEtfResource *
get_resource (TsEtf *etf, guint32 number)
{
  return &g_array_index (etf->resources, TsEtfResource, number);
}

/* The resource of this id, declared or not; TS_ETF_NONE with an error if there are too many. */
static guint32
find_resource (TsEtf *etf, const TsEtfField *field)
{
  guint64       id = ts_etf_id (etf, field);
  guint32       number = ts_etf_ids_find (&etf->resource_ids, id);
  TsEtfResource resource = { .line = 0 };

  if (G_UNLIKELY (number == TS_ETF_NONE))
    {
      if (etf->resources->len >= TS_MAX_RESOURCES)
        {
          ts_etf_fail_at (etf, TS_ERROR_RANGE, etf->line, "more than %d resources", TS_MAX_RESOURCES);
          return TS_ETF_NONE;
        }
      number = etf->resources->len;
      ts_etf_ids_add (&etf->resource_ids, id);
      resource.id = ts_etf_text_dup (etf, field->text, etf->line);
      g_array_append_val (etf->resources, resource);
    }
  return number;
}

static void
note_beyond (TsEtf *etf, const TsEtfResource *resource, guint32 line)
{
  ts_diagnostics_add (etf->import->diagnostics, TS_DIAGNOSTIC_BEYOND_CAPACITY, line, "resource %s", resource->id);
}

void
ts_etf_note_extent (TsEtf *etf, const TsEtfResource *resource, gint64 amount, gint64 offset)
{
  etf->largest_amount = MAX (etf->largest_amount, MAX (amount, offset));
  note_beyond (etf, resource, etf->line);
}

/* What claims before the declaration left to be checked. */
static gboolean
check_earlier_claims (TsEtf *etf, const TsEtfResource *resource)
{
  if (resource->uses_offset && resource->plain_line != 0)
    return ts_etf_fail_at (etf, TS_ERROR_FORMAT, resource->plain_line, "the claim has no offset, which resource %s asks for",
                           resource->id);
  if (!resource->uses_offset && resource->offset_line != 0)
    return ts_etf_fail_at (etf, TS_ERROR_FORMAT, resource->offset_line, "the claim has an offset, and resource %s has none",
                           resource->id);
  return TRUE;
}

static void
take_resource_attribute (TsEtf *etf, TsEtfText key, TsEtfText value)
{
  TsEtfResource *resource = get_resource (etf, etf->resource);
  char         **text = NULL;

  if (ts_etf_text_is (key, "name"))
    text = &resource->name;
  else if (ts_etf_text_is (key, "unit"))
    text = &resource->unit;
  if (text == NULL)
    return;
  g_free (*text);
  *text = ts_etf_text_dup (etf, value, etf->line);
}

gboolean
ts_etf_read_resource (TsEtf *etf, const char *p, const char *end)
{
  TsEtfField     fields[TS_ETF_MAX_FIELDS];
  const char    *attributes;
  guint          n = ts_etf_split (p, end, fields, &attributes);
  guint32        number;
  gint64         capacity;
  gboolean       uses_offset;
  TsEtfResource *resource;

  if (!ts_etf_expect_fields (etf, n, 3, 3, "an id, a capacity, and true or false"))
    return FALSE;
  if (!ts_etf_read_amount (etf, &fields[1], "capacity", &capacity))
    return FALSE;
  if (capacity <= 0)
    return ts_etf_fail (etf, "capacity `%.*s' is not above 0", TS_ETF_QUOTED (fields[1].text));
  if (!ts_etf_boolean_parse (fields[2].text, &uses_offset))
    return ts_etf_fail (etf, "`%.*s' is neither true nor false", TS_ETF_QUOTED (fields[2].text));
  number = find_resource (etf, &fields[0]);
  if (number == TS_ETF_NONE)
    return FALSE;
  resource = get_resource (etf, number);
  if (resource->line != 0)
    return ts_etf_fail (etf, "resource %s was declared in line %u", resource->id, resource->line);
  resource->line = etf->line;
  resource->capacity = capacity;
  resource->uses_offset = uses_offset;
  ts_etf_expect_attributes (etf, &attributes, end);
  etf->resource = number;
  ts_etf_attributes_parse (etf, attributes, end, take_resource_attribute);
  return check_earlier_claims (etf, get_resource (etf, number));
}

static void
check_early_extents (TsEtf *etf)
{
  for (guint i = 0; i < etf->early_claims->len; i++)
    {
      const TsEtfEarlyClaim *claim = &g_array_index (etf->early_claims, TsEtfEarlyClaim, i);
      const TsEtfResource   *resource = get_resource (etf, claim->resource);

      if (claim->extent > resource->capacity || claim->is_negative)
        note_beyond (etf, resource, claim->line);
    }
  g_array_set_size (etf->early_claims, 0);
}

gboolean
ts_etf_check_resources (TsEtf *etf)
{
  const TsEtfResource *first = NULL;

  for (guint i = 0; i < etf->resources->len; i++)
    {
      TsEtfResource *resource = get_resource (etf, i);

      /* of the last line nothing is used if it cannot be read */
      if (resource->line == 0 && resource->used_line > 0 && (first == NULL || resource->used_line < first->used_line))
        first = resource;
      if (resource->name == NULL || *resource->name == '\0')
        {
          g_free (resource->name);
          resource->name = g_strdup (resource->id);
        }
    }
  if (first != NULL)
    return ts_etf_fail_at (etf, TS_ERROR_FORMAT, first->used_line, "resource %s is not declared", first->id);
  check_early_extents (etf);
  return TRUE;
}

/* Claims */

static gboolean
check_claim (TsEtf *etf, guint32 number, gboolean has_offset, gint64 amount, gint64 offset)
{
  TsEtfResource  *resource = get_resource (etf, number);
  TsEtfEarlyClaim early = { amount + offset, etf->line, (guint16) number, amount < 0 || offset < 0 };

  if (resource->line == 0)
    {
      if (has_offset && resource->offset_line == 0)
        resource->offset_line = etf->line;
      if (!has_offset && resource->plain_line == 0)
        resource->plain_line = etf->line;
      g_array_append_val (etf->early_claims, early);
    }
  else if (has_offset != resource->uses_offset)
    return ts_etf_fail (etf, has_offset ? "the claim has an offset, and resource %s has none"
                                        : "the claim has no offset, which resource %s asks for", resource->id);
  else if (early.extent > resource->capacity || early.is_negative)
    note_beyond (etf, resource, etf->line);
  return TRUE;
}

static inline gboolean
read_extent (TsEtf *etf, TsEtfField *fields, gint64 *t0, gint64 *t1)
{
  gint k;

  if (!ts_etf_read_stamp (etf, &fields[1], t0))
    return FALSE;
  k = etf->decimals;
  if (!ts_etf_read_stamp (etf, &fields[2], t1))
    return FALSE;
  /* where the second stamp is finer than all before it, they are in its units now */
  *t0 *= ts_etf_power_of_ten (etf->decimals - k);
  if (*t0 > *t1)
    return ts_etf_fail (etf, "the claim ends at %.*s, before it starts at %.*s", TS_ETF_QUOTED (fields[2].text),
                        TS_ETF_QUOTED (fields[1].text));
  return TRUE;
}

static inline gboolean
read_amounts (TsEtf *etf, TsEtfField *fields, gboolean has_offset, gint64 *amount, gint64 *offset)
{
  gint k;

  *offset = 0;
  if (G_LIKELY (!has_offset))
    return ts_etf_read_amount (etf, &fields[4], "amount", amount);
  if (!ts_etf_read_amount (etf, &fields[4], "offset", offset))
    return FALSE;
  k = etf->amount_decimals;
  if (!ts_etf_read_amount (etf, &fields[5], "amount", amount))
    return FALSE;
  /* the amount may have had decimals that none had before it, and the offset is in its units too */
  *offset *= ts_etf_power_of_ten (etf->amount_decimals - k);
  return TRUE;
}

gboolean
ts_etf_read_claim (TsEtf *etf, const char *p, const char *end)
{
  TsEtfField      fields[TS_ETF_MAX_FIELDS];
  const char     *list;
  guint           n = ts_etf_split (p, end, fields, &list);
  guint32         resource;
  gint64          t0, t1, amount, offset;

  if (!ts_etf_expect_fields (etf, n, 5, 6, "an id, two times, a resource, an offset where it has one, and an amount")
      || !read_extent (etf, fields, &t0, &t1) || !read_amounts (etf, fields, n == 6, &amount, &offset))
    return FALSE;
  if (etf->n_records == TS_ETF_MAX_RECORDS)
    return ts_etf_fail_at (etf, TS_ERROR_RANGE, etf->line, "more than %u claims", TS_ETF_MAX_RECORDS);
  resource = find_resource (etf, &fields[3]);
  if (resource == TS_ETF_NONE || !check_claim (etf, resource, n == 6, amount, offset))
    return FALSE;
  if (!ts_etf_ids_add (&etf->claim_ids, ts_etf_id (etf, &fields[0])))
    return ts_etf_fail (etf, "a second claim has the id %.*s", TS_ETF_QUOTED (fields[0].text));

  ts_etf_expect_attributes (etf, &list, end);
  etf->kind = TS_ETF_OF_CLAIM;
  ts_etf_add_claim (etf, &(TsEtfClaim){ t0, t1, amount, resource }, ts_etf_attributes_read (etf, list, end));
  return TRUE;
}

gboolean
ts_etf_read_event (TsEtf *etf, const char *p, const char *end)
{
  TsEtfField  fields[TS_ETF_MAX_FIELDS];
  gint64      time;
  const char *list;
  guint       n = ts_etf_split (p, end, fields, &list);

  if (!ts_etf_expect_fields (etf, n, 2, 2, "an id and a time") || !ts_etf_read_stamp (etf, &fields[1], &time))
    return FALSE;
  if (etf->event_ids.n == TS_ETF_MAX_EVENTS)
    return ts_etf_fail_at (etf, TS_ERROR_RANGE, etf->line, "more than %u events", TS_ETF_MAX_EVENTS);
  if (!ts_etf_ids_add (&etf->event_ids, ts_etf_id (etf, &fields[0])))
    return ts_etf_fail (etf, "a second event has the id %.*s", TS_ETF_QUOTED (fields[0].text));

  ts_etf_expect_attributes (etf, &list, end);
  etf->kind = TS_ETF_OF_EVENT;
  ts_etf_add_event (etf, time, ts_etf_attributes_read (etf, list, end));
  return TRUE;
}
