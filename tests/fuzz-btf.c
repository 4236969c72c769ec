/* SPDX-License-Identifier: MIT */
#include "config.h"

#include <stdlib.h>
#include <string.h>

#include "reading.h"

/* The BTF importer on any bytes. What it finds must not depend on the size of the chunks
 * that it gets them in, whether the input can be read twice or not, nor on whether lines
 * are read quickly. */

int LLVMFuzzerTestOneInput (const guint8 *data, size_t size);

int
LLVMFuzzerTestOneInput (const guint8 *data, size_t size)
{
  static const ReadFlags flags[] = { 0, READ_FOLD, READ_STREAM };

  for (gsize i = 0; i < G_N_ELEMENTS (flags); i++)
    {
      g_autoptr (Reading) whole = reading_new_of (&ts_importer_btf, (const char *) data, (gssize) size, 0, flags[i]);
      g_autoptr (Reading) chunked = reading_new_of (&ts_importer_btf, (const char *) data, (gssize) size, 7, flags[i]);
      g_autoptr (Reading) parts = reading_new_of (&ts_importer_btf, (const char *) data, (gssize) size, 211, flags[i]);
      g_autoptr (Reading) plain
          = reading_new_of (&ts_importer_btf, (const char *) data, (gssize) size, 0, flags[i] | READ_PLAIN);
      g_autofree char    *whole_text = reading_dump (whole), *parts_text = reading_dump (parts);
      g_autofree char    *chunked_text = reading_dump (chunked), *plain_text = reading_dump (plain);

      if (strcmp (whole_text, chunked_text) != 0 || strcmp (whole_text, parts_text) != 0
          || strcmp (whole_text, plain_text) != 0 || whole->n_readings > 8)
        abort ();
    }
  ts_importer_btf.bid (data, size);
  return 0;
}
