/* SPDX-License-Identifier: MIT */
#include "config.h"

#include <stdlib.h>
#include <string.h>

#include "intervals.h"
#include "timeline-fixture.h"

TimelineFixture fixture;

static const struct
{
  const char *name;
  TsEventKind kind;
} kinds[] = {
  { "act", TS_EVENT_ACTIVATION },
  { "act-os", TS_EVENT_ACTIVATION_OS },
  { "act-chained", TS_EVENT_ACTIVATION_CHAINED },
  { "act-failed", TS_EVENT_ACTIVATION_FAILED },
  { "start", TS_EVENT_START },
  { "end", TS_EVENT_END },
  { "preempt", TS_EVENT_PREEMPT },
  { "resume", TS_EVENT_RESUME },
  { "wait", TS_EVENT_WAIT },
  { "release", TS_EVENT_RELEASE },
  { "poll", TS_EVENT_POLL },
  { "run", TS_EVENT_RUN },
  { "park", TS_EVENT_PARK },
  { "unpark", TS_EVENT_UNPARK },
  { "fork", TS_EVENT_FORK },
  { "error", TS_EVENT_ERROR },
  { "user", TS_EVENT_USER },
};

static const struct
{
  const char *name;
  guint8      flag;
} flags[] = {
  { "unique", TS_EVENT_UNIQUE },       { "replaces", TS_EVENT_REPLACES },   { "lost", TS_EVENT_LOST },
  { "earlier", TS_EVENT_ENDED_EARLIER }, { "unseen", TS_EVENT_UNSEEN },     { "decides", TS_EVENT_DECIDES },
  { "unsure", TS_EVENT_UNSURE },       { "withdrawn", TS_EVENT_WITHDRAWN }, { "from-owner", TS_EVENT_FROM_OWNER },
  { "stops", TS_EVENT_STOPS },         { "goes-on", TS_EVENT_GOES_ON },
};

void
fixture_setup (void)
{
  memset (&fixture, 0, sizeof fixture);
  fixture.options.gives_e2s = TRUE;
  fixture.system = ts_system_new ();
  ts_system_add_resource (fixture.system, "ECU", "0", NULL);
  ts_system_add_resource (fixture.system, "Core 1", "1", NULL);
  fixture.diagnostics = ts_diagnostics_new ("trace");
  fixture.measures = ts_measures_new (0, G_MAXUINT);
  fixture.instances = g_array_new (FALSE, FALSE, sizeof (TsInstance));
  fixture.intervals = g_array_new (FALSE, FALSE, sizeof (TsInterval));
  fixture.sections = g_ptr_array_new_with_free_func (g_free);
  fixture.texts = g_ptr_array_new_with_free_func (g_free);
}

void
fixture_setup_following (void)
{
  fixture_setup ();
  fixture.options.most_walked = 1;
}

void
fixture_teardown (void)
{
  ts_timeline_free (fixture.timeline);
  ts_measures_free (fixture.measures);
  ts_diagnostics_free (fixture.diagnostics);
  ts_system_free (fixture.system);
  g_array_unref (fixture.instances);
  g_array_unref (fixture.intervals);
  g_ptr_array_unref (fixture.sections);
  g_ptr_array_unref (fixture.texts);
  g_clear_pointer (&fixture.overheads, g_array_unref);
}

void
fixture_infer (void)
{
  ts_system_set_explicit_preemption (fixture.system, FALSE);
}

void
fixture_window (gint64 from, gint64 to)
{
  fixture.options.has_from = fixture.options.has_to = TRUE;
  fixture.options.from = from;
  fixture.options.to = to;
}

void
fixture_overhead (const char *element, gint64 before, gint64 after)
{
  TsOverhead overhead = { element != NULL ? fixture_element (element) : TS_NO_ELEMENT, before, after };

  if (fixture.overheads == NULL)
    fixture.overheads = g_array_new (FALSE, FALSE, sizeof overhead);
  g_array_append_val (fixture.overheads, overhead);
  fixture.options.subtract_overhead = TRUE;
}

static TsElementType
type_of (const char *name)
{
  switch (name[0])
    {
    case 'T':
      return TS_TYPE_TASK;
    case 'I':
      return TS_TYPE_ISR;
    case 'r':
      return TS_TYPE_RUNNABLE;
    case 'f':
      return TS_TYPE_FUNCTION;
    case 'b':
      return TS_TYPE_BASIC_BLOCK;
    case 'p':
      return TS_TYPE_PROCESS;
    case 's':
      return TS_TYPE_STOPWATCH;
    default:
      ck_abort_msg ("no type of element: %s", name);
      return TS_TYPE_UNKNOWN;
    }
}

