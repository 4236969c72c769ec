/* SPDX-License-Identifier: MIT */
#include "config.h"

#include <string.h>

#include "import/etf-fields.h"
#include "import/etf.h"

/* A quick reader of claims, events and dependencies, which are nearly all of a file: ids, numbers, blanks between them, and
 * attributes. What 64 bytes of a line are is found out at once, so that numbers of all lengths and any
 * number of blanks cost no branch that cannot be foreseen. Nothing has changed before a line is known to be good, so that
 * what is odd or wrong can be left to the readers of any line, which also say what is wrong with it. */

/* The fields of a line, and what is looked at behind them, are no longer than this. */
#define MAX_FIELDS TS_ETF_MAX_SCAN
#define MAX_NUMBERS 6
/* What is between blanks where there are many of these is no longer than this. */
#define LONG_TEXT 32
#define MANY_UNLIKE 64
#define UNLIKE_TO_COME 1000
/* Where the `;' may be: behind it there are bits for the edges of all numbers that a line may be asked for, or for those of
 * one, where it has all others. */
#define SAFE_SEPARATOR (TS_MARKS_BLOCK - 2 * MAX_NUMBERS - 1)
#define MAX_SEPARATOR (TS_MARKS_BLOCK - 3)

static inline guint
digit_of (char c)
{
  return (guint) (guchar) c - '0';
}

/* Ids */

/* An id that is no number as ids are written. */
static gboolean G_GNUC_NO_INLINE
take_text_id (TsEtf *etf, const TsEtfFields *fields, TsEtfPlace at, guint64 *id)
{
  *id = ts_etf_text_id (etf, (TsEtfText){ fields->p + at.begin, at.end - at.begin });
  return TRUE;
}

/* Resources have short ids, and of these some begin with a 0 and others do not: no branch asks for that alone. What is in
 * front of the digits is none, and no number either. */
static TS_ALWAYS_INLINE gboolean
take_id (TsEtf *etf, const TsEtfFields *fields, TsEtfPlace at, TsEtfHigh *high, guint64 *id)
{
  if (G_UNLIKELY ((guchar) fields->p[at.begin] < '0' + (at.end - at.begin > 1)))
    return take_text_id (etf, fields, at, id);
  if (G_UNLIKELY (fields->others != 0) && ts_etf_others_in (fields, at) != 0)
    return take_text_id (etf, fields, at, id);
  return ts_etf_take_whole (fields, at, high, id);
}

/* Lines. FALSE: others have to look at it. */

/* The attributes and the end of a line. */
static TS_ALWAYS_INLINE void
recall (TsEtf *etf, TsEtfLine *line, guint8 kind)
{
  etf->kind = kind;
  if (etf->scan.alike[kind].has_list)
    line->attributes = ts_etf_alike_list (etf, line->list, &line->end);
  if (G_LIKELY (line->attributes != NULL))
    return;
  line->attributes = ts_etf_attributes_recall (etf, line->list, &line->end);
  if (G_LIKELY (line->attributes != NULL))
    {
      ts_etf_alike_miss_list (etf, line->list);
      return;
    }
  line->end = memchr (line->list, '\n', (gsize) (etf->limit - line->list));
  line->end -= line->end[-1] == '\r';
}

