// SPDX-License-Identifier: Apache-2.0
// Does parity bring back what is lost, bit for bit, and nothing else?
#include <doctest/doctest.h>

#include "codec/protect/parity.hpp"
#include "codec/stream/memory_io.hpp"
#include "codec/stream/stream_writer.hpp"
#include "formats/stream/parity.hpp"
#include "tests/codec/support.hpp"
#include "tests/random.hpp"

using namespace tdz;
using namespace tdz::test;
using namespace tdz::formats;

namespace {

// ---- The arithmetic, beside a naive law

/// A product in GF(2^8), bit by bit.
std::uint8_t product(unsigned a, unsigned b) {
  unsigned sum = 0;
  for (; b != 0; b >>= 1, a = (a << 1) ^ (a & 0x80 ? 0x11D : 0)) sum ^= b & 1 ? a : 0;
  return static_cast<std::uint8_t>(sum);
}

std::uint8_t naive_parity(const std::vector<Bytes>& pieces, unsigned r, std::size_t t) {
  std::uint8_t sum = 0;
  for (unsigned q = 0; q < pieces.size(); ++q)
    sum ^= product(parity_coefficient(r, q), std::to_integer<unsigned>(pieces[q][t]));
  return sum;
}

std::vector<const std::byte*> pointers(const std::vector<Bytes>& pieces) {
  std::vector<const std::byte*> out;
  for (const Bytes& piece : pieces) out.push_back(piece.data());
  return out;
}

std::vector<Bytes> encoded(const std::vector<Bytes>& pieces, unsigned parity) {
  std::vector<Bytes> out(parity, Bytes(pieces[0].size()));
  std::vector<std::byte*> into;
  for (Bytes& piece : out) into.push_back(piece.data());
  StripeEncoder(parity).encode(pointers(pieces), pieces[0].size(), into);
  return out;
}

// ---- Files

Bytes protected_stream(const Bytes& original, unsigned percent = 5) {
  auto options = options_for(plain_plan());
  options.protect = percent;
  return packed(original, options);
}

struct Outcome {
  Bytes healed;
  Healing healing;
};

Outcome healed(const Bytes& damaged) {
  MemoryRandomAccess file(damaged);
  MemorySink to;
  const auto healing = heal(file, to, {}).value();
  return {std::move(to).take(), healing};
}

Bytes recovered(const Bytes& damaged) {
  MemoryRandomAccess file(damaged);
  PositionedSink to;
  CHECK(recover(file, to, {}).value().complete());
  return to.collected;
}

/// The file as it was, and its original, both bit for bit.
void must_heal(const Bytes& damaged, const Bytes& stored, const Bytes& original) {
  const auto outcome = healed(damaged);
  CHECK(outcome.healing.complete());
  CHECK(outcome.healed.size() == stored.size());
  CHECK(outcome.healed == stored);
  CHECK(recovered(damaged) == original);
}

Bytes without(const Bytes& bytes, std::size_t begin, std::size_t length) {
  return head(bytes, begin) + tail(bytes, begin + length);
}

Bytes overwritten(Bytes bytes, std::size_t begin, std::size_t length, std::uint32_t seed = 7) {
  const Bytes other = noise(length, seed);
  std::ranges::copy(other, bytes.begin() + static_cast<std::ptrdiff_t>(begin));
  return bytes;
}

std::size_t first_note(const Bytes& stream) {
  for (const Piece& piece : dissect(stream)) {
    if (piece.kind == kParityNote) return piece.offset;
  }
  return stream.size();
}

}  // namespace

// ---- The arithmetic

TEST_CASE("the coefficients are inverses, as FORMAT.md says") {
  CHECK(parity_coefficient(0, 0) == 0xFD);
  CHECK(parity_coefficient(1, 2) == 0x7F);
  for (unsigned r = 0; r < kMaxParity; ++r) {
    for (unsigned q = 0; q + r < 255; ++q) CHECK(product(parity_coefficient(r, q), (255 - r) ^ q) == 1);
  }
}

TEST_CASE("parity is the sum of products, with one piece and with as many as there may be") {
  for (const auto& [count, parity] :
       {std::pair{1u, 1u}, {1u, 128u}, {3u, 2u}, {128u, 128u}, {253u, 3u}, {246u, 10u}}) {
    CAPTURE(count);
    std::vector<Bytes> pieces;
    for (unsigned q = 0; q < count; ++q) pieces.push_back(noise(512, q + 1));
    const auto made = encoded(pieces, parity);
    for (unsigned r = 0; r < parity; ++r) {
      for (const std::size_t t : {0u, 1u, 255u, 511u})
        CHECK(std::to_integer<std::uint8_t>(made[r][t]) == naive_parity(pieces, r, t));
    }
  }
}

