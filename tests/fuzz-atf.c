/* SPDX-License-Identifier: MIT */
#include "config.h"

#include <stdlib.h>
#include <string.h>

#include "reading.h"

/* The ATF importer on any bytes. What it finds must not depend on the size of the chunks
 * that it gets them in, whether the input can be read twice or not, nor on whether entries
 * are read quickly or by libxml2. */

int LLVMFuzzerTestOneInput (const guint8 *data, size_t size);

/* Of a document that is not well-formed only the error is told: what came before it may differ. */
static void
expect_the_same (const Reading *reading, const Reading *other)
{
  g_autofree char *text = NULL, *other_text = NULL;

  if ((reading->error == NULL) != (other->error == NULL))
    abort ();
  if (reading->error != NULL)
    return;
  text = reading_dump (reading);
  other_text = reading_dump (other);
  if (strcmp (text, other_text) != 0)
    abort ();
}

int
LLVMFuzzerTestOneInput (const guint8 *data, size_t size)
{
  static const ReadFlags flags[] = { 0, READ_SUBTRACT, READ_STREAM, READ_STREAM | READ_SUBTRACT };

  for (gsize i = 0; i < G_N_ELEMENTS (flags); i++)
    {
      g_autoptr (Reading) whole = reading_new ((const char *) data, (gssize) size, 0, flags[i]);
      g_autoptr (Reading) chunked = reading_new ((const char *) data, (gssize) size, 7, flags[i]);
      g_autoptr (Reading) plain = reading_new ((const char *) data, (gssize) size, 0, flags[i] | READ_PLAIN);

      expect_the_same (whole, chunked);
      expect_the_same (whole, plain);
      /* libxml2 alone gets other pieces, and what it says of a broken one may differ */
      if (whole->n_readings > 8
          || (whole->error != NULL && strcmp (whole->error->message, chunked->error->message) != 0))
        abort ();
    }
  return 0;
}
