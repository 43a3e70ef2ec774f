// SPDX-License-Identifier: Apache-2.0
// What a result inherits from its source: mode and times; owner and extended attributes where permitted.
#pragma once

#include <sys/stat.h>

#include <optional>

namespace tdz::app {

/// A regular file that is open for reading. It outlives this.
struct FileMetadata {
  int fd = -1;
  struct stat status {};
};

/// Nothing for a pipe, a device or a terminal: a result made from them gets the metadata of a new file.
std::optional<FileMetadata> metadata_of(int fd);

/// The mode that open(2) would have given a new file.
mode_t mode_of_new_file();

/// `to` was created with mode 0600, so that nobody else can read it before this call. Metadata that the
/// system does not permit to set is left out. If the source's group or its access list cannot be set, the
/// group gets no more rights than all others.
void copy_metadata(const FileMetadata& from, int to);

}  // namespace tdz::app
