/* SPDX-License-Identifier: MIT */
#include "config.h"

#include <fcntl.h>
#include <signal.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#include <glib/gstdio.h>

#include <tracestat/error.h>
#include <tracestat/writer.h>

#include "analyse/trace.h"
#include "unit.h"

static char *folder;

static void
set_up (void)
{
  folder = g_dir_make_tmp ("check-file-XXXXXX", NULL);
  ck_assert_ptr_nonnull (folder);
}

static guint
count_files (gboolean take_away)
{
  g_autoptr (GDir) listing = g_dir_open (folder, 0, NULL);
  guint            n = 0;

  for (const char *name; (name = g_dir_read_name (listing)) != NULL; n++)
    if (take_away)
      {
        g_autofree char *path = g_build_filename (folder, name, NULL);

        g_remove (path);
      }
  return n;
}

static void
tear_down (void)
{
  count_files (TRUE);
  g_rmdir (folder);
  g_clear_pointer (&folder, g_free);
}

static char *
inside (const char *name)
{
  return g_build_filename (folder, name, NULL);
}

static void
put (const char *path, const char *text)
{
  ck_assert (g_file_set_contents (path, text, -1, NULL));
}

static void
assert_content (const char *path, const char *expected)
{
  g_autofree char *text = NULL;

  ck_assert (g_file_get_contents (path, &text, NULL, NULL));
  ck_assert_msg (strcmp (text, expected) == 0, "expected:\n%s\nfound:\n%s", expected, text);
}

static guint
permissions (const char *path)
{
  struct stat status;

  ck_assert_int_eq (stat (path, &status), 0);
  return status.st_mode & 07777;
}

static void
say (TsFile *file, const char *text)
{
  TsSink sink = ts_file_sink (file);

  ck_assert (sink.write (sink.data, text, strlen (text), NULL));
}

static void
write_file (const char *path, const char *text)
{
  GError            *error = NULL;
  g_autoptr (TsFile) file = ts_file_create (path, &error);

  ck_assert_msg (file != NULL, "%s", error != NULL ? error->message : "");
  say (file, text);
  ck_assert (ts_file_commit (file, &error));
}

static void
assert_refused (const char *path)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (TsFile) file = ts_file_create (path, &error);

  ck_assert_ptr_null (file);
  ck_assert (g_error_matches (error, TS_ERROR, TS_ERROR_OUTPUT));
  ck_assert_msg (strstr (error->message, path) != NULL, "`%s' does not name the file", error->message);
}

START_TEST (a_file_appears_at_the_end)
{
  g_autofree char *path = inside ("new");

  {
    g_autoptr (TsFile) file = ts_file_create (path, NULL);

    say (file, "half");
    ck_assert (!g_file_test (path, G_FILE_TEST_EXISTS));
    say (file, " and half");
    ck_assert (ts_file_commit (file, NULL));
  }
  assert_content (path, "half and half");
  ck_assert_uint_eq (count_files (FALSE), 1);
}
END_TEST

START_TEST (what_comes_after_the_commit_is_not_in_it)
{
  g_autofree char   *path = inside ("new");
  g_autoptr (TsFile) file = ts_file_create (path, NULL);
  const TsSink       sink = ts_file_sink (file);

  say (file, "all");
  ck_assert (ts_file_commit (file, NULL));
  ck_assert (!sink.write (sink.data, "more", 4, NULL));
  ck_assert (!ts_file_commit (file, NULL));
  assert_content (path, "all");
}
END_TEST

START_TEST (without_commit_the_old_file_stays)
{
  g_autofree char *path = inside ("old");

  put (path, "old");
  {
    g_autoptr (TsFile) file = ts_file_create (path, NULL);

    say (file, "new");
  }
  assert_content (path, "old");
  ck_assert_uint_eq (count_files (FALSE), 1);
}
END_TEST

START_TEST (permissions_are_those_of_any_new_file)
{
  g_autofree char *path = inside ("new");
  mode_t           old_mask = umask (027);

  write_file (path, "x");
  umask (old_mask);
  ck_assert_uint_eq (permissions (path), 0640);
}
END_TEST

START_TEST (permissions_of_a_replaced_file_stay)
{
  g_autofree char *path = inside ("old");

  put (path, "old");
  ck_assert_int_eq (g_chmod (path, 0604), 0);
  write_file (path, "new");
  assert_content (path, "new");
  ck_assert_uint_eq (permissions (path), 0604);
}
END_TEST

