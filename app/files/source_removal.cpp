// SPDX-License-Identifier: Apache-2.0
#include "app/files/source_removal.hpp"

#include <fcntl.h>
#include <signal.h>
#include <spdlog/fmt/fmt.h>
#include <sys/file.h>
#include <unistd.h>

#include <cstdio>

#include "app/files/hidden_file.hpp"
#include "app/options/names.hpp"

namespace tdz::app {
namespace {

Error kept(std::string_view why) {
  return {ErrorKind::io, fmt::format("the source is kept: {}", why)};
}

/// The right to know of programs that open the file for writing. The system refuses it while a program has
/// the file open for writing. Only the owner of the file may ask, and some file systems have no leases.
class Lease {
 public:
  explicit Lease(int fd) : fd_(fd) {
    ::signal(SIGIO,
             SIG_IGN);  // sent if a program opens the file meanwhile; it waits for the end of the lease
    refused_ = fcntl(fd, F_SETLEASE, F_RDLCK) == 0 ? 0 : errno;
  }
  ~Lease() {
    if (refused_ == 0) fcntl(fd_, F_SETLEASE, F_UNLCK);
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
  bool is_in_the_way() const { return refused_ == 0 && fcntl(fd_, F_GETLEASE) != F_RDLCK; }

 private:
  int fd_;
  int refused_;  ///< an errno, or 0
};

/// A file system without RENAME_NOREPLACE: nobody else takes a hidden name.
int rename_to_free_name(int folder, const char* from, const char* to) {
  if (renameat2(folder, from, folder, to, RENAME_NOREPLACE) == 0) return 0;
  if (errno != EINVAL && errno != ENOSYS) return errno;
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
    const bool same = same_content(now, as_read_) && same_time(now.st_ctim, as_read_.st_ctim);
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

Status remove_source(const std::string& path, int fd, const struct stat& as_read, Unknown unknown) {
  return Removal(path, fd, as_read).run(unknown);
}

}  // namespace tdz::app
