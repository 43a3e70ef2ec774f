// SPDX-License-Identifier: Apache-2.0
#include "kernels/steps/scale/lattice.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdint>
#include <numeric>

namespace tdz {
namespace {

/// Gaps that may be the step, or differ by it.
constexpr std::size_t kSmallestGaps = 6;
constexpr std::size_t kSeeds = 10;
/// A gap may be this many steps where no two numbers are neighbours.
constexpr int kMostSteps = 4;
/// A step must be wider than the errors of two numbers by this factor: else q says no less than the number.
constexpr double kOverError = 3;
constexpr std::size_t kFewest = 12;  ///< distances that agree
constexpr std::size_t kSpansLooked = 16;
constexpr std::size_t kEnough = 3;  ///< ranges

struct Distance {
  double length;
  double error;
};

void sort_by_length(std::vector<Distance>& distances) {
  sort_by_number(distances, [](const Distance& d) { return d.length; });
}

/// Narrows the range with every distance that is certainly so many steps.
class Fit {
 public:
  explicit Fit(StepRange range) : range_(range) {}

  void see(const Distance& d) {
    const double shortest = d.length - d.error, longest = d.length + d.error;
    if (longest < range_.low) return;
    const double most = std::floor(longest / range_.low), fewest = shortest / range_.high;
    if (fewest > most) {
      ++misses_;
    } else if (fewest > most - 1) {
      narrow(shortest, longest, most);
      ++hits_;
    } else {
      ++open_;
    }
  }
  bool hopeless() const { return misses_ > 4 + hits_ / 8; }
  bool supported() const { return hits_ >= kFewest && !hopeless(); }
  bool mostly_open() const { return open_ > hits_; }
  Fit onwards() const { return Fit(range_); }
  const StepRange& range() const { return range_; }

 private:
  /// Most distances narrow nothing: products tell so before the division has to.
  void narrow(double shortest, double longest, double steps) {
    constexpr double kNearly = 1 - 0x1p-50, kHardly = 1 + 0x1p-50;
    if (shortest > range_.low * steps * kNearly) range_.low = std::max(range_.low, shortest / steps);
    if (longest < range_.high * steps * kHardly) range_.high = std::min(range_.high, longest / steps);
  }

