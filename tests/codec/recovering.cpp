// SPDX-License-Identifier: Apache-2.0
// Does recovery restore every intact chunk, at its place, and nothing else?
#include <doctest/doctest.h>

#include <numeric>

#include "codec/stream/memory_io.hpp"
#include "formats/plan/plan_bytes.hpp"
#include "formats/stream/stream_records.hpp"
#include "tests/codec/support.hpp"

using namespace tdz;
using namespace tdz::test;
using formats::RecordKind;

namespace {

constexpr std::size_t kChunk = formats::kMinChunk;

struct Outcome {
  Bytes restored;
  std::vector<MissingRange> missing;
  Recovered totals;
};

Result<Outcome> recovered(std::span<const std::byte> damaged, Fill fill = Fill::zeros) {
  MemoryRandomAccess file(damaged);
  PositionedSink to;
  Outcome outcome;
  RecoverOptions options;
  options.fill = fill;
  options.missing = [&](const MissingRange& range) { outcome.missing.push_back(range); };
  auto totals = recover(file, to, options);
  if (!totals) return totals.error();
  outcome.totals = *totals;
  outcome.restored = std::move(to.collected);
  CHECK(outcome.totals.missing_ranges == outcome.missing.size());
  return outcome;
}

/// Checks that recovery loses exactly these chunks. All chunks have length kChunk, except the last.
void must_lose(const Bytes& damaged, const Bytes& original, const std::vector<bool>& lost) {
  Bytes zeroed = original, shortened;
  std::size_t whole = 0, ranges = 0;
  for (std::size_t n = 0; n < lost.size(); ++n) {
    const std::size_t begin = n * kChunk, end = std::min(original.size(), begin + kChunk);
    const auto first = original.begin() + static_cast<std::ptrdiff_t>(begin);
    if (lost[n]) {
      std::fill_n(zeroed.begin() + static_cast<std::ptrdiff_t>(begin), end - begin, std::byte{0});
      ranges += n == 0 || !lost[n - 1];
    } else {
      shortened.insert(shortened.end(), first, first + static_cast<std::ptrdiff_t>(end - begin));
      ++whole;
    }
  }
  const auto zeros = recovered(damaged).value();
  CHECK(zeros.restored == zeroed);
  CHECK(zeros.totals.chunks == whole);
  CHECK(zeros.missing.size() == ranges);
  CHECK(zeros.totals.original_bytes == original.size());
  CHECK(zeros.totals.recovered_bytes == shortened.size());
  CHECK(recovered(damaged, Fill::nothing).value().restored == shortened);
}

Bytes overwritten(Bytes bytes, std::size_t begin, std::size_t length, std::uint32_t seed) {
  const Bytes rubbish = noise(length, seed);
  const std::size_t fits = std::min(length, bytes.size() - begin);
  std::copy_n(rubbish.begin(), fits, bytes.begin() + static_cast<std::ptrdiff_t>(begin));
  return bytes;
}

Bytes stored_of(const Bytes& original) {
  return packed(original, options_for(plain_plan()));
}

Bytes without(Bytes bytes, std::size_t begin, std::size_t end) {
  bytes.erase(bytes.begin() + static_cast<std::ptrdiff_t>(begin),
              bytes.begin() + static_cast<std::ptrdiff_t>(end));
  return bytes;
}

Bytes with(Bytes bytes, std::size_t place, const Bytes& more) {
  bytes.insert(bytes.begin() + static_cast<std::ptrdiff_t>(place), more.begin(), more.end());
  return bytes;
}

Bytes zeroed(Bytes bytes, std::size_t begin, std::size_t length) {
  std::fill_n(bytes.begin() + static_cast<std::ptrdiff_t>(begin), std::min(length, bytes.size() - begin),
              std::byte{0});
  return bytes;
}

Bytes flipped(Bytes bytes, std::size_t place) {
  bytes[place] ^= std::byte{1};
  return bytes;
}

std::size_t first_of(const std::vector<Piece>& pieces, RecordKind kind) {
  return std::ranges::find(pieces, kind, &Piece::kind)->offset;
}

/// Many chunks that are almost all zeros: the index is longer than the streams that follow.
Bytes flat(std::size_t chunks) {
  Bytes bytes(chunks * kChunk);
  for (std::size_t n = 0; n < chunks; ++n) bytes[n * kChunk] = static_cast<std::byte>(1 + n % 200);
  return bytes;
}

formats::IndexPart part_of(const Piece& piece) {
  const auto plan_length = [](std::span<const std::byte> plans) { return formats::plan_length(plans); };
  return formats::parse_index(piece.bytes, plan_length, 0).value();
}

/// Ten chunks of noise. zstd stores noise uncompressed, so the chunks' bytes are visible in the file.
struct Archive {
  Bytes original = noise(10 * kChunk - 100, 3);
  Bytes stored = stored_of(original);
  std::vector<Piece> pieces = dissect(stored);

