/* SPDX-License-Identifier: MIT */
#include "config.h"

#include <string.h>

#include "import/atf.h"

/* TraceData (ATF 1.0, 4.21): sections, events, comments. */

static TsDiagnostics *
diagnostics (const TsAtf *atf)
{
  return atf->import->diagnostics;
}

/* As much of a text from the file as a message can show, as valid UTF-8; to be freed. */
static char *
excerpt (const char *begin, const char *end)
{
  return g_utf8_make_valid (begin, MIN (end - begin, 40));
}

/* Stamps (4.18) */

/* A stamp falls between two units. TRUE: they are others from here on; else the next reading gets finer ones. A stream
 * that cannot be read again keeps the rounded time, and so does a file where finer units cannot hold all stamps. */
static gboolean
ask_for_decimals (TsAtf *atf, const TsAtfDecimal *decimal, guint64 line, const char *what)
{
  TsImportMemory *memory = atf->import->memory;
  gint64          finer, value;
  gboolean        exact;

  /* an earlier stamp of this reading may have asked for as much already */
  if (ts_atf_decimal_scale (decimal, memory->scale, &value, &exact) && exact)
    return FALSE;
  if (memory->rounds || (!atf->import->surveying && !atf->import->can_reread))
    {
      ts_diagnostics_add (diagnostics (atf), TS_DIAGNOSTIC_ROUNDED_TIME, line, "%s", what);
      return FALSE;
    }
  finer = ts_atf_decimal_raise (decimal, memory->scale);
  if (finer == 0)
    {
      if (ts_atf_scale_round (atf, decimal))
        return TRUE;
      ts_atf_fail (atf, TS_ERROR_RANGE, line, "%s has more decimals than can be kept exactly", what);
      return FALSE;
    }
  if (ts_atf_scale_raise (atf, finer))
    return TRUE;
  if (ts_import_request_reread (atf->import))
    memory->scale = finer;
  return FALSE;
}

/* Some traces have many of them: only the first one is shown. */
static void
note_loose_number (TsAtf *atf, const char *begin, const char *end, guint64 line, const char *what)
{
  gboolean         is_first = diagnostics (atf)->entries[TS_DIAGNOSTIC_LOOSE_NUMBER].count == 0;
  g_autofree char *shown = is_first ? excerpt (begin, end) : NULL;

  ts_diagnostics_add (diagnostics (atf), TS_DIAGNOSTIC_LOOSE_NUMBER, line, "%s `%s'", what, shown);
}

/* FALSE: beyond the limit in any units. */
static gboolean
scale_stamp (TsAtf *atf, const TsAtfDecimal *decimal, gint64 *stamp, gboolean *exact)
{
  return ts_atf_decimal_scale (decimal, atf->scale, stamp, exact)
         || (ts_atf_scale_round (atf, decimal) && ts_atf_decimal_scale (decimal, atf->scale, stamp, exact));
}

/* A stamp in internal units. TS_ATF_BAD: not a time. An error may be set. */
static TsAtfFound
read_stamp (TsAtf *atf, const char *begin, const char *end, guint64 line, const char *what, gint64 *stamp)
{
  TsAtfDecimal decimal;
  gboolean     exact;

  if (!ts_atf_decimal_parse (begin, end, &decimal))
    return TS_ATF_BAD;
  if (decimal.is_loose)
    note_loose_number (atf, begin, end, line, what);
  do
    if (!scale_stamp (atf, &decimal, stamp, &exact))
      {
        g_autofree char *shown = excerpt (begin, end);
        g_autofree char *limit = ts_time_limit_text (ts_atf_scale_least (atf));

        ts_atf_fail (atf, TS_ERROR_RANGE, line, "%s %s is beyond %s", what, shown, limit);
        return TS_ATF_BAD;
      }
  while ((!exact || (atf->import->surveying && decimal.decimals > 0)) && ask_for_decimals (atf, &decimal, line, what));
  return TS_ATF_GOOD;
}

static TsAtfFound
tag_stamp (TsAtf *atf, const TsAtfTag *tag, TsAtfName name, const char *what, gint64 *stamp)
{
  g_autofree char *text = ts_atf_tag_dup (atf, tag, name);

  if (text == NULL)
    return TS_ATF_MISSING;
  return read_stamp (atf, text, text + strlen (text), tag->line, what, stamp);
}

