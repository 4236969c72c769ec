/* SPDX-License-Identifier: MIT */
#pragma once

/* Everything of libtracestat. */
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
