/* SPDX-License-Identifier: MIT */
#include "config.h"

#include <string.h>

#include <glib.h>

#include "import/order.h"
#include "import/strays.h"
#include "unit.h"

/* Time that goes backwards (rule 15): sorted, in a second reading of a file if it goes back far, or as a whole in
 * a stream if asked for, else late events are dropped; always counted. */

/* Stands in for the driver and for the next stage. */
typedef struct
{
  TsImportMemory memory;
  TsDiagnostics *diagnostics;
  TsSystem      *system; /* of one element on one core */
  GArray        *taken; /* of TsEvent, of all sections */
  guint          n_sections;
  guint          n_readings;
  guint          max_readings;
  gsize          n_fed; /* events, in all readings */
  gboolean       can_reread;
  gboolean       sort_all;
  gint64         scale; /* of the stamps that are fed */
  TsEvent        late_event; /* what line 4 is about */
} Fixture;

static Fixture fixture;

static void
setup (void)
{
  memset (&fixture, 0, sizeof fixture);
  fixture.memory.scale = 1;
  fixture.scale = 1;
  fixture.max_readings = 12;
  ts_order_first_events = 0;
  fixture.diagnostics = ts_diagnostics_new ("trace");
  fixture.system = ts_system_new ();
  ts_system_add_resource (fixture.system, "core", "1", NULL);
  ts_system_add_element (fixture.system, TS_TYPE_TASK, "task", "1", TS_NO_ELEMENT, 0);
  fixture.taken = g_array_new (FALSE, FALSE, sizeof (TsEvent));
}

static void
teardown (void)
{
  ts_diagnostics_free (fixture.diagnostics);
  ts_system_free (fixture.system);
  g_array_unref (fixture.taken);
  ts_import_memory_clear (&fixture.memory);
}

static void
take_section (gpointer data, TsSection *section)
{
  Fixture *self = data;

  ck_assert_ptr_nonnull (section);
  self->n_sections++;
}

static void
take_events (gpointer data, const TsEvent *events, gsize n_events)
{
  Fixture *self = data;

  g_array_append_vals (self->taken, events, (guint) n_events);
}

static void
end_section (gpointer data, TsSection *section)
{
  ck_assert_ptr_nonnull (data);
  ck_assert_ptr_nonnull (section);
}

static const TsEventSink sink = { take_section, take_events, end_section };

/* One reading, as far as it may learn something: @times are fed in batches of @batch; G_MININT64 begins a new section. From
 * @survey_from on the importer only looks (it asked for another reading itself). */
static gboolean
read_once (const gint64 *times, gsize n, gsize batch, gsize survey_from)
{
  TsImport  import = { .memory = &fixture.memory,
                       .system = fixture.system,
                       .diagnostics = fixture.diagnostics,
                       .can_reread = fixture.can_reread };
  TsSection section = { .number = 1 };
  TsOrder  *order;
  gboolean  again;

  ts_diagnostics_clear (fixture.diagnostics);
  g_array_set_size (fixture.taken, 0);
  fixture.n_sections = 0;
  fixture.n_readings++;
  order = ts_order_new (&import, fixture.sort_all, &sink, &fixture);
  ts_order_sink ()->begin_section (order, &section);
  for (gsize i = 0; i < n && !import.has_learnt;)
    {
      g_autoptr (GArray) events = g_array_new (FALSE, TRUE, sizeof (TsEvent));

      if (times[i] == G_MININT64)
        {
          ts_order_sink ()->end_section (order, &section);
          section.number++;
          ts_order_sink ()->begin_section (order, &section);
          i++;
          continue;
        }
      for (; i < n && times[i] != G_MININT64 && events->len < batch; i++)
        {
          TsEvent event = { .time = times[i] * fixture.scale, .line = i + 1 };

          if (i == 3)
            {
              event.kind = fixture.late_event.kind;
              event.element = fixture.late_event.element;
              event.instance = fixture.late_event.instance;
              event.owner = fixture.late_event.owner;
              event.resource = fixture.late_event.resource;
            }
          g_array_append_val (events, event);
        }
      if (i <= survey_from)
        ts_order_sink ()->events (order, (const TsEvent *) (gpointer) events->data, events->len);
      fixture.n_fed += events->len;
    }
  /* the rest of a block may have the end of a section */
  ts_order_sink ()->end_section (order, &section);
  again = ts_order_is_learning (order);
  ts_order_free (order);
  return again;
}

