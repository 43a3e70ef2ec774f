// SPDX-License-Identifier: Apache-2.0
// The steps as their definition says, word by word: the judge of the kernels.
#pragma once

#include <cstring>
#include <random>
#include <type_traits>
#include <vector>

#include "kernels/cuda/tile/scan_job.hpp"

namespace tdz::naive {

using Bytes = std::vector<std::byte>;

template <class Word>
void difference(std::vector<Word>& x, std::size_t tuple, unsigned order) {
  for (; order > 0; --order) {
    for (std::size_t i = x.size(); i-- > tuple;) x[i] = static_cast<Word>(x[i] - x[i - tuple]);
  }
}

/// The bytes of words first, first + step, ...: plane after plane.
template <class Word>
void put_planes(const std::vector<Word>& x, std::size_t first, std::size_t step, Bytes& out) {
  for (std::size_t b = 0; b < sizeof(Word); ++b) {
    for (std::size_t i = first; i < x.size(); i += step)
      out.push_back(static_cast<std::byte>(x[i] >> (8 * b)));
  }
}

template <class Word>
Bytes bit_planes(const std::vector<Word>& x) {
  Bytes out(x.size() * sizeof(Word));
  const std::size_t whole = x.size() / 8 * 8;
  for (std::size_t i = 0; i < whole; ++i) {
    for (std::size_t b = 0; b < 8 * sizeof(Word); ++b) {
      out[b * (whole / 8) + i / 8] |= static_cast<std::byte>((x[i] >> b & 1) << (i % 8));
    }
  }
  if (whole < x.size())
    std::memcpy(out.data() + whole * sizeof(Word), x.data() + whole, (x.size() - whole) * sizeof(Word));
  return out;
}

/// One chunk, forwards: what a kernel must undo.
template <class Word>
Bytes forward(const Pass& steps, const std::byte* chunk, std::size_t bytes) {
  std::vector<Word> x(bytes / sizeof(Word));
  if (!x.empty())
    std::memcpy(x.data(), chunk, x.size() * sizeof(Word));  // memcpy takes no null, not even for nothing
  difference(x, steps.tuple, steps.order);
  if (steps.zigzag) {
    for (Word& each : x)
      each = static_cast<Word>((each << 1) ^ (std::make_signed_t<Word>(each) < 0 ? ~Word{0} : Word{0}));
  }
  Bytes out;
  if (steps.layout == Layout::bit_planes) out = bit_planes(x);
  if (steps.layout == Layout::planes) put_planes(x, 0, 1, out);
  for (std::size_t lane = 0; lane < steps.tuple && steps.layout == Layout::tuple_planes; ++lane) {
    put_planes(x, lane, steps.tuple, out);
  }
  for (std::size_t i = 0; i < x.size() && steps.layout == Layout::interleaved; ++i)
    put_planes<Word>({x[i]}, 0, 1, out);
  out.insert(out.end(), chunk + x.size() * sizeof(Word), chunk + bytes);
  return out;
}

inline Bytes forward(const Pass& steps, const std::byte* chunk, std::size_t bytes) {
  switch (steps.word) {
    case 1:
      return forward<std::uint8_t>(steps, chunk, bytes);
    case 2:
      return forward<std::uint16_t>(steps, chunk, bytes);
    case 4:
      return forward<std::uint32_t>(steps, chunk, bytes);
    default:
      return forward<std::uint64_t>(steps, chunk, bytes);
  }
}

/// A buffer as a batch of chunks.
inline Bytes forward_batch(const Pass& steps, const Bytes& values, std::size_t chunk_bytes) {
  Bytes out;
  for (std::size_t at = 0; at < values.size(); at += chunk_bytes) {
    const Bytes chunk = forward(steps, values.data() + at, std::min(chunk_bytes, values.size() - at));
    out.insert(out.end(), chunk.begin(), chunk.end());
  }
  return out;
}

/// Random bytes; with `high`, every word's upper half is ones, so that a flag hidden in a payload would show.
inline Bytes noise(std::size_t bytes, std::uint64_t seed, bool high = false) {
  std::mt19937_64 random(seed);
  Bytes out(bytes);
  for (std::byte& each : out) each = static_cast<std::byte>(random() | (high ? 0xF0 : 0));
  return out;
}

}  // namespace tdz::naive
