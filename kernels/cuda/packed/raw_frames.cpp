// SPDX-License-Identifier: Apache-2.0
#include "kernels/cuda/packed/raw_frames.hpp"

#include <algorithm>

namespace tdz::cuda {
namespace {

using formats::FrameLengths;

constexpr std::uint32_t kChecksumBytes = 4;

void check_bytes(std::uint64_t at, std::uint32_t chunk, std::span<const std::uint8_t> bytes,
                 std::vector<uniform::ByteCheck>& checks) {
  uniform::ByteCheck check{at, chunk, static_cast<std::uint8_t>(bytes.size()), {}};
  std::ranges::copy(bytes, check.bytes);
  checks.push_back(check);
}

}  // namespace

std::optional<uniform::RawLayout> raw_layout(std::span<const FrameLengths> frames, std::uint64_t content) {
  if (frames.empty() || frames.front().unpacked == 0 || frames.front().unpacked > uniform::kLongestFrame)
    return std::nullopt;
  // A device copies bits byte by byte where the header of a block or frame cuts them; so these must be rare.
  if (frames.size() > 1 && frames.front().unpacked < uniform::kRawBlock) return std::nullopt;
  uniform::RawLayout layout{static_cast<std::uint32_t>(content), frames.front().unpacked, 0};
  if (frames.front().packed != layout.frame_bytes(frames.front().unpacked)) layout.checksum = kChecksumBytes;
  if (frames.size() != layout.frames()) return std::nullopt;
  for (std::uint32_t f = 0; f < layout.frames(); ++f) {
    const std::uint32_t own = layout.content(f);
    if (frames[f].unpacked != own || frames[f].packed != layout.frame_bytes(own)) return std::nullopt;
  }
  return layout;
}

void check_headers(const uniform::RawLayout& layout, const uniform::ChunkBase& base,
                   std::vector<uniform::ByteCheck>& checks) {
  for (std::uint32_t f = 0; f < layout.frames(); ++f) {
    const std::uint32_t content = layout.content(f);
    const uniform::FrameHeader header(content, layout.checksum != 0);
    std::uint64_t at = base.packed + layout.frame_at(f);
    check_bytes(at, base.chunk, {header.bytes, header.length}, checks);
    at += header.length;
    for (std::uint32_t left = content; left > 0;) {
      const auto length = std::min(left, static_cast<std::uint32_t>(uniform::kRawBlock));
      const std::uint32_t says = uniform::block_header(length == left, uniform::BlockType::raw, length);
      const std::uint8_t bytes[] = {static_cast<std::uint8_t>(says), static_cast<std::uint8_t>(says >> 8),
                                    static_cast<std::uint8_t>(says >> 16)};
      check_bytes(at, base.chunk, bytes, checks);
      at += uniform::kBlockHeader + length, left -= length;
    }
  }
}

}  // namespace tdz::cuda
