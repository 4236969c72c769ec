/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "analyse/window.h"

/* The analysis window, which is asked for in any unit (rule 20), in units of the trace. */

/* Units this fine for a bound of the window are worth another reading. */
#define MAX_WINDOW_SCALE G_GINT64_CONSTANT (1000000000000)

/* A bound that falls between two units asks for finer ones, so that LOAD is clipped just there. */
static void
refine_scale (TsImport *import, const TsTimeText *bound, const TsTimeBase *base)
{
  TsImportMemory *memory = import->memory;
  TsRational      units;
  gint64          finer;

  if (!ts_time_text_units (bound, base, &units, NULL) || units.denominator == 1 || base->scale != memory->scale
      || units.denominator > MAX_WINDOW_SCALE
      || __builtin_mul_overflow (memory->scale, (gint64) units.denominator, &finer) || finer > MAX_WINDOW_SCALE)
    return;
  if (ts_import_request_reread (import))
    memory->scale = finer;
}

gboolean
ts_window_resolve (const TsOptions *options, TsImport *import, TsTimelineOptions *window, GError **error)
{
  const TsTimeBase *base = ts_system_time_base (import->system);
  TsRational        from, to;

  window->has_from = options->has_from;
  window->has_to = options->has_to;
  if (options->has_from && !ts_time_text_resolve (&options->from, base, &window->from, error))
    return FALSE;
  if (options->has_to && !ts_time_text_resolve (&options->to, base, &window->to, error))
    return FALSE;
  if (options->has_from && options->has_to && ts_time_text_units (&options->from, base, &from, NULL)
      && ts_time_text_units (&options->to, base, &to, NULL) && ts_rational_compare (from, to) >= 0)
    {
      g_set_error (error, TS_ERROR, TS_ERROR_USAGE,
                   "the analysis window is empty: its end is not after its beginning");
      return FALSE;
    }
  if (options->has_from)
    refine_scale (import, &options->from, base);
  if (options->has_to)
    refine_scale (import, &options->to, base);
  return TRUE;
}
