// SPDX-License-Identifier: Apache-2.0
#include "kernels/cuda/packed/unpack.hpp"

#include "formats/steps/packed.hpp"
#include "kernels/cuda/launch/launch.hpp"
#include "kernels/cuda/launch/launch_kernel.cuh"
#include "kernels/cuda/packed/unpack_place.cuh"

namespace tdz::cuda {

static_assert(kWordsOfGroup == kGroupWords && kGroupsAPlace == kGroupsOfPlace &&
              kMostWidths == kMostGroupWidths);

cudaError_t launch_unpack(unsigned width, const UnpackBatch& batch, cudaStream_t stream) {
  if (batch.count == 0 || batch.places == 0) return cudaSuccess;
  if (batch.count > 0x7FFFFFFFu / batch.places) return cudaErrorInvalidValue;
  return with_word(width, [&]<class Word>() {
    return launch_kernel(unpack_places<Word>, dim3(batch.count * batch.places), kUnpackThreads, 0, stream,
                         batch);
  });
}

}  // namespace tdz::cuda
