// SPDX-License-Identifier: Apache-2.0
// TIFF and BigTIFF, in either byte order: the image of the first directory, uncompressed, with its strips one
// after another. libtiff often writes the directory at the end of the file. Then the prefix does not hold it,
// and there is no hint.
#include "formats/sniff/reading.hpp"

namespace tdz::formats {
namespace {

enum class Tag : std::uint16_t {
  subfile = 254,
  width = 256,
  height = 257,
  bits = 258,
  compression = 259,
  strip_offsets = 273,
  samples = 277,
  strip_bytes = 279,
  planar = 284,
  sample_format = 339,
};

constexpr std::uint64_t kUncompressed = 1;
constexpr std::uint64_t kReduced = 1;      // bit 0 of the subfile type: a thumbnail; the image comes later
constexpr std::uint64_t kInterleaved = 1;  // planar configuration; 2 means one plane after another
constexpr std::uint64_t kMaxSamples = 65535;

// The values of one directory entry.
struct Values {
  std::uint64_t at = 0;     // where the values are
  std::uint64_t count = 0;  // 0: no such entry, or its values are not in the prefix
  unsigned width = 0;       // bytes of each
};

unsigned width_of(std::uint16_t type) {
  switch (type) {
    case 1:  // BYTE
      return 1;
    case 3:  // SHORT
      return 2;
    case 4:  // LONG
      return 4;
    case 16:  // LONG8
      return 8;
    default:
      return 0;
  }
}

class Directory {
 public:
  // Precondition: the four letters of the magic are right.
  Directory(Fields fields, bool big) : fields_(fields), number_(big ? 8u : 4u), entry_(big ? 20u : 12u) {
    const std::uint64_t start = big ? fields_.u64(8) : fields_.u32(4);
    const std::uint64_t count = big ? fields_.u64(start) : fields_.u16(start);
    first_ = start + (big ? 8u : 2u);
    // The whole directory must be in the prefix; that bounds every loop over it.
    if (!fields_.overran() && count <= (fields_.size() - first_) / entry_) count_ = count;
  }

  bool empty() const { return count_ == 0; }
  std::uint64_t header_bytes() const { return number_ == 8 ? 16 : 8; }
  bool big_endian() const { return fields_.big_endian(); }

  Values find(Tag tag) {
    for (std::uint64_t i = 0; i < count_; ++i) {
      const std::uint64_t at = first_ + i * entry_;
      if (fields_.u16(at) == static_cast<std::uint16_t>(tag)) return values_at(at);
    }
    return {};
  }
  // Precondition: i < values.count.
  std::uint64_t get(const Values& values, std::uint64_t i) {
    const std::uint64_t at = values.at + i * values.width;
    if (values.width == 1) return fields_.u8(at);
    if (values.width == 2) return fields_.u16(at);
    return values.width == 4 ? fields_.u32(at) : fields_.u64(at);
  }
  std::uint64_t one(Tag tag, std::uint64_t otherwise) {
    const Values values = find(tag);
    return values.count == 0 ? otherwise : get(values, 0);
  }
  // If an entry exists but its values are not in the prefix, it must not count as absent.
  bool lost() const { return lost_; }

 private:
  // {u16 tag, u16 type, count, the values or their place}.
  Values values_at(std::uint64_t at) {
    Values values{.width = width_of(fields_.u16(at + 2))};
    const std::uint64_t count = number(at + 4);
    const std::uint64_t field = at + 4 + number_;
    const bool fits = values.width != 0 && count <= number_ / values.width;
    values.at = fits ? field : number(field);
    if (values.width == 0 || count == 0 || values.at >= fields_.size() ||
        count > (fields_.size() - values.at) / values.width) {
      lost_ = true;
      return {};
    }
    values.count = count;
    return values;
  }
  std::uint64_t number(std::uint64_t at) { return number_ == 8 ? fields_.u64(at) : fields_.u32(at); }

