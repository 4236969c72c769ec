/* SPDX-License-Identifier: MIT */
#include "config.h"

#include <string.h>

#include "import/btf.h"

/* What a line means: which event of which element, on which core. */

typedef TsBtfRecord Record;

/* fields */
#define SOURCE_INSTANCE 2
#define TARGET_INSTANCE 5

const gint8 ts_btf_process_kinds[TS_BTF_N_WORDS] = {
  [TS_BTF_WORD_ACTIVATE] = TS_EVENT_ACTIVATION + 1,
  [TS_BTF_WORD_MTALIMITEXCEEDED] = TS_EVENT_ACTIVATION_FAILED + 1,
  [TS_BTF_WORD_START] = TS_EVENT_START + 1,
  [TS_BTF_WORD_TERMINATE] = TS_EVENT_END + 1,
  [TS_BTF_WORD_PREEMPT] = TS_EVENT_PREEMPT + 1,
  [TS_BTF_WORD_SUSPEND] = TS_EVENT_PREEMPT + 1, /* its name before 2.1.1 */
  [TS_BTF_WORD_RESUME] = TS_EVENT_RESUME + 1,
  [TS_BTF_WORD_WAIT] = TS_EVENT_WAIT + 1,
  [TS_BTF_WORD_RELEASE] = TS_EVENT_RELEASE + 1,
  [TS_BTF_WORD_POLL] = TS_EVENT_POLL + 1,
  [TS_BTF_WORD_RUN] = TS_EVENT_RUN + 1,
  [TS_BTF_WORD_PARK] = TS_EVENT_PARK + 1,
  [TS_BTF_WORD_POLL_PARKING] = TS_EVENT_UNPARK + 1,
  [TS_BTF_WORD_RELEASE_PARKING] = TS_EVENT_RELEASE + 1,
  [TS_BTF_WORD_INTERRUPT_SUSPENDED] = TS_BTF_COUNTED_KIND,
  [TS_BTF_WORD_BOUNDEDMIGRATION] = TS_BTF_COUNTED_KIND,
  [TS_BTF_WORD_PHASEMIGRATION] = TS_BTF_COUNTED_KIND,
  [TS_BTF_WORD_FULLMIGRATION] = TS_BTF_COUNTED_KIND,
  [TS_BTF_WORD_ENFORCEDMIGRATION] = TS_BTF_COUNTED_KIND,
  [TS_BTF_WORD_DEADLINE] = TS_BTF_COUNTED_KIND,
  [TS_BTF_WORD_NOWAIT] = TS_BTF_COUNTED_KIND,
  [TS_BTF_WORD_CREATE] = TS_BTF_COUNTED_KIND,
};

const gint8 ts_btf_runnable_kinds[TS_BTF_N_WORDS] = {
  [TS_BTF_WORD_START] = TS_EVENT_START + 1,
  [TS_BTF_WORD_TERMINATE] = TS_EVENT_END + 1,
  [TS_BTF_WORD_SUSPEND] = TS_EVENT_PREEMPT + 1,
  [TS_BTF_WORD_PREEMPT] = TS_EVENT_PREEMPT + 1,
  [TS_BTF_WORD_RESUME] = TS_EVENT_RESUME + 1,
};

gboolean
ts_btf_knows_event (guint32 type, guint32 word)
{
  if (type == TS_BTF_TYPE_T || type == TS_BTF_TYPE_I)
    return ts_btf_kind_of (ts_btf_process_kinds, word) != 0;
  if (type == TS_BTF_TYPE_R)
    return ts_btf_kind_of (ts_btf_runnable_kinds, word) != 0;
  return word < TS_BTF_N_WORDS;
}

static TsDiagnostics *
diagnostics (const TsBtf *btf)
{
  return btf->import->diagnostics;
}

static inline void
emit (TsBtf *btf, const Record *record, TsEventKind kind, guint32 element, gint32 instance, guint32 owner,
      guint16 owner_number, guint16 resource)
{
  *ts_import_next (btf->import) = (TsEvent){
    .time = record->time,
    .line = btf->line,
    .kind = kind,
    .flags = kind == TS_EVENT_START && resource != TS_NO_RESOURCE ? TS_EVENT_REPLACES : 0,
    .element = element,
    .instance = instance,
    .owner = owner,
    .owner_number = owner_number,
    .resource = resource,
  };
  ts_import_commit (btf->import);
}

