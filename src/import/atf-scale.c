/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "import/atf.h"

/* How many internal units make a tick. The decimals of stamps tell, and usually the first ones tell all: as long as
 * nothing in these units was given on, finer ones are taken at once, and the trace need not be read again for them.
 * What is more than that goes the way of another reading: a scale that is found in another order might be another one
 * where it comes near its limit. */

static gboolean
may_rise (const TsAtf *atf)
{
  const TsImport  *import = atf->import;
  const TsOptions *options = import->options;

  return import->can_reread && !import->surveying && import->sections->len == 0 && import->memory->kept == NULL
         && !import->memory->rounds && !import->memory->sort && !import->subtract_overhead && atf->window.comments == NULL
         && (options == NULL || (!options->has_from && !options->has_to));
}

void
ts_atf_scale_window (TsAtf *atf)
{
  const TsSection *window = &atf->window;

  atf->from = window->has_start ? window->start : G_MININT64;
  atf->to = window->has_stop ? window->stop : G_MAXINT64;
}

static void
set_scale (TsAtf *atf, gint64 scale)
{
  atf->scale = scale;
  atf->whole_limit = TS_TIME_LIMIT / scale;
}

void
ts_atf_scale_begin (TsAtf *atf)
{
  TsTimeBase *base = ts_system_time_base (atf->import->system);

  if (!atf->import->memory->rounds)
    base->scale = ts_import_window_scale (atf->import, base);
  atf->import->memory->scale = base->scale;
  set_scale (atf, base->scale);
}

static gboolean
multiply (gint64 *stamp, gint64 factor)
{
  return !__builtin_mul_overflow (*stamp, factor, stamp) && *stamp <= TS_TIME_LIMIT;
}

gboolean
ts_atf_scale_raise (TsAtf *atf, gint64 scale)
{
  const gint64 factor = scale / atf->scale;
  gint64       start = atf->window.start, stop = atf->window.stop;

  if (!may_rise (atf) || !multiply (&start, factor) || !multiply (&stop, factor))
    return FALSE;
  atf->window.start = start;
  atf->window.stop = stop;
  ts_atf_scale_window (atf);
  set_scale (atf, scale);
  atf->import->memory->scale = scale;
  ts_system_time_base (atf->import->system)->scale = scale;
  return TRUE;
}

/* The finest units that @decimal can be kept in, as it is if there are such, which those of @scale are made of if they
 * @may_be_finer, or that they are made of; 0: there are none. */
static gint64
finest_scale (const TsAtfDecimal *decimal, gint64 scale, gboolean may_be_finer)
{
  gint64   value, finer;
  gboolean exact;

  for (guint n = may_be_finer ? decimal->decimals : 0; n > 0; n--)
    {
      finer = ts_atf_common_multiple (scale, ts_atf_power_of_ten (n), TS_TIME_LIMIT);
      if (finer > 0 && ts_atf_decimal_scale (decimal, finer, &value, &exact))
        return finer;
    }
  for (; !ts_atf_decimal_scale (decimal, scale, &value, &exact); scale /= 10)
    if (scale % 10 != 0)
      return 0;
  return scale;
}

/* With so many units to a tick there is room for two million ticks, and nobody measures more decimals: these are of binary
 * fractions. Of so few there is room for two thousand million. */
#define FINEST_OF_STREAM G_GINT64_CONSTANT (1000000000000)
#define ROOMY_OF_STREAM G_GINT64_CONSTANT (1000000000)

void
ts_atf_scale_leave_room (TsAtf *atf)
{
  TsImportMemory *memory = atf->import->memory;

  if (memory->scale <= FINEST_OF_STREAM)
    return;
  for (; memory->scale > ROOMY_OF_STREAM && memory->scale % 10 == 0; memory->scale /= 10)
    memory->rounds = TRUE;
}

gint64
ts_atf_scale_least (const TsAtf *atf)
{
  const gboolean may_be_another = atf->import->surveying || atf->import->can_reread;
  gint64         scale = atf->scale;

  while (may_be_another && scale % 10 == 0)
    scale /= 10;
  return scale;
}

gboolean
ts_atf_scale_round (TsAtf *atf, const TsAtfDecimal *decimal)
{
  TsImportMemory *memory = atf->import->memory;
  /* what was rounded before is not to become finer than all of it can be */
  const gint64    scale = finest_scale (decimal, memory->scale, !memory->rounds);

  if (scale == 0 || !ts_import_request_reread (atf->import))
    return FALSE;
  memory->rounds = TRUE;
  memory->scale = scale;
  set_scale (atf, scale);
  return TRUE;
}

gboolean
ts_atf_scale_is_open (const TsAtf *atf)
{
  return atf->lookup != NULL && atf->section == &atf->window && may_rise (atf);
}

gboolean
ts_atf_scale_refine (const TsAtfNumber *time, gint64 *scale)
{
  TsAtfDecimal decimal;
  gint64       value, finer;
  gboolean     exact;

  if (!ts_atf_decimal_parse ((const char *) time->begin, (const char *) time->end, &decimal)
      || !ts_atf_decimal_scale (&decimal, *scale, &value, &exact))
    return FALSE;
  finer = exact ? *scale : ts_atf_decimal_raise (&decimal, *scale);
  if (finer > 0)
    *scale = finer;
  return finer > 0;
}
