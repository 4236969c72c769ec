/* SPDX-License-Identifier: MIT */
#include "config.h"

#include <string.h>

#include "import/btf.h"
#include "import/btf-digits.h"
#include "import/btf-squeeze.h"
#include "import/marks.h"
#include "import/squeezed.h"
#include "model/mark.h"

static const char *const suffixes[] = { ".btf", NULL };

/* Bidding */

#define BID_LINES 200

/* A line that reads like an event: a time, enough fields, a type that is known. */
static gboolean
is_event (TsBtfWords *words, const TsBtfLine *line)
{
  gint64 time;

  return line->n_commas >= TS_BTF_FIELDS - 1 && ts_btf_number (ts_btf_field (line, 0), &time) == TS_BTF_GOOD
         && ts_btf_type_slow (words, ts_btf_field (line, 3)) < TS_BTF_N_TYPES;
}

/* By what the first lines are: comments and rubbish say nothing for or against. */
static int
bid_on_lines (const char *p, const char *end, TsBtfWords *words)
{
  guint    n_keywords = 0;
  gboolean has_scale = FALSE, has_other = FALSE;

  for (guint i = 0; i < BID_LINES && p < end; i++)
    {
      TsBtfLine   line;
      const char *next = ts_btf_split (p, end, &line);
      TsBtfText   text;

      if (next == NULL)
        {
          ts_btf_split_whole (p, end, &line);
          next = end;
        }
      p = next;
      text = ts_btf_trim (line.begin, line.end);
      if (text.length == 0)
        continue;
      if (*text.begin == '#')
        {
          TsBtfText keyword = ts_btf_keyword (text);

          n_keywords += ts_btf_is_keyword (keyword);
          has_scale |= ts_btf_same (keyword, "timeScale");
        }
      else if (is_event (words, &line))
        return has_other ? 45 : n_keywords > 0 ? 95 : 75;
      else
        has_other = TRUE;
    }
  if (has_other)
    return has_scale ? 30 : 0;
  return has_scale || n_keywords > 1 ? 85 : n_keywords > 0 ? 40 : 0;
}

static int
bid (const guint8 *head, gsize length)
{
  const char *begin = (const char *) head + ts_mark_length (head, length);
  const char *end = (const char *) head + length;
  TsBtfWords  words;
  int         result;

  ts_btf_words_init (&words);
  result = bid_on_lines (begin, end, &words);
  ts_btf_words_clear (&words);
  return result;
}

/* Reading */

void
ts_btf_fail (TsBtf *btf, TsError code, guint64 line, const char *format, ...)
{
  va_list arguments;

  va_start (arguments, format);
  ts_import_fail_valist (btf->import, &btf->error, code, line, format, arguments);
  va_end (arguments);
}

char *
ts_btf_excerpt (TsBtfText text)
{
  return g_utf8_make_valid (text.begin, (gssize) MIN (text.length, 40));
}

static gpointer
btf_open (TsImport *import)
{
  TsBtf *btf = g_new0 (TsBtf, 1);

  btf->import = import;
  btf->folds = import->options != NULL && import->options->fold_names;
  btf->carry = g_byte_array_new ();
  btf->factor = 1;
  btf->limit = TS_TIME_LIMIT;
  btf->stop = G_MAXINT64;
  btf->systems = g_array_new (FALSE, FALSE, sizeof (guint32));
  if (import->options == NULL || !import->options->no_scanner)
    btf->scan = ts_btf_scan_new ();
  ts_btf_system_init (btf);
  return btf;
}

static void
btf_close (gpointer self)
{
  TsBtf *btf = self;

  ts_btf_system_clear (btf);
  ts_btf_scan_free (btf->scan);
  g_byte_array_unref (btf->carry);
  g_free (btf->squeezed);
  g_array_unref (btf->systems);
  g_clear_error (&btf->error);
  g_free (btf);
}

static gboolean
give_error (TsBtf *btf, GError **error)
{
  g_propagate_error (error, g_error_copy (btf->error));
  return FALSE;
}

/* What is not plainly an event. */
static void
odd_line (TsBtf *btf, TsBtfLine *line)
{
  TsBtfText text;

  if (btf->line == 1)
    line->begin += ts_mark_length (line->begin, (gsize) (line->end - line->begin));
  text = ts_btf_trim (line->begin, line->end);
  if (text.length == 0)
    return;
  if (*text.begin == '#')
    ts_btf_header_line (btf, text);
  else
    ts_btf_event_line (btf, line);
}

