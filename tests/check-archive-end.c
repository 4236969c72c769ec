/* SPDX-License-Identifier: MIT */
#include "config.h"

#include <string.h>

#include "archive-fixture.h"
#include "unit.h"

/* What may follow compressed data and archives, and what may not. */

START_TEST (compressed_parts_follow_one_another)
{
  GString *text = make_text (100000);
  g_autofree char *path = make_archive ((guint) _i, text);
  g_autofree char *bytes = NULL;
  GError *error = NULL;
  gsize   length;

  ck_assert (g_file_get_contents (path, &bytes, &length, NULL));
  append_bytes (path, bytes, length);
  g_string_append_len (text, text->str, (gssize) text->len);
  expect_text (read_file (path, 0, &error), text, &error);
  expect_text (read_piped (path, 0, &error), text, &error);
  g_string_free (text, TRUE);
}
END_TEST

START_TEST (zeros_may_follow_gzip_and_nothing_else)
{
  static const char zeros[70000];
  GString *text = make_text (1000);
  g_autofree char *path = make_archive (0, text);
  GError *error = NULL;

  append_bytes (path, zeros, sizeof zeros);
  expect_text (read_file (path, 0, &error), text, &error);
  append_bytes (path, "x", 1);
  expect_failure (read_file (path, 0, &error), &error, path, "something else");
  g_string_free (text, TRUE);
}
END_TEST

/* Fewer bytes than another part begins with, or a number of zeros that xz cannot have. What is the beginning of another
 * part is cut off. */
START_TEST (what_follows_xz_is_not_taken_for_a_part_that_is_cut_off)
{
  static const struct
  {
    const char *bytes;
    gsize       length;
    gboolean    is_cut;
  } others[] = { { "j", 1, FALSE },          { "junk", 4, FALSE },       { "\0\0\0\0junkjunk", 12, FALSE },
                 { "\0", 1, FALSE },         { "\0\0\0\0\0", 5, FALSE }, { "\xfd", 1, TRUE },
                 { "\xfd" "7zXZ\0", 6, TRUE }, { "\xfd" "7zXz\0", 6, FALSE }, { "\0\0\0\0\xfd" "7zXZ\0\0", 11, TRUE } };
  GString *text = make_text (1000);
  g_autofree char *path = make_archive (1, text);
  GError *error = NULL;
  const char *reason = others[_i].is_cut ? "truncated" : "there is something else after the compressed data";

  append_bytes (path, others[_i].bytes, others[_i].length);
  expect_failure (read_file (path, 0, &error), &error, path, reason);
  expect_failure (read_piped (path, 0, &error), &error, "standard input", reason);
  g_string_free (text, TRUE);
}
END_TEST

/* Two parts, of which the second is cut off within its 14 first bytes, which are all that an empty one has and that
 * libarchive needs to see one; or it has a wrong bit among those that it knows a part by. */
START_TEST (a_further_part_of_bzip2_that_does_not_begin_well_is_noticed)
{
  static const char zeros[70000];
  GString *text = make_text ((gsize) _i);
  g_autofree char *path = make_archive (3, text);
  g_autofree char *bytes = NULL;
  GError *error = NULL;
  gsize   length;

  ck_assert (g_file_get_contents (path, &bytes, &length, NULL));
  append_bytes (path, zeros, sizeof zeros);
  expect_text (read_file (path, 0, &error), text, &error);
  expect_text (read_piped (path, 0, &error), text, &error);
  append_bytes (path, "x", 1);
  expect_failure (read_file (path, 0, &error), &error, path, "something else");
  for (gsize part = 1; part < 14; part++)
    {
      ck_assert (g_file_set_contents (path, bytes, (gssize) length, NULL));
      append_bytes (path, bytes, part);
      expect_failure (read_file (path, 0, &error), &error, path, "cut off");
      expect_failure (read_piped (path, 0, &error), &error, "standard input", "cut off");
    }
  for (gsize at = 0; at < 10; at++)
    {
      ck_assert (g_file_set_contents (path, bytes, (gssize) length, NULL));
      bytes[at] ^= 0x40;
      append_bytes (path, bytes, length);
      bytes[at] ^= 0x40;
      expect_failure (read_file (path, 0, &error), &error, path, "damaged");
      expect_failure (read_piped (path, 0, &error), &error, "standard input", "damaged");
    }
  g_string_free (text, TRUE);
}
END_TEST

/* Behind the only member, which is small. */
START_TEST (zeros_behind_a_compressed_tar_have_the_same_limit)
{
  GString *text = make_text (1000);
  g_autofree char *path = make_archive (5, text);
  g_autofree char *zeros = g_malloc0 (1024 * 1024);
  GError *error = NULL;

  append_bytes (path, zeros, 1024 * 1024);
  pack_file (path, (guint) _i, "archive");
  expect_failure (read_file (path, 1000000, &error), &error, path, "expands to more than 1000000 bytes");
  expect_failure (read_piped (path, 1000000, &error), &error, "standard input", "expands to more than 1000000 bytes");
  g_string_free (text, TRUE);
}
END_TEST

/* As cat puts them together; also a text, and other data than before it. */
START_TEST (archives_do_not_follow_one_another)
{
  const char *const others[] = { NULL, "x", "BZh9\x31\x41\x59\x26\x53\x59", "0\n1 5 0 0 0 0\n" };
  GString *text = make_text (3000);
  g_autofree char *path = make_archive (FIRST_CONTAINER + (guint) _i, text);
  g_autofree char *bytes = NULL;
  GError *error = NULL;
  gsize   length;

  ck_assert (g_file_get_contents (path, &bytes, &length, NULL));
  for (guint i = 0; i < G_N_ELEMENTS (others); i++)
    {
      const char *reason = i == 0 || _i < 2 ? "perhaps another one" : ""; /* zip and tar are not compressed */

      ck_assert (g_file_set_contents (path, bytes, (gssize) length, NULL));
      append_bytes (path, i == 0 ? bytes : others[i], i == 0 ? length : strlen (others[i]));
      expect_failure (read_file (path, 0, &error), &error, path, reason);
      expect_failure (read_piped (path, 0, &error), &error, "standard input", reason);
    }
  g_string_free (text, TRUE);
}
END_TEST

