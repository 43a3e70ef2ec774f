// SPDX-License-Identifier: Apache-2.0
// From the bits of uniform blocks to values. A warp decodes a group: 8 blocks of 4 streams, a stream a
// thread. Phases: find the streams / make the table / decode and sum / store / judge the ends.
//
// A look-up gives the shape of a word: its mantissa and the number of raw bits behind it; so tokens are never
// written. Differences begin anew in every run, so the sums of a run stay in its thread. Values go through a
// tile of 64 bytes a run: four threads write the 64 bytes of one run.
#pragma once

#include <type_traits>

#include "kernels/cuda/frames/bit_ring.cuh"
#include "kernels/cuda/frames/code_table.cuh"
#include "kernels/cuda/frames/decode_launch.hpp"
#include "kernels/cuda/launch/launch_kernel.cuh"
#include "kernels/cuda/steps/word_access.hpp"
#include "kernels/uniform/places.hpp"

namespace tdz::cuda {

inline constexpr unsigned kTileRow = 64;  ///< bytes of one run in a tile

/// Codes of at most 8 bits are looked up four at a time, others two at a time.
enum class CodeLimit : std::uint8_t { short_codes, any };

/// The entries of words that may have raw bits.
template <class Word, CodeLimit kLimit>
using EntryFor = std::conditional_t<
    kLimit == CodeLimit::short_codes, uniform::WideEntry,
    std::conditional_t<sizeof(Word) <= 2, uniform::EntryOf16,
                       std::conditional_t<sizeof(Word) == 4, uniform::EntryOf32, uniform::EntryOf64>>>;

/// Lines of a ring. Words of 8 bytes take a line in two batches, so theirs are asked for earlier.
inline constexpr unsigned kCodeLines = 2;
template <class Word>
inline constexpr unsigned raw_lines = sizeof(Word) == 8 ? 4 : 2;
/// Batches that are read while a line is under way.
template <class Word>
inline constexpr unsigned fetches_ahead = sizeof(Word) == 8 ? 2 : 1;

template <class WordType, CodeLimit kLimit, class EntryType>
struct RunShape {
  using Word = WordType;
  using Sum = std::conditional_t<sizeof(Word) == 8, std::uint64_t, std::uint32_t>;
  using Entry = EntryType;

  static constexpr bool kHasRaw = Entry::kRawMask != 0;
  static constexpr unsigned kCodesTogether = kLimit == CodeLimit::short_codes ? 4 : 2;
  /// Words whose raw bits are in one peek of 32 bits.
  static constexpr unsigned kRawTogether = sizeof(Word) == 1 ? 4 : sizeof(Word) == 2 ? 2 : 1;
  static constexpr unsigned kRawLines = raw_lines<Word>;
  static constexpr unsigned kAhead = fetches_ahead<Word>;
  /// Values between two fetches.
  static constexpr unsigned kBatch = sizeof(Word) <= 2 ? 16 : 8;
  static_assert((31 + kBatch * (8 * sizeof(Word) - 1)) / 32 <= batch_words(kRawLines, kAhead));
  static_assert((31 + kBatch * uniform::kHeaviest) / 32 <= batch_words(kCodeLines, kAhead));
  static constexpr unsigned kBatches = kTileRow / (kBatch * sizeof(Word));  ///< of a row of the tile
  static constexpr unsigned kWords = kBatch * sizeof(Word) / 4;             ///< of 4 bytes in a batch
  static constexpr unsigned kRowValues = kTileRow / sizeof(Word);
};

/// Where the parts of a warp's shared memory begin.
template <class Word>
struct WarpSpace {
  std::uint32_t raw, codes, tile, list, repeated, table;

  static constexpr std::uint32_t kRepeated = kWarpThreads * 4;  ///< an entry for each thread
  static constexpr std::uint32_t kRaw = kRingBytes<raw_lines<Word>>, kCodes = kRingBytes<kCodeLines>;
  static constexpr std::uint32_t kFixed =
      kRaw + kCodes + kWarpThreads * kTileRow + FetchList::kBytes + kRepeated;

