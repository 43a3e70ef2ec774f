// SPDX-License-Identifier: Apache-2.0
// Do all readers keep the rules of streams: notes, parts of the index, chain, padding, and fields that
// disagree under right checks? FORMAT.md, sections 1, 2 and 5.
#include <doctest/doctest.h>

#include "codec/stream/memory_io.hpp"
#include "tests/codec/streams/composed_stream.hpp"
#include "tests/codec/streams/reading.hpp"

using namespace tdz;
using namespace tdz::test;
using namespace tdz::formats;

namespace {

const Bytes kA = walk(1000, 2, 1), kB = noise(6000, 2), kC = walk(700, 4, 3), kAll = kA + kB + kC;

Composition three(std::vector<std::size_t> parts, bool notes = false) {
  return {.originals = {kA, kB, kC}, .parts = std::move(parts), .notes = notes};
}

Result<std::vector<ChunkInfo>> listed(const Bytes& stored) {
  MemoryRandomAccess file(stored);
  auto streams = inspect(file);
  if (!streams) return streams.error();
  std::vector<ChunkInfo> chunks;
  for (const StreamInfo& stream : *streams) {
    auto done = for_each_chunk(file, stream, [&](const ChunkInfo& chunk) {
      chunks.push_back(chunk);
      return true;
    });
    if (!done) return done.error();
  }
  return chunks;
}

void must_be_right(const Bytes& stored, const Bytes& original, std::size_t chunks) {
  CHECK(decoded(stored, true).value() == original);
  CHECK(listed(stored).value().size() == chunks);
  CHECK(through_index(stored, 0).value() == original);
}

/// By a reader of the whole stream, and by one that begins at the index and reads every chunk.
void must_be_corrupt(const Composition& wanted) {
  const Bytes stored = composed(wanted);
  CHECK(verdict_of(decoded(stored)) == "corrupt");
  CHECK(verdict_of(through_index(stored, 0)) == "corrupt");
}

/// The piece of this kind, the last one if there are several.
Piece& last_of(std::vector<Piece>& pieces, RecordKind kind) {
  return *std::ranges::find(pieces.rbegin(), pieces.rend(), kind, &Piece::kind);
}

/// The stream with one byte of a record changed, under right checks.
Bytes with_byte(const Bytes& stored, RecordKind kind, std::size_t at, int value) {
  auto pieces = dissect(stored);
  Bytes& bytes = last_of(pieces, kind).bytes;
  const auto length = static_cast<std::ptrdiff_t>(read_prefix(bytes, 0)->total_bytes);
  Bytes record(bytes.begin(), bytes.begin() + length);
  record[at] = static_cast<std::byte>(value);
  std::ranges::copy(resealed(record), bytes.begin());
  return joined(pieces);
}

}  // namespace

TEST_CASE("a writer may close a part of the index after any chunk, and put notes before any record but HDR") {
  for (const bool notes : {false, true}) {
    for (const auto& parts : std::vector<std::vector<std::size_t>>{{3}, {1, 2}, {2, 1}, {1, 1, 1}}) {
      const Bytes stored = composed(three(parts, notes));
      must_be_right(stored, kAll, 3);
      const Bytes behind_a = kB + kC;
      for (const std::uint64_t offset : {std::uint64_t{999}, std::uint64_t{1000}, std::uint64_t{6999}})
        CHECK(through_index(stored, offset).value() == (offset < 1000 ? kAll : behind_a));
      CHECK(through_index(stored, 7000).value() == kC);
      CHECK(through_index(stored, 7700).value().empty());
    }
    must_be_right(composed({.originals = {}, .parts = {}, .notes = notes}), Bytes(), 0);
  }
}

TEST_CASE("streams stand one behind the other, with zeros in between") {
  const Bytes one = composed(three({2, 1}, true)), none = composed({.originals = {}, .parts = {}});
  for (const std::size_t zeros : {0u, 1u, 31u, 32u, 33u, 200u, 5000u}) {
    INFO("zeros ", zeros);
    must_be_right(one + Bytes(zeros) + none + Bytes(zeros) + one + Bytes(zeros), kAll + kAll, 6);
  }
}

