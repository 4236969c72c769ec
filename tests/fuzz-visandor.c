/* SPDX-License-Identifier: MIT */
#include "config.h"

#include <stdlib.h>
#include <string.h>

#include "analyse/siblings.h"
#include "import/visandor-unseen.h"
#include "intervals.h"
#include "reading-visandor.h"

/* The VisAndOr importer on any bytes. What comes of them must not depend on the size of the
 * chunks that it gets them in, nor on the quick reader, nor PER on whether instances are shown; events never go back in time;
 * and whatever is in the trace, the parts of an instance add up to its whole. */

/* Each but the last learns another thing: that lines are late, that branches which have split have ends of their own, that
 * most of them have none, which ones do, which forks come to nothing, and which ends are lost; and then once more which ones do,
 * and which forks. */
#define MAX_READINGS 9

int LLVMFuzzerTestOneInput (const guint8 *data, size_t size);

static GArray *
periods_of (const VisReading *reading)
{
  GArray *periods = g_array_new (FALSE, FALSE, sizeof (TsInterval));

  for (guint i = 0; i < reading->intervals->len; i++)
    if (g_array_index (reading->intervals, TsInterval, i).kind == TS_INTERVAL_PER)
      g_array_append_val (periods, g_array_index (reading->intervals, TsInterval, i));
  g_array_sort (periods, compare_periods);
  return periods;
}

/* Whether they are known before, or told late. */
static void
check_periods (const VisReading *reading, const VisReading *shown)
{
  g_autoptr (GArray) periods = periods_of (reading), shown_periods = periods_of (shown);

  if (periods->len != shown_periods->len)
    abort ();
  for (guint i = 0; i < periods->len; i++)
    if (compare_periods (&g_array_index (periods, TsInterval, i), &g_array_index (shown_periods, TsInterval, i)) != 0)
      abort ();
}

static void
check_sums (const VisReading *reading)
{
  for (guint i = 0; i < reading->instances->len; i++)
    {
      const TsInstance *x = &g_array_index (reading->instances, TsInstance, i);

      /* of some is not known how long they ran */
      if (x->status == TS_STATUS_COMPLETE && !(x->flags & TS_INSTANCE_NO_CET)
          && x->running + x->preempted + x->waiting != x->end - x->start)
        abort ();
    }
}

int
LLVMFuzzerTestOneInput (const guint8 *data, size_t size)
{
  static char *const groups[] = { NULL, (char *) "node", (char *) "agent", (char *) "field", (char *) "depth" };

  /* of some inputs, nodes are forgotten as soon as they can be */
  ts_vis_many_tasks = size % 2 == 0 ? TS_VIS_MANY_TASKS : 2;
  ts_vis_n_awaiting = size % 2 == 0 ? TS_VIS_AWAITING : 1 + (guint) size % 4;
  ts_most_strays = size % 5 == 0 ? 0 : size % 5 == 1 ? 3 : 32768;
  ts_most_siblings = size % 11 == 0 ? 256 : 4096;
  ts_vis_most_held = size % 7 == 0 ? 1 : size % 7 == 1 ? 4 : 65536;
  ts_vis_most_awaited = size % 3 == 0 ? 0 : size % 3 == 1 ? 2 : 50000;
  for (guint i = 0; i < 2 * G_N_ELEMENTS (groups); i++)
    {
      const VisReadingFlags flags = i % 2 != 0 ? VIS_READING_OF_STREAM : 0;
      TsOptions             options = { .group = groups[i / 2], .sort = i % 4 == 1 };
      TsOptions             plain_options = { .group = groups[i / 2], .sort = i % 4 == 1, .no_scanner = TRUE };
      g_autoptr (VisReading) whole = vis_reading_new ((const char *) data, (gssize) size, 0, flags, &options);
      g_autoptr (VisReading) chunked = vis_reading_new ((const char *) data, (gssize) size, 7, flags, &options);
      g_autoptr (VisReading) plain = vis_reading_new ((const char *) data, (gssize) size, 0, flags, &plain_options);
      g_autofree char       *whole_text = vis_reading_dump (whole);
      g_autofree char       *chunked_text = vis_reading_dump (chunked);
      g_autofree char       *plain_text = vis_reading_dump (plain);

      if (strcmp (whole_text, chunked_text) != 0 || strcmp (whole_text, plain_text) != 0
          || whole->n_readings > MAX_READINGS || whole->went_back)
        abort ();
      check_sums (whole);
      if (i % 2 == 0 && whole->error == NULL)
        {
          g_autoptr (VisReading) shown
              = vis_reading_new ((const char *) data, (gssize) size, 0, VIS_READING_OF_INSTANCES, &options);

          check_periods (whole, shown);
        }
    }
  return 0;
}
