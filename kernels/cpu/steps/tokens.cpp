// SPDX-License-Identifier: Apache-2.0
#include <cstring>

#include "kernels/cpu/steps/steps.hpp"
#include "kernels/cpu/steps/token_pieces.hpp"

namespace tdz::cpu {
namespace {

/// Calls visit(first, count) for the pieces of all lanes, in order: words [first, first + count).
template <class Visit>
void for_each_piece(const LaneMap& map, std::size_t piece, const Visit& visit) {
  for (std::size_t lane = 0; lane < map.lanes(); ++lane) {
    const std::size_t begin = map.first(lane), words = map.length(lane);
    const std::size_t length = piece == 0 ? words : piece;
    for (std::size_t at = 0; at < words; at += std::min(length, words - at)) {
      visit(begin + at, std::min(length, words - at));
    }
  }
}

formats::Fault check_piece(const TokenRule& rule, const LaneMap& map, const std::uint8_t* tokens, std::size_t count,
                           std::span<const std::uint8_t> piece) {
  const TokenSum sum = sum_tokens(rule, tokens, count);
  if (sum.largest >= token_count(rule.code, map.bits())) {
    return formats::corrupt(0, "tokens: a token is longer than a word");
  }
  if ((sum.bits + 7) / 8 != piece.size()) return formats::corrupt(0, "tokens: bits do not add up to their piece");
  const unsigned unused = static_cast<unsigned>(piece.size() * 8 - sum.bits);
  if (unused != 0 && (piece[0] & ((1u << unused) - 1)) != 0) {
    return formats::corrupt(0, "tokens: bits left over are not zero");
  }
  return {};
}

}  // namespace

TokenRule rule_of(TokenCode code, const LaneMap& map) {
  TokenRule rule{.code = code, .word = map.word};
  for (unsigned token = 0; token < token_count(code, map.bits()); ++token) {
    rule.raw[token] = static_cast<std::uint8_t>(raw_bits_of(code, token));
    rule.base[token] = base_of(code, token);
  }
  for (unsigned f = 0; f < map.bits(); ++f) {
    const std::uint64_t z = std::uint64_t{1} << f;
    const unsigned token = token_of(code, z), raw = raw_bits_of(code, token);
    rule.raw_of_length[f] = static_cast<std::uint8_t>(raw);
    rule.offset_of_length[f] = static_cast<std::uint8_t>(token - (z >> raw));
  }
  return rule;
}

std::size_t split_words(const LaneMap& map, TokenCode code, std::size_t piece, const std::uint8_t* words,
                        std::uint8_t* tokens, std::uint8_t* raw, std::span<std::uint32_t> lengths) {
  const TokenRule rule = rule_of(code, map);
  std::size_t bytes = 0, number = 0;
  for_each_piece(map, piece, [&](std::size_t first, std::size_t count) {
    std::uint8_t* end = raw + bytes + count * map.width;  // written downwards, then moved to its place
    const std::uint8_t* begin = split_piece(rule, words + first * map.word, count, tokens + first, end);
    const auto length = static_cast<std::size_t>(end - begin);
    std::memmove(raw + bytes, begin, length);
    lengths[number++] = static_cast<std::uint32_t>(length);
    bytes += length;
  });
  return bytes;
}

formats::Fault join_words(const LaneMap& map, TokenCode code, std::size_t piece,
                          std::span<const std::uint8_t> tokens, std::span<const std::uint8_t> raw,
                          std::span<const std::uint32_t> lengths, std::uint8_t* words) {
  if (tokens.size() != map.words) return formats::corrupt(0, "tokens: not one for each word");
  if (lengths.size() != pieces_of(map, piece)) return formats::corrupt(0, "tokens: another number of pieces");
  const TokenRule rule = rule_of(code, map);
  const RawBits all{raw.data(), raw.size()};
  formats::Fault fault;
  std::size_t at = 0, number = 0;
  for_each_piece(map, piece, [&](std::size_t first, std::size_t count) {
    if (fault) return;
    const std::size_t length = lengths[number++];
    if (length > raw.size() - at) fault = formats::corrupt(0, "tokens: a piece ends behind the raw bits");
    if (!fault) fault = check_piece(rule, map, tokens.data() + first, count, raw.subspan(at, length));
    if (fault) return;
    at += length;
    join_piece(rule, tokens.data() + first, count, all, std::uint64_t{at} * 8, words + first * map.word);
  });
  if (!fault && at != raw.size()) fault = formats::corrupt(0, "tokens: raw bits behind the last piece");
  return fault;
}

}  // namespace tdz::cpu
