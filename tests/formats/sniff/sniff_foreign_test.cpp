// SPDX-License-Identifier: Apache-2.0
// Does sniff() give no hint for files that it does not know?
#include <array>

#include "sniff_samples.hpp"
#include "sniff_support.hpp"

namespace tdz::formats {
namespace {

using namespace std::string_view_literals;

// The first bytes of other formats, and of variants with compressed or packed numbers.
constexpr std::array kForeign = {""sv,
                                 "\0"sv,
                                 "The quick brown fox jumps over the lazy dog, and the dog lets it."sv,
                                 "\x89PNG\r\n\x1A\n\0\0\0\rIHDR\0\0\0\x1F\0\0\0\x15\x08\x02\0\0\0"sv,
                                 "\xFF\xD8\xFF\xE0\0\x10JFIF\0\x01\x01\0\0\x01\0\x01\0\0"sv,
                                 "GIF89a\x1F\0\x15\0\xF7\0\0"sv,
                                 "\x28\xB5\x2F\xFD\x04\x58\0\0\0\0\0\0\0\0\0\0\0\0\0\0"sv,
                                 "\x1F\x8B\x08\0\0\0\0\0\0\x03\0\0\0\0\0\0\0\0\0\0"sv,
                                 "\xFD\x37zXZ\0\0\x04\0\0\0\0\0\0\0\0\0\0\0\0"sv,
                                 "PK\x03\x04\x14\0\0\0\x08\0\0\0\0\0\0\0\0\0\0\0"sv,
                                 "\x7F"
                                 "ELF\x02\x01\x01\0\0\0\0\0\0\0\0\0\x03\0\x3E\0\x01\0\0\0"sv,
                                 "fLaC\0\0\0\x22\x10\0\x10\0\0\0\0\0\0\0\0\0"sv,
                                 "\x89HDF\r\n\x1A\n\0\0\0\0\0\x08\x08\0\x04\0\x10\0"sv,
                                 "RIFF\x24\0\0\0AVI LIST\x10\0\0\0hdrl"sv,
                                 "P1\n2 2\n0 1 1 0\n"sv,
                                 "P4\n8 2\n\xFF\0"sv,
                                 "P7 332\n80 60 255\n"sv,
                                 "BMW, a maker of cars, and of other things that move about"sv,
                                 "XTENSION= 'IMAGE   '           / a FITS extension without its file"sv};

}  // namespace

TEST_CASE("other files give no hint") {
  for (const std::string_view start : kForeign) {
    CAPTURE(start);
    CHECK(shown(sniff_all(text(start))) == "no hint");
    CHECK(shown(sniff_all(Fielder().text(start).up_to(4096).bytes)) == "no hint");
  }
}

TEST_CASE("equal bytes give no hint") {
  for (unsigned value = 0; value < 256; ++value) {
    CAPTURE(value);
    CHECK(shown(sniff_all(Bytes(4096, static_cast<std::byte>(value)))) == "no hint");
  }
}

TEST_CASE("counting numbers, little-endian or big-endian, give no hint") {
  for (const bool big_endian : {false, true}) {
    for (const unsigned width : {1u, 2u, 4u, 8u}) {
      for (const std::uint64_t first : {0u, 1u, 2u, 131072u, 512u}) {
        Fielder out(big_endian);
        for (std::uint64_t i = 0; i < 1000; ++i) out.put(first + i, width);
        CHECK(shown(sniff_all(out.bytes)) == "no hint");
      }
    }
  }
}

}  // namespace tdz::formats
