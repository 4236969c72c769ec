/* SPDX-License-Identifier: MIT */
#include "config.h"

#include <string.h>

#include "import/btf.h"
#include "model/encoding.h"

/* What stands in Source and Target: names, elements, cores, and counters of what has no metric. */

static const TsBtfName new_name = {
  .alias = TS_BTF_NONE,
  .entities = TS_BTF_NONE,
  .process = TS_NO_ELEMENT,
  .runnable = TS_NO_ELEMENT,
  .core = TS_NO_RESOURCE,
  .prefix_core = TS_NO_RESOURCE,
};

static const TsBtfPlace new_place = { TS_NO_ELEMENT, TS_NO_RESOURCE }, no_source = { TS_NO_ELEMENT, 0 };

static TsBtfText
text_of (const char *text)
{
  return (TsBtfText){ text, strlen (text) };
}

void
ts_btf_system_init (TsBtf *btf)
{
  ts_btf_names_init (&btf->names);
  ts_btf_words_init (&btf->words);
  btf->infos = g_array_new (FALSE, FALSE, sizeof (TsBtfName));
  btf->places = g_array_new (FALSE, FALSE, sizeof (TsBtfPlace));
  g_array_append_val (btf->places, new_place); /* TS_BTF_NO_TARGET */
  g_array_append_val (btf->places, no_source); /* TS_BTF_NO_SOURCE */
  g_array_append_val (btf->places, new_place); /* TS_BTF_OTHER_SOURCE */
  btf->entities = g_array_new (FALSE, FALSE, sizeof (TsBtfEntity));
  btf->counters = g_array_new (FALSE, TRUE, sizeof (TsBtfCounter));
  g_array_set_size (btf->counters, TS_BTF_NO_COUNTER + 1);
  ts_btf_name (btf, text_of ("")); /* number 0: what to return after an error */
  btf->interval_start = ts_btf_name (btf, text_of ("interval_start"));
  btf->interval_stop = ts_btf_name (btf, text_of ("interval_stop"));
}

void
ts_btf_system_clear (TsBtf *btf)
{
  ts_btf_names_clear (&btf->names);
  ts_btf_words_clear (&btf->words);
  g_array_unref (btf->infos);
  g_array_unref (btf->places);
  g_array_unref (btf->entities);
  g_array_unref (btf->counters);
}

/* Names */

static const char *
skip_digits (const char *p)
{
  while (g_ascii_isdigit (*p))
    p++;
  return p;
}

/* `[core/id]name', as a FreeRTOS logger writes it: a task has another name on each core. */
static gboolean
has_prefix (const char *text)
{
  const char *p = text, *digits;

  if (*p++ != '[' || (digits = skip_digits (p)) == p || *digits != '/')
    return FALSE;
  p = digits + 1;
  return (digits = skip_digits (p)) != p && *digits == ']';
}

/* `(id)': what a FreeRTOS logger writes as a source where its task number is none of a task. */
static gboolean
is_number (const char *text)
{
  const char *end = *text == '(' ? skip_digits (text + 1) : text;

  return end > text + 1 && end[0] == ')' && end[1] == '\0';
}

/* `name[id]' of `[core/id]name' and `(id)name'; NULL: it is neither. */
static char *
fold (const char *text)
{
  const char *id, *end;

  if (has_prefix (text))
    {
      id = strchr (text, '/') + 1;
      end = strchr (id, ']');
    }
  else
    {
      id = text + 1;
      end = *text == '(' ? skip_digits (id) : text;
      if (end <= id || *end != ')')
        return NULL;
    }
  if (end[1] == '\0')
    return NULL;
  while (*id == '0' && id + 1 < end)
    id++;
  return g_strdup_printf ("%s[%.*s]", end + 1, (int) MIN (end - id, 64), id);
}

/* As valid UTF-8, which it mostly is where it is kept. */
static const char *
valid_text (TsBtf *btf, guint32 name)
{
  const TsBtfEntry *entry = &g_array_index (btf->names.entries, TsBtfEntry, name);
  g_autofree char  *valid = NULL;
  gboolean          is_latin;

  if (g_utf8_validate (entry->bytes, (gssize) entry->length, NULL))
    return entry->bytes;
  valid = ts_utf8_dup (entry->bytes, entry->length, &is_latin);
  if (is_latin)
    ts_diagnostics_add (btf->import->diagnostics, TS_DIAGNOSTIC_NO_UTF8, btf->line, "%s", valid);
  return g_string_chunk_insert (btf->names.bytes, valid);
}

guint32
ts_btf_name_slow (TsBtf *btf, TsBtfText text)
{
  g_autofree char *folded = NULL;
  TsBtfName        info = new_name;
  guint32          name;

  if (btf->infos->len >= TS_BTF_MAX_NAMES)
    {
      ts_btf_fail (btf, TS_ERROR_RANGE, btf->line, "more than %d names", TS_BTF_MAX_NAMES);
      return 0;
    }
  name = ts_btf_names_add (&btf->names, text);
  info.text = valid_text (btf, name);
  info.alias = info.unfolded = name;
  info.is_prefixed = has_prefix (info.text);
  info.is_number = is_number (info.text);
  g_array_append_val (btf->infos, info);
  g_array_append_val (btf->places, new_place);
  if (btf->folds && (folded = fold (info.text)) != NULL)
    {
      guint32 alias = ts_btf_name (btf, text_of (folded));

      ts_btf_name_info (btf, name)->alias = alias;
      ts_btf_name_info (btf, name)->is_folded = TRUE;
    }
  return name;
}

