/* SPDX-License-Identifier: MIT */
#include "config.h"

#include <string.h>

#include "import/atf.h"
#include "model/words.h"

/* SystemConfiguration (ATF 1.0, 4.11): resources, elements, event ids, the time base. */

#define MAX_FRACTION (G_GUINT64_CONSTANT (1) << 63)

static TsDiagnostics *
diagnostics (const TsAtf *atf)
{
  return atf->import->diagnostics;
}

static void
system_start (TsAtf *atf, const TsAtfTag *tag)
{
  g_autofree char *name = ts_atf_tag_dup (atf, tag, TS_ATF_NAME);

  if (atf->system.line > 0)
    {
      ts_atf_fail (atf, TS_ERROR_FORMAT, tag->line,
                   "a second SystemConfiguration; the first is in line %" G_GUINT64_FORMAT, atf->system.line);
      return;
    }
  atf->system.line = tag->line;
  if (!atf->replay)
    ts_system_set_name (atf->import->system, name);
}

static gboolean
has_explicit_preemption (const TsAtfTables *tables)
{
  for (guint i = 0; i < tables->mappings->len; i++)
    {
      TsEventKind kind = g_array_index (tables->mappings, TsAtfMapping, i).kind;

      if (kind == TS_EVENT_PREEMPT || kind == TS_EVENT_RESUME)
        return TRUE;
    }
  return FALSE;
}

static void
system_end (TsAtf *atf, G_GNUC_UNUSED const char *text)
{
  if (!atf->replay)
    ts_system_set_explicit_preemption (atf->import->system, has_explicit_preemption (atf->tables));
  atf->system.is_complete = TRUE;
  /* the tables of the reading before say the same */
  if (atf->kept == NULL && !atf->is_late)
    ts_atf_use_tables (atf, atf->tables);
}

static void
system_comment_end (TsAtf *atf, const char *text)
{
  if (!atf->replay)
    ts_system_set_comment (atf->import->system, text);
}

static void
system_tool_start (TsAtf *atf, const TsAtfTag *tag)
{
  TsToolInfo tool = ts_atf_tag_tool (atf, tag);

  if (!atf->replay)
    ts_system_set_tool (atf->import->system, tool.vendor, tool.tool, tool.version);
}

/* Resources (4.9) */

static guint16
declare_resource (TsAtf *atf, const char *name, const char *id, const char *scheduler)
{
  guint number = atf->tables->n_resources++;

  if (!atf->replay)
    return ts_system_add_resource (atf->import->system, name, id, scheduler);
  return number < ts_system_n_resources (atf->import->system) ? (guint16) number : TS_NO_RESOURCE;
}

static void
resource_start (TsAtf *atf, const TsAtfTag *tag)
{
  g_autofree char *id = ts_atf_tag_dup (atf, tag, TS_ATF_ID);
  g_autofree char *name = ts_atf_tag_dup (atf, tag, TS_ATF_NAME);
  g_autofree char *scheduler = ts_atf_tag_dup (atf, tag, TS_ATF_SCHEDULER);

  if (id != NULL)
    g_strstrip (id);
  if (id == NULL && name == NULL)
    name = g_strdup_printf ("resource %u", atf->tables->n_resources);
  atf->system.resource = declare_resource (atf, name, id, scheduler);
  if (atf->system.resource == TS_NO_RESOURCE)
    ts_atf_fail (atf, TS_ERROR_RANGE, tag->line, "more than %d resources", TS_MAX_RESOURCES);
}

static void
resource_end (TsAtf *atf, G_GNUC_UNUSED const char *text)
{
  atf->system.resource = TS_NO_RESOURCE;
}

/* Elements (4.13, and TimeRangeElement of 4.9.3) */

static TsElementType
system_element_type (TsAtf *atf, const TsAtfTag *tag)
{
  g_autofree char *text = ts_atf_tag_dup (atf, tag, TS_ATF_TYPE);
  TsElementType    type = TS_TYPE_UNKNOWN;

  /* 4.13.2 names the attribute SystemElement, every example Type */
  if (text == NULL)
    text = ts_atf_tag_dup (atf, tag, TS_ATF_SYSTEM_ELEMENT);
  if (text != NULL && !ts_element_type_parse (text, &type))
    ts_diagnostics_add (diagnostics (atf), TS_DIAGNOSTIC_UNKNOWN_ELEMENT_TYPE, tag->line, "type `%s'", text);
  return type;
}

