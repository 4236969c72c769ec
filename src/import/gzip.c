/* SPDX-License-Identifier: MIT */
#include "config.h"

#include <gio/gio.h>

#include "import/gzip.h"
#include "import/late.h"

#define BLOCK (64 * 1024)

#define LIBGIO(F) \
  F (g_zlib_decompressor_new) F (g_converter_convert) F (g_converter_reset) F (g_io_error_quark) F (g_object_unref)

TS_LATE_LIBRARY (lib, LIBGIO, TS_LIBGIO_FILE);

typedef enum
{
  BEFORE, /* a member, or the end */
  WITHIN,
  PADDING, /* zeros, as on tapes */
  AT_END
} State;

struct _TsGzip
{
  TsGzipSource  source;
  gpointer      data;
  GConverter   *inflater;
  State         state;
  gboolean      has_member;
  const guint8 *in; /* what is left of the last block of the source */
  gsize         n_in;
  guint8        out[BLOCK];
};

TsGzip *
ts_gzip_new (TsGzipSource source, gpointer data, GError **error)
{
  TsGzip *gzip;

  if (!ts_late_load (&lib_late, error))
    return NULL;
  gzip = g_new0 (TsGzip, 1);
  gzip->source = source;
  gzip->data = data;
  gzip->inflater = (GConverter *) lib.g_zlib_decompressor_new (G_ZLIB_COMPRESSOR_FORMAT_GZIP);
  return gzip;
}

void
ts_gzip_free (TsGzip *gzip)
{
  if (gzip == NULL)
    return;
  lib.g_object_unref (gzip->inflater);
  g_free (gzip);
}

static gssize
refuse (const char **reason, const char *why)
{
  *reason = why;
  return -1;
}

/* 1: there is something in `in'; 0: the source ended. */
static gssize
fill (TsGzip *gzip)
{
  gssize n;

  if (gzip->n_in > 0)
    return 1;
  n = gzip->source (gzip->data, &gzip->in);
  if (n > 0)
    gzip->n_in = (gsize) n;
  return n > 0 ? 1 : n;
}

/* Between two members. */
static gssize
look_ahead (TsGzip *gzip, const char **reason)
{
  while (gzip->state == PADDING && gzip->n_in > 0 && *gzip->in == 0)
    {
      gzip->in++;
      gzip->n_in--;
    }
  if (gzip->n_in == 0)
    return 0;
  if (gzip->state == BEFORE && (*gzip->in == 0x1f || !gzip->has_member))
    {
      gzip->state = WITHIN;
      return 0;
    }
  if (gzip->state == BEFORE && *gzip->in == 0)
    {
      gzip->state = PADDING;
      return 0;
    }
  return refuse (reason, "there is something else after the compressed data");
}

/* A piece of the member; 0: more is to be done first. */
static gssize
inflate_some (TsGzip *gzip, const char **reason)
{
  gsize            n_read = 0, n_written = 0;
  g_autoptr (GError) error = NULL;
  GConverterResult result = lib.g_converter_convert (gzip->inflater, gzip->in, gzip->n_in, gzip->out, BLOCK,
                                                     G_CONVERTER_NO_FLAGS, &n_read, &n_written, &error);

  if (result == G_CONVERTER_ERROR)
    {
      /* it took all that there was, and has nothing to give yet */
      if (!g_error_matches (error, lib.g_io_error_quark (), G_IO_ERROR_PARTIAL_INPUT))
        return refuse (reason, "it is damaged");
      gzip->n_in = 0;
      return 0;
    }
  gzip->in += n_read;
  gzip->n_in -= n_read;
  if (result == G_CONVERTER_FINISHED)
    {
      gzip->state = BEFORE;
      gzip->has_member = TRUE;
      lib.g_converter_reset (gzip->inflater);
    }
  return (gssize) n_written;
}

gssize
ts_gzip_read (TsGzip *gzip, const guint8 **bytes, const char **reason)
{
  gssize n = 0;

  *reason = NULL;
  *bytes = gzip->out;
  while (n == 0 && gzip->state != AT_END)
    {
      gssize filled = fill (gzip);

      if (filled < 0)
        return -1;
      if (gzip->state == WITHIN)
        n = filled > 0 ? inflate_some (gzip, reason) : refuse (reason, "truncated");
      else if (filled == 0)
        gzip->state = AT_END;
      else
        n = look_ahead (gzip, reason);
    }
  return n;
}
