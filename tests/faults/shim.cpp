// SPDX-License-Identifier: Apache-2.0
// A library to preload into a program. It makes the n-th call of one kind fail:
//
//     TDZ_FAULT=write:7:28     the 7th write fails with errno 28
//     TDZ_FAULT=write:7+:28    so do all later ones: the disk stays full
//     TDZ_FAULT=read:3:0       the 3rd read is short: one byte
//     TDZ_FAULT_MARK=FILE      is created when the fault happened
//     TDZ_NO_TMPFILE=1         the file system has no unnamed files
//     TDZ_NO_NOREPLACE=1       and no RENAME_NOREPLACE
//
// `malloc` means every way to allocate, `thread` means pthread_create. For Linux with glibc. Nothing here
// allocates.
#include <dlfcn.h>
#include <fcntl.h>
#include <pthread.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <atomic>
#include <cerrno>
#include <cstdarg>
#include <cstddef>
#include <cstdlib>
#include <cstring>

extern "C" {
void* __libc_malloc(std::size_t);
void* __libc_calloc(std::size_t, std::size_t);
void* __libc_realloc(void*, std::size_t);
void* __libc_memalign(std::size_t, std::size_t);
}

namespace {

struct Plan {
  char call[32] = "";
  unsigned long nth = 0;
  bool from_then_on = false;
  int error = 0;
};

Plan plan_from_environment() {
  Plan plan;
  const char* text = std::getenv("TDZ_FAULT");
  const char* colon = text == nullptr ? nullptr : std::strchr(text, ':');
  if (colon == nullptr || colon - text >= static_cast<std::ptrdiff_t>(sizeof plan.call)) return plan;
  std::memcpy(plan.call, text, static_cast<std::size_t>(colon - text));
  char* end = nullptr;
  plan.nth = std::strtoul(colon + 1, &end, 10);
  plan.from_then_on = *end == '+';
  plan.error = std::atoi(end + (plan.from_then_on ? 2 : 1));
  return plan;
}

Plan plan;
std::atomic<unsigned long> calls = 0;
std::atomic<bool> ready = false;

using Main = int(int, char**, char**);
Main* real_main = nullptr;

/// Counts calls in main only, not calls of the loader and the C++ library before and after it.
int observed_main(int count, char** words, char** environment) {
  plan = plan_from_environment();
  ready = true;
  const int code = real_main(count, words, environment);
  ready = false;
  return code;
}

void leave_mark() {
  const char* mark = std::getenv("TDZ_FAULT_MARK");
  if (mark == nullptr) return;
  const long fd = syscall(SYS_openat, AT_FDCWD, mark, O_CREAT | O_WRONLY | O_CLOEXEC, 0600);
  if (fd >= 0) syscall(SYS_close, fd);
}

/// Counts a call of this kind. Returns whether it must fail.
bool strikes(const char* call) {
  if (!ready || std::strcmp(call, plan.call) != 0) return false;
  const unsigned long now = ++calls;
  if (now != plan.nth && !(plan.from_then_on && now > plan.nth)) return false;
  leave_mark();
  errno = plan.error;
  return true;
}

template <class Function>
Function* next_of(const char* name) {
  return reinterpret_cast<Function*>(dlsym(RTLD_NEXT, name));
}

/// A transfer of `count` bytes that fails, is short, or is not changed.
template <class Transfer>
ssize_t transfer(const char* call, std::size_t count, Transfer real) {
  if (!strikes(call)) return real(count);
  return plan.error != 0 ? -1 : real(count < 1 ? count : 1);
}

}  // namespace

