/* SPDX-License-Identifier: MIT */
#pragma once

#include "import/btf-names.h"

G_BEGIN_DECLS

/* What the format has a word for: types of targets, and events. Shared by the files btf*.c. */

#define TS_BTF_MAX_WORDS 1024    /* events that no specification knows; those beyond share one name */
#define TS_BTF_MAX_TYPES 256     /* and types */
#define TS_BTF_OTHER 65535       /* the one that they share */

/* X (NAME, as it is shown) of target types; what is beyond is not known. */
#define TS_BTF_TYPES(X) \
  X (T, "T") X (I, "I") X (R, "R") X (SIG, "SIG") X (STI, "STI") X (C, "C") X (SCHED, "SCHED") X (SEM, "SEM") \
  X (EVENT, "EVENT") X (SIM, "SIM") X (SYS, "SYS") X (ECU, "ECU") X (P, "P") X (M, "M") X (IB, "IB") \
  X (SYSC, "SYSC") X (THR, "THR")

typedef enum
{
#define TS_BTF_TYPE_ENUM(NAME, text) TS_BTF_TYPE_##NAME,
  TS_BTF_TYPES (TS_BTF_TYPE_ENUM)
#undef TS_BTF_TYPE_ENUM
  TS_BTF_N_TYPES,
  /* no target has these types */
  TS_BTF_TYPE_DELETED = 65533,  /* what was deleted under the name of a runnable */
  TS_BTF_TYPE_INTERVAL = 65534, /* user intervals */
} TsBtfType;

/* X (NAME, in lower case) of every event of the versions 2.1.5 and 2.3.0, and of some that real files have. */
#define TS_BTF_WORDS(X) \
  X (ACTIVATE, "activate") X (START, "start") X (PREEMPT, "preempt") X (RESUME, "resume") \
  X (TERMINATE, "terminate") X (WAIT, "wait") X (RELEASE, "release") X (POLL, "poll") X (RUN, "run") \
  X (PARK, "park") X (POLL_PARKING, "poll_parking") X (RELEASE_PARKING, "release_parking") \
  X (MTALIMITEXCEEDED, "mtalimitexceeded") X (INTERRUPT_SUSPENDED, "interrupt_suspended") \
  X (BOUNDEDMIGRATION, "boundedmigration") X (PHASEMIGRATION, "phasemigration") \
  X (FULLMIGRATION, "fullmigration") X (ENFORCEDMIGRATION, "enforcedmigration") X (DEADLINE, "deadline") \
  X (NOWAIT, "nowait") X (SUSPEND, "suspend") X (READ, "read") X (WRITE, "write") X (TRIGGER, "trigger") \
  X (TAG, "tag") X (SET_FREQUENCY, "set_frequency") X (CREATE, "create") X (STOP, "stop") X (IDLE, "idle") \
  X (EXECUTE, "execute") X (EXECUTE_IDLE, "execute_idle") X (IDLE_EXECUTION, "idle_execution") \
  X (EXECUTE_WAITING, "execute_waiting") X (WAIT_POSTEXECUTION, "wait_postexecution") X (LOCK, "lock") \
  X (UNLOCK, "unlock") X (SCHEDULE, "schedule") X (SCHEDULEPOINT, "schedulepoint") \
  X (PROCESSACTIVATE, "processactivate") X (PROCESSPOLLING, "processpolling") \
  X (PROCESSTERMINATE, "processterminate") X (FINALIZE, "finalize") X (WAIT_EVENT, "wait_event") \
  X (SET_EVENT, "set_event") X (CLEAR_EVENT, "clear_event") X (REQUESTSEMAPHORE, "requestsemaphore") \
  X (EXCLUSIVESEMAPHORE, "exclusivesemaphore") X (RELEASESEMAPHORE, "releasesemaphore") \
  X (INCREMENT, "increment") X (DECREMENT, "decrement") X (QUEUED, "queued") X (ASSIGNED, "assigned") \
  X (WAITING, "waiting") X (RELEASED, "released") X (READY, "ready") X (FREE, "free") X (USED, "used") \
  X (LOCK_USED, "lock_used") X (FULL, "full") X (OVERFULL, "overfull") X (UNLOCK_FULL, "unlock_full") \
  X (INIT, "init") X (ERROR, "error") X (DESCRIPTION, "description")

typedef enum
{
#define TS_BTF_WORD_ENUM(NAME, text) TS_BTF_WORD_##NAME,
  TS_BTF_WORDS (TS_BTF_WORD_ENUM)
#undef TS_BTF_WORD_ENUM
  TS_BTF_N_WORDS
} TsBtfWord;

typedef struct
{
  TsBtfNames words, types;         /* the known ones first, in the order of their enumerations */
  GArray    *word_meanings;        /* of guint32: the word that each stands for */
  GArray    *type_meanings;        /* of guint32: the type that each stands for */
} TsBtfWords;

void ts_btf_words_init (TsBtfWords *words);
void ts_btf_words_clear (TsBtfWords *words);

/* A TsBtfWord; TS_BTF_N_WORDS and beyond: not known. */
guint32 ts_btf_word_slow (TsBtfWords *words, TsBtfText text);
/* A TsBtfType; TS_BTF_N_TYPES and beyond: not known. */
guint32 ts_btf_type_slow (TsBtfWords *words, TsBtfText text);
/* The type table: @id is another name of @type. */
void ts_btf_type_define (TsBtfWords *words, TsBtfText id, TsBtfText type);

/* Whether @text is how a known event begins, and none itself. */
gboolean ts_btf_is_part_of_word (TsBtfText text);

TsBtfText ts_btf_word_text (const TsBtfWords *words, guint32 word);
TsBtfText ts_btf_type_text (const TsBtfWords *words, guint32 type);

static inline guint32
ts_btf_word (TsBtfWords *words, TsBtfText text)
{
  const guint32 number = ts_btf_names_find (&words->words, text);

  if (G_UNLIKELY (number == TS_BTF_NONE))
    return ts_btf_word_slow (words, text);
  return ((const guint32 *) (gconstpointer) words->word_meanings->data)[number];
}

G_END_DECLS
