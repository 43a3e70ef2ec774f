// SPDX-License-Identifier: Apache-2.0
#include "codec/search/column/climb.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <utility>

#include "codec/search/column/column_draft.hpp"
#include "codec/search/column/proposals.hpp"
#include "formats/bytes.hpp"
#include "formats/plan/made_plans.hpp"

namespace tdz {

using namespace formats;

namespace {

// If a shape or a layout gives a size that exceeds the best one so far by more than one part in 10, its
// variants are not tried.
constexpr std::uint64_t kFarWorse = 10;
constexpr std::uint64_t kFarLonger = 4;     // 25 %
constexpr std::uint64_t kWorseShape = 20;   // 5 %: bit planes save about the same of each shape
constexpr std::uint64_t kWorseOrder = 12;   // 8 %: layouts want different orders only where orders are close
constexpr std::uint64_t kWorthPlanes = 50;  // 2 %: planes of words must save more than this over plain bytes
// Enough bytes to rank candidates, and pieces long enough to hold rows.
constexpr std::size_t kPieces = 4;
constexpr std::size_t kPieceBytes = std::size_t{64} << 10;
// Pieces of a short input, and the words of one column of records, are no longer than this.
constexpr std::size_t kLongestCut = std::size_t{96} << 10;

/// What the words of a piece differ by from those a tuple before them, in bits.
std::uint64_t length_of_differences(const Parameters& steps, std::span<const std::byte> piece) {
  constexpr std::size_t kWords = 2048;
  const std::size_t tuple = std::size_t{steps.tuple} * steps.word, unused = 64 - 8 * std::size_t{steps.word};
  std::uint64_t bits = 0;
  for (std::size_t i = 0; i < kWords && tuple + (i + 1) * steps.word <= piece.size(); ++i) {
    const std::byte* at = piece.data() + i * steps.word;
    const std::uint64_t before = load_word(at, steps.word, steps.big_endian);
    const std::uint64_t top = (load_word(at + tuple, steps.word, steps.big_endian) - before) << unused;
    bits += static_cast<std::uint64_t>(std::bit_width((top >> 63 != 0 ? ~top : top) >> unused));
  }
  return bits;
}

/// Words in the other order of bytes are no numbers, if their differences are so much longer.
bool differs_more(const Parameters& steps, const Parameters& swapped, std::span<const std::byte> piece) {
  const std::uint64_t length = length_of_differences(swapped, piece);
  return clearly_smaller(length_of_differences(steps, piece), length, kFarLonger);
}

/// At most `most` of the pieces, spread over the input. Where half of them or fewer are taken, the first one,
/// which may hold a header, is not among them.
Pieces some_of(const Pieces& pieces, std::size_t most) {
  const std::size_t count = std::min(most, pieces.size());
  Pieces some;
  for (std::size_t i = 0; i < count; ++i) some.push_back(pieces[(2 * i + 1) * pieces.size() / (2 * count)]);
  return some;
}

/// The first kPieceBytes of each of kPieces pieces, or of more pieces if these are shorter: the candidates
/// see about the same number of bytes; of one piece or of short ones, half as many.
Pieces pieces_to_try(const Pieces& pieces, bool half_of_short) {
  const std::size_t part = half_of_short ? 2 : 1;
  if (pieces.size() <= 1) return first_of(pieces, kPieces * kPieceBytes / part);
  if (pieces.front().size() <= kLongestCut) return first_of(pieces, kPieceBytes / part);
  const std::size_t fit = kPieces * kPieceBytes / std::max<std::size_t>(pieces.front().size(), 1);
  return first_of(some_of(pieces, std::max(kPieces, fit)), kPieceBytes);
}

class Climb {
 public:
  Climb(const Kind& kind, const SearchOptions& request, const std::optional<SniffedHint>& hint,
        const SearchLimits& limits, Trial& trial, std::vector<Candidate> tried)
      : kind_(kind),
        pieces_(pieces_to_try(kind.pieces, limits.half_of_short)),
        request_(request),
        hint_(hint),
        limits_(limits),
        trial_(trial),
        tried_(std::move(tried)) {}

  Result<Climbed> run() {
    if (auto done = try_plain(); !done) return done.error();
    for (const Parameters& shape : kind_.shapes) {
      if (auto done = try_shape(shape); !done) return done.error();
    }
    if (auto done = try_planes_of_words(); !done) return done.error();
    if (auto done = try_rows(); !done) return done.error();
    if (auto done = try_big_endian_words(); !done) return done.error();
    if (auto done = try_variants(); !done) return done.error();
    if (auto done = try_byte_orders(); !done) return done.error();
    return Climbed{std::move(tried_), pieces_, best_row_};
  }

 private:
  const Candidate* known(const Plan& plan) const {
    const auto found = std::ranges::find(tried_, plan, &Candidate::plan);
    return found == tried_.end() ? nullptr : &*found;
  }

