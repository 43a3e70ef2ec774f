// SPDX-License-Identifier: Apache-2.0
#include "kernels/cpu/cpu_backend.hpp"

#include "kernels/cpu/sweep.hpp"
#include "kernels/cpu/targets.hpp"

namespace tdz {
namespace cpu {
namespace {

const std::uint8_t* bytes_of(std::span<const std::byte> span) {
  return reinterpret_cast<const std::uint8_t*>(span.data());
}
std::uint8_t* bytes_of(std::span<std::byte> span) {
  return reinterpret_cast<std::uint8_t*>(span.data());
}

/// Where pass k of `count` writes. The last pass writes to the output; before that, output and scratch
/// alternate.
std::uint8_t* target_of(const TransformJob& job, std::size_t k, std::size_t count) {
  return (count - k) % 2 == 1 ? bytes_of(job.out) : bytes_of(job.scratch);
}

}  // namespace

void forward(const TransformJob& job, const PassList& list) {
  const std::uint8_t* from = bytes_of(job.in);
  for (std::size_t k = 0; k < list.count; ++k) {
    std::uint8_t* to = target_of(job, k, list.count);
    forward(list.storage[k], from, to, job.in.size());
    from = to;
  }
}

void inverse(const TransformJob& job, const PassList& list) {
  const std::uint8_t* from = bytes_of(job.in);
  for (std::size_t k = 0; k < list.count; ++k) {
    std::uint8_t* to = target_of(job, k, list.count);
    inverse(list.storage[list.count - 1 - k], from, to, job.in.size());
    from = to;
  }
}

namespace {

class CpuBackend final : public Backend {
 public:
  std::string_view name() const override { return "cpu"; }
  std::string describe() const override { return std::string(current_target()); }

  Status forward(const TransformJob& job) override {
    cpu::forward(job, passes(*job.transform));
    return ok();
  }

  Status inverse(const TransformJob& job) override {
    cpu::inverse(job, passes(*job.transform));
    return ok();
  }
};

}  // namespace
}  // namespace cpu

std::size_t scratch_bytes(const Transform& transform, std::size_t chunk_bytes) {
  return passes(transform).count > 1 ? chunk_bytes : 0;
}

Backend& cpu_backend() {
  static cpu::CpuBackend backend;
  return backend;
}

}  // namespace tdz
