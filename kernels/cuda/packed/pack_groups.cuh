// SPDX-License-Identifier: Apache-2.0
// The kernels of pack_groups.hpp. A thread takes a group of 16 words: it reads them and the words before that
// the difference looks at, makes residuals, and packs them. So a thread needs nothing of another one, but the
// bytes before its own bits.
#pragma once

#include "kernels/cuda/digest/block_sums.cuh"
#include "kernels/cuda/frames/place_chunks.cuh"
#include "kernels/cuda/frames/warp_team.cuh"
#include "kernels/cuda/packed/pack_groups.hpp"
#include "kernels/cuda/tile/tile_views.hpp"

namespace tdz::cuda {

inline constexpr unsigned kPackWarps = 4;        ///< of a block; they have nothing in common
inline constexpr unsigned kChooseThreads = 256;  ///< of the block that chooses the widths of a chunk
inline constexpr unsigned kHistory = 8;          ///< words before a group that a thread keeps
inline constexpr unsigned kPieces = kGroupsAPlace / kWarp;

// ---- Residuals

/// 16 words that are packed together. Short words share a register, the first one lowest.
template <class Word>
struct PackedGroup {
  using Part = Sum<Word>;
  static constexpr unsigned kTogether = sizeof(Word) < 4 ? 4 / sizeof(Word) : 1;
  static constexpr unsigned kParts = kWordsOfGroup / kTogether;

  Part part[kParts];

  /// Bits that the widest word needs.
  __device__ unsigned width() const {
    Part all = 0;
#pragma unroll
    for (unsigned i = 0; i < kParts; ++i) all |= part[i];
    if constexpr (sizeof(Word) == 8) {
      return 64u - static_cast<unsigned>(__clzll(static_cast<long long>(all)));
    } else {
      if constexpr (kTogether > 1) all |= all >> 16;
      if constexpr (kTogether > 2) all |= all >> 8;
      return 32u - static_cast<unsigned>(__clz(static_cast<int>(static_cast<Word>(all))));
    }
  }
};

/// a - b, word by word.
template <class Word>
__device__ inline Sum<Word> minus(Sum<Word> a, Sum<Word> b) {
  if constexpr (sizeof(Word) >= 4) {
    return a - b;
  } else {
    const std::uint32_t highest = each_word<Word>(1) << (8 * sizeof(Word) - 1);
    return ((a | highest) - (b & ~highest)) ^ ((a ^ ~b) & highest);
  }
}

/// The groups of a chunk as what is packed: words with difference and zigzag. Words after the last one are 0.
template <class Word>
class ChunkResiduals {
 public:
  using Group = PackedGroup<Word>;
  using Wide = Sum<Word>;

  __device__ ChunkResiduals(const PackBuffers& buffers, const PackChunk& chunk)
      : from_(reinterpret_cast<const Byte*>(buffers.in) + chunk.words_at),
        words_(chunk.words),
        tuple_(buffers.tables.group_tuple),
        of_tuple_(tuple_),
        steps_(buffers.tables.steps),
        code_{buffers.tables.steps.zigzag ? 1u : 0u} {
    const auto address = reinterpret_cast<std::uintptr_t>(from_);
    aligned_ = address % sizeof(Word) == 0;
    in_lines_ = tuple_ == 1 && address % kGranule == 0;
  }

  __device__ Group group(std::uint32_t number) const {
    const std::uint32_t block = of_tuple_.quotient(number), lane = number - block * tuple_;
    const std::uint32_t first = block * kWordsOfGroup * tuple_ + lane;
    if (steps_.order == 0 || steps_.same_lanes) return near<1>(first);
    if (steps_.order * steps_.tuple > kHistory) return far(first);
    if (steps_.tuple == 2) return near<2>(first);
    if (steps_.tuple == 3) return near<3>(first);
    if (steps_.tuple == 4) return near<4>(first);
    return far(first);
  }

