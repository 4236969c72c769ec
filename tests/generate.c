/* SPDX-License-Identifier: MIT */

/* Writes a simulated trace and, on request, the truth about it. */

#include "simulate.h"

#include "generate-visandor.h"

#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#define STREAM_BUFFER (1 << 20)
#define FLUSH_AT 262144

/* What the checks of --self-check and the file of --truth collect. */
typedef struct
{
  gint64 since;            /* runs since; -1: does not; -2: no event yet */
  guint64 n;
  guint64 numbers;         /* sum */
  guint64 starts, ends, activations;
  gint64 off[SIM_N_INTERVALS];  /* of instances less that of intervals */
  gint64 n_off[SIM_N_INTERVALS];
} Tally;

typedef struct
{
  gboolean check;
  const SimConfig *config;
  GString *csv;
  FILE *csv_file;
  gboolean failed;         /* to write */
  guint64 n_events, n_instances, n_wrong;
  gint64 start, now, stop;
  Tally *tallies;          /* by element */
  gint64 *busy;            /* by core, from the events */
} Truth;

static const char truth_header[] =
  "section,core,element,type,instance,status,activation_kind,activation,"
  "start,end,cet,self,get,rt,ipt,npr,pre,wait\n";

static void G_GNUC_PRINTF (2, 3)
wrong (Truth *truth, const char *format, ...)
{
  va_list args;

  if (truth->n_wrong++ >= 20)
    return;

  va_start (args, format);
  fprintf (stderr, "generate: self-check at %" G_GINT64_FORMAT ": ",
           truth->now);
  vfprintf (stderr, format, args);
  fputc ('\n', stderr);
  va_end (args);
}

static void
append_signed (GString *string, gint64 value)
{
  if (value < 0)
    g_string_append_c (string, '-');
  sim_append_time (string, ABS (value), 0);
}

/* A field after the first; empty where the reader cannot know the value. */
static void
append_field (GString *string, gboolean known, gint64 value)
{
  g_string_append_c (string, ',');
  if (known)
    append_signed (string, value);
}

static void
append_text (GString *string, const char *text)
{
  g_string_append_c (string, ',');
  if (strpbrk (text, ",\"\n") == NULL)
    {
      g_string_append (string, text);
      return;
    }

  g_string_append_c (string, '"');
  for (; *text != '\0'; text++)
    {
      if (*text == '"')
        g_string_append_c (string, '"');
      g_string_append_c (string, *text);
    }
  g_string_append_c (string, '"');
}

static void
flush_csv (Truth *truth)
{
  if (fwrite (truth->csv->str, 1, truth->csv->len, truth->csv_file) !=
      truth->csv->len)
    truth->failed = TRUE;
  g_string_truncate (truth->csv, 0);
}

/* Time between release and resume counts as preempted here, though not as a
 * preemption, so that get = cet + pre + wait. */
static void
write_instance (const SimSystem *system, const SimInstance *instance,
                Truth *truth)
{
  static const char * const status[] = { "complete", "partial head",
                                         "partial tail", "partial both" };
  const SimElement *element = &system->elements[instance->element];
  gboolean started = (instance->status & SIM_HEAD) == 0;
  gboolean ended = (instance->status & SIM_TAIL) == 0;
  gboolean complete = started && ended, known = instance->has_activation;
  GString *csv = truth->csv;

  append_signed (csv, instance->section);
  append_field (csv, TRUE, instance->core);
  append_text (csv, element->name);
  append_text (csv, sim_type_name (element->type));
  append_field (csv, TRUE, (gint64) instance->number);
  append_text (csv, status[instance->status]);
  append_text (csv, known ? sim_kind_name (instance->activation_kind) : "");
  append_field (csv, known, instance->activation);
  append_field (csv, started, instance->start);
  append_field (csv, ended, instance->end);
  append_field (csv, complete, instance->running);
  append_field (csv, complete, instance->self);
  append_field (csv, complete, instance->end - instance->start);
  append_field (csv, complete && known, instance->end - instance->activation);
  append_field (csv, started && known,
                instance->start - instance->activation);
  append_field (csv, TRUE, (gint64) instance->n_off[SIM_PREEMPTED]);
  append_field (csv, TRUE, instance->off[SIM_PREEMPTED] +
                           instance->off[SIM_RELEASED]);
  append_field (csv, TRUE, instance->off[SIM_WAITING]);
  g_string_append_c (csv, '\n');
  if (csv->len > FLUSH_AT)
    flush_csv (truth);
}

