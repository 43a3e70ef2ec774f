// SPDX-License-Identifier: Apache-2.0
#include "app/files/output_file.hpp"

#include <fcntl.h>
#include <spdlog/fmt/fmt.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <array>
#include <cstdio>
#include <string>
#include <string_view>

#include "app/files/hidden_file.hpp"
#include "app/files/system_calls.hpp"
#include "app/options/names.hpp"

namespace tdz::app {

// ---- What a result inherits from its source

namespace {

constexpr mode_t kPermissions =
    S_IRWXU | S_IRWXG | S_IRWXO;  // data files get no setuid, setgid or sticky bit

/// For calls that may fail. Then the file differs a little from its source.
void ignore_failure(int) {}

/// The mode in which the group and all others have only the rights that both had.
mode_t without_group(mode_t mode) {
  const mode_t common = (mode >> 3) & mode & S_IRWXO;
  return (mode & S_IRWXU) | (common << 3) | common;
}

/// The mode that open(2) would have given a new file.
mode_t mode_of_new_file() {
  const mode_t mask = umask(0);  // the mask can be read only by setting it
  umask(mask);
  return (S_IRUSR | S_IWUSR | S_IRGRP | S_IWGRP | S_IROTH | S_IWOTH) & ~mask;
}

/// `to` was created with mode 0600, so that nobody else can read it before this call. Metadata that the
/// system does not permit to set is left out. If the source's group or its access list cannot be set, the
/// group gets no more rights than all others.
void copy_metadata(const FileMetadata& from, int to) {
  constexpr uid_t kSameUser = static_cast<uid_t>(-1);
  constexpr gid_t kSameGroup = static_cast<gid_t>(-1);
  mode_t mode = from.status.st_mode & kPermissions;
  ignore_failure(fchown(to, from.status.st_uid, kSameGroup));
  if (fchown(to, kSameUser, from.status.st_gid) != 0) mode = without_group(mode);
  // With an access list, the group bits of the mode limit the rights of everyone in the list.
  if (!copy_attributes(from.fd, to)) mode = without_group(mode);
  ignore_failure(fchmod(to, mode));
  const std::array<timespec, 2> times = {time_of_access(from.status), time_of_writing(from.status)};
  ignore_failure(futimens(to, times.data()));
}

}  // namespace

std::optional<FileMetadata> metadata_of(int fd) {
  FileMetadata metadata{fd};
  if (fstat(fd, &metadata.status) != 0 || !S_ISREG(metadata.status.st_mode)) return std::nullopt;
  return metadata;
}

// ---- The file

namespace {

constexpr mode_t kPrivate = S_IRUSR | S_IWUSR;

/// `make` gets a name and calls open or link.
template <class Make>
int claim_hidden_name(int folder, const std::string& name, Make make) {
  return HiddenName::current().claim(folder, name, kTemporarySuffix, {}, make);
}

/// A link is replaced, not followed. Links to an open file or to a folder are refused.
Status check_link(int folder, const std::string& name, const std::string& path) {
  struct stat linked {};
  if (leads_to_open_file(folder, name))
    return Error{ErrorKind::usage, printable(path) +
                                       " is a link to an open file and cannot be replaced; name the file "
                                       "itself, or use standard output"};
  if (fstatat(folder, name.c_str(), &linked, 0) == 0 && S_ISDIR(linked.st_mode))
    return Error{ErrorKind::usage, fmt::format("{} is a link to a folder; name a file", printable(path))};
  return ok();
}

}  // namespace

Error target_exists(std::string_view path) {
  return {ErrorKind::usage, fmt::format("{} exists; -f replaces it", printable(path))};
}

Result<std::unique_ptr<OutputFile>> OutputFile::create(std::string path, ExistingTarget existing) {
  std::unique_ptr<OutputFile> file(new OutputFile(std::move(path), existing));
  if (auto done = file->open_folder(); !done) return done.error();
  if (auto done = file->begin(); !done) return done.error();
  return file;
}

Result<std::unique_ptr<OutputFile>> OutputFile::create_in(Fd folder, std::string path,
                                                          ExistingTarget existing) {
  std::unique_ptr<OutputFile> file(new OutputFile(std::move(path), existing));
  file->folder_ = std::move(folder);
  if (auto done = file->begin(); !done) return done.error();
  return file;
}

OutputFile::OutputFile(std::string path, ExistingTarget existing)
    : path_(std::move(path)), name_(last_part(path_)), existing_(existing) {}

OutputFile::~OutputFile() {
  HiddenName::current().end();
}

Status OutputFile::open_folder() {
  const std::string folder = folder_of(path_);
  folder_ = tdz::app::open_folder(AT_FDCWD, folder);
  return folder_ ? ok() : Status(io_error("opening the folder", folder));
}

/// All errors of the name that can be found early are found here: at the end, the data of a pipe would be
/// lost.
Status OutputFile::begin() {
  struct stat target {};
  const bool exists = fstatat(folder_.get(), name_.c_str(), &target, AT_SYMLINK_NOFOLLOW) == 0;
  if (name_.empty() || (exists && S_ISDIR(target.st_mode))) {
    return Error{ErrorKind::usage, fmt::format("{} is a folder; name a file", printable(path_))};
  }
  if (!exists && errno != ENOENT) return io_error("creating", path_);
  if (exists && S_ISLNK(target.st_mode)) {
    if (auto done = check_link(folder_.get(), name_, path_); !done) return done;
  }
  if (exists && existing_ == ExistingTarget::refuse) return target_exists(path_);
  return open_unnamed_or_hidden();
}

Status OutputFile::open_unnamed_or_hidden() {
  file_ = open_unnamed_file(folder_.get());
  unnamed_ = static_cast<bool>(file_);
  remove_leftovers(folder_.get(), name_);
  return unnamed_ ? ok() : open_hidden();
}

Status OutputFile::open_hidden() {
  const int cause = claim_hidden_name(folder_.get(), name_, [this](const char* hidden) {
    file_ = Fd(openat(folder_.get(), hidden, O_CREAT | O_EXCL | O_RDWR | O_CLOEXEC | O_NOFOLLOW, kPrivate));
    return file_ && lock_hidden_file(file_.get(), folder_.get(), hidden);
  });
  return cause == 0 ? ok() : Status(io_error("creating", path_, cause));
}

Status OutputFile::publish(const std::optional<FileMetadata>& like) {
  if (like) {
    copy_metadata(*like, file_.get());
  } else {
    fchmod(file_.get(), mode_of_new_file());
  }
  if (sync_to_disk(file_.get()) != 0) return io_error("writing", path_);
  if (auto done = give_name(); !done) return done;
  flock(file_.get(), LOCK_UN);  // the name is not hidden any more
  return sync_folder();
}

Status OutputFile::give_name() {
  return unnamed_ ? name_unnamed() : name_hidden();
}

/// A link never replaces a file, so a target that has appeared meanwhile is safe. To replace a target, the
/// file first gets a hidden name.
Status OutputFile::name_unnamed() {
  const auto link = [&](const char* name) { return name_unnamed_file(file_.get(), folder_.get(), name); };
  if (link(name_.c_str())) return ok();
  if (errno != EEXIST) return io_error("naming", path_);
  if (existing_ == ExistingTarget::refuse) return target_exists(path_);
  flock(file_.get(), LOCK_EX | LOCK_NB);  // nobody else can have a lock on a file without a name
  if (const int cause = claim_hidden_name(folder_.get(), name_, link); cause != 0) {
    return io_error("naming", path_, cause);
  }
  return replace_target();
}

Status OutputFile::name_hidden() {
  if (existing_ == ExistingTarget::replace) return replace_target();
  const int cause = HiddenName::current().end_with([this](const char* hidden) {
    errno = rename_without_replacing(folder_.get(), hidden, name_.c_str());
    return errno == 0;
  });
  if (cause == EEXIST) return target_exists(path_);
  return cause == 0 ? ok() : Status(io_error("naming", path_, cause));
}

Status OutputFile::replace_target() {
  const int cause = HiddenName::current().end_with([this](const char* hidden) {
    return renameat(folder_.get(), hidden, folder_.get(), name_.c_str()) == 0;
  });
  replaced_ = true;
  return cause == 0 ? ok() : Status(io_error("naming", path_, cause));
}

/// If the folder cannot be synced, a new name is removed again. A replaced target cannot be restored.
Status OutputFile::sync_folder() {
  const int cause = tdz::app::sync_folder(folder_.get(), file_.get());
  if (cause == 0) return ok();
  if (!replaced_) unlinkat(folder_.get(), name_.c_str(), 0);
  return io_error("writing the folder of", path_, cause);
}

}  // namespace tdz::app
