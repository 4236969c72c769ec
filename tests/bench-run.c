/* SPDX-License-Identifier: MIT */

/* Runs a command and says what it took, as a small program, since the peak memory of a child includes
 * that of the process that it was forked from. */

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

static double
seconds_of (const struct timeval *time)
{
  return (double) time->tv_sec + (double) time->tv_usec * 1e-6;
}

static double
now (void)
{
  struct timespec time;

  clock_gettime (CLOCK_MONOTONIC, &time);
  return (double) time.tv_sec + (double) time.tv_nsec * 1e-9;
}

/* Writes `CPU WALL PEAK', seconds of user and system, seconds, KiB, to the file, and exits as the command does. */
int
main (int argc, char **argv)
{
  struct rusage usage;
  double        begin = now ();
  FILE         *file;
  pid_t         child;
  int           status;

  if (argc < 3)
    {
      fputs ("usage: bench-run RESULT COMMAND...\n", stderr);
      return 2;
    }
  child = fork ();
  if (child == 0)
    {
      execvp (argv[2], argv + 2);
      fprintf (stderr, "bench-run: %s: %s\n", argv[2], strerror (errno));
      _exit (127);
    }
  if (child < 0 || wait4 (child, &status, 0, &usage) != child)
    {
      fprintf (stderr, "bench-run: %s\n", strerror (errno));
      return 2;
    }
  file = fopen (argv[1], "w");
  if (file == NULL
      || fprintf (file, "%.6f %.6f %ld\n", seconds_of (&usage.ru_utime) + seconds_of (&usage.ru_stime), now () - begin,
                  usage.ru_maxrss) < 0
      || fclose (file) != 0)
    {
      fprintf (stderr, "bench-run: %s: %s\n", argv[1], strerror (errno));
      return 2;
    }
  return WIFEXITED (status) ? WEXITSTATUS (status) : 128 + WTERMSIG (status);
}