static TS_ALWAYS_INLINE gboolean
scan_claim (TsEtf *etf, const char *begin, TsEtfFields *fields, TsEtfLine *line)
{
  TsEtfPlace     id = ts_etf_next_number (fields), t0 = ts_etf_next_number (fields), t1 = ts_etf_next_number (fields);
  TsEtfPlace     resource_id = ts_etf_next_number (fields), amount = ts_etf_next_number (fields);
  TsEtfResource *resource;
  TsEtfClaim     claim;
  TsEtfHigh      high = { 0, 0 };
  guint64        number;
  gint64         offset = 0;

  if (G_UNLIKELY (!take_id (etf, fields, id, &etf->scan.id, &line->id)
                  || !ts_etf_take_scaled (fields, t0, etf->decimals, &etf->scan.time, &claim.t0)
                  || !ts_etf_take_scaled (fields, t1, etf->decimals, &etf->scan.time, &claim.t1)
                  || !take_id (etf, fields, resource_id, &high, &number)))
    return FALSE;
  claim.resource = ts_etf_ids_find (&etf->resource_ids, number);
  if (G_UNLIKELY (claim.resource == TS_ETF_NONE))
    return FALSE;
  resource = &g_array_index (etf->resources, TsEtfResource, claim.resource);
  if (resource->uses_offset)
    {
      if (!ts_etf_take_scaled (fields, amount, etf->amount_decimals, &high, &offset))
        return FALSE;
      amount = ts_etf_next_number (fields);
    }
  if (G_UNLIKELY (!ts_etf_are_all (fields)
                  || !ts_etf_take_scaled (fields, amount, etf->amount_decimals, &high, &claim.amount)
                  || resource->line == 0 || offset < 0 || claim.amount < 0 || offset + claim.amount > TS_ETF_AMOUNT_LIMIT))
    return FALSE;
  recall (etf, line, TS_ETF_OF_CLAIM);
  if (!ts_etf_take_claim (etf, begin, line, &claim))
    return FALSE;
  if (G_UNLIKELY (offset + claim.amount > resource->capacity))
    {
      /* none is like it, so that each comes here */
      ts_etf_note_extent (etf, resource, claim.amount, offset);
      return TRUE;
    }
  if (fields->p == begin && ts_etf_alike_is_due (etf))
    ts_etf_alike_learn (etf, begin, (guint8[]){ id.begin, id.end, t0.begin, t0.end, t1.begin, t1.end, amount.end },
                        line, &claim);
  return TRUE;
}

static TS_ALWAYS_INLINE gboolean
scan_event (TsEtf *etf, const char *begin, TsEtfFields *fields, TsEtfLine *line)
{
  TsEtfPlace id = ts_etf_next_number (fields), at = ts_etf_next_number (fields);
  gint64     time;

  if (G_UNLIKELY (!ts_etf_are_all (fields) || !take_id (etf, fields, id, &etf->scan.id, &line->id)
                  || !ts_etf_take_scaled (fields, at, etf->decimals, &etf->scan.time, &time)))
    return FALSE;
  recall (etf, line, TS_ETF_OF_EVENT);
  if (!ts_etf_take_event (etf, begin, line, time))
    return FALSE;
  if (fields->p == begin && ts_etf_alike_is_due (etf))
    ts_etf_alike_learn (etf, begin, (guint8[]){ id.begin, id.end, at.begin, at.end }, line, NULL);
  return TRUE;
}

static gboolean G_GNUC_NO_INLINE
scan_dependency (TsEtf *etf, const char *begin, TsEtfFields *fields, TsEtfLine *line)
{
  TsEtfPlace      id = ts_etf_next_number (fields), type = ts_etf_next_number (fields);
  TsEtfPlace      source = ts_etf_next_number (fields), destination = ts_etf_next_number (fields);
  TsEtfDependency dependency;
  TsEtfHigh       high = { 0, 0 };

  if (!ts_etf_are_all (fields) || !take_id (etf, fields, id, &etf->scan.id, &line->id) || type.end - type.begin != 1
      || digit_of (fields->p[type.begin]) > TS_ETF_LAST_DEPENDENCY
      || !take_id (etf, fields, source, &high, &dependency.source)
      || !take_id (etf, fields, destination, &high, &dependency.destination))
    return FALSE;
  dependency.type = (guint8) digit_of (fields->p[type.begin]);
  recall (etf, line, TS_ETF_OF_DEPENDENCY);
  if (line->end - begin > TS_ETF_MAX_LINE || etf->dependency_ids.n == TS_ETF_MAX_RECORDS
      || !ts_etf_ids_add (&etf->dependency_ids, line->id))
    return FALSE;
  line->attributes = ts_etf_begin_line (etf, line);
  dependency.line = etf->line;
  ts_etf_add_dependency (etf, &dependency, line->attributes);
  return TRUE;
}

