// SPDX-License-Identifier: Apache-2.0
#include "formats/stream/note.hpp"

namespace tdz::formats {

std::vector<std::byte> serialize(const Note& note) {
  std::vector<std::byte> body;
  put_le(body, note.offset);
  put_bytes(body, note.content);
  return build_record(note.kind, note.tag, body);
}

Result<Note> parse_note(std::span<const std::byte> record, std::uint64_t where) {
  auto in = open_record(record, {.note = true}, where);
  if (!in) return in.error();
  Note note{.kind = in->kind, .tag = in->tag, .offset = in->body.get<std::uint64_t>()};
  const auto content = in->body.take(in->body.left());
  note.content.assign(content.begin(), content.end());
  return note;
}

}  // namespace tdz::formats