static TsElementType
time_range_type (TsAtf *atf, const TsAtfTag *tag)
{
  g_autofree char *text = ts_atf_tag_dup (atf, tag, TS_ATF_TYPE);
  TsElementType    type = TS_TYPE_UNKNOWN;

  if (text == NULL)
    return TS_TYPE_UNKNOWN;
  if (ts_element_type_parse (text, &type)
      && (type == TS_TYPE_STOPWATCH || type == TS_TYPE_WORST_CASE_RESPONSE_TIME || type == TS_TYPE_DATA_PATH
          || type == TS_TYPE_UNKNOWN))
    return type;
  ts_diagnostics_add (diagnostics (atf), TS_DIAGNOSTIC_UNKNOWN_ELEMENT_TYPE, tag->line, "time range of type `%s'",
                      text);
  return TS_TYPE_UNKNOWN;
}

static guint32
declare_element (TsAtf *atf, TsElementType type, const char *name, const char *id)
{
  guint32 parent = atf->system.n_open > 0 ? atf->system.open[atf->system.n_open - 1] : TS_NO_ELEMENT;
  guint32 number = atf->tables->elements->len;

  if (!atf->replay)
    return ts_system_add_element (atf->import->system, type, name, id, parent, atf->system.resource);
  return number < ts_system_n_elements (atf->import->system) ? number : TS_NO_ELEMENT;
}

static void
fail_duplicate (TsAtf *atf, guint64 line, guint64 id, const char *name, guint32 other)
{
  const TsElement *element = ts_system_get_element (atf->import->system, other);

  ts_atf_fail (atf, TS_ERROR_FORMAT, line,
               "the ID %" G_GUINT64_FORMAT " of `%s' is that of `%s' in line %" G_GUINT64_FORMAT, id, name,
               element->name, g_array_index (atf->tables->elements, TsAtfElement, other).line);
}

/* 20 digits and a zero */
#define ID_LENGTH 21

/* The text of @id, at the end of @buffer. */
static const char *
print_id (guint64 id, char *buffer)
{
  char *p = buffer + ID_LENGTH - 1;

  *p = '\0';
  do
    *--p = (char) ('0' + id % 10);
  while ((id /= 10) > 0);
  return p;
}

static void
element_start (TsAtf *atf, const TsAtfTag *tag, TsElementType type)
{
  g_autofree char *name = ts_atf_tag_dup (atf, tag, TS_ATF_NAME);
  char             id_buffer[ID_LENGTH];
  const char      *id_text;
  TsAtfElement     element = { tag->line, atf->system.resource };
  guint64          id;
  guint32          number, other;

  if (ts_atf_tag_number (atf, tag, TS_ATF_ID, &id) != TS_ATF_GOOD)
    {
      ts_atf_fail (atf, TS_ERROR_FORMAT, tag->line, "the element `%s' has no ID that is an unsigned integer",
                   name != NULL ? name : "");
      return;
    }
  if (atf->system.n_open == TS_MAX_DEPTH)
    {
      ts_atf_fail (atf, TS_ERROR_FORMAT, tag->line, "elements are nested deeper than %d", TS_MAX_DEPTH);
      return;
    }
  id_text = print_id (id, id_buffer);
  other = ts_atf_ids_find (&atf->tables->element_ids, id);
  if (other != TS_ATF_NO_VALUE)
    {
      fail_duplicate (atf, tag->line, id, name != NULL && *name != '\0' ? name : id_text, other);
      return;
    }
  number = declare_element (atf, type, name, id_text);
  if (number == TS_NO_ELEMENT)
    {
      if (atf->replay)
        ts_atf_fail (atf, TS_ERROR_INPUT, tag->line, "the file changed while it was read");
      else
        ts_atf_fail (atf, TS_ERROR_RANGE, tag->line, "more than %d elements", TS_MAX_ELEMENTS);
      return;
    }
  ts_atf_ids_add (&atf->tables->element_ids, id);
  g_array_append_val (atf->tables->elements, element);
  atf->system.open[atf->system.n_open++] = number;
}

