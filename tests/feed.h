/* SPDX-License-Identifier: MIT */

#pragma once

#include <tracestat/tracestat.h>

#include "simulate.h"

G_BEGIN_DECLS

/* Simulated traces as events for a timeline, past all formats. */

typedef enum
{
  FEED_PLAIN,   /* neither numbers nor owners, like ATF */
  FEED_NUMBERED, /* both, of instances only */
  FEED_OWNED     /* and of the owners, like BTF */
} FeedStyle;

typedef struct
{
  gint64 start, stop;
  GArray *events; /* of TsEvent */
} FeedSection;

/* What was recorded of @sim: an array of FeedSection. */
GPtrArray *feed_record (const SimSystem *sim, FeedStyle style);

/* Elements and resources have the numbers that they have in @sim. */
TsSystem *feed_system (const SimSystem *sim);

G_END_DECLS
