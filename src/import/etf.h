/* SPDX-License-Identifier: MIT */
#pragma once

#include "import/etf-ids.h"
#include "import/etf-line.h"
#include "import/etf-scan.h"
#include "import/etf-texts.h"
#include "import/importer.h"
#include "import/objects.h"
#include "import/usage.h"

G_BEGIN_DECLS

/* The format of TRACE (Eclipse TRACE4CPS). Shared by the files etf*.c, by nobody else.
 *
 *   etf.c            the importer: bid, lines, which statement a line is, finish
 *   etf-scan.c       lines of claims, events and dependencies, quickly: the others go the way below
 *   etf-fields.h     their fields, and the numbers in these
 *   etf-alike.c      lines like the ones before, even quicker
 *   etf-learn.c      which ones the next may be like
 *   etf-squeeze.c    copies of lines with less blanks
 *   etf-copies.c     when lines are read from these
 *   etf-numbers.h    their numbers
 *   etf-line.h       fields and numbers of one line
 *   etf-attributes.c its attribute list
 *   etf-lists.c      lists whose keys are known, quickly
 *   etf-keys.c       which attributes name elements, jobs and objects
 *   etf-texts.c      texts to dense numbers, and to numbers of ids
 *   etf-ids.c        maps from the ids of the file to dense numbers
 *   etf-statements.c what each statement says: resources, claims, events
 *   etf-units.c      stamps and amounts in units
 *   etf-claims.c     claims and events as they are kept
 *   etf-take.h       what of that is done for each line
 *   etf-relations.c  dependencies and signals
 *   etf-order.c      records in order of time
 *   etf-jobs.c       claims to jobs
 *   etf-group.c      claims and events of one job
 *   etf-emit.c       jobs to events
 *   etf-tables.c     use of resources and flow of objects, as tables
 *
 * Claims are written when they end, so all of them are kept until the input ends. Stamps are kept exactly, in
 * units of 10^-k of the file's unit; a finer one makes k larger and rescales what is there, as long as all can be kept. */

#define TS_ETF_MAX_LINE (1024 * 1024)
#define TS_ETF_MAX_RECORDS 2000000000u /* claims, and as many dependencies */
#define TS_ETF_MAX_EVENTS (TS_ETF_MAX_RECORDS / 64)
#define TS_ETF_AMOUNT_LIMIT (G_GINT64_CONSTANT (1) << 60)

/* In the number of an id that is a text. */
#define TS_ETF_TEXT_ID (G_GUINT64_CONSTANT (1) << 63)

/* What is kept of the file */

enum
{
  TS_ETF_EVENT = 1 << 0,       /* no claim */
  TS_ETF_ACTIVATES = 1 << 1,   /* an event that the user takes as activation */
  TS_ETF_NO_EXEC = 1 << 2,     /* a claim that is no execution */
  TS_ETF_TEXT_INSTANCE = 1 << 3, /* `instance' is the number of a text, not the value itself */
  TS_ETF_NO_INSTANCE = 1 << 4, /* a claim that is a job of its own */
  TS_ETF_FIRST = 1 << 5,       /* the first interval of its job */
  TS_ETF_LAST = 1 << 6,
  TS_ETF_MERGED = 1 << 7,      /* inside of another interval of its job */
  TS_ETF_HAS_ACTIVATION = 1 << 8,
  TS_ETF_IN_CROWD = 1 << 9,    /* so many of its element were open when it began that it is better looked up by its number */
  TS_ETF_WAITS = 1 << 10,      /* an event that activates a job of which there is no claim */
  TS_ETF_TAKEN = 1 << 11,      /* an event that activates the job whose first claim is number `instance' */
};

#define TS_ETF_NEVER G_MAXINT64 /* when what a claim depends on arrives, if that is not in the file */

/* A claim or an event while it is sorted; every byte counts. */
typedef struct
{
  gint64  t0, t1;
  guint32 line;
  guint32 element;
  gint32  instance; /* the value of the instance attribute, later the number of the job */
  guint16 resource;
  guint16 flags;
} TsEtfRecord;

G_STATIC_ASSERT (sizeof (TsEtfRecord) == 32);

/* An event as it is read; few files need more of most of them. */
typedef struct
{
  gint64  time;
  guint32 line;
  guint32 element;
  gint32  instance;
  guint16 flags;
} TsEtfEvent;

G_STATIC_ASSERT (sizeof (TsEtfEvent) == 24);

