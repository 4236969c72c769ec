/* SPDX-License-Identifier: MIT */
#include "config.h"

#include <glib/gstdio.h>
#include <string.h>
#include <unistd.h>

#include "archive-fixture.h"
#include "unit.h"

START_TEST (every_kind_is_expanded_from_file_and_pipe)
{
  GString *text = make_text (900000);
  g_autofree char *path = make_archive ((guint) _i, text);
  GError *error = NULL;

  expect_text (read_file (path, 0, &error), text, &error);
  expect_text (read_piped (path, 0, &error), text, &error);
  g_string_free (text, TRUE);
}
END_TEST

START_TEST (a_compressed_file_is_read_again_after_a_rewind)
{
  GString *text = make_text (600000);
  g_autofree char *path = make_archive ((guint) _i, text);
  g_autoptr (TsInput) input = ts_input_open (path, NULL);
  GError       *error = NULL;
  const guint8 *bytes;
  gsize         length;

  ck_assert (ts_input_read (input, &bytes, &length, &error) && length > 0);
  ck_assert (ts_input_can_rewind (input));
  ck_assert (ts_input_rewind (input, &error));
  expect_text (read_all (input, &error), text, &error);
  ck_assert (ts_input_rewind (input, &error));
  expect_text (read_all (input, &error), text, &error);
  g_string_free (text, TRUE);
}
END_TEST

/* Frames of zstd that are to be skipped may stand first, of any of 16 kinds, and behind the last one. */
START_TEST (frames_that_are_to_be_skipped_are_skipped)
{
  const char frame[] = { (char) (0x50 + _i), 0x2a, 0x4d, 0x18, 5, 0, 0, 0, 'a', 'b', 'c', 'd', 'e' };
  GString *text = make_text (600000);
  g_autofree char *zstd = make_archive (2, text), *path = path_of ("skipped"), *bytes = NULL;
  GError *error = NULL;
  gsize   length;

  ck_assert (g_file_get_contents (zstd, &bytes, &length, NULL));
  ck_assert (g_file_set_contents (path, frame, sizeof frame, NULL));
  append_bytes (path, bytes, length);
  append_bytes (path, frame, sizeof frame);
  expect_text (read_file (path, 0, &error), text, &error);
  expect_text (read_piped (path, 0, &error), text, &error);
  g_string_free (text, TRUE);
}
END_TEST

/* A thread expands it from the second block on: 3,000,000 bytes are more than it may be ahead. */
START_TEST (a_compressed_file_is_read_ahead)
{
  GString *text = make_text (3000000);
  g_autofree char *path = make_archive ((guint) _i, text);
  g_autoptr (TsStop)  stop = ts_stop_new ();
  g_autoptr (TsInput) input = ts_input_open_ahead (path, stop, NULL);
  GError       *error = NULL;
  const guint8 *bytes;
  gsize         length;

  for (guint n_blocks = 0; n_blocks < 4; n_blocks++)
    {
      for (guint i = 0; i < n_blocks; i++)
        ck_assert (ts_input_read (input, &bytes, &length, &error) && length > 0);
      ck_assert (ts_input_rewind (input, &error));
      ck_assert_uint_eq (ts_input_position (input), 0);
    }
  expect_text (read_all (input, &error), text, &error);
  ck_assert_uint_gt (ts_input_position (input), ts_input_size (input) / 2);
  ck_assert (ts_input_rewind (input, &error));
  expect_text (read_all (input, &error), text, &error);
  g_string_free (text, TRUE);
}
END_TEST

START_TEST (progress_counts_compressed_bytes)
{
  GString *text = make_text (3000000);
  g_autofree char *path = make_archive ((guint) _i, text);
  g_autoptr (TsInput) input = ts_input_open (path, NULL);
  GError       *error = NULL;
  const guint8 *bytes;
  gsize         length;
  guint64       previous = 0, size = ts_input_size (input);
  GStatBuf      status;

  ck_assert_int_eq (g_stat (path, &status), 0);
  ck_assert_uint_eq (size, (guint64) status.st_size);
  do
    {
      ck_assert (ts_input_read (input, &bytes, &length, &error));
      ck_assert_uint_ge (ts_input_position (input), previous);
      previous = ts_input_position (input);
      ck_assert_uint_le (previous, size);
    }
  while (length > 0);
  ck_assert_uint_gt (previous, size / 2);
  g_string_free (text, TRUE);
}
END_TEST

