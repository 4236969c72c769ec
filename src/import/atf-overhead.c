/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "import/atf.h"
#include "model/number.h"
#include "model/words.h"

/* TracingOverhead (ATF 1.0, 4.25): what storing one event costs, in all three options. */

typedef enum
{
  PART_TOTAL,
  PART_BEFORE,
  PART_AFTER,
  N_PARTS
} Part;

static const char *const part_names[N_PARTS] = { "total overhead", "before taking time", "after taking time" };
static const char *const range_names[] = { "min", "max" };

/* As stated */

static void
bad_overhead (TsAtf *atf, guint64 line, const char *reason)
{
  atf->overhead_is_good = FALSE;
  ts_diagnostics_add (atf->import->diagnostics, TS_DIAGNOSTIC_BAD_OVERHEAD, line, "%s", reason);
}

/* The one of @names that the attribute @name, or @other, says. *found NULL: neither is there. */
static gboolean
read_choice (TsAtf *atf, const TsAtfTag *tag, TsAtfName name, TsAtfName other, const char *const *names, gsize n_names,
             const char **found)
{
  g_autofree char *text = ts_atf_tag_dup (atf, tag, name);

  if (text == NULL)
    text = ts_atf_tag_dup (atf, tag, other);
  *found = NULL;
  if (text == NULL)
    return TRUE;
  for (gsize i = 0; i < n_names && *found == NULL; i++)
    if (ts_words_equal (text, names[i]))
      *found = names[i];
  return *found != NULL;
}

static void
read_reference (TsAtf *atf, const TsAtfTag *tag)
{
  TsAtfOverhead *overhead = &atf->overhead;
  TsAtfFound     found = ts_atf_tag_number (atf, tag, TS_ATF_REFERENCE_ID, &overhead->reference);

  overhead->note.element = TS_NO_ELEMENT;
  overhead->has_reference = found == TS_ATF_GOOD;
  if (found == TS_ATF_BAD)
    bad_overhead (atf, tag->line, "its ReferenceID is no unsigned integer");
  else if (overhead->has_reference && atf->lookup != NULL)
    {
      overhead->note.element = ts_atf_ids_find (&atf->lookup->element_ids, overhead->reference);
      if (overhead->note.element == TS_ATF_NO_VALUE)
        bad_overhead (atf, tag->line, "its ReferenceID is that of no element");
    }
  else if (overhead->has_reference)
    atf->is_late |= ts_import_request_reread (atf->import);
}

void
ts_atf_overhead_start (TsAtf *atf, const TsAtfTag *tag)
{
  TsOverheadNote  *note = &atf->overhead.note;
  g_autofree char *unit = ts_atf_tag_dup (atf, tag, TS_ATF_UNIT);

  atf->overhead = (TsAtfOverhead){ .line = tag->line };
  atf->overhead_is_good = TRUE;
  if (!read_choice (atf, tag, TS_ATF_OVERHEAD_TYPE, TS_ATF_OVERHEAD, part_names, G_N_ELEMENTS (part_names),
                    &note->type))
    bad_overhead (atf, tag->line, "its type is none of `total overhead', `before taking time', `after taking time'");
  else if (!read_choice (atf, tag, TS_ATF_RANGE, TS_ATF_TRACING_OVERHEAD_RANGE, range_names,
                         G_N_ELEMENTS (range_names), &note->range))
    bad_overhead (atf, tag->line, "its range is neither `min' nor `max'");
  else if (unit == NULL || !ts_time_base_exponent (g_strstrip (unit), &note->exponent))
    bad_overhead (atf, tag->line, "it has no Unit that is known");
  else
    read_reference (atf, tag);
  /* one time alone is that of the whole routine (option 1) */
  if (note->type == NULL)
    note->type = part_names[PART_TOTAL];
}