static void
count_event (TsBtf *btf, const Record *record, guint32 word)
{
  ts_btf_count (btf, record->entity, word);
  emit (btf, record, TS_EVENT_USER, TS_NO_ELEMENT, TS_NO_INSTANCE, TS_NO_ELEMENT, 0, TS_NO_RESOURCE);
}

static void
unknown_event (TsBtf *btf, const Record *record)
{
  g_autofree char *type = ts_btf_excerpt (ts_btf_field (record->line, 3));
  g_autofree char *event = ts_btf_excerpt (ts_btf_field (record->line, 6));

  ts_diagnostics_add (diagnostics (btf), TS_DIAGNOSTIC_UNKNOWN_EVENT, btf->line, "event `%s' of type `%s'", event,
                      type);
  count_event (btf, record, record->word);
}

/* Time */

static void
bad_line (TsBtf *btf, TsDiagnosticId id, const char *what, TsBtfText text)
{
  g_autofree char *shown = ts_btf_excerpt (text);

  btf->n_bad++;
  ts_diagnostics_add (diagnostics (btf), id, btf->line, "%s `%s'", what, shown);
}

static gboolean
read_time (TsBtf *btf, TsBtfText text, gint64 *time)
{
  TsBtfFound found = ts_btf_number (text, time);

  if (G_UNLIKELY (found == TS_BTF_NO_NUMBER))
    {
      bad_line (btf, TS_DIAGNOSTIC_BAD_TIME, "time", text);
      return FALSE;
    }
  if (G_UNLIKELY (!btf->begun))
    ts_btf_begin (btf);
  if (G_UNLIKELY (found == TS_BTF_TOO_LARGE || *time > btf->limit || *time < -btf->limit))
    {
      g_autofree char *shown = ts_btf_excerpt (text);
      g_autofree char *limit = ts_time_limit_text (btf->factor);

      ts_btf_fail (btf, TS_ERROR_RANGE, btf->line, "the time %s is beyond %s", shown, limit);
      return FALSE;
    }
  if (G_UNLIKELY (*time < 0))
    ts_diagnostics_add (diagnostics (btf), TS_DIAGNOSTIC_NEGATIVE_TIME, btf->line, NULL);
  *time *= btf->factor;
  return TRUE;
}

/* Instances */

/* The last bits of a number of any length. */
static gint32
last_bits (TsBtfText digits)
{
  guint32 bits = 0;

  for (gsize i = 0; i < digits.length; i++)
    bits = bits * 10 + (guint8) (digits.begin[i] - '0');
  return (gint32) (bits & G_MAXINT32);
}

static gint32
read_odd_instance (TsBtf *btf, TsBtfText text)
{
  gint64           number = 0;
  const TsBtfFound found = text.length > 0 ? ts_btf_number (text, &number) : TS_BTF_NO_NUMBER;
  const gboolean   is_beyond = found == TS_BTF_TOO_LARGE && g_ascii_isdigit (text.begin[0]);

  if (is_beyond || (found == TS_BTF_GOOD && number > G_MAXINT32))
    {
      ts_diagnostics_add (diagnostics (btf), TS_DIAGNOSTIC_LARGE_INSTANCE, btf->line, NULL);
      return last_bits (text);
    }
  if (found == TS_BTF_GOOD && number >= 0)
    return (gint32) number;
  /* numbers count from 0: -1 says that there is none */
  if (found == TS_BTF_NO_NUMBER && text.length > 0)
    {
      g_autofree char *shown = ts_btf_excerpt (text);

      ts_diagnostics_add (diagnostics (btf), TS_DIAGNOSTIC_BAD_INSTANCE, btf->line, "instance `%s'", shown);
    }
  btf->has_anonymous = TRUE;
  return TS_NO_INSTANCE;
}

