/* SPDX-License-Identifier: MIT */
#include "config.h"

#include <string.h>

#include "import/digits.h"
#include "import/etf-take.h"

/* Between the attributes of a key: no text of a line can hold it unless it is meant to be odd. */
#define SEPARATOR '\x1f'
#define MISSING '\x1e'
#define FIRST_RECENTS_BITS 9
#define SPARSE_RECENTS_BITS 12 /* up to here it grows until none is in another's place */
#define MAX_RECENTS_BITS 16 /* with more names, those beyond are looked up as texts */

/* Options */

static gboolean
fail (TsEtf *etf, const char *format, ...) G_GNUC_PRINTF (2, 3);

static gboolean
fail (TsEtf *etf, const char *format, ...)
{
  g_autofree char *message = NULL;
  va_list          arguments;

  va_start (arguments, format);
  message = g_strdup_vprintf (format, arguments);
  va_end (arguments);
  g_set_error_literal (&etf->error, TS_ERROR, TS_ERROR_USAGE, message);
  return FALSE;
}

static gboolean
take_keys (TsEtf *etf, TsEtfKeys *keys, const char *option, const char *list)
{
  g_auto (GStrv) names = g_strsplit (*list != '\0' ? list : ",", ",", -1);

  for (guint i = 0; names[i] != NULL; i++)
    {
      const char *name = g_strstrip (names[i]);

      if (*name == '\0')
        return fail (etf, "%s %s: names of attributes are expected, with commas between them", option, list);
      if (keys->n == TS_ETF_MAX_KEYS)
        return fail (etf, "%s %s: more than %d attributes", option, list, TS_ETF_MAX_KEYS);
      keys->texts[keys->n] = g_strdup (name);
      keys->lengths[keys->n++] = strlen (name);
    }
  return TRUE;
}

/* KEY, or KEY!=VALUE to leave the objects of one value out. */
static gboolean
take_object_key (TsEtf *etf, const char *text)
{
  const char *except = strstr (text, "!=");

  if (*text == '\0' || except == text)
    return fail (etf, "--object-key %s: KEY or KEY!=VALUE is expected", text);
  etf->object_key = except != NULL ? g_strndup (text, (gsize) (except - text)) : g_strdup (text);
  etf->object_except = except != NULL ? g_strdup (except + 2) : NULL;
  etf->objects = ts_objects_new ();
  return TRUE;
}

static gboolean
take_activation (TsEtf *etf, const char *text)
{
  const char *colon = strchr (text, ':');
  const char *equals = colon != NULL ? strchr (colon, '=') : NULL;

  if (strcmp (text, "none") == 0)
    return TRUE;
  if (strcmp (text, "dep") == 0 || g_str_has_prefix (text, "dep:"))
    etf->activation = TS_ETF_ACTIVATION_DEPENDENCY;
  else if (g_str_has_prefix (text, "event:"))
    etf->activation = TS_ETF_ACTIVATION_EVENT;
  if (etf->activation == TS_ETF_ACTIVATION_NONE || (colon != NULL && (equals == NULL || equals == colon + 1)))
    return fail (etf, "--activation %s: none, dep, dep:KEY=VALUE or event:KEY=VALUE is expected", text);
  if (equals != NULL)
    {
      etf->activation_key = g_strndup (colon + 1, (gsize) (equals - colon - 1));
      etf->activation_value = g_strdup (equals + 1);
    }
  return TRUE;
}

static gboolean
take_resources (TsEtf *etf, const char *list)
{
  g_auto (GStrv) names = g_strsplit (*list != '\0' ? list : ",", ",", -1);

  etf->exec_resources = g_ptr_array_new_with_free_func (g_free);
  for (guint i = 0; names[i] != NULL; i++)
    {
      if (*g_strstrip (names[i]) == '\0')
        return fail (etf, "--exec-resources %s: names of resources are expected, with commas between them", list);
      g_ptr_array_add (etf->exec_resources, g_strdup (names[i]));
    }
  return TRUE;
}

