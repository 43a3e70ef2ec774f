// SPDX-License-Identifier: Apache-2.0
#include "tests/bench/scan_methods.hpp"

#include <stdexcept>

#include "kernels/cuda/baselines/baseline.hpp"
#include "kernels/cuda/host/dispatch.hpp"
#include "kernels/cuda/integrate/look_back_space.hpp"
#include "tests/cuda/naive.hpp"

namespace tdz::bench {
namespace {

using namespace tdz::cuda;

const DeviceShape& shape() {
  static const DeviceShape instance = [] {
    DeviceShape asked;
    if (current_shape(asked) != cudaSuccess) asked = {};
    return asked;
  }();
  return instance;
}

bool narrow(const Pass& steps) {
  return is_narrow(steps.tuple);
}

ScanTuning filled(ScanTuning given, const ScanTuning& tuned) {
  if (given.warps == 0) given.warps = tuned.warps;
  if (given.stages == 0) given.stages = tuned.stages;
  return given;
}

cudaError_t stream(const Pass& steps, const ChunkBatch& batch, const ScanTuning& tuning) {
  const ScanTuning usual = stream_tuning(steps, shape());
  ScanTuning used = filled(tuning, usual);
  used.rows = usual.rows;
  return with_word(steps.word, [&]<class Word>() {
    return launch_integrate_stream<Word>(steps, batch, used, shape(), nullptr);
  });
}

cudaError_t difference(const Pass& steps, const ChunkBatch& batch, const ScanTuning& tuning) {
  const ScanTuning used = filled(tuning, difference_tuning(steps));
  return with_word(steps.word, [&]<class Word>() {
    return launch_difference_stream<Word>(steps, batch, used, shape(), nullptr);
  });
}

/// What the product does with such a batch: it selects the path.
template <Direction Way>
cudaError_t product(const Pass& steps, const ChunkBatch& batch, const ScanTuning&);

/// Device memory that grows if it is too short, and never shrinks.
void* space(std::size_t bytes) {
  static std::size_t held = 0;
  static void* memory = nullptr;
  if (bytes <= held) return memory;
  cudaFree(memory);
  held = cudaMalloc(&memory, bytes) == cudaSuccess ? bytes : 0;
  return memory;
}

cudaError_t look_back(const Pass& steps, const ChunkBatch& batch, const ScanTuning& tuning) {
  const ScanTuning usual = look_back_tuning(steps, shape());
  ScanTuning used = filled(tuning, usual);
  used.rows = usual.rows;
  void* memory = space(look_back_bytes(steps, batch, used, shape()));
  return with_word(steps.word, [&]<class Word>() {
    return launch_integrate_look_back<Word>(steps, batch, used, shape(), memory, nullptr);
  });
}

template <Direction Way>
cudaError_t product(const Pass& steps, const ChunkBatch& batch, const ScanTuning&) {
  const Column column = naive::column_of(steps);
  void* memory = space(space_bytes(column, batch, Way, shape()));
  return enqueue(column, batch, Way, shape(), memory, nullptr);
}

/// A baseline integrates one chunk, so it takes the whole batch as one: the work is the same.
template <const Baseline& Method>
cudaError_t baseline(const Pass& steps, const ChunkBatch& batch, const ScanTuning&) {
  return Method.run(steps, {batch.in, batch.out, batch.bytes}, space(Method.space_bytes(steps, batch.bytes)),
                    nullptr);
}
bool up_to_eight(const Pass& steps) {
  return steps.tuple <= 8 && steps.layout == Layout::interleaved;
}

bool any(const Pass&) {
  return true;
}

constexpr Method kMethods[] = {
    {"blelloch", Direction::integrate, up_to_eight, baseline<kBlelloch>},
    {"brent-kung", Direction::integrate, up_to_eight, baseline<kBrentKung>},
    {"kogge-stone", Direction::integrate, up_to_eight, baseline<kKoggeStone>},
    {"chained", Direction::integrate, up_to_eight, baseline<kChained>},
    {"sam", Direction::integrate, up_to_eight, baseline<kSam>},
    {"look-back-per-order", Direction::integrate, up_to_eight, baseline<kLookBackPerOrder>},
    {"cub", Direction::integrate, up_to_eight, baseline<kCub>},
    {"tdz", Direction::integrate, any, product<Direction::integrate>},
    {"tdz-difference", Direction::difference, any, product<Direction::difference>},
    {"difference", Direction::difference, narrow, difference},
    {"look-back", Direction::integrate, narrow, look_back},
    {"stream", Direction::integrate, narrow, stream},
};

}  // namespace

const Method& method_named(const std::string& name) {
  for (const Method& method : kMethods) {
    if (name == method.name) return method;
  }
  throw std::out_of_range("no method is called " + name);
}

}  // namespace tdz::bench
