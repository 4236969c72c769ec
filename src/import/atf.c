/* SPDX-License-Identifier: MIT */
#include "config.h"

#include <string.h>

#include "import/atf.h"
#include "model/mark.h"

static const char *const suffixes[] = { ".atf", ".atf.xml", ".xml", NULL };

/* Bidding */

typedef struct
{
  const char *p, *end;
} Head;

static gboolean
skip_past (Head *head, const char *text)
{
  const char *found = g_strstr_len (head->p, head->end - head->p, text);

  if (found == NULL)
    return FALSE;
  head->p = found + strlen (text);
  return TRUE;
}

static gboolean
begins_with (const Head *head, const char *text)
{
  gsize length = strlen (text);

  return (gsize) (head->end - head->p) >= length && memcmp (head->p, text, length) == 0;
}

/* A document type ends at the first '>' outside of quotes and of its internal subset. */
static gboolean
skip_doctype (Head *head)
{
  int  depth = 0;
  char quote = '\0';

  for (; head->p < head->end; head->p++)
    {
      char c = *head->p;

      if (quote != '\0')
        quote = c == quote ? '\0' : quote;
      else if (c == '"' || c == '\'')
        quote = c;
      else if (c == '<' || c == '[')
        depth++;
      else if (c == ']')
        depth--;
      else if (c == '>' && --depth == 0)
        {
          head->p++;
          return TRUE;
        }
    }
  return FALSE;
}

/* Moves to the name of the root element; FALSE if the head ends before. */
static gboolean
find_root (Head *head)
{
  for (;;)
    {
      while (head->p < head->end && g_ascii_isspace (*head->p))
        head->p++;
      if (head->p == head->end)
        return FALSE;
      if (begins_with (head, "<?"))
        {
          if (!skip_past (head, "?>"))
            return FALSE;
        }
      else if (begins_with (head, "<!--"))
        {
          if (!skip_past (head, "-->"))
            return FALSE;
        }
      else if (begins_with (head, "<!"))
        {
          if (!skip_doctype (head))
            return FALSE;
        }
      else
        {
          head->p++;
          return TRUE;
        }
    }
}

static gboolean
is_common_format (const Head *head)
{
  static const char name[] = "CommonFormat";
  const char       *p = head->p, *local = p;

  for (; p < head->end && !g_ascii_isspace (*p) && *p != '>' && *p != '/'; p++)
    if (*p == ':')
      local = p + 1;
  return p < head->end && (gsize) (p - local) == strlen (name) && memcmp (local, name, strlen (name)) == 0;
}

static int
bid_on_text (Head head)
{
  Head start = head;

  while (start.p < start.end && g_ascii_isspace (*start.p))
    start.p++;
  if (start.p + 1 >= start.end || *start.p != '<')
    return 0;
  if (start.p[1] != '?' && start.p[1] != '!' && start.p[1] != '_' && !g_ascii_isalpha (start.p[1])
      && (guchar) start.p[1] < 0x80)
    return 0;
  return find_root (&head) && is_common_format (&head) ? 100 : 40;
}

/* Every second byte of UTF-16: all that matters here is ASCII. */
static int
bid_on_utf16 (const guint8 *head, gsize length, gsize low)
{
  g_autofree char *text = g_malloc (length / 2 + 1);
  gsize            n = 0;

  for (gsize i = 0; i + 1 < length; i += 2)
    text[n++] = head[i + 1 - low] != 0 ? '?' : (char) head[i + low];
  return bid_on_text ((Head){ text, text + n });
}

static int
bid (const guint8 *head, gsize length)
{
  if (length >= 2 && ((head[0] == 0xff && head[1] == 0xfe) || (head[0] == 0xfe && head[1] == 0xff)))
    return bid_on_utf16 (head + 2, length - 2, head[0] == 0xff ? 0 : 1);
  if (length >= 2 && head[0] == '<' && head[1] == 0)
    return bid_on_utf16 (head, length, 0);
  if (length >= 2 && head[0] == 0 && head[1] == '<')
    return bid_on_utf16 (head, length, 1);
  return bid_on_text ((Head){ (const char *) head + ts_mark_length (head, length),
                              (const char *) head + length });
}

/* Reading */

/* What the next reading finds in memory. */
typedef struct
{
  TsAtfTables *tables;          /* NULL where the system comes before the trace */
  gint64       overheads_scale; /* memory->overheads are complete and in this scale; 0: they are not */
} Kept;

