// SPDX-License-Identifier: Apache-2.0
#include "samples.hpp"

namespace tdz::test {

using namespace tdz::formats;

Bytes Random::bytes(std::size_t length) {
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

std::string to_string(const Status& status) {
  if (status) return "accepted";
  switch (status.error().kind) {
    case ErrorKind::corrupt:
      return "corrupt";
    case ErrorKind::truncated:
      return "truncated";
    case ErrorKind::unsupported:
      return "unsupported";
    case ErrorKind::usage:
    case ErrorKind::io:
    case ErrorKind::limit:
    case ErrorKind::cancelled:
      break;
  }
  return "an error that bytes cannot cause";
}

}  // namespace tdz::test
