// SPDX-License-Identifier: Apache-2.0
#include "samples.hpp"

namespace tdz::test {

using namespace tdz::formats;

Bytes RandomValues::bytes(std::size_t length) {
  Bytes out(length);
  for (std::byte& byte : out) byte = static_cast<std::byte>(any() >> 32);
  return out;
}

void reseal(Bytes& record) {
  const std::span<std::byte> bytes(record);
  set_le(bytes.subspan(4), static_cast<std::uint32_t>(record.size() - 8));
  set_le(bytes.subspan(24), xxh3_64(bytes.first(24)));
  set_le(bytes.last(8), xxh3_64(bytes.first(record.size() - 8)));
}

}  // namespace tdz::test
