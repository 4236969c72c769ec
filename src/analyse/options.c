/* SPDX-License-Identifier: MIT */
#include "config.h"

#include <tracestat/trace.h>

TsOptions *
ts_options_new (void)
{
  return g_new0 (TsOptions, 1);
}

static void
free_period (gpointer data)
{
  TsPeriodOption *period = data;

  g_free (period->name);
  g_free (period->source);
  g_free (period);
}

void
ts_options_free (TsOptions *options)
{
  if (options == NULL)
    return;
  g_free (options->input_format);
  g_free (options->element_key);
  g_free (options->instance_key);
  g_free (options->exec_resources);
  g_free (options->activation);
  g_free (options->object_key);
  g_free (options->group);
  g_free (options->time_unit);
  if (options->idle != NULL)
    {
      g_ptr_array_set_free_func (options->idle, g_free);
      g_ptr_array_unref (options->idle);
    }
  if (options->periods != NULL)
    {
      g_ptr_array_set_free_func (options->periods, free_period);
      g_ptr_array_unref (options->periods);
    }
  g_clear_pointer (&options->percentiles, g_array_unref);
  g_free (options);
}
