// SPDX-License-Identifier: Apache-2.0
// Does sniff() understand headers that other programs wrote? See sniff_real_headers.py.
#include <charconv>

#include "sniff_real_headers.hpp"
#include "sniff_samples.hpp"
#include "sniff_support.hpp"

namespace tdz::formats {
namespace {

Bytes unpacked(std::string_view hex) {
  Bytes bytes;
  while (!hex.empty()) {
    if (hex.front() == ' ') {
      hex.remove_prefix(1);
      continue;
    }
    unsigned value = 0;
    std::from_chars(hex.data(), hex.data() + 2, value, 16);
    hex.remove_prefix(2);
    std::size_t times = 1;
    if (hex.starts_with('*')) {
      const char* end = hex.data() + hex.size();
      hex.remove_prefix(1);
      hex.remove_prefix(static_cast<std::size_t>(std::from_chars(hex.data(), end, times).ptr - hex.data()));
    }
    bytes.insert(bytes.end(), times, static_cast<std::byte>(value));
  }
  return bytes;
}

}  // namespace

TEST_CASE("headers that other programs wrote give the type and shape of the array") {
  for (const RealHeader& real : kRealHeaders) {
    CAPTURE(real.what);
    const Bytes bytes = unpacked(real.hex);
    REQUIRE(bytes.size() == real.offset);
    const auto type = parse_type(real.type);
    REQUIRE(type);
    const SniffedHint expected{real.format, *type, real.offset, real.big_endian, real.row_words};
    CHECK(shown(sniff_all(bytes)) == shown(expected));
  }
}

TEST_CASE("a cut header of another program gives the same hint or none") {
  for (const RealHeader& real : kRealHeaders) {
    CAPTURE(real.what);
    const Bytes bytes = unpacked(real.hex);
    const auto whole = sniff_all(bytes);
    for (std::size_t length = 0; length < bytes.size(); ++length) {
      const auto hint = sniff_first(bytes, length);
      REQUIRE((!hint || hint == whole));
    }
  }
}

}  // namespace tdz::formats
