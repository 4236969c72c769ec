/* SPDX-License-Identifier: MIT */
#include "config.h"

#include <stdlib.h>
#include <string.h>

#include "reading.h"

/* The ATF importer on any bytes. What it finds must not depend on the size of the chunks
 * that it gets them in, whether the input can be read twice or not, nor on whether entries
 * are read quickly or by libxml2. */

int LLVMFuzzerTestOneInput (const guint8 *data, size_t size);

int
LLVMFuzzerTestOneInput (const guint8 *data, size_t size)
{
  static const ReadFlags flags[] = { 0, READ_SUBTRACT, READ_STREAM, READ_STREAM | READ_SUBTRACT };

  for (gsize i = 0; i < G_N_ELEMENTS (flags); i++)
    {
      g_autoptr (Reading) whole = reading_new ((const char *) data, (gssize) size, 0, flags[i]);
      g_autoptr (Reading) chunked = reading_new ((const char *) data, (gssize) size, 7, flags[i]);
      g_autoptr (Reading) plain = reading_new ((const char *) data, (gssize) size, 0, flags[i] | READ_PLAIN);
      g_autofree char *whole_text = reading_dump (whole);
      g_autofree char *plain_text = reading_dump (plain);
      g_autofree char *chunked_text = reading_dump (chunked);

      if (strcmp (whole_text, chunked_text) != 0 || whole->n_readings > 8)
        abort ();
      /* of a document that is not well-formed, what came before the error may differ */
      if ((whole->error == NULL) != (plain->error == NULL)
          || (whole->error == NULL && strcmp (whole_text, plain_text) != 0))
        abort ();
    }
  return 0;
}
