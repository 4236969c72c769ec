/* SPDX-License-Identifier: MIT */
#include "config.h"

#include <string.h>

#include "import/etf.h"

/* The statements that say how things hang together: D S F. */

typedef enum
{
  CLAIM_START,
  CLAIM_END,
  EVENT,
} End;

/* The nine types. The page of the format shows 0, 4 and 6; other writers confirm 2; the rest follows from their
 * pattern. (The older TRACE numbers its types otherwise, in its own V0.1 files.) */
static const struct
{
  End source, destination;
} dependency_types[] = {
  { CLAIM_START, CLAIM_START }, { CLAIM_START, CLAIM_END }, { CLAIM_END, CLAIM_START },
  { CLAIM_END, CLAIM_END },     { EVENT, EVENT },           { CLAIM_START, EVENT },
  { CLAIM_END, EVENT },         { EVENT, CLAIM_START },     { EVENT, CLAIM_END },
};

static guint32
find_end (const TsEtf *etf, End end, guint64 id)
{
  return ts_etf_ids_find (end == EVENT ? &etf->event_ids : &etf->claim_ids, id);
}

static gint64
time_of (const TsEtf *etf, End end, guint32 number)
{
  if (end == EVENT)
    return g_array_index (etf->events, TsEtfEvent, number).time;
  return end == CLAIM_START ? etf->records[number].t0 : etf->records[number].t1;
}

/* The order of activations of equal stamps: that of what they depend on, then that of the dependencies. */
static guint64
place_of (const TsEtf *etf, End end, guint32 number, const TsEtfDependency *dependency)
{
  guint32 line = end == EVENT ? g_array_index (etf->events, TsEtfEvent, number).line : etf->records[number].line;

  return (guint64) line << 32 | dependency->line;
}

void
ts_etf_activate (TsEtf *etf, gsize claim, gint64 time, guint64 place)
{
  if (claim >= etf->n_activations)
    {
      /* when all claims are read, there is no need for more */
      gsize most = etf->n_claims > 0 ? etf->n_records : etf->n_allocated;
      gsize n = MIN (most, MAX (1024, claim + claim / 4 + 1));

      etf->activations = g_renew (gint64, etf->activations, n);
      for (gsize i = etf->n_activations; i < n; i++)
        etf->activations[i] = G_MININT64;
      if (etf->activation == TS_ETF_ACTIVATION_DEPENDENCY)
        etf->activation_places = g_renew (guint64, etf->activation_places, n);
      etf->n_activations = n;
    }
  if (time < etf->activations[claim])
    return;
  if (etf->activation_places != NULL)
    etf->activation_places[claim] = time > etf->activations[claim] ? place : MAX (place, etf->activation_places[claim]);
  etf->activations[claim] = time;
}

/* FALSE: one of its ends is not known so far; *missing says which. */
static gboolean
resolve (TsEtf *etf, const TsEtfDependency *dependency, gboolean *missing_source)
{
  End     from = dependency_types[dependency->type].source, to = dependency_types[dependency->type].destination;
  guint32 source = find_end (etf, from, dependency->source), destination;

  *missing_source = source == TS_ETF_NONE;
  if (source == TS_ETF_NONE)
    return FALSE;
  destination = find_end (etf, to, dependency->destination);
  if (destination == TS_ETF_NONE)
    return FALSE;
  if (to == CLAIM_START && dependency->activates)
    ts_etf_activate (etf, destination, time_of (etf, from, source), place_of (etf, from, source, dependency));
  return TRUE;
}

void
ts_etf_add_dependency (TsEtf *etf, TsEtfDependency *dependency, const TsEtfAttributes *attributes)
{
  gboolean missing_source;

  dependency->activates = etf->activation == TS_ETF_ACTIVATION_DEPENDENCY
                          && (etf->activation_key == NULL
                              || (attributes->activation.p != NULL
                                  && ts_etf_text_is (attributes->activation, etf->activation_value)));
  /* claims are written when they end, dependencies when they arise: the end of the file decides */
  if (!resolve (etf, dependency, &missing_source))
    g_array_append_val (etf->dependencies, *dependency);
}

