// SPDX-License-Identifier: Apache-2.0
// A chunk to the substreams that its plan asks for: columns out of rows, then the steps of each column.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "formats/error.hpp"
#include "formats/plan/plan.hpp"
#include "kernels/steps/step_coding.hpp"

namespace tdz {

/// The substreams of a chunk, one after the other, and the length of each.
struct Substreams {
  std::span<const std::byte> bytes;
  std::vector<std::uint32_t> lengths;
};

/// For one thread; keeps its memory.
class ColumnEncoder {
 public:
  /// `fits`, for one that encodes the same words again and again: see KnownFits. It must outlive this
  /// encoder.
  explicit ColumnEncoder(KnownFits* fits = nullptr) : fits_(fits) {}

  /// The bytes lie in this encoder's memory until its next call, or are `original` itself, where there is no
  /// step to apply. They depend on plan, hints and original alone. `hints`: none, or one for each column.
  /// Precondition: formats::check(plan) finds nothing. Error limit: the
  /// substreams are longer than the format allows; plain_plan() always fits.
  Result<Substreams> encode(const Plan& plan, std::span<const ColumnHints> hints,
                            std::span<const std::byte> original);

 private:
  void encode_columns(const Plan& plan, std::span<const ColumnHints> hints, std::span<const std::byte> rows);
  void encode_column(const Column& column, const ColumnHints& hints, std::span<const std::byte> words);

  KnownFits* fits_;
  Buffer gathered_;
  StepMemory memory_;
  SubstreamSink sink_;
};

}  // namespace tdz