/* Whether files without a name can be made here. */
static gboolean
can_be_nameless (void)
{
#ifdef O_TMPFILE
  int descriptor = open (folder, O_TMPFILE | O_RDWR | O_CLOEXEC, 0600);

  if (descriptor >= 0)
    close (descriptor);
  return descriptor >= 0 && access ("/proc/self/fd", X_OK) == 0;
#else
  return FALSE;
#endif
}

START_TEST (nothing_is_in_the_folder_before_the_commit)
{
  g_autofree char *path = inside ("new");
  mode_t           old_mask;

  if (!can_be_nameless ())
    return;
  old_mask = umask (027);
  {
    g_autoptr (TsFile) file = ts_file_create (path, NULL);

    say (file, "a first version");
    ck_assert_uint_eq (count_files (FALSE), 0);
    ck_assert_uint_eq (ts_file_length (file), 15);
    ck_assert (ts_file_shorten (file, 2, NULL));
    ck_assert_uint_eq (ts_file_length (file), 2);
    say (file, "new");
    ck_assert (ts_file_commit (file, NULL));
  }
  umask (old_mask);
  assert_content (path, "a new");
  ck_assert_uint_eq (permissions (path), 0640);
  ck_assert_uint_eq (count_files (FALSE), 1);
}
END_TEST

START_TEST (nothing_is_beside_the_old_file_before_the_commit)
{
  g_autofree char *path = inside ("old");

  if (!can_be_nameless ())
    return;
  put (path, "old");
  ck_assert_int_eq (g_chmod (path, 0604), 0);
  {
    g_autoptr (TsFile) file = ts_file_create (path, NULL);

    say (file, "new");
    ck_assert_uint_eq (count_files (FALSE), 1);
    assert_content (path, "old");
    ck_assert (ts_file_commit (file, NULL));
  }
  assert_content (path, "new");
  ck_assert_uint_eq (permissions (path), 0604);
  ck_assert_uint_eq (count_files (FALSE), 1);
}
END_TEST

START_TEST (symbolic_links_stay_and_their_target_is_written)
{
  g_autofree char *path = inside ("target"), *link = inside ("link"), *second = inside ("second");

  put (path, "old");
  ck_assert_int_eq (symlink ("target", link), 0);
  ck_assert_int_eq (symlink (link, second), 0);
  write_file (second, "new");
  assert_content (path, "new");
  ck_assert (g_file_test (second, G_FILE_TEST_IS_SYMLINK));
  ck_assert (g_file_test (link, G_FILE_TEST_IS_SYMLINK));

  /* also where it does not exist yet */
  g_remove (path);
  write_file (link, "newer");
  assert_content (path, "newer");
  ck_assert_uint_eq (count_files (FALSE), 3);
}
END_TEST

START_TEST (a_pipe_gets_everything_at_once)
{
  g_autofree char *path = inside ("pipe");
  char             buffer[100];
  int              reader;

  ck_assert_int_eq (mkfifo (path, 0600), 0);
  reader = open (path, O_RDWR | O_NONBLOCK);
  ck_assert_int_ge (reader, 0);
  {
    g_autoptr (TsFile) file = ts_file_create (path, NULL);

    say (file, "one ");
    ck_assert_int_eq (read (reader, buffer, sizeof (buffer)), -1);
    say (file, "two");
    ck_assert (ts_file_shorten (file, 3, NULL));
    ck_assert (ts_file_commit (file, NULL));
  }
  ck_assert_int_eq (read (reader, buffer, sizeof (buffer)), 3);
  ck_assert_int_eq (memcmp (buffer, "one", 3), 0);
  close (reader);
  ck_assert_uint_eq (count_files (FALSE), 1);
}
END_TEST

START_TEST (an_open_file_is_continued)
{
  g_autofree char *path = inside ("open"), *name = NULL;
  int              descriptor;

  descriptor = open (path, O_RDWR | O_CREAT, 0600);
  ck_assert_int_eq (write (descriptor, "before ", 7), 7);
  name = g_strdup_printf ("/dev/fd/%d", descriptor);
  write_file (name, "between");
  ck_assert_int_eq (write (descriptor, " after", 6), 6);
  close (descriptor);
  assert_content (path, "before between after");
}
END_TEST

START_TEST (a_full_disk_is_an_error)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (TsFile) file = NULL;

  if (access ("/dev/full", W_OK) != 0)
    return;
  file = ts_file_create ("/dev/full", NULL);
  say (file, "x");
  ck_assert (!ts_file_commit (file, &error));
  ck_assert (g_error_matches (error, TS_ERROR, TS_ERROR_OUTPUT));
  ck_assert_ptr_nonnull (strstr (error->message, "/dev/full"));
}
END_TEST

