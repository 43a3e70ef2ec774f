// SPDX-License-Identifier: Apache-2.0
#include "kernels/steps/column_encoder.hpp"

#include <string>

#include "formats/plan/substreams.hpp"
#include "kernels/float_environment.hpp"
#include "kernels/steps/any_width.hpp"

namespace tdz {
namespace {

Substreams as_it_is(std::span<const std::byte> original, std::size_t rows) {
  Substreams out{original, {static_cast<std::uint32_t>(rows)}};
  if (rows != original.size()) out.lengths.push_back(static_cast<std::uint32_t>(original.size() - rows));
  return out;
}

ColumnWords encode_group(std::span<const PlanStep> group, const ColumnWords& x, const Encoding& how) {
  if (runs_as_packed(group)) return encode_packed(group, x, how);
  if (runs_as_passes(group, x.width)) return encode_passes(group, x, how);
  if (runs_as_lanes(group)) return encode(lanes_of(group), x, how);
  return std::visit([&](const auto& step) { return tdz::encode(step, x, how); }, group[0]);
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
  const auto groups = groups_of(column);
  ColumnWords x{words, column.width, words.size() / column.width, 0};
  for (std::size_t i = 0; i < groups.size(); ++i)
    x = encode_group(groups[i], x, {memory_, sink_, hints, fits_, i + 1 == groups.size()});
  if (!gives_words(column)) return;
  const auto out = sink_.room(words.size());
  if (x.bytes.data() != out.data()) pack_into(x, memory_, out.first(words.size()));
  sink_.keep(words.size());
}

}  // namespace tdz
