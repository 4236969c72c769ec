/* SPDX-License-Identifier: MIT */
#pragma once

#include <tracestat/api.h>

G_BEGIN_DECLS

/* What is wrong or remarkable in a trace: counted, with the first place, never an abort.
 * A *defect* makes the trace one that --strict refuses; a *note* does not. */
typedef enum
{
  TS_SEVERITY_NOTE,
  TS_SEVERITY_WARNING,
  TS_SEVERITY_DEFECT,
} TsSeverity;

/* X (NAME, machine name, severity, sentence: what was found; what was done about it) */
#define TS_DIAGNOSTICS(X) \
  X (UNKNOWN_VERSION, "unknown-version", NOTE, "the file states a format version that is not known", "it was read like the known ones") \
  X (NO_TIME_BASE, "no-time-base", WARNING, "the trace does not say how long a tick is", "times are given in ticks") \
  X (NO_START, "no-section-start", WARNING, "a section does not say when it starts", "its first event is taken as the start") \
  X (BAD_STOP, "bad-section-stop", WARNING, "the time when a section stops cannot be read or is before its start", "its last event is taken as the stop") \
  X (UNKNOWN_ELEMENT_TYPE, "unknown-element-type", NOTE, "an element has a type that is not known", "it is treated as `unknown'") \
  X (UNKNOWN_EVENT_TYPE, "unknown-event-type", WARNING, "the event mapping has a type that is not known", "its events are counted as user events") \
  X (MAPPING_WITHOUT_TYPE, "mapping-without-type", WARNING, "an event mapping has no type", "its events are not used") \
  X (UNMAPPED_EVENT, "unmapped-event", DEFECT, "an event has an id that the event mapping lacks", "it was not used") \
  X (UNKNOWN_REFERENCE, "unknown-reference", DEFECT, "an event or a dependency refers to what is not declared", "it was not used") \
  X (UNKNOWN_USER_EVENT, "unknown-user-event", NOTE, "a user event has a reference that its user table lacks", "it was counted under its number") \
  X (BAD_EVENT, "bad-event", DEFECT, "an event lacks a field, or a field cannot be read", "it was not used") \
  X (LOOSE_NUMBER, "loose-number", NOTE, "a time has leading zeros, a sign or a bare point", "it was read all the same") \
  X (BAD_ANNOTATION, "bad-annotation", NOTE, "an annotation that should be a number is none, or a period is not above 0", "it was kept as text") \
  X (BAD_OVERHEAD, "bad-overhead", WARNING, "a tracing overhead cannot be read", "it was not used") \
  X (BAD_COMMENT, "bad-comment", NOTE, "a comment on the trace has no time that can be read", "it was kept without a time") \
  X (UNKNOWN_CONTENT, "unknown-content", NOTE, "the file has content that its format does not know", "it was skipped") \
  X (NO_UTF8, "no-utf-8", NOTE, "a name is not in UTF-8", "it was taken as Latin 1") \
  X (OUTSIDE_SECTION, "outside-section", WARNING, "an event lies outside of its section's start and stop", "it was used all the same; load is clipped") \
  X (ROUNDED_WINDOW, "rounded-window", DEFECT, "the analysis window begins or ends between two times that can be told apart", "load is that of a window that begins or ends at the later one") \
  X (ROUNDED_TIME, "rounded-time", DEFECT, "a time has more decimals than can be kept", "it was rounded; those of a stream may be kept if read from a file") \
  X (ROUNDED_AMOUNT, "rounded-amount", DEFECT, "an amount has more decimals than can be kept with the others", "it was rounded") \
  X (BACKWARDS, "time-backwards", DEFECT, "time goes backwards", "events were sorted by time") \
  X (LATE_EVENT, "late-event-dropped", DEFECT, "time goes backwards in a stream that cannot be read again", "the late events were dropped; --sort keeps them") \
  X (KNOWN_LATE, "known-late", DEFECT, "something was known too late in a stream that cannot be read again", "numbers may differ from those of a file; read from one") \
  X (MISSING_END, "missing-end", DEFECT, "an instance never ended, though something else shows that it was over", "it has no CET, GET and RT") \
  X (REDUNDANT_END, "redundant-end", DEFECT, "an end without a running instance", "it was ignored") \
  X (REDUNDANT_PREEMPT, "redundant-preempt", DEFECT, "a preemption of an instance that was not running", "it was ignored") \
  X (REDUNDANT_RESUME, "redundant-resume", DEFECT, "a resumption of an instance that was not preempted", "it was ignored, but for the core that it names") \
  X (UNEXPECTED_STATE, "unexpected-state", DEFECT, "an event that the state of its instance does not allow", "it was ignored") \
  X (END_WHILE_PREEMPTED, "end-while-preempted", DEFECT, "an instance ended while it was preempted or waiting", "its running time is what ran until then") \
  X (START_AS_RESUME, "start-as-resume", NOTE, "a preempted instance was started again", "it was taken as a resumption") \
  X (LATE_NESTED_END, "late-nested-end", DEFECT, "an element ended after the task that it ran in", "its running time ends with the task") \
  X (OVERLAP, "overlap", DEFECT, "two tasks run on one resource at the same time", "both were taken as running, but for what has lost its end; --infer-preemption stacks them") \
  X (WRONG_CORE, "wrong-core", DEFECT, "an instance ends, is preempted or waits on another core than the one it runs on", "it was taken as running there until then; how it came to the other one is lost") \
  X (INFERRED_PREEMPTION, "inferred-preemption", NOTE, "a start suspended what ran, without a preempt event", "preemptions were inferred from nesting") \
  X (FAILED_ACTIVATION, "failed-activation", NOTE, "an activation failed", "it is counted, and is not part of any metric") \
  X (NO_ACTIVATION, "start-without-activation", NOTE, "a task with activations started without one", "IPT and RT of that instance are absent") \
  X (PARTIAL_HEAD, "partial-head", NOTE, "an instance had started before the section began", "it has no CET, GET, RT and IPT, and if it ran, it is load since then") \
  X (PARTIAL_TAIL, "partial-tail", NOTE, "an instance was still open when the section ended", "it has no CET, GET and RT") \
  X (PENDING, "pending-activation", NOTE, "an activation was still waiting when the section ended", "it counts for PER and ST") \
  X (ERROR_EVENT, "error-event", DEFECT, "the trace has an error event: events may be lost there", "open instances of that resource begin anew") \
  X (ZERO_PERIOD, "zero-period", NOTE, "the period is zero", "JIT is absent") \
  X (DIFFERENT_PERIODS, "different-periods", WARNING, "the traces have different configured periods for an element", "the largest was used for JIT") \
  X (DIFFERENT_OPTIONS, "different-options", WARNING, "reports that were made with other options are pooled", "they count as they are") \
  X (NO_EVENTS, "no-events", DEFECT, "the trace has no events of any element", "there is nothing to report") \
  X (EMPTY_WINDOW, "empty-window", WARNING, "the analysis window and the trace have no time in common", "there is nothing to report") \
  X (TABLES_LEFT_OUT, "tables-left-out", NOTE, "a report has tables that only its trace can give", "they are left out: read the trace itself") \
  X (OVERHEAD_TOO_LARGE, "overhead-too-large", WARNING, "the tracing overhead exceeds the time between two events", "no more than that time was subtracted") \
  X (ROUNDED_OVERHEAD, "rounded-overhead", NOTE, "a tracing overhead is no whole number of time units", "it was rounded") \
  X (NO_OVERHEAD, "no-overhead", WARNING, "overheads are to be subtracted, and the trace states none", "nothing was subtracted") \
  X (NO_TIME_SCALE, "no-time-scale", WARNING, "the trace states no time scale", "times are taken as nanoseconds") \
  X (TIME_SCALE_CHANGES, "time-scale-changes", WARNING, "the time scale changes in the middle of the trace", "times from there on are in the new one") \
  X (SHORT_LINE, "short-line", DEFECT, "a line has too few fields, or lacks a target or an event", "it was not used") \
  X (BAD_TIME, "bad-time", DEFECT, "a line has a time that is no integer", "it was not used") \
  X (LONG_LINE, "long-line", DEFECT, "a line is longer than 1 MiB", "it was not used") \
  X (NEGATIVE_TIME, "negative-time", DEFECT, "a time is negative: the clock may have wrapped", "it was used all the same") \
  X (BAD_INSTANCE, "bad-instance", WARNING, "an instance number is no integer", "the instance was taken as one without a number") \
  X (LARGE_INSTANCE, "large-instance", DEFECT, "an instance number is above 2147483647", "only its last 31 bits were used, which another number may have, too") \
  X (BAD_HEADER, "bad-header", WARNING, "a parameter or a row of a table cannot be read", "it was not used") \
  X (UNKNOWN_TARGET_TYPE, "unknown-target-type", WARNING, "an event has a target of a type that is not known", "it was counted only") \
  X (UNKNOWN_EVENT, "unknown-event", WARNING, "the type of a target has no such event", "it was counted only") \
  X (INCOMPLETE, "incomplete", WARNING, "the trace says of itself that it is not complete", "it was used all the same") \
  X (MISSING_START, "missing-start", DEFECT, "an instance lost its start", "it has no CET, GET and IPT") \
  X (DOUBTFUL_ACTIVATION, "doubtful-activation", DEFECT, "an activation waits on behind an end without a start: its start may be lost", "if it is, IPT and RT from there on are one activation too long") \
  X (IDLE_ACTIVATION, "idle-activation", WARNING, "an activation waited on when an instance had ended and nothing ran any more: a start may be lost", "if it is, IPT and RT from there on are one activation too long") \
  X (ACTIVATION_BEHIND_START, "activation-behind-start", DEFECT, "an activation stands behind a start at the same time, which has none", "if it is of that start, that lacks IPT and RT, and without instance numbers those from there on are one activation too long") \
  X (NO_PROCESSES, "no-processes", NOTE, "the trace has no events of tasks and ISRs", "load and preemptions cannot be known, and SELF of what names no task as its source is without what ran inside of it, whoever called that") \
  X (NO_START_EVENTS, "no-start-events", NOTE, "the trace has no activate, start and terminate: only slices of tasks that never end", "CET, GET, RT, IPT, DT, PER and ST cannot be known, and PRE has the time on other cores in it where a task has a name on each and --fold-names is not given") \
  X (UNPLACED, "unplaced", WARNING, "tasks or ISRs ran where no resource is known", "that time is in no LOAD") \
  X (NO_ACTIVATION_EVENTS, "no-activation-events", NOTE, "the trace has no activations", "IPT, RT, PER and the ST of tasks cannot be known") \
  X (NO_INSTANCE_NUMBERS, "no-instance-numbers", NOTE, "instances have no numbers", "an end belongs to the instance that started last") \
  X (NO_ELEMENT_KEY, "no-element-attribute", WARNING, "a claim or an event lacks the attribute that names its element", "it goes by the name of its resource, or `event'") \
  X (NO_OBJECT_KEY, "no-object-attribute", WARNING, "no claim and no event has the attribute that names its object", "there are no objects") \
  X (NO_INSTANCE_KEY, "no-instance-attribute", WARNING, "no claim and no event has the attribute that tells instances apart", "each claim is an instance") \
  X (NO_SUCH_ACTIVATION, "no-such-activation", WARNING, "nothing in the trace is what should activate instances", "IPT and RT are absent") \
  X (NO_SUCH_RESOURCE, "no-such-resource", WARNING, "a resource that was asked for is not in the trace", "it was passed over") \
  X (BAD_ATTRIBUTE, "bad-attribute", DEFECT, "an attribute is not of the form key=value", "it was not used") \
  X (DUPLICATE_ATTRIBUTE, "duplicate-attribute", WARNING, "an attribute is given twice", "the last one counts") \
  X (NO_SEPARATOR, "no-separator", WARNING, "a statement has no `;' behind its fields", "it was read as one without attributes") \
  X (NO_LINE_END, "no-line-end", WARNING, "the last line has no end: the file may be cut", "the line was used") \
  X (TIME_SERIES, "time-series", NOTE, "the trace has a time series", "it was skipped") \
  X (EMPTY_DOMAIN, "empty-domain", NOTE, "a fragment of a signal has no extent in time", "it was accepted") \
  X (EMPTY_SIGNAL, "empty-signal", WARNING, "a signal has no fragments", "nothing can be said of it") \
  X (BEYOND_CAPACITY, "beyond-capacity", WARNING, "a claim is not within the capacity of its resource", "it was used all the same") \
  X (OVERSUBSCRIBED, "oversubscribed", NOTE, "claims at the same time are more than their resource has", "they were used all the same") \
  X (LATE_ACTIVATION, "late-activation", WARNING, "an instance starts before what activates it", "IPT and RT of that instance are absent") \
  X (ASSUMED_TIME_UNIT, "assumed-time-unit", NOTE, "the format does not say what its unit of time is", "microseconds were assumed; --time-unit says otherwise") \
  X (UNKNOWN_CODE, "unknown-code", DEFECT, "an event has a code that the format does not know", "it was not used") \
  X (WRONG_PARALLELISM, "wrong-parallelism", DEFECT, "an event is of the other kind of parallelism than the first line says", "it was used all the same") \
  X (NO_START_TIME, "no-start-time", DEFECT, "the first event is not START_TIME", "the trace begins with that event, and has no root") \
  X (SECOND_START_TIME, "second-start-time", DEFECT, "START_TIME comes again, or too late", "it was not used") \
  X (NO_STOP_TIME, "no-stop-time", DEFECT, "the trace ends without STOP_TIME: it was cut off", "what was open was cut there") \
  X (AFTER_STOP_TIME, "after-stop-time", DEFECT, "an event after STOP_TIME", "it was not used") \
  X (SECOND_TRACE, "second-trace", DEFECT, "another trace begins in the same file", "it was not used") \
  X (EQUAL_STAMPS, "equal-stamps", DEFECT, "two events have the same time stamp", "the order of the file was taken as theirs where it makes sense") \
  X (BAD_FORK, "bad-fork", DEFECT, "a fork has no tasks", "it was not used") \
  X (NODE_OPEN, "node-open", DEFECT, "a node is forked again while it is open", "the second fork was not used") \
  X (REUSED_NODE, "reused-node", NOTE, "a node id is used again after its fork was over", "it was taken as a new node") \
  X (NO_FATHER, "no-father", WARNING, "a fork on an agent on which nothing runs", "nobody waits for it") \
  X (UNKNOWN_NODE, "unknown-node", DEFECT, "an event names a node that is not open", "it was not used") \
  X (NO_FORK, "no-fork", DEFECT, "a goal, branch or slave starts, and its fork is not in the trace", "it has no activation; what ran on its agent waits, or has split") \
  X (LOST_JOIN, "lost-join", DEFECT, "a node is forked again, and its JOIN is not in the trace", "its father went on then") \
  X (LOST_BRANCH, "lost-branch", DEFECT, "a node is forked again, and branches of it have neither ended nor split", "they were over then") \
  X (LOST_SUSPENSION, "lost-suspension", DEFECT, "a branch is resumed, and its suspension is not in the trace", "it was suspended when another one began to run on its agent; where none did, it has no CET") \
  X (LOST_RESUMPTION, "lost-resumption", DEFECT, "a suspended branch is suspended on another agent, and it is not in the trace that it went on there", "it has no CET") \
  X (BAD_TASK, "bad-task", DEFECT, "an event names a task that its fork does not have", "it was not used") \
  X (STARTED_TWICE, "started-twice", DEFECT, "a task starts for a second time, or after it was cut", "the second start was not used") \
  X (WRONG_AGENT, "wrong-agent", DEFECT, "a branch ends or is suspended on another agent than the one it runs on", "it was taken as that of the branch") \
  X (EARLY_JOIN, "early-join", DEFECT, "a fork is joined before all of its tasks have finished", "its father went on all the same") \
  X (JOIN_FIELD, "join-field", NOTE, "a JOIN does not repeat the number of tasks of its fork", "it was read all the same") \
  X (SLAVE_ELSEWHERE, "slave-elsewhere", DEFECT, "a slave joins a branch while it works, or leaves one that it is not in", "it was not used") \
  X (SLAVES_LEFT, "slaves-left", DEFECT, "a branch ends or splits while slaves work in it", "they went on until they stopped") \
  X (NEVER_STARTED, "never-started", NOTE, "a task was never started", "its activation is counted as failed or pending") \
  X (OPEN_FORK, "open-fork", WARNING, "a fork was not joined when the trace stopped", "its father was cut there") \
  X (OPEN_TASK, "open-task", WARNING, "a task had not finished when the trace stopped", "it was cut there") \
  X (NOT_RESUMED, "not-resumed", WARNING, "a suspended branch was never resumed", "it was cut at the end") \
  X (WAM_CHANGED, "wam-changed", NOTE, "an agent goes on in another WAM", "agents were told apart by their own number") \
  X (WAM_IN_DECIMAL, "wam-in-decimal", NOTE, "a WAM has the digits of its agent, but is read as hexadecimal", "agents were told apart by their own number") \
  X (TRUNCATED, "truncated", DEFECT, "the trace ends in the middle of a record", "the last record was not used")

