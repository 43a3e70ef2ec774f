// SPDX-License-Identifier: Apache-2.0
// The prefix sums of the literature, for comparison in speed reports. Each integrates one
// interleaved chunk, for tuples of 1..8: an element is a row of the tuple, and order q is q scans unless the
// method says otherwise.
#pragma once

#include <cuda_runtime_api.h>

#include <cstddef>

#include "kernels/cuda/tile/scan_job.hpp"

namespace tdz::cuda {

struct Baseline {
  const char* name;
  /// Device memory that run() needs, aligned to 16.
  std::size_t (*space_bytes)(const Pass& steps, std::uint64_t bytes);
  /// Precondition: tuple 1..8, order 1..8, whole words, no zigzag, no layout.
  cudaError_t (*run)(const Pass& steps, const ChunkTask& chunk, void* space, cudaStream_t stream);
};

extern const Baseline kBlelloch;          ///< three phases, work-efficient block scan
extern const Baseline kKoggeStone;        ///< three phases, step-efficient block scan
extern const Baseline kBrentKung;         ///< three phases, block scan with the fewest additions
extern const Baseline kChained;           ///< one phase: each block waits for the block before it
extern const Baseline kSam;               ///< persistent blocks, one round for each order
extern const Baseline kLookBackPerOrder;  ///< one decoupled look-back for each order
extern const Baseline kCub;               ///< cub::DeviceScan, part of the CUDA Toolkit, once for each order

}  // namespace tdz::cuda
