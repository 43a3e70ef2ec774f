// SPDX-License-Identifier: Apache-2.0
#include "kernels/steps/scale/fit_scale.hpp"

#include <algorithm>
#include <array>
#include <cstring>
#include <span>

#include "formats/steps/scale.hpp"
#include "kernels/steps/scale/detect_scale.hpp"

namespace tdz {
namespace {

/// A group with more holes than one word in 20 looks for a better pair.
constexpr std::size_t kManyHoles = kScaleGroup / 20;
/// Chunks without any order must not make the search slow: so often it may look, and so often in vain, for
/// each 2^18 words.
constexpr std::size_t kMostLooks = 24;
constexpr std::size_t kMostVainLooks = 3;
constexpr std::size_t kWordsOfLooks = std::size_t{1} << 18;
/// A short look at a group: stretches of words, spread over it.
constexpr std::size_t kStretch = 16;
constexpr std::size_t kStretches = 8;

class Fitting {
 public:
  Fitting(const ScaleShape& shape, const ScalePlan& plan, std::span<const std::byte> chunk)
      : shape_(shape),
        lane_shape_{shape.word, shape.kind, 1},
        plan_(plan),
        chunk_(chunk),
        words_(chunk.size() / shape.word),
        patience_(std::max<std::size_t>(1, words_ / kWordsOfLooks)) {
    for (const ScalePair& pair : plan.pairs) add(pair);
  }

  ScaleFit run() {
    for (std::size_t lane = 0; lane < shape_.tuple && !pairs_.empty(); ++lane) {
      const std::size_t words = words_of_lane(words_, shape_.tuple, lane);
      for (std::size_t i = 0; i < words; i += kScaleGroup) {
        const std::size_t next = i + kScaleGroup;
        if (next + kScaleGroup <= words) fetch_some({lane, next, kScaleGroup});
        uses_.push_back(choose({lane, i, std::min(kScaleGroup, words - i)}));
      }
    }
    return without_unused();
  }

 private:
  /// Words [first, first + words) of a lane.
  struct Group {
    std::size_t lane, first, words;
  };

  /// Coarse steps stand before fine ones: a fine step may serve the numbers of a coarse one too, with longer
  /// q.
  void add(const ScalePair& pair) {
    const auto finer = [&](std::size_t k) { return pairs_[k].num / pairs_[k].den < pair.num / pair.den; };
    const auto place = std::ranges::find_if(order_, finer);
    order_.insert(place, pairs_.size());
    pairs_.push_back(pair);
  }

  std::span<const std::byte> gather(const Group& group) {
    std::byte* to = gathered_.data();
    const std::size_t width = shape_.word, step = shape_.tuple * width;
    const std::byte* from = chunk_.data() + group.lane * width + group.first * step;
    for (std::size_t i = 0; i < group.words; ++i) std::memcpy(to + i * width, from + i * step, width);
    return std::span(gathered_).first(group.words * width);
  }

  /// Where stretch k of a group begins.
  const std::byte* stretch(const Group& group, std::size_t k) const {
    const std::size_t first = group.first + (group.words - kStretch) * k / (kStretches - 1);
    return chunk_.data() + (group.lane + first * shape_.tuple) * shape_.word;
  }

  std::span<const std::byte> gather_some(const Group& group) {
    if (group.words <= kStretch * kStretches) return gather(group);
    std::byte* to = gathered_.data();
    const std::size_t width = shape_.word, step = shape_.tuple * width;
    for (std::size_t k = 0; k < kStretches; ++k) {
      const std::byte* from = stretch(group, k);
      for (std::size_t i = 0; i < kStretch; ++i, to += width) std::memcpy(to, from + i * step, width);
    }
    return std::span(gathered_).first(kStretch * kStretches * width);
  }

