// SPDX-License-Identifier: Apache-2.0
// A chunk to the substreams that its plan asks for: columns out of rows, then the steps of each column.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "codec/column/column_words.hpp"
#include "codec/column/stages.hpp"
#include "codec/column/substream_sink.hpp"
#include "codec/detect/detect_scale.hpp"
#include "codec/detect/known_fits.hpp"
#include "formats/error.hpp"
#include "formats/plan/plan.hpp"

namespace tdz {

/// What a search found for a column, beyond what the plan's bytes hold. The default: each chunk asks itself.
struct ColumnHints {
  std::optional<ScalePlan> scale;
  unsigned highest_order = 16;  ///< of predictors that are tried
};

/// The substreams of a chunk, one behind the other, and the length of each.
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
  /// Precondition: formats::check(plan) finds nothing. Error limit, where the substreams are longer than the
  /// format allows, and nowhere else: plain_plan() always fits.
  Result<Substreams> encode(const Plan& plan, std::span<const ColumnHints> hints,
                            std::span<const std::byte> original);

 private:
  void encode_columns(const Plan& plan, std::span<const ColumnHints> hints, std::span<const std::byte> rows);
  void encode_column(const Column& column, const ColumnHints& hints, std::span<const std::byte> words);
  ColumnWords run(const Stage& stage, bool last, const ColumnHints& hints, const ColumnWords& x);
  ColumnWords run(const Transform& transform, const ColumnWords& x, std::span<std::byte> out);
  std::span<std::byte> place(bool last, std::size_t bytes);

  KnownFits* fits_;
  Buffer gathered_;
  Buffer transform_scratch_;
  StepMemory memory_;
  SubstreamSink sink_;
};

}  // namespace tdz
