// SPDX-License-Identifier: Apache-2.0
// The substreams of a chunk in the parts that coding 1 knows: FORMAT.md, section 4. Pure functions,
// thread-safe.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "formats/plan/plan.hpp"

namespace tdz::uniform {

enum class PartKind : std::uint8_t {
  side,       ///< side data of steps
  words,      ///< words, or tokens of a column that is not uniform; bytes behind the last row
  blocks,     ///< the uniform blocks of one lane
  remainder,  ///< the tokens of a lane behind them
  raw,        ///< raw bits of a uniform column
};

struct Part {
  PartKind kind = PartKind::words;
  std::size_t bytes = 0;
  std::size_t block = 0;  ///< tokens of a uniform block; 0 in columns that are not uniform
  TokenCode code{};       ///< of such columns, as `word_bits`
  unsigned word_bits = 0;
};

/// The layout of a column that has uniform blocks, or null.
const TokensStep* uniform_tokens(const Plan& plan, const Column& column);

/// In order; their bytes are those of the substreams. Parts of no bytes are left out, except raw
/// bits: they end a uniform column. `lengths`: of the substreams
/// of this plan and so many original bytes.
std::vector<Part> parts_of(const Plan& plan, std::span<const std::uint32_t> lengths, std::uint64_t original);

/// Parts that neither uniform blocks nor raw bits are: ordinary zstd frames hold them.
constexpr bool is_ordinary(const Part& part) {
  return part.kind != PartKind::blocks && part.kind != PartKind::raw;
}

/// Takes elements from the front of a span. `bad` once there were too few.
template <class T>
class Front {
 public:
  explicit Front(std::span<T> all) : rest_(all) {}

  std::span<T> take(std::size_t count) {
    bad_ = bad_ || count > rest_.size();
    const auto taken = rest_.first(bad_ ? 0 : count);
    rest_ = rest_.subspan(taken.size());
    return taken;
  }
  /// One element, or nothing.
  T* next() {
    const auto taken = take(1);
    return taken.empty() ? nullptr : taken.data();
  }
  bool bad() const { return bad_; }
  bool used_all() const { return !bad_ && rest_.empty(); }

 private:
  std::span<T> rest_;
  bool bad_ = false;
};

}  // namespace tdz::uniform
