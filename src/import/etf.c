/* SPDX-License-Identifier: MIT */
#include "config.h"

#include <string.h>

#include "import/etf.h"
#include "import/input.h"
#include "model/mark.h"
#include "model/pages.h"

static const char *const suffixes[] = { ".etf", NULL };

#define OLD_FORMAT "TraceVersion"
/* So many statements of the head are looked at. */
#define BID_LINES 8
/* So many of them may be broken: to be told which line it is, one has to be taken for TRACE. */
#define BID_BROKEN 2

/* Bidding */

static gboolean
are_numbers (TsEtfField *fields, guint first, guint n)
{
  for (guint i = first; i < first + n; i++)
    if (ts_etf_field_parse (&fields[i]) == TS_ETF_BAD)
      return FALSE;
  return TRUE;
}

/* Statements of time series, which came later. */
static gboolean
is_series (TsEtfText kind)
{
  return ts_etf_text_is (kind, "TS")
         || (kind.length == 3 && memcmp (kind.p, "TS", 2) == 0 && memchr ("SPR", kind.p[2], 3) != NULL);
}

/* Whether a line looks like the statement that its first word promises. */
static gboolean
has_shape (TsEtfText kind, const char *p, const char *end)
{
  TsEtfField  fields[TS_ETF_MAX_FIELDS];
  const char *attributes;
  gboolean    value;
  guint       n = ts_etf_split (p, end, fields, &attributes);

  if (kind.length == 2 && memcmp (kind.p, "TU", 2) == 0)
    return n == 1 && g_ascii_isupper (*fields[0].text.p);
  if (is_series (kind))
    return n > 0;
  if (kind.length != 1)
    return FALSE;
  switch (*kind.p)
    {
    case 'T':
      return n == 0 || memchr (p, '=', (gsize) (end - p)) != NULL; /* writers put out a bare T, and one with a blank */
    case 'O':
      return n == 1 && are_numbers (fields, 0, 1);
    case 'R':
      return n == 3 && are_numbers (fields, 1, 1) && ts_etf_boolean_parse (fields[2].text, &value);
    case 'C':
      return (n == 5 || n == 6) && are_numbers (fields, 1, 2) && are_numbers (fields, 4, n - 4);
    case 'E':
      return n == 2 && are_numbers (fields, 1, 1);
    case 'D':
      return n == 4 && are_numbers (fields, 1, 1);
    case 'S':
      return n == 1;
    case 'F':
      return n == 6 && are_numbers (fields, 1, 5);
    default:
      return FALSE;
    }
}

/* What the head is, where it ends with a byte that ends its last line. */
static int
bid_lines (const char *p, const char *end)
{
  guint n_good = 0, n_broken = 0;

  while (p < end && n_good + n_broken < BID_LINES && n_broken <= BID_BROKEN)
    {
      const char *newline = memchr (p, '\n', (gsize) (end - p));
      const char *line_end = newline != NULL ? newline : end, *q = p;
      TsEtfText   kind;

      if (line_end > p && line_end[-1] == '\r')
        line_end--;
      kind = ts_etf_next_field (&q, line_end);
      if (n_good + n_broken == 0 && ts_etf_text_is (kind, OLD_FORMAT))
        return 100;
      if (kind.length > 0 && *kind.p != '#')
        {
          if (has_shape (kind, q, line_end))
            n_good++;
          else if (newline != NULL || n_good == 0)
            /* the last line may be cut by the end of the head */
            n_broken++;
        }
      if (newline == NULL)
        break;
      p = newline + 1;
    }
  return n_good <= n_broken || n_broken > BID_BROKEN ? 0 : 60 + (int) (40 * n_good / BID_LINES);
}

static int
bid (const guint8 *head, gsize length)
{
  gsize            mark = ts_mark_length (head, length);
  g_autofree char *text = g_strndup ((const char *) head + mark, length - mark);

  return bid_lines (text, text + length - mark);
}

/* Lines */

gboolean
ts_etf_fail_at (TsEtf *etf, TsError code, guint32 line, const char *format, ...)
{
  va_list arguments;

  va_start (arguments, format);
  ts_import_fail_valist (etf->import, &etf->error, code, line, format, arguments);
  va_end (arguments);
  return FALSE;
}