  std::vector<bool> hit(std::size_t begin, std::size_t length) const {
    std::vector<bool> lost;
    for (const Piece& piece : pieces) {
      if (piece.kind != RecordKind::chunk) continue;
      lost.push_back(piece.offset < begin + length && begin < piece.offset + piece.bytes.size());
    }
    return lost;
  }
  std::size_t place(RecordKind kind) const { return first_of(pieces, kind); }
};

/// A file of many .tdz files, like a tar archive. They contain noise, so zstd stores them uncompressed: their
/// records are visible inside the frames of the outer stream.
Bytes nest(std::uint32_t seed) {
  Bytes all;
  for (std::uint32_t i = 0; i < 24; ++i) {
    all = all + packed(noise(25000 + 431 * i, seed + i), options_for(plain_plan()));
  }
  return all;
}

/// Compresses from a pipe: the header has no length, and so the headers of all such streams are equal.
Bytes piped(const Bytes& original) {
  PieceSource source(original, 1, 60000);
  CollectingSink sink;
  REQUIRE(compress(source, sink, options_for(plain_plan())));
  return sink.collected;
}

/// The number of chunk records that can be seen: those of the stream, and those inside its frames.
std::size_t visible_chunk_records(const Bytes& stored) {
  const auto kind = Bytes{std::byte{'C'}, std::byte{'H'}, std::byte{'K'}, std::byte{' '}};
  std::size_t count = 0;
  for (auto at = stored.begin(); at != stored.end(); ++count) {
    at = std::search(at, stored.end(), kind.begin(), kind.end());
    if (at != stored.end()) ++at;
  }
  return count;
}

}  // namespace

TEST_CASE("an undamaged file is restored completely") {
  const Archive archive;
  const auto outcome = recovered(archive.stored).value();
  CHECK(outcome.restored == archive.original);
  CHECK(outcome.totals.complete());
  CHECK(outcome.totals.streams == 1);
  const Bytes empty = packed(Bytes{}, options_for(plain_plan()));
  CHECK(recovered(empty).value().totals.complete());
  CHECK(recovered(archive.stored + empty + Bytes(99) + archive.stored).value().restored ==
        archive.original + archive.original);
}

TEST_CASE("a hole at any place loses the chunks that it touches and no others") {
  const Archive archive;
  for (std::size_t begin = 0; begin < archive.stored.size(); begin += 9973) {
    INFO("hole at ", begin);
    must_lose(overwritten(archive.stored, begin, 4096, 7), archive.original, archive.hit(begin, 4096));
  }
}

TEST_CASE("after the loss of any one record, or of header and end, only touched chunks are lost") {
  const Archive archive;
  const auto& stored = archive.stored;
  for (const Piece& piece : archive.pieces) {
    INFO("record at ", piece.offset);
    const std::size_t length = std::min<std::size_t>(piece.bytes.size(), 120);
    must_lose(overwritten(stored, piece.offset, length, 5), archive.original,
              archive.hit(piece.offset, length));
  }
  // The header is lost and the file is cut: the chunks give the stream's id, but nothing gives its length.
  const Bytes cut = head(overwritten(stored, 0, 300, 5), archive.pieces[8].offset + 40);
  const auto outcome = recovered(cut).value();
  CHECK(outcome.totals.chunks == 6);
  REQUIRE(outcome.missing.size() == 2);
  CHECK(outcome.missing[0].offset == 0);
  CHECK(outcome.missing[0].length == kChunk);
  CHECK(outcome.missing[1].offset == 7 * kChunk);
  CHECK_FALSE(outcome.missing[1].length);
}

TEST_CASE("in a file that was cut short everything before the cut is restored") {
  const Archive archive;
  for (std::size_t length = 200; length < archive.stored.size(); length += 4999) {
    INFO("cut to ", length);
    const auto outcome = recovered(head(archive.stored, length));
    const auto lost = archive.hit(length, archive.stored.size());
    const auto whole = static_cast<std::size_t>(std::ranges::count(lost, false));
    if (whole == 0) {
      CHECK(outcome.error().kind == ErrorKind::corrupt);
      continue;
    }
    CHECK(outcome->totals.chunks == whole);
    const std::size_t kept = std::min(whole * kChunk, archive.original.size());
    CHECK(head(outcome->restored, kept) == head(archive.original, kept));
    CHECK(outcome->restored.size() == archive.original.size());  // the header gives the length
    CHECK(outcome->totals.complete() == (whole == lost.size()));
  }
}

TEST_CASE("without index or end all data is restored") {
  const Archive archive;
  const std::size_t index = archive.place(RecordKind::index);
  for (const std::size_t kept :
       {index, index + 20, archive.place(RecordKind::end), archive.stored.size() - 1}) {
    const auto outcome = recovered(head(archive.stored, kept)).value();
    CHECK(outcome.restored == archive.original);
    CHECK(outcome.totals.complete());
  }
  // In a stream from a pipe the header has no length; then the index gives it.
  const Bytes stream = piped(archive.original);
  const auto pieces = dissect(stream);
  const std::size_t end = pieces[pieces.size() - 1].offset;
  CHECK(recovered(head(stream, end)).value().totals.complete());
  CHECK_FALSE(recovered(head(stream, pieces[pieces.size() - 2].offset)).value().totals.complete());
}

TEST_CASE("if bytes are removed from a chunk or inserted, only this chunk is lost") {
  const Archive archive;
  const std::size_t place = archive.pieces[4].offset + 5000;
  must_lose(without(archive.stored, place, place + 512), archive.original, archive.hit(place, 1));
  must_lose(with(archive.stored, place, noise(777, 9)), archive.original, archive.hit(place, 1));
}

TEST_CASE("after random holes every chunk that no hole touched is restored") {
  const Bytes original = noise(100 * kChunk, 17);
  const Bytes stored = stored_of(original);
  const auto pieces = dissect(stored);
  for (std::uint32_t seed = 1; seed <= 4; ++seed) {
    INFO("seed ", seed);
    std::mt19937 random(seed);
    Bytes damaged = stored;
    std::vector<bool> lost(100);
    for (int hole = 0; hole < 50; ++hole) {
      const std::size_t begin = random() % (stored.size() - 4096);
      damaged = overwritten(std::move(damaged), begin, 4096, static_cast<std::uint32_t>(random()));
      for (std::size_t n = 0; n < 100; ++n) {
        const Piece& piece = pieces[n + 1];
        if (piece.offset < begin + 4096 && begin < piece.offset + piece.bytes.size()) lost[n] = true;
      }
    }
    must_lose(damaged, original, lost);
  }
}

