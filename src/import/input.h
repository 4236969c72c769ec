/* SPDX-License-Identifier: MIT */
#pragma once

#include <tracestat/error.h>

#include "import/stop.h"

G_BEGIN_DECLS

/* Bytes of a trace: a file, or standard input as "-", in blocks. Compressed input is
 * recognised by its first bytes and expanded. */
typedef struct _TsInput TsInput;

#define TS_INPUT_BLOCK (256 * 1024)

/* Of a stream that cannot be rewound this much is read ahead and kept, so that a short one
 * can be read twice, so that it is known from the first block on whether it can, and so
 * that the head of a long one can be surveyed before it is read. */
#define TS_INPUT_KEPT (4 * 1024 * 1024)

/* How messages name @path: "-" is "standard input". */
const char *ts_input_title (const char *path);

TsInput *ts_input_open (const char *path, GError **error);

/* The same, for a caller that has threads to spare: compressed input and streams are read
 * and expanded by a thread of their own, so that the caller can parse meanwhile. Whoever
 * sets @stop ends a call on this input, even one that waits for a stream: it then fails
 * with some error. @stop belongs to this input alone, and is set when that is freed. */
TsInput *ts_input_open_ahead (const char *path, TsStop *stop, GError **error);
void     ts_input_free (TsInput *input);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (TsInput, ts_input_free)

/* Compressed input may expand to @max_expanded bytes; 0: the default. To be called before
 * the first block is read. */
void ts_input_limit_expansion (TsInput *input, guint64 max_expanded);

/* The next block; *length 0 at the end. The bytes are lent until the next call.
 * FALSE with TS_ERROR_INPUT if reading failed. */
gboolean ts_input_read (TsInput *input, const guint8 **bytes, gsize *length, GError **error);

/* Whether the whole input can be read again from the first byte, now and after any number
 * of blocks: a file, or a stream of at most TS_INPUT_KEPT bytes. A longer stream says TRUE
 * only before its first block; ts_input_rewind() nevertheless works on it within the first
 * TS_INPUT_KEPT bytes, which is what the detection of its format and the survey of its head need. */
gboolean ts_input_can_rewind (const TsInput *input);

/* Of a longer stream: how many bytes are kept, from the first one on. Up to that position
 * ts_input_rewind() works; the next block drops them. 0 of any other input, before its first
 * block, and once they are gone. */
gsize ts_input_n_kept (const TsInput *input);

/* FALSE with TS_ERROR_INPUT if the first byte is gone. */
gboolean ts_input_rewind (TsInput *input, GError **error);

/* Bytes used up since the start or rewind, and how many there are, 0 if that is not known;
 * both are counted before expansion where a file is compressed. */
guint64 ts_input_position (const TsInput *input);
guint64 ts_input_size (const TsInput *input);

G_END_DECLS
