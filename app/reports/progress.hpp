// SPDX-License-Identifier: Apache-2.0
// One line on standard error that shows the progress. It is erased at the end, and never goes to a log.
#pragma once

#include <chrono>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "app/options/options.hpp"
#include "app/reports/screen.hpp"

namespace tdz::app {

struct ProgressState {
  std::uint64_t done = 0;              ///< of `total`: bytes of the input, or cells
  std::optional<std::uint64_t> total;  ///< if it is known
  /// The bytes of the original, for the rate; nothing if there is no rate.
  std::optional<std::uint64_t> original = 0;
  double seconds = 0;
};

/// "42 %  310 MB/s  0:12 left  name", without unknown parts, cut to `width` columns. Pure function.
std::string progress_text(const ProgressState& state, std::string_view name, std::size_t width,
                          Letters letters);

struct ProgressStyle {
  bool visible = false;
  std::chrono::milliseconds first_after{};  ///< a short job shows no line
};

/// What standard output is used for.
enum class StandardOutput : unsigned char { unused, result };

ProgressStyle progress_style(const Reporting& reporting, StandardOutput output);

class ProgressLine {
 public:
  ProgressLine(std::string name, std::optional<std::uint64_t> total, ProgressStyle style);
  ~ProgressLine();
  ProgressLine(const ProgressLine&) = delete;
  ProgressLine& operator=(const ProgressLine&) = delete;

  /// One thread at a time.
  void update(std::uint64_t done, std::optional<std::uint64_t> original);
  void erase();

 private:
  using Clock = std::chrono::steady_clock;

  std::string name_;
  std::optional<std::uint64_t> total_;
  bool visible_;
  Clock::time_point begin_;
  Clock::time_point next_;
  bool drawn_ = false;
};

}  // namespace tdz::app