  __device__ explicit WarpSpace(std::uint32_t begin)
      : raw(begin),
        codes(begin + kRaw),
        tile(codes + kCodes),
        list(tile + kWarpThreads * kTileRow),
        repeated(list + FetchList::kBytes),
        table(repeated + kRepeated) {}
};
static_assert(sizeof(TreeSpace) <= kWarpThreads * kTileRow);

/// The bytes of one run in the tile, in granules of 16 bytes that are spread over the banks.
__device__ inline std::uint32_t tile_granule(std::uint32_t tile, unsigned run, unsigned granule) {
  return tile + run * kTileRow + (granule ^ (run / 2 & 3)) * 16;
}

// ---- Tokens that have no codes: raw blocks, remainders

struct PlainTokens {
  const std::uint8_t* at = nullptr;
  std::uint32_t count = 0;  ///< those behind them are words of 0
  std::uint32_t taken = 0;
  bool wrong = false;

  __device__ uniform::TokenShape next(const TokenRules& rules) {
    const std::uint32_t token = taken < count ? *at : 0u;
    at += taken + 1 < count ? 1 : 0;
    ++taken;
    wrong = wrong || token >= rules.tokens;
    return uniform::shape_of_token(rules.k, rules.m, token >= rules.tokens ? 0 : token);
  }
};

// ---- A thread's run

template <class Shape>
struct RunDecoder {
  using Word = typename Shape::Word;
  using Sum = typename Shape::Sum;
  using Entry = typename Shape::Entry;
  static constexpr unsigned kStep = 4;  ///< words that are decoded together

  BitSource<kCodeLines> codes;
  BitSource<Shape::kRawLines> raw;
  PlainTokens plain;
  TokenRules rules;
  std::uint32_t table = 0;
  std::uint32_t unused = 32;  ///< 32 - bits of an index
  std::uint32_t zigzag = 0;
  Sum sum[3] = {};

  __device__ __forceinline__ std::uint32_t look_up(std::uint32_t bits) const {
    return reinterpret_cast<const typename Entry::Word*>(frames_shared +
                                                         table)[__funnelshift_rc(bits, 0, unused)];
  }

  /// The next entries, all from one peek.
  __device__ __forceinline__ void take_codes(std::uint32_t* entry) {
    std::uint32_t bits = codes.peek(), taken = 0;
#pragma unroll
    for (unsigned i = 0; i < Shape::kCodesTogether; ++i) {
      entry[i] = look_up(bits);
      const std::uint32_t own = uniform::code_shift_in<Entry>(entry[i]);
      // Where the code's bits are the lowest 5 of an entry, the shift need not wait for a mask.
      bits = __funnelshift_l(0, bits, Entry::kCodeMask == 31 ? entry[i] : own);
      taken += own;
    }
    codes.skip(taken);
  }
  __device__ __forceinline__ void take_plain(std::uint32_t* entry) {
#pragma unroll
    for (unsigned i = 0; i < Shape::kCodesTogether; ++i)
      entry[i] = uniform::entry_of<Entry>(plain.next(rules), 0);
  }

  /// Words of at most 32 bits.
  template <unsigned kCount>
  __device__ __forceinline__ void add_raw(const std::uint32_t* entry, Sum* word) {
    if constexpr (Shape::kHasRaw) {
      std::uint32_t bits = raw.peek(), taken = 0;
#pragma unroll
      for (unsigned i = 0; i < kCount; ++i) {
        const std::uint32_t own = uniform::raw_shift_in<Entry>(entry[i]);
        word[i] = __funnelshift_l(bits, uniform::mantissa_in<Entry>(entry[i]), own);
        bits = __funnelshift_l(0, bits, own);
        taken += own;
      }
      raw.skip(taken);
    } else {
#pragma unroll
      for (unsigned i = 0; i < kCount; ++i) word[i] = uniform::mantissa_in<Entry>(entry[i]);
    }
  }
  /// A word of 64 bits, in two steps of at most 32.
  __device__ __forceinline__ std::uint64_t add_long_raw(std::uint32_t entry) {
    const std::uint32_t own = uniform::raw_bits_in<Entry>(entry), upper = own / 2, lower = own - upper;
    const std::uint32_t first = __funnelshift_l(raw.peek(), uniform::mantissa_in<Entry>(entry), upper);
    const std::uint32_t spilled = __funnelshift_l(uniform::mantissa_in<Entry>(entry), 0, upper);
    raw.skip(upper);
    const std::uint32_t low = __funnelshift_lc(raw.peek(), first, lower);
    const std::uint32_t high = __funnelshift_lc(first, spilled, lower);
    raw.skip(lower);
    return std::uint64_t{high} << 32 | low;
  }

