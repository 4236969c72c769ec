/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "import/etf.h"
#include "model/glob.h"
#include "model/pages.h"

/* From claims to jobs. */

/* Which resources execute */
static void
choose_resources (TsEtf *etf)
{
  if (etf->exec_resources == NULL)
    {
      for (guint i = 0; i < etf->elements->len; i++)
        {
          TsEtfElement *element = &g_array_index (etf->elements, TsEtfElement, i);

          element->has_jobs = element->has_claims;
        }
      return;
    }
  for (guint k = 0; k < etf->exec_resources->len; k++)
    {
      gboolean found = FALSE;

      for (guint i = 0; i < etf->resources->len; i++)
        {
          TsEtfResource *resource = &g_array_index (etf->resources, TsEtfResource, i);

          if (!ts_glob_matches (g_ptr_array_index (etf->exec_resources, k), resource->name))
            continue;
          resource->is_exec = TRUE;
          found = TRUE;
        }
      if (!found)
        ts_diagnostics_add (etf->import->diagnostics, TS_DIAGNOSTIC_NO_SUCH_RESOURCE, 0, "--exec-resources %s",
                            etf->import->options->exec_resources);
    }
  for (gsize i = 0; i < etf->n_records; i++)
    {
      TsEtfRecord *record = &etf->records[i];

      if (g_array_index (etf->resources, TsEtfResource, record->resource).is_exec)
        ts_etf_element_of (etf, record)->has_jobs = TRUE;
      else
        record->flags |= TS_ETF_NO_EXEC;
    }
  /* what is activated and never runs has jobs that are pending */
  for (guint i = 0; i < etf->events->len; i++)
    {
      const TsEtfEvent *event = &g_array_index (etf->events, TsEtfEvent, i);
      TsEtfElement     *element = &g_array_index (etf->elements, TsEtfElement, event->element);

      if ((event->flags & TS_ETF_ACTIVATES) && element->has_claims)
        element->has_jobs = TRUE;
    }
}

static void
declare_elements (TsEtf *etf)
{
  TsSystem *system = etf->import->system;

  for (guint i = 0; i < etf->elements->len; i++)
    {
      TsEtfElement    *element = &g_array_index (etf->elements, TsEtfElement, i);
      g_autofree char *name = ts_etf_element_name (etf, element);

      if (element->has_jobs)
        element->task = ts_system_add_element (system, TS_TYPE_TASK, name, NULL, TS_NO_ELEMENT, TS_NO_RESOURCE);
      else if (!element->has_claims)
        element->event = ts_system_add_element (system, TS_TYPE_EVENT, name, NULL, TS_NO_ELEMENT, TS_NO_RESOURCE);
      /* its claims are no load even where they are no jobs */
      element->is_idle = ts_system_is_idle_name (system, name);
    }
}

/* Those that mean something are left: that activate, or are of no claim. */
static void
choose_events (TsEtf *etf)
{
  TsEtfEvent *events = (TsEtfEvent *) (gpointer) etf->events->data;
  guint       n = 0;

  for (guint i = 0; i < etf->events->len; i++)
    {
      const TsEtfElement *element = &g_array_index (etf->elements, TsEtfElement, events[i].element);

      if (!element->has_jobs)
        events[i].flags &= (guint16) ~TS_ETF_ACTIVATES;
      if ((events[i].flags & TS_ETF_ACTIVATES) || element->event != TS_NO_ELEMENT)
        events[n++] = events[i];
    }
  g_array_set_size (etf->events, n);
}

/* What activates jobs is sorted with their claims. */
static void
add_events (TsEtf *etf)
{
  ts_etf_reserve_records (etf, etf->n_records + etf->events->len);
  for (guint i = 0; i < etf->events->len; i++)
    {
      const TsEtfEvent *event = &g_array_index (etf->events, TsEtfEvent, i);

      etf->records[etf->n_records++] = (TsEtfRecord){ .t0 = event->time,
                                                      .t1 = event->time,
                                                      .line = event->line,
                                                      .element = event->element,
                                                      .instance = event->instance,
                                                      .flags = event->flags };
    }
  g_array_unref (etf->events);
  etf->events = g_array_new (FALSE, FALSE, sizeof (TsEtfEvent));
}