TEST_CASE("the example of FORMAT.md") {
  const std::vector<Bytes> pieces{Bytes(512, std::byte{1}), Bytes(512, std::byte{2}),
                                  Bytes(512, std::byte{3})};
  const auto made = encoded(pieces, 2);
  CHECK(made[0] == Bytes(512, std::byte{0x1D}));
  CHECK(made[1] == Bytes(512, std::byte{0x18}));
}

TEST_CASE("any lost pieces come back from as many parity pieces, and not from fewer") {
  Chance chance(3);
  for (int trial = 0; trial < 60; ++trial) {
    const auto count = static_cast<unsigned>(1 + chance.below(200));
    const auto parity = static_cast<unsigned>(1 + chance.below(std::min(128u, 256 - count)));
    std::vector<Bytes> pieces;
    for (unsigned q = 0; q < count; ++q)
      pieces.push_back(noise(512, static_cast<std::uint32_t>(chance.bits())));
    const auto made = encoded(pieces, parity);
    DamagedStripe damaged{pointers(pieces), pointers(made)};
    const auto lost = static_cast<unsigned>(chance.below(std::min(count, parity) + 1));
    std::vector<unsigned> places(count);
    for (unsigned q = 0; q < count; ++q) places[q] = q;
    for (unsigned q = 0; q < lost; ++q) std::swap(places[q], places[q + chance.below(count - q)]);
    places.resize(lost);
    std::ranges::sort(places);
    for (const unsigned q : places) damaged.pieces[q] = nullptr;
    for (unsigned spare = parity - lost; spare > 0;) {
      auto& piece = damaged.parity[chance.below(parity)];
      if (piece != nullptr) piece = nullptr, --spare;
    }
    std::vector<Bytes> back(lost, Bytes(512));
    std::vector<std::byte*> into;
    for (Bytes& piece : back) into.push_back(piece.data());
    CHECK(restore_pieces(damaged, 512, into));
    for (unsigned x = 0; x < lost; ++x) CHECK(back[x] == pieces[places[x]]);
    if (lost == 0) continue;
    *std::ranges::find_if(damaged.parity, [](auto* piece) { return piece != nullptr; }) = nullptr;
    CHECK(!restore_pieces(damaged, 512, into));
  }
}

// ---- Areas and notes

TEST_CASE("areas of every length keep the rules, and cost about what was asked for") {
  Chance chance(5);
  for (int trial = 0; trial < 3000; ++trial) {
    const std::uint64_t bytes = 1 + (chance.bits() & ((std::uint64_t{1} << (1 + chance.below(30))) - 1));
    const auto percent = static_cast<unsigned>(1 + chance.below(100));
    CAPTURE(bytes);
    CAPTURE(percent);
    const Area area = area_for(bytes, percent);
    REQUIRE(area.keeps_rules());
    CHECK(area.parity >= 2);
    CHECK(100 * area.parity >= percent * std::min<std::uint64_t>(area.pieces_of(0), 254));
    if (bytes > (1 << 20))
      CHECK(static_cast<double>(area.notes_bytes()) <
            static_cast<double>(bytes) * (percent * 1.05 + 1.5) / 100 + 1000);
    if (area.stripes > 1 && bytes > (2 << 20)) CHECK(area.stripes % 2 == 1);
  }
}

TEST_CASE("notes stand one after another, without gaps") {
  for (const Area& area : {Area{100, 9, 2, 1, true}, Area{5000, 9, 1, 3, false}, Area{90000, 12, 5, 7, true},
                           Area{513, 9, 128, 2, false}}) {
    REQUIRE(area.keeps_rules());
    std::uint64_t place = 0;
    for (unsigned r = 0; r < area.parity; ++r) {
      for (std::uint32_t stripe = 0; stripe < area.stripes; ++stripe) {
        CHECK(area.note_place(r, stripe) == place);
        place += area.note_bytes(r, stripe);
      }
    }
    CHECK(area.notes_bytes() == place);
  }
}

