/* SPDX-License-Identifier: MIT */
#pragma once

#include <tracestat/check.h>

G_BEGIN_DECLS

/* What a bound or a tolerance is measured in. */
typedef enum
{
  TS_AMOUNT_TIME,
  TS_AMOUNT_TICKS,
  TS_AMOUNT_PERCENT, /* value: as a ratio */
  TS_AMOUNT_COUNT,
} TsAmountKind;

typedef struct
{
  TsAmountKind kind;
  TsRational   value;
  int          exponent; /* of a time */
} TsAmount;

/* `RT.max = 8 ms' */
typedef struct
{
  TsFigure figure;
  gboolean is_lower;
  TsAmount amount;
  guint    line;
} TsBound;

typedef struct
{
  gboolean has_metric, has_statistic;
  TsFigure figure;
  TsAmount amount;
  char    *source; /* "--tolerance RT.max=2%", "limits.ini:12" */
} TsTolerance;

typedef struct
{
  char         *file;
  guint         line;
  char         *header; /* "[task:Task_*]" */
  char         *glob;
  gboolean      is_resource;
  gboolean      has_type;
  TsElementType type;
  guint         n_literal, n_wild; /* characters and wildcards in it */
  guint         order;    /* over all files */
  GArray       *bounds;   /* of TsBound */
  GPtrArray    *tolerances; /* of TsTolerance: it has these, and no limits; or NULL */
  gboolean      has_optional, optional, idle, has_period;
  TsTimeText    period;
  guint         period_line;
} TsLimitSection;

struct _TsLimits
{
  GPtrArray *sections;   /* of TsLimitSection, in the order of reading */
  GHashTable *named;     /* of these, those of one name: an array each, by that; there may be one for each element */
  GPtrArray *others;     /* and those that have to be looked at for every element */
  GPtrArray *tolerances; /* of TsTolerance, those of files for everything */
  GPtrArray *given;      /* the same, those of the command line: stronger */
  gboolean   use_annotations;
};

/* All sections of limits, or of tolerances, that match an element of this type and name, or a resource, the more specific
 * ones first. To be unreferenced. They are marked in @matched, by TsLimitSection.order. */
GPtrArray *ts_limits_find (const TsLimits *limits, gboolean of_tolerances, gboolean is_resource, TsElementType type,
                           const char *name, gboolean *matched);

/* bound.c: numbers with their units */
gboolean ts_bound_parse (const char *text, TsBound *bound, GError **error); /* the figure is there */
/* tolerance.c: how narrow @tolerance is if it is one for @figure, else 0 */
guint    ts_tolerance_narrowness (const TsTolerance *tolerance, const TsFigure *figure);
gboolean ts_tolerance_parse (const char *key, const char *text, TsTolerance *tolerance, GError **error);
/* In internal units of @base, or plain. FALSE: a time and a base that does not say how long a tick is. */
gboolean ts_amount_resolve (const TsAmount *amount, const TsTimeBase *base, TsRational *value);

/* The figures of elements that are compared with a baseline, those of one metric together, and the one of resources. */
#define TS_N_COMPARED 14
extern const TsFigure ts_compared[TS_N_COMPARED];
extern const TsFigure ts_compared_load;

/* tolerance.c: the tolerance that counts for @figure of what @sections match, or NULL if none was given. */
const TsTolerance *ts_limits_tolerance (const TsLimits *limits, const GPtrArray *sections, const TsFigure *figure);
void               ts_tolerance_free (gpointer tolerance);

G_END_DECLS
