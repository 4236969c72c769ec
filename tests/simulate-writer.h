/* SPDX-License-Identifier: MIT */

#pragma once

#include "simulate.h"

G_BEGIN_DECLS

/* What the writers of simulated traces have in common: text that goes to a
 * file piece by piece, or to a string, and whoever else is told. */
typedef struct
{
  GString *out;            /* what is written goes to its end */

  /*< private >*/
  FILE *file;
  SimCallbacks write;
  const SimCallbacks *told;
  gpointer user_data;
  int error;
} SimWriter;

/* For @file or, if that is NULL, @string; neither is taken.  @callbacks, or
 * NULL, are called behind those of the writer. */
void     sim_writer_begin (SimWriter          *writer,
                           FILE               *file,
                           GString            *string,
                           const SimCallbacks *callbacks,
                           gpointer            user_data);

/* Runs the simulation.  The callbacks @write, any of which may be NULL, get
 * the writer as their data. */
void     sim_writer_run   (SimWriter          *writer,
                           const SimSystem    *system,
                           const SimCallbacks *write);

/* Writes what is left.  FALSE: not all could be written; errno says why. */
gboolean sim_writer_end   (SimWriter          *writer);

G_END_DECLS
