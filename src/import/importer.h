/* SPDX-License-Identifier: MIT */
#pragma once

#include <tracestat/diagnostics.h>
#include <tracestat/error.h>
#include <tracestat/event.h>
#include <tracestat/trace.h>

#include "import/strays.h"

G_BEGIN_DECLS

/* The seam between formats and the rest: an importer is a push parser without I/O.
 * It fills the system and the sections, counts defects, and appends events. */

typedef struct _TsImport TsImport;

typedef struct
{
  const char        *name;  /* of --input-format */
  const char        *title; /* one line for --list formats */
  const char *const *suffixes; /* NULL-terminated, only told to the user */

  /* How sure it is that the input, which begins with these bytes, is its own: 0 no, 100 certain. */
  int (*bid) (const guint8 *head, gsize length);

  /* Whether the options that are this format's own can be understood; TS_ERROR_USAGE. NULL: it has none, or none that
   * can be wrong. */
  gboolean (*check_options) (const TsOptions *options, GError **error); /* before all else */
  gpointer (*open) (TsImport *import); /* @import is lent until close() */
  /* After an error of it, or of finish(), neither is called again. */
  gboolean (*feed) (gpointer self, const guint8 *bytes, gsize length, GError **error);
  gboolean (*finish) (gpointer self, GError **error); /* the input ended here */
  /* In place of finish(), and maybe after an error: this reading only surveyed the head of a stream that is too
   * long to be read twice; now it is read from its beginning with what this leaves in memory. That must hold
   * whatever comes after the head. NULL: there is nothing to learn from a head. */
  void (*finish_head) (gpointer self);
  void (*close) (gpointer self);
} TsImporter;

/* Every importer, in the order of --list formats; NULL-terminated. */
extern const TsImporter *const ts_importers[];
extern const TsImporter        ts_importer_atf;
extern const TsImporter        ts_importer_btf;
extern const TsImporter        ts_importer_etf;
extern const TsImporter        ts_importer_visandor;

const TsImporter *ts_importer_by_name (const char *name); /* NULL if there is none */
/* Whether what @options have for each of them can be understood; TS_ERROR_USAGE. */
gboolean          ts_importers_check_options (const TsOptions *options, GError **error);

/* The importer that bids highest for @head. NULL with TS_ERROR_FORMAT if none does
 * (the message lists the formats) or if two tie (it names both and --input-format). */
const TsImporter *ts_importer_detect (const char *path, const guint8 *head, gsize length, GError **error);

/* Who takes the sections and events: the next stage of the pipeline. */
typedef struct
{
  void (*begin_section) (gpointer data, TsSection *section);
  void (*events) (gpointer data, const TsEvent *events, gsize n_events);
  void (*end_section) (gpointer data, TsSection *section);
} TsEventSink;

/* What one reading of an input found out and the next reading of it needs to know
 * before its first event, where the survey of a stream's head counts as a reading. Zeroed
 * before the first one, except `scale` = 1. */
typedef struct
{
  gint64   scale;          /* internal units a tick that every stamp and overhead needs */
  gboolean rounds;         /* they need more, but that is what can be kept of all of them */
  gboolean has_system;     /* the system is complete from the reading before: declare nothing again */
  gboolean sort;           /* stamps go backwards, not only those of strays */
  guint    n_held;         /* then: so many events are held back at least; 0: not known */
  gint64   largest_step;   /* of all, in internal units of the reading that found it */
  gint64   largest_step_scale;
  TsStrays *strays;        /* of the order stage: NULL before its first reading */
  GPtrArray *overheads;    /* a GArray of TsOverhead for each section (or NULL entries), or NULL */

  /* Of the importer alone: its own tables, which the next reading's importer finds here. */
  gpointer       kept;
  GDestroyNotify free_kept;
} TsImportMemory;

/* Frees what @memory holds, when the last reading is over; not @memory itself. */
void ts_import_memory_clear (TsImportMemory *memory);

/* Keeps @overheads (a GArray of TsOverhead, or NULL; owned from here on) for the section
 * @index, from 0: ts_import_begin_section() gives that section a copy. */
void ts_import_memory_set_overheads (TsImportMemory *memory, guint index, GArray *overheads);

void ts_section_free (TsSection *section);

#define TS_BATCH_EVENTS 2048

/* "2^61", or what of it there is in the unit of a trace in which @scale internal units make one: for messages. */
char *ts_time_limit_text (gint64 scale);

