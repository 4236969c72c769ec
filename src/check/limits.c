/* SPDX-License-Identifier: MIT */
#include "config.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

#include <tracestat/error.h>

#include "check/limits.h"
#include "model/glob.h"
#include "model/mark.h"

/* Files of limits. The syntax is that of GKeyFile, which however tells no lines, and takes the second of
 * two equal keys in silence; here every line is known, and what stands there twice is an error. */

#define MAX_FILE (16 * 1024 * 1024)

static void
free_section (gpointer data)
{
  TsLimitSection *section = data;

  g_free (section->file);
  g_free (section->header);
  g_free (section->glob);
  g_array_unref (section->bounds);
  g_clear_pointer (&section->tolerances, g_ptr_array_unref);
  g_free (section);
}

TsLimits *
ts_limits_new (void)
{
  TsLimits *limits = g_new0 (TsLimits, 1);

  limits->sections = g_ptr_array_new_with_free_func (free_section);
  limits->named = g_hash_table_new_full (g_str_hash, g_str_equal, NULL, (GDestroyNotify) g_ptr_array_unref);
  limits->others = g_ptr_array_new ();
  limits->tolerances = g_ptr_array_new_with_free_func (ts_tolerance_free);
  limits->given = g_ptr_array_new_with_free_func (ts_tolerance_free);
  return limits;
}

void
ts_limits_free (TsLimits *limits)
{
  if (limits == NULL)
    return;
  g_hash_table_unref (limits->named);
  g_ptr_array_unref (limits->others);
  g_ptr_array_unref (limits->sections);
  g_ptr_array_unref (limits->tolerances);
  g_ptr_array_unref (limits->given);
  g_free (limits);
}

void
ts_limits_use_annotations (TsLimits *limits)
{
  limits->use_annotations = TRUE;
}

/* One file while it is being read. */
typedef struct
{
  TsLimits       *limits;
  const char     *path;
  guint           line;
  guint           first_section; /* of this file */
  TsLimitSection *section;       /* the open one, or NULL */
  gboolean        in_tolerance;
  guint           tolerance_line; /* of [tolerance], 0: not seen */
  GHashTable     *keys;           /* of the open section: canonical name -> line */
} Reader;

static gboolean
fail (const Reader *reader, GError **error, const char *format, ...) G_GNUC_PRINTF (3, 4);

static gboolean
fail (const Reader *reader, GError **error, const char *format, ...)
{
  va_list          arguments;
  g_autofree char *text = NULL;

  va_start (arguments, format);
  text = g_strdup_vprintf (format, arguments);
  va_end (arguments);
  g_set_error (error, TS_ERROR, TS_ERROR_USAGE, "%s:%u: %s", reader->path, reader->line, text);
  return FALSE;
}

static gboolean
fail_prefixed (const Reader *reader, GError **error)
{
  g_prefix_error (error, "%s:%u: ", reader->path, reader->line);
  return FALSE;
}

/* What a section of tolerances is called, or begins with. */
#define TOLERANCE "tolerance"

#define NO_METRIC "a resource has LOAD, and no %s"

/* "task:Task_*", "resource:Core_1", "any:tolerance"; a colon may also be part of a name. */
static void
split_header (TsLimitSection *section, const char *text)
{
  const char      *colon = strchr (text, ':');
  g_autofree char *first = colon != NULL ? g_strndup (text, (gsize) (colon - text)) : NULL;

  section->glob = g_strdup (text);
  if (first == NULL)
    return;
  section->is_resource = g_ascii_strcasecmp (first, "resource") == 0;
  section->has_type = !section->is_resource && ts_element_type_parse (first, &section->type);
  if (!section->is_resource && !section->has_type && g_ascii_strcasecmp (first, "any") != 0)
    return;
  g_free (section->glob);
  section->glob = g_strdup (colon + 1);
}

static gboolean
is_same_section (const TsLimitSection *a, const TsLimitSection *b)
{
  return (a->tolerances != NULL) == (b->tolerances != NULL) && a->is_resource == b->is_resource
         && a->has_type == b->has_type && a->type == b->type
         && strcmp (a->glob, b->glob) == 0;
}

