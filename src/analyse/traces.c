/* SPDX-License-Identifier: MIT */
#include "config.h"

#include <pthread.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "analyse/trace.h"

/* Several traces side by side. A trace shares nothing with others but the options, which nobody changes: what comes
 * of it cannot depend on the number of threads. All that does is when a trace is read, so results and errors are put
 * into the order of the paths. */

typedef struct _Batch Batch;

typedef struct
{
  Batch        *batch;
  const char   *path;
  TsStop       *stop;
  TsTrace      *trace;
  GError       *error;
  guint64       position, size; /* as TsProgress has them */
} Slot;

/* The mutex of POSIX: the thread sanitizer does not see what GLib's do. */
struct _Batch
{
  const TsOptions *options;
  guint            threads; /* for each trace */
  TsProgress       progress;
  gpointer         progress_data;
  pthread_mutex_t  mutex; /* for all that follows */
  Slot            *slots;
  guint            n_slots;
  guint            next; /* the first that nobody has begun */
  guint            end;  /* the first that failed: those behind it are of no use */
};

static gboolean
stat_path (const char *path, struct stat *status)
{
  return (strcmp (path, "-") == 0 ? fstat (STDIN_FILENO, status) : stat (path, status)) == 0;
}

/* What comes of two readers of one stream depends on who is the first. Standard input has one position even
 * if it is a file. */
static gboolean
has_shared_stream (const char *const *paths)
{
  g_autoptr (GArray) streams = g_array_new (FALSE, FALSE, sizeof (struct stat));
  gboolean has_input = FALSE;

  for (guint i = 0; paths[i] != NULL; i++)
    {
      gboolean    is_input = strcmp (paths[i], "-") == 0;
      struct stat status;

      if (is_input && has_input)
        return TRUE;
      has_input = has_input || is_input;
      if (!stat_path (paths[i], &status) || S_ISREG (status.st_mode))
        continue;
      for (guint k = 0; k < streams->len; k++)
        {
          const struct stat *other = &g_array_index (streams, struct stat, k);

          if (other->st_dev == status.st_dev && other->st_ino == status.st_ino)
            return TRUE;
        }
      g_array_append_val (streams, status);
    }
  return FALSE;
}

static void
report_progress (gpointer data, G_GNUC_UNUSED const char *path, guint64 position, guint64 size)
{
  Slot   *slot = data;
  Batch  *batch = slot->batch;
  guint64 sum = 0, total = 0;
  gboolean is_known = TRUE;

  pthread_mutex_lock (&batch->mutex);
  slot->position = position;
  if (size > 0)
    slot->size = size;
  for (guint i = 0; i < batch->n_slots; i++)
    {
      sum += batch->slots[i].position;
      total += batch->slots[i].size;
      is_known = is_known && batch->slots[i].size > 0;
    }
  batch->progress (batch->progress_data, NULL, sum, is_known ? total : 0);
  pthread_mutex_unlock (&batch->mutex);
}

/* The next trace to be read, in their order; NULL: there is none, or none that is of use. */
static Slot *
take_slot (Batch *batch)
{
  Slot *slot = NULL;

  pthread_mutex_lock (&batch->mutex);
  if (batch->next < batch->end)
    slot = &batch->slots[batch->next++];
  pthread_mutex_unlock (&batch->mutex);
  return slot;
}

static void
put_result (Slot *slot, TsTrace *trace, GError *error)
{
  Batch *batch = slot->batch;
  guint  index = (guint) (slot - batch->slots);

  pthread_mutex_lock (&batch->mutex);
  slot->trace = trace;
  slot->error = error;
  if (trace == NULL && index < batch->end)
    {
      batch->end = index;
      for (guint i = index + 1; i < batch->next; i++)
        ts_stop_set (batch->slots[i].stop);
    }
  pthread_mutex_unlock (&batch->mutex);
}

