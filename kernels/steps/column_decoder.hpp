// SPDX-License-Identifier: Apache-2.0
// The substreams of a chunk to its bytes: the steps of each column undone, then columns into rows.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "formats/error.hpp"
#include "formats/plan/plan.hpp"
#include "kernels/steps/step_coding.hpp"

namespace tdz {

/// For one thread; keeps its memory.
class ColumnDecoder {
 public:
  /// Fills `original`. Precondition: formats::check(plan) finds nothing; `substreams` overlaps nothing.
  /// Error corrupt: lengths or side data break the format. Then `original` may hold anything.
  Status decode(const Plan& plan, std::span<const std::uint32_t> lengths,
                std::span<const std::byte> substreams, std::span<std::byte> original);

 private:
  using Spans = std::span<const std::span<const std::byte>>;

  Status decode_columns(const Plan& plan, Spans parts, std::span<std::byte> rows);
  Status decode_column(const Column& column, Spans parts, std::span<std::byte> words);

  Buffer column_;
  StepMemory memory_;
};

}  // namespace tdz
