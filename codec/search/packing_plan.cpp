// SPDX-License-Identifier: Apache-2.0
#include "codec/search/packing_plan.hpp"

#include <algorithm>
#include <array>
#include <numeric>
#include <optional>
#include <utility>

#include "codec/chunk/block_ends.hpp"
#include "codec/search/limits.hpp"

namespace tdz {
namespace {

/// A plane that shrinks to less than 1/12 is never noise: it is regular, and it may repeat at distances
/// longer than a sample.
constexpr std::uint64_t kNoiseShrinksLess = 12;

constexpr std::uint64_t kThorough = 1000;  // from this tolerance on, size counts most
constexpr std::uint64_t kNearlyNoise = 400;
/// 5 %: the size of a plane in one frame with the others may be so far from its size alone.
constexpr std::uint64_t kDoubt = 20;
constexpr std::uint64_t kWorthCuts = 200;       // 0.5 %: looking where bytes change takes time
constexpr std::uint64_t kCloseSearch = 40;      // 2.5 %: blocks of its own may save a searched frame so much
constexpr std::uint64_t kHopelessPacking = 50;  // 2 %: a slower plan hardly makes good for more
/// Side data shorter than this takes the packing of the plane before it: a run of planes so short would join
/// the run before it.
constexpr std::size_t kShortSubstream = 1024;
constexpr std::size_t kShortShare = 16;  // what is shorter than one part in 16 of all hardly counts

/// A plane in a frame of its own.
FramePiece frame_of(std::size_t plane, Packing packing) {
  return {plane, packing, std::vector<std::size_t>(1, plane)};
}

class Planner {
 public:
  Planner(const Recipe& recipe, const Joined& sample, const Pieces& pieces, std::uint64_t tolerance,
          Trial& trial)
      : sample_(sample),
        plain_(has_no_steps(recipe.plan)),
        plan_bytes_(trial.share_of_records(recipe.plan, pieces)),
        tolerance_(tolerance),
        trial_(trial) {}

  /// Tries plans from fast to slow. First with noise in frames of its own; then without, because a new frame
  /// cannot refer to repeats in the frame before; then with the full search for planes that are not noise;
  /// then what is best with blocks that end where the bytes change. Where size counts most, the full search
  /// has both chances.
  Result<PlannedPacking> run(const PackedBefore& before) {
    auto noise = run_quickly();
    if (!noise) return noise.error();
    const FramePlan quick = best_;
    const std::uint64_t quickly_packed = smallest_;
    const bool hopeless = clearly_smaller(before.quickest, quickly_packed, kHopelessPacking) ||
                          before.expected(quickly_packed) >= before.smallest;
    if (hopeless && tolerance_ < kThorough) return PlannedPacking{best_, smallest_, quickly_packed};
    // What looks like noise to zstd -1 may be full of short repeats, except behind steps, which leave none.
    const bool all = plain_ || is_nearly_noise(quick);
    const FramePlan searched = all ? one_packing(Packing::search) : with(quick, Packing::search);
    if (auto done = try_plan(searched); !done) return done.error();
    const bool close = !clearly_smaller(smallest_, tried_, kCloseSearch);
    if (tolerance_ >= kThorough) {
      if (auto done = try_thorough(*noise); !done) return done.error();
    }
    const FramePlan uncut = best_;
    if (auto done = try_cuts(uncut); !done) return done.error();
    if (close && searched != uncut && tolerance_ < kThorough) {
      if (auto done = try_cuts(searched); !done) return done.error();
    }
    return PlannedPacking{best_, smallest_, quickly_packed};
  }

  /// The faster plans. Returns the one with noise in frames of its own.
  Result<FramePlan> run_quickly() {
    auto noise = noise_apart(tolerance_);
    if (!noise) return noise.error();
    if (auto done = try_plan(*noise); !done) return done.error();
    if (auto done = try_plan(one_packing(Packing::quick)); !done) return done.error();
    return noise;
  }
  std::uint64_t smallest() const { return smallest_; }

 private:
  /// `plan` with another packing for what is no noise.
  static FramePlan with(FramePlan plan, Packing packing) {
    std::ranges::replace(plan.packing, Packing::quick, packing);
    return plan;
  }

  /// What is nearly noise may be better apart, too: a full search finds false repeats in it.
  Status try_thorough(const FramePlan& noise) {
    auto more_noise = noise_apart(kNearlyNoise);
    if (!more_noise) return more_noise.error();
    for (const FramePlan& plan : {with(noise, Packing::search), with(noise, Packing::moderate),
                                  with(*more_noise, Packing::search), with(*more_noise, Packing::moderate),
                                  one_packing(Packing::search), one_packing(Packing::moderate)}) {
      if (auto done = try_plan(plan); !done) return done;
    }
    return ok();
  }

  /// The plan with blocks that end where the bytes change. The highest levels of zstd cut blocks themselves.
  Status try_cuts(const FramePlan& whole) {
    FramePlan plan = whole;
    for (Packing& packing : plan.packing)
      if (packing != Packing::search || tolerance_ < kThorough) packing = with_cuts(packing);
    std::size_t begin = 0;
    for (std::size_t p = 0; p < std::min(sample_.planes.size(), FramePlan::kPlanes);
         begin += sample_.planes[p++])
      if (plan.packing[p] != whole.packing[p] && changes(begin, sample_.planes[p]))
        return try_plan(plan, std::min(tolerance_, kWorthCuts));
    return ok();
  }
  /// Some block of the plane would be shorter than zstd's.
  bool changes(std::size_t begin, std::size_t length) const {
    const auto plane = std::span<const std::byte>(sample_.bytes).subspan(begin, length);
    return block_lengths(plane, BlockContent::matches).size() > length / kLongestBlock + 1;
  }

