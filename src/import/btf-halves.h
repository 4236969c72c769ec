/* SPDX-License-Identifier: MIT */
#pragma once

#include "import/btf-widths.h"

G_BEGIN_DECLS

/* Where any target may have any source, as functions that are called from everywhere have, there are more pairs of these
 * than can be known, and most come seldom. Then it is known what each of both is, and what they do together is found out
 * line by line: their names, types and words stay what they are, which is most of what the long way is about. */

TsBtfHalves *ts_btf_halves_new (void);
void         ts_btf_halves_free (TsBtfHalves *halves); /* or NULL */

/* Texts of @ends and @fronts, none of them very long, are @texts with @flags. */
void ts_btf_halves_learn (TsBtfScan *scan, const TsBtfEnds *ends, const TsBtfFronts *fronts, const TsBtfTexts *texts,
                          guint32 flags);
/* What texts are, and their flags. FALSE: one of both halves is not known. */
gboolean ts_btf_halves_find (const TsBtfScan *scan, const TsBtfEnds *ends, const TsBtfFronts *fronts,
                             TsBtfTexts *texts, guint32 *flags);
/* The same for @n lines at once, whose places become those of patterns that are made for them. */
void ts_btf_halves_place (TsBtf *btf, TsBtfUsual *lines, const TsBtfFronts *fronts, gsize n, TsBtfLevel level);

G_END_DECLS
