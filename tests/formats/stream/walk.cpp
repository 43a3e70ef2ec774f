// SPDX-License-Identifier: Apache-2.0
#include "walk.hpp"

#include "../support/samples.hpp"
#include "formats/stream/stream_state.hpp"

namespace tdz::test {
namespace {

using namespace tdz::formats;
using formats::Fault;
using formats::RecordKind;

/// The bytes from `at` on, and a way to take whole records from them.
struct Walk {
  std::span<const std::byte> file;
  std::size_t at = 0;

  std::span<const std::byte> left() const { return file.subspan(at); }

  /// The next record, or as much of it as is there.
  std::span<const std::byte> record(std::uint64_t length) const {
    return left().first(std::min<std::size_t>(left().size(), length));
  }
};

Fault walk_chunk(Walk& walk, std::uint64_t length, StreamState& state) {
  const auto chunk = parse_chunk(walk.record(length), state.chunk_rules(), walk.at);
  if (!chunk) return chunk.error();
  if (auto fault = check_frames_are_there(*chunk, walk.left().size() - length, walk.at)) return fault;
  const std::uint64_t stored = length + packed_bytes(*chunk);
  state.add(*chunk, stored);
  walk.at += stored;
  return {};
}

Fault walk_index(Walk& walk, std::uint64_t length, StreamState& state) {
  const auto part = parse_index(walk.record(length), state.index_part(false), walk.at);
  if (!part) return part.error();
  state.add(*part, length);
  walk.at += length;
  return {};
}

Fault walk_note(Walk& walk, std::uint64_t length, StreamState& state) {
  const auto note = parse_note(walk.record(length), walk.at);
  if (!note) return note.error();
  if (auto fault = state.add(*note, length, walk.at)) return fault;
  walk.at += length;
  return {};
}

Fault walk_end(Walk& walk, std::uint64_t length, StreamState& state) {
  const auto end = parse_end(walk.record(length), state.end_rules(), walk.at);
  if (!end) return end.error();
  walk.at += length;
  return {};
}

Fault walk_record(Walk& walk, StreamState& state, bool& ended) {
  const auto prefix = parse_prefix(walk.left(), state.allowed(), walk.at);
  if (!prefix) return prefix.error();
  ended = prefix->kind == RecordKind::end;
  if (ended) return walk_end(walk, prefix->total_bytes, state);
  if (prefix->kind == RecordKind::chunk) return walk_chunk(walk, prefix->total_bytes, state);
  if (prefix->kind == RecordKind::index) return walk_index(walk, prefix->total_bytes, state);
  return walk_note(walk, prefix->total_bytes, state);
}

Fault walk_stream(Walk& walk) {
  const auto prefix = parse_prefix(walk.left(), {.header = true}, walk.at);
  if (!prefix) return prefix.error();
  const auto record = walk.record(prefix->total_bytes);
  const auto header = parse_header(record, walk.at);
  if (!header) return header.error();
  StreamState state(*header, record);
  walk.at += record.size();
  for (bool ended = false; !ended;) {
    if (auto fault = walk_record(walk, state, ended)) return fault;
  }
  return {};
}

Fault walk_file(Walk walk) {
  do {
    if (auto fault = walk_stream(walk)) return fault;
    while (!walk.left().empty() && walk.left().front() == std::byte{0}) ++walk.at;
  } while (!walk.left().empty());
  return {};
}

Fault walk_lone_block(std::span<const std::byte> block) {
  const auto prefix = parse_prefix(block, {.chunk = true}, 0);
  if (!prefix) return prefix.error();
  const Walk walk{block};
  const auto chunk = parse_chunk(walk.record(prefix->total_bytes), {}, 0);
  if (!chunk) return chunk.error();
  const std::uint64_t behind = block.size() - prefix->total_bytes;
  if (auto fault = check_frames_are_there(*chunk, behind, 0)) return fault;
  if (packed_bytes(*chunk) != behind) return corrupt("bytes behind the last frame");
  return {};
}

std::string word_of(const Fault& fault) {
  return verdict_of(fault ? Status(*fault) : ok());
}

}  // namespace

std::string verdict_of_file(std::span<const std::byte> file) {
  return word_of(walk_file({file}));
}

std::string verdict_of_lone_block(std::span<const std::byte> block) {
  return word_of(walk_lone_block(block));
}

}  // namespace tdz::test
