/* SPDX-License-Identifier: MIT */
#pragma once

#include "import/importer.h"

G_BEGIN_DECLS

/* A stage that lets the next one work in a thread of its own: events are copied into a short queue.
 *
 * The next stage cannot tell. It gets the same events in the same order; it has taken all that came before when a
 * section begins or ends and when anything of the system changes; and two of its functions never run at a time. */
typedef struct _TsHandover TsHandover;

/* @system and @sink are lent; meanwhile nobody else may guard @system. */
TsHandover *ts_handover_new (TsSystem *system, const TsEventSink *sink, gpointer sink_data);

/* Waits until the next stage has taken all events, and for the end of its thread. */
void ts_handover_free (TsHandover *handover);

/* What the stage before hands its sections and events to, together with the handover itself. */
const TsEventSink *ts_handover_sink (void);

G_END_DECLS
