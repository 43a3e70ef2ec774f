// SPDX-License-Identifier: Apache-2.0
// The maps of the step `lanes`: interleaved words to lane behind lane, and back; one lane minus another, and
// zigzag of words that do not fill their memory. And words of other widths to machine words, and back.
#if defined(TDZ_KERNELS_CPU_STEPS_LANES_INL_HPP) == defined(HWY_TARGET_TOGGLE)
#ifdef TDZ_KERNELS_CPU_STEPS_LANES_INL_HPP
#undef TDZ_KERNELS_CPU_STEPS_LANES_INL_HPP
#else
#define TDZ_KERNELS_CPU_STEPS_LANES_INL_HPP
#endif

#include "kernels/cpu/steps/words-inl.hpp"
#if !TDZ_KERNELS_PLAIN
#include "kernels/cpu/vectors-inl.hpp"
#endif

HWY_BEFORE_NAMESPACE();
namespace tdz::cpu {
namespace HWY_NAMESPACE {

/// Records of a tile: while one lane of them is written, the others stay in the first-level cache.
inline constexpr std::size_t kRecordsOfTile = 64;

/// Where lanes begin when they lie behind one another: the first `longer` have a word more than `records`.
struct LaneStarts {
  std::size_t records, longer;

  HWY_INLINE std::size_t operator()(std::size_t lane) const { return lane * records + HWY_MIN(lane, longer); }
};

/// The first `count` lanes of records [first, last), lane by lane.
template <class T>
HWY_INLINE void gather_lanes(const std::uint8_t* words, std::uint8_t* lanes, std::size_t count,
                             std::size_t tuple, const LaneStarts& start, std::size_t first,
                             std::size_t last) {
  for (std::size_t lane = 0; lane < count; ++lane) {
    std::uint8_t* to = lanes + start(lane) * sizeof(T);
    for (std::size_t i = first; i < last; ++i) put<T>(to, i, get<T>(words, i * tuple + lane));
  }
}

template <class T>
HWY_INLINE void scatter_lanes(const std::uint8_t* lanes, std::uint8_t* words, std::size_t count,
                              std::size_t tuple, const LaneStarts& start, std::size_t first,
                              std::size_t last) {
  for (std::size_t lane = 0; lane < count; ++lane) {
    const std::uint8_t* from = lanes + start(lane) * sizeof(T);
    for (std::size_t i = first; i < last; ++i) put<T>(words, i * tuple + lane, get<T>(from, i));
  }
}

#if TDZ_KERNELS_PLAIN

template <class T>
HWY_INLINE std::size_t gather_vectors(const std::uint8_t*, std::uint8_t*, std::size_t, const LaneStarts&) {
  return 0;
}

template <class T>
HWY_INLINE std::size_t scatter_vectors(const std::uint8_t*, std::uint8_t*, std::size_t, const LaneStarts&) {
  return 0;
}

#else

template <class T>
HWY_INLINE T* words_at(std::uint8_t* bytes, std::size_t i) {
  return reinterpret_cast<T*>(bytes) + i;
}
template <class T>
HWY_INLINE const T* words_at(const std::uint8_t* bytes, std::size_t i) {
  return reinterpret_cast<const T*>(bytes) + i;
}

/// ARM of 32 bits interleaves words of up to 4 bytes. Highway's emulation needs aligned words, which tuples
/// in a chunk may not be.
template <class T>
inline constexpr bool kHasShortTuples = (!HWY_ARCH_ARM_V7 || sizeof(T) < 8) && HWY_TARGET != HWY_EMU128;

/// Tuples that have instructions of their own. Returns the records done.
template <class T>
HWY_NOINLINE std::size_t gather_short(const std::uint8_t* words, std::uint8_t* lanes, std::size_t tuple,
                                      const LaneStarts& start) {
  const Words<T> d;
  const std::size_t step = hn::Lanes(d);
  std::size_t i = 0;
  hn::Vec<Words<T>> v[4];
  const auto store = [&](std::size_t lane)
                         HWY_ATTR { hn::StoreU(v[lane], d, words_at<T>(lanes, start(lane) + i)); };
  for (; i + step <= start.records; i += step) {
    const T* from = words_at<T>(words, i * tuple);
    if (tuple == 2) hn::LoadInterleaved2(d, from, v[0], v[1]);
    if (tuple == 3) hn::LoadInterleaved3(d, from, v[0], v[1], v[2]);
    if (tuple == 4) hn::LoadInterleaved4(d, from, v[0], v[1], v[2], v[3]);
    for (std::size_t lane = 0; lane < tuple; ++lane) store(lane);
  }
  return i;
}

template <class T>
HWY_NOINLINE std::size_t scatter_short(const std::uint8_t* lanes, std::uint8_t* words, std::size_t tuple,
                                       const LaneStarts& start) {
  const Words<T> d;
  const std::size_t step = hn::Lanes(d);
  std::size_t i = 0;
  const auto load = [&](std::size_t lane)
                        HWY_ATTR { return hn::LoadU(d, words_at<T>(lanes, start(lane) + i)); };
  for (; i + step <= start.records; i += step) {
    T* to = words_at<T>(words, i * tuple);
    if (tuple == 2) hn::StoreInterleaved2(load(0), load(1), d, to);
    if (tuple == 3) hn::StoreInterleaved3(load(0), load(1), load(2), d, to);
    if (tuple == 4) hn::StoreInterleaved4(load(0), load(1), load(2), load(3), d, to);
  }
  return i;
}

/// Longer tuples: 16 bytes of as many records as lanes fit into them are a square, which a transposition
/// turns. A vector holds two squares. The last square overlaps the one before it. A tuple of less than 16
/// bytes carries words of the next record along.
template <class T>
struct Squares {
  static constexpr std::size_t kSide = kBlock / sizeof(T);
  static constexpr std::size_t kStep = kVector / sizeof(T);  ///< records