void
ts_etf_declare (TsEtf *etf)
{
  choose_resources (etf);
  for (guint i = 0; i < etf->resources->len; i++)
    {
      const TsEtfResource *resource = &g_array_index (etf->resources, TsEtfResource, i);

      ts_system_share_resource (etf->import->system,
                                ts_system_add_resource (etf->import->system, resource->name, resource->id, NULL));
    }
  declare_elements (etf);
  etf->n_claims = etf->n_records;
  choose_events (etf);
  if (!etf->starts_claims)
    add_events (etf);
}

/* Jobs */

gboolean
ts_etf_set_activation (TsEtf *etf, gsize number, gint64 time)
{
  TsEtfRecord *record = &etf->records[number];

  if (time > record->t0)
    return FALSE;
  /* that of a dependency is there already */
  if (ts_etf_activation (etf, number) != time)
    ts_etf_activate (etf, number, time, 0);
  record->flags |= TS_ETF_HAS_ACTIVATION;
  return TRUE;
}

void
ts_etf_take_activation (TsEtf *etf, guint32 event, guint32 number)
{
  etf->records[event].flags |= TS_ETF_TAKEN;
  etf->records[event].instance = (gint32) number;
}

/* An event that activates waits for a job of its element, the oldest first; `instance' is the next one that waits. */
static void
queue_event (TsEtf *etf, guint32 number)
{
  TsEtfRecord  *event = &etf->records[number];
  TsEtfElement *element = ts_etf_element_of (etf, event);

  event->instance = -1;
  if (element->first_event == TS_ETF_NONE)
    element->first_event = number;
  else
    etf->records[element->last_event].instance = (gint32) number;
  element->last_event = number;
}

static void
start_claim (TsEtf *etf, guint32 number)
{
  TsEtfRecord  *record = &etf->records[number];
  TsEtfElement *element = ts_etf_element_of (etf, record);
  gint64        activation = ts_etf_activation (etf, number);

  record->flags |= TS_ETF_FIRST | TS_ETF_LAST;
  record->instance = (gint32) ++element->n_jobs;
  if (element->first_event != TS_ETF_NONE)
    {
      guint32 event = element->first_event;

      activation = etf->records[event].t0;
      element->first_event = (guint32) etf->records[event].instance;
      ts_etf_take_activation (etf, event, number);
    }
  if (ts_etf_is_activation (activation) && !ts_etf_set_activation (etf, number, activation))
    ts_diagnostics_add (etf->import->diagnostics, TS_DIAGNOSTIC_LATE_ACTIVATION, record->line, NULL);
}

/* Activations that no claim took get numbers behind those of all claims. */
static void
number_waiting_events (TsEtf *etf)
{
  for (guint i = 0; i < etf->elements->len; i++)
    {
      TsEtfElement *element = &g_array_index (etf->elements, TsEtfElement, i);

      while (element->first_event != TS_ETF_NONE)
        {
          guint32      number = element->first_event;
          TsEtfRecord *event = &etf->records[number];

          element->first_event = (guint32) event->instance;
          event->instance = (gint32) ++element->n_jobs;
          ts_etf_set_activation (etf, number, event->t0);
        }
    }
}

/* Each claim is a job. At equal stamps activations come first, wherever they stand in the file. */
static void
claims_to_jobs (TsEtf *etf)
{
  gsize next = 0, n = etf->n_records;

  for (gsize i = 0; i < n; i++)
    {
      const TsEtfRecord *record = &etf->records[ts_etf_nth_start (etf, i)];

      if (record->flags & (TS_ETF_EVENT | TS_ETF_NO_EXEC))
        continue;
      for (; next < n && n > etf->n_claims && etf->records[ts_etf_nth_start (etf, next)].t0 <= record->t0; next++)
        if (etf->records[ts_etf_nth_start (etf, next)].flags & TS_ETF_ACTIVATES)
          queue_event (etf, ts_etf_nth_start (etf, next));
      start_claim (etf, ts_etf_nth_start (etf, i));
    }
  for (; next < n && n > etf->n_claims; next++)
    if (etf->records[ts_etf_nth_start (etf, next)].flags & TS_ETF_ACTIVATES)
      queue_event (etf, ts_etf_nth_start (etf, next));
  number_waiting_events (etf);
}