static gpointer
run (gpointer data)
{
  Batch *batch = data;
  Slot  *slot;

  while ((slot = take_slot (batch)) != NULL)
    {
      GError  *error = NULL;
      TsTrace *trace = ts_trace_read_until (slot->path, batch->options, batch->threads, NULL, NULL,
                                            batch->progress != NULL ? report_progress : NULL, slot, slot->stop, &error);

      put_result (slot, trace, error);
    }
  return NULL;
}

static void
init_slots (Batch *batch, const char *const *paths)
{
  batch->slots = g_new0 (Slot, batch->n_slots);
  for (guint i = 0; i < batch->n_slots; i++)
    {
      Slot       *slot = &batch->slots[i];
      struct stat status;

      slot->batch = batch;
      slot->path = paths[i];
      slot->stop = ts_stop_new ();
      if (stat_path (slot->path, &status) && S_ISREG (status.st_mode))
        slot->size = (guint64) status.st_size;
    }
}

/* This thread is one of the @jobs; if there cannot be so many more, there are fewer. */
static void
run_jobs (Batch *batch, guint jobs)
{
  g_autoptr (GPtrArray) threads = g_ptr_array_new ();
  GThread *thread;

  while (threads->len + 1 < jobs && (thread = g_thread_try_new ("trace", run, batch, NULL)) != NULL)
    g_ptr_array_add (threads, thread);
  run (batch);
  for (guint i = 0; i < threads->len; i++)
    g_thread_join (g_ptr_array_index (threads, i));
}

/* Hands over the traces, or the first error. */
static gboolean
collect (Batch *batch, GPtrArray *traces, GError **error)
{
  gboolean ok = batch->end == batch->n_slots;

  for (guint i = 0; i < batch->n_slots; i++)
    {
      Slot *slot = &batch->slots[i];

      if (slot->trace != NULL)
        g_ptr_array_add (traces, slot->trace);
      if (i == batch->end)
        g_propagate_error (error, g_steal_pointer (&slot->error));
      g_clear_error (&slot->error);
      ts_stop_free (slot->stop);
    }
  g_free (batch->slots);
  return ok;
}

static gboolean
read_side_by_side (const char *const *paths, guint n_paths, guint jobs, const TsOptions *options, TsProgress progress,
                   gpointer progress_data, GPtrArray *traces, GError **error)
{
  Batch batch = { .options = options,
                  .threads = options->jobs / jobs,
                  .progress = progress,
                  .progress_data = progress_data,
                  .n_slots = n_paths,
                  .end = n_paths };

  init_slots (&batch, paths);
  pthread_mutex_init (&batch.mutex, NULL);
  run_jobs (&batch, jobs);
  pthread_mutex_destroy (&batch.mutex);
  return collect (&batch, traces, error);
}

static gboolean
read_in_turn (const char *const *paths, guint n_paths, const TsOptions *options, const TsInstanceSink *sink,
              gpointer sink_data, TsProgress progress, gpointer progress_data, GPtrArray *traces, GError **error)
{
  for (guint i = 0; i < n_paths; i++)
    {
      TsTrace *trace = ts_trace_read (paths[i], options, sink, sink_data, progress, progress_data, error);

      if (trace == NULL)
        return FALSE;
      g_ptr_array_add (traces, trace);
    }
  return TRUE;
}

GPtrArray *
ts_traces_read (const char *const *paths, const TsOptions *options, const TsInstanceSink *sink, gpointer sink_data,
                TsProgress progress, gpointer progress_data, GError **error)
{
  g_autoptr (GPtrArray) traces = NULL;
  guint    n_paths, jobs;
  gboolean ok;

  g_return_val_if_fail (paths != NULL && options != NULL, NULL);
  traces = g_ptr_array_new_with_free_func ((GDestroyNotify) ts_trace_free);
  n_paths = g_strv_length ((char **) paths);
  jobs = MIN (options->jobs, n_paths);
  if (jobs <= 1 || sink != NULL || has_shared_stream (paths))
    ok = read_in_turn (paths, n_paths, options, sink, sink_data, progress, progress_data, traces, error);
  else
    ok = read_side_by_side (paths, n_paths, jobs, options, progress, progress_data, traces, error);
  return ok ? g_steal_pointer (&traces) : NULL;
}
