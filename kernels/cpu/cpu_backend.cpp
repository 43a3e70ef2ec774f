// SPDX-License-Identifier: Apache-2.0
#include "kernels/cpu/cpu_backend.hpp"

#include <algorithm>
#include <utility>

#include "kernels/cpu/sweep.hpp"
#include "kernels/cpu/targets.hpp"

namespace tdz {
namespace cpu {
namespace {

class CpuBackend final : public Backend {
 public:
  std::string_view name() const override { return "cpu"; }
  std::string describe() const override { return std::string(current_target()); }

  Status forward(const TransformJob& job) override {
    cpu::forward(passes(job.transform->width, job.transform->steps), job.in, job.out, job.scratch);
    return ok();
  }

  Status inverse(const TransformJob& job) override {
    cpu::inverse(passes(job.transform->width, job.transform->steps), job.in, job.out, job.scratch);
    return ok();
  }
};

}  // namespace
}  // namespace cpu

Backend& cpu_backend() {
  static cpu::CpuBackend backend;
  return backend;
}

}  // namespace tdz
