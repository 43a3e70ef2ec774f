// SPDX-License-Identifier: Apache-2.0
#include "app/files/fd.hpp"

#include <fcntl.h>
#include <spdlog/fmt/fmt.h>
#include <unistd.h>

#include <system_error>

#include "app/files/system_calls.hpp"
#include "app/options/names.hpp"

namespace tdz::app {

int Fd::close() {
  const int fd = std::exchange(fd_, -1);
  return fd < 0 ? 0 : ::close(fd);
}

void occupy_standard_descriptors() {
  for (const int fd : {STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO}) {
    if (fcntl(fd, F_GETFD) >= 0) continue;
    const int wrong_way = fd == STDIN_FILENO ? O_WRONLY : O_RDONLY;
    [[maybe_unused]] const int lowest_free = open("/dev/null", wrong_way);  // this is fd
  }
}

Fd open_folder(int parent, const std::string& name, int flags) {
  Fd folder(openat(parent, name.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC | flags));
  if (!folder && errno == EACCES)  // it may be written but not listed
    folder = open_unlisted_folder(parent, name.c_str(), flags);
  return folder;
}

int sync_folder(int folder, int inside) {
  if (sync_to_disk(folder) == 0 || errno == EINVAL) return 0;
  return errno == EBADF && sync_unlisted_folder(inside) == 0 ? 0 : errno;
}

Error io_error(int cause) {
  return {ErrorKind::io, std::generic_category().message(cause)};
}

Error io_error(std::string_view doing, std::string_view name, int cause) {
  return {ErrorKind::io, fmt::format("{} {}: {}", doing, printable(name), io_error(cause).message)};
}

}  // namespace tdz::app