/* The same within compressed data, where nothing can be sought: zip and tar, by each of the four. */
START_TEST (nor_do_they_where_they_are_compressed_together)
{
  guint    container = FIRST_CONTAINER + (guint) _i / FIRST_CONTAINER, filter = (guint) _i % FIRST_CONTAINER;
  GString *text = make_text (3000);
  g_autofree char *path = make_archive (container, text);
  g_autofree char *bytes = NULL;
  GError *error = NULL;
  gsize   length;

  ck_assert (g_file_get_contents (path, &bytes, &length, NULL));
  pack_file (path, filter, "archive");
  expect_text (read_file (path, 0, &error), text, &error);
  expect_text (read_piped (path, 0, &error), text, &error);
  ck_assert (g_file_set_contents (path, bytes, (gssize) length, NULL));
  append_bytes (path, bytes, length);
  pack_file (path, filter, "archive");
  expect_failure (read_file (path, 0, &error), &error, path, "perhaps another one");
  expect_failure (read_piped (path, 0, &error), &error, "standard input", "perhaps another one");
  g_string_free (text, TRUE);
}
END_TEST

/* Be it whole blocks or not, and also where they are compressed. */
START_TEST (zeros_may_follow_a_tar)
{
  static const char  zeros[70000];
  static const gsize numbers[] = { 1, 100, 512, 10240, sizeof zeros };
  GString *text = make_text (3000);
  GError  *error = NULL;

  for (guint i = 0; i < G_N_ELEMENTS (numbers); i++)
    {
      g_autofree char *path = make_archive (5, text);

      append_bytes (path, zeros, numbers[i]);
      if (_i > 0)
        pack_file (path, (guint) _i - 1, "archive");
      expect_text (read_file (path, 0, &error), text, &error);
      expect_text (read_piped (path, 0, &error), text, &error);
    }
  g_string_free (text, TRUE);
}
END_TEST

/* The comment has what the last record begins with, and the record is that of a small or of a large archive. */
START_TEST (a_zip_archive_may_have_a_comment_and_a_record_of_64_bits)
{
  static const char comment[] = "a PK\5\6 b";
  GString *text = make_text (3000);
  g_autofree char *path = path_of ("archive");
  g_autofree char *bytes = NULL, *twice = NULL;
  struct archive  *writer = archive_write_new ();
  GError *error = NULL;
  gsize   length;

  ck_assert_int_eq (archive_write_set_format_zip (writer), ARCHIVE_OK);
  ck_assert_int_eq (archive_write_set_options (writer, _i > 0 ? "zip:zip64" : "zip:!zip64"), ARCHIVE_OK);
  ck_assert_int_eq (archive_write_open_filename (writer, path), ARCHIVE_OK);
  add_member (writer, "one.vis", AE_IFREG, text->str, text->len);
  end_archive (writer);
  ck_assert (g_file_get_contents (path, &bytes, &length, NULL));
  ck_assert_int_eq (memcmp (bytes + length - 22 - 20, "PK\6\7", 4) == 0, _i > 0);
  bytes[length - 2] = sizeof comment;
  ck_assert (g_file_set_contents (path, bytes, (gssize) length, NULL));
  append_bytes (path, comment, sizeof comment);
  expect_text (read_file (path, 0, &error), text, &error);
  expect_text (read_piped (path, 0, &error), text, &error);

  twice = g_malloc (2 * length);
  memcpy (twice, bytes, length);
  memcpy (twice + length, bytes, length);
  twice[2 * length - 2] = 0;
  ck_assert (g_file_set_contents (path, twice, (gssize) (2 * length), NULL));
  expect_failure (read_file (path, 0, &error), &error, path, "perhaps another one");
  expect_failure (read_piped (path, 0, &error), &error, "standard input", "perhaps another one");
  g_string_free (text, TRUE);
}
END_TEST

int
main (void)
{
  Suite *suite = suite_create ("archive-end");
  TCase *tests = tcase_create ("archive-end");

  tcase_add_checked_fixture (tests, make_folder, remove_folder);
  tcase_set_timeout (tests, 60);
  tcase_add_loop_test (tests, compressed_parts_follow_one_another, 0, FIRST_CONTAINER);
  tcase_add_test (tests, zeros_may_follow_gzip_and_nothing_else);
  tcase_add_loop_test (tests, what_follows_xz_is_not_taken_for_a_part_that_is_cut_off, 0, 9);
  tcase_add_loop_test (tests, a_further_part_of_bzip2_that_does_not_begin_well_is_noticed, 0, 2);
  tcase_add_loop_test (tests, zeros_behind_a_compressed_tar_have_the_same_limit, 0, FIRST_CONTAINER);
  tcase_add_loop_test (tests, archives_do_not_follow_one_another, 0, 4);
  tcase_add_loop_test (tests, nor_do_they_where_they_are_compressed_together, 0, 2 * FIRST_CONTAINER);
  tcase_add_loop_test (tests, zeros_may_follow_a_tar, 0, 1 + FIRST_CONTAINER);
  tcase_add_loop_test (tests, a_zip_archive_may_have_a_comment_and_a_record_of_64_bits, 0, 2);
  suite_add_tcase (suite, tests);
  return unit_run (suite);
}
