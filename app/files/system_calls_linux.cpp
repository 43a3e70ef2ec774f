// SPDX-License-Identifier: Apache-2.0
#include <fcntl.h>
#include <linux/magic.h>
#include <sched.h>
#include <spdlog/fmt/fmt.h>
#include <sys/signalfd.h>
#include <sys/vfs.h>
#include <sys/xattr.h>
#include <unistd.h>

#include <cstdio>
#include <filesystem>
#include <vector>

#include "app/files/system_calls.hpp"

#ifdef __GLIBC__
#include <malloc.h>
#endif

namespace tdz::app {

std::string_view missing_calls() {
  return {};
}

// ---- Signals and pipes

std::array<Fd, 2> open_pipe() {
  std::array<int, 2> ends = {-1, -1};
  if (pipe2(ends.data(), O_CLOEXEC) != 0) return {};
  return {Fd(ends[0]), Fd(ends[1])};
}

Fd open_signals(const sigset_t& caught) {
  pthread_sigmask(SIG_BLOCK, &caught, nullptr);
  return Fd(signalfd(-1, &caught, SFD_CLOEXEC));
}

void receive_signals() {}

int next_signal(int fd) {
  signalfd_siginfo info{};
  return ::read(fd, &info, sizeof info) == sizeof info ? static_cast<int>(info.ssi_signo) : 0;
}

// ---- Folders, names and disks

Fd open_unlisted_folder(int parent, const char* name, int flags) {
  return Fd(openat(parent, name, O_PATH | O_DIRECTORY | O_CLOEXEC | flags));
}

int sync_unlisted_folder(int inside) {
  return syncfs(inside);
}

int sync_to_disk(int fd) {
  return fsync(fd);
}

int rename_exclusive(int folder, const char* from, const char* to) {
  return renameat2(folder, from, folder, to, RENAME_NOREPLACE) == 0 ? 0 : errno;
}

namespace {

std::string path_of_descriptor(int fd) {
  return fmt::format("/proc/self/fd/{}", fd);
}

}  // namespace

/// /proc is needed to give an unnamed file a name. Without it there is no unnamed file.
Fd open_unnamed_file(int folder) {
  Fd file(openat(folder, ".", O_TMPFILE | O_RDWR | O_CLOEXEC, S_IRUSR | S_IWUSR));
  return file && access(path_of_descriptor(file.get()).c_str(), F_OK) == 0 ? std::move(file) : Fd();
}

bool name_unnamed_file(int fd, int folder, const char* name) {
  return linkat(AT_FDCWD, path_of_descriptor(fd).c_str(), folder, name, AT_SYMLINK_FOLLOW) == 0;
}

/// Does a chain of links go through /proc?
bool leads_to_open_file(int folder, const std::string& name) {
  constexpr int kMaxLinks = 40;  // the system follows no more
  auto link = std::filesystem::path(path_of_descriptor(folder)) / name;
  for (int followed = 0; followed < kMaxLinks; ++followed) {
    struct statfs system {};
    if (statfs(link.parent_path().c_str(), &system) == 0 && system.f_type == PROC_SUPER_MAGIC) return true;
    std::error_code none_or_gone;
    const auto next = std::filesystem::read_symlink(link, none_or_gone);
    if (none_or_gone) return false;
    link = link.parent_path() / next;
  }
  return false;
}

// ---- Leases

int take_lease(int fd) {
  ::signal(SIGIO, SIG_IGN);  // sent if a program opens the file meanwhile; it waits for the end of the lease
  return fcntl(fd, F_SETLEASE, F_RDLCK) == 0 ? 0 : errno;
}

bool lease_is_in_the_way(int fd) {
  return fcntl(fd, F_GETLEASE) != F_RDLCK;
}

void end_lease(int fd) {
  fcntl(fd, F_SETLEASE, F_UNLCK);
}

// ---- Metadata

namespace {

constexpr const char* kAccessList = "system.posix_acl_access";

/// Not security labels, which belong to the folder of a file, and not capabilities, which belong to a
/// program.
bool is_for_copying(std::string_view attribute) {
  return !attribute.starts_with("security.");
}

/// The names of a file's attributes, each with a zero after it. Empty if there are none or they cannot be
/// read.
std::string attribute_names(int fd) {
  const ssize_t length = flistxattr(fd, nullptr, 0);
  if (length <= 0) return {};
  std::string names(static_cast<std::size_t>(length), '\0');
  const ssize_t filled = flistxattr(fd, names.data(), names.size());
  names.resize(static_cast<std::size_t>(filled < 0 ? 0 : filled));
  return names;
}

bool copy_attribute(int from, int to, const char* name) {
  const ssize_t length = fgetxattr(from, name, nullptr, 0);
  if (length < 0) return false;
  std::vector<char> value(static_cast<std::size_t>(length));
  if (fgetxattr(from, name, value.data(), value.size()) != length) return false;
  return fsetxattr(to, name, value.data(), value.size(), 0) == 0;
}

}  // namespace

/// A list that the folder gave to the new file is removed first.
bool copy_attributes(int from, int to) {
  static_cast<void>(fremovexattr(to, kAccessList));
  bool same_access = true;
  const std::string names = attribute_names(from);
  for (std::size_t at = 0; at < names.size(); at += std::string_view(&names[at]).size() + 1) {
    const char* name = &names[at];
    if (!is_for_copying(name)) continue;
    if (!copy_attribute(from, to, name) && std::string_view(name) == kAccessList) same_access = false;
  }
  return same_access;
}

// ---- Speed

void expect_reading_in_order(int fd) {
  posix_fadvise(fd, 0, 0, POSIX_FADV_SEQUENTIAL);
}

bool is_in_memory(int fd) {
  struct statfs found {};
  return fstatfs(fd, &found) == 0 && found.f_type == TMPFS_MAGIC;
}

bool give_pages(int fd, off_t offset, off_t length) {
  return fallocate(fd, 0, offset, length) == 0;
}

/// Pages that went back to the system each time took 8 % of the search. Where addresses have 32 bits, glibc
/// refuses the first option, and without it the second would do harm.
void keep_freed_memory() {
#ifdef __GLIBC__
  constexpr int kLongest = 16 << 20, kMost = 32 << 20;
  if (mallopt(M_MMAP_THRESHOLD, kLongest) == 1) mallopt(M_TRIM_THRESHOLD, kMost);
#endif
}

std::string pin_to_one_processor() {
  cpu_set_t set;
  CPU_ZERO(&set);
  if (sched_getaffinity(0, sizeof set, &set) != 0)
    return "no, the system does not say which processors there are";
  std::size_t last = CPU_SETSIZE;
  for (std::size_t cpu = 0; cpu < CPU_SETSIZE; ++cpu) {
    if (CPU_ISSET(cpu, &set)) last = cpu;
  }
  if (last == CPU_SETSIZE) return "no, the system names no processor";
  CPU_ZERO(&set);
  CPU_SET(last, &set);
  if (sched_setaffinity(0, sizeof set, &set) != 0) return "no, the system does not allow it";
  return fmt::format("processor {}", last);
}

std::optional<std::uint64_t> last_cache() {
  for (const int level : {_SC_LEVEL4_CACHE_SIZE, _SC_LEVEL3_CACHE_SIZE, _SC_LEVEL2_CACHE_SIZE}) {
    if (const long bytes = sysconf(level); bytes > 0) return static_cast<std::uint64_t>(bytes);
  }
  return std::nullopt;
}

}  // namespace tdz::app