TEST_CASE("a note is read as it was written; one that breaks a rule is no parity") {
  const Area area{5000, 10, 3, 2, true};
  ParityNote note{
      .area = area, .tag = 9, .offset = 5008 + area.note_place(2, 1), .area_digest = 77, .r = 2, .stripe = 1};
  note.parity = noise(1024);
  note.digests = {5, 6};
  note.end = noise(64, 2);
  const auto record = serialize(note);
  CHECK(record.size() == area.note_bytes(2, 1));
  const Note parsed = parse_note(record, 0).value();
  const auto back = parse_parity(parsed).value();
  CHECK(back.area == area);
  CHECK(back.area_begin() == 8);
  CHECK(back.parity == note.parity);
  CHECK(back.digests == note.digests);
  CHECK(back.end == note.end);
  CHECK(!end_from(back));
  // Every field at values that no area has.
  const auto with = [&](std::size_t at, std::uint8_t value) {
    Note other = parsed;
    other.content[at] = std::byte{value};
    return parse_parity(other).has_value();
  };
  CHECK(with(0, 0x88));  // the same length, but of another area
  CHECK(!with(5, 1));    // L: above 2^40
  CHECK(!with(16, 8));   // p
  CHECK(!with(16, 16));
  CHECK(!with(17, 0));  // M
  CHECK(!with(17, 129));
  CHECK(!with(18, 3));  // r
  CHECK(!with(19, 2));  // E
  CHECK(!with(20, 0));  // I
  CHECK(!with(20, 6));  // more stripes than pieces
  CHECK(!with(22, 2));  // i
  Note other = parsed;
  other.offset = 100;  // the area would begin before the stream
  CHECK(!parse_parity(other));
  other = parsed;
  other.content.resize(16);
  CHECK(!parse_parity(other));
}

// ---- Streams

TEST_CASE("a protected stream is a stream, and holds the same") {
  for (const std::size_t bytes : {0u, 1u, 5000u, 70000u, 3000000u}) {
    const Bytes original = noise(bytes), stored = protected_stream(original);
    CHECK(decompress(stored, one_thread()).value() == original);
    MemoryRandomAccess file(stored);
    const auto streams = inspect(file, {}).value();
    CHECK(streams.size() == 1);
    const auto outcome = healed(stored);
    CHECK(outcome.healed == stored);
    CHECK(outcome.healing.lost_bytes == 0);
    CHECK(outcome.healing.moved_bytes == 0);
    CHECK(outcome.healing.protected_bytes == first_note(stored));
    CHECK(outcome.healing.lost_notes == 0);
  }
}

TEST_CASE("parity needs no byte of the stream to be another one") {
  const Bytes original = noise(300000);
  const Bytes plain = packed(original, options_for(plain_plan())), stored = protected_stream(original);
  const std::size_t end = plain.size() - kEndLength;
  CHECK(head(stored, end) == head(plain, end));
  CHECK(first_note(stored) == end);
}

TEST_CASE("a hole at any place comes back: header, chunks, index, notes, end") {
  const Bytes original = noise(3000000), stored = protected_stream(original);
  const Area area = area_for(first_note(stored), 5);
  const std::size_t hole = (area.parity * area.stripes - 1u) * area.piece_bytes();
  REQUIRE(hole > 100000);
  for (std::size_t at = 0; at + hole <= first_note(stored); at += 131071)
    must_heal(overwritten(stored, at, hole), stored, original);
  must_heal(overwritten(stored, 0, 5000), stored, original);
  const std::size_t reaching = ((area.parity - 1u) * area.stripes - 2) * area.piece_bytes();
  for (std::size_t inside = 1; inside < reaching; inside += 9001)
    must_heal(overwritten(stored, first_note(stored) - inside, reaching), stored, original);
  const std::size_t notes = stored.size() - first_note(stored);
  must_heal(overwritten(stored, first_note(stored), notes / 2), stored, original);
  must_heal(overwritten(stored, stored.size() - notes / 2, notes / 2), stored, original);
  must_heal(overwritten(stored, first_note(stored) - 30000, 60000), stored, original);
}

TEST_CASE("sectors that are lost everywhere come back") {
  const Bytes original = noise(6000000), stored = protected_stream(original);
  Bytes damaged = stored;
  for (std::size_t at = 1234; at + 4096 < damaged.size(); at += 1 << 18)
    damaged = overwritten(std::move(damaged), at, 4096, static_cast<std::uint32_t>(at));
  must_heal(damaged, stored, original);
}

