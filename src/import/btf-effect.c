/* SPDX-License-Identifier: MIT */
#include "config.h"

#include <string.h>

#include "import/btf-run.h"

/* What the rules of btf-event.c come to for lines of the same texts: mostly the same event of the same element on the
 * same core. Whatever they would look at beyond that, or say, is left to them. It is told what an event does to a
 * target of a class, what the target is, and what the source has to do with it: each of these can be known apart.
 *
 * What it looks at of a name may become something else, and then all effects are found out anew: so it notes which
 * names these are. Most are what they are by the time when something relies on them. */

/* Events */

/* As part of a deed. */
#define ROLE(number) .role = (guint8) (number), .part = (guint32) (number) * sizeof (TsBtfPart)

static const TsBtfDeed by_rules = { .no_element = G_MAXUINT32, ROLE (TS_BTF_DOES_NOTHING), .way = TS_BTF_BY_RULES };

static TsBtfDeed
count_event (guint16 word)
{
  return (TsBtfDeed){ .what = ts_event_what (TS_EVENT_USER, 0),
                      .no_element = G_MAXUINT32,
                      .counter_mask = G_MAXUINT32,
                      ROLE (TS_BTF_DOES_NOTHING),
                      .word = word };
}

/* Of an element that has instances; @asks_note: what the note says may make it another event. */
static TsBtfDeed
change_state (TsEventKind kind, guint16 word, TsBtfRole role, gboolean asks_note)
{
  return (TsBtfDeed){ .what = ts_event_what (kind, kind == TS_EVENT_START ? TS_EVENT_REPLACES : 0),
                      .instance_mask = G_MAXUINT32,
                      .place_mask = role == TS_BTF_RUNS || role == TS_BTF_IS_CORE ? G_MAXUINT32 : 0,
                      ROLE (role),
                      .word = word,
                      .way = asks_note ? TS_BTF_UNLESS_NOTE : TS_BTF_PLAIN };
}

static TsBtfDeed
process_event (guint16 word, gboolean has_note)
{
  const int         kind = ts_btf_kind_of (ts_btf_process_kinds, word);
  const TsEventKind event = (TsEventKind) (kind - 1);

  if (kind == TS_BTF_COUNTED_KIND || kind == 0)
    return count_event (word);
  if (event == TS_EVENT_ACTIVATION || event == TS_EVENT_ACTIVATION_FAILED)
    return change_state (event, word, event == TS_EVENT_ACTIVATION ? TS_BTF_ACTIVATES : TS_BTF_DOES_NOTHING, FALSE);
  return change_state (event, word, TS_BTF_IS_CORE, has_note && event == TS_EVENT_PREEMPT);
}

static TsBtfDeed
runnable_event (guint16 word, gboolean has_note)
{
  const int kind = ts_btf_kind_of (ts_btf_runnable_kinds, word);

  if (kind == 0)
    return count_event (word);
  return change_state ((TsEventKind) (kind - 1), word, TS_BTF_RUNS, has_note && word == TS_BTF_WORD_PREEMPT);
}

static TsBtfDeed
signal_event (guint16 word)
{
  if (word != TS_BTF_WORD_READ && word != TS_BTF_WORD_WRITE)
    return count_event (word);
  return (TsBtfDeed){ .what = ts_event_what (word == TS_BTF_WORD_READ ? TS_EVENT_READ : TS_EVENT_WRITE, 0),
                      ROLE (TS_BTF_ACCESSES),
                      .word = word };
}

/* Of which interval is up to the note. */
static TsBtfDeed
interval_event (guint16 word)
{
  if (word != TS_BTF_WORD_TRIGGER)
    return count_event (word);
  return (TsBtfDeed){ ROLE (TS_BTF_DOES_NOTHING), .word = word, .way = TS_BTF_OF_NOTE };
}

