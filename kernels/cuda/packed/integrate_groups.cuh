// SPDX-License-Identifier: Apache-2.0
// From packed groups to values in one pass: thread blocks unpack tiles of groups, undo zigzag and the
// difference, and join the tiles of a chunk by look-back (look_back.cuh). FORMAT.md, section 3, `packed`. The
// sums of a tile are those of tile_scan.hpp; words stay in registers from the bits to the values.
//
// A block works on one tile after another. While it has one tile in work, it has the number of the tile after
// the next one, reads the codes of the next one, finds where that one's bits lie, and loads them. So it waits
// for memory only where tiles are joined.
//
// Bounds, whatever the file says. The host made the entry (packed_plan.cpp): the content of the frames has
// bits_at() + bits bytes, and lies in the packed bytes as the layout says, even if their headers are wrong. A
// block reads of the content
//   - the widths, of which there are chunk.widths, at most 16;
//   - the codes of groups g < chunk.groups, byte g / 2 of (groups + 1) / 2;
//   - places i < places();
//   - the bits of its groups, only after it was seen that every width is at most the word's, and that the
//     first place and the sum of 2 b over the groups up to the tile's end lie within chunk.bits. So they fit
//     into the memory of a tile too.
// Whole lines of 16 bytes are read, so up to 15 bytes around the packed bytes. A block writes words whose
// number is below chunk.words. A tile that is wrong counts as zeros: the tiles after it wait for its sum.
//
// The first place is held against 0; every other place against the sum of the groups between it and the first
// place that a block reads, by the block whose tile has the last of them; the end of the bits, by the block
// of the last group. So if all blocks find them right, every place is the sum over all groups before.
#pragma once

#include "kernels/cuda/integrate/look_back.cuh"
#include "kernels/cuda/integrate/segment_scan.cuh"
#include "kernels/cuda/packed/group_bits.cuh"
#include "kernels/cuda/packed/packed_chunk.hpp"
#include "kernels/cuda/tile/async_copy.cuh"

namespace tdz::cuda {

/// What the blocks of a launch share.
template <class Total, unsigned Order>
struct GroupSpace {
  std::uint32_t* next_tile = nullptr;  ///< the counter that hands out tiles
  TileStates states;
  const TileWeights<Total, Order>* weights = nullptr;  ///< of each tile of a chunk; of order 1 none
  std::uint32_t tiles_per_chunk = 0;                   ///< of the longest chunk
};

inline constexpr std::uint32_t kNoTile = ~0u;

template <class Word>
struct GroupMemory {
  static constexpr unsigned kWarps = GroupTile::kWarps;
  static constexpr unsigned kMostGroups = kWarps * kWarp * GroupTile::groups_of_segment(sizeof(Word));

  // Of the tile in work, the next one, and the one after that.
  PackedChunk chunk[3];
  struct Claim {
    std::uint32_t tile;   ///< its number in the chunk; kNoTile: all are taken
    std::uint32_t chunk;  ///< its number in the batch
  } claim[3];
  // Of the tile in work, until its words are in registers; then of the next one.
  std::uint32_t groups[kMostGroups];  ///< begin of the bits, counted from the first place, and width
  std::uint32_t fault;
  std::uint32_t base;     ///< the first place
  std::uint32_t ends[2];  ///< of the tile's bits, counted from there
  std::uint8_t widths[kMostWidths];
  std::uint32_t warp_bytes[kWarps];
};

/// A block's other memory. Two parts take turns: a tile's bits, which begin up to 15 bytes after the start,
/// and of which up to 12 bytes more are read; later its values, with a line after each segment of all lanes,
/// so that threads do not meet in a bank. A third part has the words between bits and values, if the lanes of
/// the difference are not those of the groups. Then the totals of the warps, and the carry that enters the
/// tile.
struct GroupMemoryLayout {
  GroupTile tile;
  std::uint32_t order = 0;
  bool has_words = false;

