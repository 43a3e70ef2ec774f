// SPDX-License-Identifier: Apache-2.0
#include "kernels/cuda/packed/pack_batch.hpp"

#include <algorithm>

#include "formats/plan/plan_bytes.hpp"
#include "formats/steps/packed.hpp"
#include "kernels/cuda/packed/packed_plan.hpp"

namespace tdz::cuda {
namespace {

/// What the groups' substreams have in their record; the lengths do not matter for its own.
std::uint32_t record_bytes(std::span<const std::byte> plan, std::size_t substreams) {
  formats::ChunkRecord record;
  record.plan.assign(plan.begin(), plan.end());
  record.substreams.resize(substreams);
  return static_cast<std::uint32_t>(formats::serialize(record).size());
}

}  // namespace

std::vector<std::byte> stored_plan() {
  return formats::serialize(plain_plan());
}

bool PackBatch::add(const Plan& plan, std::uint64_t values_at, std::uint64_t words_at, std::uint32_t bytes,
                    std::uint32_t frame_bytes) {
  if (!is_packed_for_device(plan) || bytes == 0 || bytes % row_bytes(plan) != 0) return false;
  const Column& column = plan.columns.front();
  if (bytes / column.width > kMostStepWords) return false;
  PackChunk chunk;
  chunk.values_at = values_at, chunk.words_at = words_at;
  chunk.words = bytes / column.width;
  tables_.word = column.width, tables_.steps = packed_tail(column).steps;
  tables_.group_tuple = tuple_of(column.steps.back());
  const auto longest = static_cast<std::uint32_t>(uniform::kLongestFrame);
  tables_.segment = frame_bytes == 0 ? longest : std::min(frame_bytes, longest);
  chunk.groups = static_cast<std::uint32_t>(packed_groups(chunk.words, tables_.group_tuple));
  chunk.first_place = tables_.place_count;
  tables_.place_count += chunk.places();
  tables_.most_places = std::max(tables_.most_places, chunk.places());
  chunks_.push_back(chunk);
  // Frames that are shorter than the chunk are not longer in all.
  bound_ = (bound_ + 15) / 16 * 16 + uniform::RawLayout{bytes, tables_.segment, 0}.total();
  return true;
}

static_assert(frames::kRoomOfRawFrame == formats::kFrameBytes);

void PackBatch::leave_room(std::span<const std::byte> plan, std::uint32_t before) {
  PackChunk& chunk = chunks_.back();
  const std::uint32_t record = record_bytes(plan, PackedStep::kTraits.substreams);
  const std::uint32_t plain = record_bytes(stored_plan(), 1);
  chunk.room = before + record, chunk.plain_room = before + plain;
  const uniform::RawLayout longest{bytes_of(chunk), tables_.segment, 0};
  const std::uint64_t most = std::max(record, plain) + frames::kRoomOfRawFrame * longest.frames();
  bound_ += before + most, records_bound_ += most;
}

PackTables PackBatch::tables() const {
  PackTables tables = tables_;
  tables.chunks = chunks_.data();
  tables.chunk_count = static_cast<std::uint32_t>(chunks_.size());
  return tables;
}

void PackBatch::describe(const PackedLengthsOfChunk& lengths, std::uint32_t chunk,
                         formats::ChunkRecord& record) const {
  PackedChunk shape;
  shape.groups = chunks_[chunk].groups, shape.widths = lengths.widths;
  uniform::RawLayout layout{bytes_of(chunks_[chunk]), tables_.segment, 0};
  if (lengths.widths == 0) {
    record.plan = stored_plan();
    record.substreams = {layout.bytes};
  } else {
    layout.bytes = shape.bits_at() + lengths.bits;
    record.substreams = {shape.widths, (shape.groups + 1) / 2, 4 * shape.places(), lengths.bits};
  }
  for (std::uint32_t f = 0; f < layout.frames(); ++f)
    record.frames.push_back({layout.frame_bytes(layout.content(f)), layout.content(f)});
}

}  // namespace tdz::cuda