void
ts_atf_overhead_fraction (TsAtf *atf, const TsAtfTag *tag)
{
  TsOverheadNote *note = &atf->overhead.note;
  const char     *reason;

  if (!atf->overhead_is_good)
    return;
  if (note->denominator != 0)
    bad_overhead (atf, tag->line, "it has more than one value");
  else if (!ts_atf_fraction (atf, tag, &note->numerator, &note->denominator, &reason))
    bad_overhead (atf, tag->line, reason);
}

/* Those of one section, a GArray of TsAtfOverhead; NULL: it states none. */
static GArray *
stated_overheads (const TsAtf *atf, guint index)
{
  return index < atf->overheads->len ? g_ptr_array_index (atf->overheads, index) : NULL;
}

static GArray *
make_stated_overheads (TsAtf *atf, guint index)
{
  if (index >= atf->overheads->len)
    g_ptr_array_set_size (atf->overheads, (int) index + 1);
  if (g_ptr_array_index (atf->overheads, index) == NULL)
    g_ptr_array_index (atf->overheads, index) = g_array_new (FALSE, FALSE, sizeof (TsAtfOverhead));
  return g_ptr_array_index (atf->overheads, index);
}

/* The index of the open section, from 0. */
static guint
section_index (const TsAtf *atf)
{
  return atf->section == &atf->window ? atf->import->sections->len : atf->import->sections->len - 1;
}

void
ts_atf_overhead_end (TsAtf *atf, G_GNUC_UNUSED const char *text)
{
  GArray **notes = &atf->section->overhead_notes;

  if (atf->overhead_is_good && atf->overhead.note.denominator == 0)
    bad_overhead (atf, atf->overhead.line, "it has no value");
  if (!atf->overhead_is_good)
    return;
  if (*notes == NULL)
    *notes = g_array_new (FALSE, FALSE, sizeof (TsOverheadNote));
  if ((*notes)->len == TS_ATF_MAX_OVERHEADS)
    {
      ts_atf_fail (atf, TS_ERROR_RANGE, atf->overhead.line, "more than %d tracing overheads", TS_ATF_MAX_OVERHEADS);
      return;
    }
  g_array_append_val (*notes, atf->overhead.note);
  g_array_append_val (make_stated_overheads (atf, section_index (atf)), atf->overhead);
  atf->has_overhead = TRUE;
  atf->overheads_late |= atf->section != &atf->window;
}

/* In internal units */

/* A quotient of products, kept in its lowest terms. FALSE: beyond 128 bits. */
static gboolean
multiply (TsUint128 *numerator, TsUint128 *denominator, TsUint128 factor, TsUint128 divisor)
{
  TsUint128 common;

  common = ts_greatest_divisor (factor, divisor);
  factor /= common;
  divisor /= common;
  common = ts_greatest_divisor (*numerator, divisor);
  *numerator /= common;
  divisor /= common;
  common = ts_greatest_divisor (factor, *denominator);
  factor /= common;
  *denominator /= common;
  return !__builtin_mul_overflow (*numerator, factor, numerator)
         && !__builtin_mul_overflow (*denominator, divisor, denominator);
}

/* @note in ticks, exactly. FALSE: not possible. */
static gboolean
overhead_ticks (const TsOverheadNote *note, const TsTimeBase *base, TsUint128 *numerator, TsUint128 *denominator)
{
  if (!base->known)
    return FALSE;
  *numerator = note->numerator;
  *denominator = note->denominator;
  if (note->numerator == 0)
    {
      *denominator = 1;
      return TRUE;
    }
  if (!multiply (numerator, denominator, base->denominator, base->numerator))
    return FALSE;
  for (int i = base->exponent; i < note->exponent; i++)
    if (!multiply (numerator, denominator, 10, 1))
      return FALSE;
  for (int i = note->exponent; i < base->exponent; i++)
    if (!multiply (numerator, denominator, 1, 10))
      return FALSE;
  return TRUE;
}

/* One that can be used, in internal units. */
typedef struct
{
  const TsAtfOverhead *stated; /* NULL: there is none */
  gint64               units;
  gboolean             exact;
} Usable;

