/* SPDX-License-Identifier: MIT */
#pragma once

#include "import/importer.h"

G_BEGIN_DECLS

/* A trace of TRACE read from memory, and rebuilt by the timeline. Shared by the tests and
 * the fuzz target. */

typedef struct
{
  TsSystem      *system;
  TsDiagnostics *diagnostics;
  GPtrArray     *sections;  /* of TsSection */
  GArray        *events;    /* of TsEvent */
  GArray        *instances; /* of TsInstance */
  GArray        *intervals; /* of TsInterval */
  GPtrArray     *tables;    /* of TsTable */
  GArray        *busy;      /* of TsInt128, or NULL */
  guint          n_readings;
  GError        *error;
} EtfReading;

/* Of a stream, which cannot be read again. @chunk 0: whole. @length -1: up to its NUL. */
EtfReading *etf_reading_new (const char *text, gssize length, gsize chunk, const TsOptions *options);
/* Of a file, as often as its importer asks to read it. */
EtfReading *etf_reading_of_file (const char *text, gssize length, gsize chunk, const TsOptions *options);
void        etf_reading_free (EtfReading *reading);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (EtfReading, etf_reading_free)

/* "NAME#NUMBER ACTIVATION START END RUNNING PREEMPTED/N; ..." in order of their ends, "-"
 * for what is not known; stamps in internal units. */
char *etf_reading_instances (const EtfReading *reading);

/* Cells of a table as text: rows parted by ";", cells by ",". NULL: there is no such table. */
char *etf_reading_table (const EtfReading *reading, const char *name, guint audience);

/* Everything that a reading found, as text to compare. */
char *etf_reading_dump (const EtfReading *reading);

G_END_DECLS
