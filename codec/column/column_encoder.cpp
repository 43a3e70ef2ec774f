// SPDX-License-Identifier: Apache-2.0
#include "codec/column/column_encoder.hpp"

#include <string>

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

Substreams as_it_is(std::span<const std::byte> original, std::size_t rows) {
  Substreams out{original, {static_cast<std::uint32_t>(rows)}};
  if (rows != original.size()) out.lengths.push_back(static_cast<std::uint32_t>(original.size() - rows));
  return out;
}

}  // namespace

Result<Substreams> ColumnEncoder::encode(const Plan& plan, std::span<const ColumnHints> hints,
                                         std::span<const std::byte> original) {
  const std::size_t rows = original.size() / row_bytes(plan) * row_bytes(plan);
  if (is_copy(plan)) return as_it_is(original, rows);
  const FloatEnvironment usual;
  sink_.begin(original.size());
  encode_columns(plan, hints, original.first(rows));
  if (rows != original.size()) sink_.put(original.subspan(rows));
  const auto bytes = sink_.bytes();
  if (bytes.size() > formats::max_substream_bytes(original.size())) {
    return Error{ErrorKind::limit, "a plan that makes substreams of " + std::to_string(bytes.size()) +
                                       " bytes for a chunk of " + std::to_string(original.size())};
  }
  return Substreams{bytes, sink_.lengths()};
}

void ColumnEncoder::encode_columns(const Plan& plan, std::span<const ColumnHints> hints,
                                   std::span<const std::byte> rows) {
  FieldPlace place{row_bytes(plan), 0, 0};
  for (std::size_t c = 0; c < plan.columns.size(); ++c) {
    const Column& column = plan.columns[c];
    place.bytes = row_bytes(column);
    std::span<const std::byte> words = rows;
    if (plan.columns.size() > 1) {
      const auto gathered = gathered_.take(rows.size() / place.row * place.bytes);
      gather(place, rows, gathered);
      words = gathered;
    }
    encode_column(column, hints.empty() ? ColumnHints{} : hints[c], words);
    place.at += place.bytes;
  }
}

void ColumnEncoder::encode_column(const Column& column, const ColumnHints& hints,
                                  std::span<const std::byte> words) {
  if (words.empty()) {
    for (std::size_t i = formats::substream_count(column); i > 0; --i) sink_.keep(0);
    return;
  }
  const auto stages = stages_of(column);
  ColumnWords x{words, column.width, words.size() / column.width, 0};
  for (std::size_t i = 0; i < stages.size(); ++i) {
    x = run(stages[i], i + 1 == stages.size(), hints, x);
  }
  const bool tokens = !stages.empty() && std::holds_alternative<TokensStep>(stages.back());
  if (tokens) return;
  const auto out = sink_.room(words.size());
  if (x.bytes.data() != out.data()) pack_into(x, memory_, out.first(words.size()));
  sink_.keep(words.size());
}

/// What the last stage writes is the substream itself.
std::span<std::byte> ColumnEncoder::place(bool last, std::size_t bytes) {
  return last ? sink_.room(bytes).first(bytes) : memory_.take(bytes);
}

ColumnWords ColumnEncoder::run(const Transform& transform, const ColumnWords& x, std::span<std::byte> out) {
  const auto scratch = transform_scratch_.take(cpu::scratch_bytes(transform, x.bytes.size()));
  cpu::forward({&transform, x.bytes, out, scratch});
  return ColumnWords{out, x.width, x.words, 0};
}

ColumnWords ColumnEncoder::run(const Stage& stage, bool last, const ColumnHints& hints,
                               const ColumnWords& x) {
  struct Runner {
    ColumnEncoder& self;
    bool last;
    const ColumnHints& hints;
    const ColumnWords& x;

    ColumnWords operator()(const Transform& t) const {
      const auto pass = pass_of_lane(t, x.tuple);
      const bool layout = pass && pass->layout != Layout::interleaved;
      if (pass && layout == last) {
        const auto out = self.place(last, x.bytes.size());
        forward_lanes(*pass, x.map(x.tuple), x.bytes, out);
        return ColumnWords{out, x.width, x.words, layout ? 0 : x.tuple};
      }
      const ColumnWords packed = to_packed(x, self.memory_);
      return self.run(t, packed, self.place(last, packed.bytes.size()));
    }
    ColumnWords operator()(const PlainStep& s) const {
      if (runs_wide(s, x.width)) return apply_wide(s, x, self.memory_);
      const ColumnWords packed = to_packed(x, self.memory_);
      const auto out = self.place(last, packed.bytes.size());
      apply_plain(s, packed, out);
      return ColumnWords{out, x.width, x.words, 0};
    }
    ColumnWords operator()(const ScaleStep& s) const {
      return scaled(s, hints.scale, self.fits_, to_packed(x, self.memory_), self.memory_, self.sink_);
    }
    ColumnWords operator()(const LanesStep& s) const { return without_sources(s, x, self.memory_); }
    ColumnWords operator()(const PredictStep& s) const {
      return predicted(s, hints.highest_order, x, self.memory_, self.sink_);
    }
    ColumnWords operator()(const TokensStep& s) const {
      put_tokens(s, x, self.memory_, self.sink_);
      return x;
    }
  };
  return std::visit(Runner{*this, last, hints, x}, stage);
}

}  // namespace tdz
