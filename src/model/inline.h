/* SPDX-License-Identifier: MIT */
#pragma once

/* Of these there is a copy for each place that has them: a compiler that shares one brings the choices back which were
 * made there, and a call that it makes has to save what is known. */
#define TS_ALWAYS_INLINE inline __attribute__ ((always_inline))
