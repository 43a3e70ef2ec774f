// SPDX-License-Identifier: Apache-2.0
// Words of 1 to 8 bytes in memory, little-endian, at any address. For host and device.
#pragma once

#include <cstdint>
#include <cstring>

#include "kernels/cuda/steps/step_batch.hpp"

namespace tdz::cuda {

using Byte = unsigned char;

/// Machine words are read and written whole where they are aligned.
template <unsigned Width>
inline constexpr bool kIsMachineWord = Width == 1 || Width == 2 || Width == 4 || Width == 8;

/// Turns the run-time word into a type: calls use.template operator()<Word>(). No other size: calls nothing.
/// The only place that does so.
template <class Use>
void call_with_word(unsigned word, const Use& use) {
  switch (word) {
    case 1:
      return use.template operator()<std::uint8_t>();
    case 2:
      return use.template operator()<std::uint16_t>();
    case 4:
      return use.template operator()<std::uint32_t>();
    case 8:
      return use.template operator()<std::uint64_t>();
    default:
      return;
  }
}

template <unsigned Width>
struct MachineWord {
  using type = std::uint64_t;  // of a width without a machine word: never read as such
};
template <>
struct MachineWord<1> {
  using type = std::uint8_t;
};
template <>
struct MachineWord<2> {
  using type = std::uint16_t;
};
template <>
struct MachineWord<4> {
  using type = std::uint32_t;
};

/// Three bytes at any address are an aligned half word, and the byte before or after it.
struct ThreeBytes {
  std::uintptr_t odd;

  TDZ_HOST_DEVICE explicit ThreeBytes(const Byte* at) : odd(reinterpret_cast<std::uintptr_t>(at) % 2) {}
  TDZ_HOST_DEVICE std::uint64_t read(const Byte* at) const {
    const std::uint32_t half = *reinterpret_cast<const std::uint16_t*>(at + odd), byte = at[odd != 0 ? 0 : 2];
    return odd != 0 ? half << 8 | byte : byte << 16 | half;
  }
  TDZ_HOST_DEVICE void write(Byte* at, std::uint32_t word) const {
    *reinterpret_cast<std::uint16_t*>(at + odd) = static_cast<std::uint16_t>(word >> 8 * odd);
    at[odd != 0 ? 0 : 2] = static_cast<Byte>(word >> (odd != 0 ? 0 : 16));
  }
};

template <unsigned Width>
TDZ_HOST_DEVICE inline std::uint64_t read_bytes(const Byte* at) {
#if defined(__CUDA_ARCH__)
  if constexpr (Width == 3) return ThreeBytes(at).read(at);
#endif
  std::uint64_t word = 0;
  for (unsigned b = 0; b < Width; ++b) word |= std::uint64_t{at[b]} << (8 * b);
  return word;
}

template <unsigned Width>
TDZ_HOST_DEVICE inline void write_bytes(Byte* at, std::uint64_t word) {
#if defined(__CUDA_ARCH__)
  if constexpr (Width == 3) return ThreeBytes(at).write(at, static_cast<std::uint32_t>(word));
#endif
  for (unsigned b = 0; b < Width; ++b) at[b] = static_cast<Byte>(word >> (8 * b));
}

/// `aligned`: the address is a multiple of Width. Hosts of any byte order read byte by byte.
template <unsigned Width>
TDZ_HOST_DEVICE inline std::uint64_t read_word(const Byte* at, bool aligned) {
#if defined(__CUDA_ARCH__)
  if (kIsMachineWord<Width> && aligned) {
    return *reinterpret_cast<const typename MachineWord<Width>::type*>(at);
  }
#else
  static_cast<void>(aligned);
#endif
  return read_bytes<Width>(at);
}

template <unsigned Width>
TDZ_HOST_DEVICE inline void write_word(Byte* at, std::uint64_t word, bool aligned) {
#if defined(__CUDA_ARCH__)
  if (kIsMachineWord<Width> && aligned) {
    *reinterpret_cast<typename MachineWord<Width>::type*>(at) =
        static_cast<typename MachineWord<Width>::type>(word);
    return;
  }
#else
  static_cast<void>(aligned);
#endif
  write_bytes<Width>(at, word);
}

/// The word of `width` bytes as a signed number.
TDZ_HOST_DEVICE constexpr std::int64_t signed_word(std::uint64_t word, unsigned width) {
  const unsigned unused = 64 - 8 * width;
  return static_cast<std::int64_t>(word << unused) >> unused;
}

/// Divides numbers below 2^24 by a number up to 2^16 by one multiplication. With m = ceil(2^40 / d) and
/// e = m d - 2^40 < d, n m / 2^40 is n / d + n e / (d 2^40), and n e < 2^40: the floors are the same.
class Divisor {
 public:
  Divisor() = default;
  TDZ_HOST_DEVICE explicit constexpr Divisor(std::uint32_t d)
      : divisor_(d), factor_(((std::uint64_t{1} << 40) + d - 1) / d) {}

  TDZ_HOST_DEVICE constexpr std::uint32_t value() const { return divisor_; }
  TDZ_HOST_DEVICE constexpr std::uint32_t quotient(std::uint32_t n) const {
    return static_cast<std::uint32_t>(n * factor_ >> 40);
  }

 private:
  std::uint32_t divisor_ = 1;
  std::uint64_t factor_ = std::uint64_t{1} << 40;
};

/// A RowShape, ready to find the place of a word.
class Rows {
 public:
  Rows() = default;
  /// A row of 0 words is none that the format knows; it counts as one of 1.
  TDZ_HOST_DEVICE constexpr Rows(const RowShape& shape, unsigned width)
      : width_(width),
        bytes_(is_dense(shape, width) ? 0 : shape.bytes),
        words_(shape.words == 0 ? 1 : shape.words) {}

  TDZ_HOST_DEVICE constexpr bool dense() const { return bytes_ == 0; }
  /// Where word `i` begins.
  TDZ_HOST_DEVICE constexpr std::uint64_t place(std::uint32_t i) const {
    if (dense()) return std::uint64_t{i} * width_;
    const std::uint32_t row = words_.quotient(i);
    return std::uint64_t{row} * bytes_ + std::uint64_t{i - row * words_.value()} * width_;
  }
  /// Whether all words are aligned if the first one is.
  TDZ_HOST_DEVICE constexpr bool keeps_alignment() const { return bytes_ % width_ == 0; }

 private:
  TDZ_HOST_DEVICE static constexpr bool is_dense(const RowShape& shape, unsigned width) {
    return shape.bytes == 0 || shape.bytes == std::uint64_t{shape.words} * width;
  }

  std::uint32_t width_ = 1;
  std::uint32_t bytes_ = 0;
  Divisor words_;
};

}  // namespace tdz::cuda
