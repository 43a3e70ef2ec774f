// SPDX-License-Identifier: Apache-2.0
// The steps of a transform over one chunk, on the CPU, each way. All functions are thread-safe, never fail,
// and use the best instruction set of this machine (targets.hpp).
#pragma once

#include <cstddef>
#include <span>

#include "formats/transform.hpp"
#include "kernels/device.hpp"
#include "kernels/passes.hpp"

namespace tdz::cpu {

/// One chunk and its transform. `in` and `out` have the same length and do not overlap, except that inverse()
/// takes the same bytes for both where inverts_in_place(transform). `scratch` overlaps neither; forward()
/// needs scratch_bytes(transform, in.size()) of it, inverse() inverse_scratch_bytes(). No span needs to be
/// aligned. Precondition: the transform is valid (word 1, 2, 4 or 8; tuples >= 1; orders 1..8; known steps).
struct TransformJob {
  const Transform* transform = nullptr;
  std::span<const std::byte> in;
  std::span<std::byte> out;
  std::span<std::byte> scratch;
};

/// 0 if one pass runs all steps; else the length of the chunk, which then lies there between two passes.
std::size_t scratch_bytes(const Transform& transform, std::size_t chunk_bytes);
/// The same for the way back, where a pass without a layout runs in place. At most scratch_bytes().
std::size_t inverse_scratch_bytes(const Transform& transform, std::size_t chunk_bytes);
/// Whether inverse() may restore a chunk in its own place: no step is a layout.
bool inverts_in_place(const Transform& transform);

/// Applies the job's steps in order.
void forward(const TransformJob& job);
/// Applies the inverse steps backwards.
void inverse(const TransformJob& job);

/// The same in these passes of the job's transform, for tests. If there are several passes, scratch must be
/// as long as the chunk; the inverse needs it only where a pass before the last one has a layout.
void forward(const TransformJob& job, const PassList& list);
void inverse(const TransformJob& job, const PassList& list);

/// The backend `cpu`, with the instruction set that it uses.
BackendInfo backend_info();

}  // namespace tdz::cpu