TEST_CASE("an END whose own last bytes are zero is found, with padding or without") {
  auto wanted = three({3});
  Bytes stored;
  for (int i = 0; stored.empty() || stored.back() != std::byte{0}; ++i) {
    wanted.end = [i](EndRecord& end) {
      end.whole_kind = 0;
      end.whole = {static_cast<std::byte>(i), static_cast<std::byte>(i >> 8)};
    };
    stored = composed(wanted);
  }
  for (const std::size_t zeros : {0u, 1u, 8u, 104u, 105u, 4097u}) {
    INFO("zeros ", zeros);
    must_be_right(stored + Bytes(zeros), kAll, 3);
    must_be_right(stored + Bytes(zeros) + stored, kAll + kAll, 6);
  }
}

TEST_CASE("the digest of the whole original decides nothing, unless the caller asks") {
  auto wanted = three({3});
  wanted.end = [](EndRecord& end) { end.whole[3] ^= std::byte{1}; };
  const Bytes stored = composed(wanted);
  CHECK(decoded(stored).value() == kAll);
  CHECK(through_index(stored, 0).value() == kAll);
  CHECK(verdict_of(decoded(stored, true)) == "corrupt");
  for (const std::uint8_t kind : std::initializer_list<std::uint8_t>{0, 2, 255}) {
    wanted.end = [kind](EndRecord& end) { end.whole_kind = kind; };
    must_be_right(composed(wanted), kAll, 3);
  }
}

TEST_CASE("the digest of the original is computed only if the caller asks") {
  const Bytes stored = composed(three({3}));
  for (const bool asked : {false, true}) {
    MemorySource from(stored);
    CollectingSink to;
    auto options = one_thread();
    options.compare_digest = asked;
    CHECK(decompress(from, to, options)->digest == (asked ? xxh3_128(kAll) : Digest128{}));
  }
}

TEST_CASE("a field of CHK that disagrees is corrupt") {
  using Hook = std::function<void(ChunkRecord&)>;
  const std::vector<std::pair<std::string, Hook>> fields = {
      {"tag", [](auto& c) { c.tag ^= 1; }},
      {"offset", [](auto& c) { c.offset += 8; }},
      {"number", [](auto& c) { ++c.number; }},
      {"original offset", [](auto& c) { ++c.original_offset; }},
      {"chain", [](auto& c) { c.chain ^= 1; }},
      {"digest", [](auto& c) { c.digest ^= 1; }},
      {"original bytes", [](auto& c) { ++c.original_bytes; }},
      {"plan", [](auto& c) { c.plan[5] = std::byte{0}, c.plan.resize(12); }},
      {"substreams", [](auto& c) { --c.substreams[0]; }},
      {"frames", [](auto& c) { ++c.frames[0].unpacked; }},
      {"packed bytes", [](auto& c) { ++c.frames[0].packed; }},
  };
  for (const auto& [name, change] : fields) {
    for (std::uint64_t number = 0; number < 3; ++number) {
      INFO(name, " of chunk ", number);
      auto wanted = three({2, 1});
      wanted.chunk = [&](ChunkRecord& chunk) {
        if (chunk.number == number) change(chunk);
      };
      must_be_corrupt(wanted);
    }
  }
}

