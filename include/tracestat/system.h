/* SPDX-License-Identifier: MIT */
#pragma once

#include <tracestat/time.h>

G_BEGIN_DECLS

/* The traced system: resources, the tree of elements, the time base. Importers fill
 * it, everybody else reads it. Ids are dense, from 0, in the order of declaration. */
typedef struct _TsSystem TsSystem;

#define TS_NO_ELEMENT G_MAXUINT32
/* The @n-th, from 0 on, of the tasks that a trace names as owners and says nothing else of: none of the elements. */
#define TS_UNDECLARED_OWNER(n) (TS_NO_ELEMENT - 1 - (n))
#define TS_NO_RESOURCE G_MAXUINT16
#define TS_MAX_RESOURCES 65000
#define TS_MAX_ELEMENTS 16000000
#define TS_MAX_DEPTH 256 /* of elements within elements */

/* ATF 1.0, 4.12 and 4.16, then the types of other formats. */
typedef enum
{
  TS_TYPE_UNKNOWN,
  TS_TYPE_TASK,
  TS_TYPE_ISR,
  TS_TYPE_RUNNABLE,
  TS_TYPE_PROCESS,
  TS_TYPE_FUNCTION,
  TS_TYPE_BASIC_BLOCK,
  TS_TYPE_MESSAGE,
  TS_TYPE_STOPWATCH,
  TS_TYPE_WORST_CASE_RESPONSE_TIME,
  TS_TYPE_DATA_PATH,
  TS_TYPE_SIGNAL, /* written and read by others */
  TS_TYPE_EVENT,  /* happens, and has no extent */
  TS_TYPE_ROOT,   /* of a parallel program: what runs before the first fork */
  TS_TYPE_GOAL,
  TS_TYPE_BRANCH,
  TS_TYPE_SLAVE,
  TS_TYPE_AGENT,
  TS_N_TYPES
} TsElementType;

/* How the timeline treats a type. */
typedef enum
{
  TS_CLASS_SCHEDULED, /* has the resource for itself: tasks and ISRs */
  TS_CLASS_NESTED,    /* runs inside a scheduled one, and may recurse */
  TS_CLASS_ALONE,     /* neither: messages, stopwatches, data paths */
} TsElementClass;

TS_API const char    *ts_element_type_name (TsElementType type);
/* Blanks, '_' and '-' are the same and case does not matter. FALSE: not a type. */
TS_API gboolean       ts_element_type_parse (const char *name, TsElementType *type);
TS_API TsElementClass ts_element_type_class (TsElementType type);

typedef struct
{
  const char *name;
  const char *value;
  const char *tool; /* NULL if the trace does not say */
  guint       input; /* which trace of a report; 0 where there is one */
} TsAnnotation;

typedef struct
{
  const char *name; /* never NULL, may be made from the id */
  const char *id;   /* the format's own, NULL if it has none */
  const char *scheduler;
  gboolean    is_shared; /* several may have it at the same time: no overlap, and load is the time with any */
} TsResource;

typedef struct
{
  const char   *name; /* never NULL: an element without one is shown by its id */
  const char   *id;   /* the format's own, NULL if it has none */
  const char   *comment;
  TsElementType type;
  guint32       parent;   /* enclosing element as declared, or TS_NO_ELEMENT */
  guint16       resource; /* as declared, or TS_NO_RESOURCE */
  gboolean      idle;     /* matches an idle pattern */
  gboolean      is_queue; /* what is activated waits until an instance of another element takes it over: it has no PER */
  GArray       *annotations; /* of TsAnnotation, or NULL */
} TsElement;

/* The tool that made the system description, a section or a cookie (ATF 1.0, 4.20). */
typedef struct
{
  const char *vendor;
  const char *tool;
  const char *version;
} TsToolInfo;

TS_API TsSystem *ts_system_new (void);
TS_API void      ts_system_free (TsSystem *system);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (TsSystem, ts_system_free)

/* A copy of @text that lives as long as @system; equal texts share one. NULL gives NULL. */
TS_API const char *ts_system_intern (TsSystem *system, const char *text);

