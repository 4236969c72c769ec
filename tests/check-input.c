/* SPDX-License-Identifier: MIT */
#include "config.h"

#include <fcntl.h>
#include <glib-unix.h>
#include <glib/gstdio.h>
#include <signal.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "import/importer.h"
#include "import/input.h"
#include "unit.h"

/* Where the bytes of a trace come from, and who is to read them. */

/* Byte i of every test input. */
static guint8
byte_at (gsize i)
{
  return (guint8) (i * 7 + i / 251);
}

static guint8 *
make_bytes (gsize length)
{
  guint8 *bytes = g_malloc (MAX (length, 1));

  for (gsize i = 0; i < length; i++)
    bytes[i] = byte_at (i);
  return bytes;
}

/* Reads to the end; the bytes must be those of make_bytes(). Returns how many came. */
static gsize
read_all (TsInput *input)
{
  const guint8 *bytes;
  gsize         length, total = 0;

  for (;;)
    {
      ck_assert (ts_input_read (input, &bytes, &length, NULL));
      ck_assert_uint_le (length, TS_INPUT_BLOCK);
      if (length == 0)
        return total;
      for (gsize i = 0; i < length; i++)
        if (bytes[i] != byte_at (total + i))
          ck_abort_msg ("byte %zu is another", total + i);
      total += length;
      ck_assert_uint_eq (ts_input_position (input), total);
    }
}

typedef struct
{
  char *folder, *path;
} Place;

static void
place_clear (Place *place)
{
  g_unlink (place->path);
  g_rmdir (place->folder);
  g_free (place->path);
  g_free (place->folder);
}
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (Place, place_clear)

static Place
make_place (void)
{
  char *folder = g_dir_make_tmp ("check-input-XXXXXX", NULL);

  ck_assert_ptr_nonnull (folder);
  return (Place){ folder, g_build_filename (folder, "trace", NULL) };
}

START_TEST (a_file_is_read_as_often_as_wanted)
{
  static const gsize sizes[] = { 0, 1, TS_INPUT_BLOCK, TS_INPUT_BLOCK + 1, TS_INPUT_KEPT + TS_INPUT_BLOCK };
  gsize              size = sizes[_i];
  g_auto (Place)     place = make_place ();
  g_autofree guint8 *bytes = make_bytes (size);
  g_autoptr (TsInput) input = NULL;

  ck_assert (g_file_set_contents (place.path, (const char *) bytes, (gssize) size, NULL));
  input = ts_input_open (place.path, NULL);
  ck_assert_ptr_nonnull (input);
  ck_assert_uint_eq (ts_input_size (input), size);
  for (guint i = 0; i < 3; i++)
    {
      ck_assert (ts_input_can_rewind (input));
      ck_assert_uint_eq (read_all (input), size);
      ck_assert (ts_input_rewind (input, NULL));
      ck_assert_uint_eq (ts_input_position (input), 0);
    }
}
END_TEST

typedef struct
{
  const char *path;
  gsize       size;
} Writer;

/* In pieces, as programs write into pipes. */
static gpointer
write_fifo (gpointer data)
{
  const Writer      *writer = data;
  g_autofree guint8 *bytes = make_bytes (writer->size);
  FILE              *file = g_fopen (writer->path, "wb");

  for (gsize i = 0; i < writer->size; i += 10007)
    fwrite (bytes + i, 1, MIN (10007, writer->size - i), file);
  fclose (file);
  return NULL;
}

/* From the first block on it is known whether the whole of it is there for a second reading. */
START_TEST (a_stream_is_read_twice_if_it_is_short)
{
  static const gsize  sizes[] = { 0, 1, TS_INPUT_BLOCK, TS_INPUT_KEPT - 1, TS_INPUT_KEPT, TS_INPUT_KEPT + 1,
                                  TS_INPUT_KEPT + 2 * TS_INPUT_BLOCK };
  gsize               size = sizes[_i];
  gboolean            is_short = size <= TS_INPUT_KEPT;
  g_auto (Place)      place = make_place ();
  Writer              writer = { place.path, size };
  g_autoptr (TsInput) input = NULL;
  g_autoptr (GError)  error = NULL;
  GThread            *thread;
  const guint8       *first;
  gsize               length;

  ck_assert_int_eq (mkfifo (place.path, 0600), 0);
  thread = g_thread_new ("writer", write_fifo, &writer);
  input = ts_input_open (place.path, &error);
  ck_assert_ptr_nonnull (input);
  ck_assert (ts_input_can_rewind (input));

  /* a look at the head and back again works on any */
  ck_assert (ts_input_read (input, &first, &length, &error));
  ck_assert_uint_eq (length, MIN (size, TS_INPUT_BLOCK));
  ck_assert_int_eq (ts_input_can_rewind (input), is_short);
  ck_assert_uint_eq (ts_input_size (input), is_short ? size : 0);
  ck_assert (ts_input_rewind (input, &error));

  ck_assert_uint_eq (read_all (input), size);
  ck_assert_int_eq (ts_input_rewind (input, &error), is_short);
  if (is_short)
    ck_assert_uint_eq (read_all (input), size);
  else
    ck_assert_int_eq (error->code, TS_ERROR_INPUT);
  g_thread_join (thread);
}
END_TEST

