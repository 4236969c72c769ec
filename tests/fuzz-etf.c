/* SPDX-License-Identifier: MIT */
#include "config.h"

#include <stdlib.h>
#include <string.h>

#include "reading-etf.h"

/* The importer of TRACE on any bytes. What it finds must not depend on the size of the
 * chunks that it gets them in, nor on whether lines are read quickly, whatever the options. */

int LLVMFuzzerTestOneInput (const guint8 *data, size_t size);

/* A file may be read again, which a stream is refused for. What is not makes no difference. */
static void
check_file (const guint8 *data, size_t size, const TsOptions *options, const EtfReading *stream, const char *stream_text)
{
  g_autoptr (EtfReading) whole = etf_reading_of_file ((const char *) data, (gssize) size, 0, options);
  g_autoptr (EtfReading) chunked = etf_reading_of_file ((const char *) data, (gssize) size, 7, options);
  TsOptions              plain_options = *options;
  g_autoptr (EtfReading) plain = NULL;
  g_autofree char       *whole_text = etf_reading_dump (whole), *chunked_text = etf_reading_dump (chunked);
  g_autofree char       *plain_text = NULL;

  plain_options.no_scanner = TRUE;
  plain = etf_reading_of_file ((const char *) data, (gssize) size, 0, &plain_options);
  plain_text = etf_reading_dump (plain);
  if (strcmp (whole_text, chunked_text) != 0 || strcmp (whole_text, plain_text) != 0 || whole->n_readings > 2
      || (whole->n_readings == 1 ? strcmp (whole_text, stream_text) != 0 : stream->error == NULL))
    abort ();
}

int
LLVMFuzzerTestOneInput (const guint8 *data, size_t size)
{
  static TsOptions options[] = {
    { .element_key = NULL },
    { .instance_key = (char *) "id", .activation = (char *) "event:event=activate", .object_key = (char *) "id" },
    { .element_key = (char *) "name,type", .instance_key = (char *) "id,pid", .activation = (char *) "dep",
      .exec_resources = (char *) "C*" },
  };

  for (gsize i = 0; i < G_N_ELEMENTS (options); i++)
    {
      g_autoptr (EtfReading) whole = etf_reading_new ((const char *) data, (gssize) size, 0, &options[i]);
      g_autoptr (EtfReading) chunked = etf_reading_new ((const char *) data, (gssize) size, 7, &options[i]);
      TsOptions              plain_options = options[i];
      g_autoptr (EtfReading) plain = NULL;
      g_autofree char *whole_text = etf_reading_dump (whole);
      g_autofree char *chunked_text = etf_reading_dump (chunked);
      g_autofree char *plain_text = NULL;

      plain_options.no_scanner = TRUE;
      plain = etf_reading_new ((const char *) data, (gssize) size, 0, &plain_options);
      plain_text = etf_reading_dump (plain);
      if (strcmp (whole_text, chunked_text) != 0 || strcmp (whole_text, plain_text) != 0)
        abort ();
      check_file (data, size, &options[i], whole, whole_text);
    }
  ts_importer_etf.bid (data, size);
  return 0;
}