static void
system_element_start (TsAtf *atf, const TsAtfTag *tag)
{
  element_start (atf, tag, system_element_type (atf, tag));
}

static void
time_range_start (TsAtf *atf, const TsAtfTag *tag)
{
  element_start (atf, tag, time_range_type (atf, tag));
}

static guint32
open_element (const TsAtf *atf)
{
  return atf->system.open[atf->system.n_open - 1];
}

static void
element_end (TsAtf *atf, G_GNUC_UNUSED const char *text)
{
  atf->system.n_open--;
}

static void
element_comment_end (TsAtf *atf, const char *text)
{
  if (!atf->replay)
    ts_system_set_comment_of (atf->import->system, open_element (atf), text);
}

/* Annotations (4.1, appendix A) */

static void
annotation_start (TsAtf *atf, const TsAtfTag *tag)
{
  g_clear_pointer (&atf->system.annotation_name, g_free);
  g_clear_pointer (&atf->system.annotation_value, g_free);
  g_clear_pointer (&atf->system.annotation_tool, g_free);
  atf->system.annotation_line = tag->line;
}

/* One text for the three of a tool: several tools may annotate the same name. */
static void
annotation_tool_start (TsAtf *atf, const TsAtfTag *tag)
{
  TsToolInfo        tool = ts_atf_tag_tool (atf, tag);
  const char *const parts[] = { tool.vendor, tool.tool, tool.version };
  GString          *text = g_string_new (NULL);

  for (gsize i = 0; i < G_N_ELEMENTS (parts); i++)
    if (parts[i] != NULL && *parts[i] != '\0')
      g_string_append_printf (text, "%s%s", text->len > 0 ? " " : "", parts[i]);
  g_free (atf->system.annotation_tool);
  atf->system.annotation_tool = g_string_free (text, text->len == 0);
}

static void
annotation_name_end (TsAtf *atf, const char *text)
{
  g_free (atf->system.annotation_name);
  atf->system.annotation_name = g_strdup (text);
}

static void
annotation_value_end (TsAtf *atf, const char *text)
{
  g_free (atf->system.annotation_value);
  atf->system.annotation_value = g_strdup (text);
}

/* The standard name that @name is, in its plain spelling: appendix A also writes RT_max,
 * and RT_{max} where its typesetting shows. NULL: not a standard one. */
static char *
standard_annotation (const char *name)
{
  static const char *const metrics[] = { "CET", "GET", "IPT", "RT", "DT", "PER", "ST", "JIT", "PRE" };
  static const char *const statistics[] = { "min", "max", "av" };
  g_autofree char         *plain = g_malloc (strlen (name) + 1);
  char                    *end = plain;

  for (const char *p = name; *p != '\0'; p++)
    if (strchr ("_{} \t\r\n", *p) == NULL)
      *end++ = *p;
  *end = '\0';

  if (g_ascii_strcasecmp (plain, "Priority") == 0)
    return g_strdup ("Priority");
  if (g_ascii_strcasecmp (plain, "Period") == 0)
    return g_strdup ("Period");
  if (g_ascii_strcasecmp (plain, "PER") == 0)
    return g_strdup ("PER");
  for (gsize i = 0; i < G_N_ELEMENTS (metrics); i++)
    for (gsize k = 0; k < G_N_ELEMENTS (statistics); k++)
      if (g_ascii_strncasecmp (plain, metrics[i], strlen (metrics[i])) == 0
          && g_ascii_strcasecmp (plain + strlen (metrics[i]), statistics[k]) == 0)
        return g_strconcat (metrics[i], statistics[k], NULL);
  return NULL;
}

/* A period may have a unit. */
static gboolean
is_good_annotation (const char *standard, const char *value)
{
  TsRational number;
  TsTimeText time;

  if (strcmp (standard, "PER") == 0 || strcmp (standard, "PERav") == 0 || strcmp (standard, "Period") == 0)
    return ts_time_text_parse (value, &time, NULL) && time.value.numerator > 0;
  return ts_rational_parse (value, &number);
}

