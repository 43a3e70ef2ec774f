// SPDX-License-Identifier: Apache-2.0
#include "formats/sniff.hpp"

#include <array>

#include "formats/sniff/reading.hpp"

namespace tdz::formats {
namespace {

using Sniffer = std::optional<SniffedHint> (*)(std::span<const std::byte>);

// Formats with long magics come first. The magic of BMP has only two letters. TGA has none, so it comes last,
// when no other format knows the file.
constexpr std::array<Sniffer, 11> kSniffers = {sniff_wav,    sniff_aiff, sniff_npy,     sniff_fits,
                                               sniff_nifti,  sniff_tiff, sniff_netcdf3, sniff_safetensors,
                                               sniff_netpbm, sniff_bmp,  sniff_tga};

bool makes_sense(const SniffedHint& hint) {
  return is_word_size(hint.type.word) && hint.type.tuple != 0 && hint.offset != 0;
}

bool are_alike(const SniffedColumn& a, const SniffedColumn& b) {
  return a.type.kind == b.type.kind && a.type.word == b.type.word && a.big_endian == b.big_endian;
}

std::uint64_t bytes_of(const NumberType& type) {
  return std::uint64_t{type.word} * type.tuple;
}

}  // namespace

std::uint64_t SniffedColumns::row_bytes() const {
  std::uint64_t sum = 0;
  for (const SniffedColumn& column : list()) sum += bytes_of(column.type);
  return sum;
}

bool SniffedColumns::add(const SniffedColumn& column) {
  constexpr std::uint64_t kMaxCount = 0xFFFF;
  if (column.type.tuple > kMaxCount || row_bytes() + bytes_of(column.type) > kMaxRowBytes) return false;
  if (count_ != 0 && are_alike(storage_[count_ - 1], column)) {
    auto& count = storage_[count_ - 1].type.tuple;
    if (count + column.type.tuple > kMaxCount) return false;
    count += column.type.tuple;
    return true;
  }
  if (count_ == storage_.size()) return false;
  storage_[count_++] = column;
  return true;
}

std::optional<SniffedHint> sniff(std::span<const std::byte> prefix) {
  for (const Sniffer sniffer : kSniffers) {
    auto hint = sniffer(prefix);
    if (!hint || !makes_sense(*hint)) continue;
    if (hint->type.word == 1) hint->big_endian = false;
    return hint;
  }
  return std::nullopt;
}

}  // namespace tdz::formats
