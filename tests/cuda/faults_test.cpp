// SPDX-License-Identifier: Apache-2.0
// If any CUDA call fails, once or from then on: are the bytes of a file still right, with one warning? Is
// every failure of the scan kernels, and of what measures them, an error?
#include <string>

#include "kernels/cpu/sweep.hpp"
#include "kernels/cuda/meter/meter.hpp"
#include "tests/codec/support.hpp"
#include "tests/cuda/faulty_calls.hpp"

namespace tdz::test {
TEST_CASE("a chunk in the scan kernels") {
  Column steps{.width = 4};  // two launches and a look-back
  steps.steps = {ByteswapStep{}, DifferenceStep{3, 2}, ZigzagStep{}, PlanesStep{}};
  const Bytes values = noise(300'000);
  Bytes wanted(values.size()), scratch(values.size());
  cpu::forward({steps.width, steps.steps, values, wanted, scratch});
  const auto is_right = [](const Status& done, const Bytes& found, const Bytes& right) {
    CHECK(bool(done) == (found == right));
    if (!done) CHECK_FALSE(done.error().message.empty());
    return bool(done);
  };
  testing::fail_everywhere([&] {
    const auto meter = cuda::make_meter(0, values.size(), 64u << 20);
    if (!meter) CHECK_FALSE(meter.error().message.empty());
    if (!meter) return false;
    Bytes there(values.size()), back(values.size());
    const bool forward = is_right((*meter)->run(steps, false, values, there), there, wanted);
    return is_right((*meter)->run(steps, true, wanted, back), back, values) && forward;
  });
}

TEST_CASE("a file") {
  const Bytes original = walk(1'000'000);
  const Plan plan{
      Coding::uniform,
      {{2,
        1,
        {DifferenceStep{7, 1, 0}, DifferenceStep{1, 1, 1024}, ZigzagStep{}, TokensStep{1, {3, 1}, 1024}}}}};
  const Bytes stored = packed(original, options_for(plan)) + packed(original, options_for("i16"));
  testing::fail_everywhere([&] {
    unsigned warnings = 0;
    DecompressOptions options = one_thread();
    options.backend = BackendChoice::cuda;
    options.warn = [&](std::string_view) { ++warnings; };
    const auto restored = decompress(stored, options);
    CHECK(warnings <= 1);
    if (restored) CHECK(*restored == original + original);
    if (!restored) CHECK(restored.error().message.find("not available") != std::string::npos);
    return bool(restored);
  });
}

TEST_CASE("a file that is compressed") {
  const Bytes original = walk(300'000);
  const Plan plan{Coding::uniform,
                  {{2, 1, {DifferenceStep{1, 1, 1024}, ZigzagStep{}, TokensStep{1, {3, 1}, 1024}}}}};
  const Bytes wanted = packed(original, options_for(plan));
  testing::fail_everywhere([&] {
    unsigned warnings = 0;
    CompressOptions options = options_for(plan);
    options.backend = BackendChoice::cuda;
    options.device.memory = 4 * 150'000;  // batches of two chunks, so that the device gets one
    options.warn = [&](std::string_view) { ++warnings; };
    const auto stored = compress(original, options);
    CHECK(warnings <= 1);
    if (stored) CHECK(*stored == wanted);
    if (!stored) CHECK(stored.error().message.find("not available") != std::string::npos);
    return bool(stored);
  });
}

}  // namespace tdz::test
