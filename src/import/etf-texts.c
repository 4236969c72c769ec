/* SPDX-License-Identifier: MIT */
#include "config.h"

#include <string.h>

#include "import/etf.h"

/* Different texts as different numbers, and ids that are texts as numbers of ids. */

#define FIRST_SLOTS 64

static guint32
hash_text (TsEtfText text)
{
  guint64 hash = text.length >= 8 ? ts_etf_mix_bytes (text.p, text.length) : 0;

  for (gsize i = 0; text.length < 8 && i < text.length; i++)
    hash = hash << 8 | (guchar) text.p[i];
  hash = (hash ^ text.length) * G_GUINT64_CONSTANT (0x9e3779b97f4a7c15);
  return (guint32) (hash ^ hash >> 32);
}

TsEtfText
ts_etf_texts_text (const TsEtfTexts *texts, guint32 number)
{
  return (TsEtfText){ g_ptr_array_index (texts->texts, number), g_array_index (texts->lengths, guint32, number) };
}

/* The slot of @text, or the free one where it belongs. */
static guint64 *
find_slot (const TsEtfTexts *texts, TsEtfText text, guint32 hash)
{
  gsize mask = texts->n_slots - 1;
  gsize i = hash & mask;

  for (; texts->slots[i] != 0; i = (i + 1) & mask)
    {
      TsEtfText other;

      if (texts->slots[i] >> 32 != hash)
        continue;
      other = ts_etf_texts_text (texts, (guint32) texts->slots[i] - 1);
      if (other.length == text.length && memcmp (other.p, text.p, text.length) == 0)
        break;
    }
  return &texts->slots[i];
}

static void
grow (TsEtfTexts *texts)
{
  guint64 *slots = texts->slots;
  gsize    n = texts->n_slots, mask;

  if (texts->texts == NULL)
    {
      texts->texts = g_ptr_array_new ();
      texts->lengths = g_array_new (FALSE, FALSE, sizeof (guint32));
      texts->chunk = g_string_chunk_new (4096);
    }
  texts->n_slots = MAX (FIRST_SLOTS, 2 * n);
  texts->slots = g_new0 (guint64, texts->n_slots);
  mask = texts->n_slots - 1;
  for (gsize i = 0; i < n; i++)
    if (slots[i] != 0)
      {
        gsize k = (slots[i] >> 32) & mask;

        while (texts->slots[k] != 0)
          k = (k + 1) & mask;
        texts->slots[k] = slots[i];
      }
  g_free (slots);
}

guint32
ts_etf_texts_get (TsEtfTexts *texts, TsEtfText text)
{
  guint32  hash = hash_text (text), length = (guint32) text.length;
  guint64 *slot;

  if (texts->texts == NULL || 3 * texts->n_slots < 4 * ((gsize) texts->texts->len + 1))
    grow (texts);
  slot = find_slot (texts, text, hash);
  if (*slot == 0)
    {
      g_ptr_array_add (texts->texts, g_string_chunk_insert_len (texts->chunk, text.p, (gssize) text.length));
      g_array_append_val (texts->lengths, length);
      *slot = (guint64) hash << 32 | texts->texts->len;
    }
  return (guint32) *slot - 1;
}

const char *
ts_etf_texts_name (const TsEtfTexts *texts, guint32 number)
{
  return g_ptr_array_index (texts->texts, number);
}

void
ts_etf_texts_clear (TsEtfTexts *texts)
{
  if (texts->texts == NULL)
    return;
  g_ptr_array_unref (texts->texts);
  g_array_unref (texts->lengths);
  g_string_chunk_free (texts->chunk);
  g_free (texts->slots);
  *texts = (TsEtfTexts){ .texts = NULL };
}

/* Ids */

/* Most ids that are texts are numbers behind a few letters: these are numbers behind the number of that head, so that
 * they come one after another, and need not be kept. With more heads than some, texts are numbered as they come. */
#define ID_IS_WHOLE (G_GUINT64_CONSTANT (1) << 62)
#define MAX_HEADS 256
#define HEAD_SHIFT 48
#define MAX_DIGITS 14 /* less than 2^HEAD_SHIFT */

G_STATIC_ASSERT ((guint64) MAX_HEADS << HEAD_SHIFT < ID_IS_WHOLE);

/* How many digits @text ends with that are a number as it is written: without zeros in front. */
static gsize
n_last_digits (TsEtfText text)
{
  const char *end = text.p + text.length, *p = end;

  while (p > text.p && end - p < MAX_DIGITS && g_ascii_isdigit (p[-1]))
    p--;
  while (end - p > 1 && *p == '0')
    p++;
  return (gsize) (end - p);
}

/* The number of @text, or, if there are many of other texts already, TS_ETF_NONE. */
static guint32
head_of (TsEtfTexts *heads, TsEtfText text)
{
  if (heads->texts == NULL || heads->texts->len < MAX_HEADS)
    return ts_etf_texts_get (heads, text);
  /* one less than none is TS_ETF_NONE */
  return (guint32) *find_slot (heads, text, hash_text (text)) - 1;
}

guint64
ts_etf_text_id (TsEtf *etf, TsEtfText text)
{
  const gsize n = n_last_digits (text);
  guint64     number = 0;
  guint32     head = n > 0 ? head_of (&etf->id_heads, (TsEtfText){ text.p, text.length - n }) : TS_ETF_NONE;

  if (head == TS_ETF_NONE)
    return TS_ETF_TEXT_ID | ID_IS_WHOLE | ts_etf_texts_get (&etf->ids, text);
  for (gsize i = text.length - n; i < text.length; i++)
    number = 10 * number + (guint8) (text.p[i] - '0');
  return TS_ETF_TEXT_ID | (guint64) head << HEAD_SHIFT | number;
}

gboolean
ts_etf_text_head (guint64 id, TsEtfText text, gsize *n_digits, guint64 *head)
{
  *n_digits = n_last_digits (text);
  *head = id >> HEAD_SHIFT << HEAD_SHIFT;
  return (id & ID_IS_WHOLE) == 0;
}

char *
ts_etf_id_text (const TsEtf *etf, guint64 id)
{
  const guint64 number = id & ((G_GUINT64_CONSTANT (1) << HEAD_SHIFT) - 1);

  if ((id & TS_ETF_TEXT_ID) == 0)
    return g_strdup_printf ("%" G_GUINT64_FORMAT, id);
  if ((id & ID_IS_WHOLE) != 0)
    return g_strdup (ts_etf_texts_name (&etf->ids, (guint32) id));
  return g_strdup_printf ("%s%" G_GUINT64_FORMAT,
                          ts_etf_texts_name (&etf->id_heads, (guint32) (id >> HEAD_SHIFT) & (MAX_HEADS - 1)), number);
}