START_TEST (a_cut_off_archive_is_an_error_that_says_so)
{
  static const guint permille[] = { 950, 500, 100 };
  GString *text = make_text (500000);
  g_autofree char *path = make_archive ((guint) _i, text);
  GStatBuf status;

  ck_assert_int_eq (g_stat (path, &status), 0);
  for (guint i = 0; i < G_N_ELEMENTS (permille); i++)
    {
      GError *error = NULL;

      ck_assert_int_eq (truncate (path, status.st_size * permille[i] / 1000), 0);
      expect_failure (read_file (path, 0, &error), &error, path, "truncated");
      expect_failure (read_piped (path, 0, &error), &error, "standard input", "truncated");
    }
  g_string_free (text, TRUE);
}
END_TEST

/* gzip, zip, and tar within gzip, without each of their last bytes: the data are all there, but not what ends them. */
START_TEST (not_even_the_last_byte_may_lack)
{
  static const guint checked[] = { 0, 4, 6 };
  GString *text = make_text (3000);
  g_autofree char *path = make_archive (checked[_i], text);
  GStatBuf status;

  ck_assert_int_eq (g_stat (path, &status), 0);
  for (guint i = 1; i <= 40; i++)
    {
      GError *error = NULL;

      ck_assert_int_eq (truncate (path, status.st_size - i), 0);
      expect_failure (read_file (path, 0, &error), &error, path, "truncated");
      if (i % 8 == 1)
        expect_failure (read_piped (path, 0, &error), &error, "standard input", "truncated");
    }
  g_string_free (text, TRUE);
}
END_TEST

/* One bit is wrong. All of these have checksums; the header of gzip is not covered. */
START_TEST (damage_is_noticed_wherever_it_is)
{
  static const guint checked[] = { 0, 1, 3, 6 };
  GString *text = make_text (20000);
  g_autofree char *path = make_archive (checked[_i], text);
  g_autofree char *bytes = NULL;
  gsize length;

  ck_assert (g_file_get_contents (path, &bytes, &length, NULL));
  for (gsize at = 12; at < length; at += 1 + length / 60)
    {
      GError *error = NULL;

      bytes[at] ^= 4;
      ck_assert (g_file_set_contents (path, bytes, (gssize) length, NULL));
      expect_failure (read_file (path, 0, &error), &error, path, "");
      bytes[at] ^= 4;
    }
  g_string_free (text, TRUE);
}
END_TEST

/* Each of the four by each of them: the inner data could end anywhere. */
START_TEST (what_is_compressed_twice_is_refused)
{
  GString *text = make_text (1000);
  g_autofree char *path = make_archive ((guint) _i / FIRST_CONTAINER, text);
  GError *error = NULL;

  pack_file (path, (guint) _i % FIRST_CONTAINER, "archive");
  expect_failure (read_file (path, 0, &error), &error, path, "extract it");
  expect_failure (read_piped (path, 0, &error), &error, "standard input", "extract it");
  g_string_free (text, TRUE);
}
END_TEST

START_TEST (an_archive_in_an_archive_is_named)
{
  GString *text = make_text (1000);
  g_autofree char *path = make_archive ((guint) _i, text);
  GError *error = NULL;

  pack_file (path, FIRST_CONTAINER, "inner");
  expect_failure (read_file (path, 0, &error), &error, path, "what is in the archive, inner, is ");
  g_string_free (text, TRUE);
}
END_TEST

START_TEST (a_header_alone_is_damaged)
{
  static const struct
  {
    const char *bytes;
    gsize       length;
  } heads[] = { { "\x1f\x8b", 2 }, { "\x1f\x8b\x08", 3 }, { "\xfd" "7zXZ\0", 6 }, { "\x28\xb5\x2f\xfd", 4 },
                { "BZh9\x31\x41\x59\x26\x53\x59", 10 }, { "PK\x03\x04", 4 } };
  g_autofree char *path = path_of ("head");
  GError *error = NULL;

  ck_assert (g_file_set_contents (path, heads[_i].bytes, (gssize) heads[_i].length, NULL));
  expect_failure (read_file (path, 0, &error), &error, path, "");
}
END_TEST

