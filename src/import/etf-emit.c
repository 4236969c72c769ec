/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "import/etf.h"
#include "model/pages.h"

/* From jobs to the events that the timeline understands. */

/* So many open jobs are found quickly by going through all of them. */
#define CROWD 16

static inline void
emit (TsEtf *etf, const TsEtfRecord *record, TsEventKind kind, gint64 time, guint32 element, guint8 flags, guint16 resource)
{
  TsEvent *event = ts_import_next (etf->import);

  event->time = time;
  ts_event_place (event, record->line, ts_event_what (kind, flags));
  event->element = element;
  event->instance = record->instance;
  event->owner = TS_NO_ELEMENT;
  event->resource = resource;
  event->owner_number = 0;
  ts_import_commit (etf->import);
}

static inline TsEtfElement *
element_of (const TsEtf *etf, const TsEtfRecord *record)
{
  return &g_array_index (etf->elements, TsEtfElement, record->element);
}

/* What happens and has no extent is written: the timeline gives it a DT and nothing else. */
static void
emit_event (TsEtf *etf, const TsEtfRecord *record)
{
  const TsEtfElement *element = element_of (etf, record);

  if (element->event != TS_NO_ELEMENT)
    emit (etf, record, TS_EVENT_WRITE, record->t0, element->event, TS_EVENT_UNIQUE, TS_NO_RESOURCE);
}

static void
emit_start (TsEtf *etf, const TsEtfRecord *record)
{
  if (record->flags & (TS_ETF_NO_EXEC | TS_ETF_MERGED))
    return;
  if (record->flags & TS_ETF_EVENT)
    emit_event (etf, record);
  else
    emit (etf, record, record->flags & TS_ETF_FIRST ? TS_EVENT_START : TS_EVENT_RESUME, record->t0,
          element_of (etf, record)->task, TS_EVENT_UNIQUE, record->resource);
}

static void
emit_end (TsEtf *etf, const TsEtfRecord *record)
{
  if ((record->flags & (TS_ETF_NO_EXEC | TS_ETF_MERGED | TS_ETF_EVENT)) == 0)
    emit (etf, record, record->flags & TS_ETF_LAST ? TS_EVENT_END : TS_EVENT_PREEMPT, record->t1,
          element_of (etf, record)->task, TS_EVENT_UNIQUE, record->resource);
}

/* At equal stamps activations come first, then starts, then ends: a claim without extent starts before it ends, and
 * a job that begins when the one before ends is another instance, which does not wait for that end. */
static void
merge_streams (TsEtf *etf)
{
  gsize               n = etf->n_records, n_activations, activation = 0, start = 0, end = 0;
  guint32            *by_activation = ts_etf_order (etf, TS_ETF_BY_ACTIVATION, &n_activations);

  while (end < n)
    {
      gint64 start_time = start < n ? etf->records[ts_etf_nth_start (etf, start)].t0 : G_MAXINT64;
      gint64 end_time = etf->records[ts_etf_nth_end (etf, end)].t1;

      if (activation < n_activations)
        {
          const TsEtfRecord *record = &etf->records[by_activation[activation]];
          gint64             time = etf->activations[by_activation[activation]];

          if (time <= start_time && time <= end_time)
            {
              emit (etf, record, TS_EVENT_ACTIVATION, time, element_of (etf, record)->task, TS_EVENT_UNIQUE,
                    record->flags & TS_ETF_EVENT ? TS_NO_RESOURCE : record->resource);
              activation++;
              continue;
            }
        }
      if (start_time <= end_time)
        emit_start (etf, &etf->records[ts_etf_nth_start (etf, start++)]);
      else
        emit_end (etf, &etf->records[ts_etf_nth_end (etf, end++)]);
    }
  ts_pages_release (by_activation, n_activations * sizeof *by_activation);
}

/* Claims that are jobs, each of them, and have no activation: all that there is to do about them is done in one walk,
 * numbers and the use of resources too. For the latter the order at equal stamps makes no difference. */

/* What a walk needs, of which it changes nothing: it is in registers, and not read again after each event. */
typedef struct
{
  TsEtf               *etf;
  TsUsage             *usage;
  TsEtfRecord         *records;
  TsEtfElement        *elements;
  const TsEtfResource *resources;
  const gint64        *amounts;
  gsize                n_open;
  gsize                n_events; /* that were emitted */
  gint64               event_time; /* of the next one, or G_MAXINT64 */
} Walk;