/* Where a job has no number of its own, the jobs of its element are counted: a number that was made up could be that of
 * another job. An activation without a job has none then, which would be above that of a job that starts later, and needs none
 * either where its own is made up: the timeline counts it behind all others. Claims are in front of all events. */
static gboolean
find_uncounted (TsEtf *etf)
{
  gboolean found = FALSE;

  for (gsize i = 0; i < etf->n_records; i++)
    {
      TsEtfRecord   *record = &etf->records[i];
      const gboolean has_number = (record->flags & (TS_ETF_TEXT_INSTANCE | TS_ETF_NO_INSTANCE)) == 0;

      if ((record->flags & TS_ETF_EVENT) == 0)
        {
          if (!has_number && (record->flags & TS_ETF_NO_EXEC) == 0)
            ts_etf_element_of (etf, record)->is_counted = found = TRUE;
        }
      else if ((record->flags & TS_ETF_HAS_ACTIVATION) && (!has_number || ts_etf_element_of (etf, record)->is_counted))
        record->instance = TS_NO_INSTANCE;
    }
  return found;
}

/* The next number of its element. */
static void
count_job (TsEtf *etf, TsEtfRecord *record)
{
  TsEtfElement *element = ts_etf_element_of (etf, record);

  if (element->is_counted)
    record->instance = (gint32) ++element->n_jobs;
}

/* Numbers from 1 in order of start, in which those of one element are activated, too, as far as is known. */
static void
number_jobs (TsEtf *etf)
{
  gsize  n = etf->n_records;
  gint32 number = 0;
  guint32 *by_job = ts_etf_order (etf, TS_ETF_BY_JOB, &n);

  for (gsize i = 0; i < n; i++)
    {
      TsEtfRecord *record = &etf->records[ts_etf_nth_start (etf, i)];

      if (record->flags & TS_ETF_FIRST)
        count_job (etf, record);
    }
  for (gsize i = 0; i < n; i++)
    {
      TsEtfRecord *record = &etf->records[by_job[i]];

      if (!ts_etf_element_of (etf, record)->is_counted || (record->flags & TS_ETF_EVENT))
        continue;
      if (record->flags & TS_ETF_FIRST)
        number = record->instance;
      else
        record->instance = number;
    }
  ts_pages_release (by_job, n * sizeof *by_job);
}

/* Misspelt, they would only make everything look simpler than it is. */
static void
note_options_in_vain (const TsEtf *etf)
{
  guint16 all = G_MAXUINT16, any = 0;

  for (gsize i = 0; i < etf->n_records; i++)
    {
      all &= etf->records[i].flags;
      any |= etf->records[i].flags;
    }
  if (etf->instance_keys.n > 0 && etf->n_records > 0 && (all & TS_ETF_NO_INSTANCE))
    ts_diagnostics_add (etf->import->diagnostics, TS_DIAGNOSTIC_NO_INSTANCE_KEY, 0, "--instance-key %s",
                        etf->import->options->instance_key);
  if ((etf->activation == TS_ETF_ACTIVATION_EVENT && (any & TS_ETF_ACTIVATES) == 0)
      || (etf->activation == TS_ETF_ACTIVATION_DEPENDENCY && etf->n_activations == 0))
    ts_diagnostics_add (etf->import->diagnostics, TS_DIAGNOSTIC_NO_SUCH_ACTIVATION, 0, "--activation %s",
                        etf->import->options->activation);
}

void
ts_etf_make_jobs (TsEtf *etf)
{
  gsize n;

  if (!etf->has_stamps || etf->starts_claims)
    return;
  note_options_in_vain (etf);
  if (etf->instance_keys.n == 0)
    {
      claims_to_jobs (etf);
      return;
    }
  /* intervals grow together: the order of their ends is that of claims no longer */
  ts_pages_release (etf->by_end, etf->n_records * sizeof *etf->by_end);
  etf->by_end = NULL;
  ts_etf_group_jobs (etf);
  if (find_uncounted (etf))
    number_jobs (etf);
  etf->by_end = ts_etf_order (etf, TS_ETF_BY_END, &n);
}
