/* SPDX-License-Identifier: MIT */
#include "config.h"

#include <string.h>

#include "import/etf.h"

/* What the next lines may be like: learnt from some of those that are not like the ones before. */

/* Of TS_ETF_LEARN_EVERY lines that were not like those before, the next ones may be like the last: if each were learnt,
 * lines that have no order in them would cost more than they save. Unless USUAL times as many were alike, that becomes twice
 * as many each time, up to 2^MOST_PATIENCE times, or 2^LAST_PATIENCE if not even one in RARE was alike. If so many were,
 * nothing is learnt but the text behind the stamps, and a second shape where that is of no use: the next line is rather like
 * those than like one that was not. */
#define MOST_PATIENCE 2
#define LAST_PATIENCE 6
#define USUAL 2
#define RARE 8
/* When so many texts of claims were not known, and that was more often than one line of OFTEN, there are too many to know. */
#define MANY_APART 64
#define OFTEN 4
/* Lists are learnt anew when so many were others. */
#define MOST_MISSED (2 * TS_ETF_LEARN_EVERY)

/* Of a number with zeros in front: those before the last eight bytes are at most so many that they are no overflow. */
#define MOST_LEARNT (8 + 18)

/* Lists */

/* Of no value. */
static const TsEtfKnownKey no_key;

/* Of this kind, so far. */
static guint32
n_lines (const TsEtf *etf)
{
  switch (etf->kind)
    {
    case TS_ETF_OF_CLAIM:
      return etf->claim_ids.n;
    case TS_ETF_OF_EVENT:
      return etf->event_ids.n;
    default:
      return etf->dependency_ids.n;
    }
}

static void
forget_list (TsEtfAlike *alike)
{
  alike->has_list = FALSE;
  alike->first = &no_key;
}

/* The list at @p. */
static void
learn_list (TsEtf *etf, TsEtfAlike *alike, const char *p)
{
  const TsEtfKnownKey *first = NULL;
  const guint64        list = ++etf->recall.n_lists;
  gboolean             is_plain = TRUE;

  forget_list (alike);
  alike->n_missed = 0;
  alike->most_missed = MOST_MISSED;
  alike->list_line = n_lines (etf);
  alike->has_usual_list = FALSE;
  memset (alike->steps, 0, sizeof alike->steps);
  memset (&alike->attributes, 0, sizeof alike->attributes);
  for (TsEtfStep *step = alike->steps; step < alike->steps + TS_ETF_STEPS; step++)
    {
      const char    *value = p;
      TsEtfKnownKey *key = ts_etf_attributes_key_at (etf, first != NULL ? p + 1 : p, &value);

      if (key == NULL || value - p > TS_ETF_LEAD || key->list == list || key->role.n > 1)
        return;
      key->list = list;
      step->is_asked = key->role.n;
      step->place = key->role.places[0];
      step->length = (guint8) (value - p);
      memcpy (step->lead, p, step->length);
      memset (step->mask, 0xff, step->length);
      if (first == NULL)
        {
          first = key;
          is_plain = step->is_asked && step->place == 0;
        }
      else
        is_plain = is_plain && !step->is_asked && step->length <= 16;
      p = ts_etf_find_end (value, etf->limit);
      if (p == NULL || (*p != ',' && *p != '\n'))
        return;
      if (*p == '\n')
        {
          alike->is_plain = is_plain;
          alike->last = step;
          alike->first = first;
          alike->has_list = TRUE;
          return;
        }
    }
}

void
ts_etf_alike_learn_list (TsEtf *etf, const char *p)
{
  TsEtfAlike *alike = &etf->scan.alike[etf->kind];
  gboolean    is_useless = alike->has_list && !alike->has_usual_list;

  if (alike->has_list && n_lines (etf) - alike->list_line >= 2 * alike->most_missed)
    {
      /* at least as many had it */
      alike->n_missed = alike->n_useless = 0;
      alike->list_line = n_lines (etf);
      alike->has_usual_list = TRUE;
      return;
    }
  learn_list (etf, alike, p);
  if (!is_useless && alike->has_list)
    return;
  forget_list (alike);
  alike->n_useless = MIN (alike->n_useless + 1, MOST_PATIENCE);
  alike->most_missed = 4 * MOST_MISSED << alike->n_useless;
}

/* Lines */

