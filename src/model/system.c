/* SPDX-License-Identifier: MIT */
#include "config.h"

#include <string.h>

#include <tracestat/system.h>

#include "model/guard.h"
#include "model/words.h"

struct _TsSystem
{
  GStringChunk *texts;
  const char   *name;
  const char   *comment;
  TsToolInfo    tool;
  GArray       *cookies; /* of TsToolInfo */
  TsTimeBase    time_base;
  gboolean      explicit_preemption;
  GArray       *resources; /* of TsResource */
  GArray       *elements;  /* of TsElement */
  GPtrArray    *idle_patterns; /* globs */
  GPtrArray    *user_events;   /* of TsUserEvent, in their order */
  GHashTable   *user_event_set; /* the same */
  void (*before_change) (gpointer data);
  gpointer before_change_data;
};

static const struct
{
  const char    *name;
  TsElementClass class;
} element_types[TS_N_TYPES] = {
  [TS_TYPE_UNKNOWN] = { "unknown", TS_CLASS_ALONE },
  [TS_TYPE_TASK] = { "task", TS_CLASS_SCHEDULED },
  [TS_TYPE_ISR] = { "isr", TS_CLASS_SCHEDULED },
  [TS_TYPE_RUNNABLE] = { "runnable", TS_CLASS_NESTED },
  [TS_TYPE_PROCESS] = { "process", TS_CLASS_NESTED },
  [TS_TYPE_FUNCTION] = { "function", TS_CLASS_NESTED },
  [TS_TYPE_BASIC_BLOCK] = { "basic block", TS_CLASS_NESTED },
  [TS_TYPE_MESSAGE] = { "message", TS_CLASS_ALONE },
  [TS_TYPE_STOPWATCH] = { "stopwatch", TS_CLASS_ALONE },
  [TS_TYPE_WORST_CASE_RESPONSE_TIME] = { "worst case response time", TS_CLASS_ALONE },
  [TS_TYPE_DATA_PATH] = { "data path", TS_CLASS_ALONE },
  [TS_TYPE_SIGNAL] = { "signal", TS_CLASS_ALONE },
  [TS_TYPE_EVENT] = { "event", TS_CLASS_ALONE },
  [TS_TYPE_ROOT] = { "root", TS_CLASS_SCHEDULED },
  [TS_TYPE_GOAL] = { "goal", TS_CLASS_SCHEDULED },
  [TS_TYPE_BRANCH] = { "branch", TS_CLASS_SCHEDULED },
  [TS_TYPE_SLAVE] = { "slave", TS_CLASS_SCHEDULED },
  [TS_TYPE_AGENT] = { "agent", TS_CLASS_ALONE },
};

const char *
ts_element_type_name (TsElementType type)
{
  g_return_val_if_fail (type < TS_N_TYPES, "");
  return element_types[type].name;
}

TsElementClass
ts_element_type_class (TsElementType type)
{
  g_return_val_if_fail (type < TS_N_TYPES, TS_CLASS_ALONE);
  return element_types[type].class;
}

gboolean
ts_element_type_parse (const char *name, TsElementType *type)
{
  for (guint i = 0; i < TS_N_TYPES; i++)
    if (ts_words_equal (name, element_types[i].name))
      {
        *type = (TsElementType) i;
        return TRUE;
      }
  return FALSE;
}

static void
element_clear (gpointer data)
{
  TsElement *element = data;

  g_clear_pointer (&element->annotations, g_array_unref);
}

/* Their texts are interned: the same ones are at the same place. */
static guint
hash_user_event (gconstpointer data)
{
  const TsUserEvent *user_event = data;

  return 31 * g_direct_hash (user_event->event) + g_direct_hash (user_event->reference);
}

static gboolean
equal_user_events (gconstpointer data, gconstpointer other_data)
{
  const TsUserEvent *user_event = data, *other = other_data;

  return user_event->event == other->event && user_event->reference == other->reference;
}

TsSystem *
ts_system_new (void)
{
  TsSystem *system = g_new0 (TsSystem, 1);

  system->texts = g_string_chunk_new (4096);
  system->time_base = ts_time_base_ticks ();
  system->explicit_preemption = TRUE;
  system->cookies = g_array_new (FALSE, FALSE, sizeof (TsToolInfo));
  system->resources = g_array_new (FALSE, FALSE, sizeof (TsResource));
  system->elements = g_array_new (FALSE, FALSE, sizeof (TsElement));
  g_array_set_clear_func (system->elements, element_clear);
  system->idle_patterns = g_ptr_array_new_with_free_func (g_free);
  system->user_events = g_ptr_array_new_with_free_func (g_free);
  system->user_event_set = g_hash_table_new (hash_user_event, equal_user_events);
  return system;
}