typedef struct
{
  char    *id, *name, *unit;
  gint64   capacity; /* in units of amounts */
  gboolean uses_offset;
  guint32  line;     /* of its declaration, 0: none so far */
  guint32  used_line; /* of the first claim on it, 0: there is none so far */
  guint32  offset_line, plain_line; /* of the first claim with and without an offset */
  gint64   amount;   /* of its first claim, and often of all */
  gboolean is_exec;
} TsEtfResource;

/* What a claim takes of a resource that is not declared so far. */
typedef struct
{
  gint64  extent; /* amount and offset */
  guint32 line;
  guint16 resource;
  guint8  is_negative; /* one of both is */
} TsEtfEarlyClaim;

typedef struct
{
  guint32 text;  /* of its name in the keys */
  guint32 task, event; /* in the system, or TS_NO_ELEMENT */
  guint32 n_jobs;
  guint32 first_event, last_event; /* records of the activations that wait, or TS_ETF_NONE */
  guint8  has_claims : 1; /* on any resource */
  guint8  has_jobs : 1;
  guint8  is_counted : 1; /* its jobs are numbered from 1, for not all have numbers of their own */
  guint8  is_resource : 1; /* it goes by the name of resource number `text' */
  guint8  is_idle : 1;
  guint32 n_open; /* claims that are jobs, while these are emitted */
} TsEtfElement;

G_STATIC_ASSERT (sizeof (TsEtfElement) == 32);

#define TS_ETF_LAST_DEPENDENCY 8 /* the last type of them */

typedef struct
{
  guint64 source, destination; /* ids */
  guint32 line;
  guint8  type;
  guint8  activates;
} TsEtfDependency;

typedef struct
{
  guint32      line;      /* of its S, 0: none so far */
  guint32      used_line; /* of its first F */
  TsEtfDecimal end;       /* of the last domain */
} TsEtfSignal;

/* A claim as its line says it, in the units of those before. */
typedef struct
{
  gint64  t0, t1, amount;
  guint32 resource;
} TsEtfClaim;

/* An element by its name: that of up to 16 bytes itself, with zeros behind it; of others a hash, and where the name is. */
typedef struct
{
  guint64 head;
  union
  {
    guint64     tail;
    const char *text;
  };
  guint32 length; /* 0: free */
  guint32 element;
} TsEtfRecent;

/* The elements of names: open addressing, a power of two, at most half full. */
typedef struct
{
  TsEtfRecent *slots;
  guint        shift; /* of the hash; 64 less the logarithm of their number */
  guint        n;
  gboolean     are_names; /* of one attribute, and there are some */
  gboolean     are_apart; /* none is in another's place */
} TsEtfRecents;

typedef enum
{
  TS_ETF_ACTIVATION_NONE,
  TS_ETF_ACTIVATION_DEPENDENCY,
  TS_ETF_ACTIVATION_EVENT,
} TsEtfActivation;

typedef struct
{
  char *texts[TS_ETF_MAX_KEYS];
  gsize lengths[TS_ETF_MAX_KEYS];
  guint n;
} TsEtfKeys;