TEST_CASE("chunks of a tdz file inside a tdz file are never taken for chunks of the outer stream") {
  const Bytes inner = nest(40);
  const Bytes stored = stored_of(inner);
  const auto pieces = dissect(stored);
  const std::size_t chunks = (inner.size() + kChunk - 1) / kChunk;
  REQUIRE(chunks >= 8);
  REQUIRE(visible_chunk_records(stored) > chunks + 10);
  // Destroys the record of each chunk, but not its frames: alone, with the header, with the end, and with
  // both.
  for (std::size_t n = 0; n < chunks; ++n) {
    std::vector<bool> lost(chunks);
    lost[n] = true;
    const Bytes hole = overwritten(stored, pieces[n + 1].offset, 100, 11);
    INFO("chunk ", n);
    must_lose(hole, inner, lost);
    must_lose(overwritten(hole, 0, 200, 12), inner, [&] {
      lost[0] = true;
      return lost;
    }());
    const auto end = recovered(head(hole, pieces[chunks + 1].offset)).value();
    CHECK(end.totals.chunks == chunks - 1);
    const auto both = recovered(head(overwritten(hole, 0, 200, 12), pieces[chunks + 1].offset)).value();
    CHECK(both.totals.chunks == chunks - (n == 0 ? 1 : 2));
    CHECK(both.totals.streams == 1);
  }
}

TEST_CASE("in a file cut after an inner stream's end, this end is not taken for the outer one's") {
  const Bytes inner = nest(60);
  const Bytes stored = stored_of(inner);
  const auto pieces = dissect(stored);
  std::size_t at = pieces[4].offset + 1000;
  const auto end_there = [&] {
    return formats::parse_end(std::span(stored).subspan(at, formats::kEndLength), {}, at);
  };
  while (!end_there()) ++at;
  const Bytes cut = head(stored, at + formats::kEndLength);
  REQUIRE(at < pieces[5].offset);
  const auto outcome = recovered(cut).value();
  CHECK(outcome.totals.chunks == 3);
  CHECK(head(outcome.restored, 3 * kChunk) == head(inner, 3 * kChunk));
}

TEST_CASE("damage in one of several streams costs the others nothing") {
  const Bytes a = noise(3 * kChunk, 21), b = noise(4 * kChunk, 22), c = noise(2 * kChunk, 23);
  const Bytes sa = stored_of(a), sb = stored_of(b), sc = stored_of(c);
  const Bytes stored = sa + sb + sc, original = a + b + c;
  const auto with_hole = [&](std::size_t begin, std::size_t length) {
    return recovered(overwritten(stored, begin, length, 3)).value();
  };
  const std::size_t end_a = sa.size() - 150, second = sa.size();
  CHECK(with_hole(end_a, 100).restored == original);   // the end of a
  CHECK(with_hole(second, 100).restored == original);  // the header of b
  CHECK(with_hole(end_a, 250).restored == original);   // both
  CHECK(with_hole(stored.size() - 100, 100).restored == original);
  const auto chunk = with_hole(second + 30000, 4096);
  CHECK(chunk.totals.recovered_bytes == original.size() - kChunk);
  REQUIRE(chunk.missing.size() == 1);
  CHECK(chunk.missing[0].offset == a.size());
  // The end of the first stream and the end of the file are lost: no END leads back to the first streams.
  const Bytes cut = head(overwritten(stored, end_a, 100, 3), stored.size() - 250);
  CHECK(recovered(cut).value().restored == original);
}

TEST_CASE("if a whole stream between others is lost, recovery reports a missing range") {
  Bytes stored, original;
  for (std::uint32_t i = 0; i < 12; ++i) {
    stored = stored + stored_of(noise(3000, i + 80));
    original = original + noise(3000, i + 80);
  }
  for (std::size_t begin = 0; begin + 4096 < stored.size(); begin += 331) {
    INFO("hole at ", begin);
    for (const Bytes& damaged : {overwritten(stored, begin, 4096, 7), zeroed(stored, begin, 4096)}) {
      const auto outcome = recovered(damaged).value();
      CHECK_FALSE(outcome.missing.empty());
      CHECK(outcome.totals.chunks >= 9);
    }
  }
}

TEST_CASE("a hole over the border of two streams loses only the chunks that it touches") {
  const Bytes a = noise(3 * kChunk, 21), b = noise(6 * kChunk, 22);
  const Bytes sa = stored_of(a), sb = stored_of(b);
  const auto pa = dissect(sa), pb = dissect(sb);
  const std::size_t begin = pa[5].offset,
                    end = sa.size() + pb[1].offset + pb[1].bytes.size();  // END, and HDR and CHK
  const Bytes stored = overwritten(sa + sb, begin, end - begin, 3);
  const auto outcome = recovered(stored).value();
  const Bytes expected = zeroed(a + b, a.size(), kChunk);
  CHECK(outcome.restored == expected);
  REQUIRE(outcome.missing.size() == 1);
  CHECK(outcome.missing[0].offset == a.size());
  CHECK(outcome.missing[0].length == kChunk);
  // The same without an intact END in the file.
  const auto cut = recovered(head(stored, stored.size() - 1)).value();
  CHECK(cut.restored == expected);
}