  /// Adds to the sums. Bits above a word may be anything.
  template <unsigned kOrder>
  __device__ __forceinline__ Sum summed(Sum word) {
    if constexpr (kOrder == 0) {
      return word;
    } else {
      sum[0] += word;
#pragma unroll
      for (unsigned i = 1; i < kOrder; ++i) sum[i] += sum[i - 1];
      return sum[kOrder - 1];
    }
  }
  __device__ __forceinline__ Sum without_zigzag(Sum word) const {
    return (word >> zigzag) ^ (Sum{0} - (word & zigzag));
  }

  /// Undoes zigzag and the difference of four words; `out` takes them side by side. Two or four words that
  /// fit into one register leave zigzag together.
  template <unsigned kOrder>
  __device__ __forceinline__ void put_values(const Sum (&word)[kStep], std::uint32_t* out) {
    if constexpr (sizeof(Word) == 8) {
#pragma unroll
      for (unsigned i = 0; i < kStep; ++i) {
        const Sum value = summed<kOrder>(without_zigzag(word[i]));
        out[2 * i] = static_cast<std::uint32_t>(value);
        out[2 * i + 1] = static_cast<std::uint32_t>(value >> 32);
      }
    } else if constexpr (sizeof(Word) == 4) {
#pragma unroll
      for (unsigned i = 0; i < kStep; ++i) out[i] = summed<kOrder>(without_zigzag(word[i]));
    } else if constexpr (sizeof(Word) == 2) {
      out[0] = pair_of<kOrder>(word[0], word[1]);
      out[1] = pair_of<kOrder>(word[2], word[3]);
    } else {
      const std::uint32_t bytes = packed_bytes(word[0], word[1], word[2], word[3]);
      const std::uint32_t signs = bytes & (zigzag * 0x01010101u);
      const std::uint32_t all = (bytes >> zigzag & ~(zigzag * 0x80808080u)) ^ signs * 0xFF;
      if constexpr (kOrder == 0) {
        out[0] = all;
      } else {
        const Sum a = summed<kOrder>(all), b = summed<kOrder>(all >> 8), c = summed<kOrder>(all >> 16),
                  d = summed<kOrder>(all >> 24);
        out[0] = packed_bytes(a, b, c, d);
      }
    }
  }

  /// The next values, side by side in words of 4 bytes.
  template <unsigned kOrder, bool kHasCodes>
  __device__ __forceinline__ void take_batch(std::uint32_t (&out)[Shape::kWords]) {
    constexpr unsigned kTogether = Shape::kCodesTogether, kRaw = Shape::kRawTogether;
#pragma unroll
    for (unsigned i = 0; i < Shape::kBatch; i += kStep) {
      std::uint32_t entry[kStep];
      Sum word[kStep];
#pragma unroll
      for (unsigned j = 0; j < kStep; j += kTogether) {
        if constexpr (kHasCodes) {
          take_codes(entry + j);
        } else {
          take_plain(entry + j);
        }
      }
      if constexpr (sizeof(Word) == 8) {
#pragma unroll
        for (unsigned j = 0; j < kStep; ++j) word[j] = add_long_raw(entry[j]);
      } else {
#pragma unroll
        for (unsigned j = 0; j < kStep; j += kRaw) add_raw<kRaw>(entry + j, word + j);
      }
      put_values<kOrder>(word, out + i * sizeof(Word) / 4);
    }
  }

 private:
  template <unsigned kOrder>
  __device__ __forceinline__ std::uint32_t pair_of(std::uint32_t first, std::uint32_t second) {
    const std::uint32_t both = __byte_perm(first, second, 0x5410), signs = both & (zigzag * 0x00010001u);
    const std::uint32_t all = (both >> zigzag & ~(zigzag * 0x80008000u)) ^ signs * 0xFFFF;
    if constexpr (kOrder == 0) {
      return all;
    } else {
      const std::uint32_t a = summed<kOrder>(all), b = summed<kOrder>(all >> 16);
      return __byte_perm(a, b, 0x5410);
    }
  }
  __device__ static __forceinline__ std::uint32_t packed_bytes(std::uint32_t a, std::uint32_t b,
                                                               std::uint32_t c, std::uint32_t d) {
    return __byte_perm(__byte_perm(a, b, 0x0040), __byte_perm(c, d, 0x0040), 0x5410);
  }
};

// ---- Stores

/// How the values of a group lie in memory.
struct GroupOutput {
  std::byte* to = nullptr;  ///< word 0 of the group; if the lane is not linear, of its column
  uniform::LanePlace lane;
  std::uint32_t row = 0;      ///< of the lane, with which the group begins
  std::uint32_t words = 0;    ///< of the group
  bool side_by_side = false;  ///< and granules are aligned
  bool strided = false;       ///< and words are aligned