void
ts_system_free (TsSystem *system)
{
  if (system == NULL)
    return;
  g_string_chunk_free (system->texts);
  g_array_unref (system->cookies);
  g_array_unref (system->resources);
  g_array_unref (system->elements);
  g_ptr_array_unref (system->idle_patterns);
  g_hash_table_unref (system->user_event_set);
  g_ptr_array_unref (system->user_events);
  g_free (system);
}

void
ts_system_set_guard (TsSystem *system, void (*before_change) (gpointer data), gpointer data)
{
  system->before_change = before_change;
  system->before_change_data = data;
}

static void
before_change (TsSystem *system)
{
  if (system->before_change != NULL)
    system->before_change (system->before_change_data);
}

const char *
ts_system_intern (TsSystem *system, const char *text)
{
  return text == NULL ? NULL : g_string_chunk_insert_const (system->texts, text);
}

void
ts_system_set_name (TsSystem *system, const char *name)
{
  before_change (system);
  system->name = ts_system_intern (system, name);
}

const char *
ts_system_get_name (const TsSystem *system)
{
  return system->name;
}

void
ts_system_set_comment (TsSystem *system, const char *comment)
{
  before_change (system);
  system->comment = ts_system_intern (system, comment);
}

const char *
ts_system_get_comment (const TsSystem *system)
{
  return system->comment;
}

static TsToolInfo
intern_tool (TsSystem *system, const char *vendor, const char *tool, const char *version)
{
  return (TsToolInfo){ ts_system_intern (system, vendor), ts_system_intern (system, tool),
                       ts_system_intern (system, version) };
}

void
ts_system_set_tool (TsSystem *system, const char *vendor, const char *tool, const char *version)
{
  before_change (system);
  system->tool = intern_tool (system, vendor, tool, version);
}

const TsToolInfo *
ts_system_get_tool (const TsSystem *system)
{
  return &system->tool;
}

void
ts_system_add_cookie (TsSystem *system, const char *vendor, const char *tool, const char *version)
{
  TsToolInfo cookie = intern_tool (system, vendor, tool, version);

  before_change (system);
  g_array_append_val (system->cookies, cookie);
}

guint
ts_system_n_cookies (const TsSystem *system)
{
  return system->cookies->len;
}

const TsToolInfo *
ts_system_get_cookie (const TsSystem *system, guint index)
{
  g_return_val_if_fail (index < system->cookies->len, NULL);
  return &g_array_index (system->cookies, TsToolInfo, index);
}

TsTimeBase *
ts_system_time_base (TsSystem *system)
{
  return &system->time_base;
}

void
ts_system_set_explicit_preemption (TsSystem *system, gboolean is_explicit)
{
  before_change (system);
  system->explicit_preemption = is_explicit;
}

gboolean
ts_system_has_explicit_preemption (const TsSystem *system)
{
  return system->explicit_preemption;
}

guint16
ts_system_add_resource (TsSystem *system, const char *name, const char *id, const char *scheduler)
{
  TsResource resource = { ts_system_intern (system, name != NULL ? name : id != NULL ? id : ""),
                          ts_system_intern (system, id), ts_system_intern (system, scheduler), FALSE };

  if (system->resources->len >= TS_MAX_RESOURCES)
    return TS_NO_RESOURCE;
  before_change (system);
  g_array_append_val (system->resources, resource);
  return (guint16) (system->resources->len - 1);
}

void
ts_system_share_resource (TsSystem *system, guint16 resource)
{
  g_return_if_fail (resource < system->resources->len);
  before_change (system);
  g_array_index (system->resources, TsResource, resource).is_shared = TRUE;
}

guint
ts_system_n_resources (const TsSystem *system)
{
  return system->resources->len;
}

const TsResource *
ts_system_get_resource (const TsSystem *system, guint16 resource)
{
  g_return_val_if_fail (resource < system->resources->len, NULL);
  return &g_array_index (system->resources, TsResource, resource);
}

static TsElement *
get_element (const TsSystem *system, guint32 element)
{
  return &g_array_index (system->elements, TsElement, element);
}

/* Not interned: of texts that are not alike, a table of them is only to be paid for. */
static const char *
copy (TsSystem *system, const char *text)
{
  return text != NULL ? g_string_chunk_insert (system->texts, text) : NULL;
}

