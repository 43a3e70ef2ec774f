// SPDX-License-Identifier: Apache-2.0
#include "app/files/input_file.hpp"

#include <fcntl.h>
#include <spdlog/fmt/fmt.h>
#include <sys/file.h>
#include <unistd.h>

#include <cstdio>

#include "app/files/hidden_file.hpp"
#include "app/files/system_calls.hpp"
#include "app/options/names.hpp"
#include "app/options/options.hpp"

namespace tdz::app {
namespace {

Status check_kind(const struct stat& status, UnusualInput unusual) {
  if (S_ISDIR(status.st_mode))
    return usage("this is a folder; use -r to go through it, or pack it with tar -I tdz");
  if (S_ISLNK(status.st_mode)) return usage("this has become a symbolic link; tdz does not follow it");
  if (S_ISSOCK(status.st_mode)) return usage("this is a socket; tdz cannot read it");
  const bool device = S_ISCHR(status.st_mode) || S_ISBLK(status.st_mode);
  if (device && unusual == UnusualInput::refuse)
    return usage("this is a device; to read it, use -f, and -o FILE or -c for the result");
  return ok();
}

/// A device as standard input is allowed: /dev/null, for example, is empty input.
Status check_standard_input(const struct stat& status, UnusualInput unusual) {
  if (isatty(STDIN_FILENO) && unusual == UnusualInput::refuse) {
    return usage("standard input is a terminal; name a file, or see tdz --help");
  }
  return check_kind(status, UnusualInput::allow);
}

}  // namespace

bool same_file(const struct stat& a, const struct stat& b) {
  return a.st_dev == b.st_dev && a.st_ino == b.st_ino;
}

bool same_time(const timespec& a, const timespec& b) {
  return a.tv_sec == b.tv_sec && a.tv_nsec == b.tv_nsec;
}

bool same_content(const struct stat& a, const struct stat& b) {
  return same_file(a, b) && a.st_size == b.st_size && same_time(time_of_writing(a), time_of_writing(b));
}

Result<InputFile> InputFile::open(const std::string& name, UnusualInput unusual, Links links) {
  InputFile input;
  input.name_ = name;
  input.shown_ = shown_name(name);
  if (name == kStandardInput) {
    if (fstat(STDIN_FILENO, &input.status_) != 0) return io_error();
    if (auto done = check_standard_input(input.status_, unusual); !done) return done.error();
    return input;
  }
  // The kind is checked first, because opening a device can have effects.
  const bool follow = links == Links::follow;
  if (fstatat(AT_FDCWD, name.c_str(), &input.status_, follow ? 0 : AT_SYMLINK_NOFOLLOW) != 0)
    return io_error();
  if (auto done = check_kind(input.status_, unusual); !done) return done.error();
  input.file_ = Fd(::open(name.c_str(), O_RDONLY | O_CLOEXEC | O_NOCTTY | (follow ? 0 : O_NOFOLLOW)));
  if (!input.file_) return io_error();
  if (fstat(input.fd(), &input.status_) != 0) return io_error();
  return input;
}

Status InputFile::check_removable() const {
  struct stat now {};
  if (!is_standard_input() && lstat(name_.c_str(), &now) != 0) return io_error();
  return S_ISREG(now.st_mode) ? ok() : Status(usage("--rm removes only regular files, not links or pipes"));
}

bool InputFile::has_changed() const {
  struct stat now {};
  return S_ISREG(status_.st_mode) && fstat(fd(), &now) == 0 && !same_content(now, status_);
}

// ---- --rm: removes a source, and nothing but what was read.
//
// A name can lead to another file at any moment, and unlink takes a name. So the source first gets a hidden
// name that nobody else uses, .NAME-XXXXXX.tdz.rm:
//
//     lease      from now on a program that opens the file for writing, or cuts it, has to wait
//     compare    the file that has the name is the one that was read, and has not changed
//     rename     to the hidden name
//     compare    that it was this file that was renamed, and that no program waits
//     unlink     the hidden name
//
// If anything differs, the file gets its name back. Killed at any moment, the source has its name or the
// hidden one; hidden_file.hpp says what a later run does with that. Where the file system has no leases, or
// the file is another user's, only the comparisons are left.

namespace {

Error kept(std::string_view why) {
  return {ErrorKind::io, fmt::format("the source is kept: {}", why)};
}

/// The right to know of programs that open the file for writing. The system refuses it while a program has
/// the file open for writing. Only the owner of the file may ask, and some file systems have no leases.
class Lease {
 public:
  explicit Lease(int fd) : fd_(fd), refused_(take_lease(fd)) {}
  ~Lease() {
    if (refused_ == 0) end_lease(fd_);
  }
  Lease(const Lease&) = delete;
  Lease& operator=(const Lease&) = delete;