  __device__ std::byte* word(std::uint32_t i) const {
    if (lane.linear != 0) return to + std::uint64_t{i} * lane.stride;
    const std::uint64_t x = lane.first + std::uint64_t{row + i} * lane.tuple;
    return to + x / lane.count * lane.row + x % lane.count * lane.width;
  }
};

template <class Shape>
__device__ void store_granules(const GroupOutput& out, std::uint32_t tile, std::uint32_t done,
                               unsigned thread) {
  const unsigned granule = thread % 4;
  const std::uint32_t run_words = 1u << out.lane.run_log;
#pragma unroll
  for (unsigned first = 0; first < kWarpThreads; first += kWarpThreads / 4) {
    const unsigned run = first + thread / 4;
    const uint4 values = *reinterpret_cast<const uint4*>(frames_shared + tile_granule(tile, run, granule));
    const std::uint32_t word = run * run_words + done;
    if (word < out.words) {
      std::byte* to = out.to + std::uint64_t{word} * sizeof(typename Shape::Word) + granule * 16;
      *reinterpret_cast<uint4*>(to) = values;
    }
  }
}

template <class Word>
__device__ void store_word(std::byte* to, Word word, unsigned width) {
  if (width == sizeof(Word) && reinterpret_cast<std::uint64_t>(to) % sizeof(Word) == 0) {
    *reinterpret_cast<Word*>(to) = word;
    return;
  }
  if (width == 3) return write_bytes<3>(reinterpret_cast<Byte*>(to), word);
  for (unsigned b = 0; b < width; ++b) to[b] = static_cast<std::byte>(word >> (8 * b) & 0xFF);
}

/// Words at equal distances: tuples, columns of one word a row. Every thread has one place in the row of a
/// tile.
template <class Shape>
__device__ void store_strided(const GroupOutput& out, std::uint32_t tile, std::uint32_t done,
                              unsigned thread) {
  using Word = typename Shape::Word;
  constexpr unsigned kTogether =
      kWarpThreads < Shape::kRowValues ? 1 : kWarpThreads / Shape::kRowValues;  // runs at once
  constexpr unsigned kPasses = kWarpThreads < Shape::kRowValues ? Shape::kRowValues / kWarpThreads : 1;
  const std::uint64_t step = std::uint64_t{out.lane.stride} * kTogether << out.lane.run_log;
#pragma unroll
  for (unsigned pass = 0; pass < kPasses; ++pass) {
    const unsigned value = pass * kWarpThreads + thread % Shape::kRowValues, byte = value * sizeof(Word);
    std::uint32_t run = thread / Shape::kRowValues, word = (run << out.lane.run_log) + done + value;
    std::byte* to = out.to + std::uint64_t{word} * out.lane.stride;
#pragma unroll
    for (unsigned i = 0; i < kWarpThreads / kTogether; ++i) {
      const auto found =
          *reinterpret_cast<const Word*>(frames_shared + tile_granule(tile, run, byte / 16) + byte % 16);
      if (word < out.words) *reinterpret_cast<Word*>(to) = found;
      run += kTogether, word += kTogether << out.lane.run_log, to += step;
    }
  }
}

/// The words of all lanes of a tuple: the block's warps hold one lane each, and write lines together. Every
/// thread has one granule of every eighth run.
template <class Shape>
__device__ void store_team(const GroupOutput& out, std::uint32_t tile, std::uint32_t warp_bytes,
                           std::uint32_t done, unsigned team) {
  using Word = typename Shape::Word;
  constexpr unsigned kOfGranule = 16 / sizeof(Word);
  const unsigned warp = threadIdx.x / kWarpThreads, granules = kTileRow / 16 * team;
  const unsigned granule = threadIdx.x % granules;
  const std::byte* first = out.to - warp * sizeof(Word);
  tile -= warp * warp_bytes;  // that of the first lane
#pragma unroll 1
  for (unsigned run = threadIdx.x / granules; run < kWarpThreads; run += 8) {
    unsigned value = granule * kOfGranule / team, lane = granule * kOfGranule % team;
    __align__(16) Word words[kOfGranule];
#pragma unroll
    for (unsigned i = 0; i < kOfGranule; ++i) {
      const unsigned byte = value * sizeof(Word);
      words[i] = *reinterpret_cast<const Word*>(frames_shared + lane * warp_bytes +
                                                tile_granule(tile, run, byte / 16) + byte % 16);
      const bool wraps = ++lane == team;
      value += wraps ? 1 : 0;
      lane = wraps ? 0 : lane;
    }
    const std::uint32_t word = (run << out.lane.run_log) + done;
    if (word < out.words)
      *reinterpret_cast<uint4*>(const_cast<std::byte*>(first) + std::uint64_t{word} * team * sizeof(Word) +
                                granule * 16) = *reinterpret_cast<const uint4*>(words);
  }
}

/// Word by word: columns of records, odd widths, ends of lanes.
template <class Shape>
__device__ void store_words(const GroupOutput& out, std::uint32_t tile, std::uint32_t done, unsigned thread) {
  using Word = typename Shape::Word;
  for (unsigned i = thread; i < kWarpThreads * Shape::kRowValues; i += kWarpThreads) {
    const unsigned run = i / Shape::kRowValues, byte = i % Shape::kRowValues * sizeof(Word);
    const auto value =
        *reinterpret_cast<const Word*>(frames_shared + tile_granule(tile, run, byte / 16) + byte % 16);
    const std::uint32_t word = (run << out.lane.run_log) + done + i % Shape::kRowValues;
    if (word < out.words) store_word(out.word(word), value, out.lane.width);
  }
}

// ---- A group

template <class Shape, bool kTeams>
class GroupDecoder {
 public:
  using Entry = typename Shape::Entry;