  /// 16 bytes of the chunk, all of which it has.
  __device__ uint4 line(std::uint32_t byte) const {
    const auto address = reinterpret_cast<std::uintptr_t>(from_);
    if (address % kGranule == 0) return __ldg(reinterpret_cast<const uint4*>(from_ + byte));
    std::uint32_t part[4] = {};
#pragma unroll 1
    for (unsigned b = 0; b < kGranule; ++b) part[b / 4] |= std::uint32_t{from_[byte + b]} << 8 * (b % 4);
    return make_uint4(part[0], part[1], part[2], part[3]);
  }
  __device__ std::uint32_t bytes() const {
    return words_ * static_cast<std::uint32_t>(sizeof(Word));
  }

 private:
  using Part = typename Group::Part;
  static constexpr unsigned kTogether = Group::kTogether, kParts = Group::kParts;
  static constexpr unsigned kBefore = kHistory / kTogether;  ///< parts
  /// Words of a group, and those before.
  struct Window {
    Part part[kBefore + kParts] = {};
  };

  /// How many words of the group there are that begins with this one.
  __device__ std::uint32_t left(std::uint32_t first) const {
    if (first + (kWordsOfGroup - 1) * tuple_ < words_) return kWordsOfGroup;
    return first >= words_ ? 0 : (words_ - first + tuple_ - 1) / tuple_;
  }
  __device__ Wide word(std::uint32_t at) const {
    return static_cast<Wide>(read_word<sizeof(Word)>(from_ + std::uint64_t{at} * sizeof(Word), aligned_));
  }

  /// The words of the group and those before are `tuple_` apart; of them the difference takes those that are
  /// kApart from one another. It looks at kHistory words at most. A run has a multiple of kShortestRun rows:
  /// so it begins with a group, and all words before the group are of its run, or none is.
  template <unsigned kApart>
  __device__ Group near(std::uint32_t first) const {
    // kApart words are a row, or tuple_ words are.
    const std::uint32_t row = of_tuple_.quotient(first) / kApart, count = left(first);
    const bool begins = row % kShortestRun == 0 && (steps_.run == 0 ? row == 0 : row % steps_.run == 0);
    const unsigned history = begins ? 0 : steps_.order * kApart;
    Window x;
    if (in_lines_ && count == kWordsOfGroup)
      read_lines(first, history, x);
    else
      read_words(first, count, history, x);
    for (unsigned taken = 0; taken < steps_.order; ++taken) {
#pragma unroll
      for (unsigned i = kBefore + kParts; i-- > 0;) x.part[i] = minus<Word>(x.part[i], before<kApart>(x, i));
    }
    Group made;
#pragma unroll
    for (unsigned i = 0; i < kParts; ++i) {
      if constexpr (kTogether > 1)
        made.part[i] = code_.template out_packed<Word>(x.part[kBefore + i]);
      else
        made.part[i] = code_.template out<Word>(x.part[kBefore + i]);
    }
    if (count < kWordsOfGroup) clear_behind(made, count);
    return made;
  }
  /// The words that stand kApart before those of part `i`.
  template <unsigned kApart>
  __device__ static Part before(const Window& x, unsigned i) {
    constexpr unsigned kParting = kApart / kTogether, kShift = kApart % kTogether * 8 * sizeof(Word);
    const Part upper = i + 1 <= kParting ? 0 : x.part[i - kParting];
    if constexpr (kShift == 0) {
      return upper;
    } else {
      return __funnelshift_l(i < kParting + 1 ? 0 : x.part[i - kParting - 1], upper, kShift);
    }
  }
  __device__ static void clear_behind(Group& group, std::uint32_t count) {
#pragma unroll
    for (unsigned j = 0; j < kWordsOfGroup; ++j) {
      constexpr Part kOne = static_cast<Word>(~Word{0});
      if (j >= count)
        group.part[j / kTogether] &= ~(kOne << j % kTogether * 8 * sizeof(Word) % (8 * sizeof(Part)));
    }
  }

