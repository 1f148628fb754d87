#pragma once
#include <errno.h>
#include <sys/timex.h>

// sys/timex.h is not in Swift's Glibc module. Returns by how many microseconds the kernel takes the wall clock to be
// wrong at most, or -errno; nothing is adjusted.
static inline long strapd_clock_error(void) {
  struct timex clock = {.modes = 0};
  return adjtimex(&clock) < 0 ? -(long)errno : clock.maxerror;
}
