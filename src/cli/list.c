/* SPDX-License-Identifier: MIT */
#include "list.h"

#include <stdio.h>

static void
list_metrics (void)
{
  for (guint i = 0; i < TS_N_METRICS; i++)
    {
      const TsMetricInfo *info = ts_metric_info ((TsMetricId) i);

      printf ("%-5s %s: %s\n", info->name, info->title, info->formula);
    }
}

static void
print_with_suffixes (const char *name, const char *title, const char *const *suffixes)
{
  g_autofree char *joined = g_strjoinv (" ", (char **) suffixes);

  printf ("%-9s %s (%s)\n", name, title, joined);
}

static void
list_formats (void)
{
  TsFormat format;

  for (guint i = 0; ts_format_get (i, &format); i++)
    print_with_suffixes (format.name, format.title, format.suffixes);
}

static void
list_writers (void)
{
  const TsWriter *writer;

  for (guint i = 0; (writer = ts_writer_get (i)) != NULL; i++)
    print_with_suffixes (writer->name, writer->title, writer->suffixes);
}

static void
list_diagnostics (void)
{
  for (guint i = 0; i < TS_N_DIAGNOSTICS; i++)
    {
      const TsDiagnosticInfo *info = ts_diagnostic_info ((TsDiagnosticId) i);

      printf ("%-24s %s: %s; %s\n", info->name, ts_severity_name (info->severity), info->found, info->done);
    }
}

static void
list_types (void)
{
  for (guint i = 0; i < TS_N_TYPES; i++)
    printf ("%s\n", ts_element_type_name ((TsElementType) i));
}

gboolean
list_print (const char *what)
{
  static const struct
  {
    const char *name;
    void (*print) (void);
  } lists[] = {
    { "metrics", list_metrics },         { "formats", list_formats }, { "writers", list_writers },
    { "diagnostics", list_diagnostics }, { "types", list_types },
  };

  for (guint i = 0; i < G_N_ELEMENTS (lists); i++)
    if (g_str_equal (what, lists[i].name))
      {
        lists[i].print ();
        return TRUE;
      }
  return FALSE;
}