  __device__ GroupDecoder(const GroupTables& tables, const DecodeBuffers& buffers, std::uint32_t group,
                          std::uint32_t warp_bytes)
      : tables_(tables),
        buffers_(buffers),
        group_(tables.groups[group]),
        lane_(tables.lanes[group_.lane]),
        warp_bytes_(warp_bytes),
        space_(threadIdx.x / kWarpThreads * warp_bytes),
        list_(space_.list, threadIdx.x % kWarpThreads),
        thread_(threadIdx.x % kWarpThreads) {
    if (thread_ / 4 < group_.blocks) block_ = tables.blocks[group_.first + thread_ / 4];
  }

  __device__ void run() {
    run_.rules = {lane_.k, lane_.m, uniform::tokens_of(lane_.k, lane_.m, 8u * lane_.width)};
    run_.zigzag = lane_.zigzag;
    find_streams();
    list_.fetch_first(run_.codes, run_.raw);
    if (group_.tree != uniform::BlockGroup::kNoTree) prepare_table();
    wait_for_fetches<0>();
    __syncwarp();
    const bool good = __all_sync(~0u, faults_ == 0);
    if constexpr (kTeams) together_ = __syncthreads_and(good && fits_team()) != 0;
    if (good) {
      start_streams();
      decode();
      judge_ends();
    }
    if (faults_ != 0) atomicOr(buffers_.status + lane_.chunk, faults_);
  }

 private:
  __device__ void fault(std::uint32_t why, bool is) { faults_ |= is ? why : 0; }

  // ---- Streams

  __device__ static bool is_remainder(std::uint32_t type) {
    return type == static_cast<std::uint32_t>(uniform::BlockType::remainder);
  }
  __device__ uniform::ListedBlock listed(const uniform::BlockPlace& block) const {
    const auto* at = reinterpret_cast<const std::uint8_t*>(buffers_.packed) + block.at;
    return {at, block.length, static_cast<uniform::BlockType>(block.type), 4u << lane_.run_log,
            block.last != 0};
  }