  std::size_t tuple, records;  ///< records: as many as squares take without a look behind the last word

  Squares(std::size_t tuple_of, const LaneStarts& start) : tuple(tuple_of) {
    const std::size_t behind = tuple < kSide ? kSide / tuple + 1 : 0;
    records = start.records < behind ? 0 : (start.records - behind) / kStep * kStep;
  }

  /// Calls visit(first record, last record, first lane) for tiles of all squares.
  template <class Visit>
  HWY_INLINE void for_each_tile(const Visit& visit) const {
    for (std::size_t i = 0; i < records; i += kRecordsOfTile) {
      const std::size_t last = HWY_MIN(i + kRecordsOfTile, records);
      for (std::size_t lane = 0; lane < tuple; lane += kSide) {
        visit(i, last, lane + kSide <= tuple || tuple < kSide ? lane : tuple - kSide);
      }
    }
  }

  HWY_INLINE std::size_t lanes_of_square() const { return HWY_MIN(tuple, kSide); }
  /// Bytes from a record to the one behind, and from one square of a vector to the other.
  HWY_INLINE std::size_t pitch() const { return tuple * sizeof(T); }
  HWY_INLINE std::size_t square() const { return kSide * pitch(); }
};

template <class T>
HWY_NOINLINE std::size_t gather_squares(const std::uint8_t* words, std::uint8_t* lanes, std::size_t tuple,
                                        const LaneStarts& start) {
  using S = Squares<T>;
  const S squares(tuple, start);
  squares.for_each_tile([&](std::size_t first, std::size_t last, std::size_t lane) HWY_ATTR {
    std::uint8_t* to[S::kSide];
    for (std::size_t p = 0; p < squares.lanes_of_square(); ++p) to[p] = lanes + start(lane + p) * sizeof(T);
    for (std::size_t i = first; i < last; i += S::kStep) {
      const std::uint8_t* from = words + i * squares.pitch() + lane * sizeof(T);
      Vector rows[S::kSide];
      for (std::size_t r = 0; r < S::kSide; ++r) {
        rows[r] = load_blocks(from + r * squares.pitch(), squares.square());
      }
      perfect_shuffle<T, log2_of(S::kSide)>(rows);
      for (std::size_t p = 0; p < squares.lanes_of_square(); ++p) {
        hn::StoreU(rows[p], Bytes(), to[p] + i * sizeof(T));
      }
    }
  });
  return squares.records;
}

template <class T>
HWY_NOINLINE std::size_t scatter_squares(const std::uint8_t* lanes, std::uint8_t* words, std::size_t tuple,
                                         const LaneStarts& start) {
  using S = Squares<T>;
  const S squares(tuple, start);
  squares.for_each_tile([&](std::size_t first, std::size_t last, std::size_t lane) HWY_ATTR {
    const std::uint8_t* from[S::kSide];
    for (std::size_t p = 0; p < S::kSide; ++p) {
      from[p] = lanes + start(lane + HWY_MIN(p, squares.lanes_of_square() - 1)) * sizeof(T);
    }
    for (std::size_t i = first; i < last; i += S::kStep) {
      Vector rows[S::kSide];
      for (std::size_t p = 0; p < S::kSide; ++p) rows[p] = hn::LoadU(Bytes(), from[p] + i * sizeof(T));
      perfect_shuffle<T, log2_of(S::kSide)>(rows);
      // Record behind record: what a short tuple carries along is overwritten.
      std::uint8_t* to = words + i * squares.pitch() + lane * sizeof(T);
      for (std::size_t r = 0; r < S::kSide; ++r) store_lower_block(rows[r], to + r * squares.pitch());
      to += squares.square();
      for (std::size_t r = 0; r < S::kSide; ++r) store_upper_block(rows[r], to + r * squares.pitch());
    }
  });
  return squares.records;
}

/// Whole vectors of records. Returns the records done.
template <class T>
HWY_INLINE std::size_t gather_vectors(const std::uint8_t* words, std::uint8_t* lanes, std::size_t tuple,
                                      const LaneStarts& start) {
  if constexpr (kHasShortTuples<T>) {
    if (tuple <= 4) return gather_short<T>(words, lanes, tuple, start);
  }
  return gather_squares<T>(words, lanes, tuple, start);
}

template <class T>
HWY_INLINE std::size_t scatter_vectors(const std::uint8_t* lanes, std::uint8_t* words, std::size_t tuple,
                                       const LaneStarts& start) {
  if constexpr (kHasShortTuples<T>) {
    if (tuple <= 4) return scatter_short<T>(lanes, words, tuple, start);
  }
  return scatter_squares<T>(lanes, words, tuple, start);
}

#endif

/// The ragged record has its words at the ends of the longer lanes.
template <class T>
HWY_NOINLINE void gather_records(const std::uint8_t* words, std::uint8_t* lanes, std::size_t tuple,
                                 const LaneStarts& start) {
  std::size_t i = gather_vectors<T>(words, lanes, tuple, start);
  for (; i < start.records; i += kRecordsOfTile) {
    gather_lanes<T>(words, lanes, tuple, tuple, start, i, HWY_MIN(i + kRecordsOfTile, start.records));
  }
  gather_lanes<T>(words, lanes, start.longer, tuple, start, start.records, start.records + 1);
}

template <class T>
HWY_NOINLINE void scatter_records(const std::uint8_t* lanes, std::uint8_t* words, std::size_t tuple,
                                  const LaneStarts& start) {
  std::size_t i = scatter_vectors<T>(lanes, words, tuple, start);
  for (; i < start.records; i += kRecordsOfTile) {
    scatter_lanes<T>(lanes, words, tuple, tuple, start, i, HWY_MIN(i + kRecordsOfTile, start.records));
  }
  scatter_lanes<T>(lanes, words, start.longer, tuple, start, start.records, start.records + 1);
}

// ---- One lane minus another

/// x -> code(x - source), all in the lowest `bits` bits.
template <class T>
struct SubtractSource {
  unsigned bits;
  bool zigzag;