/* Sections */

void
ts_atf_use_tables (TsAtf *atf, TsAtfTables *tables)
{
  atf->lookup = tables;
  ts_atf_memos_begin (atf);
  for (guint i = 0; tables->infos.users != NULL && i < tables->infos.users->len; i++)
    {
      const TsAtfUser *info = &g_array_index (tables->infos.users, TsAtfUser, i);
      TsAtfUser       *user = ts_atf_users_get (&atf->users, info->event, info->reference);

      if (user->info == NULL)
        user->info = g_strdup (info->info);
    }
}

/* Counts are set, not added: the system may be that of the reading before. */
void
ts_atf_publish_users (TsAtf *atf)
{
  for (guint i = 0; atf->users.users != NULL && i < atf->users.users->len; i++)
    {
      const TsAtfUser *user = &g_array_index (atf->users.users, TsAtfUser, i);
      g_autofree char *event = g_strdup_printf ("%" G_GUINT64_FORMAT, user->event);
      g_autofree char *reference = user->reference == G_MAXUINT64
                                       ? g_strdup ("others")
                                       : g_strdup_printf ("%" G_GUINT64_FORMAT, user->reference);
      TsUserEvent     *published = ts_system_user_event (atf->import->system, event, reference);

      published->info = ts_system_intern (atf->import->system, user->info);
      published->count = user->count;
    }
}

static void
check_time_base (TsAtf *atf, guint64 line)
{
  if (atf->lookup == NULL || atf->warned_no_base || ts_system_time_base (atf->import->system)->known)
    return;
  ts_diagnostics_add (diagnostics (atf), TS_DIAGNOSTIC_NO_TIME_BASE, line, NULL);
  atf->warned_no_base = TRUE;
}

static void
read_window (TsAtf *atf, const TsAtfTag *tag)
{
  TsSection *window = &atf->window;
  TsAtfFound start = tag_stamp (atf, tag, TS_ATF_START, "Start", &window->start);
  TsAtfFound stop = tag_stamp (atf, tag, TS_ATF_STOP, "Stop", &window->stop);

  window->has_start = start == TS_ATF_GOOD;
  window->has_stop = stop == TS_ATF_GOOD;
  if (start != TS_ATF_GOOD)
    ts_diagnostics_add (diagnostics (atf), TS_DIAGNOSTIC_NO_START, tag->line, "%s",
                        start == TS_ATF_MISSING ? "no Start" : "Start is no time");
  if (window->has_start && window->has_stop && window->stop < window->start)
    {
      /* nothing would lie within */
      window->has_stop = FALSE;
      ts_diagnostics_add (diagnostics (atf), TS_DIAGNOSTIC_BAD_STOP, tag->line, "Stop is before Start");
    }
  if (stop == TS_ATF_BAD)
    ts_diagnostics_add (diagnostics (atf), TS_DIAGNOSTIC_BAD_STOP, tag->line, "Stop is no time");
  ts_atf_scale_window (atf);
}

static void
trace_start (TsAtf *atf, const TsAtfTag *tag)
{
  if (atf->import->sections->len == TS_ATF_MAX_SECTIONS)
    {
      ts_atf_fail (atf, TS_ERROR_RANGE, tag->line, "more than %d TraceData", TS_ATF_MAX_SECTIONS);
      return;
    }
  check_time_base (atf, tag->line);
  if (atf->import->sections->len == 0)
    ts_atf_scale_begin (atf);
  atf->window = (TsSection){ 0 };
  atf->section = &atf->window;
  atf->overheads_late = FALSE;
  atf->n_outside = 0;
  read_window (atf, tag);
}

/* A section is handed on when its first event comes, or its end: by then its overheads
 * are usually known, and the next stage wants them at the beginning. */
static void
open_section (TsAtf *atf)
{
  TsSection *section;

  ts_atf_overheads_begin (atf);
  section = ts_import_begin_section (atf->import, &atf->window);
  section->comment = atf->window.comment;
  section->tool = atf->window.tool;
  section->overhead_notes = g_steal_pointer (&atf->window.overhead_notes);
  section->comments = g_steal_pointer (&atf->window.comments);
  atf->section = section;
}

