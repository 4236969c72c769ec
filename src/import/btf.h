/* SPDX-License-Identifier: MIT */
#pragma once

#include <string.h>

#include "import/btf-words.h"
#include "import/digits.h"
#include "import/importer.h"

G_BEGIN_DECLS

/* The Best Trace Format, versions 1.0 to 2.3. Shared by the files btf*.c, by nobody else.
 *
 *   btf.c         the importer: bid, lines out of chunks, finish
 *   btf-line.c    one line: fields, time, instance numbers
 *   btf-digits.h  digits, eight at once
 *   btf-quick.c   lines of events that have nothing odd, some at a time
 *   btf-map.h     where their commas are
 *   btf-widths.h  those whose fields are as wide as those of others
 *   btf-scan.c    other regular lines of events: what is left goes the way above
 *   btf-sight.h   what such lines look like; btf-sight.c for long ones, and for blanks beside commas
 *   btf-run.h    their events, one behind the other
 *   btf-glance.h  those that are not
 *   btf-patterns.c  the texts of such lines, as long as there are few; btf-lexicon.h each of them by itself
 *   btf-index.h   where these are found
 *   btf-effect.c  what they do, when this is the same each time
 *   btf-event.c   what a line means: which event of which element on which core
 *   btf-interval.c  intervals that a user marked
 *   btf-scale.c   what a unit of its time is worth
 *   btf-header.c  parameters and tables
 *   btf-system.c  names, elements, cores, counters
 *   btf-names.h   texts to dense numbers
 *   btf-words.h   types and events by name */

#define TS_BTF_MAX_LINE (1024 * 1024) /* bytes without the end of the line */
#define TS_BTF_MAX_NAMES TS_MAX_ELEMENTS

/* The system (btf-system.c) */

/* What stands in Source or Target. */
typedef struct
{
  const char *text; /* valid UTF-8, terminated */
  const char *id;   /* its number in the entity table, or NULL */
  guint32     alias; /* the name that it stands for: numeric mode, folding; mostly itself */
  guint32     unfolded; /* the same, but for folding: it says on which core */
  guint32     entities; /* the first one of this name, or TS_BTF_NONE */
  guint32     process;  /* the task or ISR of this name, or TS_NO_ELEMENT */
  guint32     runnable; /* and the runnable */
  guint16     core;       /* the resource of this name, or TS_NO_RESOURCE */
  guint16     prefix_core; /* of `[core/id]name', or TS_NO_RESOURCE */
  guint8      is_folded : 1;
  guint8      is_prefixed : 1; /* `[core/id]name' */
  guint8      is_number : 1; /* `(id)', of a task whose name is not said */
  guint8      is_sure_core : 1; /* not only the source of some event */
  guint8      is_unknown_process : 1; /* something happened in it before it was known */
  guint8      starts_others : 1; /* a process started or ended on it, as they do on cores only */
  guint8      is_relied_on : 1; /* some effect is as it is since this name is what it is */
} TsBtfName;

/* What events change of a name. */
typedef struct
{
  guint32 owner; /* as in the last event of the runnable, or TS_NO_ELEMENT */
  guint16 core;  /* where the process or runnable was last, or TS_NO_RESOURCE */
} TsBtfPlace;

/* A target: a name with a type. */
typedef struct
{
  guint32 name;
  guint32 type;
  guint32 next;     /* of the same name, or TS_BTF_NONE */
  guint32 element;  /* or TS_NO_ELEMENT */
  guint32 counters; /* the first one, or TS_BTF_NONE */
} TsBtfEntity;

/* How often an event without a metric happened to a target. */
typedef struct
{
  guint64 count;
  guint32 word;
  guint32 next; /* of the same target, or TS_BTF_NONE */
} TsBtfCounter;

typedef enum
{
  TS_BTF_NO_TABLE,
  TS_BTF_TYPE_TABLE,
  TS_BTF_ENTITY_TABLE,
  TS_BTF_ENTITY_TYPE_TABLE,
} TsBtfTable;