static void
read_all (const gint64 *times, gsize n, gsize batch)
{
  while (read_once (times, n, batch, n))
    ck_assert_uint_lt (fixture.n_readings, fixture.max_readings);
}

/* The lines of the events in the order in which they came. */
static void
assert_lines (const guint *lines, gsize n)
{
  ck_assert_uint_eq (fixture.taken->len, n);
  for (gsize i = 0; i < n; i++)
    ck_assert_msg (g_array_index (fixture.taken, TsEvent, i).line == lines[i], "event %zu is that of line %u, not %u", i,
                   (guint) g_array_index (fixture.taken, TsEvent, i).line, lines[i]);
}

#define READ(times, batch) read_all (times, G_N_ELEMENTS (times), batch)
#define LINES(...) assert_lines ((const guint[]){ __VA_ARGS__ }, G_N_ELEMENTS (((const guint[]){ __VA_ARGS__ })))

static const TsDiagnostic *
found (TsDiagnosticId id)
{
  return &fixture.diagnostics->entries[id];
}

static void
assert_nothing_found (void)
{
  for (guint i = 0; i < TS_N_DIAGNOSTICS; i++)
    ck_assert_uint_eq (fixture.diagnostics->entries[i].count, 0);
}

START_TEST (what_is_in_order_goes_on_as_it_is)
{
  static const gint64 times[] = { 0, 1, 1, 1, 5, 5, 9 };

  fixture.can_reread = _i % 2 == 0;
  READ (times, (gsize) _i + 1);
  LINES (1, 2, 3, 4, 5, 6, 7);
  ck_assert_uint_eq (fixture.n_readings, 1);
  assert_nothing_found ();
}
END_TEST

START_TEST (a_file_is_read_again_and_sorted_stably)
{
  /* 10 10 4 4 6 6 20: one step back, by 6, in line 3 */
  static const gint64 times[] = { 0, 10, 4, 4, 6, 6, 10, 20 };

  fixture.can_reread = TRUE;
  READ (times, (gsize) _i + 1);
  LINES (1, 3, 4, 5, 6, 2, 7, 8);
  /* what came in front of the step in the same batch is still there */
  ck_assert_uint_eq (fixture.n_readings, _i + 1 < 3 ? 2 : 1);
  ck_assert_uint_eq (found (TS_DIAGNOSTIC_BACKWARDS)->count, 1);
  ck_assert_uint_eq (found (TS_DIAGNOSTIC_BACKWARDS)->line, 3);
  ck_assert_str_eq (found (TS_DIAGNOSTIC_BACKWARDS)->detail, "largest step back: 6 ticks behind the latest event before");
  ck_assert (ts_diagnostics_are_refused (fixture.diagnostics, NULL));
}
END_TEST

START_TEST (the_largest_step_back_is_told_and_every_step_counted)
{
  /* 10 -> 9, 30 -> 12, 31 -> 30; the largest is 30 - 12 */
  static const gint64 times[] = { 10, 9, 30, 12, 31, 30, 40 };

  fixture.can_reread = TRUE;
  READ (times, (gsize) _i + 1);
  LINES (2, 1, 4, 3, 6, 5, 7);
  ck_assert_uint_eq (found (TS_DIAGNOSTIC_BACKWARDS)->count, 3);
  ck_assert_uint_eq (found (TS_DIAGNOSTIC_BACKWARDS)->line, 2);
  ck_assert_str_eq (found (TS_DIAGNOSTIC_BACKWARDS)->detail, "largest step back: 18 ticks behind the latest event before");
}
END_TEST

