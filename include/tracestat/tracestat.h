/* SPDX-License-Identifier: MIT */
#pragma once

/* Everything of libtracestat. No pointer may be NULL where nothing says so, but for GError **, and for whatever is given to a
 * function that frees. Errors of calls that are themselves wrong, as a NULL where none may be, are those of
 * g_return_if_fail(). */
#include <tracestat/api.h>
#include <tracestat/check.h>
#include <tracestat/diagnostics.h>
#include <tracestat/error.h>
#include <tracestat/event.h>
#include <tracestat/figure.h>
#include <tracestat/format.h>
#include <tracestat/instance.h>
#include <tracestat/metrics.h>
#include <tracestat/number.h>
#include <tracestat/report.h>
#include <tracestat/sink.h>
#include <tracestat/statistics.h>
#include <tracestat/system.h>
#include <tracestat/table.h>
#include <tracestat/time.h>
#include <tracestat/timeline.h>
#include <tracestat/trace.h>
#include <tracestat/writer.h>
