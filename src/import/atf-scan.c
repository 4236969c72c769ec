/* SPDX-License-Identifier: MIT */
#include "config.h"

#include <string.h>

#include "import/atf.h"

/* A quick reader of trace entries. Nearly all of an ATF file is TraceEntry elements that
 * one program wrote in one way. Where libxml2 has read everything up to a point between
 * two children of TraceData, entries of plain digits are read here, and the rest of the
 * document goes on to libxml2. What is read here is well-formed by construction; anything
 * else, down to a duplicate attribute, is left for libxml2 to judge.
 *
 * The text around the three numbers is learnt from one entry, and the next ones are only
 * compared with it, eight bytes at a time. */

/* An entry that is longer, blanks included, goes to libxml2: so what goes there does not
 * depend on how the input is cut into blocks. */
#define MAX_ENTRY 1024
#define MAX_DIGITS 18
#define WORD 8
#define N_NUMBERS 3
/* With constant roles nothing is left of the choices between them. */
#define IN_LINE inline __attribute__ ((always_inline))
/* What the quick comparison may read past the end of an entry. */
#define READ_AHEAD (4 * (TS_ATF_SCAN_WORDS * WORD) + N_NUMBERS * 2 * 4 * WORD)

static inline guint64
load (const guint8 *p)
{
  guint64 word;

  memcpy (&word, p, sizeof word);
  return word;
}

static gboolean
literal_set (TsAtfLiteral *literal, const guint8 *text, gsize length)
{
  guint8 padded[WORD] = { 0 };

  if (length > TS_ATF_SCAN_WORDS * WORD)
    return FALSE;
  memcpy (padded, text, MIN (length, WORD));
  literal->length = (guint) length;
  literal->first = literal->last = load (padded);
  literal->mask = length < WORD ? GUINT64_TO_LE (((guint64) 1 << (length * 8)) - 1) : G_MAXUINT64;
  literal->tail = 0;
  literal->n_words = 0;
  if (length <= WORD)
    return TRUE;
  literal->tail = (guint) length - WORD;
  literal->last = load (text + literal->tail);
  for (gsize at = WORD; at < literal->tail; at += WORD)
    literal->words[literal->n_words++] = load (text + at);
  return TRUE;
}

/* The last word overlaps the one before, or is the first one again, so that only a text
 * shorter than a word needs the mask, and most texts no loop. */
static inline gboolean
literal_matches (const TsAtfLiteral *literal, const guint8 *p)
{
  guint64 difference = ((load (p) ^ literal->first) | (load (p + literal->tail) ^ literal->last)) & literal->mask;

  for (guint i = 0; i < literal->n_words; i++)
    difference |= load (p + (i + 1) * WORD) ^ literal->words[i];
  return difference == 0;
}

/* A number as it stands in an entry. */
typedef struct
{
  const guint8 *begin, *end;
} Number;

/* Digits, and with @point decimals. Not read past @end. FALSE: none, or more than are quick. */
static gboolean
read_number (const guint8 *p, const guint8 *end, gboolean point, Number *number)
{
  const guint8 *begin = p, *decimals;

  while (p < end && g_ascii_isdigit (*p))
    p++;
  if (p == begin)
    return FALSE;
  number->begin = begin;
  number->end = p;
  if (point && p < end && *p == '.')
    {
      for (decimals = ++p; p < end && g_ascii_isdigit (*p);)
        p++;
      number->end = p;
      if (p == decimals)
        return FALSE;
    }
  return p - begin <= MAX_DIGITS;
}

static const guint64 powers_of_ten[] = { 1, 10, 100, 1000, 10000, 100000, 1000000, 10000000, 100000000 };

/* As many digits as stand in the eight bytes at @p, all at once: each byte less '0' is a
 * digit if it is at most 9; the digits move to the high end, and neighbours are added up
 * in pairs, fours and eights. */