void
ts_btf_name_define (TsBtf *btf, TsBtfText id, TsBtfText name)
{
  guint32 number = ts_btf_name (btf, id), target = ts_btf_name (btf, name);

  ts_btf_name_info (btf, number)->unfolded = target;
  /* one step only: a table may name an entity with the number of another */
  if (ts_btf_name_info (btf, target)->is_folded)
    target = ts_btf_name_info (btf, target)->alias;
  ts_btf_name_info (btf, target)->id = ts_btf_name_info (btf, number)->text;
  ts_btf_name_info (btf, number)->alias = target;
  btf->n_changes += TS_BTF_N_WAYS;
}

/* What it is has changed. */
static void
note_change (TsBtf *btf, const TsBtfName *info)
{
  if (info->is_relied_on)
    btf->n_changes += TS_BTF_N_WAYS;
}

/* There is something now; effects that *rely on there being none are out of date. */
static void
note_first (TsBtf *btf, gboolean *is_there, gboolean *rely)
{
  *is_there = TRUE;
  if (*rely)
    btf->n_changes += TS_BTF_N_WAYS;
  *rely = FALSE;
}

/* There is a process or a core, or what may be one. */
static void
note_place (TsBtf *btf)
{
  note_first (btf, &btf->has_places, &btf->relies_on_no_place);
}

void
ts_btf_note_process (TsBtf *btf)
{
  note_first (btf, &btf->has_process, &btf->relies_on_no_process);
}

/* Elements */

static guint32
declare (TsBtf *btf, TsElementType type, guint32 name)
{
  const TsBtfName *info = ts_btf_name_info (btf, name);
  guint32          element = ts_system_add_element (btf->import->system, type, info->text, info->id, TS_NO_ELEMENT,
                                                    TS_NO_RESOURCE);

  if (element == TS_NO_ELEMENT)
    ts_btf_fail (btf, TS_ERROR_RANGE, btf->line, "more than %d elements", TS_MAX_ELEMENTS);
  return element;
}

/* A trace that begins in the middle names processes as sources before it says what they are: that
 * is told to the next reading. */
static void
remember_process (TsBtf *btf, const TsBtfName *info, guint32 type, const char *what)
{
  TsImportMemory *memory = btf->import->memory;

  if (memory->kept == NULL)
    {
      memory->kept = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);
      memory->free_kept = (GDestroyNotify) g_hash_table_unref;
    }
  g_hash_table_insert (memory->kept, g_strdup (info->text), GUINT_TO_POINTER (type));
  if (!ts_import_request_reread (btf->import))
    ts_diagnostics_add (btf->import->diagnostics, TS_DIAGNOSTIC_KNOWN_LATE, btf->line, "%s %s before its first event",
                        info->text, what);
}

gboolean
ts_btf_recall_process (TsBtf *btf, guint32 name)
{
  const TsBtfName *info = ts_btf_name_info (btf, name);
  gpointer         type;

  if (btf->import->memory->kept == NULL || info->process != TS_NO_ELEMENT
      || !g_hash_table_lookup_extended (btf->import->memory->kept, info->text, NULL, &type))
    return FALSE;
  ts_btf_entity (btf, GPOINTER_TO_UINT (type), name);
  return TRUE;
}

void
ts_btf_expect_process_slow (TsBtf *btf, guint32 name)
{
  TsBtfName *info = ts_btf_name_info (btf, name);

  if (info->runnable != TS_NO_ELEMENT || info->core != TS_NO_RESOURCE
      || info->is_unknown_process || ts_btf_recall_process (btf, name))
    return;
  info->is_unknown_process = TRUE;
  note_place (btf);
}

static void
declare_process (TsBtf *btf, TsBtfEntity *entity, TsElementType type)
{
  TsBtfName *info;

  entity->element = declare (btf, type, entity->name);
  note_place (btf);
  info = ts_btf_name_info (btf, entity->name);
  info->process = entity->element;
  if (info->is_unknown_process)
    remember_process (btf, info, entity->type, "had runnables or signals");
  info->is_unknown_process = FALSE;
  if (info->is_sure_core || info->core == TS_NO_RESOURCE)
    return;
  /* a process was the source of an event of another: that did not make it a core */
  info->core = TS_NO_RESOURCE;
  if (!info->starts_others)
    remember_process (btf, info, entity->type, "was taken for a core");
}

