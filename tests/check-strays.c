/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "import/strays.h"
#include "unit.h"

/* What one reading keeps of those that come too late, where the next one does not find all of it again, as when the file was
 * changed meanwhile. */

typedef struct
{
  gint64 time;
  guint  what;
} Item;

static void
learn (TsStrays *strays, gint64 time, guint what, guint64 place)
{
  const Item item = { time, what };

  ck_assert (ts_strays_learn (strays, &item, place, 1));
}

/* What is known at @place; 0: nothing. */
static guint
pass (TsStrays *strays, guint64 place)
{
  const Item *item = ts_strays_pass (strays, place);

  return item != NULL ? item->what : 0;
}

static void
begin_reading (TsStrays *strays)
{
  ts_strays_begin_reading (strays);
  ts_strays_begin_section (strays, 1);
}

/* Two in the first section, and one in the second. */
static TsStrays *
make_strays (void)
{
  TsStrays *strays = ts_strays_new (sizeof (Item));

  begin_reading (strays);
  learn (strays, 50, 1, 5);
  learn (strays, 40, 2, 9);
  ts_strays_begin_section (strays, 1);
  learn (strays, 30, 3, 4);
  return strays;
}

START_TEST (strays_come_in_order_of_time)
{
  TsStrays *strays = make_strays ();

  begin_reading (strays);
  ck_assert_int_eq (ts_strays_next_time (strays), 40);
  ck_assert_uint_eq (((const Item *) ts_strays_take (strays))->what, 2);
  ck_assert_uint_eq (((const Item *) ts_strays_take (strays))->what, 1);
  ck_assert_int_eq (ts_strays_next_time (strays), G_MAXINT64);
  ck_assert_uint_eq (pass (strays, 4), 0);
  ck_assert_uint_eq (pass (strays, 5), 1);
  ck_assert (!ts_strays_have_passed (strays));
  ck_assert_uint_eq (pass (strays, 9), 2);
  ck_assert (ts_strays_have_passed (strays));
  ts_strays_free (strays);
}
END_TEST

/* The second one is not late any more: that of the next section is found nevertheless. */
START_TEST (what_does_not_come_again_is_passed_over)
{
  TsStrays *strays = make_strays ();

  begin_reading (strays);
  ck_assert_uint_eq (pass (strays, 5), 1);
  ck_assert (!ts_strays_have_passed (strays));
  ts_strays_begin_section (strays, 1);
  ck_assert_int_eq (ts_strays_next_time (strays), 30);
  ck_assert_uint_eq (pass (strays, 4), 3);
  ck_assert (ts_strays_have_passed (strays));
  ts_strays_free (strays);
}
END_TEST

/* At 9, where the second one was, or behind it, is another one. */
START_TEST (what_comes_in_its_place_is_kept_for_the_next_reading)
{
  TsStrays     *strays = make_strays ();
  const guint64 place = 9 + 3 * (guint64) _i;

  begin_reading (strays);
  ck_assert_uint_eq (pass (strays, 5), 1);
  if (_i == 0)
    ck_assert_uint_eq (pass (strays, 9), 2); /* it was late, and it is not what it was */
  learn (strays, 20, 4, place);
  ts_strays_begin_section (strays, 1);
  ck_assert_uint_eq (pass (strays, 4), 3);

  begin_reading (strays);
  ck_assert_uint_eq (((const Item *) ts_strays_take (strays))->what, 4);
  ck_assert_uint_eq (((const Item *) ts_strays_take (strays))->what, 1);
  ck_assert_int_eq (ts_strays_next_time (strays), G_MAXINT64);
  ck_assert_uint_eq (pass (strays, 5), 1);
  ck_assert_uint_eq (pass (strays, place), 4);
  ck_assert (ts_strays_have_passed (strays));
  ts_strays_free (strays);
}
END_TEST

int
main (void)
{
  Suite *suite = suite_create ("strays");
  TCase *tests = tcase_create ("strays");

  tcase_add_test (tests, strays_come_in_order_of_time);
  tcase_add_test (tests, what_does_not_come_again_is_passed_over);
  tcase_add_loop_test (tests, what_comes_in_its_place_is_kept_for_the_next_reading, 0, 2);
  suite_add_tcase (suite, tests);
  return unit_run (suite);
}
