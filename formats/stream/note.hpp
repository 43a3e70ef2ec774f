// SPDX-License-Identifier: Apache-2.0
// Notes: records that readers check and step over. Version 1.0 defines none and writes none; serialize is for
// tests. FORMAT.md, section 2. Pure functions, thread-safe.
#pragma once

#include "formats/stream/envelope.hpp"

namespace tdz::formats {

struct Note {
  RecordKind kind{};
  std::uint64_t tag = 0;
  std::uint64_t offset = 0;          ///< of this note in the stream
  std::vector<std::byte> content{};  ///< its own, with zeros up to a multiple of 8

  friend bool operator==(const Note&, const Note&) = default;
};

std::vector<std::byte> serialize(const Note& note);
/// The caller judges tag and offset: before chunk 0 the tag is not known yet.
Result<Note> parse_note(std::span<const std::byte> record, std::uint64_t where);

}  // namespace tdz::formats
