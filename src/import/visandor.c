/* SPDX-License-Identifier: MIT */
#include "config.h"

#include <string.h>

#include "import/visandor-unseen.h"
#include "model/error.h"
#include "model/mark.h"

static const char *const suffixes[] = { ".vis", ".visandor", NULL };

/* Bidding */

#define BID_LINES 8 /* that are looked at */

/* Copies the line at *head, without its end, and moves on to the next; -1: there is none, or it is too long. */
static gssize
next_line (const guint8 **head, const guint8 *end, guint8 *text)
{
  const guint8 *line = *head, *newline;

  if (line == end)
    return -1;
  newline = memchr (line, '\n', (gsize) (end - line));
  if (newline == NULL)
    newline = end;
  *head = newline < end ? newline + 1 : end;
  if (newline - line > TS_VIS_MAX_LINE)
    return -1;
  memcpy (text, line, (gsize) (newline - line));
  text[newline - line] = '\n';
  return newline - line;
}

/* The digit that the line consists of, or -1. */
static int
lone_digit (const guint8 *line, const guint8 *end)
{
  while (line < end && (*line == ' ' || *line == '\t'))
    line++;
  while (end > line && (end[-1] == ' ' || end[-1] == '\t' || end[-1] == '\r'))
    end--;
  return end - line == 1 && *line >= '0' && *line <= '9' ? *line - '0' : -1;
}

/* Behind a byte order mark, if there is one. */
static const guint8 *
pass_mark (const guint8 *text, const guint8 *end)
{
  return text + ts_mark_length (text, (gsize) (end - text));
}

/* Even if its time is beyond what can be held: who reads it says so. */
static gboolean
is_line (const guint8 *text, gssize length, TsVisRecord *record)
{
  const char     *reason;
  const TsVisLine line = ts_vis_line_parse (text, text + length, record, &reason);

  return line == TS_VIS_GOOD || line == TS_VIS_RANGE;
}

/* A first line that is 0 or 1, and six numbers in the second; or later, as one line may be damaged. Without its
 * first line, or with another digit there, a trace has at least START_TIME: what is wrong with it is said later. */
static int
bid (const guint8 *head, gsize length)
{
  const guint8 *end = head + length;
  guint8        text[TS_VIS_MAX_LINE + 1];
  gssize        n;
  TsVisRecord   record;
  int           flag;

  head = pass_mark (head, end);
  n = next_line (&head, end, text);
  if (n < 0 || head == end)
    return 0;
  if (is_line (text, n, &record))
    return record.code == TS_VIS_START_TIME ? 30 : 0;
  flag = lone_digit (text, text + n);
  for (guint i = 0; flag >= 0 && i < BID_LINES && (n = next_line (&head, end, text)) >= 0; i++)
    if (is_line (text, n, &record))
      return flag > 1 ? (record.code == TS_VIS_START_TIME ? 30 : 0) : i == 0 ? 100 : 60;
  return 0;
}

static void
clear_lost (GArray **lost)
{
  for (guint i = 0; i < TS_VIS_N_LOSSES; i++)
    g_clear_pointer (&lost[i], g_array_unref);
}

static void
free_kept (gpointer data)
{
  TsVisKept *kept = data;

  ts_vis_forget_numbers (kept);
  clear_lost (kept->lost);
  g_clear_pointer (&kept->forks, g_array_unref);
  g_clear_pointer (&kept->strays, ts_strays_free);
  g_free (kept);
}

static gpointer
open_importer (TsImport *import)
{
  TsVis *vis = g_new0 (TsVis, 1);

  if (import->memory->kept == NULL)
    {
      import->memory->kept = g_new0 (TsVisKept, 1);
      import->memory->free_kept = free_kept;
    }
  vis->import = import;
  vis->kept = import->memory->kept;
  vis->knows_late_ends = vis->kept->late_ends != NULL || vis->kept->names != NULL || vis->kept->awaits_ends;
  vis->tells_splits_apart = !vis->knows_late_ends && (vis->kept->awaits_none || ts_vis_most_awaited == 0);
  vis->agents = g_ptr_array_new_with_free_func (g_free);
  vis->far_agents = g_hash_table_new (NULL, NULL);
  for (guint i = 0; i < TS_N_TYPES; i++)
    vis->kind_elements[i] = vis->queue_elements[i] = TS_NO_ELEMENT;
  vis->parallelism = ts_parallelism_new ();
  ts_vis_nodes_init (vis);
  ts_held_init (&vis->held, sizeof (TsVisRecord), 0);
  vis->next_stray = G_MAXINT64;
  if (import->options == NULL || !import->options->no_scanner)
    vis->scan = ts_vis_scan_new ();
  return vis;
}

