/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "import/objects.h"
#include "model/pages.h"
#include "model/sort.h"
#include "model/table.h"

typedef struct
{
  const char *name;
  guint64     n; /* how often it was seen */
  gint64      first, last;
} Object;

struct _TsObjects
{
  GStringChunk *names;
  Object       *all;
  guint         n;
  gsize         n_allocated;
};

#define FIRST_OBJECTS 64

TsObjects *
ts_objects_new (void)
{
  TsObjects *objects = g_new0 (TsObjects, 1);

  objects->names = g_string_chunk_new (4096);
  return objects;
}

void
ts_objects_free (TsObjects *objects)
{
  if (objects == NULL)
    return;
  g_string_chunk_free (objects->names);
  ts_pages_release (objects->all, objects->n_allocated * sizeof *objects->all);
  g_free (objects);
}

/* The first stamps are its own. */
static void
add (TsObjects *objects, const char *name, gint64 first, gint64 last)
{
  const gsize n = MAX (2 * objects->n_allocated, FIRST_OBJECTS);

  if (objects->n == objects->n_allocated)
    {
      objects->all = ts_pages_resize (objects->all, objects->n_allocated * sizeof *objects->all, n * sizeof *objects->all);
      objects->n_allocated = n;
    }
  objects->all[objects->n++] = (Object){ name, 0, first, last };
}

void
ts_objects_see (TsObjects *objects, guint number, const char *name, gsize length, gint64 first, gint64 last)
{
  Object *object;

  if (number == objects->n)
    add (objects, g_string_chunk_insert_len (objects->names, name, (gssize) length), first, last);
  object = &objects->all[number];
  object->n++;
  object->first = MIN (object->first, first);
  object->last = MAX (object->last, last);
}

void
ts_objects_rescale (TsObjects *objects, gint64 factor)
{
  for (guint i = 0; i < objects->n; i++)
    {
      objects->all[i].first *= factor;
      objects->all[i].last *= factor;
    }
}

guint
ts_objects_count (const TsObjects *objects)
{
  return objects->n;
}

/* Sorts @values, which mostly ascend already. */
static void
sort_stamps (gint64 *values, guint n)
{
  guint i = 1;

  while (i < n && values[i - 1] <= values[i])
    i++;
  if (i < n)
    ts_sort_values (values, n);
}

/* Objects in progress at the same time: one that ends when another begins is not, and one without extent never is. */
static guint
most_at_once (const TsObjects *objects)
{
  const gsize size = sizeof (gint64) * 2 * objects->n;
  gint64     *firsts = ts_pages_resize (NULL, 0, size), *lasts = firsts + objects->n;
  guint       n = 0, now = 0, most = 0;

  for (guint i = 0; i < objects->n; i++)
    {
      const Object *object = &objects->all[i];

      if (object->first == object->last)
        continue;
      firsts[n] = object->first;
      lasts[n++] = object->last;
    }
  sort_stamps (firsts, n);
  sort_stamps (lasts, n);
  for (guint i = 0, k = 0; i < n; i++)
    {
      for (; lasts[k] <= firsts[i]; k++)
        now--;
      now++;
      most = MAX (most, now);
    }
  ts_pages_release (firsts, size);
  return most;
}

typedef struct
{
  guint    n;
  gint64   first, last; /* of all */
  TsInt128 latency;     /* sum */
  gint64   latency_min, latency_max;
  guint    most;        /* in progress at the same time */
} Flow;

static Flow
flow_of (const TsObjects *objects)
{
  Flow flow = { .n = objects->n };

  for (guint i = 0; i < flow.n; i++)
    {
      const Object *object = &objects->all[i];
      gint64        latency = object->last - object->first;

      flow.first = i == 0 ? object->first : MIN (flow.first, object->first);
      flow.last = i == 0 ? object->last : MAX (flow.last, object->last);
      flow.latency += latency;
      flow.latency_min = i == 0 ? latency : MIN (flow.latency_min, latency);
      flow.latency_max = MAX (flow.latency_max, latency);
    }
  if (flow.n > 0)
    flow.most = most_at_once (objects);
  return flow;
}

TsTable *
ts_objects_throughput_table (const TsObjects *objects, const char *key, const TsTimeBase *base)
{
  static const TsColumn columns[] = { { "object", "object", NULL },
                                      { "n", "n", NULL },
                                      { "first", "first", NULL },
                                      { "span", "span", NULL },
                                      { "throughput", "throughput [1/s]", NULL }, /* objects a second, or a tick */
                                      { "latency_min", "min", "latency" },
                                      { "latency_mean", "mean", "latency" },
                                      { "latency_max", "max", "latency" },
                                      { "latency_sum", "sum", "latency" },
                                      { "wip_mean", "mean", "in progress" },
                                      { "wip_max", "max", "in progress" } };
  Flow     flow = flow_of (objects);
  TsInt128 span = (TsInt128) flow.last - flow.first;
  TsTable *table = ts_table_new ("throughput", "Flow of objects", TS_TABLE_LIST,
                                 TS_FOR_PEOPLE | TS_FOR_SHEETS | TS_FOR_PROGRAMS, columns, G_N_ELEMENTS (columns));

  ts_table_begin_row (table, 0);
  ts_table_add_text (table, key);
  ts_table_add_integer (table, flow.n);
  if (flow.n == 0)
    return table;
  ts_table_add_time (table, ts_rational (flow.first, 1));
  ts_table_add_time (table, ts_rational (span, 1));
  if (span > 0)
    ts_table_add_number (table, ts_rational_divide (ts_rational (flow.n, span),
                                                    ts_time_base_factor (base, base->known ? TS_UNIT_S : TS_UNIT_TICKS)));
  else
    ts_table_add_absent (table);
  ts_table_add_time (table, ts_rational (flow.latency_min, 1));
  ts_table_add_time (table, ts_rational (flow.latency, flow.n));
  ts_table_add_time (table, ts_rational (flow.latency_max, 1));
  ts_table_add_time (table, ts_rational (flow.latency, 1));
  if (span > 0)
    ts_table_add_number (table, ts_rational (flow.latency, span));
  else
    ts_table_add_absent (table);
  ts_table_add_integer (table, flow.most);
  return table;
}

static TsCell *
make_row (TsCell *cells, gconstpointer data, guint row, G_GNUC_UNUSED guint *depth)
{
  const Object *object = &((const TsObjects *) data)->all[row];

  cells = ts_put_text (cells, object->name);
  cells = ts_put_integer (cells, (gint64) object->n);
  cells = ts_put_time (cells, ts_rational (object->first, 1));
  cells = ts_put_time (cells, ts_rational (object->last, 1));
  return ts_put_time (cells, ts_rational (object->last - object->first, 1));
}

TsTable *
ts_objects_table (TsObjects *objects)
{
  static const TsColumn columns[] = { { "object", "object", NULL },
                                      { "records", "claims and events", NULL },
                                      { "first", "first", NULL },
                                      { "last", "last", NULL },
                                      { "latency", "latency", NULL } };

  return ts_table_new_late ("objects", "Objects", TS_FOR_SHEETS | TS_FOR_PROGRAMS, columns, G_N_ELEMENTS (columns),
                            objects->n, make_row, objects, (GDestroyNotify) ts_objects_free);
}