/* Those among which @section is, or will be; NULL: there are none yet. */
static GPtrArray *
its_like (const TsLimits *limits, const TsLimitSection *section)
{
  /* a backslash may make text of a wildcard */
  if (section->n_wild > 0 || strchr (section->glob, '\\') != NULL)
    return limits->others;
  return g_hash_table_lookup (limits->named, section->glob);
}

static void
add_section (TsLimits *limits, TsLimitSection *section)
{
  GPtrArray *like = its_like (limits, section);

  if (like == NULL)
    {
      like = g_ptr_array_new ();
      g_hash_table_insert (limits->named, section->glob, like);
    }
  g_ptr_array_add (like, section);
  g_ptr_array_add (limits->sections, section);
}

static gboolean
open_section (Reader *reader, const char *name, GError **error)
{
  TsLimitSection  *section;
  const GPtrArray *like;

  g_hash_table_remove_all (reader->keys);
  reader->in_tolerance = strcmp (name, TOLERANCE) == 0;
  if (reader->in_tolerance)
    {
      if (reader->tolerance_line != 0)
        return fail (reader, error, "section [tolerance] is there already, in line %u", reader->tolerance_line);
      reader->tolerance_line = reader->line;
      return TRUE;
    }
  section = g_new0 (TsLimitSection, 1);
  section->bounds = g_array_new (FALSE, FALSE, sizeof (TsBound));
  section->file = g_strdup (reader->path);
  section->line = reader->line;
  section->header = g_strdup_printf ("[%s]", name);
  if (g_str_has_prefix (name, TOLERANCE ":"))
    section->tolerances = g_ptr_array_new_with_free_func (ts_tolerance_free);
  split_header (section, section->tolerances != NULL ? name + strlen (TOLERANCE ":") : name);
  section->n_wild = ts_glob_count_wildcards (section->glob, &section->n_literal);
  section->order = reader->limits->sections->len;
  like = its_like (reader->limits, section);
  for (guint i = 0; like != NULL && i < like->len; i++)
    {
      const TsLimitSection *other = g_ptr_array_index (like, i);

      if (other->order < reader->first_section || !is_same_section (section, other))
        continue;
      free_section (section);
      return fail (reader, error, "section [%s] is there already, in line %u", name, other->line);
    }
  add_section (reader->limits, section);
  reader->section = section;
  if (*section->glob == '\0')
    return fail (reader, error, "section [%s] names no element", name);
  return TRUE;
}

static gboolean
take_flag (Reader *reader, const char *key, const char *value, gboolean *flag, GError **error)
{
  *flag = strcmp (value, "true") == 0;
  return *flag || strcmp (value, "false") == 0
         || fail (reader, error, "%s is true or false, not `%s'", key, value);
}

static gboolean
take_period (Reader *reader, const char *value, GError **error)
{
  TsLimitSection *section = reader->section;

  if (section->is_resource)
    return fail (reader, error, "a resource has no period");
  if (g_ascii_isdigit (value[0]) && value[strspn (value, "0123456789.")] == '\0')
    return fail (reader, error, "period: `%s' has no unit (s, ms, us, ns, ps, fs, as or ticks)", value);
  if (!ts_time_text_parse (value, &section->period, error))
    {
      g_prefix_error (error, "period: ");
      return fail_prefixed (reader, error);
    }
  section->has_period = TRUE;
  section->period_line = reader->line;
  return section->period.value.numerator > 0 || fail (reader, error, "the period is not above 0");
}

static gboolean
take_idle (Reader *reader, const char *value, GError **error)
{
  TsLimitSection *section = reader->section;

  if (section->is_resource || section->has_type)
    return fail (reader, error, "idle goes by name only: it belongs into a section without a type");
  return take_flag (reader, "idle", value, &section->idle, error)
         && (section->idle || fail (reader, error, "idle can only be true: leave it out otherwise"));
}

