// SPDX-License-Identifier: Apache-2.0
// The substreams of a chunk to its bytes: the steps of each column undone, then columns into rows.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>

#include "formats/error.hpp"
#include "formats/plan/plan.hpp"
#include "kernels/cpu/steps/packed.hpp"
#include "kernels/steps/step_coding.hpp"
#include "kernels/uniform/frame.hpp"

namespace tdz {

/// For one thread; keeps its memory.
class ColumnDecoder {
 public:
  /// Fills `original`. Precondition: formats::check(plan) finds nothing; `substreams` overlaps nothing.
  /// Error corrupt: lengths or side data break the format. Then `original` may hold anything.
  Status decode(const Plan& plan, std::span<const std::uint32_t> lengths,
                std::span<const std::byte> substreams, std::span<std::byte> original);

  /// The same, where all substreams are the content of one frame of raw blocks, and the last one is packed
  /// bits: these are read where they lie. Precondition: ends_with_packed_bits().
  Status decode(const Plan& plan, std::span<const std::uint32_t> lengths, const uniform::RawContent& content,
                std::span<std::byte> original);
  static bool ends_with_packed_bits(const Plan& plan, std::span<const std::uint32_t> lengths,
                                    std::size_t original_bytes);

 private:
  using Spans = std::span<const std::span<const std::byte>>;

  Status decode_columns(const Plan& plan, Spans parts, std::span<std::byte> rows);
  Status decode_column(const Column& column, Spans parts, std::span<std::byte> words);

  Buffer column_, front_;
  std::optional<cpu::PackedBits> bits_;  ///< of the packed groups, if the substreams have none
  StepMemory memory_;
};

}  // namespace tdz
