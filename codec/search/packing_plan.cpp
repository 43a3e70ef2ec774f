// SPDX-License-Identifier: Apache-2.0
#include "codec/search/packing_plan.hpp"

#include <algorithm>
#include <array>

namespace tdz {
namespace {

/// A plane that shrinks to less than 1/12 is never noise: it is regular, and it may repeat at distances
/// longer than a sample.
constexpr std::uint64_t kNoiseShrinksLess = 12;

constexpr std::uint64_t kThorough = 1000;

class Planner {
 public:
  Planner(const Joined& sample, std::uint64_t tolerance, Trial& trial)
      : sample_(sample), tolerance_(tolerance), trial_(trial) {}

  /// Tries plans from fast to slow. First with noise in frames of its own; then without, because a new frame
  /// cannot refer to repeats in the frame before; then with the full search for planes that are not noise. Where size
  /// counts most, the full search has both chances.
  Result<PlannedPacking> run() {
    auto noise = noise_apart();
    if (!noise) return noise.error();
    if (auto done = try_plan(*noise); !done) return done.error();
    if (auto done = try_plan(uniform_plan(Packing::quick)); !done) return done.error();
    const FramePlan quick = best_;
    if (auto done = try_plan(searched(quick)); !done) return done.error();
    if (tolerance_ >= kThorough && quick != *noise) {
      if (auto done = try_plan(searched(*noise)); !done) return done.error();
    }
    return PlannedPacking{best_, smallest_};
  }

 private:
  static FramePlan searched(FramePlan plan) {
    std::ranges::replace(plan.packing, Packing::quick, Packing::search);
    return plan;
  }

  std::uint64_t with_tolerance(std::uint64_t size) const { return size + size / tolerance_; }

  /// Takes the plan if it is smaller than the faster ones by more than the tolerance.
  Status try_plan(const FramePlan& plan) {
    auto size = trial_.packed(plan, sample_.bytes, sample_.planes);
    if (!size) return size.error();
    if (with_tolerance(*size) < smallest_) best_ = plan, smallest_ = *size;
    return ok();
  }

  Result<FramePlan> noise_apart() {
    FramePlan plan = uniform_plan(Packing::quick);
    std::span<const std::byte> rest = sample_.bytes;
    for (std::size_t p = 0; p < std::min(sample_.planes.size(), FramePlan::kPlanes); ++p) {
      auto noise = is_noise(rest.first(sample_.planes[p]));
      if (!noise) return noise.error();
      if (*noise) plan.packing[p] = Packing::entropy;
      rest = rest.subspan(sample_.planes[p]);
    }
    return plan;
  }

  Result<bool> is_noise(std::span<const std::byte> plane) {
    if (plane.empty()) return false;
    const std::size_t length = plane.size();
    auto quick = trial_.packed(uniform_plan(Packing::quick), plane, {&length, 1});
    if (!quick) return quick.error();
    auto entropy = trial_.packed(uniform_plan(Packing::entropy), plane, {&length, 1});
    if (!entropy) return entropy.error();
    return *entropy <= with_tolerance(*quick) && *entropy > length / kNoiseShrinksLess;
  }

  const Joined& sample_;
  std::uint64_t tolerance_;
  Trial& trial_;
  FramePlan best_;
  std::uint64_t smallest_ = UINT64_MAX;
};

}  // namespace

Result<PlannedPacking> plan_packing(const Recipe& recipe, const Pieces& pieces, std::uint64_t tolerance,
                               Trial& trial) {
  auto sample = trial.joined(recipe.plan, pieces, recipe.hints);
  if (!sample) return sample.error();
  return Planner(**sample, tolerance, trial).run();
}

}  // namespace tdz
