// SPDX-License-Identifier: Apache-2.0
#include "app/reports/report_output.hpp"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>

#include "app/options/names.hpp"
#include "app/options/options.hpp"

namespace tdz::app {
namespace {

constexpr std::size_t kPiece = 64u << 10;  // the capacity of a pipe

/// A pipe or a device: it is written directly.
bool is_special(const struct stat& target) {
  return S_ISCHR(target.st_mode) || S_ISFIFO(target.st_mode);
}

bool is_input(const struct stat& target, const std::string& input) {
  struct stat status {};
  const int asked = input == kStandardInput ? fstat(STDIN_FILENO, &status) : stat(input.c_str(), &status);
  return asked == 0 && S_ISREG(status.st_mode) && same_file(status, target);
}

Status check_others(const std::string& path, const FilesOfRun& run) {
  struct stat target {};
  if (stat(path.c_str(), &target) != 0) return ok();
  const auto replaced = [&](const std::string& input) { return is_input(target, input); };
  if (run.log != identity_of(target) && std::ranges::none_of(run.inputs, replaced)) return ok();
  return Error{
      ErrorKind::usage,
      printable(path) + " is a source or the log of this run and would be overwritten; name another file"};
}

}  // namespace

Status ReportOutput::check(const std::string& path, ExistingTarget existing, const FilesOfRun& run) {
  if (auto done = check_others(path, run); !done) return done;
  struct stat target {};
  if (stat(path.c_str(), &target) == 0 && is_special(target)) return ok();
  auto file = OutputFile::create(path, existing);
  return file ? ok() : Status(file.error());
}

Result<ReportOutput> ReportOutput::open(const std::optional<std::string>& path, ExistingTarget existing,
                                        const FilesOfRun& run) {
  ReportOutput output;
  if (!path) return output;
  output.shown_ = *path;
  if (auto done = check_others(*path, run); !done) return done.error();
  struct stat target {};
  const bool exists = stat(path->c_str(), &target) == 0;
  if (exists && is_special(target)) {
    output.device_ = Fd(::open(path->c_str(), O_WRONLY | O_CLOEXEC | O_NOCTTY));
    if (!output.device_) return io_error("opening", *path);
    return output;
  }
  auto file = OutputFile::create(*path, existing);
  if (!file) return file.error();
  output.file_ = *std::move(file);
  return output;
}

Status ReportOutput::write(std::string_view text, Interrupts& interrupts) {
  const int fd = file_ != nullptr ? file_->fd() : device_ ? device_.get() : STDOUT_FILENO;
  FdSink sink(fd, shown_, Placement::in_order, interrupts);
  if (auto done = sink.write(std::as_bytes(std::span(text))); !done) return done;
  return file_ != nullptr ? file_->publish(std::nullopt) : ok();
}

// ---- Text on standard output

TextOutput::TextOutput(Interrupts& interrupts)
    : sink_(STDOUT_FILENO, "(stdout)", Placement::in_order, interrupts) {}

Status TextOutput::put(std::string_view text) {
  pending_ += text;
  return pending_.size() < kPiece ? ok() : flush();
}

Status TextOutput::flush() {
  auto done = sink_.write(std::as_bytes(std::span(pending_)));
  pending_.clear();
  return done;
}

}  // namespace tdz::app
