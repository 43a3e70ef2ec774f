// SPDX-License-Identifier: Apache-2.0
// Words to tokens and raw bits, one run at a time, and back.
#if defined(TDZ_KERNELS_CPU_STEPS_TOKENS_INL_HPP) == defined(HWY_TARGET_TOGGLE)
#ifdef TDZ_KERNELS_CPU_STEPS_TOKENS_INL_HPP
#undef TDZ_KERNELS_CPU_STEPS_TOKENS_INL_HPP
#else
#define TDZ_KERNELS_CPU_STEPS_TOKENS_INL_HPP
#endif

#include "kernels/cpu/steps/token_runs.hpp"
#include "kernels/cpu/steps/words-inl.hpp"
#if !TDZ_KERNELS_PLAIN
#include "kernels/cpu/vectors-inl.hpp"
#endif

HWY_BEFORE_NAMESPACE();
namespace tdz::cpu {
namespace HWY_NAMESPACE {

/// floor(log2 z), 0 for z = 0.
HWY_INLINE unsigned log2_of_word(std::uint64_t z) {
  return static_cast<unsigned>(63 - hwy::Num0BitsAboveMS1Bit_Nonzero64(z | 1));
}

/// Writes bits downwards, the first on top, whole 32 bits at a time.
struct BitWriter {
  std::uint8_t* end;  ///< what lies from here on is written
  std::uint64_t waiting = 0;
  unsigned count = 0;  ///< waiting bits, fewer than 32 between calls

  /// Precondition: count <= 32 bits, and `bits` has no others.
  HWY_INLINE void append(std::uint64_t bits, unsigned more) {
    waiting = waiting << more | bits;
    count += more;
    if (count < 32) return;
    count -= 32;
    end -= 4;
    put<std::uint32_t>(end, 0, static_cast<std::uint32_t>(waiting >> count));
  }

  /// Zeros fill the last byte.
  HWY_INLINE void finish() {
    for (; count > 0; count -= HWY_MIN(count, 8u)) {
      *--end = static_cast<std::uint8_t>(count >= 8 ? waiting >> (count - 8) : waiting << (8 - count));
    }
  }
};

template <class T>
HWY_INLINE void append_raw(BitWriter& writer, T z, unsigned bits) {
  const std::uint64_t raw = z & ((std::uint64_t{1} << bits) - 1);
  if (sizeof(T) == 8 && bits > 32) {
    writer.append(raw >> 32, bits - 32);
    return writer.append(raw & 0xFFFFFFFF, 32);
  }
  writer.append(raw, bits);
}

/// A run's tokens to `tokens`; its bits end at `end`. Returns where they begin.
template <class T>
HWY_NOINLINE std::uint8_t* split_run_of(const TokenRule& rule, const std::uint8_t* words, std::size_t count,
                                          std::uint8_t* tokens, std::uint8_t* end) {
  BitWriter writer{end};
  for (std::size_t i = 0; i < count; ++i) {
    const T z = get<T>(words, i);
    const unsigned f = log2_of_word(z), bits = rule.raw_of_length[f];
    tokens[i] = static_cast<std::uint8_t>((z >> bits) + rule.offset_of_length[f]);
    append_raw<T>(writer, z, bits);
  }
  writer.finish();
  return writer.end;
}

/// The raw bits of all tokens, and the largest token.
HWY_NOINLINE TokenSum sum_tokens_of(const TokenRule& rule, const std::uint8_t* tokens, std::size_t count) {
  TokenSum sum{0, 0};
  for (std::size_t i = 0; i < count; ++i) {
    sum.bits += rule.raw[tokens[i]];
    sum.largest = HWY_MAX(sum.largest, unsigned{tokens[i]});
  }
  return sum;
}

/// `count` < 64 bits from bit `from` on, counted from the lowest of `raw`, which holds `bytes` bytes.
HWY_INLINE std::uint64_t bits_at(const std::uint8_t* raw, std::size_t bytes, std::uint64_t from, unsigned count) {
  const auto byte = static_cast<std::size_t>(from / 8);
  const unsigned shift = static_cast<unsigned>(from % 8);
  std::uint64_t window = 0;
  if (byte + 8 <= bytes) {
    window = get<std::uint64_t>(raw + byte, 0);
  } else {
    for (std::size_t b = byte; b < bytes; ++b) window |= std::uint64_t{raw[b]} << (8 * (b - byte));
  }
  window >>= shift;
  if (count + shift > 64) window |= std::uint64_t{raw[byte + 8]} << (64 - shift);
  return window & ((std::uint64_t{1} << count) - 1);
}

/// Words [first, count) of a run whose bits before word `first` end at `top`.
template <class T>
HWY_NOINLINE void join_words_of(const TokenRule& rule, const std::uint8_t* tokens, std::size_t first,
                                std::size_t count, const RawBits& raw, std::uint64_t top, std::uint8_t* words) {
  for (std::size_t i = first; i < count; ++i) {
    const unsigned bits = rule.raw[tokens[i]];
    top -= bits;
    put<T>(words, i, static_cast<T>(rule.base[tokens[i]] + bits_at(raw.bytes, raw.size, top, bits)));
  }
}

template <class T>
HWY_NOINLINE void join_run_of(const TokenRule& rule, const std::uint8_t* tokens, std::size_t count,
                                const RawBits& raw, std::uint64_t top, std::uint8_t* words) {
  join_words_of<T>(rule, tokens, 0, count, raw, top, words);
}

}  // namespace HWY_NAMESPACE
}  // namespace tdz::cpu
HWY_AFTER_NAMESPACE();

#endif  // include guard, toggled per target
