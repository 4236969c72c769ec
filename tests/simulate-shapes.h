/* SPDX-License-Identifier: MIT */

/* The tables of simulate-system.c, which alone includes this. */

#pragma once

#include "simulate.h"

static const struct
{
  const char *name;
  const char *description;
  SimConfig config;
} shapes[] = {
  { "one-core", "a few tasks and two ISRs on one core",
    { .n_isrs = 2, .n_runnables = 2, .jitter = 20 } },
  { "two-core", "two cores, functions in runnables, some activations late",
    { .n_cores = 2, .n_tasks = 8, .n_isrs = 3, .n_runnables = 2,
      .n_functions = 2, .jitter = 100 } },
  { "many-cores", "16 cores",
    { .n_cores = 16, .n_tasks = 48, .n_isrs = 16, .n_runnables = 2,
      .jitter = 20, .duration = 40000 } },
  { "isr-storm", "ISRs take 45 % of the core, and nest",
    { .n_tasks = 3, .n_isrs = 6, .n_runnables = 2, .load = 350,
      .isr_load = 450, .overrun = 20, .duration = 100000 } },
  { "chained", "tasks activated by tasks and by ISRs",
    { .n_cores = 2, .n_tasks = 10, .n_chained = 5, .n_isrs = 3,
      .n_runnables = 1, .jitter = 50 } },
  { "queued", "overruns: activations queue, slack turns negative",
    { .n_cores = 2, .n_tasks = 10, .n_isrs = 1, .n_runnables = 1,
      .load = 850, .overrun = 150, .queue_limit = 8 } },
  { "failed", "overload: short queues, many failed activations",
    { .n_tasks = 6, .n_isrs = 2, .n_runnables = 1, .load = 950,
      .overrun = 80, .queue_limit = 1, .jitter = 10 } },
  { "no-preempt-events", "no preempt, no resume: to be inferred",
    { .n_cores = 2, .n_tasks = 8, .n_isrs = 4, .n_runnables = 2,
      .n_functions = 1, .no_preempt_events = TRUE, .jitter = 20 } },
  { "no-preempt-heads", "the same, cut out of a running system",
    { .n_cores = 2, .n_tasks = 8, .n_isrs = 4, .n_runnables = 1,
      .load = 800, .no_preempt_events = TRUE, .idle_tasks = TRUE,
      .start = 12345, .n_sections = 5, .duration = 12000 } },
  { "alternative-order", "ISR start before preempt, resume before ISR end",
    { .n_cores = 2, .n_tasks = 8, .n_isrs = 4, .n_runnables = 2,
      .isr_load = 200, .alternative_order = TRUE, .n_chained = 2 } },
  { "idle-task", "an idle task on each core, preempted all the time",
    { .n_cores = 2, .n_tasks = 6, .n_isrs = 2, .n_runnables = 1,
      .idle_tasks = TRUE } },
  { "heads-and-tails", "a short cut out of a busy system",
    { .n_cores = 2, .n_tasks = 10, .n_isrs = 3, .n_runnables = 2,
      .n_functions = 1, .load = 850, .start = 54321, .duration = 6500,
      .idle_tasks = TRUE, .overrun = 30 } },
  { "sections", "six recordings of one running system",
    { .n_cores = 2, .n_tasks = 8, .n_isrs = 2, .n_runnables = 2,
      .load = 750, .n_sections = 6, .start = 777, .duration = 15000,
      .overrun = 30, .queue_limit = 3, .end_name = "stop" } },
  { "decimals", "time stamps with up to three decimals",
    { .n_cores = 2, .n_tasks = 6, .n_isrs = 2, .n_runnables = 2,
      .n_functions = 1, .decimals = 3, .start = 5000250, .jitter = 30 } },
  { "third-ms", "a time base of 1/3 ms; names that need escaping",
    { .n_tasks = 5, .n_isrs = 2, .n_runnables = 1, .odd_names = TRUE,
      .base_numerator = 1, .base_denominator = 3, .base_unit = "ms",
      .end_name = "terminate", .period_name = "PERav" } },
  { "recursion", "functions that call themselves",
    { .n_tasks = 4, .n_isrs = 1, .n_runnables = 2, .n_functions = 2,
      .recursion = TRUE, .start = 4321, .period_name = "PER" } },
  { "equal-stamps", "a coarse clock: equal stamps and empty intervals abound",
    { .n_cores = 2, .n_tasks = 8, .n_isrs = 4, .n_runnables = 2,
      .n_functions = 1, .base_period = 30, .zero = 150, .duration = 6000,
      .load = 700, .isr_load = 200, .n_chained = 2 } },
  { "equal-alternative", "the same in the alternative order",
    { .n_tasks = 6, .n_isrs = 4, .n_runnables = 1, .base_period = 30,
      .zero = 150, .load = 600, .isr_load = 250, .duration = 6000,
      .alternative_order = TRUE } },
  { "equal-inferred", "the same without preempt and resume",
    { .n_tasks = 6, .n_isrs = 4, .n_runnables = 1, .base_period = 30,
      .zero = 150, .load = 600, .isr_load = 250, .duration = 6000,
      .no_preempt_events = TRUE } },
  { "shared", "runnables that two tasks of a core call",
    { .n_cores = 2, .n_tasks = 8, .n_isrs = 2, .n_runnables = 3,
      .load = 800, .shared = TRUE, .start = 2222, .period_name = "" } },
  { "waits", "tasks wait for events: not for ATF",
    { .n_cores = 2, .n_tasks = 8, .n_isrs = 2, .n_runnables = 2,
      .wait = 150, .runnable_preempts = TRUE, .queue_limit = 4 } },
  { "many-elements", "2500 elements",
    { .n_cores = 4, .n_tasks = 100, .n_runnables = 4, .n_functions = 5,
      .load = 600, .duration = 60000 } },
  { "mixed", "everything at once that ATF can say",
    { .n_cores = 3, .n_tasks = 15, .n_chained = 4, .n_isrs = 6,
      .n_runnables = 3, .n_functions = 2, .load = 750, .overrun = 20,
      .zero = 20, .jitter = 50, .idle_tasks = TRUE, .shared = TRUE,
      .recursion = TRUE, .n_sections = 2, .start = 9999 } },
  { "engine", "an engine controller with two cores",
    { .engine = TRUE, .n_cores = 2, .base_numerator = 100,
      .base_period = 10000, .start = 10000000, .duration = 1800000,
      .overrun = 3, .jitter = 5 } },
};

