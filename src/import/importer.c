/* SPDX-License-Identifier: MIT */
#include "config.h"

#include <string.h>

#include <tracestat/format.h>

#include "import/importer.h"
#include "import/input.h"

/* Detection looks at no more than this much of the input. */
#define DETECT_BYTES (64 * 1024)

const TsImporter *const ts_importers[] = {
  &ts_importer_atf,
  &ts_importer_btf,
  &ts_importer_etf,
  &ts_importer_visandor,
  NULL,
};

const TsImporter *
ts_importer_by_name (const char *name)
{
  for (gsize i = 0; ts_importers[i] != NULL; i++)
    if (strcmp (ts_importers[i]->name, name) == 0)
      return ts_importers[i];
  return NULL;
}

/* The format that files with the suffix of @path mostly are of, or NULL. */
static const char *
format_named (const char *path)
{
  for (gsize i = 0; ts_importers[i] != NULL; i++)
    for (const char *const *suffix = ts_importers[i]->suffixes; *suffix != NULL; suffix++)
      if (g_str_has_suffix (path, *suffix))
        return ts_importers[i]->name;
  return NULL;
}

static void
fail_unknown (const char *path, gsize length, GError **error)
{
  g_autoptr (GString) names = g_string_new (NULL);
  const char         *named;

  if (length == 0)
    {
      g_set_error (error, TS_ERROR, TS_ERROR_FORMAT, "%s: empty input", ts_input_title (path));
      return;
    }
  for (gsize i = 0; ts_importers[i] != NULL; i++)
    g_string_append_printf (names, "%s, ", ts_importers[i]->name);
  g_string_append (names, "report)"); /* which no importer reads */
  named = format_named (path);
  if (named != NULL)
    g_string_append_printf (names, "; what is wrong if it is %s, as its name says, --input-format %s tells", named, named);
  g_set_error (error, TS_ERROR, TS_ERROR_FORMAT, "%s: not a trace of a known format (known: %s", ts_input_title (path),
               names->str);
}

char *
ts_time_limit_text (gint64 scale)
{
  return scale == 1 ? g_strdup ("2^61")
                    : g_strdup_printf ("2^61 / %" G_GINT64_FORMAT ", as times are counted in units %" G_GINT64_FORMAT
                                       " times as small", scale, scale);
}

gboolean
ts_importers_check_options (const TsOptions *options, GError **error)
{
  for (gsize i = 0; ts_importers[i] != NULL; i++)
    if (ts_importers[i]->check_options != NULL && !ts_importers[i]->check_options (options, error))
      return FALSE;
  return TRUE;
}

const TsImporter *
ts_importer_detect (const char *path, const guint8 *head, gsize length, GError **error)
{
  const TsImporter *best = NULL, *other = NULL;
  int               best_bid = 0;

  for (gsize i = 0; ts_importers[i] != NULL; i++)
    {
      int bid = ts_importers[i]->bid (head, MIN (length, DETECT_BYTES));

      if (bid > best_bid)
        {
          best = ts_importers[i];
          best_bid = bid;
          other = NULL;
        }
      else if (bid == best_bid && bid > 0)
        other = ts_importers[i];
    }
  if (best == NULL)
    fail_unknown (path, length, error);
  else if (other != NULL)
    {
      g_set_error (error, TS_ERROR, TS_ERROR_FORMAT, "%s: this could be %s or %s; choose with --input-format",
                   ts_input_title (path), best->name, other->name);
      best = NULL;
    }
  return best;
}

void
ts_section_free (TsSection *section)
{
  if (section == NULL)
    return;
  g_clear_pointer (&section->overheads, g_array_unref);
  g_clear_pointer (&section->overhead_notes, g_array_unref);
  g_clear_pointer (&section->comments, g_array_unref);
  g_free (section);
}

static void
free_overheads (gpointer data)
{
  if (data != NULL)
    g_array_unref (data);
}

void
ts_import_memory_set_overheads (TsImportMemory *memory, guint index, GArray *overheads)
{
  if (memory->overheads == NULL)
    memory->overheads = g_ptr_array_new_with_free_func (free_overheads);
  if (index >= memory->overheads->len)
    g_ptr_array_set_size (memory->overheads, (int) index + 1);
  free_overheads (g_ptr_array_index (memory->overheads, index));
  g_ptr_array_index (memory->overheads, index) = overheads;
}

void
ts_import_memory_clear (TsImportMemory *memory)
{
  g_clear_pointer (&memory->overheads, g_ptr_array_unref);
  g_clear_pointer (&memory->strays, ts_strays_free);
  if (memory->free_kept != NULL)
    memory->free_kept (memory->kept);
  memory->kept = NULL;
  memory->free_kept = NULL;
}

