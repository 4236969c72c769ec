/* SPDX-License-Identifier: MIT */
#include "config.h"

#include <string.h>

#include "check/verdict.h"
#include "model/number.h"
#include "report/tables.h"

/* A verdict in words. */

char *
ts_verdict_subject (const TsVerdict *verdict)
{
  if (ts_verdict_is_of_section (verdict))
    return g_strdup (verdict->section);
  if (!verdict->has_figure)
    return g_strdup (verdict->label);
  return g_strdup_printf ("%s %s.%s", verdict->label, ts_metric_info (verdict->figure.metric)->name,
                          ts_figure_statistic_name (&verdict->figure));
}

static char *
value_text (const TsCheck *check, const TsVerdict *verdict, TsRational value, const TsPrintOptions *options)
{
  return ts_value_text (&verdict->figure, value, verdict->has_bound ? verdict->bound : value, &check->report->base,
                        options->unit);
}

/* A limit as it was given; what was calculated from a baseline as short as it can be told from what is held against it. */
static char *
bound_text (const TsCheck *check, const TsVerdict *verdict, const TsPrintOptions *options)
{
  const TsRational *value = verdict->has_value ? &verdict->value : &verdict->bound;

  return ts_bound_text (&verdict->figure, verdict->bound, verdict->is_comparison ? value : NULL, &check->report->base,
                        options->unit);
}

char *
ts_verdict_demand (const TsCheck *check, const TsVerdict *verdict, const TsPrintOptions *options)
{
  g_autofree char *bound = NULL;

  if (!verdict->has_bound)
    return g_strdup ("");
  bound = bound_text (check, verdict, options);
  return g_strdup_printf ("%s %s", verdict->is_lower ? ">=" : "<=", bound);
}

static char *
change_text (const TsVerdict *verdict)
{
  g_autofree char *percent = verdict->has_relative ? ts_percent_text (verdict->relative) : NULL;

  if (ts_rational_compare (verdict->value, verdict->old) == 0)
    return g_strdup ("unchanged");
  if (percent == NULL)
    return g_strdup ("changed");
  return g_strdup_printf ("%s%s", verdict->relative.numerator < 0 ? "-" : "+", percent);
}

/* Whether the header @section, as "[task: T ]", has blanks beside what is in it. */
static gboolean
has_outer_blanks (const char *section)
{
  const char *name = strchr (section, ':') != NULL ? strchr (section, ':') : section;
  const gsize length = strlen (section);

  return name[1] == ' ' || section[1] == ' ' || (name > section && name[-1] == ' ') || (length > 1 && section[length - 2] == ' ');
}

char *
ts_verdict_sentence (const TsCheck *check, const TsVerdict *verdict, const TsPrintOptions *options)
{
  g_autofree char *demand = ts_verdict_demand (check, verdict, options);
  g_autofree char *number = verdict->has_value ? value_text (check, verdict, verdict->value, options) : NULL;
  g_autofree char *value = number != NULL ? g_strconcat (number, verdict->is_unfinished ? " so far" : "", NULL) : NULL;
  g_autofree char *old = verdict->has_old ? value_text (check, verdict, verdict->old, options) : NULL;
  g_autofree char *margin = verdict->has_margin ? ts_percent_text (verdict->margin) : NULL;
  g_autofree char *change = NULL;

  switch (verdict->result)
    {
    case TS_VERDICT_NO_SAMPLES:
      if (verdict->is_comparison)
        return g_strdup_printf ("no samples any more; %s in the baseline", old);
      return g_strdup_printf ("no samples to hold against %s", demand);
    case TS_VERDICT_SKIPPED:
      return g_strdup_printf ("no samples to hold against %s, which is optional", demand);
    case TS_VERDICT_NO_MATCH:
      return g_strdup (has_outer_blanks (verdict->section) ? "matches no element: blanks are part of a name"
                                                            : "matches no element");
    case TS_VERDICT_VANISHED:
      return g_strdup ("is in the baseline, and is not in the trace");
    case TS_VERDICT_LACKING:
      return g_strdup_printf ("%s; the baseline does not have this metric", value);
    case TS_VERDICT_DIFFERENT:
      return g_strdup ("cannot be compared");
    case TS_VERDICT_NEW:
      return verdict->has_value ? g_strdup_printf ("%s; no samples in the baseline", value)
                                : g_strdup ("is not in the baseline");
    case TS_VERDICT_HOLDS:
    case TS_VERDICT_NOISE:
    case TS_VERDICT_VIOLATED:
    case TS_N_VERDICTS:
    default:
      break;
    }
  if (verdict->is_comparison)
    {
      g_autofree char *bound = bound_text (check, verdict, options);
      gboolean         is_broken = verdict->result != TS_VERDICT_HOLDS && margin != NULL;

      change = change_text (verdict);
      return g_strdup_printf ("%s, was %s (%s); %s%s%s%s%s", value, old, change, is_broken ? margin : "",
                              !is_broken          ? ""
                              : verdict->is_lower ? " below the allowed "
                                                  : " above the allowed ",
                              is_broken ? bound : demand, is_broken ? "" : " is allowed",
                              verdict->has_p && !verdict->is_significant ? "; likely noise" : "");
    }
  if (verdict->result == TS_VERDICT_HOLDS)
    return g_strdup_printf ("%s, %s demanded", value, demand);
  if (verdict->is_unsure)
    return g_strdup_printf ("%s, maybe not %s", value, demand);
  return g_strdup_printf ("%s, not %s%s%s%s", value, demand, margin != NULL ? ": " : "", margin != NULL ? margin : "",
                          margin == NULL ? "" : verdict->is_lower ? " below" : " above");
}

