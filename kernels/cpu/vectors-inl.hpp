// SPDX-License-Identifier: Apache-2.0
// Vectors: loads and stores by 16-byte block, the perfect shuffle, maps over spans.
//
// The -inl files are compiled once for each instruction set, inside HWY_NAMESPACE. They call no inline
// function from outside it (not even std::min), because the linker might keep the copy for a newer processor.
// See "Highway, Dynamic dispatch", g3doc/impl_details.md.
#if defined(TDZ_KERNELS_CPU_VECTORS_INL_HPP) == defined(HWY_TARGET_TOGGLE)
#ifdef TDZ_KERNELS_CPU_VECTORS_INL_HPP
#undef TDZ_KERNELS_CPU_VECTORS_INL_HPP
#else
#define TDZ_KERNELS_CPU_VECTORS_INL_HPP
#endif

#include <cstddef>
#include <cstdint>
#include <cstring>

#include "hwy/highway.h"

HWY_BEFORE_NAMESPACE();
namespace tdz::cpu {
namespace HWY_NAMESPACE {

#if HWY_TARGET != HWY_WASM
namespace hn = hwy::HWY_NAMESPACE;
#else

/// Highway's operations for WebAssembly, with those replaced that Highway 1.0.3 has not, has word by word
/// although there is an instruction, or has wrong. A name that hn declares itself hides that of Highway.
namespace hn {

using namespace hwy::HWY_NAMESPACE;

/// One instruction, and zero where `from` is 16 or more.
template <class V, class I>
HWY_INLINE I TableLookupBytes(V bytes, I from) {
  return {wasm_i8x16_swizzle(bytes.raw, from.raw)};
}
template <class V, class I>
HWY_INLINE I TableLookupBytesOr0(V bytes, I from) {
  return {wasm_i8x16_swizzle(bytes.raw, from.raw)};
}

/// Highway 1.0.3 extends signed numbers with zeros.
template <class V>
HWY_INLINE auto MulEven(V a, V b) -> decltype(hwy::HWY_NAMESPACE::MulEven(a, b)) {
  using Number = TFromV<V>;
  static_assert(sizeof(Number) == 4);
  if constexpr (Number(-1) < Number(0)) {
    const auto extended = [](V v) HWY_ATTR { return wasm_i64x2_shr(wasm_i64x2_shl(v.raw, 32), 32); };
    return {wasm_i64x2_mul(extended(a), extended(b))};
  } else {
    return hwy::HWY_NAMESPACE::MulEven(a, b);
  }
}

/// No instruction shifts each word by its own number of bits. Highway 1.0.3 has this for words of 16 and 32
/// bits.
template <class V>
HWY_INLINE V Shr(V v, V bits) {
  using Word = TFromV<V>;
  if constexpr (sizeof(Word) == 8) {
    HWY_ALIGN Word words[2], amounts[2];
    wasm_v128_store(words, v.raw);
    wasm_v128_store(amounts, bits.raw);
    for (int i = 0; i < 2; ++i) words[i] >>= amounts[i];
    return {wasm_v128_load(words)};
  } else {
    return hwy::HWY_NAMESPACE::Shr(v, bits);
  }
}

}  // namespace hn
#endif

/// At most two blocks of 16 bytes: with a third one, every shuffle across blocks would need a second step.
using Bytes = hn::CappedTag<std::uint8_t, 32>;
using Vector = hn::Vec<Bytes>;
template <class T>
using Words = hn::Repartition<T, Bytes>;

inline constexpr std::size_t kBlock = 16;
inline constexpr std::size_t kVector = hn::MaxLanes(Bytes());
static_assert(kVector == kBlock || kVector == 2 * kBlock);

/// Bytes of a block: so many bytes of values, as many of residuals and as many of columns
/// (difference-inl.hpp) fit into a first-level cache of 32 KiB, with room left.
inline constexpr std::size_t kSweepBytes = 8192;

template <class T>
HWY_INLINE T load_word(const std::uint8_t* from) {
  T word;
  std::memcpy(&word, from, sizeof(T));
  return word;
}

template <class T>
HWY_INLINE void store_word(T word, std::uint8_t* to) {
  std::memcpy(to, &word, sizeof(T));
}

/// Block b of the vector is the 16 bytes at from + b * stride. The compiler evaluates the test for
/// neighbours.
HWY_INLINE Vector load_blocks(const std::uint8_t* from, std::size_t stride) {
  if (kVector == kBlock || stride == kBlock) return hn::LoadU(Bytes(), from);
  const hn::Half<Bytes> half;
  return hn::Combine(Bytes(), hn::LoadU(half, from + stride), hn::LoadU(half, from));
}

/// Store block 0, and block 1 if there is one, at `to`. Two functions, because some callers need an order.
HWY_INLINE void store_lower_block(Vector v, std::uint8_t* to) {
  if constexpr (kVector == kBlock) return hn::StoreU(v, Bytes(), to);
  const hn::Half<Bytes> half;
  hn::StoreU(hn::LowerHalf(half, v), half, to);
}

HWY_INLINE void store_upper_block([[maybe_unused]] Vector v, [[maybe_unused]] std::uint8_t* to) {
  if constexpr (kVector != kBlock) {
    const hn::Half<Bytes> half;
    hn::StoreU(hn::UpperHalf(half, v), half, to);
  }
}

HWY_INLINE Vector swap_blocks(Vector v) {
  return hn::ConcatLowerUpper(Bytes(), v, v);
}

HWY_INLINE void store_blocks(Vector v, std::uint8_t* to, std::size_t stride) {
  if (kVector == kBlock || stride == kBlock) return hn::StoreU(v, Bytes(), to);
  store_lower_block(v, to);
  store_upper_block(v, to + stride);
}

/// Sees N vectors as one sequence of N * 16 / sizeof(Unit) units (each block by itself), and rotates the bits
/// of a unit's index to the left, `kTimes` times. One rotation is a perfect shuffle of the first half of the
/// sequence with the second half. log2(N) rotations swap the two parts of the index, (vector, place) ->
/// (place, vector).
template <class Unit, unsigned kTimes, std::size_t N>
HWY_INLINE void perfect_shuffle(Vector (&row)[N]) {
  if constexpr (kTimes > 0) {
    const Words<Unit> units;
    Vector next[N];
    for (std::size_t i = 0; i < N / 2; ++i) {
      const auto a = hn::BitCast(units, row[i]), b = hn::BitCast(units, row[i + N / 2]);
      next[2 * i] = hn::BitCast(Bytes(), hn::InterleaveLower(units, a, b));
      next[2 * i + 1] = hn::BitCast(Bytes(), hn::InterleaveUpper(units, a, b));
    }
    perfect_shuffle<Unit, kTimes - 1>(next);
    for (std::size_t i = 0; i < N; ++i) row[i] = next[i];
  }
}

constexpr unsigned log2_of(std::size_t power) {
  return power == 1 ? 0 : 1 + log2_of(power / 2);
}

/// to[p] = map(from[p]) for whole words in vectors; the last part of a vector goes through a padded copy.
template <class Map>
HWY_INLINE void map_vectors(const std::uint8_t* from, std::uint8_t* to, std::size_t bytes, const Map& map) {
  std::size_t p = 0;
  for (; p + kVector <= bytes; p += kVector) hn::StoreU(map(hn::LoadU(Bytes(), from + p)), Bytes(), to + p);
  if (p == bytes) return;
  HWY_ALIGN std::uint8_t padded[kVector] = {};
  std::memcpy(padded, from + p, bytes - p);
  hn::Store(map(hn::Load(Bytes(), padded)), Bytes(), padded);
  std::memcpy(to + p, padded, bytes - p);
}

struct Identity {
  HWY_INLINE Vector operator()(Vector v) const { return v; }
};

/// Copies blocks. Not memcpy: its `rep movsb` drops to 2 GB/s on Zen 3 if the low bits of the two addresses
/// are nearly equal.
inline HWY_NOINLINE void copy_bytes(const std::uint8_t* from, std::uint8_t* to, std::size_t bytes) {
  map_vectors(from, to, bytes, Identity());
}

}  // namespace HWY_NAMESPACE
}  // namespace tdz::cpu
HWY_AFTER_NAMESPACE();

#endif  // include guard, toggled per target