/* @overhead in internal units of @scale; FALSE: it cannot be used. */
static gboolean
make_part (TsAtf *atf, const TsAtfOverhead *overhead, gint64 scale, Usable *part)
{
  TsUint128 numerator, denominator, value;

  if (!overhead_ticks (&overhead->note, ts_system_time_base (atf->import->system), &numerator, &denominator)
      || !multiply (&numerator, &denominator, (TsUint128) scale, 1))
    {
      bad_overhead (atf, overhead->line, "it cannot be converted to ticks");
      return FALSE;
    }
  *part = (Usable){ .stated = overhead };
  value = ts_atf_divide (numerator, denominator, &part->exact);
  if (value > (TsUint128) TS_TIME_LIMIT)
    {
      bad_overhead (atf, overhead->line, "it is too large");
      return FALSE;
    }
  part->units = (gint64) value;
  return TRUE;
}

/* The scale in which all of @stated are whole, as far as the limit lets them be, and stamps are not rounded to @scale. */
static gint64
overhead_scale (TsAtf *atf, const GArray *stated, gint64 scale)
{
  const TsTimeBase *base = ts_system_time_base (atf->import->system);

  if (atf->import->memory->rounds)
    return scale;
  for (guint i = 0; stated != NULL && i < stated->len; i++)
    {
      const TsAtfOverhead *overhead = &g_array_index (stated, TsAtfOverhead, i);
      TsUint128            numerator, denominator;
      gint64               multiple = 0;

      if (overhead_ticks (&overhead->note, base, &numerator, &denominator))
        multiple = ts_atf_common_multiple (scale, denominator, MAX (scale, TS_ATF_MAX_SCALE));
      if (multiple > 0)
        scale = multiple;
    }
  return scale;
}

/* What is stated for one element, or for all. */
typedef struct
{
  guint32 element;
  Usable  parts[N_PARTS];
} Choice;

static guint
precision (const char *range)
{
  return range == NULL ? 2 : range == range_names[0] ? 1 : 0;
}

/* A plain time before a min, a min before a max: nothing is subtracted that may not have
 * been spent. Of two alike the later one. */
static void
choose (Choice *choice, const Usable *part)
{
  const TsOverheadNote *note = &part->stated->note;

  for (guint i = 0; i < N_PARTS; i++)
    if (note->type == part_names[i])
      {
        const TsAtfOverhead *other = choice->parts[i].stated;

        if (other == NULL || precision (note->range) >= precision (other->note.range))
          choice->parts[i] = *part;
      }
}

/* Of those that can be used: what cannot takes the place of no other one. */
static GArray *
choose_all (TsAtf *atf, const GArray *stated, gint64 scale)
{
  GArray               *choices = g_array_new (FALSE, TRUE, sizeof (Choice));
  g_autoptr (GHashTable) by_element = g_hash_table_new (NULL, NULL); /* element -> index + 1 */

  for (guint i = 0; i < stated->len; i++)
    {
      const TsAtfOverhead *overhead = &g_array_index (stated, TsAtfOverhead, i);
      guint32              element = overhead->note.element;
      guint                index;
      Usable               part;

      /* one read before the system was known still has its number alone */
      if (overhead->has_reference && element == TS_NO_ELEMENT)
        element = ts_atf_ids_find (&atf->tables->element_ids, overhead->reference);
      if (overhead->has_reference && element == TS_ATF_NO_VALUE)
        continue;
      if (!make_part (atf, overhead, scale, &part))
        continue;
      index = GPOINTER_TO_UINT (g_hash_table_lookup (by_element, GUINT_TO_POINTER (element)));
      if (index == 0)
        {
          g_array_append_val (choices, ((Choice){ .element = element }));
          index = choices->len;
          g_hash_table_insert (by_element, GUINT_TO_POINTER (element), GUINT_TO_POINTER (index));
        }
      choose (&g_array_index (choices, Choice, index - 1), &part);
    }
  return choices;
}