typedef enum
{
#define TS_DIAGNOSTIC_ENUM(NAME, name, severity, found, done) TS_DIAGNOSTIC_##NAME,
  TS_DIAGNOSTICS (TS_DIAGNOSTIC_ENUM)
#undef TS_DIAGNOSTIC_ENUM
  TS_N_DIAGNOSTICS
} TsDiagnosticId;

typedef struct
{
  const char *name;
  TsSeverity  severity;
  const char *found; /* a sentence without its full stop */
  const char *done;
} TsDiagnosticInfo;

typedef struct
{
  guint64 count;
  char   *file;   /* of the first one; NULL if count is 0 */
  guint64 line;   /* 0: no line to name */
  char   *detail; /* on the first one, or NULL */
} TsDiagnostic;

typedef struct
{
  char        *file; /* the one being read */
  TsDiagnostic entries[TS_N_DIAGNOSTICS];
} TsDiagnostics;

TS_API TsDiagnostics *ts_diagnostics_new (const char *file);
TS_API void           ts_diagnostics_free (TsDiagnostics *diagnostics);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (TsDiagnostics, ts_diagnostics_free)

TS_API void ts_diagnostics_clear (TsDiagnostics *diagnostics);

/* Counts one more; file, @line and @detail (printf style, may be NULL) are kept of the first only. */
TS_API void ts_diagnostics_add (TsDiagnostics *diagnostics, TsDiagnosticId id, guint64 line, const char *detail, ...)
    G_GNUC_PRINTF (4, 5);