static gboolean
read_other (TsEtf *etf, TsEtfText kind)
{
  if (is_series (kind))
    {
      ts_etf_note (etf, TIME_SERIES, NULL);
      return TRUE;
    }
  if (ts_etf_text_is (kind, OLD_FORMAT))
    return ts_etf_fail (etf, "this is the old format TRACE V0.1, which needs its configuration file; it is not supported");
  return ts_etf_fail (etf, "`%.*s' is no statement of TRACE", (int) MIN (kind.length, 60), kind.p);
}

static gboolean
read_statement (TsEtf *etf, TsEtfText kind, const char *p, const char *end)
{
  if (kind.length == 2 && memcmp (kind.p, "TU", 2) == 0)
    return ts_etf_read_unit (etf, p, end);
  if (kind.length != 1)
    return read_other (etf, kind);
  switch (*kind.p)
    {
    case 'C':
      return ts_etf_read_claim (etf, p, end);
    case 'E':
      return ts_etf_read_event (etf, p, end);
    case 'D':
      return ts_etf_read_dependency (etf, p, end);
    case 'F':
      return ts_etf_read_fragment (etf, p, end);
    case 'R':
      return ts_etf_read_resource (etf, p, end);
    case 'S':
      return ts_etf_read_signal (etf, p, end);
    case 'T':
      return ts_etf_read_trace (etf, p, end);
    case 'O':
      return ts_etf_read_offset (etf, p, end);
    default:
      return read_other (etf, kind);
    }
}

gboolean
ts_etf_read_line (TsEtf *etf, const char *p, const char *end)
{
  TsEtfText kind;

  if (etf->line == G_MAXUINT32)
    return ts_etf_fail_at (etf, TS_ERROR_RANGE, etf->line, "more than %u lines", G_MAXUINT32);
  etf->line++;
  if (end > p && end[-1] == '\r')
    end--;
  if (etf->line == 1)
    p += ts_mark_length (p, (gsize) (end - p));
  if (end - p > TS_ETF_MAX_LINE)
    return ts_etf_fail (etf, "a line of more than %d bytes", TS_ETF_MAX_LINE);
  kind = ts_etf_next_field (&p, end);
  if (kind.length == 0 || *kind.p == '#')
    return TRUE;
  etf->has_content = TRUE;
  if (!etf->only_looks && G_LIKELY (read_statement (etf, kind, p, end)))
    return TRUE;
  if (!etf->only_looks)
    return FALSE;
  ts_etf_look_at_line (etf, kind, p, end);
  return TRUE;
}

/* The importer */

static gpointer
etf_open (TsImport *import)
{
  TsEtf      *etf = g_new0 (TsEtf, 1);
  TsTimeBase *base = ts_system_time_base (import->system);

  etf->import = import;
  etf->first = G_MAXINT64;
  etf->last = G_MININT64;
  etf->carry = g_string_new (NULL);
  etf->scratch = g_string_new (NULL);
  etf->comment = g_string_new (NULL);
  etf->joined = g_string_new (NULL);
  etf->elements = g_array_new (FALSE, FALSE, sizeof (TsEtfElement));
  etf->events = g_array_new (FALSE, FALSE, sizeof (TsEtfEvent));
  etf->resources = g_array_new (FALSE, FALSE, sizeof (TsEtfResource));
  etf->early_claims = g_array_new (FALSE, FALSE, sizeof (TsEtfEarlyClaim));
  etf->signals = g_array_new (FALSE, FALSE, sizeof (TsEtfSignal));
  etf->dependencies = g_array_new (FALSE, FALSE, sizeof (TsEtfDependency));
  *base = (TsTimeBase){ .numerator = 1, .denominator = 1, .exponent = 0, .scale = 1, .known = TRUE };
  etf->scan.is_off = import->options != NULL && import->options->no_scanner;
  ts_etf_begin_units (etf);
  ts_etf_begin_keys (etf);
  ts_etf_keys_init (etf, import->options);
  etf->starts_claims = etf->instance_keys.n == 0 && etf->activation == TS_ETF_ACTIVATION_NONE;
  etf->has_extras = etf->instance_keys.n > 0 || etf->objects != NULL;
  return etf;
}

static gboolean
check_options (const TsOptions *options, GError **error)
{
  g_autofree TsEtf *etf = NULL;
  gboolean          ok;

  /* asked before each trace, of which most are none of TRACE */
  if (options->element_key == NULL && options->instance_key == NULL && options->exec_resources == NULL
      && options->activation == NULL && options->object_key == NULL)
    return TRUE;
  etf = g_new0 (TsEtf, 1);
  ok = ts_etf_keys_init (etf, options);
  ts_etf_keys_clear (etf);
  if (!ok)
    g_propagate_error (error, etf->error);
  return ok;
}