TEST_CASE("bytes that were cut out or put in come back, and what is shifted is found") {
  const Bytes original = noise(3000000), stored = protected_stream(original);
  for (const std::size_t at : {100u, 70000u, 1000003u, 2999000u}) {
    must_heal(without(stored, at, 1), stored, original);
    must_heal(without(stored, at, 40000), stored, original);
    must_heal(head(stored, at) + noise(33333, 8) + tail(stored, at), stored, original);
  }
  // Two cuts and bytes put in, in one file; the front and the end are gone too.
  Bytes damaged = without(without(stored, 2000000, 777), 900000, 5000);
  damaged = head(damaged, 500000) + noise(999, 9) + tail(damaged, 500000);
  must_heal(damaged, stored, original);
  must_heal(tail(stored, 20000), stored, original);
  must_heal(head(stored, stored.size() - 50), stored, original);
  must_heal(head(stored, stored.size() - 20000), stored, original);
}

TEST_CASE("each stream of a file heals by itself") {
  const Bytes a = noise(400000, 1), b = noise(500000, 2), c = noise(300000, 3);
  const Bytes stored_a = protected_stream(a), stored_c = protected_stream(c, 20);
  const Bytes stored_b = packed(b, options_for(plain_plan()));
  const Bytes zeros(512);
  const Bytes all = stored_a + stored_b + zeros + stored_c, original = a + b + c;
  const std::size_t in_c = stored_a.size() + stored_b.size() + zeros.size();
  must_heal(overwritten(overwritten(all, 9000, 7000), in_c + 100000, 30000), all, original);
  must_heal(without(all, 100000, 5000), all, original);
  must_heal(overwritten(all, in_c, 9000), all, original);
  // The same stream twice, each damaged elsewhere.
  const Bytes twice = stored_a + stored_a;
  must_heal(overwritten(overwritten(twice, 9000, 7000), stored_a.size() + 50000, 7000), twice, a + a);
  // The end of the first is cut off, up to the second one.
  must_heal(head(stored_a, stored_a.size() - 3000) + stored_c, stored_a + stored_c, a + c);
}

TEST_CASE("streams heal where the end of one and the begin of the next are cut out together, at once") {
  const Bytes a = noise(400000, 1), b = noise(500000, 2), c = noise(300000, 3);
  const Bytes stored_a = protected_stream(a, 20), stored_b = protected_stream(b, 20),
              stored_c = protected_stream(c, 20);
  const Bytes all = stored_a + stored_b + stored_c, original = a + b + c;
  const std::size_t first = stored_a.size(), second = first + stored_b.size();
  for (const std::size_t before : {1u, 104u, 3000u, 30000u}) {
    for (const std::size_t after : {1u, 64u, 3000u, 30000u}) {
      CAPTURE(before);
      CAPTURE(after);
      must_heal(without(all, first - before, before + after), all, original);
      must_heal(without(without(all, second - before, before + after), first - after, before + after), all,
                original);
      // Other bytes stand there: they are no part of a stream, whichever of the two had been longer.
      must_heal(head(all, first - before) + noise(before + after / 2, 9) + tail(all, first + after), all,
                original);
    }
  }
  // Beside a stream without parity, of which the bytes are lost for ever.
  const Bytes plain = packed(b, options_for(plain_plan()));
  const auto healed_a = healed(head(stored_a, first - 3000) + tail(plain, 3000));
  CHECK(head(healed_a.healed, first) == stored_a);
  const auto healed_c = healed(head(plain, plain.size() - 3000) + tail(stored_c, 3000));
  CHECK(tail(healed_c.healed, healed_c.healed.size() - stored_c.size()) == stored_c);
}

TEST_CASE("more damage than parity can heal loses the chunks it touches, and no more") {
  const Bytes original = noise(3000000), stored = protected_stream(original);
  const Bytes damaged = overwritten(stored, 1000000, 600000);
  const auto outcome = healed(damaged);
  CHECK(!outcome.healing.complete());
  CHECK(outcome.healing.lost_bytes >= 600000);
  CHECK(outcome.healed == damaged);
  MemoryRandomAccess file(damaged);
  PositionedSink to;
  const auto totals = recover(file, to, {}).value();
  CHECK(!totals.complete());
  CHECK(totals.recovered_bytes > 2200000);
  CHECK(totals.original_bytes == original.size());
}

