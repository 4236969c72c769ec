/* SPDX-License-Identifier: MIT */
#pragma once

#include <tracestat/number.h>

G_BEGIN_DECLS

/* What one unit of time of a trace is.
 *
 * Stamps, durations and sums are whole numbers of *internal units*; @scale of them
 * make one tick of the trace, so that stamps with decimals, and overheads that are
 * a fraction of a tick, stay exact. One tick is numerator/denominator units of
 * 10^exponent seconds (ATF 1.0, 4.19 TimeValue: 1/3 ms is legal). */
typedef struct
{
  guint64 numerator;
  guint64 denominator;
  int     exponent; /* s 0, ms -3, us -6, ns -9, ps -12, fs -15, as -18 */
  gint64  scale;    /* internal units a tick, at least 1 */
  gboolean known;   /* FALSE: the trace says nothing; times are in ticks */
} TsTimeBase;

/* Stamps are at most this far from 0, in internal units, so that no difference of two overflows. */
#define TS_TIME_LIMIT (G_GINT64_CONSTANT (1) << 61)

/* Units that a report can be printed in. */
typedef enum
{
  TS_UNIT_TICKS,
  TS_UNIT_NS,
  TS_UNIT_US,
  TS_UNIT_MS,
  TS_UNIT_S,
  TS_UNIT_FITTING, /* text only: a fitting one per group of columns */
} TsUnit;

/* A time base of ticks without a known duration. */
TS_API TsTimeBase ts_time_base_ticks (void);

/* 10^exponent seconds of @name ("s", "ms", "us", "ns", "ps", "fs", "as"); FALSE if it is none. */
TS_API gboolean ts_time_base_exponent (const char *name, int *exponent);
TS_API const char *ts_time_base_unit_name (int exponent);

/* FALSE with TS_ERROR_RANGE and a message that begins with @path: 128 bits do not hold the fraction of a second that an internal
 * unit of it is. */
TS_API gboolean ts_time_base_check (const TsTimeBase *base, const char *path, GError **error);

TS_API gboolean ts_time_base_equal (const TsTimeBase *a, const TsTimeBase *b);

/* How many of @unit one internal unit is. @unit must not be TS_UNIT_FITTING; with an
 * unknown base only TS_UNIT_TICKS makes sense and is what is used. */
TS_API TsRational ts_time_base_factor (const TsTimeBase *base, TsUnit unit);

/* The coarsest base in which both @a and @b are whole, and the whole factors from
 * each to it. FALSE if one is known and the other is not, if a tick of it had more than 2^61 internal units, or if
 * ts_time_base_check() failed for it. */
TS_API gboolean ts_time_base_common (const TsTimeBase *a, const TsTimeBase *b, TsTimeBase *common,
                                     gint64 *factor_a, gint64 *factor_b);

TS_API gboolean ts_unit_parse (const char *name, TsUnit *unit); /* "ns" "us" "ms" "s" "ticks" */
TS_API const char *ts_unit_name (TsUnit unit);

/* A time as a user writes it: "12ms", "0.5 s", or a bare number of ticks. */
typedef struct
{
  TsRational value;
  gboolean   in_ticks;
  int        exponent;
} TsTimeText;

TS_API gboolean ts_time_text_parse (const char *text, TsTimeText *time, GError **error);

/* @time in internal units of @base, which need not be a whole number. FALSE: it is a time in seconds, and the
 * base is not known. */
TS_API gboolean ts_time_text_exact (const TsTimeText *time, const TsTimeBase *base, TsRational *units);

/* The first internal unit that is not before @time: a stamp is at or after the one just if
 * it is at or after the other. What is beyond all stamps is one unit beyond TS_TIME_LIMIT. FALSE as above,
 * and @error says that the trace does not tell how long a tick is. */
TS_API gboolean ts_time_text_resolve (const TsTimeText *time, const TsTimeBase *base, gint64 *units, GError **error);

G_END_DECLS
