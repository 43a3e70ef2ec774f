// SPDX-License-Identifier: Apache-2.0
// --rm: removes a source, and nothing but what was read.
//
// A name can lead to another file at any moment, and unlink takes a name. So the source first gets a hidden
// name that nobody else uses, .NAME-XXXXXX.tdz.rm:
//
//     lease      from now on a program that opens the file for writing, or cuts it, has to wait
//     compare    the file that has the name is the one that was read, and has not changed
//     rename     to the hidden name
//     compare    that it was this file that was renamed, and that no program waits
//     unlink     the hidden name
//
// If anything differs, the file gets its name back. Killed at any moment, the source has its name or the
// hidden one; hidden_file.hpp says what a later run does with that. Where the file system has no leases, or
// the file is another user's, only the comparisons are left.
#pragma once

#include "app/files/input_file.hpp"

namespace tdz::app {

/// `path` was opened as `fd`, and had the status `as_read` then. Error io: it is kept, and why.
Status remove_source(const std::string& path, int fd, const struct stat& as_read, Unknown unknown);

}  // namespace tdz::app
