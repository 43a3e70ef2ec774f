// SPDX-License-Identifier: Apache-2.0
// Does a stream that is written from the state match the note's example, and does the state keep the rules of
// the chain and of the index?
#include <doctest/doctest.h>

#include "samples.hpp"

namespace tdz::test::stream {

using formats::get_le;
using formats::put_le;
using formats::xxh3_64;
using namespace tdz::formats;

namespace {

StreamState state_of(const StreamHeader& header) {
  return {header, serialize(header)};
}

ChunkRecord small_chunk(const StreamState& state, std::uint64_t digest, Bytes plan = plan_of_width(1)) {
  ChunkRecord chunk{.digest = digest, .original_bytes = 1, .plan = std::move(plan)};
  state.place(chunk);
  return chunk;
}

void add_chunks(StreamState& state, std::uint32_t count) {
  for (std::uint32_t i = 0; i < count; ++i) state.add(small_chunk(state, i), 120);
}

}  // namespace

TEST_CASE("the chain begins with XXH3-64 of no bytes, and each link takes chain and digest") {
  CHECK(kFirstChain == xxh3_64({}));
  Bytes both;
  put_le(both, kFirstChain);
  put_le(both, std::uint64_t{0x5A6D76FF2152943E});
  CHECK(next_chain(kFirstChain, 0x5A6D76FF2152943E) == xxh3_64(both));
  CHECK(next_chain(kFirstChain, 0x5A6D76FF2152943E) == 0xF88F652ED4FFE47D);  // END of the note's example
}

TEST_CASE("the example of the note has this stream id") {
  const StreamHeader header{.original_bytes = 13, .type = "i16x2"};
  const Bytes record = serialize(header);
  CHECK(record.size() == 168);
  CHECK(get_le<std::uint64_t>(std::span(record).last(8)) == 0x97D3AFA48D1EB5BC);
  CHECK(stream_id(record, 0x5A6D76FF2152943E) == 0x05AF3FD340CE98B0);
}

TEST_CASE("END of the example follows from its chunk") {
  StreamState state = state_of({.original_bytes = 13, .type = "i16x2"});
  ChunkRecord chunk{.digest = 0x5A6D76FF2152943E, .original_bytes = 13, .plan = Bytes(32)};
  state.place(chunk);
  state.add(chunk, 178);
  const IndexPart part = state.index_part(true);
  CHECK(serialize(part).size() == 152);
  CHECK(part.offset == 0x15A);
  state.add(part, 152);
  const EndRecord end = state.end();
  CHECK(end.stream_bytes == 602);
  CHECK(end.last_index == 0x15A);
  CHECK(end.chain == 0xF88F652ED4FFE47D);
  CHECK(end.tag == 0x05AF3FD340CE98B0);
}

TEST_CASE("a part of the index lists at most 65536 chunks") {
  StreamState state = state_of({});
  add_chunks(state, kMaxEntries);
  CHECK_FALSE(state.can_list(plan_of_width(1)));
  CHECK(verdict_of(parse_chunk(serialize(small_chunk(state, 1)), state.chunk_rules(), 0)) == "corrupt");
  state.add(state.index_part(false), 1000);
  CHECK(state.can_list(plan_of_width(1)));
  CHECK(state.index_part(false).first_chunk == kMaxEntries);
}

TEST_CASE("a part of the index holds at most 1 MiB of plans, each of them once") {
  StreamState state = state_of({});
  for (int i = 0; i < 16; ++i)
    state.add(small_chunk(state, 1, Bytes(kMaxPlanBytes, static_cast<std::byte>(i))), 120);
  CHECK(state.can_list(Bytes(kMaxPlanBytes)));
  CHECK_FALSE(state.can_list(Bytes(1)));
  CHECK(state.index_part(true).plans.size() == 16);
}

TEST_CASE("the grammar: an index behind chunks, END behind the last part") {
  StreamState state = state_of({});
  CHECK(state.allowed().end);
  CHECK_FALSE(state.allowed().index);
  add_chunks(state, 1);
  CHECK_FALSE(state.allowed().end);
  CHECK(state.allowed().index);
  state.add(state.index_part(false), 120);
  CHECK_FALSE(state.allowed().end);
  CHECK_FALSE(state.allowed().index);
  add_chunks(state, 1);
  state.add(state.index_part(true), 120);
  CHECK(state.allowed().end);
  CHECK_FALSE(state.allowed().chunk);
}

TEST_CASE("two notes before chunk 0 must have one tag, and it must be the stream's") {
  StreamState state = state_of({});
  const ChunkRecord chunk = small_chunk(state, 4);
  const auto note = [&](std::uint64_t tag) { return Note{.tag = tag, .offset = state.offset()}; };
  REQUIRE_FALSE(state.add(note(chunk.tag), 48, 0));
  CHECK(state.chunk_rules().is_tag(chunk.tag, chunk.digest));
  REQUIRE_FALSE(state.add(note(1), 48, 0));
  CHECK_FALSE(state.chunk_rules().is_tag(chunk.tag, chunk.digest));
  CHECK(state.end_rules().tag_is_wrong);
}

}  // namespace tdz::test::stream