#define TS_BTF_NO_COUNTER 0 /* one that nobody asks for */

#define TS_BTF_FIELDS 7

typedef struct
{
  const char *begin;
  const char *commas[TS_BTF_FIELDS];
  guint       n_commas; /* at most TS_BTF_FIELDS: all that follows is the note */
  const char *end;      /* without the end of the line */
} TsBtfLine;

/* What the texts of a line are. */
typedef struct
{
  guint32 source, target; /* names as they are written */
  guint32 entity;
  guint16 word;
} TsBtfTexts;

/* A line whose fields are understood. */
typedef struct
{
  const TsBtfLine *line;
  gint64           time;
  union
  {
    TsBtfTexts known;
    struct
    {
      guint32 source, target, entity; /* as in TsBtfTexts */
      guint16 word;
    };
  };
  guint32          name; /* what the target stands for */
  guint32          type; /* of the entity */
} TsBtfRecord;

typedef struct _TsBtfSqueezed TsBtfSqueezed; /* btf.c */
typedef struct _TsBtfScan TsBtfScan; /* btf-scan.h */

/* How an event of known texts gets to the timeline. */
typedef enum
{
  TS_BTF_PLAIN,     /* as its effect says */
  TS_BTF_BY_RULES,  /* anew each time */
  TS_BTF_UNLESS_NOTE = 2, /* a bit: only if the note is empty */
  TS_BTF_LONG_EVENT = 4,  /* another one: only if all of the event is what was learnt, and not just its end */
  TS_BTF_OF_NOTE = 8, /* and this by itself: of the interval that the note names, if that is known */
  TS_BTF_N_WAYS = 16
} TsBtfWay;

/* Who runs the target, on which core, and the number of whose instance: the last word of an event. The one in front of it
 * is the target and its instance. */
#if G_BYTE_ORDER == G_LITTLE_ENDIAN
#define TS_BTF_OWNER_SHIFT 0
#define TS_BTF_CORE_SHIFT 32
#define TS_BTF_NUMBER_SHIFT 48
#define TS_BTF_INSTANCE_SHIFT 32
#else
#define TS_BTF_OWNER_SHIFT 32
#define TS_BTF_CORE_SHIFT 16
#define TS_BTF_NUMBER_SHIFT 0
#define TS_BTF_INSTANCE_SHIFT 0
#endif

/* What the event of a line does, as long as no name becomes something else. It is the same for events of processes,
 * runnables and signals and for those that are only counted, with values that do nothing where one does not do what
 * another does: no processor foresees of what kind the next line is. */
typedef struct
{
  guint64 what;  /* kind and flags, as an event has them */
  guint64 owner; /* with the core, unless that is where the source is, and all bits of a number, if that counts */
  guint32 place; /* of the target, or TS_BTF_NO_TARGET */
  guint32 source; /* its place, if the core is the one there, or TS_BTF_NO_SOURCE */
  guint32 element;
  guint32 no_instance;   /* TS_NO_INSTANCE if it has none, or 0; these two as in an event */
  guint32 counter;       /* or TS_BTF_NO_COUNTER */
  guint32 instance_mask; /* all bits: the target has an instance; these two are looked at as one word */
} TsBtfAct;

typedef struct
{
  TsBtfAct act;
  guint32  way;   /* TsBtfWay, and btf->n_changes when that was found out */
  guint32  flags; /* of the texts, see btf-scan.h */
} TsBtfEffect;

/* An act is of three, each of which can be known by itself: the event, its target and its source. */

/* By what there is to be told of them. */
typedef enum
{
  TS_BTF_OF_PROCESS,
  TS_BTF_OF_RUNNABLE,
  TS_BTF_OF_SIGNAL,
  TS_BTF_OF_SYSTEM,   /* or its simulation */
  TS_BTF_OF_INTERVAL, /* an end of one */
  TS_BTF_OF_OTHER,
  TS_BTF_N_CLASSES
} TsBtfClass;

