/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "import/visandor-run.h"

/* Branches that have split. Mostly that is their end. Some have an end of their own, which may come long after their
 * node was closed. In most traces in which one has, all have: so with the first one the trace is begun anew, and each that
 * splits waits for an end. Where many wait that never have one, it is begun anew once more, and read to the end, to be
 * read again with a bit for each branch that has one. That changes nothing but what is told of these: nodes are closed as
 * before, so that what the lines of the next reading refer to, and the numbers of instances, are the same.
 *
 * To begin anew it is enough that an end may be that of a branch that has split: of each there is a bit, by a hash of its
 * name. If it is none, that costs a reading and changes nothing, but that where starts are lost, too, ST may be told of fewer:
 * what waits for an end is open until the trace is over, and then nobody knows which one started last.
 *
 * Where the trace is read to know which branches have ends, the one that an end means is known of the nodes that were closed
 * last. Of any other its name is kept, and in the next reading all branches of that name wait for an end: so memory grows with
 * ends that refer to nothing that is known, and not with what has split. */

#define TOLD_BITS 17 /* of such a hash */
#define SET_BITS 8
#define WAYS 4 /* branches of a set, the latest first */
#define FIRST_BITS 8

guint ts_vis_most_awaited = 16384;

/* A branch, by its name. */
typedef struct
{
  guint64 key; /* of its node; 0: none */
  guint32 field : 31;
  guint32 is_far : 1;
  guint32 number;
} Name;

G_STATIC_ASSERT (sizeof (Name) == 16);

/* What had split of nodes that are closed. */
struct _TsVisSplits
{
  guint8   told[(1 << TOLD_BITS) / 8]; /* bits of all that did, or */
  Name     sets[1 << SET_BITS][WAYS]; /* the last ones */
  gboolean is_forgetful; /* there were more */
};

typedef struct
{
  Name    name;
  guint32 element;
  guint16 resource; /* where it split */
} Entry;

/* Open addressing, a quarter free. */
struct _TsVisBranches
{
  Entry *entries; /* 2^(64 - shift) of them */
  guint  shift;
  gsize  n;
};

static gsize
hash (guint64 key, guint32 field, guint shift)
{
  const guint64 factor = TS_VIS_FACTOR;

  key = (key + field * G_GUINT64_CONSTANT (0x9e3779b97f4a7c15)) * factor;
  return (gsize) ((key ^ key >> 32) * factor >> shift);
}

static gboolean
is_same (const Name *a, const Name *b)
{
  return a->key == b->key && a->field == b->field && a->is_far == b->is_far;
}

/* Tables of branches */

static gsize
mask_of (const TsVisBranches *branches)
{
  return ((gsize) 1 << (64 - branches->shift)) - 1;
}

static gsize
home_of (const TsVisBranches *branches, const Name *name)
{
  return hash (name->key, name->field, branches->shift);
}

/* Where it is, or else a free place. */
static Entry *
find (const TsVisBranches *branches, const Name *name)
{
  gsize i = home_of (branches, name);

  while (branches->entries[i].name.key != 0 && !is_same (&branches->entries[i].name, name))
    i = (i + 1) & mask_of (branches);
  return &branches->entries[i];
}

static void
make_places (TsVisBranches *branches, guint bits)
{
  branches->shift = 64 - bits;
  branches->entries = g_new0 (Entry, (gsize) 1 << bits);
}

static void
grow (TsVisBranches *branches)
{
  const TsVisBranches old = *branches;

  make_places (branches, 64 - old.shift + 1);
  for (gsize i = 0; i <= mask_of (&old); i++)
    if (old.entries[i].name.key != 0)
      *find (branches, &old.entries[i].name) = old.entries[i];
  g_free (old.entries);
}

/* Unless it is there. */
static void
put (TsVisBranches **where, const Entry *entry)
{
  TsVisBranches *branches = *where;
  Entry         *place;

  if (branches == NULL)
    {
      branches = *where = g_new0 (TsVisBranches, 1);
      make_places (branches, FIRST_BITS);
    }
  if (branches->n > mask_of (branches) / 4 * 3)
    grow (branches);
  place = find (branches, &entry->name);
  branches->n += place->name.key == 0;
  *place = *entry;
}

