/* SPDX-License-Identifier: MIT */
#include "config.h"

#include <tracestat/event.h>
#include <tracestat/instance.h>

const char *
ts_event_kind_name (TsEventKind kind)
{
  static const char *const names[TS_N_EVENT_KINDS] = {
    [TS_EVENT_ACTIVATION] = "activation",
    [TS_EVENT_ACTIVATION_OS] = "activation-OS",
    [TS_EVENT_ACTIVATION_CHAINED] = "activation-chained",
    [TS_EVENT_ACTIVATION_FAILED] = "activation-failed",
    [TS_EVENT_START] = "start",
    [TS_EVENT_END] = "end",
    [TS_EVENT_PREEMPT] = "preempt",
    [TS_EVENT_RESUME] = "resume",
    [TS_EVENT_WAIT] = "wait",
    [TS_EVENT_RELEASE] = "release",
    [TS_EVENT_POLL] = "poll",
    [TS_EVENT_RUN] = "run",
    [TS_EVENT_PARK] = "park",
    [TS_EVENT_UNPARK] = "unpark",
    [TS_EVENT_FORK] = "fork",
    [TS_EVENT_READ] = "read",
    [TS_EVENT_WRITE] = "write",
    [TS_EVENT_ERROR] = "error",
    [TS_EVENT_USER] = "user",
  };

  g_return_val_if_fail (kind < TS_N_EVENT_KINDS, "");
  return names[kind];
}

const char *
ts_instance_status_name (TsInstanceStatus status)
{
  static const char *const names[TS_N_STATUSES] = {
    [TS_STATUS_COMPLETE] = "complete",
    [TS_STATUS_PARTIAL_HEAD] = "partial head",
    [TS_STATUS_PARTIAL_TAIL] = "partial tail",
    [TS_STATUS_MISSING_END] = "missing end",
  };

  g_return_val_if_fail (status < TS_N_STATUSES, "");
  return names[status];
}