/* What a source is to a target, which depends on the event. */
typedef enum
{
  TS_BTF_RUNS,      /* a process that a runnable is a part of */
  TS_BTF_IS_CORE,   /* where something happens to a process */
  TS_BTF_ACTIVATES,
  TS_BTF_ACCESSES,  /* a signal */
  TS_BTF_DOES_NOTHING,
  TS_BTF_N_ROLES
} TsBtfRole;

/* What an event does to targets of one class. */
typedef struct
{
  guint64 what;
  guint32 no_element; /* all bits: its target is none */
  guint32 instance_mask;
  guint32 place_mask;   /* all bits: the target is where its source is from now on */
  guint32 counter_mask; /* all bits: it is counted */
  guint32 part; /* where that of its source is, behind its first part, in bytes */
  guint16 word;
  guint8  role; /* TsBtfRole: the number of that part */
  guint8  way;  /* TsBtfWay */
} TsBtfDeed;

/* What a target is. */
typedef struct
{
  guint32 way; /* as in an effect */
  guint32 class; /* TsBtfClass */
  guint32 place;
  guint32 element; /* of TS_BTF_OF_INTERVAL: the kind of event that such an end is */
  guint32 counter; /* of events with this word: */
  guint32 word;
} TsBtfGoal;

/* What a source is in one of its roles. */
typedef struct
{
  guint64 kept; /* bits of `what' that it leaves as they are */
  guint64 what; /* of these, what it changes */
  guint64 owner;
  guint32 source; /* TS_BTF_OTHER_SOURCE: it is a matter of the rules */
} TsBtfPart;

/* The state of one reading. */
typedef struct
{
  TsImport *import;
  GError   *error; /* the first one; after it nothing is read any more */
  gboolean  folds;

  TsBtfNames names;
  GArray    *infos;    /* of TsBtfName, one a name */
  GArray    *places;   /* of TsBtfPlace, likewise behind TS_BTF_N_NO_PLACES */
  guint32    n_changes; /* of names that are relied on, counted in steps of TS_BTF_N_WAYS */
  gboolean   has_places;         /* there is a process or a core */
  gboolean   relies_on_no_place; /* some effect is as it is since there is none */
  gboolean   relies_on_no_process; /* the same since there was no event of a process, so far */
  GArray    *entities; /* of TsBtfEntity */
  GArray    *counters; /* of TsBtfCounter, behind TS_BTF_NO_COUNTER */
  TsBtfWords words;
  guint32    interval_start, interval_stop; /* names of user intervals */

  TsBtfScan  *scan;    /* NULL: every line takes the long way */
  TsBtfRecord last;    /* the last one that took the long way */
  guint64     line;    /* the one being read, from 1 */
  GByteArray *carry;   /* the beginning of a line whose end is yet to come */
  gboolean    skips;   /* the line is too long: up to its end nothing is read */
  TsBtfSqueezed *squeezed; /* lines without the blanks around their fields; NULL: there are none that have any */
  gboolean    had_bytes;
  gboolean    is_open; /* the line that comes is the last one, and has no end */

  TsBtfTable table; /* whose rows come */
  guint64    n_headers, n_events, n_bad;

  gboolean begun; /* the section is open: the time base is fixed */
  gboolean has_scale;
  int      exponent; /* of the time base */
  gint64   factor;   /* internal units a unit of the stamps */
  gint64   limit;    /* of stamps as they are written */
  gint64   stop;     /* when the last system stopped, internal units; or G_MAXINT64 */
  GArray  *systems;  /* entities of those that started and did not stop */
  guint64  n_outside, outside_line; /* events after `stop', and the first of them */

  gboolean has_process, has_activation, has_start_or_end, has_slice, has_runnable;
  gboolean has_anonymous; /* an instance without a number */
} TsBtf;