TsBtfDeed
ts_btf_find_deed (TsBtfClass class, guint16 word, gboolean has_note)
{
  switch (class)
    {
    case TS_BTF_OF_PROCESS:
      return process_event (word, has_note);
    case TS_BTF_OF_RUNNABLE:
      return runnable_event (word, has_note);
    case TS_BTF_OF_SIGNAL:
      return signal_event (word);
    case TS_BTF_OF_SYSTEM:
      return word == TS_BTF_WORD_TAG || word == TS_BTF_WORD_STOP || word == TS_BTF_WORD_START ? by_rules
                                                                                              : count_event (word);
    case TS_BTF_OF_INTERVAL:
      return interval_event (word);
    default:
      return count_event (word);
    }
}

/* Targets */

/* What @name is, as an effect needs to know it. */
static const TsBtfName *
rely_on (TsBtf *btf, guint32 name)
{
  TsBtfName *info = ts_btf_name_info (btf, name);

  info->is_relied_on = TRUE;
  return info;
}

static TsBtfClass
class_of (const TsBtf *btf, const TsBtfEntity *entity)
{
  switch (entity->type)
    {
    case TS_BTF_TYPE_T:
    case TS_BTF_TYPE_I:
      return TS_BTF_OF_PROCESS;
    case TS_BTF_TYPE_R:
      return TS_BTF_OF_RUNNABLE;
    case TS_BTF_TYPE_SIG:
      return TS_BTF_OF_SIGNAL;
    case TS_BTF_TYPE_SIM:
    case TS_BTF_TYPE_SYS:
      return TS_BTF_OF_SYSTEM;
    case TS_BTF_TYPE_STI:
      return entity->name == btf->interval_start || entity->name == btf->interval_stop ? TS_BTF_OF_INTERVAL
                                                                                       : TS_BTF_OF_OTHER;
    default:
      return TS_BTF_OF_OTHER;
    }
}

static guint32
find_counter (const TsBtf *btf, guint32 entity, guint16 word)
{
  const TsBtfCounter *counters = (const TsBtfCounter *) (gconstpointer) btf->counters->data;
  guint32             i = ts_btf_entity_info (btf, entity)->counters;

  while (i != TS_BTF_NONE && counters[i].word != word)
    i = counters[i].next;
  return i;
}

static gboolean
is_by_rules (TsBtf *btf, const TsBtfEntity *entity)
{
  return entity->type == TS_BTF_TYPE_R && rely_on (btf, entity->name)->process != TS_NO_ELEMENT;
}

/* Of a stimulus, which is no element, but may be an end of an interval. */
static guint32
element_of (const TsBtf *btf, const TsBtfEntity *entity, TsBtfClass class)
{
  if (class != TS_BTF_OF_INTERVAL)
    return entity->element;
  return entity->name == btf->interval_start ? TS_EVENT_START : TS_EVENT_END;
}

/* Its counter is that of events with @word, or else no event is counted: lines with one of the others are not learnt. */
TsBtfGoal
ts_btf_find_goal (TsBtf *btf, const TsBtfTexts *texts, guint16 word)
{
  const TsBtfEntity *info = ts_btf_entity_info (btf, texts->entity);
  const guint32      counter = find_counter (btf, texts->entity, word);
  const TsBtfClass   class = class_of (btf, info);

  return (TsBtfGoal){ .way = btf->n_changes + (is_by_rules (btf, info) ? TS_BTF_BY_RULES : TS_BTF_PLAIN),
                      .class = class,
                      .place = ts_btf_place_of (btf, texts->target),
                      .element = element_of (btf, info, class),
                      .counter = counter != TS_BTF_NONE ? counter : TS_BTF_NO_COUNTER,
                      .word = counter != TS_BTF_NONE ? word : TS_BTF_OTHER };
}

/* Sources */

static guint64
owner_of (guint32 owner, guint16 resource, guint16 number_mask)
{
  return (guint64) owner << TS_BTF_OWNER_SHIFT | (guint64) resource << TS_BTF_CORE_SHIFT
         | (guint64) number_mask << TS_BTF_NUMBER_SHIFT;
}

