/* SPDX-License-Identifier: MIT */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

/* Libraries that only some inputs need. To load one, with all that it needs itself, takes longer than to read a trace
 * of a megabyte, so that is done when the first such input comes. Where configure could not tell which files they are,
 * or was told not to, they are linked in the usual way, and nothing is left to be loaded.
 *
 * FUNCTIONS (F) lists what is used of a library, as F (name) each. TS_LATE_LIBRARY (library, FUNCTIONS, file) makes
 * them members of @library, to be called as library.name () once ts_late_load (&library_late) has returned TRUE. */
#define TS_LATE_LIBRARY(library, FUNCTIONS, file) \
  static struct \
  { \
    FUNCTIONS (TS_LATE_MEMBER) \
  } library = { FUNCTIONS (TS_LATE_ADDRESS) }; \
  static const char *const library##_names[] = { FUNCTIONS (TS_LATE_NAME) }; \
  static TsLateLibrary     library##_late = { file, library##_names, G_N_ELEMENTS (library##_names), &library, NULL, \
                                              TS_LATE_STATE }

#define TS_LATE_MEMBER(name) __typeof__ (name) *name;
#define TS_LATE_NAME(name) #name,
#ifdef TS_LATE_LOADING
#define TS_LATE_ADDRESS(name) NULL,
#define TS_LATE_STATE TS_LATE_NOT_YET
#else
#define TS_LATE_ADDRESS(name) name,
#define TS_LATE_STATE TS_LATE_LOADED
#endif

typedef enum
{
  TS_LATE_NOT_YET,
  TS_LATE_LOADED,
  TS_LATE_MISSING
} TsLateState;

typedef struct
{
  const char        *file;
  const char *const *names;
  gsize              n;
  void              *addresses; /* one for each name */
  char              *reason;    /* why it is missing */
  TsLateState        state;
} TsLateLibrary;

/* By any thread, any number of times. FALSE: the library is not there, or has not all of these functions. What is
 * loaded stays so. */
gboolean ts_late_load (TsLateLibrary *library, GError **error);

G_END_DECLS
