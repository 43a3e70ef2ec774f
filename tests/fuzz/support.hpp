// SPDX-License-Identifier: Apache-2.0
// What the fuzz targets share. Each target is one file with one TDZ_FUZZ_TARGET: it takes bytes, and stops
// the program when something is wrong.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <span>

#include "codec/stream/memory_io.hpp"
#include "formats/bytes.hpp"
#include "formats/digest.hpp"
#include "formats/stream/record.hpp"
#include "tests/codec/support.hpp"
#include "tests/fuzz/targets.hpp"

/// Defines and registers a target: TDZ_FUZZ_TARGET(records, bytes) { ... }
#define TDZ_FUZZ_TARGET(name, bytes)                                           \
  static void run_##name(std::span<const std::byte> bytes);                    \
  static const tdz::fuzz::Registration registration_##name(#name, run_##name); \
  static void run_##name(std::span<const std::byte> bytes)

/// Prints what was expected, and stops.
#define TDZ_MUST(condition)                                                           \
  do {                                                                                \
    if (!(condition)) {                                                               \
      std::fprintf(stderr, "%s:%d: must hold: %s\n", __FILE__, __LINE__, #condition); \
      std::abort();                                                                   \
    }                                                                                 \
  } while (false)

namespace tdz::fuzz {

using test::Bytes;

inline constexpr std::uint64_t kMemory = 64u << 20;
inline constexpr std::uint64_t kMaxOutput = 16u << 20;

/// Takes choices from the front of an input; the rest is data.
class Choices {
 public:
  explicit Choices(std::span<const std::byte> bytes) : reader_(bytes) {}

  template <class T>
  T number() {
    return reader_.get<T>();
  }
  unsigned below(unsigned bound) { return number<std::uint8_t>() % bound; }
  bool yes() { return below(2) == 1; }
  std::span<const std::byte> rest() { return reader_.take(reader_.left()); }

 private:
  formats::ByteReader reader_;
};

/// Makes the prefix checks and final checks of all records right, from the first record as far as the lengths
/// lead. Random bytes never have right checks, and then the code after the checks would not run.
inline Bytes with_right_checks(std::span<const std::byte> bytes) {
  using namespace formats;
  Bytes out(bytes.begin(), bytes.end());
  for (std::size_t at = 0; at + kPrefixBytes + kCheckBytes <= out.size();) {
    const auto here = std::span(out).subspan(at);
    if (!looks_like_record(here)) {
      ++at;
      continue;
    }
    const std::uint64_t total = std::uint64_t{get_le<std::uint32_t>(here.subspan(4))} + 8;
    set_le(here.subspan(24), xxh3_64(here.first(24)));
    if (total < kPrefixBytes + kCheckBytes || total > here.size()) {
      at += kPrefixBytes;
      continue;
    }
    const auto record = here.first(static_cast<std::size_t>(total));
    set_le(record.last(kCheckBytes), xxh3_64(record.first(record.size() - kCheckBytes)));
    at += record.size();
  }
  return out;
}

inline DecompressOptions limited() {
  DecompressOptions options;
  options.threads = 1;
  options.memory = kMemory;
  options.max_output = kMaxOutput;
  return options;
}

/// A file may give only errors of these kinds. Any other kind is a bug of tdz.
inline bool is_verdict(const Error& error) {
  switch (error.kind) {
    case ErrorKind::corrupt:
    case ErrorKind::truncated:
    case ErrorKind::unsupported:
    case ErrorKind::limit:
      return true;
    case ErrorKind::usage:
    case ErrorKind::io:
    case ErrorKind::cancelled:
      return false;
  }
  return false;
}

}  // namespace tdz::fuzz