/* What stands behind moves up, where it is closer to its own place. */
static void
remove_at (TsVisBranches *branches, gsize hole)
{
  Entry      *entries = branches->entries;
  const gsize mask = mask_of (branches);

  for (gsize i = (hole + 1) & mask; entries[i].name.key != 0; i = (i + 1) & mask)
    if (((i - home_of (branches, &entries[i].name)) & mask) >= ((i - hole) & mask))
      {
        entries[hole] = entries[i];
        hole = i;
      }
  entries[hole].name.key = 0;
  branches->n--;
}

void
ts_vis_branches_free (TsVisBranches *branches)
{
  if (branches != NULL)
    g_free (branches->entries);
  g_free (branches);
}

/* Nodes that are closed */

static inline Name *
set_of (TsVisSplits *splits, guint64 key)
{
  return splits->sets[key * TS_VIS_FACTOR >> (64 - SET_BITS)];
}

static inline Name
name_of (const TsVisTask *task)
{
  const TsVisNode *node = task->node;

  return (Name){ node->key, ts_vis_field (task), node->is_far, (guint32) task->number };
}

gboolean
ts_vis_has_late_name (const TsVis *vis, const TsVisTask *task)
{
  const Name name = name_of (task);

  return find (vis->kept->names, &name)->name.key != 0;
}

static inline guint8 *
told_by (TsVisSplits *splits, guint64 key, guint32 field, guint8 *bit)
{
  const gsize place = (gsize) ((key + field) * TS_VIS_FACTOR >> (64 - TOLD_BITS));

  *bit = (guint8) (1U << place % 8);
  return &splits->told[place / 8];
}

static inline void
tell (TsVisSplits *splits, guint64 key, guint32 field)
{
  guint8  bit;
  guint8 *byte = told_by (splits, key, field, &bit);

  *byte |= bit;
}

static gboolean
may_have_split (TsVisSplits *splits, const Name *name)
{
  guint8        bit;
  const guint8 *byte = told_by (splits, name->key, name->field, &bit);

  return (*byte & bit) != 0;
}

void
ts_vis_note_split (TsVis *vis, const TsVisTask *task)
{
  Name *set;

  if (vis->knows_late_ends)
    return;
  if (G_UNLIKELY (vis->splits == NULL))
    vis->splits = g_new0 (TsVisSplits, 1);
  if (G_LIKELY (!vis->tells_splits_apart))
    {
      tell (vis->splits, task->node->key, ts_vis_field (task));
      return;
    }
  set = set_of (vis->splits, task->node->key);
  vis->splits->is_forgetful |= set[WAYS - 1].key != 0;
  for (guint i = WAYS - 1; i > 0; i--)
    set[i] = set[i - 1];
  *set = name_of (task);
}

/* It will not have an end of its own any more. */
static void
end_at_split (TsVis *vis, const Entry *entry)
{
  ts_vis_emit (vis, TS_EVENT_END, entry->element, (gint32) entry->name.number, entry->resource, TS_EVENT_ENDED_EARLIER);
}

/* The trace is begun anew. FALSE: it cannot be. */
static gboolean
begin_anew (TsVis *vis, gboolean awaits_ends)
{
  if ((vis->import->surveying && !vis->asked_for_losses) || !ts_vis_ask_anew (vis))
    return FALSE;
  vis->import->has_learnt = TRUE;
  vis->kept->awaits_ends = awaits_ends;
  vis->kept->awaits_none = !awaits_ends;
  return TRUE;
}

/* Those of @node that wait for an end; an older one of the same name waits no more. */
static G_GNUC_NO_INLINE void
note_late (TsVis *vis, const TsVisNode *node)
{
  for (guint i = 0; i < node->n_tasks; i++)
    {
      const TsVisTask *task = &node->tasks[i];
      const Entry      entry = { name_of (task), task->element, task->status.agent };
      const Entry     *older = vis->late != NULL ? find (vis->late, &entry.name) : NULL;

      if (older != NULL && older->name.key != 0)
        {
          end_at_split (vis, older);
          remove_at (vis->late, (gsize) (older - vis->late->entries));
        }
      if (ts_vis_lacks_end (vis, task))
        put (&vis->late, &entry);
    }
  if (vis->kept->awaits_ends && vis->late != NULL && vis->late->n > ts_vis_most_awaited)
    begin_anew (vis, FALSE);
}