  TDZ_HOST_DEVICE constexpr std::uint32_t carry_bytes() const {
    return order * tile.tuple * sum_bytes(tile.word);
  }
  TDZ_HOST_DEVICE constexpr std::uint32_t part_bytes() const {
    return tile.words() * tile.word + (tile.segments() + 3) * kGranule;
  }
  TDZ_HOST_DEVICE constexpr std::uint32_t totals_at() const { return (has_words ? 3 : 2) * part_bytes(); }
  TDZ_HOST_DEVICE constexpr std::uint32_t entering_at() const {
    return totals_at() + GroupTile::kWarps * carry_bytes();
  }
  TDZ_HOST_DEVICE constexpr std::uint32_t bytes() const { return entering_at() + carry_bytes(); }
};

/// Values of a single lane, in the longest accesses.
template <class Word>
struct LineSink {
  static constexpr unsigned kPack = sizeof(Word) == 1 ? 8 : kGranule / sizeof(Word);
  std::byte* first;

  __device__ void write(std::uint32_t row, const Sum<Word> (&word)[kPack]) const {
    std::byte* to = first + row * sizeof(Word);
    if constexpr (sizeof(Word) == 1) {
      *reinterpret_cast<uint2*>(to) = {packed<Word>({word[0], word[1], word[2], word[3]}),
                                       packed<Word>({word[4], word[5], word[6], word[7]})};
    } else if constexpr (sizeof(Word) == 2) {
      *reinterpret_cast<uint4*>(to) = {packed<Word>({word[0], word[1]}), packed<Word>({word[2], word[3]}),
                                       packed<Word>({word[4], word[5]}), packed<Word>({word[6], word[7]})};
    } else if constexpr (sizeof(Word) == 4) {
      *reinterpret_cast<uint4*>(to) = {word[0], word[1], word[2], word[3]};
    } else {
      *reinterpret_cast<uint4*>(to) = {
          static_cast<std::uint32_t>(word[0]), static_cast<std::uint32_t>(word[0] >> 32),
          static_cast<std::uint32_t>(word[1]), static_cast<std::uint32_t>(word[1] >> 32)};
    }
  }
};

/// A tile of a chunk.
template <class Word>
struct GroupsOfTile {
  const PackedChunk& chunk;
  GroupTile tile;
  std::uint32_t number;  ///< in its chunk
  std::uint32_t slot;    ///< of the states of all tiles: that of the chunk's first one
  bool exists;           ///< false: all chunks are done, or this one is short
  std::uint32_t first;   ///< group

  __device__ std::uint32_t first_place() const { return first / kGroupsAPlace; }
  /// Groups between the first place and the tile.
  __device__ std::uint32_t before() const { return first % kGroupsAPlace; }
  __device__ std::uint32_t count() const { return exists ? smaller(tile.groups(), chunk.groups - first) : 0; }
  /// Groups from the first place to the tile's end.
  __device__ std::uint32_t known() const { return exists ? before() + count() : 0; }
  __device__ std::uint32_t first_word() const { return first * kWordsOfGroup; }
  /// Whether there are fill words.
  __device__ bool ends_chunk() const {
    return first * std::uint64_t{kWordsOfGroup} + tile.words() > chunk.words;
  }
};

/// What one thread of a block does. Order 0: there is no difference.
template <class WordType, unsigned Order>
class GroupIntegrator {
 public:
  using Word = WordType;
  using Total = Sum<Word>;
  using Memory = GroupMemory<Word>;
  static constexpr unsigned kOrder = Order > 0 ? Order : 1;
  static constexpr unsigned kThreads = kWarp * Memory::kWarps;
  using Space = GroupSpace<Total, kOrder>;

  __device__ GroupIntegrator(const GroupBatch& batch, const Space& space, Memory& memory, std::byte* data)
      : batch_(batch),
        space_(space),
        memory_(memory),
        data_(data),
        tile_{sizeof(Word), batch.steps.tuple},
        layout_{tile_, Order, !batch.steps.same_lanes},
        code_{batch.steps.zigzag ? 1u : 0u},
        segment_(threadIdx.x / kWarp * tile_.across() + threadIdx.x % kWarp / batch.steps.tuple),
        lane_(threadIdx.x % kWarp % batch.steps.tuple),
        works_(threadIdx.x % kWarp < tile_.across() * batch.steps.tuple) {}