static void
long_line (TsBtf *btf)
{
  btf->n_bad++;
  ts_diagnostics_add (btf->import->diagnostics, TS_DIAGNOSTIC_LONG_LINE, btf->line, NULL);
}

static inline void
take_line (TsBtf *btf, TsBtfLine *line)
{
  btf->line++;
  if (G_UNLIKELY (line->end - line->begin > TS_BTF_MAX_LINE))
    long_line (btf);
  else if (G_LIKELY (line->begin < line->end && g_ascii_isdigit (*line->begin)))
    ts_btf_event_line (btf, line);
  else
    odd_line (btf, line);
}

/* Completes the line that an earlier chunk began. Returns where the next one begins, or @end. */
static const char *
take_carried (TsBtf *btf, const char *begin, const char *end)
{
  const char *newline = memchr (begin, '\n', (gsize) (end - begin));
  const char *stop = newline != NULL ? newline : end;

  if (!btf->skips)
    {
      g_byte_array_append (btf->carry, (const guint8 *) begin, (guint) MIN (stop - begin, TS_BTF_MAX_LINE + 2));
      /* one more than the longest line has room for the '\r' that is not part of it */
      if (btf->carry->len > TS_BTF_MAX_LINE + 1)
        {
          btf->skips = TRUE;
          g_byte_array_set_size (btf->carry, 1);
        }
    }
  if (newline == NULL)
    return end;
  if (btf->skips)
    {
      btf->line++;
      long_line (btf);
      btf->skips = FALSE;
    }
  else
    {
      TsBtfLine line;

      ts_btf_split_whole ((const char *) btf->carry->data, (const char *) btf->carry->data + btf->carry->len, &line);
      take_line (btf, &line);
    }
  g_byte_array_set_size (btf->carry, 0);
  return newline + 1;
}

/* Bytes of lines that are squeezed at a time, which stay in a near cache; longer ones take the long way. Behind an odd return
 * they are fewer, since it may be in each. */
#define SQUEEZED_AT_ONCE (64 * 1024)
#define LEAST_SQUEEZED 4096
/* Behind them, so that the last one can be looked at like any other. */
#define SQUEEZED_MARGIN 512

G_STATIC_ASSERT (SQUEEZED_MARGIN >= TS_BTF_SQUEEZE_MARGIN);
G_STATIC_ASSERT (TS_MARKS_BLOCK >= TS_BTF_MAX_FRONT);

struct _TsBtfSqueezed
{
  TsBtfSqueezer squeezer;
  gsize n_most; /* bytes, the next time */
  char before[TS_MARKS_BLOCK]; /* no line is looked at that does not have so much before it */
  char lines[SQUEEZED_AT_ONCE + SQUEEZED_MARGIN];
};

/* The lines of a block, of which there is a copy without blanks. */
typedef struct
{
  const char *next, *end; /* those from line @number on */
  guint64     number;
} Original;

/* The one behind btf->line. */
static void
split_original (const TsBtf *btf, Original *original, TsBtfLine *line)
{
  for (; original->number <= btf->line; original->number++)
    original->next = (const char *) memchr (original->next, '\n', (gsize) (original->end - original->next)) + 1;
  ts_btf_split (original->next, original->end, line);
}

/* Lines of the block that begins at @bytes, from @p on, until one is not all there, or lines have to be squeezed, which from
 * then on all have to. What is left to the long way is taken as it is in @original, if the block is a copy. Returns where it
 * stopped. */
static const char *
take_block (TsBtf *btf, const char *bytes, const char *p, const char *end, Original *original)
{
  const gsize n_behind = original != NULL ? SQUEEZED_MARGIN : 0;
  const char *next;
  TsBtfLine   line, whole;
  guint64     n_events;

  while (p < end && btf->error == NULL && (original != NULL) == ts_btf_squeezes (btf))
    {
      p = ts_btf_scan (btf, bytes, p, end, n_behind);
      if (btf->error != NULL)
        break;
      next = ts_btf_split (p, end, &line);
      if (next == NULL)
        break;
      whole = line;
      if (original != NULL)
        split_original (btf, original, &whole);
      n_events = btf->n_events;
      take_line (btf, &whole);
      if (btf->n_events > n_events)
        ts_btf_scan_learn (btf, &line, next);
      p = next;
    }
  return p;
}

/* The first return that is not of an end of line, of which there is one. */
static const char *
find_odd_return (const char *p, const char *end)
{
  do
    p = (const char *) memchr (p, '\r', (gsize) (end - p)) + 1;
  while (*p == '\n');
  return p - 1;
}

