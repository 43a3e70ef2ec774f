// SPDX-License-Identifier: Apache-2.0
// What would become of samples: the real steps, the real zstd, at its fastest level.
#pragma once

#include <cstdint>
#include <vector>

#include "codec/buffer.hpp"
#include "codec/search/samples.hpp"
#include "codec/zstd_coder.hpp"
#include "kernels/backend.hpp"

namespace tdz {

/// Keeps contexts and memory between trials; belongs to one thread. Constructor and calls may throw
/// std::bad_alloc.
class Trial {
 public:
  Trial(Backend& backend, int level);
  /// The packed length of all pieces under the transform, plane by plane: each plane is packed as one run
  /// over all pieces, because in a chunk it is as long, and short planes would share one Huffman code that
  /// suits none of them. Error limit or io, as encoding has them.
  Result<std::uint64_t> packed_together(const Transform& transform, const Samples& samples);
  /// The packed length of one piece.
  Result<std::uint64_t> packed_alone(const Transform& transform, std::span<const std::byte> piece);
  /// The transformed bytes of one piece, valid until the next call.
  Result<std::span<const std::byte>> transformed(const Transform& transform,
                                                 std::span<const std::byte> piece);
  Result<std::size_t> packed_bytes(std::span<const std::byte> bytes, Packing packing);

 private:
  Backend& backend_;
  ZstdEncoder zstd_;
  Buffer residuals_;
  Buffer scratch_;
  Buffer packed_;
  std::vector<std::vector<std::byte>> planes_;
};

}  // namespace tdz
