/* SPDX-License-Identifier: MIT */
#include "config.h"

#include <string.h>

#include "analyse/trace.h"
#include "report/pool.h"
#include "report/results.h"

/* All else of it, and the results of resources, are in the arena of the measures or belong to the traces. */
static void
free_element (gpointer data)
{
  TsReportElement *element = data;

  g_clear_pointer (&element->annotations, g_array_unref);
  g_clear_pointer (&element->shares, g_array_unref);
}

void
ts_report_block_free (TsReportBlock *block)
{
  g_ptr_array_unref (block->elements);
  g_ptr_array_unref (block->resources);
  g_free (block);
}

void
ts_pool_free (TsPool *pool)
{
  g_array_unref (pool->element_index);
  g_hash_table_unref (pool->resource_index);
  g_array_unref (pool->ran_on);
  g_array_unref (pool->members);
  g_array_unref (pool->places);
  g_free (pool->windows);
  g_free (pool);
}

TsPool *
ts_pool_new (guint section, guint input, guint exact_metrics)
{
  TsPool *pool = g_new0 (TsPool, 1);

  pool->block = g_new0 (TsReportBlock, 1);
  pool->block->section = section;
  pool->block->input = input;
  pool->block->elements = g_ptr_array_new_with_free_func (free_element);
  pool->block->resources = g_ptr_array_new_with_free_func (g_free);
  pool->measures = ts_measures_new (section, exact_metrics);
  pool->measures->no_samples = TRUE; /* until something with samples is added */
  pool->element_index = g_array_new (FALSE, TRUE, sizeof (guint32));
  pool->resource_index = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);
  pool->ran_on = g_array_new (FALSE, FALSE, sizeof (TsPoolName));
  pool->members = g_array_new (FALSE, FALSE, sizeof (TsPoolMember));
  pool->places = g_array_new (FALSE, FALSE, sizeof (TsPoolPlaces));
  return pool;
}

/* The index that @key has in @indexes, or a new one, *is_new telling which; keys that
 * occur several times in one trace are told apart by how often @seen had them. */
static guint
find_index (GHashTable *indexes, GHashTable *seen, const char *key, guint next, gboolean *is_new)
{
  guint    occurrence = GPOINTER_TO_UINT (g_hash_table_lookup (seen, key));
  char    *full_key = g_strdup_printf ("%s\n%u", key, occurrence);
  gpointer index = g_hash_table_lookup (indexes, full_key);

  g_hash_table_insert (seen, g_strdup (key), GUINT_TO_POINTER (occurrence + 1));
  *is_new = index == NULL;
  if (index == NULL)
    {
      index = GUINT_TO_POINTER (next + 1);
      g_hash_table_insert (indexes, full_key, index);
    }
  else
    g_free (full_key);
  return GPOINTER_TO_UINT (index) - 1;
}

static TsReportElement *
element_at (const TsPool *pool, guint32 index)
{
  return g_ptr_array_index (pool->block->elements, index);
}

static TsReportElement *
new_element (TsPool *pool, const TsTrace *trace, guint32 id, guint input)
{
  const TsSystem  *system = trace->system;
  const TsElement *element = ts_system_get_element (system, id);
  TsReportElement *result = ts_arena_take (&pool->measures->arena, sizeof (TsPooledElement));

  result->parent = element->parent != TS_NO_ELEMENT ? ts_system_get_element (system, element->parent)->name : "";
  result->name = element->name;
  result->id = element->id != NULL ? element->id : "";
  result->comment = element->comment;
  result->type = element->type;
  result->idle = element->idle;
  result->declared_by = input;
  result->declared_as = id;
  ts_results_leave_out (result);
  return result;
}

static TsPoolPlaces *
places_of (const TsPool *pool, guint index)
{
  return &g_array_index (pool->places, TsPoolPlaces, index);
}

/* Returns its index. */
static guint32
add_element (TsPool *pool, const TsTrace *trace, guint32 id, guint32 parent, guint input)
{
  const TsPoolPlaces places = { parent, TS_POOL_NONE, TS_POOL_NONE, TS_POOL_NONE };
  TsReportElement   *added = new_element (pool, trace, id, input);

  added->depth = parent == TS_POOL_NONE ? 0 : element_at (pool, parent)->depth + 1;
  g_ptr_array_add (pool->block->elements, added);
  g_array_append_val (pool->places, places);
  return pool->places->len - 1;
}

