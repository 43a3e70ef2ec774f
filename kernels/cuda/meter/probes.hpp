// SPDX-License-Identifier: Apache-2.0
// Small kernels that a meter needs: input numbers, a comparison, and two micro-benchmarks. These functions
// enqueue them and do not wait.
#pragma once

#include <cuda_runtime_api.h>

#include <cstddef>
#include <cstdint>

namespace tdz::cuda {

/// Numbers that look like noise, the same on every device: byte i is a byte of a hash of i / 8. `bytes` is a
/// multiple of 8.
cudaError_t probe_fill(std::byte* out, std::uint64_t bytes, cudaStream_t stream);

/// Lowers *first (on the device, ~0 before) to the place of the first byte that differs.
cudaError_t probe_compare(const std::byte* a, const std::byte* b, std::uint64_t bytes,
                          unsigned long long* first, cudaStream_t stream);

/// One thread reads `steps` words within `bytes` bytes, starting at word *place. Each word decides the place
/// of the next one. Leaves the last place in *place, so that the next walk is a different one: words that
/// were read before may be in a cache.
cudaError_t probe_chase(const std::byte* memory, std::uint64_t bytes, unsigned steps,
                        unsigned long long* place, cudaStream_t stream);

/// Raises most[1] (both 0 before) to the number of threads that are on the device at the same time.
cudaError_t probe_residents(unsigned* most, unsigned blocks, cudaStream_t stream);

}  // namespace tdz::cuda
