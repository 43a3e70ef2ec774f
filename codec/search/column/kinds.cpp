// SPDX-License-Identifier: Apache-2.0
#include "codec/search/column/kinds.hpp"

#include <algorithm>
#include <array>
#include <functional>
#include <numeric>
#include <optional>
#include <set>
#include <utility>

#include "codec/search/column/proposals.hpp"
#include "formats/plan/made_plans.hpp"

namespace tdz {

using namespace formats;

namespace {

constexpr std::array<std::uint8_t, 4> kWords{1, 2, 4, 8};
// Bytes; longer records are tried if statistics propose them.
constexpr std::uint32_t kLongestUsualRecord = 32;
constexpr std::size_t kLongestProposedRecord = 1024;  // bytes; longer records are not looked for
constexpr std::size_t kRecordProposals = 4;           // record lengths that are proposed for a piece
constexpr std::size_t kLongestRecordOf3 = 24;  // bytes; longer records of 24-bit words are not looked for
constexpr std::size_t kStretches = 4;
// Every shape is tried on few bytes, then the better ones on more, and of long inputs those on more again.
// Bytes of all pieces together.
constexpr std::size_t kGlance = std::size_t{16} << 10;
constexpr std::size_t kShortTrial = std::size_t{64} << 10;
constexpr std::size_t kLongTrial = std::size_t{128} << 10;
constexpr std::size_t kKeptOfAll = 5;
constexpr std::size_t kKeptOfStretch = 2;
constexpr std::uint64_t kFarBetter = 16;  // smaller by one part in 16: 6 %
// Twice as large as the best shape at the begin and at the end: scale may win back less.
constexpr std::uint64_t kHopelessShape = 1;
constexpr std::uint64_t kHopelessAtGlance = 3;  // 33 % larger everywhere on few bytes
// Others than the best shapes: one part by which they may be larger.
constexpr std::uint64_t kOtherRecord = 6;  // 17 %
constexpr std::uint64_t kOtherWord = 16;   // 6 %, against another word in records of the same length
constexpr std::uint64_t kWordOf3 = 6;      // 17 %: differences of single bytes come near those of 24 bits
constexpr std::size_t kOthers = 6;

/// A shape with its packed size in every stretch. A stretch is a contiguous part of the input.
struct Ranked {
  Parameters steps;
  std::vector<std::uint64_t> sizes;

  std::uint64_t total() const { return std::accumulate(sizes.begin(), sizes.end(), std::uint64_t{0}); }
};

/// Adds the steps if no others in the list give the same transform.
void add_new(std::vector<Parameters>& list, const Parameters& steps) {
  const auto same = [&](const Parameters& s) { return column_of(s) == column_of(steps); };
  if (std::ranges::none_of(list, same)) list.push_back(steps);
}

class Proposer {
 public:
  explicit Proposer(const SearchOptions& request) : request_(request) {}

  void propose_shape(Shape shape, bool big_endian = false) {
    propose({.word = shape.word,
             .tuple = shape.tuple,
             .order = 1,
             .zigzag = true,
             .layout = Layout::tuple_planes,
             .big_endian = big_endian});
  }
  void propose(const Parameters& wanted) {
    Parameters shape = apply_request(request_, wanted);
    shape.row = 0;  // the second stage tries rows
    add_new(shapes_, shape);
  }
  void propose_record(std::size_t bytes) {
    for (const std::uint8_t word : kWords) {
      if (bytes % word == 0) propose_shape({word, static_cast<std::uint32_t>(bytes / word)});
    }
    if (bytes % 3 == 0 && bytes <= kLongestRecordOf3)
      propose_shape({3, static_cast<std::uint32_t>(bytes / 3)});
  }
  /// Samples of 24 bits, which headers of audio show as three bytes each.
  void propose_words_of_3(const SniffedHint& hint) {
    const bool of_3 = hint.type.word == 1 && hint.type.kind == 0 && hint.type.tuple % 3 == 0;
    if (of_3) propose_shape({3, hint.type.tuple / 3}, hint.big_endian);
  }
  std::vector<Parameters> take() { return std::move(shapes_); }

