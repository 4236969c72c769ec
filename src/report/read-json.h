/* SPDX-License-Identifier: MIT */
#pragma once

#include <json-glib/json-glib.h>

#include <tracestat/number.h>

G_BEGIN_DECLS

/* Members of JSON objects with the types that they must have. The first thing that is not as it should be is kept as
 * the error; from there on every call gives nothing, so that only the end of a piece needs to be looked at. */
typedef struct
{
  const char *path;
  char       *where; /* what is being read, for messages; or NULL */
  GError     *error;
  JsonParser *parser; /* keeps everything alive; or NULL */
} TsJsonReader;

/* The document's object, as long as @reader is not cleared; or NULL. */
JsonObject *ts_json_load (TsJsonReader *reader, const char *text, gsize length);
void        ts_json_clear (TsJsonReader *reader); /* but the error */
void        ts_json_fail (TsJsonReader *reader, const char *format, ...) G_GNUC_PRINTF (2, 3);

gboolean ts_json_has (JsonObject *object, const char *name);

/* An absent member is NULL, 0 or FALSE; one that is_required must be there. */
JsonObject *ts_json_object (TsJsonReader *reader, JsonObject *object, const char *name, gboolean is_required);
JsonArray  *ts_json_array (TsJsonReader *reader, JsonObject *object, const char *name, gboolean is_required);
const char *ts_json_text (TsJsonReader *reader, JsonObject *object, const char *name, gboolean is_required);
gboolean    ts_json_flag (TsJsonReader *reader, JsonObject *object, const char *name);
TsInt128    ts_json_whole (TsJsonReader *reader, JsonObject *object, const char *name, TsInt128 min, TsInt128 max);
gint64      ts_json_integer (TsJsonReader *reader, JsonObject *object, const char *name, gint64 min, gint64 max);
TsInt128    ts_json_wide (TsJsonReader *reader, JsonObject *object, const char *name); /* required */
gboolean    ts_json_number (TsJsonReader *reader, JsonObject *object, const char *name, TsRational *value);

/* Elements of an array. */
guint       ts_json_length (JsonArray *array);
JsonObject *ts_json_object_at (TsJsonReader *reader, JsonArray *array, guint index);
JsonArray  *ts_json_array_at (TsJsonReader *reader, JsonArray *array, guint index);
gboolean    ts_json_number_at (TsJsonReader *reader, JsonArray *array, guint index, TsRational *value);

G_END_DECLS
