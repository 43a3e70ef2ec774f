// SPDX-License-Identifier: Apache-2.0
// A batch of chunks that a device decodes: where everything lies, and what is launched. Plain values, made by
// the host before. Needs no CUDA header.
//
// The *image* is pinned host memory. Its first part, the head, has the tables, and what zstd decoded on the
// host; packed bytes follow, if DecodeJob::direct is empty. The scratch has the same head at the same
// offsets, then all packed bytes, then what the device alone uses. Without `direct` packed bytes have the
// same offset in both.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include "formats/plan/plan.hpp"
#include "kernels/cuda/digest/digest_plan.hpp"
#include "kernels/cuda/packed/packed_chunk.hpp"
#include "kernels/cuda/packed/plain_chunk.hpp"
#include "kernels/cuda/steps/lane_rule.hpp"
#include "kernels/cuda/steps/step_batch.hpp"
#include "kernels/uniform/places.hpp"

namespace tdz::cuda {

using uniform::kWordKinds;

/// Slices take turns on so many streams: the last blocks of one slice leave multiprocessors idle, which the
/// next one fills; and chains of digests, which wait for memory, run beside blocks that compute.
inline constexpr std::size_t kDecodeStreams = 3;

struct IndexRange {
  std::uint32_t first = 0, count = 0;
};

/// Where words of a column lie.
enum class StepBase : std::uint8_t { side, work, values };

/// A column of one chunk, for one launch. It becomes a StepChunk as soon as the addresses are known.
struct StepWords {
  StepBase from = StepBase::work, to = StepBase::work;
  std::uint64_t in = 0, out = 0;  ///< offsets from these bases
  std::uint32_t words = 0;
  std::uint32_t status_index = 0;
};

/// A substream in the side bytes. It becomes an address and a length, in kSideEntry bytes.
struct SideBytes {
  std::uint64_t at = 0;
  std::uint32_t bytes = 0;
};
inline constexpr std::size_t kSideEntry = 16;

/// One launch behind the decoding of blocks.
struct StepRun {
  std::optional<PlanStep> step;  ///< what is undone. Nothing: words are copied
  /// If not 0: words come from so many lanes, one lane behind the other; and nothing is undone.
  std::uint32_t gathered_lanes = 0;
  /// If there are several lanes: they are added, before a difference is undone; or the step is the lanes step
  /// that has these sources and nothing else. The output is not the input.
  LaneSources sources;
  std::uint8_t width = 1;
  RowShape in, out;
  IndexRange words;              ///< in DecodeJob::words
  std::uint32_t most_words = 0;  ///< of one chunk
  std::uint32_t first_side =
      0;               ///< in DecodeJob::sides: four substreams for each chunk (scale) or one (predict)
  bool holes = false;  ///< scale: some chunk has a bitmap
  std::uint32_t first_rule = 0;  ///< lanes: in DecodeJob::lane_rules
  std::uint8_t depths = 1;       ///< lanes
};

/// The launch of a run that undoes a difference of rows, without its pointers.
inline RowsBatch rows_of(const StepRun& run, const DifferenceStep& rows) {
  RowsBatch batch;
  batch.steps.count = run.words.count, batch.steps.most_words = run.most_words;
  batch.steps.width = run.width, batch.steps.in = run.in, batch.steps.out = run.out;
  batch.tuple = rows.tuple, batch.order = rows.order, batch.sources = run.sources;
  return batch;
}
/// Whether this run leaves the rows of digests, if it makes the values.
inline bool leaves_digest_rows(const StepRun& run) {
  const auto* rows = run.step ? std::get_if<DifferenceStep>(&*run.step) : nullptr;
  return rows != nullptr && is_of_rows(*rows) && undoes_in_order(rows_of(run, *rows));
}

/// Chunks of packed groups with one plan, side by side in the values: one launch undoes the groups, with the
/// zigzag and the difference right before them, and one batch of the scan kernels all other steps; or a
/// StepRun behind them, if there is nothing else than a difference of rows. All have `chunk_bytes`, except
/// the last one, which may have less; of several chunks these are a multiple of 16, if there are other steps.
struct PackedRun {
  std::vector<PlanStep> steps;  ///< that the scan kernels undo
  bool makes_values = true;     ///< the first launch does, because no other step is left
  std::uint8_t width = 1;
  GroupSteps with_groups;
  IndexRange chunks;         ///< in DecodeJob::packed_chunks; their statuses are neighbours too
  std::uint32_t groups = 0;  ///< of the chunk that has the most
  std::uint64_t bytes = 0, chunk_bytes = 0;
  std::uint64_t values = 0;  ///< offset of the first one
  std::uint64_t work = 0;    ///< if another step is left: of its words; a multiple of 16
};

/// Chunks that are copied, decoded and judged together. Its groups, checks and joins have neighbouring places
/// in their tables.
struct DecodeSlice {
  std::uint64_t packed_at = 0, packed_bytes = 0;  ///< of the image; no bytes: they are on the device
  std::uint64_t values_at = 0, values_bytes = 0;
  std::array<IndexRange, kWordKinds> groups;
  IndexRange checks, joins;
  IndexRange plain;                  ///< in DecodeJob::plain_chunks
  std::uint32_t longest_plain = 0;   ///< bytes of these
  IndexRange packed_runs;            ///< in DecodeJob::packed_runs
  IndexRange runs;                   ///< in DecodeJob::runs
  IndexRange chunks;                 ///< whose digests are compared
  std::uint64_t longest = 0;         ///< of these chunks
  std::uint64_t digest_scratch = 0;  ///< of the scratch
  /// What makes the values also leaves the rows of all digests: GroupBatch::digest_rows.
  bool leaves_rows = false;
  /// Packed runs make all values, by one launch each, of which the first judges the headers too.
  bool all_packed = false;
};

/// Packed bytes of a chunk that go to the scratch from where they are: from pinned memory of the caller.
struct PackedCopy {
  const std::byte* from = nullptr;
  std::uint64_t to = 0;  ///< in the scratch
  std::uint64_t bytes = 0;
};

/// Values that the host has decoded.
struct ValuesCopy {
  std::uint64_t from = 0;  ///< in the image
  std::uint64_t to = 0;    ///< in the values
  std::uint64_t bytes = 0;
};

struct DecodeJob {
  // Offsets in image and scratch.
  std::uint64_t head_bytes = 0;
  std::uint64_t early_bytes = 0;  ///< of the head: what the blocks need. Steps that are left need all
  std::uint64_t status = 0;       ///< a word for each chunk
  std::uint64_t wanted = 0;       ///< digests
  std::uint64_t places = 0;       ///< ChunkPlace; they count from the values of their slice
  std::uint64_t blocks = 0, lanes = 0, checks = 0, joins = 0;
  std::array<std::uint64_t, kWordKinds> groups{};
  std::uint64_t step_chunks = 0, side_entries = 0, rules = 0, packed_table = 0, plain_table = 0;
  std::uint64_t side = 0;
  /// If `direct` says where the packed bytes are, this is an offset of the scratch alone.
  std::uint64_t packed = 0;

