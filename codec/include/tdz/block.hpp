// SPDX-License-Identifier: Apache-2.0
// Lone blocks. A lone block is one chunk that stands alone, without a stream. It is for programs that store
// chunks themselves, as Zarr and HDF5 do. FORMAT.md, section 1. Nothing is searched: the plan says how
// numbers are coded.
//
//     auto block = tdz::encode_block(*tdz::plan_for("f32x3"), bytes);
//     auto again = tdz::decode_block(*block, bytes.size());
//
// A CHK with its frames, cut out of a stream, is a lone block too. Functions return errors as values. Every
// call here also fails with Error limit where memory is missing.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "formats/error.hpp"
#include "formats/plan/plan.hpp"

namespace tdz {

/// Where a block lies in memory that holds several.
struct PackedBlock {
  std::uint64_t offset = 0;  ///< any alignment
  std::uint64_t bytes = 0;
};

/// The most bytes that the original of a block may have.
inline constexpr std::size_t kMaxBlockOriginal = std::size_t{1} << 30;

/// No block of so many original bytes is longer, whatever its plan is. 0: there is no such block.
constexpr std::size_t block_bound(std::size_t original_bytes) {
  constexpr std::size_t kRecord = 128, kFrame = 512;  // the longest frame has 1/128 more, and 512 bytes
  if (original_bytes == 0 || original_bytes > kMaxBlockOriginal) return 0;
  return kRecord + original_bytes + original_bytes / 128 + kFrame;
}

/// Keeps its memory for the next block. Used by one thread at a time. The constructor throws std::bad_alloc.
class BlockEncoder {
 public:
  BlockEncoder();
  ~BlockEncoder();
  BlockEncoder(BlockEncoder&&) noexcept;
  BlockEncoder& operator=(BlockEncoder&&) noexcept;

  /// Writes the block to the front of `out` and returns its length. block_bound() bytes are always enough.
  /// If the block would be longer than that with this plan, it holds plain bytes instead. The block depends
  /// only on plan, original and zstd's version. `plan.packing` gives level and longest frame,
  /// and the longest code of uniform blocks. Errors: usage (no bytes, more than 1 GiB, or an invalid plan),
  /// unsupported (the plan asks for a limit of blocks, or of codes without uniform blocks; this version
  /// cannot do that), limit (`out` is too short).
  Result<std::size_t> encode(const Plan& plan, std::span<const std::byte> original, std::span<std::byte> out);

 private:
  struct Memory;
  std::unique_ptr<Memory> memory_;
};

/// The number of original bytes, from the record at the front of the block; the frames need not be there.
/// Errors: corrupt, truncated, unsupported.
Result<std::uint64_t> block_original_bytes(std::span<const std::byte> block);

/// Keeps its memory for the next block. Used by one thread at a time. The constructor throws std::bad_alloc.
class BlockDecoder {
 public:
  BlockDecoder();
  ~BlockDecoder();
  BlockDecoder(BlockDecoder&&) noexcept;
  BlockDecoder& operator=(BlockDecoder&&) noexcept;

  /// Restores the original to the front of `out` and returns its length. After an error the bytes of `out`
  /// are unspecified. Errors: corrupt, truncated, unsupported, limit (the original is longer than `out`).
  Result<std::size_t> decode(std::span<const std::byte> block, std::span<std::byte> out);
  /// The same with memory of its own. Error limit: the original has more than `most` bytes.
  Result<std::vector<std::byte>> decode(std::span<const std::byte> block, std::size_t most);

 private:
  struct Memory;
  std::unique_ptr<Memory> memory_;
};

/// The same for a single block, with the same errors. Thread-safe.
Result<std::size_t> encode_block(const Plan& plan, std::span<const std::byte> original,
                                 std::span<std::byte> out);
Result<std::vector<std::byte>> encode_block(const Plan& plan, std::span<const std::byte> original);
Result<std::size_t> decode_block(std::span<const std::byte> block, std::span<std::byte> out);
Result<std::vector<std::byte>> decode_block(std::span<const std::byte> block, std::size_t most);

}  // namespace tdz