/* Sets btf->error, if it is the first. */
void ts_btf_fail (TsBtf *btf, TsError code, guint64 line, const char *format, ...) G_GNUC_PRINTF (4, 5);
/* As much of a text as a message can show; to be freed. */
char *ts_btf_excerpt (TsBtfText text);

void ts_btf_system_init (TsBtf *btf);
void ts_btf_system_clear (TsBtf *btf);

/* The name @text, made when new, as it is written: its alias is what counts. */
guint32 ts_btf_name_slow (TsBtf *btf, TsBtfText text);
/* The entity table: @id stands for @name. */
void ts_btf_name_define (TsBtf *btf, TsBtfText id, TsBtfText name);
/* The target of (@type, @name), made when new; TS_BTF_NONE with btf->error set: there are too many. */
guint32 ts_btf_entity_slow (TsBtf *btf, guint32 type, guint32 name);
void ts_btf_note_process (TsBtf *btf); /* there is an event of one */
/* What runs in the source @name of an event: makes it a process if another reading found out that it is one. */
void ts_btf_expect_process_slow (TsBtf *btf, guint32 name);
/* Whether @name is a process by what an earlier reading found, and was not one so far in this reading. */
gboolean ts_btf_recall_process (TsBtf *btf, guint32 name);
/* The core @name, made when new. */
guint16 ts_btf_core (TsBtf *btf, guint32 name, gboolean is_sure);
guint16 ts_btf_prefix_core (TsBtf *btf, guint32 name);
void    ts_btf_count (TsBtf *btf, guint32 entity, guint32 word);
/* Counters into the system, at the end, and how many events are not known: only the first of its kind was told. */
void ts_btf_publish_counters (TsBtf *btf);

/* btf-interval.c */
/* The element of the interval that @note names, made when new; TS_NO_ELEMENT: it cannot be one. FALSE: it names none. */
gboolean ts_btf_interval (TsBtf *btf, TsBtfText note, guint32 *element);
/* The same of a line whose event ends at @event_end; TS_NO_ELEMENT: it names none that there is. */
guint32 ts_btf_known_interval (const TsBtf *btf, const char *event_end);

static inline TsBtfName *
ts_btf_name_info (const TsBtf *btf, guint32 name)
{
  return &((TsBtfName *) (gpointer) btf->infos->data)[name];
}

/* Places of no name. */
enum
{
  TS_BTF_NO_TARGET,    /* where nobody looks: 0, so that a mask makes any place this one */
  TS_BTF_NO_SOURCE,    /* core 0, always */
  TS_BTF_OTHER_SOURCE, /* no core, always: what is a matter of the rules */
  TS_BTF_N_NO_PLACES
};

/* Of a name that is folded as well: a source that is a task is where that task ran under this name. */
static inline guint32
ts_btf_place_of (const TsBtf *btf, guint32 name)
{
  return ts_btf_name_info (btf, name)->unfolded + TS_BTF_N_NO_PLACES;
}

/* @source is known not to be a core: then it is on the one where it was last. */
static inline gboolean
ts_btf_is_followed (const TsBtf *btf, guint32 source)
{
  const TsBtfName *written = ts_btf_name_info (btf, source), *info = ts_btf_name_info (btf, written->alias);

  return info->process != TS_NO_ELEMENT || info->entities != TS_BTF_NONE || info->text[0] == '\0'
         || written->is_number || ts_btf_name_info (btf, written->unfolded)->is_prefixed;
}

static inline TsBtfPlace *
ts_btf_place (const TsBtf *btf, guint32 place)
{
  return &((TsBtfPlace *) (gpointer) btf->places->data)[place];
}

static inline TsBtfEntity *
ts_btf_entity_info (const TsBtf *btf, guint32 entity)
{
  return &((TsBtfEntity *) (gpointer) btf->entities->data)[entity];
}

static inline void
ts_btf_expect_process (TsBtf *btf, guint32 name)
{
  if (G_UNLIKELY (ts_btf_name_info (btf, name)->process == TS_NO_ELEMENT))
    ts_btf_expect_process_slow (btf, name);
}