static void
tell_outside (TsAtf *atf)
{
  if (atf->n_outside == 0)
    return;
  ts_diagnostics_add (diagnostics (atf), TS_DIAGNOSTIC_OUTSIDE_SECTION, atf->outside_line, NULL);
  diagnostics (atf)->entries[TS_DIAGNOSTIC_OUTSIDE_SECTION].count += atf->n_outside - 1;
}

static void
trace_end (TsAtf *atf, G_GNUC_UNUSED const char *text)
{
  const TsSection *section;

  if (atf->section == &atf->window)
    open_section (atf);
  section = atf->section;
  ts_atf_overheads_end (atf);
  ts_import_end_section (atf->import);
  /* which event is the first is known only in their order, and a stop before it is none */
  if (section->has_stop == atf->window.has_stop)
    tell_outside (atf);
  atf->section = NULL;
}

static void
trace_comment_end (TsAtf *atf, const char *text)
{
  atf->section->comment = ts_system_intern (atf->import->system, text);
}

static void
trace_tool_start (TsAtf *atf, const TsAtfTag *tag)
{
  atf->section->tool = ts_atf_tag_tool (atf, tag);
}

/* Events (4.22) */

/* Digits alone, in place: what all but a few numbers are. */
static inline gboolean
quick_number (const TsAtfText *text, guint64 *value)
{
  const char *p = text->begin;
  guint64     number = 0;

  if (p == NULL || p == text->end || text->end - p > 19)
    return FALSE;
  for (; p < text->end; p++)
    {
      guint digit = (guint) (guchar) *p - '0';

      if (digit > 9)
        return FALSE;
      number = number * 10 + digit;
    }
  *value = number;
  return TRUE;
}

static void
bad_event (TsAtf *atf, guint64 line, const char *what, const TsAtfText *text)
{
  g_autofree char *shown = text->begin != NULL ? excerpt (text->begin, text->end) : NULL;

  if (shown == NULL)
    ts_diagnostics_add (diagnostics (atf), TS_DIAGNOSTIC_BAD_EVENT, line, "no %s", what);
  else
    ts_diagnostics_add (diagnostics (atf), TS_DIAGNOSTIC_BAD_EVENT, line, "%s `%s'", what, shown);
}

static gboolean
read_id (TsAtf *atf, const TsAtfText *text, guint64 line, const char *what, guint64 *id)
{
  if (G_LIKELY (quick_number (text, id)))
    return TRUE;
  if (text->begin != NULL)
    {
      g_autofree char *copy = ts_atf_text_dup (atf, text);

      if (ts_atf_number_parse (copy, copy + strlen (copy), id))
        return TRUE;
    }
  bad_event (atf, line, what, text);
  return FALSE;
}

static gboolean
read_time (TsAtf *atf, const TsAtfText *text, guint64 line, gint64 *time)
{
  guint64 ticks;

  if (G_LIKELY (quick_number (text, &ticks) && ticks <= (guint64) atf->whole_limit))
    {
      if (G_UNLIKELY (*text->begin == '0' && text->end - text->begin > 1))
        note_loose_number (atf, text->begin, text->end, line, "Time");
      *time = (gint64) ticks * atf->scale;
      return TRUE;
    }
  if (text->begin != NULL)
    {
      g_autofree char *copy = ts_atf_text_dup (atf, text);

      if (read_stamp (atf, copy, copy + strlen (copy), line, "Time", time) == TS_ATF_GOOD)
        return TRUE;
    }
  if (atf->error == NULL)
    bad_event (atf, line, "Time", text);
  return FALSE;
}

/* The trace comes before the system: this reading only learns the system. */
static void
survey_late_system (TsAtf *atf, guint64 line)
{
  atf->is_late = TRUE;
  if (!ts_import_request_reread (atf->import))
    ts_atf_fail (atf, TS_ERROR_FORMAT, line,
                 "an event comes before the end of the SystemConfiguration, and a stream cannot be read twice");
}

