// SPDX-License-Identifier: Apache-2.0
// Chooses a predictor for every block. What decides is integers and IEEE operations in a fixed order, without
// libm and without contraction (see CMakeLists.txt), so every machine chooses the same.
//
// Sources: Levinson 1947, Durbin 1960; Welch's window and the quantiser that carries its error are FLAC's
// choices.
#include <algorithm>
#include <bit>
#include <cfloat>
#include <cstdint>
#include <optional>

#include "kernels/cpu/steps/seams.hpp"
#include "kernels/cpu/steps/steps.hpp"
#include "kernels/steps/bits.hpp"

namespace tdz::cpu {
namespace {

// Wider registers would round twice: 32-bit x86 must compute in SSE2 (-msse2 -mfpmath=sse).
static_assert(FLT_EVAL_METHOD == 0 || FLT_EVAL_METHOD == 1, "doubles must be computed as doubles");

/// What a block costs when its residuals have this size in all (size_of_residuals).
BitsTimes256 cost_of(const WordKind& kind, std::uint64_t size, std::size_t words) {
  if (kind.word == 8) return size * kBit;
  const std::uint64_t mean =
      (size << 12) / words;  // 12 places; 2^32 residuals of 32 bits would not fit, 4096 do
  return words * log2_of(2 * mean + 4096) - words * 12 * kBit;
}

/// Its coefficients are side data.
BitsTimes256 cost_of(const Predictor& p) {
  return (16u + 16u * p.order) * kBit;
}

struct Choice {
  Predictor predictor;
  BitsTimes256 cost = 0;
};

// ---- orders with fixed coefficients

constexpr std::int16_t kBinomials[kMostFixedOrders][kMostFixedOrders - 1] = {
    {}, {1}, {2, -1}, {3, -3, 1}, {4, -6, 4, -1}};

Predictor fixed_predictor(unsigned order) {
  Predictor p{.order = static_cast<std::uint8_t>(order)};
  std::copy_n(kBinomials[order], order, p.coefficient);
  return p;
}

Choice best_fixed(const WordKind& kind, const std::uint8_t* words, std::size_t count) {
  std::uint64_t sizes[kMostFixedOrders];
  sizes_of_differences(kind, words, count, sizes);
  Choice best;
  for (unsigned order = 0; order < kMostFixedOrders && order < count; ++order) {
    const Predictor p = fixed_predictor(order);
    const BitsTimes256 cost = cost_of(kind, sizes[order], count) + cost_of(p);
    if (order == 0 || cost < best.cost) best = {p, cost};
  }
  return best;
}

// ---- coefficients that suit the block

/// Welch's window, (2i + 1) (2n - 2i - 1) / n^2, with 15 places after the point.
void make_window(std::uint16_t* window, std::size_t n) {
  for (std::size_t i = 0; i < n; ++i) {
    const std::uint64_t product = std::uint64_t{2 * i + 1} * (2 * n - 2 * i - 1);
    window[i] =
        static_cast<std::uint16_t>(std::min<std::uint64_t>((product << 15) / (std::uint64_t{n} * n), 32767));
  }
}

struct Window {
  std::uint16_t weight[kPredictBlock];
  explicit Window(std::size_t words) { make_window(weight, words); }
};

/// The coefficients of every order, and what is left of the signal's power with them.
struct Levinson {
  unsigned orders = 0;  ///< that were found
  double coefficient[kMostCoefficients + 1][kMostCoefficients] = {};
  double error[kMostCoefficients + 1] = {};
};

Levinson solve(const std::int64_t* r, unsigned highest) {
  Levinson all;
  all.error[0] = static_cast<double>(r[0]);
  for (unsigned n = 1; n <= highest && all.error[n - 1] > 0; ++n) {
    const double* before = all.coefficient[n - 1];
    double* now = all.coefficient[n];
    double sum = static_cast<double>(r[n]);
    for (unsigned j = 1; j < n; ++j) sum -= before[j - 1] * static_cast<double>(r[n - j]);
    const double reflection = sum / all.error[n - 1];
    for (unsigned j = 1; j < n; ++j) now[j - 1] = before[j - 1] - reflection * before[n - j - 1];
    now[n - 1] = reflection;
    all.error[n] = all.error[n - 1] * (1 - reflection * reflection);
    if (!(all.error[n] >= 0)) break;
    all.orders = n;
  }
  return all;
}

/// log2 of a double, from its own bits: exponent and the first places behind it. Not below 0.
BitsTimes256 log2_of_power(double power) {
  if (!(power >= 1)) return 0;
  const auto bits = std::bit_cast<std::uint64_t>(power);
  const std::uint64_t exponent = (bits >> 52) - 1023, first = (bits >> 44 & 255) | 256;
  return exponent * kBit + log2_of(first) - 8 * kBit;
}

/// The order that promises the smallest block, coefficients included.
unsigned best_order(const Levinson& all, std::size_t words, unsigned extra) {
  unsigned best = 0;
  BitsTimes256 smallest = 0;
  for (unsigned order = 1; order <= all.orders; ++order) {
    const BitsTimes256 cost = words * log2_of_power(all.error[order]) / 2 + 16u * (order + extra) * kBit;
    if (best == 0 || cost < smallest) best = order, smallest = cost;
  }
  return best;
}

/// The nearest integer, halves away from zero. Precondition: |x| < 2^62.
std::int64_t nearest(double x) {
  return static_cast<std::int64_t>(x < 0 ? x - 0.5 : x + 0.5);
}

constexpr std::int64_t power_of_two(unsigned e) {
  return std::int64_t{1} << e;
}

/// Coefficients times 2^shift as integers, each taking on the error of those before it. Nothing where one
/// does not fit into `limit`.
bool quantise(const double* coefficient, unsigned order, unsigned shift, std::int64_t limit,
              std::int64_t* to) {
  double error = 0;
  for (unsigned j = 0; j < order; ++j) {
    const double scaled = coefficient[j] * static_cast<double>(power_of_two(shift));
    error += scaled;
    if (!(error < 65536 && error > -65536)) return false;
    to[j] = nearest(error);
    if (to[j] > limit || to[j] < -limit) return false;
    error -= static_cast<double>(to[j]);
  }
  return true;
}

bool store_coefficients(const std::int64_t* from, unsigned order, unsigned shift, Predictor& p) {
  for (unsigned j = 0; j < order; ++j) {
    if (from[j] > 32767 || from[j] < -32768) return false;
    p.coefficient[j] = static_cast<std::int16_t>(from[j]);
  }
  p.order = static_cast<std::uint8_t>(order);
  p.shift = static_cast<std::uint8_t>(shift);
  return true;
}

/// A predictor of differences, d[i] ~ sum of a_j d[i-j], as one of words: its coefficients sum to 1 exactly.
void of_words(std::int64_t* a, unsigned order, unsigned shift) {
  a[order] = -a[order - 1];
  for (unsigned j = order; j-- > 1;) a[j] -= a[j - 1];
  a[0] += power_of_two(shift);
}

/// With as many bits as fit.
std::optional<Predictor> quantised(const double* coefficient, unsigned order, bool differences) {
  for (unsigned shift = kLargestShift + 1; shift-- > 0;) {
    std::int64_t integers[kMostCoefficients + 1] = {};
    if (!quantise(coefficient, order, shift, 32767, integers)) continue;
    if (differences) of_words(integers, order, shift);
    Predictor p;
    if (store_coefficients(integers, order + (differences ? 1 : 0), shift, p)) return p;
  }
  return {};
}

/// One block, and memory for its residuals.
class BlockChoice {
 public:
  BlockChoice(const WordKind& kind, unsigned highest)
      : kind_(kind), highest_(highest), full_(kPredictBlock) {}

