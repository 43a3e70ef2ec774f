// SPDX-License-Identifier: Apache-2.0
// Encodes and decodes single zstd frames. zstd_coder.cpp is the only file that includes zstd.h.
#pragma once

#include <array>
#include <cstddef>
#include <memory>
#include <span>
#include <string>

#include "formats/error.hpp"
#include "formats/plan/plan.hpp"

struct ZSTD_CCtx_s;
struct ZSTD_DCtx_s;

namespace tdz {

/// The largest possible length of the frame for `bytes` bytes of content.
std::size_t zstd_bound(std::size_t bytes);
/// The same for content whose blocks end after each part.
std::size_t zstd_bound(std::span<const std::size_t> parts);

/// The memory in bytes that an encoder of this level takes for frames of `frame` bytes of content, with these
/// packings.
std::size_t zstd_encoder_bytes(int level, std::size_t frame, const std::array<bool, kPackings>& used);

/// What frames are for: to be stored, or only to be measured. Measured frames have no checksum, and zstd
/// reads and writes them in place. Their lengths count a checksum, so they are those of stored frames; only
/// frames longer than a window may differ, by a few bytes.
enum class FrameUse { stored, measured };

/// Writes frames with content size and content checksum, without a dictionary, with a window of at most 8
/// MiB. Reuses one context for each packing, made when it is first needed: zstd asks the processor what it
/// can whenever it makes one, and a virtual machine takes microseconds to answer. Used by one thread.
class ZstdEncoder {
 public:
  /// Precondition: level 1 to 22.
  explicit ZstdEncoder(int level, FrameUse use = FrameUse::stored);
  /// Returns the frame's length; zstd says where blocks end, whatever the packing. `out` holds at least
  /// zstd_bound(in.size()) bytes. Error limit: no memory. Throws std::bad_alloc.
  Result<std::size_t> encode(std::span<const std::byte> in, std::span<std::byte> out, Packing packing);
  /// The same, but a block ends after each of `parts`: every part gets its own statistics, and matches may
  /// still refer to the parts before it. With Packing::entropy and those with cuts blocks also end where
  /// block_lengths() says. The sum of the parts' lengths is in.size(). `out` holds at least
  /// zstd_bound(parts) bytes. `ends`, if it has an entry for each part, becomes where each part ends in
  /// `out`.
  Result<std::size_t> encode(std::span<const std::byte> in, std::span<const std::size_t> parts,
                             std::span<std::byte> out, Packing packing, std::span<std::size_t> ends = {});

 private:
  struct Free {
    void operator()(ZSTD_CCtx_s* context) const noexcept;
  };
  using Context = std::unique_ptr<ZSTD_CCtx_s, Free>;

  ZSTD_CCtx_s* context_of(Packing packing);
  /// A frame with blocks as block_lengths() cuts them, and one with a block for each part.
  Result<std::size_t> encode_blocks(std::span<const std::byte> in, std::span<const std::size_t> parts,
                                    std::span<std::byte> out, Packing packing, std::span<std::size_t> ends);
  Result<std::size_t> encode_parts(std::span<const std::byte> in, std::span<const std::size_t> parts,
                                   std::span<std::byte> out, Packing packing, std::span<std::size_t> ends);

  int level_;
  FrameUse use_;
  std::array<Context, kZstdPackings> contexts_;  // null until a frame needs them
};

class ZstdDecoder {
 public:
  /// `frame` must be exactly one frame, which keeps the limits of the format (FORMAT.md, section 1) and fills
  /// `out` exactly. The checksum inside a frame is not computed: the digest of the chunk also covers the
  /// frame, and alone decides. Errors: corrupt, limit. Throws std::bad_alloc.
  Status decode(std::span<const std::byte> frame, std::span<std::byte> out);

 private:
  struct Free {
    void operator()(ZSTD_DCtx_s* context) const noexcept;
  };
  std::unique_ptr<ZSTD_DCtx_s, Free> context_;  // null until a frame is not of raw blocks
};

/// As ZSTD_versionNumber: 1.5.4 is 10504.
unsigned zstd_version_number();
std::string zstd_version_name();

}  // namespace tdz