  /// The packed size of all pieces. A plan is tried only once.
  Result<std::uint64_t> size_of(const Plan& plan) {
    if (const Candidate* before = known(plan)) return before->packed_bytes;
    auto size = trial_.packed_together(plan, pieces_);
    if (size) tried_.push_back({plan, *size});
    return size;
  }
  Result<std::uint64_t> size_of(const Parameters& steps) {
    auto size = size_of(plan_of(column_of(steps)));
    if (!size) return size;
    if (!best_ || *size < best_size_) best_ = steps, best_size_ = *size;
    const bool narrow = steps.row == 0 && steps.tuple <= kWidestUsualTuple;
    if (narrow && (!best_narrow_ || *size < narrow_size_)) best_narrow_ = steps, narrow_size_ = *size;
    return size;
  }
  static bool far_worse(std::uint64_t size, std::uint64_t measure) {
    return clearly_smaller(measure, size, kFarWorse);
  }

  Status try_plain() {
    const Column plain = column_of(apply_request(request_, {}));
    if (!plain.steps.empty()) return ok();
    auto size = size_of(plan_of(plain));
    return size ? ok() : Status(size.error());
  }

  /// The best order for these steps: goes up while the size shrinks, then down. `size` becomes the size with
  /// it.
  Result<Parameters> best_order(Parameters steps, std::uint64_t& size) {
    return best_order(steps, size, best_size_);
  }
  Result<Parameters> best_order(Parameters steps, std::uint64_t& size, std::uint64_t measure) {
    auto first = size_of(steps);
    if (!first) return first.error();
    size = *first;
    if (request_.order || far_worse(size, measure)) return steps;
    for (const int direction : {+1, -1}) {
      for (;;) {
        Parameters next = steps;
        next.order = static_cast<std::uint8_t>(steps.order + direction);
        if (next.order > limits_.highest_order) break;  // below 0 wraps to 255
        if (makes_planes_worse(steps, next)) break;
        auto other = size_of(next);
        if (!other) return other.error();
        if (*other >= size) break;
        size = *other;
        steps = next;
      }
    }
    return steps;
  }

  /// An order that made planes clearly larger makes nothing of bit planes either.
  bool makes_planes_worse(Parameters steps, Parameters next) const {
    if (steps.layout != Layout::bit_planes) return false;
    steps.layout = next.layout = Layout::tuple_planes;
    const Candidate* before = known(plan_of(column_of(steps)));
    const Candidate* after = known(plan_of(column_of(next)));
    return before && after && clearly_smaller(before->packed_bytes, after->packed_bytes, kWorseOrder);
  }

  /// Finds the best order of the shape with planes, then with bit planes.
  Status try_shape(const Parameters& shape) {
    Parameters with_row = shape;
    with_row.row = request_.row.value_or(0);
    std::uint64_t size = 0;
    auto first = size_of(with_row);
    if (!first) return first.error();
    best_first_ = std::min(best_first_, *first);
    auto planes = best_order(with_row, size, best_first_);
    if (!planes) return planes.error();
    if (request_.layout || far_worse(size, best_size_) || clearly_smaller(best_shape_, size, kWorseShape))
      return ok();
    best_shape_ = std::min(best_shape_, size);
    Parameters bits = *planes;
    bits.layout = Layout::bit_planes;
    bits.order = request_.order.value_or(std::max<std::uint8_t>(bits.order, 1));
    auto done = best_order(bits, size);
    return done ? ok() : Status(done.error());
  }

  /// Where no difference helps, the shapes do not show words whose planes alone help: shapes have
  /// differences. Words that are hardly smaller than plain bytes would only hide the other shapes.
  Status try_planes_of_words() {
    const bool open =
        !request_.word && !request_.tuple && !request_.order && !request_.zigzag && !request_.layout;
    const auto best = std::ranges::min_element(tried_, {}, &Candidate::packed_bytes);
    if (!open || request_.row || best == tried_.end() || !has_no_steps(best->plan)) return ok();
    const std::uint64_t plain = best->packed_bytes;
    for (const std::uint8_t word : std::array<std::uint8_t, 3>{2, 4, 8}) {
      const Parameters planes = apply_request(request_, {.word = word, .layout = Layout::planes});
      auto size = trial_.packed_together(plan_of(column_of(planes)), pieces_);
      if (!size) return size.error();
      if (!clearly_smaller(*size, plain, kWorthPlanes)) continue;
      if (auto done = size_of(planes); !done) return done.error();
    }
    return ok();
  }