static gint32
read_instance (TsBtf *btf, const Record *record)
{
  TsBtfText text = ts_btf_field (record->line, TARGET_INSTANCE);
  guint32   number = 0, digit = 10;

  /* up to nine digits, which fit */
  if (G_LIKELY (text.length - 1 < 9))
    for (gsize i = 0; i < text.length; i++)
      {
        digit = (guint8) (text.begin[i] - '0');
        if (G_UNLIKELY (digit > 9))
          break;
        number = number * 10 + digit;
      }
  if (G_UNLIKELY (digit > 9))
    return read_odd_instance (btf, text);
  return (gint32) number;
}

/* Of the process that a runnable runs in; what cannot be read is not needed. */
guint16
ts_btf_owner_number (TsBtfText text)
{
  gint64 number;

  if (ts_btf_number (text, &number) != TS_BTF_GOOD || number < 0)
    return 0;
  return ts_event_owner_number ((gint32) (number & G_MAXINT32));
}

/* Cores */

/* What a source is that is not yet known as a core: mostly one; but a FreeRTOS logger names
 * the task that ran before, and nobody knows what else there will be. */
static guint16
find_core (TsBtf *btf, const Record *record)
{
  const guint32    name = ts_btf_name_info (btf, record->source)->alias;
  const guint32    source = ts_btf_name_info (btf, record->source)->unfolded;
  const guint32    target = ts_btf_name_info (btf, record->target)->unfolded;
  guint16          core = ts_btf_name_info (btf, name)->core;

  if (core != TS_NO_RESOURCE)
    return core;
  if (!ts_btf_is_followed (btf, record->source) && !ts_btf_recall_process (btf, name))
    return ts_btf_core (btf, name, FALSE);

  core = ts_btf_place (btf, ts_btf_place_of (btf, record->source))->core;
  if (core == TS_NO_RESOURCE)
    core = ts_btf_prefix_core (btf, target);
  if (core == TS_NO_RESOURCE)
    core = ts_btf_prefix_core (btf, source);
  return core != TS_NO_RESOURCE ? core : ts_btf_place (btf, ts_btf_place_of (btf, record->target))->core;
}

static TsBtfText
note_of (const TsBtfLine *line)
{
  if (line->n_commas < TS_BTF_FIELDS)
    return (TsBtfText){ line->end, 0 };
  return ts_btf_trim (line->commas[TS_BTF_FIELDS - 1] + 1, line->end);
}

/* With @word, and not with a longer one. */
static gboolean
note_begins (const TsBtfLine *line, const char *word)
{
  TsBtfText note = note_of (line);
  gsize     length = strlen (word);

  return note.length >= length && g_ascii_strncasecmp (note.begin, word, length) == 0
         && (note.length == length || (!g_ascii_isalnum (note.begin[length]) && note.begin[length] != '_'));
}

/* A FreeRTOS logger writes the creation of a task as a preemption, and its deletion as one
 * of a runnable: no time passes in either. */
static gboolean
is_life_event (const TsBtfLine *line)
{
  return line->n_commas == TS_BTF_FIELDS && line->end - line->commas[TS_BTF_FIELDS - 1] > 1
         && (note_begins (line, "create") || note_begins (line, "task_create") || note_begins (line, "delete")
             || note_begins (line, "task_delete"));
}

/* Who created a task was on a core, which is where that is until more is known: its name may say another one. */
static void
note_creation (TsBtf *btf, const Record *record)
{
  const guint32 target = ts_btf_name_info (btf, record->target)->unfolded;
  TsBtfPlace   *place = ts_btf_place (btf, ts_btf_place_of (btf, record->target));

  if (place->core == TS_NO_RESOURCE && !ts_btf_name_info (btf, target)->is_prefixed)
    place->core = ts_btf_name_info (btf, ts_btf_name_info (btf, record->source)->alias)->core;
  count_event (btf, record, TS_BTF_WORD_CREATE);
}