TEST_CASE("a stream without a header is restored, also if a longer stream follows it") {
  const Bytes a = noise(3 * kChunk, 21), b = noise(6 * kChunk, 22), c = noise(6 * kChunk, 23);
  const Bytes cut = head(stored_of(a) + stored_of(b), stored_of(a).size() + stored_of(b).size() - 1);
  CHECK(recovered(overwritten(cut, 3, 1, 5)).value().restored == a + b);
  // The header of b stays, its first chunk is lost. c is as long as b and must not be taken for it.
  const Bytes both = stored_of(b) + stored_of(c);
  const Bytes hole = overwritten(head(both, both.size() - 1), dissect(both)[1].offset + 40, 1, 5);
  const auto outcome = recovered(hole).value();
  CHECK(outcome.restored == zeroed(b, 0, kChunk) + c);
  CHECK(outcome.missing.size() == 1);
}

TEST_CASE("if a stream's last chunk and end are lost, recovery reports that more may be missing after it") {
  const Bytes a = noise(3 * kChunk, 21), b = noise(6 * kChunk, 22), c = noise(2 * kChunk, 23),
              d = noise(kChunk, 24);
  const Bytes sa = stored_of(a), sb = stored_of(b), sc = stored_of(c);
  Bytes stored = sa + sb + sc + stored_of(d);
  const std::size_t last = sa.size() + dissect(sb)[6].offset;
  stored = overwritten(stored, last + 40, 1, 5);
  stored = overwritten(stored, sa.size() + sb.size() + dissect(sc)[4].offset + 50, 1, 5);
  // Index and end show where the stream ends.
  const auto known = recovered(stored).value();
  CHECK(known.totals.chunks == 3 + 5 + 2 + 1);
  CHECK(known.totals.original_bytes == (a + b + c + d).size());
  CHECK(known.missing.size() == 1);
  // Without them the next stream may lie inside the lost chunk.
  const auto outcome = recovered(overwritten(stored, last, sa.size() + sb.size() - last, 5)).value();
  CHECK(outcome.totals.chunks >= 3 + 5 + 1);
  REQUIRE_FALSE(outcome.missing.empty());
  CHECK_FALSE(outcome.missing.back().length);
}

TEST_CASE("copies of a stream are restored one by one, and so is a stream between them") {
  const Bytes a = noise(2 * kChunk, 31), b = noise(9 * kChunk, 32);
  const Bytes sa = stored_of(a), sb = stored_of(b);
  const std::size_t end_a = dissect(sa)[4].offset, end_b = dissect(sb)[11].offset;
  CHECK(recovered(overwritten(sa + sa, end_a + 50, 1, 5)).value().restored == a + a);
  CHECK(
      recovered(overwritten(overwritten(sa + sa, end_a + 50, 1, 5), sa.size() + 3, 1, 5)).value().restored ==
      a + a);
  const Bytes three = overwritten(overwritten(sa + sb + sa, end_a + 50, 1, 5), sa.size() + end_b + 50, 1, 5);
  CHECK(recovered(three).value().restored == a + b + a);
}

TEST_CASE("a stream without any record left is reported as missing at its place") {
  const Bytes a = noise(60000, 41), b = noise(3 * kChunk, 42);
  const Bytes both = stored_of(a) + stored_of(b);
  const auto front = recovered(head(overwritten(both, 0, stored_of(a).size(), 3), both.size() - 1)).value();
  CHECK_FALSE(front.totals.complete());
  CHECK(front.restored == b);  // a gap of unknown length is not filled
  CHECK(recovered(overwritten(both, 0, 512, 3)).value().restored == Bytes(60000) + b);  // the index knows it
  // Lost: the last chunk, of one byte, and all of the next stream. Then: the last chunk, but not the next
  // streams.
  const Bytes odd = noise(kChunk + 1, 43), so = stored_of(odd);
  const std::size_t last = dissect(so)[2].offset;
  const auto back = recovered(overwritten(so + stored_of(b), last, so.size() + 300000, 3)).value();
  REQUIRE_FALSE(back.missing.empty());
  CHECK_FALSE(back.missing.back().length);
  Bytes three = overwritten(so + stored_of(b) + stored_of(a), last + 40, 1, 3);
  three = overwritten(three, three.size() - 150, 1, 3);
  const auto outcome = recovered(three).value();
  Bytes expected = odd + b + a;
  expected[kChunk] = std::byte{0};
  CHECK(outcome.restored == expected);
  CHECK(outcome.missing.size() == 1);
}

TEST_CASE("a stream inside the chunk in which a file was cut is not taken for an outer one") {
  const Bytes mark = packed(noise(20000, 70), options_for(plain_plan()));
  const Bytes stored = packed(noise(15000, 71) + mark + noise(25000, 72), options_for(plain_plan()));
  const auto place = std::search(stored.begin(), stored.end(), mark.begin(), mark.end());
  REQUIRE(place != stored.end());
  const Bytes cut(stored.begin(), place + static_cast<std::ptrdiff_t>(mark.size()));
  const auto outcome = recovered(cut);
  REQUIRE_FALSE(outcome);
  CHECK(outcome.error().kind == ErrorKind::corrupt);
}

