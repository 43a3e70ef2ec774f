// SPDX-License-Identifier: Apache-2.0
#include "sniff_samples.hpp"

#include <algorithm>

namespace tdz::formats {
namespace {

std::uint16_t block_of(const WavFields& fields) {
  return fields.block.value_or(static_cast<std::uint16_t>(fields.channels * ((fields.bits + 7) / 8)));
}

void put_format(Fielder& out, const WavFields& fields, std::uint16_t tag) {
  out.u16(tag).u16(fields.channels).u32(44100).u32(44100u * block_of(fields));
  out.u16(block_of(fields)).u16(fields.bits);
}

constexpr std::string_view kW64Tail("\xF3\xAC\xD3\x11\x8C\xD1\x00\xC0\x4F\x8E\xDB\x8A", 12);

void put_netcdf_name(Fielder& out, unsigned width, std::string_view name) {
  out.put(name.size(), width).text(name);
  out.up_to((out.bytes.size() + 3) / 4 * 4);
}

void put_netcdf_attribute(Fielder& out, unsigned width, std::optional<std::uint64_t> claimed) {
  out.u32(12).put(1, width);
  put_netcdf_name(out, width, "units");
  out.u32(2).put(claimed.value_or(6), width).text("metres").u16(0);
}

std::size_t values_bytes(const TiffEntry& entry) {
  return entry.values.size() * (entry.type == 3 ? 2u : entry.type == 4 ? 4u : 8u);
}

void put_values(Fielder& out, const TiffEntry& entry) {
  for (const std::uint64_t value : entry.values)
    out.put(value, entry.type == 3 ? 2u : entry.type == 4 ? 4u : 8u);
}

}  // namespace

Bytes wav(const WavFields& fields) {
  Fielder out(fields.magic == "RIFX");
  out.text(fields.magic).u32(0xFFFFFFFF).text("WAVE");
  const std::uint32_t format_bytes = fields.extensible ? 40 : 16;
  out.text("fmt ").u32(fields.format_bytes != 0 ? fields.format_bytes : format_bytes);
  put_format(out, fields, fields.extensible ? std::uint16_t{0xFFFE} : fields.tag);
  if (fields.extensible) {
    out.u16(22).u16(fields.bits).u32(3);
    out.u16(fields.tag).text({"\0\0\0\0\x10\0\x80\0\0\xAA\0\x38\x9B\x71", 14});
  }
  if (fields.note_bytes != 0)
    out.text("note").u32(fields.note_bytes).up_to(out.bytes.size() + fields.true_note_bytes);
  out.text("data").u32(0xFFFFFFFF);
  return out.bytes;
}

Bytes w64(const W64Fields& fields) {
  Fielder out;
  out.text({"riff\x2E\x91\xCF\x11\xA5\xD6\x28\xDB\x04\xC1\0\0", 16}).u64(1000).text("wave").text(kW64Tail);
  out.text("note").text(kW64Tail).u64(fields.note_bytes).u64(0);  // 29 bytes: padded to 32
  out.text("fmt ").text(kW64Tail).u64(fields.format_bytes);
  put_format(out, {.channels = 3, .bits = 24}, 1);
  out.text("data").text(kW64Tail).u64(1000);
  return out.bytes;
}

Bytes aiff(const AiffFields& fields) {
  const std::uint32_t common_bytes = fields.coding.empty() ? 18 : 24;
  Fielder out(true);
  out.text("FORM").u32(1000).text(fields.coding.empty() ? "AIFF" : "AIFC");
  out.text("NAME").u32(5).text("abcde").u8(0);
  out.text("COMM").u32(fields.common_bytes != 0 ? fields.common_bytes : common_bytes);
  out.u16(fields.channels).u32(100).u16(fields.bits).text({"\x40\x0E\xAC\x44\0\0\0\0\0\0", 10});
  if (!fields.coding.empty()) out.text(fields.coding).u16(0);
  out.text("SSND").u32(800).u32(fields.skipped).u32(0).up_to(out.bytes.size() + fields.skipped % 64);
  return out.bytes;
}

Bytes safetensors(std::string header) {
  header.resize((header.size() + 7) / 8 * 8, ' ');
  return Fielder().u64(header.size()).text(header).bytes;
}

Bytes npy(std::string_view dictionary, std::uint8_t version) {
  const unsigned length_bytes = version == 1 ? 2 : 4;
  const std::size_t head = 8 + length_bytes;
  const std::size_t total = (head + dictionary.size() + 1 + 63) / 64 * 64;
  Fielder out;
  out.text("\x93NUMPY").u8(version).u8(0).put(total - head, length_bytes).text(dictionary);
  out.text(std::string(total - 1 - out.bytes.size(), ' ')).text("\n");
  return out.bytes;
}

Bytes fits(const std::vector<std::string>& cards) {
  std::string all;
  for (std::string card : cards) all += (card.resize(80, ' '), card);
  all += "END";
  all.resize((all.size() + 2879) / 2880 * 2880, ' ');
  return text(all);
}

Bytes text(std::string_view header) {
  return Fielder().text(header).bytes;
}

Bytes bmp(const BmpFields& fields) {
  Fielder out;
  out.text("BM").u32(2100).u32(0).u32(fields.offset).u32(fields.header);
  if (fields.header == 12)
    out.u16(fields.width).u16(fields.height).u16(fields.planes).u16(fields.bits);
  else
    out.u32(fields.width).u32(fields.height).u16(fields.planes).u16(fields.bits).u32(fields.compression);
  return out.up_to(std::min<std::size_t>(std::max<std::size_t>(fields.offset, out.bytes.size()), 1200)).bytes;
}

Bytes tga(const TgaFields& fields) {
  Fielder out;
  out.u8(fields.id).u8(fields.map).u8(fields.kind).u16(0).u16(0).u8(fields.map_bits);
  out.u16(fields.left).u16(fields.bottom).u16(fields.width).u16(fields.height);
  return out.u8(fields.depth).u8(fields.descriptor).up_to(18u + fields.id).bytes;
}

Bytes tiff(const TiffFields& fields) {
  const unsigned number = fields.big ? 8 : 4;
  const std::uint64_t head = fields.big ? 16 : 8;
  const std::size_t entry_bytes = 4 + 2 * number;
  std::uint64_t behind = head + (fields.big ? 8 : 2) + fields.entries.size() * entry_bytes + number;
  Fielder out(fields.big_endian);
  Fielder values(fields.big_endian);
  out.text(fields.big_endian ? "MM" : "II").u16(fields.big ? 43 : 42);
  if (fields.big) out.u16(8).u16(0);
  out.put(fields.directory_at.value_or(head), number);
  out.put(fields.entry_count.value_or(fields.entries.size()), fields.big ? 8 : 2);
  for (const TiffEntry& entry : fields.entries) {
    const std::size_t next = out.bytes.size() + entry_bytes;
    out.u16(entry.tag).u16(entry.type).put(entry.values.size(), number);
    if (values_bytes(entry) <= number) {
      put_values(out, entry);
    } else {
      out.put(behind + values.bytes.size(), number);
      put_values(values, entry);
    }
    out.up_to(next);
  }
  out.put(0, number);
  out.bytes.insert(out.bytes.end(), values.bytes.begin(), values.bytes.end());
  return out.bytes;
}

std::vector<TiffEntry> tiff_picture(const std::vector<TiffEntry>& changes) {
  std::vector<TiffEntry> entries = {{256, 3, {31}},   {257, 3, {21}},         {258, 3, {16}},
                                    {259, 3, {1}},    {262, 3, {1}},          {277, 3, {1}},
                                    {273, 4, {1000}}, {279, 4, {31 * 21 * 2}}};
  for (const TiffEntry& change : changes) {
    std::erase_if(entries, [&](const TiffEntry& entry) { return entry.tag == change.tag; });
    if (!change.values.empty()) entries.push_back(change);
  }
  std::ranges::sort(entries, {}, &TiffEntry::tag);
  return entries;
}

Bytes nifti1(const NiftiFields& fields) {
  Fielder out(fields.big_endian);
  out.u32(348).up_to(40);
  for (const std::uint64_t dim : fields.dims) out.u16(dim);
  out.up_to(70).u16(fields.type).u16(fields.bits).up_to(108).f32(fields.offset1);
  return out.up_to(344).text({"n+1\0", 4}).up_to(352).bytes;
}

Bytes nifti2(const NiftiFields& fields) {
  Fielder out(fields.big_endian);
  out.u32(540).text({"n+2\0\r\n\x1A\n", 8}).u16(fields.type).u16(fields.bits);
  for (const std::uint64_t dim : fields.dims) out.u64(dim);
  return out.up_to(168).u64(fields.offset2).up_to(544).bytes;
}

Bytes netcdf(const NetcdfFields& fields) {
  const unsigned width = fields.version == 5 ? 8 : 4;
  Fielder out(true);
  out.text("CDF").u8(fields.version).put(fields.records, width);
  out.u32(10).put(fields.dimension_count.value_or(fields.dimensions.size()), width);
  for (const std::uint64_t length : fields.dimensions) {
    put_netcdf_name(out, width, "axis");
    out.put(length, width);
  }
  put_netcdf_attribute(out, width, fields.attribute_bytes);
  out.u32(11).put(fields.variable_count.value_or(fields.variables.size()), width);
  for (const NetcdfVariable& variable : fields.variables) {
    put_netcdf_name(out, width, "field");
    out.put(fields.rank.value_or(variable.dimensions.size()), width);
    for (const std::uint64_t dimension : variable.dimensions) out.put(dimension, width);
    put_netcdf_attribute(out, width, fields.attribute_bytes);
    out.u32(variable.type).put(0xFFFFFFFF, width).put(variable.begin, fields.version == 1 ? 4 : 8);
  }
  return out.bytes;
}

std::optional<SniffedHint> sniff_first(const Bytes& bytes, std::size_t length) {
  const Bytes exact(bytes.begin(), bytes.begin() + static_cast<std::ptrdiff_t>(length));
  return sniff(exact);
}

}  // namespace tdz::formats
