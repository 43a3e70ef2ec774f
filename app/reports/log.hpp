// SPDX-License-Identifier: Apache-2.0
// The messages of the program: plain lines on standard error, and all of them with times in a log file. The
// only place that knows the loggers of spdlog. One thread at a time.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "app/files/input_file.hpp"
#include "app/options/options.hpp"

namespace spdlog {
class logger;
}

namespace tdz::app {

class Log {
 public:
  /// `inputs` are the files of the run. Errors: usage if the log file is one of them, or exists and is not a
  /// log; io if it cannot be opened.
  static Result<Log> open(const Reporting& reporting, const std::vector<std::string>& inputs);

  /// The log file, if there is one.
  const std::optional<FileIdentity>& file() const { return identity_; }
  /// Did writing to it fail? Then an error was shown.
  bool is_incomplete() const { return *incomplete_; }

  void error(std::string_view line);   ///< always shown
  void warn(std::string_view line);    ///< not with -q
  void result(std::string_view line);  ///< not with -q: the result of the whole run
  void info(std::string_view line);    ///< with -v

 private:
  std::shared_ptr<spdlog::logger> console_;
  std::shared_ptr<spdlog::logger> file_;  // writes nothing if there is no log file
  std::optional<FileIdentity> identity_;
  std::shared_ptr<bool> incomplete_ = std::make_shared<bool>(false);
};

}  // namespace tdz::app