  /// 16 words and those before, from aligned addresses on.
  __device__ void read_lines(std::uint32_t first, unsigned history, Window& x) const {
    constexpr unsigned kBytes = kHistory * sizeof(Word);
    const auto read = [&](const Byte* from, Part* to, auto bytes) {
      constexpr unsigned kCount = decltype(bytes)::value;
      if constexpr (kCount < kGranule) {
        const auto two = __ldg(reinterpret_cast<const uint2*>(from));
        to[0] = two.x, to[1] = two.y;
      } else {
#pragma unroll
        for (unsigned i = 0; i < kCount / kGranule; ++i) {
          const uint4 four = __ldg(reinterpret_cast<const uint4*>(from) + i);
          if constexpr (sizeof(Part) == 8) {
            to[2 * i] = std::uint64_t{four.y} << 32 | four.x,
                   to[2 * i + 1] = std::uint64_t{four.w} << 32 | four.z;
          } else {
            to[4 * i] = four.x, to[4 * i + 1] = four.y, to[4 * i + 2] = four.z, to[4 * i + 3] = four.w;
          }
        }
      }
    };
    const Byte* from = from_ + std::uint64_t{first} * sizeof(Word);
    read(from, x.part + kBefore, std::integral_constant<unsigned, 2 * kBytes>{});
    if constexpr (sizeof(Word) < 4) {
      if (history != 0) read(from - kBytes, x.part, std::integral_constant<unsigned, kBytes>{});
    } else {
#pragma unroll
      for (unsigned k = 1; k <= kHistory; ++k)
        if (k <= history) x.part[kBefore - k] = word(first - k);
    }
  }
  __device__ void read_words(std::uint32_t first, std::uint32_t count, unsigned history, Window& x) const {
#pragma unroll
    for (unsigned j = 0; j < kHistory + kWordsOfGroup; ++j) {
      if (j >= kHistory + count || j + history < kHistory) continue;
      const Part word_there = word(first + j * tuple_ - kHistory * tuple_);
      x.part[j / kTogether] |= word_there << j % kTogether * 8 * sizeof(Word) % (8 * sizeof(Part));
    }
  }

  /// The group has 16 neighbours of all lanes, of long tuples or high orders. The difference of order q is a
  /// sum of words of q + 1 rows, with the binomial coefficients.
  __device__ Group far(std::uint32_t first) const {
    const std::uint32_t of_run = steps_.run * steps_.tuple, count = left(first);
    std::uint32_t inside = of_run == 0 ? first : first % of_run;  // the word's number in its run
    Group made = {};
#pragma unroll 1
    for (unsigned j = 0; j < count; ++j, ++inside) {
      Wide sum = 0;
      std::uint32_t binomial = 1;
      for (unsigned k = 0; k <= steps_.order && k * steps_.tuple <= inside; ++k) {
        const Wide term = binomial * word(first + j - k * steps_.tuple);
        sum += k % 2 == 0 ? term : Wide{0} - term;
        binomial = binomial * (steps_.order - k) / (k + 1);
      }
      put(made, j, code_.template out<Word>(sum));
    }
    return made;
  }
  /// Without an index that is known only at run time, which would need memory.
  __device__ static void put(Group& group, unsigned at, Part word) {
#pragma unroll
    for (unsigned j = 0; j < kWordsOfGroup; ++j)
      if (j == at) group.part[j / kTogether] |= word << j % kTogether * 8 * sizeof(Word) % (8 * sizeof(Part));
  }

  const Byte* from_;
  std::uint32_t words_, tuple_;
  Divisor of_tuple_;
  GroupSteps steps_;
  MaybeZigzag code_;
  bool aligned_, in_lines_;
};

/// What a warp does: 256 groups of a chunk, or, as number places(), its headers.
struct PackUnit {
  PackChunk chunk;
  std::uint32_t number, place;
  bool there;

