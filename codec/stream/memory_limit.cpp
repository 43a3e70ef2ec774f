// SPDX-License-Identifier: Apache-2.0
#include "codec/stream/memory_limit.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <limits>
#include <string>
#include <string_view>

#include "codec/chunk/uniform_frames.hpp"
#include "codec/chunk/zstd_coder.hpp"
#include "codec/stream/pipeline.hpp"
#include "codec/stream/resources.hpp"
#include "formats/plan/substreams.hpp"
#include "kernels/cpu/steps/grid/grid.hpp"
#include "kernels/cpu/sweep.hpp"
#include "kernels/steps/step_coding.hpp"
#include "tdz/tdz.hpp"

namespace tdz {
namespace {

constexpr std::uint64_t kDecoderContext = 256u << 10;  // zstd takes a little more than 160 KiB

/// Gives up one slot, or one worker if there are no spare slots: fewer workers cost more speed than fewer
/// slots.
bool shrink(PipelineSize& size) {
  if (size.slots > size.workers) {
    --size.slots;
  } else if (size.workers > 1) {
    size.slots = --size.workers;
  } else {
    return false;
  }
  return true;
}

/// The limit, but at most half of the address space: with 32-bit pointers the free addresses are fragmented.
std::uint64_t addressable(std::uint64_t limit) {
  return std::min<std::uint64_t>(limit, std::numeric_limits<std::size_t>::max() / 2);
}

std::string in_units(std::uint64_t bytes) {
  const bool small = bytes < (1u << 20);
  const std::uint64_t unit = small ? 1u << 10 : 1u << 20;
  const std::uint64_t tenths = bytes / unit * 10 + bytes % unit * 10 / unit;
  return std::to_string(tenths / 10) + "." + std::to_string(tenths % 10) + (small ? " KiB" : " MiB");
}

Status check_needs(const ParsedChunk& chunk, const MemoryNeeds& needs, std::uint64_t limit,
                   std::uint64_t where) {
  if (needs.of({}) <= addressable(limit)) return ok();
  auto error = too_little_memory(chunk.record.original_bytes, needs, limit);
  error.where = where;
  return error;
}

/// What ColumnDecoder needs for one column beside the substreams. Steps that passes take all at once need
/// at most one buffer. Between other steps the words lie in two buffers in turn, each word in a machine word;
/// `lanes` needs one lane more, and `grid` its numbers, in the same memory.
std::uint64_t step_bytes(const Column& column, std::uint64_t words) {
  const std::uint64_t packed = words * column.width, wide = words * std::bit_ceil(unsigned{column.width});
  std::uint64_t scratch = 0, halves = 0, lane = 0;
  for (const auto group : groups_of(column)) {
    if (runs_as_packed(group) && is_word_size(column.width)) {
      const std::uint64_t groups = packed_groups(words, tuple_of(group.back()));
      scratch = std::max(scratch, groups);
    } else if (runs_as_passes(group, column.width)) {
      const auto needed = cpu::scratch_bytes(passes(column.width, group), static_cast<std::size_t>(packed));
      scratch = std::max<std::uint64_t>(scratch, needed);
    } else {
      halves = 2 * wide;
    }
    const bool by_lanes = runs_as_lanes(group) || std::holds_alternative<LanesStep>(group[0]);
    if (by_lanes) lane = std::max(lane, wide / tuple_of(group[0]) + kMaxWidth);
    if (const auto* grid = std::get_if<GridStep>(&group[0])) {
      const LaneMap map = LaneMap::of_width(column.width, grid->tuple, static_cast<std::size_t>(words));
      lane = std::max<std::uint64_t>(lane, cpu::grid_scratch_bytes(*grid, map));
    }
  }
  return scratch + halves + lane;
}

/// The same for all columns, one after another. Several columns share one more buffer for the words of each.
std::uint64_t step_bytes(const Plan& plan, std::uint32_t original) {
  const std::uint64_t rows = formats::rows_of(plan, original);
  std::uint64_t steps = 0, column = 0;
  for (const Column& c : plan.columns) {
    steps = std::max(steps, step_bytes(c, rows * c.count));
    column = std::max<std::uint64_t>(column, rows * row_bytes(c));
  }
  return plan.columns.size() > 1 ? steps + column : steps;
}

}  // namespace

/// Of a plan that was read: a few of its bytes make a step.
std::uint64_t plan_memory(const Plan& plan) {
  std::uint64_t sum = plan.columns.size() * sizeof(Column);
  for (const Column& column : plan.columns) {
    sum += column.steps.size() * sizeof(PlanStep);
    for (const PlanStep& step : column.steps)
      if (const auto* lanes = std::get_if<LanesStep>(&step)) sum += lanes->lanes.size() * sizeof(LaneRule);
  }
  return sum;
}

std::uint64_t record_memory(const ParsedChunk& chunk) {
  const formats::ChunkRecord& record = chunk.record;
  return record.plan.size() + plan_memory(chunk.plan) + record.substreams.size() * sizeof(std::uint32_t) +
         record.frames.size() * sizeof(formats::FrameLengths) +
         record.blocks.size() * sizeof(formats::BlockEntry);
}

PipelineSize usual_size(unsigned workers) {
  return {workers, ring_size(workers)};
}

MemoryNeeds larger_of(const MemoryNeeds& a, const MemoryNeeds& b) {
  return {std::max(a.slot, b.slot), std::max(a.worker, b.worker)};
}

namespace {

/// A slot holds CHK, the frames and the restored chunk. A worker holds the substreams and the words of
/// columns between two steps: `steps` bytes.
MemoryNeeds needs_with(const ParsedChunk& chunk, std::uint64_t steps) {
  const auto& record = chunk.record;
  return {record_memory(chunk) + formats::packed_bytes(record) + record.original_bytes,
          substream_bytes(record) + steps + kDecoderContext};
}

}  // namespace

MemoryNeeds decoding_needs(const ParsedChunk& chunk) {
  return needs_with(chunk, step_bytes(chunk.plan, chunk.record.original_bytes));
}

Status check_memory(const ParsedChunk& chunk, std::uint64_t limit, std::uint64_t where) {
  return check_needs(chunk, decoding_needs(chunk), limit, where);
}

Status MemoryCheck::operator()(const ParsedChunk& chunk, std::uint64_t where) {
  const auto& record = chunk.record;
  if (original_ == 0 || original_ != record.original_bytes || plan_ != record.plan) {
    original_ = 0;  // until all is known
    steps_ = step_bytes(chunk.plan, record.original_bytes);
    plan_ = record.plan;
    original_ = record.original_bytes;
  }
  return check_needs(chunk, needs_with(chunk, steps_), limit_, where);
}

Status check_packed_memory(const ParsedChunk& chunk, std::uint64_t limit, std::uint64_t where) {
  return check_needs(chunk, {formats::packed_bytes(chunk.record), 0}, limit, where);
}

namespace {

/// The substreams of a chunk, if each is as long as it may be.
std::uint64_t longest_substreams(const Plan& plan, std::uint64_t chunk) {
  std::uint64_t sum = 0;
  for (const auto& part : formats::substreams(plan, chunk)) sum += part.most;
  return std::min(sum, formats::max_substream_bytes(chunk));
}

/// What a writer needs to choose the predictors of a grid.
std::uint64_t grid_bytes(const Plan& plan, std::uint64_t chunk) {
  const std::uint64_t rows = formats::rows_of(plan, static_cast<std::uint32_t>(chunk));
  std::uint64_t most = 0;
  for (const Column& column : plan.columns) {
    for (const PlanStep& step : column.steps) {
      const auto* grid = std::get_if<GridStep>(&step);
      if (grid == nullptr) continue;
      const auto words = static_cast<std::size_t>(rows * column.count);
      most =
          std::max(most, cpu::grid_choice_bytes(*grid, LaneMap::of_width(column.width, grid->tuple, words)));
    }
  }
  return most;
}

/// The packings that chunks may take. Chunks of plain bytes take `search`.
std::array<bool, kPackings> packings_of(std::span<const Recipe> recipes) {
  std::array<bool, kPackings> used{};
  used[static_cast<std::size_t>(Packing::search)] = true;
  for (const Recipe& recipe : recipes)
    for (const Packing packing : recipe.packing.packing) used[static_cast<std::size_t>(packing)] = true;
  return used;
}

}  // namespace

/// As in decoding: a slot holds the chunk and its packed form, with the list of uniform blocks, a worker the
/// substreams, the words of columns between two steps, and zstd's contexts.
MemoryNeeds encoding_needs(std::span<const Recipe> recipes, int level, std::uint64_t chunk,
                           std::uint64_t frame, std::uint64_t trial) {
  std::uint64_t substreams = chunk, steps = 0, uniform = 0;
  for (const Recipe& recipe : recipes) {
    const std::uint64_t own = longest_substreams(recipe.plan, chunk);
    substreams = std::max(substreams, own);
    if (recipe.plan.coding == Coding::uniform)
      uniform = std::max(uniform, uniform::pack_memory(recipe.plan, own));
    steps = std::max(
        steps, step_bytes(recipe.plan, static_cast<std::uint32_t>(chunk)) + grid_bytes(recipe.plan, chunk));
  }
  const std::uint64_t short_frames = chunk / 32;  // the bounds of many frames exceed the bound of one
  const auto contexts = zstd_encoder_bytes(level, static_cast<std::size_t>(frame), packings_of(recipes));
  const std::uint64_t packed = zstd_bound(static_cast<std::size_t>(substreams)) + short_frames;
  MemoryNeeds needs{chunk + std::max(packed, uniform), substreams + steps + contexts};
  if (trial > 0) {
    std::array<bool, kPackings> tried{};
    tried[static_cast<std::size_t>(Packing::quick)] = tried[static_cast<std::size_t>(Packing::search)] = true;
    needs.worker += 3 * trial + zstd_encoder_bytes(kDefaultLevel, static_cast<std::size_t>(trial), tried);
  }
  return needs;
}

std::optional<PipelineSize> size_within(std::uint64_t limit, PipelineSize wanted, const MemoryNeeds& needs) {
  while (needs.of(wanted) > addressable(limit)) {
    if (!shrink(wanted)) return std::nullopt;
  }
  return wanted;
}

std::string longer_than(std::uint64_t limit) {
  return "the original is longer than the limit of " + std::to_string(limit) + " bytes";
}

Error too_little_memory(std::uint64_t chunk, const MemoryNeeds& needs, std::uint64_t limit) {
  return {ErrorKind::limit, "chunks of " + in_units(chunk) + " need " + in_units(needs.of({})) +
                                " of memory, but the limit is " + in_units(addressable(limit)) +
                                "; allow more, or compress in shorter chunks"};
}

Error too_little_memory(std::string_view what, std::uint64_t bytes, std::uint64_t limit,
                        std::uint64_t where) {
  return {ErrorKind::limit,
          std::string(what) + " needs " + in_units(bytes) + " of memory, but the limit is " +
              in_units(addressable(limit)) + "; allow more",
          where};
}

std::uint64_t usual_memory() {
  constexpr std::uint64_t kAssumed = 2ull << 30;  // if the system does not tell its memory
  return std::min(usable_memory().value_or(kAssumed), address_space()) / 4;
}

std::uint64_t memory_or_usual(std::uint64_t memory) {
  return memory != 0 ? memory : usual_memory();
}

}  // namespace tdz
