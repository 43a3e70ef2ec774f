// SPDX-License-Identifier: Apache-2.0
// What a result inherits from its source: mode, times, and where permitted owner and extended attributes.
#pragma once

#include <sys/stat.h>

#include <optional>

namespace tdz::app {

/// A regular file that is open for reading. It outlives this.
struct FileMetadata {
  int fd = -1;
  struct stat status {};
};

/// Nothing for a pipe, a device or a terminal: a result made from them is like any new file.
std::optional<FileMetadata> metadata_of(int fd);

/// The mode that open(2) would have given a new file.
mode_t mode_of_new_file();

/// `to` was made with mode 0600: nobody else may look before this. What the file system or the system does
/// not permit is left out; without the source's group, or its access list, the group gets no more than
/// everybody.
void copy_metadata(const FileMetadata& from, int to);

}  // namespace tdz::app