gboolean
ts_etf_keys_init (TsEtf *etf, const TsOptions *options)
{
  static const TsOptions none = { .element_key = NULL };

  if (options == NULL)
    options = &none;
  etf->default_keys = options->element_key == NULL;
  return (options->exec_resources == NULL || take_resources (etf, options->exec_resources))
         && take_keys (etf, &etf->element_keys, "--element-key", etf->default_keys ? "name" : options->element_key)
         && (options->instance_key == NULL
             || take_keys (etf, &etf->instance_keys, "--instance-key", options->instance_key))
         && (options->object_key == NULL || take_object_key (etf, options->object_key))
         && (options->activation == NULL || take_activation (etf, options->activation));
}

void
ts_etf_keys_clear (TsEtf *etf)
{
  for (guint i = 0; i < etf->element_keys.n; i++)
    g_free (etf->element_keys.texts[i]);
  for (guint i = 0; i < etf->instance_keys.n; i++)
    g_free (etf->instance_keys.texts[i]);
  g_free (etf->object_key);
  g_free (etf->object_except);
  g_free (etf->activation_key);
  g_free (etf->activation_value);
  g_clear_pointer (&etf->exec_resources, g_ptr_array_unref);
  ts_objects_free (etf->objects);
  ts_etf_texts_clear (&etf->names);
  ts_etf_texts_clear (&etf->instances);
  ts_etf_texts_clear (&etf->ids);
  ts_etf_texts_clear (&etf->id_heads);
  ts_etf_ids_clear (&etf->object_ids);
  g_free (etf->recents.slots);
  g_free (etf->element_of_text);
  g_free (etf->element_of_resource);
}

/* Elements and jobs */

/* The values of @keys as one text; p is NULL if none of them is there. */
static TsEtfText
join (TsEtf *etf, const TsEtfKeys *keys, const TsEtfText *values)
{
  gboolean has_any = FALSE;

  if (keys->n == 1)
    return values[0];
  g_string_set_size (etf->joined, TS_ETF_MARGIN);
  for (guint i = 0; i < keys->n; i++)
    {
      if (i > 0)
        g_string_append_c (etf->joined, SEPARATOR);
      if (values[i].p == NULL)
        g_string_append_c (etf->joined, MISSING);
      else
        g_string_append_len (etf->joined, values[i].p, (gssize) values[i].length);
      has_any |= values[i].p != NULL;
    }
  return (TsEtfText){ has_any ? etf->joined->str + TS_ETF_MARGIN : NULL, etf->joined->len - TS_ETF_MARGIN };
}

static guint32
new_element (TsEtf *etf, guint32 text, gboolean is_resource)
{
  TsEtfElement element = { .text = text, .task = TS_NO_ELEMENT, .event = TS_NO_ELEMENT, .first_event = TS_ETF_NONE,
                           .is_resource = is_resource };

  g_array_append_val (etf->elements, element);
  return etf->elements->len - 1;
}

/* The element that @index of @map stands for, made when it is new. */
static guint32
map_element (TsEtf *etf, guint32 **map, guint *n, guint32 index, gboolean is_resource)
{
  if (index >= *n)
    {
      guint larger = MAX (index + 1, MAX (16, 2 * *n));

      *map = g_renew (guint32, *map, larger);
      for (guint i = *n; i < larger; i++)
        (*map)[i] = TS_ETF_NONE;
      *n = larger;
    }
  if ((*map)[index] == TS_ETF_NONE)
    (*map)[index] = new_element (etf, index, is_resource);
  return (*map)[index];
}

const guint8 ts_etf_name_masks[2 * TS_ETF_SHORT_NAME] = { 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff,
                                                          0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff };

static inline gboolean
is_long (gsize length)
{
  return length > TS_ETF_SHORT_NAME;
}