void
ts_vis_note_closed (TsVis *vis, const TsVisNode *node)
{
  const guint32 first = (guint32) node->tasks[0].number;
  guint64       is_older;
  Name         *set;

  if (vis->knows_late_ends)
    note_late (vis, node);
  if (vis->splits == NULL || node->place == TS_VIS_STRANGER)
    return;
  set = set_of (vis->splits, node->key);
  /* those of an older node that have the names of branches of @node: without a branch, as nobody foresees where there are any */
  for (guint i = 0; i < WAYS; i++)
    {
      is_older = (set[i].key == node->key) & (set[i].number < first) & (set[i].field < node->n_tasks)
                 & (set[i].is_far == node->is_far);
      set[i].key &= is_older - 1;
    }
}

/* Ends of their own */

/* FALSE: it cannot be. */
static gboolean
read_again (TsVis *vis)
{
  if (!vis->kept->awaits_none && ts_vis_most_awaited > 0 && begin_anew (vis, TRUE))
    return TRUE;
  if (ts_vis_ask_anew (vis))
    return TRUE;
  ts_diagnostics_add (vis->import->diagnostics, TS_DIAGNOSTIC_KNOWN_LATE, vis->now_line,
                      "a branch that has split may have an end of its own");
  return FALSE;
}

gboolean
ts_vis_learn_late_end (TsVis *vis, gint32 number)
{
  ts_vis_prove (vis, number, FALSE);
  if (vis->knows_late_ends || !read_again (vis))
    return FALSE;
  if (vis->tells_splits_apart) /* otherwise that would not be all of them */
    ts_vis_set_bit (&vis->late_ends, number);
  return TRUE;
}

/* No node of that name is open. */
static gboolean
learn_name (TsVis *vis, const Name *name)
{
  const Entry entry = { *name, TS_NO_ELEMENT, TS_NO_RESOURCE };
  const Name *set;

  if (vis->splits == NULL)
    return FALSE;
  if (!vis->tells_splits_apart)
    return may_have_split (vis->splits, name) && read_again (vis);
  set = set_of (vis->splits, name->key);
  for (guint i = 0; i < WAYS; i++)
    if (is_same (&set[i], name))
      return ts_vis_learn_late_end (vis, (gint32) set[i].number);
  if (!vis->splits->is_forgetful || !read_again (vis))
    return FALSE;
  /* if it is begun anew, that is not all of them */
  if (!vis->import->has_learnt)
    put (&vis->kept->names, &entry);
  return TRUE;
}

gboolean
ts_vis_end_of_closed (TsVis *vis, const TsVisRecord *record)
{
  const Name name = { record->key, (guint32) record->field, ts_vis_is_far (record->node), 0 };

  if (record->field < 0)
    return FALSE;
  if (vis->late != NULL)
    {
      const Entry *entry = find (vis->late, &name);

      if (entry->name.key != 0)
        {
          ts_vis_end_late (vis, (TsVisCode) record->code, entry->element, (gint32) entry->name.number,
                           entry->resource);
          remove_at (vis->late, (gsize) (entry - vis->late->entries));
          return TRUE;
        }
    }
  return learn_name (vis, &name);
}

static int
compare_numbers (gconstpointer a, gconstpointer b)
{
  const Entry *left = a, *right = b;

  return left->name.number < right->name.number ? -1 : left->name.number > right->name.number;
}

void
ts_vis_end_splits (TsVis *vis)
{
  g_autoptr (GArray) rest = g_array_new (FALSE, FALSE, sizeof (Entry));

  for (gsize i = 0; vis->late != NULL && i <= mask_of (vis->late); i++)
    if (vis->late->entries[i].name.key != 0)
      g_array_append_val (rest, vis->late->entries[i]);
  g_array_sort (rest, compare_numbers);
  for (guint i = 0; i < rest->len; i++)
    end_at_split (vis, &g_array_index (rest, Entry, i));
}

void
ts_vis_keep_late_ends (TsVis *vis)
{
  TsVisKept *kept = vis->kept;

  if (vis->late_ends != NULL)
    kept->late_ends = g_steal_pointer (&vis->late_ends);
  /* lines in another order have other numbers, and may refer to something else */
  if (ts_vis_is_renumbered (vis))
    ts_vis_forget_numbers (kept);
}

void
ts_vis_forget_numbers (TsVisKept *kept)
{
  g_clear_pointer (&kept->late_ends, g_byte_array_unref);
  g_clear_pointer (&kept->names, ts_vis_branches_free);
  for (guint i = 0; i < G_N_ELEMENTS (kept->withdrawn); i++)
    g_clear_pointer (&kept->withdrawn[i], g_byte_array_unref);
}