static gpointer
read_slowly (gpointer reader)
{
  static char buffer[10000];
  gsize       total = 0;
  gssize      n;

  g_usleep (G_USEC_PER_SEC / 50);
  while ((n = read (GPOINTER_TO_INT (reader), buffer, sizeof (buffer))) > 0)
    total += (gsize) n;
  return GSIZE_TO_POINTER (total);
}

/* As standard output is where somebody else who has it open asked for that. */
START_TEST (a_pipe_that_does_not_wait_gets_everything)
{
  const gsize      size = 1 << 20; /* more than there is room for */
  g_autofree char *text = g_strnfill (size, 'x');
  int              ends[2];
  TsSink           sink;
  GThread         *reader;

  ck_assert_int_eq (pipe (ends), 0);
  ck_assert_int_eq (fcntl (ends[1], F_SETFL, O_NONBLOCK), 0);
  reader = g_thread_new ("reader", read_slowly, GINT_TO_POINTER (ends[0]));
  sink = ts_sink_to_descriptor (ends[1]);
  ck_assert (sink.write (sink.data, text, size, NULL));
  close (ends[1]);
  ck_assert_uint_eq (GPOINTER_TO_SIZE (g_thread_join (reader)), size);
  close (ends[0]);
}
END_TEST

START_TEST (what_cannot_be_written_is_refused_at_once)
{
  g_autofree char *missing = inside ("no/such/file"), *loop = inside ("loop"), *below = inside ("plain/file"),
                  *plain = inside ("plain");

  put (plain, "x");
  ck_assert_int_eq (symlink ("loop", loop), 0);
  assert_refused (missing);
  assert_refused (folder);
  assert_refused (loop);
  assert_refused (below);
  assert_refused ("");
  assert_refused ("/dev/fd/99999");
}
END_TEST

/* The per-instance export. */

static TsTrace *
new_trace (const char *path, TsTimeBase base)
{
  TsTrace *trace = g_new0 (TsTrace, 1);
  guint16  core;
  guint32  task;

  trace->path = g_strdup (path);
  trace->system = ts_system_new ();
  *ts_system_time_base (trace->system) = base;
  core = ts_system_add_resource (trace->system, "Core,1", "0", NULL);
  task = ts_system_add_element (trace->system, TS_TYPE_TASK, "Task", "7", TS_NO_ELEMENT, core);
  ts_system_add_element (trace->system, TS_TYPE_RUNNABLE, "Run", NULL, task, core);
  return trace;
}

static void
free_trace (TsTrace *trace)
{
  ts_system_free (trace->system);
  g_free (trace->path);
  g_free (trace);
}

/* A at 10, S at 13, E at 33, preempted once for 5, waited 2. */
static const TsInstance task = {
  .element = 0, .owner = TS_NO_ELEMENT, .resource = 0, .status = TS_STATUS_COMPLETE,
  .flags = TS_INSTANCE_HAS_ACTIVATION | TS_INSTANCE_HAS_START | TS_INSTANCE_HAS_END | TS_INSTANCE_HAS_ST
           | TS_INSTANCE_IN_WINDOW,
  .activation_kind = TS_EVENT_ACTIVATION_OS, .section = 1, .number = 4, .activation = 10, .start = 13, .end = 33,
  .running = 13, .preempted = 5, .waiting = 2, .self = 9, .n_preemptions = 1, .st = -3, .dt = 77, .line = 21,
};
/* Cut by the end of the section. */
static const TsInstance cut = {
  .element = 1, .owner = 0, .resource = TS_NO_RESOURCE, .status = TS_STATUS_PARTIAL_TAIL,
  .flags = TS_INSTANCE_HAS_START | TS_INSTANCE_HAS_DT | TS_INSTANCE_IN_WINDOW,
  .section = 2, .number = 1, .start = 20, .running = 8, .preempted = 7, .preempted_closed = 3, .n_preemptions = 1,
  .dt = 6, .line = 30, .owner_instance = 5,
};

#define HEADER \
  "input,section,resource,parent,element,id,type,instance,status,activation_kind,owner,unit,activation,start,end,ipt," \
  "cet,self,get,rt,dt,per,st,e2s,npr,pre,wait,start_ticks,cet_ticks,line,owner_instance\n"
#define TASK_ROW \
  ",1,\"Core,1\",,Task,7,task,4,complete,activation-OS,,us,20,26,66,6,26,18,40,46,,,-6,,1,10,4,13,13,21,\n"
