/* SPDX-License-Identifier: MIT */

/* The systems that are simulated: shapes, elements, what calls what. */

#include "simulate-shapes.h"

#include <errno.h>
#include <string.h>

guint
sim_n_shapes (void)
{
  return G_N_ELEMENTS (shapes);
}

const char *
sim_shape_name (guint index)
{
  return shapes[index].name;
}

const char *
sim_shape_description (guint index)
{
  return shapes[index].description;
}

gboolean
sim_shape (const char *name, guint64 seed, SimConfig *config)
{
  for (guint i = 0; i < G_N_ELEMENTS (shapes); i++)
    if (g_str_equal (shapes[i].name, name))
      {
        *config = shapes[i].config;
        config->seed = seed;
        return TRUE;
      }

  return FALSE;
}

gboolean
sim_config_is_atf (const SimConfig *config)
{
  return config->wait == 0 && !config->runnable_preempts;
}

#define DEFAULT(member, value) \
  (config->member = config->member == 0 ? (value) : config->member)

void
sim_config_complete (SimConfig *config)
{
  gint64 scale = 1;

  config->decimals = MIN (config->decimals, 9);
  for (guint i = 0; i < config->decimals; i++)
    scale *= 10;

  config->n_cores = CLAMP (config->n_cores, 1, 64);
  DEFAULT (n_tasks, 5);
  config->n_chained = MIN (config->n_chained, config->n_tasks / 2);
  DEFAULT (load, 500);
  DEFAULT (isr_load, 100);
  DEFAULT (base_period, 1000 * scale);
  DEFAULT (queue_limit, 2);
  config->queue_limit = MIN (config->queue_limit, SIM_MAX_QUEUE);
  config->jitter = MIN (config->jitter, 900);
  config->depth = MIN (config->depth, SIM_MAX_CALLS);
  DEFAULT (n_sections, 1);
  DEFAULT (duration, config->base_period * 150);
  DEFAULT (gap, config->base_period * 2 + 77);
  DEFAULT (base_numerator, 1000);
  DEFAULT (base_denominator, 1);
  DEFAULT (base_unit, "ns");
  DEFAULT (period_name, "Period");
  DEFAULT (end_name, "end");
  config->wait = config->no_preempt_events ? 0 : config->wait;
}

/* Systems */

static void
add_call (GArray *elements, guint caller, guint callee)
{
  g_array_append_val (g_array_index (elements, SimElement, caller).children,
                      callee);
}

static SimElement *
add_element (GArray *elements, SimType type, gint parent, guint core,
             char *name)
{
  SimElement element = { .name = name, .type = type, .parent = parent,
                         .core = core, .chain = -1, .queue_limit = 1 };
  guint index = elements->len;

  element.children = g_array_new (FALSE, FALSE, sizeof (guint));
  g_array_append_val (elements, element);
  if (parent >= 0)
    add_call (elements, (guint) parent, index);
  return &g_array_index (elements, SimElement, index);
}

static char *
make_name (const SimConfig *config, const char *what, guint number)
{
  if (config->odd_names)
    return g_strdup_printf ("%s \"%u\" <b\xc3\xbchne> & Co.", what, number);

  return g_strdup_printf ("%s_%u", what, number);
}

/* Shares a core's time among n elements that run once in an interval. */
static void
set_load (SimElement *element, gint64 interval, guint load, guint n)
{
  gint64 average = interval * load / 1000 / MAX (n, 1);

  element->cet_min = average / 2;
  element->cet_max = average + (average + 1) / 2;
}