static void
annotation_end (TsAtf *atf, G_GNUC_UNUSED const char *text)
{
  const char      *name = atf->system.annotation_name;
  const char      *value = atf->system.annotation_value != NULL ? atf->system.annotation_value : "";
  g_autofree char *standard = NULL;

  if (name == NULL || *name == '\0')
    {
      ts_diagnostics_add (diagnostics (atf), TS_DIAGNOSTIC_UNKNOWN_CONTENT, atf->system.annotation_line,
                          "an annotation without a name");
      return;
    }
  standard = standard_annotation (name);
  if (standard != NULL && !is_good_annotation (standard, value))
    ts_diagnostics_add (diagnostics (atf), TS_DIAGNOSTIC_BAD_ANNOTATION, atf->system.annotation_line, "%s is `%s'",
                        name, value);
  if (!atf->replay)
    ts_system_annotate (atf->import->system, open_element (atf), standard != NULL ? standard : name, value,
                        atf->system.annotation_tool);
}

/* Event ids (4.4, 4.5) */

static gboolean
parse_event_type (const char *text, TsEventKind *kind)
{
  static const struct
  {
    const char *name;
    TsEventKind kind;
  } types[] = {
    { "activation", TS_EVENT_ACTIVATION },
    { "activation-OS", TS_EVENT_ACTIVATION_OS },
    { "activation-chained", TS_EVENT_ACTIVATION_CHAINED },
    { "activation-failed", TS_EVENT_ACTIVATION_FAILED },
    { "error", TS_EVENT_ERROR },
    { "start", TS_EVENT_START },
    { "stop", TS_EVENT_END },
    { "end", TS_EVENT_END }, /* not in 4.5.2, but in every full example */
    { "terminate", TS_EVENT_END },
    { "preempt", TS_EVENT_PREEMPT },
    { "resume", TS_EVENT_RESUME },
    { "user", TS_EVENT_USER },
  };

  for (gsize i = 0; i < G_N_ELEMENTS (types); i++)
    if (ts_words_equal (text, types[i].name))
      {
        *kind = types[i].kind;
        return TRUE;
      }
  return FALSE;
}

static void
declare_mapping (TsAtf *atf, guint64 line, guint64 id, TsEventKind kind, const char *type)
{
  guint32      index = ts_atf_ids_find (&atf->tables->event_ids, id);
  TsAtfMapping mapping = { line, kind };

  if (index != TS_ATF_NO_VALUE)
    {
      const TsAtfMapping *other = &g_array_index (atf->tables->mappings, TsAtfMapping, index);

      if (other->kind != kind)
        ts_atf_fail (atf, TS_ERROR_FORMAT, line,
                     "the EventID %" G_GUINT64_FORMAT " is mapped to `%s', and in line %" G_GUINT64_FORMAT
                     " to another type (%s)",
                     id, type, other->line, ts_event_kind_name (other->kind));
    }
  else if (atf->tables->mappings->len == TS_ATF_MAX_MAPPINGS)
    ts_atf_fail (atf, TS_ERROR_RANGE, line, "more than %d event mappings", TS_ATF_MAX_MAPPINGS);
  else
    {
      ts_atf_ids_add (&atf->tables->event_ids, id);
      g_array_append_val (atf->tables->mappings, mapping);
    }
}

static void
mapping_start (TsAtf *atf, const TsAtfTag *tag)
{
  g_autofree char *type = ts_atf_tag_dup (atf, tag, TS_ATF_EVENT_TYPE);
  TsEventKind      kind = TS_EVENT_USER;
  guint64          id;

  atf->system.is_user = FALSE;
  if (ts_atf_tag_number (atf, tag, TS_ATF_EVENT_ID, &id) != TS_ATF_GOOD)
    {
      ts_atf_fail (atf, TS_ERROR_FORMAT, tag->line, "an event mapping has no EventID that is an unsigned integer");
      return;
    }
  if (type == NULL)
    {
      ts_diagnostics_add (diagnostics (atf), TS_DIAGNOSTIC_MAPPING_WITHOUT_TYPE, tag->line,
                          "EventID %" G_GUINT64_FORMAT, id);
      return;
    }
  if (!parse_event_type (type, &kind))
    ts_diagnostics_add (diagnostics (atf), TS_DIAGNOSTIC_UNKNOWN_EVENT_TYPE, tag->line, "type `%s'", type);
  atf->system.is_user = kind == TS_EVENT_USER;
  atf->system.event = id;
  declare_mapping (atf, tag->line, id, kind, type);
}