static inline guint
read_digits (const guint8 *p, guint64 *value)
{
  guint64 digits = GUINT64_FROM_LE (load (p)) ^ G_GUINT64_CONSTANT (0x3030303030303030);
  guint64 others = ((digits + G_GUINT64_CONSTANT (0x7676767676767676)) | digits) & G_GUINT64_CONSTANT (0x8080808080808080);
  guint   n_bits = others != 0 ? (guint) __builtin_ctzll (others) & ~7u : 64;

  if (G_UNLIKELY (n_bits == 0))
    {
      *value = 0;
      return 0;
    }
  digits <<= 64 - n_bits;
  digits = digits * 10 + (digits >> 8);
  *value = ((digits & G_GUINT64_CONSTANT (0x000000ff000000ff)) * G_GUINT64_CONSTANT (0x000f424000000064)
            + ((digits >> 16) & G_GUINT64_CONSTANT (0x000000ff000000ff)) * G_GUINT64_CONSTANT (0x0000271000000001))
           >> 32;
  return n_bits / 8;
}

/* Up to 24 digits from @p on, behind which bytes can be read; @value holds 18 of them surely. */
static inline const guint8 *
read_all_digits (const guint8 *p, guint64 *value)
{
  guint64 digits;
  guint   n = read_digits (p, value);

  p += n;
  for (guint groups = 1; n == WORD && groups < 3; groups++)
    {
      n = read_digits (p, &digits);
      *value = *value * powers_of_ten[n] + digits;
      p += n;
    }
  return p;
}

/* Ids are not converted every time: the eight bytes where one stands, which end with the
 * same text after it, say what it was the last time. */

void
ts_atf_scan_forget (TsAtf *atf)
{
  memset (atf->scan.kinds, 0, sizeof atf->scan.kinds);
  memset (atf->scan.elements, 0, sizeof atf->scan.elements);
}

/* @memo becomes that of the id at @p. Its length is 0 if that is none. */
static void
look_up (const TsAtf *atf, guint8 role, const guint8 *p, TsAtfMemo *memo)
{
  const TsAtfTables *tables = atf->lookup;
  guint64            id;
  gsize              length = (gsize) (read_all_digits (p, &id) - p);
  guint32            found;

  *memo = (TsAtfMemo){ .bytes = length < WORD ? load (p) : 0, .value = TS_ATF_NO_VALUE };
  if (length == 0 || length > MAX_DIGITS)
    return;
  memo->length = (guint8) length;
  found = ts_atf_ids_find (role == TS_ATF_SCAN_EVENT ? &tables->event_ids : &tables->element_ids, id);
  if (found == TS_ATF_NO_VALUE)
    return;
  if (role == TS_ATF_SCAN_EVENT)
    {
      TsEventKind kind = g_array_index (tables->mappings, TsAtfMapping, found).kind;

      memo->value = kind == TS_EVENT_USER ? TS_ATF_NO_VALUE : kind;
    }
  else
    {
      memo->value = found;
      memo->resource = g_array_index (tables->elements, TsAtfElement, found).resource;
    }
}

static inline guint
slot_of (guint64 bytes, guint bits)
{
  return (guint) ((bytes * G_GUINT64_CONSTANT (0x9e3779b97f4a7c15)) >> (64 - bits));
}

static IN_LINE const TsAtfMemo *
recall (TsAtf *atf, guint8 role, const guint8 *p)
{
  guint64    bytes = load (p);
  gboolean   is_event = role == TS_ATF_SCAN_EVENT;
  TsAtfMemo *memos = is_event ? atf->scan.kinds : atf->scan.elements;
  TsAtfMemo *memo = &memos[slot_of (bytes, is_event ? TS_ATF_SCAN_KIND_BITS : TS_ATF_SCAN_ELEMENT_BITS)];

  /* one that is not kept has the bytes 0, which stand before no id */
  if (G_UNLIKELY (memo->bytes != bytes))
    look_up (atf, role, p, memo);
  return memo;
}