/* What was chosen; 0: nothing was. */
static gint64
take_part (TsAtf *atf, const Usable *part)
{
  if (part->stated != NULL && !part->exact)
    ts_diagnostics_add (atf->import->diagnostics, TS_DIAGNOSTIC_ROUNDED_OVERHEAD, part->stated->line, NULL);
  return part->units;
}

/* A total is both parts together: where one of them is not stated it is the rest, and where neither is, all is behind
 * the stamp. Where both are, the total says nothing more. */
static void
divide (TsAtf *atf, const Choice *choice, TsOverhead *overhead)
{
  const Usable *total = &choice->parts[PART_TOTAL];
  const Usable *before = &choice->parts[PART_BEFORE], *after = &choice->parts[PART_AFTER];
  gint64      both;

  overhead->before = take_part (atf, before);
  overhead->after = take_part (atf, after);
  if (total->stated == NULL || (before->stated != NULL && after->stated != NULL))
    return;
  both = take_part (atf, total);
  if (after->stated == NULL)
    overhead->after = MAX (both - overhead->before, 0);
  else
    overhead->before = MAX (both - overhead->after, 0);
}

/* A GArray of TsOverhead. */
static GArray *
convert (TsAtf *atf, const GArray *stated, gint64 scale)
{
  GArray            *overheads = g_array_new (FALSE, FALSE, sizeof (TsOverhead));
  g_autoptr (GArray) choices = choose_all (atf, stated, scale);

  for (guint i = 0; i < choices->len; i++)
    {
      const Choice *choice = &g_array_index (choices, Choice, i);
      TsOverhead    overhead = { .element = choice->element };

      divide (atf, choice, &overhead);
      g_array_append_val (overheads, overhead);
    }
  return overheads;
}

void
ts_atf_overheads_begin (TsAtf *atf)
{
  TsImport     *import = atf->import;
  guint         index = section_index (atf);
  const GArray *stated = stated_overheads (atf, index);
  gint64        finer;

  /* a survey converts at its end, when all is known */
  if (!import->subtract_overhead || atf->overheads_known || import->surveying || atf->lookup == NULL)
    return;
  if (stated == NULL)
    {
      ts_import_memory_set_overheads (import->memory, index, NULL);
      return;
    }
  finer = overhead_scale (atf, stated, atf->scale);
  if (finer != atf->scale && ts_import_request_reread (import))
    {
      import->memory->scale = finer;
      return;
    }
  ts_import_memory_set_overheads (import->memory, index, convert (atf, stated, atf->scale));
}

void
ts_atf_overheads_end (TsAtf *atf)
{
  TsImport *import = atf->import;

  if (!import->subtract_overhead || !atf->overheads_late || atf->overheads_known || import->surveying)
    return;
  if (!ts_import_request_reread (import))
    bad_overhead (atf, atf->overhead.line, "it comes after the first event of its section, in a stream");
}

void
ts_atf_overheads_survey (TsAtf *atf)
{
  TsImportMemory *memory = atf->import->memory;

  if (!atf->import->subtract_overhead)
    return;
  for (guint i = 0; i < atf->overheads->len; i++)
    memory->scale = overhead_scale (atf, stated_overheads (atf, i), memory->scale);
}

void
ts_atf_overheads_finish (TsAtf *atf)
{
  TsImport *import = atf->import;

  if (!import->subtract_overhead)
    return;
  if (!atf->has_overhead)
    ts_diagnostics_add (import->diagnostics, TS_DIAGNOSTIC_NO_OVERHEAD, 0, NULL);
  if (!import->surveying && !atf->overheads_known)
    return;
  ts_atf_overheads_survey (atf);
  /* Where memory has them already they are converted once more all the same, since what is
   * wrong with them is told in each reading. */
  for (guint i = 0; i < import->sections->len; i++)
    {
      const GArray *stated = stated_overheads (atf, i);

      ts_import_memory_set_overheads (import->memory, i,
                                      stated == NULL ? NULL : convert (atf, stated, import->memory->scale));
    }
}
