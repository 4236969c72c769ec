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
/* Fewer bytes are not worth one. */
#define LEAST_COPIED 2048

/* Lines are counted anew. */
static void
begin_lines (TsEtf *etf)
{
  etf->copies.n_single = etf->copies.n_loose = 0;
  etf->copies.line = etf->line;
}

/* Whether less than half of them were like those before. */
static gboolean
are_single (const TsEtf *etf)
{
  return etf->line - etf->copies.line < 2 * etf->copies.n_single;
}

void
ts_etf_note_single (TsEtf *etf, gboolean is_loose)
{
  TsEtfCopies *copies = &etf->copies;

  copies->n_loose += is_loose ? 1 : 0;
  if (++copies->n_single < MANY_SINGLE || copies->all.reads_one)
    return;
  if (are_single (etf) && copies->n_loose >= MANY_SINGLE / FEW_LOOSE)
    ts_copies_note_irregular (&copies->all);
  begin_lines (etf);
}

gboolean
ts_etf_wants_copy (const TsEtf *etf, gsize n)
{
  return ts_copies_are_wanted (&etf->copies.all) && !etf->copies.all.reads_one && !etf->only_looks && n >= LEAST_COPIED;
}

static void
begin_copy (TsEtf *etf)
{
  if (ts_copies_begin (&etf->copies.all))
    {
      ts_etf_alike_forget (etf);
      etf->scan.n_unlike = 0;
    }
  begin_lines (etf);
}

static void
end_copy (TsEtf *etf)
{
  if (etf->line == etf->copies.line || are_single (etf))
    ts_copies_note_irregular (&etf->copies.all);
  ts_copies_end (&etf->copies.all);
  begin_lines (etf);
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
  const char *limit = etf->limit;
  guint32     n_passed = etf->line; /* in front of the one at @original */

  while (p < end && etf->error == NULL)
    {
      etf->limit = end + TS_SQUEEZED_MARGIN;
      p = ts_etf_scan (etf, p, etf->limit - TS_ETF_ROOM);
      etf->limit = limit;
      if (p == end)
        break;
      for (; n_passed < etf->line; n_passed++)
        original = next_line (original, last);
      ts_etf_read_line (etf, original, next_line (original, last) - 1);
      p = next_line (p, end);
    }
}

const char *
ts_etf_read_copy (TsEtf *etf, const char *begin, const char *end)
{
  TsSqueezed *squeezed = etf->copies.squeezed;
  gsize       n;

  if (squeezed == NULL)
    squeezed = etf->copies.squeezed = ts_squeezed_new ();
  n = ts_etf_squeeze (squeezed, (const guint8 *) begin, (gsize) (end - begin));
  begin_copy (etf);
  read_copied (etf, (const char *) squeezed->bytes, (const char *) squeezed->bytes + squeezed->length, begin, begin + n);
  end_copy (etf);
  return begin + n;
}