 private:
  const SearchOptions& request_;
  std::vector<Parameters> shapes_;
};

std::vector<Parameters> proposed_shapes(const Samples& samples, const SearchOptions& request,
                                        const std::optional<SniffedHint>& hint) {
  Proposer proposer(request);
  proposer.propose(Parameters{});  // plain bytes: the best shape for input that holds no numbers
  if (hint) proposer.propose_shape({hint->type.word, hint->type.tuple}, hint->big_endian);
  if (hint) proposer.propose_words_of_3(*hint);
  for (const std::uint8_t word : kWords) {
    const std::uint32_t widest = std::min(kWidestUsualTuple, kLongestUsualRecord / word);
    for (std::uint32_t tuple = 1; tuple <= widest; ++tuple) proposer.propose_shape({word, tuple});
  }
  // Not the header; one piece in each half, as the halves may differ.
  const std::size_t pieces = samples.pieces.size();
  if (pieces == 0) return proposer.take();
  for (const std::size_t at : std::set{pieces / 4, pieces - 1}) {
    for (const std::size_t record :
         propose_record_lengths(samples.pieces[at], kLongestProposedRecord, kRecordProposals))
      proposer.propose_record(record);
  }
  return proposer.take();
}

std::vector<Pieces> stretches_of(const Pieces& pieces) {
  const std::size_t count = std::min(kStretches, pieces.size());
  std::vector<Pieces> stretches(count);
  for (std::size_t i = 0; i < pieces.size(); ++i) stretches[i * count / pieces.size()].push_back(pieces[i]);
  return stretches;
}

/// Pieces may begin inside a tuple, but not inside a word.
Pieces whole_words(const Samples& samples, const Pieces& pieces, const Parameters& steps) {
  return is_word_size(steps.word) ? pieces : aligned(samples, pieces, record_of(steps));
}

/// The size of the best shape, by which others are judged. Plain bytes, in which zstd finds whole decimals
/// again, do not set it: scale may win back more.
template <class Shapes, class Size>
std::uint64_t measure_of(const Shapes& shapes, Size size) {
  std::optional<std::uint64_t> best;
  for (const auto& s : shapes)
    if (record_of(s.steps) > 1) best = std::min(best.value_or(UINT64_MAX), std::invoke(size, s));
  return best.value_or(std::invoke(size, shapes.front()));
}

/// Leaves out the shapes that are larger than the best one, by one part in `parts`, in every stretch of
/// `measured`. The first one stays: it is plain bytes, because stretches in between may hold text, or else
/// the best one.
void leave_out_hopeless(std::span<const std::size_t> measured, std::uint64_t parts,
                        std::vector<Ranked>& ranked) {
  std::vector<std::uint64_t> least;
  for (const std::size_t s : measured)
    least.push_back(measure_of(ranked, [s](const Ranked& r) { return r.sizes[s]; }));
  const auto hopeless = [&](const Ranked& r) {
    std::size_t i = 0;
    return std::ranges::all_of(measured,
                               [&](auto s) { return clearly_smaller(least[i++], r.sizes[s], parts); });
  };
  ranked.erase(std::remove_if(ranked.begin() + 1, ranked.end(), hopeless), ranked.end());
}

/// Two parts of a piece, `bytes` together: its begin may be unlike the rest. They begin at whole words.
Pieces begin_and_middle(const Pieces& pieces, std::size_t bytes) {
  constexpr std::size_t kWholeWords = 24;  // words of 8 and of 3 bytes
  Pieces parts;
  for (const auto piece : pieces) {
    const std::size_t part = std::min(bytes, piece.size()) / 2 / kWholeWords * kWholeWords;
    const std::size_t middle = piece.size() / 2 / kWholeWords * kWholeWords;
    parts.push_back(piece.first(part));
    parts.push_back(piece.subspan(middle, part));
  }
  return parts;
}

/// Measures shapes in every stretch, on what `part_of` takes of its pieces: all of them in the first and in
/// the last stretch, and those that are left in the others.
template <class PartOf>
Result<std::vector<Ranked>> rank(const Samples& samples, const std::vector<Parameters>& shapes,
                                 const std::vector<Pieces>& stretches, const PartOf& part_of, Trial& trial) {
  std::vector<Ranked> ranked;
  for (const Parameters& steps : shapes)
    ranked.push_back({steps, std::vector<std::uint64_t>(stretches.size())});
  std::vector<std::size_t> order(stretches.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  if (order.size() > 2) std::swap(order[1], order.back());
  for (std::size_t i = 0; i < order.size(); ++i) {
    if (i == 2) leave_out_hopeless(std::span(order).first(2), kHopelessShape, ranked);
    for (Ranked& r : ranked) {
      const Pieces pieces = part_of(whole_words(samples, stretches[order[i]], r.steps));
      auto size = trial.packed_together(plan_of(column_of(r.steps)), pieces);
      if (!size) return size.error();
      r.sizes[order[i]] = *size;
    }
  }
  return ranked;
}

/// The shapes that a glance does not show to be hopeless everywhere.
Result<std::vector<Parameters>> promising(const Samples& samples, const std::vector<Parameters>& shapes,
                                          const std::vector<Pieces>& stretches, Trial& trial) {
  const std::size_t bytes = kGlance / samples.pieces.size();
  auto ranked = rank(
      samples, shapes, stretches, [&](const Pieces& p) { return begin_and_middle(p, bytes); }, trial);
  if (!ranked) return ranked.error();
  std::vector<std::size_t> all(stretches.size());
  std::iota(all.begin(), all.end(), std::size_t{0});
  leave_out_hopeless(all, kHopelessAtGlance, *ranked);
  std::vector<Parameters> left;
  for (const Ranked& r : *ranked) left.push_back(r.steps);
  return left;
}

template <class Size>
void keep_best(std::vector<Ranked> ranked, std::size_t count, Size size, std::vector<Parameters>& kept) {
  std::ranges::stable_sort(ranked, {}, size);
  ranked.resize(std::min(count, ranked.size()));
  for (const Ranked& r : ranked) add_new(kept, r.steps);
}

/// Leaves out those that are much larger than the best one.
template <class Size>
std::vector<Ranked> near_best(std::vector<Ranked> ranked, Size size) {
  const std::uint64_t measure = measure_of(ranked, size);
  std::erase_if(
      ranked, [&](const Ranked& r) { return clearly_smaller(measure, std::invoke(size, r), kOtherRecord); });
  return ranked;
}

struct Sized {
  Parameters steps;
  std::uint64_t size;
};

/// The best shape of each record length, and shapes with other words that are not much larger.
std::vector<Parameters> different_shapes(std::vector<Sized> sized, std::size_t count) {
  std::ranges::stable_sort(sized, {}, &Sized::size);
  const std::uint64_t measure = measure_of(sized, &Sized::size);
  std::vector<Sized> taken;
  for (const Sized& s : sized) {
    if (taken.size() == count || clearly_smaller(measure, s.size, kOtherRecord)) break;
    const auto same = [&](const Sized& t) { return record_of(t.steps) == record_of(s.steps); };
    const auto before = std::ranges::find_if(taken, same);
    const std::uint64_t parts = s.steps.word == 3 ? kWordOf3 : kOtherWord;
    if (before == taken.end() || !clearly_smaller(before->size, s.size, parts)) taken.push_back(s);
  }
  std::vector<Parameters> shapes;
  for (const Sized& s : taken) shapes.push_back(s.steps);
  return shapes;
}

/// The best shapes for the whole input, and the best ones for each stretch.
std::vector<Parameters> better_shapes(const std::vector<Ranked>& ranked, std::size_t stretches) {
  std::vector<Parameters> kept;
  keep_best(near_best(ranked, &Ranked::total), kKeptOfAll, &Ranked::total, kept);
  for (std::size_t s = 0; stretches > 1 && s < stretches; ++s) {
    const auto size = [s](const Ranked& r) { return r.sizes[s]; };
    keep_best(near_best(ranked, size), kKeptOfStretch, size, kept);
  }
  return kept;
}

/// What was measured of these shapes, in their order. `all` has each of them.
std::vector<Ranked> measured(const std::vector<Parameters>& shapes, const std::vector<Ranked>& all) {
  std::vector<Ranked> theirs;
  for (const Parameters& steps : shapes) {
    const auto same = [&](const Ranked& r) { return column_of(r.steps) == column_of(steps); };
    theirs.push_back(*std::ranges::find_if(all, same));
  }
  return theirs;
}

class Grouping {
 public:
  /// `ranked` are the better ones of `all`, measured again.
  Grouping(const std::vector<Ranked>& ranked, const std::vector<Ranked>& all,
           const std::vector<Pieces>& stretches, const SearchLimits& limits)
      : ranked_(ranked), all_(all), stretches_(stretches), limits_(limits) {}

  std::vector<Kind> run() {
    std::vector<std::size_t> all(stretches_.size());
    std::iota(all.begin(), all.end(), std::size_t{0});
    std::vector<Kind> kinds{kind_of(all)};
    const Ranked* common = best_for(all);
    std::vector<std::size_t> apart = without(all, common), rest = all;
    while (!apart.empty() && kinds.size() < limits_.recipes) {
      const auto left = without(apart, best_for_most(apart));
      std::erase_if(apart, [&](std::size_t s) { return std::ranges::find(left, s) != left.end(); });
      kinds.push_back(kind_of(apart));
      std::erase_if(rest, [&](std::size_t s) { return std::ranges::find(apart, s) != apart.end(); });
      apart = left;
    }
    if (!rest.empty()) kinds.front().others = others_of(rest);
    return kinds;
  }

 private:
  static std::uint64_t sum(const Ranked& r, const std::vector<std::size_t>& which) {
    std::uint64_t total = 0;
    for (const std::size_t s : which) total += r.sizes[s];
    return total;
  }
  const Ranked* best_for(const std::vector<std::size_t>& which) const {
    return &*std::ranges::min_element(ranked_, {}, [&](const Ranked& r) { return sum(r, which); });
  }
  /// The shape that suits the most stretches. There is at least one: a shape is the best of all for some
  /// stretch.
  const Ranked* best_for_most(const std::vector<std::size_t>& which) const {
    const auto order = [&](const Ranked& r) { return std::pair(without(which, &r).size(), sum(r, which)); };
    return &*std::ranges::min_element(ranked_, {}, order);
  }
  /// The stretches of `which` that another shape suits far better than this one.
  std::vector<std::size_t> without(const std::vector<std::size_t>& which, const Ranked* served) const {
    std::vector<std::size_t> left;
    for (const std::size_t s : which) {
      const std::uint64_t best = best_for({s})->sizes[s];
      if (clearly_smaller(best, served->sizes[s], kFarBetter)) left.push_back(s);
    }
    return left;
  }
  Kind kind_of(const std::vector<std::size_t>& which) const {
    Kind kind;
    for (const std::size_t s : which)
      kind.pieces.insert(kind.pieces.end(), stretches_[s].begin(), stretches_[s].end());
    keep_best(
        ranked_, limits_.shapes, [&](const Ranked& r) { return sum(r, which); }, kind.shapes);
    kind.others = others_of(which);
    return kind;
  }
  std::vector<Parameters> others_of(const std::vector<std::size_t>& which) const {
    std::vector<Sized> sized;
    for (const Ranked& r : all_) sized.push_back({r.steps, sum(r, which)});
    return different_shapes(std::move(sized), kOthers);
  }

  const std::vector<Ranked>& ranked_;
  const std::vector<Ranked>& all_;
  const std::vector<Pieces>& stretches_;
  const SearchLimits& limits_;
};

}  // namespace

Result<std::vector<Kind>> find_kinds(const Samples& samples, const SearchOptions& request,
                                     const std::optional<SniffedHint>& hint, const SearchLimits& limits,
                                     Trial& trial) {
  if (samples.pieces.empty()) return std::vector<Kind>{};
  const auto stretches = stretches_of(samples.pieces);
  const auto first_bytes = [&](std::size_t bytes) {
    return [=, pieces = samples.pieces.size()](const Pieces& p) { return first_of(p, bytes / pieces); };
  };
  auto shapes = promising(samples, proposed_shapes(samples, request, hint), stretches, trial);
  if (!shapes) return shapes.error();
  auto ranked = rank(samples, *shapes, stretches, first_bytes(kShortTrial), trial);
  if (!ranked) return ranked.error();
  const auto better = better_shapes(*ranked, stretches.size());
  auto again = samples.of_short_input() ? measured(better, *ranked)
                                        : rank(samples, better, stretches, first_bytes(kLongTrial), trial);
  if (!again) return again.error();
  return Grouping(*again, *ranked, stretches, limits).run();
}

formats::Parameters apply_request(const SearchOptions& request, formats::Parameters parameters) {
  parameters.word = request.word.value_or(parameters.word);
  parameters.tuple = request.tuple.value_or(parameters.tuple);
  parameters.order = request.order.value_or(parameters.order);
  parameters.zigzag = request.zigzag.value_or(parameters.zigzag);
  parameters.layout = request.layout.value_or(parameters.layout);
  parameters.big_endian = request.big_endian || parameters.big_endian;
  parameters.row = request.row.value_or(parameters.row);
  return parameters;
}

}  // namespace tdz
