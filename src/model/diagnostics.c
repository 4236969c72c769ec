/* SPDX-License-Identifier: MIT */
#include "config.h"

#include <string.h>

#include <tracestat/diagnostics.h>

static const TsDiagnosticInfo diagnostic_infos[TS_N_DIAGNOSTICS] = {
#define INFO(NAME, name, severity, found, done) [TS_DIAGNOSTIC_##NAME] = { name, TS_SEVERITY_##severity, found, done },
  TS_DIAGNOSTICS (INFO)
#undef INFO
};

TsDiagnostics *
ts_diagnostics_new (const char *file)
{
  TsDiagnostics *diagnostics = g_new0 (TsDiagnostics, 1);

  diagnostics->file = g_strdup (file);
  return diagnostics;
}

void
ts_diagnostics_clear (TsDiagnostics *diagnostics)
{
  for (guint i = 0; i < TS_N_DIAGNOSTICS; i++)
    {
      g_free (diagnostics->entries[i].file);
      g_free (diagnostics->entries[i].detail);
      diagnostics->entries[i] = (TsDiagnostic){ 0 };
    }
}

void
ts_diagnostics_free (TsDiagnostics *diagnostics)
{
  if (diagnostics == NULL)
    return;
  ts_diagnostics_clear (diagnostics);
  g_free (diagnostics->file);
  g_free (diagnostics);
}

void
ts_diagnostics_add (TsDiagnostics *diagnostics, TsDiagnosticId id, guint64 line, const char *detail, ...)
{
  TsDiagnostic *entry = &diagnostics->entries[id];
  va_list       arguments;

  if (entry->count++ > 0)
    return;
  entry->file = g_strdup (diagnostics->file);
  entry->line = line;
  if (detail != NULL)
    {
      va_start (arguments, detail);
      entry->detail = g_strdup_vprintf (detail, arguments);
      va_end (arguments);
    }
}

void
ts_diagnostics_merge (TsDiagnostics *diagnostics, const TsDiagnostics *other)
{
  for (guint i = 0; i < TS_N_DIAGNOSTICS; i++)
    {
      TsDiagnostic       *to = &diagnostics->entries[i];
      const TsDiagnostic *from = &other->entries[i];

      if (to->count == 0 && from->count > 0)
        {
          to->file = g_strdup (from->file);
          to->line = from->line;
          to->detail = g_strdup (from->detail);
        }
      to->count += from->count;
    }
}

/* Of that severity, or a higher one. */
static gboolean
is_any_refused (const TsDiagnostics *diagnostics, const TsDiagnosticRule *rules, TsSeverity least)
{
  for (guint i = 0; i < TS_N_DIAGNOSTICS; i++)
    if (diagnostic_infos[i].severity >= least && ts_diagnostics_refuse (diagnostics, (TsDiagnosticId) i, rules))
      return TRUE;
  return FALSE;
}

gboolean
ts_diagnostics_are_refused (const TsDiagnostics *diagnostics, const TsDiagnosticRule *rules)
{
  return is_any_refused (diagnostics, rules, TS_SEVERITY_NOTE);
}

gboolean
ts_diagnostics_have_refused_defects (const TsDiagnostics *diagnostics, const TsDiagnosticRule *rules)
{
  return is_any_refused (diagnostics, rules, TS_SEVERITY_DEFECT);
}

const TsDiagnosticInfo *
ts_diagnostic_info (TsDiagnosticId id)
{
  g_return_val_if_fail (id < TS_N_DIAGNOSTICS, NULL);
  return &diagnostic_infos[id];
}

gboolean
ts_diagnostic_parse (const char *name, TsDiagnosticId *id)
{
  g_return_val_if_fail (name != NULL, FALSE);
  for (guint i = 0; i < TS_N_DIAGNOSTICS; i++)
    if (strcmp (diagnostic_infos[i].name, name) == 0)
      {
        *id = (TsDiagnosticId) i;
        return TRUE;
      }
  return FALSE;
}

const char *
ts_severity_name (TsSeverity severity)
{
  static const char *const names[] = { "note", "warning", "defect" };

  g_return_val_if_fail (severity < G_N_ELEMENTS (names), "");
  return names[severity];
}

gboolean
ts_diagnostics_refuse (const TsDiagnostics *diagnostics, TsDiagnosticId id, const TsDiagnosticRule *rules)
{
  const TsDiagnosticRule rule = rules != NULL ? rules[id] : TS_RULE_BY_SEVERITY;

  return diagnostics->entries[id].count > 0 && rule != TS_RULE_ALLOW
         && (rule == TS_RULE_REFUSE || diagnostic_infos[id].severity == TS_SEVERITY_DEFECT);
}

char *
ts_diagnostics_text (const TsDiagnostics *diagnostics, TsDiagnosticId id)
{
  const TsDiagnosticInfo *info = &diagnostic_infos[id];
  const TsDiagnostic     *entry = &diagnostics->entries[id];
  g_autofree char        *place = NULL;

  if (entry->file != NULL && entry->line > 0)
    place = g_strdup_printf ("%s:%" G_GUINT64_FORMAT ": ", entry->file, entry->line);
  else if (entry->file != NULL)
    place = g_strdup_printf ("%s: ", entry->file);
  return g_strdup_printf ("%s%s%s%s%s (%" G_GUINT64_FORMAT "x, %s); %s", place != NULL ? place : "", info->found,
                          entry->detail != NULL ? " (" : "", entry->detail != NULL ? entry->detail : "",
                          entry->detail != NULL ? ")" : "", entry->count, info->name, info->done);
}