static inline gint64
amount_of (const Walk *walk, gsize number)
{
  return walk->amounts != NULL ? walk->amounts[number] : walk->resources[walk->records[number].resource].amount;
}

static inline guint8
crowd_flag (const TsEtfRecord *record)
{
  return record->flags & TS_ETF_IN_CROWD ? TS_EVENT_UNIQUE : 0;
}

/* Events of no claim */

static const TsEtfEvent *
next_event (Walk *walk)
{
  const TsEtf      *etf = walk->etf;
  const TsEtfEvent *event = NULL;

  if (walk->n_events < etf->events->len)
    event = &g_array_index (etf->events, TsEtfEvent,
                            etf->by_event != NULL ? etf->by_event[walk->n_events] : walk->n_events);
  walk->event_time = event != NULL ? event->time : G_MAXINT64;
  return event;
}

/* Those before @time, and of those at @time the ones before @line. */
static void G_GNUC_NO_INLINE
emit_loose_events (Walk *walk, gint64 time, guint32 line)
{
  const TsEtfEvent *event;

  while ((event = next_event (walk)) != NULL && (event->time < time || (event->time == time && event->line < line)))
    {
      TsEtfRecord record = { .line = event->line, .element = event->element, .instance = event->instance };

      emit (walk->etf, &record, TS_EVENT_WRITE, event->time, walk->elements[event->element].event, 0, TS_NO_RESOURCE);
      walk->n_events++;
    }
}

static inline void
start_claim (Walk *walk, gsize number)
{
  TsEtfRecord  *record = &walk->records[number];
  TsEtfElement *element = &walk->elements[record->element];

  if (G_UNLIKELY (walk->event_time <= record->t0))
    emit_loose_events (walk, record->t0, record->line);
  if (walk->usage != NULL)
    ts_usage_begin (walk->usage, record->resource, record->t0, amount_of (walk, number));
  if (G_UNLIKELY ((record->flags & TS_ETF_NO_EXEC) != 0))
    return;
  record->instance = (gint32) ++element->n_jobs;
  if (++walk->n_open > CROWD)
    record->flags |= TS_ETF_IN_CROWD;
  emit (walk->etf, record, TS_EVENT_START, record->t0, element->task, crowd_flag (record), record->resource);
}

static inline void
end_claim (Walk *walk, gsize number)
{
  const TsEtfRecord *record = &walk->records[number];

  if (G_UNLIKELY (walk->event_time <= record->t1))
    emit_loose_events (walk, record->t1, G_MAXUINT32);
  if (walk->usage != NULL)
    ts_usage_end (walk->usage, record->resource, record->t1, amount_of (walk, number));
  if (G_UNLIKELY ((record->flags & TS_ETF_NO_EXEC) != 0))
    return;
  walk->n_open--;
  emit (walk->etf, record, TS_EVENT_END, record->t1, walk->elements[record->element].task, crowd_flag (record),
        record->resource);
}

static void
emit_claims (TsEtf *etf)
{
  const guint32 *by_start = etf->by_start, *by_end = etf->by_end;
  gsize          n = etf->n_records, start = 0;
  Walk           walk = { .etf = etf,
                          .usage = etf->usage,
                          .records = etf->records,
                          .elements = (TsEtfElement *) (gpointer) etf->elements->data,
                          .resources = (const TsEtfResource *) (gconstpointer) etf->resources->data,
                          .amounts = etf->amounts };

  next_event (&walk);
  for (gsize end = 0; end < n; end++)
    {
      gsize  last = by_end != NULL ? by_end[end] : end;
      gint64 time = walk.records[last].t1;

      for (; start < n; start++)
        {
          gsize number = by_start != NULL ? by_start[start] : start;

          if (walk.records[number].t0 > time)
            break;
          start_claim (&walk, number);
        }
      end_claim (&walk, last);
    }
  emit_loose_events (&walk, G_MAXINT64, 0);
}

void
ts_etf_emit (TsEtf *etf)
{
  TsSection window = { .has_start = TRUE, .start = etf->first, .has_stop = TRUE, .stop = etf->last };

  if (!etf->has_stamps)
    {
      ts_etf_end_usage (etf);
      return;
    }
  ts_import_begin_section (etf->import, &window);
  if (etf->starts_claims)
    emit_claims (etf);
  else
    merge_streams (etf);
  ts_etf_end_usage (etf);
  ts_import_end_section (etf->import);
}