  HWY_INLINE T operator()(T x, T source) const {
    const T mask = static_cast<T>(Number{bits, false}.mask());
    const T difference = static_cast<T>(x - source);
    const bool negative = (difference >> (bits - 1) & 1) != 0;
    const T code = static_cast<T>(static_cast<T>(difference + difference) ^ (negative ? mask : 0));
    return static_cast<T>((zigzag ? code : difference) & mask);
  }
#if !TDZ_KERNELS_PLAIN
  HWY_INLINE hn::Vec<Words<T>> operator()(hn::Vec<Words<T>> x, hn::Vec<Words<T>> source) const {
    const Words<T> d;
    const auto mask = hn::Set(d, static_cast<T>(Number{bits, false}.mask()));
    const auto top = hn::Set(d, static_cast<T>(T{1} << (bits - 1)));
    const auto difference = hn::Sub(x, source);
    if (!zigzag) return hn::And(difference, mask);
    const auto sign = hn::VecFromMask(d, hn::TestBit(difference, top));
    return hn::And(hn::Xor(hn::Add(difference, difference), sign), mask);
  }
#endif
};

/// The inverse.
template <class T>
struct AddSource {
  unsigned bits;
  bool zigzag;

  HWY_INLINE T operator()(T code, T source) const {
    const T mask = static_cast<T>(Number{bits, false}.mask());
    const T difference = static_cast<T>((code >> 1) ^ ((code & 1) != 0 ? mask : 0));
    return static_cast<T>(((zigzag ? difference : code) + source) & mask);
  }
#if !TDZ_KERNELS_PLAIN
  HWY_INLINE hn::Vec<Words<T>> operator()(hn::Vec<Words<T>> code, hn::Vec<Words<T>> source) const {
    const Words<T> d;
    const auto mask = hn::Set(d, static_cast<T>(Number{bits, false}.mask()));
    if (!zigzag) return hn::And(hn::Add(code, source), mask);
    const auto sign = hn::Sub(hn::Zero(d), hn::And(code, hn::Set(d, T{1})));
    return hn::And(hn::Add(hn::Xor(hn::ShiftRight<1>(code), sign), source), mask);
  }
#endif
};

/// to[i] = map(from[i], source[i]); may run in place. No source: zeros.
template <class T, class Map>
HWY_NOINLINE void map_pairs(const std::uint8_t* from, const std::uint8_t* source, std::uint8_t* to,
                            std::size_t words, const Map map) {
  std::size_t i = 0;
#if !TDZ_KERNELS_PLAIN
  const Words<T> d;
  constexpr std::size_t kStep = kVector / sizeof(T);
  for (; i + kStep <= words; i += kStep) {
    const auto x = hn::BitCast(d, hn::LoadU(Bytes(), from + i * sizeof(T)));
    const auto m =
        source == nullptr ? hn::Zero(d) : hn::BitCast(d, hn::LoadU(Bytes(), source + i * sizeof(T)));
    hn::StoreU(hn::BitCast(Bytes(), map(x, m)), Bytes(), to + i * sizeof(T));
  }
#endif
  for (; i < words; ++i) put<T>(to, i, map(get<T>(from, i), source == nullptr ? T{0} : get<T>(source, i)));
}

// ---- Words of 3, 5, 6 and 7 bytes to machine words, and back: bytes move within blocks of 16

/// Machine words of `word` bytes whose lowest `width` bytes count.
struct WidthMap {
  std::size_t width, word;

#if !TDZ_KERNELS_PLAIN
  std::size_t words_of_block() const {
    return kBlock / word;
  }
  std::size_t packed_of_block() const {
    return words_of_block() * width;
  }
  /// Blocks of which 16 packed bytes may be read and written, although fewer count.
  std::size_t whole_words(std::size_t words) const {
    const std::size_t step = kVector / word;
    return words < 2 * kBlock ? 0 : (words - kBlock) / step * step;
  }

