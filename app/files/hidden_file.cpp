// SPDX-License-Identifier: Apache-2.0
#include "app/files/hidden_file.hpp"

#include <fcntl.h>
#include <sys/file.h>
#include <unistd.h>

#include <cstdio>
#include <random>
#include <vector>

#include "app/files/input_file.hpp"
#include "app/files/system_calls.hpp"
#include "app/options/names.hpp"

namespace tdz::app {
namespace {

/// How long a name may be in this folder.
std::size_t longest_name(int folder) {
  constexpr std::size_t kUsual = 255;
  const long longest = fpathconf(folder, _PC_NAME_MAX);
  return longest > 0 ? static_cast<std::size_t>(longest) : kUsual;
}

/// Opens the file that was found, if the name still is its own. `access` is a flag of openat(2).
Fd open_found(int folder, const std::string& name, const struct stat& found, int access) {
  Fd file(openat(folder, name.c_str(), access | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK | O_NOCTTY));
  struct stat opened {};
  return file && fstat(file.get(), &opened) == 0 && same_file(opened, found) ? std::move(file) : Fd();
}

/// A regular file of this user that has no other name, except that of the result.
bool may_be_leftover(int folder, const std::string& hidden, const std::string& name, struct stat& found) {
  if (fstatat(folder, hidden.c_str(), &found, AT_SYMLINK_NOFOLLOW) != 0) return false;
  if (!S_ISREG(found.st_mode) || found.st_uid != geteuid()) return false;
  struct stat result {};
  return found.st_nlink == 1 ||
         (found.st_nlink == 2 && fstatat(folder, name.c_str(), &result, AT_SYMLINK_NOFOLLOW) == 0 &&
          same_file(found, result));
}

void remove_leftover(int folder, const std::string& hidden, const std::string& name) {
  struct stat found {
  }, locked{};
  if (!may_be_leftover(folder, hidden, name, found)) return;
  Fd file = open_found(folder, hidden, found, O_RDWR);  // some network file systems want that for a lock
  if (!file) file = open_found(folder, hidden, found, O_RDONLY);
  if (!file || flock(file.get(), LOCK_EX | LOCK_NB) != 0) return;
  // A run may have finished meanwhile, and another one may have taken the name.
  if (may_be_leftover(folder, hidden, name, locked) && same_file(found, locked))
    unlinkat(folder, hidden.c_str(), 0);
}

/// Whether a killed run left the source with this name. Opening it for writing would break the lease of a run
/// that uses it. Where the file system has no locks, nobody knows of a run that uses it; another name does
/// such a run no harm.
bool is_hidden_source(int folder, const std::string& hidden) {
  struct stat found {};
  if (fstatat(folder, hidden.c_str(), &found, AT_SYMLINK_NOFOLLOW) != 0 || !S_ISREG(found.st_mode))
    return false;
  const Fd file = open_found(folder, hidden, found, O_RDONLY);
  return file && (flock(file.get(), LOCK_EX | LOCK_NB) == 0 || errno != EWOULDBLOCK);
}

/// Waits until the names in the folder are on disk; `file` is one of them. Returns 0 or an errno; where
/// neither of the two can be opened for reading, nothing can be synced, and that is no error.
int sync_folder_of(int folder, const char* file) {
  const Fd inside(openat(folder, file, O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK | O_NOCTTY));
  const int cause = sync_folder(folder, inside.get());
  return cause == EBADF ? 0 : cause;
}

/// The hidden names that a later run looks for.
std::vector<std::string> lasting_names(int folder, const std::string& name, std::string_view suffix) {
  const std::size_t longest = longest_name(folder);
  std::vector<std::string> names;
  for (unsigned number = 0; number < kLastingNames; ++number)
    names.push_back(hidden_name(name, suffix, number, longest));
  return names;
}

std::optional<std::string> hidden_source_in(int folder, const std::string& name) {
  struct stat own {};
  if (fstatat(folder, name.c_str(), &own, AT_SYMLINK_NOFOLLOW) == 0 || errno != ENOENT) return std::nullopt;
  for (auto& hidden : lasting_names(folder, name, kHiddenSourceSuffix))
    if (is_hidden_source(folder, hidden)) return std::move(hidden);
  return std::nullopt;
}

}  // namespace

HiddenName& HiddenName::current() {
  static HiddenName name;
  return name;
}

/// Names that a later run looks for; after them any, so that nobody can take all.
std::string HiddenName::name_number(unsigned attempt, int folder, const std::string& name,
                                    std::string_view suffix) {
  const std::uint64_t number = attempt < kLastingNames ? attempt : kLastingNames + std::random_device()();
  return hidden_name(name, suffix, number, longest_name(folder));
}

int HiddenName::end() {
  const std::lock_guard lock(mutex_);
  int cause = 0;
  if (!name_.empty() && own_name_.empty()) cause = unlinkat(folder_, name_.c_str(), 0) == 0 ? 0 : errno;
  if (!name_.empty() && !own_name_.empty())
    cause = rename_without_replacing(folder_, name_.c_str(), own_name_.c_str());
  name_.clear();
  return cause;
}

std::string HiddenName::text() {
  const std::lock_guard lock(mutex_);
  return name_;
}

/// A system or file system without rename_exclusive may have hard links, which never replace a file. A folder
/// has none, but never replaces a file either. A power cut may keep the removal of the old name and forget
/// the new one, so the new one is on disk first.
int rename_without_replacing(int folder, const char* from, const char* to) {
  if (const int cause = rename_exclusive(folder, from, to); cause == 0 || cause == EEXIST) return cause;
  if (linkat(folder, from, folder, to, 0) == 0) {
    if (const int cause = sync_folder_of(folder, to); cause != 0) {
      unlinkat(folder, to, 0);
      return cause;
    }
    return unlinkat(folder, from, 0) == 0 ? 0 : errno;
  }
  const int cause = errno;
  struct stat status {};
  const bool is_folder = fstatat(folder, from, &status, AT_SYMLINK_NOFOLLOW) == 0 && S_ISDIR(status.st_mode);
  return is_folder && renameat(folder, from, folder, to) == 0 ? 0 : cause;
}

/// If the file system has no locks, nobody can lock the file to remove it.
bool lock_hidden_file(int fd, int folder, const char* hidden) {
  struct stat own {
  }, named{};
  const bool locked = flock(fd, LOCK_EX | LOCK_NB) == 0;
  bool is_gone = !locked && errno == EWOULDBLOCK;
  if (locked && fstat(fd, &own) == 0) {
    const bool exists = fstatat(folder, hidden, &named, AT_SYMLINK_NOFOLLOW) == 0;
    is_gone = exists ? !same_file(own, named) : errno == ENOENT;
  }
  if (is_gone) errno = EEXIST;
  return !is_gone;
}

void remove_leftovers(int folder, const std::string& name) {
  for (const auto& hidden : lasting_names(folder, name, kTemporarySuffix))
    remove_leftover(folder, hidden, name);
}

std::optional<std::string> hidden_source_of(const std::string& path) {
  const Fd folder = open_folder(AT_FDCWD, folder_of(path));
  return folder ? hidden_source_in(folder.get(), last_part(path)) : std::nullopt;
}

std::optional<std::string> give_name_back(const std::string& path) {
  const std::string name = last_part(path);
  const Fd folder = open_folder(AT_FDCWD, folder_of(path));
  auto hidden = folder ? hidden_source_in(folder.get(), name) : std::nullopt;
  if (hidden && rename_without_replacing(folder.get(), hidden->c_str(), name.c_str()) != 0)
    return std::nullopt;
  return hidden;
}

/// The run that was killed may have given the file its own name a moment ago, so that name is put on disk
/// before the other one is removed.
void remove_second_names(const std::string& path) {
  const std::string name = last_part(path);
  const Fd folder = open_folder(AT_FDCWD, folder_of(path));
  struct stat own {
  }, second{};
  if (!folder || fstatat(folder.get(), name.c_str(), &own, AT_SYMLINK_NOFOLLOW) != 0 || own.st_nlink < 2)
    return;
  for (const auto& hidden : lasting_names(folder.get(), name, kHiddenSourceSuffix)) {
    const bool is_second = fstatat(folder.get(), hidden.c_str(), &second, AT_SYMLINK_NOFOLLOW) == 0 &&
                           same_file(own, second) && is_hidden_source(folder.get(), hidden);
    if (is_second && sync_folder_of(folder.get(), name.c_str()) == 0)
      unlinkat(folder.get(), hidden.c_str(), 0);
  }
}

}  // namespace tdz::app
