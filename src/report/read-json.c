/* SPDX-License-Identifier: MIT */
#include "config.h"

#include <math.h>
#include <string.h>

#include <tracestat/error.h>

#include "import/late.h"
#include "model/number.h"
#include "report/read-json.h"

/* Others have objects and arrays only by the functions of this file. The last one is GObject's, which it needs. */
#define LIBJSON(F) \
  F (json_parser_new_immutable) F (json_parser_load_from_data) F (json_parser_get_root) F (json_object_has_member) \
  F (json_object_get_member) F (json_array_get_length) \
  F (json_array_get_element) F (json_node_get_node_type) F (json_node_get_value_type) F (json_node_get_object) \
  F (json_node_get_array) F (json_node_get_string) F (json_node_get_boolean) F (json_node_get_int) \
  F (json_node_get_double) F (g_object_unref)

TS_LATE_LIBRARY (lib, LIBJSON, TS_LIBJSON_FILE);

/* json-glib calls itself for each level: a file of brackets alone would end the stack. Reports have 10 levels. */
#define MAX_DEPTH 64

#define MOST_DIGITS 18    /* that always fit in 64 bits */
#define MOST_OF_DOUBLE 15 /* that always come back out of a double */
#define MOST_DECIMALS 38  /* that always fit in 128 bits */

void
ts_json_fail (TsJsonReader *reader, const char *format, ...)
{
  g_autofree char *text = NULL;
  va_list          arguments;

  if (reader->error != NULL)
    return;
  va_start (arguments, format);
  text = g_strdup_vprintf (format, arguments);
  va_end (arguments);
  g_set_error (&reader->error, TS_ERROR, TS_ERROR_FORMAT, "%s: %s%s%s", reader->path,
               reader->where != NULL ? reader->where : "", reader->where != NULL ? ": " : "", text);
}

/* The line of the first byte that is no blank, or 0. */
static guint
line_not_blank (const char *text, gsize length, guint line)
{
  for (gsize i = 0; i < length; i++)
    if (strchr (" \t\r\n", text[i]) == NULL || text[i] == '\0')
      return line;
    else if (text[i] == '\n')
      line++;
  return 0;
}

/* The line where the brackets are too deep, or 0. *end is that of the first value; *behind is the line of what follows
 * it, of which json-glib would make the report, or 0. */
static guint
line_too_deep (const char *text, gsize length, gsize *end, guint *behind)
{
  guint    depth = 0, line = 1;
  gboolean in_text = FALSE;

  *end = length;
  *behind = 0;
  for (gsize i = 0; i < length; i++)
    {
      if (text[i] == '\n')
        line++;
      if (in_text)
        {
          if (text[i] == '\\')
            i++;
          else if (text[i] == '"')
            in_text = FALSE;
        }
      else if (text[i] == '"')
        in_text = TRUE;
      else if ((text[i] == '{' || text[i] == '[') && ++depth > MAX_DEPTH)
        return line;
      else if ((text[i] == '}' || text[i] == ']') && depth > 0 && --depth == 0)
        {
          *end = i + 1;
          *behind = line_not_blank (text + *end, length - *end, line);
          return 0;
        }
    }
  /* a comment, which json-glib passes over, may have brackets of its own: then nobody knows what follows */
  *behind = line;
  return 0;
}

/* Whether json-glib would not keep the number [begin, *end): it has whole numbers in 64 bits, and tells nobody when they
 * do not fit, and all others in a double. What is no number as ours is left to it. */
static gboolean
is_long_number (const char *text, gsize length, gsize begin, gsize *end)
{
  gsize i = begin + 1, whole_end, n_digits;

  while (i < length && g_ascii_isdigit (text[i]))
    i++;
  whole_end = i;
  if (i + 1 < length && text[i] == '.' && g_ascii_isdigit (text[i + 1]))
    for (i++; i < length && g_ascii_isdigit (text[i]);)
      i++;
  n_digits = i - begin - (text[begin] == '-') - (i > whole_end);
  *end = i;
  /* its exponent is no number of its own */
  while (*end < length && (g_ascii_isalnum (text[*end]) || strchr (".+-", text[*end]) != NULL))
    (*end)++;
  if (*end != i)
    return FALSE;
  return i == whole_end ? i - begin > MOST_DIGITS : n_digits > MOST_OF_DOUBLE && n_digits <= MOST_DECIMALS;
}