  /// Asks the memory for what gather_some will read. Nobody has read the chunk before, and its stretches are
  /// too far from each other for a processor to foresee: waiting for them was a fifth of scale's time.
  /// Inline, because gcc removes calls of a function that does nothing but this.
  [[gnu::always_inline]] void fetch_some(const Group& group) const {
    constexpr std::size_t kLine = 64;
    const std::size_t step = shape_.tuple * std::size_t{shape_.word},
                      words = std::max<std::size_t>(1, kLine / step);
    for (std::size_t k = 0; k < kStretches; ++k) {
      const std::byte* from = stretch(group, k);
      for (std::size_t i = 0; i < kStretch; i += words) __builtin_prefetch(from + i * step);
      __builtin_prefetch(from + (kStretch - 1) * step);
    }
  }

  std::size_t holes_of(std::span<const std::byte> words, const ScalePair& pair) {
    const auto bitmap = std::span(bitmap_).first(bitmap_bytes(words.size() / shape_.word));
    return encode_scale(lane_shape_, {{&pair, 1}, {}, plan_.fill, plan_.unsigned_words}, words,
                        std::span(scaled_).first(words.size()), bitmap, 0);
  }

  /// Words that no pair should give.
  std::size_t missing_words(std::span<const std::byte> words) const {
    return plan_.fill ? count_word(shape_, words, *plan_.fill) : 0;
  }

  std::size_t choose(const Group& group) {
    const auto some = gather_some(group);
    for (const std::size_t k : order_) {
      const std::size_t holes = holes_of(some, pairs_[k]);
      if (holes <= 1 || holes <= missing_words(some) + 1) return k;
    }
    return choose_by_all(gather(group));
  }

  std::size_t choose_by_all(std::span<const std::byte> words) {
    std::size_t best = order_.front(), fewest = ~std::size_t{0};
    served_by_none_.fill(std::byte{0xFF});
    for (const std::size_t k : order_) {
      const std::size_t holes = holes_of(words, pairs_[k]);
      if (holes < fewest) best = k, fewest = holes;
      for (std::size_t i = 0; i < bitmap_.size(); ++i) served_by_none_[i] &= bitmap_[i];
    }
    const std::size_t many = missing_words(words) + kManyHoles;
    return fewest > many && count_served_by_none(words.size() / shape_.word) > many ? look(words, best)
                                                                                    : best;
  }

  /// Where one step ends and another begins, two pairs share a group: nothing to look for.
  std::size_t count_served_by_none(std::size_t words) const {
    const auto holes_of_all = std::span<const std::byte>(served_by_none_).first(bitmap_bytes(words));
    return static_cast<std::size_t>(formats::count_holes(holes_of_all));
  }

  std::size_t look(std::span<const std::byte> words, std::size_t best) {
    if (pairs_.size() == kMaxScalePairs || looks_ == kMostLooks * patience_ ||
        vain_ == kMostVainLooks * patience_)
      return best;
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
    add(proposed.front());
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

  const ScaleShape shape_, lane_shape_;
  const ScalePlan& plan_;
  const std::span<const std::byte> chunk_;
  const std::size_t words_, patience_;
  std::vector<ScalePair> pairs_;
  std::vector<std::size_t> order_;
  std::vector<std::size_t> uses_;
  std::size_t looks_ = 0, vain_ = 0;
  std::array<std::byte, kScaleGroup * 8> gathered_, scaled_;
  std::array<std::byte, kScaleGroup / 8> bitmap_{}, served_by_none_{};
};

}  // namespace

ScaleFit fit_scale(const ScaleShape& shape, const ScalePlan& plan, std::span<const std::byte> chunk) {
  return Fitting(shape, plan, chunk).run();
}

ScaleFit KnownFits::fit(const ScaleShape& shape, const ScalePlan& plan, std::span<const std::byte> words) {
  const auto digest = formats::xxh3_128(words);
  const auto is_this = [&](const Known& known) {
    return known.digest == digest && known.bytes == words.size() && known.shape == shape &&
           known.plan == plan;
  };
  const auto found = std::ranges::find_if(known_, is_this);
  if (found != known_.end()) return found->fit;
  Known& known = known_[oldest_];
  oldest_ = (oldest_ + 1) % kMost;
  known = {digest, words.size(), shape, plan, fit_scale(shape, plan, words)};
  return known.fit;
}

}  // namespace tdz