static TS_ALWAYS_INLINE gboolean
scan_statement (TsEtf *etf, const char *begin, TsEtfFields *fields, TsEtfLine *line)
{
  switch (*fields->p)
    {
    case 'C':
      return scan_claim (etf, begin, fields, line);
    case 'E':
      return scan_event (etf, begin, fields, line);
    default:
      return scan_dependency (etf, begin, fields, line);
    }
}

/* Whether there are bits for all edges of fields whose `;' is at @separator. */
static TS_ALWAYS_INLINE gboolean
has_enough (const TsEtfFields *fields, guint separator)
{
  return G_LIKELY (separator <= SAFE_SEPARATOR)
         || __builtin_popcountll (fields->edges & ~fields->behind) >= 2 * (MAX_NUMBERS - 1);
}

/* Behind the `;' at @separator and the blanks there: lists that are known begin with a key. */
static TS_ALWAYS_INLINE const char *
find_list (const TsEtfFields *fields, const char *separator)
{
  guint64 behind = (fields->texts | (guint64) 1 << 63) >> (separator - fields->p);

  return separator + ts_marks_first (ts_marks_but_first (behind));
}

/* The fields at @text, which begin with the kind of a line. Returns the `;' behind them, or the end of the line. NULL: they
 * are too long. */
static TS_ALWAYS_INLINE const char *
find_fields (const char *text, TsEtfFields *fields)
{
  guint64 digits = ts_marks_find_digits (text), texts = ~ts_marks_find (text, ' ', '\t'), others, behind;
  guint   separator;

  others = (texts & ~digits & ~(guint64) 1) | (guint64) 1 << 63;
  separator = (guint) __builtin_ctzll (others);
  if (G_UNLIKELY (text[separator] != ';'))
    separator = (guint) __builtin_ctzll (ts_marks_find (text, ';', '\n') | (guint64) 1 << 63);
  others &= ((guint64) 1 << separator) - 1;
  digits |= others;
  behind = G_MAXUINT64 << 1 << separator;
  digits ^= digits << 1;
  *fields = (TsEtfFields){ text, digits | behind, behind, others, texts };
  return G_LIKELY (separator <= MAX_SEPARATOR && has_enough (fields, separator)) ? text + separator : NULL;
}

/* Fields of a line that go beyond a block, put together with one blank between them. */
typedef struct
{
  TsEtfFields fields;
  guint       at;      /* so many bytes of them are there */
  gboolean    is_open; /* the last one may go on in the next block */
  char        text[TS_MARKS_BLOCK + LONG_TEXT];
} Copy;

static void
add_edge (Copy *copy)
{
  copy->fields.edges |= (guint64) 1 << copy->at;
}

/* Adds those of the block at @p. @texts has a bit for each byte that is of one. FALSE: there is no room for them. */
static gboolean
copy_texts (Copy *copy, const char *p, guint64 texts, guint64 digits)
{
  if (copy->is_open && (texts & 1) == 0)
    {
      copy->is_open = FALSE;
      add_edge (copy);
    }
  while (texts != 0)
    {
      guint   begin = (guint) __builtin_ctzll (texts);
      guint64 behind = texts + ((guint64) 1 << begin); /* 0: it goes up to the end */
      guint   length = (behind != 0 ? (guint) __builtin_ctzll (behind) : TS_MARKS_BLOCK) - begin;

      if (!copy->is_open)
        {
          copy->text[copy->at++] = ' ';
          add_edge (copy);
        }
      if (length > LONG_TEXT || copy->at + length >= MAX_SEPARATOR)
        return FALSE;
      memcpy (copy->text + copy->at, p + begin, LONG_TEXT);
      copy->fields.others |= (~digits >> begin & (((guint64) 1 << length) - 1)) << copy->at;
      copy->at += length;
      copy->is_open = behind == 0;
      if (!copy->is_open)
        add_edge (copy);
      texts &= behind;
    }
  return TRUE;
}

