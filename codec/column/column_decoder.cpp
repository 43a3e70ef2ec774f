// SPDX-License-Identifier: Apache-2.0
#include "codec/column/column_decoder.hpp"

#include <cstring>

#include "codec/column/lane_coding.hpp"
#include "codec/column/lane_transform.hpp"
#include "codec/column/plain_coding.hpp"
#include "codec/column/rows.hpp"
#include "codec/column/scale_coding.hpp"
#include "formats/plan/substreams.hpp"
#include "kernels/cpu/transform.hpp"
#include "kernels/float_environment.hpp"

namespace tdz {
namespace {

std::vector<std::span<const std::byte>> cut(std::span<const std::byte> bytes,
                                            std::span<const std::uint32_t> lengths) {
  std::vector<std::span<const std::byte>> parts;
  for (const std::uint32_t length : lengths) {
    parts.push_back(bytes.first(length));
    bytes = bytes.subspan(length);
  }
  return parts;
}

std::uint64_t sum_of(std::span<const std::uint32_t> lengths) {
  std::uint64_t sum = 0;
  for (const std::uint32_t length : lengths) sum += length;
  return sum;
}

/// The substreams that a stage reads. Those of plain steps are the words themselves.
struct SideCount {
  std::size_t operator()(const Transform&) const { return 0; }
  std::size_t operator()(const PlainStep&) const { return 0; }
  std::size_t operator()(const LanesStep&) const { return 0; }
  template <class T>
  std::size_t operator()(const T& s) const {
    return formats::substream_count(PlanStep(s));
  }
};

/// The tuple whose lanes a stage works on; 0: it takes the words in their order.
std::uint32_t tuple_by_lanes(const Stage& stage) {
  if (const auto* lanes = std::get_if<LanesStep>(&stage)) return tuple_of(*lanes);
  if (const auto* predict = std::get_if<PredictStep>(&stage)) return tuple_of(*predict);
  return 0;
}

bool runs_in_place(const Stage& stage) {
  const auto* transform = std::get_if<Transform>(&stage);
  return transform != nullptr && cpu::inverts_in_place(*transform);
}

/// Whether the words of stage i may wait where the column's words go in the end: that saves a buffer. The
/// stage that is undone last writes there itself, so its input lies elsewhere, except where it runs in place,
/// or leaves lanes that pack_into() moves there.
bool may_lie_in_target(std::span<const Stage> stages, std::size_t i, unsigned width) {
  if (i != 1) return true;
  const std::uint32_t tuple = tuple_by_lanes(stages[0]);
  return runs_in_place(stages[0]) || tuple > 1 || (tuple == 1 && !is_word_size(width));
}

}  // namespace

/// Undoes one stage.
struct ColumnDecoder::Undone {
  ColumnDecoder& self;
  std::span<std::byte> target;  ///< where packed words may go; empty: to memory
  Spans side;
  const ColumnWords& x;
  std::uint32_t wanted;  ///< the tuple of the stage that is undone next

  std::span<std::byte> place(std::size_t bytes) const {
    return target.empty() ? self.memory_.take(bytes) : target;
  }
  /// The same; words that no other step needs stay in their place.
  std::span<std::byte> place_of(const Transform& t, const ColumnWords& packed) const {
    const auto own = target.empty() ? self.memory_.newest() : target;
    const bool stays = own.data() == packed.bytes.data() && cpu::inverts_in_place(t);
    return stays ? own.first(packed.bytes.size()) : place(packed.bytes.size());
  }

