// SPDX-License-Identifier: Apache-2.0
#include "codec/search/column/step_proposals.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <numeric>
#include <span>

#include "formats/bytes.hpp"
#include "kernels/cpu/steps/seams.hpp"

namespace tdz {
namespace {

// ---- prediction

constexpr std::size_t kBlocks = 8;

/// Words of one block, somewhere in a lane.
struct Block {
  const std::uint8_t* words;
  std::size_t count;
};

/// Blocks spread over the whole chunk, each within one lane.
std::vector<Block> blocks_of(const LaneMap& map, const std::uint8_t* lanes) {
  std::vector<Block> all;
  for (std::size_t lane = 0; lane < map.lanes(); ++lane) {
    for (std::size_t at = 0; at < map.length(lane); at += kPredictBlock) {
      const std::size_t count = std::min(kPredictBlock, map.length(lane) - at);
      all.push_back({lanes + (map.first(lane) + at) * map.word, count});
    }
  }
  std::vector<Block> some;
  const std::size_t taken = std::min(kBlocks, all.size());
  for (std::size_t b = 0; b < taken; ++b) some.push_back(all[b * all.size() / taken]);
  return some;
}

/// Bits of residuals of this size in all (size_of_residuals).
BitsTimes256 bits_of(const LaneMap& map, std::uint64_t size, std::size_t words) {
  if (map.word == 8) return size * kBit;
  const std::uint64_t mean = (size << 12) / words;
  return words * (log2_of(2 * mean + 4096) - 12 * kBit);
}

// ---- tokens

constexpr std::size_t kWordsCounted = 32768;
constexpr BitsTimes256 kTokenInTable = 6 * kBit;  ///< what a token costs in the tables of a frame
constexpr unsigned kFine = 7;  ///< words are counted by length and the 7 bits below the leading one
constexpr std::size_t kFineTokens = 128 + (64 - kFine) * 128;

/// A fine token, and how many words have it.
struct FineCount {
  unsigned fine;
  std::uint32_t count;
};
using Counts = std::vector<FineCount>;

/// Every `step`-th of the words from `first` on.
Counts count_words(const LaneMap& map, const std::uint8_t* codes, std::size_t first, std::size_t step) {
  std::vector<std::uint32_t> counts(kFineTokens);
  for (std::size_t i = first; i < map.words; i += step) {
    const std::uint64_t z = formats::word_at(codes, map.word, i);
    ++counts[token_of({kFine, kFine}, z)];
  }
  Counts there;
  for (unsigned fine = 0; fine < counts.size(); ++fine)
    if (counts[fine] != 0) there.push_back({fine, counts[fine]});
  return there;
}

/// Entropy of the tokens, their raw bits, and their tables. No token takes less than `least`.
BitsTimes256 cost_of(std::size_t words, TokenCode code, const Counts& counts, BitsTimes256 least) {
  std::array<std::uint64_t, 256> tokens{};
  std::uint64_t all = 0, raw = 0;
  for (const auto [fine, count] : counts) {
    const unsigned token = token_of(code, base_of({kFine, kFine}, fine));
    tokens[token] += count;
    raw += std::uint64_t{count} * raw_bits_of(code, token);
    all += count;
  }
  const std::uint64_t scale = std::max<std::uint64_t>(1, words / std::max<std::uint64_t>(1, all));
  BitsTimes256 cost = raw * kBit * scale;
  for (const std::uint64_t n : tokens) {
    if (n > 0) cost += n * scale * std::max(log2_of(all << 8) - log2_of(n << 8), least) + kTokenInTable;
  }
  return cost;
}

}  // namespace

int predict_saves(const LaneMap& map, Sign sign, const std::uint8_t* lanes, unsigned highest_order) {
  const cpu::WordKind kind{map.word, map.width, sign};
  std::array<BitsTimes256, cpu::kMostFixedOrders> fixed{};
  BitsTimes256 adapted = 0;
  std::vector<std::uint8_t> residuals(kPredictBlock * map.word);
  for (const Block& block : blocks_of(map, lanes)) {
    std::uint64_t sizes[cpu::kMostFixedOrders];
    cpu::sizes_of_differences(kind, block.words, block.count, sizes);
    for (unsigned k = 0; k < fixed.size(); ++k) fixed[k] += bits_of(map, sizes[k], block.count);
    const LaneMap one = LaneMap::of_width(map.width, 1, block.count);
    const std::vector<Predictor> p = cpu::choose_predictors(one, sign, block.words, highest_order);
    cpu::encode_predict(one, sign, p, block.words, residuals.data());
    adapted += bits_of(map, cpu::size_of_residuals(kind, residuals.data(), block.count), block.count);
    adapted += (16u + 16u * p[0].order) * kBit;
  }
  const BitsTimes256 best = *std::ranges::min_element(fixed);
  if (best == 0) return 0;
  return static_cast<int>((static_cast<std::int64_t>(best) - static_cast<std::int64_t>(adapted)) * 1000 /
                          static_cast<std::int64_t>(best));
}

namespace {

struct PricedCode {
  TokenCode code;
  BitsTimes256 cost;
};

/// All codes, the cheapest first. Each of the counts is of `words` words and has a table of its own.
std::vector<PricedCode> priced_codes(unsigned bits, std::size_t words, std::span<const Counts> counts,
                                     BitsTimes256 least) {
  std::vector<PricedCode> all;
  for (std::uint8_t k = 0; k <= kHighestTokenBits; ++k) {
    for (std::uint8_t m = 0; m <= k; ++m) {
      if (!is_token_code({k, m}, bits)) continue;
      BitsTimes256 cost = 0;
      for (const Counts& own : counts) cost += cost_of(words, {k, m}, own, least);
      all.push_back({{k, m}, cost});
    }
  }
  std::ranges::stable_sort(all, {}, &PricedCode::cost);
  return all;
}

}  // namespace

std::vector<TokenCode> propose_tokens(const LaneMap& map, const std::uint8_t* codes) {
  const std::size_t step = std::max<std::size_t>(1, map.words / kWordsCounted);
  const Counts counts = count_words(map, codes, 0, step);
  std::vector<TokenCode> best;
  for (const PricedCode& c : priced_codes(map.bits(), map.words, {&counts, 1}, 1)) best.push_back(c.code);
  best.resize(std::min<std::size_t>(best.size(), 3));
  return best;
}

TokenProposal best_tokens(const LaneMap& map, const std::uint8_t* words, BitsTimes256 least) {
  constexpr std::size_t kMostTables = 16;
  const std::size_t lanes = std::min<std::size_t>(map.tuple, kMostTables);
  const std::size_t step = map.tuple * std::max<std::size_t>(1, map.words / kWordsCounted);
  std::vector<Counts> counts;
  for (std::size_t lane = 0; lane < lanes; ++lane) counts.push_back(count_words(map, words, lane, step));
  const PricedCode best = priced_codes(map.bits(), map.words / lanes, counts, least).front();
  return {best.code, static_cast<std::uint64_t>(best.cost / kBit / 8)};
}

namespace {

constexpr std::size_t kWordsOfPiece = 256;  ///< of each lane
constexpr std::size_t kFewestWords = 16;
constexpr std::size_t kMostLanes = 8;

/// How far two words are apart, the shorter way round.
std::uint64_t distance(std::uint64_t x, std::uint64_t y, std::size_t width) {
  const std::uint64_t mask = ~std::uint64_t{0} >> (64 - 8 * width);
  return std::min((x - y) & mask, (y - x) & mask);
}

/// The common factor of a lane's differences. Most have none, and that shows at once.
std::uint64_t factor_of(const ScaleShape& shape, std::span<const std::byte> piece, std::size_t lane) {
  const std::size_t words = words_of_lane(piece.size() / shape.word, shape.tuple, lane);
  if (words < kFewestWords) return 1;
  std::uint64_t factor = 0, before = formats::word_at(piece.data(), shape.word, lane);
  for (std::size_t i = 1; i < std::min(words, kWordsOfPiece) && factor != 1; ++i) {
    const std::uint64_t word = formats::word_at(piece.data(), shape.word, lane + i * shape.tuple);
    factor = std::gcd(factor, distance(word, before, shape.word));
    before = word;
  }
  return factor;
}

/// What more than half of the pieces have in common, or else 1.
std::uint64_t usual_factor(const ScaleShape& shape, const Pieces& pieces, std::size_t lane) {
  std::vector<std::uint64_t> factors;
  for (const auto piece : pieces) {
    const std::uint64_t factor = factor_of(shape, piece, lane);
    if (factor > 0) factors.push_back(factor);  // 0: the words are all equal
  }
  if (factors.empty()) return 1;
  std::ranges::sort(factors);
  // A piece may have a multiple by chance, hardly less than the factor.
  const std::uint64_t usual = factors[factors.size() / 4];
  const auto multiples = std::ranges::count_if(factors, [&](std::uint64_t f) { return f % usual == 0; });
  const bool common = 2 * static_cast<std::size_t>(multiples) > factors.size();
  // Without their lowest bits, which are always zero, words have the same statistics as with them.
  return common && !std::has_single_bit(usual) ? usual : 1;
}

}  // namespace

std::vector<ScalePair> common_factors(const ScaleShape& shape, const Pieces& pieces) {
  std::vector<ScalePair> pairs;
  for (std::size_t lane = 0; lane < std::min<std::size_t>(shape.tuple, kMostLanes); ++lane) {
    const ScalePair pair{static_cast<double>(usual_factor(shape, pieces, lane)), 1};
    const bool exact = pair.num <= static_cast<double>(kWidestScaled);
    if (exact && std::ranges::find(pairs, pair) == pairs.end()) pairs.push_back(pair);
  }
  if (std::ranges::all_of(pairs, [](const ScalePair& pair) { return pair.num == 1; })) pairs.clear();
  return pairs;
}

}  // namespace tdz