/* The fields of the line whose kind is at @p. Returns the `;' behind them. NULL: there is none, or they are too long. */
static const char *
copy_fields (Copy *copy, const char *p, const char *end)
{
  copy->fields = (TsEtfFields){ .p = copy->text };
  copy->text[0] = *p++;
  copy->at = 1;
  copy->is_open = FALSE;
  for (; p < end; p += TS_MARKS_BLOCK)
    {
      guint64 ends = ts_marks_find (p, ';', '\n'), texts = ~ts_marks_find (p, ' ', '\t');

      if (ends != 0)
        texts &= (ends ^ (ends - 1)) >> 1;
      if (!copy_texts (copy, p, texts, ts_marks_find_digits (p)))
        return NULL;
      if (ends == 0)
        continue;
      /* it is not open: no text goes up to the end of this block */
      copy->fields.behind = G_MAXUINT64 << 1 << copy->at;
      copy->fields.edges |= copy->fields.behind;
      p += ts_marks_first (ends);
      return *p == ';' && has_enough (&copy->fields, copy->at) ? p : NULL;
    }
  return NULL;
}

/* The line at @begin, which begins with its kind at @p, and has more blanks than usual. */
static gboolean G_GNUC_NO_INLINE
scan_long_line (TsEtf *etf, const char *begin, const char *p, TsEtfLine *line)
{
  Copy        copy;
  const char *separator = copy_fields (&copy, p, begin + MAX_FIELDS - 2 * TS_ETF_ROOM);

  if (separator == NULL)
    return FALSE;
  line->list = separator + 1;
  return scan_statement (etf, begin, &copy.fields, line);
}

/* The line at @begin was read by itself, and its fields end at @separator, or beyond a block, at NULL. Are there other blanks
 * around them than there were? Dependencies are always read so, and do not count. */
static inline void
note_blanks (TsEtf *etf, const char *begin, const TsEtfFields *fields, const char *separator)
{
  guint *before = &etf->copies.n_blanks[etf->kind], n = 0;

  if (etf->kind == TS_ETF_OF_DEPENDENCY)
    {
      etf->copies.line++;
      return;
    }
  if (separator != NULL)
    n = (guint) (fields->p - begin)
        + (guint) __builtin_popcountll (~fields->texts & (((guint64) 1 << (separator - fields->p)) - 1));
  ts_etf_note_single (etf, separator == NULL || n != *before);
  *before = n;
}

/* The line at @begin; returns the next one. NULL: others have to look at it. */
static const char *
scan_line (TsEtf *etf, const char *begin)
{
  const char *p = begin, *most = begin + TS_ETF_ROOM, *separator;
  TsEtfLine   line = { .end = NULL };
  TsEtfFields fields;
  gboolean    is_taken, has_list;

  while (G_UNLIKELY (ts_etf_is_blank (*p)) && p < most)
    p++;
  if (G_UNLIKELY (ts_etf_begin_of_next (p) > p))
    {
      etf->line++;
      return ts_etf_begin_of_next (p);
    }
  if (G_UNLIKELY (*p < 'C' || *p > 'E' || !ts_etf_is_blank (p[1])))
    return NULL;
  separator = find_fields (p, &fields);
  has_list = separator == NULL || *separator == ';';
  if (G_UNLIKELY (separator == NULL))
    is_taken = scan_long_line (etf, begin, p, &line);
  else if (G_UNLIKELY (!has_list && separator[-1] == '\r'))
    return NULL; /* that is part of the end */
  else
    {
      line.list = G_LIKELY (has_list) ? find_list (&fields, separator) : separator;
      is_taken = scan_statement (etf, begin, &fields, &line);
    }
  if (!is_taken)
    return NULL;
  if (G_UNLIKELY (!has_list))
    ts_etf_note (etf, NO_SEPARATOR, NULL);
  note_blanks (etf, begin, &fields, separator);
  return ts_etf_begin_of_next (line.end);
}

/* Those from @begin on that are like the ones before, which no dependency is. Where so many in succession were not, none is
 * looked for in the next ones. */