TEST_CASE("if a lost index or end could hide a lost stream, recovery reports it") {
  const Bytes a = flat(300), b = noise(900, 51), c = noise(900, 52);
  const Bytes sa = stored_of(a), sb = stored_of(b), sc = stored_of(c);
  const auto pa = dissect(sa);
  const std::size_t index = pa[301].offset, end = pa[302].offset;
  REQUIRE(sa.size() - index > 3 * sb.size());
  // All chunks are restored. But the lost bytes may have held another stream.
  for (const std::size_t kept : {index + 50, end, end + 40}) {
    INFO("a ends at ", kept);
    const auto outcome = recovered(head(sa, kept) + sb + sc).value();
    CHECK(outcome.restored == a + b + c);
    CHECK_FALSE(outcome.totals.complete());
  }
  CHECK_FALSE(
      recovered(overwritten(sa + sb + sc, end, sa.size() + sb.size() - end, 3)).value().totals.complete());
  CHECK_FALSE(recovered(zeroed(sa + sb, index, 1u << 20)).value().totals.complete());
  CHECK_FALSE(recovered(zeroed(sa + sb, end + 20, 1u << 20)).value().totals.complete());
  CHECK_FALSE(recovered(zeroed(sa + sb, end, 1u << 20)).value().totals.complete());
  // If they are damaged but not moved, there is no room for another stream.
  CHECK(recovered(overwritten(sa + sb, index, end - index, 3)).value().totals.complete());
  CHECK(recovered(overwritten(sa + sb, end, sa.size() - end, 3)).value().totals.complete());
  CHECK(recovered(overwritten(sa + sb, index, sa.size() - index, 3)).value().totals.complete());
}

TEST_CASE("streams of equal length, and copies, are not mixed up") {
  const Bytes a = noise(4 * kChunk, 61), b = noise(4 * kChunk, 62);
  const Bytes sa = stored_of(a), sb = stored_of(b);
  const auto pa = dissect(sa), pb = dissect(sb);
  const Bytes first_hit = overwritten(sa, pa[1].offset + 40, 1, 5),
              last_hit = overwritten(sa, pa[4].offset + 40, 1, 5);
  CHECK(recovered(first_hit + with(sb, pb[2].offset, noise(100, 1))).value().restored ==
        zeroed(a, 0, kChunk) + b);
  // A chunk that stands twice: the end of a copy may be lost, and the begin of another copy. Nothing is lost.
  CHECK(recovered(first_hit + with(sb, pb[2].offset, pb[2].bytes)).value().restored ==
        zeroed(a, 0, kChunk) + zeroed(b, 2 * kChunk, 2 * kChunk) + zeroed(b, 0, kChunk));
  CHECK(recovered(head(last_hit + sa, 2 * sa.size() - 20)).value().restored ==
        zeroed(a, 3 * kChunk, kChunk) + a);
  const Bytes hole = overwritten(first_hit + sb, pa[6].offset, sa.size() - pa[6].offset + 100, 5);
  CHECK_FALSE(recovered(hole).value().totals.complete());
  // Another version of the same file has the same id, because it has the same length and first chunk.
  Bytes other = a;
  other[3 * kChunk + 9] ^= std::byte{1};
  const Bytes so = stored_of(other);
  CHECK(recovered(last_hit + overwritten(so, pa[6].offset + 50, 1, 5) + sb).value().restored ==
        zeroed(a, 3 * kChunk, kChunk) + other + b);
}

TEST_CASE("inserted bytes, also a second copy of the end, never double a stream") {
  const Bytes a = noise(4 * kChunk, 31), b = noise(2 * kChunk, 32);
  const Bytes sa = stored_of(a), sb = stored_of(b);
  const auto pieces = dissect(sa);
  for (const Piece& piece : pieces) {
    for (const std::size_t place : {piece.offset, piece.offset + 60}) {
      for (const std::size_t length : {100u, 500u, 5000u}) {
        INFO(length, " bytes at ", place);
        const auto outcome = recovered(with(sa, place, noise(length, 3)) + sb).value();
        CHECK(outcome.totals.chunks >= 5);
        CHECK(outcome.restored.size() == a.size() + b.size());
      }
    }
  }
  CHECK(recovered(sa + tail(sa, pieces[5].offset)).value().restored == a);
}

TEST_CASE("if bytes over the border of two streams are removed, only the chunks that held them are lost") {
  const Bytes a = flat(40), b = noise(3 * kChunk, 42);
  const Bytes sa = stored_of(a), sb = stored_of(b);
  const auto pa = dissect(sa), pb = dissect(sb);
  for (std::size_t n = 1; n <= 3; ++n) {
    INFO("up to chunk ", n - 1);
    const auto outcome = recovered(without(sa + sb, pa[41].offset, sa.size() + pb[n].offset)).value();
    CHECK(outcome.restored == a + zeroed(b, 0, (n - 1) * kChunk));
  }
  const auto middle = recovered(without(sa + sb, pa[36].offset + 60, sa.size() + pb[1].offset + 500)).value();
  CHECK(middle.restored == zeroed(a, 35 * kChunk, 5 * kChunk) + zeroed(b, 0, kChunk));
}

TEST_CASE("index and end of a damaged stream are found, also if the stream has become longer") {
  const Bytes a = noise(3 * kChunk, 71), b = noise(5000, 72);
  const Bytes sa = piped(a), sb = stored_of(b);
  const Bytes longer = with(sa, dissect(sa)[3].offset + 5000, noise(3, 1));
  const Bytes file = longer + sb + sb;
  CHECK(recovered(head(file, file.size() - 5)).value().restored == zeroed(a, 2 * kChunk, kChunk) + b + b);
}

