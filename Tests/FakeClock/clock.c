// A wall clock that a test sets: loaded into a program by LD_PRELOAD, since nobody but root may set the real one and a
// time namespace has none of its own. $FAKE_CLOCK names a file with by how many nanoseconds the clock goes ahead, and
// whether it is synchronised.
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <sys/timex.h>
#include <time.h>
#include <unistd.h>

static void setting(long long *ahead, int *synchronised) {
  char text[64] = {0};
  const char *path = getenv("FAKE_CLOCK");
  int error = errno;
  *ahead = 0;
  *synchronised = 1;
  int file = path ? open(path, O_RDONLY | O_CLOEXEC) : -1;
  if (file >= 0) {
    if (read(file, text, sizeof text - 1) > 0)
      sscanf(text, "%lld %d", ahead, synchronised);
    close(file);
  }
  errno = error;
}

int clock_gettime(clockid_t clock, struct timespec *time) {
  int result = (int)syscall(SYS_clock_gettime, clock, time);
  if (result == 0 && clock == CLOCK_REALTIME) {
    long long ahead;
    int synchronised;
    setting(&ahead, &synchronised);
    long long now = time->tv_sec * 1000000000LL + time->tv_nsec + ahead;
    time->tv_sec = now / 1000000000LL;
    time->tv_nsec = now % 1000000000LL;
  }
  return result;
}

int adjtimex(struct timex *clock) {
  long long ahead;
  int synchronised;
  setting(&ahead, &synchronised);
  memset(clock, 0, sizeof *clock);
  clock->maxerror = synchronised ? 1000 : 16000000;
  return synchronised ? TIME_OK : TIME_ERROR;
}
