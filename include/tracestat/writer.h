/* SPDX-License-Identifier: MIT */
#pragma once

#include <tracestat/report.h>
#include <tracestat/sink.h>

G_BEGIN_DECLS

/* A form of output. Writers see tables only. */
typedef struct
{
  const char        *name;  /* of --format */
  const char        *title; /* one line for --list writers */
  const char *const *suffixes; /* with the dot; NULL-terminated */
  guint              audience; /* TS_FOR_...: the tables it writes */
  gboolean (*write) (TsSink sink, GPtrArray *tables, const TsTimeBase *base, const TsPrintOptions *options,
                     GError **error);
} TsWriter;

TS_API const TsWriter *ts_writer_get (guint index); /* NULL past the last one */
TS_API const TsWriter *ts_writer_by_name (const char *name); /* NULL if there is none */
TS_API const TsWriter *ts_writer_by_suffix (const char *path); /* NULL if there is none */

/* Writes the report to @sink. The error has the reason only: the caller knows the name. */
TS_API gboolean ts_report_write (const TsReport *report, const TsWriter *writer, const TsPrintOptions *options,
                                 TsSink sink, GError **error);

/* @text as it can be shown on a terminal, which no name must drive: valid UTF-8, with a question mark for each control
 * character, line feeds as well. */
TS_API char *ts_text_clean (const char *text);

/* A file that appears complete or not at all: written beside its name, renamed at the end.
 * What is no regular file (a pipe, /dev/stdout) gets its bytes when all of them are there. */
typedef struct _TsFile TsFile;

TS_API TsFile  *ts_file_create (const char *path, GError **error);
TS_API TsSink   ts_file_sink (TsFile *file); /* as long as @file is there */
TS_API guint64  ts_file_length (const TsFile *file); /* bytes written so far */
TS_API gboolean ts_file_shorten (TsFile *file, guint64 length, GError **error); /* takes back what is behind these */
TS_API gboolean ts_file_commit (TsFile *file, GError **error); /* once, and nothing can be written after it */
/* The path, free of symbolic links, of what a file of @path will be, whether that is there or not; to be freed. NULL: @path
 * stands for an open file, as /dev/stdout. */
TS_API char    *ts_file_target (const char *path);
TS_API void     ts_file_free (TsFile *file); /* without commit: nothing is left behind */
G_DEFINE_AUTOPTR_CLEANUP_FUNC (TsFile, ts_file_free)

/* The per-instance export: a row per instance, as CSV or JSON lines by the suffix of its
 * path (.csv, .jsonl); an open file, as /dev/stdout, has none, and gets CSV. Hand ts_instance_writer_sink() and the writer
 * itself to ts_trace_read().
 * One trace at a time; traces must live until the commit, for they are told apart by their address. */
typedef struct _TsInstanceWriter TsInstanceWriter;

TS_API TsInstanceWriter     *ts_instance_writer_new (const char *path, const TsPrintOptions *options, GError **error);
TS_API const TsInstanceSink *ts_instance_writer_sink (void);
TS_API gboolean              ts_instance_writer_commit (TsInstanceWriter *writer, GError **error);
TS_API void                  ts_instance_writer_free (TsInstanceWriter *writer);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (TsInstanceWriter, ts_instance_writer_free)

G_END_DECLS