gboolean
ts_etf_alike_learn_fronts (TsEtfShape *shape, const char *p)
{
  for (guint i = 0; i <= TS_ETF_ID; i++)
    {
      guint  begin = shape->begins[i], end = shape->front_ends[i];
      gint64 front = 0;

      for (guint place = begin; place < end; place++)
        {
          guint digit = (guint) (guchar) p[place] - '0';

          if (shape->text[place] == '.')
            continue;
          if (digit > 9)
            return FALSE;
          front = 10 * front + digit;
        }
      if (front > shape->most_fronts[i])
        return FALSE;
      memcpy (shape->text + begin, p + begin, end - begin);
      shape->high[i] = front * shape->units[i] + (i == TS_ETF_ID ? shape->id_head : 0);
    }
  return TRUE;
}

/* Where the point of the number in [begin, end) of the line at @p is: @end, if there is none. */
static guint
find_point (const char *p, guint begin, guint end)
{
  const char *point = memchr (p + begin, '.', end - begin);

  return point != NULL ? (guint) (point - p) : end;
}

/* Where the digits of a number that ends at @end, and has its point at @point or none, are no longer worth anything in units
 * of 10^-k: what is behind them is part of the line's text. */
static guint
find_worth_end (guint point, guint end, gint k)
{
  const guint most = k > 0 ? point + 1 + (guint) k : point;

  return point < end ? MIN (end, most) : end;
}

/* Whether a number, which is no finer than 10^-k, is just digits, and a point where it may have one, and not too long. */
static gboolean
can_learn (const char *p, guint begin, guint end, gboolean may_have_point, gint k)
{
  guint point = find_point (p, begin, end);

  if (find_worth_end (point, end, k) - begin > MOST_LEARNT)
    return FALSE;
  for (guint place = begin; place < end; place++)
    if ((guint) (guchar) p[place] - '0' > 9 && (place != point || !may_have_point))
      return FALSE;
  while (begin + 1 < point && p[begin] == '0')
    begin++;
  return (gint) (point - begin) + k <= TS_ETF_MAX_DIGITS;
}

/* Number @i, in units of 10^-k, is the digits, and a point, from @begin to @behind of the line. */
static void
learn_number (TsEtfShape *shape, guint i, const char *p, guint begin, guint behind, gint k)
{
  guint end = find_worth_end (find_point (p, begin, behind), behind, k);
  guint point = find_point (p, begin, end), front_end = MAX (begin + 8, end) - 8;

  shape->masks[i] = shape->integers[i] = 0;
  shape->units[i] = 1;
  memset (shape->most_loose + begin, 0xff, front_end - begin);
  if (point < front_end)
    shape->most_loose[point] = 0;
  for (guint place = front_end; place < end; place++)
    {
      guint64 *masks = point < end && place < point ? shape->integers : shape->masks;

      if (place == point)
        continue;
      masks[i] |= (guint64) 0x0f << 8 * (place + 8 - end);
      shape->text[place] = '0';
      shape->most[place] = shape->most_loose[place] = 9;
      shape->units[i] *= 10;
    }
  shape->begins[i] = (guint8) begin;
  shape->front_ends[i] = (guint8) front_end;
  shape->ends[i] = (guint8) end;
  shape->factors[i] = ts_etf_power_of_ten (point < end ? k - (gint) (end - point - 1) : k);
  shape->most_fronts[i] = (TS_TIME_LIMIT / shape->factors[i] + 1) / shape->units[i] - 1;
}

/* Where the digits of @id begin, which stands in [begin, end) of the line at @p, and what is in front of them in *@head: 0, if
 * it is a number. FALSE: it does not end with digits that count on. */
static gboolean
find_id_digits (guint64 id, const char *p, guint8 *begin, guint8 end, gint64 *head)
{
  const TsEtfText text = { p + *begin, (gsize) (end - *begin) };
  gsize           n_digits;
  guint64         number;

  *head = 0;
  if ((id & TS_ETF_TEXT_ID) == 0)
    return TRUE;
  if (!ts_etf_text_head (id, text, &n_digits, &number))
    return FALSE;
  *begin = (guint8) (end - n_digits);
  *head = (gint64) number;
  return TRUE;
}

/* In place of the shape that the last line did not have. */
static void
learn_shape (TsEtfAlike *alike, const char *begin, const guint8 *places, guint n, gint k, gint64 id_head)
{
  TsEtfShape *shape = &alike->shapes[!alike->present];
  guint       length = places[2 * n - 1];

  alike->present = !alike->present;
  memset (shape->text, 0, sizeof shape->text);
  memset (shape->most, 0xff, sizeof shape->most);
  memcpy (shape->text, begin, length);
  memset (shape->most, 0, length);
  memcpy (shape->most_loose, shape->most, sizeof shape->most);
  shape->id_begin = places[1] - places[0] > 1 ? places[0] : 0;
  shape->id_head = id_head;
  shape->length = (guint8) length;
  learn_number (shape, TS_ETF_ID, begin, places[0], places[1], 0);
  learn_number (shape, TS_ETF_FIRST_STAMP, begin, places[2], places[3], k);
  learn_number (shape, TS_ETF_LAST_STAMP, begin, places[2 * n - 2], places[2 * n - 1], k);
  /* no line is like one that is near what is too large */
  if (!ts_etf_alike_learn_fronts (shape, begin))
    shape->text[0] = '\0';
}