#define TASK_ROW_WITHOUT_CET \
  ",1,\"Core,1\",,Task,7,task,4,complete,activation-OS,,us,20,26,66,6,,,40,46,,,-6,,1,10,4,13,,21,\n"
#define CUT_ROW ",2,,Task,Run,,runnable,1,partial tail,,Task,us,,40,,,,,,,12,,,,1,6,0,20,,30,5\n"

static const TsTimeBase two_us = { 2, 1, -6, 1, TRUE };

static void
export (TsInstanceWriter *writer, TsTrace *trace, const TsInstance *instance)
{
  ts_instance_writer_sink ()->instance (writer, trace, instance);
}

static void
restart (TsInstanceWriter *writer, TsTrace *trace)
{
  ts_instance_writer_sink ()->restart (writer, trace);
}

START_TEST (instances_become_rows)
{
  g_autofree char             *path = inside ("i.csv");
  TsPrintOptions               options = { .unit = TS_UNIT_US };
  g_autoptr (TsInstanceWriter) writer = ts_instance_writer_new (path, &options, NULL);
  TsTrace                     *trace = new_trace ("a.btf", two_us);
  TsInstance                   unknown = task, outside = task;

  unknown.flags |= TS_INSTANCE_NO_CET;
  outside.flags &= (guint16) ~TS_INSTANCE_IN_WINDOW;
  restart (writer, trace);
  export (writer, trace, &task);
  export (writer, trace, &cut);
  export (writer, trace, &outside);
  export (writer, trace, &unknown);
  ck_assert (ts_instance_writer_commit (writer, NULL));
  assert_content (path, HEADER "a.btf" TASK_ROW "a.btf" CUT_ROW "a.btf" TASK_ROW_WITHOUT_CET);
  free_trace (trace);
}
END_TEST

START_TEST (instances_become_objects)
{
  g_autofree char             *path = inside ("i.jsonl");
  TsPrintOptions               options = { .unit = TS_UNIT_FITTING };
  g_autoptr (TsInstanceWriter) writer = ts_instance_writer_new (path, &options, NULL);
  TsTrace                     *trace = new_trace ("a \"b\"", (TsTimeBase){ 1, 3, -6, 10, TRUE });

  restart (writer, trace);
  export (writer, trace, &cut);
  ck_assert (ts_instance_writer_commit (writer, NULL));
  /* a unit is 1/30 us: 20 units are 2000/3 ns, 6 are 200 ns, 3 are 100 ns */
  assert_content (path, "{\"input\":\"a \\\"b\\\"\",\"section\":2,\"parent\":\"Task\",\"element\":\"Run\",\"type\":"
                        "\"runnable\",\"instance\":1,\"status\":\"partial tail\",\"owner\":\"Task\",\"unit\":\"ns\","
                        "\"start\":666.666666666667,\"dt\":200,\"npr\":1,\"pre\":100,\"wait\":0,\"start_ticks\":2,"
                        "\"line\":30,\"owner_instance\":5}\n");
  free_trace (trace);
}
END_TEST

START_TEST (a_second_reading_replaces_the_first)
{
  g_autofree char             *path = inside ("i.csv");
  TsPrintOptions               options = { .unit = TS_UNIT_US };
  g_autoptr (TsInstanceWriter) writer = ts_instance_writer_new (path, &options, NULL);
  TsTrace                     *first = new_trace ("a", two_us), *second = new_trace ("b", two_us);
  TsInstance                   finer = task;

  restart (writer, first);
  export (writer, first, &task);
  restart (writer, second);
  for (guint i = 0; i < 20000; i++)
    export (writer, second, &cut);

  /* the trace turned out to have finer stamps: a tick is 10 internal units now */
  ts_system_time_base (second->system)->scale = 10;
  finer.activation = finer.start = 5;
  finer.flags = TS_INSTANCE_HAS_START | TS_INSTANCE_IN_WINDOW;
  finer.status = TS_STATUS_PARTIAL_TAIL;
  finer.preempted_closed = finer.preempted;
  restart (writer, second);
  export (writer, second, &finer);
  ck_assert (ts_instance_writer_commit (writer, NULL));
  assert_content (path, HEADER "a" TASK_ROW
                               "b,1,\"Core,1\",,Task,7,task,4,partial tail,,,us,,1,,,,,,,,,,,1,1,0.4,0.5,,21,\n");
  free_trace (first);
  free_trace (second);
}
END_TEST