  // Offsets in the image alone: the kernel that compares digests writes the statuses here, which takes less
  // time than a copy.
  std::uint64_t result = 0;

  // Offsets in the scratch alone.
  std::uint64_t joined = 0, work = 0;
  std::array<std::uint64_t, kDecodeStreams> step_scratch{};

  std::uint32_t chunk_count = 0;
  std::array<std::uint8_t, kWordKinds> code_limit{};
  std::array<std::uint8_t, kWordKinds> team{};  ///< as in uniform::DecodeTables
  std::vector<PlainChunk> plain_chunks;
  std::vector<PackedChunk> packed_chunks;
  std::vector<PackedRun> packed_runs;
  std::vector<StepWords> words;
  std::vector<SideBytes> sides;
  std::vector<DeviceLaneRule> lane_rules;
  std::vector<StepRun> runs;
  std::vector<DecodeSlice> slices;
  std::vector<ValuesCopy> copies;
  std::vector<PackedCopy> direct;  ///< none, or one for each chunk
};

/// What decode() is given.
struct DecodeMemory {
  std::byte* image = nullptr;         ///< host
  std::byte* scratch = nullptr;       ///< device
  std::byte* values = nullptr;        ///< device
  const std::byte* packed = nullptr;  ///< device; null: the packed bytes of the image
};

}  // namespace tdz::cuda
