// SPDX-License-Identifier: Apache-2.0
#include "kernels/cuda/packed/packed_plan.hpp"

#include <algorithm>
#include <numeric>
#include <optional>
#include <span>

#include "formats/steps/packed.hpp"
#include "kernels/passes.hpp"

namespace tdz::cuda {
namespace {

using formats::FrameLengths;

constexpr std::uint32_t kChecksumBytes = 4;

/// The layout that these frames have; nothing if they have none. Their content is above 0.
std::optional<uniform::RawLayout> layout_of(std::span<const FrameLengths> frames, std::uint64_t content) {
  if (frames.empty() || frames.front().unpacked == 0 || frames.front().unpacked > uniform::kLongestFrame)
    return std::nullopt;
  // A device copies bits byte by byte where the header of a block or frame cuts them; so these must be rare.
  if (frames.size() > 1 && frames.front().unpacked < uniform::kRawBlock) return std::nullopt;
  uniform::RawLayout layout{static_cast<std::uint32_t>(content), frames.front().unpacked, 0};
  if (frames.front().packed != layout.frame_bytes(frames.front().unpacked)) layout.checksum = kChecksumBytes;
  if (frames.size() != layout.frames()) return std::nullopt;
  for (std::uint32_t f = 0; f < layout.frames(); ++f) {
    const std::uint32_t own = layout.content(f);
    if (frames[f].unpacked != own || frames[f].packed != layout.frame_bytes(own)) return std::nullopt;
  }
  return layout;
}

/// The headers of all frames and blocks, as write_raw_frame() writes them.
void check_headers(const uniform::RawLayout& layout, const uniform::ChunkBase& base,
                   uniform::DecodeTables& tables) {
  for (std::uint32_t f = 0; f < layout.frames(); ++f) {
    const std::uint32_t content = layout.content(f);
    const uniform::FrameHeader header(content, layout.checksum != 0);
    tables.check_raw_frame(base.packed + layout.frame_at(f), base.chunk, header, content);
  }
}

}  // namespace

PackedTail packed_tail(const Column& column) {
  const std::uint32_t of_groups = tuple_of(column.steps.back());
  PackedTail tail{column.steps.size() - 1, {.tuple = of_groups}};
  const auto last = [&] { return tail.before == 0 ? nullptr : &column.steps[tail.before - 1]; };
  if (last() != nullptr && std::holds_alternative<ZigzagStep>(*last()))
    tail.steps.zigzag = true, --tail.before;
  const auto* difference = last() == nullptr ? nullptr : std::get_if<DifferenceStep>(last());
  if (difference == nullptr || difference->tuple > kMostGroupTuple) return tail;
  if (difference->run % kShortestRun != 0) return tail;
  const bool same_lanes = difference->tuple == of_groups;
  if (same_lanes || of_groups == 1)
    tail = {tail.before - 1,
            {difference->tuple, difference->run, difference->order, same_lanes, tail.steps.zigzag}};
  return tail;
}

bool is_packed_for_device(const Plan& plan) {
  if (plan.coding != Coding::zstd || plan.columns.size() != 1) return false;
  const Column& column = plan.columns.front();
  if (!is_word_size(column.width) || !is_packed(column)) return false;
  if (tuple_of(column.steps.back()) > kMostGroupTuple) return false;
  return std::ranges::all_of(std::span(column.steps).first(packed_tail(column).before), is_of_passes);
}

bool is_for_device(const Plan& plan) {
  return plan.coding == Coding::uniform || is_packed_for_device(plan);
}

bool add_packed_chunk(const Plan& plan, const formats::ChunkRecord& record, const uniform::ChunkBase& base,
                      uniform::DecodeTables& tables, PackedChunk& made) {
  if (!is_packed_for_device(plan) || record.original_bytes == 0) return false;
  if (record.original_bytes % row_bytes(plan) != 0) return false;
  const Column& column = plan.columns.front();
  const std::uint32_t words = record.original_bytes / column.width, tuple = tuple_of(column.steps.back());
  if (words > kMostStepWords || record.substreams.size() != PackedStep::kTraits.substreams) return false;
  const std::uint64_t content =
      std::accumulate(record.substreams.begin(), record.substreams.end(), std::uint64_t{0});
  const auto layout = layout_of(record.frames, content);
  if (!layout) return false;
  made = {base.packed, base.values, *layout};
  if (layout->frames() == 1) made.only_header = uniform::FrameHeader::length_of(layout->bytes);
  made.chunk = base.chunk, made.words = words, made.tuple = tuple;
  made.groups = static_cast<std::uint32_t>(packed_groups(words, tuple));
  made.widths = record.substreams[0], made.bits = record.substreams[3];
  // What the kernel relies on; the record was judged by the same numbers.
  if (made.widths == 0 || made.widths > kMostWidths || record.substreams[1] != (made.groups + 1) / 2 ||
      record.substreams[2] != 4 * made.places())
    return false;
  check_headers(*layout, base, tables);
  if (packed_tail(column).before > 0) {
    made.out = tables.work_bytes = (tables.work_bytes + kScanAlignment - 1) / kScanAlignment * kScanAlignment;
    tables.work_bytes += record.original_bytes;
  }
  return true;
}

bool is_plain(const Plan& plan) {
  return plan.coding == Coding::zstd && is_copy(plan);
}

bool add_plain_chunk(const Plan& plan, const formats::ChunkRecord& record, const uniform::ChunkBase& base,
                     uniform::DecodeTables& tables, PlainChunk& made) {
  if (!is_plain(plan) || record.original_bytes == 0 || record.original_bytes > xxh3::kLongest) return false;
  // The words of the rows and the rest stand one after another, as in the original.
  const std::uint64_t content =
      std::accumulate(record.substreams.begin(), record.substreams.end(), std::uint64_t{0});
  if (content != record.original_bytes) return false;
  const auto layout = layout_of(record.frames, content);
  if (!layout) return false;
  made = {base.packed, base.values, *layout, base.chunk};
  check_headers(*layout, base, tables);
  return true;
}

}  // namespace tdz::cuda
