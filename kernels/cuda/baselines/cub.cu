// SPDX-License-Identifier: Apache-2.0
// cub::DeviceScan, part of the CUDA Toolkit, once for each order, over words or over rows of a tuple.
#include <cub/device/device_scan.cuh>

#include "kernels/cuda/baselines/row_tile.cuh"

namespace tdz::cuda {
namespace {

using baseline::Row;

struct AddRows {
  template <class Word, unsigned Tuple>
  __host__ __device__ Row<Word, Tuple> operator()(const Row<Word, Tuple>& a,
                                                  const Row<Word, Tuple>& b) const {
    return a + b;
  }
};

template <class Word, unsigned Tuple>
cudaError_t cub_once(const Word* in, Word* out, std::uint64_t words, void* space, std::size_t& bytes,
                     cudaStream_t stream) {
  // Whole rows only: a baseline need not handle an incomplete last row.
  const auto rows = static_cast<std::int64_t>(words / Tuple);
  if constexpr (Tuple == 1) {
    return cub::DeviceScan::InclusiveSum(space, bytes, in, out, rows, stream);
  } else {
    return cub::DeviceScan::InclusiveScan(space, bytes, reinterpret_cast<const Row<Word, Tuple>*>(in),
                                          reinterpret_cast<Row<Word, Tuple>*>(out), AddRows{}, rows, stream);
  }
}

std::size_t cub_space(const Pass& steps, std::uint64_t bytes) {
  std::size_t needed = 0;
  const cudaError_t asked = baseline::with_row(steps, [&]<class Word, unsigned Tuple>() {
    return cub_once<Word, Tuple>(nullptr, nullptr, bytes / sizeof(Word), nullptr, needed, nullptr);
  });
  return asked == cudaSuccess ? needed + 256 : 0;
}

cudaError_t cub_scan(const Pass& steps, const ChunkTask& chunk, void* space, cudaStream_t stream) {
  std::size_t bytes = cub_space(steps, chunk.bytes);
  return baseline::with_row(steps, [&]<class Word, unsigned Tuple>() {
    cudaError_t first_error = cudaSuccess;
    const auto scan = [&](const Word* in, Word* out) {
      const cudaError_t once =
          cub_once<Word, Tuple>(in, out, chunk.bytes / sizeof(Word), space, bytes, stream);
      if (first_error == cudaSuccess) first_error = once;
    };
    const cudaError_t launched = baseline::scan_each_order<Word>(steps, chunk, scan);
    return first_error == cudaSuccess ? launched : first_error;
  });
}

}  // namespace

const Baseline kCub = {"cub", cub_space, cub_scan};

}  // namespace tdz::cuda
