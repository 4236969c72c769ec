/* SPDX-License-Identifier: MIT */
#pragma once

#include "options.h"

/* As the parser delivers them, before they are understood. */
typedef struct
{
  char  *format, *unit, *from, *to, *max_expanded, *margin, *significance, *jobs;
  char **elements, **types, **periods, **idle, **baselines, **instances, **junit, **write_limits;
  char **metrics, **percentiles, **allowed, **refused, **rank, **top;
} RawOptions;

/* Fills @options with what they mean. FALSE with TS_ERROR_USAGE. */
gboolean raw_understand (Options *options, const RawOptions *raw, GError **error);
void     raw_clear (RawOptions *raw);