  __device__ void find_streams() {
    const bool there = thread_ / 4 < group_.blocks;
    const bool remainder = there && is_remainder(block_.type);
    const std::uint32_t number = thread_ % 4, run_words = 1u << lane_.run_log;
    if (there && !remainder) {
      const uniform::ListedBlock block = listed(block_);
      fault(kWrongHeader, !block.header_agrees());
      if (block.has_codes()) {
        find_codes(block, number);
      } else if (block.type == uniform::BlockType::rle) {
        repeat(block.bytes[uniform::kBlockHeader]);
      } else {
        run_.plain.at = block.bytes + uniform::kBlockHeader + number * run_words;
        run_.plain.count = run_words;
        looks_up_ = false;
      }
    }
    if (remainder) {
      const std::uint32_t before = number * run_words,
                          left = block_.length > before ? block_.length - before : 0;
      run_.plain.at = reinterpret_cast<const std::uint8_t*>(buffers_.side) + block_.at + before;
      run_.plain.count = left < run_words ? left : run_words;
    }
    if (is_remainder(__shfl_sync(~0u, block_.type, 0))) {
      looks_up_ = false;
    } else if (!there) {
      repeat(0);
    }
    if (there) find_raw(number);
  }

  /// A table of one entry, whose code has no bits.
  __device__ void repeat(std::uint32_t token) {
    fault(kWrongToken, token >= run_.rules.tokens);
    run_.table = space_.repeated + thread_ * 4;
    const auto shape = uniform::shape_of_token(run_.rules.k, run_.rules.m, token);
    *reinterpret_cast<typename Entry::Word*>(frames_shared + run_.table) = uniform::entry_of<Entry>(shape, 0);
  }

  __device__ void find_codes(const uniform::ListedBlock& block, std::uint32_t number) {
    const uniform::PlaceInBlock stream = block.stream(number);
    fault(kWrongHeader, stream.bytes == 0);
    has_codes_ = true;
    code_bytes_ = stream.bytes;
    if (stream.bytes != 0) run_.codes.open(block.bytes + stream.at, stream.bytes, space_.codes, thread_);
  }

  __device__ void find_raw(std::uint32_t number) {
    const std::byte* all = block_.joined != 0 ? buffers_.joined : buffers_.packed;
    std::uint64_t at = block_.raw_at;
    // Without an index that only the thread knows, block_ stays in registers.
#pragma unroll
    for (std::uint32_t i = 0; i < 4; ++i) {
      if (i < number) at += block_.raw[i];
      if (i == number) raw_bytes_ = block_.raw[i];
    }
    if (!Shape::kHasRaw || raw_bytes_ == 0) return;
    run_.raw.open(reinterpret_cast<const std::uint8_t*>(all) + at, raw_bytes_, space_.raw, thread_);
  }

  /// A stream of codes begins behind the highest bit of its last byte that is set.
  __device__ void start_streams() {
    if (raw_bytes_ != 0 && Shape::kHasRaw) run_.raw.start();
    raw_begin_ = run_.raw.position;  // less than 32, as that of the codes
    if (has_codes_) {
      run_.codes.start();
      const std::uint32_t last = run_.codes.peek() >> 24;
      code_end_ = run_.codes.position + 8 * code_bytes_;
      fault(kWrongStream, last == 0);
      run_.codes.skip(last == 0 ? 0 : __clz(static_cast<int>(last)) - 23);
    }
    list_.fetch(run_.codes, run_.raw);
  }

  // ---- The table

  __device__ void prepare_table() {
    auto& space = *reinterpret_cast<TreeSpace*>(frames_shared + space_.tile);
    const uniform::ListedBlock described = listed(tables_.blocks[group_.tree]);
    const uniform::PlaceInBlock tree = described.tree();
    const bool good = tree.bytes != 0 && read_tree(described.bytes + tree.at, tree.bytes, space, thread_) &&
                      sizeof(typename Entry::Word) << space.tree.longest <= tables_.table_bytes;
    if (!good) return fault(kWrongTree, true);
    fault(kWrongTree, has_codes_ && block_.bits != 0 && block_.bits != space.tree.longest);
    if (has_codes_) run_.table = space_.table, run_.unused = 32 - space.tree.longest;
    auto* table = reinterpret_cast<typename Entry::Word*>(frames_shared + space_.table);
    fault(kWrongToken, !make_table<Entry>(space, table, run_.rules, thread_));
  }

  // ---- Values