gboolean
ts_import_request_reread (TsImport *import)
{
  if (import->surveying)
    return TRUE;
  if (!import->can_reread)
    return FALSE;
  import->surveying = TRUE;
  import->n_events = 0;
  return TRUE;
}

static GArray *
remembered_overheads (const TsImport *import, guint index)
{
  const GPtrArray *overheads = import->memory->overheads;
  const GArray    *stated;

  if (!import->subtract_overhead || overheads == NULL || index >= overheads->len)
    return NULL;
  stated = g_ptr_array_index (overheads, index);
  if (stated == NULL || stated->len == 0)
    return NULL;
  return g_array_append_vals (g_array_sized_new (FALSE, FALSE, sizeof (TsOverhead), stated->len), stated->data,
                              stated->len);
}

TsSection *
ts_import_begin_section (TsImport *import, const TsSection *window)
{
  TsSection *section = g_new0 (TsSection, 1);

  section->number = import->sections->len + 1;
  section->has_start = window->has_start;
  section->start = window->start;
  section->has_stop = window->has_stop;
  section->stop = window->stop;
  section->overheads = remembered_overheads (import, import->sections->len);
  g_ptr_array_add (import->sections, section);
  import->section = section;
  if (import->sink != NULL)
    import->sink->begin_section (import->sink_data, section);
  return section;
}

/* Units this fine are worth it for an end of the window. */
#define MAX_WINDOW_SCALE G_GINT64_CONSTANT (1000000000000)

static void
refine_scale (TsTimeBase *base, const TsTimeText *end)
{
  TsRational units;
  TsTimeBase finer = *base;

  if (ts_time_text_exact (end, base, &units) && units.denominator <= MAX_WINDOW_SCALE
      && !__builtin_mul_overflow (base->scale, (gint64) units.denominator, &finer.scale) && finer.scale <= MAX_WINDOW_SCALE
      && ts_time_base_check (&finer, "", NULL))
    *base = finer;
}

gint64
ts_import_window_scale (const TsImport *import, const TsTimeBase *base)
{
  const TsOptions *options = import->options;
  TsTimeBase       finer = *base;

  if (options != NULL && options->has_from)
    refine_scale (&finer, &options->from);
  if (options != NULL && options->has_to)
    refine_scale (&finer, &options->to);
  return finer.scale;
}

gboolean
ts_import_clip_window (const TsImport *import, gint64 *from, gint64 *to)
{
  const TsOptions  *options = import->options;
  const TsTimeBase *base = ts_system_time_base (import->system);
  gint64            first = *from, last = *to;

  if (options != NULL && options->has_from)
    {
      if (!ts_time_text_resolve (&options->from, base, &first, NULL))
        return FALSE;
      first = MAX (first, *from);
    }
  if (options != NULL && options->has_to)
    {
      if (!ts_time_text_resolve (&options->to, base, &last, NULL))
        return FALSE;
      last = MIN (last, *to);
    }
  *from = first;
  *to = last;
  return TRUE;
}

void
ts_import_end_section (TsImport *import)
{
  ts_import_flush (import);
  if (import->sink != NULL)
    import->sink->end_section (import->sink_data, import->section);
  import->section = NULL;
}

void
ts_import_flush (TsImport *import)
{
  if (import->n_events > 0 && !import->surveying && import->sink != NULL)
    import->sink->events (import->sink_data, import->events, import->n_events);
  import->n_events = 0;
}

gboolean
ts_import_fail (TsImport *import, GError **error, TsError code, guint64 line, const char *format, ...)
{
  va_list arguments;

  va_start (arguments, format);
  ts_import_fail_valist (import, error, code, line, format, arguments);
  va_end (arguments);
  return FALSE;
}

gboolean
ts_import_fail_valist (TsImport *import, GError **error, TsError code, guint64 line, const char *format, va_list arguments)
{
  g_autofree char *message = NULL;

  if (error != NULL && *error != NULL)
    return FALSE;
  message = g_strdup_vprintf (format, arguments);
  if (line > 0)
    g_set_error (error, TS_ERROR, (int) code, "%s:%" G_GUINT64_FORMAT ": %s", ts_input_title (import->path), line,
                 message);
  else
    g_set_error (error, TS_ERROR, (int) code, "%s: %s", ts_input_title (import->path), message);
  return FALSE;
}

gboolean
ts_format_get (guint index, TsFormat *format)
{
  static const char *const report_suffixes[] = { ".json", NULL };

  for (guint i = 0; i <= index; i++)
    if (ts_importers[i] == NULL)
      {
        /* no importer, and yet an input */
        *format = (TsFormat){ "report", "JSON report of tracestat, to merge or compare", report_suffixes };
        return i == index;
      }
  *format = (TsFormat){ ts_importers[index]->name, ts_importers[index]->title, ts_importers[index]->suffixes };
  return TRUE;
}