TEST_CASE("a field of INDX that disagrees is corrupt") {
  using Hook = std::function<void(IndexPart&)>;
  const std::vector<std::pair<std::string, Hook>> fields = {
      {"tag", [](auto& p) { p.tag ^= 1; }},
      {"offset", [](auto& p) { p.offset += 8; }},
      {"first chunk", [](auto& p) { ++p.first_chunk; }},
      {"part before", [](auto& p) { p.previous = p.previous == kNone ? 0 : p.previous - 8; }},
      {"no part before", [](auto& p) { p.previous = p.previous == kNone ? 168 : kNone; }},
      {"flag", [](auto& p) { p.last = !p.last; }},
      {"entries", [](auto& p) { p.entries.pop_back(); }},
      {"another entry", [](auto& p) { p.entries.push_back(p.entries.back()); }},
      {"plan of an entry", [](auto& p) { p.entries[0].plan = 1; }},
      {"plan", [](auto& p) { p.plans[0][4] = std::byte{2}; }},
      {"offset of an entry", [](auto& p) { p.entries[0].record_offset -= 8; }},
      {"original offset", [](auto& p) { ++p.entries[0].original_offset; }},
      {"digest", [](auto& p) { p.entries[0].digest ^= 1; }},
      {"original bytes", [](auto& p) { ++p.entries[0].original_bytes; }},
      {"stored bytes", [](auto& p) { --p.entries[0].stored_bytes; }},
  };
  for (const auto& [name, change] : fields) {
    for (const std::uint64_t first : {0u, 1u}) {
      INFO(name, " of the part of chunk ", first);
      auto wanted = three({1, 2}, true);
      wanted.part = [&](IndexPart& part) {
        if (part.first_chunk == first) change(part);
      };
      must_be_corrupt(wanted);
    }
  }
}

TEST_CASE("a field of END that disagrees is corrupt") {
  using Hook = std::function<void(EndRecord&)>;
  const std::vector<std::pair<std::string, Hook>> fields = {
      {"tag", [](auto& e) { e.tag ^= 1; }},
      {"stream bytes", [](auto& e) { e.stream_bytes += 8; }},
      {"fewer stream bytes", [](auto& e) { e.stream_bytes -= 8; }},
      {"a shorter stream than there is", [](auto& e) { e.stream_bytes = 8; }},
      {"a longer stream than there is", [](auto& e) { e.stream_bytes += 1 << 20; }},
      {"chunks", [](auto& e) { ++e.chunks; }},
      {"original bytes", [](auto& e) { --e.original_bytes; }},
      {"last INDX", [](auto& e) { e.last_index -= 8; }},
      {"no INDX", [](auto& e) { e.last_index = kNone; }},
      {"chain", [](auto& e) { e.chain ^= 1; }},
  };
  for (const auto& [name, change] : fields) {
    INFO(name);
    auto wanted = three({1, 2}, true);
    wanted.end = change;
    CHECK(verdict_of(decoded(composed(wanted))) == "corrupt");
    CHECK_FALSE(through_index(composed(wanted), 0));
  }
}

TEST_CASE("a note that belongs to another place or stream is corrupt") {
  for (int n = 0; n < 6; ++n) {
    for (const bool tag : {false, true}) {
      INFO("note ", n, " tag ", tag);
      auto wanted = three({2, 1}, true);
      int left = n;
      wanted.note = [&](Note& note) {
        if (left-- == 0) (tag ? note.tag : note.offset) ^= 8u;
      };
      must_be_corrupt(wanted);
    }
  }
  auto empty = Composition{.originals = {}, .parts = {}, .notes = true};
  empty.note = [](Note& note) { note.tag ^= 8u; };
  CHECK(verdict_of(decoded(composed(empty))) == "corrupt");
  CHECK(verdict_of(listed(composed(empty))) == "corrupt");
}

TEST_CASE("a part of the index has each plan once; a reader of the whole stream knows which") {
  auto wanted = three({3});
  wanted.part = [](IndexPart& part) { part.plans.push_back(part.plans[0]); };
  CHECK(verdict_of(decoded(composed(wanted))) == "corrupt");
}