TEST_CASE("long streams have many areas, and each heals by itself") {
  const Bytes original = noise(4000000), plain = packed(original, options_for(plain_plan()));
  MemorySink to;
  const auto pieces = dissect(plain);
  StreamWriter writer(to, parse_header(pieces[0].bytes, 0).value(), pieces[0].bytes, false, {10, 500000});
  for (const Piece& piece : pieces) {
    if (piece.kind != RecordKind::chunk) continue;
    const auto prefix = parse_prefix(piece.bytes, kAnyRecord, 0).value();
    const auto record = std::span(piece.bytes).first(static_cast<std::size_t>(prefix.total_bytes));
    EncodedChunk chunk{parse_chunk(record, {}, 0).value(), {}, std::span(piece.bytes).subspan(record.size())};
    CHECK(writer.write_encoded(chunk));
  }
  CHECK(writer.finish());
  const Bytes stored = std::move(to).take();
  CHECK(decompress(stored, one_thread()).value() == original);
  std::vector<std::size_t> ends;  // of areas
  RecordKind before{};
  for (const Piece& piece : dissect(stored)) {
    if (piece.kind == kParityNote && before != kParityNote) ends.push_back(piece.offset);
    before = piece.kind;
  }
  CHECK(ends.size() > 7);
  Bytes damaged = stored;
  for (const std::size_t end : ends) damaged = overwritten(std::move(damaged), end - 40000, 30000);
  must_heal(damaged, stored, original);
  for (std::size_t i = 0; i < 4; ++i) {
    must_heal(without(stored, ends[i] - 20000, 20000), stored, original);      // the end of an area
    must_heal(without(stored, ends[i] + 100, 15000), stored, original);        // its first notes
    must_heal(without(stored, ends[i + 1] - 20000, 30000), stored, original);  // both
    must_heal(head(stored, ends[i]) + noise(3000) + tail(stored, ends[i]), stored, original);
  }
  // All notes of an area are lost: its bytes are taken as they are, and the others heal.
  const std::size_t notes = ends[2] + 90000;
  damaged = overwritten(overwritten(stored, ends[2], 60000), notes, 10000);
  CHECK(recovered(damaged) == original);
}

TEST_CASE("a stream inside the frames of another one is no stream of the file") {
  const Bytes inner = protected_stream(noise(200000, 4)),
              outer = protected_stream(inner + noise(300000, 5), 20);
  must_heal(overwritten(outer, 150000, 40000), outer, inner + noise(300000, 5));
}

TEST_CASE("notes that claim what is not so change no file that is right") {
  Chance chance(11);
  const Bytes original = noise(40000);
  const Bytes plain = packed(original, options_for(plain_plan()));
  const auto pieces = dissect(plain);
  for (int trial = 0; trial < 200; ++trial) {
    CAPTURE(trial);
    Area area =
        area_for(1 + chance.below(pieces.back().offset), static_cast<unsigned>(1 + chance.below(100)));
    ParityNote note{
        .area = area, .tag = read_prefix(pieces[1].bytes, 0)->tag, .offset = pieces.back().offset};
    note.r = static_cast<std::uint8_t>(chance.below(area.parity));
    note.stripe = static_cast<std::uint16_t>(chance.below(area.stripes));
    if (area.note_place(note.r, note.stripe) + area.bytes > note.offset) continue;
    note.parity = noise(area.piece_bytes(), static_cast<std::uint32_t>(trial));
    if (area.has_digests(note.r)) note.digests.assign(area.pieces_of(note.stripe), chance.bits());
    const Bytes record = serialize(note);
    auto end = parse_end(pieces.back().bytes, {}, 0).value();
    end.stream_bytes += record.size();
    const Bytes stored = head(plain, pieces.back().offset) + record + serialize(end);
    REQUIRE(decompress(stored, one_thread()).value() == original);
    CHECK(recovered(stored) == original);
    CHECK(healed(stored).healed == stored);
  }
}