START_TEST (the_limit_of_expansion_is_exact)
{
  GString *text = make_text (400000);
  g_autofree char *path = make_archive ((guint) _i, text);
  GError *error = NULL;

  /* a compressed tar is also measured with its own headers and padding */
  if (kinds[_i].filter == ARCHIVE_FILTER_NONE || _i < FIRST_CONTAINER)
    expect_text (read_file (path, text->len, &error), text, &error);
  expect_failure (read_file (path, text->len - 1, &error), &error, path, "--max-expanded");
  expect_failure (read_piped (path, text->len - 1, &error), &error, "standard input", "expands to more than 399999 bytes");
  g_string_free (text, TRUE);
}
END_TEST

START_TEST (a_bomb_is_stopped_early)
{
  g_autofree char *path = path_of ("bomb.gz");
  g_autofree char *zeros = g_strnfill (1024 * 1024, '0');
  struct archive  *writer = begin_archive (path, 0);
  struct archive_entry *entry = archive_entry_new ();
  GError *error = NULL;

  archive_entry_set_filetype (entry, AE_IFREG);
  archive_write_header (writer, entry);
  for (guint i = 0; i < 64; i++)
    archive_write_data (writer, zeros, 1024 * 1024);
  archive_entry_free (entry);
  end_archive (writer);
  expect_failure (read_file (path, 1000000, &error), &error, path, "expands to more than 1000000 bytes");
}
END_TEST

static const guint containers[] = { 4, 5, 6, 7 };

START_TEST (several_members_are_an_error_that_names_them)
{
  g_autofree char *path = path_of ("archive");
  struct archive  *writer = begin_archive (path, containers[_i]);
  GString *text = make_text (100000);
  GError  *error = NULL;

  add_member (writer, "a.vis", AE_IFREG, text->str, text->len);
  add_member (writer, "sub/", AE_IFDIR, NULL, 0);
  add_member (writer, "sub/b.vis", AE_IFREG, text->str, text->len);
  end_archive (writer);
  expect_failure (read_file (path, 0, &error), &error, path, "there are 2: a.vis, sub/b.vis;");
  expect_failure (read_piped (path, 0, &error), &error, "standard input", "there are 2: a.vis, sub/b.vis;");
  g_string_free (text, TRUE);
}
END_TEST

START_TEST (an_archive_without_a_file_is_an_error)
{
  g_autofree char *path = path_of ("archive");
  struct archive  *writer = begin_archive (path, containers[_i]);
  GError *error = NULL;

  add_member (writer, "sub/", AE_IFDIR, NULL, 0);
  end_archive (writer);
  expect_failure (read_file (path, 0, &error), &error, path, "there is no file in the archive");
}
END_TEST

START_TEST (attributes_that_macos_adds_are_no_member)
{
  g_autofree char *path = path_of ("archive");
  struct archive  *writer = begin_archive (path, containers[_i]);
  GString *text = make_text (1000);
  GError  *error = NULL;

  add_member (writer, "a.vis", AE_IFREG, text->str, text->len);
  add_member (writer, "__MACOSX/._a.vis", AE_IFREG, "x", 1);
  end_archive (writer);
  expect_text (read_file (path, 0, &error), text, &error);
  expect_text (read_piped (path, 0, &error), text, &error);
  g_string_free (text, TRUE);
}
END_TEST

START_TEST (nothing_compressed_is_nothing)
{
  GString *text = make_text (0);
  g_autofree char *path = make_archive ((guint) _i, text);
  GError *error = NULL;

  expect_text (read_file (path, 0, &error), text, &error);
  expect_text (read_piped (path, 0, &error), text, &error);
  g_string_free (text, TRUE);
}
END_TEST