static void
add_tasks (const SimConfig *config, GArray *elements, guint64 *random)
{
  static const guint factors[] = { 1, 2, 4, 5, 10, 20 };
  guint n = (config->n_tasks + config->n_cores - 1) / config->n_cores;
  guint n_isrs = (config->n_isrs + config->n_cores - 1) / config->n_cores;
  SimElement *element;

  for (guint i = 0; i < config->n_isrs; i++)
    {
      element = add_element (elements, SIM_ISR, -1, i % config->n_cores,
                             make_name (config, "Isr", i));
      element->interval = config->base_period *
                          sim_random_range (random, 1, 6) / 2;
      element->offset = sim_random_range (random, 0, element->interval);
      element->sporadic = i % 2 == 0;
      element->period = element->sporadic ? 0 : element->interval;
      element->priority = 100 + i;
      element->has_activation = i % 3 == 2;
      set_load (element, element->interval, config->isr_load, n_isrs);
    }

  for (guint i = 0; i < config->n_tasks; i++)
    {
      guint factor = (guint) sim_random_range (random, 0, 5);

      element = add_element (elements, SIM_TASK, -1, i % config->n_cores,
                             make_name (config, "Task", i));
      element->interval = config->base_period * factors[factor];
      element->period = element->interval;
      element->offset = sim_random_chance (random, 500) ? 0 :
                        sim_random_range (random, 0, element->interval);
      element->priority = 10 - factor;
      element->queue_limit = config->queue_limit;
      element->has_activation = i % 8 != 7;
      element->activation_kind = i % 3 == 1 ? SIM_ACTIVATION
                                            : SIM_ACTIVATION_OS;
      set_load (element, element->interval, config->load, n);
      if (i + config->n_chained < config->n_tasks)
        continue;

      /* Activated by one that has no such duty yet: ISRs now and then. */
      for (guint by = i % 2 > 0 ? 0 : config->n_isrs; by + 1 < elements->len;
           by++)
        {
          SimElement *source = &g_array_index (elements, SimElement, by);

          if (source->chain >= 0)
            continue;
          source->chain = (gint) elements->len - 1;
          set_load (element, source->type == SIM_ISR ? source->interval :
                    source->cet_max * n * 1000 / config->load,
                    config->load / 2, n);
          element->activation_kind = source->type == SIM_ISR
                                       ? SIM_ACTIVATION_OS
                                       : SIM_ACTIVATION_CHAINED;
          element->interval = element->period = 0;
          element->priority = (guint) sim_random_range (random, 1, 12);
          break;
        }
    }

  for (guint i = 0; i < (config->idle_tasks ? config->n_cores : 0); i++)
    {
      element = add_element (elements, SIM_TASK, -1, i,
                             make_name (config, "Idle", i));
      element->idle = TRUE;
      element->cet_min = element->cet_max = SIM_FOREVER;
    }
}

/* One function a task, which calls itself. */
static void
add_deep_code (const SimConfig *config, GArray *elements, guint n_jobs)
{
  for (guint i = 0; i < n_jobs; i++)
    {
      SimElement job = g_array_index (elements, SimElement, i);
      guint function = elements->len;

      if (job.type == SIM_ISR || job.idle)
        continue;
      add_element (elements, SIM_FUNCTION, (gint) i, job.core,
                   make_name (config, "Function", function));
      add_call (elements, function, function);
    }
}

static void
add_code (const SimConfig *config, GArray *elements, guint n_jobs)
{
  for (guint i = 0; i < n_jobs; i++)
    {
      SimElement job = g_array_index (elements, SimElement, i);
      guint n = job.type == SIM_ISR ? i % 2 : config->n_runnables;

      for (guint r = 0; r < n && r < config->n_runnables && !job.idle; r++)
        {
          guint runnable = elements->len, function;

          add_element (elements, SIM_RUNNABLE, (gint) i, job.core,
                       make_name (config, "Runnable", runnable));
          for (guint f = 0; f < config->n_functions; f++)
            {
              function = elements->len;
              add_element (elements, SIM_FUNCTION, (gint) runnable, job.core,
                           make_name (config, "Function", function));
              if (config->recursion && f % 2 == 0)
                add_call (elements, function, function);
            }
        }
    }

  /* Another task of the same core calls the same runnable. */
  for (guint i = config->n_isrs; config->shared &&
       i + config->n_cores < config->n_isrs + config->n_tasks; i++)
    add_call (elements, i + config->n_cores,
              g_array_index (g_array_index (elements, SimElement, i).children,
                             guint, 0));
}