/* Adds the counts of @other; its first places follow those already there. */
TS_API void     ts_diagnostics_merge (TsDiagnostics *diagnostics, const TsDiagnostics *other);

/* Whether what is found of a kind makes a trace one that is refused. */
typedef enum
{
  TS_RULE_BY_SEVERITY, /* as defects do */
  TS_RULE_ALLOW,
  TS_RULE_REFUSE,
} TsDiagnosticRule;

/* Whether there is anything that @rules (one for each kind, or NULL: by severity) refuse: of any kind, or of the kind @id. */
TS_API gboolean ts_diagnostics_are_refused (const TsDiagnostics *diagnostics, const TsDiagnosticRule *rules);
/* Whether any of that is a defect. */
TS_API gboolean ts_diagnostics_have_refused_defects (const TsDiagnostics *diagnostics, const TsDiagnosticRule *rules);
TS_API gboolean ts_diagnostics_refuse (const TsDiagnostics *diagnostics, TsDiagnosticId id, const TsDiagnosticRule *rules);
/* What there is of the kind @id in one line, with the place of the first: to be freed. */
TS_API char    *ts_diagnostics_text (const TsDiagnostics *diagnostics, TsDiagnosticId id);

TS_API const TsDiagnosticInfo *ts_diagnostic_info (TsDiagnosticId id);
TS_API gboolean ts_diagnostic_parse (const char *name, TsDiagnosticId *id); /* FALSE: there is none of that name */
TS_API const char             *ts_severity_name (TsSeverity severity);

G_END_DECLS
