/* SPDX-License-Identifier: MIT */
#pragma once

#include <tracestat/system.h>

G_BEGIN_DECLS

/* Whoever reads a system while another thread fills it is waited for: @before_change, which may be NULL, is called
 * before anything of @system changes, but for new texts and the time base, which stands before the first event. */
void ts_system_set_guard (TsSystem *system, void (*before_change) (gpointer data), gpointer data);

G_END_DECLS