START_TEST (a_step_back_is_measured_from_the_newest_event)
{
  /* two steps of 5 lead back by 10 */
  static const gint64 times[] = { 20, 15, 10, 30, 29, 31 };

  fixture.can_reread = TRUE;
  READ (times, 1);
  LINES (3, 2, 1, 5, 4, 6);
  ck_assert_uint_eq (found (TS_DIAGNOSTIC_BACKWARDS)->count, 3);
  ck_assert_str_eq (found (TS_DIAGNOSTIC_BACKWARDS)->detail, "largest step back: 10 ticks behind the latest event before");
}
END_TEST

/* Neighbours are exchanged, and the last event comes 4000 or 20000 too late: so many, and more than 4096, are held, but
 * never 20000. */
START_TEST (a_file_that_steps_back_a_little_is_read_once)
{
  const gboolean     is_far = _i % 2 == 1;
  const gsize        n = 30001, place = n - 1 - (is_far ? 20000 : 4000);
  g_autofree gint64 *times = g_new (gint64, n);
  g_autofree guint  *lines = g_new (guint, n);

  for (gsize i = 0; i + 1 < n; i++)
    times[i] = (gint64) (i ^ 1);
  times[n - 1] = (gint64) place - 1;
  for (gsize i = 0; i < n; i++)
    lines[i] = (guint) (i < place ? (i ^ 1) + 1 : i == place ? n : ((i - 1) ^ 1) + 1);
  fixture.can_reread = TRUE;
  read_all (times, n, _i < 2 ? TS_BATCH_EVENTS : 300);
  assert_lines (lines, n);
  ck_assert_uint_eq (fixture.n_readings, is_far ? 2 : 1);
  ck_assert_uint_eq (found (TS_DIAGNOSTIC_BACKWARDS)->count, 15001);
  ck_assert_uint_eq (found (TS_DIAGNOSTIC_BACKWARDS)->line, 2);
  ck_assert_str_eq (found (TS_DIAGNOSTIC_BACKWARDS)->detail,
                    is_far ? "largest step back: 20000 ticks behind the latest event before"
                           : "largest step back: 4000 ticks behind the latest event before");
}
END_TEST

START_TEST (late_events_of_a_stream_are_dropped_and_counted)
{
  /* 4 and 6 are older than 10, which has gone on already */
  static const gint64 times[] = { 0, 10, 4, 6, 10, 20, 19, 21 };

  READ (times, (gsize) _i + 1);
  LINES (1, 2, 5, 6, 8);
  ck_assert_uint_eq (fixture.n_readings, 1);
  ck_assert_uint_eq (found (TS_DIAGNOSTIC_LATE_EVENT)->count, 3);
  ck_assert_uint_eq (found (TS_DIAGNOSTIC_LATE_EVENT)->line, 3);
  ck_assert_uint_eq (found (TS_DIAGNOSTIC_BACKWARDS)->count, 0);
  ck_assert (ts_diagnostics_are_refused (fixture.diagnostics, NULL));
}
END_TEST

START_TEST (a_stream_is_sorted_if_asked_for)
{
  static const gint64 times[] = { 0, 10, 4, 6, 10, 20, 0, 21 };

  fixture.sort_all = TRUE;
  READ (times, (gsize) _i + 1);
  LINES (1, 7, 3, 4, 2, 5, 6, 8);
  ck_assert_uint_eq (fixture.n_readings, 1);
  ck_assert_uint_eq (found (TS_DIAGNOSTIC_BACKWARDS)->count, 2);
  ck_assert_uint_eq (found (TS_DIAGNOSTIC_BACKWARDS)->line, 3);
  ck_assert_uint_eq (found (TS_DIAGNOSTIC_LATE_EVENT)->count, 0);
}
END_TEST

