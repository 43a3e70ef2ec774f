// SPDX-License-Identifier: Apache-2.0
#include "codec/search/starts.hpp"

#include <algorithm>
#include <array>

namespace tdz {

using namespace formats;

namespace {

constexpr std::array<std::uint8_t, 2> kRealWords{4, 8};
constexpr std::size_t kLookedAt = std::size_t{32} << 10;  // of a piece
constexpr std::uint64_t kWorthTrying = 10;  // one part of it: scale must promise 10 % of the bits
constexpr std::size_t kLongestRecord = 256;  // bytes

class Starts {
 public:
  Starts(const Samples& samples, const Kind& kind, const SearchOptions& request, std::size_t most)
      : samples_(samples), kind_(kind), request_(request), most_(most) {}

  std::vector<Start> run(const std::vector<Candidate>& tried) {
    const auto best = std::ranges::min_element(tried, {}, &Candidate::packed_bytes);
    if (best == tried.end()) return {};
    const auto steps = parameters_of(best->plan);
    if (!steps) return {};
    starts_.push_back({{.base = with_tuple(*steps)}, true});
    for (const std::uint8_t word : kRealWords) add_real(word, starts_.front().draft.base);
    for (const Parameters& shape : kind_.others) add_words_of_3(shape);
    for (const Parameters& shape : kind_.others) add_record(shape);
    if (starts_.size() > most_) starts_.resize(most_);
    return std::move(starts_);
  }

 private:
  static std::size_t record_of(const Parameters& shape) { return std::size_t{shape.word} * shape.tuple; }
  static std::size_t record_of_start(const Start& start) { return record_of(start.draft.base); }

  void add(const Parameters& base) { starts_.push_back({{.base = base}, false}); }

  /// Differences of single bytes come near those of whole samples; prediction does not.
  void add_words_of_3(const Parameters& shape) {
    if (shape.word == 3 && starts_.front().draft.base.word == 1) add(shape);
  }

  /// The widest words of records that were not seen yet: wide words hide less from statistics.
  void add_record(const Parameters& shape) {
    if (std::ranges::find(starts_, record_of(shape), record_of_start) != starts_.end()) return;
    Parameters widest = shape;
    for (const Parameters& other : kind_.others) {
      if (record_of(other) == record_of(shape) && other.word > widest.word) widest = other;
    }
    if (widest.word > 1 || widest.tuple > 1) add(widest);
  }

  /// Steps without differences do not name their tuple.
  Parameters with_tuple(Parameters steps) const {
    if (steps.order != 0 || steps.tuple != 1) return steps;
    for (const Parameters& shape : kind_.shapes) {
      if (shape.word == steps.word) return steps.tuple = shape.tuple, steps;
    }
    return steps;
  }

  /// The same record of words of this length.
  void add_real(std::uint8_t word, const Parameters& best) {
    if (word == best.word || request_.word) return;
    const std::size_t record = std::size_t{best.word} * best.tuple;
    const bool fits = record % word == 0 && record <= kLongestRecord;
    Parameters base{.word = word, .order = 1, .zigzag = true, .layout = Layout::tuple_planes};
    base.tuple = fits ? static_cast<std::uint32_t>(record / word) : 1;
    base = apply_request(request_, base);
    base.row = 0;
    if (promises(base)) add(base);
  }

  bool promises(const Parameters& base) const {
    const ScaleShape shape{base.word, ScaleKind::real, scale_tuple(base)};
    const Pieces pieces =
        first_of(aligned(samples_, kind_.pieces, std::size_t{base.word} * base.tuple), kLookedAt);
    const auto estimates = detect_scale(shape, pieces);
    return !estimates.empty() && !estimates.front().plan.pairs.empty() &&
           clearly_smaller(estimates.front().bits_with, estimates.front().bits_without, kWorthTrying);
  }

  const Samples& samples_;
  const Kind& kind_;
  const SearchOptions& request_;
  const std::size_t most_;
  std::vector<Start> starts_;
};

}  // namespace

std::vector<Start> starts_of(const Samples& samples, const Kind& kind, const std::vector<Candidate>& tried,
                                   const SearchOptions& request, const SearchLimits& limits) {
  return Starts(samples, kind, request, limits.starts).run(tried);
}

}  // namespace tdz
