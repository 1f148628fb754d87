#pragma once
#include <bluetooth/bluetooth.h>
#include <bluetooth/hci.h>
#include <bluetooth/hci_lib.h>
#include <errno.h>
#include <stdint.h>
#include <sys/ioctl.h>
#include <sys/socket.h>
#include <unistd.h>

// Lists the kernel's controllers: returns how many, at most HCI_MAX_DEV, or -errno. In C, because HCIGETDEVLIST is a
// macro with a cast and its request ends in an array without a length, and because these headers bring sys/socket.h:
// in Swift, SOCK_RAW and its like then belong to two modules and vanish from optimised builds.
static inline int strapd_controllers(uint16_t ids[HCI_MAX_DEV]) {
  struct {
    struct hci_dev_list_req list;
    struct hci_dev_req room[HCI_MAX_DEV];
  } request = {.list = {.dev_num = HCI_MAX_DEV}};
  int fd = socket(AF_BLUETOOTH, SOCK_RAW | SOCK_CLOEXEC, BTPROTO_HCI);
  if (fd < 0)
    return -errno;
  int result = ioctl(fd, HCIGETDEVLIST, &request);
  int code = errno;
  close(fd);
  if (result < 0)
    return -code;
  for (int i = 0; i < request.list.dev_num; i++)
    ids[i] = request.room[i].dev_id;
  return request.list.dev_num;
}