gboolean
ts_etf_read_dependency (TsEtf *etf, const char *p, const char *end)
{
  TsEtfField      fields[TS_ETF_MAX_FIELDS];
  TsEtfDependency dependency = { .line = etf->line };
  const char     *list;
  guint           n = ts_etf_split (p, end, fields, &list);

  if (!ts_etf_expect_fields (etf, n, 4, 4, "an id, a type, a source and a destination"))
    return FALSE;
  if (!fields[1].is_id || fields[1].number.mantissa > TS_ETF_LAST_DEPENDENCY)
    return ts_etf_fail (etf, "`%.*s' is no type of dependencies: 0 to 8 is expected", TS_ETF_QUOTED (fields[1].text));
  if (etf->dependency_ids.n == TS_ETF_MAX_RECORDS)
    return ts_etf_fail_at (etf, TS_ERROR_RANGE, etf->line, "more than %u dependencies", TS_ETF_MAX_RECORDS);
  if (!ts_etf_ids_add (&etf->dependency_ids, ts_etf_id (etf, &fields[0])))
    return ts_etf_fail (etf, "a second dependency has the id %.*s", TS_ETF_QUOTED (fields[0].text));

  ts_etf_expect_attributes (etf, &list, end);
  etf->kind = TS_ETF_OF_DEPENDENCY;
  dependency.type = (guint8) fields[1].number.mantissa;
  dependency.source = ts_etf_id (etf, &fields[2]);
  dependency.destination = ts_etf_id (etf, &fields[3]);
  ts_etf_add_dependency (etf, &dependency, ts_etf_attributes_read (etf, list, end));
  return TRUE;
}

/* What it refers to is not in the file, of which a part may have been cut off. */
static void
note_unresolved (TsEtf *etf, const TsEtfDependency *dependency, gboolean missing_source)
{
  const End        end = missing_source ? dependency_types[dependency->type].source
                                        : dependency_types[dependency->type].destination;
  g_autofree char *id = ts_etf_id_text (etf, missing_source ? dependency->source : dependency->destination);

  ts_diagnostics_add (etf->import->diagnostics, TS_DIAGNOSTIC_UNKNOWN_REFERENCE, dependency->line, "%s %s",
                      end == EVENT ? "event" : "claim", id);
}

/* All that a claim depends on must have arrived: where one is not known, nobody knows when that was, whatever else it, or the
 * job that it starts with others, depends on. */
static void
forget_activation (TsEtf *etf, const TsEtfDependency *dependency)
{
  const guint32 claim = ts_etf_ids_find (&etf->claim_ids, dependency->destination);

  if (etf->n_activations > 0 && dependency->activates
      && dependency_types[dependency->type].destination == CLAIM_START && claim != TS_ETF_NONE)
    ts_etf_activate (etf, claim, TS_ETF_NEVER, 0);
}

static void
resolve_dependencies (TsEtf *etf)
{
  guint n_unresolved = 0;

  for (guint i = 0; i < etf->dependencies->len; i++)
    {
      TsEtfDependency *dependency = &g_array_index (etf->dependencies, TsEtfDependency, i);
      gboolean         missing_source;

      if (resolve (etf, dependency, &missing_source))
        continue;
      note_unresolved (etf, dependency, missing_source);
      g_array_index (etf->dependencies, TsEtfDependency, n_unresolved++) = *dependency;
    }
  /* when all others have been */
  for (guint i = 0; i < n_unresolved; i++)
    forget_activation (etf, &g_array_index (etf->dependencies, TsEtfDependency, i));
}

/* Signals: nothing is computed from them, but what is written of them is checked. */

static TsEtfSignal *
get_signal (TsEtf *etf, const TsEtfField *field)
{
  guint64     id = ts_etf_id (etf, field);
  guint32     number = ts_etf_ids_find (&etf->signal_ids, id);
  TsEtfSignal signal = { .line = 0 };

  if (number == TS_ETF_NONE)
    {
      number = etf->signals->len;
      ts_etf_ids_add (&etf->signal_ids, id);
      g_array_append_val (etf->signals, signal);
    }
  return &g_array_index (etf->signals, TsEtfSignal, number);
}