TEST_CASE("parts of the index that were lost, doubled or moved are corrupt") {
  const auto sound = dissect(composed(three({1, 1, 1})));  // HDR, then CHK and INDX three times, END
  for (const std::size_t n : {2u, 4u, 6u}) {
    auto lost = sound, doubled = sound;
    lost.erase(lost.begin() + static_cast<std::ptrdiff_t>(n));
    doubled.insert(doubled.begin() + static_cast<std::ptrdiff_t>(n), sound[n]);
    CHECK(verdict_of(decoded(joined(lost))) == "corrupt");
    CHECK(verdict_of(decoded(joined(doubled))) == "corrupt");
  }
  auto moved = sound;
  std::swap(moved[2], moved[4]);
  CHECK(verdict_of(decoded(joined(moved))) == "corrupt");
  CHECK(verdict_of(through_index(joined(moved), 0)) == "corrupt");
}

TEST_CASE("bytes that version 1.0 does not list are unsupported") {
  const Bytes stored = composed(three({3}));
  const auto kind = [&](RecordKind record, std::size_t at, int value) {
    const Bytes other = with_byte(stored, record, at, value);
    MemoryRandomAccess file(other);
    CHECK(verdict_of(inspect(file)) == verdict_of(decoded(other)));
    return verdict_of(decoded(other));
  };
  CHECK(kind(RecordKind::index, 68, 2) == "unsupported");  // the flag
  CHECK(kind(RecordKind::index, 69, 2) == "unsupported");
  CHECK(kind(RecordKind::end, 89, 1) == "unsupported");
  CHECK(kind(RecordKind::header, 16, 2) == "unsupported");  // the major version
  CHECK(kind(RecordKind::header, 18, 3) == "unsupported");
  CHECK(kind(RecordKind::header, 12, 'K') == "unsupported");
  CHECK(kind(RecordKind::header, 12, 'k') == "corrupt");  // a note
  CHECK(kind(RecordKind::header, 17, 1) == "corrupt");    // a later minor version, but the id is another one
}

TEST_CASE("files of drafts are named") {
  const Bytes draft = with_byte(composed(three({3})), RecordKind::header, 18, 0);
  const auto result = decoded(draft);
  CHECK(verdict_of(result) == "unsupported");
  CHECK(result.error().message.find("a draft from before 0.1.0") != std::string::npos);
  MemoryRandomAccess file(draft);
  CHECK(inspect(file).error().message == result.error().message);
}

TEST_CASE("a chunk with an unknown plan hides no other chunk") {
  auto wanted = three({3});
  wanted.plans = {{}, serialize(plain_plan()), {}};
  wanted.plans[1][5] = std::byte{1};  // one step, of an id that does not exist
  wanted.plans[1].insert(wanted.plans[1].end(), {std::byte{99}, std::byte{0}, std::byte{0}, std::byte{0}});
  const Bytes stored = composed(wanted);
  CHECK(verdict_of(decoded(stored)) == "unsupported");
  CHECK(verdict_of(through_index(stored, 0)) == "unsupported");
  CHECK(through_index(stored, 7000).value() == kC);
  const auto chunks = listed(stored).value();
  CHECK(chunks[0].plan == plain_plan());
  CHECK(chunks[1].plan == Plan{});
}

TEST_CASE("the original size in the header, if known, is the stream's") {
  auto wanted = three({3});
  wanted.header.original_bytes = kAll.size();
  must_be_right(composed(wanted), kAll, 3);
  for (const std::uint64_t wrong : {kAll.size() - 1, kAll.size() + 1, std::size_t{0}}) {
    wanted.header.original_bytes = wrong;
    must_be_corrupt(wanted);
  }
}

TEST_CASE("originals of more than 2^64 bytes together are corrupt") {
  auto wanted = three({3});
  wanted.end = [](EndRecord& end) { end.original_bytes = kNone / 2 + 1; };
  const Bytes stored = composed(wanted);
  MemoryRandomAccess file(stored);
  CHECK(find_streams(file));
  const Bytes twice = stored + stored;
  MemoryRandomAccess both(twice);
  CHECK(verdict_of(find_streams(both)) == "corrupt");
}