  /// The place of each byte of one form in the other; 0x80 for none.
  Vector table(bool to_wide) const {
    HWY_ALIGN std::uint8_t place[kVector];
    for (std::size_t b = 0; b < kVector; ++b) place[b] = 0x80;
    for (std::size_t base = 0; base < kVector; base += kBlock) {
      for (std::size_t i = 0; i < words_of_block() * width; ++i) {
        const std::size_t wide = i / width * word + i % width;
        place[base + (to_wide ? wide : i)] = static_cast<std::uint8_t>(to_wide ? i : wide);
      }
    }
    return hn::Load(Bytes(), place);
  }
#endif
};

#if TDZ_KERNELS_PLAIN

HWY_INLINE std::size_t widen_vectors(const WidthMap&, const std::uint8_t*, std::uint8_t*, std::size_t) {
  return 0;
}
HWY_INLINE std::size_t narrow_vectors(const WidthMap&, const std::uint8_t*, std::uint8_t*, std::size_t) {
  return 0;
}

#else

/// Returns the words that are done.
HWY_NOINLINE std::size_t widen_vectors(const WidthMap& map, const std::uint8_t* in, std::uint8_t* out,
                                       std::size_t words) {
  const std::size_t whole = map.whole_words(words), packed = map.packed_of_block();
  const auto table = map.table(true);
  const std::uint8_t* const end = out + whole * map.word;
  for (; out != end; in += kVector / kBlock * packed, out += kVector) {
    hn::StoreU(hn::TableLookupBytesOr0(load_blocks(in, packed), table), Bytes(), out);
  }
  return whole;
}

HWY_NOINLINE std::size_t narrow_vectors(const WidthMap& map, const std::uint8_t* in, std::uint8_t* out,
                                        std::size_t words) {
  const std::size_t whole = map.whole_words(words), packed = map.packed_of_block();
  const auto table = map.table(false);
  const std::uint8_t* const end = in + whole * map.word;
  for (; in != end; in += kVector, out += kVector / kBlock * packed) {
    const auto v = hn::TableLookupBytesOr0(hn::LoadU(Bytes(), in), table);
    store_lower_block(v, out);  // the end of a block is overwritten by the next one
    store_upper_block(v, out + packed);
  }
  return whole;
}

#endif

}  // namespace HWY_NAMESPACE
}  // namespace tdz::cpu
HWY_AFTER_NAMESPACE();

#endif  // include guard, toggled per target
