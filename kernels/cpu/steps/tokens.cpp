// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cstring>
#include <optional>

#include "kernels/cpu/steps/seams.hpp"
#include "kernels/cpu/steps/steps.hpp"

namespace tdz::cpu {
namespace {

/// Calls visit(first, count) for the runs of all lanes, in order: words [first, first + count).
template <class Visit>
void for_each_run(const LaneMap& map, std::size_t run, const Visit& visit) {
  for (std::size_t lane = 0; lane < map.lanes(); ++lane) {
    const std::size_t begin = map.first(lane), words = map.length(lane);
    const std::size_t length = run == 0 ? words : run;
    for (std::size_t at = 0; at < words; at += std::min(length, words - at)) {
      visit(begin + at, std::min(length, words - at));
    }
  }
}

/// Puts runs together one after another, and remembers the first fault.
class Joiner {
 public:
  Joiner(const LaneMap& map, const TokenRule& rule, std::span<const std::uint8_t> raw)
      : map_(map), rule_(rule), raw_(raw) {}

  /// `length`: what is said of the run's bytes; nothing: its tokens tell.
  formats::Fault join(std::span<const std::uint8_t> tokens, std::optional<std::uint32_t> length,
                      std::uint8_t* words) {
    const TokenSum sum = sum_tokens(rule_, tokens.data(), tokens.size());
    if (sum.largest >= token_count(rule_.code, map_.bits())) {
      return corrupt("tokens: a token is longer than a word");
    }
    const std::uint64_t bytes = (sum.bits + 7) / 8;
    if (length && *length != bytes) return corrupt("tokens: bits do not add up to their run");
    if (bytes > raw_.size() - at_) return corrupt("tokens: a run ends behind the raw bits");
    const auto unused = static_cast<unsigned>(bytes * 8 - sum.bits);
    if (unused != 0 && (raw_[at_] & ((1u << unused) - 1)) != 0) {
      return corrupt("tokens: unused bits are not zero");
    }
    at_ += static_cast<std::size_t>(bytes);
    join_run(rule_, tokens.data(), tokens.size(), {raw_.data(), raw_.size()}, std::uint64_t{at_} * 8, words);
    return {};
  }

  bool used_all() const { return at_ == raw_.size(); }

 private:
  const LaneMap& map_;
  const TokenRule& rule_;
  std::span<const std::uint8_t> raw_;
  std::size_t at_ = 0;
};

}  // namespace

TokenRule rule_of(TokenCode code, const LaneMap& map) {
  TokenRule rule{.code = code, .word = map.word};
  for (unsigned token = 0; token < token_count(code, map.bits()); ++token) {
    rule.raw[token] = static_cast<std::uint8_t>(raw_bits_of(code, token));
    rule.base[token] = base_of(code, token);
    if (rule.base[token] >> 32 != 0) continue;
    if (rule.raw[token] <= kRawIn4Bytes) rule.last_in_4 = static_cast<std::uint8_t>(token);
    if (rule.raw[token] <= kRawIn5Bytes) rule.last_in_5 = static_cast<std::uint8_t>(token);
  }
  for (unsigned f = 0; f < map.bits(); ++f) {
    const std::uint64_t z = std::uint64_t{1} << f;
    const unsigned token = token_of(code, z), raw = raw_bits_of(code, token);
    rule.raw_of_length[f] = static_cast<std::uint8_t>(raw);
    rule.offset_of_length[f] = static_cast<std::uint8_t>(token - (z >> raw));
  }
  return rule;
}

std::size_t encode_tokens(const LaneMap& map, TokenCode code, std::size_t run, const std::uint8_t* words,
                          std::uint8_t* tokens, std::uint8_t* raw, std::span<std::uint32_t> lengths) {
  const TokenRule rule = rule_of(code, map);
  std::size_t bytes = 0, number = 0;
  for_each_run(map, run, [&](std::size_t first, std::size_t count) {
    std::uint8_t* end = raw + bytes + count * map.width;  // written downwards, then moved to its place
    const std::uint8_t* begin = split_run(rule, words + first * map.word, count, tokens + first, end);
    const auto length = static_cast<std::size_t>(end - begin);
    std::memmove(raw + bytes, begin, length);
    lengths[number++] = static_cast<std::uint32_t>(length);
    bytes += length;
  });
  return bytes;
}

formats::Fault decode_tokens(const LaneMap& map, TokenCode code, std::size_t run,
                             std::span<const std::uint8_t> tokens, std::span<const std::uint8_t> raw,
                             std::span<const std::uint32_t> lengths, std::uint8_t* words) {
  const bool said = !lengths.empty();
  if (tokens.size() != map.words) return corrupt("tokens: not one for each word");
  if (said && lengths.size() != runs_of(map, run)) return corrupt("tokens: another number of runs");
  const TokenRule rule = rule_of(code, map);
  Joiner joiner(map, rule, raw);
  formats::Fault fault;
  std::size_t number = 0;
  for_each_run(map, run, [&](std::size_t first, std::size_t count) {
    if (fault) return;
    const auto length = said ? std::optional(lengths[number++]) : std::nullopt;
    fault = joiner.join(tokens.subspan(first, count), length, words + first * map.word);
  });
  if (!fault && !joiner.used_all()) fault = corrupt("tokens: raw bits behind the last run");
  return fault;
}

}  // namespace tdz::cpu
