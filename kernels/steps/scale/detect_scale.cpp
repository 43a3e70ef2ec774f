// SPDX-License-Identifier: Apache-2.0
#include "kernels/steps/scale/detect_scale.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <cstdlib>

#include "formats/bytes.hpp"
#include "formats/steps/scale.hpp"
#include "kernels/scale.hpp"
#include "kernels/steps/scale/lattice.hpp"

namespace tdz {

// ---- What words cost

namespace {

constexpr std::uint64_t kBitsOfTurn = 4;  ///< where holes begin or end
constexpr std::uint64_t kBitsOfHole = 3;  ///< beside its word

/// Calls use() with a word of this width.
template <class Use>
std::uint64_t with_word(std::size_t width, const Use& use) {
  switch (width) {
    case 1:
      return use(std::uint8_t{});
    case 2:
      return use(std::uint16_t{});
    case 4:
      return use(std::uint32_t{});
    default:
      return use(std::uint64_t{});
  }
}

template <class Word>
Word word_at(std::span<const std::byte> words, std::size_t i) {
  return formats::get_le<Word>(words.subspan(i * sizeof(Word), sizeof(Word)));
}

/// How far a residual is from zero, either way, in bits.
template <class Word>
unsigned length_of(Word residual) {
  const Word sign = static_cast<Word>(Word{0} - (residual >> (8 * sizeof(Word) - 1)));
  return static_cast<unsigned>(std::bit_width(static_cast<Word>((residual << 1) ^ sign)));
}

/// The better of three orders.
template <class Word>
std::uint64_t difference_bits(std::span<const std::byte> words) {
  std::array<std::uint64_t, 3> bits{};
  Word before = 0, difference_before = 0;
  for (std::size_t i = 0; i < words.size() / sizeof(Word); ++i) {
    const Word x = word_at<Word>(words, i), difference = static_cast<Word>(x - before);
    bits[0] += length_of<Word>(x);
    bits[1] += length_of<Word>(difference);
    bits[2] += length_of<Word>(static_cast<Word>(difference - difference_before));
    before = x;
    difference_before = difference;
  }
  return *std::ranges::min_element(bits);
}

/// The fill itself is one word for a whole chunk.
template <class Word>
std::uint64_t hole_bits(std::span<const std::byte> words, std::span<const std::byte> bitmap, Word fill) {
  std::uint64_t bits = 0;
  bool hole_before = false;
  Word word_before = fill;
  for (std::size_t i = 0; i < words.size() / sizeof(Word); ++i) {
    const bool hole = (std::to_integer<unsigned>(bitmap[i / 8]) >> (i % 8) & 1) != 0;
    if (hole != hole_before) bits += kBitsOfTurn;
    hole_before = hole;
    if (!hole) continue;
    const Word word = word_at<Word>(words, i);
    if (word != word_before) bits += 8 * sizeof(Word) + kBitsOfHole;
    word_before = word;
  }
  return bits;
}

}  // namespace

std::uint64_t plain_bits(const ScaleShape& shape, std::span<const std::byte> words) {
  return with_word(shape.word, [&](auto word) { return difference_bits<decltype(word)>(words); });
}

std::uint64_t scaled_bits(const ScaleShape& shape, std::span<const std::byte> words, const ScalePair* pair,
                          std::optional<std::uint64_t> fill, bool unsigned_words, std::size_t most_holes) {
  std::array<std::byte, kScaleGroup * 8> memory;
  std::array<std::byte, kScaleGroup / 8> bitmap;
  words = words.first(std::min(words.size(), kScaleGroup * shape.word));
  const auto scaled = std::span(memory).first(words.size());
  const ScaleShape lane{shape.word, shape.kind, 1};
  const ScaleChoice choice{
      {pair, pair == nullptr ? std::size_t{0} : std::size_t{1}}, {}, fill, unsigned_words};
  const auto holes = std::span(bitmap).first(bitmap_bytes(words.size() / shape.word));
  if (encode_scale(lane, choice, words, scaled, holes, most_holes) > most_holes) return kTooManyHoles;
  return with_word(shape.word, [&](auto word) {
    return difference_bits<decltype(word)>(scaled) +
           hole_bits<decltype(word)>(words, bitmap, static_cast<decltype(word)>(fill.value_or(0)));
  });
}

std::size_t count_word(const ScaleShape& shape, std::span<const std::byte> words, std::uint64_t wanted) {
  return static_cast<std::size_t>(with_word(shape.word, [&](auto word) {
    using Word = decltype(word);
    std::uint64_t count = 0;
    for (std::size_t i = 0; i < words.size() / sizeof(Word); ++i) {
      count += word_at<Word>(words, i) == static_cast<Word>(wanted);
    }
    return count;
  }));
}

// ---- What samples say

namespace {

constexpr std::size_t kPieces = 6;
constexpr std::size_t kWordsOfPiece = 192;
constexpr std::size_t kMostLanes = 8;
constexpr std::size_t kMostLanePieces = 12;  ///< of all lanes together
constexpr std::size_t kElsewhere = 32;       ///< numbers of each other piece that help to measure a step
constexpr std::size_t kFewestNumbers = 32;
constexpr std::size_t kKeptOfPiece = 2;
constexpr std::size_t kMostHoles = 2;  ///< a pair that leaves more than one number in 2 is no candidate

using Words = std::vector<std::uint64_t>;

// ---- reading samples

/// The numbers that a step can be measured with: finite, and not the fill.
std::vector<double> numbers_of(const ScaleShape& shape, std::span<const std::byte> words, bool unsigned_words,
                               std::optional<std::uint64_t> fill) {
  std::vector<double> numbers;
  for (std::size_t i = 0; i < words.size() / shape.word; ++i) {
    const std::uint64_t word = formats::word_at(words.data(), shape.word, i);
    const double x = number_of(shape, unsigned_words, word);
    if (word != fill && std::isfinite(x)) numbers.push_back(x);
  }
  return numbers;
}

/// The words of one lane, one after the other. The piece begins at lane 0.
std::vector<std::byte> lane_of(const ScaleShape& shape, std::span<const std::byte> piece, std::size_t lane) {
  const std::size_t width = shape.word, words = piece.size() / width;
  std::vector<std::byte> gathered;
  for (std::size_t i = lane; i < words && gathered.size() < kWordsOfPiece * width; i += shape.tuple) {
    const auto word = piece.subspan(i * width, width);
    gathered.insert(gathered.end(), word.begin(), word.end());
  }
  return gathered;
}

struct LanePiece {
  std::size_t lane;
  std::vector<std::byte> words;
};

/// `count` pieces. A short input has fewer: then several parts of each, because its begin may hold a header.
Pieces spread(const ScaleShape& shape, const Pieces& pieces, std::size_t count) {
  const std::size_t unit = std::size_t{shape.word} * shape.tuple;
  Pieces parts;
  for (std::size_t p = 0; p < count; ++p) {
    const auto piece = pieces[p * pieces.size() / count];
    const std::size_t wanted = (count + pieces.size() - 1) / pieces.size(),
                      there = piece.size() / (kWordsOfPiece * unit);
    const std::size_t of_piece = std::clamp<std::size_t>(there, 1, wanted), part = p % wanted;
    if (part < of_piece) parts.push_back(piece.subspan(piece.size() / unit * part / of_piece * unit));
  }
  return parts;
}

/// Many lanes have fewer pieces each, and not the same ones.
std::vector<LanePiece> lane_pieces(const ScaleShape& shape, const Pieces& pieces) {
  std::vector<LanePiece> result;
  if (pieces.empty()) return result;
  const std::size_t lanes = std::min<std::size_t>(shape.tuple, kMostLanes);
  const std::size_t count = std::min(kPieces, kMostLanePieces / lanes);
  const Pieces parts = pieces.size() < count ? spread(shape, pieces, count) : pieces;
  const std::size_t of_lane = std::min(count, parts.size());
  for (std::size_t l = 0; l < lanes; ++l) {
    const std::size_t lane = std::uint64_t{shape.tuple} * l / lanes;
    for (std::size_t p = 0; p < of_lane; ++p) {
      auto words = lane_of(shape, parts[(p * parts.size() / of_lane + l) % parts.size()], lane);
      if (!words.empty()) result.push_back({lane, std::move(words)});
    }
  }
  return result;
}

/// The word that stands most often in all samples, if it is no rarity.
std::optional<std::uint64_t> frequent_word(const ScaleShape& shape, const std::vector<LanePiece>& pieces) {
  Words words;
  for (const LanePiece& piece : pieces) {
    for (std::size_t i = 0; i < piece.words.size() / shape.word; ++i) {
      words.push_back(formats::word_at(piece.words.data(), shape.word, i));
    }
  }
  std::ranges::sort(words);
  std::size_t most = words.size() / 64;
  std::optional<std::uint64_t> frequent;
  for (std::size_t i = 0, n = 0; i < words.size(); i += n) {
    for (n = 1; i + n < words.size() && words[i + n] == words[i];) ++n;
    if (n > most) {
      most = n;
      frequent = words[i];
    }
  }
  return frequent;
}

// ---- proposing pairs

/// What people round to. Decimals by division are exact; by multiplication they are what programs compute.
std::vector<ScalePair> usual_pairs(const ScaleShape& shape) {
  std::vector<ScalePair> pairs;
  if (shape.kind == ScaleKind::integer) {
    for (const double step : {2., 4., 5., 8., 10., 16., 100., 256., 1000.}) {
      if (shape.word > 1 || step <= 16) pairs.push_back({step, 1});
    }
    return pairs;
  }
  double power = 1;
  for (int e = 0; e <= (shape.word == 8 ? 12 : 7); ++e, power *= 10) {
    pairs.push_back({1, power});
    if (e > 0 && e <= 3) pairs.push_back({power, 1});
    if (e > 0 && e <= 4)
      pairs.push_back({shape.word == 8 ? 1 / power : double{static_cast<float>(1 / power)}, 1});
  }
  return pairs;
}

/// What numbers were rounded by, the smallest first: IEEE numbers by half a unit in the last place, or by
/// more where a program rounded more than once; integers not at all, or by a half.
std::vector<NumberError> errors_of(const ScaleShape& shape) {
  if (shape.kind == ScaleKind::integer) return {{0, 0.01, 1.5}, {0, 0.5, 1.5}};
  const double half_unit = shape.word == 8 ? 0x1p-53 : 0x1p-24;
  return {{(shape.word == 8 ? 2 : 1) * half_unit, 0, 0}, {4 * half_unit, 0, 0}};
}

void add_new(std::vector<ScalePair>& list, const ScalePair& pair) {
  if (formats::is_scale_pair(pair) && std::ranges::find(list, pair) == list.end()) list.push_back(pair);
}

std::vector<StepRange> steps_of(const ScaleShape& shape, std::span<const double> numbers,
                                std::span<const double> elsewhere) {
  std::vector<StepRange> steps;
  if (numbers.size() < kFewestNumbers) return steps;
  for (const NumberError& error : errors_of(shape)) {
    const auto found = find_steps(numbers, elsewhere, error);
    steps.insert(steps.end(), found.begin(), found.end());
    if (!steps.empty() && shape.kind == ScaleKind::real) break;
  }
  return steps;
}

/// The power of two that x is an odd multiple of, as an exponent. x is finite and not zero. Of subnormal ones
/// the result is only known to be below -1000.
int lowest_bit(double x) {
  constexpr std::uint64_t kHidden = std::uint64_t{1} << 52;
  const auto bits = std::bit_cast<std::uint64_t>(x);
  const auto exponent = static_cast<int>(bits >> 52 & 0x7FF) - 1075;
  return exponent + std::countr_zero((bits & (kHidden - 1)) | kHidden);
}

/// Fixed point: a difference of two IEEE numbers, such as of a temperature and 273.15, is a multiple of the
/// last place of the larger one. All but a few numbers are multiples of the pair.
std::optional<ScalePair> fixed_point(std::span<const double> numbers) {
  constexpr std::size_t kFew = 32;  // 1 in 32
  constexpr int kFar = 300;
  std::vector<int> lowest;
  for (const double x : numbers)
    if (x != 0) lowest.push_back(lowest_bit(x));
  if (lowest.size() < kFewestNumbers) return {};
  const auto least = lowest.begin() + static_cast<std::ptrdiff_t>(lowest.size() / kFew);
  std::ranges::nth_element(lowest, least);
  if (std::abs(*least) > kFar) return {};
  const double power = std::bit_cast<double>(static_cast<std::uint64_t>(std::abs(*least) + 1023) << 52);
  return *least < 0 ? ScalePair{1, power} : ScalePair{power, 1};
}

std::vector<ScalePair> all_pairs(const ScaleShape& shape, std::span<const double> numbers,
                                 const std::vector<StepRange>& steps) {
  std::vector<ScalePair> pairs = usual_pairs(shape);
  if (shape.kind == ScaleKind::real)
    if (const auto pair = fixed_point(numbers)) add_new(pairs, *pair);
  for (const StepRange& range : steps) {
    for (const ScalePair& pair : pairs_of(range)) add_new(pairs, pair);
  }
  return pairs;
}

/// The best few of the pairs that save something, best first.
std::vector<ScalePair> best_pairs(const ScaleShape& shape, std::span<const std::byte> words,
                                  const ScalePlan& plan, const std::vector<ScalePair>& pairs) {
  struct Ranked {
    ScalePair pair;
    std::uint64_t bits;
  };
  const std::uint64_t without = plain_bits(shape, words), count = words.size() / shape.word;
  const std::size_t missing = plan.fill ? count_word(shape, words, *plan.fill) : 0;
  const std::size_t most_holes = missing + (count - missing) / kMostHoles;
  std::vector<Ranked> ranked;
  for (const ScalePair& pair : pairs) {
    const std::uint64_t bits = scaled_bits(shape, words, &pair, plan.fill, plan.unsigned_words, most_holes);
    if (bits + count / 2 < without) ranked.push_back({pair, bits});
  }
  std::ranges::stable_sort(ranked, {}, &Ranked::bits);
  std::vector<ScalePair> best;
  for (std::size_t k = 0; k < std::min(kKeptOfPiece, ranked.size()); ++k) best.push_back(ranked[k].pair);
  return best;
}

/// A few numbers of every piece of a lane.
std::vector<double> some_of_lane(const ScaleShape& shape, const std::vector<LanePiece>& pieces,
                                 std::size_t lane, const ScalePlan& plan) {
  std::vector<double> some;
  for (const LanePiece& piece : pieces) {
    if (piece.lane != lane) continue;
    const auto numbers = numbers_of(shape, piece.words, plan.unsigned_words, plan.fill);
    for (std::size_t k = 0; k < std::min(kElsewhere, numbers.size()); ++k) {
      some.push_back(numbers[k * numbers.size() / std::min(kElsewhere, numbers.size())]);
    }
  }
  return some;
}

/// What several pieces found of one step: each made its range narrower.
struct CommonStep {
  StepRange range;
  std::size_t piece;  ///< one that found it
  std::size_t finders = 1;
};

void add_common(std::vector<CommonStep>& common, const StepRange& range, std::size_t piece) {
  for (CommonStep& c : common) {
    if (range.low > c.range.high || c.range.low > range.high) continue;
    c.range = {std::max(c.range.low, range.low), std::min(c.range.high, range.high)};
    ++c.finders;
    return;
  }
  common.push_back({range, piece});
}

/// Pairs that serve some piece; first those that pieces found together.
std::vector<ScalePair> pool_of(const ScaleShape& shape, const std::vector<LanePiece>& pieces,
                               const ScalePlan& plan) {
  std::vector<ScalePair> pool, alone;
  std::vector<double> some;
  std::vector<CommonStep> common;
  for (std::size_t p = 0; p < pieces.size(); ++p) {
    const LanePiece& piece = pieces[p];
    if (p == 0 || piece.lane != pieces[p - 1].lane) some = some_of_lane(shape, pieces, piece.lane, plan);
    const auto numbers = numbers_of(shape, piece.words, plan.unsigned_words, plan.fill);
    const auto steps = steps_of(shape, numbers, some);
    for (const StepRange& range : steps) add_common(common, range, p);
    // One fixed point for all pieces of a lane, if there are several.
    const auto& spread = some.size() > kElsewhere ? some : numbers;
    const auto best = best_pairs(shape, piece.words, plan, all_pairs(shape, spread, steps));
    alone.insert(alone.end(), best.begin(), best.end());
  }
  for (const CommonStep& c : common) {
    if (c.finders == 1) continue;
    const auto best = best_pairs(shape, pieces[c.piece].words, plan, pairs_of(c.range));
    if (!best.empty()) add_new(pool, best.front());
  }
  for (const ScalePair& pair : alone) add_new(pool, pair);
  return pool;
}

// ---- choosing among them

/// The lengths of every piece under every pair.
class Choice {
 public:
  Choice(const ScaleShape& shape, const std::vector<LanePiece>& pieces, const ScalePlan& plan,
         const std::vector<ScalePair>& pool)
      : pool_(pool), best_(pieces.size(), ~std::uint64_t{0} >> 8) {
    for (const ScalePair& pair : pool) {
      auto& row = bits_.emplace_back();
      for (const LanePiece& piece : pieces) {
        row.push_back(scaled_bits(shape, piece.words, &pair, plan.fill, plan.unsigned_words));
      }
    }
  }