guint32
ts_btf_entity_slow (TsBtf *btf, guint32 type, guint32 name)
{
  TsBtfEntity entity = { name, type, TS_BTF_NONE, TS_NO_ELEMENT, TS_BTF_NONE };
  guint32    *link;

  switch (type)
    {
    case TS_BTF_TYPE_T:
      declare_process (btf, &entity, TS_TYPE_TASK);
      break;
    case TS_BTF_TYPE_I:
      declare_process (btf, &entity, TS_TYPE_ISR);
      break;
    case TS_BTF_TYPE_R:
      entity.element = declare (btf, TS_TYPE_RUNNABLE, name);
      ts_btf_name_info (btf, name)->runnable = entity.element;
      break;
    case TS_BTF_TYPE_SIG:
      entity.element = declare (btf, TS_TYPE_SIGNAL, name);
      break;
    case TS_BTF_TYPE_INTERVAL:
      entity.element = declare (btf, TS_TYPE_STOPWATCH, name);
      break;
    case TS_BTF_TYPE_C:
      ts_btf_core (btf, name, TRUE);
      break;
    default:
      break;
    }
  link = &ts_btf_name_info (btf, name)->entities;
  while (*link != TS_BTF_NONE)
    link = &ts_btf_entity_info (btf, *link)->next;
  *link = btf->entities->len;
  g_array_append_val (btf->entities, entity);
  note_change (btf, ts_btf_name_info (btf, name));
  return btf->entities->len - 1;
}

/* Cores */

guint16
ts_btf_core (TsBtf *btf, guint32 name, gboolean is_sure)
{
  TsBtfName *info = ts_btf_name_info (btf, name);

  if (info->core == TS_NO_RESOURCE)
    {
      info->core = ts_system_add_resource (btf->import->system, info->text, info->id, NULL);
      if (info->core == TS_NO_RESOURCE)
        ts_btf_fail (btf, TS_ERROR_RANGE, btf->line, "more than %d cores", TS_MAX_RESOURCES);
      note_change (btf, info);
      note_place (btf);
    }
  info->is_sure_core |= is_sure;
  return info->core;
}

guint16
ts_btf_prefix_core (TsBtf *btf, guint32 name)
{
  const TsBtfName *info = ts_btf_name_info (btf, name);
  g_autofree char *text = NULL;
  guint16          core = info->prefix_core;

  if (!info->is_prefixed || core != TS_NO_RESOURCE)
    return core;
  text = g_strdup_printf ("Core_%.*s", (int) MIN (strcspn (info->text, "/") - 1, 64), info->text + 1);
  core = ts_btf_core (btf, ts_btf_name (btf, text_of (text)), TRUE);
  ts_btf_name_info (btf, name)->prefix_core = core;
  return core;
}

/* Counters */

void
ts_btf_count (TsBtf *btf, guint32 entity, guint32 word)
{
  TsBtfCounter *counters = (TsBtfCounter *) (gpointer) btf->counters->data;
  guint32      *link = &ts_btf_entity_info (btf, entity)->counters;
  TsBtfCounter  counter = { 1, word, TS_BTF_NONE };

  for (; *link != TS_BTF_NONE; link = &counters[*link].next)
    if (counters[*link].word == word)
      {
        counters[*link].count++;
        return;
      }
  *link = btf->counters->len;
  g_array_append_val (btf->counters, counter);
}

static char *
dup_text (TsBtfText text)
{
  return ts_utf8_dup (text.begin, text.length, NULL);
}

/* None, or that of more events than the first, which has told what it is. */
static void
set_count (TsBtf *btf, TsDiagnosticId id, guint64 count)
{
  TsDiagnostic *entry = &btf->import->diagnostics->entries[id];

  g_return_if_fail (count >= entry->count && (count > 0) == (entry->count > 0));
  entry->count = count;
}

void
ts_btf_publish_counters (TsBtf *btf)
{
  TsSystem *system = btf->import->system;
  guint64   n_unknown_events = 0, n_unknown_types = 0;

  for (guint32 i = 0; i < btf->entities->len; i++)
    {
      const TsBtfEntity *entity = ts_btf_entity_info (btf, i);
      const guint32      shown_type = entity->type != TS_BTF_TYPE_DELETED ? entity->type : TS_BTF_TYPE_R;
      g_autofree char   *type = NULL;

      if (entity->counters != TS_BTF_NONE)
        type = dup_text (ts_btf_type_text (&btf->words, shown_type));
      for (guint32 k = entity->counters; k != TS_BTF_NONE; k = g_array_index (btf->counters, TsBtfCounter, k).next)
        {
          const TsBtfCounter *counter = &g_array_index (btf->counters, TsBtfCounter, k);
          g_autofree char    *word = dup_text (ts_btf_word_text (&btf->words, counter->word));
          g_autofree char    *event = g_strconcat (type, " ", word, NULL);

          ts_system_user_event (system, event, ts_btf_name_info (btf, entity->name)->text)->count += counter->count;
          if (shown_type >= TS_BTF_N_TYPES)
            n_unknown_types += counter->count;
          else if (!ts_btf_knows_event (entity->type, counter->word))
            n_unknown_events += counter->count;
        }
    }
  set_count (btf, TS_DIAGNOSTIC_UNKNOWN_EVENT, n_unknown_events);
  set_count (btf, TS_DIAGNOSTIC_UNKNOWN_TARGET_TYPE, n_unknown_types);
}
