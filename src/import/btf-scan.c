/* SPDX-License-Identifier: MIT */
#include "config.h"

#include <string.h>

#include "import/btf-marks.h"
#include "import/btf.h"

/* A quick reader of events. Nearly all of a BTF file is lines of the same few names, types and
 * words, with other numbers in between. What they were found to mean in a line that went the
 * long way is kept here by the text as it stands, commas, blanks and all; a line of which
 * every part is known goes on to the rules that all lines obey. What is new or no plain
 * number, too long, or too near the ends of the input is left to the long way, which also
 * says what is wrong. */

#define ALWAYS_INLINE inline __attribute__ ((always_inline))
#define WORD TS_BTF_WORD_BYTES
#define END 16
/* A line that is longer, up to its note, takes the long way. */
#define MAX_WIDTH (2 * TS_BTF_BLOCK)
#define MAX_NOTE 4096
#define MAX_DIGITS TS_BTF_MAX_DIGITS
#define CACHE_LINE 64
#define MAX_AHEAD 16
#define FIRST_PLACES 512
#define MAX_PLACES 65536 /* of the table, a quarter of them taken: what would need more is not learnt */

/* The texts between the numbers of a line: `,Core_1,' and `,T,Task_1,' and `,start\n'. */
enum
{
  SOURCE,
  TARGET,
  EVENT,
  N_TEXTS
};

/* The last bytes of a text: all of it, unless it is longer. */
typedef guint64 End __attribute__ ((vector_size (END)));

/* Lines with the same texts. */
typedef struct
{
  End        ends[N_TEXTS];
  TsBtfTexts known;
} Pattern;

/* flags */
#define IS_TAKEN 1 /* this place is not free */
#define HAS_NOTE 2 /* the text of the event ends with a comma */
#define IS_LONG 4  /* a text is longer than its end */

G_STATIC_ASSERT (sizeof (Pattern) == CACHE_LINE);

struct _TsBtfScan
{
  gpointer      memory;
  Pattern      *patterns; /* where they hash to */
  const char  **texts;    /* of each that is long: three lengths, a byte each, and its texts one behind the other */
  gsize         mask;     /* of places */
  guint         n;
  GStringChunk *bytes;
  gboolean      is_missing; /* the scan ended at texts that are not known */
  guint64       high_text;  /* of the time before: the digits in front of the last eight */
  gint64        high;       /* and what they are worth */
  gsize         n_skip;     /* where lines are long: so many digits of the time are skipped to see more of them */
};

/* Where fields end in a line, from the place on where it was first looked at. */
typedef struct
{
  gsize time, source, source_instance, target, instance, event;
} Marks;

/* Patterns */

/* The texts of a line, each as its end. */
typedef struct
{
  End source, target, event;
} Texts;

/* From n on: which bytes of an end belong to a text of n bytes. */
static const guint8 masks[MAX_WIDTH + 1 + END] = {
#define FOUR 0xff, 0xff, 0xff, 0xff
#define SIXTEEN FOUR, FOUR, FOUR, FOUR
  [END] = SIXTEEN, SIXTEEN, SIXTEEN, SIXTEEN, SIXTEEN, SIXTEEN, SIXTEEN, SIXTEEN, 0xff,
#undef SIXTEEN
#undef FOUR
};

static inline End
end_of (const char *text, gsize length)
{
  End end, mask;

  memcpy (&end, text + length - END, END);
  memcpy (&mask, masks + length, END);
  return end & mask;
}

static inline Texts
texts_of (const char *p, Marks at)
{
  return (Texts){ end_of (p + at.time, at.source + 1 - at.time),
                  end_of (p + at.source_instance, at.target + 1 - at.source_instance),
                  end_of (p + at.instance, at.event + 1 - at.instance) };
}

/* What a long text has in front of its end, for the hash: many names may end alike. */
static inline guint64
mix_long (const char *text, gsize length)
{
  guint64 mixed;

  if (length <= END)
    return 0;
  mixed = ts_btf_load (text) * 3;
  if (length >= END + WORD)
    mixed ^= ts_btf_load (text + length - END - WORD);
  return mixed * G_GUINT64_CONSTANT (0xff51afd7ed558ccd);
}

