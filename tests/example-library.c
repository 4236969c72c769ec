/* SPDX-License-Identifier: MIT */
#include <stdio.h>

#include <tracestat/tracestat.h>

/* Prints the longest response time of every task in the traces given, and when it was. */
int
main (int argc, char **argv)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (TsOptions) options = ts_options_new ();
  g_autoptr (GPtrArray) traces = g_ptr_array_new_with_free_func ((GDestroyNotify) ts_trace_free);
  g_autoptr (TsReport) report = NULL;
  const TsReportBlock *all;
  TsRational factor;
  TsUnit unit;

  for (int i = 1; i < argc; i++)
    {
      TsTrace *trace = ts_trace_read (argv[i], options, NULL, NULL, NULL, NULL, &error);

      if (trace == NULL)
        {
          fprintf (stderr, "%s\n", error->message);
          return 2;
        }
      g_ptr_array_add (traces, trace);
    }
  report = ts_report_new (traces, options, &error);
  if (report == NULL)
    {
      fprintf (stderr, "%s\n", error->message);
      return 2;
    }

  /* where the trace does not say how long a tick is, there are only ticks */
  unit = report->base.known ? TS_UNIT_US : TS_UNIT_TICKS;
  factor = ts_time_base_factor (&report->base, unit);
  all = g_ptr_array_index (report->blocks, 0);
  for (guint i = 0; i < all->elements->len; i++)
    {
      const TsReportElement *element = g_ptr_array_index (all->elements, i);
      const TsMetricResult  *rt = element->metrics[TS_METRIC_RT];
      char                   max[TS_NUMBER_SIZE], at[TS_NUMBER_SIZE];

      if (element->type != TS_TYPE_TASK || rt->n == 0)
        continue;
      ts_rational_format (ts_rational_multiply (rt->max, factor), max);
      ts_rational_format (ts_rational_multiply (ts_rational (rt->max_where.at, 1), factor), at);
      printf ("%s %s %s, instance started at %s %s\n", element->name, max, ts_unit_name (unit), at, ts_unit_name (unit));
    }
  return 0;
}