/* In whom a runnable is whose source is @name, which is no process, nor on a core. */
static inline guint32
ts_btf_undeclared_owner (const TsBtf *btf, guint32 name)
{
  const TsBtfName *info = ts_btf_name_info (btf, name);

  return info->is_unknown_process && info->runnable == TS_NO_ELEMENT && info->text[0] != '\0' ? TS_UNDECLARED_OWNER (name)
                                                                                              : TS_NO_ELEMENT;
}

static inline guint32
ts_btf_name (TsBtf *btf, TsBtfText text)
{
  const guint32 name = ts_btf_names_find (&btf->names, text);

  return G_LIKELY (name != TS_BTF_NONE) ? name : ts_btf_name_slow (btf, text);
}

/* TS_BTF_NONE: there is none. */
static inline guint32
ts_btf_find_entity (const TsBtf *btf, guint32 type, guint32 name)
{
  guint32 i = ts_btf_name_info (btf, name)->entities;

  while (i != TS_BTF_NONE && G_UNLIKELY (ts_btf_entity_info (btf, i)->type != type))
    i = ts_btf_entity_info (btf, i)->next;
  return i;
}

static inline guint32
ts_btf_entity (TsBtf *btf, guint32 type, guint32 name)
{
  const guint32 entity = ts_btf_find_entity (btf, type, name);

  return G_LIKELY (entity != TS_BTF_NONE) ? entity : ts_btf_entity_slow (btf, type, name);
}

/* Lines (btf-line.c) */

/* Splits what begins at @begin. Returns where the next line begins; NULL: there is no end
 * of line before @end. */
const char *ts_btf_split (const char *begin, const char *end, TsBtfLine *line);
/* The same for a last line, or one that is known to end at @end. */
void ts_btf_split_whole (const char *begin, const char *end, TsBtfLine *line);

static inline gboolean
ts_btf_is_blank (char c)
{
  return c == ' ' || c == '\t';
}

static inline const char *
ts_btf_skip_blanks (const char *begin, const char *end)
{
  while (begin < end && ts_btf_is_blank (*begin))
    begin++;
  return begin;
}

static inline TsBtfText
ts_btf_trim (const char *begin, const char *end)
{
  /* no blank at either end, as most producers write */
  if (G_LIKELY (begin < end && (guint8) *begin > ' ' && (guint8) end[-1] > ' '))
    return (TsBtfText){ begin, (gsize) (end - begin) };
  begin = ts_btf_skip_blanks (begin, end);
  while (begin < end && ts_btf_is_blank (end[-1]))
    end--;
  return (TsBtfText){ begin, (gsize) (end - begin) };
}

/* Fields from 0; the line has all of them. */
static inline TsBtfText
ts_btf_field (const TsBtfLine *line, guint field)
{
  return ts_btf_trim (field > 0 ? line->commas[field - 1] + 1 : line->begin,
                      field < line->n_commas ? line->commas[field] : line->end);
}

typedef enum
{
  TS_BTF_GOOD,
  TS_BTF_NO_NUMBER,
  TS_BTF_TOO_LARGE, /* beyond 64 bits */
} TsBtfFound;

TsBtfFound ts_btf_number_slow (TsBtfText text, gint64 *value);

static inline TsBtfFound
ts_btf_number (TsBtfText text, gint64 *value)
{
  guint64     number = 0, eight;
  const char *p = text.begin, *end = p + text.length;

  /* 18 digits cannot overflow */
  if (G_UNLIKELY (text.length == 0 || text.length > 18))
    return ts_btf_number_slow (text, value);
  for (; end - p >= 8; p += 8)
    {
      eight = ts_eight_digits (p);
      if (G_UNLIKELY (ts_eight_odd (eight) != 0))
        return ts_btf_number_slow (text, value);
      number = number * 100000000 + ts_eight_number (eight);
    }
  for (; p < end; p++)
    {
      guint8 digit = (guint8) (*p - '0');

      if (G_UNLIKELY (digit > 9))
        return ts_btf_number_slow (text, value);
      number = number * 10 + digit;
    }
  *value = (gint64) number;
  return TS_BTF_GOOD;
}