  Fields fields_;
  std::uint64_t number_;  // bytes of a count or an offset
  std::uint64_t entry_;
  std::uint64_t first_ = 0;
  std::uint64_t count_ = 0;
  bool lost_ = false;
};

// The value that all samples have, 0 if they differ.
std::uint64_t common(Directory& directory, Tag tag, std::uint64_t otherwise) {
  const Values values = directory.find(tag);
  if (values.count == 0) return otherwise;
  const std::uint64_t first = directory.get(values, 0);
  for (std::uint64_t i = 1; i < values.count; ++i) {
    if (directory.get(values, i) != first) return 0;
  }
  return first;
}

NumberType words_of(char kind, std::uint64_t bits, std::uint32_t tuple) {
  if (kind == 'f' && bits == 8) return {0, 0, 0};  // no such float
  const bool fits = bits % 8 == 0 && bits <= 64 && is_word_size(static_cast<unsigned>(bits / 8));
  return {kind, static_cast<std::uint8_t>(fits ? bits / 8 : 0), tuple};
}

// Word 0 if no word has this width.
NumberType sample_type(std::uint64_t format, std::uint64_t bits) {
  switch (format) {
    case 1:
      return words_of('u', bits, 1);
    case 2:
      return words_of('i', bits, 1);
    case 3:
      return words_of('f', bits, 1);
    case 4:  // undefined
      return words_of(0, bits, 1);
    case 5:  // complex integers: a real and an imaginary half
      return words_of('i', bits / 2, 2);
    case 6:
      return words_of('f', bits / 2, 2);
    default:
      return {0, 0, 0};
  }
}

// Where the first strip begins; 0 if the other strips do not follow it without gaps.
std::uint64_t strips_begin(Directory& directory) {
  const Values offsets = directory.find(Tag::strip_offsets);
  const Values bytes = directory.find(Tag::strip_bytes);
  if (offsets.count == 0 || (offsets.count > 1 && bytes.count != offsets.count)) return 0;
  const std::uint64_t begin = directory.get(offsets, 0);
  for (std::uint64_t i = 1, at = begin; i < offsets.count; ++i) {
    at += directory.get(bytes, i - 1);  // may overflow, and then overflows in the comparison too
    if (directory.get(offsets, i) != at) return 0;
  }
  return begin < directory.header_bytes() ? 0 : begin;
}

// An image in tiles has no strips, and gives no hint.
std::optional<SniffedHint> hint_from(Directory directory) {
  if (directory.empty() || directory.one(Tag::compression, kUncompressed) != kUncompressed ||
      (directory.one(Tag::subfile, 0) & kReduced) != 0)
    return std::nullopt;
  const std::uint64_t samples = directory.one(Tag::samples, 1);
  NumberType type = sample_type(common(directory, Tag::sample_format, 1), common(directory, Tag::bits, 1));
  const bool interleaved = directory.one(Tag::planar, kInterleaved) == kInterleaved;
  const std::uint64_t offset = strips_begin(directory);
  const std::uint64_t width = directory.one(Tag::width, 0);
  const std::uint64_t height = directory.one(Tag::height, 0);
  if (directory.lost() || type.word == 0 || samples == 0 || samples > kMaxSamples || offset == 0)
    return std::nullopt;

  if (interleaved) type.tuple *= static_cast<std::uint32_t>(samples);
  SniffedHint hint{"TIFF", type, offset, directory.big_endian()};
  if (!lay_out_picture(hint, width, height)) return std::nullopt;
  return hint;
}

}  // namespace

std::optional<SniffedHint> sniff_tiff(std::span<const std::byte> prefix) {
  Fields fields(prefix, false);
  if (fields.has("MM", 0))
    fields = Fields(prefix, true);
  else if (!fields.has("II", 0))
    return std::nullopt;
  const std::uint16_t version = fields.u16(2);
  if (version == 42) return hint_from(Directory(fields, false));
  // A field of BigTIFF states that offsets have 8 bytes. No other value exists.
  if (version == 43 && fields.u16(4) == 8 && fields.u16(6) == 0) return hint_from(Directory(fields, true));
  return std::nullopt;
}

}  // namespace tdz::formats