static void
process_event (TsBtf *btf, const Record *record)
{
  int         kind = ts_btf_kind_of (ts_btf_process_kinds, record->word);
  guint32     element = ts_btf_entity_info (btf, record->entity)->element;
  TsEventKind event = (TsEventKind) (kind - 1);
  gint32      instance;
  guint16     core = TS_NO_RESOURCE;

  if (kind == 0)
    {
      unknown_event (btf, record);
      return;
    }
  if (kind == TS_BTF_COUNTED_KIND)
    {
      count_event (btf, record, record->word);
      return;
    }
  ts_btf_note_process (btf);
  if (G_UNLIKELY (event == TS_EVENT_PREEMPT && is_life_event (record->line)))
    {
      note_creation (btf, record);
      return;
    }
  instance = read_instance (btf, record);
  if (event == TS_EVENT_ACTIVATION || event == TS_EVENT_ACTIVATION_FAILED)
    {
      btf->has_activation |= event == TS_EVENT_ACTIVATION;
      /* one task or ISR activates another */
      if (event == TS_EVENT_ACTIVATION
          && ts_btf_name_info (btf, ts_btf_name_info (btf, record->source)->alias)->process != TS_NO_ELEMENT)
        event = TS_EVENT_ACTIVATION_CHAINED;
    }
  else
    {
      core = find_core (btf, record);
      ts_btf_place (btf, ts_btf_place_of (btf, record->target))->core = core;
      if (event == TS_EVENT_START || event == TS_EVENT_END)
        {
          btf->has_start_or_end = TRUE;
          ts_btf_name_info (btf, ts_btf_name_info (btf, record->source)->alias)->starts_others = TRUE;
        }
      else
        btf->has_slice = TRUE;
    }
  emit (btf, record, event, element, instance, TS_NO_ELEMENT, 0, core);
}

/* The process that a runnable runs in is its source, for one that another called too; where
 * the source is a runnable all the same, it is that one's process. A source of which nothing else is known tells apart
 * what runs in it. */
static guint32
find_owner (TsBtf *btf, const Record *record, guint16 *core)
{
  guint32           name = ts_btf_name_info (btf, record->source)->alias;
  const TsBtfName  *source;
  const TsBtfPlace *place;

  ts_btf_expect_process (btf, name);
  source = ts_btf_name_info (btf, name);
  place = ts_btf_place (btf, ts_btf_place_of (btf, record->source));
  *core = source->core != TS_NO_RESOURCE ? source->core : place->core;
  if (source->process != TS_NO_ELEMENT)
    return source->process;
  if (source->runnable != TS_NO_ELEMENT)
    return place->owner;
  return *core == TS_NO_RESOURCE ? ts_btf_undeclared_owner (btf, name) : TS_NO_ELEMENT;
}

static void
runnable_event (TsBtf *btf, const Record *record)
{
  int        kind = ts_btf_kind_of (ts_btf_runnable_kinds, record->word);
  guint32    owner, name;
  guint16    core, owner_number = 0;
  TsBtfPlace *place;

  if (kind == 0)
    {
      unknown_event (btf, record);
      return;
    }
  if (G_UNLIKELY (record->word == TS_BTF_WORD_PREEMPT && is_life_event (record->line)))
    {
      count_event (btf, record, record->word);
      return;
    }
  btf->has_runnable = TRUE;
  owner = find_owner (btf, record, &core);
  place = ts_btf_place (btf, ts_btf_place_of (btf, record->target));
  name = ts_btf_name_info (btf, record->source)->alias;
  if (owner != TS_NO_ELEMENT
      && (owner == ts_btf_name_info (btf, name)->process || owner == ts_btf_undeclared_owner (btf, name)))
    owner_number = ts_btf_owner_number (ts_btf_field (record->line, SOURCE_INSTANCE));
  place->owner = owner;
  if (ts_btf_name_info (btf, record->name)->process == TS_NO_ELEMENT)
    place->core = core;
  emit (btf, record, (TsEventKind) (kind - 1), ts_btf_entity_info (btf, record->entity)->element,
        read_instance (btf, record), owner, owner_number, core);
}

static void
signal_event (TsBtf *btf, const Record *record)
{
  guint32          name = ts_btf_name_info (btf, record->source)->alias;
  const TsBtfName *source;

  if (record->word != TS_BTF_WORD_READ && record->word != TS_BTF_WORD_WRITE)
    {
      if (record->word >= TS_BTF_N_WORDS)
        unknown_event (btf, record);
      else
        count_event (btf, record, record->word);
      return;
    }
  ts_btf_expect_process (btf, name);
  source = ts_btf_name_info (btf, name);
  emit (btf, record, record->word == TS_BTF_WORD_READ ? TS_EVENT_READ : TS_EVENT_WRITE,
        ts_btf_entity_info (btf, record->entity)->element, TS_NO_INSTANCE,
        source->process != TS_NO_ELEMENT ? source->process : source->runnable, 0, TS_NO_RESOURCE);
}