static void
close_importer (gpointer self)
{
  TsVis *vis = self;

  ts_vis_clear (vis);
  for (guint i = 0; i < TS_N_TYPES; i++)
    if (vis->elements[i] != NULL)
      g_hash_table_unref (vis->elements[i]);
  g_hash_table_unref (vis->far_agents);
  g_clear_pointer (&vis->late_ends, g_byte_array_unref);
  clear_lost (vis->lost);
  g_clear_pointer (&vis->forks, g_array_unref);
  g_clear_pointer (&vis->unseen, g_hash_table_unref);
  g_clear_pointer (&vis->doubtful, g_hash_table_unref);
  g_free (vis->oblivion);
  if (vis->strangers != NULL)
    g_hash_table_unref (vis->strangers);
  g_free (vis->splits);
  ts_vis_stamp_free (vis->stamp);
  ts_vis_branches_free (vis->late);
  g_ptr_array_unref (vis->agents);
  ts_held_clear (&vis->held);
  for (guint i = 0; i < TS_VIS_READERS; i++)
    g_free (vis->readers[i]);
  g_free (vis->near_agents);
  ts_parallelism_free (vis->parallelism);
  ts_vis_scan_free (vis->scan);
  g_free (vis->squeezed);
  g_clear_error (&vis->error);
  g_free (vis);
}

/* Options */

/* FALSE: there is none of that name. */
static gboolean
find_group (const char *name, TsVisGroup *group)
{
  static const char *const names[TS_VIS_N_GROUPS] = { "kind", "node", "field", "agent", "depth" };

  for (guint i = 0; i < TS_VIS_N_GROUPS; i++)
    if (g_str_equal (name, names[i]))
      {
        *group = (TsVisGroup) i;
        return TRUE;
      }
  return FALSE;
}

static gboolean
is_unit (const char *name)
{
  int exponent;

  return g_str_equal (name, "ticks") || ts_time_base_exponent (name, &exponent);
}

static gboolean
check_options (const TsOptions *options, GError **error)
{
  TsVisGroup group;

  if (options->group != NULL && !find_group (options->group, &group))
    return ts_error_refuse (error, "--group %s: kind, node, field, agent or depth is expected", options->group);
  if (options->time_unit != NULL && !is_unit (options->time_unit))
    return ts_error_refuse (error, "--time-unit %s: s, ms, us, ns, ps, fs, as or ticks is expected", options->time_unit);
  return TRUE;
}

/* Where preemptions are inferred, who starts is looked at in another way; grouped by agent there is no PER. */
static void
choose_how_to_withdraw (TsVis *vis)
{
  const TsOptions *options = vis->import->options;

  vis->is_unsure = !vis->import->shows_instances && vis->group != TS_VIS_BY_AGENT
                   && !(options != NULL && options->infer_preemption);
}

/* Such as check_options() lets through. */
static void
take_unit (TsVis *vis, const char *name)
{
  TsTimeBase *base = ts_system_time_base (vis->import->system);
  int         exponent = -6;

  if (name == NULL)
    ts_diagnostics_add (vis->import->diagnostics, TS_DIAGNOSTIC_ASSUMED_TIME_UNIT, 0, NULL);
  *base = ts_time_base_ticks ();
  if (name == NULL || ts_time_base_exponent (name, &exponent))
    {
      base->exponent = exponent;
      base->known = TRUE;
    }
  vis->scale = base->scale = vis->import->memory->scale = ts_import_window_scale (vis->import, base);
  vis->time_limit = TS_TIME_LIMIT / vis->scale;
}

static void
take_options (TsVis *vis, const TsOptions *options)
{
  if (options != NULL && options->group != NULL)
    find_group (options->group, &vis->group);
  choose_how_to_withdraw (vis);
  take_unit (vis, options != NULL ? options->time_unit : NULL);
}

/* Lines */

static gboolean
take_flag (TsVis *vis, const guint8 *line, const guint8 *end)
{
  int flag = lone_digit (pass_mark (line, end), end);

  if (flag != 0 && flag != 1)
    return ts_vis_fail (vis, TS_ERROR_FORMAT, 1, "the first line is neither 0 (and-parallelism) nor 1 (or-parallelism)");
  vis->is_or = flag == 1;
  vis->has_flag = TRUE;
  take_options (vis, vis->import->options);
  return TRUE;
}

static void
bad_line (TsVis *vis, guint64 line, const char *reason)
{
  ts_diagnostics_add (vis->import->diagnostics, TS_DIAGNOSTIC_BAD_EVENT, line, "%s", reason);
}

