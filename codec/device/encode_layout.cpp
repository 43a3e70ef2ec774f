// SPDX-License-Identifier: Apache-2.0
#include "codec/device/encode_layout.hpp"

#include <algorithm>

#include "codec/chunk/uniform_frames.hpp"
#include "codec/device/places.hpp"
#include "formats/plan/substreams.hpp"
#include "formats/stream/limits.hpp"
#include "formats/stream/stream_records.hpp"
#include "kernels/cuda/frames/encode_space.hpp"
#include "kernels/cuda/packed/packed_plan.hpp"
#include "tdz/block.hpp"

namespace tdz {
namespace {

using cuda::EncodeJob;

/// A decoder on the device may read up to this number of bytes after the packed ones; this encoder reads
/// fewer.
constexpr std::uint64_t kSlackAfterOutput = 64;

/// The packed bytes of a chunk of the CPU and its record, at most.
std::uint64_t stream_chunk_bound(const EncodeRequest& request, std::uint32_t original) {
  std::uint64_t substreams = 0, count = 0;
  for (const auto& part : formats::substreams(request.plan, original)) substreams += part.most, ++count;
  substreams =
      std::max<std::uint64_t>(std::min(substreams, formats::max_substream_bytes(original)), original);
  const std::uint64_t frame = request.frame_bytes != 0 ? request.frame_bytes : original;
  const std::uint64_t frames = substreams / frame + 2 * count + 2,
                      blocks = formats::max_block_entries(original);
  constexpr std::uint64_t kOfFrame = 1024;  // headers, and zstd's own bound for short ones
  const bool uniform = request.plan.coding == Coding::uniform;
  const std::uint64_t packed = uniform ? uniform::pack_memory(request.plan, substreams)
                                       : substreams + substreams / 128 + frames * kOfFrame;
  const std::uint64_t record = formats::kChunkFields + request.plan_bytes.size() + 8 * count +
                               formats::kFrameBytes * frames +
                               formats::kBlockEntryBytes * (uniform ? blocks : 0);
  return packed + record + kOfFrame;
}

/// The steps that the scan kernels apply before groups or frames. None in a plan that is the CPU's.
Column scanned(const Plan& plan) {
  if (plan.columns.size() != 1) return {};
  const Column& column = plan.columns.front();
  std::size_t before = 0;
  if (plan.coding == Coding::uniform)
    before = cuda::frames::steps_before(column);
  else if (cuda::is_packed_for_device(plan))
    before = cuda::packed_tail(column).before;
  const auto steps = std::span(column.steps).first(before);
  return {column.width, 1, {steps.begin(), steps.end()}};
}

/// The bytes of an index part with this number of chunks that have one plan.
std::uint64_t index_bytes(const EncodeRequest& request, std::size_t chunks) {
  formats::IndexPart part;
  part.plans = {request.plan_bytes};
  part.entries.resize(chunks);
  return formats::serialize(part).size();
}

class EncodeLayoutMaker {
 public:
  explicit EncodeLayoutMaker(const EncodeRequest& request) : request_(request) {}

  EncodeLayout make() {
    if (request_.stream) {
      out_.job.first = request_.stream->header_record.size();
      full_part_ = index_bytes(request_, formats::kMaxEntries);
    }
    out_.job.scanned = scanned(request_.plan);
    for (const std::uint32_t bytes : request_.lengths) add(bytes);
    out_.tables = out_.batch.tables();
    out_.job.tables = out_.tables;
    out_.job.pack = out_.groups.tables();
    count_packed();
    place();
    return std::move(out_);
  }

 private:
  void add(std::uint32_t bytes) {
    const std::size_t index = out_.chunks.size();
    out_.chunks.push_back({out_.original, bytes});
    if (add_to_device(index, bytes))
      out_.job.longest = std::max<std::uint64_t>(out_.job.longest, bytes);
    else
      out_.cpu.push_back(index);
    out_.original += bytes;
  }

  /// In a stream the chunks of the device follow one another.
  bool add_to_device(std::size_t index, std::uint32_t bytes) {
    if (bytes > cuda::xxh3::kLongest || (request_.stream && !out_.cpu.empty())) return false;
    const bool after_index = request_.stream && index != 0 && index % formats::kMaxEntries == 0;
    const auto before = static_cast<std::uint32_t>(after_index ? full_part_ : 0);
    const bool added = request_.plan.coding == Coding::uniform ? add_uniform(bytes, before)
                                                               : add_packed(index, bytes, before);
    if (added) out_.device.push_back({index, before});
    if (added && has_scans()) add_scan(bytes);
    return added;
  }

  // ---- Steps before

  bool has_scans() const { return !out_.job.scanned.steps.empty(); }

  /// Where the words of the next chunk are, for the kernels of groups or frames. In a run they follow one
  /// another.
  std::uint64_t words_at() const {
    return has_scans() ? rounded(work_bytes_, cuda::kScanAlignment) : out_.original;
  }

