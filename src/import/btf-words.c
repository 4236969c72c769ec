/* SPDX-License-Identifier: MIT */
#include "config.h"

#include <string.h>

#include "import/btf.h"

/* Types and events by name. What no specification knows gets a number of its own, so that
 * it can be counted and listed. */

static const char *const type_texts[] = {
#define TEXT(NAME, text) text,
  TS_BTF_TYPES (TEXT)
#undef TEXT
};

static const char *const word_texts[] = {
#define TEXT(NAME, text) text,
  TS_BTF_WORDS (TEXT)
#undef TEXT
};

/* Other spellings, in versions before or in real files. */
static const struct
{
  const char *text;
  TsBtfWord   word;
} word_spellings[] = {
  { "mpalimitexceeded", TS_BTF_WORD_MTALIMITEXCEEDED },
  { "mtalimitexceded", TS_BTF_WORD_MTALIMITEXCEEDED },
  { "set_frequence", TS_BTF_WORD_SET_FREQUENCY },
};

static const struct
{
  const char *text;
  TsBtfType   type;
} type_spellings[] = {
  { "ISR", TS_BTF_TYPE_I },
  { "Processor", TS_BTF_TYPE_P },
};

/* One that is not there. */
static void
add (TsBtfNames *names, GArray *meanings, TsBtfText text, guint32 meaning)
{
  ts_btf_names_add (names, text);
  g_array_append_val (meanings, meaning);
}

void
ts_btf_words_init (TsBtfWords *words)
{
  ts_btf_names_init (&words->words);
  ts_btf_names_init (&words->types);
  words->word_meanings = g_array_new (FALSE, FALSE, sizeof (guint32));
  words->type_meanings = g_array_new (FALSE, FALSE, sizeof (guint32));
  for (guint32 i = 0; i < TS_BTF_N_WORDS; i++)
    add (&words->words, words->word_meanings, (TsBtfText){ word_texts[i], strlen (word_texts[i]) }, i);
  for (guint32 i = 0; i < TS_BTF_N_TYPES; i++)
    add (&words->types, words->type_meanings, (TsBtfText){ type_texts[i], strlen (type_texts[i]) }, i);
  for (gsize i = 0; i < G_N_ELEMENTS (word_spellings); i++)
    add (&words->words, words->word_meanings, (TsBtfText){ word_spellings[i].text, strlen (word_spellings[i].text) },
         word_spellings[i].word);
  for (gsize i = 0; i < G_N_ELEMENTS (type_spellings); i++)
    add (&words->types, words->type_meanings, (TsBtfText){ type_spellings[i].text, strlen (type_spellings[i].text) },
         type_spellings[i].type);
}

gboolean
ts_btf_is_part_of_word (TsBtfText text)
{
  gboolean is_part = FALSE;

  for (guint i = 0; i < G_N_ELEMENTS (word_texts); i++)
    if (g_ascii_strncasecmp (word_texts[i], text.begin, text.length) == 0)
      {
        if (word_texts[i][text.length] == '\0')
          return FALSE;
        is_part = TRUE;
      }
  return is_part;
}

void
ts_btf_words_clear (TsBtfWords *words)
{
  ts_btf_names_clear (&words->words);
  ts_btf_names_clear (&words->types);
  g_array_unref (words->word_meanings);
  g_array_unref (words->type_meanings);
}

guint32
ts_btf_word_slow (TsBtfWords *words, TsBtfText text)
{
  g_autofree char *lower = g_ascii_strdown (text.begin, (gssize) text.length);
  guint32          number, meaning = words->word_meanings->len;

  /* upper case stands in the tables of 2.1.5 */
  number = ts_btf_names_find (&words->words, (TsBtfText){ lower, text.length });
  if (number != TS_BTF_NONE)
    meaning = g_array_index (words->word_meanings, guint32, number);
  if (words->word_meanings->len >= TS_BTF_MAX_WORDS)
    return number != TS_BTF_NONE ? meaning : TS_BTF_OTHER;
  ts_btf_names_add (&words->words, text);
  g_array_append_val (words->word_meanings, meaning);
  return meaning;
}

guint32
ts_btf_type_slow (TsBtfWords *words, TsBtfText text)
{
  guint32 number = ts_btf_names_find (&words->types, text);
  guint32 meaning = words->type_meanings->len;

  if (number != TS_BTF_NONE)
    return g_array_index (words->type_meanings, guint32, number);
  for (guint32 i = 0; i < TS_BTF_N_TYPES + G_N_ELEMENTS (type_spellings); i++)
    {
      const TsBtfEntry *entry = &g_array_index (words->types.entries, TsBtfEntry, i);

      if (entry->length == text.length && g_ascii_strncasecmp (entry->bytes, text.begin, text.length) == 0)
        meaning = g_array_index (words->type_meanings, guint32, i);
    }
  if (words->type_meanings->len >= TS_BTF_MAX_TYPES)
    return meaning < TS_BTF_N_TYPES ? meaning : TS_BTF_OTHER;
  ts_btf_names_add (&words->types, text);
  g_array_append_val (words->type_meanings, meaning);
  return meaning;
}

void
ts_btf_type_define (TsBtfWords *words, TsBtfText id, TsBtfText type)
{
  guint32 meaning = ts_btf_type_slow (words, type);
  guint32 number = ts_btf_names_find (&words->types, id);

  if (number != TS_BTF_NONE && number >= TS_BTF_N_TYPES)
    g_array_index (words->type_meanings, guint32, number) = meaning;
  else if (number == TS_BTF_NONE && words->type_meanings->len < TS_BTF_MAX_TYPES)
    add (&words->types, words->type_meanings, id, meaning);
}

static TsBtfText
text_of (const TsBtfNames *names, guint32 number)
{
  const TsBtfEntry *entry;

  if (number >= names->entries->len)
    return (TsBtfText){ "?", 1 };
  entry = &g_array_index (names->entries, TsBtfEntry, number);
  return (TsBtfText){ entry->bytes, entry->length };
}

TsBtfText
ts_btf_word_text (const TsBtfWords *words, guint32 word)
{
  return text_of (&words->words, word);
}

TsBtfText
ts_btf_type_text (const TsBtfWords *words, guint32 type)
{
  return text_of (&words->types, type);
}
