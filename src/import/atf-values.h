/* SPDX-License-Identifier: MIT */
#pragma once

#include "import/atf-bytes.h"
#include "import/atf.h"

G_BEGIN_DECLS

/* The numbers of an entry, as they stand in the file. */

/* The values by their roles: where their marks are. The last one is of any attribute that means nothing. */
typedef struct
{
  const guint8 *open[TS_ATF_SCAN_NUMBERS + 1], *close[TS_ATF_SCAN_NUMBERS + 1];
} TsAtfValues;

#define TS_ATF_SHORT_ID 8 /* digits at the most */

static inline gsize
ts_atf_values_length (const TsAtfValues *values, guint8 role)
{
  return (gsize) (values->close[role] - values->open[role]) - 1;
}

/* Both ids, if they are short and are digits. */
typedef struct
{
  guint64    event, reference; /* never 0 */
  TsAtfBytes excess;           /* not 0: other characters than digits */
} TsAtfShortIds;

static inline gboolean
ts_atf_values_have_short_ids (const TsAtfValues *values)
{
  /* an empty one becomes a large number here */
  return ((ts_atf_values_length (values, TS_ATF_SCAN_EVENT) - 1)
          | (ts_atf_values_length (values, TS_ATF_SCAN_REFERENCE) - 1))
         < TS_ATF_SHORT_ID;
}

static inline TsAtfShortIds
ts_atf_values_short_ids (const TsAtfValues *values)
{
  TsAtfBytes both = ts_atf_bytes_pair (values->close[TS_ATF_SCAN_EVENT] - TS_ATF_SHORT_ID,
                                       values->close[TS_ATF_SCAN_REFERENCE] - TS_ATF_SHORT_ID);
  TsAtfBytes mask = ts_atf_bytes_last_of_pair (ts_atf_values_length (values, TS_ATF_SCAN_EVENT),
                                               ts_atf_values_length (values, TS_ATF_SCAN_REFERENCE));
  TsAtfBytes digits = ts_atf_bytes_digits (both, mask);

  return (TsAtfShortIds){ ts_atf_bytes_low (digits) + 1, ts_atf_bytes_high (digits) + 1, ts_atf_bytes_excess (digits) };
}

/* By how many there are. Where nobody gets the events, they only are not to ask for more (atf-values.c). */
const TsAtfDecimals *ts_atf_values_decimals (TsAtf *atf);

/* One event of any numbers, with all that is to be said about them: written to @event, or given on with those in front
 * of it. Returns the place for the next one; NULL: they are no numbers (atf-values.c). */
TsEvent *ts_atf_values_take (TsAtf *atf, const TsAtfValues *values, TsEvent *event, guint64 line);

G_END_DECLS