static G_GNUC_NO_INLINE void
note_outside (TsAtf *atf, guint64 line)
{
  if (atf->n_outside++ == 0)
    atf->outside_line = line;
}

static void
append_event (TsAtf *atf, TsEventKind kind, gint64 time, guint32 element, guint16 resource, guint64 line)
{
  if (G_UNLIKELY (time < atf->from || time > atf->to))
    note_outside (atf, line);
  ts_atf_put (ts_import_next (atf->import), kind, time, element, resource, line);
  ts_import_commit (atf->import);
}

/* An entry that refers to nothing still tells that the trace went on until then. */
static void
unused_event (TsAtf *atf, gint64 time, guint64 line)
{
  append_event (atf, TS_EVENT_USER, time, TS_NO_ELEMENT, TS_NO_RESOURCE, line);
}

static void
user_event (TsAtf *atf, guint64 event, guint64 reference, gint64 time, guint64 line)
{
  const TsAtfUser *user = ts_atf_users_count (&atf->users, event, reference);

  if (user->info == NULL)
    ts_diagnostics_add (diagnostics (atf), TS_DIAGNOSTIC_UNKNOWN_USER_EVENT, line,
                        "ReferenceID %" G_GUINT64_FORMAT " of EventID %" G_GUINT64_FORMAT, reference, event);
  append_event (atf, TS_EVENT_USER, time, TS_NO_ELEMENT, ts_atf_user_resource (atf), line);
}

static void
element_event (TsAtf *atf, TsEventKind kind, guint64 reference, gint64 time, guint64 line)
{
  guint32 element = ts_atf_ids_find (&atf->lookup->element_ids, reference);

  if (G_LIKELY (element != TS_ATF_NO_VALUE))
    append_event (atf, kind, time, element, g_array_index (atf->lookup->elements, TsAtfElement, element).resource,
                  line);
  else if (kind == TS_EVENT_ERROR)
    append_event (atf, kind, time, TS_NO_ELEMENT, TS_NO_RESOURCE, line);
  else
    {
      ts_diagnostics_add (diagnostics (atf), TS_DIAGNOSTIC_UNKNOWN_REFERENCE, line, "ReferenceID %" G_GUINT64_FORMAT,
                          reference);
      unused_event (atf, time, line);
    }
}

void
ts_atf_event (TsAtf *atf, gint64 stamp, guint64 event_id, guint64 reference_id, guint64 line)
{
  guint32     mapping;
  TsEventKind kind;

  if (G_UNLIKELY (atf->lookup == NULL))
    survey_late_system (atf, line);
  if (G_UNLIKELY (atf->section == &atf->window))
    open_section (atf);
  if (G_UNLIKELY (atf->error != NULL || atf->lookup == NULL))
    return;

  mapping = ts_atf_ids_find (&atf->lookup->event_ids, event_id);
  if (G_UNLIKELY (mapping == TS_ATF_NO_VALUE))
    {
      ts_diagnostics_add (diagnostics (atf), TS_DIAGNOSTIC_UNMAPPED_EVENT, line, "EventID %" G_GUINT64_FORMAT,
                          event_id);
      unused_event (atf, stamp, line);
      return;
    }
  /* The type decides what the ReferenceID refers to: user events reuse the numbers of
   * elements (METRICS, rule 18). */
  kind = g_array_index (atf->lookup->mappings, TsAtfMapping, mapping).kind;
  if (kind == TS_EVENT_USER)
    user_event (atf, event_id, reference_id, stamp, line);
  else
    element_event (atf, kind, reference_id, stamp, line);
}

void
ts_atf_entry (TsAtf *atf, const TsAtfText *time, const TsAtfText *event, const TsAtfText *reference, guint64 line)
{
  gint64  stamp;
  guint64 event_id, reference_id;

  if (read_time (atf, time, line, &stamp) && read_id (atf, event, line, "EventID", &event_id)
      && read_id (atf, reference, line, "ReferenceID", &reference_id))
    ts_atf_event (atf, stamp, event_id, reference_id, line);
}

/* Comments on the trace (4.15, 4.17, 4.23) */