  StepRange range_;
  std::size_t hits_ = 0, misses_ = 0, open_ = 0;
};

Distance between(double a, double b, const NumberError& error) {
  const double length = b < a ? a - b : b - a;
  return {length, error.of(a) + error.of(b) + length * 0x1p-52};
}

std::vector<Distance> gaps_of(const std::vector<double>& sorted, const NumberError& error) {
  std::vector<Distance> gaps;
  gaps.reserve(sorted.size());
  for (std::size_t i = 1; i < sorted.size(); ++i) {
    const Distance gap = between(sorted[i - 1], sorted[i], error);
    if (gap.length > kOverError * gap.error) gaps.push_back(gap);
  }
  sort_by_length(gaps);
  return gaps;
}

void add_seed(std::vector<Distance>& seeds, const Distance& seed) {
  if (seed.length <= kOverError * seed.error) return;
  const auto same = [&](const Distance& s) {
    return std::fabs(s.length - seed.length) <= s.error + seed.error;
  };
  if (std::ranges::none_of(seeds, same)) seeds.push_back(seed);
}

/// The smallest gaps, and what they differ by.
std::vector<Distance> seeds_of(const std::vector<Distance>& gaps) {
  std::vector<Distance> smallest;
  for (const Distance& gap : gaps) {
    if (smallest.size() == kSmallestGaps) break;
    add_seed(smallest, gap);
  }
  std::vector<Distance> seeds = smallest;
  for (const Distance& a : smallest) {
    for (const Distance& b : smallest) add_seed(seeds, {b.length - a.length, a.error + b.error});
  }
  if (seeds.size() > kSeeds) seeds.resize(kSeeds);
  return seeds;
}

/// Distances over twice as many numbers each time.
bool see_spans(Fit& fit, const std::vector<double>& sorted, const NumberError& error) {
  for (std::size_t span = 2; span < sorted.size(); span *= 2) {
    const std::size_t places = sorted.size() - span, step = places / kSpansLooked + 1;
    for (std::size_t i = 0; i < places; i += step) fit.see(between(sorted[i], sorted[i + span], error));
    if (fit.hopeless()) return false;
  }
  return true;
}

bool see_gaps(Fit& fit, const std::vector<Distance>& gaps) {
  for (const Distance& gap : gaps) {
    fit.see(gap);
    if (fit.hopeless()) return false;
  }
  return true;
}

/// Distances from `origin`, near ones first.
std::vector<Distance> distances_from(double origin, std::span<const double> numbers,
                                     const NumberError& error) {
  std::vector<Distance> distances;
  distances.reserve(numbers.size());
  for (const double x : numbers) distances.push_back(between(origin, x, error));
  sort_by_length(distances);
  return distances;
}

void see_all(Fit& fit, const std::vector<Distance>& distances) {
  for (const Distance& d : distances) fit.see(d);
}

/// What one search for steps looks at.
struct Numbers {
  const std::vector<double>& sorted;
  std::span<const double> elsewhere;
  const NumberError& error;
  std::vector<Distance> from_zero = distances_from(0, sorted, error);
  std::vector<Distance> elsewhere_from_zero = distances_from(0, elsewhere, error);
};

/// A step must lead to the numbers themselves, so zero is one of the places. Numbers from elsewhere make the
/// range narrower if they follow the same step; where the numbers are far from zero, they lead the way there.
void finish(const Fit& fit, const Numbers& numbers, std::vector<StepRange>& found) {
  Fit near = fit.onwards();
  see_all(near, numbers.from_zero);
  Fit far = near.mostly_open() ? fit.onwards() : near.onwards();
  if (near.mostly_open()) {
    const double middle = numbers.sorted[numbers.sorted.size() / 2];
    see_all(far, distances_from(middle, numbers.elsewhere, numbers.error));
  }
  Fit all = far.onwards();
  see_all(all, numbers.elsewhere_from_zero);
  see_all(all, numbers.from_zero);
  if (all.supported()) found.push_back(all.range());
  if (near.supported() && !(all.supported() && all.range() == near.range())) found.push_back(near.range());
  if (!near.supported() && !all.supported())
    found.push_back(far.range());  // a round fraction of it may still fit
}

bool is_found(const std::vector<StepRange>& found, const StepRange& range) {
  return std::ranges::any_of(found,
                             [&](const StepRange& r) { return r.low <= range.high && range.low <= r.high; });
}

}  // namespace

std::vector<StepRange> find_steps(std::span<const double> numbers, std::span<const double> elsewhere,
                                  const NumberError& error) {
  std::vector<double> sorted(numbers.begin(), numbers.end());
  sort_by_number(sorted, [](double x) { return x; });
  sorted.erase(std::unique(sorted.begin(), sorted.end()), sorted.end());
  const Numbers all{sorted, elsewhere, error};
  std::vector<StepRange> found;
  const std::vector<Distance> gaps = gaps_of(sorted, error);
  for (const Distance& seed : seeds_of(gaps)) {
    for (int steps = 1; steps <= kMostSteps; ++steps) {
      const StepRange range{(seed.length - seed.error) / steps, (seed.length + seed.error) / steps};
      if (range.high < error.smallest_step) break;
      Fit fit(range);
      if (!see_gaps(fit, gaps) || !see_spans(fit, sorted, error) || !fit.supported()) continue;
      if (!is_found(found, fit.range())) finish(fit, all, found);
      break;
    }
    if (found.size() >= kEnough) break;
  }
  return found;
}

std::optional<ScalePair> simplest_fraction(const StepRange& range) {
  constexpr double kLargest = 0x1p31;
  // Convergents: (num, den) and the one before. low and high are what is left of the range.
  double low = range.low, high = range.high, num = 1, den = 0, num_before = 0, den_before = 1;
  for (int depth = 0; depth < 40; ++depth) {
    const double whole = std::floor(low);
    const bool last = whole == low || whole + 1 <= high;
    const double term = whole == low || !last ? whole : whole + 1;
    const double next_num = term * num + num_before, next_den = term * den + den_before;
    if (next_num > kLargest || next_den > kLargest) return {};
    num_before = num, den_before = den;
    num = next_num, den = next_den;
    if (last) return ScalePair{num, den};
    const double rest = low - whole;
    low = 1 / (high - whole);
    high = 1 / rest;
  }
  return {};
}

namespace {

constexpr std::size_t kMostPairs = 10;

/// How many pairs of its sort, or simpler ones, such a range is expected to hold by chance: the fewer, the
/// likelier this one was meant.
struct Guess {
  ScalePair pair;
  double by_chance;
};

class Guesses {
 public:
  explicit Guesses(const StepRange& range) : range_(range), width_((range.high - range.low) / range.low) {}