guint32
ts_system_add_element (TsSystem *system, TsElementType type, const char *name, const char *id, guint32 parent,
                       guint16 resource)
{
  const char *own_id = copy (system, id), *own_name = name != NULL && *name != '\0' ? copy (system, name) : own_id;
  TsElement   element = {
    .name = own_name != NULL ? own_name : "",
    .id = own_id,
    .type = type,
    .parent = parent,
    .resource = resource,
  };

  if (system->elements->len >= TS_MAX_ELEMENTS)
    return TS_NO_ELEMENT;
  element.idle = ts_system_is_idle_name (system, element.name);
  before_change (system);
  g_array_append_val (system->elements, element);
  return system->elements->len - 1;
}

guint
ts_system_n_elements (const TsSystem *system)
{
  return system->elements->len;
}

const TsElement *
ts_system_get_element (const TsSystem *system, guint32 element)
{
  g_return_val_if_fail (element < system->elements->len, NULL);
  return get_element (system, element);
}

void
ts_system_make_queue (TsSystem *system, guint32 element)
{
  g_return_if_fail (element < system->elements->len);
  before_change (system);
  get_element (system, element)->is_queue = TRUE;
}

void
ts_system_set_comment_of (TsSystem *system, guint32 element, const char *comment)
{
  g_return_if_fail (element < system->elements->len);
  before_change (system);
  get_element (system, element)->comment = ts_system_intern (system, comment);
}

void
ts_system_set_idle (TsSystem *system, guint32 element, gboolean idle)
{
  g_return_if_fail (element < system->elements->len);
  before_change (system);
  get_element (system, element)->idle = idle;
}

void
ts_system_annotate (TsSystem *system, guint32 element, const char *name, const char *value, const char *tool)
{
  ts_system_annotate_input (system, element, name, value, tool, 0);
}

void
ts_system_annotate_input (TsSystem *system, guint32 element, const char *name, const char *value, const char *tool,
                          guint input)
{
  TsAnnotation annotation = { ts_system_intern (system, name), ts_system_intern (system, value),
                              ts_system_intern (system, tool), input };
  TsElement   *target;

  g_return_if_fail (element < system->elements->len);
  before_change (system);
  target = get_element (system, element);
  if (target->annotations == NULL)
    target->annotations = g_array_new (FALSE, FALSE, sizeof (TsAnnotation));
  g_array_append_val (target->annotations, annotation);
}

const char *
ts_system_get_annotation (const TsSystem *system, guint32 element, const char *name)
{
  const TsElement *target = ts_system_get_element (system, element);

  for (guint i = target->annotations != NULL ? target->annotations->len : 0; i-- > 0;)
    {
      const TsAnnotation *annotation = &g_array_index (target->annotations, TsAnnotation, i);

      if (g_ascii_strcasecmp (annotation->name, name) == 0)
        return annotation->value;
    }
  return NULL;
}

gboolean
ts_system_is_idle_name (const TsSystem *system, const char *name)
{
  for (guint i = 0; i < system->idle_patterns->len; i++)
    if (ts_glob_matches (g_ptr_array_index (system->idle_patterns, i), name))
      return TRUE;
  return FALSE;
}

void
ts_system_add_idle_pattern (TsSystem *system, const char *pattern)
{
  before_change (system);
  g_ptr_array_add (system->idle_patterns, g_strdup (pattern));
  for (guint32 i = 0; i < system->elements->len; i++)
    get_element (system, i)->idle |= ts_glob_matches (pattern, get_element (system, i)->name);
}

void
ts_system_begin_reading (TsSystem *system)
{
  before_change (system);
  g_array_set_size (system->cookies, 0);
  for (guint i = 0; i < system->user_events->len; i++)
    ((TsUserEvent *) g_ptr_array_index (system->user_events, i))->count = 0;
}

TsUserEvent *
ts_system_user_event (TsSystem *system, const char *event, const char *reference)
{
  TsUserEvent  wanted = { ts_system_intern (system, event), ts_system_intern (system, reference), NULL, 0 };
  TsUserEvent *user_event = g_hash_table_lookup (system->user_event_set, &wanted);

  before_change (system);
  if (user_event == NULL)
    {
      user_event = g_memdup2 (&wanted, sizeof wanted);
      g_ptr_array_add (system->user_events, user_event);
      g_hash_table_add (system->user_event_set, user_event);
    }
  return user_event;
}

guint
ts_system_n_user_events (const TsSystem *system)
{
  return system->user_events->len;
}

const TsUserEvent *
ts_system_get_user_event (const TsSystem *system, guint index)
{
  g_return_val_if_fail (index < system->user_events->len, NULL);
  return g_ptr_array_index (system->user_events, index);
}