static gboolean
take_bound (Reader *reader, const char *key, const char *value, GError **error)
{
  TsLimitSection *section = reader->section;
  TsBound         bound = { .line = reader->line };

  if (!ts_figure_parse (key, &bound.figure, error))
    {
      if (strchr (key, '.') == NULL)
        g_prefix_error (error, "key ");
      return fail_prefixed (reader, error);
    }
  if (section->is_resource && bound.figure.metric != TS_METRIC_LOAD)
    return fail (reader, error, NO_METRIC, ts_metric_info (bound.figure.metric)->name);
  if (!section->is_resource && bound.figure.metric == TS_METRIC_LOAD)
    return fail (reader, error, "only a resource has LOAD: the section should be [resource:%s]", section->glob);
  if (!ts_bound_parse (value, &bound, error))
    return fail_prefixed (reader, error);
  g_array_append_val (section->bounds, bound);
  return TRUE;
}

/* @section: of some elements or resources, or NULL. */
static gboolean
check_tolerance (const Reader *reader, const TsLimitSection *section, const TsTolerance *tolerance, GError **error)
{
  const gboolean is_load = tolerance->has_metric && tolerance->figure.metric == TS_METRIC_LOAD;

  if (section == NULL || !tolerance->has_metric || section->is_resource == is_load)
    return TRUE;
  return is_load ? fail (reader, error, "only a resource has LOAD: the section should be [" TOLERANCE ":resource:%s]",
                         section->glob)
                 : fail (reader, error, NO_METRIC, ts_metric_info (tolerance->figure.metric)->name);
}

static gboolean
take_tolerance (Reader *reader, const char *key, const char *value, GError **error)
{
  TsLimitSection *section = reader->in_tolerance ? NULL : reader->section;
  TsTolerance    *tolerance = g_new0 (TsTolerance, 1);

  g_ptr_array_add (section != NULL ? section->tolerances : reader->limits->tolerances, tolerance);
  tolerance->source = g_strdup_printf ("%s:%u", reader->path, reader->line);
  return (ts_tolerance_parse (key, value, tolerance, error) || fail_prefixed (reader, error))
         && check_tolerance (reader, section, tolerance, error);
}

/* Under which name a key counts as a duplicate: CETmax is CET.max. */
static char *
canonical_key (const char *key)
{
  TsFigure figure;

  if (!ts_figure_parse (key, &figure, NULL))
    return g_ascii_strdown (key, -1);
  return g_strdup_printf ("%u.%s", figure.metric, ts_figure_statistic_name (&figure));
}

static gboolean
take_key (Reader *reader, const char *key, const char *value, GError **error)
{
  char *canonical = canonical_key (key);
  guint before = GPOINTER_TO_UINT (g_hash_table_lookup (reader->keys, canonical));

  g_hash_table_replace (reader->keys, canonical, GUINT_TO_POINTER (reader->line));
  if (before != 0)
    return fail (reader, error, "`%s' is there already, in line %u", key, before);
  if (*value == '\0')
    return fail (reader, error, "`%s' has no value", key);
  if (!reader->in_tolerance && reader->section == NULL)
    return fail (reader, error, "`%s' stands before the first section", key);
  if (reader->in_tolerance || reader->section->tolerances != NULL)
    return take_tolerance (reader, key, value, error);
  if (strcmp (key, "period") == 0)
    return take_period (reader, value, error);
  if (strcmp (key, "idle") == 0)
    return take_idle (reader, value, error);
  if (strcmp (key, "optional") == 0)
    {
      reader->section->has_optional = TRUE;
      return take_flag (reader, key, value, &reader->section->optional, error);
    }
  return take_bound (reader, key, value, error);
}