  __device__ void run() {
    std::uint32_t skew = start();
    for (unsigned i = 0; memory_.claim[i % 3].tile != kNoTile; ++i) {
      const std::uint32_t ticket = threadIdx.x == 0 ? atomicAdd(space_.next_tile, 1u) : 0;
      wait_for_copies();
      __syncthreads();  // publishes the bits, and the chunk of the next tile
      const Tile now = tile(i), next = tile(i + 1);
      const Head head = read_head(next);
      const Rows rows = unpack(now, i, skew);
      const Carry before = Order == 0 ? Carry{} : scan(rows);
      put_head(head);
      if (threadIdx.x == 0) claim(i + 2, ticket);
      __syncthreads();  // publishes totals, the next tile's head, and a claim; frees bits and groups
      load_chunk(i + 2);
      if (Order != 0 && now.exists) join(now);
      find_groups(next, head.codes);
      __syncthreads();  // publishes the carry that enters the tile, and the next tile's groups
      skew = memory_.fault == 0 ? load(next, i + 1) : 0;
      put_values(rows, before, i);
      __syncthreads();  // publishes the values
      if (now.exists) store(now, i);
    }
  }

 private:
  using Tile = GroupsOfTile<Word>;
  using Carry = Polynomial<Total, kOrder>;
  static constexpr unsigned kBits = 8 * sizeof(Word);
  static constexpr unsigned kWidthBits = 8;  ///< of an entry in groups
  static constexpr unsigned kGroups = GroupTile::groups_of_segment(sizeof(Word));
  static constexpr unsigned kRows = GroupTile::rows(sizeof(Word));
  static constexpr unsigned kFours = kWordsOfGroup / 4;
  using Rows = KeptRows<Word, kRows / 4>;

  /// Codes that a thread reads, one after another: an even number, so that they are whole bytes. The codes of
  /// a tile, or those from the first place on.
  static constexpr unsigned kOfTile = kGroups < 2 ? 2 : kGroups;
  static constexpr unsigned kFromPlace = ((Memory::kMostGroups + kGroupsAPlace - 2) / kThreads + 2) / 2 * 2;
  static_assert(kFromPlace * kThreads >= Memory::kMostGroups + kGroupsAPlace - 1 && kFromPlace <= 8);

  __device__ void claim(unsigned i, std::uint32_t ticket) {
    const std::uint32_t tile = ticket / batch_.count;
    memory_.claim[i % 3] = {tile < space_.tiles_per_chunk ? tile : kNoTile, ticket - tile * batch_.count};
  }
  /// Tile `i` of this block.
  __device__ Tile tile(unsigned i) const {
    const auto [number, which] = memory_.claim[i % 3];
    const PackedChunk& chunk = memory_.chunk[i % 3];
    const bool exists = number != kNoTile && number * tile_.groups() < chunk.groups;
    return {chunk, tile_, number, which * space_.tiles_per_chunk, exists, number * tile_.groups()};
  }

  /// All that comes before the first tile; returns where its bits begin.
  __device__ std::uint32_t start() {
    if (threadIdx.x == 0) claim(0, atomicAdd(space_.next_tile, 1u));
    __syncthreads();  // publishes the claim
    load_chunk(0);
    wait_for_copies();
    __syncthreads();  // publishes the chunk
    const Tile first = tile(0);
    const Head head = read_head(first);
    put_head(head);
    // After the first tiles of most other blocks: a block's second tile comes late, and must not be asked for
    // by the first tile of another one.
    if (threadIdx.x == 0) claim(1, atomicAdd(space_.next_tile, 1u));
    __syncthreads();  // publishes the head and the second claim
    load_chunk(1);
    find_groups(first, head.codes);
    __syncthreads();  // publishes the groups
    return memory_.fault == 0 ? load(first, 0) : 0;
  }