/* FALSE: it says of none. */
static gboolean
user_interval (TsBtf *btf, const Record *record)
{
  guint32 element;

  if (record->word != TS_BTF_WORD_TRIGGER || !ts_btf_interval (btf, note_of (record->line), &element))
    return FALSE;
  if (element != TS_NO_ELEMENT)
    emit (btf, record, record->name == btf->interval_start ? TS_EVENT_START : TS_EVENT_END, element, TS_NO_INSTANCE,
          TS_NO_ELEMENT, 0, TS_NO_RESOURCE);
  return TRUE;
}

/* Whether some other one still runs. */
static gboolean
note_system (TsBtf *btf, guint32 system, gboolean stops)
{
  guint i = 0;

  while (i < btf->systems->len && g_array_index (btf->systems, guint32, i) != system)
    i++;
  if (i < btf->systems->len && stops)
    g_array_remove_index_fast (btf->systems, i);
  else if (i == btf->systems->len && !stops)
    g_array_append_val (btf->systems, system);
  return stops && btf->systems->len > 0;
}

/* The system stops, and with it the trace. In files that were joined it may start again, or there is more than one. */
static void
stop_event (TsBtf *btf, const Record *record)
{
  gboolean stops = record->word == TS_BTF_WORD_STOP;

  ts_btf_count (btf, record->entity, record->word);
  if (note_system (btf, record->entity, stops))
    stops = FALSE;
  btf->stop = stops ? record->time : G_MAXINT64;
  btf->n_outside = 0;
  *ts_import_next (btf->import) = (TsEvent){
    .time = record->time,
    .line = btf->line,
    .kind = TS_EVENT_USER,
    .flags = stops ? TS_EVENT_STOPS : TS_EVENT_GOES_ON,
    .element = TS_NO_ELEMENT,
    .instance = TS_NO_INSTANCE,
    .owner = TS_NO_ELEMENT,
    .resource = TS_NO_RESOURCE,
  };
  ts_import_commit (btf->import);
}

void
ts_btf_note_outside (TsBtf *btf)
{
  if (btf->n_outside == 0)
    return;
  ts_diagnostics_add (diagnostics (btf), TS_DIAGNOSTIC_OUTSIDE_SECTION, btf->outside_line, NULL);
  diagnostics (btf)->entries[TS_DIAGNOSTIC_OUTSIDE_SECTION].count = btf->n_outside;
}

static void
other_event (TsBtf *btf, const Record *record, guint32 type)
{
  if (type >= TS_BTF_N_TYPES)
    {
      g_autofree char *shown = ts_btf_excerpt (ts_btf_field (record->line, 3));

      ts_diagnostics_add (diagnostics (btf), TS_DIAGNOSTIC_UNKNOWN_TARGET_TYPE, btf->line, "type `%s'", shown);
      count_event (btf, record, record->word);
      return;
    }
  if (type == TS_BTF_TYPE_STI && (record->name == btf->interval_start || record->name == btf->interval_stop)
      && user_interval (btf, record))
    return;
  /* the simulator lists the hardware like this */
  if (type == TS_BTF_TYPE_SIM && record->word == TS_BTF_WORD_TAG && ts_btf_same (note_of (record->line), "CORE_INIT"))
    ts_btf_core (btf, ts_btf_name_info (btf, record->source)->alias, TRUE);
  if (record->word >= TS_BTF_N_WORDS)
    unknown_event (btf, record);
  else if (type == TS_BTF_TYPE_SYS && (record->word == TS_BTF_WORD_STOP || record->word == TS_BTF_WORD_START))
    stop_event (btf, record);
  else
    count_event (btf, record, record->word);
}

static inline guint32
read_type (TsBtf *btf, TsBtfText text)
{
  if (G_LIKELY (text.length == 1))
    switch (*text.begin)
      {
      case 'T':
        return TS_BTF_TYPE_T;
      case 'R':
        return TS_BTF_TYPE_R;
      case 'C':
        return TS_BTF_TYPE_C;
      case 'I':
        return TS_BTF_TYPE_I;
      default:
        break;
      }
  return ts_btf_type_slow (&btf->words, text);
}

