/* SPDX-License-Identifier: MIT */
#include "config.h"

#include <string.h>

#include "report/label.h"

/* What elements are called where they stand alone, in a log or as a test: their name, and of several with one name as
 * much more as tells them apart. A wrong element in a log costs a day. */

enum
{
  LEVEL_NAME,
  LEVEL_TYPE,
  LEVEL_ID,
  LEVEL_PARENT,
  N_LEVELS
};

static char *
make_key (const TsSubject *subject, guint level)
{
  return g_strdup_printf ("%u\n%s\n%s\n%s\n%s", level, subject->name, level >= LEVEL_TYPE ? subject->type : "",
                          level >= LEVEL_ID ? subject->id : "", level >= LEVEL_PARENT ? subject->parent : "");
}

static void
count_subject (GHashTable *counts, const TsSubject *subject)
{
  for (guint level = 0; level < N_LEVELS; level++)
    {
      char *key = make_key (subject, level);
      guint count = GPOINTER_TO_UINT (g_hash_table_lookup (counts, key));

      g_hash_table_replace (counts, key, GUINT_TO_POINTER (count + 1));
    }
}

GHashTable *
ts_labels_new (const TsReport *report)
{
  GHashTable          *counts = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);
  const TsReportBlock *block = g_ptr_array_index (report->blocks, 0);

  for (guint i = 0; i < block->elements->len; i++)
    {
      const TsSubject subject = ts_subject_of_element (g_ptr_array_index (block->elements, i));

      count_subject (counts, &subject);
    }
  for (guint i = 0; i < block->resources->len; i++)
    {
      const TsSubject subject = ts_subject_of_resource (g_ptr_array_index (block->resources, i));

      count_subject (counts, &subject);
    }
  return counts;
}

static gboolean
is_alone (GHashTable *counts, const TsSubject *subject, guint level)
{
  g_autofree char *key = make_key (subject, level);

  return GPOINTER_TO_UINT (g_hash_table_lookup (counts, key)) <= 1;
}

char *
ts_label (GHashTable *const *reports, guint n_reports, const TsSubject *subject)
{
  guint level = 0;

  for (guint i = 0; i < n_reports; i++)
    while (level < N_LEVELS && reports[i] != NULL && !is_alone (reports[i], subject, level))
      level++;
  if (level == LEVEL_NAME)
    return g_strdup (subject->name);
  if (level == LEVEL_TYPE)
    return g_strdup_printf ("%s (%s)", subject->name, subject->type);
  return g_strdup_printf ("%s (%s%s%s%s%s%s%s)", subject->name, subject->type, *subject->id != '\0' ? " " : "",
                          subject->id, level >= LEVEL_PARENT && *subject->parent != '\0' ? " in " : "",
                          level >= LEVEL_PARENT ? subject->parent : "",
                          level >= N_LEVELS && *subject->resource != '\0' ? " on " : "",
                          level >= N_LEVELS ? subject->resource : "");
}

TsSubject
ts_subject_of_element (const TsReportElement *element)
{
  return (TsSubject){ ts_element_type_name (element->type), element->name, element->id, element->parent,
                      element->resource };
}

TsSubject
ts_subject_of_resource (const TsReportResource *resource)
{
  return (TsSubject){ "resource", resource->name, resource->id, "", "" };
}

char *
ts_label_of_element (GHashTable *labels, const TsReportElement *element)
{
  const TsSubject subject = ts_subject_of_element (element);

  return ts_label (&labels, 1, &subject);
}