static void
add_engine (GArray *elements)
{
  const guint us = 10;

  for (guint i = 0; i < G_N_ELEMENTS (engine); i++)
    {
      gboolean isr = g_str_has_prefix (engine[i].name, "Isr");
      SimElement *element = add_element (elements, isr ? SIM_ISR : SIM_TASK,
                                         -1, engine[i].core,
                                         g_strdup (engine[i].name));

      element->comment = engine[i].comment;
      element->priority = engine[i].priority;
      element->interval = ABS (engine[i].interval) * us;
      element->offset = element->interval / 16;
      element->sporadic = engine[i].interval < 0;
      element->period = element->sporadic ? 0 : element->interval;
      element->idle = element->priority == 0;
      element->cet_min = element->idle ? SIM_FOREVER : engine[i].cet_min * us;
      element->cet_max = element->idle ? SIM_FOREVER : engine[i].cet_max * us;
      element->has_activation = !isr && !element->idle;
      element->queue_limit = isr || element->idle ? 1 : 2;
      element->activation_kind = i == 3 || element->interval > 0
                                   ? SIM_ACTIVATION_OS
                                   : SIM_ACTIVATION_CHAINED;
      for (guint j = 0; j < G_N_ELEMENTS (engine); j++)
        if (g_strcmp0 (engine[i].chain, engine[j].name) == 0)
          element->chain = (gint) j;
    }

  for (guint i = 0; i < G_N_ELEMENTS (engine); i++)
    {
      g_auto (GStrv) code = g_strsplit_set (engine[i].code, " (,)", -1);
      const char *separator = engine[i].code - 1;
      gint runnable = -1;

      for (guint j = 0; code[j] != NULL; j++)
        {
          gboolean inner = j > 0 && (*separator == '(' || *separator == ',');

          if (*code[j] != '\0')
            {
              if (!inner)
                runnable = (gint) elements->len;
              add_element (elements, inner ? SIM_FUNCTION : SIM_RUNNABLE,
                           inner ? runnable : (gint) i, engine[i].core,
                           g_strdup (code[j]));
            }
          separator += strlen (code[j]) + 1;
        }
    }
}

static gint
compare_urgency (gconstpointer a, gconstpointer b, gpointer user_data)
{
  const SimElement *elements = user_data;
  guint one = *(const guint *) a, other = *(const guint *) b;
  const SimElement *x = &elements[one], *y = &elements[other];

  if (x->core != y->core)
    return x->core < y->core ? -1 : 1;
  if (x->priority != y->priority)
    return x->priority > y->priority ? -1 : 1;
  return one < other ? -1 : 1;
}

SimSystem *
sim_system_new (const SimConfig *config)
{
  SimSystem *system = g_new0 (SimSystem, 1);
  g_autoptr (GArray) elements = g_array_new (FALSE, FALSE, sizeof (SimElement));
  guint64 random = config->seed;
  guint64 id = sim_random (&random), n_ids;

  system->config = *config;
  sim_config_complete (&system->config);
  config = &system->config;
  if (config->engine)
    {
      system->n_jobs = G_N_ELEMENTS (engine);
      add_engine (elements);
    }
  else
    {
      add_tasks (config, elements, &random);
      system->n_jobs = elements->len;
      if (config->depth > 0)
        add_deep_code (config, elements, system->n_jobs);
      else
        add_code (config, elements, system->n_jobs);
    }

  system->n_elements = elements->len;
  system->elements = (SimElement *) g_array_steal (elements, NULL);
  n_ids = system->n_elements < 99991 ? 99991 : 99999989; /* primes */
  for (guint i = 0; i < system->n_elements; i++)
    system->elements[i].id = 1 + (guint) ((id % n_ids + i * 7919ull) % n_ids);

  system->n_cores = config->n_cores;
  system->core_ids = g_new (guint, system->n_cores);
  system->first = g_new0 (guint, system->n_cores + 1);
  system->order = g_new (guint, system->n_jobs);
  for (guint i = 0; i < system->n_cores; i++)
    system->core_ids[i] = 5 + (i * 7) % 71;
  for (guint i = 0; i < system->n_jobs; i++)
    {
      system->order[i] = i;
      for (guint j = system->elements[i].core; j < system->n_cores; j++)
        system->first[j + 1]++;
    }
  g_qsort_with_data (system->order, (gint) system->n_jobs, sizeof (guint),
                     compare_urgency, system->elements);
  return system;
}

void
sim_system_free (SimSystem *system)
{
  for (guint i = 0; i < system->n_elements; i++)
    {
      g_free (system->elements[i].name);
      g_array_unref (system->elements[i].children);
    }
  g_free (system->elements);
  g_free (system->core_ids);
  g_free (system->first);
  g_free (system->order);
  g_free (system);
}

void
sim_run (const SimSystem *system, const SimCallbacks *callbacks,
         gpointer user_data)
{
  sim_run_events (system, callbacks, user_data, 0);
}

gint64
sim_measure (const SimConfig *config, guint64 n_events)
{
  g_autoptr (SimSystem) system = sim_system_new (config);

  system->config.duration = SIM_FOREVER;
  return sim_run_events (system, NULL, NULL, MAX (n_events, 1)) -
         system->config.start;
}