START_TEST (steps_back_within_steps_back_are_told_by_what_is_behind)
{
  /* 100 -> 50 and 60 -> 40: that one is 60 behind 100, which neither step is */
  static const gint64 times[] = { 0, 100, 50, 60, 40, 45 };

  fixture.can_reread = TRUE;
  READ (times, (gsize) _i + 1);
  LINES (1, 5, 6, 3, 4, 2);
  ck_assert_uint_eq (found (TS_DIAGNOSTIC_BACKWARDS)->count, 2);
  ck_assert_uint_eq (found (TS_DIAGNOSTIC_BACKWARDS)->line, 3);
  ck_assert_str_eq (found (TS_DIAGNOSTIC_BACKWARDS)->detail, "largest step back: 60 ticks behind the latest event before");
}
END_TEST

START_TEST (the_largest_step_back_of_a_stream_is_told)
{
  /* 10 -> 9, then 50 -> 20 */
  static const gint64 times[] = { 0, 10, 9, 50, 20, 60 };

  fixture.sort_all = TRUE;
  READ (times, 2);
  ck_assert_uint_eq (found (TS_DIAGNOSTIC_BACKWARDS)->count, 2);
  ck_assert_uint_eq (found (TS_DIAGNOSTIC_BACKWARDS)->line, 3);
  ck_assert_str_eq (found (TS_DIAGNOSTIC_BACKWARDS)->detail, "largest step back: 30 ticks behind the latest event before");
}
END_TEST

START_TEST (sorting_what_is_sorted_finds_nothing)
{
  static const gint64 times[] = { 0, 1, 1, 1, 5, 5, 9 };

  fixture.sort_all = TRUE;
  READ (times, 2);
  LINES (1, 2, 3, 4, 5, 6, 7);
  assert_nothing_found ();
}
END_TEST

START_TEST (sections_are_sorted_apart)
{
  /* the second begins before the first: no step back */
  static const gint64 times[] = { 5, 10, 7, 20, G_MININT64, 1, 3, 2, 30 };

  fixture.can_reread = _i == 0;
  fixture.sort_all = _i == 1;
  READ (times, 3);
  LINES (1, 3, 2, 4, 6, 8, 7, 9);
  ck_assert_uint_eq (fixture.n_sections, 2);
  ck_assert_uint_eq (found (TS_DIAGNOSTIC_BACKWARDS)->count, 2);
}
END_TEST

START_TEST (a_section_that_begins_before_the_one_before_ends_is_no_step_back)
{
  static const gint64 times[] = { 5, 10, 20, G_MININT64, 1, 3, 30, G_MININT64, 0 };

  fixture.can_reread = TRUE;
  READ (times, 3);
  LINES (1, 2, 3, 5, 6, 7, 9);
  ck_assert_uint_eq (fixture.n_sections, 3);
  ck_assert_uint_eq (fixture.n_readings, 1);
  assert_nothing_found ();
}
END_TEST

START_TEST (a_finer_scale_in_the_second_reading_sorts_as_well)
{
  /* the step was measured in ticks; the second reading has 1000 units a tick */
  static const gint64 times[] = { 0, 10, 4, 6, 20, 15, 100, 90, 101 };

  fixture.can_reread = TRUE;
  ck_assert (read_once (times, G_N_ELEMENTS (times), 1, G_N_ELEMENTS (times)));
  fixture.memory.scale = fixture.scale = 1000;
  ck_assert (!read_once (times, G_N_ELEMENTS (times), 1, G_N_ELEMENTS (times)));
  LINES (1, 3, 4, 2, 6, 5, 8, 7, 9);
  ck_assert_uint_eq (found (TS_DIAGNOSTIC_BACKWARDS)->count, 3);
  ck_assert_str_eq (found (TS_DIAGNOSTIC_BACKWARDS)->detail, "largest step back: 10 ticks behind the latest event before");
}
END_TEST