static void
on_section_begin (const SimSystem *system, const SimSection *section,
                  gpointer user_data)
{
  Truth *truth = user_data;

  truth->start = truth->now = section->start;
  truth->stop = section->stop;
  memset (truth->tallies, 0, sizeof *truth->tallies * system->n_elements);
  memset (truth->busy, 0, sizeof *truth->busy * system->n_cores);
  for (guint i = 0; i < system->n_elements; i++)
    truth->tallies[i].since = -2;
}

static void
on_event (const SimSystem *system, const SimEvent *event, gpointer user_data)
{
  Truth *truth = user_data;
  Tally *tally = &truth->tallies[event->element];

  truth->n_events++;
  if (!truth->check)
    return;

  if (event->time < truth->now || event->time > truth->stop)
    wrong (truth, "event of %s at %" G_GINT64_FORMAT " is out of order",
           system->elements[event->element].name, event->time);
  truth->now = event->time;
  if (system->elements[event->element].parent >= 0)
    return;

  switch (event->kind)
    {
    case SIM_START:
    case SIM_RESUME:
      if (tally->since >= 0)
        wrong (truth, "%s runs already", system->elements[event->element].name);
      tally->since = event->time;
      break;
    case SIM_END:
    case SIM_PREEMPT:
    case SIM_WAIT:
      if (tally->since == -1)
        wrong (truth, "%s does not run", system->elements[event->element].name);
      truth->busy[event->core] += event->time - (tally->since == -2
                                                   ? truth->start
                                                   : tally->since);
      tally->since = -1;
      break;
    case SIM_RELEASE:
      tally->since = -1;
      break;
    default:
      break;
    }
}

static void
on_instance (const SimSystem *system, const SimInstance *instance,
             gpointer user_data)
{
  Truth *truth = user_data;
  Tally *tally = &truth->tallies[instance->element];
  const char *name = system->elements[instance->element].name;
  gint64 sum = instance->running;

  truth->n_instances++;
  if (truth->csv_file != NULL)
    write_instance (system, instance, truth);
  if (!truth->check)
    return;

  for (guint i = 0; i < SIM_N_INTERVALS; i++)
    {
      sum += instance->off[i];
      tally->off[i] += instance->off[i];
      tally->n_off[i] += (gint64) instance->n_off[i];
    }
  if (instance->status == SIM_COMPLETE &&
      sum != instance->end - instance->start)
    wrong (truth, "%s: GET %" G_GINT64_FORMAT ", yet CET + PRE + WAIT %"
           G_GINT64_FORMAT, name, instance->end - instance->start, sum);
  if (instance->running < 0 || instance->self < 0 ||
      instance->self > instance->running)
    wrong (truth, "%s: self and running time disagree", name);
  if (instance->has_activation && instance->activation > instance->start)
    wrong (truth, "%s: started before it was activated", name);

  tally->n++;
  tally->numbers += instance->number;
  tally->starts += (instance->status & SIM_HEAD) == 0;
  tally->ends += (instance->status & SIM_TAIL) == 0;
  tally->activations += instance->has_activation;
}

static void
on_interval (const SimSystem *system, const SimInterval *interval,
             gpointer user_data)
{
  Truth *truth = user_data;
  Tally *tally = &truth->tallies[interval->element];

  if (!truth->check)
    return;

  if (interval->begin > interval->end || interval->begin < truth->start ||
      interval->end > truth->stop)
    wrong (truth, "%s: strange interval",
           system->elements[interval->element].name);
  tally->off[interval->kind] -= interval->end - interval->begin;
  tally->n_off[interval->kind]--;
}

static void
on_section_end (const SimSystem *system, const SimSection *section,
                gpointer user_data)
{
  Truth *truth = user_data;

  if (!truth->check)
    return;

  truth->now = section->stop;
  for (guint i = 0; i < system->n_elements; i++)
    {
      const SimCounts *counts = &section->counts[i];
      const Tally *tally = &truth->tallies[i];

      if (tally->since >= 0)
        truth->busy[system->elements[i].core] += section->stop - tally->since;
      if (tally->n != counts->instances ||
          tally->numbers != tally->n * (tally->n + 1) / 2 ||
          tally->starts != counts->starts || tally->ends != counts->ends ||
          tally->activations + counts->pending != counts->activations)
        wrong (truth, "%s: counts disagree", system->elements[i].name);
      for (guint k = 0; k < SIM_N_INTERVALS; k++)
        if (tally->off[k] != 0 || tally->n_off[k] != 0)
          wrong (truth, "%s: intervals disagree", system->elements[i].name);
    }

  for (guint i = 0; i < system->n_cores; i++)
    {
      gint64 busy = section->busy[i] + section->busy_idle[i];

      if (busy > section->stop - section->start)
        wrong (truth, "core %u: busy more than all the time", i);
      if (!system->config.no_preempt_events && busy != truth->busy[i])
        wrong (truth, "core %u: busy %" G_GINT64_FORMAT ", by events %"
               G_GINT64_FORMAT, i, busy, truth->busy[i]);
    }
}