guint32
fixture_element (const char *name)
{
  for (guint32 i = 0; i < ts_system_n_elements (fixture.system); i++)
    if (g_str_equal (ts_system_get_element (fixture.system, i)->name, name))
      return i;
  return ts_system_add_element (fixture.system, type_of (name), name, NULL, TS_NO_ELEMENT, 0);
}

static void
take_instance (gpointer data, const TsInstance *instance)
{
  TimelineFixture *self = data;

  g_array_append_val (self->instances, *instance);
  append_intervals_of (self->intervals, instance);
  ts_metrics_add_instance (self->measures, instance);
}

static void
take_interval (gpointer data, const TsInterval *interval)
{
  TimelineFixture *self = data;

  g_array_append_val (self->intervals, *interval);
  ts_metrics_add_interval (self->measures, interval);
}

static void
take_intervals (gpointer data, const TsInterval *interval, guint n)
{
  TimelineFixture *self = data;

  for (guint i = 0; i < n; i++)
    g_array_append_val (self->intervals, *interval);
  ts_metrics_keep_intervals (self->measures, interval, n);
}

static void
take_unfinished (gpointer data, const TsInstance *instance)
{
  TimelineFixture *self = data;

  ts_measures_note_unfinished (self->measures, instance);
}

static void
take_awaited (gpointer data, const TsInterval *interval)
{
  TimelineFixture *self = data;

  ts_measures_note_awaited (self->measures, interval);
}

/* To have been on no resource tells nobody where it was. */
static void
note_resource (G_GNUC_UNUSED gpointer data, G_GNUC_UNUSED guint32 element, guint16 resource)
{
  ck_assert_uint_ne (resource, TS_NO_RESOURCE);
}

static void
end_section (void)
{
  ts_timeline_end_section (fixture.timeline);
  ts_metrics_gather (fixture.measures);
}

static void
begin_section (const char *start, const char *stop)
{
  static const TsTimelineSink sink
      = { take_instance, take_interval, note_resource, take_intervals, take_unfinished, take_awaited };
  TsSection                  *section = g_new0 (TsSection, 1);

  if (fixture.timeline == NULL)
    fixture.timeline = ts_timeline_new (fixture.system, fixture.diagnostics, &fixture.options, &sink, &fixture);
  else if (fixture.sections->len > 0)
    end_section ();
  g_ptr_array_add (fixture.sections, section);
  section->number = fixture.sections->len;
  section->has_start = start != NULL;
  section->start = start != NULL ? strtoll (start, NULL, 10) : 0;
  section->has_stop = stop != NULL;
  section->stop = stop != NULL ? strtoll (stop, NULL, 10) : 0;
  section->overheads = fixture.overheads;
  ts_metrics_begin_section (fixture.measures, section->number);
  ts_timeline_begin_section (fixture.timeline, section);
}

static TsEventKind
kind_of (const char *name)
{
  for (guint i = 0; i < G_N_ELEMENTS (kinds); i++)
    if (g_str_equal (kinds[i].name, name))
      return kinds[i].kind;
  ck_abort_msg ("no kind of event: %s", name);
  return TS_N_EVENT_KINDS;
}

/* 0: it is none. */
static guint8
flag_of (const char *name)
{
  for (guint i = 0; i < G_N_ELEMENTS (flags); i++)
    if (g_str_equal (flags[i].name, name))
      return flags[i].flag;
  return 0;
}

static guint16
resource_of (const char *name)
{
  return name[0] == '-' ? TS_NO_RESOURCE : (guint16) atoi (name);
}

/* What is behind a `#' in @word, which ends there; TS_NO_INSTANCE: nothing. */
static gint32
cut_number (char *word)
{
  char *number = strchr (word, '#');

  if (number == NULL)
    return TS_NO_INSTANCE;
  *number++ = '\0';
  return atoi (number);
}

static TsEvent
parse_event (char **words, guint line)
{
  TsEvent event = { .time = strtoll (words[0], NULL, 10), .line = line, .element = TS_NO_ELEMENT,
                    .instance = TS_NO_INSTANCE, .owner = TS_NO_ELEMENT };

  ck_assert_ptr_nonnull (words[1]);
  event.kind = kind_of (words[1]);
  for (words += 2; words[0] != NULL; words++)
    {
      if (g_str_equal (words[0], "on"))
        event.resource = resource_of (*++words);
      else if (g_str_equal (words[0], "beside"))
        event.owner_number = (guint16) atoi (*++words);
      else if (flag_of (words[0]) != 0)
        event.flags |= flag_of (words[0]);
      else if (g_str_equal (words[0], "in"))
        {
          event.owner_number = ts_event_owner_number (cut_number (*++words));
          event.owner = g_str_equal (words[0], "?") ? TS_UNDECLARED_OWNER (0) : fixture_element (words[0]);
        }
      else
        {
          event.instance = cut_number (words[0]);
          event.element = fixture_element (words[0]);
        }
    }
  return event;
}

