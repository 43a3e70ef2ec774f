// SPDX-License-Identifier: Apache-2.0
// Interleaved words to lane behind lane, and back.
#if defined(TDZ_KERNELS_CPU_STEPS_INTERLEAVE_INL_HPP) == defined(HWY_TARGET_TOGGLE)
#ifdef TDZ_KERNELS_CPU_STEPS_INTERLEAVE_INL_HPP
#undef TDZ_KERNELS_CPU_STEPS_INTERLEAVE_INL_HPP
#else
#define TDZ_KERNELS_CPU_STEPS_INTERLEAVE_INL_HPP
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

/// Whole vectors of records, for the tuples that have instructions of their own. Returns the records done.
template <class T>
HWY_NOINLINE std::size_t gather_vectors(const std::uint8_t* words, std::uint8_t* lanes, std::size_t tuple,
                                        const LaneStarts& start) {
  const Words<T> d;
  const std::size_t step = hn::Lanes(d);
  std::size_t i = 0;
  hn::Vec<Words<T> > v[4];
  const auto store = [&](std::size_t lane)
                         HWY_ATTR { hn::StoreU(v[lane], d, words_at<T>(lanes, start(lane) + i)); };
  for (; tuple >= 2 && tuple <= 4 && i + step <= start.records; i += step) {
    const T* from = words_at<T>(words, i * tuple);
    if (tuple == 2) hn::LoadInterleaved2(d, from, v[0], v[1]);
    if (tuple == 3) hn::LoadInterleaved3(d, from, v[0], v[1], v[2]);
    if (tuple == 4) hn::LoadInterleaved4(d, from, v[0], v[1], v[2], v[3]);
    for (std::size_t lane = 0; lane < tuple; ++lane) store(lane);
  }
  return i;
}

template <class T>
HWY_NOINLINE std::size_t scatter_vectors(const std::uint8_t* lanes, std::uint8_t* words, std::size_t tuple,
                                         const LaneStarts& start) {
  const Words<T> d;
  const std::size_t step = hn::Lanes(d);
  std::size_t i = 0;
  const auto load = [&](std::size_t lane)
                        HWY_ATTR { return hn::LoadU(d, words_at<T>(lanes, start(lane) + i)); };
  for (; tuple >= 2 && tuple <= 4 && i + step <= start.records; i += step) {
    T* to = words_at<T>(words, i * tuple);
    if (tuple == 2) hn::StoreInterleaved2(load(0), load(1), d, to);
    if (tuple == 3) hn::StoreInterleaved3(load(0), load(1), load(2), d, to);
    if (tuple == 4) hn::StoreInterleaved4(load(0), load(1), load(2), load(3), d, to);
  }
  return i;
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

}  // namespace HWY_NAMESPACE
}  // namespace tdz::cpu
HWY_AFTER_NAMESPACE();

#endif  // include guard, toggled per target
