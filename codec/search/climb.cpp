// SPDX-License-Identifier: Apache-2.0
#include "codec/search/climb.hpp"

#include <algorithm>

#include "codec/search/proposals.hpp"

namespace tdz {

using namespace formats;

namespace {

// Where a shape or a layout is this much larger than the best so far, its variants are not tried: one part of
// it.
constexpr std::uint64_t kHopeless = 10;
// Enough to rank, and long enough for rows.
constexpr std::size_t kPieces = 4;
constexpr std::size_t kPieceBytes = std::size_t{64} << 10;

/// Spread over all; not the first, which may hold a header, where there are others.
Pieces some_of(const Pieces& pieces) {
  const std::size_t count = std::min(kPieces, pieces.size());
  Pieces some;
  for (std::size_t i = 0; i < count; ++i) some.push_back(pieces[(2 * i + 1) * pieces.size() / (2 * count)]);
  return first_of(some, pieces.size() > 1 ? kPieceBytes : kPieces * kPieceBytes);
}

class Climb {
 public:
  Climb(const Kind& kind, const SearchOptions& said, const std::optional<SniffedHint>& hint,
        const Reach& reach, Trial& trial)
      : kind_(kind), pieces_(some_of(kind.pieces)), said_(said), hint_(hint), reach_(reach), trial_(trial) {}

  Result<Climbed> run() {
    if (auto done = try_plain(); !done) return done.error();
    for (const Parameters& shape : kind_.shapes) {
      if (auto done = try_shape(shape); !done) return done.error();
    }
    if (auto done = try_rows(); !done) return done.error();
    if (auto done = try_variants(); !done) return done.error();
    if (auto done = try_byte_orders(); !done) return done.error();
    return Climbed{std::move(tried_), pieces_};
  }

 private:
  /// The size on all pieces; a transform is tried once.
  Result<std::uint64_t> size_of(const Transform& transform) {
    const auto known = std::ranges::find(tried_, transform, &Candidate::transform);
    if (known != tried_.end()) return known->packed_bytes;
    auto size = trial_.packed_together(transform, pieces_);
    if (size) tried_.push_back({transform, *size});
    return size;
  }
  Result<std::uint64_t> size_of(const Parameters& steps) {
    auto size = size_of(transform_of(steps));
    if (!size) return size;
    if (!best_ || *size < best_size_) best_ = steps, best_size_ = *size;
    const bool narrow = steps.row == 0 && steps.tuple <= kWidestUsualTuple;
    if (narrow && (!best_narrow_ || *size < narrow_size_)) best_narrow_ = steps, narrow_size_ = *size;
    return size;
  }
  bool hopeless(std::uint64_t size) const { return clearly_smaller(best_size_, size, kHopeless); }

  Status try_plain() {
    const Transform plain = transform_of(fixed(said_, {}));
    if (!plain.steps().empty()) return ok();
    auto size = size_of(plain);
    return size ? ok() : Status(size.error());
  }

  /// The best order for these steps: upwards as long as it helps, then downwards. `size` becomes its size.
  Result<Parameters> best_order(Parameters steps, std::uint64_t& size) {
    auto first = size_of(steps);
    if (!first) return first.error();
    size = *first;
    if (said_.order || hopeless(size)) return steps;
    for (const int direction : {+1, -1}) {
      for (;;) {
        Parameters next = steps;
        next.order = static_cast<std::uint8_t>(steps.order + direction);
        if (next.order > reach_.highest_order) break;  // below 0 wraps to 255
        auto other = size_of(next);
        if (!other) return other.error();
        if (*other >= size) break;
        size = *other;
        steps = next;
      }
    }
    return steps;
  }

  /// The best order of the shape with planes, then with bit planes.
  Status try_shape(const Parameters& shape) {
    Parameters with_row = shape;
    with_row.row = said_.row.value_or(0);
    std::uint64_t size = 0;
    auto planes = best_order(with_row, size);
    if (!planes) return planes.error();
    if (said_.layout || hopeless(size)) return ok();
    Parameters bits = *planes;
    bits.layout = Layout::bit_planes;
    bits.order = said_.order.value_or(std::max<std::uint8_t>(bits.order, 1));
    auto done = best_order(bits, size);
    return done ? ok() : Status(done.error());
  }

  /// The other layouts and residuals without zigzag, for the best steps so far.
  Status try_variants() {
    if (!best_) return ok();
    const Parameters best = *best_;
    std::vector<Parameters> variants;
    for (const Layout layout :
         {Layout::tuple_planes, Layout::planes, Layout::bit_planes, Layout::interleaved}) {
      variants.push_back(best);
      variants.back().layout = said_.layout.value_or(layout);
    }
    variants.push_back(best);
    variants.back().zigzag = said_.zigzag.value_or(false);
    for (const Parameters& steps : variants) {
      if (auto size = size_of(steps); !size) return size.error();
    }
    return ok();
  }

  /// The other byte order, for the best steps so far; a word that was said is little-endian unless that was
  /// said too.
  Status try_byte_orders() {
    if (said_.word || said_.big_endian || !best_ || best_->word == 1) return ok();
    Parameters swapped = *best_;
    swapped.big_endian = !swapped.big_endian;
    std::uint64_t size = 0;
    auto done = best_order(swapped, size);
    return done ? ok() : Status(done.error());
  }

  // ---- rows ----

  /// A second difference along rows, for the best steps of a narrow tuple: a wide one may be a row itself.
  Status try_rows() {
    if (said_.order || said_.row || reach_.rows == 0 || !best_narrow_ || best_narrow_->order == 0)
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
    }
    return ok();
  }

  /// From the header, from shapes that are wide, and from what residuals say.
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
    auto residuals = trial_.transformed(transform_of(steps), pieces_[pieces_.size() / 2]);
    if (!residuals) return residuals.error();
    for (const std::uint32_t row : propose_rows(*residuals, {steps.word, steps.tuple}, reach_.rows)) add(row);
    return rows;
  }

  const Kind& kind_;
  const Pieces pieces_;
  const SearchOptions& said_;
  const std::optional<SniffedHint>& hint_;
  const Reach& reach_;
  Trial& trial_;
  std::vector<Candidate> tried_;
  std::optional<Parameters> best_;
  std::uint64_t best_size_ = 0;
  std::optional<Parameters> best_narrow_;  // of those without rows and with a usual tuple
  std::uint64_t narrow_size_ = 0;
};

}  // namespace

Result<Climbed> climb(const Kind& kind, const SearchOptions& said, const std::optional<SniffedHint>& hint,
                      const Reach& reach, Trial& trial) {
  return Climb(kind, said, hint, reach, trial).run();
}

}  // namespace tdz
