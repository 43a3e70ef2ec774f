// SPDX-License-Identifier: Apache-2.0
// AIFF and AIFF-C without compression: big-endian integers, little-endian integers (sowt), floats, telephone
// codes.
#include "formats/sniff/chunks.hpp"
#include "formats/sniff/families.hpp"

namespace tdz::formats {
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
