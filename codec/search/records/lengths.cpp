// SPDX-License-Identifier: Apache-2.0
#include "codec/search/records/lengths.hpp"

#include <algorithm>
#include <array>
#include <cstdint>
#include <functional>
#include <span>

namespace tdz {
namespace {

/// Every distance is compared on few bytes of each piece, the best of them on more.
constexpr std::size_t kBlock = 256;
constexpr std::size_t kLongBlocks = 8;
constexpr std::size_t kLongComparisons = 96;
constexpr std::size_t kMostLengths = 3;
// Parts of 100. What a length gains over most other lengths, against what it could gain at best.
constexpr std::uint64_t kConvincing = 10;
constexpr std::uint64_t kAsGood = 90;        // a divisor that gains this part of it is the length itself
constexpr std::uint64_t kNearlyAsGood = 60;  // a divisor that gains this part of it is tried beside it

constexpr unsigned kMostAlike = 2;  // of one byte

/// How much kBlock bytes are like those at another place: a byte counts 1 if it is near, 2 if it is equal.
/// Sums in bytes let a compiler compare many bytes at once.
std::uint32_t likeness(const std::byte* x, const std::byte* y) {
  constexpr std::size_t kSide = 32;
  static_assert(kBlock / kSide * kMostAlike < 256);
  std::array<std::uint8_t, kSide> sums{};
  for (std::size_t i = 0; i < kBlock; i += kSide) {
    for (std::size_t k = 0; k < kSide; ++k) {
      const auto difference = static_cast<std::uint8_t>(std::to_integer<unsigned>(x[i + k]) -
                                                        std::to_integer<unsigned>(y[i + k]));
      const std::uint8_t near = static_cast<std::uint8_t>(difference + 8) <= 16;
      const std::uint8_t equal = difference == 0;
      sums[k] = static_cast<std::uint8_t>(sums[k] + near + equal);
    }
  }
  std::uint32_t sum = 0;
  for (const std::uint8_t s : sums) sum += s;
  return sum;
}

/// The likeness at every distance, on `blocks` blocks in the middle of each piece that is long enough.
class Likeness {
 public:
  explicit Likeness(const Pieces& pieces) {
    for (const auto piece : pieces) {
      if (piece.size() < kLongestFoundRecord + kLongBlocks * kBlock) continue;
      const std::size_t spare = piece.size() - kLongestFoundRecord - kLongBlocks * kBlock;
      places_.push_back(piece.data() + kLongestFoundRecord + spare / 2);
    }
  }
  std::uint64_t of(std::size_t distance, std::size_t blocks) const {
    std::uint64_t sum = 0;
    for (const std::byte* place : places_) {
      for (std::size_t b = 0; b < blocks; ++b)
        sum += likeness(place + b * kBlock, place + b * kBlock - distance);
    }
    return sum;
  }
  std::uint64_t most(std::size_t blocks) const { return places_.size() * blocks * kBlock * kMostAlike; }
  bool empty() const { return places_.empty(); }

 private:
  std::vector<const std::byte*> places_;
};

struct Length {
  std::size_t bytes = 0;
  std::uint64_t likeness = 0;
};

/// The more alike, and of equal ones the shorter.
bool is_better(const Length& x, const Length& y) {
  return x.likeness != y.likeness ? x.likeness > y.likeness : x.bytes < y.bytes;
}

class Proposer {
 public:
  explicit Proposer(const Likeness& likeness)
      : likeness_(likeness), in_full_(kLongestFoundRecord + 1, kUnknown) {
    std::vector<Length> all;
    for (std::size_t d = 1; d <= kLongestFoundRecord; ++d) all.push_back({d, likeness.of(d, 1)});
    // Of short records half of the distances are multiples.
    const auto usual = all.begin() + static_cast<std::ptrdiff_t>(all.size() * 3 / 4);
    std::ranges::nth_element(all, usual, is_better);
    usual_ = usual->likeness * kLongBlocks;
    std::ranges::nth_element(all.begin(), all.begin() + kLongComparisons, usual, is_better);
    all.resize(kLongComparisons);
    std::ranges::sort(all, is_better);
    for (Length& length : all) length.likeness = in_full(length.bytes);
    std::ranges::stable_sort(all, std::ranges::greater(), &Length::likeness);
    best_ = std::move(all);
  }

  std::vector<std::size_t> run() {
    const std::uint64_t possible =
        likeness_.most(kLongBlocks) - std::min(usual_, likeness_.most(kLongBlocks));
    for (const Length& length : best_) {
      const std::uint64_t gain = gain_of(length.likeness);
      if (gain * 100 < possible * kConvincing || found_.size() == kMostLengths) break;
      if (gain * 100 < gain_of(best_[0].likeness) * kNearlyAsGood) break;
      add(shortest_divisor(length, kAsGood));
      add(shortest_divisor(length, kNearlyAsGood));
    }
    std::erase(found_, std::size_t{1});
    return std::move(found_);
  }

 private:
  /// The likeness at this distance on all blocks. Many lengths have the same divisors.
  std::uint64_t in_full(std::size_t bytes) {
    std::uint64_t& known = in_full_[bytes];
    if (known == kUnknown) known = likeness_.of(bytes, kLongBlocks);
    return known;
  }
  std::uint64_t gain_of(std::uint64_t likeness) const { return likeness - std::min(likeness, usual_); }

  /// Multiples of a length are as good as the length, apart from chance.
  std::size_t shortest_divisor(const Length& length, std::uint64_t part) {
    for (std::size_t d = 1; d < length.bytes; ++d) {
      if (length.bytes % d != 0) continue;
      if (gain_of(in_full(d)) * 100 >= gain_of(length.likeness) * part) return d;
    }
    return length.bytes;
  }
  void add(std::size_t bytes) {
    const bool known = std::ranges::any_of(found_, [&](std::size_t f) { return bytes % f == 0 && f != 1; });
    if (!known && found_.size() < kMostLengths) found_.push_back(bytes);
  }

  static constexpr std::uint64_t kUnknown = UINT64_MAX;

  const Likeness& likeness_;
  std::vector<std::uint64_t> in_full_;  ///< of each distance
  std::uint64_t usual_ = 0;
  std::vector<Length> best_;
  std::vector<std::size_t> found_;
};

}  // namespace

std::vector<std::size_t> propose_mixed_records(const Pieces& pieces) {
  const Likeness likeness(pieces);
  if (likeness.empty()) return {};
  return Proposer(likeness).run();
}

}  // namespace tdz
