/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "import/btf.h"
#include "model/number.h"

/* What a unit of the time stamps is worth. */

void
ts_btf_begin (TsBtf *btf)
{
  const TsSection window = { 0 };
  TsTimeBase     *base = ts_system_time_base (btf->import->system);
  TsImportMemory *memory = btf->import->memory;

  if (!btf->has_scale)
    {
      ts_diagnostics_add (btf->import->diagnostics, TS_DIAGNOSTIC_NO_TIME_SCALE, btf->line, NULL);
      ts_btf_set_scale (btf, -9);
    }
  *base = (TsTimeBase){ 1, 1, btf->exponent, memory->scale, TRUE };
  base->scale = memory->scale = btf->factor = ts_import_window_scale (btf->import, base);
  btf->limit = TS_TIME_LIMIT / btf->factor;
  btf->begun = TRUE;
  ts_import_begin_section (btf->import, &window);
}

/* Files that were joined may have more than one scale: the first is that of the trace. */
static void
change_scale (TsBtf *btf, int exponent)
{
  TsImportMemory *memory = btf->import->memory;
  gint64          ratio = 1, factor;

  for (int i = 0; i < ABS (exponent - btf->exponent); i++)
    ratio *= 10;
  if (exponent >= btf->exponent)
    {
      /* in units as fine as a window may ask for no time but 0 has room then */
      if (__builtin_mul_overflow (memory->scale, ratio, &factor))
        factor = G_MAXINT64;
    }
  else if (memory->scale % ratio == 0)
    factor = memory->scale / ratio;
  else if (ts_import_request_reread (btf->import))
    {
      /* there may be a finer one yet, whose ratio has that of this one in it */
      memory->scale *= ratio / (gint64) ts_greatest_divisor ((TsUint128) memory->scale, (TsUint128) ratio);
      factor = memory->scale / ratio;
    }
  else
    {
      ts_btf_fail (btf, TS_ERROR_RANGE, btf->line,
                   "the time scale becomes finer, and a stream cannot be read again from its beginning");
      return;
    }
  if (factor != btf->factor)
    ts_diagnostics_add (btf->import->diagnostics, TS_DIAGNOSTIC_TIME_SCALE_CHANGES, btf->line, "to %s",
                        ts_time_base_unit_name (exponent));
  btf->factor = factor;
  btf->limit = TS_TIME_LIMIT / factor;
}

void
ts_btf_set_scale (TsBtf *btf, int exponent)
{
  if (btf->begun)
    {
      change_scale (btf, exponent);
      return;
    }
  btf->has_scale = TRUE;
  btf->exponent = exponent;
  btf->factor = btf->import->memory->scale;
  btf->limit = TS_TIME_LIMIT / btf->factor;
  *ts_system_time_base (btf->import->system) = (TsTimeBase){ 1, 1, exponent, btf->factor, TRUE };
}