static gboolean
comment_time (TsAtf *atf, const TsAtfTag *tag, TsAtfName name, gint64 *time)
{
  g_autofree char *text = ts_atf_tag_dup (atf, tag, name);
  TsAtfDecimal     decimal;
  gboolean         exact;

  /* rounded without a word: a comment is no reason to read a trace in finer units */
  return text != NULL && ts_atf_decimal_parse (text, text + strlen (text), &decimal)
         && ts_atf_decimal_scale (&decimal, atf->scale, time, &exact);
}

static void
add_comment (TsAtf *atf, guint64 line, TsTraceComment comment)
{
  GArray **comments = &atf->section->comments;

  if (*comments == NULL)
    *comments = g_array_new (FALSE, FALSE, sizeof (TsTraceComment));
  if ((*comments)->len == TS_ATF_MAX_COMMENTS)
    ts_atf_fail (atf, TS_ERROR_RANGE, line, "more than %d comments on a trace", TS_ATF_MAX_COMMENTS);
  else
    g_array_append_val (*comments, comment);
}

static void
timed_comment (TsAtf *atf, const TsAtfTag *tag, TsAtfName from, TsAtfName to)
{
  g_autofree char *text = ts_atf_tag_dup (atf, tag, TS_ATF_TEXT);
  TsTraceComment   comment = { 0 };

  comment.has_time = comment_time (atf, tag, from, &comment.from) && comment_time (atf, tag, to, &comment.to);
  if (!comment.has_time)
    {
      comment.from = comment.to = 0;
      ts_diagnostics_add (diagnostics (atf), TS_DIAGNOSTIC_BAD_COMMENT, tag->line, NULL);
    }
  comment.text = ts_system_intern (atf->import->system, text != NULL ? text : "");
  add_comment (atf, tag->line, comment);
}

static void
moment_comment_start (TsAtf *atf, const TsAtfTag *tag)
{
  timed_comment (atf, tag, TS_ATF_AT, TS_ATF_AT);
}

static void
range_comment_start (TsAtf *atf, const TsAtfTag *tag)
{
  timed_comment (atf, tag, TS_ATF_FROM, TS_ATF_TO);
}

static void
general_comment_end (TsAtf *atf, const char *text)
{
  add_comment (atf, ts_atf_line (atf),
               (TsTraceComment){ .has_time = FALSE, .text = ts_system_intern (atf->import->system, text) });
}

const TsAtfRule ts_atf_trace_rules[] = {
  { TS_ATF_IN_ROOT, TS_ATF_TRACE_DATA, TS_ATF_IN_TRACE, FALSE, trace_start, trace_end },
  { TS_ATF_IN_TRACE, TS_ATF_COMMENT, TS_ATF_IN_LEAF, TRUE, NULL, trace_comment_end },
  { TS_ATF_IN_TRACE, TS_ATF_TOOL_INFO, TS_ATF_IN_LEAF, FALSE, trace_tool_start, NULL },
  { TS_ATF_IN_TRACE, TS_ATF_TRACING_OVERHEAD, TS_ATF_IN_OVERHEAD, FALSE, ts_atf_overhead_start, ts_atf_overhead_end },
  { TS_ATF_IN_TRACE, TS_ATF_TRACE_INFORMATION, TS_ATF_IN_INFORMATION, FALSE, NULL, NULL },
  { TS_ATF_IN_OVERHEAD, TS_ATF_VALUE, TS_ATF_IN_LEAF, FALSE, ts_atf_overhead_fraction, NULL },
  { TS_ATF_IN_OVERHEAD, TS_ATF_FRACTION, TS_ATF_IN_LEAF, FALSE, ts_atf_overhead_fraction, NULL },
  { TS_ATF_IN_INFORMATION, TS_ATF_TIME_STAMP_COMMENT, TS_ATF_IN_LEAF, FALSE, moment_comment_start, NULL },
  { TS_ATF_IN_INFORMATION, TS_ATF_TIME_RANGE_COMMENT, TS_ATF_IN_LEAF, FALSE, range_comment_start, NULL },
  { TS_ATF_IN_INFORMATION, TS_ATF_COMMENT, TS_ATF_IN_LEAF, TRUE, NULL, general_comment_end },
  { 0 },
};
