// SPDX-License-Identifier: Apache-2.0
#include "app/files/system_calls.hpp"

#include <fcntl.h>
#include <linux/landlock.h>
#include <sched.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <cerrno>
#include <filesystem>

#include "app/files/fd.hpp"
#ifdef TDZ_SECCOMP
#include <seccomp.h>
#endif

namespace tdz::app {
namespace {

// ---- Files

// Of kernels after the headers of Debian 12.
constexpr std::uint64_t kRefer = 1u << 13;     // Linux 5.19: to link and rename from folder to folder
constexpr std::uint64_t kTruncate = 1u << 14;  // Linux 6.2

constexpr std::uint64_t kOfFiles = LANDLOCK_ACCESS_FS_WRITE_FILE | kTruncate;
constexpr std::uint64_t kWriting = kOfFiles | kRefer | LANDLOCK_ACCESS_FS_REMOVE_DIR |
                                   LANDLOCK_ACCESS_FS_REMOVE_FILE | LANDLOCK_ACCESS_FS_MAKE_CHAR |
                                   LANDLOCK_ACCESS_FS_MAKE_DIR | LANDLOCK_ACCESS_FS_MAKE_REG |
                                   LANDLOCK_ACCESS_FS_MAKE_SOCK | LANDLOCK_ACCESS_FS_MAKE_FIFO |
                                   LANDLOCK_ACCESS_FS_MAKE_BLOCK | LANDLOCK_ACCESS_FS_MAKE_SYM;

/// What this kernel can deny of it; 0: nothing.
std::uint64_t known_rights() {
  const long version = syscall(SYS_landlock_create_ruleset, nullptr, 0, LANDLOCK_CREATE_RULESET_VERSION);
  if (version < 1) return 0;
  std::uint64_t known = kWriting;
  if (version < 2) known &= ~kRefer;
  if (version < 3) known &= ~kTruncate;
  return known;
}

/// The name itself, or the nearest folder above it that exists.
Fd open_nearest(const std::string& name) {
  std::filesystem::path path(name.empty() ? "." : name);
  for (;;) {
    Fd fd(open(path.empty() ? "." : path.c_str(), O_PATH | O_CLOEXEC));
    if (fd || errno != ENOENT || path.empty() || path == path.root_path()) return fd;
    path = path.parent_path();
  }
}

/// A place that cannot be opened, or is a pipe, gets no rule: then nothing is written there, or it is open.
void allow_writing(int rules, const std::string& name, std::uint64_t known) {
  const Fd place = open_nearest(name);
  struct stat status {};
  if (!place || fstat(place.get(), &status) != 0) return;
  const landlock_path_beneath_attr beneath{S_ISDIR(status.st_mode) ? known : known & kOfFiles, place.get()};
  syscall(SYS_landlock_add_rule, rules, LANDLOCK_RULE_PATH_BENEATH, &beneath, 0);
}

bool confine_files(const std::vector<std::string>& written) {
  const std::uint64_t known = known_rights();
  if (known == 0) return false;
  landlock_ruleset_attr handled{};
  handled.handled_access_fs = known;
  const Fd rules(static_cast<int>(syscall(SYS_landlock_create_ruleset, &handled, sizeof handled, 0)));
  if (!rules) return false;
  for (const std::string& name : written) allow_writing(rules.get(), name, known);
  return syscall(SYS_landlock_restrict_self, rules.get(), 0) == 0;
}

// ---- System calls

#ifdef TDZ_SECCOMP
class Filter {
 public:
  Filter() : filter_(seccomp_init(SCMP_ACT_ALLOW)) {}
  ~Filter() { seccomp_release(filter_); }
  Filter(const Filter&) = delete;
  Filter& operator=(const Filter&) = delete;

  bool load() {
    return filter_ != nullptr && deny_calls() && deny_processes() && deny_executable_memory() &&
           deny_others() && seccomp_load(filter_) == 0;
  }

 private:
  template <class... Conditions>
  bool deny(int call, std::uint32_t error, Conditions... conditions) {
    const int result =
        seccomp_rule_add(filter_, SCMP_ACT_ERRNO(error), call, sizeof...(conditions), conditions...);
    return result == 0 || result == -EDOM;  // this architecture has no such call
  }

