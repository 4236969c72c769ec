/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "analyse/trace.h"
#include "report/pool.h"
#include "report/tables.h"

/* Annotations of pooled elements: none is lost, and what several traces say alike is there once. A number may be in
 * ticks, so it is the same only where a tick is. */

static gboolean
is_same (const TsReport *report, const TsAnnotation *a, const TsAnnotation *b)
{
  return g_strcmp0 (a->name, b->name) == 0 && g_strcmp0 (a->value, b->value) == 0 && g_strcmp0 (a->tool, b->tool) == 0
         && ts_rational_compare (ts_input_tick (report, g_ptr_array_index (report->traces, a->input)),
                                 ts_input_tick (report, g_ptr_array_index (report->traces, b->input))) == 0;
}

/* Within one trace all stay: what stands there twice is told twice. */
static gboolean
is_known (const TsReport *report, const GArray *annotations, guint n_earlier, const TsAnnotation *annotation)
{
  for (guint i = 0; i < n_earlier; i++)
    if (is_same (report, &g_array_index ((GArray *) annotations, TsAnnotation, i), annotation))
      return TRUE;
  return FALSE;
}

void
ts_pool_collect_annotations (const TsPool *pool, const TsReport *report, guint index)
{
  TsReportElement *element = g_ptr_array_index (pool->block->elements, index);

  for (const TsPoolMember *member = NULL; (member = ts_pool_next_member (pool, index, member)) != NULL;)
    {
      const TsTrace      *trace = g_ptr_array_index (report->traces, member->input);
      const GArray       *own = ts_system_get_element (trace->system, member->id)->annotations;
      guint               n_earlier = element->annotations != NULL ? element->annotations->len : 0;

      for (guint k = 0; own != NULL && k < own->len; k++)
        {
          TsAnnotation annotation = g_array_index ((GArray *) own, TsAnnotation, k);

          annotation.input += member->input;
          if (is_known (report, element->annotations, n_earlier, &annotation))
            continue;
          if (element->annotations == NULL)
            element->annotations = g_array_new (FALSE, FALSE, sizeof (TsAnnotation));
          g_array_append_val (element->annotations, annotation);
        }
    }
}