START_TEST (plain_data_that_begins_like_an_archive_is_left_alone)
{
  static const char *const texts[] = { "BZh9 is a name", "PKI", "PK", "\x1f", "7zXZ", "ustar", "", "0\n1 5 0 0 0 0\n" };
  g_autofree char *path = path_of ("plain");
  GString *text = g_string_new (texts[_i]);
  GError  *error = NULL;

  /* short, and longer than what is looked at; a tar has "ustar" in its 257th byte, and a checksum */
  for (guint i = 0; i < 2; i++)
    {
      ck_assert (g_file_set_contents (path, text->str, (gssize) text->len, NULL));
      expect_text (read_file (path, 1, &error), text, &error);
      expect_text (read_piped (path, 1, &error), text, &error);
      while (text->len < 257)
        g_string_append_c (text, '0');
      g_string_append (text, "ustar\n");
      while (text->len < 300000)
        g_string_append (text, "more text\n");
    }
  g_string_free (text, TRUE);
}
END_TEST

START_TEST (plain_input_around_the_size_of_the_head)
{
  static const gsize sizes[] = { 0, 1, 511, 512, 513, TS_INPUT_BLOCK, TS_INPUT_BLOCK + 1, TS_INPUT_KEPT,
                                 TS_INPUT_KEPT + 1 };
  g_autofree char *path = path_of ("plain");
  GString *text = make_text (sizes[_i]);
  GError  *error = NULL;
  g_autoptr (TsInput) input = NULL;

  ck_assert (g_file_set_contents (path, text->str, (gssize) text->len, NULL));
  expect_text (read_piped (path, 0, &error), text, &error);
  input = ts_input_open (path, &error);
  ck_assert_uint_eq (ts_input_size (input), text->len);
  for (guint i = 0; i < 2; i++)
    {
      expect_text (read_all (input, &error), text, &error);
      ck_assert_uint_eq (ts_input_position (input), text->len);
      ck_assert (ts_input_rewind (input, &error));
    }
  g_string_free (text, TRUE);
}
END_TEST

int
main (void)
{
  Suite *suite = suite_create ("archive");
  TCase *tests = tcase_create ("archive");
  int    n_kinds = N_KINDS;

  tcase_add_checked_fixture (tests, make_folder, remove_folder);
  tcase_set_timeout (tests, 60);
  tcase_add_loop_test (tests, every_kind_is_expanded_from_file_and_pipe, 0, n_kinds);
  tcase_add_loop_test (tests, a_compressed_file_is_read_again_after_a_rewind, 0, n_kinds);
  tcase_add_loop_test (tests, a_compressed_file_is_read_ahead, 0, n_kinds);
  tcase_add_loop_test (tests, frames_that_are_to_be_skipped_are_skipped, 0, 16);
  tcase_add_loop_test (tests, progress_counts_compressed_bytes, 0, n_kinds);
  tcase_add_loop_test (tests, a_cut_off_archive_is_an_error_that_says_so, 0, n_kinds);
  tcase_add_loop_test (tests, not_even_the_last_byte_may_lack, 0, 3);
  tcase_add_loop_test (tests, damage_is_noticed_wherever_it_is, 0, 4);
  tcase_add_loop_test (tests, what_is_compressed_twice_is_refused, 0, FIRST_CONTAINER * FIRST_CONTAINER);
  tcase_add_loop_test (tests, an_archive_in_an_archive_is_named, 0, n_kinds);
  tcase_add_loop_test (tests, a_header_alone_is_damaged, 0, 6);
  tcase_add_loop_test (tests, the_limit_of_expansion_is_exact, 0, n_kinds);
  tcase_add_test (tests, a_bomb_is_stopped_early);
  tcase_add_loop_test (tests, several_members_are_an_error_that_names_them, 0, 4);
  tcase_add_loop_test (tests, an_archive_without_a_file_is_an_error, 0, 4);
  tcase_add_loop_test (tests, attributes_that_macos_adds_are_no_member, 0, 4);
  tcase_add_loop_test (tests, nothing_compressed_is_nothing, 0, n_kinds);
  tcase_add_loop_test (tests, plain_data_that_begins_like_an_archive_is_left_alone, 0, 8);
  tcase_add_loop_test (tests, plain_input_around_the_size_of_the_head, 0, 9);
  suite_add_tcase (suite, tests);
  return unit_run (suite);
}