static void
user_table_start (TsAtf *atf, const TsAtfTag *tag)
{
  if (!atf->system.is_user)
    ts_diagnostics_add (diagnostics (atf), TS_DIAGNOSTIC_UNKNOWN_CONTENT, tag->line,
                        "a user table of events that are no user events");
}

static void
info_start (TsAtf *atf, const TsAtfTag *tag)
{
  atf->system.info_line = tag->line;
  atf->system.has_info
      = ts_atf_tag_number (atf, tag, TS_ATF_REFERENCE_ID, &atf->system.info_reference) == TS_ATF_GOOD;
  if (!atf->system.has_info)
    ts_diagnostics_add (diagnostics (atf), TS_DIAGNOSTIC_UNKNOWN_CONTENT, tag->line,
                        "a user table's Info without a ReferenceID that is an unsigned integer");
}

static void
info_end (TsAtf *atf, const char *text)
{
  TsAtfUser *user;

  if (!atf->system.is_user || !atf->system.has_info)
    return;
  user = ts_atf_users_get (&atf->tables->infos, atf->system.event, atf->system.info_reference);
  if (user->info == NULL)
    user->info = g_strdup (text);
  if (atf->tables->infos.users->len > TS_ATF_MAX_MAPPINGS)
    ts_atf_fail (atf, TS_ERROR_RANGE, atf->system.info_line, "more than %d user events", TS_ATF_MAX_MAPPINGS);
}

/* The time base (4.19) and fractions (4.6) */

gboolean
ts_atf_fraction (TsAtf *atf, const TsAtfTag *tag, guint64 *numerator, guint64 *denominator, const char **reason)
{
  TsAtfFound found_n = ts_atf_tag_number (atf, tag, TS_ATF_NUMERATOR, numerator);
  TsAtfFound found_d = ts_atf_tag_number (atf, tag, TS_ATF_DENOMINATOR, denominator);

  *reason = NULL;
  if (found_n == TS_ATF_MISSING || found_d == TS_ATF_MISSING)
    *reason = "lacks a Numerator or a Denominator";
  else if (found_n == TS_ATF_BAD || found_d == TS_ATF_BAD || *numerator > MAX_FRACTION || *denominator > MAX_FRACTION)
    *reason = "has a Numerator or a Denominator that is not an integer up to 2^63";
  else if (*denominator == 0)
    *reason = "has the Denominator 0";
  return *reason == NULL;
}

static void
time_base_start (TsAtf *atf, const TsAtfTag *tag)
{
  g_autofree char *unit = ts_atf_tag_dup (atf, tag, TS_ATF_UNIT);

  if (atf->system.time_base_line > 0)
    ts_atf_fail (atf, TS_ERROR_FORMAT, tag->line, "a second time base; the first is in line %" G_GUINT64_FORMAT,
                 atf->system.time_base_line);
  else if (unit == NULL)
    ts_atf_fail (atf, TS_ERROR_FORMAT, tag->line, "the time base has no Unit");
  else if (!ts_time_base_exponent (g_strstrip (unit), &atf->system.time_base.exponent))
    ts_atf_fail (atf, TS_ERROR_FORMAT, tag->line, "the time base has the unknown Unit `%s' (s, ms, us, ns, ps, fs, as)",
                 unit);
  atf->system.time_base_line = tag->line;
  atf->system.has_fraction = FALSE;
}

static void
time_base_fraction_start (TsAtf *atf, const TsAtfTag *tag)
{
  TsTimeBase *base = &atf->system.time_base;
  const char *reason;

  if (!ts_atf_fraction (atf, tag, &base->numerator, &base->denominator, &reason))
    ts_atf_fail (atf, TS_ERROR_FORMAT, tag->line, "the time base %s", reason);
  else if (base->numerator == 0)
    ts_atf_fail (atf, TS_ERROR_FORMAT, tag->line, "the time base has the Numerator 0");
  else if (atf->system.has_fraction)
    ts_atf_fail (atf, TS_ERROR_FORMAT, tag->line, "the time base has a second value");
  atf->system.has_fraction = TRUE;
}