typedef struct
{
  TsImport *import;
  GError   *error;
  GString  *carry; /* a line that goes on in the next chunk */
  GString  *scratch; /* texts of one line without their escapes */
  gsize     scratch_used;
  const char *limit; /* the line that is being read may be read beyond its end, up to here */
  TsEtfKnown  known;
  TsEtfRecall recall;
  TsEtfAttributes attributes; /* of the last line that was parsed in full */
  guint8    kind; /* TS_ETF_OF_CLAIM ...: what is being read */
  TsEtfScan scan;
  guint64   n_bytes;
  guint32   line;
  gboolean  has_content, has_other_content; /* any statement; one before the last line */

  /* options */
  TsEtfKeys       element_keys, instance_keys;
  char           *object_key, *object_except; /* not this value */
  TsEtfActivation activation;
  char           *activation_key, *activation_value; /* or NULL */
  GPtrArray      *exec_resources; /* of char *: globs, or NULL */
  gboolean        default_keys;

  guint32 unit_line, offset_line;
  guint32 resource; /* whose attributes are being read */
  GString *comment;
  GString *joined; /* a key of several attributes */
  TsEtfTexts names; /* of elements, with separators between their attributes */
  TsEtfTexts instances, ids;
  TsEtfTexts id_heads; /* what is in front of numbers in ids */
  GArray *elements; /* of TsEtfElement */
  guint32 *element_of_text; /* the element of each text of names, or TS_ETF_NONE */
  guint   n_element_of_text;
  TsEtfRecents recents;
  guint32 *element_of_resource;
  guint   n_element_of_resource;

  gboolean rounds;    /* what is finer than the units, which are known */
  gboolean only_looks; /* at how fine they can be */
  TsEtfRange stamp_range, amount_range; /* when it does */
  gint    decimals;        /* k of stamps */
  gint    amount_decimals; /* of amounts and capacities */
  gint64  largest_stamp, largest_amount; /* without sign, in these units */
  gint64  first, last;     /* stamps of claims and events; while there are none, the last is before the first */
  gboolean has_stamps;     /* in the end */

  TsEtfIds claim_ids, event_ids, dependency_ids, resource_ids, signal_ids;
  TsEtfRecord *records; /* claims, in the end events too */
  gsize   n_records, n_allocated;
  gsize   n_claims;
  guint32 *by_start, *by_end; /* numbers of the records in order; NULL: they are in order as they are */
  gsize   n_by_start; /* there is room for */
  guint64 n_steps;    /* that it took to sort claims by their start so far */
  gboolean has_lost_patience; /* it took too many, and is done when all are there */
  guint32 *by_event; /* the same of events, where these are not records */
  gint64 *amounts;     /* of claims; NULL: each is that of the resource's first one */
  gint64 *activations; /* of the first records, from dependencies, then of jobs; G_MININT64: none; TS_ETF_NEVER */
  guint64 *activation_places; /* lines that order equal ones; NULL: they are not from dependencies */
  gsize   n_activations;
  GArray *events;    /* of TsEtfEvent */
  gsize   n_emitted; /* of them */
  GArray *resources; /* of TsEtfResource */
  GArray *early_claims; /* of TsEtfEarlyClaim */
  GArray *signals;   /* of TsEtfSignal */
  GArray *dependencies; /* of TsEtfDependency: those with ends that are not known so far */
  gboolean starts_go_back, ends_go_back; /* the claims are not in order of these as they are in the file */
  gboolean has_extras; /* there is more to be done for a line than usual: jobs, objects or amounts are to be kept */
  gboolean starts_claims; /* each claim is a job without an activation, and becomes one when it is emitted */
  TsUsage *usage;     /* or NULL */
  TsUsage *load;      /* the same without claims of idle elements; NULL: nobody idles */
  TsObjects *objects; /* or NULL; the first of object_ids is number 0 */
  TsEtfIds object_ids;
  TsEtfCopies copies;
} TsEtf;