/* An entry that is like the one before. */
typedef struct
{
  guint64          time; /* without its point */
  guint            n_decimals;
  gboolean         is_usual; /* the time: no zero in front */
  const TsAtfMemo *event, *reference;
} Entry;

/* What follows the point of a time: returns its end, or NULL. */
static const guint8 *
read_decimals (const guint8 *p, Entry *entry)
{
  guint64       decimals;
  const guint8 *end = read_all_digits (p, &decimals);

  entry->n_decimals = (guint) (end - p);
  for (guint i = 0; i < entry->n_decimals; i++)
    entry->time *= 10;
  entry->time += decimals;
  return end > p ? end : NULL;
}

/* Reads the number at @p; returns its end, or NULL. */
static IN_LINE const guint8 *
read_role (TsAtf *atf, guint8 role, const guint8 *p, Entry *entry)
{
  const TsAtfMemo *memo;
  const guint8    *end;

  if (role != TS_ATF_SCAN_TIME)
    {
      memo = recall (atf, role, p);
      if (role == TS_ATF_SCAN_EVENT)
        entry->event = memo;
      else
        entry->reference = memo;
      return memo->length > 0 ? p + memo->length : NULL;
    }
  end = read_all_digits (p, &entry->time);
  entry->n_decimals = 0;
  entry->is_usual = *p != '0' || end - p == 1;
  if (G_UNLIKELY (*end == '.' && end > p && end - p < MAX_DIGITS))
    end = read_decimals (end + 1, entry);
  return end > p && end - p <= MAX_DIGITS ? end : NULL;
}

/* The same entry again, with other numbers: returns its end, or NULL. @p has READ_AHEAD bytes behind it. */
static IN_LINE const guint8 *
match_roles (TsAtf *atf, const TsAtfTemplate *template, const guint8 *p, Entry *entry, guint8 first, guint8 second,
             guint8 third)
{
  const TsAtfLiteral *between = template->between;

  if (!literal_matches (&between[0], p) || (p = read_role (atf, first, p + between[0].length, entry)) == NULL
      || !literal_matches (&between[1], p) || (p = read_role (atf, second, p + between[1].length, entry)) == NULL
      || !literal_matches (&between[2], p) || (p = read_role (atf, third, p + between[2].length, entry)) == NULL
      || !literal_matches (&between[3], p))
    return NULL;
  return p + between[3].length;
}

static inline const guint8 *
match_template (TsAtf *atf, const TsAtfTemplate *template, const guint8 *p, Entry *entry)
{
  /* the order of the specification has code of its own */
  if (G_LIKELY (template->is_in_order))
    return match_roles (atf, template, p, entry, TS_ATF_SCAN_TIME, TS_ATF_SCAN_EVENT, TS_ATF_SCAN_REFERENCE);
  return match_roles (atf, template, p, entry, template->roles[0], template->roles[1], template->roles[2]);
}

/* The stamp of an entry in internal units; FALSE if it is beyond their limit, or falls between two of them. */
static inline gboolean
stamp_of (const TsAtf *atf, const Entry *entry, gint64 *stamp)
{
  gint64 factor = atf->scale;

  if (G_LIKELY (entry->n_decimals == 0))
    {
      *stamp = (gint64) entry->time * factor;
      return entry->time <= (guint64) atf->whole_limit;
    }
  for (guint i = entry->n_decimals; i > 0; i--)
    {
      if (factor % 10 != 0)
        return FALSE;
      factor /= 10;
    }
  *stamp = (gint64) entry->time * factor;
  return entry->time <= (guint64) (TS_TIME_LIMIT / factor);
}

/* What ts_atf_event() does, for events that mean something to an element and are in their section. FALSE: it is
 * another one. */
