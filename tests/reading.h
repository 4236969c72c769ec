/* SPDX-License-Identifier: MIT */
#pragma once

#include "import/importer.h"

G_BEGIN_DECLS

/* A trace (of ATF, where nothing else is said) read from memory, over and over as its importer asks for it, by a driver
 * as plain as can be. Shared by the tests and the fuzz targets. */

typedef enum
{
  READ_STREAM = 1 << 0,   /* it cannot be read twice */
  READ_SUBTRACT = 1 << 1, /* tracing overheads are asked for */
  READ_PLAIN = 1 << 2,    /* without the quick reader */
  READ_FOLD = 1 << 3,     /* names are folded */
} ReadFlags;

typedef struct
{
  TsSystem      *system;
  TsDiagnostics *diagnostics;
  TsImportMemory memory;
  GPtrArray     *sections;   /* of the last reading */
  GArray        *events;     /* of TsEvent, of the last reading */
  GString       *order;      /* "(" section begins, "." event, ")" section ends */
  guint          n_readings;
  GError        *error;
} Reading;

/* @chunk 0: whole. @length -1: up to its NUL. */
Reading *reading_new (const char *text, gssize length, gsize chunk, ReadFlags flags);
/* The same with another importer. */
Reading *reading_new_of (const TsImporter *importer, const char *text, gssize length, gsize chunk, ReadFlags flags);
void     reading_free (Reading *reading);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (Reading, reading_free)

/* "TIME KIND ELEMENT; ..." with the names of the elements, "-" for none. */
char *reading_events (const Reading *reading);

/* Everything that a reading found, as text to compare. */
char *reading_dump (const Reading *reading);

G_END_DECLS
