// SPDX-License-Identifier: Apache-2.0
// zstd at the edge: the only place that knows its interface. One frame in, one frame out.
#pragma once

#include <array>
#include <cstddef>
#include <memory>
#include <span>
#include <string>

#include "codec/chunk/packing.hpp"
#include "formats/error.hpp"

struct ZSTD_CCtx_s;
struct ZSTD_DCtx_s;

namespace tdz {

/// The longest frame that `bytes` bytes may become.
std::size_t zstd_bound(std::size_t bytes);
/// The same, with a block's end behind each part.
std::size_t zstd_bound(std::span<const std::size_t> parts);

/// What an encoder of this level comes to hold for frames of this length.
std::size_t zstd_encoder_bytes(int level, std::size_t frame);

/// Writes frames with content size and content checksum, no dictionary, window <= 8 MiB, one thread.
/// Reuses one context for each packing; one coder per thread. The constructor throws std::bad_alloc.
class ZstdEncoder {
 public:
  /// Precondition: level within zstd's 1..22.
  explicit ZstdEncoder(int level);
  /// Returns the frame's length. `out` holds at least zstd_bound(in.size()) bytes. Error limit: no memory.
  Result<std::size_t> encode(std::span<const std::byte> in, std::span<std::byte> out, Packing packing);
  /// The same, with a block's end behind each of `parts`: every part gets statistics of its own, while
  /// matches still reach into the parts before it. The parts' lengths sum to in.size(); `out` holds
  /// zstd_bound(parts).
  Result<std::size_t> encode(std::span<const std::byte> in, std::span<const std::size_t> parts,
                             std::span<std::byte> out, Packing packing);

 private:
  struct Free {
    void operator()(ZSTD_CCtx_s* context) const noexcept;
  };
  using Context = std::unique_ptr<ZSTD_CCtx_s, Free>;

  static Context context_for(int level, Packing packing);

  std::array<Context, kPackings> contexts_;  // a context takes its memory when it first encodes
};

enum class FrameChecksum : bool { ignored, checked };

class ZstdDecoder {
 public:
  /// With FrameChecksum::ignored the checksum inside a frame is not computed: our digest of the original
  /// covers more.
  explicit ZstdDecoder(FrameChecksum checksum);
  /// `frame` must be exactly one zstd frame and fill `out` exactly. Errors: corrupt, limit.
  Status decode(std::span<const std::byte> frame, std::span<std::byte> out);

 private:
  struct Free {
    void operator()(ZSTD_DCtx_s* context) const noexcept;
  };
  std::unique_ptr<ZSTD_DCtx_s, Free> context_;
};

/// As ZSTD_versionNumber: 1.5.4 is 10504.
unsigned zstd_version_number();
std::string zstd_version_name();

}  // namespace tdz