static void
etf_close (gpointer self)
{
  TsEtf *etf = self;

  for (guint i = 0; i < etf->resources->len; i++)
    {
      TsEtfResource *resource = &g_array_index (etf->resources, TsEtfResource, i);

      g_free (resource->id);
      g_free (resource->name);
      g_free (resource->unit);
    }
  ts_etf_keys_clear (etf);
  ts_etf_ids_clear (&etf->claim_ids);
  ts_etf_ids_clear (&etf->event_ids);
  ts_etf_ids_clear (&etf->dependency_ids);
  ts_etf_ids_clear (&etf->resource_ids);
  ts_etf_ids_clear (&etf->signal_ids);
  g_array_unref (etf->elements);
  g_array_unref (etf->resources);
  g_array_unref (etf->early_claims);
  g_array_unref (etf->signals);
  g_array_unref (etf->dependencies);
  ts_etf_forget_keys (etf);
  g_string_free (etf->carry, TRUE);
  g_string_free (etf->scratch, TRUE);
  g_string_free (etf->comment, TRUE);
  g_string_free (etf->joined, TRUE);
  ts_etf_forget_amounts (etf);
  ts_pages_release (etf->records, etf->n_allocated * sizeof *etf->records);
  ts_pages_release (etf->by_start, etf->n_by_start * sizeof *etf->by_start);
  ts_pages_release (etf->by_end, etf->n_records * sizeof *etf->by_end);
  ts_pages_release (etf->by_event, etf->events->len * sizeof *etf->by_event);
  g_array_unref (etf->events);
  g_free (etf->activations);
  g_free (etf->activation_places);
  ts_usage_free (etf->usage);
  ts_usage_free (etf->load);
  g_free (etf->copies.squeezed);
  g_clear_error (&etf->error);
  g_free (etf);
}

static gboolean
give_error (TsEtf *etf, GError **error)
{
  g_propagate_error (error, g_error_copy (etf->error));
  return FALSE;
}

static gboolean
carry (TsEtf *etf, const char *p, const char *end)
{
  /* room for the line's end and a byte order mark, which are not counted */
  if (etf->carry->len + (gsize) (end - p) > TS_ETF_MAX_LINE + 4)
    {
      etf->line++;
      return ts_etf_fail (etf, "a line of more than %d bytes", TS_ETF_MAX_LINE);
    }
  g_string_append_len (etf->carry, p, end - p);
  return TRUE;
}

/* Those that can be read quickly, from @p on, and what is between them in copies; returns the first one that is not, unless
 * etf->error is set. */
static const char *
read_lines (TsEtf *etf, const char *p, const char *end)
{
  do
    {
      while (ts_etf_wants_copy (etf, (gsize) (end - p)))
        {
          const char *next = ts_etf_read_copy (etf, p, end);

          if (next == p || etf->error != NULL)
            return next;
          p = next;
        }
      p = ts_etf_scan (etf, p, end);
    }
  while (ts_etf_wants_copy (etf, (gsize) (end - p)));
  return p;
}

static gboolean
etf_feed (gpointer self, const guint8 *bytes, gsize length, GError **error)
{
  TsEtf      *etf = self;
  const char *p = (const char *) bytes, *end = p + length;
  const char *lines_end = p + ts_length_of_lines (p, length);

  etf->n_bytes += length;
  while (p < end && etf->error == NULL)
    {
      const char *newline;

      if (etf->carry->len == 0)
        {
          etf->limit = end;
          p = read_lines (etf, p, lines_end);
          if (p == end || etf->error != NULL)
            break;
        }
      newline = memchr (p, '\n', (gsize) (end - p));
      if (newline == NULL || etf->carry->len > 0)
        {
          if (!carry (etf, p, newline != NULL ? newline : end) || newline == NULL)
            break;
          etf->limit = etf->carry->str + etf->carry->len;
          if (ts_etf_read_line (etf, etf->carry->str, etf->limit))
            g_string_truncate (etf->carry, 0);
        }
      else
        ts_etf_read_line (etf, p, newline);
      p = newline + 1;
    }
  return etf->error == NULL || give_error (etf, error);
}

