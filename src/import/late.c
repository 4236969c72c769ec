/* SPDX-License-Identifier: MIT */
#include "config.h"

#include <dlfcn.h>
#include <pthread.h>
#include <string.h>

#include "import/late.h"
#include "tracestat/error.h"

static gboolean
load (TsLateLibrary *library)
{
  void *handle = dlopen (library->file, RTLD_LAZY | RTLD_LOCAL);

  for (gsize i = 0; i < library->n; i++)
    {
      void *address = handle != NULL ? dlsym (handle, library->names[i]) : NULL;

      if (address == NULL)
        {
          /* what it needs itself may be missing, which this names */
          library->reason = g_strdup (dlerror ());
          return FALSE;
        }
      /* bytes: C has no conversion to a pointer to a function */
      memcpy ((char *) library->addresses + i * sizeof address, &address, sizeof address);
    }
  return TRUE;
}

gboolean
ts_late_load (TsLateLibrary *library, GError **error)
{
  /* not g_once_init_enter(), which the sanitizer of threads does not see into */
  static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
  TsLateState            state;

  pthread_mutex_lock (&lock);
  if (library->state == TS_LATE_NOT_YET)
    library->state = load (library) ? TS_LATE_LOADED : TS_LATE_MISSING;
  state = library->state;
  pthread_mutex_unlock (&lock);
  if (state == TS_LATE_LOADED)
    return TRUE;
  g_set_error (error, TS_ERROR, TS_ERROR_INPUT, "%s is needed for this, and cannot be loaded: %s", library->file,
               library->reason);
  return FALSE;
}
