// SPDX-License-Identifier: Apache-2.0
// More than 2^31 values and more than 2^32 bytes, once: does an index or a length overflow? Needs 13 GB on
// the device and 13 GB on the host, so it runs only with TDZ_TEST_FULL=1.
#include <doctest/doctest.h>

#include <cstdlib>
#include <cstring>

#include "kernels/cuda/host/dispatch.hpp"
#include "tests/cuda/device_buffer.hpp"

namespace {

using namespace tdz;
using namespace tdz::cuda;
using testing::check;
using testing::DeviceBuffer;
using Values = std::vector<std::byte>;

constexpr std::size_t kBytes = (std::size_t{1} << 32) + 5;

/// Numbers whose period no power of two divides.
Values residuals() {
  Values bytes(kBytes);
  std::uint64_t state = 20261124;
  for (std::size_t i = 0; i + 8 <= bytes.size(); i += 8) {
    state = state * 6364136223846793005u + 1442695040888963407u;
    const std::uint64_t mixed = state ^ state >> 29;
    std::memcpy(bytes.data() + i, &mixed, 8);
  }
  return bytes;
}

/// The prefix sum by its definition. The oracle would need eight times as much memory.
template <class Word>
Values integrated(const Values& bytes, std::size_t tuple, unsigned order) {
  Values out = bytes;
  const std::size_t words = bytes.size() / sizeof(Word);
  auto* x = reinterpret_cast<Word*>(out.data());
  for (; order > 0; --order) {
    for (std::size_t i = tuple; i < words; ++i) x[i] = static_cast<Word>(x[i] + x[i - tuple]);
  }
  return out;
}

template <class Word>
void check_there_and_back(std::uint32_t tuple, std::uint8_t order, std::uint64_t chunk_bytes) {
  const Values codes = residuals(), values = integrated<Word>(codes, tuple, order);
  DeviceShape shape;
  check(current_shape(shape), "current_shape");
  Column column{.width = sizeof(Word)};
  column.steps.push_back(DifferenceStep{tuple, order});
  const DeviceBuffer in(codes);
  DeviceBuffer out(kBytes);
  out.poison();
  const ChunkBatch batch = cut({in.data(), out.data(), kBytes}, chunk_bytes);
  DeviceBuffer space(space_bytes(column, batch, Direction::integrate, shape));
  check(enqueue(column, batch, Direction::integrate, shape, space.data(), nullptr), "enqueue");
  CHECK(out.get() == values);
  DeviceBuffer back(kBytes);
  back.poison();
  check(enqueue(column, cut({out.data(), back.data(), kBytes}, chunk_bytes), Direction::difference, shape,
                space.data(), nullptr),
        "enqueue");
  CHECK(back.get() == codes);
}

bool asked_for() {
  const char* full = std::getenv("TDZ_TEST_FULL");
  return full != nullptr && std::string(full) == "1";
}

TEST_CASE("2^32 + 5 bytes as one chunk of bytes" * doctest::skip(!asked_for())) {
  check_there_and_back<std::uint8_t>(3, 2, kBytes);
}

TEST_CASE("2^31 + 2 values of 2 bytes as one chunk, and a byte" * doctest::skip(!asked_for())) {
  check_there_and_back<std::uint16_t>(1, 3, kBytes);
}

}  // namespace