/* "1000", "1000ns", "1/3ms" */
static gboolean
parse_time_base (const char *text, SimConfig *config, GError **error)
{
  static const char * const units[] = { "ns", "s", "ms", "us", "ps", "fs",
                                        "as" };
  char *end;
  guint64 numerator = g_ascii_strtoull (text, &end, 10), denominator = 1;

  if (*end == '/')
    denominator = g_ascii_strtoull (end + 1, &end, 10);
  if (numerator > 0 && denominator > 0 && numerator <= G_MAXUINT &&
      denominator <= G_MAXUINT)
    for (guint i = 0; i < G_N_ELEMENTS (units); i++)
      if (g_str_equal (end, units[i]) || *end == '\0')
        {
          config->base_numerator = (guint) numerator;
          config->base_denominator = (guint) denominator;
          config->base_unit = units[i];
          return TRUE;
        }

  g_set_error (error, G_OPTION_ERROR, G_OPTION_ERROR_BAD_VALUE,
               "bad time base '%s'", text);
  return FALSE;
}

static int
list_shapes (void)
{
  for (guint i = 0; i < sim_n_shapes (); i++)
    printf ("%-18s %s\n", sim_shape_name (i), sim_shape_description (i));

  return fflush (stdout) == 0 ? EXIT_SUCCESS : EXIT_FAILURE;
}

static FILE *
open_output (const char *path)
{
  FILE *file = path != NULL && !g_str_equal (path, "-") ? fopen (path, "wb")
                                                        : stdout;

  if (file == NULL)
    fprintf (stderr, "generate: %s: %s\n", path, g_strerror (errno));
  else
    setvbuf (file, NULL, _IOFBF, STREAM_BUFFER);

  return file;
}

/* A format, or a variety of one, that --format asks for. */
typedef struct
{
  const char *name;
  enum { IS_ATF, IS_BTF, IS_ETF } family;
  SimBtfDress dress;
  gboolean dependencies;
} Format;

static const Format formats[] = {
  { "atf", IS_ATF, 0, FALSE },
  { "btf", IS_BTF, SIM_BTF_23, FALSE },
  { "btf-2.3", IS_BTF, SIM_BTF_23, FALSE },
  { "btf-2.1", IS_BTF, SIM_BTF_21, FALSE },
  { "btf-numeric", IS_BTF, SIM_BTF_NUMERIC, FALSE },
  { "etf", IS_ETF, 0, FALSE },
  { "etf-dependencies", IS_ETF, 0, TRUE },
};

static const Format *
find_format (const char *name)
{
  for (guint i = 0; i < G_N_ELEMENTS (formats); i++)
    if (name == NULL || g_str_equal (name, formats[i].name))
      return &formats[i];
  return NULL;
}

static gboolean
can_say (const Format *format, const SimConfig *config)
{
  switch (format->family)
    {
    case IS_BTF:
      return sim_config_is_btf (config);
    case IS_ETF:
      return sim_config_is_etf (config);
    default:
      return sim_config_is_atf (config);
    }
}

/* "Task_10ms=3%": to the tenth of a percent */
static gboolean
slow_down (SimSystem *system, const char *text)
{
  const char *separator = strrchr (text, '=');
  g_autofree char *name = g_strndup (text, separator != NULL
                                             ? (gsize) (separator - text) : 0);
  char *end = NULL;
  double percent = separator != NULL ? g_ascii_strtod (separator + 1, &end) : 0;

  if (percent >= 0 && percent <= 1000 && g_str_equal (end, "%"))
    for (guint i = 0; i < system->n_jobs; i++)
      if (g_str_equal (system->elements[i].name, name))
        {
          system->elements[i].slow = (guint) (percent * 10 + 0.5);
          return TRUE;
        }

  fprintf (stderr, "generate: --slow %s: TASK=PERCENT%% is expected\n", text);
  return FALSE;
}