START_TEST (a_step_back_that_the_first_reading_did_not_see_is_sorted)
{
  /* from the fourth event on the first reading only looks, since it needs a finer scale anyway */
  static const gint64 times[] = { 0, 10, 5, 200, 300, 100, 400 };

  fixture.can_reread = TRUE;
  ck_assert (read_once (times, G_N_ELEMENTS (times), 1, 3));
  READ (times, 1);
  LINES (1, 3, 2, 6, 4, 5, 7);
  ck_assert_uint_eq (found (TS_DIAGNOSTIC_BACKWARDS)->count, 2);
  ck_assert_str_eq (found (TS_DIAGNOSTIC_BACKWARDS)->detail, "largest step back: 200 ticks behind the latest event before");
}
END_TEST

/* Of 30,000 events some come up to 25,000 too late: each is put where it belongs, behind all that have its time and in front
 * of all that come later, with or without others that come a little late. */
START_TEST (few_that_come_far_too_late_are_taken_where_they_belong)
{
  const gsize        n = 30000;
  const gboolean     has_near = _i % 2 == 1;
  g_autofree gint64 *times = g_new (gint64, n);
  g_autofree guint  *lines = g_new (guint, n);
  gsize              place = 0;

  for (gsize i = 0; i < n; i++)
    times[i] = 10 * (gint64) i;
  if (has_near)
    times[9000] = times[9001] + 5;
  times[0] = 10;             /* so 0, 1 and 29000 have the same time */
  times[26000] = 10 * 1000;  /* as line 1001 */
  times[26001] = 10 * 1000;
  times[27000] = 10 * 999 + 5;
  times[29000] = 10;
  times[29999] = 0;          /* before all others */
  fixture.can_reread = TRUE;
  read_all (times, n, _i < 2 ? TS_BATCH_EVENTS : 7);

  lines[place++] = 30000;
  for (gsize i = 0; i < n - 1; i++)
    {
      if (i == 26000 || i == 26001 || i == 27000 || i == 29000)
        continue;
      if (has_near && i == 9000)
        lines[place++] = 9002;
      lines[place++] = (guint) i + 1;
      if (has_near && i == 9000)
        i++;
      if (i == 1)
        lines[place++] = 29001;
      if (i == 999)
        lines[place++] = 27001;
      if (i == 1000)
        {
          lines[place++] = 26001;
          lines[place++] = 26002;
        }
    }
  assert_lines (lines, n);
  ck_assert_uint_eq (fixture.n_readings, 2);
  ck_assert_uint_eq (found (TS_DIAGNOSTIC_BACKWARDS)->count, has_near ? 5 : 4);
  ck_assert_uint_eq (found (TS_DIAGNOSTIC_BACKWARDS)->line, has_near ? 9002 : 26001);
  ck_assert_str_eq (found (TS_DIAGNOSTIC_BACKWARDS)->detail,
                    "largest step back: 299980 ticks behind the latest event before");
  ck_assert_int_eq (fixture.memory.sort, has_near);
}
END_TEST

/* Each of 8 or 400 cores in turn writes 2,000 or 30 events at once: the reading begins anew some times, among the first of
 * them, and then reads all. Where it does not, all are read once more to know how far they step back. */
START_TEST (what_each_core_wrote_at_once_is_read_once)
{
  const gsize        n_cores = _i < 2 ? 8 : 400, n_each = _i < 2 ? 2000 : 30, all = n_cores * n_each;
  const gsize        n = 40 * all;
  g_autofree gint64 *times = g_new (gint64, n);
  g_autofree guint  *lines = g_new (guint, n);

  for (gsize i = 0; i < n; i++)
    {
      const gsize turn = i / all, core = i % all / n_each, event = i % n_each;

      /* the cores take turns in time, event for event */
      times[i] = (gint64) (turn * all + event * n_cores + core);
      lines[times[i]] = (guint) i + 1;
    }
  fixture.can_reread = TRUE;
  ts_order_first_events = _i % 2 == 0 ? 262144 : 1000;
  read_all (times, n, TS_BATCH_EVENTS);
  assert_lines (lines, n);
  if (_i % 2 == 0)
    {
      ck_assert_uint_le (fixture.n_fed, n + 4 * all);
      ck_assert_uint_gt (fixture.n_readings, 1);
    }
  else
    ck_assert_uint_ge (fixture.n_fed, 2 * n);
  ck_assert_uint_eq (found (TS_DIAGNOSTIC_BACKWARDS)->count, n / all * (n_cores - 1));
  ck_assert_uint_eq (found (TS_DIAGNOSTIC_BACKWARDS)->line, n_each + 1);
}
END_TEST