TEST_CASE("many streams without headers and ends are all restored") {
  Bytes stored, original;
  for (std::uint32_t i = 0; i < 20; ++i) {
    const Bytes more = noise(1000 + 50 * i, 200 + i), one = stored_of(more);
    stored = stored + overwritten(overwritten(one, 50, 1, 5), dissect(one)[3].offset + 50, 1, 5);
    original = original + more;
  }
  const auto outcome = recovered(stored).value();
  CHECK(outcome.restored == original);
  CHECK(outcome.totals.chunks == 20);
}

TEST_CASE("an index with wrong offsets, or a chain of thousands of index parts, does no harm") {
  const Bytes original = noise(kChunk, 81);
  auto pieces = dissect(stored_of(original));
  auto part = part_of(pieces[2]);
  part.entries[0].record_offset = ~std::uint64_t{0} - 7;
  pieces[2].bytes = formats::serialize(part);
  CHECK(recovered(overwritten(Bytes(3, std::byte{1}) + joined(pieces), 0, 60, 3)).value().restored ==
        original);
  // A chain of index parts: each part links to the one before it.
  Bytes chain(200);
  part.entries[0].record_offset = 0;
  part.entries[0].stored_bytes = 1;
  for (part.first_chunk = 0; part.first_chunk < 60000; ++part.first_chunk) {
    part.offset = chain.size();
    chain = std::move(chain) + formats::serialize(part);
    part.previous = part.offset;
  }
  auto end = formats::parse_end(pieces[3].bytes, {}, 0).value();
  end.stream_bytes = chain.size() + formats::kEndLength;
  end.last_index = part.previous;
  CHECK(recovered(chain + formats::serialize(end)).error().kind == ErrorKind::corrupt);
}

TEST_CASE("a stream inside a lost chunk is not taken for an outer one, also after well packed chunks") {
  const Bytes inner = stored_of(noise(20000, 50));
  const Bytes outer = flat(8) + noise(10000, 51) + inner + noise(10000, 52);
  const Bytes stored = stored_of(outer);
  const auto pieces = dissect(stored);
  const Bytes hit = overwritten(stored, pieces[9].offset + 40, 1, 5);
  for (const Bytes& damaged :
       {overwritten(hit, pieces[11].offset + 50, 1, 5), head(hit, pieces[11].offset + 50)}) {
    const auto outcome = recovered(damaged).value();
    CHECK(outcome.restored == zeroed(outer, 8 * kChunk, outer.size()));
    CHECK(outcome.missing.size() == 1);
  }
}

TEST_CASE("if the first chunk and the end are lost, header and index give the stream's id") {
  for (Bytes (*pack)(const Bytes&) : {&stored_of, &piped}) {
    const Bytes inner = (*pack)(noise(55000, 90));
    const Bytes outer = noise(3000, 91) + inner + noise(kChunk - 3000 - inner.size() + 3000, 92);
    const Bytes stored = (*pack)(outer);
    const auto pieces = dissect(stored);
    const std::size_t end = first_of(pieces, RecordKind::end);
    const Bytes hit = flipped(stored, pieces[1].offset + 40), other = stored_of(noise(20000, 93));
    const Bytes rest = zeroed(outer, 0, kChunk);
    CHECK(recovered(flipped(hit, end + 50)).value().restored == rest);
    CHECK(recovered(head(hit, end)).value().restored == rest);
    CHECK(recovered(other + flipped(hit, end + 50)).value().restored == noise(20000, 93) + rest);
    CHECK(recovered(flipped(hit, end + 50) + other).value().restored == rest + noise(20000, 93));
  }
}

TEST_CASE("of several equal headers, END belongs to the one nearest to the place that it names") {
  // The border of two outer chunks lies in the first record of the inner stream, so its header stands alone.
  const Bytes before = noise(2 * kChunk - 180, 94);
  const Bytes outer = before + piped(noise(20000, 95)) + noise(2 * kChunk, 96);
  const Bytes stored = piped(outer);
  const auto pieces = dissect(stored);
  const Bytes hit = flipped(stored, pieces[1].offset + 40);
  const auto outcome = recovered(with(hit, pieces[2].offset + 30000, Bytes(1, std::byte{7}))).value();
  CHECK(outcome.restored == zeroed(outer, 0, 2 * kChunk));
  CHECK(outcome.totals.streams == 1);
}

TEST_CASE("chunks after the place where the next stream begins are not taken for a stream of their own") {
  Bytes halves = noise(4 * kChunk, 97);
  for (std::byte& half : halves) half &= std::byte{15};
  const Bytes inner = noise(kChunk + 20000, 98) + stored_of(halves) + noise(kChunk, 99);
  const Bytes first = stored_of(noise(60000, 100)), second = stored_of(inner);
  const auto pieces = dissect(second);
  const std::size_t lost = first.size() + pieces[3].offset + 200;
  const auto outcome = recovered(overwritten(first + second, 52, lost - 52, 5)).value();
  CHECK(outcome.totals.streams == 1);
  CHECK(tail(outcome.restored, outcome.restored.size() - inner.size()) == zeroed(inner, 0, 3 * kChunk));
}

TEST_CASE("streams that may lie inside a chunk without an end are left out and reported as missing") {
  const Bytes first = noise(2 * kChunk, 97);
  const Bytes stored = stored_of(first), others = stored_of(noise(800, 98)) + stored_of(noise(900, 99));
  const auto pieces = dissect(stored);
  const auto outcome = recovered(head(stored, pieces[2].offset + 5000) + others).value();
  CHECK(outcome.restored == zeroed(first, kChunk, kChunk));
  REQUIRE(outcome.missing.size() == 2);
  CHECK(outcome.missing[0].length == kChunk);
  CHECK(outcome.missing[1].offset == 2 * kChunk);
  CHECK_FALSE(outcome.missing[1].length);
}

