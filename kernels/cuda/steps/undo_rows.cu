// SPDX-License-Identifier: Apache-2.0
#include "kernels/cuda/steps/undo_rows.cuh"

#include "kernels/cuda/launch/launch_kernel.cuh"
#include "kernels/cuda/steps/chunk_words.cuh"
#include "kernels/cuda/steps/undo_rows_in_order.cuh"
#include "kernels/cuda/steps/undo_steps.hpp"

namespace tdz::cuda {
namespace {

cudaError_t launch_in_order(const RowsBatch& batch, cudaStream_t stream) {
  if (!is_launchable(batch.steps, 1)) return cudaErrorInvalidValue;
  cudaError_t result = cudaErrorInvalidValue;
  call_with_word(batch.steps.width, [&]<class Word>() {
    const RowOrder order{batch.tuple * static_cast<std::uint32_t>(sizeof(Word))};
    result = launch_kernel(undo_rows_in_order<sizeof(Word)>, dim3(batch.steps.count), 32 * order.warps(),
                           order.ring(), stream, batch);
  });
  return result;
}

}  // namespace

cudaError_t launch_undo_rows(const RowsBatch& batch, cudaStream_t stream) {
  if (batch.steps.count == 0 || batch.steps.most_words == 0) return cudaSuccess;
  const std::uint32_t lanes = batch.sources.lanes;
  if (batch.order > kHighestRowOrder || lanes == 0 || lanes > kMostJoinedLanes) return cudaErrorInvalidValue;
  // Eight rows further is still a number of a word.
  if (batch.tuple == 0 || batch.tuple % lanes != 0 || batch.tuple > kMostStepWords)
    return cudaErrorInvalidValue;
  if (undoes_in_order(batch)) return launch_in_order(batch, stream);
  return with_width(batch.steps.width, [&]<unsigned Width>() {
    const std::uint32_t columns = columns_of_thread<Width>(batch);
    const std::uint32_t blocks = row_blocks(batch.steps.most_words, batch.tuple, columns);
    if (!is_launchable(batch.steps, blocks)) return cudaErrorInvalidValue;
    const auto kernel = batch.order == 0   ? undo_rows<Width, 0>
                        : batch.order == 1 ? undo_rows<Width, 1>
                                           : undo_rows<Width, 2>;
    return launch_kernel(kernel, dim3(batch.steps.count * blocks), kRowThreads, 0, stream, batch, blocks,
                         columns);
  });
}

}  // namespace tdz::cuda