void
ts_check_append_source (GString *text, const TsCheck *check, const TsExtreme *place)
{
  const GPtrArray *traces = check->report->traces;

  if (place->input >= traces->len)
    return;
  if (ts_trace_n_sections (g_ptr_array_index (traces, place->input)) > 1)
    g_string_append_printf (text, ", section %u", place->section);
  if (traces->len > 1)
    g_string_append_printf (text, ", %s", ts_trace_get_path (g_ptr_array_index (traces, place->input)));
}

static void
append_place (GString *text, const TsCheck *check, const TsVerdict *verdict, const TsPrintOptions *options)
{
  const TsExtreme *place = &verdict->place;
  g_autofree char *at = ts_time_value_text (place->at, &check->report->base, options->unit);
  gboolean is_worst = verdict->figure.statistic != TS_STATISTIC_MAX && verdict->figure.statistic != TS_STATISTIC_MIN
                      && verdict->figure.statistic != TS_STATISTIC_ABSMAX;

  g_string_append_printf (text, "%s %" G_GINT64_FORMAT " at %s", is_worst ? "worst instance" : "instance",
                          place->number, at);
  ts_check_append_source (text, check, place);
}

/* "17 to 19 of 1,000,000 below" */
char *
ts_verdict_outside (const TsVerdict *verdict, const char *where)
{
  GString *text;

  if (!verdict->has_outside || verdict->n_outside_max == 0)
    return NULL;
  text = g_string_new (NULL);
  ts_number_append_grouped (text, (gint64) verdict->n_outside);
  if (verdict->n_outside_max != verdict->n_outside)
    {
      g_string_append (text, " to ");
      ts_number_append_grouped (text, (gint64) verdict->n_outside_max);
    }
  g_string_append (text, " of ");
  ts_number_append_grouped (text, (gint64) verdict->n);
  g_string_append (text, verdict->figure.statistic == TS_STATISTIC_ABSMAX ? " beyond"
                         : verdict->is_lower                              ? " below"
                                                                          : " above");
  g_string_append (text, where);
  return g_string_free (text, FALSE);
}

char *
ts_verdict_origin (const TsCheck *check, const TsVerdict *verdict, const TsPrintOptions *options)
{
  g_autofree char *outside = verdict->result == TS_VERDICT_VIOLATED ? ts_verdict_outside (verdict, "") : NULL;
  GString *text = g_string_new (outside);

  if (verdict->has_place)
    {
      g_string_append (text, text->len > 0 ? "; " : "");
      append_place (text, check, verdict, options);
    }
  /* that it is compared with the baseline is in the sentence */
  if (!verdict->is_comparison || verdict->section == NULL || ts_verdict_is_of_section (verdict))
    g_string_append_printf (text, "%s%s", text->len > 0 ? "; " : "", verdict->source);
  if (verdict->section != NULL && !ts_verdict_is_of_section (verdict))
    g_string_append_printf (text, "%s%s", !verdict->is_comparison ? " " : text->len > 0 ? "; " : "", verdict->section);
  if (verdict->note != NULL)
    g_string_append_printf (text, "; %s", verdict->note);
  return g_string_free (text, FALSE);
}