static const char *
scan_alike (TsEtf *etf, const char *begin, const char *end)
{
  const char *next = begin;

  if (*begin == 'D')
    return begin;
  if (etf->scan.n_unlike < MANY_UNLIKE)
    next = ts_etf_alike_lines (etf, begin, end);
  etf->scan.n_unlike = next == begin && etf->scan.n_unlike < MANY_UNLIKE + UNLIKE_TO_COME ? etf->scan.n_unlike + 1 : 0;
  return next;
}

/* Lines that are only looked at for how fine their stamps and amounts are */

/* So many digits are all of a number, whatever these are. */
#define SAFE_DIGITS 18

/* FALSE: it is no usual one, or finer than those before. */
static TS_ALWAYS_INLINE gboolean
look_at_number (TsEtfRange *range, const TsEtfFields *fields, TsEtfPlace at)
{
  const guint64 others = ts_etf_others_in (fields, at);
  TsEtfHigh     high = { 0, 0 };
  guint64       whole;

  if (at.end - at.begin > SAFE_DIGITS + 1)
    return FALSE;
  if (others != 0)
    {
      const guint point = (guint) __builtin_ctzll (others);

      if (fields->p[point] != '.' || ts_marks_but_first (others) != 0 || (gint) (at.end - point) - 1 > range->decimals)
        return FALSE;
      at.end = point;
    }
  if (at.begin == at.end || !ts_etf_take_whole (fields, at, &high, &whole))
    return FALSE;
  range->largest_whole = MAX (range->largest_whole, whole + 1);
  return TRUE;
}

/* A claim or an event at @begin; returns the next line. NULL: others have to look at it. */
static const char *
look_at_line (TsEtf *etf, const char *begin)
{
  const gboolean is_claim = *begin == 'C';
  const char    *separator, *newline;
  TsEtfFields    fields;
  TsEtfPlace     places[TS_ETF_MAX_FIELDS];
  guint          n = 0;

  if ((!is_claim && *begin != 'E') || !ts_etf_is_blank (begin[1]))
    return NULL;
  separator = find_fields (begin, &fields);
  newline = memchr (begin, '\n', (gsize) (etf->limit - begin));
  if (separator == NULL || *separator != ';' || newline - begin > TS_ETF_MAX_LINE)
    return NULL;
  while (!ts_etf_are_all (&fields) && n < G_N_ELEMENTS (places))
    places[n++] = ts_etf_next_number (&fields);
  if (!ts_etf_are_all (&fields) || (is_claim ? n != 5 && n != 6 : n != 2))
    return NULL;
  for (guint i = 1; i < n; i++)
    if (i != 3 && !look_at_number (i < 3 ? &etf->stamp_range : &etf->amount_range, &fields, places[i]))
      return NULL;
  etf->line++;
  return newline + 1;
}

static const char *
look_at_lines (TsEtf *etf, const char *begin, const char *end)
{
  while (end - begin >= MAX_FIELDS && etf->line < G_MAXUINT32)
    {
      const char *next = look_at_line (etf, begin);

      if (next == NULL)
        break;
      begin = next;
    }
  return begin;
}

const char *
ts_etf_scan (TsEtf *etf, const char *begin, const char *end)
{
  /* the first line may have a byte order mark */
  if (etf->scan.is_off || etf->line == 0)
    return begin;
  if (etf->only_looks)
    return look_at_lines (etf, begin, end);
  for (const char *first = begin;
       end - begin >= MAX_FIELDS && etf->line < G_MAXUINT32 && !ts_etf_wants_copy (etf, (gsize) (end - begin));)
    {
      const char *next;

      /* in front of the first one there may be nothing to look at */
      if (begin != first)
        {
          begin = scan_alike (etf, begin, end);
          if (end - begin < MAX_FIELDS || etf->line == G_MAXUINT32)
            break;
        }
      next = scan_line (etf, begin);
      if (next == NULL)
        break;
      begin = next;
    }
  return begin;
}