/* A number that is too long for json-glib is made an array with its text, which is in no report otherwise. NULL: there
 * is none. */
static GString *
part_long_numbers (const char *text, gsize length)
{
  GString *parted = NULL;
  gboolean in_text = FALSE;
  gsize    taken = 0;

  for (gsize i = 0; i < length; i++)
    {
      gsize    begin = i, end;
      gboolean is_long;

      if (in_text && text[i] == '\\')
        i++;
      else if (text[i] == '"')
        in_text = !in_text;
      if (in_text || !(text[i] == '-' || g_ascii_isdigit (text[i])))
        continue;
      is_long = is_long_number (text, length, begin, &end);
      i = end - 1;
      if (!is_long)
        continue;
      if (parted == NULL)
        parted = g_string_sized_new (length + 64);
      g_string_append_len (parted, text + taken, (gssize) (begin - taken));
      g_string_append_printf (parted, "[\"%.*s\"]", (int) (end - begin), text + begin);
      taken = end;
    }
  if (parted != NULL)
    g_string_append_len (parted, text + taken, (gssize) (length - taken));
  return parted;
}

static gboolean
parse (JsonParser *parser, const char *text, gsize length, GError **error)
{
  GString *parted = part_long_numbers (text, length);
  gboolean ok = lib.json_parser_load_from_data (parser, parted != NULL ? parted->str : text,
                                                (gssize) (parted != NULL ? parted->len : length), error);

  if (parted != NULL)
    g_string_free (parted, TRUE);
  return ok;
}

/* "<data>:LINE:COLUMN: ...": the parser itself has forgotten the line when it is asked. 0: it is not said. */
static guint64
line_of (const char *reason)
{
  for (const char *colon = strchr (reason, ':'); colon != NULL; colon = strchr (colon + 1, ':'))
    {
      char   *end;
      guint64 line = g_ascii_isdigit (colon[1]) ? g_ascii_strtoull (colon + 1, &end, 10) : 0;

      if (line > 0 && *end == ':')
        return line;
    }
  return 0;
}

/* What has another name is perhaps no JSON at all, but begins like it. */
static void
fail_malformed (TsJsonReader *reader, const char *reason)
{
  guint64          line = line_of (reason);
  g_autofree char *number = line > 0 ? g_strdup_printf (":%" G_GUINT64_FORMAT, line) : g_strdup ("");
  const char      *suffix = strrchr (reader->path, '.');
  gboolean         is_named_so = suffix == NULL || strchr (suffix, '/') != NULL || g_ascii_strcasecmp (suffix, ".json") == 0;

  g_set_error (&reader->error, TS_ERROR, TS_ERROR_FORMAT, "%s%s: %s", reader->path, number,
               is_named_so ? "malformed or truncated JSON"
                           : "no trace of a known format, and as a JSON report it is malformed or truncated");
}

JsonObject *
ts_json_load (TsJsonReader *reader, const char *text, gsize length)
{
  gsize     end;
  guint     behind, deep = line_too_deep (text, length, &end, &behind);
  JsonNode *root;
  g_autoptr (GError) reason = NULL;

  if (deep > 0 || !g_utf8_validate_len (text, length, NULL))
    {
      g_set_error (&reader->error, TS_ERROR, TS_ERROR_FORMAT, "%s:%u: %s", reader->path, MAX (deep, 1),
                   deep > 0 ? "nested too deeply for a report" : "the file is no UTF-8 text");
      return NULL;
    }
  if (!ts_late_load (&lib_late, &reader->error))
    {
      g_prefix_error (&reader->error, "%s: ", reader->path);
      return NULL;
    }
  reader->parser = lib.json_parser_new_immutable ();
  if (!parse (reader->parser, text, end, &reason))
    {
      fail_malformed (reader, reason->message);
      return NULL;
    }
  if (behind > 0)
    {
      g_set_error (&reader->error, TS_ERROR, TS_ERROR_FORMAT,
                   "%s:%u: there is something else behind the report, perhaps another one", reader->path, behind);
      return NULL;
    }
  root = lib.json_parser_get_root (reader->parser);
  if (root == NULL || lib.json_node_get_node_type (root) != JSON_NODE_OBJECT)
    {
      ts_json_fail (reader, "not a report: no JSON object");
      return NULL;
    }
  return lib.json_node_get_object (root);
}

