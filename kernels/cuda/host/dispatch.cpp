// SPDX-License-Identifier: Apache-2.0
#include "kernels/cuda/host/dispatch.hpp"

#include <algorithm>
#include <cstring>

#include "kernels/cuda/integrate/look_back_space.hpp"
#include "kernels/cuda/steps/undo_steps.hpp"

namespace tdz::cuda {
namespace {

/// Whether one launch can run this pass of several steps. No other step runs together with byteswap. Tile
/// kernels take one tuple for difference and layout, and column kernels take no layout.
bool fuses(const Pass& pass, const DeviceShape& device) {
  if (pass.byteswap) return false;
  if (pass.order == 0 || pass.layout == Layout::interleaved) return true;
  if (pass.layout == Layout::tuple_planes && pass.layout_tuple != pass.tuple) return false;
  return runs_by_tiles(pass, device);
}

std::size_t rounded(std::uint64_t bytes) {
  return (bytes + 255) / 256 * 256;
}

std::size_t states_bytes(const Pass& pass, const ChunkBatch& batch, const DeviceShape& device) {
  return rounded(look_back_bytes(pass, batch, look_back_tuning(pass, device), device));
}

/// Room for the tile states of the pass that has the most.
std::size_t most_states_bytes(const PassList& list, const ChunkBatch& batch, Direction direction,
                              const DeviceShape& device) {
  std::size_t most = 0;
  for (const Pass& pass : list.all()) {
    if (choose_path(pass, batch, direction, device) != Path::look_back) continue;
    const std::size_t bytes = states_bytes(pass, batch, device);
    most = most < bytes ? bytes : most;
  }
  return most;
}

}  // namespace

PassList device_passes(const Column& column, const DeviceShape& device) {
  return passes(column, [&](const Pass& pass) { return fuses(pass, device); });
}

bool runs_by_tiles(const Pass& pass, const DeviceShape& device) {
  if (!is_narrow(pass.tuple)) return false;
  const ScanTuning look_back = look_back_tuning(pass, device);
  return fitted_plan(pass, stream_tuning(pass, device), Direction::integrate, device).stages != 0 &&
         fitted_plan(pass, look_back, Direction::integrate_by_look_back, device).stages != 0 &&
         fitted_plan(pass, difference_tuning(pass), Direction::difference, device).stages != 0;
}

Path choose_path(const Pass& pass, const ChunkBatch& batch, Direction direction, const DeviceShape& device) {
  if (pass.order == 0) return Path::rearrange;
  if (!runs_by_tiles(pass, device)) return Path::columns;
  if (direction == Direction::difference) return Path::stream;
  return batch.chunks >= stream_from_chunks(pass, device.multiprocessors) ? Path::stream : Path::look_back;
}

std::size_t space_bytes(const Column& column, const ChunkBatch& batch, Direction direction,
                        const DeviceShape& device) {
  const PassList list = device_passes(column, device);
  const std::size_t between = list.count > 1 ? rounded(batch.bytes) : 0;
  return between + most_states_bytes(list, batch, direction, device);
}

cudaError_t enqueue(const Column& column, const ChunkBatch& batch, Direction direction,
                    const DeviceShape& device, void* space, cudaStream_t stream) {
  const PassList list = device_passes(column, device);
  auto* between = static_cast<std::byte*>(space);
  std::byte* states = between + (list.count > 1 ? rounded(batch.bytes) : 0);
  const std::byte* from = batch.in;
  for (std::size_t done = 0; done < list.count; ++done) {
    const std::size_t left = list.count - 1 - done;
    const Pass& pass = list.storage[direction == Direction::difference ? done : left];
    std::byte* to = left % 2 == 0 ? batch.out : between;
    const Path path = choose_path(pass, batch, direction, device);
    const cudaError_t result =
        enqueue_pass(pass, path, batch.between(from, to), direction, device, states, stream);
    if (result != cudaSuccess) return result;
    from = to;
  }
  return cudaSuccess;
}

cudaError_t enqueue_pass(const Pass& pass, Path path, const ChunkBatch& batch, Direction direction,
                         const DeviceShape& device, void* space, cudaStream_t stream) {
  if (path == Path::rearrange) return launch_rearrange(pass, batch, direction, stream);
  return with_word(pass.word, [&]<class Word>() {
    const bool forwards = direction == Direction::difference;
    if (path == Path::columns) return launch_columns<Word>(pass, batch, direction, stream);
    if (forwards) return launch_difference_stream<Word>(pass, batch, difference_tuning(pass), device, stream);
    if (path == Path::stream)
      return launch_integrate_stream<Word>(pass, batch, stream_tuning(pass, device), device, stream);
    const ScanTuning tuning = look_back_tuning(pass, device);
    return launch_integrate_look_back<Word>(pass, batch, tuning, device, space, stream);
  });
}

cudaError_t current_shape(DeviceShape& shape) {
  int device = 0, multiprocessors = 0, shared = 0;
  cudaError_t result = cudaGetDevice(&device);
  if (result == cudaSuccess) {
    result = cudaDeviceGetAttribute(&multiprocessors, cudaDevAttrMultiProcessorCount, device);
  }
  if (result == cudaSuccess) {
    result = cudaDeviceGetAttribute(&shared, cudaDevAttrMaxSharedMemoryPerBlockOptin, device);
  }
  shape.multiprocessors = static_cast<std::uint32_t>(multiprocessors);
  shape.shared_bytes = static_cast<std::uint32_t>(shared);
  return result;
}

// ---- Steps of a decoded chunk

namespace {

static_assert(sizeof(DeviceBytes) == kSideEntry);
static_assert(sizeof(ScaleSubstreams) == 4 * kSideEntry);

std::byte* base_of(StepBase base, const DecodeJob& job, const DecodeMemory& memory) {
  switch (base) {
    case StepBase::side:
      return memory.scratch + job.side;
    case StepBase::work:
      return memory.scratch + job.work;
    case StepBase::values:
      return memory.values;
  }
  return nullptr;
}

/// Where a launch that makes values leaves the rows of their digests.
struct RowsToDigest {
  std::uint64_t* rows = nullptr;
  const std::byte* data = nullptr;  ///< places of chunks count from here
};
RowsToDigest rows_of_digests(const DecodeSlice& slice, const DecodeMemory& memory) {
  return {reinterpret_cast<std::uint64_t*>(memory.scratch + slice.digest_scratch),
          memory.values + slice.values_at};
}

template <class T>
void put(std::byte* image, std::uint64_t at, std::size_t index, const T& value) {
  std::memcpy(image + at + index * sizeof(T), &value, sizeof(T));
}

/// Undoes one step, with the tables of its run.
struct Launch {
  const StepBatch& steps;
  const StepRun& run;
  RowsToDigest digests;
  const DeviceLaneRule* rules;
  const std::byte* sides;
  void* scratch;
  cudaStream_t stream;