/* Times in microseconds.  Code: runnables, each with (its functions). */
static const struct
{
  const char *name;
  guint core, priority;
  gint64 interval, cet_min, cet_max;
  const char *code;
  const char *chain;
  const char *comment;
} engine[] = {
  { "Isr_CrankTdc", 0, 110, -10000, 20, 35, "", "Task_CrankSync",
    "top dead centre, once in half a turn" },
  { "Isr_CanReceive", 0, 105, -3000, 15, 40, "", NULL, NULL },
  { "Isr_AdcComplete", 1, 100, 1000, 12, 18, "", NULL,
    "triggered by the converter, not by the OS" },
  { "Task_CrankSync", 0, 60, 0, 300, 600,
    "FuelInjection_Calc(Map_Interpolate,WallFilm_Correct) Ignition_Schedule",
    NULL, "follows the crank angle" },
  { "Task_1ms", 0, 50, 1000, 90, 160, "Throttle_Position Torque_Request",
    NULL, NULL },
  { "Task_2ms", 0, 45, 2000, 180, 300,
    "Knock_Window IgnitionAngle_Calc(Angle_Limit)", NULL, NULL },
  { "Task_5ms", 0, 40, 5000, 300, 650, "Lambda_Control Boost_Control",
    NULL, NULL },
  { "Task_10ms", 0, 30, 10000, 900, 1700,
    "AirMass_Model(Filter_LowPass) IdleSpeed_Control Exhaust_Temperature",
    "Task_10ms_Post", NULL },
  { "Task_10ms_Post", 0, 28, 0, 100, 250, "Sensor_Plausibility", NULL,
    "runs when Task_10ms is done" },
  { "Task_100ms", 0, 10, 100000, 3000, 5200, "Fault_Monitor Adaption_Store",
    NULL, NULL },
  { "Task_Can_10ms", 1, 35, 10000, 600, 1100, "Can_Pack Can_Unpack",
    "Task_Gateway", NULL },
  { "Task_Gateway", 1, 20, 0, 200, 500, "Gateway_Route", NULL, NULL },
  { "Task_20ms", 1, 25, 20000, 2500, 4500,
    "Catalyst_Heating Fan_Control(Table_Lookup) Fuel_Pump", NULL, NULL },
  { "Background_0", 0, 0, 0, 0, 0, "", NULL, "never ends" },
  { "Background_1", 1, 0, 0, 0, 0, "", NULL, "never ends" },
};