  __device__ PackUnit(const PackTables& tables, std::uint32_t units_of_chunk) {
    const std::uint32_t unit = blockIdx.x * kPackWarps + threadIdx.x / kWarp;
    number = unit / units_of_chunk, place = unit - number * units_of_chunk;
    there = number < tables.chunk_count;
    if (there) chunk = tables.chunks[number];
  }
};

// ---- Measure

/// The widths of 256 groups, and meanwhile, if the words are the values, the rows of the blocks of XXH3 that
/// they fill.
template <class Word>
__global__ void __launch_bounds__(kPackWarps* kWarp)
    measure_groups(const __grid_constant__ PackBuffers buffers, const __grid_constant__ PackSpace space) {
  const PackUnit unit(buffers.tables, buffers.tables.most_places);
  if (!unit.there || unit.place >= unit.chunk.places()) return;
  const ChunkResiduals<Word> residuals(buffers, unit.chunk);
  const unsigned thread = warp_thread();
  std::uint8_t* widths = space.group_widths + std::size_t{unit.chunk.first_place} * kGroupsAPlace;
  const std::uint32_t bytes = buffers.digest_rows == nullptr ? 0 : residuals.bytes();
  const std::uint64_t all_rows = bytes == 0 ? 0 : xxh3::scrambles_of(bytes);
  const std::uint64_t rows_at = first_row({unit.chunk.values_at, bytes}) * xxh3::kStateWords;
  constexpr unsigned kPieceBytes = kWarp * kWordsOfGroup * sizeof(Word);
  constexpr unsigned kOfBlock = kPieceBytes < xxh3::kBlock ? xxh3::kBlock / kPieceBytes : 1;  // pieces
#pragma unroll 1
  for (unsigned p = 0; p < kPieces; ++p) {
    const std::uint32_t piece = unit.place * kPieces + p, group = piece * kWarp + thread;
    if (group < unit.chunk.groups) widths[group] = static_cast<std::uint8_t>(residuals.group(group).width());
    if (p % kOfBlock != kOfBlock - 1) continue;
    std::uint32_t block = piece / kOfBlock * (kOfBlock * kPieceBytes / xxh3::kBlock);
#pragma unroll
    for (unsigned b = 0; b < kOfBlock * kPieceBytes / xxh3::kBlock; ++b, ++block) {
      if (block >= all_rows) break;
      const std::uint32_t byte = block * static_cast<std::uint32_t>(xxh3::kBlock) + kGranule * thread;
      leave_row(buffers.digest_rows + rows_at + block * xxh3::kStateWords, residuals.line(byte),
                residuals.line(byte + kWarp * kGranule), thread);
    }
  }
}

// ---- Choose

/// A block for each chunk.
__global__ void __launch_bounds__(kChooseThreads)
    choose_widths(const __grid_constant__ PackBuffers buffers, const __grid_constant__ PackSpace space) {
  constexpr unsigned kApart = 8;  // counters of a width, so that fewer threads meet in one
  __shared__ std::uint32_t counts[kMostWidthCount * kApart];
  __shared__ std::uint32_t sums[kMostWidthCount];
  __shared__ WidthChoice choice;
  __shared__ unsigned count;
  const PackChunk chunk = buffers.tables.chunks[blockIdx.x];
  const std::uint8_t* widths = space.group_widths + std::size_t{chunk.first_place} * kGroupsAPlace;
  const unsigned thread = threadIdx.x;

  for (unsigned i = thread; i < kMostWidthCount * kApart; i += kChooseThreads) counts[i] = 0;
  __syncthreads();               // publishes the zeros
  constexpr unsigned kEach = 4;  // groups that a thread looks at together; a place has room for all of them
  const auto* fours = reinterpret_cast<const std::uint32_t*>(widths);
#pragma unroll 4
  for (std::uint32_t i = thread; i < (chunk.groups + kEach - 1) / kEach; i += kChooseThreads) {
    const std::uint32_t four = fours[i];
#pragma unroll
    for (unsigned k = 0; k < kEach; ++k)
      if (i * kEach + k < chunk.groups)
        atomicAdd(&counts[(four >> 8 * k & 255) * kApart + thread % kApart], 1u);
  }
  __syncthreads();  // publishes counts
  if (thread < kMostWidthCount) {
    std::uint32_t sum = 0;
    for (unsigned i = 0; i < kApart; ++i) sum += counts[thread * kApart + i];
    sums[thread] = sum;
  }
  __syncthreads();  // publishes sums
  if (thread == 0) {
    const ChosenWidths chosen(sums, 8 * buffers.tables.word, chunk.groups);
    count = chosen.count();
    for (unsigned i = 0; i < kMostWidths; ++i) choice.widths[i] = i < count ? chosen[i] : 0;
    chosen.list_codes(choice.codes);
    space.choices[blockIdx.x] = choice;
  }
  __syncthreads();  // publishes the choice

  // A warp for each place: how long its bits are.
  std::uint32_t* places = space.places + chunk.first_place;
  for (std::uint32_t p = thread / kWarp; p < chunk.places(); p += kChooseThreads / kWarp) {
    std::uint32_t bytes = 0;
#pragma unroll
    for (unsigned i = 0; i < kPieces / kEach; ++i) {
      const std::uint32_t at = (p * kPieces / kEach + i) * kWarp + warp_thread(), four = fours[at];
#pragma unroll
      for (unsigned k = 0; k < kEach; ++k)
        if (at * kEach + k < chunk.groups)
          bytes += kWordsOfGroup / 8 * choice.widths[choice.codes[four >> 8 * k & 255]];
    }
    bytes = WarpTeam::sum(bytes);
    if (warp_thread() == 0) places[p] = bytes;
  }
  __syncthreads();  // publishes the lengths of places
  if (thread >= kWarp) return;
  const std::uint32_t bits = warp_offsets(
      chunk.places(), [&](auto p) { return places[p]; }, [&](auto p, auto at) { places[p] = at; });
  if (thread != 0) return;
  const std::uint32_t original = chunk.words * buffers.tables.word;
  PackedChunk shape;  // how long the substreams before the bits are
  shape.groups = chunk.groups, shape.widths = count;
  const std::uint32_t content = shape.bits_at() + bits;
  const bool is_plain = content >= original;
  const uniform::RawLayout layout{is_plain ? original : content, buffers.tables.segment, 0};
  std::uint32_t room = is_plain ? chunk.plain_room : chunk.room;
  if (room != 0) room += frames::kRoomOfRawFrame * layout.frames();
  buffers.chunks[blockIdx.x] = {room, static_cast<std::uint32_t>(layout.total()), 0};
  buffers.lengths[blockIdx.x] = is_plain ? PackedLengthsOfChunk{} : PackedLengthsOfChunk{count, bits};
}

// ---- Write

/// The content of a chunk's frames.
class FrameContent {
 public:
  __device__ FrameContent(std::byte* frames, const uniform::RawLayout& layout) : frames_(frames) {
    places_.frames = layout;
    if (layout.frames() == 1) places_.only_header = uniform::FrameHeader::length_of(layout.bytes);
  }