/* Parallel programs have no shape and no schedule of priorities. */
static int
generate_parallel (gboolean is_or, guint64 seed, gint64 events, gint agents, const char *path, const char *truth_path)
{
  FILE *file = open_output (path);
  FILE *truth = file != NULL && truth_path != NULL ? open_output (truth_path) : NULL;
  gboolean done;

  if (file == NULL || (truth_path != NULL && truth == NULL))
    return 2;
  if (truth != NULL)
    fputs (truth_header, truth);
  done = generate_visandor (seed, is_or, agents > 0 ? (guint) agents : 4,
                            events > 0 ? (guint64) events : 1000, file, truth);
  if (fclose (file) != 0 || (truth != NULL && fclose (truth) != 0) || !done)
    return fprintf (stderr, "generate: cannot write: %s\n", g_strerror (errno)), EXIT_FAILURE;
  return EXIT_SUCCESS;
}

static gboolean
generate (const SimConfig *config, const char *slow, const Format *format, FILE *file,
          Truth *truth)
{
  static const SimCallbacks callbacks = { on_section_begin, on_event,
                                          on_instance, on_interval,
                                          on_section_end };
  g_autoptr (SimSystem) system = sim_system_new (config);
  gboolean all = truth->check || truth->csv_file != NULL;
  gboolean written = TRUE;

  if (slow != NULL && !slow_down (system, slow))
    return FALSE;
  truth->tallies = g_new0 (Tally, system->n_elements);
  truth->busy = g_new0 (gint64, system->n_cores);
  truth->csv = g_string_new (truth_header);
  if (format == NULL)
    sim_run (system, &callbacks, truth);
  else if (format->family == IS_BTF)
    written = sim_btf_write (system, format->dress, file, NULL,
                             all ? &callbacks : NULL, truth);
  else if (format->family == IS_ETF)
    written = sim_etf_write (system, file, NULL, format->dependencies,
                             all ? &callbacks : NULL, truth);
  else
    written = sim_atf_write (system, file, NULL, all ? &callbacks : NULL,
                             truth);
  if (truth->csv_file != NULL)
    flush_csv (truth);

  g_string_free (truth->csv, TRUE);
  g_free (truth->tallies);
  g_free (truth->busy);
  return written && !truth->failed;
}

