// SPDX-License-Identifier: Apache-2.0
#include "codec/search/column/common_factor.hpp"

#include <algorithm>
#include <bit>
#include <numeric>

#include "formats/bytes.hpp"

namespace tdz {
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
