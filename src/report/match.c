/* SPDX-License-Identifier: MIT */
#include "config.h"

#include <string.h>

#include "analyse/trace.h"
#include "model/number.h"
#include "report/match.h"

/* Elements of several traces are the same if they have the same type and name. Where that is said of two in any
 * one of the traces, it takes more: first the elements around it and the resource, then the id, at last the order.
 * All traces are asked before anything is matched, so their order does not matter. */

enum
{
  LEVEL_NAME,
  LEVEL_PLACE,
  LEVEL_ID,
  N_LEVELS
};

typedef struct
{
  GHashTable *shared[N_LEVELS]; /* keys that several elements of one trace have */
} Matching;

/* With its length in front, so that no two keys of different parts are the same. */
static void
append_text (GString *key, const char *text)
{
  char  digits[TS_NUMBER_SIZE];
  gsize length = strlen (text);

  g_string_append_len (key, digits, (gssize) ts_whole_format ((gint64) length, digits));
  g_string_append_c (key, ':');
  g_string_append_len (key, text, (gssize) length);
  g_string_append_c (key, '\n');
}

static void
append_name (GString *key, const TsElement *element)
{
  g_string_append (key, ts_element_type_name (element->type));
  g_string_append_c (key, ' ');
  append_text (key, element->name);
}

static char *
make_key (const TsSystem *system, guint32 id, guint level)
{
  const TsElement *element = ts_system_get_element (system, id);
  GString         *key = g_string_new (NULL);

  append_name (key, element);
  if (level >= LEVEL_PLACE)
    {
      const char *resource
          = element->resource != TS_NO_RESOURCE ? ts_system_get_resource (system, element->resource)->name : "";

      for (guint32 parent = element->parent; parent != TS_NO_ELEMENT;
           parent = ts_system_get_element (system, parent)->parent)
        append_name (key, ts_system_get_element (system, parent));
      g_string_append (key, "on ");
      append_text (key, resource);
    }
  if (level >= LEVEL_ID)
    g_string_append_printf (key, "id %s\n", element->id != NULL ? element->id : "");
  return g_string_free (key, FALSE);
}

/* The key of the first of @n_levels levels that tells @id apart, or NULL: others have it at all of them. */
static char *
find_key (const Matching *matching, const TsSystem *system, guint32 id, guint n_levels)
{
  for (guint level = 0; level < n_levels; level++)
    {
      char *key = make_key (system, id, level);

      if (!g_hash_table_contains (matching->shared[level], key))
        return key;
      g_free (key);
    }
  return NULL;
}

static void
find_shared (const Matching *matching, const TsSystem *system, guint level)
{
  g_autoptr (GHashTable) seen = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);

  for (guint32 i = 0; i < ts_system_n_elements (system); i++)
    {
      g_autofree char *earlier = find_key (matching, system, i, level);
      char            *key;

      if (earlier != NULL)
        continue;
      key = make_key (system, i, level);
      if (g_hash_table_contains (seen, key))
        g_hash_table_add (matching->shared[level], g_strdup (key));
      g_hash_table_add (seen, key);
    }
}

static guint32 *
number_elements (const Matching *matching, const TsSystem *system, GHashTable *numbers)
{
  guint    n = ts_system_n_elements (system);
  guint32 *result = g_new (guint32, MAX (n, 1));
  g_autoptr (GHashTable) occurrences = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);

  for (guint32 i = 0; i < n; i++)
    {
      char    *key = find_key (matching, system, i, N_LEVELS);
      gpointer number;

      if (key == NULL)
        {
          char *shared = make_key (system, i, LEVEL_ID);
          guint occurrence = GPOINTER_TO_UINT (g_hash_table_lookup (occurrences, shared)) + 1;

          key = g_strdup_printf ("%sno. %u\n", shared, occurrence);
          g_hash_table_insert (occurrences, shared, GUINT_TO_POINTER (occurrence));
        }
      number = g_hash_table_lookup (numbers, key);
      if (number == NULL)
        {
          number = GUINT_TO_POINTER (g_hash_table_size (numbers) + 1);
          g_hash_table_insert (numbers, key, number);
        }
      else
        g_free (key);
      result[i] = GPOINTER_TO_UINT (number) - 1;
    }
  return result;
}

static guint32 *
number_in_order (const TsSystem *system)
{
  guint    n = ts_system_n_elements (system);
  guint32 *result = g_new (guint32, MAX (n, 1));

  for (guint32 i = 0; i < n; i++)
    result[i] = i;
  return result;
}

GPtrArray *
ts_match_elements (const GPtrArray *traces)
{
  Matching   matching = { { NULL } };
  GPtrArray *result = g_ptr_array_new_with_free_func (g_free);
  g_autoptr (GHashTable) numbers = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);

  if (traces->len == 1)
    {
      g_ptr_array_add (result, number_in_order (((const TsTrace *) g_ptr_array_index (traces, 0))->system));
      return result;
    }
  for (guint level = 0; level < N_LEVELS; level++)
    {
      matching.shared[level] = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);
      for (guint i = 0; i < traces->len; i++)
        find_shared (&matching, ((const TsTrace *) g_ptr_array_index (traces, i))->system, level);
    }
  for (guint i = 0; i < traces->len; i++)
    g_ptr_array_add (result, number_elements (&matching, ((const TsTrace *) g_ptr_array_index (traces, i))->system,
                                              numbers));
  for (guint level = 0; level < N_LEVELS; level++)
    g_hash_table_unref (matching.shared[level]);
  return result;
}