/* In a section of 20,000 events, behind one of 100, the event of place 9,850 is the last one with which the reading may begin
 * anew; that of 9,950, which has the time of that of 12,000, is in the same batch. */
START_TEST (equal_stamps_keep_their_order_when_the_reading_begins_anew)
{
  const gsize        n_before = 100, n = n_before + 1 + 20000, first = n_before + 1;
  g_autofree gint64 *times = g_new (gint64, n);
  g_autoptr (GArray) lines = g_array_new (FALSE, FALSE, sizeof (guint));

  for (gsize i = 0; i < n; i++)
    times[i] = 10 * (gint64) i;
  times[n_before] = G_MININT64;
  times[first + 9850] = 0;
  times[first + 9950] = times[first + 12000] = times[first + 2000] + 3;
  for (guint i = 0; i < n; i++)
    {
      const guint line = i + 1;

      if (i == first)
        {
          const guint late = (guint) first + 9850 + 1;

          g_array_append_val (lines, late);
        }
      if (i != n_before && i != first + 9850 && i != first + 9950 && i != first + 12000)
        g_array_append_val (lines, line);
      for (guint k = 0; i == first + 2000 && k < 2; k++)
        {
          const guint late = (guint) first + (k == 0 ? 9950 : 12000) + 1;

          g_array_append_val (lines, late);
        }
    }
  fixture.can_reread = TRUE;
  ts_order_first_events = 10000;
  read_all (times, n, TS_BATCH_EVENTS);
  assert_lines ((const guint *) (gpointer) lines->data, lines->len);
}
END_TEST

/* As many as are kept, and one more. */
START_TEST (where_many_come_far_too_late_all_are_held)
{
  enum { N = 20000 };
  g_autofree gint64 *times = g_new (gint64, N);
  g_autofree guint  *lines = g_new (guint, N);

  for (gsize i = 0; i < N; i++)
    times[i] = (gint64) (i < N - 3 ? i + 3 : i - (N - 3));
  for (guint i = 0; i < N; i++)
    lines[i] = i < 3 ? N - 2 + i : i - 2;
  ts_most_strays = _i == 0 ? 3 : 2;
  fixture.can_reread = TRUE;
  read_all (times, N, 100);
  ts_most_strays = 32768;
  assert_lines (lines, N);
  ck_assert_uint_eq (fixture.n_readings, 2);
  ck_assert_int_eq (fixture.memory.sort, _i == 1);
  ck_assert_uint_eq (found (TS_DIAGNOSTIC_BACKWARDS)->count, 1);
}
END_TEST

START_TEST (each_section_has_its_own_strays)
{
  /* lines 4 and 9 are 30 too late, and so is the last one */
  static const gint64 times[] = { 10, 20, 40, 10, G_MININT64, 5, 20, 35, 5, 40, G_MININT64, 1, 2, G_MININT64, 40, 50, 20 };

  fixture.can_reread = TRUE;
  READ (times, 1);
  LINES (1, 4, 2, 3, 6, 9, 7, 8, 10, 12, 13, 17, 15, 16);
  ck_assert_uint_eq (fixture.n_sections, 4);
  ck_assert_uint_eq (fixture.n_readings, 2);
  ck_assert_uint_eq (found (TS_DIAGNOSTIC_BACKWARDS)->count, 3);
}
END_TEST

/* A line says of what runs in a task only where that was in the line before: nothing if that was later, whether it is held
 * or a stray. What names no task, and what is not an event of an instance, is where it is told to be. */