static TsEtfRecent
long_recent_of (TsEtfText name)
{
  return (TsEtfRecent){ .head = ts_etf_mix_bytes (name.p, name.length), .text = name.p, .length = (guint32) name.length };
}

/* Of any name, wherever it stands. */
static TsEtfRecent
recent_of (TsEtfText name)
{
  char room[TS_ETF_SHORT_NAME] = { 0 };

  if (is_long (name.length))
    return long_recent_of (name);
  memcpy (room, name.p, name.length);
  return ts_etf_recent_of ((TsEtfText){ room, name.length });
}

static inline guint32
place_of (const TsEtfRecents *recents, const TsEtfRecent *recent)
{
  if (is_long (recent->length))
    return (guint32) (recent->head >> recents->shift);
  return ts_etf_place_of (recents, recent);
}

/* Eight bytes at a time, which is quicker than to ask a function how to do it. */
static inline gboolean
are_equal (const char *a, const char *b, gsize length)
{
  for (gsize i = 0; i < length - 8; i += 8)
    if (ts_eight_load (a + i) != ts_eight_load (b + i))
      return FALSE;
  return ts_eight_load (a + length - 8) == ts_eight_load (b + length - 8);
}

static inline gboolean
is_of (const TsEtfRecent *found, const TsEtfRecent *recent)
{
  if (found->head != recent->head || found->length != recent->length)
    return FALSE;
  return is_long (recent->length) ? are_equal (found->text, recent->text, recent->length) : found->tail == recent->tail;
}

static void
put_recent (TsEtfRecents *recents, const TsEtfRecent *recent)
{
  guint32 mask = (1u << (64 - recents->shift)) - 1, i = place_of (recents, recent);

  for (; recents->slots[i].length != 0; recents->are_apart = FALSE)
    i = (i + 1) & mask;
  recents->slots[i] = *recent;
}

static void
grow_recents (TsEtfRecents *recents)
{
  guint        bits = recents->slots == NULL ? FIRST_RECENTS_BITS : 64 - recents->shift + 1;
  TsEtfRecents larger = { g_new0 (TsEtfRecent, (gsize) 1 << bits), 64 - bits, recents->n, recents->are_names, TRUE };

  if (recents->slots != NULL)
    for (gsize i = 0; i < (gsize) 1 << (bits - 1); i++)
      if (recents->slots[i].length != 0)
        put_recent (&larger, &recents->slots[i]);
  g_free (recents->slots);
  *recents = larger;
}

static guint32 G_GNUC_NO_INLINE
element_of_text (TsEtf *etf, TsEtfText name, TsEtfRecent *recent)
{
  TsEtfRecents *recents = &etf->recents;
  guint32       text = ts_etf_texts_get (&etf->names, name), n_elements = etf->elements->len;

  recent->element = map_element (etf, &etf->element_of_text, &etf->n_element_of_text, text, FALSE);
  if (etf->elements->len == n_elements || recents->n == 1u << (MAX_RECENTS_BITS - 1))
    return recent->element;
  if (2 * (recents->n + 1) > (recents->slots == NULL ? 0 : 1u << (64 - recents->shift)))
    grow_recents (recents);
  recents->are_names = etf->element_keys.n == 1;
  if (is_long (recent->length))
    recent->text = ts_etf_texts_name (&etf->names, text);
  put_recent (recents, recent);
  recents->n++;
  /* which of two that share a place comes next is foreseen by nobody */
  while (!recents->are_apart && recents->shift > 64 - SPARSE_RECENTS_BITS)
    grow_recents (recents);
  return recent->element;
}

static inline guint32
element_of_name (TsEtf *etf, TsEtfText name)
{
  const TsEtfRecents *recents = &etf->recents;
  TsEtfRecent         recent = recent_of (name);

  if (G_LIKELY (recents->slots != NULL))
    for (guint32 i = place_of (recents, &recent);; i = (i + 1) & ((1u << (64 - recents->shift)) - 1))
      {
        const TsEtfRecent *found = &recents->slots[i];

        if (is_of (found, &recent))
          return found->element;
        if (found->length == 0)
          break;
      }
  return element_of_text (etf, name, &recent);
}