/* Whether a runnable whose source is @source is on no core, each time, and in no process but that: because its name is not
 * known but as a source, or because there is no process or core, or no event of a process, in all of the trace. */
static gboolean
is_nowhere (TsBtf *btf, guint32 source)
{
  const TsBtfName *written = ts_btf_name_info (btf, source), *info = ts_btf_name_info (btf, written->alias);

  if (written->unfolded != written->alias || info->core != TS_NO_RESOURCE)
    return FALSE;
  if (info->process != TS_NO_ELEMENT)
    {
      btf->relies_on_no_process |= !btf->has_process;
      return !btf->has_process;
    }
  if (info->runnable == TS_NO_ELEMENT)
    return info->is_unknown_process && ts_btf_place (btf, ts_btf_place_of (btf, source))->core == TS_NO_RESOURCE;
  /* else it is in the process that it was called in, which may be another one each time */
  if (btf->has_places)
    return FALSE;
  btf->relies_on_no_place = TRUE;
  return TRUE;
}

TsBtfPart
ts_btf_find_part (TsBtf *btf, guint32 source, TsBtfRole role)
{
  const guint32    name = ts_btf_name_info (btf, source)->alias;
  const TsBtfName *info = rely_on (btf, name);
  TsBtfPart        part = { .kept = G_MAXUINT64,
                            .owner = owner_of (TS_NO_ELEMENT, TS_NO_RESOURCE, 0),
                            .source = TS_BTF_NO_SOURCE };
  guint32          owner;

  switch (role)
    {
    case TS_BTF_RUNS:
      if (is_nowhere (btf, source))
        {
          owner = info->process != TS_NO_ELEMENT ? info->process : ts_btf_undeclared_owner (btf, name);
          part.owner = owner_of (owner, TS_NO_RESOURCE, owner != TS_NO_ELEMENT ? G_MAXUINT16 : 0);
          /* where nobody is known to be, nobody is replaced */
          part.kept = ~ts_event_what ((TsEventKind) 0, TS_EVENT_REPLACES);
          break;
        }
      part.owner = owner_of (info->process, 0, G_MAXUINT16);
      part.source = info->process != TS_NO_ELEMENT && info->core == TS_NO_RESOURCE ? ts_btf_place_of (btf, source)
                                                                                   : TS_BTF_OTHER_SOURCE;
      break;
    case TS_BTF_IS_CORE:
      part.owner = owner_of (TS_NO_ELEMENT, info->core != TS_NO_RESOURCE ? info->core : 0, 0);
      if (info->core == TS_NO_RESOURCE)
        part.source = ts_btf_is_followed (btf, source) ? ts_btf_place_of (btf, source) : TS_BTF_OTHER_SOURCE;
      break;
    case TS_BTF_ACTIVATES:
      if (info->process != TS_NO_ELEMENT)
        part.what = ts_event_what (TS_EVENT_ACTIVATION, 0) ^ ts_event_what (TS_EVENT_ACTIVATION_CHAINED, 0);
      break;
    case TS_BTF_ACCESSES:
      part.owner = owner_of (info->process != TS_NO_ELEMENT ? info->process : info->runnable, TS_NO_RESOURCE, 0);
      if (info->process == TS_NO_ELEMENT && info->runnable == TS_NO_ELEMENT && info->core == TS_NO_RESOURCE
          && !info->is_unknown_process)
        part.source = TS_BTF_OTHER_SOURCE;
      break;
    default:
      break;
    }
  return part;
}

/* All of them */

TsBtfEffect
ts_btf_find_effect (TsBtf *btf, const TsBtfTexts *texts, gboolean has_note)
{
  const TsBtfGoal goal = ts_btf_find_goal (btf, texts, texts->word);
  const TsBtfDeed deed = ts_btf_find_deed ((TsBtfClass) goal.class, texts->word, has_note);
  const TsBtfPart part = ts_btf_find_part (btf, texts->source, (TsBtfRole) deed.role);

  return ts_btf_effect_of (&deed, &goal, &part);
}