/* @line without blanks at its ends, which is lent for change. */
static gboolean
take_line (Reader *reader, char *line, GError **error)
{
  char *end, *separator;

  if (*line == '\0' || *line == '#')
    return TRUE;
  if (*line == '[')
    {
      /* the last one: a name may have brackets */
      end = strrchr (line, ']');
      if (end == NULL || end[1] != '\0')
        return fail (reader, error, "a section is [NAME], alone in its line");
      *end = '\0';
      return open_section (reader, line + 1, error);
    }
  separator = strchr (line, '=');
  /* `RT.max <= 8 ms' is what one might write */
  if (separator != NULL && separator > line && strchr ("<>", separator[-1]) != NULL)
    return fail (reader, error, "KEY = VALUE is expected; a relation belongs to the value, as in RT.max = %c= 8 ms", separator[-1]);
  if (separator == NULL || separator == line)
    return fail (reader, error, "neither a section, nor KEY = VALUE, nor a comment (#): `%s'", line);
  *separator = '\0';
  return take_key (reader, g_strchomp (line), g_strchug (separator + 1), error);
}

static gboolean
parse_lines (Reader *reader, const char *text, gsize length, GError **error)
{
  const char *end = text + length;

  while (text < end)
    {
      const char      *stop = memchr (text, '\n', (gsize) (end - text));
      gsize            size = (gsize) ((stop != NULL ? stop : end) - text);
      g_autofree char *line = g_strndup (text, size);

      reader->line++;
      if (strlen (line) != size || !g_utf8_validate (line, -1, NULL))
        return fail (reader, error, "the line is no UTF-8 text");
      if (!take_line (reader, g_strstrip (line), error))
        return FALSE;
      text = stop != NULL ? stop + 1 : end;
    }
  return TRUE;
}

gboolean
ts_limits_parse (TsLimits *limits, const char *path, const char *text, gsize length, GError **error)
{
  const gsize mark = ts_mark_length (text, length);
  Reader      reader = { .limits = limits, .path = path, .first_section = limits->sections->len };
  gboolean    ok;

  reader.keys = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);
  ok = parse_lines (&reader, text + mark, length - mark, error);
  g_hash_table_unref (reader.keys);
  return ok;
}

/* A device or a pipe may have no end. */
static gboolean
read_text (FILE *file, const char *title, GString *text, GError **error)
{
  char  block[16 * 1024];
  gsize n = 1;

  while (file != NULL && n > 0 && text->len <= MAX_FILE)
    {
      n = fread (block, 1, sizeof block, file);
      g_string_append_len (text, block, (gssize) n);
    }
  if (file == NULL || ferror (file))
    {
      const char *reason = g_strerror (errno);

      g_set_error (error, TS_ERROR, TS_ERROR_INPUT, "%s: %c%s", title, g_ascii_tolower (reason[0]), reason + 1);
      return FALSE;
    }
  if (text->len <= MAX_FILE)
    return TRUE;
  g_set_error (error, TS_ERROR, TS_ERROR_INPUT, "%s: too large for a file of limits (more than %d MiB)", title,
               MAX_FILE / (1024 * 1024));
  return FALSE;
}

/* Sections of limits, and tolerances wherever they stand. */
static guint
count_entries (const TsLimits *limits)
{
  guint n = limits->tolerances->len;

  for (guint i = 0; i < limits->sections->len; i++)
    {
      const TsLimitSection *section = g_ptr_array_index (limits->sections, i);

      n += section->tolerances != NULL ? section->tolerances->len : 1;
    }
  return n;
}

gboolean
ts_limits_read (TsLimits *limits, const char *path, GError **error)
{
  const gboolean is_input = strcmp (path, "-") == 0;
  const char    *title = is_input ? "standard input" : path;
  g_autoptr (GString) text = g_string_new (NULL);
  FILE    *file = is_input ? stdin : fopen (path, "re");
  gboolean is_read = read_text (file, title, text, error);
  guint    n_before = count_entries (limits);

  if (file != NULL && !is_input)
    fclose (file);
  if (!is_read || !ts_limits_parse (limits, title, text->str, text->len, error))
    return FALSE;
  if (count_entries (limits) > n_before)
    return TRUE;
  /* what made it failed, perhaps: other files must not hide that */
  g_set_error (error, TS_ERROR, TS_ERROR_USAGE, "%s: there is no limit in it", title);
  return FALSE;
}