void
ts_json_clear (TsJsonReader *reader)
{
  if (reader->parser != NULL)
    lib.g_object_unref (reader->parser);
  g_free (reader->where);
}

gboolean
ts_json_has (JsonObject *object, const char *name)
{
  return lib.json_object_has_member (object, name);
}

guint
ts_json_length (JsonArray *array)
{
  return lib.json_array_get_length (array);
}

/* The member @name, or NULL if it is not there or nothing is read any more. */
static JsonNode *
get_member (TsJsonReader *reader, JsonObject *object, const char *name, gboolean is_required)
{
  JsonNode *node;

  if (reader->error != NULL || object == NULL)
    return NULL;
  node = lib.json_object_get_member (object, name);
  if (node == NULL && is_required)
    ts_json_fail (reader, "`%s' is missing", name);
  return node;
}

JsonObject *
ts_json_object (TsJsonReader *reader, JsonObject *object, const char *name, gboolean is_required)
{
  JsonNode *node = get_member (reader, object, name, is_required);

  if (node != NULL && lib.json_node_get_node_type (node) == JSON_NODE_OBJECT)
    return lib.json_node_get_object (node);
  if (node != NULL)
    ts_json_fail (reader, "`%s' is no object", name);
  return NULL;
}

JsonArray *
ts_json_array (TsJsonReader *reader, JsonObject *object, const char *name, gboolean is_required)
{
  JsonNode *node = get_member (reader, object, name, is_required);

  if (node != NULL && lib.json_node_get_node_type (node) == JSON_NODE_ARRAY)
    return lib.json_node_get_array (node);
  if (node != NULL)
    ts_json_fail (reader, "`%s' is no array", name);
  return NULL;
}

const char *
ts_json_text (TsJsonReader *reader, JsonObject *object, const char *name, gboolean is_required)
{
  JsonNode *node = get_member (reader, object, name, is_required);

  if (node != NULL && lib.json_node_get_value_type (node) == G_TYPE_STRING)
    return lib.json_node_get_string (node);
  if (node != NULL)
    ts_json_fail (reader, "`%s' is no text", name);
  return NULL;
}

gboolean
ts_json_flag (TsJsonReader *reader, JsonObject *object, const char *name)
{
  JsonNode *node = get_member (reader, object, name, FALSE);

  if (node != NULL && lib.json_node_get_value_type (node) == G_TYPE_BOOLEAN)
    return lib.json_node_get_boolean (node);
  if (node != NULL)
    ts_json_fail (reader, "`%s' is neither true nor false", name);
  return FALSE;
}

static gboolean
parse_long_number (const char *text, TsRational *value)
{
  value->denominator = 1;
  return ts_int128_parse (text, &value->numerator) || ts_rational_parse_long (text, MOST_DECIMALS, value);
}

/* One that was parted. */
static gboolean
long_number (JsonNode *node, TsRational *value)
{
  JsonArray *array = lib.json_node_get_node_type (node) == JSON_NODE_ARRAY ? lib.json_node_get_array (node) : NULL;
  JsonNode  *digits = array != NULL && lib.json_array_get_length (array) == 1 ? lib.json_array_get_element (array, 0) : NULL;

  return digits != NULL && lib.json_node_get_value_type (digits) == G_TYPE_STRING
         && parse_long_number (lib.json_node_get_string (digits), value);
}

