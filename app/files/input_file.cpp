// SPDX-License-Identifier: Apache-2.0
#include "app/files/input_file.hpp"

#include <fcntl.h>
#include <unistd.h>

#include "app/files/source_removal.hpp"
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
  return same_file(a, b) && a.st_size == b.st_size && same_time(a.st_mtim, b.st_mtim);
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

Status InputFile::remove(Unknown unknown) const {
  return remove_source(name_, fd(), status_, unknown);
}

}  // namespace tdz::app
