// SPDX-License-Identifier: Apache-2.0
#include "app/files/targets.hpp"

#include <fcntl.h>
#include <spdlog/fmt/fmt.h>
#include <sys/stat.h>
#include <unistd.h>

#include "app/files/system_calls.hpp"
#include "app/options/names.hpp"

namespace tdz::app {

// ---- A folder for results

namespace {

constexpr mode_t kFolderPermissions = S_IRWXU | S_IRWXG | S_IRWXO;

/// A part of a name, and the name up to and including that part.
struct Part {
  std::string_view text;
  std::string_view so_far;
};

/// "/a/./b//x" -> a, b, x.
std::vector<Part> parts_of(std::string_view name) {
  std::vector<Part> parts;
  for (std::size_t from = 0, to = 0; from < name.size(); from = to + 1) {
    to = std::min(name.find('/', from), name.size());
    const auto text = name.substr(from, to - from);
    if (!text.empty() && text != ".") parts.push_back({text, name.substr(0, to)});
  }
  return parts;
}

/// Returns 0 or an errno.
int make_folder(int parent, const std::string& name, mode_t mode) {
  return mkdirat(parent, name.c_str(), mode) == 0 || errno == EEXIST ? 0 : errno;
}

/// Waits until the name of `folder` in its parent is on disk: a target is lost if the name of its folder is.
/// A folder that exists may have been made by a run that was killed just then; but its parent may also be a
/// file system that cannot be synced, or one of others, so then failing is no error. Where neither of the two
/// can be listed, OutputFile syncs the whole file system.
Status keep_name(int parent, int folder, const std::string& path, bool is_new) {
  if (!is_new) {
    sync_to_disk(parent);
    return ok();
  }
  const int cause = sync_folder(parent, folder);
  return cause == 0 || cause == EBADF ? ok()
                                      : Status(io_error("writing the name of the folder", path, cause));
}

/// The permissions of the source's folder; the umask can reduce them.
mode_t mode_like(std::string_view folder) {
  struct stat status {};
  const bool known = stat(std::string(folder).c_str(), &status) == 0;
  return S_IRWXU | (known ? status.st_mode & kFolderPermissions : 0);
}

Error unusable(const std::string& path, int cause) {
  if (cause == ELOOP || cause == ENOTDIR)
    return {ErrorKind::usage,
            fmt::format("{} is a symbolic link or not a folder; tdz writes nothing there", printable(path))};
  return io_error("opening the folder", path, cause);
}

}  // namespace

Result<OutputTree> OutputTree::open(std::string folder) {
  while (folder.size() > 1 && folder.ends_with('/')) folder.pop_back();
  const Fd parent = open_folder(AT_FDCWD, folder_of(folder));
  Fd fd = open_folder(AT_FDCWD, folder);
  const bool is_new = !fd && errno == ENOENT;
  if (is_new) {
    const int cause = parent ? make_folder(parent.get(), last_part(folder), kFolderPermissions) : errno;
    if (cause != 0) return io_error("creating the folder", folder, cause);
    fd = open_folder(AT_FDCWD, folder);
  }
  struct stat status {};
  if (!fd || fstat(fd.get(), &status) != 0) return io_error("opening the folder", folder);
  if (parent) {
    if (auto done = keep_name(parent.get(), fd.get(), folder, is_new); !done) return done.error();
  }
  return OutputTree(std::move(folder), std::move(fd), identity_of(status));
}

OutputTree::OutputTree(std::string folder, Fd fd, FileIdentity identity)
    : folder_(std::move(folder)), fd_(std::move(fd)), identity_(identity) {}

Result<std::string> OutputTree::path_of(std::string_view name) {
  std::string path = folder_;
  for (const Part& part : parts_of(name)) {
    if (part.text == "..")
      return Error{ErrorKind::usage,
                   "the name contains '..', and --output-dir writes nothing outside its folder"};
    if (!path.ends_with('/')) path += '/';
    path += part.text;
  }
  const bool absolute = name.starts_with('/');
  if (absolute_.value_or(absolute) != absolute)
    return Error{ErrorKind::usage,
                 "--output-dir does not take absolute and relative names together; use two runs"};
  absolute_ = absolute;
  return path;
}

bool OutputTree::holds(std::string_view name) const {
  auto parts = parts_of(name);
  if (parts.empty()) return false;
  const std::string file(parts.back().text);
  parts.pop_back();
  Fd folder = open_folder(fd_.get(), ".");
  for (const Part& part : parts) {
    if (folder) folder = open_folder(folder.get(), std::string(part.text), O_NOFOLLOW);
  }
  struct stat status {};
  return folder && fstatat(folder.get(), file.c_str(), &status, AT_SYMLINK_NOFOLLOW) == 0 &&
         S_ISREG(status.st_mode);
}

Result<Fd> OutputTree::folder_for(std::string_view source) const {
  std::string path = folder_;
  Fd folder = open_folder(fd_.get(), ".");
  if (!folder) return unusable(path, errno);
  auto parts = parts_of(source);
  if (!parts.empty()) parts.pop_back();  // the file itself
  for (std::size_t depth = 0; depth < parts.size(); ++depth) {
    const std::string name(parts[depth].text);
    path += "/" + name;
    Fd next = open_folder(folder.get(), name, O_NOFOLLOW);
    const bool is_new = !next && errno == ENOENT;
    if (is_new) {
      if (const int cause = make_folder(folder.get(), name, mode_like(parts[depth].so_far)); cause != 0)
        return io_error("creating the folder", path, cause);
      next = open_folder(folder.get(), name, O_NOFOLLOW);
    }
    if (!next) return unusable(path, errno);
    if (auto done = keep_name_once(folder.get(), next.get(), path, is_new); !done) return done.error();
    folder = std::move(next);
  }
  return folder;
}

/// The folders of a list may come in any order. Memory must not grow with their number.
Status OutputTree::keep_name_once(int parent, int folder, const std::string& path, bool is_new) const {
  constexpr std::size_t kMostKept = 4096;
  struct stat status {};
  if (fstat(folder, &status) != 0) return io_error("opening the folder", path);
  const FileIdentity identity = identity_of(status);
  if (!is_new && kept_.count(identity) != 0) return ok();
  if (auto done = keep_name(parent, folder, path, is_new); !done) return done;
  if (kept_.size() == kMostKept) kept_.clear();
  kept_.insert(identity);
  return ok();
}

// ---- Targets

Result<Targets> Targets::open(const OutputOptions& options, NameOfResult name_of_result) {
  std::optional<OutputTree> tree;
  if (options.tree) {
    auto opened = OutputTree::open(*options.tree);
    if (!opened) return opened.error();
    tree = *std::move(opened);
  }
  return Targets(options, std::move(name_of_result), std::move(tree));
}

Targets::Targets(const OutputOptions& options, NameOfResult name_of_result, std::optional<OutputTree> tree)
    : options_(options), name_of_result_(std::move(name_of_result)), tree_(std::move(tree)) {}

Result<std::optional<std::string>> Targets::target_for(const std::string& file) {
  if (options_.file) return options_.file;
  if (options_.to_stdout || file == kStandardInput) return std::optional<std::string>();
  auto name = name_of_result_(file);
  if (name && tree_) name = tree_->path_of(*name);
  if (!name) return name.error();
  return std::optional(*std::move(name));
}

/// Only a regular file counts. A folder, or a link to nothing, is not a result; opening the target reports
/// it.
bool Targets::exists(const std::string& file) {
  if (!options_.skip_existing) return false;
  const auto target = target_for(file);
  if (target && tree_) {
    const auto name = name_of_result_(file);
    return name && tree_->holds(*name);
  }
  struct stat status {};
  return target && *target && stat((*target)->c_str(), &status) == 0 && S_ISREG(status.st_mode);
}

}  // namespace tdz::app
