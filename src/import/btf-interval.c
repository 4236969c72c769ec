/* SPDX-License-Identifier: MIT */
#include "config.h"

#include <string.h>

#include "import/btf.h"

/* A FreeRTOS logger's intervals that a user marked: `interval_start' and `interval_stop' are stimuli, and the note says
 * which one, of which task. Each is an element of its own, a stopwatch. */

#define PREFIX "interval "
#define MAX_NOTE 256 /* of longer ones the rest is left out */

typedef struct
{
  char  bytes[sizeof PREFIX - 1 + MAX_NOTE];
  gsize length;
} Name;

/* FALSE: the note says nothing. */
static gboolean
name_interval (TsBtfText note, Name *name)
{
  const gsize prefix = strlen (PREFIX), length = strnlen (note.begin, MIN (note.length, MAX_NOTE));

  memcpy (name->bytes, PREFIX, prefix);
  memcpy (name->bytes + prefix, note.begin, length);
  name->length = prefix + length;
  return length > 0;
}

gboolean
ts_btf_interval (TsBtf *btf, TsBtfText note, guint32 *element)
{
  Name    name;
  guint32 number, entity;

  if (!name_interval (note, &name))
    return FALSE;
  number = ts_btf_name (btf, (TsBtfText){ name.bytes, name.length });
  /* an entity of this type and name is no other one's: no type is called so */
  entity = ts_btf_entity (btf, TS_BTF_TYPE_INTERVAL, number);
  *element = TS_NO_ELEMENT;
  if (btf->error == NULL && ts_btf_name_info (btf, number)->text != NULL)
    *element = ts_btf_entity_info (btf, entity)->element;
  return TRUE;
}

guint32
ts_btf_known_interval (const TsBtf *btf, const char *event_end)
{
  const char *newline = *event_end == ',' ? memchr (event_end, '\n', MAX_NOTE) : NULL;
  Name        name;
  guint32     number, entity;

  if (newline == NULL || !ts_btf_has_whole_note (btf, event_end + 1, newline)
      || !name_interval (ts_btf_trim (event_end + 1, newline[-1] == '\r' ? newline - 1 : newline), &name))
    return TS_NO_ELEMENT;
  number = ts_btf_names_find (&btf->names, (TsBtfText){ name.bytes, name.length });
  if (number == TS_BTF_NONE || ts_btf_name_info (btf, number)->text == NULL)
    return TS_NO_ELEMENT;
  entity = ts_btf_find_entity (btf, TS_BTF_TYPE_INTERVAL, number);
  return entity != TS_BTF_NONE ? ts_btf_entity_info (btf, entity)->element : TS_NO_ELEMENT;
}
