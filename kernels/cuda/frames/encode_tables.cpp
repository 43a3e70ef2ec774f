// SPDX-License-Identifier: Apache-2.0
#include "kernels/cuda/frames/encode_tables.hpp"

#include <algorithm>
#include <bit>
#include <optional>
#include <variant>

#include "formats/bytes.hpp"
#include "formats/steps/lane_map.hpp"
#include "formats/stream/limits.hpp"
#include "kernels/passes.hpp"
#include "kernels/uniform/block_layout.hpp"
#include "kernels/uniform/tree_codes.hpp"

namespace tdz::cuda::frames {
namespace {

using uniform::kGroup;

/// The steps that a device fuses, and how many come before.
struct ColumnSteps {
  std::size_t before = 0;
  TokensStep tokens;
  std::uint8_t order = 0;
  std::uint32_t restart = 0;
  bool zigzag = false;
};

std::optional<ColumnSteps> steps_of(const Column& column) {
  if (column.steps.empty() || !is_word_size(column.width)) return std::nullopt;
  const auto* tokens = std::get_if<TokensStep>(&column.steps.back());
  if (tokens == nullptr || tokens->run < 1u << 10 || tokens->run > 1u << 12) return std::nullopt;
  ColumnSteps found{column.steps.size() - 1, *tokens};
  const auto last = [&] { return found.before == 0 ? nullptr : &column.steps[found.before - 1]; };
  if (last() != nullptr && std::holds_alternative<ZigzagStep>(*last())) found.zigzag = true, --found.before;
  const auto* difference = last() == nullptr ? nullptr : std::get_if<DifferenceStep>(last());
  if (difference != nullptr && difference->order <= 3 && difference->tuple == tokens->tuple)
    found.order = difference->order, found.restart = difference->run, --found.before;
  const auto before = std::span(column.steps).first(found.before);
  return std::ranges::all_of(before, is_of_passes) ? std::optional(found) : std::nullopt;
}

/// A layout's bytes of raw bits, at most.
std::uint64_t most_raw_bytes(const EncodeColumn& column, std::uint64_t blocks) {
  const std::uint64_t run = 1u << column.run, bits = 8u * column.word - 1 - column.m;
  return blocks * uniform::kRuns * ((run * bits + 7) / 8);
}

}  // namespace

std::size_t steps_before(const Column& column) {
  const auto steps = steps_of(column);
  return steps ? steps->before : 0;
}

/// One column in memory.
struct EncodeBatch::Lanes {
  const Column& column;
  ColumnSteps steps;
  std::uint64_t begin;  ///< of the column's first word in the input
  std::uint32_t stride;
  LaneMap map;
  std::uint32_t frame_bytes;