  void add_simplest() {
    if (const auto f = simplest_fraction(range_)) guesses_.push_back({*f, f->num * f->den * width_});
  }

  /// Fractions with a power of ten above or below.
  void add_round() {
    double power = 10;
    for (int e = 1; e <= kPowers; ++e, power *= 10) {
      const double den = std::ceil(power / range_.high), num = std::ceil(power * range_.low);
      if (den <= power / range_.low) add_fraction(power, den, den);
      if (num <= power * range_.high) add_fraction(num, power, num);
    }
  }

  /// Numbers of 32 and 64 bits, as a factor and as a divisor.
  void add_binary() {
    const double middle = range_.low + (range_.high - range_.low) / 2;
    guesses_.push_back({{middle, 1}, width_ * 0x1p53 + 1});
    if (!(middle > 0x1p-60 && middle < 0x1p60)) return;
    add_if_within({double{static_cast<float>(middle)}, 1}, width_ * 0x1p24);
    add_if_within({1, double{static_cast<float>(1 / middle)}}, width_ * 0x1p24);
    add_doubles(range_.low, range_.high, [](double x) { return ScalePair{x, 1}; });
    add_doubles(1 / range_.high, 1 / range_.low, [](double x) { return ScalePair{1, x}; });
  }

  std::vector<ScalePair> best() {
    std::ranges::stable_sort(guesses_, {}, &Guess::by_chance);
    std::vector<ScalePair> pairs;
    for (const Guess& guess : guesses_) {
      if (pairs.size() < kMostPairs && std::ranges::find(pairs, guess.pair) == pairs.end())
        pairs.push_back(guess.pair);
    }
    return pairs;
  }

 private:
  static constexpr int kPowers = 9;

  void add_fraction(double num, double den, double chosen) {
    if (num > 0x1p40 || den > 0x1p40) return;
    const auto common =
        static_cast<double>(std::gcd(static_cast<std::uint64_t>(num), static_cast<std::uint64_t>(den)));
    guesses_.push_back({{num / common, den / common}, chosen * width_ * 2 * kPowers});
  }

  void add_if_within(const ScalePair& pair, double by_chance) {
    const double step = pair.num / pair.den, slack = step * 0x1p-52;
    if (step + slack >= range_.low && step - slack <= range_.high) guesses_.push_back({pair, by_chance});
  }

  /// If there are so few that one of them was meant.
  template <class Make>
  void add_doubles(double low, double high, const Make& make) {
    constexpr std::uint64_t kFew = 4;
    const auto first = std::bit_cast<std::uint64_t>(low), last = std::bit_cast<std::uint64_t>(high);
    if (last - first > kFew) return;
    for (std::uint64_t bits = first - 1; bits <= last + 1; ++bits) {
      guesses_.push_back({make(std::bit_cast<double>(bits)), width_ * 0x1p53 + 1});
    }
  }

  const StepRange range_;
  const double width_;
  std::vector<Guess> guesses_;
};

}  // namespace

std::vector<ScalePair> pairs_of(const StepRange& range) {
  if (!(range.low > 0x1p-100 && range.high < 0x1p100)) return {};
  Guesses guesses(range);
  guesses.add_simplest();
  guesses.add_round();
  guesses.add_binary();
  return guesses.best();
}

}  // namespace tdz