static void
add_cores (guint n)
{
  for (; n > 0; n--)
    ts_system_add_resource (fixture.system, "Core", NULL, NULL);
}

static void
feed (const TsEvent *events, gsize n_events)
{
  ts_measures_grow (fixture.measures, ts_system_n_elements (fixture.system), ts_system_n_resources (fixture.system));
  ts_timeline_events (fixture.timeline, events, n_events);
}

void
run_trace (const char *script)
{
  g_auto (GStrv) statements = g_strsplit_set (script, ";\n", -1);
  guint line = 0;

  for (guint i = 0; statements[i] != NULL; i++)
    {
      g_auto (GStrv) words = NULL;
      TsEvent event;

      g_strstrip (statements[i]);
      if (statements[i][0] == '\0')
        continue;
      line++;
      words = g_strsplit (statements[i], " ", -1);
      if (g_str_equal (words[0], "section"))
        {
          begin_section (words[1], words[1] != NULL ? words[2] : NULL);
          continue;
        }
      if (fixture.sections->len == 0)
        begin_section ("0", NULL);
      if (g_str_equal (words[0], "cores"))
        {
          add_cores ((guint) atoi (words[1]));
          continue;
        }
      event = parse_event (words, line);
      feed (&event, 1);
    }
  end_section ();
  check_invariants ();
}

void
run_events (const TsEvent *events, gsize n_events)
{
  begin_section ("0", NULL);
  feed (events, n_events);
  end_section ();
  check_invariants ();
}

static const char *
keep (GString *text)
{
  char *kept = g_string_free (text, FALSE);

  g_ptr_array_add (fixture.texts, kept);
  return kept;
}

const char *
shown_metrics (const char *name)
{
  GString *text = g_string_new (NULL);
  guint32  element = fixture_element (name);

  for (guint i = 0; element < fixture.measures->n_elements && i < TS_METRIC_LOAD; i++)
    {
      const TsAccumulator *samples = ts_metrics_samples (fixture.measures, element, type_of (name), (TsMetricId) i);
      g_autoptr (GArray) buckets = NULL;

      if (samples == NULL || i == TS_METRIC_JIT)
        continue;
      g_string_append_printf (text, "%s%s", text->len > 0 ? " | " : "", ts_metric_info ((TsMetricId) i)->name);
      buckets = ts_accumulator_buckets (samples);
      for (guint k = 0; k < buckets->len; k++)
        for (guint64 n = g_array_index (buckets, TsBucket, k).count; n > 0; n--)
          g_string_append_printf (text, " %" G_GINT64_FORMAT, g_array_index (buckets, TsBucket, k).value);
    }
  return keep (text);
}

const char *
shown_load (guint core)
{
  GString *text = g_string_new (NULL);

  g_string_printf (text, "%" G_GINT64_FORMAT "/%" G_GINT64_FORMAT,
                   (gint64) ts_timeline_busy (fixture.timeline, (guint16) core),
                   (gint64) ts_timeline_window (fixture.timeline));
  return keep (text);
}

static void
append_count (GString *text, const char *name, guint64 count)
{
  if (count > 0)
    g_string_append_printf (text, "%s%s %" G_GUINT64_FORMAT, text->len > 0 ? ", " : "", name, count);
}

const char *
shown_found (void)
{
  GString *text = g_string_new (NULL);

  for (guint i = 0; i < TS_N_DIAGNOSTICS; i++)
    append_count (text, ts_diagnostic_info ((TsDiagnosticId) i)->name, fixture.diagnostics->entries[i].count);
  return keep (text);
}

const char *
shown_counts (const char *element)
{
  TsElementCounts counts = ts_timeline_counts (fixture.timeline, fixture_element (element));
  GString        *text = g_string_new (NULL);

  append_count (text, "activations", counts.activations);
  append_count (text, "failed", counts.failed);
  append_count (text, "starts", counts.starts);
  append_count (text, "ends", counts.ends);
  append_count (text, "complete", counts.complete);
  append_count (text, "heads", counts.partial_head);
  append_count (text, "tails", counts.partial_tail);
  append_count (text, "missing", counts.missing_end);
  append_count (text, "pending", counts.pending);
  return keep (text);
}

const char *
shown_unfinished (const char *element)
{
  const TsUnfinished *unfinished = fixture.measures->elements[fixture_element (element)].unfinished;
  GString            *text = g_string_new (NULL);

  for (guint i = 0; i < TS_N_UNFINISHED; i++)
    {
      const TsExtreme *longest = ts_unfinished_get (unfinished, (TsMetricId) i);

      if (longest == NULL)
        continue;
      g_string_append_printf (text, "%s%s %" G_GINT64_FORMAT "@%" G_GINT64_FORMAT "#%" G_GINT64_FORMAT, text->len > 0 ? " | " : "",
                              ts_metric_info ((TsMetricId) i)->name, longest->value, longest->at, longest->number);
    }
  return keep (text);
}