/* Adds those of @sections, or NULL, that match. */
static void
find_in (const GPtrArray *sections, gboolean of_tolerances, gboolean is_resource, TsElementType type, const char *name,
         GPtrArray *found)
{
  for (guint i = 0; sections != NULL && i < sections->len; i++)
    {
      TsLimitSection *section = g_ptr_array_index (sections, i);

      if ((section->tolerances != NULL) == of_tolerances && section->is_resource == is_resource
          && (!section->has_type || section->type == type)
          && ts_glob_matches (section->glob, name))
        g_ptr_array_add (found, section);
    }
}

/* Which section speaks for an element is what the more specific one says. */
static int
compare_specific_first (gconstpointer first, gconstpointer second)
{
  const TsLimitSection *a = *(TsLimitSection *const *) first, *b = *(TsLimitSection *const *) second;

  if ((a->n_wild == 0) != (b->n_wild == 0))
    return a->n_wild == 0 ? -1 : 1;
  if (a->n_literal != b->n_literal)
    return a->n_literal > b->n_literal ? -1 : 1;
  if (a->has_type != b->has_type)
    return a->has_type ? -1 : 1;
  if (a->n_wild != b->n_wild)
    return a->n_wild < b->n_wild ? -1 : 1;
  return (a->order < b->order) - (a->order > b->order);
}

GPtrArray *
ts_limits_find (const TsLimits *limits, gboolean of_tolerances, gboolean is_resource, TsElementType type, const char *name,
                gboolean *matched)
{
  GPtrArray *found = g_ptr_array_new ();

  find_in (g_hash_table_lookup (limits->named, name), of_tolerances, is_resource, type, name, found);
  find_in (limits->others, of_tolerances, is_resource, type, name, found);
  g_ptr_array_sort (found, compare_specific_first);
  for (guint i = 0; i < found->len; i++)
    matched[((const TsLimitSection *) g_ptr_array_index (found, i))->order] = TRUE;
  return found;
}

static int
compare_general_first (gconstpointer a, gconstpointer b)
{
  return compare_specific_first (b, a);
}

/* Of periods the last one that fits wins: the general ones go first, and before those that are there. */
static void
apply_periods (const TsLimits *limits, TsOptions *options)
{
  g_autoptr (GPtrArray) sections = g_ptr_array_new ();

  for (guint i = 0; i < limits->sections->len; i++)
    if (((const TsLimitSection *) g_ptr_array_index (limits->sections, i))->has_period)
      g_ptr_array_add (sections, g_ptr_array_index (limits->sections, i));
  g_ptr_array_sort (sections, compare_general_first);
  if (options->periods == NULL)
    options->periods = g_ptr_array_new ();
  for (guint i = 0; i < sections->len; i++)
    {
      const TsLimitSection *section = g_ptr_array_index (sections, i);
      TsPeriodOption       *period = g_new0 (TsPeriodOption, 1);

      period->name = g_strdup (section->glob);
      period->has_type = section->has_type;
      period->type = section->type;
      period->period = section->period;
      period->source = g_strdup_printf ("%s:%u", section->file, section->period_line);
      g_ptr_array_insert (options->periods, (int) i, period);
    }
}

/* Nobody would know whether a percentile from a histogram is within a bound that is near to it. */
static void
keep_samples (const TsLimitSection *section, TsOptions *options)
{
  for (guint i = 0; i < section->bounds->len; i++)
    {
      const TsFigure *figure = &g_array_index (section->bounds, TsBound, i).figure;

      if (figure->statistic == TS_STATISTIC_PERCENTILE)
        options->exact_metrics |= 1u << figure->metric;
    }
}

void
ts_limits_apply (const TsLimits *limits, TsOptions *options)
{
  for (guint i = 0; i < limits->sections->len; i++)
    {
      const TsLimitSection *section = g_ptr_array_index (limits->sections, i);

      keep_samples (section, options);
      if (!section->idle)
        continue;
      if (options->idle == NULL)
        options->idle = g_ptr_array_new ();
      g_ptr_array_add (options->idle, g_strdup (section->glob));
    }
  apply_periods (limits, options);
}
