// SPDX-License-Identifier: Apache-2.0
#include "codec/device/decode_layout.hpp"

#include <algorithm>
#include <utility>

#include "codec/device/places.hpp"
#include "codec/device/slice_steps.hpp"
#include "formats/plan/substreams.hpp"

namespace tdz {
namespace {

using cuda::DecodeJob;
using cuda::DecodeSlice;
using cuda::IndexRange;

constexpr std::uint64_t kFrameAlignment = 64;
constexpr std::uint64_t kWordAlignment = 16;

std::uint32_t size32(std::size_t count) {
  return static_cast<std::uint32_t>(count);
}

/// The tables of a batch while chunks are added: where a slice begins.
struct TableMark {
  std::array<std::size_t, cuda::kWordKinds> groups{};
  std::size_t checks = 0, joins = 0, chunks = 0, runs = 0;
  std::uint64_t packed = 0;
};

class LayoutMaker {
 public:
  LayoutMaker(const Selection& selection, const LayoutOptions& options, const cuda::DeviceQueue& queue)
      : selection_(selection), options_(options), queue_(queue) {}

  DecodeLayout make() {
    for (std::size_t i = 0; i < selection_.chunks.size(); ++i) add(i);
    close_slice();
    place_all();
    return std::move(out_);
  }

 private:
  // ---- Chunks

  void add(std::size_t index) {
    const SelectedChunk& chunk = selection_.chunks[index];
    if (!add_to_device(index, chunk)) {
      out_.cpu.push_back({index, 0});
      return;
    }
    slice_values_ += chunk.chunk.record.original_bytes;
    if (options_.slice != 0 && slice_values_ >= options_.slice) close_slice();
  }

  bool add_to_device(std::size_t index, const SelectedChunk& chunk) {
    const auto& record = chunk.chunk.record;
    if (record.original_bytes > cuda::xxh3::kLongest) return false;
    const std::uint64_t packed =
        options_.packed_on_device ? chunk.store_at : rounded(packed_, kFrameAlignment);
    ChunkLeft left{&chunk, size32(out_.device.size()), {}, {}};
    const uniform::ChunkBase base{left.status, packed, chunk.values};
    if (!uniform::add_chunk(chunk.chunk.plan, record, base, out_.tables, left.left)) return false;
    add_host_columns(chunk, left);
    DeviceChunk made{index, packed, left.left.frames, left.left.substreams, left.host_columns};
    for (auto& frame : made.frames) frame.packed -= packed;
    out_.device.push_back(std::move(made));
    if (options_.direct != nullptr)
      out_.job.direct.push_back({options_.direct + chunk.store_at, packed, chunk.packed});
    slice_.push_back(std::move(left));
    packed_ = packed + chunk.packed;
    return true;
  }

  /// Their words get a place behind the side bytes of the chunk.
  void add_host_columns(const SelectedChunk& chunk, ChunkLeft& left) {
    const Plan& plan = chunk.chunk.plan;
    const std::uint64_t rows = formats::rows_of(plan, chunk.chunk.record.original_bytes);
    for (std::size_t c = 0; c < plan.columns.size(); ++c) {
      if (left.left.columns[c].uniform) continue;
      auto& side = out_.tables.side_bytes;
      side = rounded(side, kWordAlignment);
      left.host_columns.push_back({c, side});
      side += rows * row_bytes(plan.columns[c]);
    }
  }

  // ---- Slices

  static IndexRange since(std::size_t first, std::size_t end) { return {size32(first), size32(end - first)}; }

  void close_slice() {
    if (slice_.empty()) return;
    add_steps(slice_, out_.job);
    const TableMark now = mark();
    DecodeSlice slice;
    for (std::size_t w = 0; w < cuda::kWordKinds; ++w)
      slice.groups[w] = since(begin_.groups[w], now.groups[w]);
    slice.checks = since(begin_.checks, now.checks);
    slice.joins = since(begin_.joins, now.joins);
    slice.runs = since(begin_.runs, now.runs);
    slice.chunks = since(begin_.chunks, now.chunks);
    const SelectedChunk& last = *slice_.back().chunk;
    slice.values_at = slice_.front().chunk->values;
    slice.values_bytes = last.values + last.chunk.record.original_bytes - slice.values_at;
    for (const ChunkLeft& chunk : slice_) {
      slice.longest = std::max<std::uint64_t>(slice.longest, chunk.chunk->chunk.record.original_bytes);
    }
    if (!options_.packed_on_device && !options_.in_pieces)
      slice.packed_at = begin_.packed, slice.packed_bytes = now.packed - begin_.packed;
    out_.job.slices.push_back(slice);
    begin_ = now;
    slice_.clear();
    slice_values_ = 0;
  }

