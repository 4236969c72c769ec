/* SPDX-License-Identifier: MIT */
#include "config.h"

#include <pthread.h>

#include "import/ahead.h"
#include "import/input.h"

typedef struct
{
  guint8 *bytes;
  gsize   length;
  guint64 position;
} Block;

/* The mutexes of POSIX: the thread sanitizer does not see what GLib's do. */
struct _TsAhead
{
  TsAheadRead     read;
  gpointer        source;
  GThread        *thread;
  pthread_mutex_t mutex; /* for all that follows, but for the contents of blocks */
  pthread_cond_t  has_room, has_block;
  Block           blocks[TS_AHEAD_BLOCKS];
  guint64         n_read, n_used; /* blocks; what lies between is the consumer's, the rest the thread's */
  gboolean        is_lent; /* the first of those is in use */
  gboolean        at_end;  /* no block comes any more */
  gboolean        stop;
  GError         *error;   /* what comes after the last block */
};

/* A block to be filled; NULL: no more are wanted. */
static Block *
wait_for_room (TsAhead *ahead)
{
  Block *block;

  pthread_mutex_lock (&ahead->mutex);
  while (!ahead->stop && ahead->n_read - ahead->n_used == TS_AHEAD_BLOCKS)
    pthread_cond_wait (&ahead->has_room, &ahead->mutex);
  block = ahead->stop ? NULL : &ahead->blocks[ahead->n_read % TS_AHEAD_BLOCKS];
  pthread_mutex_unlock (&ahead->mutex);
  return block;
}

static gpointer
run (gpointer data)
{
  TsAhead *ahead = data;
  Block   *block;
  gboolean at_end = FALSE;

  while (!at_end && (block = wait_for_room (ahead)) != NULL)
    {
      GError *error = NULL;

      block->position = 0;
      at_end = !ahead->read (ahead->source, block->bytes, TS_INPUT_BLOCK, &block->length, &block->position, &error);
      pthread_mutex_lock (&ahead->mutex);
      if (at_end)
        ahead->error = error;
      else
        ahead->n_read++;
      at_end = at_end || block->length == 0;
      ahead->at_end = at_end;
      pthread_cond_signal (&ahead->has_block);
      pthread_mutex_unlock (&ahead->mutex);
    }
  return NULL;
}

TsAhead *
ts_ahead_new (TsAheadRead read, gpointer source)
{
  TsAhead *ahead = g_new0 (TsAhead, 1);

  ahead->read = read;
  ahead->source = source;
  for (guint i = 0; i < TS_AHEAD_BLOCKS; i++)
    ahead->blocks[i].bytes = g_malloc (TS_INPUT_BLOCK);
  pthread_mutex_init (&ahead->mutex, NULL);
  pthread_cond_init (&ahead->has_room, NULL);
  pthread_cond_init (&ahead->has_block, NULL);
  ahead->thread = g_thread_try_new ("read", run, ahead, NULL);
  if (ahead->thread == NULL)
    g_clear_pointer (&ahead, ts_ahead_free);
  return ahead;
}

void
ts_ahead_free (TsAhead *ahead)
{
  if (ahead == NULL)
    return;
  if (ahead->thread != NULL)
    {
      pthread_mutex_lock (&ahead->mutex);
      ahead->stop = TRUE;
      pthread_cond_signal (&ahead->has_room);
      pthread_mutex_unlock (&ahead->mutex);
      g_thread_join (ahead->thread);
    }
  pthread_cond_destroy (&ahead->has_block);
  pthread_cond_destroy (&ahead->has_room);
  pthread_mutex_destroy (&ahead->mutex);
  g_clear_error (&ahead->error);
  for (guint i = 0; i < TS_AHEAD_BLOCKS; i++)
    g_free (ahead->blocks[i].bytes);
  g_free (ahead);
}

gboolean
ts_ahead_next (TsAhead *ahead, const guint8 **bytes, gsize *length, guint64 *position, GError **error)
{
  const Block *block = NULL;
  GError      *failure = NULL;

  pthread_mutex_lock (&ahead->mutex);
  if (ahead->is_lent)
    {
      ahead->n_used++;
      ahead->is_lent = FALSE;
      pthread_cond_signal (&ahead->has_room);
    }
  while (ahead->n_read == ahead->n_used && !ahead->at_end)
    pthread_cond_wait (&ahead->has_block, &ahead->mutex);
  if (ahead->n_read > ahead->n_used)
    block = &ahead->blocks[ahead->n_used % TS_AHEAD_BLOCKS];
  else if (ahead->error != NULL)
    failure = g_error_copy (ahead->error);
  ahead->is_lent = block != NULL && block->length > 0; /* the end stays */
  pthread_mutex_unlock (&ahead->mutex);

  if (failure != NULL)
    {
      g_propagate_error (error, failure);
      return FALSE;
    }
  *bytes = block->bytes;
  *length = block->length;
  *position = block->position;
  return TRUE;
}
