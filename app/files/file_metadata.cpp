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

constexpr mode_t kPermissions = S_IRWXU | S_IRWXG | S_IRWXO;  // setuid and its kin are not for data

constexpr const char* kAccessList = "system.posix_acl_access";

/// The result of a call that may fail: the file is then a little less like its source.
void where_permitted(int) {}

/// Labels belong to the place where a file lies, capabilities to a program.
bool is_for_copying(std::string_view attribute) {
  return !attribute.starts_with("security.");
}

/// The names of a file's attributes, each ended by a zero; empty where there are none or they cannot be read.
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

/// Does the target have the source's access list, be it none? One that its folder gives to new files goes.
bool copy_attributes(int from, int to) {
  where_permitted(fremovexattr(to, kAccessList));
  bool same_access = true;
  const std::string names = attribute_names(from);
  for (std::size_t at = 0; at < names.size(); at += std::string_view(&names[at]).size() + 1) {
    const char* name = &names[at];
    if (!is_for_copying(name)) continue;
    if (!copy_attribute(from, to, name) && std::string_view(name) == kAccessList) same_access = false;
  }
  return same_access;
}

/// What group and everybody have in common.
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
  const mode_t mask = umask(0);  // there is no way to only look
  umask(mask);
  return (S_IRUSR | S_IWUSR | S_IRGRP | S_IWGRP | S_IROTH | S_IWOTH) & ~mask;
}

void copy_metadata(const FileMetadata& from, int to) {
  constexpr uid_t kSameUser = static_cast<uid_t>(-1);
  constexpr gid_t kSameGroup = static_cast<gid_t>(-1);
  mode_t mode = from.status.st_mode & kPermissions;
  where_permitted(fchown(to, from.status.st_uid, kSameGroup));
  if (fchown(to, kSameUser, from.status.st_gid) != 0) mode = without_group(mode);
  // Where there is an access list, the mode's bits for the group are the most that it grants anyone.
  if (!copy_attributes(from.fd, to)) mode = without_group(mode);
  where_permitted(fchmod(to, mode));
  const std::array<timespec, 2> times = {from.status.st_atim, from.status.st_mtim};
  where_permitted(futimens(to, times.data()));
}

}  // namespace tdz::app
