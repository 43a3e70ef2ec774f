// SPDX-License-Identifier: Apache-2.0
#include "kernels/steps/column_decoder.hpp"

#include <cstring>

#include "formats/plan/substreams.hpp"
#include "kernels/cpu/sweep.hpp"
#include "kernels/float_environment.hpp"
#include "kernels/steps/any_width.hpp"

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

/// Whether `bytes` bytes can be these substreams of a chunk.
formats::Fault check_parts(const Plan& plan, std::span<const std::uint32_t> lengths, std::size_t bytes,
                           std::size_t original_bytes) {
  const auto expected = formats::substreams(plan, original_bytes);
  if (auto fault = formats::check_lengths(expected, lengths, original_bytes)) return fault;
  if (sum_of(lengths) != bytes) return corrupt("substreams of another length than their parts");
  return {};
}

/// The substreams that a group of steps reads beside the words; those of planes are the words themselves.
std::size_t side_count(std::span<const PlanStep> group) {
  const formats::StepTraits& traits = traits_of(group.back());
  return formats::is_layout_of_words(traits) ? 0 : traits.substreams;
}

/// The tuple whose lanes a group works on; 0: it takes the words in their order.
std::uint32_t tuple_by_lanes(std::span<const PlanStep> group) {
  return traits_of(group[0]).by_lanes || runs_as_lanes(group) ? tuple_of(group[0]) : 0;
}

bool runs_in_place(std::span<const PlanStep> group, unsigned width) {
  return runs_as_passes(group, width) && cpu::inverts_in_place(passes(width, group));
}

/// Whether group i may write its words to the target, where the column's words go in the end: that saves a
/// buffer. The group that is decoded last writes there itself, so its input lies elsewhere, except where it
/// runs in place, or leaves lanes that pack_into() moves there.
bool may_lie_in_target(std::span<const std::span<const PlanStep>> groups, std::size_t i, unsigned width) {
  if (i != 1) return true;
  const std::uint32_t tuple = tuple_by_lanes(groups[0]);
  return runs_in_place(groups[0], width) || tuple > 1 || (tuple == 1 && !is_word_size(width));
}

/// The last substream, after `front` bytes of others.
cpu::PackedBits bits_behind(std::size_t front, const uniform::RawContent& content) {
  const std::uint8_t* begin = octets(std::span(content.begin, content.bytes));
  if (front == content.bytes) return {begin, 0};
  const std::size_t block = front / uniform::kRawBlock, in_block = front % uniform::kRawBlock;
  return {begin + front + block * uniform::kBlockHeader, content.bytes - front, uniform::kRawBlock - in_block,
          uniform::kRawBlock, uniform::kBlockHeader};
}

Result<ColumnWords> decode_group(std::span<const PlanStep> group, const ColumnWords& x, const Decoding& how) {
  if (runs_as_packed(group)) return decode_packed(group, x, how);
  if (runs_as_passes(group, x.width)) return decode_passes(group, x, how);
  if (runs_as_lanes(group)) return decode(lanes_of(group), x, how);
  return std::visit([&](const auto& step) { return tdz::decode(step, x, how); }, group[0]);
}

}  // namespace

Status ColumnDecoder::decode(const Plan& plan, std::span<const std::uint32_t> lengths,
                             std::span<const std::byte> substreams, std::span<std::byte> original) {
  if (auto fault = check_parts(plan, lengths, substreams.size(), original.size())) return *std::move(fault);
  const FloatEnvironment usual;
  const auto parts = cut(substreams, lengths);
  const std::size_t rows = original.size() / row_bytes(plan) * row_bytes(plan);
  if (auto done = decode_columns(plan, parts, original.first(rows)); !done) return done;
  if (rows != original.size()) {
    std::memcpy(original.data() + rows, parts.back().data(), original.size() - rows);
  }
  return ok();
}

bool ColumnDecoder::ends_with_packed_bits(const Plan& plan, std::span<const std::uint32_t> lengths,
                                          std::size_t original_bytes) {
  if (plan.columns.size() != 1 || !is_packed(plan.columns[0])) return false;
  return lengths.size() == formats::substream_count(plan.columns[0]) && original_bytes % row_bytes(plan) == 0;
}

Status ColumnDecoder::decode(const Plan& plan, std::span<const std::uint32_t> lengths,
                             const uniform::RawContent& content, std::span<std::byte> original) {
  if (auto fault = check_parts(plan, lengths, content.bytes, original.size())) return *std::move(fault);
  const FloatEnvironment usual;
  const auto front = front_.take(content.bytes - lengths.back());
  uniform::copy_content(content, front);
  auto parts = cut(front, lengths.first(lengths.size() - 1));
  parts.emplace_back();
  bits_ = bits_behind(front.size(), content);
  const Status done = decode_columns(plan, parts, original);
  bits_.reset();
  return done;
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
  const auto groups = groups_of(column);
  ColumnWords x{{}, column.width, words.size() / column.width, 0};
  std::size_t left = formats::substream_count(column);
  if (gives_words(column)) x.bytes = parts[--left];
  for (std::size_t i = groups.size(); i-- > 0;) {
    const std::size_t count = side_count(groups[i]);
    left -= count;
    const bool free = x.bytes.data() != words.data() || runs_in_place(groups[i], column.width);
    const auto target = free && may_lie_in_target(groups, i, column.width) ? words : std::span<std::byte>();
    const std::uint32_t wanted = i == 0 ? 0 : tuple_by_lanes(groups[i - 1]);
    const auto next = decode_group(
        groups[i], x, {memory_, target, parts.subspan(left, count), wanted, bits_ ? &*bits_ : nullptr});
    if (!next) return next.error();
    x = *next;
  }
  if (x.bytes.data() != words.data()) pack_into(x, memory_, words);
  return ok();
}

}  // namespace tdz
