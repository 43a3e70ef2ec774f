// SPDX-License-Identifier: Apache-2.0
#include "kernels/cuda/host/undo_step.hpp"

#include <cstring>

#include "kernels/cuda/steps/undo_steps.hpp"

namespace tdz::cuda {
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

template <class T>
void put(std::byte* image, std::uint64_t at, std::size_t index, const T& value) {
  std::memcpy(image + at + index * sizeof(T), &value, sizeof(T));
}

/// Undoes one step, with the tables of its run.
struct Launch {
  const StepBatch& steps;
  const StepRun& run;
  const DeviceLaneRule* rules;
  const std::byte* sides;
  void* scratch;
  cudaStream_t stream;

  cudaError_t operator()(const ByteswapStep&) const { return launch_map_words(steps, WordMap::byteswap, stream); }
  cudaError_t operator()(const ZigzagStep&) const { return launch_map_words(steps, WordMap::undo_zigzag, stream); }
  cudaError_t operator()(const DifferenceStep& s) const {
    LanesBatch batch;
    batch.steps = steps;
    batch.tuple = s.tuple;
    batch.run = s.run;
    batch.same.order = s.order;
    return launch_undo_lanes(batch, stream);
  }
  cudaError_t operator()(const LanesStep& s) const {
    LanesBatch batch;
    batch.steps = steps;
    batch.tuple = tuple_of(s);
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
  /// Layouts: the frames' kernel undoes tokens, and uniform columns have no other layout.
  template <class LayoutStep>
  cudaError_t operator()(const LayoutStep&) const {
    static_assert(LayoutStep::kIsLayout);
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
                          base_of(words.to, job, memory) + words.out, words.words, words.chunk};
    put(memory.image, job.step_chunks, i, chunk);
  }
  for (std::size_t i = 0; i < job.sides.size(); ++i) {
    const DeviceBytes side{memory.scratch + job.side + job.sides[i].at, job.sides[i].bytes};
    put(memory.image, job.side_entries, i, side);
  }
}

cudaError_t launch_undo(const StepRun& run, const DecodeJob& job, std::byte* scratch, std::size_t turn,
                        cudaStream_t stream) {
  StepBatch steps;
  steps.chunks = reinterpret_cast<const StepChunk*>(scratch + job.step_chunks) + run.words.first;
  steps.count = run.words.count;
  steps.most_words = run.most_words;
  steps.width = run.width;
  steps.in = run.in;
  steps.out = run.out;
  steps.status = reinterpret_cast<std::uint32_t*>(scratch + job.status);
  if (!run.step) return launch_map_words(steps, WordMap::copy, stream);
  const auto* rules = reinterpret_cast<const DeviceLaneRule*>(scratch + job.rules) + run.first_rule;
  const Launch launch{steps,
                      run,
                      rules,
                      scratch + job.side_entries + run.first_side * kSideEntry,
                      scratch + job.step_scratch[turn],
                      stream};
  return std::visit(launch, *run.step);
}

}  // namespace tdz::cuda