  std::uint32_t block() const { return static_cast<std::uint32_t>(uniform::kRuns * steps.tokens.run); }
  /// Of a frame of uniform blocks; 0: none can hold 8 of them.
  std::uint32_t longest() const {
    const std::uint32_t group = kGroup * block();
    const auto most = std::min<std::uint64_t>(frame_bytes, uniform::kLongestFrame);
    if (map.length(0) <= most) return static_cast<std::uint32_t>(map.length(0));
    return static_cast<std::uint32_t>(most / group * group);
  }
};

bool EncodeBatch::add(const Plan& plan, std::uint64_t words, std::uint32_t bytes, std::uint32_t frame_bytes) {
  const std::size_t row = row_bytes(plan);
  if (plan.coding != Coding::uniform || row == 0 || bytes == 0 || bytes % row != 0) return false;
  std::vector<Lanes> all;
  std::uint64_t at = words;
  for (const Column& column : plan.columns) {
    const auto steps = steps_of(column);
    if (!steps) return false;
    const std::uint32_t tuple = steps->tokens.tuple;
    // The words of a lane are evenly far apart.
    const bool alone = plan.columns.size() == 1;
    if (!alone && (tuple != column.count || steps->before != 0)) return false;
    const auto stride = alone ? std::uint64_t{tuple} * column.width : row;
    const auto map = LaneMap::of_width(column.width, tuple, std::size_t{bytes / row} * column.count);
    const Lanes lanes{column, *steps, at, static_cast<std::uint32_t>(stride), map, frame_bytes};
    if (map.words % (std::size_t{tuple} * lanes.block()) != 0 || lanes.longest() == 0) return false;
    all.push_back(lanes);
    at += row_bytes(column);
  }
  if (first_blocks_.empty()) first_blocks_.push_back(0);
  chunks_.push_back({static_cast<std::uint32_t>(columns_.size()), static_cast<std::uint32_t>(all.size()), 0});
  first_blocks_.push_back(first_blocks_.back());
  for (const Lanes& lanes : all) add_column(plan, lanes);
  bound_ = (bound_ + 15) / 16 * 16 + 16;
  return true;
}

void EncodeBatch::add_column(const Plan& plan, const Lanes& lanes) {
  const TokensStep& tokens = lanes.steps.tokens;
  EncodeColumn column;
  column.chunk = static_cast<std::uint32_t>(chunks_.size() - 1);
  column.first_frame = static_cast<std::uint32_t>(frames_.size());
  column.first_group = static_cast<std::uint32_t>(groups_.size());
  column.segment = std::min<std::uint32_t>(lanes.frame_bytes, uniform::kLongestFrame);
  column.symbols = static_cast<std::uint16_t>(token_count(tokens.code, lanes.map.bits()));
  column.word = lanes.column.width;
  column.k = tokens.code.k, column.m = tokens.code.m;
  column.order = lanes.steps.order, column.zigzag = lanes.steps.zigzag;
  column.restart = static_cast<std::uint8_t>(std::countr_zero(std::max(lanes.steps.restart, 1u)));
  column.run = static_cast<std::uint8_t>(std::countr_zero(tokens.run));
  const std::uint8_t limit = plan.packing.code_limit;
  column.code_limit = limit != 0 ? limit : static_cast<std::uint8_t>(uniform::kLongestCode);
  const std::uint32_t number = static_cast<std::uint32_t>(columns_.size());
  columns_.push_back(column);
  for (std::uint32_t lane = 0; lane < lanes.map.lanes(); ++lane) add_frames(lanes, lane, lanes.longest());
  columns_[number].frames = static_cast<std::uint32_t>(frames_.size()) - column.first_frame;
  columns_[number].groups = static_cast<std::uint32_t>(groups_.size()) - column.first_group;
  add_raw_frames(number);
}

void EncodeBatch::add_frames(const Lanes& lanes, std::uint32_t lane, std::uint32_t longest) {
  const auto words = static_cast<std::uint32_t>(lanes.map.length(lane));
  for (std::uint32_t first = 0; first < words; first += longest) {
    const std::uint32_t blocks = std::min(longest, words - first) / lanes.block();
    EncodeFrame frame;
    frame.words =
        lanes.begin + std::uint64_t{lane} * lanes.column.width + std::uint64_t{first} * lanes.stride;
    frame.stride = lanes.stride;
    frame.column = static_cast<std::uint32_t>(columns_.size() - 1);
    frame.first_word = first;
    frame.first_group = static_cast<std::uint32_t>(groups_.size());
    frame.blocks = blocks;
    frame.first_block = first_blocks_.back();
    for (std::uint32_t b = 0; b < blocks; b += kGroup)
      groups_.push_back({static_cast<std::uint32_t>(frames_.size()), static_cast<std::uint16_t>(b / kGroup),
                         static_cast<std::uint16_t>(std::min<std::uint32_t>(blocks - b, kGroup))});
    frames_.push_back(frame);
    first_blocks_.back() += blocks;
    bound_ += 9 + std::uint64_t{blocks} * (lanes.block() + uniform::kBlockHeader);
  }
}

void EncodeBatch::add_raw_frames(std::uint32_t column) {
  const EncodeColumn& made = columns_[column];
  const std::uint64_t blocks = first_blocks_.back() - frames_[made.first_frame].first_block;
  const auto most = static_cast<std::uint32_t>(most_raw_bytes(made, blocks));
  const uniform::RawLayout layout{most, made.segment};
  for (std::uint32_t number = 0; number < layout.frames(); ++number) raw_frames_.push_back({column, number});
  bound_ += layout.total() + 16 * layout.frames();
}

static_assert(kRoomOfRawFrame == formats::kFrameBytes);

/// The length of CHK as formats::serialize makes it; entries of raw frames come on top.
void EncodeBatch::leave_room(std::size_t plan_bytes, std::uint32_t before) {
  using formats::round_up_8;
  EncodeChunk& chunk = chunks_.back();
  std::uint64_t frames = 0;
  for (const EncodeColumn& column : std::span(columns_).last(chunk.columns)) frames += column.frames;
  const auto is_other = [&](const EncodeRawFrame& raw) { return raw.column < chunk.first_column; };
  const auto others = std::find_if(raw_frames_.rbegin(), raw_frames_.rend(), is_other);
  const auto raw_frames = static_cast<std::uint64_t>(others - raw_frames_.rbegin());
  const std::uint64_t blocks = first_blocks_.back() - first_blocks_[first_blocks_.size() - 2];
  const std::uint64_t lengths = round_up_8(std::uint64_t{2} * sizeof(std::uint32_t) * chunk.columns);
  const std::uint64_t record =
      round_up_8(formats::kChunkFields + round_up_8(plan_bytes) + lengths + formats::kFrameBytes * frames +
                 formats::kBlockEntryBytes * blocks) +
      formats::kRecordCheckBytes;
  chunk.room = before + static_cast<std::uint32_t>(record);
  const std::uint64_t most = record + kRoomOfRawFrame * raw_frames;
  bound_ += before + most, records_bound_ += most;
}

EncodeTables EncodeBatch::tables() {
  EncodeTables tables;
  std::vector<EncodeGroup> sorted;
  for (unsigned width = 0; width < 4; ++width) {
    for (EncodeColumn& column : columns_) {
      if (column.word != 1u << width) continue;
      const auto first = static_cast<std::uint32_t>(sorted.size());
      const auto groups = std::span(groups_).subspan(column.first_group, column.groups);
      sorted.insert(sorted.end(), groups.begin(), groups.end());
      for (EncodeFrame& frame : std::span(frames_).subspan(column.first_frame, column.frames))
        frame.first_group = frame.first_group - column.first_group + first;
      column.first_group = first;
      tables.largest_alphabet = std::max<std::uint32_t>(tables.largest_alphabet, column.symbols);
    }
    tables.width_begin[width + 1] = static_cast<std::uint32_t>(sorted.size());
  }
  groups_ = std::move(sorted);
  const auto put = [](const auto*& array, std::uint32_t& count, const auto& from) {
    array = from.data(), count = static_cast<std::uint32_t>(from.size());
  };
  put(tables.chunks, tables.chunk_count, chunks_);
  put(tables.columns, tables.column_count, columns_);
  put(tables.frames, tables.frame_count, frames_);
  put(tables.groups, tables.group_count, groups_);
  put(tables.raw_frames, tables.raw_frame_count, raw_frames_);
  tables.block_count = first_blocks_.empty() ? 0 : first_blocks_.back();
  return tables;
}

void EncodeBatch::describe(const EncodedTables& encoded, std::uint32_t chunk,
                           formats::ChunkRecord& record) const {
  const EncodeChunk& own = chunks_[chunk];
  record.blocks.reserve(first_blocks_[chunk + 1] - first_blocks_[chunk]);
  for (std::uint32_t c = own.first_column; c < own.first_column + own.columns; ++c) {
    const EncodeColumn& column = columns_[c];
    std::uint32_t tokens = 0;
    for (std::uint32_t f = column.first_frame; f < column.first_frame + column.frames; ++f) {
      const std::uint32_t content = frames_[f].blocks << (column.run + 2);
      record.frames.push_back({encoded.frame_bytes[f], content});
      tokens += content;
    }
    const uniform::RawLayout raw{encoded.raw_bytes[c], column.segment};
    for (std::uint32_t f = 0; f < raw.frames(); ++f)
      record.frames.push_back({raw.frame_bytes(raw.content(f)), raw.content(f)});
    record.substreams.insert(record.substreams.end(), {tokens, raw.bytes});
  }
  for (std::uint32_t b = first_blocks_[chunk]; b < first_blocks_[chunk + 1]; ++b) {
    const EncodedBlock& block = encoded.blocks[b];
    record.blocks.push_back(
        {block.length, block.type, block.bits, {block.raw[0], block.raw[1], block.raw[2], block.raw[3]}});
  }
}

void EncodeBatch::clear() {
  chunks_.clear(), columns_.clear(), frames_.clear(), groups_.clear(), raw_frames_.clear();
  first_blocks_.clear();
  bound_ = records_bound_ = 0;
}

}  // namespace tdz::cuda::frames
