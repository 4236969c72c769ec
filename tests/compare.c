/* SPDX-License-Identifier: MIT */

#include "compare.h"

void
wrong (Comparison *test, guint element, const char *what, const char *format, ...)
{
  va_list args;

  if (test->n_wrong++ >= 12)
    return;
  g_string_append_printf (test->wrong, "\n%s, seed %" G_GUINT64_FORMAT ", %s, %s: ", test->shape, test->seed,
                          test->sim->elements[element].name, what);
  va_start (args, format);
  g_string_append_vprintf (test->wrong, format, args);
  va_end (args);
}

void
expect (Comparison *test, guint element, const char *what, gint64 number, gint64 expected, gint64 got)
{
  if (expected != got)
    wrong (test, element, what, "instance %" G_GINT64_FORMAT ": expected %" G_GINT64_FORMAT ", got %" G_GINT64_FORMAT,
           number, expected, got);
}

void
expect_time (Comparison *test, guint element, const char *what, gint64 number, gint64 expected, gint64 got)
{
  if ((TsInt128)expected * test->scale != (TsInt128)got * test->parts)
    wrong (test, element, what,
           "instance %" G_GINT64_FORMAT ": expected %" G_GINT64_FORMAT ", got %" G_GINT64_FORMAT
           " (a tick is %d parts here, %d there)",
           number, expected, got, (int)test->parts, (int)test->scale);
}

/* Instances */

static void
compare_instance (Comparison *test, const SimInstance *want, const TsInstance *got)
{
  static const TsInstanceStatus statuses[] = { [SIM_COMPLETE] = TS_STATUS_COMPLETE,
                                               [SIM_HEAD] = TS_STATUS_PARTIAL_HEAD,
                                               [SIM_TAIL] = TS_STATUS_PARTIAL_TAIL,
                                               [SIM_HEAD | SIM_TAIL] = TS_STATUS_PARTIAL_HEAD };
  static const TsEventKind kinds[] = { [SIM_ACTIVATION] = TS_EVENT_ACTIVATION,
                                       [SIM_ACTIVATION_OS] = TS_EVENT_ACTIVATION_OS,
                                       [SIM_ACTIVATION_CHAINED] = TS_EVENT_ACTIVATION_CHAINED };
  guint element = want->element;
  gint64 number = (gint64)want->number;
  gboolean head = (want->status & SIM_HEAD) != 0, tail = (want->status & SIM_TAIL) != 0;

  expect (test, element, "section", number, want->section + 1, got->section);
  expect (test, element, "number", number, number, got->number);
  expect (test, element, "status", number, statuses[want->status], got->status);
  expect (test, element, "has an activation", number, want->has_activation,
          (got->flags & TS_INSTANCE_HAS_ACTIVATION) != 0);
  expect (test, element, "has a start", number, !head, (got->flags & TS_INSTANCE_HAS_START) != 0);
  expect (test, element, "has an end", number, !tail, (got->flags & TS_INSTANCE_HAS_END) != 0);
  /* BTF names the task only, of whose core nothing may be known yet */
  if (!test->numbered || want->owner < 0 || want->owner_seen || got->resource != TS_NO_RESOURCE)
    expect (test, element, "resource", number, want->core, got->resource);
  expect (test, element, "preemptions", number, truth_preemptions (test->truth, want), got->n_preemptions);
  if (want->has_activation)
    {
      expect (test, element, "kind of activation", number, kinds[want->activation_kind], got->activation_kind);
      expect_time (test, element, "activation", number, want->activation, got->activation);
    }
  if (!head)
    expect_time (test, element, "start", number, want->start, got->start);
  if (!tail)
    expect_time (test, element, "end", number, want->end, got->end);
  if (!head)
    expect_time (test, element, "running", number, want->running, got->running);
  if (!head && !tail)
    {
      expect_time (test, element, "self", number, want->self, got->self);
      expect_time (test, element, "preempted", number, want->off[SIM_PREEMPTED] + want->off[SIM_RELEASED],
                   got->preempted);
      expect_time (test, element, "waiting", number, want->off[SIM_WAITING], got->waiting);
      expect (test, element, "GET = CET + PRE + WAIT", number, got->end - got->start,
              got->running + got->preempted + got->waiting);
    }
  if (want->owner < 0)
    expect (test, element, "owner", number, TS_NO_ELEMENT, got->owner);
  else if (want->owner_seen)
    expect (test, element, "owner", number, want->owner, got->owner);
}

static gint
compare_places (gconstpointer a, gconstpointer b)
{
  const TsInstance *one = a, *other = b;

  if (one->element != other->element)
    return one->element < other->element ? -1 : 1;
  if (one->section != other->section)
    return one->section < other->section ? -1 : 1;
  return (one->number > other->number) - (one->number < other->number);
}

void
compare_instances (Comparison *test, guint element)
{
  const GArray *want = test->truth->elements[element].instances;
  const TsInstance *got = (const TsInstance *)test->instances->data;
  guint n = test->instances->len, first;

  if (test->place == 0)
    g_array_sort (test->instances, compare_places);
  for (first = test->place; first < n && got[first].element < element; first++)
    continue;
  for (test->place = first; test->place < n && got[test->place].element == element; test->place++)
    continue;
  if (want->len != test->place - first)
    wrong (test, element, "instances", "expected %u, got %u", want->len, test->place - first);
  for (guint i = 0; i < MIN (want->len, test->place - first); i++)
    compare_instance (test, &g_array_index (want, SimInstance, i), &got[first + i]);
}

void
compare_counts (Comparison *test, guint element, const TsElementCounts *got)
{
  const TruthElement *want = &test->truth->elements[element];

  expect (test, element, "activations", 0, (gint64)want->counts.activations, (gint64)got->activations);
  expect (test, element, "failed", 0, (gint64)want->counts.failed, (gint64)got->failed);
  expect (test, element, "pending", 0, (gint64)want->counts.pending, (gint64)got->pending);
  expect (test, element, "starts", 0, (gint64)want->counts.starts, (gint64)got->starts);
  expect (test, element, "ends", 0, (gint64)want->counts.ends, (gint64)got->ends);
  expect (test, element, "complete", 0, (gint64)want->complete, (gint64)got->complete);
  expect (test, element, "heads", 0, (gint64)want->heads, (gint64)got->partial_head);
  expect (test, element, "tails", 0, (gint64)want->tails, (gint64)got->partial_tail);
  expect (test, element, "missing ends", 0, 0, (gint64)got->missing_end);
}

/* A function that was open several times when the section began, in a task of which nothing
 * has been seen: its second end looks redundant (rule 1). */
gboolean
is_knowable (const Comparison *test, guint element)
{
  const GArray *instances = test->truth->elements[element].instances;

  for (guint i = 0; i < instances->len && !test->numbered; i++)
    {
      const SimInstance *one = &g_array_index (instances, SimInstance, i);

      if ((one->status & SIM_HEAD) != 0 && one->number > 1 && one->owner >= 0 && !one->owner_seen)
        return FALSE;
    }
  return TRUE;
}
