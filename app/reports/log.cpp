// SPDX-License-Identifier: Apache-2.0
#include "app/reports/log.hpp"

#include <fcntl.h>
#include <spdlog/logger.h>
#include <spdlog/sinks/basic_file_sink.h>
#include <spdlog/sinks/null_sink.h>
#include <spdlog/sinks/stdout_sinks.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <utility>

#include "app/files/fd.hpp"
#include "app/options/names.hpp"

namespace tdz::app {
namespace {

spdlog::level::level_enum console_level(const Reporting& reporting) {
  if (reporting.quiet) return spdlog::level::err;
  return reporting.verbose ? spdlog::level::info : spdlog::level::warn;
}

std::shared_ptr<spdlog::logger> console_logger(const Reporting& reporting) {
  auto logger =
      std::make_shared<spdlog::logger>("console", std::make_shared<spdlog::sinks::stderr_sink_st>());
  logger->set_pattern("tdz: %v");
  logger->set_level(console_level(reporting));
  return logger;
}

std::shared_ptr<spdlog::logger> file_logger(const Reporting& reporting) {
  if (!reporting.log_file) {
    return std::make_shared<spdlog::logger>("file", std::make_shared<spdlog::sinks::null_sink_st>());
  }
  auto sink = std::make_shared<spdlog::sinks::basic_file_sink_st>(*reporting.log_file);
  auto logger = std::make_shared<spdlog::logger>("file", std::move(sink));
  logger->set_pattern("%Y-%m-%dT%H:%M:%S.%e%z [%l] %v");
  logger->flush_on(spdlog::level::trace);  // there are few lines, and the program can die of a signal
  return logger;
}

/// A log is appended to. A file that was named by mistake must not be: a log begins with a time. False also
/// if the file cannot be read.
bool is_not_a_log(const std::string& path) {
  constexpr std::string_view kBegins = "dddd-dd-ddTdd:dd:dd.";
  const Fd file(open(path.c_str(), O_RDONLY | O_CLOEXEC));
  std::array<char, kBegins.size()> begin{};
  const ssize_t came = file ? read(file.get(), begin.data(), begin.size()) : 0;
  if (came <= 0) return false;
  const auto fits = [](char shape, char c) { return shape == 'd' ? c >= '0' && c <= '9' : c == shape; };
  return !std::ranges::equal(kBegins, begin, fits);
}

/// The file is opened here first, because spdlog would create missing folders.
Result<FileIdentity> make_log_file(const std::string& path, const std::vector<std::string>& inputs) {
  const Fd file(open(path.c_str(), O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, mode_t{0666}));
  struct stat log {};
  if (!file || fstat(file.get(), &log) != 0) return io_error("opening", path);
  for (const std::string& input : inputs) {
    struct stat status {};
    if (S_ISREG(log.st_mode) && stat(input.c_str(), &status) == 0 && same_file(log, status))
      return Error{ErrorKind::usage,
                   "--log-file " + printable(path) + " is also a source of this run; use another log file"};
  }
  if (S_ISREG(log.st_mode) && is_not_a_log(path))
    return Error{ErrorKind::usage,
                 "--log-file " + printable(path) + " exists and is not a log; use another log file"};
  return identity_of(log);
}

}  // namespace

Result<Log> Log::open(const Reporting& reporting, const std::vector<std::string>& inputs) {
  Log log;
  log.console_ = console_logger(reporting);
  if (reporting.log_file) {
    auto file = make_log_file(*reporting.log_file, inputs);
    if (!file) return file.error();
    log.identity_ = *file;
  }
  try {
    log.file_ = file_logger(reporting);
  } catch (const spdlog::spdlog_ex& failure) {
    return Error{ErrorKind::io, printable(failure.what())};
  }
  log.file_->set_error_handler(
      [console = log.console_, incomplete = log.incomplete_](const std::string& what) {
        if (!std::exchange(*incomplete, true)) console->error("the log is incomplete: {}", printable(what));
      });
  return log;
}

void Log::error(std::string_view line) {
  console_->error(line);
  file_->error(line);
}

void Log::warn(std::string_view line) {
  console_->warn(line);
  file_->warn(line);
}

void Log::result(std::string_view line) {
  console_->warn(line);  // shown like a warning
  file_->info(line);
}

void Log::info(std::string_view line) {
  console_->info(line);
  file_->info(line);
}

}  // namespace tdz::app