/* The line before was 0 or 1 and nothing else. */
static void
judge_flag (TsVis *vis, const TsVisRecord *record)
{
  vis->flag_line = 0;
  if (record == NULL || record->code != TS_VIS_START_TIME)
    bad_line (vis, vis->line - 1, "it is one number, and six are expected");
  else
    {
      ts_diagnostics_add (vis->import->diagnostics, TS_DIAGNOSTIC_SECOND_TRACE, vis->line - 1, NULL);
      vis->is_over = TRUE;
      vis->line -= 2;
    }
}

static void
take_bad_line (TsVis *vis, const guint8 *line, const guint8 *end, const char *reason)
{
  int flag = lone_digit (line, end);

  if (flag == 0 || flag == 1)
    vis->flag_line = vis->line;
  else
    bad_line (vis, vis->line, reason);
}

/* Whether there is one between the last number and what ends the line. */
static gboolean
ends_in_blank (const guint8 *line, const guint8 *end)
{
  if (end > line && end[-1] == '\r')
    end--;
  return end > line && end[-1] <= ' ';
}

/* @end is the newline. */
static gboolean
take_line (TsVis *vis, const guint8 *line, const guint8 *end)
{
  TsVisRecord record;
  const char *reason;
  TsVisLine   kind;

  record.line = ++vis->line;
  if (G_UNLIKELY (!vis->has_flag))
    return take_flag (vis, line, end);
  kind = ts_vis_line_parse (line, end, &record, &reason);
  if (G_UNLIKELY (vis->flag_line != 0))
    judge_flag (vis, kind == TS_VIS_GOOD ? &record : NULL);
  if (G_UNLIKELY (vis->is_over))
    return TRUE;
  switch (kind)
    {
    case TS_VIS_GOOD:
      if (G_UNLIKELY (!vis->has_events))
        vis->ends_in_blank = ends_in_blank (line, end);
      vis->has_events = TRUE;
      ts_vis_note_reader (vis, &record);
      return ts_vis_take_record (vis, &record);
    case TS_VIS_BLANK:
      ts_diagnostics_add (vis->import->diagnostics, TS_DIAGNOSTIC_UNKNOWN_CONTENT, vis->line, "an empty line");
      return TRUE;
    case TS_VIS_BAD:
      take_bad_line (vis, line, end, reason);
      return TRUE;
    case TS_VIS_RANGE:
      return ts_vis_fail (vis, TS_ERROR_RANGE, vis->line, "the time is beyond 2^61");
    }
  return TRUE;
}

static gboolean
fail_long (TsVis *vis)
{
  return ts_vis_fail (vis, TS_ERROR_FORMAT, vis->line + 1, "a line of more than %d bytes", TS_VIS_MAX_LINE);
}

/* Bytes of a line that is not complete. */
static gboolean
carry (TsVis *vis, const guint8 *bytes, gsize length)
{
  if (vis->n_carry + length > TS_VIS_MAX_LINE)
    return fail_long (vis);
  memcpy (vis->carry + vis->n_carry, bytes, length);
  vis->n_carry += length;
  return TRUE;
}

static gboolean
take_carried (TsVis *vis)
{
  gsize length = vis->n_carry;

  vis->carry[length] = '\n';
  vis->n_carry = 0;
  return take_line (vis, vis->carry, vis->carry + length);
}

/* A line that is not a usual one, or is not known to end in this block; *bytes moves behind it. */
static gboolean
take_any_line (TsVis *vis, const guint8 **bytes, const guint8 *end)
{
  const guint8 *line = *bytes, *newline = memchr (line, '\n', (gsize) (end - line));

  *bytes = newline != NULL ? newline + 1 : end;
  if (newline == NULL)
    return carry (vis, line, (gsize) (end - line));
  if (vis->n_carry > 0)
    return carry (vis, line, (gsize) (newline - line)) && take_carried (vis);
  return newline - line > TS_VIS_MAX_LINE ? fail_long (vis) : take_line (vis, line, newline);
}

/* Whether the line that comes may be a usual one. */
static gboolean
may_be_usual (const TsVis *vis)
{
  return vis->scan != NULL && vis->n_carry == 0 && vis->flag_line == 0
         && (vis->has_first || vis->reads_ahead);
}

/* Whether events are taken as they come, and there are none that were not taken. */
static gboolean
is_in_order (const TsVis *vis)
{
  return (vis->has_strays || (!vis->sorts && !vis->kept->sort)) && !vis->is_stopped && vis->newest == vis->last;
}

/* Usual lines, if there are any at *bytes, which moves behind them. */
static gboolean
take_usual (TsVis *vis, const guint8 *block, const guint8 **bytes, const guint8 *end)
{
  const guint8 *next;

  if (is_in_order (vis))
    next = ts_vis_take_usual (vis, block, *bytes, end);
  else if (ts_vis_looks_for_strays (vis))
    next = ts_vis_pass_usual (vis, block, *bytes, end);
  else
    next = ts_vis_record_usual (vis, block, *bytes, end);
  if (next == NULL)
    return FALSE;
  *bytes = next;
  return TRUE;
}

