// SPDX-License-Identifier: Apache-2.0
// Files under hidden names (hidden_name() in options/names.hpp): results that are not complete, and sources
// that
// --rm is about to remove.
//
// A run holds a lock (flock) on the file as long as its name is hidden. A later run of the same file tries
// the same names. So it finds what a killed run left, and the lock says whether a run still uses it. It
// removes what is left of results, and gives sources their names back.
#pragma once

#include <sys/stat.h>

#include <mutex>
#include <optional>
#include <string>

#include "app/files/fd.hpp"

namespace tdz::app {

/// The hidden name in use, one at a time in a program. A signal ends its use.
class HiddenName {
 public:
  static HiddenName& current();

  /// Creates the name with `make`, which gets it, returns success and sets errno; stores it. Tries other
  /// names if it exists. `own_name`: the file gets it back at the end; if it is empty, the file is removed.
  /// Returns 0 or an errno.
  template <class Make>
  int claim(int folder, const std::string& name, std::string_view suffix, const std::string& own_name,
            Make make) {
    int cause = EEXIST;
    for (unsigned attempt = 0; attempt < kAttempts && cause == EEXIST; ++attempt)
      cause = claim_one(folder, name_number(attempt, folder, name, suffix), own_name, make);
    return cause;
  }

  /// Ends the use of the name with `action`, which gets it, returns success and sets errno. Returns 0 or an
  /// errno; then the name is still in use.
  template <class Action>
  int end_with(Action action) {
    const std::lock_guard lock(mutex_);
    if (name_.empty()) return ENOENT;  // a signal has ended it
    if (!action(name_.c_str())) return errno;
    name_.clear();
    return 0;
  }

  /// Removes the file, or gives it its own name back unless another file has that name. Returns 0 or an
  /// errno; also then the name is not in use any more. Any thread may call it.
  int end();

  std::string text();

 private:
  static constexpr unsigned kAttempts = 100;

  static std::string name_number(unsigned attempt, int folder, const std::string& name,
                                 std::string_view suffix);

  /// end() sees the name made and stored, or neither. Nothing between the two steps may allocate memory: if
  /// that failed, the name would stay.
  template <class Make>
  int claim_one(int folder, std::string hidden, std::string own_name, Make make) {
    const std::lock_guard lock(mutex_);
    if (!make(hidden.c_str())) return errno;
    folder_ = folder;
    name_ = std::move(hidden);
    own_name_ = std::move(own_name);
    return 0;
  }

  std::mutex mutex_;
  int folder_ = -1;
  std::string name_;
  std::string own_name_;
};

/// Gives a file another name, unless a file has that name. Returns 0 or an errno.
int rename_without_replacing(int folder, const char* from, const char* to);

/// Locks a new file that has the hidden name. False if a run that removes leftovers was faster; errno is
/// EEXIST.
bool lock_hidden_file(int fd, int folder, const char* hidden);

/// Removes what killed runs left of the result `name`: this user's files that no run holds a lock on.
void remove_leftovers(int folder, const std::string& name);

/// The hidden name that a killed --rm left the source with, if there is no file `path` and no run uses the
/// other.
std::optional<std::string> hidden_source_of(const std::string& path);
/// Renames this source to `path` again. Returns its hidden name, or nothing if there is none, or no way back.
std::optional<std::string> give_name_back(const std::string& path);
/// Removes hidden names that the file `path` has beside its own: a run was killed when it gave it its own
/// back.
void remove_second_names(const std::string& path);

}  // namespace tdz::app