gboolean ts_btf_same (TsBtfText text, const char *word); /* whatever the case */

/* Header (btf-header.c): a line that begins with '#'. */
void ts_btf_header_line (TsBtf *btf, TsBtfText line);
/* TRUE if the parameter @keyword is one of BTF. */
gboolean ts_btf_is_keyword (TsBtfText keyword);
/* The parameter of a line after its '#'; empty for a comment. */
TsBtfText ts_btf_keyword (TsBtfText line);

/* Events (btf-event.c) */
void ts_btf_event_line (TsBtf *btf, const TsBtfLine *line);

/* What the events of processes and runnables are to the timeline: its kind + 1; 0: they have no such event. */
#define TS_BTF_COUNTED_KIND (-1) /* an event that has no metric */
extern const gint8 ts_btf_process_kinds[TS_BTF_N_WORDS], ts_btf_runnable_kinds[TS_BTF_N_WORDS];

static inline int
ts_btf_kind_of (const gint8 *kinds, guint32 word)
{
  return word < TS_BTF_N_WORDS ? kinds[word] : 0;
}

/* Whether there is an event @word of targets of @type in a specification or in the files that are known. */
gboolean ts_btf_knows_event (guint32 type, guint32 word);

/* Takes one event. */
void ts_btf_take_record (TsBtf *btf, const TsBtfRecord *record);
/* What the file as a whole cannot say. */
void ts_btf_note_dialect (TsBtf *btf);
void ts_btf_note_outside (TsBtf *btf); /* events after the stop of the system */

/* The time scale (btf-scale.c) */

/* Opens the section, before its first event. */
void ts_btf_begin (TsBtf *btf);
/* What stamps are in from here on. */
void ts_btf_set_scale (TsBtf *btf, int exponent);

/* What events of such texts do (btf-effect.c); after the first one was taken. */
TsBtfEffect ts_btf_find_effect (TsBtf *btf, const TsBtfTexts *texts, gboolean has_note);
/* The three that this is of. */
TsBtfDeed ts_btf_find_deed (TsBtfClass class, guint16 word, gboolean has_note);
TsBtfGoal ts_btf_find_goal (TsBtf *btf, const TsBtfTexts *texts, guint16 word);
TsBtfPart ts_btf_find_part (TsBtf *btf, guint32 source, TsBtfRole role);

/* The number of the instance that an event says its owner is. */
guint16 ts_btf_owner_number (TsBtfText text);

/* Regular lines (btf-scan.c) */
TsBtfScan *ts_btf_scan_new (void);
void       ts_btf_scan_free (TsBtfScan *scan);
/* Takes regular lines of events from @begin to @end; before it, at least back to @bytes, and @n_behind bytes from @end on
 * can be read. Returns where the first line begins that has to take the long way, or @end. Only without an error so far. */
const char *ts_btf_scan (TsBtf *btf, const char *bytes, const char *begin, const char *end, gsize n_behind);
/* @line, which the scan has just left to the long way and which ends before @next, was an event: what stands in it is known from now on. */
void ts_btf_scan_learn (TsBtf *btf, const TsBtfLine *line, const char *next);
/* Names stand for something else from here on. */
void ts_btf_scan_forget (TsBtfScan *scan);
/* Whether blanks around fields are not always the same: from then on, the scan expects lines without them. */
gboolean ts_btf_squeezes (const TsBtf *btf);
/* Whether a note that lines show to the scan as from @begin to @end is as it was written: beside a comma there may have been
 * blanks, which are part of it. */
gboolean ts_btf_has_whole_note (const TsBtf *btf, const char *begin, const char *end);

G_END_DECLS