/* What an importer works with; made anew for each reading. */
struct _TsImport
{
  const char      *path; /* for messages */
  TsSystem        *system;
  TsDiagnostics   *diagnostics;
  TsImportMemory  *memory;
  const TsOptions *options;
  GPtrArray       *sections;          /* of TsSection, those read so far */
  /* Of TsTable: what only this format can tell, added by finish(), times in internal units. Names of tables and
   * columns are a contract with scripts (`--table NAME', JSON); not `metrics', `trace', `section', `load', `diagnostics'.
   * No makers; tables inside of cells only for programs. */
  GPtrArray       *tables;
  /* Of TsInt128: how long each resource was in use within the analysis window, where a format knows that
   * better than instances can tell (a job may hold several resources); it takes LOAD's place. Only for formats
   * of one section, and set before that ends; freed by the driver. NULL: LOAD is the running time of tasks. */
  GArray          *busy;
  /* On what elements ran beside the resources that their events name: see ts_import_note_ran_on(). For whom and when is
   * as above. */
  GHashTable      *ran_on;
  gboolean         subtract_overhead; /* the user asked for it: overheads must be known before events */
  gboolean         shows_instances;   /* somebody takes each of them, and is told its PER with it */
  /* Kept up to date by the driver before each feed(). FALSE all along in a stream that is longer than its head. */
  gboolean         can_reread;
  /* This reading is only to learn: events go nowhere. Of the head of a long stream from the start, without a sink. */
  gboolean         surveying;
  /* All that this reading can, so that it may stop here, and another one follows: as an importer or the order of events
   * finds. No events are taken from then on. */
  gboolean         has_learnt;

  const TsEventSink *sink;
  gpointer           sink_data;

  TsSection *section; /* the open one */
  guint      n_events;
  TsEvent    events[TS_BATCH_EVENTS];
};

/* Asks for the input to be read once more, with what is in memory by then; from here on
 * events go nowhere. FALSE: this input cannot be read twice. The importer reads on to the
 * end, or to that of the head which is surveyed, so that the next reading knows all there is to know, or says that it
 * has_learnt. */
gboolean ts_import_request_reread (TsImport *import);

/* Opens the next section and returns it for the importer to fill; the time window must
 * be given here (has_start/start/has_stop/stop copied from @window), overheads are taken
 * from memory, and the rest may be set until ts_import_end_section(). */
TsSection *ts_import_begin_section (TsImport *import, const TsSection *window);

/* The scale of @base, or the multiple of it by which the ends of the analysis window are whole numbers of units: LOAD
 * is clipped just there. For whoever has the time base and has not scaled anything yet. */
gint64 ts_import_window_scale (const TsImport *import, const TsTimeBase *base);

/* Cuts *from .. *to, in internal units, down to the analysis window, if the user gave one (METRICS, rule 20); it may
 * be empty after that. The time base must be known. FALSE: the window cannot be told in these units, which the
 * driver says; both are left as they are. */
gboolean ts_import_clip_window (const TsImport *import, gint64 *from, gint64 *to);

void       ts_import_end_section (TsImport *import);

void ts_import_flush (TsImport *import);

/* The place for the next event: fill all of it, then count it with ts_import_commit(). */
static inline TsEvent *
ts_import_next (TsImport *import)
{
  return &import->events[import->n_events];
}

static inline void
ts_import_commit (TsImport *import)
{
  if (G_UNLIKELY (++import->n_events == TS_BATCH_EVENTS))
    ts_import_flush (import);
}

/* The same for all places up to @end, of which none was counted yet: returns the next one. */
static inline TsEvent *
ts_import_commit_up_to (TsImport *import, const TsEvent *end)
{
  import->n_events = (guint) (end - import->events);
  if (import->n_events == TS_BATCH_EVENTS)
    ts_import_flush (import);
  return ts_import_next (import);
}

/* An instance that runs on several resources at a time is on one of them for its events: that @element ran on
 * @resource, too. */
static inline void
ts_import_note_ran_on (TsImport *import, guint32 element, guint16 resource)
{
  const guint64 both = (guint64) element << 16 | resource;

  if (import->ran_on == NULL)
    import->ran_on = g_hash_table_new_full (g_int64_hash, g_int64_equal, g_free, NULL);
  if (!g_hash_table_contains (import->ran_on, &both))
    g_hash_table_add (import->ran_on, g_memdup2 (&both, sizeof both));
}

/* "PATH:LINE: message" with TS_ERROR_FORMAT or another @code of TsError. Returns FALSE. */
gboolean ts_import_fail (TsImport *import, GError **error, TsError code, guint64 line, const char *format, ...)
    G_GNUC_PRINTF (5, 6);

/* The same. Where there is an error already, that stays: what is found wrong first is told. */
gboolean ts_import_fail_valist (TsImport *import, GError **error, TsError code, guint64 line, const char *format,
                                va_list arguments) G_GNUC_PRINTF (5, 0);

G_END_DECLS