  __device__ GroupOutput output() const {
    GroupOutput out;
    out.lane = lane_;
    out.row = group_.row;
    out.words = (4 * group_.blocks) << lane_.run_log;
    if (is_remainder(tables_.blocks[group_.first].type)) out.words = tables_.blocks[group_.first].length;
    out.to = (lane_.to_work != 0 ? buffers_.work : buffers_.values) + lane_.at;
    if (lane_.linear != 0) out.to += std::uint64_t{group_.row} * lane_.stride;
    out.side_by_side = lane_.linear != 0 && lane_.stride == sizeof(typename Shape::Word) &&
                       lane_.width == sizeof(typename Shape::Word) && out.words >> (lane_.run_log + 2) != 0 &&
                       reinterpret_cast<std::uint64_t>(out.to) % 16 == 0;
    out.strided =
        lane_.linear != 0 && lane_.width == sizeof(typename Shape::Word) &&
        (reinterpret_cast<std::uint64_t>(out.to) | lane_.stride) % sizeof(typename Shape::Word) == 0;
    return out;
  }

  /// Whether this group is what its place in a team says, so that the block's warps can store together.
  __device__ bool fits_team() const {
    const std::uint32_t warp = threadIdx.x / kWarpThreads;
    const uniform::BlockGroup& first = tables_.groups[blockIdx.x * tables_.team];
    const GroupOutput out = output();
    const std::uint64_t to = reinterpret_cast<std::uint64_t>(out.to) - warp * sizeof(typename Shape::Word);
    return group_.blocks != 0 && group_.lane == first.lane + warp && group_.row == first.row &&
           group_.blocks == first.blocks && lane_.first == warp && lane_.tuple == tables_.team &&
           out.strided && lane_.stride == tables_.team * sizeof(typename Shape::Word) && to % 16 == 0 &&
           out.words >> (lane_.run_log + 2) != 0;
  }

  __device__ void decode() {
    switch (lane_.order) {
      case 0:
        return decode_runs<0>();
      case 1:
        return decode_runs<1>();
      case 2:
        return decode_runs<2>();
      default:
        return decode_runs<3>();
    }
  }

  template <unsigned kOrder>
  __device__ __forceinline__ void decode_runs() {
    const GroupOutput out = output();
    const FetchList list = list_;
    RunDecoder<Shape> run = run_;  // in registers
    const bool looks_up = looks_up_, together = together_;
    const std::uint32_t words = 1u << lane_.run_log, tile = space_.tile;
    const unsigned thread = thread_;
    for (std::uint32_t done = 0; done < words; done += Shape::kRowValues) {
#pragma unroll 1
      for (unsigned batch = 0; batch < Shape::kBatches; ++batch) {
        wait_for_fetches<Shape::kAhead>();
        __syncwarp();  // publishes the lines that this batch may need; the tile is free
        std::uint32_t values[Shape::kWords];
        if (looks_up) {
          run.template take_batch<kOrder, true>(values);
        } else {
          run.template take_batch<kOrder, false>(values);
        }
        put_in_tile(values, tile, thread, batch);
        list.fetch(run.codes, run.raw);
      }
      __syncwarp();  // publishes the tile
      if (kTeams && together) {
        __syncthreads();  // publishes the tiles of all lanes
        store_team<Shape>(out, tile, warp_bytes_, done, tables_.team);
        __syncthreads();  // frees them
      } else if (out.side_by_side) {
        store_granules<Shape>(out, tile, done, thread);
      } else if (out.strided) {
        store_strided<Shape>(out, tile, done, thread);
      } else {
        store_words<Shape>(out, tile, done, thread);
      }
    }
    wait_for_fetches<0>();  // nothing is under way into memory that the next block may get
    run_ = run;
  }

  __device__ __forceinline__ static void put_in_tile(const std::uint32_t (&values)[Shape::kWords],
                                                     std::uint32_t tile, unsigned thread, unsigned batch) {
#pragma unroll
    for (unsigned g = 0; g < Shape::kWords / 4; ++g) {
      const std::uint32_t at = tile_granule(tile, thread, batch * (Shape::kWords / 4) + g);
      *reinterpret_cast<uint4*>(frames_shared + at) =
          make_uint4(values[4 * g], values[4 * g + 1], values[4 * g + 2], values[4 * g + 3]);
    }
  }

  // ---- Ends