/* A file that is compressed has a thread from its second block on, a stream once more of it came than is kept:
 * the bytes, the positions and the ends must be those of a reading without it. */
START_TEST (what_is_read_ahead_is_the_same)
{
  static const gsize  sizes[] = { 0, 1, TS_INPUT_KEPT, TS_INPUT_KEPT + 1, TS_INPUT_KEPT + 9 * TS_INPUT_BLOCK };
  gsize               size = sizes[_i];
  g_auto (Place)      place = make_place ();
  Writer              writer = { place.path, size };
  g_autoptr (TsStop)  stop = ts_stop_new ();
  g_autoptr (TsInput) input = NULL;
  GThread            *thread;
  const guint8       *bytes;
  gsize               length;

  ck_assert_int_eq (mkfifo (place.path, 0600), 0);
  /* the writer is there first or the reader: neither may be held up, or take that for the end */
  input = _i % 2 == 0 ? ts_input_open_ahead (place.path, stop, NULL) : NULL;
  thread = g_thread_new ("writer", write_fifo, &writer);
  if (input == NULL)
    input = ts_input_open_ahead (place.path, stop, NULL);
  ck_assert_ptr_nonnull (input);
  ck_assert_uint_eq (read_all (input), size);
  /* the end stays the end */
  ck_assert (ts_input_read (input, &bytes, &length, NULL));
  ck_assert_uint_eq (length, 0);
  g_thread_join (thread);
}
END_TEST

typedef struct
{
  int   descriptor; /* stays open */
  gsize size;
} OpenWriter;

/* Ends sooner if its reader goes. */
static gpointer
write_to_pipe (gpointer data)
{
  const OpenWriter  *writer = data;
  g_autofree guint8 *bytes = make_bytes (writer->size);
  gssize             n = 0;

  for (gsize i = 0; n >= 0 && i < writer->size; i += (gsize) n)
    n = write (writer->descriptor, bytes + i, writer->size - i);
  return NULL;
}

static gpointer
cancel_soon (gpointer stop)
{
  g_usleep (G_USEC_PER_SEC / 10);
  ts_stop_set (stop);
  return NULL;
}

/* A pipe that is open and says no more: before its first byte, within what is kept, and while a thread reads it. */
START_TEST (waiting_for_a_stream_can_be_ended)
{
  static const gsize  sizes[] = { 0, 1000, TS_INPUT_KEPT + TS_INPUT_BLOCK };
  gsize               size = sizes[_i];
  g_auto (Place)      place = make_place ();
  OpenWriter          writer = { .size = size };
  g_autoptr (TsStop)  stop = ts_stop_new ();
  g_autoptr (TsInput) input = NULL;
  g_autoptr (GError)  error = NULL;
  GThread            *thread, *canceller;
  const guint8       *bytes;
  gsize               length = 1;

  ck_assert_int_eq (mkfifo (place.path, 0600), 0);
  input = ts_input_open_ahead (place.path, stop, NULL);
  ck_assert_ptr_nonnull (input);
  writer.descriptor = g_open (place.path, O_WRONLY, 0);
  ck_assert_int_ge (writer.descriptor, 0);
  thread = g_thread_new ("writer", write_to_pipe, &writer);
  canceller = g_thread_new ("canceller", cancel_soon, stop);
  while (ts_input_read (input, &bytes, &length, &error))
    ck_assert_uint_gt (length, 0);
  ck_assert_ptr_nonnull (error);
  /* the writer may be waiting for room in the pipe, which it does as long as there is a reader */
  g_clear_pointer (&input, ts_input_free);
  g_thread_join (canceller);
  g_thread_join (thread);
  close (writer.descriptor);
}
END_TEST

/* Nothing is left waiting if the reader has had enough. */
START_TEST (a_stream_can_be_left)
{
  g_auto (Place)      place = make_place ();
  OpenWriter          writer = { .size = TS_INPUT_KEPT + TS_INPUT_BLOCK };
  g_autoptr (TsStop)  stop = ts_stop_new ();
  TsInput            *input;
  GThread            *thread;
  const guint8       *bytes;
  gsize               length;

  ck_assert_int_eq (mkfifo (place.path, 0600), 0);
  input = ts_input_open_ahead (place.path, stop, NULL);
  writer.descriptor = g_open (place.path, O_WRONLY, 0);
  thread = g_thread_new ("writer", write_to_pipe, &writer);
  ck_assert (ts_input_read (input, &bytes, &length, NULL));
  g_thread_join (thread); /* all is in the pipe or beyond, and its end stays open */
  ts_input_free (input);
  ck_assert (ts_stop_is_set (stop));
  close (writer.descriptor);
}
END_TEST