static gboolean
goes_on (const TsVis *vis)
{
  return !vis->is_over && !vis->import->has_learnt;
}

/* Lines of @block from *bytes on, which moves behind them: usual ones, and one more. @n_behind bytes behind @end may be
 * looked at, which are no lines. */
static gboolean
take_some (TsVis *vis, const guint8 *block, const guint8 **bytes, const guint8 *end, gsize n_behind)
{
  if (may_be_usual (vis) && !take_usual (vis, block, bytes, end + n_behind))
    return FALSE;
  /* what comes behind is not to be learnt, or it would depend on the size of the block */
  return *bytes == end || vis->import->has_learnt || take_any_line (vis, bytes, end);
}

/* Lines from *bytes on, which moves behind them, as they are without some blanks. None, if they are not whole. */
static gboolean
take_squeezed (TsVis *vis, const guint8 **bytes, const guint8 *end)
{
  const guint8 *p, *last;
  gboolean      ok = TRUE;
  gsize         n;

  if (vis->squeezed == NULL)
    vis->squeezed = ts_squeezed_new ();
  n = ts_vis_squeeze (vis->squeezed, *bytes, (gsize) (end - *bytes), TS_VIS_MAX_LINE);
  p = vis->squeezed->bytes;
  last = p + vis->squeezed->length;
  if (n > 0)
    ts_vis_scan_begin_copy (vis->scan);
  while (ok && p < last && goes_on (vis))
    ok = take_some (vis, vis->squeezed->before, &p, last, TS_SQUEEZED_MARGIN);
  ts_vis_scan_end_copy (vis->scan);
  *bytes += n;
  return ok;
}

static gboolean
take_bytes (TsVis *vis, const guint8 *bytes, gsize length)
{
  const guint8 *block = bytes, *end = bytes + length;

  while (bytes < end && goes_on (vis))
    {
      const guint8 *begin = bytes;

      if (may_be_usual (vis) && ts_vis_scan_wants_copy (vis->scan) && !take_squeezed (vis, &bytes, end))
        return FALSE;
      if (bytes == begin && !take_some (vis, block, &bytes, end, 0))
        return FALSE;
    }
  return TRUE;
}

static gboolean
feed (gpointer self, const guint8 *bytes, gsize length, GError **error)
{
  TsVis *vis = self;

  if (take_bytes (vis, bytes, length))
    return TRUE;
  g_propagate_error (error, g_steal_pointer (&vis->error));
  return FALSE;
}

/* A last line without a newline is whole if it has its six numbers, and what is behind them where that is not the newline. */
static gboolean
take_rest (TsVis *vis)
{
  TsVisRecord record;
  const char *reason;
  gsize       length = vis->n_carry;
  TsVisLine   kind;
  gboolean    is_open;

  if (vis->flag_line != 0)
    {
      vis->line++;
      judge_flag (vis, NULL);
      vis->line--;
    }
  if (length == 0 || vis->is_over)
    return TRUE;
  vis->carry[length] = '\n';
  if (!vis->has_flag)
    return take_carried (vis);
  kind = ts_vis_line_parse (vis->carry, vis->carry + length, &record, &reason);
  /* its agent may have had more digits, and if others end in a blank it may well have had */
  is_open = kind == TS_VIS_GOOD && record.code != TS_VIS_STOP_TIME;
  if (kind == TS_VIS_BAD || (is_open && vis->ends_in_blank && !ends_in_blank (vis->carry, vis->carry + length)))
    {
      ts_diagnostics_add (vis->import->diagnostics, TS_DIAGNOSTIC_TRUNCATED, vis->line + 1, NULL);
      return TRUE;
    }
  if (is_open)
    ts_diagnostics_add (vis->import->diagnostics, TS_DIAGNOSTIC_NO_LINE_END, vis->line + 1, NULL);
  return take_carried (vis);
}

static gboolean
finish (gpointer self, GError **error)
{
  TsVis   *vis = self;
  gboolean ok = take_rest (vis) && ts_vis_release_held (vis);

  if (ok && !vis->has_flag)
    ok = ts_vis_fail (vis, TS_ERROR_FORMAT, 1, "the input is empty");
  if (ok && ts_vis_end (vis))
    return TRUE;
  g_propagate_error (error, g_steal_pointer (&vis->error));
  return FALSE;
}

const TsImporter ts_importer_visandor = {
  .name = "visandor",
  .title = "VisAndOr: and- and or-parallel logic programs",
  .suffixes = suffixes,
  .bid = bid,
  .check_options = check_options,
  .open = open_importer,
  .feed = feed,
  .finish = finish,
  .close = close_importer,
};