  Result<ColumnWords> operator()(const Transform& t) const {
    const auto pass = pass_of_lane(t, wanted);
    if (pass && (pass->layout != Layout::interleaved || x.tuple == wanted)) {
      const auto out = self.memory_.take(x.bytes.size());
      inverse_lanes(*pass, x.map(wanted), x.bytes, out);
      return ColumnWords{out, x.width, x.words, wanted};
    }
    const ColumnWords packed = to_packed(x, self.memory_);
    const auto out = place_of(t, packed);
    const auto scratch = self.transform_scratch_.take(cpu::inverse_scratch_bytes(t, out.size()));
    cpu::inverse({&t, packed.bytes, out, scratch});
    return ColumnWords{out, x.width, x.words, 0};
  }
  Result<ColumnWords> operator()(const PlainStep& s) const {
    if (runs_wide(s, x.width)) return undo_wide(s, x, self.memory_);
    const ColumnWords packed = to_packed(x, self.memory_);
    const auto out = place(packed.bytes.size());
    undo_plain(s, packed, out);
    return ColumnWords{out, x.width, x.words, 0};
  }
  Result<ColumnWords> operator()(const ScaleStep& s) const {
    const ColumnWords packed = to_packed(x, self.memory_);
    const auto out = place(packed.bytes.size());
    if (auto done = unscaled(s, side, packed, out); !done) return done.error();
    return ColumnWords{out, x.width, x.words, 0};
  }
  Result<ColumnWords> operator()(const LanesStep& s) const {
    return with_sources(s, x, target, self.memory_);
  }
  Result<ColumnWords> operator()(const PredictStep& s) const {
    return unpredicted(s, side[0], x, target, self.memory_);
  }
  Result<ColumnWords> operator()(const TokensStep& s) const {
    return words_of_tokens(s, side, x, target, self.memory_);
  }
};

Status ColumnDecoder::decode(const Plan& plan, std::span<const std::uint32_t> lengths,
                             std::span<const std::byte> substreams, std::span<std::byte> original) {
  const auto expected = formats::substreams(plan, original.size());
  if (auto fault = formats::check_lengths(expected, lengths, original.size())) return *std::move(fault);
  if (sum_of(lengths) != substreams.size()) return corrupt("substreams of another length than their parts");
  const FloatEnvironment usual;
  const auto parts = cut(substreams, lengths);
  const std::size_t rows = original.size() / row_bytes(plan) * row_bytes(plan);
  if (auto done = decode_columns(plan, parts, original.first(rows)); !done) return done;
  if (rows != original.size()) {
    std::memcpy(original.data() + rows, parts.back().data(), original.size() - rows);
  }
  return ok();
}

Status ColumnDecoder::decode_columns(const Plan& plan, Spans parts, std::span<std::byte> rows) {
  if (rows.empty()) return ok();
  if (plan.columns.size() == 1) return decode_column(plan.columns[0], parts, rows);
  FieldPlace place{row_bytes(plan), 0, 0};
  for (const Column& column : plan.columns) {
    place.bytes = row_bytes(column);
    const auto words = column_.take(rows.size() / place.row * place.bytes);
    if (auto done = decode_column(column, parts, words); !done) return done;
    scatter(place, words, rows);
    parts = parts.subspan(formats::substream_count(column));
    place.at += place.bytes;
  }
  return ok();
}

Status ColumnDecoder::decode_column(const Column& column, Spans parts, std::span<std::byte> words) {
  const auto stages = stages_of(column);
  ColumnWords x{{}, column.width, words.size() / column.width, 0};
  std::size_t behind = formats::substream_count(column);
  const bool tokens = !stages.empty() && std::holds_alternative<TokensStep>(stages.back());
  if (!tokens) x.bytes = parts[--behind];
  for (std::size_t i = stages.size(); i-- > 0;) {
    const std::size_t count = std::visit(SideCount{}, stages[i]);
    behind -= count;
    const bool free = x.bytes.data() != words.data() || runs_in_place(stages[i]);
    const auto target = free && may_lie_in_target(stages, i, column.width) ? words : std::span<std::byte>();
    const Undone undone{*this, target, parts.subspan(behind, count), x,
                        i == 0 ? 0 : tuple_by_lanes(stages[i - 1])};
    const auto next = std::visit(undone, stages[i]);
    if (!next) return next.error();
    x = *next;
  }
  if (x.bytes.data() != words.data()) pack_into(x, memory_, words);
  return ok();
}

}  // namespace tdz
