/* SPDX-License-Identifier: MIT */
#pragma once

#include <tracestat/tracestat.h>

/* What the command line asks for. */
typedef struct
{
  TsOptions     *analysis;
  TsPrintOptions print;
  const TsWriter *writer;  /* of standard output */
  gboolean       has_format; /* it was named */
  char         **outputs;  /* or NULL */
  char          *instances;
  char         **traces;   /* NULL if there are none */
  char          *table;
  char          *list;
  char          *color;
  gboolean       strict, quiet, no_progress, version, help;
} Options;

gboolean options_parse (Options *options, int *argc, char ***argv, GError **error);
void     options_clear (Options *options);