static void
add_member (TsPool *pool, guint32 index, guint input, guint32 id, gboolean has_deltas)
{
  const TsPoolMember member = { input, id, has_deltas, TS_POOL_NONE };
  TsPoolPlaces      *places = places_of (pool, index);

  if (places->first_member == TS_POOL_NONE)
    places->first_member = pool->members->len;
  else
    g_array_index (pool->members, TsPoolMember, places->last_member).next = pool->members->len;
  places->last_member = pool->members->len;
  g_array_append_val (pool->members, member);
}

/* For each element of @trace, which one of @pool it is. */
static guint32 *
map_elements (TsPool *pool, const TsTrace *trace, const TsMeasures *measures, const guint32 *numbers, guint input)
{
  guint    n = ts_system_n_elements (trace->system);
  guint32 *map = g_new (guint32, MAX (n, 1));

  for (guint32 i = 0; i < n; i++)
    {
      const TsElement *element = ts_system_get_element (trace->system, i);
      guint32         *index;

      if (numbers[i] >= pool->element_index->len)
        g_array_set_size (pool->element_index, numbers[i] + 1);
      index = &g_array_index (pool->element_index, guint32, numbers[i]);
      if (*index == 0)
        *index = add_element (pool, trace, i, element->parent != TS_NO_ELEMENT ? map[element->parent] : TS_POOL_NONE,
                              input) + 1;
      map[i] = *index - 1;
      add_member (pool, map[i], input, i,
                  i < measures->n_elements && measures->elements[i].metrics[TS_METRIC_DT] != NULL);
    }
  return map;
}

static guint16 *
map_resources (TsPool *pool, const TsTrace *trace)
{
  guint    n = ts_system_n_resources (trace->system);
  guint16 *map = g_new (guint16, MAX (n, 1));
  g_autoptr (GHashTable) seen = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);

  for (guint i = 0; i < n; i++)
    {
      const TsResource *resource = ts_system_get_resource (trace->system, (guint16) i);
      gboolean          is_new;

      map[i] = (guint16) find_index (pool->resource_index, seen, resource->name, pool->block->resources->len, &is_new);
      if (is_new)
        {
          TsReportResource *result = g_new0 (TsReportResource, 1);

          result->name = resource->name;
          result->id = resource->id != NULL ? resource->id : "";
          result->scheduler = resource->scheduler;
          g_ptr_array_add (pool->block->resources, result);
        }
    }
  pool->windows = g_renew (TsInt128, pool->windows, pool->block->resources->len);
  for (guint i = pool->measures->n_resources; i < pool->block->resources->len; i++)
    pool->windows[i] = 0;
  return map;
}

static void
note_share (TsReportElement *element, TsMetricId metric, const TsMeasuredElement *from, guint input)
{
  const TsAccumulator *samples = ts_measured_samples (from, metric);
  const TsExtreme     *unfinished = ts_unfinished_get (from->unfinished, metric);
  TsShare              share = { .input = input, .metric = metric };

  if (samples == NULL && unfinished == NULL)
    return;
  if (samples != NULL)
    {
      share.n = samples->n;
      share.min = samples->min;
      share.max = samples->max;
    }
  share.has_unfinished = unfinished != NULL;
  if (unfinished != NULL)
    share.unfinished = *unfinished;
  if (element->shares == NULL)
    element->shares = g_array_new (FALSE, FALSE, sizeof (TsShare));
  g_array_append_val (element->shares, share);
}

/* @takes_all: @from will be the element itself. */
static gboolean
pool_samples (TsPool *pool, guint32 index, TsMeasuredElement *from, gboolean takes_all, gint64 factor, guint input)
{
  for (guint i = 0; (factor != 1 || input != 0) && i < TS_N_METRICS; i++)
    {
      const gboolean is_time = ts_metric_info ((TsMetricId) i)->quantity == TS_QUANTITY_TIME;

      if (from->metrics[i] != NULL && !ts_accumulator_rescale (from->metrics[i], is_time ? factor : 1, factor, input))
        return FALSE;
    }
  if (!ts_unfinished_rescale (from->unfinished, factor, input))
    return FALSE;
  for (guint i = 0; pool->keeps_shares && i < TS_N_METRICS; i++)
    note_share (element_at (pool, index), (TsMetricId) i, from, input);
  if (!takes_all)
    ts_measured_merge (&pool->measures->arena, &pool->measures->elements[index], from, TRUE);
  return TRUE;
}