  cudaError_t operator()(const ByteswapStep&) const {
    return launch_map_words(steps, WordMap::byteswap, stream);
  }
  cudaError_t operator()(const ZigzagStep&) const {
    return launch_map_words(steps, WordMap::undo_zigzag, stream);
  }
  cudaError_t operator()(const DifferenceStep& s) const {
    if (is_of_rows(s)) {
      RowsBatch batch = rows_of(run, s);
      batch.steps = steps;
      batch.digest_rows = digests.rows, batch.digest_data = digests.data;
      return launch_undo_rows(batch, stream);
    }
    LanesBatch batch;
    batch.steps = steps;
    batch.tuple = s.tuple;
    batch.run = s.run;
    batch.same.order = s.order;
    return launch_undo_lanes(batch, stream);
  }
  cudaError_t operator()(const LanesStep& s) const {
    // Rows of any length do: no word of a row waits for another row.
    constexpr std::uint32_t kRowOfLanes = 2048;
    if (run.sources.lanes > 1)
      return launch_undo_rows({steps, run.sources.lanes * kRowOfLanes, 0, run.sources}, stream);
    LanesBatch batch;
    batch.steps = steps;
    batch.tuple = s.tuple_length();
    batch.run = s.run;
    batch.depths = run.depths;
    batch.rules = rules;
    return launch_undo_lanes(batch, stream);
  }
  cudaError_t operator()(const ScaleStep& s) const {
    const ScaleBatch batch{
        steps, {run.width, s.kind, s.tuple}, reinterpret_cast<const ScaleSubstreams*>(sides)};
    return launch_undo_scale(batch, run.holes, scratch, stream);
  }
  cudaError_t operator()(const PredictStep& s) const {
    const PredictBatch batch{steps, s.tuple, s.sign, reinterpret_cast<const DeviceBytes*>(sides)};
    return launch_undo_predict(batch, scratch, stream);
  }
  /// A column with a grid is not uniform.
  cudaError_t operator()(const GridStep&) const { return cudaErrorInvalidValue; }
  /// Layouts: the frames' kernel undoes tokens, and uniform columns have no other layout.
  template <class LayoutStep>
  cudaError_t operator()(const LayoutStep&) const {
    static_assert(LayoutStep::kTraits.is_layout);
    return cudaErrorInvalidValue;
  }
};

}  // namespace

std::size_t undo_scratch_bytes(const StepRun& run) {
  if (!run.step) return 0;
  if (std::holds_alternative<ScaleStep>(*run.step))
    return undo_scale_scratch_bytes(run.words.count, run.most_words, run.holes);
  if (const auto* predict = std::get_if<PredictStep>(&*run.step))
    return undo_predict_scratch_bytes(run.words.count, run.most_words, predict->tuple);
  return 0;
}

void write_addresses(const DecodeJob& job, const DecodeMemory& memory) {
  for (std::size_t i = 0; i < job.words.size(); ++i) {
    const StepWords& words = job.words[i];
    const StepChunk chunk{base_of(words.from, job, memory) + words.in,
                          base_of(words.to, job, memory) + words.out, words.words, words.status_index};
    put(memory.image, job.step_chunks, i, chunk);
  }
  for (std::size_t i = 0; i < job.sides.size(); ++i) {
    const DeviceBytes side{memory.scratch + job.side + job.sides[i].at, job.sides[i].bytes};
    put(memory.image, job.side_entries, i, side);
  }
}

cudaError_t launch_undo(const StepRun& run, const DecodeSlice& slice, const DecodeJob& job,
                        const DecodeMemory& memory, std::size_t turn, cudaStream_t stream) {
  std::byte* scratch = memory.scratch;
  StepBatch steps;
  steps.chunks = reinterpret_cast<const StepChunk*>(scratch + job.step_chunks) + run.words.first;
  steps.count = run.words.count;
  steps.most_words = run.most_words;
  steps.width = run.width;
  steps.in = run.in;
  steps.out = run.out;
  steps.status = reinterpret_cast<std::uint32_t*>(scratch + job.status);
  if (run.gathered_lanes != 0) return launch_gather_lanes({steps, run.gathered_lanes}, stream);
  if (!run.step) return launch_map_words(steps, WordMap::copy, stream);
  const auto* rules = reinterpret_cast<const DeviceLaneRule*>(scratch + job.rules) + run.first_rule;
  const Launch launch{steps,
                      run,
                      slice.leaves_rows ? rows_of_digests(slice, memory) : RowsToDigest{},
                      rules,
                      scratch + job.side_entries + run.first_side * kSideEntry,
                      scratch + job.step_scratch[turn],
                      stream};
  return std::visit(launch, *run.step);
}

// ---- Plain chunks

cudaError_t launch_plain(const DecodeSlice& slice, const DecodeJob& job, const DecodeMemory& memory,
                         cudaStream_t stream) {
  PlainBatch batch;
  batch.chunks = reinterpret_cast<const PlainChunk*>(memory.scratch + job.plain_table) + slice.plain.first;
  batch.count = slice.plain.count;
  batch.longest = slice.longest_plain;
  batch.packed = packed_bytes(job, memory);
  batch.values = memory.values;
  batch.status = reinterpret_cast<const std::uint32_t*>(memory.scratch + job.status);
  if (slice.leaves_rows) {
    batch.digest_rows = rows_of_digests(slice, memory).rows;
    batch.digest_origin = slice.values_at;
  }
  return launch_copy_plain(batch, stream);
}

// ---- Packed groups

namespace {

/// What undoes the steps that are left after the groups.
Column scanned(const PackedRun& run) {
  return {run.width, 1, run.steps};
}

/// Chunks whose values begin between two aligned addresses are restored in the scratch, and copied from
/// there. The kernel of the groups takes any address.
bool has_spare_room(const PackedRun& run) {
  return !run.steps.empty() && run.values % kScanAlignment != 0;
}

/// The batch of a run, without its pointers.
GroupBatch groups_of(const PackedRun& run) {
  GroupBatch batch;
  batch.count = run.chunks.count, batch.groups = run.groups, batch.steps = run.with_groups;
  return batch;
}

cudaError_t integrate(const PackedRun& run, const DecodeSlice& slice, const DecodeJob& job,
                      const DecodeMemory& memory, void* space, cudaStream_t stream) {
  GroupBatch batch = groups_of(run);
  batch.chunks = reinterpret_cast<const PackedChunk*>(memory.scratch + job.packed_table) + run.chunks.first;
  batch.packed = packed_bytes(job, memory);
  batch.out = run.makes_values ? memory.values : memory.scratch + job.work;
  batch.status = reinterpret_cast<std::uint32_t*>(memory.scratch + job.status);
  if (slice.leaves_rows && run.makes_values) {
    batch.digest_rows = rows_of_digests(slice, memory).rows;
    batch.digest_origin = slice.values_at;
  }
  if (slice.all_packed && &run == &job.packed_runs[slice.packed_runs.first]) {
    batch.checks =
        reinterpret_cast<const uniform::ByteCheck*>(memory.scratch + job.checks) + slice.checks.first;
    batch.check_count = slice.checks.count;
  }
  return with_word(run.width,
                   [&]<class Word>() { return launch_integrate_groups<Word>(batch, space, stream); });
}

/// Any status that is not 0.
cudaError_t refuse(const PackedRun& run, const DecodeJob& job, const DecodeMemory& memory,
                   cudaStream_t stream) {
  const std::uint32_t first = job.packed_chunks[run.chunks.first].chunk;
  std::byte* status = memory.scratch + job.status + first * sizeof(std::uint32_t);
  return cudaMemsetAsync(status, 1, run.chunks.count * sizeof(std::uint32_t), stream);
}

}  // namespace

const std::byte* packed_bytes(const DecodeJob& job, const DecodeMemory& memory) {
  return memory.packed != nullptr ? memory.packed : memory.scratch + job.packed;
}

std::size_t undo_scratch_bytes(const PackedRun& run, const DeviceShape& device) {
  const std::size_t groups = GroupSpaceLayout(run.width, groups_of(run)).bytes;
  if (run.steps.empty()) return groups;
  const ChunkBatch batch = cut({nullptr, nullptr, run.bytes}, run.chunk_bytes);
  const std::size_t spare = has_spare_room(run) ? rounded(run.bytes) : 0;
  return spare + std::max(groups, space_bytes(scanned(run), batch, Direction::integrate, device));
}

cudaError_t launch_packed(const PackedRun& run, const DecodeSlice& slice, const DecodeJob& job,
                          const DecodeMemory& memory, const DeviceShape& device, std::size_t turn,
                          cudaStream_t stream) {
  std::byte* scratch = memory.scratch + job.step_scratch[turn];
  if (run.steps.empty()) return integrate(run, slice, job, memory, scratch, stream);
  std::byte* values = memory.values + run.values;
  const bool aligned = reinterpret_cast<std::uintptr_t>(values) % kScanAlignment == 0;
  if (!aligned && !has_spare_room(run)) return refuse(run, job, memory, stream);
  std::byte* space = scratch + (has_spare_room(run) ? rounded(run.bytes) : 0);
  cudaError_t result = integrate(run, slice, job, memory, space, stream);
  if (result != cudaSuccess) return result;
  std::byte* out = aligned ? values : scratch;
  const std::byte* in = memory.scratch + job.work + run.work;
  result = enqueue(scanned(run), cut({in, out, run.bytes}, run.chunk_bytes), Direction::integrate, device,
                   space, stream);
  if (result != cudaSuccess || aligned) return result;
  return cudaMemcpyAsync(values, out, run.bytes, cudaMemcpyDeviceToDevice, stream);
}

// ---- Steps before a chunk is encoded

namespace {

bool is_aligned(const std::byte* at) {
  return reinterpret_cast<std::uintptr_t>(at) % kScanAlignment == 0;
}

/// Until the frames are written, the output is free, and it has room for all values: the first aligned
/// address in it.
std::byte* spare_room(const EncodeMemory& memory) {
  const auto past = reinterpret_cast<std::uintptr_t>(memory.packed) % kScanAlignment;
  return memory.packed + (past == 0 ? 0 : kScanAlignment - past);
}

/// Values that begin between two aligned addresses are copied first, to where the first pass does not write.
cudaError_t apply(const ScanRun& run, const EncodeJob& job, const EncodeMemory& memory,
                  const DeviceShape& device, cudaStream_t stream) {
  std::byte *out = memory.scratch + job.work + run.work, *space = spare_room(memory);
  const std::byte* in = memory.values + run.values;
  if (!is_aligned(in)) {
    std::byte* copy = device_passes(job.scanned, device).count % 2 == 0 ? out : space;
    const cudaError_t copied = cudaMemcpyAsync(copy, in, run.bytes, cudaMemcpyDeviceToDevice, stream);
    if (copied != cudaSuccess) return copied;
    in = copy;
  }
  return enqueue(job.scanned, cut({in, out, run.bytes}, run.chunk_bytes), Direction::difference, device,
                 space, stream);
}

}  // namespace

cudaError_t launch_apply(const EncodeJob& job, const EncodeMemory& memory, const DeviceShape& device,
                         cudaStream_t stream) {
  for (const ScanRun& run : job.scans) {
    const cudaError_t applied = apply(run, job, memory, device, stream);
    if (applied != cudaSuccess) return applied;
  }
  return cudaSuccess;
}

}  // namespace tdz::cuda