START_TEST (what_comes_late_is_where_its_task_was_then)
{
  static const gint64      near[] = { 10, 20, 40, 15, 50 }, far[] = { 10, 20, 40, 10, 50 };
  static const TsEventKind kinds[] = { TS_EVENT_START, TS_EVENT_END, TS_EVENT_PREEMPT, TS_EVENT_RESUME, TS_EVENT_READ,
                                       TS_EVENT_START };
  const guint              kind = (guint) _i / 2;

  fixture.can_reread = TRUE;
  fixture.late_event.kind = kinds[kind];
  fixture.late_event.owner = kind == 5 ? TS_NO_ELEMENT : 0;
  if (_i % 2 == 0)
    READ (near, 5);
  else
    READ (far, 1);
  LINES (1, 4, 2, 3, 5);
  ck_assert_uint_eq (fixture.n_readings, _i % 2 + 1);
  ck_assert_uint_eq (g_array_index (fixture.taken, TsEvent, 1).resource, kind < 4 ? TS_NO_RESOURCE : 0);
}
END_TEST

/* What is late is of an element, or on a core, that the next reading does not know yet where it belongs. */
START_TEST (a_stray_that_is_named_later_waits_for_its_name)
{
  static const gint64 times[] = { 10, 20, 40, 10, 50 };

  fixture.can_reread = TRUE;
  fixture.late_event.element = _i == 0 ? 1 : 0;
  fixture.late_event.resource = _i == 1 ? 1 : 0;
  fixture.late_event.owner = _i == 2 ? 1 : 0;
  READ (times, 1);
  LINES (1, 4, 2, 3, 5);
  ck_assert_uint_eq (fixture.n_readings, 3);
  ck_assert_uint_eq (found (TS_DIAGNOSTIC_BACKWARDS)->count, 1);
}
END_TEST

START_TEST (a_stray_that_is_another_in_the_next_reading_is_not_taken_for_it)
{
  static const gint64 before[] = { 10, 20, 40, 10, 50 }, after[] = { 10, 20, 40, 15, 50 };
  const gint64 *next = _i == 0 ? after : _i == 1 ? (const gint64[]){ 10, 20, 40, 40, 50 } : before;

  fixture.can_reread = TRUE;
  ck_assert (read_once (before, 5, 1, 5));
  fixture.late_event.instance = _i == 2 ? 7 : 0;
  while (read_once (next, 5, 1, 5))
    ck_assert_uint_lt (fixture.n_readings, fixture.max_readings);
  if (_i == 1)
    LINES (1, 2, 3, 4, 5);
  else
    LINES (1, 4, 2, 3, 5);
  ck_assert_uint_eq (fixture.n_readings, 3);
  ck_assert_int_eq (fixture.memory.sort, _i == 1); /* the others are learnt anew */
  ck_assert_int_eq (g_array_index (fixture.taken, TsEvent, _i == 1 ? 3 : 1).instance, _i == 2 ? 7 : 0);
}
END_TEST

static int
compare_times (gconstpointer a, gconstpointer b)
{
  const TsEvent *left = a, *right = b;

  if (left->time != right->time)
    return left->time < right->time ? -1 : 1;
  return left->line < right->line ? -1 : left->line > right->line;
}

/* Any order of any events, some of four files one behind the other, and batches of any size: sorted, and equal stamps as
 * in the file. */