/* Sets etf->error, with the line that is being read or @line, and returns FALSE. */
gboolean ts_etf_fail_at (TsEtf *etf, TsError code, guint32 line, const char *format, ...) G_GNUC_PRINTF (4, 5);
#define ts_etf_fail(etf, ...) ts_etf_fail_at ((etf), TS_ERROR_FORMAT, (etf)->line, __VA_ARGS__)
/* For `%.*s' in them: no line is quoted in full. */
#define TS_ETF_QUOTED(text) (int) MIN ((text).length, 60), (text).p
#define ts_etf_note(etf, NAME, ...) \
  ts_diagnostics_add ((etf)->import->diagnostics, TS_DIAGNOSTIC_##NAME, (etf)->line, __VA_ARGS__)

/* etf-attributes.c: lists, up to @end. What is wrong with one is counted; it never fails. */

/* Gives @all, or NULL, every pair as it is meant. */
void ts_etf_attributes_parse (TsEtf *etf, const char *p, const char *end,
                              void (*all) (TsEtf *etf, TsEtfText key, TsEtfText value));
/* What a line has of the attributes that are asked for; until the next one. */
const TsEtfAttributes *ts_etf_attributes_read (TsEtf *etf, const char *p, const char *end);
/* The same of any list, whose keys are known from now on. */
const TsEtfAttributes *ts_etf_attributes_learn (TsEtf *etf, const char *p, const char *end);
/* A value with escapes as it is meant, in etf->scratch, where there must be room for it. */
TsEtfText ts_etf_clean (TsEtf *etf, const char *p, const char *end);

/* etf-lists.c */

/* What the list at @p, which ends with its line, has of these: *end, without its end. It is read at once, up to etf->limit;
 * NULL: something in it is new or odd. */
const TsEtfAttributes *ts_etf_attributes_recall (TsEtf *etf, const char *p, const char **end);
void ts_etf_note_odd_pairs (TsEtf *etf); /* of the list that was recalled last */
/* The key at @p, and *value behind it. NULL: it is not known. */
TsEtfKnownKey *ts_etf_attributes_key_at (TsEtf *etf, const char *p, const char **value);
/* Where the value at @p ends, or something is that it cannot hold as it is. NULL: it is too long, or near the end of all that
 * may be looked at. */
const char *ts_etf_find_end (const char *p, const char *limit);
void ts_etf_begin_keys (TsEtf *etf);
/* @text, which has no escapes, will be known. */
void ts_etf_learn_key (TsEtf *etf, TsEtfText text, TsEtfRole role);
void ts_etf_forget_keys (TsEtf *etf);

/* etf-keys.c */
gboolean ts_etf_keys_init (TsEtf *etf, const TsOptions *options); /* FALSE: etf->error is set */
void     ts_etf_keys_clear (TsEtf *etf);
void    ts_etf_set_instance (TsEtf *etf, const TsEtfAttributes *attributes, gint32 *instance, guint16 *flags);
/* Its name as it is shown, to be freed. */
char *ts_etf_element_name (TsEtf *etf, const TsEtfElement *element);

/* A number for an id that is no plain number (etf-texts.c), and the text of any, to be freed. */
guint64 ts_etf_text_id (TsEtf *etf, TsEtfText text);
/* How many digits @text ends with, which has such a number @id, that are a number; and what @id is without that: as for all
 * that have the same in front of as many digits, the first of which is no 0. FALSE: it is none of those. */
gboolean ts_etf_text_head (guint64 id, TsEtfText text, gsize *n_digits, guint64 *head);
char   *ts_etf_id_text (const TsEtf *etf, guint64 id);

/* A number for an id: decimal numbers stand for themselves. */
static inline guint64
ts_etf_id (TsEtf *etf, const TsEtfField *field)
{
  return G_LIKELY (field->is_id) ? (guint64) field->number.mantissa : ts_etf_text_id (etf, field->text);
}

/* etf-scan.c: reads lines in [begin, end), which are whole ones, up to the first one, returned, that it leaves to others.
 * Up to etf->limit there are bytes that may be looked at. */
const char *ts_etf_scan (TsEtf *etf, const char *begin, const char *end);

/* etf-copies.c */
/* A line was not like those before, or its list was not. @is_loose: that may be for its blanks. */
void ts_etf_note_single (TsEtf *etf, gboolean is_loose);
/* Whether the next @n bytes had better be read from a copy, where that is more than a few lines. */
gboolean ts_etf_wants_copy (const TsEtf *etf, gsize n);
/* Reads some of the lines between @begin and @end, which are whole ones, from a copy. Returns the next one: @begin, if there
 * is no copy of the first one. */
const char *ts_etf_read_copy (TsEtf *etf, const char *begin, const char *end);

/* A line without its end. FALSE: etf->error is set. */
gboolean ts_etf_read_line (TsEtf *etf, const char *p, const char *end);

/* A line that is good but for what is to be asked of its attributes. */
typedef struct
{
  const char            *list; /* that begins at it or before */
  const char            *end;  /* of the line, without its '\r'; NULL: not known, and nor are the attributes */
  const TsEtfAttributes *attributes;
  guint64                id;
} TsEtfLine;

/* From here on it is good, whatever its attributes are. */
static inline const TsEtfAttributes *
ts_etf_begin_line (TsEtf *etf, const TsEtfLine *line)
{
  etf->line++;
  etf->has_content = TRUE;
  if (line->attributes == &etf->recall.attributes)
    ts_etf_note_odd_pairs (etf);
  return G_LIKELY (line->attributes != NULL) ? line->attributes : ts_etf_attributes_learn (etf, line->list, line->end);
}

/* etf-claims.c */
void ts_etf_reserve_records (TsEtf *etf, gsize n); /* room for so many in all */
void ts_etf_forget_amounts (TsEtf *etf); /* each is that of the resource's first one */
/* One that is good, in the line that is being read. */
void ts_etf_add_claim (TsEtf *etf, const TsEtfClaim *claim, const TsEtfAttributes *attributes);
void ts_etf_add_event (TsEtf *etf, gint64 time, const TsEtfAttributes *attributes);
/* FALSE: others have to look at the line; then nothing has changed. */
gboolean ts_etf_take_claim (TsEtf *etf, const char *begin, TsEtfLine *line, const TsEtfClaim *claim);
gboolean ts_etf_take_event (TsEtf *etf, const char *begin, TsEtfLine *line, gint64 time);

/* etf-alike.c: reads lines in [begin, end) as ts_etf_scan() does, up to the first one, returned, that is not like the ones
 * before. There are TS_ETF_MARGIN bytes in front of it. */
const char *ts_etf_alike_lines (TsEtf *etf, const char *begin, const char *end);
/* Whether the line at @begin has a shape that was learnt, but for the first digits of its numbers. */
gboolean ts_etf_alike_has_shape (const TsEtfAlike *alike, const char *begin);
/* As ts_etf_attributes_recall(), of a line that is not like the ones before, whose list may be, where one was learnt. */
const TsEtfAttributes *ts_etf_alike_list (TsEtf *etf, const char *p, const char **end);

/* etf-learn.c */

void ts_etf_alike_learn_list (TsEtf *etf, const char *p);

/* The list at @p is not like the one that was learnt: now and then it is learnt in its place, unless more lines have that
 * one than have others. Where it cannot be learnt, or is no better, none is for a while, which becomes longer each time. */
static inline void
ts_etf_alike_miss_list (TsEtf *etf, const char *p)
{
  TsEtfAlike *alike = &etf->scan.alike[etf->kind];

  if (G_UNLIKELY (++alike->n_missed >= alike->most_missed))
    ts_etf_alike_learn_list (etf, p);
}

void ts_etf_alike_forget (TsEtf *etf); /* what it knows of keys, stamps and amounts does not hold any longer */

/* Whether a line of etf->kind that was taken, and not like the ones before, is one to be learnt. */
static inline gboolean
ts_etf_alike_is_due (TsEtf *etf)
{
  TsEtfAlike *alike = &etf->scan.alike[etf->kind];

  return G_UNLIKELY (++alike->n_others >= TS_ETF_LEARN_EVERY << alike->patience);
}

/* A line that was taken is what the next ones may be like. Its numbers, up to the last stamp, are at @places, one behind
 * the other; then where the amount of a claim ends. */
void ts_etf_alike_learn (TsEtf *etf, const char *begin, guint8 *places, const TsEtfLine *line, const TsEtfClaim *claim);
/* What follows the stamps of a claim, at @p, was not known: it is @tail. */
void ts_etf_alike_learn_tail (TsEtf *etf, const char *p, const TsEtfTail *tail);
/* The digits of each number in front of its last eight bytes, in the line at @p. FALSE: they are none, or those behind could
 * make the number too large. */
gboolean ts_etf_alike_learn_fronts (TsEtfShape *shape, const char *p);

/* etf-statements.c, etf-relations.c: [p, end) is what follows the kind. FALSE: etf->error is set. */
gboolean ts_etf_read_unit (TsEtf *etf, const char *p, const char *end);
/* A copy in UTF-8, as reports have it, to be freed; counted if it is none, in @line, or 0. */
char    *ts_etf_text_dup (TsEtf *etf, TsEtfText text, guint32 line);
gboolean ts_etf_read_offset (TsEtf *etf, const char *p, const char *end);
gboolean ts_etf_read_trace (TsEtf *etf, const char *p, const char *end);
gboolean ts_etf_read_resource (TsEtf *etf, const char *p, const char *end);
gboolean ts_etf_read_claim (TsEtf *etf, const char *p, const char *end);
gboolean ts_etf_read_event (TsEtf *etf, const char *p, const char *end);
/* @dependency but for whether it activates. */
void     ts_etf_add_dependency (TsEtf *etf, TsEtfDependency *dependency, const TsEtfAttributes *attributes);
gboolean ts_etf_read_dependency (TsEtf *etf, const char *p, const char *end);
gboolean ts_etf_read_signal (TsEtf *etf, const char *p, const char *end);
gboolean ts_etf_read_fragment (TsEtf *etf, const char *p, const char *end);
/* Fields as the statements see them. */
/* Makes sure that @field is a number, maybe a long one. */
gboolean ts_etf_number (TsEtf *etf, TsEtfField *field, const char *what);
gboolean ts_etf_expect_fields (TsEtf *etf, guint n, guint least, guint most, const char *what);
void     ts_etf_expect_attributes (TsEtf *etf, const char **attributes, const char *end);

/* etf-units.c */
void ts_etf_begin_units (TsEtf *etf);
/* FALSE: etf->error is set, or, if etf->only_looks now, nothing is to be done but to look at this line and all others. */
gboolean ts_etf_read_stamp (TsEtf *etf, TsEtfField *field, gint64 *value);
gboolean ts_etf_read_amount (TsEtf *etf, TsEtfField *field, const char *what, gint64 *value);
/* What is wrong with a statement the next reading tells. */
void ts_etf_look_at_line (TsEtf *etf, TsEtfText kind, const char *p, const char *end);
void ts_etf_keep_units (TsEtf *etf); /* at the end, for that */
/* Units of stamps @factor times as fine, once all are read. Returns @factor, or 1: stamps would become too large. */
gint64 ts_etf_make_finer (TsEtf *etf, gint64 factor);

/* All predecessors must have arrived: the latest one activates, of equal ones that of the last @place. */
void ts_etf_activate (TsEtf *etf, gsize claim, gint64 time, guint64 place);
/* The claim in the line that was read goes beyond the capacity of its resource. */
void ts_etf_note_extent (TsEtf *etf, const TsEtfResource *resource, gint64 amount, gint64 offset);
/* At the end of the input: resources that were referred to must be there. */
gboolean ts_etf_check_resources (TsEtf *etf);
/* The same of all else, which is counted where it is not there. */
void ts_etf_check_relations (TsEtf *etf);

/* etf-order.c: numbers of the records in order of a key, stable; of ts_pages_resize(). */
typedef enum
{
  TS_ETF_BY_START,
  TS_ETF_BY_END,
  TS_ETF_BY_JOB, /* then by start */
  TS_ETF_BY_ACTIVATION_PLACE, /* only those with an activation */
  TS_ETF_BY_ACTIVATION, /* then by this place */
  TS_ETF_BY_EVENT, /* those that are no records */
} TsEtfOrder;

guint32 *ts_etf_order (const TsEtf *etf, TsEtfOrder order, gsize *n);
/* The last claim starts before the one in front of it: from here on claims are sorted in by_start, which has room for as
 * many as there is room for, until that takes too long. */
void ts_etf_begin_starts (TsEtf *etf);
void ts_etf_grow_starts (TsEtf *etf);
void ts_etf_put_start (TsEtf *etf, gsize number); /* a claim, the last one, in its place */
void ts_etf_sort (TsEtf *etf); /* sets by_start, by_end and by_event */

/* The number of the i-th record to start, and to end. */
static inline gsize
ts_etf_nth_start (const TsEtf *etf, gsize i)
{
  return etf->by_start != NULL ? etf->by_start[i] : i;
}

static inline gsize
ts_etf_nth_end (const TsEtf *etf, gsize i)
{
  return etf->by_end != NULL ? etf->by_end[i] : i;
}

/* etf-jobs.c */
void ts_etf_declare (TsEtf *etf); /* resources and elements */
void ts_etf_make_jobs (TsEtf *etf);
/* FALSE: it is after the start. */
gboolean ts_etf_set_activation (TsEtf *etf, gsize number, gint64 time);
/* It is that of the claim @number, whose activation is set. */
void ts_etf_take_activation (TsEtf *etf, guint32 event, guint32 number);

static inline gint64
ts_etf_activation (const TsEtf *etf, gsize number)
{
  return number < etf->n_activations ? etf->activations[number] : G_MININT64;
}

/* Whether it is one: a claim that waits for what is not in the file has none. */
static inline gboolean
ts_etf_is_activation (gint64 time)
{
  return time != G_MININT64 && time != TS_ETF_NEVER;
}

/* etf-group.c */
void ts_etf_group_jobs (TsEtf *etf);

/* etf-emit.c */
void ts_etf_emit (TsEtf *etf);

static inline TsEtfElement *
ts_etf_element_of (const TsEtf *etf, const TsEtfRecord *record)
{
  return &g_array_index (etf->elements, TsEtfElement, record->element);
}

/* etf-tables.c. What is in use is counted between both, of claims as they were in the file. */
void ts_etf_begin_usage (TsEtf *etf);
/* A claim begins, or ends: @n is 1 or -1. */
void ts_etf_use (TsEtf *etf, gsize claim, gint64 time, gint n);
void ts_etf_end_usage (TsEtf *etf);
void ts_etf_add_tables (TsEtf *etf);

G_END_DECLS
