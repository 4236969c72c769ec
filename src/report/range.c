/* SPDX-License-Identifier: MIT */
#include "config.h"

#include <math.h>

#include <tracestat/error.h>

#include "analyse/trace.h"
#include "report/tables.h"

/* Times are whole numbers below 2^61 of a tick that may be long: in a unit as small as nanoseconds they may be beyond
 * what any number of this program holds. */

#define MOST 0x1p126 /* one bit less: the difference of two times is a time as well */

gboolean
ts_time_fits (double units, TsRational factor)
{
  return fabs (units) * ts_rational_to_double (factor) < MOST;
}

/* No time of @trace is above it. */
static double
longest_time (const TsTrace *trace)
{
  double longest = fabs ((double) ts_trace_span (trace));

  for (guint i = 0; i < ts_trace_n_sections (trace); i++)
    {
      const TsSection *section = ts_trace_get_section (trace, i);
      const gint64     stamps[] = { section->start, section->stop,        section->first,
                                    section->last,  section->window_from, section->window_to };

      for (guint k = 0; k < G_N_ELEMENTS (stamps); k++)
        longest = MAX (longest, fabs ((double) stamps[k]));
    }
  return longest;
}

gboolean
ts_report_fits (const TsReport *report, TsUnit unit, GError **error)
{
  double longest = 0;

  if (!report->base.known)
    return TRUE;
  if (unit == TS_UNIT_FITTING)
    unit = TS_UNIT_S;
  for (guint i = 0; i < report->traces->len; i++)
    {
      const TsTrace *trace = g_ptr_array_index (report->traces, i);

      longest += longest_time (trace)
                 * ts_rational_to_double (ts_time_base_factor (ts_system_time_base (ts_trace_get_system (trace)), unit));
    }
  if (ts_time_fits (longest, (TsRational){ 1, 1 }))
    return TRUE;
  g_set_error (error, TS_ERROR, TS_ERROR_RANGE, "the times of %s are too large to be written in %s", report->input,
               ts_unit_name (unit));
  return FALSE;
}
