// SPDX-License-Identifier: Apache-2.0
// XXH3-64 with seed 0 and the default secret, in the parts that a device computes side by side. For host and
// device. Source: "XXH3", doc/xxhash_spec.md of xxHash (Collet).
//
// An input above 240 bytes is a sequence of stripes of 64 bytes; 16 stripes are a block. A state of 8 words
// takes the stripes. Inside a block a stripe only adds to the state, and what it adds does not depend on the
// state: so the stripes of a block sum up in any order. Behind each whole block a scramble mixes the state.
// The scrambles are a chain, and only they are.
#pragma once

#include <cstdint>

#include "kernels/scan_algebra.hpp"

namespace tdz::cuda::xxh3 {

using Byte = unsigned char;

inline constexpr std::uint64_t kStripe = 64;
inline constexpr std::uint64_t kBlock = 1024;
inline constexpr unsigned kStateWords = 8;
inline constexpr std::uint64_t kLongest = std::uint64_t{16} << 20;  ///< that a device takes
inline constexpr std::uint64_t kLongestShort = 240;                 ///< no stripes up to here

inline constexpr std::uint64_t kPrime32_1 = 0x9E3779B1;
inline constexpr std::uint64_t kPrime32_2 = 0x85EBCA77;
inline constexpr std::uint64_t kPrime32_3 = 0xC2B2AE3D;
inline constexpr std::uint64_t kPrime64_1 = 0x9E3779B185EBCA87;
inline constexpr std::uint64_t kPrime64_2 = 0xC2B2AE3D27D4EB4F;
inline constexpr std::uint64_t kPrime64_3 = 0x165667B19E3779F9;
inline constexpr std::uint64_t kPrime64_4 = 0x85EBCA77C2B2AE63;
inline constexpr std::uint64_t kPrime64_5 = 0x27D4EB2F165667C5;
inline constexpr std::uint64_t kPrimeMx1 = 0x165667919E3779F9;
inline constexpr std::uint64_t kPrimeMx2 = 0x9FB21C651E98DF25;

/// Word i of the secret, little-endian; 0 to 23. The table is static: a device would copy a local one into
/// every thread's own memory.
TDZ_HOST_DEVICE inline std::uint64_t secret_word(unsigned i) {
  static constexpr std::uint64_t words[24] = {
      0xBE4BA423396CFEB8, 0x1CAD21F72C81017C, 0xDB979083E96DD4DE, 0x1F67B3B7A4A44072, 0x78E5C0CC4EE679CB,
      0x2172FFCC7DD05A82, 0x8E2443F7744608B8, 0x4C263A81E69035E0, 0xCB00C391BB52283C, 0xA32E531B8B65D088,
      0x4EF90DA297486471, 0xD8ACDEA946EF1938, 0x3F349CE33F76FAA8, 0x1D4F0BC7C7BBDCF9, 0x3159B4CD4BE0518A,
      0x647378D9C97E9FC8, 0xC3EBD33483ACC5EA, 0xEB6313FAFFA081C5, 0x49DAF0B751DD0D17, 0x9E68D429265516D3,
      0xFCA1477D58BE162B, 0xCE31D07AD1B8F88F, 0x280416958F3ACB45, 0x7E404BBBCAFBD7AF,
  };
  return words[i];
}

/// Eight bytes of the secret from byte `at` on; at most 184.
TDZ_HOST_DEVICE inline std::uint64_t secret(unsigned at) {
  const unsigned shift = at % 8 * 8;
  const std::uint64_t low = secret_word(at / 8) >> shift;
  return shift == 0 ? low : low | secret_word(at / 8 + 1) << (64 - shift);
}

/// Where the secret of each part begins.
inline constexpr unsigned kScrambleSecret = 128, kLastSecret = 121, kMergeSecret = 11;

// ---- reading: little-endian at any address

TDZ_HOST_DEVICE inline std::uint64_t read32(const Byte* p) {
  return std::uint64_t{p[0]} | std::uint64_t{p[1]} << 8 | std::uint64_t{p[2]} << 16 |
         std::uint64_t{p[3]} << 24;
}

TDZ_HOST_DEVICE inline std::uint64_t read64(const Byte* p) {
  return read32(p) | read32(p + 4) << 32;
}

// ---- mixing

TDZ_HOST_DEVICE constexpr std::uint64_t low32(std::uint64_t x) {
  return x & 0xFFFFFFFF;
}

TDZ_HOST_DEVICE constexpr std::uint64_t swapped(std::uint64_t x) {
  std::uint64_t y = 0;
  for (unsigned b = 0; b < 8; ++b) y |= (x >> (8 * b) & 0xFF) << (56 - 8 * b);
  return y;
}

TDZ_HOST_DEVICE constexpr std::uint64_t rotated(std::uint64_t x, unsigned by) {
  return x << by | x >> (64 - by);
}

/// Both halves of the product of 128 bits, folded by xor.
TDZ_HOST_DEVICE constexpr std::uint64_t folded_product(std::uint64_t a, std::uint64_t b) {
  const std::uint64_t ll = low32(a) * low32(b), hl = (a >> 32) * low32(b);
  const std::uint64_t lh = low32(a) * (b >> 32), hh = (a >> 32) * (b >> 32);
  const std::uint64_t cross = (ll >> 32) + low32(hl) + lh;  // at most 2^64 - 1
  const std::uint64_t high = (hl >> 32) + (cross >> 32) + hh;
  return high ^ (cross << 32 | low32(ll));
}

TDZ_HOST_DEVICE constexpr std::uint64_t avalanche(std::uint64_t x) {
  x = (x ^ x >> 37) * kPrimeMx1;
  return x ^ x >> 32;
}

/// The finish of XXH64, for the shortest inputs.
TDZ_HOST_DEVICE constexpr std::uint64_t avalanche64(std::uint64_t x) {
  x = (x ^ x >> 33) * kPrime64_2;
  x = (x ^ x >> 29) * kPrime64_3;
  return x ^ x >> 32;
}

// ---- up to 240 bytes

TDZ_HOST_DEVICE inline std::uint64_t digest_1_to_3(const Byte* p, std::uint64_t bytes) {
  const std::uint64_t mixed =
      std::uint64_t{p[0]} << 16 | std::uint64_t{p[bytes / 2]} << 24 | p[bytes - 1] | bytes << 8;
  return avalanche64(mixed ^ (low32(secret(0)) ^ secret(0) >> 32));
}

TDZ_HOST_DEVICE inline std::uint64_t digest_4_to_8(const Byte* p, std::uint64_t bytes) {
  std::uint64_t x = (read32(p + bytes - 4) + (read32(p) << 32)) ^ (secret(8) ^ secret(16));
  x ^= rotated(x, 49) ^ rotated(x, 24);
  x *= kPrimeMx2;
  x ^= (x >> 35) + bytes;
  x *= kPrimeMx2;
  return x ^ x >> 28;
}

TDZ_HOST_DEVICE inline std::uint64_t digest_9_to_16(const Byte* p, std::uint64_t bytes) {
  const std::uint64_t low = read64(p) ^ (secret(24) ^ secret(32));
  const std::uint64_t high = read64(p + bytes - 8) ^ (secret(40) ^ secret(48));
  return avalanche(bytes + swapped(low) + high + folded_product(low, high));
}

/// What 16 bytes add, with 16 bytes of the secret.
TDZ_HOST_DEVICE inline std::uint64_t mix16(const Byte* p, unsigned at) {
  return folded_product(read64(p) ^ secret(at), read64(p + 8) ^ secret(at + 8));
}

/// Pairs of 16 bytes from both ends towards the middle.
TDZ_HOST_DEVICE inline std::uint64_t digest_17_to_128(const Byte* p, std::uint64_t bytes) {
  std::uint64_t sum = bytes * kPrime64_1;
  for (unsigned i = 0; i < (bytes - 1) / 32 + 1; ++i) {
    sum += mix16(p + 16 * i, 32 * i) + mix16(p + bytes - 16 * (i + 1), 32 * i + 16);
  }
  return avalanche(sum);
}

TDZ_HOST_DEVICE inline std::uint64_t digest_129_to_240(const Byte* p, std::uint64_t bytes) {
  std::uint64_t sum = bytes * kPrime64_1;
  for (unsigned i = 0; i < 8; ++i) sum += mix16(p + 16 * i, 16 * i);
  sum = avalanche(sum);
  for (unsigned i = 8; i < bytes / 16; ++i) sum += mix16(p + 16 * i, 16 * (i - 8) + 3);
  return avalanche(sum + mix16(p + bytes - 16, 136 - 17));
}

/// Precondition: at most kLongestShort bytes.
TDZ_HOST_DEVICE inline std::uint64_t short_digest(const Byte* p, std::uint64_t bytes) {
  if (bytes > 128) return digest_129_to_240(p, bytes);
  if (bytes > 16) return digest_17_to_128(p, bytes);
  if (bytes > 8) return digest_9_to_16(p, bytes);
  if (bytes > 3) return digest_4_to_8(p, bytes);
  if (bytes > 0) return digest_1_to_3(p, bytes);
  return avalanche64(secret(56) ^ secret(64));
}

// ---- above 240 bytes

/// Two neighbours of the state, or what is added to them: the words exchange what they read.
struct Pair {
  std::uint64_t even = 0, odd = 0;
};

/// Adds what 16 bytes of a stripe add, x in front of y, under their words of the secret.
TDZ_HOST_DEVICE constexpr void add_stripe(Pair& sum, Pair key, std::uint64_t x, std::uint64_t y) {
  key.even ^= x;
  key.odd ^= y;
  sum.even += y + low32(key.even) * (key.even >> 32);
  sum.odd += x + low32(key.odd) * (key.odd >> 32);
}

/// The secret of pair `pair` (0 to 3) in stripe `stripe` (0 to 15) of a block.
TDZ_HOST_DEVICE inline Pair stripe_key(unsigned stripe, unsigned pair) {
  return {secret_word(stripe + 2 * pair), secret_word(stripe + 2 * pair + 1)};
}
/// The same for the input's last 64 bytes.
TDZ_HOST_DEVICE inline Pair last_key(unsigned pair) {
  return {secret(kLastSecret + 16 * pair), secret(kLastSecret + 16 * pair + 8)};
}

TDZ_HOST_DEVICE inline std::uint64_t first_state(unsigned i) {
  static constexpr std::uint64_t words[kStateWords] = {kPrime32_3, kPrime64_1, kPrime64_2, kPrime64_3,
                                                       kPrime64_4, kPrime32_2, kPrime64_5, kPrime32_1};
  return words[i];
}

/// One link of the chain: scrambles `state`, to which the block's own sum has been added, and adds the sum of
/// the next block. The two halves are apart, so that the sum of the halves hides in the multiplications: the
/// chain is one shift, one xor and one multiplication long.
TDZ_HOST_DEVICE constexpr std::uint64_t scrambled(std::uint64_t state, std::uint64_t key,
                                                  std::uint64_t next_sum) {
  const std::uint64_t mixed = state ^ state >> 47 ^ key;
  return low32(mixed) * kPrime32_1 + (((mixed >> 32) * kPrime32_1 << 32) + next_sum);
}

/// Whole blocks with a scramble behind them: a block that ends the input has none.
TDZ_HOST_DEVICE constexpr std::uint64_t scrambles_of(std::uint64_t bytes) {
  return (bytes - 1) / kBlock;
}
/// Whole stripes behind the last scramble. The last 64 bytes come once more, under a key of their own.
TDZ_HOST_DEVICE constexpr unsigned tail_stripes(std::uint64_t bytes) {
  return static_cast<unsigned>((bytes - 1) % kBlock / kStripe);
}

/// What two words of the last state add to the digest.
TDZ_HOST_DEVICE inline std::uint64_t merged(std::uint64_t even, std::uint64_t odd, unsigned pair) {
  const unsigned at = kMergeSecret + 16 * pair;
  return folded_product(even ^ secret(at), odd ^ secret(at + 8));
}

/// `sum` is that of merged() over the four pairs.
TDZ_HOST_DEVICE constexpr std::uint64_t finished(std::uint64_t sum, std::uint64_t bytes) {
  return avalanche(sum + bytes * kPrime64_1);
}

}  // namespace tdz::cuda::xxh3
