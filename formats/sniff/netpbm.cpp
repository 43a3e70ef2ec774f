// SPDX-License-Identifier: Apache-2.0
// PGM, PPM (binary) and PAM. A sample has one byte if the maximum is at most 255, else two bytes, big-endian.
#include "formats/sniff/families.hpp"
#include "formats/sniff/fields.hpp"
#include "formats/sniff/grid.hpp"
#include "formats/sniff/text_reader.hpp"

namespace tdz::formats {
namespace {

constexpr std::uint64_t kMaxSample = 65535;
// Samples of a pixel. PAM has no limit; with more than this it is not an image.
constexpr std::uint64_t kMaxDepth = 65535;

struct Picture {
  std::string_view format;
  std::uint64_t width = 0;
  std::uint64_t height = 0;
  std::uint64_t depth = 0;
  std::uint64_t max_sample = 0;
};

std::optional<SniffedHint> hint_from(const Picture& picture, std::uint64_t offset) {
  if (picture.max_sample == 0 || picture.max_sample > kMaxSample) return std::nullopt;
  if (picture.depth == 0 || picture.depth > kMaxDepth) return std::nullopt;
  const std::uint8_t word = picture.max_sample > 255 ? 2 : 1;
  SniffedHint hint{picture.format, {'u', word, static_cast<std::uint32_t>(picture.depth)}, offset, true};
  if (!lay_out_picture(hint, picture.width, picture.height)) return std::nullopt;
  return hint;
}

// Blanks and comments, then a number, then exactly one blank or a comment. This is how netpbm reads it.
std::optional<std::uint64_t> plain_number(TextReader& header) {
  header.skip_spaces();
  while (header.take('#')) {
    header.take_until('\n');
    header.skip_spaces();
  }
  const auto value = header.number();
  if (header.take('#')) {
    header.take_until('\n');
    return header.at_end() ? std::nullopt : value;  // a comment without an end: the header is cut off
  }
  return TextReader::is_space(header.next()) ? value : std::nullopt;
}

std::optional<SniffedHint> sniff_plain(TextReader header, std::string_view format, std::uint64_t depth) {
  const auto width = plain_number(header);
  const auto height = plain_number(header);
  const auto max_sample = plain_number(header);
  if (!width || !height || !max_sample) return std::nullopt;
  return hint_from({format, *width, *height, depth, *max_sample}, header.position());
}

// One line, such as "WIDTH 640". Other words, comments and empty lines are accepted.
bool read_pam_line(Picture& picture, std::string_view text) {
  TextReader line(text);
  line.skip_spaces();
  std::uint64_t* field = line.take("WIDTH ")    ? &picture.width
                         : line.take("HEIGHT ") ? &picture.height
                         : line.take("DEPTH ")  ? &picture.depth
                         : line.take("MAXVAL ") ? &picture.max_sample
                                                : nullptr;
  if (field == nullptr) return true;
  line.skip_spaces();
  const auto value = line.number();
  line.skip_spaces();
  if (!value || !line.at_end()) return false;
  *field = *value;
  return true;
}

std::optional<SniffedHint> sniff_pam(TextReader header) {
  Picture picture{"PAM"};
  while (!header.at_end()) {
    if (header.take("ENDHDR\n")) return hint_from(picture, header.position());
    if (!read_pam_line(picture, header.take_until('\n'))) return std::nullopt;
  }
  return std::nullopt;
}

}  // namespace

std::optional<SniffedHint> sniff_netpbm(std::span<const std::byte> prefix) {
  const Fields fields(prefix, true);
  TextReader header(fields.text(0, fields.size()));
  if (header.take("P7\n")) return sniff_pam(header);
  if (!header.take('P')) return std::nullopt;
  const char digit = header.next();
  if (digit != '5' && digit != '6') return std::nullopt;
  if (!TextReader::is_space(header.peek()) && header.peek() != '#') return std::nullopt;
  return digit == '5' ? sniff_plain(header, "PGM", 1) : sniff_plain(header, "PPM", 3);
}

}  // namespace tdz::formats
