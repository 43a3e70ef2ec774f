// SPDX-License-Identifier: Apache-2.0
// Is side data of packed that breaks a rule corrupt, also where a careless reader would restore the original?
#include <doctest/doctest.h>

#include <algorithm>
#include <functional>
#include <string_view>

#include "kernels/cpu/targets.hpp"
#include "tdz/block.hpp"
#include "tests/golden/cases.hpp"
#include "tests/golden/stored.hpp"

using namespace tdz;
using namespace tdz::test;

namespace {

/// The parts of a chunk of one column, and the bytes after its last row.
struct Parts {
  Bytes widths, codes, places, bits, rest;

  std::size_t groups = 0;
  std::uint32_t code(std::size_t group) const {
    return std::to_integer<std::uint32_t>(codes[group / 2]) >> (group % 2 * 4) & 15;
  }
  void set_code(std::size_t group, std::uint32_t code) {
    const unsigned shift = group % 2 * 4;
    const auto others = std::to_integer<unsigned>(codes[group / 2]) & ~(15u << shift);
    codes[group / 2] = static_cast<std::byte>(others | code << shift);
  }
};

/// The first chunk of a golden stream, which has one column of packed groups in one raw block.
class PackedChunk {
 public:
  explicit PackedChunk(const std::string& name) {
    for (const GoldenCase& golden : packed_cases())
      if (golden.name == name) original_ = golden.original;
    const auto pieces = dissect(stored_golden(name));
    const auto chunk = std::ranges::find(pieces, formats::RecordKind::chunk, &test::Piece::kind);
    REQUIRE(chunk != pieces.end());
    const auto length = static_cast<std::size_t>(formats::read_prefix(chunk->bytes, 0).value().total_bytes);
    record_ = formats::parse_chunk(std::span(chunk->bytes).first(length), {}, 0).value();
    REQUIRE(record_.original_bytes == original_.size());
    REQUIRE(record_.frames.size() == 1);
    const Bytes frame = tail(chunk->bytes, length);
    std::size_t at = frame.size() - record_.frames[0].unpacked;  // no checksum follows
    frame_head_ = head(frame, at);
    for (Bytes* part : {&parts.widths, &parts.codes, &parts.places, &parts.bits, &parts.rest}) {
      const std::size_t number = static_cast<std::size_t>(part_count_++);
      const std::size_t bytes = number < record_.substreams.size() ? record_.substreams[number] : 0;
      *part = slice(frame, at, bytes);
      at += bytes;
    }
    const auto plan = formats::parse_plan(record_.plan).value();
    const Column& column = plan.columns.at(0);
    width = column.width;
    tuple = std::get<PackedStep>(column.steps.back()).tuple;
    words = original_.size() / width;
    parts.groups = static_cast<std::size_t>(packed_groups(words, tuple));
  }

  /// A lone block of these parts, with right lengths and right digest.
  Bytes block(const Parts& changed) const {
    formats::ChunkRecord record = record_;
    Bytes content;
    record.substreams.clear();
    for (const Bytes* part :
         {&changed.widths, &changed.codes, &changed.places, &changed.bits, &changed.rest}) {
      if (record.substreams.size() == record_.substreams.size()) break;
      record.substreams.push_back(static_cast<std::uint32_t>(part->size()));
      content = std::move(content) + *part;
    }
    constexpr std::size_t kBlockHeader = 3, kMagicAndDescriptor = 5;
    Bytes frame = head(frame_head_, kMagicAndDescriptor);
    frame.back() = std::byte{0xA0};  // a single segment, four bytes of content size
    formats::put_le(frame, static_cast<std::uint32_t>(content.size()));
    const auto header = static_cast<std::uint32_t>(content.size() << 3 | 1);
    for (std::size_t i = 0; i < kBlockHeader; ++i) frame.push_back(static_cast<std::byte>(header >> 8 * i));
    frame = std::move(frame) + content;
    record.frames = {{static_cast<std::uint32_t>(frame.size()), static_cast<std::uint32_t>(content.size())}};
    return formats::serialize(record) + frame;
  }

  /// What every instruction set of this machine says of a block.
  std::optional<ErrorKind> verdict(const Parts& changed) const {
    std::optional<std::optional<ErrorKind>> first;
    const Bytes made = block(changed);
    for (const cpu::Target& target : cpu::supported_targets()) {
      cpu::force_target(target);
      INFO(target.name);
      const auto restored = decode_block(made, original_.size());
      std::optional<ErrorKind> found;
      if (restored)
        CHECK(*restored == original_);
      else
        found = restored.error().kind;
      if (first) CHECK(found == *first);
      first = found;
    }
    cpu::unforce_target();
    return *first;
  }

  Parts parts;
  unsigned width = 1;
  std::size_t tuple = 1, words = 0;