static TsBtfSqueezed *
squeezed_new (void)
{
  TsBtfSqueezed *squeezed = g_new (TsBtfSqueezed, 1);

  ts_btf_squeezer_init (&squeezed->squeezer);
  squeezed->n_most = SQUEEZED_AT_ONCE;
  memset (squeezed->before, '\n', sizeof squeezed->before);
  return squeezed;
}

/* Copies some lines that are all there, from @begin on. Returns where the next one begins, or @begin if the first one has to
 * take the long way, or is not all there. */
static const char *
squeeze (TsBtfSqueezed *squeezed, const char *begin, const char *end, gsize *length)
{
  const char *last = begin + ts_length_of_lines (begin, MIN ((gsize) (end - begin), squeezed->n_most));

  *length = last > begin ? ts_btf_squeeze (&squeezed->squeezer, begin, last, squeezed->lines) : 0;
  if (*length > 0 || last == begin)
    {
      squeezed->n_most = MIN (2 * squeezed->n_most, SQUEEZED_AT_ONCE);
      return last;
    }
  last = begin + ts_length_of_lines (begin, (gsize) (find_odd_return (begin, last) - begin));
  if (last > begin)
    *length = ts_btf_squeeze (&squeezed->squeezer, begin, last, squeezed->lines);
  squeezed->n_most = LEAST_SQUEEZED;
  return last;
}

/* Some lines with blanks around their fields, from @begin on. Returns where the next one begins: there, if the first one is not
 * all there. */
static const char *
take_squeezed (TsBtf *btf, const char *begin, const char *end)
{
  const char *last, *next;
  Original    original = { .next = begin, .number = btf->line + 1 };
  TsBtfLine   line;
  gsize       length;

  if (btf->squeezed == NULL)
    btf->squeezed = squeezed_new ();
  last = squeeze (btf->squeezed, begin, end, &length);
  if (last > begin)
    {
      char *copy = btf->squeezed->lines;

      /* without an end, what is looked at there is no line */
      memset (copy + length, 0, SQUEEZED_MARGIN);
      original.end = last;
      /* all of them, since each is whole */
      take_block (btf, btf->squeezed->before, copy, copy + length, &original);
      return last;
    }
  next = ts_btf_split (begin, end, &line);
  if (next == NULL)
    return begin;
  take_line (btf, &line);
  return next;
}

static gboolean
btf_feed (gpointer self, const guint8 *bytes, gsize length, GError **error)
{
  TsBtf      *btf = self;
  const char *p = (const char *) bytes, *end = p + length, *begin;

  btf->had_bytes |= length > 0;
  if (btf->carry->len > 0 && length > 0)
    p = take_carried (btf, p, end);
  do
    {
      begin = p;
      p = ts_btf_squeezes (btf) ? take_squeezed (btf, p, end) : take_block (btf, (const char *) bytes, p, end, NULL);
    }
  while (p > begin && btf->error == NULL);
  if (btf->error != NULL)
    return give_error (btf, error);
  if (p < end)
    take_carried (btf, p, end);
  return TRUE;
}

static gboolean
btf_finish (gpointer self, GError **error)
{
  static const char newline[] = "\n";
  TsBtf            *btf = self;

  /* the last line may lack its end */
  btf->is_open = TRUE;
  if (btf->carry->len > 0)
    take_carried (btf, newline, newline + 1);
  if (btf->error != NULL)
    return give_error (btf, error);
  if (!btf->had_bytes)
    return ts_import_fail (btf->import, error, TS_ERROR_FORMAT, 0, "empty input");
  if (btf->n_events == 0 && btf->n_headers == 0)
    return ts_import_fail (btf->import, error, TS_ERROR_FORMAT, 0, "no line of the file is an event or a parameter of BTF");
  if (btf->begun)
    ts_import_end_section (btf->import);
  ts_btf_publish_counters (btf);
  ts_btf_note_outside (btf);
  ts_btf_note_dialect (btf);
  return TRUE;
}

/* The finest scale of the head is in memory already. */
static void
btf_finish_head (G_GNUC_UNUSED gpointer self)
{
}

const TsImporter ts_importer_btf = {
  .name = "btf",
  .title = "Best Trace Format 2.1 to 2.3 (CSV)",
  .suffixes = suffixes,
  .bid = bid,
  .open = btf_open,
  .feed = btf_feed,
  .finish = btf_finish,
  .finish_head = btf_finish_head,
  .close = btf_close,
};
