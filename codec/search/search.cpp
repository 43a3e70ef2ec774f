// SPDX-License-Identifier: Apache-2.0
#include "codec/search/search.hpp"

#include <algorithm>
#include <numeric>

#include "codec/search/proposals.hpp"
#include "formats/type_name.hpp"

namespace tdz {

using namespace formats;

namespace {

constexpr std::size_t kSampleBytes = std::size_t{64} << 10;
constexpr std::size_t kSamples = 8;
constexpr std::size_t kShapeSamples = 2;  // shapes differ so much that two pieces rank them
constexpr std::size_t kShapeSampleBytes = std::size_t{32} << 10;
constexpr std::size_t kPlanSampleBytes = std::size_t{256} << 10;  // long enough for repeats from row to row
constexpr std::size_t kPlanSamples = 4;
constexpr std::uint32_t kWidestUsualTuple = 8;
constexpr std::size_t kLongestRecord = 1024;  // bytes, looked for in the data

/// How far each effort goes.
struct Reach {
  std::size_t shapes;  ///< kept for the second stage
  unsigned highest_order;
  std::size_t rows;  ///< row lengths tried beside a hinted one
  int trial_level;
  std::size_t recipes;  ///< for chunks to choose from
};
constexpr Reach reach_of(Effort effort) {
  switch (effort) {
    case Effort::fast:
      return {2, 2, 0, 1, 2};
    case Effort::normal:
      return {3, 4, 2, 1, 3};
    case Effort::best:
      return {5, kMaxOrder, 3, 3, 4};
  }
  return {};
}

constexpr std::uint64_t kClearly = 33;  // one part of it: 3 %, by which a chunk's own choice must be smaller

/// x is smaller than y by at least one part in `parts`.
constexpr bool clearly_smaller(std::uint64_t x, std::uint64_t y, std::uint64_t parts) {
  return x + x / parts < y;
}

class Search {
 public:
  Search(RandomAccess& input, std::uint64_t raw_prefix, const SearchOptions& request,
         const std::optional<Hint>& hint, int level, Backend& backend)
      : input_(input),
        raw_prefix_(raw_prefix),
        request_(request),
        hint_(hint),
        reach_(reach_of(request.effort)),
        trial_(backend, reach_.trial_level),
        planner_(backend, level) {}

  Result<Found> run() {
    if (auto done = take(); !done) return done.error();
    if (auto done = try_all(); !done) return done.error();
    Found found;
    found.sampled_bytes = samples_.bytes();
    auto chosen = winners();
    if (!chosen) return chosen.error();
    for (const Transform& transform : *chosen) found.recipes.push_back({transform, {}});
    if (auto done = plan_all(found.recipes); !done) return done.error();
    found.tried = std::move(tried_);
    return found;
  }

 private:
  Status take() {
    auto small = take_samples(input_, raw_prefix_, kShapeSamples, kShapeSampleBytes);
    if (!small) return small.error();
    auto all = take_samples(input_, raw_prefix_, kSamples, kSampleBytes);
    if (!all) return all.error();
    shape_samples_ = std::move(*small);
    samples_ = std::move(*all);
    return ok();
  }

  Status try_all() {
    if (may_be({})) {
      if (auto size = size_of(Transform{}); !size) return size.error();
    }
    auto shapes = best_shapes();
    if (!shapes) return shapes.error();
    for (const UsualSteps& shape : *shapes) {
      if (auto done = climb(shape); !done) return done;
    }
    return try_rows();
  }

  // ---- stage one: shapes ----

  /// The request's part that is fixed, over what a candidate proposes.
  UsualSteps fixed(UsualSteps steps) const {
    steps.word = request_.word.value_or(steps.word);
    steps.tuple = request_.tuple.value_or(steps.tuple);
    steps.order = request_.order.value_or(steps.order);
    steps.zigzag = request_.zigzag.value_or(steps.zigzag);
    steps.layout = request_.layout.value_or(steps.layout);
    steps.big_endian = request_.big_endian || steps.big_endian;
    return steps;
  }
  bool may_be(const UsualSteps& steps) const {
    return usual_transform(fixed(steps)) == usual_transform(steps);
  }

  static UsualSteps usual(Shape shape, std::uint8_t order) {
    return {shape.word, shape.tuple, order, true, Layout::tuple_planes, false};
  }