  /// Tries the best steps so far with the other layouts, and without zigzag.
  Status try_variants() {
    if (!best_) return ok();
    const Parameters best = *best_;
    std::vector<Parameters> variants;
    for (const Layout layout :
         {Layout::tuple_planes, Layout::planes, Layout::bit_planes, Layout::interleaved}) {
      variants.push_back(best);
      variants.back().layout = request_.layout.value_or(layout);
    }
    variants.push_back(best);
    variants.back().zigzag = request_.zigzag.value_or(false);
    for (const Parameters& steps : variants) {
      if (auto size = size_of(steps); !size) return size.error();
    }
    return ok();
  }

  /// Tries the best steps so far with the other byte order. If the caller set the word, the byte order is
  /// what the caller set: little-endian by default.
  Status try_byte_orders() {
    if (request_.word || request_.big_endian || !best_ || best_->word == 1) return ok();
    Parameters swapped = *best_;
    swapped.big_endian = !swapped.big_endian;
    if (differs_more(*best_, swapped, pieces_[pieces_.size() / 2])) return ok();
    std::uint64_t size = 0;
    auto done = best_order(swapped, size);
    return done ? ok() : Status(done.error());
  }

  /// A difference over rows alone is one over a tuple.
  static Parameters as_tuple(Parameters steps) {
    if (steps.order != 0 || steps.row == 0) return steps;
    steps.tuple = steps.row;
    steps.row = 0;
    steps.order = 1;
    return steps;
  }

  /// Differences of single bytes suit big-endian words better than those of little-endian words do.
  Status try_big_endian_words() {
    if (request_.word || request_.big_endian || !best_ || best_->word > 1) return ok();
    const Parameters bytes = as_tuple(*best_);
    for (const std::uint8_t word : std::array<std::uint8_t, 3>{2, 4, 8}) {
      if (bytes.order == 0 || bytes.tuple % word != 0 || bytes.row % word != 0) continue;
      Parameters words = bytes;
      words.word = word;
      words.tuple /= word;
      words.row /= word;
      words.big_endian = true;
      std::uint64_t size = 0;
      if (auto done = best_order(words, size); !done) return done.error();
    }
    return best_->word > 1 && best_->row == 0 ? try_rows() : ok();
  }

  // ---- rows ----

  /// Tries a second difference over rows with the best steps of a narrow tuple. (A wide tuple may itself be a
  /// row.)
  Status try_rows() {
    if (request_.order || request_.row || limits_.rows == 0 || !best_narrow_ || best_narrow_->order == 0)
      return ok();
    const Parameters narrow = *best_narrow_;
    auto rows = row_lengths(narrow);
    if (!rows) return rows.error();
    for (const std::uint32_t row : *rows) {
      Parameters steps = narrow;
      steps.row = row;
      if (steps.order > 1) --steps.order;  // the second difference does a part of the work
      std::uint64_t size = 0;
      if (auto done = best_order(steps, size); !done) return done.error();
      if (size < size_with_row_) best_row_ = std::size_t{row} * steps.word, size_with_row_ = size;
    }
    return ok();
  }

  /// Candidates for the row length: from the header, from wide shapes, and from the residuals.
  Result<std::vector<std::uint32_t>> row_lengths(Parameters steps) {
    std::vector<std::uint32_t> rows;
    const auto add = [&](std::uint32_t row) {
      if (row > steps.tuple && std::ranges::find(rows, row) == rows.end()) rows.push_back(row);
    };
    if (hint_) add(hint_->row_words);
    for (const Parameters& shape : kind_.shapes) {
      if (shape.word == steps.word && shape.tuple > kWidestUsualTuple) add(shape.tuple);
    }
    steps.layout = Layout::interleaved;
    steps.order = 1;
    auto residuals = words_after({.base = steps}, some_of(pieces_, kPieces), trial_);
    if (!residuals) return residuals.error();
    for (const std::uint32_t row : propose_rows(residuals->pieces, {steps.word, steps.tuple}, limits_.rows))
      add(row);
    return rows;
  }

  const Kind& kind_;
  const Pieces pieces_;
  const SearchOptions& request_;
  const std::optional<SniffedHint>& hint_;
  const SearchLimits& limits_;
  Trial& trial_;
  std::vector<Candidate> tried_;
  std::optional<Parameters> best_;
  std::uint64_t best_size_ = 0;
  std::optional<Parameters> best_narrow_;  // best steps without rows and with at most kWidestUsualTuple lanes
  std::uint64_t narrow_size_ = 0;
  std::size_t best_row_ = 0;  // in bytes
  std::uint64_t size_with_row_ = UINT64_MAX;
  std::uint64_t best_first_ = UINT64_MAX / 2;  // of the shapes, with their first order
  std::uint64_t best_shape_ = UINT64_MAX / 2;  // of the shapes, with planes
};

}  // namespace

Result<Climbed> climb(const Kind& kind, const SearchOptions& request, const std::optional<SniffedHint>& hint,
                      const SearchLimits& limits, Trial& trial, std::vector<Candidate> tried) {
  return Climb(kind, request, hint, limits, trial, std::move(tried)).run();
}

}  // namespace tdz