TEST_CASE("random damage never makes recovery deliver a wrong byte, and a file is never longer for it") {
  Chance chance(12);
  const Bytes original = noise(200000), stored = protected_stream(original, 10);
  for (int trial = 0; trial < 150; ++trial) {
    CAPTURE(trial);
    Bytes damaged = stored;
    for (std::uint64_t hits = 1 + chance.below(6); hits > 0; --hits) {
      const std::size_t at = chance.below(damaged.size() - 4000), length = 1 + chance.below(4000);
      const auto seed = static_cast<std::uint32_t>(chance.bits());
      if (chance.once_in(3))
        damaged = without(damaged, at, length);
      else if (chance.once_in(2))
        damaged = head(damaged, at) + noise(length, seed) + tail(damaged, at);
      else
        damaged = overwritten(std::move(damaged), at, length, seed);
    }
    MemoryRandomAccess file(damaged);
    PositionedSink to;
    const auto totals = recover(file, to, {});
    if (!totals) continue;
    CHECK(totals->healing.lost_bytes <= stored.size());
    if (totals->complete()) CHECK(to.collected == original);
    if (totals->healing.protected_bytes > 150000 && totals->healing.complete()) CHECK(totals->complete());
  }
}

/// The same file for a reader that knows no parity: no note keeps its check.
Bytes without_parity(Bytes file) {
  const std::string kind = "prty";
  const auto letters = std::as_bytes(std::span(kind));
  for (auto at = file.begin();
       (at = std::search(at, file.end(), letters.begin(), letters.end())) != file.end();)
    *at++ ^= std::byte{0x20};
  return file;
}

struct Attempt {
  std::uint64_t bytes = 0;
  std::size_t length = 0;
  bool complete = false;
};
Attempt attempted(const Bytes& damaged) {
  MemoryRandomAccess file(damaged);
  PositionedSink to;
  const auto totals = recover(file, to, {});
  return totals ? Attempt{totals->recovered_bytes, to.collected.size(), totals->complete()} : Attempt{};
}

/// Parity costs nobody a chunk, and makes no file longer.
void must_not_cost(const Bytes& damaged, const Bytes& original) {
  const Attempt with = attempted(damaged), none = attempted(without_parity(damaged));
  CHECK(with.bytes >= none.bytes);
  CHECK(with.length <= std::max(original.size(), none.length));
}

TEST_CASE("parity never costs a chunk: of a stream around the one that it protects") {
  const Bytes inner = protected_stream(noise(500000, 4), 100), original = inner + noise(9000, 5);
  const Bytes outer = packed(original, options_for(plain_plan()));
  for (const Piece& piece : dissect(outer)) must_not_cost(overwritten(outer, piece.offset + 60, 1), original);
}

TEST_CASE("parity never costs a chunk: blocks in wrong places, cuts, lost digests") {
  Chance chance(13);
  const Bytes original = noise(600000, 6), stored = protected_stream(original);
  const Bytes other = protected_stream(noise(150000, 7)), both = stored + other;
  std::vector<std::size_t> notes;
  for (const Piece& piece : dissect(stored))
    if (piece.kind == kParityNote) notes.push_back(piece.offset);
  for (int trial = 0; trial < 120; ++trial) {
    CAPTURE(trial);
    Bytes damaged = both;
    const auto block = [&] {
      return static_cast<std::ptrdiff_t>(chance.below(damaged.size() / 4096) * 4096);
    };
    const auto at = block(), from = trial % 5 == 0 ? 0 : block();
    if (trial % 3 == 0)  // a block that was written to the place of another one
      std::copy_n(damaged.begin() + from, 4096, damaged.begin() + at);
    if (trial % 3 == 1)  // bytes that are lost, some of them where the first stream ends
      damaged = without(damaged, trial % 2 == 0 ? stored.size() - 150 : static_cast<std::size_t>(at),
                        100 + chance.below(3000));
    if (trial % 3 == 2) {  // notes that say what is right, and a few bytes that are not
      damaged = overwritten(damaged, notes.front() + 100, 10);
      damaged = overwritten(damaged, notes.back() + 100, 10);
      damaged = without(damaged, static_cast<std::size_t>(at), 20);
    }
    must_not_cost(damaged, original + noise(150000, 7));
  }
  const auto middle = static_cast<std::ptrdiff_t>(notes[notes.size() / 2]);
  Bytes twice = head(stored, static_cast<std::size_t>(middle)) + tail(stored, notes.front());
  must_not_cost(twice, original);
}