static inline gboolean
take_quickly (TsAtf *atf, const Entry *entry, guint64 line)
{
  gint64 stamp;

  if (G_UNLIKELY (!entry->is_usual || !stamp_of (atf, entry, &stamp) || stamp < atf->from || stamp > atf->to
                  || entry->event->value == TS_ATF_NO_VALUE || entry->reference->value == TS_ATF_NO_VALUE))
    return FALSE;
  ts_atf_append (atf, entry->event->value, stamp, entry->reference->value, entry->reference->resource, line);
  return TRUE;
}

/* The entry at @p, which is like the template, is one that only ts_atf_entry() knows what to say about. */
static void
take_slowly (TsAtf *atf, const TsAtfTemplate *template, const guint8 *p, guint64 line)
{
  TsAtfText texts[N_NUMBERS];

  for (guint i = 0; i < N_NUMBERS; i++)
    {
      const guint8 *begin = p + template->between[i].length;

      for (p = begin; g_ascii_isdigit (*p) || *p == '.'; p++)
        ;
      texts[template->roles[i]] = (TsAtfText){ (const char *) begin, (const char *) p };
    }
  ts_atf_entry (atf, &texts[TS_ATF_SCAN_TIME], &texts[TS_ATF_SCAN_EVENT], &texts[TS_ATF_SCAN_REFERENCE], line);
}

/* The long way through one entry */

static void
take_entry (TsAtf *atf, const Number *numbers, guint64 line)
{
  TsAtfText texts[N_NUMBERS];

  for (guint i = 0; i < N_NUMBERS; i++)
    texts[i] = (TsAtfText){ (const char *) numbers[i].begin, (const char *) numbers[i].end };
  ts_atf_entry (atf, &texts[TS_ATF_SCAN_TIME], &texts[TS_ATF_SCAN_EVENT], &texts[TS_ATF_SCAN_REFERENCE], line);
}

typedef enum
{
  FOUND,
  CUT,   /* the bytes end within what may be an entry */
  OTHER, /* not an entry, or none that is read here */
} Finding;

static const guint8 *
skip_blanks (const guint8 *p, const guint8 *end)
{
  while (p < end && (*p == ' ' || *p == '\n' || *p == '\t' || *p == '\r'))
    p++;
  return p;
}

/* Moves over @text if it stands at *p. */
static Finding
expect (const guint8 **p, const guint8 *end, const char *text)
{
  gsize length = strlen (text), available = MIN (length, (gsize) (end - *p));

  if (memcmp (*p, text, available) != 0)
    return OTHER;
  *p += available;
  return available == length ? FOUND : CUT;
}

static Finding
find_attribute (const guint8 **p, const guint8 *end, Number *numbers, guint8 *role)
{
  static const char *const names[N_NUMBERS] = { "Time=\"", "EventID=\"", "ReferenceID=\"" };
  Finding                  finding = OTHER;

  for (*role = 0; *role < N_NUMBERS; ++*role)
    {
      const guint8 *start = *p;

      finding = expect (&start, end, names[*role]);
      if (finding == OTHER)
        continue;
      *p = start;
      break;
    }
  if (finding != FOUND)
    return finding;
  if (!read_number (*p, end, *role == TS_ATF_SCAN_TIME, &numbers[*role]))
    return *p == end || (end - *p <= MAX_DIGITS && numbers[*role].end == end) ? CUT : OTHER;
  *p = numbers[*role].end;
  return expect (p, end, "\"");
}