/* @mixed: of the long texts. */
static inline gsize
hash (const TsBtfScan *scan, const End *source, const End *target, const End *event, guint64 mixed)
{
  End ends = *source ^ (*target >> 4) ^ (*event >> 2);

  mixed += ends[0] * G_GUINT64_CONSTANT (0x9e3779b97f4a7c15) + ends[1] * G_GUINT64_CONSTANT (0xd6e8feb86659fd93);
  return mixed >> 40 & scan->mask;
}

static inline gsize
hash_line (const TsBtfScan *scan, const Texts *texts, const char *p, Marks at)
{
  gsize   source = at.source + 1 - at.time, target = at.target + 1 - at.source_instance;
  guint64 mixed = 0;

  if (MAX (source, target) > END)
    mixed = mix_long (p + at.time, source) + mix_long (p + at.source_instance, target);
  return hash (scan, &texts->source, &texts->target, &texts->event, mixed);
}

/* All there is to compare unless the pattern is long: then every text begins within its end, with a comma
 * that comes nowhere else but, once, inside of a target, so that no two lengths look alike. */
static inline gboolean
has_ends (const Pattern *pattern, const Texts *texts)
{
  End difference = (pattern->ends[SOURCE] ^ texts->source) | (pattern->ends[TARGET] ^ texts->target)
                   | (pattern->ends[EVENT] ^ texts->event);

  return (difference[0] | difference[1]) == 0;
}

/* What is in front of the end of a text. */
static ALWAYS_INLINE gboolean
has_beginning (const char *kept, const char *text, gsize length)
{
  return length <= END || ts_btf_equal (kept, text, length - END);
}

static ALWAYS_INLINE gboolean
has_long_texts (const TsBtfScan *scan, const Pattern *pattern, const char *p, Marks at)
{
  const char *kept = scan->texts[pattern - scan->patterns];
  gsize       source = at.source + 1 - at.time, target = at.target + 1 - at.source_instance;
  gsize       event = at.event + 1 - at.instance;

  if ((guint8) kept[SOURCE] != source || (guint8) kept[TARGET] != target || (guint8) kept[EVENT] != event)
    return FALSE;
  kept += N_TEXTS;
  return has_beginning (kept, p + at.time, source) && has_beginning (kept + source, p + at.source_instance, target)
         && has_beginning (kept + source + target, p + at.instance, event);
}

/* From the place @i on; NULL: nowhere. */
static const Pattern *G_GNUC_NO_INLINE
find_from (const TsBtfScan *scan, gsize i, const char *p, Marks at)
{
  Texts texts = texts_of (p, at);

  for (; scan->patterns[i].known.flags != 0; i = (i + 1) & scan->mask)
    if (has_ends (&scan->patterns[i], &texts)
        && ((scan->patterns[i].known.flags & IS_LONG) == 0 || has_long_texts (scan, &scan->patterns[i], p, at)))
      return &scan->patterns[i];
  return NULL;
}

static void
make_room (TsBtfScan *scan, gsize n)
{
  scan->memory = g_malloc0 (n * sizeof (Pattern) + CACHE_LINE);
  scan->patterns = (Pattern *) (gpointer) (((gsize) scan->memory + CACHE_LINE - 1) / CACHE_LINE * CACHE_LINE);
  scan->texts = g_new0 (const char *, n);
  scan->mask = n - 1;
  scan->n = 0;
}

static void
put (TsBtfScan *scan, const Pattern *pattern, const char *texts)
{
  guint64 mixed = 0;
  gsize   i;

  if (texts != NULL)
    {
      mixed = mix_long (texts + N_TEXTS, (guint8) texts[SOURCE]);
      mixed += mix_long (texts + N_TEXTS + (guint8) texts[SOURCE], (guint8) texts[TARGET]);
    }
  i = hash (scan, &pattern->ends[SOURCE], &pattern->ends[TARGET], &pattern->ends[EVENT], mixed);
  while (scan->patterns[i].known.flags != 0)
    i = (i + 1) & scan->mask;
  scan->patterns[i] = *pattern;
  scan->texts[i] = texts;
  scan->n++;
}

