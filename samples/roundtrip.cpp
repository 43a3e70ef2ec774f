// SPDX-License-Identifier: Apache-2.0
// How to use the library: compresses a buffer of numbers, restores it, and compares.
#include <algorithm>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <span>
#include <tdz/tdz.hpp>
#include <vector>

namespace {

/// One second of sound in two channels: a tone that gets louder on the left, its octave on the right.
std::vector<std::int16_t> stereo() {
  constexpr int rate = 48000;
  std::vector<std::int16_t> samples;
  for (int i = 0; i < rate; ++i) {
    const double seconds = double(i) / rate;
    samples.push_back(std::int16_t(30000 * seconds * std::sin(440 * 6.2831853 * seconds)));
    samples.push_back(std::int16_t(15000 * std::sin(880 * 6.2831853 * seconds)));
  }
  return samples;
}

int failed(const tdz::Error& error) {
  std::fprintf(stderr, "tdz: %s\n", error.message.c_str());
  return 1;
}

}  // namespace

int main() {
  const std::vector<std::int16_t> samples = stereo();
  const auto original = std::as_bytes(std::span(samples));

  const auto plan = tdz::plan_for("i16x2", 2);
  if (!plan) return failed(plan.error());
  const auto packed = tdz::compress(original, {.plan = *plan, .type = "i16x2"});
  if (!packed) return failed(packed.error());
  const auto restored = tdz::decompress(*packed);
  if (!restored) return failed(restored.error());

  std::printf("%zu bytes, packed %zu, restored %zu\n", original.size(), packed->size(), restored->size());
  return std::ranges::equal(*restored, original) ? 0 : 1;
}
