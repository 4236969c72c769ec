/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "model/number.h"
#include "report/tables.h"

/* How busy each resource was, with a bar. */

void
ts_add_load_table (GPtrArray *tables, const TsReportBlock *block, const TsFilter *filter)
{
  static const TsColumn columns[] = { { "resource", "resource" },
                                      { "load", "load", "LOAD [%]" },
                                      { "busy", "busy", "time" },
                                      { "window", "of", "time" } };
  TsTable *table = ts_table_new ("load", "Load", TS_TABLE_LIST, TS_FOR_PEOPLE, columns, G_N_ELEMENTS (columns));

  for (guint i = 0; i < block->resources->len; i++)
    {
      const TsReportResource *resource = g_ptr_array_index (block->resources, i);

      if (!ts_filter_has_resource (filter, resource->name))
        continue;
      ts_table_begin_row (table, 0);
      ts_table_add_text (table, resource->name);
      if (resource->load.n == 0)
        continue;
      ts_table_add_number (table, ts_scale_number (resource->load.mean, (TsRational){ 100, 1 }));
      ts_table_add_time (table, (TsRational){ resource->load.sum, 1 });
      ts_table_add_time (table, resource->load.reference_value);
    }
  if (ts_table_n_rows (table) > 0)
    g_ptr_array_add (tables, table);
  else
    ts_table_free (table);
}