static void
grow (TsBtfScan *scan)
{
  gpointer       memory = scan->memory;
  const Pattern *patterns = scan->patterns;
  const char   **texts = scan->texts;
  gsize          n = scan->mask + 1;

  make_room (scan, 2 * n);
  for (gsize i = 0; i < n; i++)
    if (patterns[i].known.flags != 0)
      put (scan, &patterns[i], texts[i]);
  g_free (memory);
  g_free (texts);
}

TsBtfScan *
ts_btf_scan_new (void)
{
  TsBtfScan *scan = g_new0 (TsBtfScan, 1);

  make_room (scan, FIRST_PLACES);
  scan->bytes = g_string_chunk_new (4096);
  return scan;
}

void
ts_btf_scan_free (TsBtfScan *scan)
{
  if (scan == NULL)
    return;
  g_free (scan->memory);
  g_free (scan->texts);
  g_string_chunk_free (scan->bytes);
  g_free (scan);
}

void
ts_btf_scan_forget (TsBtfScan *scan)
{
  if (scan == NULL || scan->n == 0)
    return;
  memset (scan->patterns, 0, sizeof (Pattern) * (scan->mask + 1));
  g_string_chunk_clear (scan->bytes);
  scan->n = 0;
}

void
ts_btf_scan_learn (TsBtf *btf, const TsBtfLine *line, const char *next)
{
  TsBtfScan         *scan = btf->scan;
  const TsBtfRecord *record = &btf->last;
  const char        *begin = line->begin, *const *commas = line->commas;
  gboolean           has_note = line->n_commas == TS_BTF_FIELDS;
  const char        *end = has_note ? commas[TS_BTF_FIELDS - 1] : next - 1;
  Marks              at;
  Texts              texts;
  Pattern            pattern;
  gssize             source, target, event;

  if (scan == NULL || !scan->is_missing || record->type >= TS_BTF_N_TYPES || record->word >= TS_BTF_N_WORDS)
    return;
  if (scan->n > scan->mask / 4)
    {
      if (scan->mask == MAX_PLACES - 1)
        return;
      grow (scan);
    }
  at = (Marks){ (gsize) (commas[0] - begin), (gsize) (commas[1] - begin), (gsize) (commas[2] - begin),
                (gsize) (commas[4] - begin), (gsize) (commas[5] - begin), (gsize) (end - begin) };
  texts = texts_of (begin, at);
  /* the scan may have taken a short time for part of a text */
  if (find_from (scan, hash_line (scan, &texts, begin, at), begin, at) != NULL)
    return;
  source = commas[1] + 1 - commas[0];
  target = commas[4] + 1 - commas[2];
  event = end + 1 - commas[5];
  pattern = (Pattern){ { texts.source, texts.target, texts.event }, record->known };
  pattern.known.flags = has_note ? IS_TAKEN | HAS_NOTE : IS_TAKEN;
  if (MAX (MAX (source, target), event) > END)
    {
      g_autoptr (GString) all = g_string_new (NULL);

      g_string_append_c (all, (char) source);
      g_string_append_c (all, (char) target);
      g_string_append_c (all, (char) event);
      g_string_append_len (all, commas[0], source);
      g_string_append_len (all, commas[2], target);
      g_string_append_len (all, commas[5], event);
      pattern.known.flags |= IS_LONG;
      put (scan, &pattern, g_string_chunk_insert_len (scan->bytes, all->str, (gssize) all->len));
    }
  else
    put (scan, &pattern, NULL);
}

/* Numbers */

static gboolean G_GNUC_NO_INLINE
read_high (TsBtfScan *scan, const char *p, gsize n, guint64 text)
{
  gint64 high = 0;

  if (n > 0 && (*p == '-' || ts_btf_number ((TsBtfText){ p, n }, &high) != TS_BTF_GOOD))
    return FALSE;
  scan->high_text = text;
  scan->high = high * 100000000;
  return TRUE;
}

/* Lines */