  __device__ void load_chunk(unsigned i) const {
    constexpr unsigned kParts = sizeof(PackedChunk) / 8;
    static_assert(sizeof(PackedChunk) % 8 == 0 && kParts <= kWarp);
    const auto [number, which] = memory_.claim[i % 3];
    if (threadIdx.x >= kParts || number == kNoTile) return;
    const auto* from = reinterpret_cast<const std::byte*>(batch_.chunks + which);
    start_copy<8>(reinterpret_cast<std::byte*>(&memory_.chunk[i % 3]) + 8 * threadIdx.x,
                  from + 8 * threadIdx.x);
  }

  __device__ void refuse(const Tile& t) const { atomicOr(batch_.status + t.chunk.chunk, kWrongGroups); }

  // ---- head

  __device__ const std::byte* content(const Tile& t) const { return batch_.packed + t.chunk.packed; }
  /// A byte of the content.
  __device__ std::uint32_t byte_at(const Tile& t, std::uint32_t at) const {
    return static_cast<std::uint32_t>(content(t)[t.chunk.at(at)]);
  }
  __device__ std::uint32_t place_at(const Tile& t, std::uint32_t place) const {
    std::uint32_t value = 0;
    for (unsigned b = 4; b-- > 0;) value = value << 8 | byte_at(t, t.chunk.places_at() + 4 * place + b);
    return value;
  }
  /// Codes of each thread.
  __device__ std::uint32_t each() const { return tile_.is_of_whole_places() ? kOfTile : kFromPlace; }
  /// This thread's first group, counted from the first place.
  __device__ std::uint32_t own_first() const { return threadIdx.x * each(); }

  /// What a thread reads of a tile before its bits.
  struct Head {
    std::uint32_t codes;           ///< 4 bits each
    std::uint32_t width_or_place;  ///< one of the widths, or the first place
  };
  static constexpr unsigned kPlaceThread = kWarp;  // of the second warp: the first one reads widths

  __device__ Head read_head(const Tile& t) const {
    Head head{};
    if (!t.exists) return head;
    const std::uint32_t from = t.chunk.codes_at() + (t.first_place() * kGroupsAPlace + own_first()) / 2;
#pragma unroll
    for (unsigned j = 0; j < kFromPlace; j += 2)
      if (j < each() && own_first() + j < t.known()) head.codes |= byte_at(t, from + j / 2) << (4 * j);
    if (threadIdx.x < t.chunk.widths) head.width_or_place = byte_at(t, threadIdx.x);
    if (threadIdx.x == kPlaceThread) head.width_or_place = place_at(t, t.first_place());
    return head;
  }
  __device__ void put_head(const Head& head) {
    if (threadIdx.x < kMostWidths)
      memory_.widths[threadIdx.x] = static_cast<std::uint8_t>(head.width_or_place);
    if (threadIdx.x == kPlaceThread) memory_.base = head.width_or_place;
  }

  // ---- groups

  /// At most kBits, and more than the one before.
  __device__ bool width_is_right(unsigned i) const {
    return memory_.widths[i] <= kBits && (i == 0 || memory_.widths[i] > memory_.widths[i - 1]);
  }

  /// The width of group own_first() + j. Sets `right` to false where the codes are wrong.
  __device__ std::uint32_t width_of_group(const Tile& t, unsigned j, std::uint32_t codes, bool& right) const {
    if (j >= each() || own_first() + j >= t.known()) return 0;
    const std::uint32_t group = t.first_place() * kGroupsAPlace + own_first() + j,
                        code = codes >> (4 * j) & 15;
    const bool last_half = group + 1 == t.chunk.groups && j % 2 == 0;
    right = right && code < t.chunk.widths && !(last_half && (codes >> (4 * j + 4) & 15) != 0);
    return code < t.chunk.widths ? memory_.widths[code] : 0;
  }

