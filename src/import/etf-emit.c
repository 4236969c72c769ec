/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "import/etf.h"
#include "model/pages.h"

/* From jobs to the events that the timeline understands. */

/* So many open jobs of an element are found quickly by going through all of them. */
#define CROWD 16
/* From what is emitted to what is asked for. */
#define AHEAD 32
/* So many claims take a large page. */
#define CLAIMS_A_PAGE (TS_LARGE_PAGE / sizeof (TsEtfRecord))

static TS_ALWAYS_INLINE void
fill (TsEvent *event, const TsEtfRecord *record, TsEventKind kind, gint64 time, guint32 element, guint8 flags,
      guint16 resource)
{
  event->time = time;
  ts_event_place (event, record->line, ts_event_what (kind, flags));
  event->element = element;
  event->instance = record->instance;
  event->owner = TS_NO_ELEMENT;
  event->resource = resource;
  event->owner_number = 0;
}

static void
emit (TsEtf *etf, const TsEtfRecord *record, TsEventKind kind, gint64 time, guint32 element, guint8 flags, guint16 resource)
{
  fill (ts_import_next (etf->import), record, kind, time, element, flags, resource);
  ts_import_commit (etf->import);
}

/* What happens and has no extent is written: the timeline gives it a DT and nothing else. */
static void
emit_event (TsEtf *etf, const TsEtfRecord *record)
{
  const TsEtfElement *element = ts_etf_element_of (etf, record);

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
          ts_etf_element_of (etf, record)->task, TS_EVENT_UNIQUE, record->resource);
}