/* A long time, or an instance that has no number, or blanks around it. FALSE: the long way knows what this is. */
static gboolean G_GNUC_NO_INLINE
read_odd_numbers (const TsBtf *btf, TsBtfText time, const char *begin, const char *end, TsBtfRecord *record)
{
  TsBtfText instance = ts_btf_trim (begin, end);
  gint64    number;

  if (!g_ascii_isdigit (*time.begin) || ts_btf_number (time, &number) != TS_BTF_GOOD || number > btf->limit)
    return FALSE;
  record->time = number * btf->factor;
  record->is_plain = TRUE;
  if (instance.length == 0 || (instance.length == 2 && memcmp (instance.begin, "-1", 2) == 0))
    record->instance = TS_NO_INSTANCE;
  else if (instance.length <= WORD && g_ascii_isdigit (*instance.begin)
           && ts_btf_number (instance, &number) == TS_BTF_GOOD)
    record->instance = (gint32) number;
  else
    record->is_plain = FALSE;
  return TRUE;
}

static ALWAYS_INLINE gboolean
read_numbers (TsBtf *btf, const char *begin, const char *p, Marks at, TsBtfRecord *record)
{
  TsBtfScan  *scan = btf->scan;
  const char *field = p + at.target + 1;
  gsize       n_time = (gsize) (p + at.time - begin), n_instance = at.instance - at.target - 1;
  guint64     low, high, instance;
  gint64      time;

  /* a blank behind the comma */
  n_instance -= *field == ' ';
  if (G_UNLIKELY (n_time - 1 >= MAX_DIGITS || n_instance - 1 >= WORD))
    return read_odd_numbers (btf, (TsBtfText){ begin, n_time }, field, p + at.instance, record);
  low = ts_btf_last_digits (p + at.time, n_time);
  instance = ts_btf_last_digits (p + at.instance, n_instance);
  if (G_UNLIKELY (!ts_btf_are_digits (low, instance)))
    return read_odd_numbers (btf, (TsBtfText){ begin, n_time }, field, p + at.instance, record);
  /* in most files these change once in a thousand lines */
  high = ts_btf_load (p + at.time - END) & ts_btf_digit_masks[n_time].high;
  if (G_UNLIKELY (high != scan->high_text)
      && !read_high (scan, begin, n_time > WORD ? n_time - WORD : 0, high))
    return FALSE;
  time = scan->high + (gint64) ts_btf_digits_value (low);
  if (G_UNLIKELY (time > btf->limit))
    return FALSE;
  record->time = time * btf->factor;
  record->instance = (gint32) ts_btf_digits_value (instance);
  record->is_plain = TRUE;
  return TRUE;
}

/* A line of which only its marks are known. */
typedef struct
{
  const char *begin, *next; /* the line after it */
  const char *p;            /* where its marks were looked for */
  Marks       at;
  Texts       texts;
  gsize       place; /* where its pattern may be */
} Sight;

/* All marks in the two blocks at @p, of which those in the first are @found. */
static gboolean
find_marks (const char *p, const char *end, guint64 found, Marks *at)
{
  gsize marks[TS_BTF_FIELDS], from = 0;

  for (guint n = 0; n < TS_BTF_FIELDS; n++)
    {
      if (found == 0)
        {
          from += TS_BTF_BLOCK;
          if (from == MAX_WIDTH || end - p < MAX_WIDTH || (found = ts_btf_find (p + from, ',', '\n')) == 0)
            return FALSE;
        }
      marks[n] = from + (guint) __builtin_ctzll (found);
      found &= found - 1;
    }
  *at = (Marks){ marks[0], marks[1], marks[2], marks[4], marks[5], marks[6] };
  return TRUE;
}

static inline gsize
first (guint64 marks)
{
  return (guint) __builtin_ctzll (marks);
}

/* Finds the marks of up to @n lines, and asks for their patterns: with many elements they come from far.
 * Whether these really are lines of events turns out when their texts are compared. Returns their number. */
