// SPDX-License-Identifier: Apache-2.0
// One line on standard error that says how far it is. It is gone when the work is done and never goes to
// logs.
#pragma once

#include <chrono>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "app/options/options.hpp"

namespace tdz::app {

struct ProgressState {
  std::uint64_t done = 0;              ///< of total: bytes of the input, or cells
  std::optional<std::uint64_t> total;  ///< where it is known
  /// Bytes that the rate counts, in both directions; nothing where there is no rate.
  std::optional<std::uint64_t> original = 0;
  double seconds = 0;
};

/// "42 %  310 MB/s  0:12 left  name", without what is not known, cut to `width` columns. Pure.
std::string progress_text(const ProgressState& state, std::string_view name, std::size_t width);

struct ProgressStyle {
  bool visible = false;
  std::chrono::milliseconds first_after{};  ///< a short job should not flicker
};

/// What else the terminal may be showing.
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
