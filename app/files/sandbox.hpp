// SPDX-License-Identifier: Apache-2.0
// Takes from this process what its command does not need, before it reads a byte of a file: whoever found a
// fault in a decoder then has a process that can neither start programs nor reach a network, and that writes
// to the folders of its results alone.
//
// Files are confined by Landlock (landlock(7), Linux 5.13 and later), system calls by a filter of seccomp
// (libseccomp). The filter names what is denied, not what is allowed: a list of all that libraries call would
// break with their next release, and with it somebody's restore. A kernel without either leaves the process
// as it was, and so does a build without the calls of Linux (system_calls.hpp).
#pragma once

#include <optional>
#include <string>
#include <vector>

namespace tdz::app {

/// What a command may still do with names of files. Descriptors that are open stay as they are.
struct FileRights {
  /// Folders below which files are created, written, renamed and removed, and single files. A name that does
  /// not exist yet stands for the nearest folder above it that does. Nothing: everywhere.
  std::optional<std::vector<std::string>> written;
};

struct Sandbox {
  bool files = false;  ///< FileRights hold
  bool calls = false;  ///< programs, networks, other processes and executable memory are denied
};

/// For this thread and all that it starts, for good. Call it before threads start. It fails as a whole or in
/// parts without an error: the result says what holds.
Sandbox enter_sandbox(const FileRights& rights);

}  // namespace tdz::app