const char *
shown_instances (const char *name)
{
  GString *text = g_string_new (NULL);
  guint32  element = fixture_element (name);

  for (guint i = 0; i < fixture.instances->len; i++)
    {
      const TsInstance *instance = &g_array_index (fixture.instances, TsInstance, i);

      if (instance->element == element)
        g_string_append_printf (text, "%s%" G_GINT64_FORMAT " %s", text->len > 0 ? ", " : "", instance->number,
                                ts_instance_status_name ((TsInstanceStatus) instance->status));
    }
  return keep (text);
}

const char *
shown_intervals (const char *name, TsIntervalKind kind)
{
  GString *text = g_string_new (NULL);
  guint32  element = fixture_element (name);
  g_autoptr (GArray) intervals = g_array_copy (fixture.intervals);

  g_array_sort (intervals, compare_interval_times);
  for (guint i = 0; i < intervals->len; i++)
    {
      const TsInterval *interval = &g_array_index (intervals, TsInterval, i);

      if (interval->element == element && interval->kind == kind)
        g_string_append_printf (text, "%s%" G_GINT64_FORMAT "@%" G_GINT64_FORMAT "#%" G_GINT64_FORMAT,
                                text->len > 0 ? " " : "", interval->value, interval->at, interval->number);
    }
  return keep (text);
}

const TsInstance *
fixture_instance (const char *name, gint64 number)
{
  guint32 element = fixture_element (name);

  for (guint i = 0; i < fixture.instances->len; i++)
    {
      const TsInstance *instance = &g_array_index (fixture.instances, TsInstance, i);

      if (instance->element == element && instance->number == number)
        return instance;
    }
  ck_abort_msg ("no instance %s #%d", name, (int) number);
  return NULL;
}

static guint64
found (TsDiagnosticId id)
{
  return fixture.diagnostics->entries[id].count;
}

/* GET = CET + sum (PRE) + sum (WAIT), of each instance and, where all preemptions ended
 * with a resume, with the samples; DT and E2S are checked where both are known. */
static void
check_instance (const TsInstance *instance)
{
  gboolean is_nested = ts_element_type_class (ts_system_get_element (fixture.system, instance->element)->type)
                       == TS_CLASS_NESTED;

  if (!(instance->flags & TS_INSTANCE_HAS_START) || !(instance->flags & TS_INSTANCE_HAS_END))
    return;
  ck_assert_int_le (instance->running, instance->end - instance->start);
  ck_assert_int_ge (instance->running, 0);
  if (!fixture.options.subtract_overhead && !(is_nested && found (TS_DIAGNOSTIC_LATE_NESTED_END) > 0))
    ck_assert_int_eq (instance->end - instance->start, instance->running + instance->preempted + instance->waiting);
}

static void
check_element (guint32 element)
{
  gint64  samples = 0, preempted = 0, waiting = 0, waits = 0;
  guint64 n_samples = 0, n_preemptions = 0;

  for (guint i = 0; i < fixture.instances->len; i++)
    {
      const TsInstance *instance = &g_array_index (fixture.instances, TsInstance, i);

      if (instance->element != element)
        continue;
      if (instance->status != TS_STATUS_COMPLETE)
        return;
      preempted += instance->preempted;
      waiting += instance->waiting;
      n_preemptions += instance->n_preemptions;
    }
  for (guint i = 0; i < fixture.intervals->len; i++)
    {
      const TsInterval *interval = &g_array_index (fixture.intervals, TsInterval, i);

      if (interval->element != element)
        continue;
      if (interval->kind == TS_INTERVAL_PRE)
        {
          samples += interval->value;
          n_samples++;
        }
      else if (interval->kind == TS_INTERVAL_WAIT)
        waits += interval->value;
    }
  ck_assert_int_eq (samples, preempted);
  ck_assert_int_eq (waits, waiting);
  ck_assert_uint_eq (n_samples, n_preemptions);
}

void
check_invariants (void)
{
  for (guint i = 0; i < fixture.instances->len; i++)
    check_instance (&g_array_index (fixture.instances, TsInstance, i));
  if (fixture.options.has_from || found (TS_DIAGNOSTIC_END_WHILE_PREEMPTED) > 0
      || found (TS_DIAGNOSTIC_LATE_NESTED_END) > 0)
    return;
  for (guint32 i = 0; i < ts_system_n_elements (fixture.system); i++)
    check_element (i);
}
