// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <array>
#include <bit>
#include <cstring>
#include <span>

#include "codec/search/column/step_proposals.hpp"
#include "formats/bytes.hpp"
#include "kernels/steps/bits.hpp"

namespace tdz {
namespace {

constexpr std::size_t kMostRecords = 4096;
constexpr std::size_t kRuns = 8;  // stretches of records, spread over the chunk
constexpr std::size_t kFewestRecords = 128;
constexpr std::uint64_t kMostWords = 3u << 20;  // looked at in all, some 10 ms
constexpr std::uint64_t kWordsOfByte = 5;  // looked at for each byte of the lanes: short inputs take less
constexpr unsigned kOrders = 5;            // 0 to 4
constexpr std::size_t kHistory = kOrders;  // words before a run that differences and lag reach
constexpr std::uint32_t kAllSources = 16;  // wider tuples look at near lanes only
constexpr std::uint32_t kNear = 4;
constexpr std::uint64_t kWorthOrder = 64;   // one part of it: small samples differ by as much
constexpr std::uint64_t kWorthSource = 50;  // one part of it: 2 % of a lane's bits
constexpr std::size_t kPart = 4;            // one part of each run shows which rules are hopeless,
constexpr std::size_t kFewestOfPart = 64;   // if the parts of all runs have this number of words

/// A lane's sampled words and their differences: [order][word], runs behind one another.
using LaneSample = std::array<std::vector<std::uint64_t>, kOrders>;

/// n log2(n) for every number of words that a token can have.
constexpr auto kKnown = [] {
  std::array<std::uint32_t, kMostRecords + 1> known{};
  for (std::uint32_t n = 1; n < known.size(); ++n) known[n] = static_cast<std::uint32_t>(n * log2_of(n));
  return known;
}();

/// What words cost: the entropy of tokens with two bits below the leading one, and the bits below those. The
/// length in bits alone would miss that some words stand far more often than others.
class Cost {
 public:
  /// Of words of this number of bits, at least 8.
  explicit Cost(unsigned bits) : counts_{}, tokens_(4 * (bits - 1)) {}
  void add(std::uint64_t z) {
    const unsigned below = z < 4 ? 0 : static_cast<unsigned>(std::bit_width(z)) - 3;
    ++counts_[4 * below + (z >> below)];
  }
  std::uint64_t bits() const {
    std::uint32_t words = 0, known = 0, used = 0, raw = 0;  // known is the greatest: 4096 words of 12 bits
    for (std::uint32_t token = 0; token < tokens_; ++token) {
      const std::uint32_t n = counts_[token];
      words += n;
      known += kKnown[n];
      used += n > 0;
      raw += n * bits_below(token);
    }
    return words == 0 ? 0 : raw + (words * log2_of(words) - known + used * kBitsOfUse) / kBit;
  }

 private:
  /// A small sample makes entropy look smaller than it is, by half a digit of base e for each token in use.
  static constexpr BitsTimes256 kBitsOfUse = 185;

  /// Of words with this token. Four tokens have one length; the first eight are the words themselves.
  static constexpr std::uint32_t bits_below(std::uint32_t token) { return token < 8 ? 0 : token / 4 - 1; }

  std::array<std::uint32_t, 4 * 63> counts_;
  std::uint32_t tokens_;
};

/// One way to code a lane, and its bits on the sample.
struct Choice {
  std::size_t lane = 0;
  LaneRule rule;
  std::uint64_t bits = 0;
  std::uint64_t bits_of_part = 0;
};

class LaneSearch {
 public:
  LaneSearch(const LaneMap& map, const std::uint8_t* lanes) : map_(map), unused_(64 - map.bits()) {
    const std::size_t rows = map.words / map.tuple;
    const std::uint64_t sources = std::uint64_t{near_lanes()} * 2 * (2 * kOrders - 1) + kOrders;
    const std::uint64_t looked_at = std::min(kMostWords, kWordsOfByte * map.words * map.width);
    const std::uint64_t affordable = looked_at / (sources * map.tuple);
    const std::size_t most = std::clamp<std::uint64_t>(affordable, kFewestRecords, kMostRecords);
    run_ = std::min(rows, most / kRuns);
    runs_ = run_ == rows ? 1 : kRuns;
    sample_.resize(map.tuple);
    for (std::size_t lane = 0; lane < map.tuple; ++lane) load(lanes, lane, rows);
  }

  LaneProposal find() const {
    LaneProposal found{{std::vector<LaneRule>(map_.tuple), 0}, {}, 0, 0};
    std::vector<Choice> with_source;
    std::vector<std::uint64_t> bits(map_.tuple);
    for (std::size_t lane = 0; lane < map_.tuple; ++lane) {
      const Choice alone = best_alone(lane);
      found.rules.lanes[lane] = alone.rule;
      found.bits_of_orders += bits[lane] = alone.bits;
      add_sources(alone, with_source);
    }
    found.orders = found.rules;
    take_sources(std::move(with_source), found.rules, bits);
    for (const std::uint64_t b : bits) found.bits += b;
    return found;
  }

 private:
  std::uint32_t near_lanes() const { return map_.tuple <= kAllSources ? map_.tuple - 1 : 2 * kNear; }

