// SPDX-License-Identifier: Apache-2.0
// Words to tokens and raw bits, one run at a time, and back.
#if defined(TDZ_KERNELS_CPU_STEPS_TOKENS_INL_HPP) == defined(HWY_TARGET_TOGGLE)
#ifdef TDZ_KERNELS_CPU_STEPS_TOKENS_INL_HPP
#undef TDZ_KERNELS_CPU_STEPS_TOKENS_INL_HPP
#else
#define TDZ_KERNELS_CPU_STEPS_TOKENS_INL_HPP
#endif

#include "kernels/cpu/steps/seams.hpp"
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

/// Words [first, count) of a run.
template <class T>
HWY_NOINLINE void split_words_of(const TokenRule& rule, const std::uint8_t* words, std::size_t first,
                                 std::size_t count, std::uint8_t* tokens, BitWriter& writer) {
  for (std::size_t i = first; i < count; ++i) {
    const T z = get<T>(words, i);
    const unsigned f = log2_of_word(z), bits = rule.raw_of_length[f];
    tokens[i] = static_cast<std::uint8_t>((z >> bits) + rule.offset_of_length[f]);
    append_raw<T>(writer, z, bits);
  }
}

#if !TDZ_KERNELS_PLAIN

/// Leading bits and raw bits of tokens, a byte each.
struct TokenShape {
  explicit TokenShape(TokenCode code)
      : m(code.m),
        small(hn::Set(Bytes(), static_cast<std::uint8_t>(1u << code.k))),
        length(hn::Set(Bytes(), static_cast<std::uint8_t>(0xFFu >> code.m))),
        fewest(hn::Set(Bytes(), static_cast<std::uint8_t>(code.k - code.m))),
        below(hn::Set(Bytes(), static_cast<std::uint8_t>((1u << code.m) - 1))),
        top(hn::Set(Bytes(), static_cast<std::uint8_t>(1u << code.m))) {}

  HWY_INLINE Vector large(Vector tokens) const {
    return hn::VecFromMask(Bytes(), hn::Eq(hn::Max(tokens, small), tokens));
  }
  HWY_INLINE Vector raw(Vector tokens) const {
    const Words<std::uint16_t> d;  // there is no shift of bytes
    const auto over = hn::ShiftRightSame(hn::BitCast(d, hn::Sub(tokens, small)), m);
    return hn::And(hn::Add(hn::And(hn::BitCast(Bytes(), over), length), fewest), large(tokens));
  }
  HWY_INLINE Vector lead(Vector tokens) const {
    return hn::IfVecThenElse(large(tokens), hn::Or(hn::And(tokens, below), top), tokens);
  }

  int m;
  Vector small, length, fewest, below, top;
};

/// Whole vectors of tokens. Returns how many that are.
HWY_NOINLINE std::size_t sum_vectors(const TokenRule& rule, const std::uint8_t* tokens, std::size_t count,
                                     TokenSum& sum) {
  const TokenShape shape(rule.code);
  auto bits = hn::Zero(Words<std::uint64_t>());
  auto largest = hn::Zero(Bytes());
  std::size_t i = 0;
  for (; i + kVector <= count; i += kVector) {
    const auto v = hn::LoadU(Bytes(), tokens + i);
    largest = hn::Max(largest, v);
    bits = hn::Add(bits, hn::SumsOf8(shape.raw(v)));
  }
  HWY_ALIGN std::uint64_t sums[kVector / 8];
  HWY_ALIGN std::uint8_t most[kVector];
  hn::Store(bits, Words<std::uint64_t>(), sums);
  hn::Store(largest, Bytes(), most);
  for (const std::uint64_t s : sums) sum.bits += s;
  for (const std::uint8_t m : most) sum.largest = HWY_MAX(sum.largest, unsigned{m});
  return i;
}

#else

HWY_INLINE std::size_t sum_vectors(const TokenRule&, const std::uint8_t*, std::size_t, TokenSum&) {
  return 0;
}

#endif