static gpointer
write_soon (gpointer data)
{
  const OpenWriter *writer = data;

  g_usleep (G_USEC_PER_SEC / 10);
  write_to_pipe (data);
  close (writer->descriptor);
  return NULL;
}

/* Whoever shares it may have made it so. */
START_TEST (a_pipe_that_does_not_wait_is_waited_for)
{
  g_autoptr (TsStop)  stop = _i == 1 ? ts_stop_new () : NULL;
  g_autoptr (TsInput) input = NULL;
  OpenWriter          writer = { .size = 3 * TS_INPUT_BLOCK };
  GThread            *thread;
  int                 ends[2];

  ck_assert (g_unix_open_pipe (ends, FD_CLOEXEC, NULL));
  ck_assert (g_unix_set_fd_nonblocking (ends[0], TRUE, NULL));
  ck_assert_int_eq (dup2 (ends[0], STDIN_FILENO), STDIN_FILENO);
  close (ends[0]);
  input = ts_input_open_ahead ("-", stop, NULL);
  writer.descriptor = ends[1];
  thread = g_thread_new ("writer", write_soon, &writer);
  ck_assert_uint_eq (read_all (input), writer.size);
  g_thread_join (thread);
}
END_TEST

START_TEST (what_cannot_be_read_is_an_error_with_its_reason)
{
  static const char *const paths[][2] = {
    { "/nowhere/x.atf", "/nowhere/x.atf: no such file or directory" },
    { "/", "/: is a directory" },
  };
  g_autoptr (GError)  error = NULL;
  g_autoptr (TsInput) input = ts_input_open (paths[_i][0], &error);

  ck_assert_ptr_null (input);
  ck_assert (error->domain == TS_ERROR);
  ck_assert_int_eq (error->code, TS_ERROR_INPUT);
  ck_assert_str_eq (error->message, paths[_i][1]);
  ck_assert_str_eq (ts_input_title ("-"), "standard input");
  ck_assert_str_eq (ts_input_title ("a-"), "a-");
}
END_TEST

START_TEST (formats_are_found_by_content_and_by_name)
{
  static const char text[] = "<CommonFormat>", nothing[] = "nothing";
  /* one line of BTF, and three of TRACE behind it */
  static const char both[] = "1,C,0,T,A,0,start\nR 0 1 false;\nC 0 0 1 0 1;\nC 1 1 2 0 1;\n";
  g_autoptr (GError) unknown = NULL;
  g_autoptr (GError) empty = NULL;
  g_autoptr (GError) tie = NULL;

  ck_assert_ptr_eq (ts_importer_detect ("x", (const guint8 *) text, strlen (text), NULL), &ts_importer_atf);
  ck_assert_ptr_eq (ts_importer_by_name ("atf"), &ts_importer_atf);
  ck_assert_ptr_null (ts_importer_by_name ("xml"));
  ck_assert_ptr_null (ts_importer_detect ("x", (const guint8 *) nothing, strlen (nothing), &unknown));
  ck_assert_int_eq (unknown->code, TS_ERROR_FORMAT);
  ck_assert_str_eq (unknown->message, "x: not a trace of a known format (known: atf, btf, etf, visandor, report)");
  ck_assert_ptr_nonnull (strstr (unknown->message, "atf"));
  ck_assert_ptr_null (ts_importer_detect ("x", (const guint8 *) both, strlen (both), &tie));
  ck_assert_int_eq (tie->code, TS_ERROR_FORMAT);
  ck_assert_str_eq (tie->message, "x: this could be btf or etf; choose with --input-format");
  ck_assert_ptr_null (ts_importer_detect ("-", (const guint8 *) "", 0, &empty));
  ck_assert_str_eq (empty->message, "standard input: empty input");
}
END_TEST

static Suite *
make_suite (void)
{
  Suite *suite = suite_create ("input");
  TCase *test_case = tcase_create ("core");

  tcase_set_timeout (test_case, 60);
  tcase_add_loop_test (test_case, a_file_is_read_as_often_as_wanted, 0, 5);
  tcase_add_loop_test (test_case, a_stream_is_read_twice_if_it_is_short, 0, 7);
  tcase_add_loop_test (test_case, what_is_read_ahead_is_the_same, 0, 5);
  tcase_add_loop_test (test_case, waiting_for_a_stream_can_be_ended, 0, 3);
  tcase_add_test (test_case, a_stream_can_be_left);
  tcase_add_loop_test (test_case, a_pipe_that_does_not_wait_is_waited_for, 0, 2);
  tcase_add_loop_test (test_case, what_cannot_be_read_is_an_error_with_its_reason, 0, 2);
  tcase_add_test (test_case, formats_are_found_by_content_and_by_name);
  suite_add_tcase (suite, test_case);
  return suite;
}

int
main (void)
{
  signal (SIGPIPE, SIG_IGN); /* of writers whose reader has gone */
  return unit_run (make_suite ());
}
