#pragma once

// Without this the journal's functions are macros, which do not come into Swift.
#define SD_JOURNAL_SUPPRESS_LOCATION

#include <asm/socket.h>
#include <fcntl.h>
#include <stdint.h>
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <sys/random.h>
#include <sys/syscall.h>
#include <sys/timerfd.h>
#include <sys/types.h>
#include <systemd/sd-event.h>
#include <systemd/sd-id128.h>
#include <systemd/sd-journal.h>
#include <unistd.h>

// Two things this header must not do, both seen to break the build: include sys/socket.h (SOCK_STREAM and its like then
// belong to this module, and vanish from every file that imports Glibc alone), and define _GNU_SOURCE (this module's
// fd_set then differs from that of Swift's Glibc module). Hence the system calls by number below.

// Of sd-daemon.h, which includes sys/socket.h: sd_notify(3), sd_listen_fds(3), sd_is_socket(3).
int sd_notify(int unset_environment, const char *state);
int sd_listen_fds_with_names(int unset_environment, char ***names);
int sd_is_socket_unix(int fd, int type, int listening, const char *path, size_t length);

// EPOLL_EVENTS is an enum in C, so that its members would come into Swift as a struct of their own; sd-event takes
// and gives plain 32 bits.
static const uint32_t strapd_epoll_in = EPOLLIN;
static const uint32_t strapd_epoll_out = EPOLLOUT;
static const uint32_t strapd_epoll_hup = EPOLLHUP;
static const uint32_t strapd_epoll_err = EPOLLERR;
static const uint32_t strapd_epoll_et = EPOLLET;

// accept4(2) is not in Swift's Glibc module. The flags are those of open(2), under other names (SOCK_CLOEXEC,
// SOCK_NONBLOCK). The peer's address is of no use: a client of a unix socket has none.
static inline int strapd_accept(int fd) {
  return (int)syscall(SYS_accept4, fd, NULL, NULL, O_CLOEXEC | O_NONBLOCK);
}

// struct ucred is not in Swift's Glibc module; its layout is the kernel's (unix(7)). Returns 0, or -1 with errno.
static inline int strapd_peer(int fd, uid_t *uid, gid_t *gid, pid_t *pid) {
  struct {
    pid_t pid;
    uid_t uid;
    gid_t gid;
  } peer = {0};
  unsigned length = sizeof peer;
  if (syscall(SYS_getsockopt, fd, SOL_SOCKET, SO_PEERCRED, &peer, &length) < 0)
    return -1;
  *uid = peer.uid;
  *gid = peer.gid;
  *pid = peer.pid;
  return 0;
}

// sys/eventfd.h is not in Swift's Glibc module.
static inline int strapd_eventfd(void) {
  return eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK);
}

// sys/timerfd.h is not in Swift's Glibc module. A timer that is never due and is readable when the wall clock is set
// (timerfd_create(2), TFD_TIMER_CANCEL_ON_SET); armed again once that was read. Returns the descriptor, or -1.
static inline int strapd_clock_watch(int fd) {
  struct itimerspec never = {.it_value = {.tv_sec = INT32_MAX}};
  int watch = fd < 0 ? timerfd_create(CLOCK_REALTIME, TFD_CLOEXEC | TFD_NONBLOCK) : fd;
  if (watch < 0 || timerfd_settime(watch, TFD_TIMER_ABSTIME | TFD_TIMER_CANCEL_ON_SET, &never, NULL) < 0)
    return -1;
  return watch;
}

// pidfd_open(2) is not in Swift's Glibc module. Returns a descriptor that is readable when the process has ended, or -1.
static inline int strapd_pidfd(pid_t process) {
  return (int)syscall(SYS_pidfd_open, process, 0);
}

// sys/random.h is not in Swift's Glibc module.
static inline ssize_t strapd_getrandom(void *buffer, size_t length) {
  return getrandom(buffer, length, 0);
}