  __device__ void put_byte(std::uint32_t at, std::uint32_t value) const {
    frames_[places_.at(at)] = static_cast<std::byte>(value);
  }
  /// By a warp, out of shared memory; `from` is aligned to 4, and 4 more bytes may be read.
  __device__ void put(std::uint32_t at, const std::byte* from, std::uint32_t count) const {
    for (std::uint32_t done = 0; done < count;) {
      const std::uint32_t some = smaller(count - done, places_.side_by_side(at + done));
      put_piece(frames_ + places_.at(at + done), from, done, some);
      done += some;
    }
  }
  /// The headers of frames and blocks, a frame by each thread.
  __device__ void put_headers() const {
    const uniform::RawLayout& layout = places_.frames;
    for (std::uint32_t f = warp_thread(); f < layout.frames(); f += kWarp) {
      const std::uint32_t content = layout.content(f);
      const uniform::FrameHeader header(content, false);
      std::byte* to = frames_ + layout.frame_at(f);
      for (unsigned i = 0; i < header.length; ++i) to[i] = static_cast<std::byte>(header.bytes[i]);
      to += header.length;
      uniform::for_each_raw_block(content, [&](std::uint32_t at, std::uint32_t says, std::uint32_t) {
        for (unsigned i = 0; i < uniform::kBlockHeader; ++i)
          to[at + i] = static_cast<std::byte>(says >> 8 * i);
      });
    }
  }

