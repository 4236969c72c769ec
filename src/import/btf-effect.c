/* SPDX-License-Identifier: MIT */
#include "config.h"

#include <string.h>

#include "import/btf.h"

/* What the rules of btf-event.c come to for lines of the same texts: mostly the same event of the same
 * element on the same core. Whatever they would look at beyond that, or say, is left to them. Each function
 * here follows the one there that is called alike.
 *
 * What it looks at of a name may become something else, and then all effects are found out anew: so it notes which
 * names these are. Most are what they are by the time when something relies on them. */

/* What @name is, as an effect needs to know it. */
static const TsBtfName *
rely_on (TsBtf *btf, guint32 name)
{
  TsBtfName *info = ts_btf_name_info (btf, name);

  info->is_relied_on = TRUE;
  return info;
}

/* Of an event with a resource. */
static guint64
what_on_core (TsEventKind kind)
{
  return ts_event_what (kind, kind == TS_EVENT_START ? TS_EVENT_REPLACES : 0);
}

static guint32
count_event (const TsBtf *btf, const TsBtfTexts *texts, TsBtfEffect *effect)
{
  const TsBtfCounter *counters = (const TsBtfCounter *) (gconstpointer) btf->counters->data;
  guint32             i = ts_btf_entity_info (btf, texts->entity)->counters;

  while (i != TS_BTF_NONE && counters[i].word != texts->word)
    i = counters[i].next;
  if (i == TS_BTF_NONE)
    return TS_BTF_BY_RULES;
  effect->what = ts_event_what (TS_EVENT_USER, 0);
  effect->counter = i;
  return TS_BTF_PLAIN;
}

/* One that has instances. */
static void
set_element (const TsBtf *btf, const TsBtfTexts *texts, TsBtfEffect *effect)
{
  effect->element = ts_btf_entity_info (btf, texts->entity)->element;
  effect->instance_mask = G_MAXUINT32;
  effect->no_instance = 0;
}

static guint32
process_event (const TsBtf *btf, const TsBtfTexts *texts, gboolean has_note, TsBtfEffect *effect, TsBtfRole *role)
{
  int         kind = ts_btf_process_kinds[texts->word];
  TsEventKind event = (TsEventKind) (kind - 1);

  if (kind == TS_BTF_COUNTED_KIND)
    return count_event (btf, texts, effect);
  if (kind == 0)
    return TS_BTF_BY_RULES;
  set_element (btf, texts, effect);
  effect->what = what_on_core (event);
  if (event == TS_EVENT_ACTIVATION)
    *role = TS_BTF_ACTIVATES;
  if (event == TS_EVENT_ACTIVATION || event == TS_EVENT_ACTIVATION_FAILED)
    return TS_BTF_PLAIN;
  *role = TS_BTF_IS_CORE;
  effect->place = ts_btf_place_of (ts_btf_entity_info (btf, texts->entity)->name);
  return TS_BTF_PLAIN | (event == TS_EVENT_PREEMPT && has_note ? TS_BTF_UNLESS_NOTE : 0);
}

static guint32
runnable_event (TsBtf *btf, const TsBtfTexts *texts, gboolean has_note, TsBtfEffect *effect, TsBtfRole *role)
{
  int     kind = ts_btf_runnable_kinds[texts->word];
  guint32 target = ts_btf_entity_info (btf, texts->entity)->name;

  if (kind == 0 || rely_on (btf, target)->process != TS_NO_ELEMENT)
    return TS_BTF_BY_RULES;
  *role = TS_BTF_RUNS;
  effect->what = what_on_core ((TsEventKind) (kind - 1));
  set_element (btf, texts, effect);
  effect->place = ts_btf_place_of (target);
  return TS_BTF_PLAIN | (texts->word == TS_BTF_WORD_PREEMPT && has_note ? TS_BTF_UNLESS_NOTE : 0);
}

static guint32
signal_event (const TsBtf *btf, const TsBtfTexts *texts, TsBtfEffect *effect, TsBtfRole *role)
{
  if (texts->word != TS_BTF_WORD_READ && texts->word != TS_BTF_WORD_WRITE)
    return count_event (btf, texts, effect);
  *role = TS_BTF_ACCESSES;
  effect->what = ts_event_what (texts->word == TS_BTF_WORD_READ ? TS_EVENT_READ : TS_EVENT_WRITE, 0);
  effect->element = ts_btf_entity_info (btf, texts->entity)->element;
  return TS_BTF_PLAIN;
}

