// SPDX-License-Identifier: Apache-2.0
// Does the layout `packed` follow its definition on every target, alone and after a pass, come back, and
// refuse what cannot be?
#include "kernels/cpu/steps/packed.hpp"

#include <algorithm>
#include <set>

#include "kernels/cpu/sweep.hpp"
#include "tests/kernels/columns.hpp"

namespace tdz {
namespace {

using oracle::PackedStreams;
using test::ByteVector;

cpu::PackedWords packed_words(const oracle::Column& column, Pass pass = {}, std::size_t run = 0) {
  const LaneMap map = test::map_of(column);
  pass.word = map.word;
  return {pass, map.bits(), map.tuple, map.words, run};
}

PackedStreams pack(const cpu::PackedWords& words, const ByteVector& in) {
  const std::size_t groups = words.groups();
  PackedStreams out{ByteVector(kMostGroupWidths), ByteVector(cpu::packed_code_bytes(groups)),
                    ByteVector(cpu::packed_place_bytes(groups)),
                    ByteVector(cpu::most_packed_bits(words) + cpu::kPackedSlack)};
  ByteVector widths(groups);
  const auto lengths = cpu::encode_packed(
      words, in.data(),
      {out.widths.data(), out.codes.data(), out.places.data(), out.bits.data(), widths.data()});
  out.widths.resize(lengths.widths);
  out.bits.resize(lengths.bits);
  return out;
}

struct Unpacked {
  formats::Fault fault;
  ByteVector words;
};

Unpacked unpack(const cpu::PackedWords& words, const PackedStreams& streams) {
  // Heap blocks of their own, for the sanitizer.
  const ByteVector widths = streams.widths, codes = streams.codes, places = streams.places,
                   bits = streams.bits;
  Unpacked result;
  ByteVector group_widths(words.groups());
  result.words =
      test::guarded(bits, words.words * words.pass.word, [&](const std::uint8_t*, std::uint8_t* out) {
        result.fault = cpu::decode_packed(words, {widths, codes, places, {bits.data(), bits.size()}},
                                          group_widths.data(), out);
      });
  return result;
}

/// Bits that lie in pieces, with gaps between, give the same words.
void check_pieces(const cpu::PackedWords& words, const PackedStreams& streams, const ByteVector& wanted) {
  constexpr std::size_t kGap = 3;
  for (const std::size_t first : {std::size_t{1}, 1 + streams.bits.size() / 3, streams.bits.size()})
    for (const std::size_t piece : {std::size_t{7}, std::size_t{1000}, streams.bits.size() + 1}) {
      ByteVector apart;
      for (std::size_t at = 0, end = first; at < streams.bits.size(); at = end, end += piece) {
        if (at != 0) apart.insert(apart.end(), kGap, 0xEE);
        for (std::size_t i = at; i < std::min(end, streams.bits.size()); ++i)
          apart.push_back(streams.bits[i]);
      }
      ByteVector group_widths(words.groups()), found(words.words * words.pass.word);
      const cpu::PackedBits bits{apart.data(), streams.bits.size(), first, piece, kGap};
      const auto fault = cpu::decode_packed(words, {streams.widths, streams.codes, streams.places, bits},
                                            group_widths.data(), found.data());
      CAPTURE(first);
      CAPTURE(piece);
      CHECK(!fault);
      CHECK(found == wanted);
    }
}

/// What the program packs are the words of the pass, and it comes back; `codes` are these words.
void check_packed(const cpu::PackedWords& words, const ByteVector& in, const oracle::Column& codes) {
  const PackedStreams first = pack(words, in);
  REQUIRE(first.widths.size() <= kMostGroupWidths);
  CHECK(oracle::packed(codes, first.widths) == first);
  const auto back = oracle::undo_packed(first, codes);
  REQUIRE(back);
  CHECK(back->x == codes.x);
  test::for_each_target([&](const cpu::Target& target) {
    INFO(target.name, ": width ", codes.width, ", tuple ", codes.tuple, ", ", codes.x.size(),
         " words, order ", unsigned{words.pass.order});
    CHECK(pack(words, in) == first);
    const Unpacked result = unpack(words, first);
    CHECK(!result.fault);
    CHECK(result.words == in);
    if (!first.bits.empty()) check_pieces(words, first, in);
  });
}

/// Differences begin anew after every `run` words.
void check_after_pass(const Pass& pass, std::size_t words, std::size_t run) {
  oracle::Column column = test::smooth_column(pass.word, 2, words);
  const ByteVector in = test::bytes_of(column);
  ByteVector coded(in.size());
  for (std::size_t begin = 0; begin < in.size(); begin += run * pass.word)
    cpu::plain_forward(pass, in.data() + begin, coded.data() + begin,
                       std::min(in.size() - begin, run * pass.word));
  for (std::size_t i = 0; i < words; ++i) {
    column.x[i] = 0;
    for (std::size_t b = 0; b < pass.word; ++b)
      column.x[i] |= std::uint64_t{coded[i * pass.word + b]} << (8 * b);
  }
  check_packed(packed_words(column, pass, run < words ? run : 0), in, column);
}

/// Groups of every width, next to one another.
oracle::Column all_widths(unsigned width, std::size_t tuple, std::size_t words) {
  oracle::Column column = test::random_column(width, tuple, words);
  for (std::size_t i = 0; i < words; ++i) {
    const std::size_t group = i / (16 * tuple) * tuple + i % tuple;
    const unsigned bits = static_cast<unsigned>(group * 7 % (8 * width + 1));
    column.x[i] = bits == 0 ? 0 : column.x[i] & (~std::uint64_t{0} >> (64 - bits));
    if (bits != 0 && i / tuple % 16 == group % 16) column.x[i] |= std::uint64_t{1} << (bits - 1);
  }
  return column;
}

}  // namespace

TEST_CASE("packed groups of words of every width and tuple") {
  for (const unsigned width : test::kWidths) {
    for (const std::size_t tuple : {1, 2, 3, 4, 5, 7, 12, 256}) {
      for (const std::size_t words : {1, 2, 15, 16, 17, 31, 33, 240, 257, 1000, 4096, 5003, 20000}) {
        if (words > 6000 && tuple > 3) continue;
        for (const oracle::Column& column :
             {test::random_column(width, tuple, words), test::smooth_column(width, tuple, words),
              all_widths(width, tuple, words)}) {
          check_packed(packed_words(column), test::bytes_of(column), column);
        }
      }
    }
  }
}

TEST_CASE("packed groups after the steps of a pass") {
  for (const unsigned width : {1, 2, 4, 8}) {
    for (const std::uint32_t tuple : {1, 3, 40, 3000}) {
      for (const unsigned order : {0, 1, 2, 8}) {
        for (const bool swapped : {false, true}) {
          for (const std::size_t words : {20, 5003, 17000}) {
            const Pass pass{.word = static_cast<std::uint8_t>(width),
                            .order = static_cast<std::uint8_t>(order),
                            .zigzag = true,
                            .tuple = order == 0 ? 1 : tuple,
                            .byteswap = swapped};
            check_after_pass(pass, words, words);
            if (order != 0) check_after_pass(pass, words, std::size_t{1024} * tuple);
          }
        }
      }
    }
  }
}

TEST_CASE("more widths than a chunk may have: the cheapest go") {
  const oracle::Column column = all_widths(8, 1, 16 * 65 * 3);
  const PackedStreams streams = pack(packed_words(column), test::bytes_of(column));
  CHECK(streams.widths.size() == kMostGroupWidths);
  CHECK(streams.widths.back() == 64);
  CHECK(oracle::packed(column, streams.widths) == streams);
}

TEST_CASE("packed streams that contradict themselves are corrupt") {
  const oracle::Column column = test::random_column(2, 3, 16 * 3 * 100 + 20);  // 303 groups
  const cpu::PackedWords words = packed_words(column);
  const PackedStreams good = pack(words, test::bytes_of(column));
  REQUIRE(words.groups() == 303);
  REQUIRE(good.places.size() == 8);
  const auto refused = [&](auto&& change) {
    PackedStreams bad = good;
    change(bad);
    test::for_each_target([&](const cpu::Target&) {
      const auto result = unpack(words, bad);
      CHECK(result.fault);
      if (result.fault) CHECK(result.fault->kind == ErrorKind::corrupt);
    });
  };
  refused([](PackedStreams& s) { s.widths.back() = 17; });
  refused([](PackedStreams& s) { std::swap(s.widths[0], s.widths[1]); });
  refused([](PackedStreams& s) { s.widths[1] = s.widths[0]; });
  refused([](PackedStreams& s) { s.codes.back() |= 0x10; });
  refused([](PackedStreams& s) { s.places[0] = 2; });
  refused([](PackedStreams& s) { s.places[4] ^= 2; });
  refused([](PackedStreams& s) { s.bits.resize(s.bits.size() - 2); });
  refused([](PackedStreams& s) { s.bits.resize(s.bits.size() + 2); });
  refused([](PackedStreams& s) { s.bits.back() |= 0x80; });
  refused([](PackedStreams& s) { s.codes[0] = static_cast<std::uint8_t>(s.codes[0] ^ 1); });
  const oracle::Column few = test::random_column(2, 1, 64, 3);
  const cpu::PackedWords few_words = packed_words(few);
  PackedStreams none = pack(few_words, test::bytes_of(few));
  none.codes[0] = 0xFF;
  REQUIRE(none.widths.size() < 15);
  CHECK(unpack(few_words, none).fault);
}

}  // namespace tdz