static void
emit_end (TsEtf *etf, const TsEtfRecord *record)
{
  if ((record->flags & (TS_ETF_NO_EXEC | TS_ETF_MERGED | TS_ETF_EVENT)) == 0)
    emit (etf, record, record->flags & TS_ETF_LAST ? TS_EVENT_END : TS_EVENT_PREEMPT, record->t1,
          ts_etf_element_of (etf, record)->task, TS_EVENT_UNIQUE, record->resource);
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
              emit (etf, record, TS_EVENT_ACTIVATION, time, ts_etf_element_of (etf, record)->task,
                    record->instance != TS_NO_INSTANCE ? TS_EVENT_UNIQUE : 0,
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
 * numbers and the use of resources too. No job goes on, so ends come before starts here: who begins as another ends, as all do
 * that are scheduled, is not beside it for no time. For the use of resources the order at equal stamps makes no difference. */

/* What a walk knows. Nothing is given its address, so that all of it is in registers, and not read again after each event
 * that is written. */
typedef struct
{
  TsEtf         *etf;
  TsUsage       *usage;
  TsEtfRecord   *records;
  TsEtfElement  *elements;
  const guint32 *by_start;
  gsize          n, start;   /* how many claims there are, and have started */
  gsize          start_number; /* of the next one to start */
  gint64         start_time; /* or G_MAXINT64 */
  gint64         event_time; /* of the next event of no claim, or G_MAXINT64 */
  TsEvent       *next, *last; /* the place for an event, and the last one of a batch */
} Walk;

/* Events of no claim */

static const TsEtfEvent *
next_event (const TsEtf *etf)
{
  gsize n = etf->n_emitted;

  if (n == etf->events->len)
    return NULL;
  return &g_array_index (etf->events, TsEtfEvent, etf->by_event != NULL ? etf->by_event[n] : n);
}

/* Those before @time, and of those at @time the ones before @line. Returns the time of the next one, or G_MAXINT64. */
static gint64
emit_loose_events (TsEtf *etf, gint64 time, guint32 line)
{
  const TsEtfEvent *event;

  while ((event = next_event (etf)) != NULL && (event->time < time || (event->time == time && event->line < line)))
    {
      TsEtfRecord record = { .line = event->line, .element = event->element, .instance = event->instance };

      emit (etf, &record, TS_EVENT_WRITE, event->time, ts_etf_element_of (etf, &record)->event, 0, TS_NO_RESOURCE);
      etf->n_emitted++;
    }
  return event != NULL ? event->time : G_MAXINT64;
}

static TS_ALWAYS_INLINE void
pass_loose_events (Walk *walk, gint64 time, guint32 line)
{
  if (G_LIKELY (walk->event_time > time))
    return;
  ts_import_commit_up_to (walk->etf->import, walk->next);
  walk->event_time = emit_loose_events (walk->etf, time, line);
  walk->next = ts_import_next (walk->etf->import);
}

/* Claims */

static TS_ALWAYS_INLINE void
emit_next (Walk *walk, const TsEtfRecord *record, TsEventKind kind, gint64 time)
{
  fill (walk->next, record, kind, time, walk->elements[record->element].task,
        record->flags & TS_ETF_IN_CROWD ? TS_EVENT_UNIQUE : 0, record->resource);
  if (G_UNLIKELY (walk->next++ == walk->last))
    walk->next = ts_import_commit_up_to (walk->etf->import, walk->next);
}

/* How it uses its resource, one more or one less, from @time on. */
static TS_ALWAYS_INLINE void
use (const Walk *walk, const TsEtfRecord *record, gint64 time, gint n, gboolean are_alike)
{
  if (are_alike)
    ts_usage_count (walk->usage, record->resource, time, n);
  else if (walk->usage != NULL)
    ts_etf_use (walk->etf, (gsize) (record - walk->records), time, n);
}

/* Those of several streams are far apart: where claims are not in order, what comes some places behind @next is fetched. */
static TS_ALWAYS_INLINE void
fetch_record (const Walk *walk, const guint32 *order, gsize next)
{
  if (order != NULL)
    __builtin_prefetch (&walk->records[order[MIN (next + AHEAD, walk->n - 1)]]);
}

/* The next claim to start; from now on that is the one behind it. */
static TS_ALWAYS_INLINE gsize
pass_start (Walk *walk)
{
  gsize number = walk->start_number;

  fetch_record (walk, walk->by_start, walk->start);
  if (G_LIKELY (++walk->start < walk->n))
    {
      walk->start_number = walk->by_start != NULL ? walk->by_start[walk->start] : walk->start;
      walk->start_time = walk->records[walk->start_number].t0;
    }
  else
    walk->start_time = G_MAXINT64;
  return number;
}

static TS_ALWAYS_INLINE void
start_claim (Walk *walk, gboolean are_alike)
{
  gint64        time = walk->start_time;
  TsEtfRecord  *record = &walk->records[pass_start (walk)];
  TsEtfElement *element = &walk->elements[record->element];

  pass_loose_events (walk, time, record->line);
  use (walk, record, time, 1, are_alike);
  if (G_UNLIKELY ((record->flags & TS_ETF_NO_EXEC) != 0))
    return;
  record->instance = (gint32) ++element->n_jobs;
  if (G_UNLIKELY (++element->n_open > CROWD))
    record->flags |= TS_ETF_IN_CROWD;
  emit_next (walk, record, TS_EVENT_START, time);
}

static TS_ALWAYS_INLINE void
end_claim (Walk *walk, const TsEtfRecord *record, gboolean are_alike)
{
  gint64 time = record->t1;

  pass_loose_events (walk, time - 1, G_MAXUINT32);
  use (walk, record, time, -1, are_alike);
  if (G_UNLIKELY ((record->flags & TS_ETF_NO_EXEC) != 0))
    return;
  walk->elements[record->element].n_open--;
  emit_next (walk, record, TS_EVENT_END, time);
}

/* In order of their ends, claims before number @end are not needed any longer: while what is measured becomes more, what is
 * left of them becomes less. */
static void G_GNUC_NO_INLINE
drop_claims (TsEtf *etf, gsize end)
{
  ts_pages_drop_front (etf->records, etf->n_allocated * sizeof *etf->records, end * sizeof *etf->records);
  if (etf->amounts != NULL)
    ts_pages_drop_front (etf->amounts, etf->n_allocated * sizeof *etf->amounts, end * sizeof *etf->amounts);
}

/* @are_alike: in their amounts, and none is of somebody who idles. */
static TS_ALWAYS_INLINE void
walk_claims (TsEtf *etf, gboolean are_alike)
{
  TsImport      *import = etf->import;
  const guint32 *by_start = etf->by_start, *by_end = etf->by_end;
  Walk           walk = { .etf = etf,
                          .usage = etf->usage,
                          .records = etf->records,
                          .elements = (TsEtfElement *) (gpointer) etf->elements->data,
                          .by_start = by_start,
                          .n = etf->n_records,
                          .start_number = by_start != NULL ? by_start[0] : 0,
                          .start_time = etf->records[ts_etf_nth_start (etf, 0)].t0,
                          .event_time = emit_loose_events (etf, G_MININT64, 0),
                          .next = ts_import_next (import),
                          .last = import->events + TS_BATCH_EVENTS - 1 };

  for (gsize end = 0; end < walk.n; end++)
    {
      const TsEtfRecord *last = &walk.records[by_end != NULL ? by_end[end] : end];

      fetch_record (&walk, by_end, end);
      if (G_UNLIKELY (end % CLAIMS_A_PAGE == 0) && by_end == NULL)
        drop_claims (etf, end);
      /* one without extent starts before it ends */
      while (walk.start_time < last->t1 || (walk.start_time == last->t1 && last->t0 == last->t1))
        start_claim (&walk, are_alike);
      end_claim (&walk, last, are_alike);
    }
  ts_import_commit_up_to (import, walk.next);
}

static void
emit_claims (TsEtf *etf)
{
  if (etf->usage != NULL && etf->load == NULL && etf->amounts == NULL && etf->n_records > 0)
    walk_claims (etf, TRUE);
  else if (etf->n_records > 0)
    walk_claims (etf, FALSE);
  emit_loose_events (etf, G_MAXINT64, 0);
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
