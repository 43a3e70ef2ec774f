// SPDX-License-Identifier: Apache-2.0
// The same for any system with POSIX. It compiles for Linux too, with -DTDZ_LINUX_CALLS=OFF, so that tests
// run it there.
#include <fcntl.h>
#include <unistd.h>

#include "app/files/input_file.hpp"
#include "app/files/system_calls.hpp"
#include "app/options/names.hpp"

#ifdef __APPLE__
#include <copyfile.h>
#endif

namespace tdz::app {

std::string_view missing_calls() {
  return "no sandbox, no files without a name, no leases";
}

Sandbox enter_sandbox(const FileRights&) {
  return {};
}

// ---- Signals and pipes

namespace {

/// What the handler and the waiting thread know. A process has one.
sigset_t caught_signals;
Fd signal_pipe;

/// Another signal is there already if the pipe is full. errno is the interrupted code's.
void note_signal(int signal) {
  const int kept = errno;
  const auto number = static_cast<unsigned char>(signal);
  static_cast<void>(::write(signal_pipe.get(), &number, sizeof number));
  errno = kept;
}

bool set_flag(int fd, int get, int set, int flag) {
  const int flags = fcntl(fd, get);
  return flags >= 0 && fcntl(fd, set, flags | flag) == 0;
}

}  // namespace

/// The program starts no other one, so nothing can come between the two steps.
std::array<Fd, 2> open_pipe() {
  std::array<int, 2> ends = {-1, -1};
  if (pipe(ends.data()) != 0) return {};
  std::array<Fd, 2> pipe = {Fd(ends[0]), Fd(ends[1])};
  for (const int end : ends)
    if (!set_flag(end, F_GETFD, F_SETFD, FD_CLOEXEC)) return {};
  return pipe;
}

Fd open_signals(const sigset_t& caught) {
  pthread_sigmask(SIG_BLOCK, &caught, nullptr);
  caught_signals = caught;
  auto ends = open_pipe();
  if (!ends[1] || !set_flag(ends[1].get(), F_GETFL, F_SETFL, O_NONBLOCK)) return {};
  signal_pipe = std::move(ends[1]);
  return std::move(ends[0]);
}

/// All other threads block the signals, so the handler interrupts no call but those of this thread.
void receive_signals() {
  for (const int signal : {SIGINT, SIGTERM, SIGHUP}) {
    if (sigismember(&caught_signals, signal) != 1) continue;
    struct sigaction action {};
    action.sa_handler = note_signal;
    action.sa_mask = caught_signals;
    action.sa_flags = SA_RESTART;
    sigaction(signal, &action, nullptr);
  }
  pthread_sigmask(SIG_UNBLOCK, &caught_signals, nullptr);
}

int next_signal(int fd) {
  unsigned char number = 0;
  return ::read(fd, &number, sizeof number) == sizeof number ? number : 0;
}

// ---- Folders, names and disks

Fd open_unlisted_folder(int, const char*, int) {
  errno = EACCES;
  return {};
}

int sync_unlisted_folder(int) {
  errno = EBADF;
  return -1;
}

int sync_to_disk(int fd) {
#ifdef F_FULLFSYNC
  if (fcntl(fd, F_FULLFSYNC) == 0) return 0;
  if (errno != ENOTSUP && errno != EINVAL && errno != ENOTTY) return -1;  // these: no such call here
#endif
  return fsync(fd);
}

int rename_exclusive(int, const char*, const char*) {
  return ENOSYS;
}

Fd open_unnamed_file(int) {
  return {};
}

bool name_unnamed_file(int, int, const char*) {
  errno = ENOSYS;
  return false;
}

/// Does a chain of links go through /dev/fd?
bool leads_to_open_file(int folder, const std::string& link) {
  constexpr int kMaxLinks = 40;  // about as many as a system follows
  constexpr std::size_t kLongest = 4096;
  struct stat open_files {
  }, own{};
  if (stat("/dev/fd", &open_files) != 0) return false;
  Fd at = open_folder(folder, ".");
  std::string name = link, target(kLongest, '\0');
  for (int followed = 0; at && followed < kMaxLinks; ++followed) {
    if (fstat(at.get(), &own) == 0 && same_file(own, open_files)) return true;
    const ssize_t length = readlinkat(at.get(), name.c_str(), target.data(), target.size());
    if (length <= 0) return false;
    const std::string path = target.substr(0, static_cast<std::size_t>(length));
    at = open_folder(at.get(), folder_of(path));
    name = last_part(path);
  }
  return false;
}

// ---- Leases

int take_lease(int) {
  return ENOSYS;
}

bool lease_is_in_the_way(int) {
  return false;
}

void end_lease(int) {}

// ---- Metadata

bool copy_attributes([[maybe_unused]] int from, [[maybe_unused]] int to) {
#ifdef __APPLE__
  return fcopyfile(from, to, nullptr, COPYFILE_ACL | COPYFILE_XATTR) == 0;
#else
  return true;
#endif
}

// ---- Speed

void expect_reading_in_order(int) {}

bool is_in_memory(int) {
  return false;
}

bool give_pages(int, off_t, off_t) {
  return false;
}

void keep_freed_memory() {}

std::string pin_to_one_processor() {
  return "no, this build does not know how";
}

std::optional<std::uint64_t> last_cache() {
  return std::nullopt;
}

}  // namespace tdz::app
