// SPDX-License-Identifier: Apache-2.0
#include "codec/scale_fit.hpp"

#include <algorithm>
#include <array>
#include <limits>

#include "codec/search/scale_cost.hpp"

namespace tdz {
namespace {

/// A group with more holes than one word in 20 looks for a better pair.
constexpr std::size_t kManyHoles = kScaleGroup / 20;
/// Chunks without any order must not make the search slow: so often it may look, and so often in vain.
constexpr std::size_t kMostLooks = 24;
constexpr std::size_t kMostVainLooks = 3;
constexpr std::size_t kWidestTuple = 64;  ///< beyond it, selectors outweigh what they save

class Fitting {
 public:
  Fitting(const ScaleShape& shape, const ScalePlan& plan, std::span<const std::byte> chunk)
      : shape_(shape), plan_(plan), chunk_(chunk), words_(chunk.size() / shape.word), pairs_(plan.pairs) {}

  ScaleFit run() {
    if (!pairs_.empty() && shape_.tuple <= kWidestTuple) {
      for (std::size_t place = 0; place < selector_count(words_, shape_.tuple); ++place) choose(place);
    } else if (!pairs_.empty()) {
      pairs_.resize(1);
      uses_.assign(1, 0);
    }
    return without_unused();
  }

 private:
  /// The words of the selector's lane and group.
  std::span<const std::byte> gather(std::size_t place) {
    const std::size_t width = shape_.word, tuple = shape_.tuple;
    const std::size_t first = place / tuple * kScaleGroup * tuple + place % tuple;
    if (tuple == 1) return chunk_.subspan(first * width, std::min(kScaleGroup, words_ - first) * width);
    std::size_t n = 0;
    for (std::size_t i = first; i < words_ && n < kScaleGroup; i += tuple, ++n) {
      std::copy_n(chunk_.begin() + static_cast<std::ptrdiff_t>(i * width), width, lane_.begin() + static_cast<std::ptrdiff_t>(n * width));
    }
    return std::span(lane_).first(n * width);
  }

  std::size_t holes_of(std::span<const std::byte> words, const ScalePair& pair) {
    const ScaleShape lane{shape_.word, shape_.kind, 1};
    const auto bitmap = std::span(bitmap_).first(bitmap_bytes(words.size() / shape_.word));
    return encode_scale(lane, {{&pair, 1}, {}, plan_.fill, plan_.unsigned_words}, words,
                        std::span(scaled_).first(words.size()), bitmap);
  }

  /// The pair of the lane's group before is asked first: where it leaves no more holes than the fill and a few,
  /// nobody else is.
  void choose(std::size_t place) {
    const auto words = gather(place);
    const std::size_t last = place >= shape_.tuple ? uses_[place - shape_.tuple] : 0;
    const std::size_t missing = missing_words(words);
    std::size_t best = last, fewest = holes_of(words, pairs_[last]);
    for (std::size_t k = 0; k < pairs_.size() && fewest > missing + kManyHoles / 8; ++k) {
      const std::size_t holes = k == last ? fewest : holes_of(words, pairs_[k]);
      if (holes < fewest) best = k, fewest = holes;
    }
    if (fewest > missing + kManyHoles) best = look(words, best);
    uses_.push_back(best);
  }

  /// Words that no pair should give.
  std::size_t missing_words(std::span<const std::byte> words) const {
    return plan_.fill ? count_word(shape_, words, *plan_.fill) : 0;
  }

  std::size_t look(std::span<const std::byte> words, std::size_t best) {
    if (pairs_.size() == kMaxScalePairs || looks_ == kMostLooks || vain_ == kMostVainLooks) return best;
    ++looks_;
    const auto proposed = propose_pairs(shape_, words, plan_.unsigned_words, plan_.fill);
    const auto bits = [&](const ScalePair& pair) {
      return scaled_bits(shape_, words, &pair, plan_.fill, plan_.unsigned_words);
    };
    if (proposed.empty() || bits(proposed.front()) >= bits(pairs_[best])) {
      ++vain_;
      return best;
    }
    vain_ = 0;
    pairs_.push_back(proposed.front());
    return pairs_.size() - 1;
  }

  ScaleFit without_unused() const {
    ScaleFit fit{{}, {}, plan_.fill, plan_.unsigned_words};
    constexpr std::byte kUnused{0xFF};
    std::array<std::byte, kMaxScalePairs> place;
    place.fill(kUnused);
    for (const std::size_t k : uses_) {
      if (place[k] == kUnused) {
        place[k] = static_cast<std::byte>(fit.pairs.size());
        fit.pairs.push_back(pairs_[k]);
      }
      fit.selectors.push_back(place[k]);
    }
    if (fit.pairs.size() < 2) fit.selectors.clear();
    return fit;
  }

  const ScaleShape shape_;
  const ScalePlan& plan_;
  const std::span<const std::byte> chunk_;
  const std::size_t words_;
  std::vector<ScalePair> pairs_;
  std::vector<std::size_t> uses_;
  std::size_t looks_ = 0, vain_ = 0;
  std::array<std::byte, kScaleGroup * 8> lane_, scaled_;
  std::array<std::byte, kScaleGroup / 8> bitmap_;
};

}  // namespace

ScaleFit fit_scale(const ScaleShape& shape, const ScalePlan& plan, std::span<const std::byte> chunk) {
  return Fitting(shape, plan, chunk).run();
}

}  // namespace tdz