  void propose(std::vector<UsualSteps>& shapes, UsualSteps steps) const {
    steps = fixed(steps);
    const auto same = [&](const UsualSteps& s) { return usual_transform(s) == usual_transform(steps); };
    if (std::ranges::none_of(shapes, same)) shapes.push_back(steps);
  }

  std::vector<UsualSteps> proposed_shapes() const {
    std::vector<UsualSteps> shapes;
    if (hint_) {
      auto steps = usual({hint_->type.word, hint_->type.tuple}, 1);
      steps.big_endian = hint_->big_endian;
      propose(shapes, steps);
    }
    for (const std::uint8_t word : {std::uint8_t{1}, std::uint8_t{2}, std::uint8_t{4}, std::uint8_t{8}}) {
      for (std::uint32_t tuple = 1; tuple <= kWidestUsualTuple; ++tuple)
        propose(shapes, usual({word, tuple}, 1));
    }
    if (shape_samples_.pieces.empty()) return shapes;
    for (const std::size_t record : propose_record_lengths(shape_samples_.pieces.back(), kLongestRecord, 4)) {
      for (const std::uint8_t word : {std::uint8_t{1}, std::uint8_t{2}, std::uint8_t{4}, std::uint8_t{8}}) {
        if (record % word == 0) propose(shapes, usual({word, static_cast<std::uint32_t>(record / word)}, 1));
      }
    }
    return shapes;
  }

  Result<std::vector<UsualSteps>> best_shapes() {
    struct Ranked {
      UsualSteps steps;
      std::uint64_t size;
    };
    std::vector<Ranked> ranked;
    for (const UsualSteps& steps : proposed_shapes()) {
      auto size = trial_.packed_together(usual_transform(steps), shape_samples_);
      if (!size) return size.error();
      ranked.push_back({steps, *size});
    }
    std::ranges::stable_sort(ranked, {}, &Ranked::size);
    std::vector<UsualSteps> best;
    for (const Ranked& r : ranked) {
      if (best.size() < reach_.shapes) best.push_back(r.steps);
    }
    return best;
  }

  // ---- stage two: order, layout, rows ----

  /// The size on all samples; a transform is tried once.
  Result<std::uint64_t> size_of(const Transform& transform) {
    const auto known = std::ranges::find(tried_, transform, &Candidate::transform);
    if (known != tried_.end()) return known->packed_bytes;
    auto size = trial_.packed_together(transform, samples_);
    if (size) tried_.push_back({transform, *size});
    return size;
  }

  Result<std::uint64_t> size_of(const UsualSteps& steps) {
    auto size = size_of(usual_transform(steps));
    if (size && (!best_steps_ || *size < best_size_)) best_steps_ = steps, best_size_ = *size;
    return size;
  }

  /// The best order for these steps: upwards as long as it helps, then downwards.
  Result<UsualSteps> best_order(UsualSteps steps) {
    auto best = size_of(steps);
    if (!best) return best.error();
    if (request_.order) return steps;
    for (const int direction : {+1, -1}) {
      for (;;) {
        UsualSteps next = steps;
        next.order = static_cast<std::uint8_t>(steps.order + direction);
        if (next.order > reach_.highest_order) break;  // below 0 wraps to 255
        auto size = size_of(next);
        if (!size) return size.error();
        if (*size >= *best) break;
        best = size;
        steps = next;
      }
    }
    return steps;
  }

  Status climb(const UsualSteps& shape) {
    auto planes = best_order(shape);
    if (!planes) return planes.error();
    if (!request_.layout) {
      UsualSteps bits = *planes;
      bits.layout = Layout::bit_planes;
      bits.order = request_.order.value_or(std::max<std::uint8_t>(bits.order, 1));
      if (auto done = best_order(bits); !done) return done.error();
    }
    if (!request_.zigzag) {
      UsualSteps plain = *planes;
      plain.zigzag = false;
      if (auto size = size_of(plain); !size) return size.error();
    }
    if (!request_.big_endian && shape.word > 1) {
      UsualSteps swapped = *planes;
      swapped.big_endian = !swapped.big_endian;
      if (auto size = size_of(swapped); !size) return size.error();
    }
    return ok();
  }

  /// A second difference along rows, for the best steps so far.
  Status try_rows() {
    if (request_.order || reach_.rows == 0 || !best_steps_ || best_steps_->order == 0) return ok();
    auto rows = row_lengths(*best_steps_);
    if (!rows) return rows.error();
    for (const std::uint32_t row : *rows) {
      if (auto done = climb_row(row); !done) return done;
    }
    return ok();
  }

