// SPDX-License-Identifier: Apache-2.0
#include "app/files/file_metadata.hpp"

#include <sys/xattr.h>
#include <unistd.h>

#include <array>
#include <string>
#include <string_view>
#include <vector>

namespace tdz::app {
namespace {

constexpr mode_t kPermissions =
    S_IRWXU | S_IRWXG | S_IRWXO;  // data files get no setuid, setgid or sticky bit

constexpr const char* kAccessList = "system.posix_acl_access";

/// For calls that may fail. Then the file differs a little from its source.
void ignore_failure(int) {}

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

/// True if the target now has the same access list as the source, or none if the source has none. A list that
/// the folder gave to the new file is removed first.
bool copy_attributes(int from, int to) {
  ignore_failure(fremovexattr(to, kAccessList));
  bool same_access = true;
  const std::string names = attribute_names(from);
  for (std::size_t at = 0; at < names.size(); at += std::string_view(&names[at]).size() + 1) {
    const char* name = &names[at];
    if (!is_for_copying(name)) continue;
    if (!copy_attribute(from, to, name) && std::string_view(name) == kAccessList) same_access = false;
  }
  return same_access;
}

/// The mode in which the group and all others have only the rights that both had.
mode_t without_group(mode_t mode) {
  const mode_t common = (mode >> 3) & mode & S_IRWXO;
  return (mode & S_IRWXU) | (common << 3) | common;
}

}  // namespace

std::optional<FileMetadata> metadata_of(int fd) {
  FileMetadata metadata{fd};
  if (fstat(fd, &metadata.status) != 0 || !S_ISREG(metadata.status.st_mode)) return std::nullopt;
  return metadata;
}

mode_t mode_of_new_file() {
  const mode_t mask = umask(0);  // the mask can be read only by setting it
  umask(mask);
  return (S_IRUSR | S_IWUSR | S_IRGRP | S_IWGRP | S_IROTH | S_IWOTH) & ~mask;
}

void copy_metadata(const FileMetadata& from, int to) {
  constexpr uid_t kSameUser = static_cast<uid_t>(-1);
  constexpr gid_t kSameGroup = static_cast<gid_t>(-1);
  mode_t mode = from.status.st_mode & kPermissions;
  ignore_failure(fchown(to, from.status.st_uid, kSameGroup));
  if (fchown(to, kSameUser, from.status.st_gid) != 0) mode = without_group(mode);
  // With an access list, the group bits of the mode limit the rights of everyone in the list.
  if (!copy_attributes(from.fd, to)) mode = without_group(mode);
  ignore_failure(fchmod(to, mode));
  const std::array<timespec, 2> times = {from.status.st_atim, from.status.st_mtim};
  ignore_failure(futimens(to, times.data()));
}

}  // namespace tdz::app
