// SPDX-License-Identifier: Apache-2.0
#include "app/files/job_list.hpp"

#include <dirent.h>
#include <fcntl.h>
#include <fnmatch.h>
#include <spdlog/fmt/fmt.h>
#include <sys/stat.h>

#include <algorithm>
#include <functional>
#include <utility>

#include "app/options/names.hpp"

namespace tdz::app {
namespace {

constexpr std::size_t kBufferBytes = 65536;
constexpr std::size_t kLongestName = 4096;  // PATH_MAX: a longer name cannot be opened

Job failed(std::string file, Error error) {
  return {JobKind::unreadable, std::move(file), Links::refuse, std::move(error)};
}

JobKind kind_of(std::string_view name, Wanted wanted) {
  if (is_hidden_source_name(name)) return JobKind::hidden_source;
  if (wanted == Wanted::unpacked && is_temporary_name(name)) return JobKind::leftover;
  return is_packed_name(name) == (wanted == Wanted::packed) ? JobKind::work : JobKind::wrong_suffix;
}

/// All names in a folder except . and .., in reverse order. If reading stops early, `cause` is the errno.
std::vector<std::string> names_in(DIR* folder, int& cause) {
  std::vector<std::string> names;
  errno = 0;
  while (const dirent* entry = readdir(folder)) {
    const std::string_view name = entry->d_name;
    if (name != "." && name != "..") names.emplace_back(name);
  }
  cause = errno;
  std::ranges::sort(names, std::greater<>());
  return names;
}

std::string joined(const std::string& folder, const std::string& name) {
  return folder.ends_with('/') ? folder + name : folder + "/" + name;
}

std::string_view without_leading_dots(std::string_view name) {
  while (name.starts_with("./")) {
    name.remove_prefix(2);
    name.remove_prefix(std::min(name.find_first_not_of('/'), name.size()));
  }
  return name;
}

/// "././a//b/" -> "a/b".
std::string normal(std::string_view name) {
  std::string plain;
  for (const char letter : without_leading_dots(name)) {
    if (letter != '/' || !plain.ends_with('/')) plain += letter;
  }
  if (plain.size() > 1 && plain.ends_with('/')) plain.pop_back();
  return plain;
}

struct CloseFolder {
  void operator()(DIR* folder) const { closedir(folder); }
};

}  // namespace

Result<std::unique_ptr<NameReader>> NameReader::open(const NameList& list, const Interrupts& interrupts) {
  auto input = InputFile::open(list.file, UnusualInput::allow);
  if (!input) return input.error();
  return std::unique_ptr<NameReader>(new NameReader(*std::move(input), list.separator, interrupts));
}

NameReader::NameReader(InputFile input, char separator, const Interrupts& interrupts)
    : input_(std::move(input)),
      separator_(separator),
      source_(input_.fd(), interrupts),
      buffer_(kBufferBytes) {}

Result<bool> NameReader::fill() {
  auto came = source_.read(buffer_);
  if (!came) return came.error();
  at_ = 0;
  end_ = *came;
  return end_ > 0;
}

Result<std::optional<std::string>> NameReader::next() {
  std::string name;
  for (;;) {
    if (at_ == end_) {
      auto more = fill();
      if (!more) return more.error();
      if (!*more) return name.empty() ? std::nullopt : std::optional(std::move(name));
    }
    const char letter = static_cast<char>(buffer_[at_++]);
    if (letter == separator_) {
      if (!name.empty()) return std::optional(std::move(name));
      continue;
    }
    if (letter == '\0') return Error{ErrorKind::usage, "the names end with zero bytes; use --filelist0"};
    name += letter;
    if (name.size() > kLongestName)
      return Error{ErrorKind::usage,
                   fmt::format("this is not a list of names: a name is longer than {} bytes", kLongestName)};
  }
}

JobList::JobList(const std::vector<std::string>& files, const FileSelection& selection, Wanted wanted,
                 std::vector<FileIdentity> own, const Interrupts& interrupts)
    : files_(files),
      selection_(selection),
      interrupts_(interrupts),
      filter_(selection.exclude),
      wanted_(wanted),
      own_(std::move(own)) {
  for (const std::string& file : files)
    if (file != kStandardInput) named_.emplace(normal(file), false);
}

/// Some names give no job: an empty folder, or the end of a list.
std::optional<Job> JobList::next() {
  for (;;) {
    std::optional<Job> job;
    if (!folders_.empty()) {
      job = next_found();
    } else if (next_file_ < files_.size()) {
      job = take_next_file();
    } else if (reader_ != nullptr || next_list_ < selection_.lists.size()) {
      job = next_listed();
    } else {
      return std::nullopt;
    }
    if (job) return job;
  }
}

std::optional<Job> JobList::next_found() {
  Folder& folder = folders_.back();
  if (folder.names.empty()) {
    folders_.pop_back();
    return std::nullopt;
  }
  std::string name = joined(folder.path, folder.names.back());
  folder.names.pop_back();
  return take_found(std::move(name));
}

std::optional<Job> JobList::next_listed() {
  if (reader_ == nullptr) {
    const NameList& list = selection_.lists[next_list_++];
    auto reader = NameReader::open(list, interrupts_);
    if (!reader) return failed(list.file, reader.error());
    reader_ = *std::move(reader);
  }
  auto name = reader_->next();
  if (name && *name) {
    if (**name == kStandardInput) return take_named("./-");
    return named_.count(normal(**name)) != 0 ? std::nullopt : take_named(**std::move(name));
  }
  reader_.reset();
  if (name) return std::nullopt;
  return failed(selection_.lists[next_list_ - 1].file, name.error());
}

std::optional<Job> JobList::take_next_file() {
  const std::string& name = files_[next_file_++];
  if (name != kStandardInput && std::exchange(named_[normal(name)], true)) return std::nullopt;
  return take_named(name);
}

std::optional<Job> JobList::take_named(std::string name) {
  if (name == kStandardInput) return Job{JobKind::work, std::move(name)};
  if (filter_.excludes(name)) return Job{JobKind::excluded, std::move(name)};
  struct stat status {};
  const bool is_there = stat(name.c_str(), &status) == 0;
  if (is_there && S_ISREG(status.st_mode) && is_own(status))
    return failed(std::move(name),
                  {ErrorKind::usage, "this is the log file of this run; use another log file"});
  if (!selection_.recursive || !is_there || !S_ISDIR(status.st_mode))
    return Job{JobKind::work, std::move(name)};
  if (lstat(name.c_str(), &status) == 0 && S_ISLNK(status.st_mode)) {
    const std::string target = printable(name) + "/";
    return failed(std::move(name), {ErrorKind::usage,
                                    "-r does not follow a symbolic link; use " + target + " for its target"});
  }
  return enter(std::move(name));
}

bool JobList::is_own(const struct stat& status) const {
  return std::ranges::find(own_, identity_of(status)) != own_.end();
}

std::optional<Job> JobList::take_found(std::string name) {
  if (named_.count(normal(name)) != 0) return std::nullopt;
  const auto own_name = path_of_hidden_source(name);
  if (filter_.excludes(name) || (own_name && filter_.excludes(*own_name)))
    return Job{JobKind::excluded, std::move(name)};
  struct stat status {};
  if (lstat(name.c_str(), &status) != 0) return failed(std::move(name), io_error());
  if (is_own(status)) return std::nullopt;
  if (S_ISDIR(status.st_mode)) return enter(std::move(name));
  if (!S_ISREG(status.st_mode)) return Job{JobKind::not_regular, std::move(name)};
  const JobKind kind = kind_of(last_part(name), wanted_);
  return Job{kind, std::move(name), Links::refuse};
}

/// Pushes the folder. If its names cannot all be read, those that were read are still processed.
std::optional<Job> JobList::enter(std::string path) {
  Fd fd(open(path.c_str(), O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC));
  if (!fd) return failed(std::move(path), io_error());
  const std::unique_ptr<DIR, CloseFolder> folder(fdopendir(fd.get()));
  if (folder == nullptr) return failed(std::move(path), io_error());
  fd.release();
  int cause = 0;
  folders_.push_back({path, names_in(folder.get(), cause)});
  return cause == 0 ? std::nullopt : std::optional(failed(std::move(path), io_error(cause)));
}

// ---- --exclude

NameFilter::NameFilter(const std::vector<std::string>& globs) {
  for (const std::string& glob : globs) globs_.push_back(normal(glob));
}

bool NameFilter::excludes(std::string_view name) const {
  if (globs_.empty()) return false;
  const std::string whole = normal(name);
  const std::string last = last_part(whole);
  if (last.empty() || last == "." || last == "..") return false;
  return std::ranges::any_of(globs_, [&](const std::string& glob) {
    const std::string& compared = glob.find('/') == std::string::npos ? last : whole;
    return fnmatch(glob.c_str(), compared.c_str(), 0) == 0;
  });
}

}  // namespace tdz::app
