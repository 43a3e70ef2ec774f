// SPDX-License-Identifier: Apache-2.0
// What would become of samples: the real steps, the real zstd.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "codec/chunk/buffer.hpp"
#include "codec/chunk/frame_plan.hpp"
#include "codec/search/samples.hpp"
#include "codec/chunk/zstd_coder.hpp"
#include "kernels/backend.hpp"

namespace tdz {

/// Transformed pieces, plane by plane as if they were one chunk.
struct Joined {
  std::vector<std::byte> bytes;
  std::vector<std::size_t> planes;  ///< lengths, as plane_lengths has them
};

/// Keeps contexts and memory between trials; belongs to one thread. Constructor and calls may throw
/// std::bad_alloc. Errors: limit, or those of the backend.
class Trial {
 public:
  /// The level is that of Packing::search.
  Trial(Backend& backend, int level);
  /// All pieces under the transform. Each plane goes over all of them, because in a chunk it is as long, and
  /// short planes would share one Huffman code that suits none of them. Valid until the next call.
  Result<const Joined*> joined(const Transform& transform, const Pieces& pieces);
  /// Their packed length, in one frame.
  Result<std::uint64_t> packed_together(const Transform& transform, const Pieces& pieces,
                                        Packing packing = Packing::quick);
  /// The packed length of one piece, in one frame at zstd -1.
  Result<std::uint64_t> packed_alone(const Transform& transform, std::span<const std::byte> piece);
  /// The transformed bytes of one piece, valid until the next call.
  Result<std::span<const std::byte>> transformed(const Transform& transform,
                                                 std::span<const std::byte> piece);
  /// The packed length of transformed bytes, with these planes and as the plan says.
  Result<std::uint64_t> packed(const FramePlan& plan, std::span<const std::byte> bytes,
                               std::span<const std::size_t> planes);

 private:
  Backend& backend_;
  ZstdEncoder zstd_;
  Buffer residuals_;
  Buffer scratch_;
  Buffer packed_;
  std::vector<std::vector<std::byte>> planes_;
  Joined joined_;
};

/// One packing for all planes: one frame.
inline FramePlan uniform_plan(Packing packing) {
  FramePlan plan;
  plan.packing.fill(packing);
  return plan;
}

}  // namespace tdz