  /// Pairs one by one, each the one that saves most beside those before it.
  std::vector<ScalePair> run() {
    std::vector<ScalePair> chosen;
    std::uint64_t before = total();
    while (chosen.size() < std::min(kMaxScalePairs, pool_.size())) {
      const std::size_t next = best_addition();
      const std::uint64_t with = total_with(next);
      if (!chosen.empty() && with + before / 256 >= before) break;
      for (std::size_t p = 0; p < best_.size(); ++p) best_[p] = std::min(best_[p], bits_[next][p]);
      chosen.push_back(pool_[next]);
      before = with;
    }
    return chosen;
  }

  std::uint64_t total() const {
    std::uint64_t sum = 0;
    for (const std::uint64_t bits : best_) sum += bits;
    return sum;
  }

 private:
  std::uint64_t total_with(std::size_t k) const {
    std::uint64_t sum = 0;
    for (std::size_t p = 0; p < best_.size(); ++p) sum += std::min(best_[p], bits_[k][p]);
    return sum;
  }
  std::size_t best_addition() const {
    std::size_t best = 0;
    for (std::size_t k = 1; k < pool_.size(); ++k) {
      if (total_with(k) < total_with(best)) best = k;
    }
    return best;
  }

  const std::vector<ScalePair>& pool_;
  std::vector<std::vector<std::uint64_t>> bits_;
  std::vector<std::uint64_t> best_;
};

/// With pairs, or the fill alone.
ScaleEstimate estimate(const ScaleShape& shape, const std::vector<LanePiece>& pieces, ScalePlan plan,
                       const std::vector<ScalePair>& pool) {
  std::uint64_t bits = 0;
  if (pool.empty()) {
    for (const LanePiece& piece : pieces) bits += scaled_bits(shape, piece.words, nullptr, plan.fill, false);
  } else {
    Choice choice(shape, pieces, plan, pool);
    plan.pairs = choice.run();
    bits = choice.total();
  }
  return {std::move(plan), 0, bits};
}

/// A fill alone changes little but costs little to undo. Pairs must save more.
bool is_promising(const ScaleEstimate& e, std::uint64_t words) {
  if (e.plan.pairs.empty()) return e.bits_with + e.bits_without / 128 < e.bits_without;
  return e.bits_with + std::min(words / 2, e.bits_without / 32) < e.bits_without;
}

/// Integers are read in the way in which neighbours differ less.
bool reads_unsigned(const ScaleShape& shape, const std::vector<LanePiece>& pieces) {
  if (shape.kind == ScaleKind::real || shape.word == 8) return false;
  std::uint64_t as_signed = 0, as_unsigned = 0;
  for (const LanePiece& piece : pieces) {
    for (std::size_t i = 1; i < piece.words.size() / shape.word; ++i) {
      const std::uint64_t a = formats::word_at(piece.words.data(), shape.word, i - 1);
      const std::uint64_t b = formats::word_at(piece.words.data(), shape.word, i);
      const auto x = formats::signed_word(a, shape.word), y = formats::signed_word(b, shape.word);
      as_signed += static_cast<unsigned>(std::bit_width(static_cast<std::uint64_t>(x < y ? y - x : x - y)));
      as_unsigned += static_cast<unsigned>(std::bit_width(a < b ? b - a : a - b));
    }
  }
  return as_unsigned < as_signed;
}

}  // namespace

std::vector<ScaleEstimate> detect_scale(const ScaleShape& shape, const Pieces& pieces) {
  const std::vector<LanePiece> samples = lane_pieces(shape, pieces);
  std::uint64_t without = 0, words = 0;
  for (const LanePiece& piece : samples) {
    without += plain_bits(shape, piece.words);
    words += piece.words.size() / shape.word;
  }
  ScalePlan plan;
  plan.unsigned_words = reads_unsigned(shape, samples);
  plan.fill = frequent_word(shape, samples);
  const std::vector<ScalePair> pool = pool_of(shape, samples, plan);
  std::vector<ScaleEstimate> estimates;
  if (plan.fill) estimates.push_back(estimate(shape, samples, plan, {}));
  if (!pool.empty() && plan.fill) estimates.push_back(estimate(shape, samples, plan, pool));
  plan.fill.reset();
  if (!pool.empty()) estimates.push_back(estimate(shape, samples, plan, pool));
  for (ScaleEstimate& e : estimates) e.bits_without = without;
  std::erase_if(estimates, [&](const ScaleEstimate& e) { return !is_promising(e, words); });
  std::ranges::stable_sort(estimates, {}, &ScaleEstimate::bits_with);
  return estimates;
}

std::vector<ScalePair> propose_pairs(const ScaleShape& shape, std::span<const std::byte> words,
                                     bool unsigned_words, std::optional<std::uint64_t> fill) {
  const ScalePlan plan{{}, fill, unsigned_words};
  const auto numbers = numbers_of(shape, words, unsigned_words, fill);
  return best_pairs(shape, words, plan, all_pairs(shape, numbers, steps_of(shape, numbers, {})));
}

}  // namespace tdz