  /// Bytes of the groups before this thread's and with it: `own` is that of each thread.
  __device__ std::uint32_t sum_up_to(std::uint32_t own) {
    const unsigned thread = threadIdx.x % kWarp, warp = threadIdx.x / kWarp;
    std::uint32_t sum = own;
    for (unsigned step = 1; step < kWarp; step *= 2) {
      const std::uint32_t other = __shfl_up_sync(~0u, sum, step);
      if (thread >= step) sum += other;
    }
    if (thread == kWarp - 1) memory_.warp_bytes[warp] = sum;
    __syncthreads();  // publishes the sums of the warps, and that there is no fault
    for (unsigned w = 0; w < warp; ++w) sum += memory_.warp_bytes[w];
    return sum;
  }

  /// Widths of up to 255 may be there before it is known that they are right: the sums stay below 2^19.
  __device__ void find_groups(const Tile& t, std::uint32_t codes) {
    if (threadIdx.x == 0) memory_.fault = 0, memory_.ends[0] = memory_.ends[1] = 0;
    bool right = !t.exists || threadIdx.x >= t.chunk.widths || width_is_right(threadIdx.x);
    std::uint32_t width[kFromPlace], own = 0;
#pragma unroll
    for (unsigned j = 0; j < kFromPlace; ++j) {
      width[j] = width_of_group(t, j, codes, right);
      own += kWordsOfGroup / 8 * width[j];
    }
    std::uint32_t begin = sum_up_to(own) - own;
    const std::uint32_t known = t.known(), before = t.before();
    std::uint32_t of_place = begin;  // where the place ends that ends among these groups
#pragma unroll
    for (unsigned j = 0; j < kFromPlace; ++j) {
      const std::uint32_t group = own_first() + j;
      if (j >= each() || group >= known) break;
      if (group >= before) memory_.groups[group - before] = begin << kWidthBits | width[j];
      if (group == before) memory_.ends[0] = begin;
      begin += kWordsOfGroup / 8 * width[j];
      if ((group + 1) % kGroupsAPlace == 0) of_place = begin;
      if (group + 1 == known) memory_.ends[1] = begin, right = right && end_is_right(t, begin);
    }
    right = right && place_is_right(t, of_place);
    if (threadIdx.x == 0 && t.exists && t.number == 0) right = right && memory_.base == 0;
    if (right) return;
    refuse(t);
    memory_.fault = 1;  // whoever writes it writes the same
  }
  /// The tile's bits, up to so many bytes after the first place, lie in those of the chunk, and end with them
  /// if the groups do.
  __device__ bool end_is_right(const Tile& t, std::uint32_t bytes) const {
    const std::uint32_t bits = t.chunk.bits;
    if (t.first + t.count() == t.chunk.groups) return bytes <= bits && memory_.base == bits - bytes;
    return bytes <= bits && memory_.base <= bits - bytes;
  }
  /// If a place ends among this thread's groups, the next one stands so many bytes after the first.
  __device__ bool place_is_right(const Tile& t, std::uint32_t bytes) const {
    const std::uint32_t next = (own_first() + each()) / kGroupsAPlace, all = t.first_place() + next;
    if (next == own_first() / kGroupsAPlace || next * kGroupsAPlace > t.known()) return true;
    return all >= t.chunk.places() || place_at(t, all) == memory_.base + bytes;
  }

  // ---- load

  __device__ std::byte* part(unsigned i) const {
    return data_ + i % 2 * layout_.part_bytes();
  }

  /// Returns where the bits begin in their part, in bytes. Lines are copied as they lie; where the header of
  /// a block cuts the bits, byte by byte.
  __device__ std::uint32_t load(const Tile& t, unsigned i) const {
    const std::uint32_t count = memory_.ends[1] - memory_.ends[0];
    if (count == 0) return 0;
    std::byte* to = part(i);
    const std::uint32_t first = t.chunk.bits_at() + memory_.base + memory_.ends[0];
    if (count > t.chunk.side_by_side(first)) {
      for (std::uint32_t at = threadIdx.x; at < count; at += kThreads)
        to[at] = static_cast<std::byte>(byte_at(t, first + at));
      return 0;
    }
    const std::byte* from = content(t) + t.chunk.at(first);
    const auto skew = static_cast<std::uint32_t>(reinterpret_cast<std::uintptr_t>(from) % kGranule);
    for (std::uint32_t at = threadIdx.x * kGranule; at < skew + count; at += kThreads * kGranule)
      start_copy<kGranule>(to + at, from - skew + at);
    return skew;
  }