static void
kept_free (gpointer data)
{
  Kept *kept = data;

  ts_atf_tables_free (kept->tables);
  g_free (kept);
}

static void
free_stated (gpointer data)
{
  if (data != NULL)
    g_array_unref (data);
}

static gpointer
atf_open (TsImport *import)
{
  TsAtf      *atf = g_new0 (TsAtf, 1);
  const Kept *kept = import->memory->kept;

  atf->import = import;
  atf->block = g_malloc (TS_ATF_BLOCK);
  atf->text = g_string_new (NULL);
  atf->tables = ts_atf_tables_new ();
  atf->overheads = g_ptr_array_new_with_free_func (free_stated);
  atf->scale = import->memory->scale;
  atf->whole_limit = TS_TIME_LIMIT / atf->scale;
  atf->replay = import->memory->has_system;
  atf->scan.is_off = import->options != NULL && import->options->no_scanner;
  if (atf->scan.is_off) /* that is libxml2 alone */
    ts_atf_utf16_settle (&atf->utf16);
  atf->system.resource = TS_NO_RESOURCE;
  atf->overheads_known = kept != NULL && kept->overheads_scale == atf->scale;
  ts_system_time_base (import->system)->scale = atf->scale;
  if (atf->replay && kept != NULL && kept->tables != NULL)
    {
      atf->kept = kept->tables;
      ts_atf_use_tables (atf, atf->kept);
    }
  return atf;
}

static void
atf_close (gpointer self)
{
  TsAtf *atf = self;

  ts_atf_xml_close (atf);
  ts_atf_tables_free (atf->tables);
  ts_atf_users_clear (&atf->users);
  g_clear_pointer (&atf->window.overhead_notes, g_array_unref);
  g_clear_pointer (&atf->window.comments, g_array_unref);
  g_ptr_array_unref (atf->overheads);
  g_free (atf->system.annotation_name);
  g_free (atf->system.annotation_value);
  g_free (atf->system.annotation_tool);
  g_string_free (atf->text, TRUE);
  g_clear_error (&atf->error);
  g_free (atf->block);
  ts_atf_utf16_clear (&atf->utf16);
  ts_atf_memos_free (atf);
  g_free (atf->scan.loose.squeezed);
  g_free (atf);
}

static gboolean
give_error (TsAtf *atf, GError **error)
{
  g_propagate_error (error, g_error_copy (atf->error));
  return FALSE;
}

/* So often the quick reader may find nothing before libxml2 gets whole blocks again. */
#define MAX_MISSES 16

/* The end of the start tag of the next TraceData in @bytes, which is where the quick reader takes over; or NULL.
 * The first @n_seen bytes have none that is whole. What only looks like one does no harm. */
static const guint8 *
find_trace_data (const guint8 *bytes, gsize length, gsize n_seen)
{
  static const char tag[] = "<TraceData";
  const guint8     *start = memmem (bytes, length, tag, strlen (tag)), *from;

  if (start == NULL)
    return NULL;
  from = MAX (start, bytes + n_seen);
  return memchr (from, '>', (gsize) (bytes + length - from));
}

gboolean
ts_atf_has_wide_end (const guint8 *bytes, gsize length)
{
  gboolean is_wide = FALSE;

  for (gsize i = length - MIN (length, 4); i < length; i++)
    is_wide |= bytes[i] >= 0x80;
  return is_wide;
}

/* What libxml2 gets next of @bytes, put behind the block: how much of it, and in *ready whether the block is then to
 * be parsed. Where the quick reader may take over that is up to the end of a tag; elsewhere blocks of one size,
 * whatever the input comes in: what libxml2 makes of a broken document can depend on where its chunks end. What is no
 * text of its encoding it finds when it gets it, and tells the line that it had come to: so that gets tags, too. */
