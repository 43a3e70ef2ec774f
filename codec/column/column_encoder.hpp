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
#include "kernels/backend.hpp"

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
  /// `fits`, for one that encodes the same words again and again: see KnownFits. It must outlive this encoder.
  explicit ColumnEncoder(Backend& backend, KnownFits* fits = nullptr) : backend_(backend), fits_(fits) {}

  /// The bytes lie in this encoder's memory until its next call, or are `original` itself, where there is no
  /// step to apply. They depend on plan, hints and original alone. `hints`: none, or one for each column.
  /// Precondition: formats::check(plan) finds nothing. Errors: those of the backend; limit, where the
  /// substreams are longer than the format allows: plain_plan() always fits.
  Result<Substreams> encode(const Plan& plan, std::span<const ColumnHints> hints,
                            std::span<const std::byte> original);
  /// After Error limit: were the substreams too long? Otherwise it is an error of the backend.
  bool was_too_long() const { return too_long_; }

 private:
  Status encode_columns(const Plan& plan, std::span<const ColumnHints> hints,
                        std::span<const std::byte> rows);
  Status encode_column(const Column& column, const ColumnHints& hints, std::span<const std::byte> words);
  Result<ColumnWords> run(const Stage& stage, bool last, const ColumnHints& hints, const ColumnWords& x);
  Result<ColumnWords> run(const Transform& transform, const ColumnWords& x, std::span<std::byte> out);
  std::span<std::byte> place(bool last, std::size_t bytes);

  Backend& backend_;
  KnownFits* fits_;
  Buffer gathered_;
  Buffer transform_scratch_;
  StepMemory memory_;
  SubstreamSink sink_;
  bool too_long_ = false;
};

}  // namespace tdz