TEST_CASE("a stream after another stream's last index part is restored: it cannot lie inside a chunk") {
  const Bytes small = noise(3000, 101), next = noise(2000, 102), last = noise(1000, 103);
  const auto without_end = [](const Bytes& stream) {
    return flipped(stream, first_of(dissect(stream), RecordKind::end) + 50);
  };
  const Bytes first = stored_of(small), second = stored_of(next), third = stored_of(last);
  const Bytes hit = flipped(without_end(first), dissect(first)[1].offset + 40);
  const auto outcome = recovered(hit + flipped(second, 20) + without_end(third)).value();
  CHECK(outcome.restored == zeroed(small, 0, 3000) + next + last);
}

namespace {

/// Counts the calls of read_at.
class CountedFile : public RandomAccess {
 public:
  explicit CountedFile(std::span<const std::byte> bytes) : file_(bytes) {}
  std::uint64_t size() const override { return file_.size(); }
  Status read_at(std::uint64_t offset, std::span<std::byte> into) override {
    ++reads;
    return file_.read_at(offset, into);
  }
  std::uint64_t reads = 0;

 private:
  MemoryRandomAccess file_;
};

}  // namespace

TEST_CASE("a chain of index parts is not read again for each of many ends that lead to it") {
  const auto pieces = dissect(stored_of(noise(10, 103)));
  auto part = part_of(pieces[2]);
  part.entries[0].stored_bytes = 1;
  Bytes file(200);
  for (part.first_chunk = 0; part.first_chunk < 1000; ++part.first_chunk) {
    part.offset = file.size();
    file = std::move(file) + formats::serialize(part);
    part.previous = part.offset;
    part.entries[0].record_offset = part.offset + 1;
  }
  auto end = formats::parse_end(pieces[3].bytes, {}, 0).value();
  end.last_index = part.previous;
  for (int n = 0; n < 1000; ++n) {
    file = std::move(file) + pieces[0].bytes + pieces[1].bytes;
    end.stream_bytes = file.size() + formats::kEndLength;
    file = std::move(file) + formats::serialize(end);
  }
  CountedFile counted(file);
  PositionedSink to;
  (void)recover(counted, to, {});
  CHECK(counted.reads < file.size());
}

TEST_CASE("an end that claims a stream of 0 bytes does no harm") {
  const Archive archive;
  formats::EndRecord end;
  end.stream_bytes = 0;
  const Bytes nothing = formats::serialize(end);
  CHECK(recovered(nothing).error().kind == ErrorKind::corrupt);
  CHECK(head(recovered(archive.stored + nothing).value().restored, archive.original.size()) ==
        archive.original);
}

TEST_CASE("a stream of a later format version is reported as missing, and the others are restored") {
  const Archive archive;
  auto later = dissect(archive.stored);
  const std::uint64_t tag = formats::read_prefix(later[0].bytes, 0)->tag;
  const auto body = formats::record_body(later[0].bytes, 0).value();
  later[0].bytes = formats::build_record(RecordKind::header, tag + 1, body);  // major version 2
  CHECK(recovered(joined(later)).error().kind == ErrorKind::unsupported);
  const auto outcome = recovered(archive.stored + joined(later)).value();
  CHECK(head(outcome.restored, archive.original.size()) == archive.original);
  CHECK_FALSE(outcome.totals.complete());
}

TEST_CASE("a stop request ends a search for records") {
  const Bytes rubbish = noise(3 << 20);
  MemoryRandomAccess file(rubbish);
  PositionedSink to;
  std::stop_source stop;
  stop.request_stop();
  RecoverOptions options;
  options.stop = stop.get_token();
  CHECK(recover(file, to, options).error().kind == ErrorKind::cancelled);
}

TEST_CASE("a chunk of another stream with the same first chunk is not taken") {
  const Archive archive;
  Bytes other = archive.original;
  other[9 * kChunk + 5] ^= std::byte{1};
  auto pieces = archive.pieces;
  pieces[10] = dissect(stored_of(other))[10];
  const auto outcome = recovered(joined(pieces)).value();
  REQUIRE(outcome.missing.size() == 1);
  CHECK(outcome.missing[0].offset == 9 * kChunk);
  CHECK(outcome.restored == zeroed(archive.original, 9 * kChunk, kChunk));
}

TEST_CASE("a file without a stream is corrupt, and an output that is too long is an error") {
  CHECK(recovered(noise(300000)).error().kind == ErrorKind::corrupt);
  CHECK(recovered(Bytes{}).error().kind == ErrorKind::corrupt);
  CHECK(recovered(Bytes(5000)).error().kind == ErrorKind::corrupt);
  const Archive archive;
  MemoryRandomAccess file(archive.stored);
  PositionedSink to;
  RecoverOptions options;
  options.max_output = archive.original.size() - 1;
  CHECK(recover(file, to, options).error().kind == ErrorKind::limit);
}

TEST_CASE("an output that is not positioned gets the same zeros") {
  const Archive archive;
  const Bytes damaged = overwritten(archive.stored, archive.pieces[3].offset, 200, 1);
  MemoryRandomAccess file(damaged);
  MemorySink to;
  REQUIRE(recover(file, to));
  CHECK(std::move(to).take() == recovered(damaged).value().restored);
}

namespace {

/// Two originals whose streams have one id: length and first chunk are the same.
struct Pair {
  Bytes a = noise(8 * kChunk, 110), b = head(a, kChunk) + noise(7 * kChunk, 111);
  Bytes sa = stored_of(a), sb = stored_of(b);
  std::vector<Piece> pa = dissect(sa), pb = dissect(sb);
};

}  // namespace

