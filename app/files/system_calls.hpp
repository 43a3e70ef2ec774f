// SPDX-License-Identifier: Apache-2.0
// What the program asks of Linux beyond POSIX. system_calls_linux.cpp has it, with sandbox.cpp; a build with
// -DTDZ_LINUX_CALLS=OFF, as on every other system, has system_calls_posix.cpp instead. No other file of app/
// includes a header of Linux or names one of its calls.
//
// Each comment says what POSIX alone promises less. What holds with both: no file has its final name before
// it is whole and on disk, none is replaced without -f, and a source is removed after its result is on disk.
#pragma once

#include <signal.h>
#include <sys/stat.h>
#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "app/files/fd.hpp"

namespace tdz::app {

/// What a build without the calls of Linux lacks, for --version; empty with them.
std::string_view missing_calls();

// ---- Signals and pipes

/// The ends to read from and to write to; none if there is an error.
std::array<Fd, 2> open_pipe();

/// Blocks the signals for this thread and all that it starts. The descriptor gets readable when one of them
/// comes; none if there is an error.
Fd open_signals(const sigset_t& caught);
/// Call it once in the thread that waits for the descriptor, which is the last one opened: with POSIX alone
/// a handler, which runs in this thread only, writes to it.
void receive_signals();
/// Takes a signal from a descriptor that is readable; 0 if there is none.
int next_signal(int fd);

// ---- Folders, names and disks

/// A folder for names in it that may not be listed. POSIX: none, with the errno EACCES.
Fd open_unlisted_folder(int parent, const char* name, int flags);
/// fsync for it: all of the file system on which `inside` lies. 0, or -1 and an errno. POSIX: there is no
/// such folder, so EBADF.
int sync_unlisted_folder(int inside);
/// Waits until the file or folder is on disk, as fsync(2). On macOS fsync leaves it in the memory of the
/// disk.
int sync_to_disk(int fd);

/// Gives a file another name in its folder, unless a file has that name (EEXIST). Returns 0 or an errno.
/// POSIX: always ENOSYS, as from a file system that cannot do so; the caller then links and unlinks.
int rename_exclusive(int folder, const char* from, const char* to);

/// A file without a name, for reading and writing, mode 0600. None if the file system or the system has none,
/// as with POSIX: the result then has a hidden name until it is complete.
Fd open_unnamed_file(int folder);
/// Gives it a name that no file has. False leaves errno.
bool name_unnamed_file(int fd, int folder, const char* name);

/// Does a link lead to a file that is open already, as /dev/stdout does? Replacing the link would not write
/// to that file. POSIX: only files of this process.
bool leads_to_open_file(int folder, const std::string& link);

// ---- Leases: the right to know of programs that open a file for writing

/// Returns 0 or an errno: EAGAIN if a program has the file open for writing, EACCES if it is another user's.
/// POSIX: ENOSYS, as from a file system without leases, so that only a change that shows is noticed.
int take_lease(int fd);
/// Does a program wait to write? Of a lease that was taken.
bool lease_is_in_the_way(int fd);
void end_lease(int fd);

// ---- Metadata

/// Copies the extended attributes and the access list. True if the target then has the access list of the
/// source, or none if the source has none. POSIX: copies nothing, and takes it that there is no list. macOS
/// copies both.
bool copy_attributes(int from, int to);

#ifdef __APPLE__
inline const timespec& time_of_access(const struct stat& status) {
  return status.st_atimespec;
}
inline const timespec& time_of_writing(const struct stat& status) {
  return status.st_mtimespec;
}
inline const timespec& time_of_change(const struct stat& status) {
  return status.st_ctimespec;
}
#else
inline const timespec& time_of_access(const struct stat& status) {
  return status.st_atim;
}
inline const timespec& time_of_writing(const struct stat& status) {
  return status.st_mtim;
}
/// Of the last change of the status, which no program can set back.
inline const timespec& time_of_change(const struct stat& status) {
  return status.st_ctim;
}
#endif

// ---- Speed. POSIX: they do nothing, or answer that nothing is known.

/// The file will be read from its begin to its end.
void expect_reading_in_order(int fd);
/// Is it a file in memory, which keeps the pages that give_pages gives it?
bool is_in_memory(int fd);
/// Gives the file pages, and the length that they need. False if the system has no more.
bool give_pages(int fd, off_t offset, off_t length);

/// Freed memory stays with the process: the search frees and takes the same megabytes again and again.
void keep_freed_memory();
/// Ties the calling thread, and the threads that it starts, to one processor. Returns which one, or the
/// reason why not.
std::string pin_to_one_processor();
/// Bytes of the processor's last cache; nothing if the system does not say.
std::optional<std::uint64_t> last_cache();

// ---- The sandbox (sandbox.cpp): takes from this process what its command does not need, before it reads a
// byte of a file. Whoever found a fault in a decoder then has a process that can neither start programs nor
// reach a network, and that writes to the folders of its results alone.
//
// Files are confined by Landlock (landlock(7), Linux 5.13 and later), system calls by a filter of seccomp
// (libseccomp). The filter names what is denied, not what is allowed: a list of all that libraries call would
// break with their next release, and with it somebody's restore. A kernel without either leaves the process
// as it was, and so does POSIX alone.

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