  // ---- unpack

  /// The width of a group of the tile, and the first of its bits in their part. A group that is not there has
  /// no bits.
  struct BitsOfGroup {
    std::uint32_t bit;
    unsigned width;
  };
  __device__ BitsOfGroup bits_of(const Tile& t, std::uint32_t group, std::uint32_t skew) const {
    if (memory_.fault != 0 || group >= t.count()) return {0, 0};
    const std::uint32_t entry = memory_.groups[group];
    return {8 * (skew + (entry >> kWidthBits) - memory_.ends[0]), entry % (1u << kWidthBits)};
  }
  /// The words of a group, with zigzag undone.
  __device__ void unpack_group(const Tile& t, std::uint32_t group, unsigned i, std::uint32_t skew,
                               FourRows<Word>* to) const {
    const GroupBits<Word> bits{reinterpret_cast<const std::uint32_t*>(part(i))};
    const BitsOfGroup at = bits_of(t, group, skew);
#pragma unroll
    for (unsigned f = 0; f < kFours; ++f) to[f] = bits.four(at.bit + 4 * f * at.width, at.width, code_);
  }
  /// Words after the last word of the chunk are zero. In a pass of its own, for the last tile alone.
  __device__ void check_fill(const Tile& t, unsigned i, std::uint32_t skew) const {
    const GroupBits<Word> bits{reinterpret_cast<const std::uint32_t*>(part(i))};
    const std::uint32_t tuple = t.chunk.tuple;
    Word fill = 0;
#pragma unroll 1
    for (std::uint32_t word = threadIdx.x; word < t.count() * kWordsOfGroup; word += kThreads) {
      const std::uint32_t group = word / kWordsOfGroup, row = word % kWordsOfGroup;
      const std::uint32_t block = (t.first + group) / tuple, lane = t.first + group - block * tuple;
      if ((block * kWordsOfGroup + row) * tuple + lane < t.chunk.words) continue;
      const BitsOfGroup at = bits_of(t, group, skew);
      fill = static_cast<Word>(fill | bits.word(at.bit + row * at.width, at.width));
    }
    if (fill != 0) refuse(t);
  }

  /// This thread's segment.
  __device__ Rows unpack(const Tile& t, unsigned i, std::uint32_t skew) const {
    Rows rows{};
    if (t.exists && t.ends_chunk()) check_fill(t, i, skew);
    if (batch_.steps.same_lanes) {
#pragma unroll
      for (unsigned k = 0; k < kGroups; ++k) {
        const std::uint32_t group = (segment_ * kGroups + k) * tile_.tuple + lane_;
        unpack_group(t, works_ ? group : Memory::kMostGroups, i, skew, rows.four + k * kFours);
      }
      return rows;
    }
#pragma unroll 1
    for (std::uint32_t group = threadIdx.x; group < tile_.groups(); group += kThreads) {
      FourRows<Word> four[kFours];
      unpack_group(t, group, i, skew, four);
      put_group(group, four);
    }
    __syncthreads();  // publishes the words
    if (!works_) return rows;
    const Word* own = reinterpret_cast<const Word*>(segment_at(words())) + lane_;
#pragma unroll
    for (unsigned f = 0; f < kRows / 4; ++f) rows.four[f] = four_words(own + 4 * f * tile_.tuple);
    return rows;
  }
  /// Groups of one lane, in the order of words.
  __device__ void put_group(std::uint32_t group, const FourRows<Word> (&four)[kFours]) const {
    const std::uint32_t segment = group / (kGroups * tile_.tuple);
    put_fours(words() + group * kWordsOfGroup * sizeof(Word) + segment * kGranule, four);
  }
  /// Rows of one lane, side by side.
  template <unsigned Fours>
  __device__ static void put_fours(std::byte* to, const FourRows<Word> (&four)[Fours]) {
    uint4 line[sizeof(four) / kGranule];
    memcpy(line, four, sizeof(four));
#pragma unroll
    for (unsigned l = 0; l < sizeof(four) / kGranule; ++l) reinterpret_cast<uint4*>(to)[l] = line[l];
  }
  __device__ FourRows<Word> four_words(const Word* from) const {
    Sum<Word> word[4];
#pragma unroll
    for (unsigned r = 0; r < 4; ++r) word[r] = from[r * tile_.tuple];
    if constexpr (sizeof(Word) == 1) {
      return {{packed<Word>({word[0], word[1], word[2], word[3]})}};
    } else if constexpr (sizeof(Word) == 2) {
      return {{packed<Word>({word[0], word[1]}), packed<Word>({word[2], word[3]})}};
    } else {
      return {{word[0], word[1], word[2], word[3]}};
    }
  }