static gsize
next_piece (TsAtf *atf, const guint8 *bytes, gsize length, gboolean *ready)
{
  gsize         n = MIN (length, TS_ATF_BLOCK - atf->block_length), kept = atf->block_length;
  gboolean      is_scanned = !atf->scan.is_off && atf->scan.misses < MAX_MISSES;
  gboolean      looks = is_scanned || atf->scan.is_off;
  const guint8 *tag_end;

  if ((is_scanned || ts_atf_xml_is_converted (atf)) && ts_atf_xml_is_near_entries (atf))
    {
      /* only as much is copied as is needed: there may be many such pieces in a block */
      tag_end = memchr (bytes, '>', n);
      if (tag_end != NULL)
        n = (gsize) (tag_end - bytes) + 1;
      memcpy (atf->block + kept, bytes, n);
      *ready = kept + n == TS_ATF_BLOCK || (tag_end != NULL && !ts_atf_has_wide_end (atf->block, kept + n));
      return n;
    }
  /* the same here: a section may be short */
  tag_end = looks && kept == 0 ? find_trace_data (bytes, n, 0) : NULL;
  if (tag_end != NULL)
    n = (gsize) (tag_end - bytes) + 1;
  memcpy (atf->block + kept, bytes, n);
  *ready = kept + n == TS_ATF_BLOCK || tag_end != NULL;
  tag_end = looks && kept > 0 ? find_trace_data (atf->block, kept + n, kept) : NULL;
  if (tag_end == NULL)
    return n;
  *ready = TRUE;
  return (gsize) (tag_end - atf->block) + 1 - kept;
}

/* What is in the block, to libxml2 or to the quick reader of elements. FALSE: atf->error is set. */
static gboolean
parse_block (TsAtf *atf)
{
  gsize at = 0;

  while (at < atf->block_length && atf->error == NULL)
    {
      const guint8 *rest = atf->block + at;
      gsize         length = atf->block_length - at, n = 0;
      /* not in the first block, of which the encoding is not known yet: and there are few */
      gboolean is_scanned = !atf->scan.is_off && atf->parser != NULL && !ts_atf_xml_is_converted (atf)
                            && atf->scan.misses_of_elements < MAX_MISSES;

      if (is_scanned)
        n = ts_atf_elements_scan (atf, rest, length);
      if (n == 0)
        {
          n = is_scanned ? ts_atf_elements_find (atf, rest, length) : length;
          ts_atf_xml_parse (atf, rest, n, FALSE);
        }
      at += n;
    }
  return atf->error == NULL;
}

/* Some of @bytes to libxml2, or to the block for it. Returns how many. */
static gsize
feed_xml (TsAtf *atf, const guint8 *bytes, gsize length)
{
  gboolean is_near_entries = ts_atf_xml_is_near_entries (atf), ready;
  gsize    n = next_piece (atf, bytes, length, &ready);

  atf->block_length += n;
  if (!ready)
    return n;
  /* after a whole block the quick reader gets another chance */
  atf->scan.misses = MIN (atf->scan.misses, atf->block_length == TS_ATF_BLOCK ? MAX_MISSES / 2 : MAX_MISSES);
  atf->scan.misses_of_elements
      = MIN (atf->scan.misses_of_elements, atf->block_length == TS_ATF_BLOCK ? MAX_MISSES / 2 : MAX_MISSES);
  if (is_near_entries ? ts_atf_xml_parse (atf, atf->block, atf->block_length, FALSE) : parse_block (atf))
    atf->scan.is_active = !atf->scan.is_off && ts_atf_xml_is_between_entries (atf);
  atf->block_length = 0;
  return n;
}

/* What the quick reader leaves at the end of a chunk, less than an entry, is put before the next one, as much of it as
 * an entry can take: returns how many of @bytes it took together with that. */
static gsize
scan_over_cut (TsAtf *atf, const guint8 *bytes, gsize length)
{
  gsize    kept = atf->block_length, n = MIN (length, TS_ATF_MAX_ENTRY), taken;
  gboolean stopped;

  memcpy (atf->block + kept, bytes, n);
  taken = ts_atf_scan (atf, atf->block, kept + n, &stopped);
  if (taken >= kept)
    {
      atf->block_length = 0;
      atf->scan.is_active = !stopped;
      return taken - kept;
    }
  /* not even the first entry was whole, or it is for libxml2 */
  memmove (atf->block, atf->block + taken, kept + n - taken);
  atf->block_length = kept + n - taken;
  atf->scan.is_active = !stopped;
  return n;
}

static gsize
feed_scan (TsAtf *atf, const guint8 *bytes, gsize length)
{
  gboolean stopped;
  gsize    taken;

  if (atf->block_length > 0)
    return scan_over_cut (atf, bytes, length);
  taken = ts_atf_scan (atf, bytes, length, &stopped);
  atf->scan.is_active = !stopped;
  if (stopped)
    return taken;
  /* less than one entry */
  memcpy (atf->block, bytes + taken, length - taken);
  atf->block_length = length - taken;
  return length;
}

