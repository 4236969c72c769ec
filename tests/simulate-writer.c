/* SPDX-License-Identifier: MIT */

#include "simulate-writer.h"

#include <errno.h>

#define FLUSH_AT 262144

void
sim_writer_begin (SimWriter *writer, FILE *file, GString *string,
                  const SimCallbacks *callbacks, gpointer user_data)
{
  static const SimCallbacks none = { 0 };

  *writer = (SimWriter) {
    .out = file != NULL ? g_string_new (NULL) : string, .file = file,
    .told = callbacks != NULL ? callbacks : &none, .user_data = user_data
  };
}

static void
flush (SimWriter *writer)
{
  GString *out = writer->out;

  if (writer->error == 0 &&
      fwrite (out->str, 1, out->len, writer->file) != out->len)
    writer->error = errno;
  g_string_truncate (out, 0);
}

/* A function that writes what it is called with, and passes it on. */
#define PASS(what, Type) \
  static void \
  pass_##what (const SimSystem *system, const Type *what, gpointer user_data) \
  { \
    SimWriter *writer = user_data; \
  \
    if (writer->write.what != NULL) \
      writer->write.what (system, what, writer); \
    if (writer->file != NULL && writer->out->len > FLUSH_AT) \
      flush (writer); \
    if (writer->told->what != NULL) \
      writer->told->what (system, what, writer->user_data); \
  }
PASS (section_begin, SimSection)
PASS (event, SimEvent)
PASS (instance, SimInstance)
PASS (interval, SimInterval)
PASS (section_end, SimSection)

void
sim_writer_run (SimWriter *writer, const SimSystem *system,
                const SimCallbacks *write)
{
  SimCallbacks pass = { NULL };

  /* nobody is called in vain */
#define PASS_IF_WANTED(what) \
  if (write->what != NULL || writer->told->what != NULL) \
    pass.what = pass_##what
  PASS_IF_WANTED (section_begin);
  PASS_IF_WANTED (event);
  PASS_IF_WANTED (instance);
  PASS_IF_WANTED (interval);
  PASS_IF_WANTED (section_end);
#undef PASS_IF_WANTED
  writer->write = *write;
  sim_run (system, &pass, writer);
}

gboolean
sim_writer_end (SimWriter *writer)
{
  if (writer->file != NULL)
    {
      flush (writer);
      if (writer->error == 0 && fflush (writer->file) != 0)
        writer->error = errno;
      g_string_free (writer->out, TRUE);
    }
  errno = writer->error;
  return writer->error == 0;
}
