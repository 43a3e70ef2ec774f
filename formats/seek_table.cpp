// SPDX-License-Identifier: Apache-2.0
// The seek table of zstd's seekable format 0.1.0 (contrib/seekable_format), the variant without checksums.
#include "formats/bytes.hpp"
#include "formats/records.hpp"

namespace tdz::formats {
namespace {

constexpr std::uint32_t kSeekMagic = 0x184D2A5E;
constexpr std::uint32_t kSeekFooterMagic = 0x8F92EAB1;
constexpr std::uint8_t kNoChecksums = 0;

}  // namespace

std::vector<std::byte> serialize_seek_table(std::span<const SeekEntry> entries) {
  std::vector<std::byte> frame;
  frame.reserve(static_cast<std::size_t>(seek_table_bytes(entries.size())));
  put_le(frame, kSeekMagic);
  put_le(frame, static_cast<std::uint32_t>(seek_table_bytes(entries.size()) - 8));
  for (const SeekEntry& entry : entries) {
    put_le(frame, entry.compressed);
    put_le(frame, entry.decompressed);
  }
  put_le(frame, static_cast<std::uint32_t>(entries.size()));
  put_le(frame, kNoChecksums);
  put_le(frame, kSeekFooterMagic);
  return frame;
}

std::uint64_t seek_table_length_from_footer(std::span<const std::byte> footer) {
  ByteReader in(footer);
  const std::uint64_t length = seek_table_bytes(in.get<std::uint32_t>());
  const bool ours = in.get<std::uint8_t>() == kNoChecksums && in.get<std::uint32_t>() == kSeekFooterMagic;
  return ours && length <= kMaxSeekTableBytes ? length : 0;
}

}  // namespace tdz::formats
