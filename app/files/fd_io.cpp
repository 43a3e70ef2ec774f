// SPDX-License-Identifier: Apache-2.0
#include "app/files/fd_io.hpp"

#include <poll.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <limits>
#include <vector>

#include "app/files/input_file.hpp"
#include "app/files/system_calls.hpp"

namespace tdz::app {
namespace {

constexpr std::size_t kAtOnce = 1u << 20;  // some kernel files do not allow reads of more than a few MiB

/// Waits until the event comes or a stop is requested (both true), or the time is over (false).
bool wait_for(int fd, short event, int wake_fd, int milliseconds) {
  std::array<pollfd, 2> waiting = {{{fd, event, 0}, {wake_fd, POLLIN, 0}}};
  int ready = 0;
  do {
    ready = poll(waiting.data(), waiting.size(), milliseconds);
  } while (ready < 0 && errno == EINTR);
  return ready != 0;  // an error of poll: the next read or write reports it
}

bool try_again(int cause) {
  return cause == EAGAIN || cause == EWOULDBLOCK;
}

Error cancelled() {
  return {ErrorKind::cancelled, "stopped"};
}

ssize_t pread_again(int fd, std::span<std::byte> into, off_t offset) {
  ssize_t came = 0;
  do {
    came = ::pread(fd, into.data(), into.size(), offset);
  } while (came < 0 && errno == EINTR);
  return came;
}

/// The size that `status` states for a regular file, if reading agrees: the last byte is there, and none
/// after it. Nothing if it is wrong. If a program changes the file meanwhile, `status` is renewed. A size of
/// 0 is not held against the bytes, because some files of this size lose what is read; an error of reading
/// decides nothing.
std::optional<off_t> true_size(int fd, struct stat& status) {
  constexpr int kAttempts = 8;
  std::array<std::byte, 2> last_and_next{};
  for (int attempt = 0; attempt < kAttempts; ++attempt) {
    if (status.st_size == 0) return std::nullopt;
    const ssize_t came = pread_again(fd, last_and_next, status.st_size - 1);
    if (came == 1 || came < 0) return status.st_size;
    const struct stat before = status;
    if (fstat(fd, &status) != 0) return before.st_size;
    if (same_content(status, before) && same_time(time_of_change(status), time_of_change(before)))
      return std::nullopt;
  }
  return status.st_size;
}

/// Where the file ends if it is read from `offset` on. Error io.
Result<off_t> end_by_reading(int fd, off_t offset) {
  std::vector<std::byte> bytes(kAtOnce);
  for (;;) {
    const ssize_t came = pread_again(fd, bytes, offset);
    if (came < 0) return io_error();
    if (came == 0) return offset;
    offset += came;
  }
}

}  // namespace

FdSource::FdSource(int fd, const Interrupts& interrupts) : fd_(fd), interrupts_(interrupts) {
  struct stat status {};
  if (fstat(fd, &status) != 0 || !S_ISREG(status.st_mode)) return;
  is_file_ = true;
  expect_reading_in_order(fd);
  const off_t place = lseek(fd, 0, SEEK_CUR);
  const auto end = true_size(fd, status);
  stated_ = status.st_size;
  if (!end || place < 0) return;
  size_ = static_cast<std::uint64_t>(std::max<off_t>(*end - place, 0));
  random_ = FdRandomAccess(fd, static_cast<std::uint64_t>(place), *size_);
}

bool FdSource::wait(int milliseconds) const {
  return is_file_ || wait_for(fd_, POLLIN, interrupts_.wake_fd(), milliseconds);
}

bool FdSource::ready_within(std::chrono::milliseconds time) {
  return wait(static_cast<int>(std::min<std::int64_t>(time.count(), std::numeric_limits<int>::max())));
}

Result<std::size_t> FdSource::read(std::span<std::byte> into) {
  into = into.first(static_cast<std::size_t>(
      std::min<std::uint64_t>({into.size(), kAtOnce, size_ ? *size_ - came_ : kAtOnce})));
  if (into.empty()) return 0;
  for (;;) {
    wait(kForever);
    if (interrupts_.requested()) return cancelled();
    const ssize_t came = ::read(fd_, into.data(), into.size());
    if (came >= 0) {
      came_ += static_cast<std::uint64_t>(came);
      return static_cast<std::size_t>(came);
    }
    if (errno != EINTR && !try_again(errno)) return io_error();
  }
}

FdSink::FdSink(int fd, std::string name, Placement placement, Interrupts& interrupts)
    : fd_(fd), name_(std::move(name)), placement_(placement), interrupts_(interrupts) {}

Status FdSink::write(std::span<const std::byte> bytes) {
  while (!bytes.empty()) {
    const ssize_t went = ::write(fd_, bytes.data(), bytes.size());
    if (went < 0 && try_again(errno)) {
      wait_for(fd_, POLLOUT, interrupts_.wake_fd(), kForever);
      if (interrupts_.requested()) return cancelled();
    } else if (went < 0 && errno != EINTR) {
      return failed(errno);
    }
    bytes = bytes.subspan(static_cast<std::size_t>(std::max<ssize_t>(went, 0)));
  }
  return ok();
}

Status FdSink::write_at(std::uint64_t offset, std::span<const std::byte> bytes) {
  while (!bytes.empty()) {
    const ssize_t went = ::pwrite(fd_, bytes.data(), bytes.size(), static_cast<off_t>(offset));
    if (went < 0 && errno != EINTR) return failed(errno);
    const auto written = static_cast<std::size_t>(std::max<ssize_t>(went, 0));
    bytes = bytes.subspan(written);
    offset += written;
  }
  return ok();
}

Status FdSink::set_length(std::uint64_t bytes) {
  int result = 0;
  do {
    result = ftruncate(fd_, static_cast<off_t>(bytes));
  } while (result != 0 && errno == EINTR);
  return result == 0 ? ok() : failed(errno);
}

Status FdSink::failed(int cause) {
  if (cause == EPIPE && interrupts_.closed_pipe()) return cancelled();
  return io_error("writing", name_, cause);
}

/// fstat gives the length of a file, mostly. A device must be moved to its end to get the length; if moving
/// back fails, it cannot be read.
Result<FdRandomAccess> FdRandomAccess::open(int fd) {
  struct stat status {};
  const off_t begin = lseek(fd, 0, SEEK_CUR);
  if (begin < 0 && errno == ESPIPE) {
    return Error{ErrorKind::usage,
                 "a pipe cannot be read from its end; save it to a file first, or check it with -t"};
  }
  if (begin < 0 || fstat(fd, &status) != 0) return io_error();
  off_t end = 0;
  if (S_ISREG(status.st_mode)) {
    const auto stated = true_size(fd, status);
    const auto found = stated ? Result<off_t>(*stated) : end_by_reading(fd, begin);
    if (!found) return found.error();
    end = *found;
  } else {
    end = lseek(fd, 0, SEEK_END);
    if (end < 0 || lseek(fd, begin, SEEK_SET) != begin) return io_error();
  }
  return FdRandomAccess(fd, static_cast<std::uint64_t>(begin),
                        static_cast<std::uint64_t>(std::max(end - begin, off_t{0})));
}

Status FdRandomAccess::read_at(std::uint64_t offset, std::span<std::byte> into) {
  offset += begin_;
  while (!into.empty()) {
    const ssize_t came = ::pread(fd_, into.data(), into.size(), static_cast<off_t>(offset));
    if (came < 0 && errno == EINTR) continue;
    if (came < 0) return io_error();
    if (came == 0) return Error{ErrorKind::io, "the file became shorter while it was read"};
    into = into.subspan(static_cast<std::size_t>(came));
    offset += static_cast<std::uint64_t>(came);
  }
  return ok();
}

}  // namespace tdz::app
