// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cstring>

#include "codec/chunk/frame_plan.hpp"
#include "codec/chunk/uniform_frames.hpp"
#include "formats/stream/limits.hpp"
#include "kernels/uniform/frame.hpp"
#include "kernels/uniform/parts.hpp"

namespace tdz::uniform {
namespace {

/// Enough for all frames: zstd's own bound, and header and checksum of frames of 4 KiB or a short one a part.
constexpr std::uint64_t packed_bound(std::uint64_t parts, std::uint64_t bytes) {
  return bytes + bytes / 16 + 1024 * (parts + 1);
}

/// The parts of a column at most: its side data, blocks and remainder of each lane, and raw bits.
std::uint64_t most_parts(const Column& column) {
  constexpr std::uint64_t kOthers = 8;
  const auto* tokens = tokens_of(column);
  return kOthers + (tokens != nullptr ? 2 * tokens->tuple : 0);
}

class Packer {
 public:
  Packer(const Plan& plan, std::span<const std::byte> substreams, std::size_t frame_bytes, ZstdEncoder& zstd,
         EncodedChunk& out)
      : plan_(plan), substreams_(substreams), frame_bytes_(frame_bytes), zstd_(zstd), out_(out) {}

  Result<bool> pack(std::span<const Part> parts) {
    room_ = out_.memory.take(static_cast<std::size_t>(packed_bound(parts.size(), substreams_.size())));
    for (std::size_t i = 0; i < parts.size();) {
      const std::size_t count = is_ordinary(parts[i]) ? stretch(parts.subspan(i)) : 1;
      auto done = pack_alike(parts.subspan(i, count));
      if (!done || !*done) return done;
      i += count;
    }
    out_.packed = room_.first(used_);
    return out_.record.frames.size() <=
           formats::max_frame_count(out_.record.original_bytes,
                                    static_cast<std::uint32_t>(out_.record.substreams.size()));
  }

 private:
  static bool is_words(const Part& part) { return part.kind == PartKind::words; }

  /// The ordinary parts from the first one on that are packed in one way.
  static std::size_t stretch(std::span<const Part> parts) {
    const auto other = [&](const Part& p) { return !is_ordinary(p) || is_words(p) != is_words(parts[0]); };
    return static_cast<std::size_t>(std::ranges::find_if(parts, other) - parts.begin());
  }

  Result<bool> pack_alike(std::span<const Part> parts) {
    if (parts[0].kind == PartKind::blocks) return pack_blocks(parts[0]);
    if (parts[0].kind == PartKind::raw) return pack_raw(parts[0]);
    return pack_ordinary(parts);
  }

  std::size_t longest_segment() const { return std::min(frame_bytes_, kLongestFrame); }

  /// Frames end behind whole groups.
  bool pack_blocks(const Part& part) {
    const std::size_t group = kGroup * part.block, longest = longest_segment();
    if (longest < std::min(part.bytes, group)) return false;
    const std::size_t frame = part.bytes <= longest ? part.bytes : longest / group * group;
    const BlockRules rules{part.block,
                           plan_.packing.code_limit != 0 ? plan_.packing.code_limit : kLongestCode,
                           token_bits(part.code, part.word_bits)};
    for (std::size_t left = part.bytes; left > 0;) {
      const auto tokens = next(std::min(left, frame));
      left -= tokens.size();
      add_frame(write_frame(tokens, rules, room_.data() + used_, out_.record.blocks), tokens.size());
    }
    return true;
  }

  bool pack_raw(const Part& part) {
    for (std::size_t left = part.bytes; left > 0;) {
      const auto bytes = next(std::min(left, longest_segment()));
      left -= bytes.size();
      add_frame(write_raw_frame(bytes, room_.data() + used_), bytes.size());
    }
    return true;
  }

  Result<bool> pack_ordinary(std::span<const Part> parts) {
    std::vector<std::size_t> lengths;
    std::size_t at = 0;
    for (const Part& part : parts) {
      if (part.kind == PartKind::remainder) list_remainder(part, substreams_.subspan(at, part.bytes));
      lengths.push_back(part.bytes);
      at += part.bytes;
    }
    for (const FramePiece& piece : cut_frames({}, lengths, frame_bytes_)) {
      const auto packed = is_words(parts[0]) ? pack(piece, Packing::search) : pack_lightly(piece);
      if (!packed) return packed.error();
      add_frame(*packed, next(piece.bytes).size());
    }
    return true;
  }

  void list_remainder(const Part& part, std::span<const std::byte> tokens) {
    auto& entry = out_.record.blocks.emplace_back();
    entry.type = static_cast<std::uint8_t>(BlockType::remainder);
    const TokenBits bits = token_bits(part.code, part.word_bits);
    for (std::uint16_t& raw : entry.raw) {
      const auto run = tokens.first(std::min(tokens.size(), part.block / kRuns));
      tokens = tokens.subspan(run.size());
      raw = raw_bytes(count_run(run), bits);
    }
  }

  Result<std::size_t> pack(const FramePiece& piece, Packing packing) {
    return zstd_.encode(substreams_.first(piece.bytes), piece.parts, room_.subspan(used_), packing);
  }

  /// Without sequences, a device decodes it side by side; so this may take a sixteenth more.
  Result<std::size_t> pack_lightly(const FramePiece& piece) {
    const auto light = pack(piece, Packing::entropy);
    const auto searched = light ? pack(piece, Packing::search) : light;
    const bool dear = light && searched && *light > *searched + *searched / 16;
    return dear || !searched ? searched : pack(piece, Packing::entropy);
  }

  std::span<const std::byte> next(std::size_t bytes) {
    const auto taken = substreams_.first(bytes);
    substreams_ = substreams_.subspan(bytes);
    return taken;
  }

  void add_frame(std::size_t packed, std::size_t unpacked) {
    out_.record.frames.push_back({static_cast<std::uint32_t>(packed), static_cast<std::uint32_t>(unpacked)});
    used_ += packed;
  }

  const Plan& plan_;
  std::span<const std::byte> substreams_;  ///< those not packed yet
  std::size_t frame_bytes_;
  ZstdEncoder& zstd_;
  EncodedChunk& out_;
  std::span<std::byte> room_;
  std::size_t used_ = 0;
};

}  // namespace

std::uint64_t pack_memory(const Plan& plan, std::uint64_t substreams) {
  constexpr std::uint64_t kShortestBlock = 4096, kListGrows = 2;
  std::uint64_t parts = 1;
  for (const Column& column : plan.columns) parts += most_parts(column);
  const std::uint64_t entries = substreams / kShortestBlock + parts;
  return packed_bound(parts, substreams) + kListGrows * entries * sizeof(formats::BlockEntry);
}

Result<bool> pack(const Plan& plan, const Substreams& coded, std::uint32_t frame_bytes, ZstdEncoder& zstd,
                  EncodedChunk& out) {
  const auto parts = parts_of(plan, coded.lengths, out.record.original_bytes);
  return Packer(plan, coded.bytes, frame_bytes, zstd, out).pack(parts);
}

}  // namespace tdz::uniform
