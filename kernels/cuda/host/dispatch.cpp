// SPDX-License-Identifier: Apache-2.0
#include "kernels/cuda/host/dispatch.hpp"

#include "kernels/cuda/integrate/look_back_space.hpp"

namespace tdz::cuda {
namespace {

Layout layout_of(StepId id) {
  switch (id) {
    case StepId::planes:
      return Layout::planes;
    case StepId::tuple_planes:
      return Layout::tuple_planes;
    case StepId::bit_planes:
      return Layout::bit_planes;
    default:
      return Layout::interleaved;
  }
}

/// Takes one step into the run if the fused form [difference] [zigzag] [layout] has room for it.
bool take(ScanSteps& run, const Step& step, const DeviceShape& device) {
  const bool plain = run.layout == Layout::interleaved;
  if (step.id == StepId::difference) {
    if (run.order != 0 || run.zigzag || !plain) return false;
    run.order = step.order;
    run.tuple = step.tuple;
    return true;
  }
  if (step.id == StepId::zigzag) {
    const bool fits = !run.zigzag && plain;
    run.zigzag = run.zigzag || fits;
    return fits;
  }
  if (!plain) return false;
  if (step.id == StepId::tuple_planes && run.order != 0 && step.tuple != run.tuple) return false;
  ScanSteps with_layout = run;
  with_layout.layout = layout_of(step.id);
  if (step.id == StepId::tuple_planes) with_layout.tuple = step.tuple;
  if (run.order != 0 && !runs_by_tiles(with_layout, device)) return false;  // columns know no layout
  run = with_layout;
  return true;
}

std::size_t rounded(std::uint64_t bytes) {
  return (bytes + 255) / 256 * 256;
}

std::size_t board_bytes(const Run& run, const ChunkBatch& batch, const DeviceShape& device) {
  return rounded(look_back_bytes(run.steps, batch, look_back_tuning(run.steps, device), device));
}

/// Room for the largest board of any run.
std::size_t boards_bytes(const Runs& runs, const ChunkBatch& batch, Direction direction,
                         const DeviceShape& device) {
  std::size_t most = 0;
  for (const Run& run : runs.all()) {
    if (choose_path(run, batch, direction, device) != Path::look_back) continue;
    const std::size_t bytes = board_bytes(run, batch, device);
    most = most < bytes ? bytes : most;
  }
  return most;
}

}  // namespace

Runs cut_runs(const Transform& transform, const DeviceShape& device) {
  Runs runs;
  Run run;
  run.steps.word = transform.word;
  const Run fresh = run;
  bool open = false;
  for (const Step& step : transform.steps()) {
    const bool swap = step.id == StepId::byteswap;
    if (!swap && take(run.steps, step, device)) {
      open = true;
      continue;
    }
    if (open) runs.append(run);
    run = fresh;
    run.byteswap = swap;
    open = !swap;
    if (swap) {
      runs.append(run);
      run = fresh;
    } else {
      take(run.steps, step, device);
    }
  }
  if (open || runs.count == 0) runs.append(run);  // no steps at all still copy
  return runs;
}

bool runs_by_tiles(const ScanSteps& steps, const DeviceShape& device) {
  if (!is_narrow(steps.tuple)) return false;
  const ScanTuning look_back = look_back_tuning(steps, device);
  return fitted_plan(steps, stream_tuning(steps, device), Direction::integrate, device).stages != 0 &&
         fitted_plan(steps, look_back, Direction::integrate_by_look_back, device).stages != 0 &&
         fitted_plan(steps, difference_tuning(steps), Direction::difference, device).stages != 0;
}

Path choose_path(const Run& run, const ChunkBatch& batch, Direction direction, const DeviceShape& device) {
  if (run.byteswap) return Path::byteswap;
  if (run.steps.order == 0) return Path::rearrange;
  if (!runs_by_tiles(run.steps, device)) return Path::columns;
  if (direction == Direction::difference) return Path::stream;
  return batch.chunks >= stream_from_chunks(run.steps, device.multiprocessors) ? Path::stream
                                                                               : Path::look_back;
}

std::size_t space_bytes(const Transform& transform, const ChunkBatch& batch, Direction direction,
                        const DeviceShape& device) {
  const Runs runs = cut_runs(transform, device);
  const std::size_t between = runs.count > 1 ? rounded(batch.bytes) : 0;
  return between + boards_bytes(runs, batch, direction, device);
}

cudaError_t enqueue(const Transform& transform, const ChunkBatch& batch, Direction direction,
                    const DeviceShape& device, void* space, cudaStream_t stream) {
  const Runs runs = cut_runs(transform, device);
  auto* between = static_cast<std::byte*>(space);
  std::byte* board = between + (runs.count > 1 ? rounded(batch.bytes) : 0);
  const std::byte* from = batch.in;
  for (std::size_t done = 0; done < runs.count; ++done) {
    const std::size_t left = runs.count - 1 - done;
    const Run& run = runs.storage[direction == Direction::difference ? done : left];
    std::byte* to = left % 2 == 0 ? batch.out : between;
    const Path path = choose_path(run, batch, direction, device);
    const cudaError_t result =
        enqueue_run(run, path, batch.between(from, to), direction, device, board, stream);
    if (result != cudaSuccess) return result;
    from = to;
  }
  return cudaSuccess;
}

cudaError_t enqueue_run(const Run& run, Path path, const ChunkBatch& batch, Direction direction,
                        const DeviceShape& device, void* space, cudaStream_t stream) {
  const ScanSteps& steps = run.steps;
  if (path == Path::byteswap) return launch_byteswap(steps.word, batch, stream);
  if (path == Path::rearrange) return launch_rearrange(steps, batch, direction, stream);
  return with_word(steps.word, [&]<class Word>() {
    const bool forwards = direction == Direction::difference;
    if (path == Path::columns) return launch_columns<Word>(steps, batch, direction, stream);
    if (forwards)
      return launch_difference_stream<Word>(steps, batch, difference_tuning(steps), device, stream);
    if (path == Path::stream)
      return launch_integrate_stream<Word>(steps, batch, stream_tuning(steps, device), device, stream);
    const ScanTuning tuning = look_back_tuning(steps, device);
    return launch_integrate_look_back<Word>(steps, batch, tuning, device, space, stream);
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

}  // namespace tdz::cuda