START_TEST (any_disorder_is_sorted)
{
  GRand *random = g_rand_new_with_seed ((guint32) _i);
  gsize  n = (gsize) g_rand_int_range (random, 1, _i % 5 == 0 ? 60000 : 5000);
  gint32 reach = g_rand_int_range (random, 1, _i % 3 == 0 ? 10000 : _i % 3 == 1 ? 200 : 4);
  gsize  n_of_file = _i % 4 < 2 ? n / 4 + 1 : n;
  gint32 n_far = g_rand_int_range (random, 0, 30);
  g_autofree gint64 *times = g_new (gint64, n);
  g_autoptr (GArray) expected = g_array_new (FALSE, TRUE, sizeof (TsEvent));

  for (gsize i = 0; i < n; i++)
    {
      TsEvent event = { .time = (gint64) (i % n_of_file) / 2 - g_rand_int_range (random, 0, reach), .line = i + 1 };

      if (g_rand_int_range (random, 0, (gint32) n) < n_far)
        event.time -= g_rand_int_range (random, 0, 5000);
      times[i] = event.time;
      g_array_append_val (expected, event);
    }
  g_array_sort (expected, compare_times);
  fixture.can_reread = _i % 2 == 0;
  fixture.sort_all = _i % 2 == 1;
  ts_most_strays = _i % 7 == 0 ? 32768 : (guint) g_rand_int_range (random, 0, 40);
  ts_order_first_events = (guint) g_rand_int_range (random, 0, 3) * 8000;
  read_all (times, n, (gsize) g_rand_int_range (random, 1, 1500));
  ts_most_strays = 32768;
  ck_assert_uint_eq (fixture.taken->len, n);
  for (guint i = 0; i < n; i++)
    ck_assert_uint_eq (g_array_index (fixture.taken, TsEvent, i).line, g_array_index (expected, TsEvent, i).line);
  g_rand_free (random);
}
END_TEST

int
main (void)
{
  Suite *suite = suite_create ("order");
  TCase *tests = tcase_create ("order");

  tcase_add_checked_fixture (tests, setup, teardown);
  tcase_add_loop_test (tests, what_is_in_order_goes_on_as_it_is, 0, 8);
  tcase_add_loop_test (tests, a_file_is_read_again_and_sorted_stably, 0, 8);
  tcase_add_loop_test (tests, the_largest_step_back_is_told_and_every_step_counted, 0, 8);
  tcase_add_test (tests, a_step_back_is_measured_from_the_newest_event);
  tcase_add_loop_test (tests, steps_back_within_steps_back_are_told_by_what_is_behind, 0, 6);
  tcase_add_loop_test (tests, a_file_that_steps_back_a_little_is_read_once, 0, 4);
  tcase_add_loop_test (tests, late_events_of_a_stream_are_dropped_and_counted, 0, 8);
  tcase_add_loop_test (tests, a_stream_is_sorted_if_asked_for, 0, 8);
  tcase_add_test (tests, the_largest_step_back_of_a_stream_is_told);
  tcase_add_test (tests, sorting_what_is_sorted_finds_nothing);
  tcase_add_loop_test (tests, sections_are_sorted_apart, 0, 2);
  tcase_add_test (tests, a_section_that_begins_before_the_one_before_ends_is_no_step_back);
  tcase_add_test (tests, a_finer_scale_in_the_second_reading_sorts_as_well);
  tcase_add_test (tests, a_step_back_that_the_first_reading_did_not_see_is_sorted);
  tcase_add_loop_test (tests, few_that_come_far_too_late_are_taken_where_they_belong, 0, 4);
  tcase_add_loop_test (tests, what_each_core_wrote_at_once_is_read_once, 0, 4);
  tcase_add_test (tests, equal_stamps_keep_their_order_when_the_reading_begins_anew);
  tcase_add_loop_test (tests, where_many_come_far_too_late_all_are_held, 0, 2);
  tcase_add_test (tests, each_section_has_its_own_strays);
  tcase_add_loop_test (tests, what_comes_late_is_where_its_task_was_then, 0, 12);
  tcase_add_loop_test (tests, a_stray_that_is_named_later_waits_for_its_name, 0, 3);
  tcase_add_loop_test (tests, a_stray_that_is_another_in_the_next_reading_is_not_taken_for_it, 0, 3);
  tcase_add_loop_test (tests, any_disorder_is_sorted, 0, 120);
  suite_add_tcase (suite, tests);
  return unit_run (suite);
}