 private:
  Bytes original_, frame_head_;
  formats::ChunkRecord record_;
  int part_count_ = 0;
};

struct Damage {
  std::string_view name;
  /// False: this chunk cannot be damaged so.
  std::function<bool(Parts&, const PackedChunk&)> make;
};

bool puts_back(Parts& parts, std::size_t place, std::byte value) {
  parts.places[place] = value;
  return true;
}

std::vector<Damage> damages() {
  return {
      {"a width beyond the word that no group has",
       [](Parts& p, const PackedChunk& c) {
         if (p.widths.size() == kMostGroupWidths) return false;
         p.widths.push_back(static_cast<std::byte>(8 * c.width + 1));
         return true;
       }},
      {"a width of 255 that no group has",
       [](Parts& p, const PackedChunk&) {
         if (p.widths.size() == kMostGroupWidths) return false;
         p.widths.push_back(std::byte{255});
         return true;
       }},
      {"widths that do not ascend, with codes that suit them",
       [](Parts& p, const PackedChunk&) {
         if (p.widths.size() < 2) return false;
         std::swap(p.widths[0], p.widths[1]);
         for (std::size_t g = 0; g < p.groups; ++g)
           if (p.code(g) < 2) p.set_code(g, 1 - p.code(g));
         return true;
       }},
      {"the last width twice",
       [](Parts& p, const PackedChunk&) {
         if (p.widths.size() == kMostGroupWidths) return false;
         p.widths.push_back(p.widths.back());
         return true;
       }},
      {"a code without a width",
       [](Parts& p, const PackedChunk&) {
         if (p.widths.size() == kMostGroupWidths) return false;
         p.set_code(p.groups / 2, static_cast<std::uint32_t>(p.widths.size()));
         return true;
       }},
      {"the unused half of the last code",
       [](Parts& p, const PackedChunk&) {
         if (p.groups % 2 == 0) return false;
         p.codes.back() |= std::byte{0x10};
         return true;
       }},
      {"a first place that is not 0",
       [](Parts& p, const PackedChunk&) { return puts_back(p, 0, std::byte{2}); }},
      {"a first place beyond all bits",
       [](Parts& p, const PackedChunk&) { return puts_back(p, 3, std::byte{0xFF}); }},
      {"a last place that is wrong",
       [](Parts& p, const PackedChunk&) {
         p.places[p.places.size() - 4] ^= std::byte{2};
         return true;
       }},
      {"a place too many",
       [](Parts& p, const PackedChunk&) {
         p.places.resize(p.places.size() + 4);
         return true;
       }},
      {"bits that are too long",
       [](Parts& p, const PackedChunk&) {
         p.bits.resize(p.bits.size() + 2);
         return true;
       }},
      {"bits that are too short",
       [](Parts& p, const PackedChunk&) {
         p.bits.resize(p.bits.size() - 2);
         return true;
       }},
      {"no bits",
       [](Parts& p, const PackedChunk&) {
         p.bits.clear();
         return true;
       }},
      {"a fill word that is not 0",
       [](Parts& p, const PackedChunk& c) {
         const bool has_fill = c.words % (kGroupWords * c.tuple) != 0;
         const bool has_bits = p.widths[p.code(p.groups - 1)] != std::byte{0};
         if (!has_fill || !has_bits) return false;
         p.bits.back() |= std::byte{0x80};  // the highest bit of the last word of the last group
         return true;
       }},
  };
}

}  // namespace

TEST_CASE("packed: the parts of a golden chunk give the original, and other widths may be listed") {
  for (const char* name : {"packed_u8x3", "packed_i16", "packed_u64", "packed_byteswap"}) {
    INFO(name);
    const PackedChunk chunk(name);
    CHECK_FALSE(chunk.verdict(chunk.parts));
    Parts listed = chunk.parts;
    const auto all = static_cast<std::byte>(8 * chunk.width);
    if (listed.widths.size() == kMostGroupWidths || listed.widths.back() == all) continue;
    listed.widths.push_back(all);
    CHECK_FALSE(chunk.verdict(listed));
  }
}

TEST_CASE("packed: side data that breaks a rule is corrupt, on every instruction set") {
  std::size_t made = 0;
  for (const Damage& damage : damages()) {
    std::size_t of_this = 0;
    for (const char* name : {"packed_u8x3", "packed_i16", "packed_u64", "packed_byteswap"}) {
      INFO(name, ": ", damage.name);
      const PackedChunk chunk(name);
      Parts changed = chunk.parts;
      if (!damage.make(changed, chunk)) continue;
      CHECK(chunk.verdict(changed) == ErrorKind::corrupt);
      ++of_this;
    }
    INFO(damage.name);
    CHECK(of_this > 0);
    made += of_this;
  }
  CHECK(made > 30);
}