  /// Along the row first, then with other orders along the tuple as long as they help.
  Status climb_row(std::uint32_t row) {
    UsualSteps steps = *best_steps_;
    steps.order = 1;
    auto best = size_of(with_row(steps, row));
    while (best && steps.order < reach_.highest_order) {
      ++steps.order;
      auto size = size_of(with_row(steps, row));
      if (!size) return size.error();
      if (*size >= *best) break;
      best = size;
    }
    return best ? ok() : Status(best.error());
  }

  Result<std::vector<std::uint32_t>> row_lengths(UsualSteps steps) {
    std::vector<std::uint32_t> rows;
    if (samples_.pieces.empty()) return rows;
    if (hint_ && hint_->row_words > steps.tuple) rows.push_back(hint_->row_words);
    steps.layout = Layout::interleaved;
    steps.order = 1;
    auto residuals = trial_.transformed(usual_transform(steps), samples_.pieces[samples_.pieces.size() / 2]);
    if (!residuals) return residuals.error();
    for (const std::uint32_t row : propose_rows(*residuals, {steps.word, steps.tuple}, reach_.rows))
      rows.push_back(row);
    return rows;
  }

  /// The usual list with a second difference, along rows, behind the first.
  static Transform with_row(const UsualSteps& steps, std::uint32_t row) {
    Transform with{.word = steps.word};
    const Transform usual = usual_transform(steps);
    for (const Step& step : usual.steps()) {
      with.append(step);
      if (step.id == StepId::difference) with.append(Step::difference(row, 1));
    }
    return with;
  }

  // ---- the outcome ----

  /// The best candidate, then those that serve some pieces clearly better. Only the best few are asked piece
  /// by piece.
  Result<std::vector<Transform>> winners() {
    const std::vector<Candidate> ranked = finalists();
    std::vector<Transform> chosen{ranked.front().transform};
    if (reach_.recipes == 1 || samples_.pieces.size() <= 1) return chosen;
    std::vector<std::vector<std::uint64_t>> sizes;
    for (const Candidate& candidate : ranked) {
      sizes.emplace_back();
      for (const auto piece : samples_.pieces) {
        auto size = trial_.packed_alone(candidate.transform, piece);
        if (!size) return size.error();
        sizes.back().push_back(*size);
      }
    }
    for (const std::size_t i : worth_having(sizes)) chosen.push_back(ranked[i].transform);
    return chosen;
  }

  /// The best few, and plain bytes, which serve text between numbers. Plain bytes come first unless steps are
  /// clearly smaller: they cost no time, and repeats that samples do not show favour them.
  std::vector<Candidate> finalists() const {
    constexpr std::size_t kFinalists = 6;
    constexpr std::uint64_t kWorthSteps = 50;  // one part of it: 2 %
    std::vector<Candidate> ranked = tried_;
    std::ranges::stable_sort(ranked, {}, &Candidate::packed_bytes);
    const auto plain = std::ranges::find(ranked, Transform{}, &Candidate::transform);
    if (plain != ranked.end()) {
      const Candidate without_steps = *plain;
      const bool first = !clearly_smaller(ranked.front().packed_bytes, plain->packed_bytes, kWorthSteps);
      ranked.erase(plain);
      ranked.insert(ranked.begin() + (first ? 0 : 1), without_steps);
    }
    ranked.resize(std::min(kFinalists, ranked.size()));
    return ranked;
  }

  /// Which rows of `sizes` (one a candidate, the first is taken already) make the sum of the smallest clearly
  /// smaller.
  std::vector<std::size_t> worth_having(const std::vector<std::vector<std::uint64_t>>& sizes) const {
    constexpr std::uint64_t kWorthAnother =
        50;  // one part of it: 2 %, what choosing chunk by chunk costs in time
    std::vector<std::size_t> chosen;
    std::vector<std::uint64_t> best = sizes.front();
    while (chosen.size() + 1 < reach_.recipes) {
      const auto with = [&](const auto& row) { return total(smaller_of(best, row)); };
      const auto next = std::ranges::min_element(sizes, {}, with);
      if (!clearly_smaller(with(*next), total(best), kWorthAnother)) break;
      best = smaller_of(best, *next);
      chosen.push_back(static_cast<std::size_t>(next - sizes.begin()));
    }
    return chosen;
  }

  static std::uint64_t total(const std::vector<std::uint64_t>& sizes) {
    return std::accumulate(sizes.begin(), sizes.end(), std::uint64_t{0});
  }

