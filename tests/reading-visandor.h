/* SPDX-License-Identifier: MIT */
#pragma once

#include "import/importer.h"
#include "tracestat/timeline.h"

G_BEGIN_DECLS

/* A VisAndOr trace in memory, from its bytes to its instances, as often as its importer asks
 * to read it. Shared by the tests and the fuzz target. */

/* Or-ed: */
typedef enum
{
  VIS_READING_OF_STREAM = 1,      /* which cannot be read again */
  VIS_READING_OF_INSTANCES = 2,   /* each is shown, and has its PER with it */
} VisReadingFlags;

typedef struct
{
  TsSystem      *system;
  TsDiagnostics *diagnostics;
  TsImportMemory memory;
  TsTimeline    *timeline;
  GPtrArray     *sections, *tables;
  GArray        *instances; /* of TsInstance */
  GArray        *intervals; /* of TsInterval */
  guint          n_readings;
  gint64         last_event;
  gboolean       went_back; /* an event was older than the one before: the importer must not let that happen */
  VisReadingFlags flags;
  gboolean       infers; /* preemptions */
  GError        *error;
} VisReading;

/* @chunk 0: whole. @length -1: up to its NUL. @options may be NULL. */
VisReading *vis_reading_new (const char *text, gssize length, gsize chunk, VisReadingFlags flags,
                             const TsOptions *options);
void        vis_reading_free (VisReading *reading);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (VisReading, vis_reading_free)

/* Everything that was found, as text to compare. */
char *vis_reading_dump (const VisReading *reading);

/* The cell of a table of one row, or of row @row, as text in internal units. */
char *vis_reading_cell (const VisReading *reading, const char *table, guint row, const char *column);

G_END_DECLS