  void load(const std::uint8_t* lanes, std::size_t lane, std::size_t rows) {
    LaneSample& sample = sample_[lane];
    for (std::size_t r = 0; r < runs_; ++r) {
      const std::size_t first = runs_ == 1 ? 0 : (rows - run_) / (runs_ - 1) * r;
      for (std::size_t i = 0; i < run_; ++i)
        sample[0].push_back(formats::word_at(lanes, map_.word, map_.first(lane) + first + i));
    }
    for (unsigned k = 1; k < kOrders; ++k) {
      sample[k] = sample[k - 1];
      for (std::size_t i = sample[k].size(); i-- > 1;) sample[k][i] -= sample[k][i - 1];
    }
  }

  /// Calls visit(first, last) for what of each run has words enough before it, or for one of `parts` parts of
  /// that.
  template <class Visit>
  void for_each_run(std::size_t parts, const Visit& visit) const {
    for (std::size_t r = 0; r < runs_; ++r) {
      const std::size_t before = std::min(kHistory, run_ / 2), first = r * run_ + before;
      visit(first, first + (run_ - before) / parts);
    }
  }

  std::uint64_t bits_of_words(std::size_t lane) const {
    Cost cost(map_.bits());
    for_each_run(1, [&](std::size_t first, std::size_t last) {
      for (std::size_t i = first; i < last; ++i) cost.add(sample_[lane][0][i]);
    });
    return cost.bits();
  }

  /// Of zigzag codes of x[i] - m[i - lag].
  std::uint64_t bits_of(std::span<const std::uint64_t> x, const std::uint64_t* m, std::size_t lag,
                        std::size_t parts = 1) const {
    Cost cost(map_.bits());
    for_each_run(parts, [&](std::size_t first, std::size_t last) {
      for (std::size_t i = std::max(first, lag); i < last; ++i) {
        const std::uint64_t residual = x[i] - (m == nullptr ? 0 : m[i - lag]);
        const auto top = static_cast<std::int64_t>(residual << unused_);
        const auto code = static_cast<std::uint64_t>((top << 1) ^ (top >> 63)) >> unused_;
        cost.add(code);
      }
    });
    return cost.bits();
  }

  Choice best_alone(std::size_t lane) const {
    Choice best{lane, {.order = 0, .zigzag = false}, bits_of_words(lane)};
    for (unsigned k = 0; k < kOrders; ++k) {
      const std::uint64_t bits = bits_of(sample_[lane][k], nullptr, 0);
      if (bits + bits / kWorthOrder < best.bits)
        best = {lane, {.order = static_cast<std::uint8_t>(k), .zigzag = true}, bits};
    }
    return best;
  }

  bool is_near(std::size_t lane, std::size_t source) const {
    const std::size_t apart = lane < source ? source - lane : lane - source;
    return apart != 0 && (map_.tuple <= kAllSources || apart <= kNear);
  }

  void add_sources(Choice alone, std::vector<Choice>& to) const {
    alone.bits_of_part = bits_of(sample_[alone.lane][alone.rule.order], nullptr, 0, kPart);
    for (std::size_t p = 0; p < map_.tuple; ++p) {
      if (!is_near(alone.lane, p)) continue;
      Choice best = alone;
      for (std::uint8_t lag = 0; lag <= 1; ++lag) {
        std::uint64_t before = UINT64_MAX;
        for (std::uint8_t k = 0; k < kOrders; ++k) {
          std::uint64_t bits = try_rule(LaneRule{k, true, static_cast<std::uint16_t>(p), lag, false}, best);
          if (k > 0)
            bits =
                std::min(bits, try_rule(LaneRule{k, true, static_cast<std::uint16_t>(p), lag, true}, best));
          if (bits > before + before / kWorthOrder) break;  // higher orders hardly make good for it
          before = bits;
        }
      }
      if (best.bits + alone.bits / kWorthSource < alone.bits) to.push_back(best);
    }
  }

  /// D^k (x - m) is D^k x - D^k m, so every rule is one difference of what is there. Returns the bits of a
  /// part of each run or, if the runs are short, of all.
  std::uint64_t try_rule(const LaneRule& rule, Choice& best) const {
    const LaneSample& source = sample_[rule.source];
    const std::uint64_t* m = source[rule.after ? 0 : rule.order].data();
    const auto& x = sample_[best.lane][rule.order];
    const bool long_runs = runs_ * run_ >= kPart * kFewestOfPart;
    const std::uint64_t bits_of_part = long_runs ? bits_of(x, m, rule.lag, kPart) : 0;
    if (bits_of_part > best.bits_of_part) return bits_of_part;
    const std::uint64_t bits = bits_of(x, m, rule.lag);
    if (bits < best.bits) best = {best.lane, rule, bits, bits_of_part};
    return long_runs ? bits_of_part : bits;
  }

  /// The greatest gain first; what would close a circle or go too deep is left.
  void take_sources(std::vector<Choice> choices, LanesStep& rules, std::vector<std::uint64_t>& bits) const {
    std::ranges::stable_sort(choices, [&](const Choice& a, const Choice& b) {
      return bits[a.lane] - a.bits > bits[b.lane] - b.bits;
    });
    for (const Choice& choice : choices) {
      LaneRule& rule = rules.lanes[choice.lane];
      if (rule.has_source()) continue;
      const LaneRule alone = rule;
      rule = choice.rule;
      if (rules.flaw(map_.width)) {
        rule = alone;
      } else {
        bits[choice.lane] = choice.bits;
      }
    }
  }

  const LaneMap& map_;
  unsigned unused_;
  std::size_t run_ = 0, runs_ = 1;
  std::vector<LaneSample> sample_;
};

}  // namespace

LaneProposal propose_lanes(const LaneMap& map, const std::uint8_t* lanes) {
  return LaneSearch(map, lanes).find();
}

}  // namespace tdz