/* The block holds what the quick reader left to libxml2: the pieces of it come first. */
static void
feed_left_over (TsAtf *atf)
{
  gsize            length = atf->block_length, at = 0;
  g_autofree guint8 *left = g_memdup2 (atf->block, length);

  atf->block_length = 0;
  while (at < length && atf->error == NULL)
    at += atf->scan.is_active ? feed_scan (atf, left + at, length - at) : feed_xml (atf, left + at, length - at);
}

static void
feed_text (TsAtf *atf, const guint8 *bytes, gsize length)
{
  while (length > 0 && atf->error == NULL)
    {
      gboolean scans = atf->scan.is_active;
      gsize    n = scans ? feed_scan (atf, bytes, length) : feed_xml (atf, bytes, length);

      if (scans && !atf->scan.is_active && atf->block_length > 0)
        feed_left_over (atf);
      bytes += n;
      length -= n;
    }
}

static gboolean
atf_feed (gpointer self, const guint8 *bytes, gsize length, GError **error)
{
  TsAtf        *atf = self;
  const guint8 *text;
  gsize         text_length;

  atf->n_bytes += length;
  while (atf->error == NULL && ts_atf_utf16_next (&atf->utf16, &bytes, &length, &text, &text_length))
    feed_text (atf, text, text_length);
  return atf->error == NULL || give_error (atf, error);
}

static void
check_system (TsAtf *atf)
{
  TsImport *import = atf->import;

  if (atf->is_late && atf->system.line == 0)
    ts_atf_fail (atf, TS_ERROR_FORMAT, 0, "the file has events and no SystemConfiguration");
  else if (!ts_system_time_base (import->system)->known && !atf->warned_no_base)
    ts_diagnostics_add (import->diagnostics, TS_DIAGNOSTIC_NO_TIME_BASE, 0, NULL);
}

static Kept *
make_kept (TsImportMemory *memory)
{
  if (memory->kept == NULL)
    {
      memory->kept = g_new0 (Kept, 1);
      memory->free_kept = kept_free;
    }
  return memory->kept;
}

/* The next reading has the system from its beginning. */
static void
keep_system (TsAtf *atf)
{
  TsImportMemory *memory = atf->import->memory;

  make_kept (memory)->tables = g_steal_pointer (&atf->tables);
  atf->lookup = NULL;
  memory->has_system = TRUE;
}

/* For the next reading, if there will be one. */
static void
keep_for_reread (TsAtf *atf)
{
  TsImportMemory *memory = atf->import->memory;
  Kept           *kept;

  if (!atf->import->surveying)
    return;
  kept = make_kept (memory);
  if (atf->is_late)
    keep_system (atf);
  kept->overheads_scale = atf->import->subtract_overhead ? memory->scale : 0;
}

static gboolean
atf_finish (gpointer self, GError **error)
{
  TsAtf *atf = self;

  if (atf->n_bytes == 0)
    return ts_import_fail (atf->import, error, TS_ERROR_FORMAT, 0, "empty input");
  /* so short that its units are not known */
  ts_atf_utf16_settle (&atf->utf16);
  if (!atf_feed (atf, NULL, 0, error))
    return FALSE;
  if ((atf->block_length > 0 && !ts_atf_xml_parse (atf, atf->block, atf->block_length, FALSE))
      || !ts_atf_xml_parse (atf, NULL, 0, TRUE))
    return give_error (atf, error);

  check_system (atf);
  if (atf->error != NULL)
    return give_error (atf, error);
  ts_atf_overheads_finish (atf);
  if (!atf->import->surveying)
    ts_atf_publish_users (atf);
  keep_for_reread (atf);
  return TRUE;
}

/* The scale is in memory. Overheads are not kept, since those of later sections are not known:
 * the reading converts them where it meets them, in a scale that suits them. */
static void
atf_finish_head (gpointer self)
{
  TsAtf *atf = self;

  ts_atf_scale_leave_room (atf);
  ts_atf_overheads_survey (atf);
  if (atf->is_late && atf->system.is_complete)
    keep_system (atf);
}

const TsImporter ts_importer_atf = {
  .name = "atf",
  .title = "ALL-TIMES Trace Format 1.0 (XML)",
  .suffixes = suffixes,
  .bid = bid,
  .open = atf_open,
  .feed = atf_feed,
  .finish = atf_finish,
  .finish_head = atf_finish_head,
  .close = atf_close,
};