TS_API void        ts_system_set_name (TsSystem *system, const char *name);
TS_API const char *ts_system_get_name (const TsSystem *system); /* or NULL */
TS_API void        ts_system_set_comment (TsSystem *system, const char *comment);
TS_API const char *ts_system_get_comment (const TsSystem *system); /* or NULL */
TS_API void        ts_system_set_tool (TsSystem *system, const char *vendor, const char *tool, const char *version);
TS_API const TsToolInfo *ts_system_get_tool (const TsSystem *system); /* fields may be NULL */

/* Tools that left cookies in the file, in order (ATF 1.0, 4.3). */
TS_API void              ts_system_add_cookie (TsSystem *system, const char *vendor, const char *tool, const char *version);
TS_API guint             ts_system_n_cookies (const TsSystem *system);
TS_API const TsToolInfo *ts_system_get_cookie (const TsSystem *system, guint index);

TS_API TsTimeBase *ts_system_time_base (TsSystem *system); /* lent; the importer writes it */

/* FALSE: the trace writes no preempt and no resume, so they are inferred from nesting
 * (METRICS, rule 12). TRUE until an importer says otherwise. */
TS_API void     ts_system_set_explicit_preemption (TsSystem *system, gboolean is_explicit);
TS_API gboolean ts_system_has_explicit_preemption (const TsSystem *system);

/* Returns the new id, or TS_NO_RESOURCE beyond TS_MAX_RESOURCES. */
TS_API guint16           ts_system_add_resource (TsSystem *system, const char *name, const char *id, const char *scheduler);
TS_API void              ts_system_share_resource (TsSystem *system, guint16 resource);
TS_API guint             ts_system_n_resources (const TsSystem *system);
TS_API const TsResource *ts_system_get_resource (const TsSystem *system, guint16 resource);

/* Returns the new id, or TS_NO_ELEMENT beyond TS_MAX_ELEMENTS. A NULL @name is
 * replaced by @id. Element pointers are valid until the next element is added. */
TS_API guint32          ts_system_add_element (TsSystem *system, TsElementType type, const char *name, const char *id,
                                               guint32 parent, guint16 resource);
TS_API guint            ts_system_n_elements (const TsSystem *system);
TS_API const TsElement *ts_system_get_element (const TsSystem *system, guint32 element);
TS_API void             ts_system_set_comment_of (TsSystem *system, guint32 element, const char *comment);
TS_API void ts_system_set_idle (TsSystem *system, guint32 element, gboolean idle);
TS_API void ts_system_make_queue (TsSystem *system, guint32 element); /* see TsElement */
TS_API void ts_system_annotate (TsSystem *system, guint32 element, const char *name, const char *value, const char *tool);
/* Of a report that was read, which may be on several traces. */
TS_API void ts_system_annotate_input (TsSystem *system, guint32 element, const char *name, const char *value,
                                      const char *tool, guint input);

/* The value of the annotation @name of @element, or NULL; the last one wins. */
TS_API const char *ts_system_get_annotation (const TsSystem *system, guint32 element, const char *name);

/* Whether @name is one of those that @glob means: `*' is any text, `?' any one character, and a backslash before one of
 * these two makes it an ordinary character. Any other backslash is one itself. */
TS_API gboolean ts_glob_matches (const char *glob, const char *name);

/* Elements whose name matches the glob @pattern are idle (METRICS, rule 19), those
 * declared already and those to come. */
TS_API void ts_system_add_idle_pattern (TsSystem *system, const char *pattern);

/* Whether an element of that name would be idle: what runs outside of all elements may have one, too. */
TS_API gboolean ts_system_is_idle_name (const TsSystem *system, const char *name);

/* User events (ATF 1.0, 4.7): counted by kind, never part of a metric. */
typedef struct
{
  const char *event; /* the format's own id of the event */
  const char *reference;
  const char *info; /* its text, or NULL if the user table does not have it */
  guint64     count;
} TsUserEvent;

/* Forgets what every reading of an input collects anew: cookies and counts of user events. */
TS_API void ts_system_begin_reading (TsSystem *system);

/* The counter of (event, reference), made when new; valid as long as @system is. */
TS_API TsUserEvent       *ts_system_user_event (TsSystem *system, const char *event, const char *reference);
TS_API guint              ts_system_n_user_events (const TsSystem *system);
TS_API const TsUserEvent *ts_system_get_user_event (const TsSystem *system, guint index);

G_END_DECLS