/* From @p, the end of the child before, to the end of an entry. */
static Finding
find_entry (const guint8 *p, const guint8 *end, Number *numbers, guint8 *roles, const guint8 **entry_end)
{
  guint   seen = 0;
  Finding finding;

  memset (numbers, 0, N_NUMBERS * sizeof *numbers);
  p = skip_blanks (p, end);
  finding = expect (&p, end, "<TraceEntry");
  for (guint i = 0; i < N_NUMBERS && finding == FOUND; i++)
    {
      const guint8 *name = skip_blanks (p, end);

      if (name == end)
        return CUT;
      if (name == p)
        return OTHER;
      p = name;
      finding = find_attribute (&p, end, numbers, &roles[i]);
      if (finding == FOUND && (seen & (1u << roles[i])) != 0)
        return OTHER;
      seen |= 1u << roles[i];
    }
  if (finding != FOUND)
    return finding;
  p = skip_blanks (p, end);
  if (p < end && *p == '>')
    finding = expect (&p, end, "></TraceEntry>");
  else
    finding = expect (&p, end, "/>");
  *entry_end = p;
  return finding;
}

static guint
count_lines (const guint8 *begin, const guint8 *end)
{
  guint n = 0;

  while ((begin = memchr (begin, '\n', (gsize) (end - begin))) != NULL)
    {
      n++;
      begin++;
    }
  return n;
}

/* The text around the numbers of the entry in [begin, end), for those to come. */
static void
learn (TsAtfTemplate *template, const guint8 *begin, const guint8 *end, const Number *numbers, const guint8 *roles)
{
  const guint8 *from = begin;

  template->is_known = TRUE;
  template->is_in_order = roles[0] == TS_ATF_SCAN_TIME && roles[1] == TS_ATF_SCAN_EVENT;
  for (guint i = 0; i < N_NUMBERS; i++)
    {
      template->roles[i] = roles[i];
      template->is_known &= literal_set (&template->between[i], from, (gsize) (numbers[roles[i]].begin - from));
      from = numbers[roles[i]].end;
    }
  template->is_known &= literal_set (&template->between[N_NUMBERS], from, (gsize) (end - from));
  template->lines_before = count_lines (begin, (const guint8 *) memchr (begin, '<', (gsize) (end - begin)));
  template->lines = count_lines (begin, end);
}

/* Entries that look like the one before, until one does not. Returns where that begins. */
static const guint8 *
scan_alike (TsAtf *atf, const guint8 *p, const guint8 *end, guint64 *line)
{
  const TsAtfTemplate *template = &atf->scan.template;
  Entry                entry = { 0 };

  /* the first one of a section opens it, and may be what is read again for */
  if (atf->lookup == NULL || atf->section == &atf->window)
    return p;
  while (end - p >= READ_AHEAD && atf->error == NULL)
    {
      const guint8 *next = match_template (atf, template, p, &entry);

      if (next == NULL)
        break;
      if (G_UNLIKELY (!take_quickly (atf, &entry, *line + template->lines_before)))
        take_slowly (atf, template, p, *line + template->lines_before);
      *line += template->lines;
      p = next;
    }
  return p;
}

gsize
ts_atf_scan (TsAtf *atf, const guint8 *bytes, gsize length, gboolean *stopped)
{
  const guint8  *p = bytes, *end = bytes + length, *entry_end = NULL;
  TsAtfTemplate *template = &atf->scan.template;
  guint64        line = ts_atf_line (atf);
  Number         numbers[N_NUMBERS];
  guint8         roles[N_NUMBERS];
  Finding        finding = FOUND;

  while (finding == FOUND && atf->error == NULL)
    {
      if (template->is_known)
        p = scan_alike (atf, p, end, &line);
      finding = find_entry (p, MIN (end, p + MAX_ENTRY), numbers, roles, &entry_end);
      if (finding == CUT && end - p >= MAX_ENTRY)
        finding = OTHER;
      if (finding != FOUND)
        break;
      learn (template, p, entry_end, numbers, roles);
      take_entry (atf, numbers, line + template->lines_before);
      line += template->lines;
      p = entry_end;
    }
  *stopped = finding == OTHER || atf->error != NULL;
  atf->scan.misses = p > bytes ? 0 : atf->scan.misses + *stopped;
  /* libxml2 goes on counting from here */
  atf->parser->input->line = (int) MIN (line, G_MAXINT);
  return (gsize) (p - bytes);
}