TEST_CASE(
    "what a heal may take: memory, and the time until it is stopped; examine says the same and writes "
    "nothing") {
  const Bytes original = noise(3000000), stored = protected_stream(original);
  const Bytes damaged = overwritten(stored, 1000000, 100000);
  MemoryRandomAccess file(damaged);
  const Healing said = examine(file).value(), done = healed(damaged).healing;
  CHECK(said.restored_bytes == done.restored_bytes);
  CHECK(said.lost_bytes == done.lost_bytes);
  CHECK(said.restored_bytes >= 100000);
  HealOptions options;
  options.memory = 90000;  // its tables, and not what is restored
  CHECK(examine(file, options).error().kind == ErrorKind::limit);
  options.memory = 200000;
  CHECK(examine(file, options).value().complete());
  std::stop_source stop;
  options.stop = stop.get_token();
  options.progress = [&](const Progress&) { stop.request_stop(); };
  MemorySink to;
  CHECK(heal(file, to, options).error().kind == ErrorKind::cancelled);
  CHECK(examine(file, options).error().kind == ErrorKind::cancelled);
}

TEST_CASE("where more is lost at the front than parity can heal, the rest keeps its place") {
  const Bytes original = noise(3000000), stored = protected_stream(original);
  const Area area = area_for(first_note(stored), 5);
  const std::size_t piece_bytes = area.piece_bytes(), most = std::size_t{area.parity} * area.stripes;
  // Some stripes have lost one piece more than their parity, and the others have not.
  const std::size_t gone = (most + area.stripes / 2) * piece_bytes + 100;
  const Bytes damaged = tail(stored, gone);
  const auto outcome = healed(damaged);
  CHECK(!outcome.healing.complete());
  CHECK(outcome.healing.restored_bytes > 10 * piece_bytes);
  REQUIRE(outcome.healed.size() == stored.size());
  CHECK(tail(outcome.healed, gone) == damaged);
  for (std::size_t at = 0; at + piece_bytes <= gone; at += piece_bytes) {
    const Bytes piece = slice(outcome.healed, at, piece_bytes);
    CHECK((piece == slice(stored, at, piece_bytes) || piece == Bytes(piece_bytes)));
  }
  MemoryRandomAccess file(damaged);
  PositionedSink to;
  CHECK(recover(file, to, {}).value().recovered_bytes > original.size() - gone - 2 * kMinChunk);
}

TEST_CASE("protect refuses a file with notes of another kind, and tells how far it is") {
  const Bytes original = noise(300000), plain = packed(original, options_for(plain_plan()));
  const auto pieces = dissect(plain);
  auto end = parse_end(pieces.back().bytes, {}, 0).value();
  constexpr RecordKind kOther{0x65746F6E};  // "note"
  const Note note{.kind = kOther, .tag = end.tag, .offset = pieces.back().offset, .content = noise(8)};
  const Bytes record = serialize(note);
  end.stream_bytes += record.size();
  const Bytes stored = head(plain, pieces.back().offset) + record + serialize(end);
  REQUIRE(decompress(stored, one_thread()).value() == original);
  MemoryRandomAccess other(stored), file(plain);
  MemorySink to;
  CHECK(protect(other, to, {}).error().kind == ErrorKind::unsupported);
  CHECK(std::move(to).take().empty());
  std::vector<std::uint64_t> told;
  ProtectOptions options;
  options.progress = [&](const Progress& progress) { told.push_back(progress.original_bytes); };
  MemorySink out;
  REQUIRE(protect(file, out, options));
  CHECK(told.size() >= 5);
  CHECK(std::ranges::is_sorted(told));
  CHECK(told.back() == original.size());
}

TEST_CASE("protect adds parity to a file, changes it, and takes it away") {
  const Bytes original = noise(500000), more = noise(70000, 2);
  const Bytes plain = packed(original, options_for(plain_plan())) + packed(more, options_for("u16x2"));
  const auto with = [&](const Bytes& stored, unsigned percent) {
    MemoryRandomAccess file(stored);
    MemorySink to;
    const auto totals = protect(file, to, {.percent = percent, .threads = 1}).value();
    CHECK(totals.original_bytes == original.size() + more.size());
    return std::move(to).take();
  };
  const Bytes stored = with(plain, 5);
  CHECK(stored.size() > plain.size());
  CHECK(decompress(stored, one_thread()).value() == original + more);
  must_heal(overwritten(stored, 200000, 9000), stored, original + more);
  CHECK(with(stored, 5) == stored);
  CHECK(with(with(stored, 40), 5) == stored);
  CHECK(with(stored, 0) == plain);
  const Bytes cut = head(stored, stored.size() - 1);
  MemoryRandomAccess damaged(cut);
  MemorySink to;
  CHECK(!protect(damaged, to, {}));
}