  // ---- scan

  __device__ std::byte* words() const {
    return data_ + 2 * layout_.part_bytes();
  }
  /// Where this thread's segment of all lanes begins.
  __device__ std::byte* segment_at(std::byte* values) const {
    return values + segment_ * (segment_bytes() + kGranule);
  }
  __device__ std::uint32_t segment_bytes() const {
    return kRows * tile_.tuple * sizeof(Word);
  }

  __device__ Total* totals(unsigned warp) const {
    return reinterpret_cast<Total*>(data_ + layout_.totals_at()) + warp * Order * tile_.tuple;
  }
  __device__ Total* entering() const {
    return totals(Memory::kWarps);
  }

  /// The sum of all segments of this lane before this one in the warp, placed at the tile's first row. Leaves
  /// the warps' totals.
  __device__ Carry scan(const Rows& rows) const {
    const unsigned apart = tile_.tuple, used = tile_.across() * apart;
    const Carry summary = summarise<Total, kOrder, kRows>(rows, Nowhere{});
    const Carry upto = sum_in_warp(moved(summary, kMoves<Total, kOrder, kRows>.back, segment_), apart);
    if (works_ && threadIdx.x % kWarp + apart >= used) {
      for (unsigned k = 0; k < kOrder; ++k) totals(threadIdx.x / kWarp)[k * apart + lane_] = upto.term[k];
    }
    return before_in_warp(upto, apart);
  }

  /// Finds the carry that enters the tile, a warp for each lane.
  __device__ void join(const Tile& t) const {
    using Protocol = LookBack<Word, kOrder>;
    const Protocol chain(space_.states);
    const unsigned thread = threadIdx.x % kWarp;
    for (unsigned lane = threadIdx.x / kWarp; lane < tile_.tuple; lane += Memory::kWarps) {
      Total own = 0;
      for (unsigned w = 0; w < Memory::kWarps && thread < kOrder; ++w)
        own += totals(w)[thread * tile_.tuple + lane];
      if (kOrder > 1) own = Protocol::placed(own, space_.weights[t.number]);
      Total before = 0;
      if (t.number != 0) {
        chain.publish_placed(t.slot + t.number, lane, own, kPublished);
        before = chain.collect_to_sum(t.slot, t.slot + t.number, lane);
      }
      chain.publish_placed(t.slot + t.number, lane, before + own, kPublishedSum);
      if (kOrder > 1) before = Protocol::moved_forward(before, space_.weights[t.number]);
      if (thread < kOrder) entering()[thread * tile_.tuple + lane] = before;
    }
  }

  // ---- store

  /// The carry at the start of this segment.
  __device__ Carry start_state(Carry before) const {
    for (unsigned w = 0; w < threadIdx.x / kWarp; ++w) {
      for (unsigned k = 0; k < kOrder; ++k) before.term[k] += totals(w)[k * tile_.tuple + lane_];
    }
    for (unsigned k = 0; k < kOrder; ++k) before.term[k] += entering()[k * tile_.tuple + lane_];
    return moved(before, kMoves<Total, kOrder, kRows>.forward, segment_);
  }
  __device__ std::byte* values(unsigned i) const {
    return batch_.steps.same_lanes ? part(i) : words();
  }