  Predictor choose(const std::uint8_t* words, std::size_t count) {
    Choice best = best_fixed(kind_, words, count);
    if (count > 2 * highest_ && best.cost > cost_of(best.predictor) + count * kBit / 8) {
      try_adapted(words, count, false, best);
      try_adapted(words, count, true, best);
    }
    return best.predictor;
  }

 private:
  void try_adapted(const std::uint8_t* words, std::size_t count, bool differences, Choice& best) {
    const unsigned extra = differences ? 1 : 0;
    if (highest_ <= extra) return;
    const unsigned orders = highest_ - extra;
    std::int64_t sums[kMostLags];
    if (count == kPredictBlock) {
      autocorrelate(kind_, differences, words, count, full_.weight, orders + 1, sums);
    } else {
      const Window window(count);
      autocorrelate(kind_, differences, words, count, window.weight, orders + 1, sums);
    }
    const Levinson all = solve(sums, orders);
    const unsigned order = best_order(all, count, extra);
    if (order == 0) return;
    const auto p = quantised(all.coefficient[order], order, differences);
    if (!p) return;
    predict_block(kind_, {&*p, words, residuals_, count});
    const std::uint64_t size = size_of_residuals(kind_, residuals_ + p->order * kind_.word, count - p->order);
    const BitsTimes256 cost = cost_of(kind_, size, count) + cost_of(*p);
    if (cost < best.cost) best = {*p, cost};
  }

  WordKind kind_;
  unsigned highest_;
  Window full_;
  std::uint8_t residuals_[kPredictBlock * 8];
};

}  // namespace

std::vector<Predictor> choose_predictors(const LaneMap& map, Sign sign, const std::uint8_t* words,
                                         unsigned highest_order) {
  std::vector<Predictor> predictors;
  predictors.reserve(predict_blocks(map));
  BlockChoice choice({map.word, map.width, sign}, std::min(highest_order, kMostCoefficients));
  for (std::size_t lane = 0; lane < map.lanes(); ++lane) {
    for (std::size_t at = 0; at < map.length(lane); at += kPredictBlock) {
      const std::size_t count = std::min(kPredictBlock, map.length(lane) - at);
      predictors.push_back(choice.choose(words + (map.first(lane) + at) * map.word, count));
    }
  }
  return predictors;
}

}  // namespace tdz::cpu
