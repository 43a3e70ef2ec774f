// SPDX-License-Identifier: Apache-2.0
// Does the layout `tokens` follow its definition on every target, come back, and refuse what cannot be?
#include "tests/kernels/columns.hpp"

namespace tdz {
namespace {

using test::ByteVector;

oracle::TokenStreams split(const LaneMap& map, TokenCode code, std::size_t run, const ByteVector& words) {
  oracle::TokenStreams streams;
  streams.lengths.resize(runs_of(map, run));
  std::size_t bytes = 0;
  streams.tokens = test::guarded(words, map.words, [&](const std::uint8_t* from, std::uint8_t* tokens) {
    streams.raw = test::guarded(words, map.words * map.width, [&](const std::uint8_t*, std::uint8_t* raw) {
      bytes = cpu::encode_tokens(map, code, run, from, tokens, raw, streams.lengths);
    });
  });
  streams.raw.resize(bytes);
  return streams;
}

struct Joined {
  formats::Fault fault;
  ByteVector words;
};

Joined join(const LaneMap& map, TokenCode code, std::size_t run, const oracle::TokenStreams& streams) {
  Joined joined;
  const ByteVector tokens = streams.tokens, raw = streams.raw;  // heap blocks of their own, for the sanitizer
  joined.words = test::guarded(tokens, map.words * map.word, [&](const std::uint8_t*, std::uint8_t* words) {
    joined.fault = cpu::decode_tokens(map, code, run, tokens, raw, streams.lengths, words);
  });
  return joined;
}

void check_code(const oracle::Column& column, TokenCode code, std::size_t run) {
  const LaneMap map = test::map_of(column);
  const oracle::TokenStreams expected = oracle::tokens(column, code, run);
  const auto back = oracle::undo_tokens(expected, column, code, run);
  REQUIRE(back);
  CHECK(back->x == column.x);
  const ByteVector words = test::lanes_of(column);
  test::for_each_target([&](const cpu::Target& target) {
    INFO(target.name, ": width ", column.width, ", tuple ", column.tuple, ", ", map.words, " words, k ",
         unsigned{code.k}, ", m ", unsigned{code.m}, ", run ", run);
    CHECK(split(map, code, run, words) == expected);
    const Joined joined = join(map, code, run, expected);
    CHECK(!joined.fault);
    CHECK(joined.words == words);
    if (run != 0) return;
    oracle::TokenStreams untold = expected;  // one run a lane: its tokens tell its length
    untold.lengths.clear();
    const Joined again = join(map, code, run, untold);
    CHECK(!again.fault);
    CHECK(again.words == words);
  });
}

std::vector<TokenCode> codes_of(unsigned width) {
  std::vector<TokenCode> codes;
  for (unsigned k = 0; k <= 7; ++k) {
    for (unsigned m = 0; m <= k; ++m) {
      const TokenCode code{static_cast<std::uint8_t>(k), static_cast<std::uint8_t>(m)};
      if (is_token_code(code, 8 * width)) codes.push_back(code);
    }
  }
  return codes;
}

bool refused(unsigned width, std::size_t words, TokenCode code, const oracle::TokenStreams& streams,
             std::size_t run = 0) {
  const LaneMap map = LaneMap::of_width(width, 1, words);
  const oracle::Column shape{width, 1, std::vector<std::uint64_t>(words)};
  const bool by_oracle = !oracle::undo_tokens(streams, shape, code, run);
  test::for_each_target([&](const cpu::Target& target) {
    INFO(target.name);
    const Joined joined = join(map, code, run, streams);
    CHECK(joined.fault.has_value() == by_oracle);
    if (joined.fault) CHECK(joined.fault->kind == ErrorKind::corrupt);
  });
  return by_oracle;
}

}  // namespace

TEST_CASE("every code and width come back") {
  for (unsigned width : test::kWidths) {
    for (const TokenCode code : codes_of(width)) check_code(test::random_column(width, 1, 3001), code, 0);
  }
}

TEST_CASE("lanes, runs and lengths come back") {
  for (unsigned width : test::kWidths) {
    const auto codes = codes_of(width);
    std::size_t next = 0;
    for (std::uint32_t tuple : test::kLaneTuples) {
      for (std::size_t words : test::Sizes{0, 1, 2, 3, 7, 8, 9, 16, 17, 31, 33, 255, 256, 257, 1000}) {
        for (std::size_t run : test::Sizes{0, 1, 7, 64, 256}) {
          check_code(test::random_column(width, tuple, words), codes[next++ % codes.size()], run);
        }
      }
    }
  }
}

TEST_CASE("words of one kind come back: all zero, all of the largest, all but raw bits") {
  for (unsigned width : test::kWidths) {
    for (const TokenCode code : codes_of(width)) {
      oracle::Column column = test::random_column(width, 2, 700);
      const std::uint64_t mask = test::map_of(column).mask();
      for (std::uint64_t fill : {std::uint64_t{0}, mask, mask / 2 + 1, mask / 2}) {
        for (std::uint64_t& x : column.x) x = fill;
        check_code(column, code, 0);
      }
    }
  }
}

TEST_CASE("an example by hand") {
  // k = 2, m = 1: 5 = 101b has f = 2: token 4 + 0 + 0, raw 1; 14 = 1110b has f = 3: token 4 + 2 + 1, raw 10b.
  const oracle::TokenStreams streams = oracle::tokens({1, 1, {3, 5, 14}}, {2, 1}, 0);
  CHECK(streams.tokens == ByteVector{3, 4, 7});
  CHECK(streams.raw == ByteVector{0b11000000});
  CHECK(streams.lengths == std::vector<std::uint32_t>{1});
}

TEST_CASE("codes that need more than a byte are not codes") {
  CHECK(is_token_code({4, 3}, 16));
  CHECK(!is_token_code({4, 5}, 16));
  CHECK(!is_token_code({8, 0}, 16));
  CHECK(is_token_code({7, 7}, 8));
  CHECK(!is_token_code({7, 4}, 16));
  CHECK(is_token_code({7, 1}, 64));
  CHECK(!is_token_code({6, 2}, 64) == (64 + 58 * 4 > 256));
}

TEST_CASE("hostile tokens are refused") {
  const TokenCode code{2, 1};
  CHECK(!refused(1, 3, code, {{3, 4, 7}, {0b11000000}, {1}}));
  CHECK(refused(1, 3, code, {{3, 4, 7}, {0b11000001}, {1}}));     // a bit left over is set
  CHECK(refused(1, 3, code, {{3, 4, 7}, {0, 0b11000000}, {2}}));  // a byte too many
  CHECK(refused(1, 3, code, {{3, 4, 7}, {}, {0}}));
  CHECK(refused(1, 3, code, {{3, 3, 3}, {0}, {1}}));
  CHECK(refused(1, 3, code, {{3, 4, 7}, {0b11000000}, {2}}));
  CHECK(refused(1, 3, code, {{3, 4, 7}, {0b11000000}, {0xFFFFFFFF}}));
  CHECK(refused(1, 3, code, {{3, 4}, {0b10000000}, {1}}));
  CHECK(refused(1, 3, code, {{3, 4, 7, 0}, {0b11000000}, {1}}));
  CHECK(refused(1, 3, code, {{3, 4, 7}, {0b11000000, 0}, {1}}));
  CHECK(refused(1, 3, code, {{3, 4, 7}, {0b10000000, 0b10000000}, {1, 1}}));
  CHECK(!refused(1, 3, code, {{3, 4, 7}, {0b10000000, 0b10000000}, {1, 1}}, 2));
  // f = 7 is token 4 + 5 * 2 + 0 or 1, with 6 raw bits; the next token would be f = 8.
  CHECK(!refused(1, 1, code, {{15}, {0}, {1}}));
  CHECK(refused(1, 1, code, {{16}, {0}, {1}}));
  CHECK(refused(1, 1, code, {{255}, {0}, {1}}));
  CHECK(!refused(3, 1, code, {{47}, {0, 0, 0}, {3}}));
  CHECK(refused(3, 1, code, {{48}, {0, 0, 0}, {3}}));
}

}  // namespace tdz
