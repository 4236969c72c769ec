/* SPDX-License-Identifier: MIT */
#pragma once

#include <tracestat/report.h>

G_BEGIN_DECLS

/* What an element or a resource is known by. */
typedef struct
{
  const char *type, *name, *id, *parent, *resource; /* "" where there is none */
} TsSubject;

TsSubject ts_subject_of_element (const TsReportElement *element);
TsSubject ts_subject_of_resource (const TsReportResource *resource);

/* How often what tells one from another occurs in @report, for ts_label(); to be freed. */
GHashTable *ts_labels_new (const TsReport *report);
/* @subject as it can stand alone, to be freed: its name, and of several with one name as much more as tells them apart in all
 * of the reports, of which any may be NULL. */
char       *ts_label (GHashTable *const *reports, guint n_reports, const TsSubject *subject);
/* The same of an element of the report that @labels are of. */
char       *ts_label_of_element (GHashTable *labels, const TsReportElement *element);

G_END_DECLS