 private:
  /// Bytes `first` to `first + count` of `from`, which lie side by side. Whole lines of the output are
  /// written by one access each.
  __device__ static void put_piece(std::byte* to, const std::byte* from, std::uint32_t first,
                                   std::uint32_t count) {
    const auto skew = static_cast<std::uint32_t>(reinterpret_cast<std::uintptr_t>(to) % kGranule);
    const std::uint32_t head = smaller(skew == 0 ? 0 : kGranule - skew, count);
    const std::uint32_t lines = (count - head) / kGranule, tail = head + lines * kGranule;
    const unsigned thread = warp_thread();
    if (thread < head) to[thread] = from[first + thread];
    if (tail + thread < count) to[tail + thread] = from[first + tail + thread];
    const auto* words = reinterpret_cast<const std::uint32_t*>(from);
    for (std::uint32_t l = thread; l < lines; l += kWarp) {
      const std::uint32_t at = head + l * kGranule, byte = first + at, shift = byte % 4 * 8;
      const std::uint32_t* w = words + byte / 4;
      *reinterpret_cast<uint4*>(to + at) =
          make_uint4(__funnelshift_r(w[0], w[1], shift), __funnelshift_r(w[1], w[2], shift),
                     __funnelshift_r(w[2], w[3], shift), __funnelshift_r(w[3], w[4], shift));
    }
  }

  std::byte* frames_;
  PackedChunk places_;  ///< its places in the content alone
};

/// Writes bits into shared memory, from an even address on: four bytes at a time, two at the end.
class BitWriter {
 public:
  __device__ explicit BitWriter(std::byte* to)
      : to_(reinterpret_cast<std::uint16_t*>(to)), aligned_(reinterpret_cast<std::uintptr_t>(to) % 4 == 0) {}

  /// At most 32 bits.
  __device__ void put(std::uint32_t value, unsigned bits) {
    bits_ |= std::uint64_t{value} << count_;
    count_ += bits;
    if (count_ < 32) return;
    const auto low = static_cast<std::uint32_t>(bits_);
    if (aligned_)
      *reinterpret_cast<std::uint32_t*>(to_) = low;
    else
      to_[0] = static_cast<std::uint16_t>(low), to_[1] = static_cast<std::uint16_t>(low >> 16);
    to_ += 2, bits_ >>= 32, count_ -= 32;
  }
  /// After 16 words, so that the bits are whole pairs of bytes.
  __device__ void finish() const {
    if (count_ != 0) *to_ = static_cast<std::uint16_t>(bits_);
  }

