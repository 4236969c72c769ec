/* SPDX-License-Identifier: MIT */
#include "config.h"

#include <math.h>

#include <tracestat/error.h>

#include "import/late.h"
#include "report/read-json.h"

/* Others have objects and arrays only by the functions of this file. The last one is GObject's, which it needs. */
#define LIBJSON(F) \
  F (json_parser_new_immutable) F (json_parser_load_from_data) F (json_parser_get_current_line) \
  F (json_parser_get_root) F (json_object_has_member) F (json_object_get_member) F (json_array_get_length) \
  F (json_array_get_element) F (json_node_get_node_type) F (json_node_get_value_type) F (json_node_get_object) \
  F (json_node_get_array) F (json_node_get_string) F (json_node_get_boolean) F (json_node_get_int) \
  F (json_node_get_double) F (g_object_unref)

TS_LATE_LIBRARY (lib, LIBJSON, TS_LIBJSON_FILE);

/* json-glib calls itself for each level: a file of brackets alone would end the stack. Reports have 10 levels. */
#define MAX_DEPTH 64

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

/* The line where the brackets are too deep, or 0. */
static guint
line_too_deep (const char *text, gsize length)
{
  guint    depth = 0, line = 1;
  gboolean in_text = FALSE;

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
      else if ((text[i] == '}' || text[i] == ']') && depth > 0)
        depth--;
    }
  return 0;
}

JsonObject *
ts_json_load (TsJsonReader *reader, const char *text, gsize length)
{
  guint     deep = line_too_deep (text, length);
  JsonNode *root;

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
  if (!lib.json_parser_load_from_data (reader->parser, text, (gssize) length, NULL))
    {
      g_set_error (&reader->error, TS_ERROR, TS_ERROR_FORMAT, "%s:%u: malformed or truncated JSON", reader->path,
                   lib.json_parser_get_current_line (reader->parser));
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

gint64
ts_json_integer (TsJsonReader *reader, JsonObject *object, const char *name, gint64 min, gint64 max)
{
  JsonNode *node = get_member (reader, object, name, FALSE);
  gint64    value;

  if (node == NULL)
    return CLAMP (0, min, max);
  if (lib.json_node_get_value_type (node) != G_TYPE_INT64)
    {
      ts_json_fail (reader, "`%s' is no whole number", name);
      return min;
    }
  value = lib.json_node_get_int (node);
  if (value < min || value > max)
    {
      ts_json_fail (reader, "`%s' is out of range: %" G_GINT64_FORMAT, name, value);
      return min;
    }
  return value;
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
