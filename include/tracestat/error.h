/* SPDX-License-Identifier: MIT */
#pragma once

#include <tracestat/api.h>

G_BEGIN_DECLS

#define TS_ERROR (ts_error_quark ())

/* Why a call failed. Messages are in lower case and name file and line where there is one. */
typedef enum
{
  TS_ERROR_USAGE,  /* a value given by the caller cannot be used */
  TS_ERROR_INPUT,  /* the input cannot be opened or read */
  TS_ERROR_FORMAT, /* the input is not what its format demands, or of no known format */
  TS_ERROR_RANGE,  /* a number in the input is beyond what can be held exactly */
  TS_ERROR_OUTPUT, /* a result could not be written */
} TsError;

TS_API GQuark ts_error_quark (void);

G_END_DECLS