 private:
  std::uint16_t* to_;
  bool aligned_;
  std::uint64_t bits_ = 0;
  unsigned count_ = 0;  ///< below 32
};

/// Memory of a warp for the bits of 32 groups, and 4 bytes that are read after them.
TDZ_HOST_DEVICE constexpr std::uint32_t piece_bytes(std::uint32_t word) {
  return kWarp * kWordsOfGroup * word + kGranule;
}

/// 256 groups by a warp.
template <class Word>
class GroupWriter {
 public:
  __device__ GroupWriter(const PackBuffers& buffers, const PackSpace& space, const PackUnit& unit,
                         std::byte* memory)
      : unit_(unit),
        lengths_(buffers.lengths[unit.number]),
        residuals_(buffers, unit.chunk),
        choice_(space.choices[unit.number]),
        widths_(space.group_widths + std::size_t{unit.chunk.first_place} * kGroupsAPlace),
        places_(space.places + unit.chunk.first_place),
        content_(buffers.out + buffers.chunks[unit.number].offset,
                 {content_bytes(), buffers.tables.segment, 0}),
        from_(buffers.values + unit.chunk.values_at),
        memory_(memory),
        thread_(warp_thread()) {}

  __device__ void run() {
    if (unit_.place == unit_.chunk.places()) return put_head();
    if (lengths_.widths == 0) return copy();
    const std::uint32_t place = places_[unit_.place];
    if (thread_ < 4)
      content_.put_byte(shape_.places_at() + 4 * unit_.place + thread_, place >> 8 * thread_ & 255);
    std::uint32_t at = shape_.bits_at() + place;
    for (unsigned p = 0; p < kPieces; ++p) {
      const std::uint32_t first = unit_.place * kGroupsAPlace + p * kWarp;
      if (first >= unit_.chunk.groups) break;
      at += pack(first, at);
    }
  }

 private:
  __device__ std::uint32_t content_bytes() {
    shape_.groups = unit_.chunk.groups, shape_.widths = lengths_.widths;
    if (lengths_.widths == 0) return unit_.chunk.words * static_cast<std::uint32_t>(sizeof(Word));
    return shape_.bits_at() + lengths_.bits;
  }

  __device__ void put_head() const {
    content_.put_headers();
    if (thread_ < lengths_.widths) content_.put_byte(thread_, choice_.widths[thread_]);
  }

  /// 32 groups; returns how long their bits are.
  __device__ std::uint32_t pack(std::uint32_t first, std::uint32_t at) const {
    const std::uint32_t group = first + thread_;
    const bool there = group < unit_.chunk.groups;
    const std::uint32_t code = there ? choice_.codes[widths_[group]] : 0;
    const unsigned width = there ? choice_.widths[code] : 0;
    const std::uint32_t own = kWordsOfGroup / 8 * width;
    const std::uint32_t up_to = inclusive_sum(own), all = __shfl_sync(~0u, up_to, kWarp - 1);
    const std::uint32_t next_code = __shfl_xor_sync(~0u, code, 1);
    if (there && thread_ % 2 == 0) content_.put_byte(shape_.codes_at() + group / 2, code | next_code << 4);
    if (width != 0) write_bits(residuals_.group(group), width, memory_ + (up_to - own));
    __syncwarp();  // publishes the bits
    content_.put(at, memory_, all);
    __syncwarp();  // frees the memory
    return all;
  }

  __device__ static void write_bits(const PackedGroup<Word>& group, unsigned width, std::byte* to) {
    BitWriter bits(to);
#pragma unroll
    for (unsigned i = 0; i < PackedGroup<Word>::kParts; ++i) {
      const auto part = group.part[i];
      if constexpr (sizeof(Word) == 8) {
        const unsigned low = smaller(width, 32u);
        bits.put(static_cast<std::uint32_t>(part), low);
        if (width > 32) bits.put(static_cast<std::uint32_t>(part >> 32), width - 32);
      } else if constexpr (sizeof(Word) == 4) {
        bits.put(part, width);
      } else if constexpr (sizeof(Word) == 2) {
        bits.put((part & 0xFFFF) | part >> 16 << width, 2 * width);
      } else {
        const std::uint32_t pairs = (part & 0x00FF00FF) | (part >> 8 & 0x00FF00FF) << width;
        bits.put((pairs & 0xFFFF) | pairs >> 16 << 2 * width, 4 * width);
      }
    }
    bits.finish();
  }

