/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "report/tables.h"
#include "unit.h"

/* Tables, and the text of their cells. */

START_TEST (tables_keep_what_they_are_given)
{
  static const TsColumn columns[] = { { "a", "A" }, { "b", "B" }, { "c", "C" } };
  g_autoptr (TsTable)   table = ts_table_new ("t", "T", TS_TABLE_LIST, TS_FOR_PEOPLE, columns, 3);
  char                  text[8], number[TS_NUMBER_SIZE];

  ck_assert_uint_eq (ts_table_n_rows (table), 0);
  for (gint64 i = 0; i < 2000; i++)
    {
      g_snprintf (text, sizeof (text), "%d", (int) i / 3);
      ts_table_begin_row (table, (guint) i % 5);
      ts_table_add_text (table, text);
      if (i % 2 == 0)
        ts_table_add_integer (table, i);
      if (i % 4 == 0)
        ts_table_add_table (table, ts_table_new ("inner", NULL, TS_TABLE_VALUES, 0, columns, 1));
    }
  ck_assert_uint_eq (ts_table_n_rows (table), 2000);
  for (guint i = 0; i < 2000; i++)
    {
      g_snprintf (text, sizeof (text), "%u", i / 3);
      ck_assert_str_eq (ts_table_get_cell (table, i, 0)->text, text);
      ck_assert_uint_eq (ts_table_get_depth (table, i), i % 5);
      ck_assert_int_eq (ts_table_get_cell (table, i, 1)->type, i % 2 == 0 ? TS_CELL_INTEGER : TS_CELL_ABSENT);
      ck_assert_int_eq (ts_table_get_cell (table, i, 2)->type, i % 4 == 0 ? TS_CELL_TABLE : TS_CELL_ABSENT);
    }
  ck_assert_uint_eq (ts_cell_format (ts_table_get_cell (table, 1998, 1), (TsRational){ 1, 1 }, number), 4);
  ck_assert_str_eq (number, "1998");
}
END_TEST

static TsCell *
make_square (TsCell *cells, gconstpointer data, guint row, guint *depth)
{
  guint *n_made = (guint *) data;

  (*n_made)++;
  *depth = row % 3;
  cells = ts_put_text (cells, row % 2 == 0 ? "even" : "odd");
  if (row != 4)
    cells = ts_put_integer (cells, (gint64) row * row);
  return cells;
}

START_TEST (late_rows_are_made_when_they_are_looked_at)
{
  static const TsColumn columns[] = { { "a", "A" }, { "b", "B" } };
  static const guint    order[] = { 5, 0, 4, 3, 0 };
  guint                 n_made = 0;
  g_autoptr (TsTable)   table = ts_table_new_late ("t", "T", TS_FOR_SHEETS, columns, 2, 6, make_square, &n_made, NULL);

  ck_assert_uint_eq (ts_table_n_rows (table), 6);
  ck_assert_uint_eq (n_made, 0);
  for (guint i = 0; i < G_N_ELEMENTS (order); i++)
    {
      guint row = order[i];

      ck_assert_uint_eq (ts_table_get_depth (table, row), row % 3);
      ck_assert_str_eq (ts_table_get_cell (table, row, 0)->text, row % 2 == 0 ? "even" : "odd");
      ck_assert_int_eq (ts_table_get_cell (table, row, 1)->type, row == 4 ? TS_CELL_ABSENT : TS_CELL_INTEGER);
      if (row != 4)
        ck_assert_int_eq (ts_table_get_cell (table, row, 1)->integer, row * row);
      ck_assert_uint_eq (n_made, i + 1);
    }
  ck_assert_uint_eq (ts_table_n_rows (table), 6);
}
END_TEST

/* Deviations 1 / 2, and one that is not known. */
START_TEST (roots_are_cells_if_they_are_known)
{
  static const TsColumn columns[] = { { "a", "A" }, { "b", "B" }, { "c", "C" }, { "d", "D" } };
  static const char *const texts[] = { "0.5", "5", "", "" };
  const TsRoot        half = { 1, 0, 2, { 1, 1 } }, none = { 0, 0, 0, { 1, 1 } };
  g_autoptr (TsTable) table = ts_table_new ("t", "T", TS_TABLE_LIST, TS_FOR_PEOPLE, columns, 4);
  char                text[TS_NUMBER_SIZE];

  ts_table_begin_row (table, 0);
  ts_table_add_root (table, &half);
  ts_table_add_root_time (table, &half);
  ts_table_add_root (table, &none);
  ts_table_add_root_time (table, &none);
  for (guint i = 0; i < 4; i++)
    {
      const TsCell *cell = ts_table_get_cell (table, 0, i);

      if (ts_cell_format (cell, (TsRational){ 10, 1 }, text) == 0)
        {
          ck_assert_int_eq (cell->type, TS_CELL_ABSENT);
          text[0] = '\0';
        }
      ck_assert_str_eq (text, texts[i]);
    }
}
END_TEST

START_TEST (cells_are_formatted_by_their_type)
{
  TsRational factor = { 2, 3 };
  TsRoot     root = { 225, 0, 4, { 1, 1 } }; /* 15 / 4 */
  char       text[TS_NUMBER_SIZE];

  ts_cell_format (&(TsCell){ .type = TS_CELL_TIME, .number = { 6, 1 } }, factor, text);
  ck_assert_str_eq (text, "4");
  ts_cell_format (&(TsCell){ .type = TS_CELL_NUMBER, .number = { 6, 1 } }, factor, text);
  ck_assert_str_eq (text, "6");
  ts_cell_format (&(TsCell){ .type = TS_CELL_ROOT_TIME, .root = &root }, factor, text);
  ck_assert_str_eq (text, "2.5");
  ts_cell_format (&(TsCell){ .type = TS_CELL_ROOT, .root = &root, .times = 100 }, factor, text);
  ck_assert_str_eq (text, "375");
  ts_cell_format (&(TsCell){ .type = TS_CELL_FLAG, .integer = 1 }, factor, text);
  ck_assert_str_eq (text, "true");
  ck_assert_uint_eq (ts_cell_format (&(TsCell){ .type = TS_CELL_TEXT, .text = "x" }, factor, text), 0);
  ck_assert_uint_eq (ts_cell_format (&(TsCell){ .type = TS_CELL_ABSENT }, factor, text), 0);
}
END_TEST

int
main (void)
{
  Suite *suite = suite_create ("cells");
  TCase *pieces = tcase_create ("pieces");

  tcase_add_test (pieces, tables_keep_what_they_are_given);
  tcase_add_test (pieces, late_rows_are_made_when_they_are_looked_at);
  tcase_add_test (pieces, roots_are_cells_if_they_are_known);
  tcase_add_test (pieces, cells_are_formatted_by_their_type);
  suite_add_tcase (suite, pieces);
  return unit_run (suite);
}
