// SPDX-License-Identifier: Apache-2.0
// Audio: WAV and its variants, AIFF and AIFF-C.
#include "formats/sniff/reading.hpp"

namespace tdz::formats {

// ---- WAV: RIFF and its variants. RIFX is big-endian. RF64 and BW64 have other lengths for large chunks;
// here only small chunks matter. W64 (Sony) has chunk names of 16 bytes and lengths of 64 bits.

namespace {

constexpr std::uint16_t kPcm = 1;
constexpr std::uint16_t kFloat = 3;
constexpr std::uint16_t kALaw = 6;
constexpr std::uint16_t kMuLaw = 7;
constexpr std::uint16_t kExtensible = 0xFFFE;
constexpr std::uint64_t kFormatBytes = 16;
constexpr std::uint64_t kSubFormatAt = 24;  // the GUID that replaces the tag; its first 16 bits are the tag
constexpr std::uint64_t kExtensibleBytes = 40;

std::optional<NumberType> type_of(std::uint16_t tag, unsigned bits, std::uint32_t channels) {
  if (tag == kPcm) return integer_samples(bits, channels, 'u');
  if (tag == kFloat) return float_samples(bits, channels);
  // Codes on a logarithmic scale: values that are close in time still have codes that are close.
  if ((tag == kALaw || tag == kMuLaw) && bits == 8) return integer_samples(bits, channels, 'u');
  return std::nullopt;
}

std::optional<NumberType> read_format(Fields& fields, FoundChunk format) {
  if (format.length < kFormatBytes) return std::nullopt;
  std::uint16_t tag = fields.u16(format.body);
  const std::uint16_t channels = fields.u16(format.body + 2);
  const std::uint16_t block = fields.u16(format.body + 12);
  const std::uint16_t bits = fields.u16(format.body + 14);
  if (tag == kExtensible) {
    if (format.length < kExtensibleBytes) return std::nullopt;
    tag = fields.u16(format.body + kSubFormatAt);
  }
  const auto type = type_of(tag, bits, channels);
  // A block of another size means that samples lie in wider containers. The header does not say which ones.
  if (fields.overran() || !type || std::uint64_t{type->word} * type->tuple != block) return std::nullopt;
  return type;
}

std::optional<SniffedHint> hint_from(Fields& fields, std::optional<FoundChunk> format,
                                     std::optional<FoundChunk> data) {
  if (!format || !data) return std::nullopt;
  const auto type = read_format(fields, *format);
  if (!type) return std::nullopt;
  return SniffedHint{"WAV", *type, data->body, fields.big_endian()};
}

std::optional<SniffedHint> sniff_riff(Fields fields) {
  if (!fields.has("WAVE", 8)) return std::nullopt;
  return hint_from(fields, find_chunk(fields, "fmt "), find_chunk(fields, "data"));
}

// The names of W64: four letters and a constant tail. The first name has another tail.
constexpr std::string_view kW64Riff("riff\x2E\x91\xCF\x11\xA5\xD6\x28\xDB\x04\xC1\x00\x00", 16);
constexpr std::string_view kW64Tail("\xF3\xAC\xD3\x11\x8C\xD1\x00\xC0\x4F\x8E\xDB\x8A", 12);
constexpr std::uint64_t kW64Head = 24;        // name and length; the length includes these 24 bytes
constexpr std::uint64_t kW64FirstChunk = 40;  // after riff, length, wave

bool has_w64_name(const Fields& fields, std::string_view letters, std::uint64_t at) {
  return fields.has(letters, at) && fields.has(kW64Tail, at + 4);
}

std::optional<FoundChunk> find_w64_chunk(Fields& fields, std::string_view letters) {
  for (std::uint64_t at = kW64FirstChunk; fields.holds(at, kW64Head);) {
    const std::uint64_t length = fields.u64(at + 16);
    if (length < kW64Head) return std::nullopt;
    if (has_w64_name(fields, letters, at)) return FoundChunk{at + kW64Head, length - kW64Head};
    if (!fields.holds(at, length)) return std::nullopt;  // so the sum below cannot overflow
    at += (length + 7) / 8 * 8;
  }
  return std::nullopt;
}

std::optional<SniffedHint> sniff_w64(Fields fields) {
  if (!has_w64_name(fields, "wave", kW64Head)) return std::nullopt;
  return hint_from(fields, find_w64_chunk(fields, "fmt "), find_w64_chunk(fields, "data"));
}

}  // namespace

std::optional<SniffedHint> sniff_wav(std::span<const std::byte> prefix) {
  const Fields little(prefix, false);
  if (little.has("RIFF", 0) || little.has("RF64", 0) || little.has("BW64", 0)) return sniff_riff(little);
  if (little.has("RIFX", 0)) return sniff_riff(Fields(prefix, true));
  if (little.has(kW64Riff, 0)) return sniff_w64(little);
  return std::nullopt;
}

// ---- AIFF and AIFF-C without compression: big-endian integers, little-endian integers (sowt), floats,
// telephone codes

namespace {

constexpr std::uint64_t kCommonBytes = 18;  // channels, frames, bits, an 80-bit rate
constexpr std::uint64_t kSoundHead = 8;     // offset and block size before the samples

struct Coding {
  std::optional<NumberType> type;
  bool big_endian = true;
};

Coding coding_of(std::string_view name, unsigned bits, std::uint32_t channels) {
  if (name == "NONE" || name == "twos" || name == "in24" || name == "in32")
    return {integer_samples(bits, channels, 'i')};
  // The last three are 24 and 32 bits with reversed letters, as QuickTime and libsndfile write them.
  if (name == "sowt" || name == "42ni" || name == "42n1" || name == "23ni")
    return {integer_samples(bits, channels, 'i'), false};
  if (name == "raw ") return {integer_samples(8, channels, 'u')};
  if (name == "fl32" || name == "FL32") return {float_samples(32, channels)};
  if (name == "fl64" || name == "FL64") return {float_samples(64, channels)};
  if (name == "ulaw" || name == "ULAW" || name == "alaw" || name == "ALAW")
    return {integer_samples(8, channels, 'u')};
  return {};
}

// AIFF-C adds the name of the coding after the fields of AIFF.
std::string_view coding_name(const Fields& fields, FoundChunk common) {
  if (!fields.has("AIFC", 8)) return "NONE";
  const std::uint64_t at = common.body + kCommonBytes;
  return common.length >= kCommonBytes + 4 && fields.holds(at, 4) ? fields.text(at, 4) : std::string_view();
}

}  // namespace

std::optional<SniffedHint> sniff_aiff(std::span<const std::byte> prefix) {
  Fields fields(prefix, true);
  if (!fields.has("FORM", 0) || !(fields.has("AIFF", 8) || fields.has("AIFC", 8))) return std::nullopt;
  const auto common = find_chunk(fields, "COMM");
  const auto sound = find_chunk(fields, "SSND");
  if (!common || !sound || common->length < kCommonBytes) return std::nullopt;

  const std::uint16_t channels = fields.u16(common->body);
  const std::uint16_t bits = fields.u16(common->body + 6);
  const std::uint64_t skipped = fields.u32(sound->body);
  const Coding coding = coding_of(coding_name(fields, *common), bits, channels);
  if (fields.overran() || !coding.type) return std::nullopt;
  return SniffedHint{"AIFF", *coding.type, sound->body + kSoundHead + skipped, coding.big_endian};
}

}  // namespace tdz::formats