START_TEST (filters_apply_to_instances)
{
  g_autofree char             *path = inside ("i.csv");
  g_autoptr (GPtrArray)        globs = g_ptr_array_new ();
  TsPrintOptions               options = { .unit = TS_UNIT_US, .elements = globs };
  g_autoptr (TsInstanceWriter) writer = NULL;
  TsTrace                     *trace = new_trace ("a", two_us);

  g_ptr_array_add (globs, (gpointer) "R*");
  writer = ts_instance_writer_new (path, &options, NULL);
  restart (writer, trace);
  export (writer, trace, &task);
  export (writer, trace, &cut);
  ck_assert (ts_instance_writer_commit (writer, NULL));
  assert_content (path, HEADER "a" CUT_ROW);
  free_trace (trace);
}
END_TEST

START_TEST (instances_have_two_forms)
{
  TsPrintOptions     options = { .unit = TS_UNIT_US };
  g_autofree char   *path = inside ("i.txt");
  g_autoptr (GError) error = NULL;

  ck_assert_ptr_null (ts_instance_writer_new (path, &options, &error));
  ck_assert (g_error_matches (error, TS_ERROR, TS_ERROR_USAGE));
  ck_assert_uint_eq (count_files (FALSE), 0);
}
END_TEST

START_TEST (an_export_without_commit_leaves_nothing)
{
  TsPrintOptions    options = { .unit = TS_UNIT_US };
  g_autofree char  *path = inside ("i.csv");
  TsTrace          *trace = new_trace ("a", two_us);
  TsInstanceWriter *writer = ts_instance_writer_new (path, &options, NULL);

  restart (writer, trace);
  export (writer, trace, &task);
  ts_instance_writer_free (writer);
  ck_assert_uint_eq (count_files (FALSE), 0);
  free_trace (trace);
}
END_TEST

START_TEST (an_export_that_fails_names_its_file)
{
  TsPrintOptions               options = { .unit = TS_UNIT_US };
  g_autofree char             *path = inside ("i.csv");
  g_autoptr (GError)           error = NULL;
  g_autoptr (TsInstanceWriter) writer = ts_instance_writer_new (path, &options, NULL);
  TsTrace                     *trace = new_trace ("a", two_us);
  struct rlimit                old, small;
  gboolean                     is_written;

  restart (writer, trace);
  export (writer, trace, &task);
  ck_assert_int_eq (getrlimit (RLIMIT_FSIZE, &old), 0);
  small = old;
  small.rlim_cur = 100;
  signal (SIGXFSZ, SIG_IGN);
  /* no assertion in between: Check notes them in a file */
  setrlimit (RLIMIT_FSIZE, &small);
  is_written = ts_instance_writer_commit (writer, &error);
  setrlimit (RLIMIT_FSIZE, &old);
  signal (SIGXFSZ, SIG_DFL);
  ck_assert (!is_written);
  ck_assert_msg (strstr (error->message, path) != NULL, "`%s' does not name the file", error->message);
  free_trace (trace);
}
END_TEST

int
main (void)
{
  Suite *suite = suite_create ("file");
  TCase *files = tcase_create ("files"), *instances = tcase_create ("instances");

  tcase_add_checked_fixture (files, set_up, tear_down);
  tcase_add_checked_fixture (instances, set_up, tear_down);
  tcase_add_test (files, a_file_appears_at_the_end);
  tcase_add_test (files, what_comes_after_the_commit_is_not_in_it);
  tcase_add_test (files, without_commit_the_old_file_stays);
  tcase_add_test (files, permissions_are_those_of_any_new_file);
  tcase_add_test (files, permissions_of_a_replaced_file_stay);
  tcase_add_test (files, nothing_is_in_the_folder_before_the_commit);
  tcase_add_test (files, nothing_is_beside_the_old_file_before_the_commit);
  tcase_add_test (files, symbolic_links_stay_and_their_target_is_written);
  tcase_add_test (files, a_pipe_gets_everything_at_once);
  tcase_add_test (files, an_open_file_is_continued);
  tcase_add_test (files, a_full_disk_is_an_error);
  tcase_add_test (files, a_pipe_that_does_not_wait_gets_everything);
  tcase_add_test (files, what_cannot_be_written_is_refused_at_once);
  tcase_add_test (instances, instances_become_rows);
  tcase_add_test (instances, instances_become_objects);
  tcase_add_test (instances, a_second_reading_replaces_the_first);
  tcase_add_test (instances, filters_apply_to_instances);
  tcase_add_test (instances, instances_have_two_forms);
  tcase_add_test (instances, an_export_without_commit_leaves_nothing);
  tcase_add_test (instances, an_export_that_fails_names_its_file);
  suite_add_tcase (suite, files);
  suite_add_tcase (suite, instances);
  return unit_run (suite);
}