  /// Nearly all is packed with codes alone.
  bool is_nearly_noise(const FramePlan& plan) const {
    std::size_t others = 0;
    for (std::size_t p = 0; p < sample_.planes.size(); ++p)
      if (plan.of(p) != Packing::entropy) others += sample_.planes[p];
    return others <= sample_.bytes.size() / kShortShare;
  }

  /// Takes the plan if it is smaller than the faster ones by more than the tolerance.
  Status try_plan(const FramePlan& plan) { return try_plan(plan, tolerance_); }
  Status try_plan(const FramePlan& plan, std::uint64_t parts) {
    std::uint64_t sum = plan_bytes_;
    std::size_t begin = 0;
    for (const FramePiece& frame :
         cut_frames(plan, sample_.planes, std::max<std::size_t>(sample_.bytes.size(), 1))) {
      auto size = size_of(begin, frame);
      if (!size) return size.error();
      sum += *size;
      begin += frame.bytes;
    }
    tried_ = sum;
    if (clearly_smaller(sum, smallest_, parts)) best_ = plan, smallest_ = sum;
    return ok();
  }

  Result<std::uint64_t> size_of(std::size_t begin, const FramePiece& frame) {
    const auto bytes = std::span<const std::byte>(sample_.bytes).subspan(begin, frame.bytes);
    auto sizes = trial_.packed_parts(bytes, frame.parts, frame.packing);
    if (!sizes) return sizes.error();
    return std::accumulate(sizes->begin(), sizes->end(), std::uint64_t{0});
  }

  Result<FramePlan> noise_apart(std::uint64_t tolerance) {
    if (auto done = pack_parts(); !done) return done.error();
    FramePlan plan = one_packing(Packing::quick);
    std::size_t begin = 0;
    for (std::size_t p = 0; p < std::min(sample_.planes.size(), FramePlan::kPlanes); ++p) {
      const std::size_t length = sample_.planes[p];
      auto noise = is_noise(begin, length, tolerance);
      if (!noise) return noise.error();
      const bool follows = p > 0 && length < kShortSubstream;
      if (follows ? plan.packing[p - 1] == Packing::entropy : *noise) plan.packing[p] = Packing::entropy;
      begin += length;
    }
    return plan;
  }

  /// All in one frame of quick packing: it shows about how long each part would be in a frame of its own.
  Status pack_parts() {
    if (!parts_.empty()) return ok();
    const auto parts = without_short_parts(sample_.planes);
    auto sizes = trial_.packed_parts(sample_.bytes, parts, Packing::quick);
    if (!sizes) return sizes.error();
    for (std::size_t i = 0, begin = 0; i < parts.size(); begin += parts[i++])
      parts_.push_back({begin, parts[i], (*sizes)[i]});
    return ok();
  }

  /// None, if the plane is no part of its own.
  std::optional<std::uint64_t> about(std::size_t begin, std::size_t length) const {
    const auto same = [&](const Part& part) { return part.begin == begin && part.bytes == length; };
    const auto found = std::ranges::find_if(parts_, same);
    return found == parts_.end() ? std::nullopt : std::optional(found->packed);
  }

  Result<bool> is_noise(std::size_t begin, std::size_t length, std::uint64_t tolerance) {
    if (length == 0) return false;
    const FramePiece frame = frame_of(length, Packing::quick);
    const auto in_parts = about(begin, length);
    if (in_parts && *in_parts + *in_parts / kDoubt <= length / kNoiseShrinksLess)
      return false;  // it is regular
    if (in_parts && *in_parts >= length) {
      auto quick = size_of(begin, frame);
      if (!quick) return quick.error();
      if (*quick >= length) return true;  // neither repeats nor a code make it smaller
    }
    auto entropy = trial_.packed_by_codes(std::span<const std::byte>(sample_.bytes).subspan(begin, length));
    if (!entropy) return entropy.error();
    if (*entropy <= length / kNoiseShrinksLess) return false;
    if (in_parts && clearly_smaller(*entropy, *in_parts, kDoubt)) return true;
    if (in_parts && clearly_smaller(*in_parts, *entropy, kDoubt)) return false;
    auto quick = size_of(begin, frame);
    if (!quick) return quick.error();
    return *entropy <= *quick + *quick / tolerance;
  }

  /// A part of the only frame, with its length in there.
  struct Part {
    std::size_t begin, bytes;
    std::uint64_t packed;
  };

  const Joined& sample_;
  bool plain_;
  std::uint64_t plan_bytes_;  // what the recipe's plan takes
  std::uint64_t tolerance_;
  Trial& trial_;
  std::vector<Part> parts_;
  FramePlan best_;
  std::uint64_t smallest_ = UINT64_MAX;
  std::uint64_t tried_ = 0;  // the size of the last plan that was tried
};

}  // namespace

Result<std::uint64_t> quickly_planned_size(const Recipe& recipe, const Pieces& pieces,
                                           std::uint64_t tolerance, Trial& trial) {
  auto sample = trial.joined(recipe.plan, pieces, recipe.hints);
  if (!sample) return sample.error();
  Planner planner(recipe, **sample, pieces, tolerance, trial);
  if (auto done = planner.run_quickly(); !done) return done.error();
  return planner.smallest();
}

Result<PlannedPacking> plan_packing(const Recipe& recipe, const Pieces& pieces, std::uint64_t tolerance,
                                    const PackedBefore& before, Trial& trial) {
  auto sample = trial.joined(recipe.plan, pieces, recipe.hints);
  if (!sample) return sample.error();
  return Planner(recipe, **sample, pieces, tolerance, trial).run(before);
}

}  // namespace tdz