int
main (int argc, char **argv)
{
  gint64 seed = 1, events = 0, duration = 0, start = -1, base_period = 0;
  gint cores = 0, tasks = 0, isrs = -1, runnables = -1, functions = -1;
  gint chained = -1, sections = 0, depth = 0;
  gboolean check = FALSE, list = FALSE;
  g_autofree char *base = NULL, *format = NULL, *shape = NULL, *path = NULL;
  g_autofree char *truth_path = NULL, *slow = NULL;
  const GOptionEntry entries[] = {
    { "seed", 0, 0, G_OPTION_ARG_INT64, &seed, "Seed of everything", "N" },
    { "shape", 0, 0, G_OPTION_ARG_STRING, &shape, "What to show", "NAME" },
    { "list-shapes", 0, 0, G_OPTION_ARG_NONE, &list, "Tell the shapes", NULL },
    { "cores", 0, 0, G_OPTION_ARG_INT, &cores, "Cores", "N" },
    { "tasks", 0, 0, G_OPTION_ARG_INT, &tasks, "Tasks on all cores", "N" },
    { "chained", 0, 0, G_OPTION_ARG_INT, &chained,
      "How many of them others activate", "N" },
    { "isrs", 0, 0, G_OPTION_ARG_INT, &isrs, "ISRs on all cores", "N" },
    { "runnables", 0, 0, G_OPTION_ARG_INT, &runnables, "Per task", "N" },
    { "functions", 0, 0, G_OPTION_ARG_INT, &functions, "Per runnable", "N" },
    { "depth", 0, 0, G_OPTION_ARG_INT, &depth,
      "Each task calls one function that calls itself, up to so many times", "N" },
    { "base-period", 0, 0, G_OPTION_ARG_INT64, &base_period,
      "Of the fastest task", "TICKS" },
    { "events", 0, 0, G_OPTION_ARG_INT64, &events,
      "Events in the file, at least", "N" },
    { "duration", 0, 0, G_OPTION_ARG_INT64, &duration, "Of a section",
      "TICKS" },
    { "start", 0, 0, G_OPTION_ARG_INT64, &start, "Of the first section",
      "TICKS" },
    { "sections", 0, 0, G_OPTION_ARG_INT, &sections, "Recordings", "N" },
    { "time-base", 0, 0, G_OPTION_ARG_STRING, &base,
      "A tick, such as 1000, 20us, 1/3ms", "TIME" },
    { "format", 0, 0, G_OPTION_ARG_STRING, &format,
      "atf, btf, btf-2.1, btf-2.3, btf-numeric, etf, etf-dependencies, none, or of a parallel program: visandor, "
      "visandor-or (with --cores, --events, --seed, --truth and -o alone)", "NAME" },
    { "slow", 0, 0, G_OPTION_ARG_STRING, &slow,
      "A task that takes longer, and nothing else changes: compare with the trace of 0%", "TASK=PERCENT%" },
    { "truth", 0, 0, G_OPTION_ARG_FILENAME, &truth_path,
      "Write the instances as they were", "FILE" },
    { "self-check", 0, 0, G_OPTION_ARG_NONE, &check,
      "Check the truth; write a trace only with -o", NULL },
    { "output", 'o', 0, G_OPTION_ARG_FILENAME, &path, "Instead of stdout",
      "FILE" },
    { 0 }
  };
  g_autoptr (GOptionContext) context = g_option_context_new (NULL);
  g_autoptr (GError) error = NULL;
  SimConfig config;
  Truth truth = { 0 };
  FILE *file = stdout;
  const Format *writer = NULL;
  gboolean done;

  g_option_context_add_main_entries (context, entries, NULL);
  if (!g_option_context_parse (context, &argc, &argv, &error))
    {
      fprintf (stderr, "generate: %s\n", error->message);
      return 2;
    }
  if (list)
    return list_shapes ();

  if (format != NULL && (g_str_equal (format, "visandor") || g_str_equal (format, "visandor-or")))
    return generate_parallel (g_str_equal (format, "visandor-or"), (guint64) seed, events, cores, path, truth_path);

  if (argc > 1 || !sim_shape (shape != NULL ? shape : "one-core",
                              (guint64) seed, &config))
    {
      fprintf (stderr, "generate: no such shape '%s'\n",
               argc > 1 ? argv[1] : shape);
      return 2;
    }
  if (base != NULL && !parse_time_base (base, &config, &error))
    {
      fprintf (stderr, "generate: %s\n", error->message);
      return 2;
    }

  config.n_cores = cores > 0 ? (guint) cores : config.n_cores;
  config.n_tasks = tasks > 0 ? (guint) tasks : config.n_tasks;
  config.n_chained = chained >= 0 ? (guint) chained : config.n_chained;
  config.n_isrs = isrs >= 0 ? (guint) isrs : config.n_isrs;
  config.n_runnables = runnables >= 0 ? (guint) runnables : config.n_runnables;
  config.n_functions = functions >= 0 ? (guint) functions : config.n_functions;
  config.depth = depth > 0 ? (guint) depth : config.depth;
  config.base_period = base_period > 0 ? base_period : config.base_period;
  config.n_sections = sections > 0 ? (guint) sections : config.n_sections;
  config.duration = duration > 0 ? duration : config.duration;
  config.start = start >= 0 ? start : config.start;
  if (config.engine && (cores > 0 || tasks > 0 || chained >= 0 || isrs >= 0 ||
                        runnables >= 0 || functions >= 0 || depth > 0 ||
                        base_period > 0))
    {
      fprintf (stderr, "generate: the system of 'engine' is fixed\n");
      return 2;
    }
  config.separate = slow != NULL;
  if (events > 0)
    config.duration = sim_measure (&config, (guint64) events /
                                            MAX (config.n_sections, 1));

  if (format == NULL || !g_str_equal (format, "none"))
    {
      writer = find_format (format);
      if (writer == NULL)
        {
          fprintf (stderr, "generate: no such format '%s'\n", format);
          return 2;
        }
      if (check && path == NULL)
        writer = NULL;
    }
  sim_config_complete (&config);
  if (writer != NULL && !can_say (writer, &config))
    {
      fprintf (stderr, "generate: %s cannot say this shape: --format none\n",
               writer->name);
      return 2;
    }

  truth.check = check;
  if ((writer != NULL && (file = open_output (path)) == NULL) ||
      (truth_path != NULL &&
       (truth.csv_file = open_output (truth_path)) == NULL))
    return 2;

  done = generate (&config, slow, writer, file, &truth);
  if ((file != stdout && fclose (file) != 0) || fflush (stdout) != 0 ||
      (truth.csv_file != NULL && truth.csv_file != stdout &&
       fclose (truth.csv_file) != 0))
    done = FALSE;
  if (!done)
    fprintf (stderr, "generate: cannot write: %s\n", g_strerror (errno));
  if (check)
    fprintf (stderr, "generate: %" PRIu64 " events, %" PRIu64 " instances, %"
             PRIu64 " wrong\n", truth.n_events, truth.n_instances,
             truth.n_wrong);

  return done && truth.n_wrong == 0 ? EXIT_SUCCESS : EXIT_FAILURE;
}
