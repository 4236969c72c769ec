/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "analyse/index.h"
#include "unit.h"

/* Jobs by element and number: whichever of both are many, no chain gets long. */

#define N_JOBS 40000u
#define LONGEST 12u

static const struct
{
  guint32 n_elements, element_step, instance_step;
} cases[] = {
  { 1, 1, 1 }, { N_JOBS, 1, 1 }, { 200, 1, 1 }, { 3, 1, 1 }, { 200, 3, 8 }, { N_JOBS, 16, 1 }, { 1, 1, 64 },
};

START_TEST (chains_are_short)
{
  TsJob     *jobs = g_new0 (TsJob, N_JOBS);
  TsJobIndex index = { .shift = 0 };

  ts_job_index_init (&index);
  for (guint32 i = 0; i < N_JOBS; i++)
    {
      jobs[i].facts.element = i % cases[_i].n_elements * cases[_i].element_step;
      jobs[i].facts.own_number = (gint32) (i / cases[_i].n_elements * cases[_i].instance_step);
      ts_job_index_reserve (&index, i + 1);
      ts_job_index_insert (&index, &jobs[i]);
    }
  for (guint32 i = 0; i < N_JOBS; i++)
    {
      guint n = 0;

      for (TsJob *job = *ts_job_index_slot (&index, jobs[i].facts.element, jobs[i].facts.own_number); job != &jobs[i];
           job = job->next_indexed)
        ck_assert_uint_lt (++n, LONGEST);
      ck_assert_ptr_eq (ts_job_index_find (&index, jobs[i].facts.element, jobs[i].facts.own_number), &jobs[i]);
    }
  for (guint32 i = 0; i < N_JOBS; i++)
    {
      ts_job_index_remove (&index, &jobs[i]);
      ck_assert_ptr_null (ts_job_index_find (&index, jobs[i].facts.element, jobs[i].facts.own_number));
    }
  g_free (index.slots);
  g_free (jobs);
}
END_TEST

int
main (void)
{
  Suite *suite = suite_create ("index");
  TCase *tcase = tcase_create ("chains");

  suite_add_tcase (suite, tcase);
  tcase_add_loop_test (tcase, chains_are_short, 0, G_N_ELEMENTS (cases));
  return unit_run (suite);
}