  __device__ void judge_ends() {
    fault(kWrongStream, has_codes_ && run_.codes.taken() != code_end_);
    fault(kWrongToken, run_.plain.wrong);
    if (!Shape::kHasRaw) return fault(kWrongRawBits, raw_bytes_ != 0);
    const std::uint32_t taken = run_.raw.taken() - raw_begin_, unused = 8 * raw_bytes_ - taken;
    fault(kWrongRawBits, taken > 8 * raw_bytes_ || unused > 7);
    if (unused > 0 && unused < 8) fault(kWrongRawBits, run_.raw.peek() >> (32 - unused) != 0);
  }

  const GroupTables& tables_;
  const DecodeBuffers& buffers_;
  const uniform::BlockGroup group_;
  const uniform::LanePlace lane_;
  const std::uint32_t warp_bytes_;
  const WarpSpace<typename Shape::Word> space_;
  const FetchList list_;
  const unsigned thread_;
  uniform::BlockPlace block_{};
  RunDecoder<Shape> run_;
  bool has_codes_ = false;
  bool together_ = false;  ///< the warps of the block store together
  bool looks_up_ = true;   ///< entries come from a table: that of a tree, or one of one entry
  std::uint32_t code_bytes_ = 0, code_end_ = 0, raw_bytes_ = 0, raw_begin_ = 0;
  std::uint32_t faults_ = 0;
};

template <class Shape, bool kTeams>
__device__ void decode_group(const GroupTables& tables, const DecodeBuffers& buffers, std::uint32_t group,
                             std::uint32_t warp_bytes) {
  GroupDecoder<Shape, kTeams>(tables, buffers, group, warp_bytes).run();
}

/// `kTeams`: the block's warps may store together; without that, code and registers are fewer.
template <class Word, CodeLimit kLimit, bool kTeams>
__global__ void __launch_bounds__(128)
    decode_groups(GroupTables tables, DecodeBuffers buffers, std::uint32_t warp_bytes) {
  const std::uint32_t warp = threadIdx.x / kWarpThreads,
                      group = blockIdx.x * (blockDim.x / kWarpThreads) + warp;
  if (group >= tables.count) return;
  const uniform::LanePlace& column = tables.lanes[tables.groups[group].lane];
  const auto decode = [&]<class Entry>() {
    decode_group<RunShape<Word, kLimit, Entry>, kTeams>(tables, buffers, group, warp_bytes);
  };
  if constexpr (sizeof(Word) == 1) {
    if (column.m == 7)  // and so is k: bytes are their own tokens
      return decode.template operator()<uniform::PlainEntry>();
  }
  if constexpr (sizeof(Word) == 8 && kLimit == CodeLimit::any) {
    if (column.k == 7) return decode.template operator()<uniform::WideEntry>();
  }
  decode.template operator()<EntryFor<Word, kLimit>>();
}

// ---- The launcher of the groups of one word; one source file for each word instantiates it

/// Warps of a block work together only in teams. Without teams, more than one warp saves blocks; fewer warps
/// leave less shared memory unused. H200, 2026-11.
template <class Word>
inline constexpr unsigned kDecodeWarps = sizeof(Word) == 8 ? 1 : 2;

template <class Word, CodeLimit kLimit>
cudaError_t launch_groups_with(const GroupTables& tables, const DecodeBuffers& buffers, cudaStream_t stream) {
  GroupTables sized = tables;
  sized.table_bytes = static_cast<std::uint32_t>(sizeof(typename EntryFor<Word, kLimit>::Word))
                      << tables.code_limit;
  const std::uint32_t warp_bytes =
      (WarpSpace<Word>::kFixed + sized.table_bytes + kMostRing - 1) / kMostRing * kMostRing;
  const std::uint32_t warps = tables.team > 1 ? tables.team : kDecodeWarps<Word>;
  const std::uint32_t blocks = (tables.count + warps - 1) / warps;
  const auto kernel =
      tables.team > 1 ? decode_groups<Word, kLimit, true> : decode_groups<Word, kLimit, false>;
  return launch_shared(kernel, blocks, warps * kWarpThreads, warps * warp_bytes, stream, sized, buffers,
                       warp_bytes);
}

template <class Word>
cudaError_t launch_groups(const GroupTables& tables, const DecodeBuffers& buffers, cudaStream_t stream) {
  if (tables.code_limit <= 8)
    return launch_groups_with<Word, CodeLimit::short_codes>(tables, buffers, stream);
  return launch_groups_with<Word, CodeLimit::any>(tables, buffers, stream);
}

}  // namespace tdz::cuda