/* A runnable that is only deleted is a task, and would be listed for nothing. */
static gboolean
is_deleted_task (const TsBtf *btf, const Record *record)
{
  return record->type == TS_BTF_TYPE_R && record->word == TS_BTF_WORD_PREEMPT
         && ts_btf_name_info (btf, record->name)->runnable == TS_NO_ELEMENT && is_life_event (record->line);
}

void
ts_btf_take_record (TsBtf *btf, const TsBtfRecord *record)
{
  btf->n_events++;
  switch (record->type)
    {
    case TS_BTF_TYPE_T:
    case TS_BTF_TYPE_I:
      process_event (btf, record);
      break;
    case TS_BTF_TYPE_R:
      runnable_event (btf, record);
      break;
    case TS_BTF_TYPE_SIG:
      signal_event (btf, record);
      break;
    case TS_BTF_TYPE_DELETED:
      count_event (btf, record, record->word);
      break;
    default:
      other_event (btf, record, record->type);
    }
  if (G_UNLIKELY (record->time > btf->stop) && btf->n_outside++ == 0)
    btf->outside_line = btf->line;
}

/* Whether there was more of the last line, which has no end: an event is all of it, unless there is a note behind. */
static gboolean
is_cut (const TsBtfLine *line)
{
  if (line->n_commas < TS_BTF_FIELDS - 1)
    return TRUE;
  return line->n_commas == TS_BTF_FIELDS - 1 && ts_btf_is_part_of_word (ts_btf_field (line, TS_BTF_FIELDS - 1));
}

void
ts_btf_event_line (TsBtf *btf, const TsBtfLine *line)
{
  TsBtfRecord record = { .line = line };
  TsBtfText   target, event;

  if (G_UNLIKELY (btf->is_open) && is_cut (line))
    {
      bad_line (btf, TS_DIAGNOSTIC_TRUNCATED, "line", ts_btf_trim (line->begin, line->end));
      return;
    }
  if (G_UNLIKELY (line->n_commas < TS_BTF_FIELDS - 1))
    {
      bad_line (btf, TS_DIAGNOSTIC_SHORT_LINE, "line", ts_btf_trim (line->begin, line->end));
      return;
    }
  target = ts_btf_field (line, 4);
  event = ts_btf_field (line, 6);
  if (G_UNLIKELY (target.length == 0 || event.length == 0))
    {
      bad_line (btf, TS_DIAGNOSTIC_SHORT_LINE, target.length == 0 ? "no target in" : "no event in",
                ts_btf_trim (line->begin, line->end));
      return;
    }
  if (!read_time (btf, ts_btf_field (line, 0), &record.time))
    return;

  record.type = read_type (btf, ts_btf_field (line, 3));
  record.word = (guint16) ts_btf_word (&btf->words, event);
  record.source = ts_btf_name (btf, ts_btf_field (line, 1));
  record.target = ts_btf_name (btf, target);
  record.name = ts_btf_name_info (btf, record.target)->alias;
  if (G_UNLIKELY (is_deleted_task (btf, &record)))
    record.type = TS_BTF_TYPE_DELETED;
  record.entity = ts_btf_entity (btf, record.type, record.name);
  if (G_UNLIKELY (btf->error != NULL))
    return;
  btf->last = record;
  ts_btf_take_record (btf, &record);
}

void
ts_btf_note_dialect (TsBtf *btf)
{
  if (!btf->has_process && btf->has_runnable)
    ts_diagnostics_add (diagnostics (btf), TS_DIAGNOSTIC_NO_PROCESSES, 0, NULL);
  else if (btf->has_slice && !btf->has_activation && !btf->has_start_or_end)
    ts_diagnostics_add (diagnostics (btf), TS_DIAGNOSTIC_NO_START_EVENTS, 0, NULL);
  else if (btf->has_process && !btf->has_activation)
    ts_diagnostics_add (diagnostics (btf), TS_DIAGNOSTIC_NO_ACTIVATION_EVENTS, 0, NULL);
  if (btf->has_anonymous)
    ts_diagnostics_add (diagnostics (btf), TS_DIAGNOSTIC_NO_INSTANCE_NUMBERS, 0, NULL);
}