/* The element of attributes that are not just one name. */
guint32
ts_etf_element_of_other (TsEtf *etf, const TsEtfAttributes *attributes, guint32 resource)
{
  static const TsEtfText event = { "event", 5 };
  TsEtfText              name = join (etf, &etf->element_keys, attributes->element);

  if (name.p == NULL)
    name = attributes->fallback[0].p != NULL ? attributes->fallback[0] : attributes->fallback[1];
  if (name.p == NULL)
    {
      ts_etf_note (etf, NO_ELEMENT_KEY, "there is no attribute `%s'", etf->element_keys.texts[0]);
      if (resource != TS_ETF_NONE)
        return map_element (etf, &etf->element_of_resource, &etf->n_element_of_resource, resource, TRUE);
      name = event;
    }
  return element_of_name (etf, name);
}

/* A decimal number as it is usually written, so that equal numbers are equal texts. */
static gboolean G_GNUC_NO_INLINE
parse_integer (TsEtfText text, gsize most_digits, gint64 *value)
{
  const char *p = text.p, *end = p + text.length;
  gboolean    is_negative = p < end && *p == '-';
  gint64      number = 0;

  p += is_negative;
  if (p == end || (gsize) (end - p) > most_digits || (*p == '0' && (end - p > 1 || is_negative)))
    return FALSE;
  for (; p < end; p++)
    {
      guint digit = (guint) (guchar) *p - '0';

      if (digit > 9)
        return FALSE;
      number = 10 * number + (gint64) digit;
    }
  *value = is_negative ? -number : number;
  return TRUE;
}

/* The same for those of up to eight digits, at once: from their last one back, what stands in front goes. */
static inline gboolean
parse_short_integer (TsEtfText text, gint64 *value)
{
  guint   shift = 64 - 8 * (guint) text.length;
  guint64 digits;

  if (text.length - 1 >= 8 || (*text.p == '0' && text.length > 1))
    return FALSE;
  digits = ts_eight_digits (text.p + text.length - 8) >> shift << shift;
  if (ts_eight_odd (digits) != 0)
    return FALSE;
  *value = (gint64) ts_eight_number (digits);
  return TRUE;
}

void
ts_etf_set_instance (TsEtf *etf, const TsEtfAttributes *attributes, gint32 *instance, guint16 *flags)
{
  TsEtfText text;
  gint64    value;

  if (etf->instance_keys.n == 0)
    return;
  text = join (etf, &etf->instance_keys, attributes->instance);
  if (text.p == NULL)
    *flags |= TS_ETF_NO_INSTANCE;
  else if (G_LIKELY (parse_short_integer (text, &value)))
    *instance = (gint32) value;
  else if (parse_integer (text, 10, &value) && value > G_MININT32 && value <= G_MAXINT32)
    *instance = (gint32) value;
  else
    {
      *flags |= TS_ETF_TEXT_INSTANCE;
      *instance = (gint32) ts_etf_texts_get (&etf->instances, text);
    }
}

char *
ts_etf_element_name (TsEtf *etf, const TsEtfElement *element)
{
  g_autoptr (GString) name = NULL;
  TsEtfText text;

  if (element->is_resource)
    return g_strdup (g_array_index (etf->resources, TsEtfResource, element->text).name);
  text = ts_etf_texts_text (&etf->names, element->text);
  if (etf->element_keys.n == 1)
    return ts_etf_text_dup (etf, text, 0);
  name = g_string_new_len (text.p, (gssize) text.length);
  for (gsize i = 0; i < name->len; i++)
    if (name->str[i] == SEPARATOR)
      name->str[i] = '/';
    else if (name->str[i] == MISSING)
      name->str[i] = '-';
  return ts_etf_text_dup (etf, (TsEtfText){ name->str, name->len }, 0);
}
