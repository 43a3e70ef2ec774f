// SPDX-License-Identifier: Apache-2.0
// Times repeated runs, on memory that makes times comparable. The result of every run is checked; the check
// is not timed.
#pragma once

#include <algorithm>
#include <cstddef>
#include <functional>
#include <memory>
#include <new>
#include <optional>
#include <span>
#include <stop_token>
#include <string>
#include <vector>

#include "app/bench/results.hpp"
#include "formats/error.hpp"

namespace tdz::app::bench {

// ---- Memory

/// Memory that begins with a page. The speed of memcpy depends on where its two buffers begin. On an AMD Zen
/// 3, glibc's memcpy takes fifteen times as long if the target begins 16 bytes after the source, modulo a
/// page, and that is usual for two allocations in a row. All timed work uses this memory, so that cells can
/// be compared.
class PageBytes {
 public:
  /// Writes to every page, so that the system provides them before any time is taken. Throws std::bad_alloc.
  explicit PageBytes(std::size_t bytes) : PageBytes(bytes, Raw{}) { fill(std::byte{0}); }
  explicit PageBytes(std::span<const std::byte> from) : PageBytes(from.size(), Raw{}) {
    std::ranges::copy(from, memory_.get());
  }

  std::span<std::byte> span() { return {memory_.get(), bytes_}; }
  std::span<const std::byte> span() const { return {memory_.get(), bytes_}; }
  std::byte* data() { return memory_.get(); }
  std::size_t size() const { return bytes_; }
  void fill(std::byte value) { std::ranges::fill(span(), value); }
  /// Bytes that a run does not write must not look right.
  void poison() { fill(std::byte{0xA5}); }

 private:
  static constexpr std::align_val_t kPage{4096};
  struct Raw {};
  struct Free {
    void operator()(std::byte* memory) const { ::operator delete(memory, kPage); }
  };

  PageBytes(std::size_t bytes, Raw)
      : memory_(static_cast<std::byte*>(::operator new(std::max<std::size_t>(bytes, 1), kPage))),
        bytes_(bytes) {}

  std::unique_ptr<std::byte, Free> memory_;
  std::size_t bytes_;
};

/// The first place where the bytes differ, or nothing. Precondition: both have the same length.
inline std::optional<std::size_t> first_difference(std::span<const std::byte> expected,
                                                   std::span<const std::byte> found) {
  const auto place = std::ranges::mismatch(expected, found).in1;
  if (place == expected.end()) return std::nullopt;
  return static_cast<std::size_t>(place - expected.begin());
}

// ---- Time

/// How long and how often one piece of work is repeated. It is always timed at least once.
struct Repeats {
  double seconds = 0;
  unsigned most = 25;
};

/// Precondition: not empty.
Timing timing_of(std::vector<double> seconds);

/// Work that can fail, and a check of its result: empty, or what is wrong with it.
using Work = std::function<Status()>;
using Check = std::function<std::string()>;
/// Runs before each timed run. It overwrites the output with wrong bytes, so that only bytes that the run
/// wrote can be right.
using Prepare = std::function<void()>;

/// A piece of work, timed. `fault` is that of the first wrong run.
struct Timed {
  Timing timing;
  std::string fault;
};
/// Runs the work once to warm up, then as often as `repeats` says, and checks every run. A fault ends it.
/// Errors: those of the work; cancelled.
Result<Timed> timed(
    const Repeats& repeats, const std::stop_token& stop, const Work& work, const Check& check,
    const Prepare& prepare = [] {});

/// Divides the time of a report among its pieces of work. Later pieces get the time that earlier ones did not
/// use.
class Pacer {
 public:
  /// `seconds` for `pieces` pieces. The time begins now.
  Pacer(double seconds, std::size_t pieces);
  /// The next piece's share.
  Repeats next();

 private:
  double end_;
  std::size_t left_;
};

/// Seconds of a clock that never goes back.
double now();

}  // namespace tdz::app::bench