extern "C" {

int __libc_start_main(Main* main, int count, char** words, void (*init)(), void (*fini)(),
                      void (*loader_fini)(), void* stack_end) {
  real_main = main;
  using Start = int(Main*, int, char**, void (*)(), void (*)(), void (*)(), void*);
  return next_of<Start>("__libc_start_main")(observed_main, count, words, init, fini, loader_fini, stack_end);
}

ssize_t read(int fd, void* into, std::size_t count) {
  return transfer("read", count, [&](std::size_t n) { return syscall(SYS_read, fd, into, n); });
}
ssize_t pread(int fd, void* into, std::size_t count, off_t offset) {
  return transfer("pread", count, [&](std::size_t n) { return syscall(SYS_pread64, fd, into, n, offset); });
}
ssize_t pread64(int fd, void* into, std::size_t count, off_t offset) {
  return pread(fd, into, count, offset);
}
ssize_t write(int fd, const void* from, std::size_t count) {
  return transfer("write", count, [&](std::size_t n) { return syscall(SYS_write, fd, from, n); });
}
ssize_t pwrite(int fd, const void* from, std::size_t count, off_t offset) {
  return transfer("pwrite", count, [&](std::size_t n) { return syscall(SYS_pwrite64, fd, from, n, offset); });
}
ssize_t pwrite64(int fd, const void* from, std::size_t count, off_t offset) {
  return pwrite(fd, from, count, offset);
}

int fsync(int fd) {
  return strikes("fsync") ? -1 : static_cast<int>(syscall(SYS_fsync, fd));
}
int fchmod(int fd, mode_t mode) {
  return strikes("fchmod") ? -1 : static_cast<int>(syscall(SYS_fchmod, fd, mode));
}

/// The descriptor is closed even if close fails.
int close(int fd) {
  const bool fails = strikes("close");
  const int result = static_cast<int>(syscall(SYS_close, fd));
  if (fails) errno = plan.error;
  return fails ? -1 : result;
}

int openat(int folder, const char* name, int flags, ...) {
  va_list rest;
  va_start(rest, flags);
  const bool unnamed = (flags & O_TMPFILE) == O_TMPFILE;  // of several bits, one is that of O_DIRECTORY
  const auto mode = unnamed || (flags & O_CREAT) != 0 ? va_arg(rest, mode_t) : 0;
  va_end(rest);
  if (unnamed && std::getenv("TDZ_NO_TMPFILE") != nullptr) {
    errno = EOPNOTSUPP;
    return -1;
  }
  return strikes("open") ? -1 : static_cast<int>(syscall(SYS_openat, folder, name, flags, mode));
}
int open(const char* name, int flags, ...) {
  va_list rest;
  va_start(rest, flags);
  const auto mode = (flags & O_CREAT) != 0 ? va_arg(rest, mode_t) : 0;
  va_end(rest);
  return strikes("open") ? -1 : static_cast<int>(syscall(SYS_openat, AT_FDCWD, name, flags, mode));
}

int linkat(int from, const char* name, int to, const char* new_name, int flags) {
  return strikes("link") ? -1 : static_cast<int>(syscall(SYS_linkat, from, name, to, new_name, flags));
}
int renameat(int from, const char* name, int to, const char* new_name) {
  return strikes("rename") ? -1 : static_cast<int>(syscall(SYS_renameat, from, name, to, new_name));
}
int renameat2(int from, const char* name, int to, const char* new_name, unsigned flags) {
  if (flags != 0 && std::getenv("TDZ_NO_NOREPLACE") != nullptr) {
    errno = EINVAL;
    return -1;
  }
  return strikes("rename") ? -1 : static_cast<int>(syscall(SYS_renameat2, from, name, to, new_name, flags));
}
int unlink(const char* name) {
  return strikes("unlink") ? -1 : static_cast<int>(syscall(SYS_unlinkat, AT_FDCWD, name, 0));
}
int unlinkat(int folder, const char* name, int flags) {
  return strikes("unlink") ? -1 : static_cast<int>(syscall(SYS_unlinkat, folder, name, flags));
}

void* malloc(std::size_t bytes) {
  return strikes("malloc") ? nullptr : __libc_malloc(bytes);
}
void* calloc(std::size_t count, std::size_t bytes) {
  return strikes("malloc") ? nullptr : __libc_calloc(count, bytes);
}
void* realloc(void* old, std::size_t bytes) {
  return strikes("malloc") ? nullptr : __libc_realloc(old, bytes);
}
void* aligned_alloc(std::size_t alignment, std::size_t bytes) {
  return strikes("malloc") ? nullptr : __libc_memalign(alignment, bytes);
}
int posix_memalign(void** to, std::size_t alignment, std::size_t bytes) {
  *to = strikes("malloc") ? nullptr : __libc_memalign(alignment, bytes);
  return *to == nullptr ? ENOMEM : 0;
}

int pthread_create(pthread_t* thread, const pthread_attr_t* attributes, void* (*start)(void*),
                   void* argument) {
  if (strikes("thread")) return EAGAIN;
  static auto* const real =
      next_of<int(pthread_t*, const pthread_attr_t*, void* (*)(void*), void*)>("pthread_create");
  return real(thread, attributes, start, argument);
}

}  // extern "C"