static guint
look_ahead (TsBtfScan *scan, const char *begin, const char *end, Sight *sights, guint n)
{
  guint i = 0;

  for (; i < n && end - begin >= TS_BTF_BLOCK + MAX_DIGITS; i++)
    {
      Sight      *sight = &sights[i];
      const char *p = begin + scan->n_skip, *next;
      guint64     newline = ts_btf_find (p, '\n', '\n'), time = ts_btf_find (p, ',', '\n'), source = time & (time - 1);
      guint64     source_instance = source & (source - 1), type = source_instance & (source_instance - 1);
      guint64     target = type & (type - 1), instance = target & (target - 1), event = instance & (instance - 1);

      if (G_LIKELY (event != 0 && newline != 0))
        {
          sight->at = (Marks){ first (time), first (source), first (source_instance), first (target),
                               first (instance), first (event) };
          /* sooner than by the marks: the next line need not wait for them */
          next = p + first (newline) + 1;
        }
      else
        {
          if (!find_marks (p, end, time, &sight->at))
            break;
          /* a time has no fewer digits than the one before: no mark is among them, or they turn out to be none */
          scan->n_skip = MIN (scan->n_skip + sight->at.time, MAX_DIGITS);
          next = memchr (p + sight->at.event, '\n', (gsize) MIN (end - p - (gssize) sight->at.event, MAX_NOTE));
          if (next == NULL)
            break;
          next++;
        }
      sight->begin = begin;
      sight->p = p;
      sight->next = next;
      sight->texts = texts_of (p, sight->at);
      sight->place = hash_line (scan, &sight->texts, p, sight->at);
      __builtin_prefetch (&scan->patterns[sight->place]);
      begin = next;
    }
  return i;
}

/* FALSE: it has to take the long way. */
static inline gboolean
take_line (TsBtf *btf, const Sight *sight)
{
  TsBtfScan         *scan = btf->scan;
  const Pattern     *pattern = &scan->patterns[sight->place];
  const TsBtfEntity *entity;
  TsBtfRecord        record;
  TsBtfLine          line;

  if (G_UNLIKELY (!has_ends (pattern, &sight->texts))
      || ((pattern->known.flags & IS_LONG) != 0 && !has_long_texts (scan, pattern, sight->p, sight->at)))
    {
      pattern = find_from (scan, sight->place, sight->p, sight->at);
      if (pattern == NULL)
        {
          scan->is_missing = TRUE;
          return FALSE;
        }
    }
  if (G_UNLIKELY (!read_numbers (btf, sight->begin, sight->p, sight->at, &record)))
    return FALSE;
  entity = ts_btf_entity_info (btf, pattern->known.entity);
  record.known = pattern->known;
  record.name = entity->name;
  record.type = entity->type;
  record.source_instance
      = (TsBtfText){ sight->p + sight->at.source + 1, sight->at.source_instance - sight->at.source - 1 };
  record.line = &line;
  if (G_UNLIKELY (!record.is_plain || (pattern->known.flags & HAS_NOTE) != 0))
    {
      record.is_plain = FALSE;
      ts_btf_split_whole (sight->begin, sight->next - 1, &line);
    }
  else
    {
      line.begin = sight->begin;
      line.end = sight->next - 1;
      line.n_commas = TS_BTF_FIELDS - 1;
    }
  btf->line++;
  ts_btf_take_record (btf, &record);
  return TRUE;
}

const char *
ts_btf_scan (TsBtf *btf, const char *bytes, const char *begin, const char *end)
{
  TsBtfScan *scan = btf->scan;
  Sight      sights[MAX_AHEAD];
  guint      n, n_most = 1;

  if (scan == NULL)
    return begin;
  scan->is_missing = FALSE;
  scan->n_skip = 0;
  if (!btf->begun || begin - bytes < END)
    return begin;
  while ((n = look_ahead (scan, begin, end, sights, n_most)) > 0)
    {
      for (guint i = 0; i < n; i++)
        {
          if (!take_line (btf, &sights[i]))
            return begin;
          begin = sights[i].next;
          if (G_UNLIKELY (btf->error != NULL))
            return begin;
        }
      n_most = MIN (2 * n_most, MAX_AHEAD);
    }
  return begin;
}