/* What is wrong with the last line, without the place that an error has in front, if a cut can be the reason: NULL if it is wrong
 * in front of its `;', or if it tells what is wrong with another line. */
static const char *
reason_of_cut (const TsEtf *etf)
{
  g_autofree char *place = g_strdup_printf ("%s:%u: ", ts_input_title (etf->import->path), etf->line);
  const char      *message = etf->error->message;

  if (memchr (etf->carry->str, ';', etf->carry->len) != NULL || !g_str_has_prefix (message, place))
    return NULL;
  return message + strlen (place);
}

/* Whether the last line has no `;' where any other one has: then its last number may have lost some of its digits. */
static gboolean
lacks_separator (const TsEtf *etf)
{
  const char *p = etf->carry->str, *end = p + etf->carry->len;

  if (!etf->has_other_content || etf->import->diagnostics->entries[TS_DIAGNOSTIC_NO_SEPARATOR].count > 0)
    return FALSE;
  while (p < end && ts_etf_is_blank (*p))
    p++;
  return end - p > 1 && memchr ("CDERS", *p, strlen ("CDERS")) != NULL && ts_etf_is_blank (p[1])
         && memchr (p, ';', (gsize) (end - p)) == NULL;
}

/* A last line without an end may be cut. If it cannot be read, and that may be why, it is. */
static gboolean
read_last_line (TsEtf *etf)
{
  TsDiagnostics *diagnostics = etf->import->diagnostics;
  const char    *reason;

  if (etf->carry->len == 0)
    return TRUE;
  if (lacks_separator (etf))
    {
      ts_diagnostics_add (diagnostics, TS_DIAGNOSTIC_TRUNCATED, etf->line + 1, "there is no `;'");
      return TRUE;
    }
  etf->limit = etf->carry->str + etf->carry->len;
  if (ts_etf_read_line (etf, etf->carry->str, etf->limit))
    {
      ts_diagnostics_add (diagnostics, TS_DIAGNOSTIC_NO_LINE_END, etf->line, NULL);
      return TRUE;
    }
  reason = reason_of_cut (etf);
  if (!etf->has_other_content || reason == NULL)
    return FALSE;
  ts_diagnostics_add (diagnostics, TS_DIAGNOSTIC_TRUNCATED, etf->line, "%s", reason);
  g_clear_error (&etf->error);
  return TRUE;
}

static void
set_time_base (TsEtf *etf)
{
  TsTimeBase *base = ts_system_time_base (etf->import->system);

  if (etf->comment->len > 0)
    ts_system_set_comment (etf->import->system, etf->comment->str);
  base->scale = ts_etf_power_of_ten (etf->decimals);
  base->scale *= ts_etf_make_finer (etf, ts_import_window_scale (etf->import, base) / base->scale);
}

static gboolean
etf_finish (gpointer self, GError **error)
{
  TsEtf *etf = self;

  etf->has_other_content = etf->has_content;
  if (etf->n_bytes == 0)
    return ts_import_fail (etf->import, error, TS_ERROR_FORMAT, 0, "empty input");
  if (!read_last_line (etf))
    return give_error (etf, error);
  if (etf->only_looks)
    {
      ts_etf_keep_units (etf);
      return TRUE;
    }
  if (!ts_etf_check_resources (etf))
    return give_error (etf, error);
  ts_etf_check_relations (etf);
  if (etf->elements->len > TS_MAX_ELEMENTS)
    return ts_import_fail (etf->import, error, TS_ERROR_RANGE, 0, "more than %d elements", TS_MAX_ELEMENTS);
  set_time_base (etf);
  etf->has_stamps = etf->first <= etf->last;
  if (!etf->has_stamps)
    etf->first = etf->last = 0;
  /* who is who is known: from here on records are only sorted */
  ts_etf_ids_clear (&etf->claim_ids);
  ts_etf_ids_clear (&etf->dependency_ids);
  ts_etf_declare (etf);
  ts_etf_sort (etf);
  ts_etf_begin_usage (etf);
  ts_etf_make_jobs (etf);
  ts_etf_emit (etf);
  ts_etf_add_tables (etf);
  return TRUE;
}

const TsImporter ts_importer_etf = {
  .name = "etf",
  .title = "TRACE (Eclipse TRACE4CPS)",
  .suffixes = suffixes,
  .bid = bid,
  .check_options = check_options,
  .open = etf_open,
  .feed = etf_feed,
  .finish = etf_finish,
  .close = etf_close,
};