  /// Piece by piece the smaller; another recipe must be clearly smaller before a chunk takes it.
  static std::vector<std::uint64_t> smaller_of(std::vector<std::uint64_t> sizes,
                                               const std::vector<std::uint64_t>& other) {
    for (std::size_t i = 0; i < sizes.size(); ++i) {
      if (clearly_smaller(other[i], sizes[i], kClearly)) sizes[i] = other[i];
    }
    return sizes;
  }

  /// For every plane the cheapest packing that costs (nearly) nothing, judged on pieces that take the recipe.
  Status plan_all(std::vector<Recipe>& recipes) {
    auto samples = take_samples(input_, raw_prefix_, kPlanSamples, kPlanSampleBytes);
    if (!samples) return samples.error();
    std::vector<std::vector<PlaneSizes>> planes(recipes.size());
    for (const auto piece : samples->pieces) {
      auto taken = choose_recipe(piece, recipes, trial_);
      if (!taken) return taken.error();
      auto done = add_plane_sizes(recipes[*taken].transform, piece, planes[*taken]);
      if (!done) return done;
    }
    for (std::size_t i = 0; i < recipes.size(); ++i) {
      for (std::size_t p = 0; p < std::min(planes[i].size(), FramePlan::kPlanes); ++p) {
        recipes[i].plan.packing[p] = packing_of(planes[i][p]);
      }
    }
    return ok();
  }

  struct PlaneSizes {
    std::uint64_t search = 0, quick = 0, entropy = 0;
  };

  static Packing packing_of(const PlaneSizes& sizes) {
    const std::uint64_t bound = std::min(sizes.search, sizes.quick);
    const std::uint64_t tolerated =
        bound + bound / 400;  // a quarter of a percent for several times the speed
    if (sizes.entropy <= tolerated) return Packing::entropy;
    return sizes.quick <= tolerated ? Packing::quick : Packing::search;
  }

  Status add_plane_sizes(const Transform& transform, std::span<const std::byte> piece,
                         std::vector<PlaneSizes>& planes) {
    auto bytes = planner_.transformed(transform, piece);
    if (!bytes) return bytes.error();
    const auto lengths = plane_lengths(transform, piece.size());
    planes.resize(std::max(planes.size(), lengths.size()));
    auto rest = *bytes;
    for (std::size_t p = 0; p < lengths.size(); ++p) {
      const auto plane = rest.first(lengths[p]);
      rest = rest.subspan(lengths[p]);
      const auto add = [&](Packing packing, std::uint64_t& sum) -> Status {
        auto size = planner_.packed_bytes(plane, packing);
        if (!size) return size.error();
        sum += *size;
        return ok();
      };
      if (auto done = add(Packing::search, planes[p].search); !done) return done;
      if (auto done = add(Packing::quick, planes[p].quick); !done) return done;
      if (auto done = add(Packing::entropy, planes[p].entropy); !done) return done;
    }
    return ok();
  }

  RandomAccess& input_;
  std::uint64_t raw_prefix_;
  const SearchOptions& request_;
  const std::optional<Hint>& hint_;
  Reach reach_;
  Trial trial_;
  Trial planner_;
  Samples shape_samples_;
  Samples samples_;
  std::vector<Candidate> tried_;
  std::optional<UsualSteps> best_steps_;
  std::uint64_t best_size_ = 0;
};

}  // namespace

Result<Found> search(RandomAccess& input, std::uint64_t raw_prefix, const SearchOptions& request,
                     const std::optional<Hint>& hint, int level, Backend& backend) {
  return Search(input, raw_prefix, request, hint, level, backend).run();
}

Result<std::size_t> choose_recipe(std::span<const std::byte> chunk, const std::vector<Recipe>& recipes,
                                  Trial& trial) {
  if (recipes.size() == 1) return std::size_t{0};
  const std::size_t length = std::min(chunk.size(), kSampleBytes);
  const auto piece = chunk.subspan((chunk.size() - length) / 2 / 8 * 8, length);
  std::size_t best = 0;
  std::uint64_t smallest = 0;
  for (std::size_t i = 0; i < recipes.size(); ++i) {
    auto size = trial.packed_alone(recipes[i].transform, piece);
    if (!size) return size.error();
    if (i == 0 || clearly_smaller(*size, smallest, kClearly)) best = i, smallest = *size;
  }
  return best;
}

}  // namespace tdz