  /// As many bytes as the groups of a place have, as they are. Groups have all words, so places do.
  __device__ void copy() const {
    constexpr std::uint32_t kPiece = kWarp * kWordsOfGroup * sizeof(Word);
    const std::uint32_t bytes = unit_.chunk.words * static_cast<std::uint32_t>(sizeof(Word));
    const bool aligned = reinterpret_cast<std::uintptr_t>(from_) % kGranule == 0;
    for (unsigned p = 0; p < kPieces; ++p) {
      const std::uint32_t first = (unit_.place * kPieces + p) * kPiece;
      if (first >= bytes) break;
      const std::uint32_t count = smaller(bytes - first, kPiece);
      if (aligned && count == kPiece) {
#pragma unroll
        for (std::uint32_t at = thread_ * kGranule; at < kPiece; at += kWarp * kGranule)
          *reinterpret_cast<uint4*>(memory_ + at) = __ldg(reinterpret_cast<const uint4*>(from_ + first + at));
      } else {
        for (std::uint32_t at = thread_; at < count; at += kWarp) memory_[at] = from_[first + at];
      }
      __syncwarp();  // publishes the bytes
      content_.put(first, memory_, count);
      __syncwarp();  // frees the memory
    }
  }

  const PackUnit& unit_;
  PackedLengthsOfChunk lengths_;
  PackedChunk shape_;  ///< where the substreams lie in the content
  ChunkResiduals<Word> residuals_;
  const WidthChoice& choice_;
  const std::uint8_t* widths_;
  const std::uint32_t* places_;
  FrameContent content_;
  const std::byte* from_;  ///< the original
  std::byte* memory_;
  unsigned thread_;
};

template <class Word>
__global__ void __launch_bounds__(kPackWarps* kWarp)
    write_groups(const __grid_constant__ PackBuffers buffers, const __grid_constant__ PackSpace space) {
  const PackUnit unit(buffers.tables, buffers.tables.most_places + 1);
  if (!unit.there || unit.place > unit.chunk.places()) return;
  auto* memory = reinterpret_cast<std::byte*>(launched_shared());
  GroupWriter<Word>(buffers, space, unit, memory + threadIdx.x / kWarp * piece_bytes(sizeof(Word))).run();
}

// ---- The kernels in their order, for the launcher and for a simulated device

/// `launch(kernel, blocks, threads, shared bytes, arguments..)` starts a kernel behind those before it.
template <class Launch>
class PackSequence {
 public:
  PackSequence(const PackBuffers& buffers, Launch& launch)
      : buffers_(buffers), space_(buffers.tables, buffers.scratch), launch_(launch) {}

  /// Everything that is left for the host.
  void results() {
    const std::uint32_t chunks = buffers_.tables.chunk_count;
    call_with_word(buffers_.tables.word, [&]<class Word>() {
      launch_(measure_groups<Word>, blocks(buffers_.tables.most_places), kPackWarps * kWarp, 0, buffers_,
              space_);
    });
    launch_(choose_widths, chunks, kChooseThreads, 0, buffers_, space_);
    launch_(frames::place_chunks, 1, frames::kPlaceThreads, 0, buffers_.chunks, chunks);
  }

  /// Behind results().
  void frames() {
    call_with_word(buffers_.tables.word, [&]<class Word>() {
      launch_(write_groups<Word>, blocks(buffers_.tables.most_places + 1), kPackWarps * kWarp,
              kPackWarps * piece_bytes(sizeof(Word)), buffers_, space_);
    });
  }

 private:
  /// With a warp for each of so many units of each chunk.
  unsigned blocks(std::uint32_t units) const {
    const std::uint64_t warps = std::uint64_t{units} * buffers_.tables.chunk_count;
    return static_cast<unsigned>((warps + kPackWarps - 1) / kPackWarps);
  }

  PackBuffers buffers_;
  PackSpace space_;
  Launch& launch_;
};

}  // namespace tdz::cuda