  bool deny_calls() {
    constexpr int kDenied[] = {
        // programs
        SCMP_SYS(execve), SCMP_SYS(execveat),
        // networks, and sockets of this machine
        SCMP_SYS(socket), SCMP_SYS(socketpair), SCMP_SYS(connect), SCMP_SYS(bind), SCMP_SYS(listen),
        SCMP_SYS(accept), SCMP_SYS(accept4), SCMP_SYS(socketcall),
        // other processes, and this one seen as another
        SCMP_SYS(fork), SCMP_SYS(vfork), SCMP_SYS(kill), SCMP_SYS(tkill), SCMP_SYS(ptrace),
        SCMP_SYS(rt_sigqueueinfo), SCMP_SYS(rt_tgsigqueueinfo), SCMP_SYS(process_vm_readv),
        SCMP_SYS(process_vm_writev), SCMP_SYS(pidfd_open), SCMP_SYS(pidfd_getfd), SCMP_SYS(pidfd_send_signal),
        SCMP_SYS(kcmp), SCMP_SYS(setns), SCMP_SYS(unshare),
        // rights, and the machine
        SCMP_SYS(setuid), SCMP_SYS(setgid), SCMP_SYS(setreuid), SCMP_SYS(setregid), SCMP_SYS(setresuid),
        SCMP_SYS(setresgid), SCMP_SYS(setgroups), SCMP_SYS(capset), SCMP_SYS(mount), SCMP_SYS(umount2),
        SCMP_SYS(pivot_root), SCMP_SYS(chroot), SCMP_SYS(open_tree), SCMP_SYS(move_mount), SCMP_SYS(fsopen),
        SCMP_SYS(reboot), SCMP_SYS(swapon), SCMP_SYS(swapoff), SCMP_SYS(kexec_load),
        SCMP_SYS(kexec_file_load), SCMP_SYS(init_module), SCMP_SYS(finit_module), SCMP_SYS(delete_module),
        SCMP_SYS(settimeofday), SCMP_SYS(clock_settime), SCMP_SYS(adjtimex), SCMP_SYS(clock_adjtime),
        // parts of the kernel in which faults are found most often
        SCMP_SYS(bpf), SCMP_SYS(perf_event_open), SCMP_SYS(userfaultfd), SCMP_SYS(io_uring_setup),
        SCMP_SYS(io_uring_enter), SCMP_SYS(io_uring_register), SCMP_SYS(add_key), SCMP_SYS(request_key),
        SCMP_SYS(keyctl)};
    for (const int call : kDenied)
      if (!deny(call, EPERM)) return false;
    return true;
  }

  /// Threads may start, processes may not. The flags of clone3 lie in memory, where a filter does not look;
  /// glibc takes clone where there is no clone3.
  bool deny_processes() {
#ifdef __s390__
    const auto process = SCMP_A1(SCMP_CMP_MASKED_EQ, CLONE_THREAD, 0);
#else
    const auto process = SCMP_A0(SCMP_CMP_MASKED_EQ, CLONE_THREAD, 0);
#endif
    return deny(SCMP_SYS(clone), EPERM, process) && deny(SCMP_SYS(clone3), ENOSYS);
  }

  bool deny_executable_memory() {
    const int calls[] = {
#if !defined(__s390__) && !defined(__i386__)  // there its arguments lie in memory
      SCMP_SYS(mmap),
#endif
      SCMP_SYS(mmap2),
      SCMP_SYS(mprotect),
      SCMP_SYS(pkey_mprotect)
    };
    bool done = deny(SCMP_SYS(shmat), EPERM);
    for (const int call : calls)
      done = done && deny(call, EPERM, SCMP_A2(SCMP_CMP_MASKED_EQ, PROT_EXEC, PROT_EXEC));
    constexpr std::uint64_t kAsk = 0xFFFFFFFF;  // personality() with it changes nothing
    return done && deny(SCMP_SYS(personality), EPERM, SCMP_A0(SCMP_CMP_NE, kAsk));
  }

  /// Signals and limits of other processes, and bytes that a terminal takes for typed ones.
  bool deny_others() {
    constexpr std::uint64_t kLow = 0xFFFFFFFF;
    const auto self = static_cast<std::uint64_t>(getpid());
    return deny(SCMP_SYS(tgkill), EPERM, SCMP_A0(SCMP_CMP_NE, self)) &&
           deny(SCMP_SYS(prlimit64), EPERM, SCMP_A0(SCMP_CMP_NE, 0)) &&
           deny(SCMP_SYS(ioctl), EPERM, SCMP_A1(SCMP_CMP_MASKED_EQ, kLow, TIOCSTI)) &&
           deny(SCMP_SYS(ioctl), EPERM, SCMP_A1(SCMP_CMP_MASKED_EQ, kLow, TIOCLINUX));
  }

  scmp_filter_ctx filter_;
};

bool confine_calls() {
  return Filter().load();
}
#else
bool confine_calls() {
  return false;
}
#endif

}  // namespace

Sandbox enter_sandbox(const FileRights& rights) {
  Sandbox sandbox;
  // Both ask for it: no program that this process starts gets more rights than it has.
  if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) != 0) return sandbox;
  sandbox.files = rights.written && confine_files(*rights.written);
  sandbox.calls = confine_calls();
  return sandbox;
}

}  // namespace tdz::app