TEST_CASE("streams of one id are not mixed up, though a hole reaches from the one into the other") {
  const Pair two;
  const std::size_t from = two.pa[5].offset + 300, to = two.sa.size() + two.pb[6].offset;
  const Bytes expected = zeroed(two.a, 4 * kChunk, 4 * kChunk) + zeroed(two.b, 0, 5 * kChunk);
  CHECK(recovered(zeroed(two.sa + two.sb, from, to - from)).value().restored == expected);
  CHECK(recovered(without(two.sa + two.sb, from, to)).value().restored == expected);
  // Chunk 1 of the one joins chunk 0, which both have. Chunk 4 of the other does not.
  const Bytes mixed = head(two.sa, two.pa[2].offset) + Bytes(1) + two.pb[2].bytes + two.pa[5].bytes;
  CHECK(recovered(mixed, Fill::nothing).value().restored ==
        head(two.b, 2 * kChunk) + head(tail(two.a, 4 * kChunk), kChunk));
  CHECK(recovered(mixed).value().totals.streams == 2);
}

TEST_CASE("if a stream was written over another one of its id, the rest of both is restored") {
  const Pair two;
  const auto outcome = recovered(head(two.sb, two.pb[4].offset) + tail(two.sa, two.pa[4].offset)).value();
  CHECK(outcome.restored == zeroed(two.b, 3 * kChunk, 5 * kChunk) + zeroed(two.a, 0, 3 * kChunk));
  CHECK(outcome.totals.streams == 2);
}

TEST_CASE("a lost chunk does not keep parts of a stream apart, also without the index") {
  const Pair two;
  const auto& pieces = two.pa;
  const Bytes lost = flipped(two.sa, pieces[3].offset + 40);
  const Bytes no_index = zeroed(lost, pieces[9].offset, pieces[9].bytes.size());
  const Bytes expected = zeroed(zeroed(two.a, 2 * kChunk, kChunk), 6 * kChunk, kChunk);
  for (const Bytes& damaged : {lost, no_index, head(no_index, pieces[9].offset)}) {
    const auto outcome = recovered(with(damaged, pieces[7].offset + 5000, Bytes(3))).value();
    CHECK(outcome.restored == expected);
    CHECK(outcome.totals.streams == 1);
    CHECK(outcome.missing.size() == 2);
  }
}

TEST_CASE("two parts that prove nothing of one another are joined when a third one stands between them") {
  const Pair two;
  const auto at = [&](std::size_t chunk) { return two.pa[chunk + 1].offset; };
  // Chunks 0, 1; then 2 further back by 8 bytes; 3 to 5 by 16; 6 and 7 by 8 again, because a frame of 5 is
  // shorter. Chunk 6 follows from 5 alone, so 2, 6 and 7 cannot join 0 and 1 before 3 to 5 are there.
  Bytes file = head(two.sa, first_of(two.pa, RecordKind::index));
  file = without(std::move(file), at(5) + 5000, at(5) + 5008);
  file = with(with(std::move(file), at(3), noise(8, 1)), at(2), noise(8, 2));
  const auto outcome = recovered(file).value();
  CHECK(outcome.restored == zeroed(two.a, 5 * kChunk, kChunk));
  CHECK(outcome.totals.streams == 1);
}

TEST_CASE("zeros for what is lost count for the limit of the output") {
  const Archive archive;
  const Bytes damaged = overwritten(archive.stored, archive.pieces[1].offset, 200, 1);
  for (const Fill fill : {Fill::zeros, Fill::nothing}) {
    MemoryRandomAccess file(damaged);
    PositionedSink to;
    RecoverOptions options;
    options.fill = fill;
    options.max_output = kChunk / 2;
    CHECK(recover(file, to, options).error().kind == ErrorKind::limit);
    CHECK(to.collected.empty());
    options.max_output = archive.original.size() - (fill == Fill::zeros ? 0 : kChunk);
    CHECK(recover(file, to, options));
  }
}

TEST_CASE("the begin of a file may be gone") {
  const Pair two;
  for (std::size_t n = 0; n < 8; ++n)
    CHECK(recovered(tail(two.sa, two.pa[n + 1].offset)).value().restored == zeroed(two.a, 0, n * kChunk));
}

TEST_CASE("chunks between two shifts that cancel are left out and reported") {
  const Pair two;
  Bytes file = with(two.sa, two.pa[6].offset + 5000, Bytes(1));
  file = without(std::move(file), two.pa[3].offset + 5000, two.pa[3].offset + 5001);
  CHECK(recovered(file).value().restored == zeroed(two.a, 2 * kChunk, 4 * kChunk));
}

TEST_CASE("what is longer than a block of zstd lies in no frame") {
  const Bytes a = noise(3 * kChunk, 112), b = noise(3 * kChunk, 113), c = noise(900, 114);
  const Bytes sa = piped(a), open = head(sa, first_of(dissect(sa), RecordKind::index)), sb = stored_of(b);
  const Bytes short_b = head(sb, sb.size() - 1);
  // The length of a is lost, so a chunk of it may be lost, and streams may lie in that chunk; b is too long.
  CHECK(recovered(open + short_b).value().restored == a + b);
  CHECK(recovered(open + stored_of(c) + short_b).value().restored == a + b);
  // From the end of the file it is known where the streams begin.
  CHECK(recovered(open + stored_of(c) + stored_of(c)).value().restored == a + c + c);
}
