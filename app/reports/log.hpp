// SPDX-License-Identifier: Apache-2.0
// What the program tells people: plain lines on standard error, and all of them with times in a log file. The
// only place that knows spdlog's loggers. One thread at a time.
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
  /// `inputs` are the files of the run. Errors: usage if the log file is one of them, or holds something else
  /// than a log; io if it cannot be opened.
  static Result<Log> open(const Reporting& reporting, const std::vector<std::string>& inputs);

  /// The log file, if there is one.
  const std::optional<FileIdentity>& file() const { return identity_; }
  /// Could something not be written to it? It was said then.
  bool is_incomplete() const { return *incomplete_; }

  void error(std::string_view line);   ///< always shown
  void warn(std::string_view line);    ///< not with -q
  void result(std::string_view line);  ///< not with -q: what the whole run has done
  void info(std::string_view line);    ///< with -v

 private:
  std::shared_ptr<spdlog::logger> console_;
  std::shared_ptr<spdlog::logger> file_;  // takes nothing if no file was asked for
  std::optional<FileIdentity> identity_;
  std::shared_ptr<bool> incomplete_ = std::make_shared<bool>(false);
};

}  // namespace tdz::app
