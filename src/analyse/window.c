/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "analyse/window.h"

/* The analysis window, which is asked for in any unit (rule 20), in units of the trace. */

/* Importers that do not choose the scale themselves have to read once more. TRUE: another reading has it finer, or it is
 * told that there will be none. */
static gboolean
refine_scale (TsImport *import, const TsTimeBase *base)
{
  gint64 finer = ts_import_window_scale (import, base);

  if (finer == base->scale || base->scale != import->memory->scale)
    return FALSE;
  if (ts_import_request_reread (import))
    import->memory->scale = finer;
  else
    ts_diagnostics_add (import->diagnostics, TS_DIAGNOSTIC_KNOWN_LATE, 0, "the window ends between two units of time");
  return TRUE;
}

/* An end that no unit of time of this trace is fine enough for. */
static void
note_rounded (TsImport *import, const TsTimeBase *base, const TsTimeText *end)
{
  TsRational units;

  if (ts_time_text_exact (end, base, &units) && units.denominator != 1)
    ts_diagnostics_add (import->diagnostics, TS_DIAGNOSTIC_ROUNDED_WINDOW, 0, NULL);
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
  if (options->has_from && options->has_to && ts_time_text_exact (&options->from, base, &from)
      && ts_time_text_exact (&options->to, base, &to) && ts_rational_compare (from, to) >= 0)
    {
      g_set_error (error, TS_ERROR, TS_ERROR_USAGE,
                   "the analysis window is empty: its end is not after its beginning");
      return FALSE;
    }
  if (refine_scale (import, base))
    return TRUE;
  if (options->has_from)
    note_rounded (import, base, &options->from);
  if (options->has_to)
    note_rounded (import, base, &options->to);
  return TRUE;
}