void
ts_etf_alike_forget (TsEtf *etf)
{
  memset (etf->scan.alike, 0, sizeof etf->scan.alike);
}

/* It is the text at @p. */
static void
set_text (TsEtfTail *tail, const char *p)
{
  memcpy (tail->text, p, tail->length);
  memset (tail->mask, 0xff, tail->length);
}

/* FALSE: it takes the place of another one, or there is none for it. */
static gboolean
keep_tail (TsEtfAlike *alike, const char *p, const TsEtfTail *tail)
{
  TsEtfTail *kept = &alike->tails[ts_etf_place_of_tail (p)];
  gboolean   is_free = kept->length == 0;

  if (tail->length > TS_ETF_TAIL)
    return FALSE;
  *kept = (TsEtfTail){ .amount = tail->amount, .key = tail->key, .resource = tail->resource, .length = tail->length,
                       .list = tail->list };
  set_text (kept, p);
  return is_free;
}

void
ts_etf_alike_learn_tail (TsEtf *etf, const char *p, const TsEtfTail *tail)
{
  TsEtfAlike *alike = &etf->scan.alike[TS_ETF_OF_CLAIM];

  if (keep_tail (alike, p, tail))
    return;
  if (alike->n_apart == 0)
    alike->apart_line = etf->claim_ids.n;
  if (++alike->n_apart < MANY_APART)
    return;
  alike->is_apart = etf->claim_ids.n - alike->apart_line < OFTEN * MANY_APART;
  alike->n_apart = 0;
}

/* Whether the list at @list is empty, behind the `;' that is somewhere from @p on: then the line ends there. */
static gboolean
is_bare (const char *p, const char *list)
{
  return memchr (p, ';', (gsize) (list - p)) != NULL && ts_etf_begin_of_next (list) > list;
}

void
ts_etf_alike_learn (TsEtf *etf, const char *begin, guint8 *places, const TsEtfLine *line, const TsEtfClaim *claim)
{
  TsEtfAlike *alike = &etf->scan.alike[etf->kind];
  gint64      id_head;
  guint       n = claim != NULL ? 3 : 2;
  const char *list = line->list;
  const char *behind = begin + places[2 * n - 1], *value, *rest = claim != NULL ? begin + places[2 * n] : behind;
  TsEtfTail   tail = { .length = 0 };
  gboolean    is_usual = alike->n_alike / USUAL >= alike->n_others, has_spare = alike->n_switches == 0;

  if (is_usual)
    alike->patience = 0;
  else
    alike->patience = MIN (alike->patience + 1, alike->n_alike < alike->n_others / RARE ? LAST_PATIENCE : MOST_PATIENCE);
  alike->n_alike = alike->n_others = alike->n_switches = 0;
  if (claim != NULL && is_bare (behind, list))
    value = ts_etf_begin_of_next (list);
  else if ((tail.key = ts_etf_attributes_key_at (etf, list, &value)) == NULL)
    return;
  if (places[2 * n - 1] > TS_ETF_HEAD || value - rest > TS_ETF_TAIL)
    return;
  if (!find_id_digits (line->id, begin, &places[0], places[1], &id_head))
    return;
  for (guint i = 0; i < n; i++)
    if (!can_learn (begin, places[2 * i], places[2 * i + 1], i > 0, i > 0 ? etf->decimals : 0))
      return;
  tail.length = (guint8) (value - behind);
  tail.list = (guint8) (list - behind);
  if (claim != NULL)
    {
      tail.amount = claim->amount;
      tail.resource = claim->resource;
    }
  keep_tail (alike, behind, &tail);
  if ((!is_usual || has_spare) && !ts_etf_alike_has_shape (alike, begin))
    learn_shape (alike, begin, places, n, etf->decimals, id_head);
  if (is_usual || tail.key == NULL)
    return;
  if (claim != NULL)
    {
      alike->suffix = (TsEtfTail){ .key = tail.key, .length = (guint8) (value - rest), .list = (guint8) (list - rest) };
      set_text (&alike->suffix, rest);
    }
  learn_list (etf, alike, list);
}