static void
note_name (TsPool *pool, guint index, const char *name)
{
  guint32         *last = &places_of (pool, index)->last_ran_on;
  const TsPoolName note = { name, *last };

  /* as in the trace or section before, mostly */
  if (*last != TS_POOL_NONE && g_str_equal (g_array_index (pool->ran_on, TsPoolName, *last).name, name))
    return;
  *last = pool->ran_on->len;
  g_array_append_val (pool->ran_on, note);
}

static void
note_resources (TsPool *pool, guint index, const TsSystem *system, guint32 id, const TsMeasuredElement *measured)
{
  guint16 declared = ts_system_get_element (system, id)->resource;

  if (declared != TS_NO_RESOURCE)
    note_name (pool, index, ts_system_get_resource (system, declared)->name);
  for (guint16 on = ts_measured_ran_on (measured, 0); on != TS_NO_RESOURCE; on = ts_measured_ran_on (measured, on + 1u))
    note_name (pool, index, ts_system_get_resource (system, on)->name);
}

/* Whether @measures is the first that @pool has, and its elements are those of it: mostly there is one trace. */
static gboolean
can_take_all (const TsPool *pool, const TsMeasures *measures, const guint32 *elements)
{
  if (pool->measures->n_elements > 0 || pool->block->elements->len != measures->n_elements
      || pool->measures->section != measures->section)
    return FALSE;
  for (guint32 i = 0; i < measures->n_elements; i++)
    if (elements[i] != i)
      return FALSE;
  return TRUE;
}

/* The other way round as well, so that both know how large theirs are. */
static void
exchange_elements (TsMeasures *measures, TsMeasures *other)
{
  TsMeasuredElement *elements = measures->elements;
  const gboolean     has_many_resources = measures->has_many_resources;

  measures->elements = other->elements;
  measures->has_many_resources = other->has_many_resources;
  other->elements = elements;
  other->has_many_resources = has_many_resources;
}

static void
set_too_large (GError **error, const TsTrace *trace)
{
  g_set_error (error, TS_ERROR, TS_ERROR_RANGE,
               "%s: its times are too large for the unit of time that it shares with the other traces: "
               "report them one by one", trace->title);
}

static gboolean
add_scaled (TsInt128 *sum, TsInt128 value, gint64 factor)
{
  return !__builtin_mul_overflow (value, factor, &value) && !__builtin_add_overflow (*sum, value, sum);
}

gboolean
ts_pool_add (TsPool *pool, const TsTrace *trace, TsMeasures *measures, const guint32 *numbers, gint64 factor,
             guint input, GError **error)
{
  g_autofree guint32 *elements = map_elements (pool, trace, measures, numbers, input);
  g_autofree guint16 *resources = map_resources (pool, trace);
  const gboolean      takes_all = can_take_all (pool, measures, elements);

  pool->measures->no_samples &= measures->no_samples;
  ts_measures_grow (pool->measures, pool->block->elements->len, pool->block->resources->len);
  for (guint32 i = 0; i < measures->n_elements; i++)
    {
      TsReportElement *element = g_ptr_array_index (pool->block->elements, elements[i]);

      if (!pool_samples (pool, elements[i], &measures->elements[i], takes_all, factor, input))
        {
          set_too_large (error, trace);
          return FALSE;
        }
      note_resources (pool, elements[i], trace->system, i, &measures->elements[i]);
      ts_measures_add_counts (&element->counts, &measures->elements[i].counts);
      element->lacking |= measures->elements[i].lacking;
    }
  if (takes_all)
    exchange_elements (pool->measures, measures);
  for (guint i = 0; i < measures->n_resources; i++)
    {
      if (!add_scaled (&pool->measures->busy[resources[i]], measures->busy[i], factor)
          || !add_scaled (&pool->windows[resources[i]],
                          measures->windows != NULL ? measures->windows[i] : measures->window, factor))
        {
          set_too_large (error, trace);
          return FALSE;
        }
    }
  return TRUE;
}

static int
compare_names (gconstpointer a, gconstpointer b)
{
  return strcmp (*(const char *const *) a, *(const char *const *) b);
}