  __device__ void put_values(const Rows& rows, const Carry& before, unsigned i) const {
    if (!works_) return;
    std::byte* own = segment_at(values(i));
    if constexpr (Order == 0) {
      if (tile_.tuple == 1) return put_fours(own, rows.four);
      put_rows(rows, own, [](Total word) { return word; });
    } else {
      Carry carry = start_state(before);
      put_rows(rows, own, [&](Total word) { return integrate_step(carry, word); });
    }
  }
  template <class Step>
  __device__ void put_rows(const Rows& rows, std::byte* own, const Step& step) const {
    if (tile_.tuple == 1) {
      sweep<Total, kRows>(rows, LineSink<Word>{own}, step);
    } else {
      const WordView<Word, Plain> words{reinterpret_cast<Word*>(own) + lane_, tile_.tuple, Plain{}};
      sweep<Total, kRows>(rows, words, step);
    }
  }

  __device__ void store(const Tile& t, unsigned i) const {
    const std::uint32_t bytes = smaller(tile_.words(), t.chunk.words - t.first_word()) * sizeof(Word);
    Byte* to =
        reinterpret_cast<Byte*>(batch_.out + t.chunk.out) + std::uint64_t{t.first_word()} * sizeof(Word);
    const bool aligned = reinterpret_cast<std::uintptr_t>(to) % kGranule == 0;
    const std::uint32_t lines = aligned ? bytes / kGranule : 0;
    const Divisor of_segment(segment_bytes() / kGranule);
    const std::byte* from = values(i);
    for (std::uint32_t l = threadIdx.x; l < lines; l += kThreads)
      reinterpret_cast<uint4*>(to)[l] = reinterpret_cast<const uint4*>(from)[l + of_segment.quotient(l)];
    for (std::uint32_t at = lines * kGranule + threadIdx.x; at < bytes; at += kThreads)
      to[at] = static_cast<Byte>(from[at + of_segment.quotient(at / kGranule) * kGranule]);
  }

  const GroupBatch& batch_;
  const Space& space_;
  Memory& memory_;
  std::byte* data_;
  GroupTile tile_;
  GroupMemoryLayout layout_;
  MaybeZigzag code_;
  std::uint32_t segment_, lane_;
  bool works_;  ///< whether this thread has a segment
};

__device__ inline std::byte* group_data() {
#ifdef __CUDACC__
  extern __shared__ __align__(128) std::byte group_shared[];
  return group_shared;
#else
  return reinterpret_cast<std::byte*>(simulated::dynamic_shared);
#endif
}

/// Blocks of a multiprocessor, for which registers must suffice.
template <class Word>
inline constexpr unsigned kGroupBlocks = sizeof(Word) == 8 ? 5 : 8;

/// Any number of blocks. They take the tiles of all chunks in turn, as if all chunks were as long as the
/// longest: so the sum before a tile is most often there when it is asked for.
template <class Word, unsigned Order>
__global__ void __launch_bounds__(GroupIntegrator<Word, Order>::kThreads, kGroupBlocks<Word>)
    integrate_groups(const __grid_constant__ GroupBatch batch,
                     const __grid_constant__ GroupSpace<Sum<Word>, (Order > 0 ? Order : 1)> space) {
  __shared__ GroupMemory<Word> memory;
  GroupIntegrator<Word, Order>(batch, space, memory, group_data()).run();
}

/// The weights of every tile of a chunk, a warp for each.
template <class Total, unsigned Order>
__global__ void __launch_bounds__(kWarp)
    weigh_group_tiles(TileWeights<Total, Order>* weights, std::uint32_t rows, std::uint32_t tiles) {
  using Walk = WeightWalk<Total, Order>;
  __shared__ TilePowers<Total, Order> powers;
  __shared__ TileWeights<Total, Order> first;
  Walk::make_powers(powers, rows, tiles);
  Walk::start(first);
  __syncwarp();  // publishes the first tile's
  Walk::advance(weights[blockIdx.x], first, powers, blockIdx.x);
}

}  // namespace tdz::cuda
