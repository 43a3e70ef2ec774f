// SPDX-License-Identifier: Apache-2.0
// Headers of every format that sniff() knows, made field by field, each with the right hint.
#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "formats/sniff.hpp"

namespace tdz::formats {

using Bytes = std::vector<std::byte>;

/// Appends fields in one byte order.
class Fielder {
 public:
  explicit Fielder(bool big_endian = false) : big_endian_(big_endian) {}

  Fielder& put(std::uint64_t value, unsigned width) {
    for (unsigned i = 0; i < width; ++i)
      bytes.push_back(static_cast<std::byte>(value >> 8 * (big_endian_ ? width - 1 - i : i)));
    return *this;
  }
  Fielder& u8(std::uint64_t v) { return put(v, 1); }
  Fielder& u16(std::uint64_t v) { return put(v, 2); }
  Fielder& u32(std::uint64_t v) { return put(v, 4); }
  Fielder& u64(std::uint64_t v) { return put(v, 8); }
  Fielder& f32(float v) { return u32(std::bit_cast<std::uint32_t>(v)); }
  Fielder& text(std::string_view letters) {
    for (const char c : letters) bytes.push_back(static_cast<std::byte>(c));
    return *this;
  }
  /// Zeros up to that length.
  Fielder& up_to(std::size_t length) {
    bytes.resize(length);
    return *this;
  }

  Bytes bytes;

 private:
  bool big_endian_;
};

struct WavFields {
  std::string_view magic = "RIFF";
  std::uint16_t tag = 1;
  std::uint16_t channels = 2;
  std::uint16_t bits = 16;
  std::optional<std::uint16_t> block{};  ///< bytes of all channels; computed if not given
  bool extensible = false;
  std::uint32_t format_bytes = 0;     ///< the stated length of the format chunk; if 0, the true one
  std::uint32_t note_bytes = 0;       ///< the stated length of a chunk before the data
  std::uint32_t true_note_bytes = 0;  ///< its true length, including padding
};
Bytes wav(const WavFields& fields);
struct W64Fields {
  std::uint64_t format_bytes = 40;
  std::uint64_t note_bytes = 29;
};
Bytes w64(const W64Fields& fields);

struct AiffFields {
  std::string_view coding{};  ///< if empty: plain AIFF
  std::uint16_t channels = 2;
  std::uint16_t bits = 16;
  std::uint32_t skipped = 0;
  std::uint32_t common_bytes = 0;  ///< the stated length; if 0, the true one
};
Bytes aiff(const AiffFields& fields);

/// Padded as NumPy does. `version` 1 has a 16-bit length, 2 and 3 have 32 bits.
Bytes npy(std::string_view dictionary, std::uint8_t version = 1);

/// Padded to 8 bytes, as its writers do.
Bytes safetensors(std::string header);

/// Cards are padded to 80 characters; END and the blanks after it are added.
Bytes fits(const std::vector<std::string>& cards);

Bytes text(std::string_view header);

struct BmpFields {
  std::uint32_t offset = 54;
  std::uint32_t header = 40;
  std::uint32_t width = 31;
  std::uint32_t height = 21;
  std::uint16_t planes = 1;
  std::uint16_t bits = 24;
  std::uint32_t compression = 0;
};
Bytes bmp(const BmpFields& fields);

struct TgaFields {
  std::uint8_t id = 0;
  std::uint8_t map = 0;
  std::uint8_t kind = 2;
  std::uint8_t map_bits = 0;
  std::uint16_t left = 0;
  std::uint16_t bottom = 0;
  std::uint16_t width = 31;
  std::uint16_t height = 21;
  std::uint8_t depth = 24;
  std::uint8_t descriptor = 0x20;
};
Bytes tga(const TgaFields& fields);

/// One entry of a TIFF directory. If the values do not fit, they come after the directory.
struct TiffEntry {
  std::uint16_t tag = 0;
  std::uint16_t type = 3;  ///< 3 SHORT, 4 LONG, 16 LONG8
  std::vector<std::uint64_t> values{};
};
struct TiffFields {
  bool big_endian = false;
  bool big = false;  ///< BigTIFF
  std::vector<TiffEntry> entries{};
  std::optional<std::uint64_t> directory_at{};
  std::optional<std::uint64_t> entry_count{};
};
Bytes tiff(const TiffFields& fields);
/// An image of 31 x 21 in one strip at 1000. `changes` are added, or replace entries of the same tag, or
/// remove them if they have no values.
std::vector<TiffEntry> tiff_picture(const std::vector<TiffEntry>& changes = {});

struct NiftiFields {
  bool big_endian = false;
  std::vector<std::uint64_t> dims = {3, 16, 20, 12};  ///< the count first
  std::uint16_t type = 4;
  std::uint16_t bits = 16;
  float offset1 = 352;
  std::uint64_t offset2 = 544;
};
Bytes nifti1(const NiftiFields& fields);
Bytes nifti2(const NiftiFields& fields);

struct NetcdfVariable {
  std::vector<std::uint64_t> dimensions{};  ///< indices
  std::uint32_t type = 5;
  std::uint64_t begin = 1000;
};
struct NetcdfFields {
  std::uint8_t version = 1;
  std::uint64_t records = 0;
  std::vector<std::uint64_t> dimensions = {20, 30};  ///< 0: the record dimension
  std::vector<NetcdfVariable> variables = {{.dimensions = {0, 1}}};
  std::optional<std::uint64_t> dimension_count{};
  std::optional<std::uint64_t> variable_count{};
  std::optional<std::uint64_t> rank{};             ///< the stated number of dimensions of every variable
  std::optional<std::uint64_t> attribute_bytes{};  ///< the stated length of every text attribute
};
Bytes netcdf(const NetcdfFields& fields);

struct Sample {
  std::string name;
  Bytes bytes;
  SniffedHint hint;
};
/// Good headers of every format, each followed by a few numbers.
const std::vector<Sample>& good_samples();

/// sniff() of the first `length` bytes, in memory that ends there. So a sanitizer finds any read after them.
std::optional<SniffedHint> sniff_first(const Bytes& bytes, std::size_t length);
inline std::optional<SniffedHint> sniff_all(const Bytes& bytes) {
  return sniff_first(bytes, bytes.size());
}

}  // namespace tdz::formats