gboolean
ts_etf_read_signal (TsEtf *etf, const char *p, const char *end)
{
  TsEtfField   fields[TS_ETF_MAX_FIELDS];
  const char  *list;
  guint        n = ts_etf_split (p, end, fields, &list);
  TsEtfSignal *signal;

  if (!ts_etf_expect_fields (etf, n, 1, 1, "an id"))
    return FALSE;
  signal = get_signal (etf, &fields[0]);
  if (signal->line != 0)
    return ts_etf_fail (etf, "signal %.*s was declared in line %u", TS_ETF_QUOTED (fields[0].text), signal->line);
  signal->line = etf->line;
  ts_etf_expect_attributes (etf, &list, end);
  ts_etf_attributes_parse (etf, list, end, NULL);
  return TRUE;
}

/* -1, 0 or 1, exactly. */
static int
compare (TsEtfDecimal a, TsEtfDecimal b)
{
  gint     k = MAX (a.decimals, b.decimals);
  TsInt128 left = (TsInt128) a.mantissa * ts_etf_power_of_ten (k - a.decimals);
  TsInt128 right = (TsInt128) b.mantissa * ts_etf_power_of_ten (k - b.decimals);

  return left < right ? -1 : left > right;
}

gboolean
ts_etf_read_fragment (TsEtf *etf, const char *p, const char *end)
{
  static const char *const names[] = { "", "time", "time", "coefficient", "coefficient", "coefficient" };
  TsEtfField               fields[TS_ETF_MAX_FIELDS];
  const char              *list;
  guint                    n = ts_etf_split (p, end, fields, &list);
  TsEtfSignal             *signal;

  if (!ts_etf_expect_fields (etf, n, 6, 6, "a signal, two times and three coefficients"))
    return FALSE;
  if (list != NULL)
    return ts_etf_fail (etf, "a fragment of a signal has no attributes and no `;'");
  for (guint i = 1; i < 6; i++)
    {
      /* coefficients are not used, so they may have any number of digits */
      if (i > 2 && ts_etf_field_parse (&fields[i]) == TS_ETF_LARGE)
        continue;
      if (!ts_etf_number (etf, &fields[i], names[i]))
        return FALSE;
    }
  /* of these the last digits are not compared */
  for (guint i = 1; i < 3; i++)
    if (fields[i].is_long)
      ts_etf_note (etf, ROUNDED_TIME, "%.*s", TS_ETF_QUOTED (fields[i].text));
  if (compare (fields[1].number, fields[2].number) > 0)
    return ts_etf_fail (etf, "the fragment ends at %.*s, before it starts at %.*s", TS_ETF_QUOTED (fields[2].text),
                        TS_ETF_QUOTED (fields[1].text));
  signal = get_signal (etf, &fields[0]);
  if (signal->used_line != 0 && compare (signal->end, fields[1].number) != 0)
    return ts_etf_fail (etf, "the fragment starts at %.*s, which is not where the one before ends", TS_ETF_QUOTED (fields[1].text));
  if (compare (fields[1].number, fields[2].number) == 0)
    ts_etf_note (etf, EMPTY_DOMAIN, "signal %.*s", TS_ETF_QUOTED (fields[0].text));
  if (signal->used_line == 0)
    signal->used_line = etf->line;
  signal->end = fields[2].number;
  return TRUE;
}

void
ts_etf_check_relations (TsEtf *etf)
{
  for (guint i = 0; i < etf->signals->len; i++)
    {
      const TsEtfSignal *signal = &g_array_index (etf->signals, TsEtfSignal, i);

      if (signal->line == 0)
        ts_diagnostics_add (etf->import->diagnostics, TS_DIAGNOSTIC_UNKNOWN_REFERENCE, signal->used_line, "signal");
      else if (signal->used_line == 0)
        ts_diagnostics_add (etf->import->diagnostics, TS_DIAGNOSTIC_EMPTY_SIGNAL, signal->line, NULL);
    }
  resolve_dependencies (etf);
}