static void
time_base_end (TsAtf *atf, G_GNUC_UNUSED const char *text)
{
  TsTimeBase *base = &atf->system.time_base;

  if (!atf->system.has_fraction)
    {
      ts_atf_fail (atf, TS_ERROR_FORMAT, atf->system.time_base_line, "the time base has no value");
      return;
    }
  base->scale = atf->scale;
  base->known = TRUE;
  if (!atf->replay)
    *ts_system_time_base (atf->import->system) = *base;
}

const TsAtfRule ts_atf_system_rules[] = {
  { TS_ATF_IN_ROOT, TS_ATF_SYSTEM_CONFIGURATION, TS_ATF_IN_SYSTEM, FALSE, system_start, system_end },
  { TS_ATF_IN_SYSTEM, TS_ATF_COMMENT, TS_ATF_IN_LEAF, TRUE, NULL, system_comment_end },
  { TS_ATF_IN_SYSTEM, TS_ATF_TOOL_INFO, TS_ATF_IN_LEAF, FALSE, system_tool_start, NULL },
  { TS_ATF_IN_SYSTEM, TS_ATF_RESOURCE, TS_ATF_IN_RESOURCE, FALSE, resource_start, resource_end },
  { TS_ATF_IN_SYSTEM, TS_ATF_EVENT_ID_MAPPINGS, TS_ATF_IN_MAPPINGS, FALSE, NULL, NULL },
  { TS_ATF_IN_SYSTEM, TS_ATF_TIME_BASE, TS_ATF_IN_TIME_BASE, FALSE, time_base_start, time_base_end },
  { TS_ATF_IN_SYSTEM, TS_ATF_TIME_VALUE, TS_ATF_IN_TIME_BASE, FALSE, time_base_start, time_base_end },
  { TS_ATF_IN_RESOURCE, TS_ATF_SYSTEM_ELEMENT, TS_ATF_IN_ELEMENT, FALSE, system_element_start, element_end },
  { TS_ATF_IN_RESOURCE, TS_ATF_TIME_RANGE_ELEMENT, TS_ATF_IN_ELEMENT, FALSE, time_range_start, element_end },
  { TS_ATF_IN_ELEMENT, TS_ATF_SYSTEM_ELEMENT, TS_ATF_IN_ELEMENT, FALSE, system_element_start, element_end },
  { TS_ATF_IN_ELEMENT, TS_ATF_TIME_RANGE_ELEMENT, TS_ATF_IN_ELEMENT, FALSE, time_range_start, element_end },
  { TS_ATF_IN_ELEMENT, TS_ATF_COMMENT, TS_ATF_IN_LEAF, TRUE, NULL, element_comment_end },
  { TS_ATF_IN_ELEMENT, TS_ATF_ANNOTATION, TS_ATF_IN_ANNOTATION, FALSE, annotation_start, annotation_end },
  { TS_ATF_IN_ANNOTATION, TS_ATF_TOOL_INFO, TS_ATF_IN_LEAF, FALSE, annotation_tool_start, NULL },
  { TS_ATF_IN_ANNOTATION, TS_ATF_NAME, TS_ATF_IN_LEAF, TRUE, NULL, annotation_name_end },
  { TS_ATF_IN_ANNOTATION, TS_ATF_VALUE, TS_ATF_IN_LEAF, TRUE, NULL, annotation_value_end },
  { TS_ATF_IN_MAPPINGS, TS_ATF_EVENT_ID_MAPPING, TS_ATF_IN_MAPPING, FALSE, mapping_start, NULL },
  { TS_ATF_IN_MAPPING, TS_ATF_USER_TABLE, TS_ATF_IN_USER_TABLE, FALSE, user_table_start, NULL },
  { TS_ATF_IN_USER_TABLE, TS_ATF_INFO, TS_ATF_IN_LEAF, TRUE, info_start, info_end },
  { TS_ATF_IN_TIME_BASE, TS_ATF_VALUE, TS_ATF_IN_LEAF, FALSE, time_base_fraction_start, NULL },
  { TS_ATF_IN_TIME_BASE, TS_ATF_FRACTION, TS_ATF_IN_LEAF, FALSE, time_base_fraction_start, NULL },
  { 0 },
};