static guint32
other_event (const TsBtf *btf, const TsBtfTexts *texts, guint32 type, TsBtfEffect *effect)
{
  guint32 target = ts_btf_entity_info (btf, texts->entity)->name;

  if ((type == TS_BTF_TYPE_STI && (target == btf->interval_start || target == btf->interval_stop))
      || (type == TS_BTF_TYPE_SIM && texts->word == TS_BTF_WORD_TAG)
      || (type == TS_BTF_TYPE_SYS && (texts->word == TS_BTF_WORD_STOP || texts->word == TS_BTF_WORD_START)))
    return TS_BTF_BY_RULES;
  return count_event (btf, texts, effect);
}

TsBtfRole
ts_btf_find_target (TsBtf *btf, const TsBtfTexts *texts, gboolean has_note, TsBtfEffect *effect)
{
  const guint32 type = ts_btf_entity_info (btf, texts->entity)->type;
  TsBtfRole     role = TS_BTF_DOES_NOTHING;
  guint32       way;

  *effect = (TsBtfEffect){ .place = TS_BTF_NO_TARGET,
                           .element = TS_NO_ELEMENT,
                           .source = TS_BTF_NO_SOURCE,
                           .owner = TS_NO_ELEMENT,
                           .resource = TS_NO_RESOURCE,
                           .no_instance = (guint32) TS_NO_INSTANCE,
                           .counter = TS_BTF_NO_COUNTER };
  switch (type)
    {
    case TS_BTF_TYPE_T:
    case TS_BTF_TYPE_I:
      way = process_event (btf, texts, has_note, effect, &role);
      break;
    case TS_BTF_TYPE_R:
      way = runnable_event (btf, texts, has_note, effect, &role);
      break;
    case TS_BTF_TYPE_SIG:
      way = signal_event (btf, texts, effect, &role);
      break;
    default:
      way = other_event (btf, texts, type, effect);
    }
  effect->way = way + btf->n_changes;
  return role;
}

/* Sources */

/* It is known not to be a core: it is where it was last. */
static gboolean
is_followed (const TsBtf *btf, guint32 source, const TsBtfName *info)
{
  return info->process != TS_NO_ELEMENT || info->entities != TS_BTF_NONE || info->text[0] == '\0'
         || ts_btf_name_info (btf, source)->is_prefixed;
}

TsBtfPart
ts_btf_find_part (TsBtf *btf, guint32 source, TsBtfRole role)
{
  const guint32    name = ts_btf_name_info (btf, source)->alias;
  const TsBtfName *info = rely_on (btf, name);
  TsBtfPart        part = { 0, TS_NO_ELEMENT, TS_NO_RESOURCE, 0, TS_BTF_NO_SOURCE };

  switch (role)
    {
    case TS_BTF_RUNS:
      part = (TsBtfPart){ 0, info->process, 0, G_MAXUINT16, ts_btf_place_of (name) };
      if (info->process == TS_NO_ELEMENT || info->core != TS_NO_RESOURCE)
        part.source = TS_BTF_OTHER_SOURCE;
      break;
    case TS_BTF_IS_CORE:
      if (info->core != TS_NO_RESOURCE)
        {
          part.resource = info->core;
          break;
        }
      part.resource = 0;
      part.source = is_followed (btf, source, info) ? ts_btf_place_of (name) : TS_BTF_OTHER_SOURCE;
      break;
    case TS_BTF_ACTIVATES:
      if (info->process != TS_NO_ELEMENT)
        part.what = ts_event_what (TS_EVENT_ACTIVATION, 0) ^ ts_event_what (TS_EVENT_ACTIVATION_CHAINED, 0);
      break;
    case TS_BTF_ACCESSES:
      part.owner = info->process != TS_NO_ELEMENT ? info->process : info->runnable;
      if (part.owner == TS_NO_ELEMENT && info->core == TS_NO_RESOURCE)
        part.source = TS_BTF_OTHER_SOURCE;
      break;
    default:
      break;
    }
  return part;
}

void
ts_btf_find_effect (TsBtf *btf, const TsBtfTexts *texts, gboolean has_note, TsBtfEffect *effect)
{
  const TsBtfRole role = ts_btf_find_target (btf, texts, has_note, effect);
  const TsBtfPart part = ts_btf_find_part (btf, texts->source, role);

  effect->what ^= part.what;
  effect->owner = part.owner;
  effect->resource = part.resource;
  effect->owner_number_mask = part.owner_number_mask;
  effect->source = part.source;
  if (part.source == TS_BTF_OTHER_SOURCE)
    effect->way |= TS_BTF_BY_RULES;
}
