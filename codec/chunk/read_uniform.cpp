// SPDX-License-Identifier: Apache-2.0
#include <algorithm>

#include "codec/chunk/uniform_frames.hpp"
#include "kernels/uniform/bit_stream.hpp"
#include "kernels/uniform/frame.hpp"
#include "kernels/uniform/front.hpp"
#include "kernels/uniform/parts.hpp"

namespace tdz::uniform {
namespace {

using formats::BlockEntry;
using formats::FrameLengths;

/// Frames to substreams. A frame holds uniform blocks of one lane, raw bits of one column, or what lies
/// between.
class FrameReader {
 public:
  FrameReader(const ParsedChunk& chunk, std::span<const std::byte> packed)
      : frames_(chunk.record.frames), list_(chunk.record.blocks), packed_(packed) {}

  bool read(std::span<const Part> parts, std::span<std::byte> substreams) {
    Front<std::byte> out(substreams);
    while (!parts.empty()) {
      const auto other = std::ranges::find_if_not(parts, is_ordinary);
      const auto count = std::max<std::size_t>(1, static_cast<std::size_t>(other - parts.begin()));
      std::size_t bytes = 0;
      for (const Part& part : parts.first(count)) {
        bytes += part.bytes;
        if (part.kind == PartKind::remainder) list_.take(1);
      }
      if (!read_frames(parts[0], out.take(bytes)) || out.bad()) return false;
      parts = parts.subspan(count);
    }
    return frames_.used_all() && list_.used_all() && packed_.used_all() && out.used_all();
  }

 private:
  /// Frames that hold exactly these bytes.
  bool read_frames(const Part& part, std::span<std::byte> bytes) {
    while (!bytes.empty()) {
      const FrameLengths* lengths = frames_.next();
      if (lengths == nullptr || lengths->unpacked > bytes.size()) return false;
      const auto frame = packed_.take(lengths->packed);
      const auto out = bytes.first(lengths->unpacked);
      const bool last = out.size() == bytes.size();
      if (packed_.bad() || out.empty() || !read_frame_of(part, last, frame, out)) return false;
      bytes = bytes.subspan(out.size());
    }
    return true;
  }

  bool read_frame_of(const Part& part, bool last, std::span<const std::byte> frame,
                     std::span<std::byte> out) {
    if (part.kind == PartKind::raw) return read_raw_frame(frame, out);
    if (part.kind != PartKind::blocks) return bool(zstd_.decode(frame, out));
    const std::size_t blocks = out.size() / part.block;
    if (out.size() % part.block != 0 || (!last && blocks % kGroup != 0)) return false;
    const auto entries = list_.take(blocks);
    return !list_.bad() && read_frame(frame, entries, part.block, out);
  }

  Front<const FrameLengths> frames_;
  Front<const BlockEntry> list_;
  Front<const std::byte> packed_;
  ZstdDecoder zstd_;
};

/// Tokens of words, raw bits that fill their bytes, and zeros where bits are unused.
class RawBitsCheck {
 public:
  RawBitsCheck(const Part& part, std::span<const std::byte> raw)
      : bits_(token_bits(part.code, part.word_bits)),
        tokens_(token_count(part.code, part.word_bits)),
        raw_(raw) {}

  bool run(std::span<const std::byte> tokens, std::uint16_t bytes) {
    std::size_t sum = 0;
    for (const std::byte token : tokens) {
      const auto value = std::to_integer<unsigned>(token);
      if (value >= tokens_) return false;
      sum += bits_[value];
    }
    const auto own = raw_.take(bytes);
    if (raw_.bad() || bytes != (sum + 7) / 8) return false;
    return bits_at(own, 0, static_cast<unsigned>(8 * own.size() - sum)) == 0;
  }
  bool used_all() const { return raw_.used_all(); }

 private:
  TokenBits bits_;
  unsigned tokens_;
  Front<const std::byte> raw_;
};

/// The runs of all lanes of one uniform column.
bool check_column(std::span<const Part> lanes, std::span<const std::byte> tokens,
                  Front<const BlockEntry>& list, RawBitsCheck& raw) {
  for (const Part& part : lanes) {
    const std::size_t run = part.block / kRuns;
    for (std::size_t left = part.bytes; left > 0;) {
      const BlockEntry* entry = list.next();
      if (entry == nullptr || (entry->type == 4) != (part.kind == PartKind::remainder)) return false;
      if (part.kind == PartKind::remainder && (entry->length != 0 || entry->bits != 0)) return false;
      for (const std::uint16_t bytes : entry->raw) {
        const auto own = tokens.first(std::min(left, run));
        if (!raw.run(own, bytes)) return false;
        tokens = tokens.subspan(own.size());
        left -= own.size();
      }
    }
  }
  return raw.used_all();
}

bool is_of_lane(const Part& part) {
  return part.kind == PartKind::blocks || part.kind == PartKind::remainder;
}

/// All runs. Raw bits stand behind the lanes of their column, even if they have no bytes.
bool check_runs(std::span<const Part> parts, std::span<const std::byte> substreams,
                std::span<const BlockEntry> entries) {
  Front<const BlockEntry> list(entries);
  Front<const std::byte> in(substreams);
  while (!parts.empty()) {
    const auto behind = std::ranges::find_if_not(parts, is_of_lane);
    const auto lanes = parts.first(static_cast<std::size_t>(behind - parts.begin()));
    if (lanes.empty()) {
      in.take(parts[0].bytes);
      parts = parts.subspan(1);
      continue;
    }
    std::size_t bytes = 0;
    for (const Part& part : lanes) bytes += part.bytes;
    const auto tokens = in.take(bytes);
    RawBitsCheck raw(lanes[0], in.take(behind->bytes));
    if (!check_column(lanes, tokens, list, raw)) return false;
    parts = parts.subspan(lanes.size() + 1);
  }
  return true;
}

}  // namespace

std::optional<std::vector<std::byte>> read_by_list(const ParsedChunk& chunk,
                                                   std::span<const std::byte> packed) {
  const auto parts = parts_of(chunk.plan, chunk.record.substreams, chunk.record.original_bytes);
  std::vector<std::byte> substreams(static_cast<std::size_t>(substream_bytes(chunk.record)));
  if (!FrameReader(chunk, packed).read(parts, substreams)) return std::nullopt;
  if (!check_runs(parts, substreams, chunk.record.blocks)) return std::nullopt;
  return substreams;
}

}  // namespace tdz::uniform