/// The raw bits of all tokens, and the largest token.
HWY_NOINLINE TokenSum sum_tokens_of(const TokenRule& rule, const std::uint8_t* tokens, std::size_t count) {
  TokenSum sum{0, 0};
  for (std::size_t i = sum_vectors(rule, tokens, count, sum); i < count; ++i) {
    sum.bits += rule.raw[tokens[i]];
    sum.largest = HWY_MAX(sum.largest, unsigned{tokens[i]});
  }
  return sum;
}

/// `count` < 64 bits from bit `from` on, counted from the lowest of `raw`, which holds `bytes` bytes.
HWY_INLINE std::uint64_t bits_at(const std::uint8_t* raw, std::size_t bytes, std::uint64_t from,
                                 unsigned count) {
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

/// Three words of 1 or 2 bytes from word `i` on: their raw bits, 45 at most, lie in one load of 8 bytes.
/// Returns false, and does nothing, where these 8 bytes are not there.
template <class T>
HWY_INLINE bool join_three(const TokenRule& rule, const std::uint8_t* tokens, std::size_t i,
                           const RawBits& raw, std::uint64_t& top, std::uint8_t* words) {
  const unsigned bits[3] = {rule.raw[tokens[i]], rule.raw[tokens[i + 1]], rule.raw[tokens[i + 2]]};
  const std::uint64_t begin = top - bits[0] - bits[1] - bits[2];
  const auto byte = static_cast<std::size_t>(begin / 8);
  if (byte + 8 > raw.size) return false;
  std::uint64_t window = get<std::uint64_t>(raw.bytes + byte, 0) >> (begin % 8);
  for (std::size_t k = 3; k-- > 0; window >>= bits[k]) {
    const std::uint64_t own = window & ((std::uint64_t{1} << bits[k]) - 1);
    put<T>(words, i + k, static_cast<T>(rule.base[tokens[i + k]] + own));
  }
  top = begin;
  return true;
}

/// Words [first, count) of a run whose bits before word `first` end at `top`.
template <class T>
HWY_NOINLINE void join_words_of(const TokenRule& rule, const std::uint8_t* tokens, std::size_t first,
                                std::size_t count, const RawBits& raw, std::uint64_t top,
                                std::uint8_t* words) {
  for (std::size_t i = first; i < count; ++i) {
    if constexpr (sizeof(T) <= 2) {
      while (i + 3 < count && join_three<T>(rule, tokens, i, raw, top, words)) i += 3;
    }
    const unsigned bits = rule.raw[tokens[i]];
    top -= bits;
    put<T>(words, i, static_cast<T>(rule.base[tokens[i]] + bits_at(raw.bytes, raw.size, top, bits)));
  }
}

#if !TDZ_KERNELS_PLAIN

/// Bytes [from, from + 32 / sizeof(T)) of `bytes` as words.
template <class T>
HWY_INLINE hn::Vec<Words<T>> widen(const std::uint8_t* bytes) {
  const hn::Rebind<std::uint8_t, Words<T>> narrow;
  return hn::PromoteTo(Words<T>(), hn::LoadU(narrow, bytes));
}

/// A step of the loop over words has that many: one for each lane of 4 bytes.
inline constexpr std::size_t kJoined = kVector / 4;
inline constexpr std::size_t kGroup = 4;
inline constexpr std::size_t kTokensOfJoin = 128;

using Lanes = Words<std::uint32_t>;
using LaneVector = hn::Vec<Lanes>;

/// Tokens as bytes, and where their raw bits lie: those of a group of four lie in 16 bytes of the stream,
/// where no word has more than 30. All of this comes before the words, so each of the two loops finds its
/// constants in registers.
struct JoinTile {
  HWY_ALIGN std::uint8_t lead[kTokensOfJoin];
  HWY_ALIGN std::uint8_t
      bits[kTokensOfJoin];  ///< at most 31: words of more are joined once again, one by one
  HWY_ALIGN std::uint8_t byte[kTokensOfJoin];    ///< of a token's first bit, counted from that of its group
  HWY_ALIGN std::uint8_t beside[kTokensOfJoin];  ///< bits below it in this byte
  HWY_ALIGN std::uint32_t
      down[kTokensOfJoin / kGroup];  ///< from the tile's end to the first bit of each group

  /// `top`: the tile's end. Returns a vector in which the largest token is.
  HWY_INLINE Vector fill(const TokenShape& shape, const std::uint8_t* tokens, std::uint64_t top) {
    const auto end = hn::Set(Lanes(), static_cast<std::uint32_t>(top));
    auto before = hn::Zero(Lanes());
    auto largest = hn::Zero(Bytes());
    for (std::size_t i = 0; i < kTokensOfJoin; i += kVector) {
      const auto v = hn::LoadU(Bytes(), tokens + i), raw = shape.raw(v), behind = sums_behind(raw);
      largest = hn::Max(largest, v);
      hn::Store(shape.lead(v), Bytes(), lead + i);
      hn::Store(hn::Min(raw, hn::Set(Bytes(), 31)), Bytes(), bits + i);
      const auto sums = hn::Add(before, sums_of_groups(raw, behind));
      hn::Store(sums, Lanes(), down + i / kGroup);
      before = last_of(sums);
      put_places(behind, hn::Sub(end, sums), i);
    }
    return largest;
  }

  /// For each token the raw bits of those behind it in its group, below 256.
  static HWY_INLINE Vector sums_behind(Vector raw) {
    const auto one = hn::ShiftRight<8>(hn::BitCast(Lanes(), raw));
    const auto two = hn::Add(one, hn::ShiftRight<8>(one));
    return hn::BitCast(Bytes(), hn::Add(two, hn::ShiftRight<16>(two)));
  }

  /// For each group the raw bits of it and of those before it in the vector.
  static HWY_INLINE LaneVector sums_of_groups(Vector raw, Vector behind) {
    const Lanes d;
    auto sum = hn::And(hn::BitCast(d, hn::Add(raw, behind)), hn::Set(d, 0xFF));
    sum = hn::Add(sum, hn::ShiftLeftLanes<1>(d, sum));
    sum = hn::Add(sum, hn::ShiftLeftLanes<2>(d, sum));
    if constexpr (kVector != kBlock) {
      sum = hn::Add(sum, hn::Broadcast<3>(hn::ConcatLowerLower(d, sum, hn::Zero(d))));
    }
    return sum;
  }

  static HWY_INLINE LaneVector last_of(LaneVector sums) {
    if constexpr (kVector != kBlock) sums = hn::ConcatUpperUpper(Lanes(), sums, sums);
    return hn::Broadcast<3>(sums);
  }

  /// `begin`: the first bit of each group, of which the lowest three count.
  HWY_INLINE void put_places(Vector behind, LaneVector begin, std::size_t i) {
    const Words<std::uint16_t> half;  // there is no shift of bytes
    auto odd = hn::And(begin, hn::Set(Lanes(), 7));
    odd = hn::Or(odd, hn::ShiftLeft<8>(odd));
    odd = hn::Or(odd, hn::ShiftLeft<16>(odd));
    const auto place = hn::Add(behind, hn::BitCast(Bytes(), odd));
    const auto whole = hn::BitCast(Bytes(), hn::ShiftRight<3>(hn::BitCast(half, place)));
    hn::Store(hn::And(whole, hn::Set(Bytes(), 31)), Bytes(), byte + i);
    hn::Store(hn::And(place, hn::Set(Bytes(), 7)), Bytes(), beside + i);
  }

  HWY_INLINE std::uint64_t all() const { return down[kTokensOfJoin / kGroup - 1]; }
};

/// Words [w, w + kJoined) of a tile, below 2^32. A shuffle brings the right bytes of its group's 16 to each
/// word, a shift the right bits. Up to 25 raw bits, with up to 7 bits beside them, lie in 4 bytes; up to 30
/// in 5. The fifth byte may lie behind the 16, but then none of its bits counts.
template <bool kLong>
struct LaneJoiner {
  HWY_INLINE LaneJoiner() {
    HWY_ALIGN std::uint8_t lowest[kVector], following[kVector];
    for (std::size_t b = 0; b < kVector; ++b) {
      lowest[b] = static_cast<std::uint8_t>(b % kBlock / 4 * 4);
      following[b] = static_cast<std::uint8_t>(b % 4);
    }
    spread = hn::Load(Bytes(), lowest);
    next = hn::Load(Bytes(), following);
  }

  static HWY_INLINE Vector window(const JoinTile& tile, const std::uint8_t* raw, std::uint64_t top,
                                  std::size_t w) {
    const std::uint8_t* lower = raw + (top - tile.down[w / kGroup]) / 8;
    if constexpr (kVector == kBlock) {
      return hn::LoadU(Bytes(), lower);
    } else {
      const hn::Half<Bytes> half;
      const std::uint8_t* upper = raw + (top - tile.down[w / kGroup + 1]) / 8;
      return hn::Combine(Bytes(), hn::LoadU(half, upper), hn::LoadU(half, lower));
    }
  }

  HWY_INLINE LaneVector join(const JoinTile& tile, Vector window, std::size_t w) const {
    const Lanes d;
    const auto beside = widen<std::uint32_t>(tile.beside + w), bits = widen<std::uint32_t>(tile.bits + w);
    const auto byte = hn::BitCast(Bytes(), widen<std::uint32_t>(tile.byte + w));
    const auto first = hn::TableLookupBytes(byte, spread);
    const auto found = hn::BitCast(d, hn::TableLookupBytes(window, hn::Add(first, next)));
    auto low = hn::Shr(found, beside);
    if constexpr (kLong) {
      const auto fifth = hn::TableLookupBytes(window, hn::Add(first, hn::Set(Bytes(), 4)));
      const auto up = hn::Shl(hn::BitCast(d, fifth), hn::Sub(hn::Set(d, 31), beside));
      low = hn::Or(low, hn::ShiftLeft<1>(up));
    }
    const auto others = hn::Shl(hn::Set(d, ~0u), bits);
    return hn::Or(hn::Shl(widen<std::uint32_t>(tile.lead + w), bits), hn::AndNot(others, low));
  }

  Vector spread, next;
};

template <class T>
HWY_INLINE void store_joined(LaneVector words, std::uint8_t* to) {
  if constexpr (sizeof(T) == 4) {
    hn::StoreU(hn::BitCast(Bytes(), words), Bytes(), to);
  } else {
    const Words<std::uint64_t> wide;
    const hn::Half<Lanes> half;
    hn::StoreU(hn::BitCast(Bytes(), hn::PromoteTo(wide, hn::LowerHalf(half, words))), Bytes(), to);
    hn::StoreU(hn::BitCast(Bytes(), hn::PromoteTo(wide, hn::UpperHalf(half, words))), Bytes(), to + kVector);
  }
}

template <class T, bool kLong>
HWY_INLINE void join_lanes(const JoinTile& tile, const std::uint8_t* raw, std::uint64_t top,
                           std::uint8_t* words) {
  const LaneJoiner<kLong> joiner;
  for (std::size_t w = 0; w < kTokensOfJoin; w += kJoined) {
    store_joined<T>(joiner.join(tile, joiner.window(tile, raw, top, w), w), words + w * sizeof(T));
  }
}

HWY_INLINE hn::Mask<Bytes> above_limit(std::uint8_t limit, Vector tokens) {
  const auto most = hn::Set(Bytes(), limit);
  return hn::Not(hn::Eq(hn::Max(tokens, most), most));
}

/// The groups of a tile in which some token has more than 30 raw bits, word by word.
template <class T>
HWY_NOINLINE void join_longest(const TokenRule& rule, const JoinTile& tile, const std::uint8_t* tokens,
                               const RawBits& raw, std::uint64_t top, std::uint8_t* words) {
  for (std::size_t i = 0; i < kTokensOfJoin; i += kVector) {
    std::uint8_t mask[8] = {};
    hn::StoreMaskBits(Bytes(), above_limit(rule.last_in_5, hn::LoadU(Bytes(), tokens + i)), mask);
    for (auto some = get<std::uint32_t>(mask, 0); some != 0;) {
      const std::size_t group = (i + hwy::Num0BitsBelowLS1Bit_Nonzero32(some)) / kGroup;
      const std::uint64_t above = group == 0 ? top : top - tile.down[group - 1];
      join_words_of<T>(rule, tokens, group * kGroup, (group + 1) * kGroup, raw, above, words);
      some &= ~(((1u << kGroup) - 1) << (group * kGroup - i));
    }
  }
}

/// Words of 4 and 8 bytes in whole tiles. Returns how many tokens that are, and moves `top` behind them.
template <class T>
HWY_NOINLINE std::size_t join_tiles(const TokenRule& rule, const std::uint8_t* tokens, std::size_t count,
                                    const RawBits raw, std::uint64_t& top, std::uint8_t* words) {
  const TokenShape shape(rule.code);
  JoinTile tile;
  std::uint64_t above = top;
  std::size_t i = 0;
  for (; i + kTokensOfJoin <= count; i += kTokensOfJoin) {
    std::uint8_t* to = words + i * sizeof(T);
    const std::uint64_t end = above;
    const auto largest = tile.fill(shape, tokens + i, end);
    above -= tile.all();
    if (above == end) {  // no raw bits
      for (std::size_t w = 0; w < kTokensOfJoin; w += kJoined)
        store_joined<T>(widen<std::uint32_t>(tile.lead + w), to + w * sizeof(T));
    } else if (end / 8 + kBlock > raw.size) {
      join_words_of<T>(rule, tokens + i, 0, kTokensOfJoin, raw, end, to);
    } else if (hn::AllFalse(Bytes(), above_limit(rule.last_in_4, largest))) {
      join_lanes<T, false>(tile, raw.bytes, end, to);
    } else {
      join_lanes<T, true>(tile, raw.bytes, end, to);
      if (!hn::AllFalse(Bytes(), above_limit(rule.last_in_5, largest)))
        join_longest<T>(rule, tile, tokens + i, raw, end, to);
    }
  }
  top = above;
  return i;
}

#endif

#if !TDZ_KERNELS_PLAIN && HWY_TARGET == HWY_AVX2 && HWY_ARCH_X86_64

/// Words of 1 and 2 bytes, eight bytes of them at a time: their raw bits lie in one piece of the stream, and
/// one instruction deals them out. That puts the first bits into the highest places, so within eight bytes
/// the words stand in reverse on the way.
inline constexpr std::size_t kTokensOfTile = 256;

/// Bytes of a vector as places within 8 bytes, words in reverse.
template <class T>
HWY_INLINE Vector reverse_words(Vector v) {
  HWY_ALIGN std::uint8_t place[kVector];
  for (std::size_t b = 0; b < kVector; ++b) {
    place[b] = static_cast<std::uint8_t>((b % kBlock) ^ (8 - sizeof(T)));
  }
  return hn::TableLookupBytes(v, hn::Load(Bytes(), place));
}

/// The words without raw bits, and masks of the raw bits, both in reverse within 8 bytes.
template <class T>
struct TokenTile {
  HWY_ALIGN std::uint8_t base[kTokensOfTile * sizeof(T)];
  HWY_ALIGN std::uint8_t mask[kTokensOfTile * sizeof(T)];

  HWY_INLINE void fill(const TokenShape& shape, const std::uint8_t* tokens) {
    HWY_ALIGN std::uint8_t lead[kVector], raw[kVector];
    for (std::size_t i = 0; i < kTokensOfTile; i += kVector) {
      const auto v = hn::LoadU(Bytes(), tokens + i);
      hn::Store(shape.lead(v), Bytes(), lead);
      hn::Store(shape.raw(v), Bytes(), raw);
      for (std::size_t p = 0; p < kVector; p += kVector / sizeof(T)) fill_words(lead + p, raw + p, i + p);
    }
  }

  HWY_INLINE void fill_words(const std::uint8_t* lead, const std::uint8_t* raw, std::size_t i) {
    Vector m;
    const Vector b = shifted(lead, raw, m);
    hn::Store(reverse_words<T>(b), Bytes(), base + i * sizeof(T));
    hn::Store(reverse_words<T>(m), Bytes(), mask + i * sizeof(T));
  }

  /// Words of 1 and 2 bytes have no shift of their own: a table has the powers of two.
  static HWY_INLINE Vector shifted(const std::uint8_t* lead, const std::uint8_t* raw, Vector& m) {
    const Words<std::uint16_t> d;
    HWY_ALIGN static constexpr std::uint8_t kPowers[16] = {1, 2, 4, 8, 16, 32, 64, 128};
    const auto low = hn::LoadDup128(Bytes(), kPowers);
    if constexpr (sizeof(T) == 1) {
      const auto power = hn::TableLookupBytes(low, hn::Load(Bytes(), raw));
      m = hn::Sub(power, hn::Set(Bytes(), 1));
      const auto even = hn::Set(d, 0xFF);
      const auto l = hn::BitCast(d, hn::Load(Bytes(), lead)), p = hn::BitCast(d, power);
      const auto e = hn::And(hn::Mul(hn::And(l, even), hn::And(p, even)), even);
      const auto o = hn::ShiftLeft<8>(hn::Mul(hn::ShiftRight<8>(l), hn::ShiftRight<8>(p)));
      return hn::BitCast(Bytes(), hn::Or(e, o));
    } else {
      // Bits below 8 come from the low byte's table; others from the same table, moved up by 8 bits.
      const auto bits = widen<T>(raw), eight = hn::Set(d, 8);
      const auto high = hn::VecFromMask(d, hn::Eq(hn::And(bits, eight), eight));
      const auto place = hn::And(bits, hn::Set(d, 7));
      const auto power =
          hn::And(hn::BitCast(d, hn::TableLookupBytes(low, hn::BitCast(Bytes(), place))), hn::Set(d, 0xFF));
      const auto both = hn::IfVecThenElse(high, hn::ShiftLeft<8>(power), power);
      m = hn::BitCast(Bytes(), hn::Sub(both, hn::Set(d, 1)));
      return hn::BitCast(Bytes(), hn::Mul(widen<T>(lead), both));
    }
  }
};

/// One tile of words; returns where its bits begin.
template <class T>
HWY_INLINE std::uint64_t join_tile(const TokenTile<T>& tile, const RawBits& raw, std::uint64_t top,
                                   std::uint8_t* words) {
  HWY_ALIGN std::uint8_t dealt[kTokensOfTile * sizeof(T)];
  const bool inside = top / 8 + 8 <= raw.size;
  for (std::size_t p = 0; p < sizeof(dealt); p += 8) {
    const auto mask = get<std::uint64_t>(tile.mask + p, 0);
    const auto count = static_cast<unsigned>(_mm_popcnt_u64(mask));
    top -= count;
    std::uint64_t window;
    if (HWY_LIKELY(inside && count <= 57)) {
      window = get<std::uint64_t>(raw.bytes + top / 8, 0) >> (top % 8);
    } else {
      window = bits_at(raw.bytes, raw.size, top, count);
    }
    put<std::uint64_t>(dealt + p, 0, _pdep_u64(window, mask));
  }
  for (std::size_t p = 0; p < sizeof(dealt); p += kVector) {
    const auto word = hn::Or(hn::Load(Bytes(), dealt + p), hn::Load(Bytes(), tile.base + p));
    hn::StoreU(reverse_words<T>(word), Bytes(), words + p);
  }
  return top;
}

template <class T>
HWY_NOINLINE void join_run_of(const TokenRule& rule, const std::uint8_t* tokens, std::size_t count,
                              const RawBits& raw, std::uint64_t top, std::uint8_t* words) {
  std::size_t i = 0;
  if constexpr (sizeof(T) >= 4) {
    i = join_tiles<T>(rule, tokens, count, raw, top, words);
  } else {
    const TokenShape shape(rule.code);
    TokenTile<T> tile;
    for (; i + kTokensOfTile <= count; i += kTokensOfTile) {
      tile.fill(shape, tokens + i);
      top = join_tile<T>(tile, raw, top, words + i * sizeof(T));
    }
  }
  join_words_of<T>(rule, tokens, i, count, raw, top, words);
}

// ---- and the way there

/// floor(log2 v), 0 for v = 0, of words below 2^32: the exponent of v / 2, whose second bit is cleared so
/// that no rounding reaches the next power.
HWY_INLINE hn::Vec<Words<std::int32_t>> log2_of_words(hn::Vec<Words<std::uint32_t>> v) {
  const Words<std::int32_t> d;
  const Words<float> f;
  const auto half = hn::ShiftRight<1>(v);
  const auto power = hn::ConvertTo(f, hn::BitCast(d, hn::AndNot(hn::ShiftRight<1>(half), half)));
  return hn::Max(hn::Sub(hn::ShiftRight<23>(hn::BitCast(d, power)), hn::Set(d, 126)), hn::Zero(d));
}

/// Words as tokens, and masks of their raw bits.
struct TokenSplit {
  using D = Words<std::uint32_t>;
  using I = Words<std::int32_t>;

  explicit TokenSplit(TokenCode code)
      : m(code.m),
        last_small(hn::Set(I(), code.k - 1)),
        fewest(hn::Set(I(), code.m)),
        first(hn::Set(I(), (1 << code.k) - (code.k << code.m) - (1 << code.m))) {}

  HWY_INLINE hn::Vec<I> split(hn::Vec<D> v, hn::Vec<D>& mask) const {
    const auto f = log2_of_words(v);
    // A word of length k = 0 is one, or zero: its own token, and zero bits are left of it either way.
    const auto large = hn::And(hn::VecFromMask(I(), hn::Gt(f, last_small)),
                               hn::VecFromMask(I(), hn::Ne(hn::BitCast(I(), v), hn::Zero(I()))));
    const auto bits = hn::BitCast(D(), hn::And(hn::Sub(f, fewest), large));
    mask = hn::Sub(hn::Shl(hn::Set(D(), 1), bits), hn::Set(D(), 1));
    const auto offset = hn::And(hn::Add(first, hn::ShiftLeftSame(f, m)), large);
    return hn::Add(hn::BitCast(I(), hn::Shr(v, bits)), offset);
  }

  int m;
  hn::Vec<I> last_small, fewest, first;
};

/// Words of a tile and masks of their raw bits, both in reverse within 8 bytes.
template <class T>
struct SplitTile {
  HWY_ALIGN std::uint8_t word[kTokensOfTile * sizeof(T)];
  HWY_ALIGN std::uint8_t mask[kTokensOfTile * sizeof(T)];

  HWY_INLINE void fill(const TokenSplit& rule, const std::uint8_t* words, std::uint8_t* tokens) {
    const hn::Rebind<T, TokenSplit::D> narrow;
    const hn::Rebind<std::uint8_t, TokenSplit::D> bytes;
    constexpr std::size_t kWords = kVector / 4;
    for (std::size_t i = 0; i < kTokensOfTile; i += kWords) {
      hn::Vec<TokenSplit::D> v, m;
      if constexpr (sizeof(T) == 4) {
        v = hn::BitCast(TokenSplit::D(), hn::LoadU(Bytes(), words + 4 * i));
      } else {
        v = hn::PromoteTo(TokenSplit::D(), hn::LoadU(narrow, words_of<T>(words) + i));
      }
      hn::StoreU(hn::DemoteTo(bytes, rule.split(v, m)), bytes, tokens + i);
      if constexpr (sizeof(T) == 4) {
        hn::Store(hn::BitCast(Bytes(), m), Bytes(), mask + 4 * i);
      } else {
        hn::StoreU(hn::DemoteTo(narrow, hn::BitCast(TokenSplit::I(), m)), narrow,
                   reinterpret_cast<T*>(mask) + i);
      }
    }
    for (std::size_t p = 0; p < sizeof(mask); p += kVector) {
      hn::Store(reverse_words<T>(hn::LoadU(Bytes(), words + p)), Bytes(), word + p);
      hn::Store(reverse_words<T>(hn::Load(Bytes(), mask + p)), Bytes(), mask + p);
    }
  }

  template <class W>
  static HWY_INLINE const W* words_of(const std::uint8_t* words) {
    return reinterpret_cast<const W*>(words);
  }
};

/// Writes downwards, eight bytes at a time, of which the lowest may be nothing yet.
struct WideBitWriter {
  std::uint8_t* end;
  std::uint64_t waiting = 0;  ///< on top
  unsigned count = 0;         ///< fewer than 8 between calls

  /// Precondition: more <= 56; eight bytes lie before `end`.
  HWY_INLINE void append(std::uint64_t bits, unsigned more) {
    waiting |= (bits << 1) << (63 - count - more);
    put<std::uint64_t>(end - 8, 0, waiting);
    count += more;
    end -= count / 8;
    waiting <<= count / 8 * 8;
    count %= 8;
  }
};

template <class T>
HWY_INLINE void append_tile(const SplitTile<T>& tile, WideBitWriter& writer) {
  for (std::size_t p = 0; p < sizeof(tile.mask); p += 8) {
    const auto mask = get<std::uint64_t>(tile.mask + p, 0);
    const std::uint64_t bits = _pext_u64(get<std::uint64_t>(tile.word + p, 0), mask);
    const auto count = static_cast<unsigned>(_mm_popcnt_u64(mask));
    if (HWY_UNLIKELY(count > 56)) {
      writer.append(bits >> 32, count - 32);
      writer.append(bits & 0xFFFFFFFF, 32);
    } else {
      writer.append(bits, count);
    }
  }
}

template <class T>
HWY_INLINE std::size_t split_vectors(const TokenRule& rule, const std::uint8_t* words, std::size_t count,
                                     std::uint8_t* tokens, BitWriter& writer) {
  std::size_t i = 0;
  if constexpr (sizeof(T) < 8) {
    const TokenSplit split(rule.code);
    WideBitWriter wide{writer.end};
    SplitTile<T> tile;
    // A run has room for all bits of its words, and each leaves one of them at least to its token. So 32
    // bytes or more stay free below the raw bits of a tile.
    for (; i + kTokensOfTile <= count; i += kTokensOfTile) {
      tile.fill(split, words + i * sizeof(T), tokens + i);
      append_tile(tile, wide);
    }
    writer = {wide.end, wide.count == 0 ? 0 : wide.waiting >> (64 - wide.count), wide.count};
  }
  return i;
}

#else

template <class T>
HWY_INLINE std::size_t split_vectors(const TokenRule&, const std::uint8_t*, std::size_t, std::uint8_t*,
                                     BitWriter&) {
  return 0;
}

template <class T>
HWY_NOINLINE void join_run_of(const TokenRule& rule, const std::uint8_t* tokens, std::size_t count,
                              const RawBits& raw, std::uint64_t top, std::uint8_t* words) {
  std::size_t i = 0;
#if !TDZ_KERNELS_PLAIN
  if constexpr (sizeof(T) >= 4) i = join_tiles<T>(rule, tokens, count, raw, top, words);
#endif
  join_words_of<T>(rule, tokens, i, count, raw, top, words);
}

#endif

/// A run's tokens to `tokens`; its bits end at `end`. Returns where they begin.
template <class T>
HWY_NOINLINE std::uint8_t* split_run_of(const TokenRule& rule, const std::uint8_t* words, std::size_t count,
                                        std::uint8_t* tokens, std::uint8_t* end) {
  BitWriter writer{end};
  const std::size_t done = split_vectors<T>(rule, words, count, tokens, writer);
  split_words_of<T>(rule, words, done, count, tokens, writer);
  writer.finish();
  return writer.end;
}

}  // namespace HWY_NAMESPACE
}  // namespace tdz::cpu
HWY_AFTER_NAMESPACE();

#endif  // include guard, toggled per target
