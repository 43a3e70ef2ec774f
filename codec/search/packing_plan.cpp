// SPDX-License-Identifier: Apache-2.0
#include "codec/search/packing_plan.hpp"

#include <algorithm>
#include <array>

namespace tdz {
namespace {

/// A plane that shrinks further than to one part of this is never noise: what is regular in it may be regular
/// over lengths that samples do not show.
constexpr std::uint64_t kFar = 12;

class Planner {
 public:
  Planner(const Joined& sample, std::uint64_t tolerance, Trial& trial)
      : sample_(sample), tolerance_(tolerance), trial_(trial) {}

  /// From fast to slow: noise apart or not, because a new frame forgets what a plane may repeat; then the
  /// full search for the rest.
  Result<FramePlan> run() {
    auto noise = noise_apart();
    if (!noise) return noise.error();
    if (auto done = try_plan(*noise); !done) return done.error();
    if (auto done = try_plan(uniform_plan(Packing::quick)); !done) return done.error();
    FramePlan searched = best_;
    std::ranges::replace(searched.packing, Packing::quick, Packing::search);
    if (auto done = try_plan(searched); !done) return done.error();
    return best_;
  }

 private:
  std::uint64_t with_tolerance(std::uint64_t size) const { return size + size / tolerance_; }

  /// A slower plan has to be smaller by more than the tolerance.
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
    return *entropy <= with_tolerance(*quick) && *entropy > length / kFar;
  }

  const Joined& sample_;
  std::uint64_t tolerance_;
  Trial& trial_;
  FramePlan best_;
  std::uint64_t smallest_ = UINT64_MAX;
};

}  // namespace

Result<FramePlan> plan_packing(const Transform& transform, const Pieces& pieces, std::uint64_t tolerance,
                               Trial& trial) {
  auto sample = trial.joined(transform, pieces);
  if (!sample) return sample.error();
  return Planner(**sample, tolerance, trial).run();
}

}  // namespace tdz