  TableMark mark() const {
    const auto& t = out_.tables;
    TableMark now{{}, t.checks.size(), t.joins.size(), out_.device.size(), out_.job.runs.size(), packed_};
    for (std::size_t w = 0; w < cuda::kWordKinds; ++w) now.groups[w] = t.groups[w].size();
    return now;
  }

  // ---- Places

  void place_all() {
    DecodeJob& job = out_.job;
    job.chunk_count = size32(out_.device.size());
    job.code_limit = out_.tables.code_limit;
    job.team = out_.tables.team;
    Places image;
    place_head(image);
    Places scratch = image;
    if (!options_.packed_on_device && job.chunk_count != 0) {
      out_.packed_bytes = packed_;
      job.packed = scratch.take_with_slack(packed_);
    }
    for (DecodeSlice& slice : job.slices) slice.packed_at += job.packed;
    for (cuda::PackedCopy& copy : job.direct) copy.to += job.packed;
    if (options_.direct == nullptr && !options_.in_pieces) image = scratch;
    place_scratch(Places(scratch.end()));
    place_results(image);
  }

  void place_head(Places& image) {
    DecodeJob& job = out_.job;
    const auto& t = out_.tables;
    job.status = image.take_table<std::uint32_t>(job.chunk_count);
    job.wanted = image.take_table<std::uint64_t>(job.chunk_count);
    job.places = image.take_table<cuda::ChunkPlace>(job.chunk_count);
    job.blocks = image.take_table<uniform::BlockPlace>(t.blocks.size());
    job.lanes = image.take_table<uniform::LanePlace>(t.lanes.size());
    for (std::size_t w = 0; w < cuda::kWordKinds; ++w)
      job.groups[w] = image.take_table<uniform::BlockGroup>(t.groups[w].size());
    job.checks = image.take_table<uniform::ByteCheck>(t.checks.size());
    job.joins = image.take_table<uniform::RawJoin>(t.joins.size());
    job.step_chunks = image.take_table<cuda::StepChunk>(job.words.size());
    job.side_entries = image.take(job.sides.size() * cuda::kSideEntry);
    job.rules = image.take_table<cuda::DeviceLaneRule>(job.lane_rules.size());
    job.side = image.take_with_slack(t.side_bytes);
    job.head_bytes = image.end();
  }

  void place_scratch(Places scratch) {
    DecodeJob& job = out_.job;
    std::uint64_t of_steps = 0;
    for (const cuda::StepRun& run : job.runs) of_steps = std::max(of_steps, queue_.step_scratch_bytes(run));
    job.joined = scratch.take_with_slack(out_.tables.joined_bytes);
    job.work = scratch.take_with_slack(out_.tables.work_bytes);
    for (auto& place : job.step_scratch) place = scratch.take(of_steps);
    for (DecodeSlice& slice : job.slices)
      slice.digest_scratch = scratch.take(cuda::digest_scratch_bytes(slice.values_bytes, slice.chunks.count));
    out_.scratch_bytes = job.chunk_count == 0 ? 0 : scratch.end();
  }

  /// What the host writes or reads beside the copy: statuses, and originals that the CPU decodes.
  void place_results(Places image) {
    DecodeJob& job = out_.job;
    job.result = image.take_table<std::uint32_t>(job.chunk_count);
    for (CpuChunk& chunk : out_.cpu) {
      const SelectedChunk& selected = selection_.chunks[chunk.index];
      chunk.image_at = image.take(selected.chunk.record.original_bytes, 1);
      add_copy({chunk.image_at, selected.values, selected.chunk.record.original_bytes});
    }
    out_.restored_at = image.take(selection_.restored.size());
    add_copy({out_.restored_at, 0, selection_.restored.size()});
    out_.image_bytes = image.end();
  }

  void add_copy(const cuda::ValuesCopy& copy) {
    auto& copies = out_.job.copies;
    if (copy.bytes == 0) return;
    const bool next = !copies.empty() && copies.back().from + copies.back().bytes == copy.from &&
                      copies.back().to + copies.back().bytes == copy.to;
    if (next)
      copies.back().bytes += copy.bytes;
    else
      copies.push_back(copy);
  }

  const Selection& selection_;
  const LayoutOptions& options_;
  const cuda::DeviceQueue& queue_;
  DecodeLayout out_;
  std::uint64_t packed_ = 0;  ///< bytes of frames in the image so far
  TableMark begin_;           ///< of the open slice
  std::vector<ChunkLeft> slice_;
  std::uint64_t slice_values_ = 0;
};

}  // namespace

DecodeLayout layout_of(const Selection& selection, const LayoutOptions& options,
                       const cuda::DeviceQueue& queue) {
  return LayoutMaker(selection, options, queue).make();
}

}  // namespace tdz
