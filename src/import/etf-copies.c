/* SPDX-License-Identifier: MIT */
#include "config.h"

#include <string.h>

#include "import/etf-squeeze.h"
#include "import/etf.h"

/* When lines are read from copies, and how. */

/* Of so many that were not like those before, there were less than so many others in between. */
#define MANY_SINGLE 64
/* And it is for their blanks if at least one in so many had others. */
#define FEW_LOOSE 4
/* So many copies are made before lines are looked at as they are: they may be regular again. */
#define COPIES_TO_COME 256
/* One in so many copies may be in vain. */
#define FEW_IN_VAIN 16
#define SOME_IN_VAIN 4
/* Fewer bytes are not worth one. */
#define LEAST_COPIED 2048

void
ts_etf_copies_init (TsEtf *etf)
{
  etf->copies.can = !etf->scan.is_off && ts_can_squeeze ();
}

static void
note_in_vain (TsEtfCopies *copies)
{
  if (++copies->n_in_vain > copies->n_made / FEW_IN_VAIN + SOME_IN_VAIN)
    copies->n_to_come = 0;
}

static G_GNUC_NO_INLINE void
expect_single (TsEtfCopies *copies)
{
  if (copies->is_one)
    note_in_vain (copies);
  else if (copies->can && copies->n_in_vain <= copies->n_made / FEW_IN_VAIN + SOME_IN_VAIN)
    copies->n_to_come = COPIES_TO_COME;
}

void
ts_etf_note_single (TsEtf *etf, gboolean is_loose)
{
  TsEtfCopies *copies = &etf->copies;

  copies->n_loose += is_loose ? 1 : 0;
  if (++copies->n_single < MANY_SINGLE)
    return;
  if (etf->line - copies->line < 2 * MANY_SINGLE && (copies->is_one || copies->n_loose >= MANY_SINGLE / FEW_LOOSE))
    expect_single (copies);
  copies->n_single = copies->n_loose = 0;
  copies->line = etf->line;
}

gboolean
ts_etf_wants_copy (const TsEtf *etf, gsize n)
{
  return G_UNLIKELY (etf->copies.n_to_come > 0) && !etf->copies.is_one && n >= LEAST_COPIED;
}

static void
begin_copy (TsEtf *etf)
{
  TsEtfCopies *copies = &etf->copies;

  /* what was learnt so far is of other lines */
  if (copies->n_to_come == COPIES_TO_COME)
    {
      ts_etf_alike_forget (etf);
      etf->scan.n_unlike = 0;
    }
  copies->n_to_come--;
  copies->n_made++;
  copies->n_single = copies->n_loose = 0;
  copies->line = etf->line;
}

/* The line behind that at @p. */
static const char *
next_line (const char *p, const char *end)
{
  return (const char *) memchr (p, '\n', (gsize) (end - p)) + 1;
}

/* All lines between @p and @end, which are copies of those from @original on, which end with the last one. What is not read
 * quickly is read from there: there it is as it was written. */
static void
read_copied (TsEtf *etf, const char *p, const char *end, const char *original, const char *last)
{
  const char *limit = etf->limit, *begin = p;

  while (p < end && etf->error == NULL)
    {
      etf->limit = end + TS_SQUEEZED_MARGIN;
      p = ts_etf_scan (etf, p, etf->limit - TS_ETF_ROOM);
      etf->limit = limit;
      if (p == end)
        break;
      for (; begin < p; begin = next_line (begin, end))
        original = next_line (original, last);
      p = begin = next_line (p, end);
      ts_etf_read_line (etf, original, next_line (original, last) - 1);
      original = next_line (original, last);
    }
}

const char *
ts_etf_read_copy (TsEtf *etf, const char *begin, const char *end)
{
  TsEtfCopies *copies = &etf->copies;
  const char  *p;
  gsize        n;

  if (copies->squeezed == NULL)
    copies->squeezed = ts_squeezed_new ();
  begin_copy (etf);
  n = ts_etf_squeeze (copies->squeezed, (const guint8 *) begin, (gsize) (end - begin));
  p = (const char *) copies->squeezed->bytes;
  if (n == 0)
    note_in_vain (copies);
  copies->is_one = TRUE;
  read_copied (etf, p, p + copies->squeezed->length, begin, begin + n);
  copies->is_one = FALSE;
  return begin + n;
}
