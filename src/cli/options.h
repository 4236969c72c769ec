/* SPDX-License-Identifier: MIT */
#pragma once

#include <tracestat/tracestat.h>

/* What the command line asks for. */
typedef struct
{
  TsOptions     *analysis;
  TsPrintOptions print;
  guint          n_idle;   /* how many of the idle globs were named here: limits add more */
  const TsWriter *writer;  /* of standard output */
  gboolean       has_format; /* it was named */
  char         **outputs;  /* or NULL */
  char          *instances;
  gboolean       has_rows;   /* standard output has the instances */
  char         **traces;   /* NULL if there are none */
  char         **limits;     /* files, or "annotations"; or NULL */
  char          *baseline;
  char         **tolerances; /* or NULL */
  char          *junit;
  char          *write_limits;
  TsRational     margin;     /* of --write-limits */
  double         significance;
  gboolean       has_significance;
  char          *table;      /* of CSV, or NULL */
  TsFigure       rank;       /* of --rank, if print.rank is that */
  char          *list;
  char          *color;
  gboolean       strict, quiet, no_progress, version, help;
  TsDiagnosticRule rules[TS_N_DIAGNOSTICS]; /* of --strict */
} Options;

gboolean options_parse (Options *options, int argc, char **argv, GError **error);
/* Whether a file is written by @writer. */
gboolean options_have_output (const Options *options, const char *writer);
void     options_clear (Options *options);
