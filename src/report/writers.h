/* SPDX-License-Identifier: MIT */
#pragma once

#include <tracestat/writer.h>

/* What writers share: output that is collected and handed on in large pieces, and the
 * quoting of the two formats for machines, which reports and the per-instance export have in common. */
typedef struct
{
  GString *text;
  TsSink   sink;
  GError  *error; /* the first one; nothing is written after it */
} TsOutput;

void     ts_output_init (TsOutput *output, TsSink sink);
void     ts_output_flush (TsOutput *output);
gboolean ts_output_finish (TsOutput *output, GError **error); /* flushes, frees, and reports the first error */

#define TS_OUTPUT_PIECE (64 * 1024)

/* To be called now and then. */
static inline void
ts_output_check (TsOutput *output)
{
  if (output->text->len >= TS_OUTPUT_PIECE)
    ts_output_flush (output);
}

/* Room for @n bytes at the end of @text, so that they can be written where they belong. */
static inline char *
ts_output_room (GString *text, gsize n)
{
  gsize length = text->len;

  if (G_UNLIKELY (text->allocated_len - length <= n))
    {
      g_string_set_size (text, length + n);
      g_string_truncate (text, length);
    }
  return text->str + length;
}

/* All of the bytes; FALSE with errno. */
gboolean ts_descriptor_write (int descriptor, const char *bytes, gsize length);

void ts_csv_append_text (GString *out, const char *text);
void ts_json_append_text (GString *out, const char *text);

gboolean ts_text_write (TsSink sink, GPtrArray *tables, const TsTimeBase *base, const TsPrintOptions *options,
                        GError **error);
gboolean ts_csv_write (TsSink sink, GPtrArray *tables, const TsTimeBase *base, const TsPrintOptions *options,
                       GError **error);
gboolean ts_json_write (TsSink sink, GPtrArray *tables, const TsTimeBase *base, const TsPrintOptions *options,
                        GError **error);