  /// Chunks that lie side by side share a batch.
  void add_scan(std::uint32_t bytes) {
    auto& scans = out_.job.scans;
    if (!joins(bytes)) scans.push_back({0, bytes, out_.original, words_at()});
    scans.back().bytes += bytes;
    work_bytes_ = scans.back().work + scans.back().bytes;
  }
  bool joins(std::uint32_t bytes) const {
    if (out_.job.scans.empty()) return false;
    const cuda::ScanRun& run = out_.job.scans.back();
    const bool whole = run.bytes % run.chunk_bytes == 0 && run.chunk_bytes % cuda::kScanAlignment == 0;
    return whole && out_.original == run.values + run.bytes && bytes <= run.chunk_bytes;
  }

  // ---- Groups or frames

  bool add_uniform(std::uint32_t bytes, std::uint32_t before) {
    const std::uint32_t usual = std::max(formats::kMinFrame, bytes);
    const std::uint32_t frame = request_.frame_bytes != 0 ? request_.frame_bytes : usual;
    if (!out_.batch.add(request_.plan, words_at(), bytes, frame)) return false;
    out_.batch.leave_room(request_.plan_bytes.size(), before);
    return true;
  }

  /// How long a part of the index is that lists packed chunks is not known before: some may be stored as they
  /// are, with another plan. So those behind the first part of a stream are left to the CPU.
  bool add_packed(std::size_t index, std::uint32_t bytes, std::uint32_t before) {
    if (request_.stream && index >= formats::kMaxEntries) return false;
    if (!out_.groups.add(request_.plan, out_.original, words_at(), bytes, request_.frame_bytes)) return false;
    out_.groups.leave_room(request_.plan_bytes, before);
    return true;
  }

  void count_packed() {
    std::uint64_t bytes = out_.job.first + out_.output_bound();
    for (const std::size_t index : out_.cpu) {
      const std::uint32_t original = out_.chunks[index].bytes;
      bytes += request_.stream ? stream_chunk_bound(request_, original) : block_bound(original);
    }
    if (request_.stream) {
      const std::size_t parts = out_.chunks.size() / formats::kMaxEntries + 1;
      bytes += parts * (full_part_ + cuda::stored_plan().size() + formats::kGrowth -
                        formats::kEntryBytes * formats::kMaxEntries) +
               formats::kEntryBytes * out_.chunks.size() + formats::kEndLength + formats::kGrowth;
    }
    out_.packed_bytes = bytes + kSlackAfterOutput;
  }

  // ---- Places

  void place() {
    EncodeJob& job = out_.job;
    job.values_bytes = out_.original;
    const bool none = out_.device.empty();
    Places both;
    if (!none) {
      place_head(both);
      place_results(both);
      job.pieces = both.take_table<cuda::PutPiece>(out_.device.size());
      job.records = both.take(out_.records_bound());
    }
    out_.image_bytes = both.end();
    if (none) return;
    Places scratch(both.end());
    job.encode_scratch = scratch.take(job.pack.chunk_count != 0 ? cuda::pack_scratch_bytes(job.pack)
                                                                : cuda::frames::scratch_bytes(out_.tables));
    if (has_scans()) job.work = scratch.take_with_slack(work_bytes_);
    job.digest_scratch = scratch.take(cuda::digest_scratch_bytes(out_.original, job.chunk_count()));
    if (request_.to_host) job.packed = scratch.take_with_slack(out_.job.first + out_.output_bound());
    out_.scratch_bytes = scratch.end();
  }

  void place_head(Places& places) {
    EncodeJob& job = out_.job;
    const auto& t = out_.tables;
    job.chunks = job.pack.chunk_count != 0 ? places.take_table<cuda::PackChunk>(job.pack.chunk_count)
                                           : places.take_table<cuda::frames::EncodeChunk>(t.chunk_count);
    job.columns = places.take_table<cuda::frames::EncodeColumn>(t.column_count);
    job.frames = places.take_table<cuda::frames::EncodeFrame>(t.frame_count);
    job.groups = places.take_table<cuda::frames::EncodeGroup>(t.group_count);
    job.raw_frames = places.take_table<cuda::frames::EncodeRawFrame>(t.raw_frame_count);
    job.places = places.take_table<cuda::ChunkPlace>(job.chunk_count());
    job.head_bytes = places.end();
  }

  void place_results(Places& places) {
    EncodeJob& job = out_.job;
    const auto& t = out_.tables;
    job.results = job.out_chunks = places.take_table<cuda::frames::FramesPlace>(job.chunk_count());
    job.packed_lengths = places.take_table<cuda::PackedLengthsOfChunk>(job.pack.chunk_count);
    job.out_blocks = places.take_table<cuda::frames::EncodedBlock>(t.block_count);
    job.frame_bytes = places.take_table<std::uint32_t>(t.frame_count);
    job.raw_bytes = places.take_table<std::uint32_t>(t.column_count);
    job.digests = places.take_table<std::uint64_t>(job.chunk_count());
    job.results_bytes = places.end() - job.results;
  }

  const EncodeRequest& request_;
  EncodeLayout out_;
  std::uint64_t work_bytes_ = 0;
  std::uint64_t full_part_ = 0;  ///< bytes of an index part that is full
};

}  // namespace

EncodeLayout layout_of(const EncodeRequest& request) {
  return EncodeLayoutMaker(request).make();
}

}  // namespace tdz