const char *
ts_pool_resources_of (const TsPool *pool, guint index)
{
  guint32 last = places_of (pool, index)->last_ran_on;
  g_autoptr (GPtrArray) names = NULL;
  g_autoptr (GString) joined = NULL;

  if (last == TS_POOL_NONE)
    return "";
  if (g_array_index (pool->ran_on, TsPoolName, last).before == TS_POOL_NONE)
    return g_array_index (pool->ran_on, TsPoolName, last).name;
  names = g_ptr_array_new ();
  for (; last != TS_POOL_NONE; last = g_array_index (pool->ran_on, TsPoolName, last).before)
    g_ptr_array_add (names, (gpointer) g_array_index (pool->ran_on, TsPoolName, last).name);
  g_ptr_array_sort (names, compare_names);
  joined = g_string_new (g_ptr_array_index (names, 0));
  for (guint i = 1; i < names->len; i++)
    if (strcmp (g_ptr_array_index (names, i), g_ptr_array_index (names, i - 1)) != 0)
      {
        g_string_append_c (joined, '+');
        g_string_append (joined, g_ptr_array_index (names, i));
      }
  return memcpy (ts_arena_take (&pool->measures->arena, joined->len + 1), joined->str, joined->len + 1);
}

const TsPoolMember *
ts_pool_next_member (const TsPool *pool, guint index, const TsPoolMember *member)
{
  guint32 next = member != NULL ? member->next : places_of (pool, index)->first_member;

  return next != TS_POOL_NONE ? &g_array_index (pool->members, TsPoolMember, next) : NULL;
}

const char *
ts_pool_declared_on (const TsPool *pool, const GPtrArray *traces, guint index)
{
  const TsPoolMember *first = ts_pool_next_member (pool, index, NULL);
  const char         *name = NULL;

  for (const TsPoolMember *member = first; member != NULL; member = ts_pool_next_member (pool, index, member))
    {
      const TsSystem *system = ((const TsTrace *) g_ptr_array_index ((GPtrArray *) traces, member->input))->system;
      guint16         declared = ts_system_get_element (system, member->id)->resource;
      const char     *own = declared != TS_NO_RESOURCE ? ts_system_get_resource (system, declared)->name : NULL;

      if (member != first && g_strcmp0 (own, name) != 0)
        return NULL;
      name = own;
    }
  return name;
}

/* Appends @index and all below it to @order. */
static void
visit (const TsPool *pool, const GArray *first_child, const GArray *next_sibling, guint32 index, GArray *order)
{
  g_array_append_val (order, index);
  for (guint32 child = g_array_index (first_child, guint32, index); child != G_MAXUINT32;
       child = g_array_index (next_sibling, guint32, child))
    visit (pool, first_child, next_sibling, child, order);
}

static GArray *
new_links (guint n)
{
  GArray *links = g_array_sized_new (FALSE, FALSE, sizeof (guint32), n);

  g_array_set_size (links, n);
  memset (links->data, 0xff, n * sizeof (guint32));
  return links;
}

/* The elements in the order of the tree; one more link for the roots. */
static GArray *
tree_order (const TsPool *pool)
{
  guint   n = pool->block->elements->len;
  GArray *order = g_array_sized_new (FALSE, FALSE, sizeof (guint32), n);
  g_autoptr (GArray) first_child = new_links (n + 1);
  g_autoptr (GArray) next_sibling = new_links (n + 1);

  for (guint32 i = n; i-- > 0;)
    {
      guint32  parent = places_of (pool, i)->parent;
      guint32 *first = &g_array_index (first_child, guint32, parent < n ? parent : n);

      g_array_index (next_sibling, guint32, i) = *first;
      *first = i;
    }
  visit (pool, first_child, next_sibling, n, order);
  return g_array_remove_index (order, 0);
}

void
ts_pool_sort (TsPool *pool)
{
  TsMeasuredElement *measured = pool->measures->elements;
  gpointer          *elements = pool->block->elements->pdata;
  TsPoolPlaces      *places = (TsPoolPlaces *) (gpointer) pool->places->data;
  g_autoptr (GArray) order = tree_order (pool);

  /* in place, since they are large: each cycle of the permutation needs one place beside */
  for (guint32 first = 0; first < order->len; first++)
    {
      const TsMeasuredElement first_measured = measured[first];
      const gpointer          first_element = elements[first];
      const TsPoolPlaces      first_places = places[first];

      for (guint32 to = first, from; (from = g_array_index (order, guint32, to)) != to; to = from)
        {
          g_array_index (order, guint32, to) = to;
          measured[to] = from != first ? measured[from] : first_measured;
          elements[to] = from != first ? elements[from] : first_element;
          places[to] = from != first ? places[from] : first_places;
        }
    }
}