TsInt128
ts_json_whole (TsJsonReader *reader, JsonObject *object, const char *name, TsInt128 min, TsInt128 max)
{
  JsonNode  *node = get_member (reader, object, name, FALSE);
  TsRational value;
  char       text[TS_NUMBER_SIZE];

  if (node == NULL)
    return CLAMP (0, min, max);
  if (!long_number (node, &value) || value.denominator != 1)
    {
      if (lib.json_node_get_value_type (node) != G_TYPE_INT64)
        {
          ts_json_fail (reader, "`%s' is no whole number", name);
          return min;
        }
      value.numerator = lib.json_node_get_int (node);
    }
  if (value.numerator < min || value.numerator > max)
    {
      ts_int128_format (value.numerator, text);
      ts_json_fail (reader, "`%s' is out of range: %s", name, text);
      return min;
    }
  return value.numerator;
}

gint64
ts_json_integer (TsJsonReader *reader, JsonObject *object, const char *name, gint64 min, gint64 max)
{
  return (gint64) ts_json_whole (reader, object, name, min, max);
}

TsInt128
ts_json_wide (TsJsonReader *reader, JsonObject *object, const char *name)
{
  const char *text = ts_json_text (reader, object, name, TRUE);
  TsInt128    value = 0;

  if (text != NULL && !ts_int128_parse (text, &value))
    ts_json_fail (reader, "`%s' is no whole number of at most 38 digits", name);
  return value;
}

/* With so many decimals that 15 digits are kept: those of a value below 1 begin behind zeros. */
static TsRational
decimal_of (double value)
{
  double   scale = 1e15;
  TsInt128 denominator = (TsInt128) 1000000000000000;

  for (guint zeros = 0; zeros < 15 && fabs (value) * scale < 1e14; zeros++)
    {
      scale *= 10;
      denominator *= 10;
    }
  return ts_rational ((TsInt128) rint (value * scale), denominator);
}

static gboolean
node_number (TsJsonReader *reader, JsonNode *node, const char *name, TsRational *value)
{
  char text[TS_NUMBER_SIZE];

  if (long_number (node, value))
    return TRUE;
  if (lib.json_node_get_value_type (node) == G_TYPE_INT64)
    {
      *value = (TsRational){ lib.json_node_get_int (node), 1 };
      return TRUE;
    }
  /* written with at most 15 digits: the double says which these were */
  if (lib.json_node_get_value_type (node) == G_TYPE_DOUBLE && fabs (lib.json_node_get_double (node)) < 1e15)
    {
      ts_real_format (lib.json_node_get_double (node), text);
      if (ts_rational_parse (text, value))
        return TRUE;
      *value = decimal_of (lib.json_node_get_double (node));
      return TRUE;
    }
  ts_json_fail (reader, "`%s' is no number, or too large", name);
  return FALSE;
}

gboolean
ts_json_number (TsJsonReader *reader, JsonObject *object, const char *name, TsRational *value)
{
  JsonNode *node = get_member (reader, object, name, FALSE);

  return node != NULL && node_number (reader, node, name, value);
}

JsonObject *
ts_json_object_at (TsJsonReader *reader, JsonArray *array, guint index)
{
  JsonNode *node = reader->error == NULL ? lib.json_array_get_element (array, index) : NULL;

  if (node != NULL && lib.json_node_get_node_type (node) == JSON_NODE_OBJECT)
    return lib.json_node_get_object (node);
  ts_json_fail (reader, "element %u of an array is no object", index);
  return NULL;
}

JsonArray *
ts_json_array_at (TsJsonReader *reader, JsonArray *array, guint index)
{
  JsonNode *node = reader->error == NULL ? lib.json_array_get_element (array, index) : NULL;

  if (node != NULL && lib.json_node_get_node_type (node) == JSON_NODE_ARRAY)
    return lib.json_node_get_array (node);
  ts_json_fail (reader, "element %u of an array is no array", index);
  return NULL;
}

gboolean
ts_json_number_at (TsJsonReader *reader, JsonArray *array, guint index, TsRational *value)
{
  JsonNode *node = reader->error == NULL && index < lib.json_array_get_length (array)
                       ? lib.json_array_get_element (array, index)
                       : NULL;

  if (node != NULL)
    return node_number (reader, node, "histogram", value);
  ts_json_fail (reader, "a row of the histogram is too short");
  return FALSE;
}