  Status check(Unknown unknown) const {
    if (refused_ == EAGAIN) return kept("a program has it open for writing");
    if (refused_ == EACCES && unknown == Unknown::refuse)
      return kept(
          "it belongs to another user, and only its owner can find out whether a program has it open for "
          "writing; -f removes it anyway");
    return ok();
  }
  /// Does a program wait to write?
  bool is_in_the_way() const { return refused_ == 0 && lease_is_in_the_way(fd_); }

 private:
  int fd_;
  int refused_;  ///< an errno, or 0
};

/// Where rename_exclusive does not work: nobody else takes a hidden name.
int rename_to_free_name(int folder, const char* from, const char* to) {
  if (const int cause = rename_exclusive(folder, from, to); cause != EINVAL && cause != ENOSYS) return cause;
  struct stat other {};
  if (fstatat(folder, to, &other, AT_SYMLINK_NOFOLLOW) == 0) return EEXIST;
  return renameat(folder, from, folder, to) == 0 ? 0 : errno;
}

class Removal {
 public:
  Removal(const std::string& path, int fd, const struct stat& as_read)
      : path_(path), name_(last_part(path)), fd_(fd), as_read_(as_read) {}
  ~Removal() { HiddenName::current().end(); }
  Removal(const Removal&) = delete;
  Removal& operator=(const Removal&) = delete;

  Status run(Unknown unknown) {
    folder_ = open_folder(AT_FDCWD, folder_of(path_));
    if (!folder_) return io_error("removing", path_);
    if (auto same = compare_name(); !same) return same;
    const Lease lease(fd_);
    if (auto done = lease.check(unknown); !done) return done;
    if (auto same = compare_name(); !same) return same;  // written to before there was the lease
    if (const int cause = hide(); cause != 0) return io_error("removing", path_, cause);
    const std::string hidden = HiddenName::current().text();
    auto same = compare_hidden(hidden, lease);
    if (same) same = unlink_hidden();
    if (!same) return give_back(hidden, same.error());
    if (lease.is_in_the_way())
      return Error{
          ErrorKind::io,
          "the source is removed, but a program opened it for writing at this moment; the result holds "
          "what was read, without what this program writes"};
    return ok();
  }

 private:
  /// Programs can set the modification time back, but not the time of the last status change.
  Status compare_name() const {
    struct stat now {};
    if (fstatat(folder_.get(), name_.c_str(), &now, AT_SYMLINK_NOFOLLOW) != 0)
      return io_error("removing", path_);
    const bool same = same_content(now, as_read_) && same_time(time_of_change(now), time_of_change(as_read_));
    return same ? ok() : Status(kept("it has changed since it was read"));
  }

  int hide() {
    flock(fd_, LOCK_SH | LOCK_NB);  // tells a later run that this one lives
    return HiddenName::current().claim(folder_.get(), name_, kHiddenSourceSuffix, name_,
                                       [this](const char* hidden) {
                                         errno = rename_to_free_name(folder_.get(), name_.c_str(), hidden);
                                         return errno == 0;
                                       });
  }

  /// Renaming changed the time of the last status change.
  Status compare_hidden(const std::string& hidden, const Lease& lease) const {
    struct stat now {};
    if (fstatat(folder_.get(), hidden.c_str(), &now, AT_SYMLINK_NOFOLLOW) != 0)
      return io_error("removing", path_);
    if (!same_content(now, as_read_)) return kept("it has changed since it was read");
    return lease.is_in_the_way() ? Status(kept("a program has it open for writing")) : ok();
  }

  Status unlink_hidden() const {
    const int cause = HiddenName::current().end_with(
        [this](const char* hidden) { return unlinkat(folder_.get(), hidden, 0) == 0; });
    return cause == 0 ? ok() : Status(io_error("removing", path_, cause));
  }

  Error give_back(const std::string& hidden, const Error& why) const {
    const int cause = HiddenName::current().end();
    if (cause == 0) return why;
    const std::string place = printable(path_.substr(0, path_.size() - name_.size()) + hidden);
    if (cause == EEXIST)
      return {ErrorKind::io,
              fmt::format("{}; another file has the name meanwhile, and the file that had it before "
                          "is now {}",
                          why.message, place)};
    return {ErrorKind::io, fmt::format("{}; it could not get its name back ({}) and is now {}", why.message,
                                       io_error(cause).message, place)};
  }

  const std::string& path_;
  std::string name_;
  int fd_;
  const struct stat& as_read_;
  Fd folder_;
};

}  // namespace

Status InputFile::remove(Unknown unknown) const {
  return Removal(name_, fd(), status_).run(unknown);
}

}  // namespace tdz::app
