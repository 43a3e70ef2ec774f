// SPDX-License-Identifier: Apache-2.0
#include "kernels/cpu/sweep.hpp"

#include <algorithm>
#include <utility>

#include "kernels/cpu/targets.hpp"

namespace tdz::cpu {
namespace {

const std::uint8_t* bytes_of(std::span<const std::byte> span) {
  return reinterpret_cast<const std::uint8_t*>(span.data());
}
std::uint8_t* bytes_of(std::span<std::byte> span) {
  return reinterpret_cast<std::uint8_t*>(span.data());
}

bool has_layout(const Pass& pass) {
  return pass.layout != Layout::interleaved;
}

/// How often the inverse goes from one buffer to the other, after its first pass, which is the last one here.
std::size_t moves_of_inverse(const PassList& list) {
  return static_cast<std::size_t>(std::ranges::count_if(list.all().first(list.count - 1), has_layout));
}

/// Where pass k of `count` writes. The last pass writes to the output; before that, output and scratch
/// alternate.
std::uint8_t* target_of(const StepListJob& job, std::size_t k, std::size_t count) {
  return (count - k) % 2 == 1 ? bytes_of(job.out) : bytes_of(job.scratch);
}

}  // namespace

void forward(const StepListJob& job, const PassList& list) {
  const std::uint8_t* from = bytes_of(job.in);
  for (std::size_t k = 0; k < list.count; ++k) {
    std::uint8_t* to = target_of(job, k, list.count);
    forward(list.storage[k], from, to, job.in.size());
    from = to;
  }
}

/// A pass without a layout runs in place, where the pass before it wrote. The first pass that runs may write
/// to either buffer.
void inverse(const StepListJob& job, const PassList& list) {
  const std::uint8_t* from = bytes_of(job.in);
  std::uint8_t *to = bytes_of(job.out), *other = bytes_of(job.scratch);
  if (moves_of_inverse(list) % 2 == 1) std::swap(to, other);
  for (std::size_t k = list.count; k-- > 0; from = to) {
    if (k + 1 < list.count && has_layout(list.storage[k])) std::swap(to, other);
    inverse(list.storage[k], from, to, job.in.size());
  }
}

void forward(const StepListJob& job) {
  forward(job, passes(job.word, job.steps));
}

void inverse(const StepListJob& job) {
  inverse(job, passes(job.word, job.steps));
}

std::size_t scratch_bytes(const PassList& list, std::size_t chunk_bytes) {
  return list.count > 1 ? chunk_bytes : 0;
}

std::size_t inverse_scratch_bytes(const PassList& list, std::size_t chunk_bytes) {
  return moves_of_inverse(list) > 0 ? chunk_bytes : 0;
}

bool inverts_in_place(const PassList& list) {
  return std::ranges::none_of(list.all(), has_layout);
}

BackendInfo backend_info() {
  return {"cpu", true, std::string(current_target())};
}

}  // namespace tdz::cpu
