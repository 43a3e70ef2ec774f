// SPDX-License-Identifier: Apache-2.0
// From packed groups to values: warps unpack groups, undo zigzag and the difference, and write the values.
// FORMAT.md, section 3, `packed`. A warp walks a stretch of rows, piece by piece: it has the words of a piece
// in registers while the bits of the next one are on their way, and carries the sums from piece to piece. No
// warp waits for another one.
//
// A place says where the bits of a stretch begin, or those of a few groups before it, whose widths are
// summed. What enters a stretch is zero where a run of the difference begins. If the difference has no runs,
// the stretches are summed first (GroupTask::sum), and their sums are joined (join_stretches). That reads the
// bits twice, but the values once, and they are more.
//
// Bounds, whatever the file says. The host made the entry (packed_plan.cpp): the content of the frames has
// bits_at() + bits bytes, and lies in the packed bytes as the layout says, even if their headers are wrong. A
// warp reads of the content
//   - the widths, of which there are chunk.widths, at most 16;
//   - the codes of groups g < chunk.groups, byte g / 2 of (groups + 1) / 2;
//   - places i < places();
//   - the bits of a piece, only after it was seen that every width is at most the word's, and that the place
//     and the sum of 2 b over the groups up to the piece's end lie within chunk.bits. So they fit into the
//     memory of a piece too.
// Whole lines of 16 bytes are read, so up to 15 bytes around the packed bytes. A warp writes words whose
// number is below chunk.words. Where it finds a fault, it stops: the status tells that the values are none.
//
// Place 0 is held against 0; every other place, and the end of the bits, against the place before and the sum
// of the groups between, by the warp that has the last of these groups. So if all warps find them right,
// every place is the sum over all groups before.
#pragma once

#include "kernels/cuda/digest/block_sums.cuh"
#include "kernels/cuda/frames/warp_team.cuh"
#include "kernels/cuda/integrate/segment_scan.cuh"
#include "kernels/cuda/packed/packed_chunk.hpp"
#include "kernels/cuda/steps/word_access.hpp"
#include "kernels/cuda/tile/async_copy.cuh"
#include "kernels/cuda/tile/tile_views.hpp"

namespace tdz::cuda {

/// Words of a group, taken out of the bits that a thread block has in shared memory. The bits begin anywhere
/// in them; up to 12 bytes past the last word are read.
template <class Word>
struct GroupBits {
  static constexpr unsigned kBits = 8 * sizeof(Word);
  static constexpr unsigned kSide = FourRows<Word>::kSide;  ///< words that share a register
  const std::uint32_t* memory;

  /// `width` bits from this bit on, at most kBits.
  TDZ_HOST_DEVICE Word word(std::uint32_t bit, unsigned width) const {
    const std::uint32_t* words = memory + bit / 32;
    const std::uint32_t low = shifted(words[0], words[1], bit % 32);
    if constexpr (sizeof(Word) < 8) {
      return static_cast<Word>(low & static_cast<std::uint32_t>((std::uint64_t{1} << width) - 1));
    } else {
      const std::uint64_t high = shifted(words[1], words[2], bit % 32);
      const std::uint64_t mask = width == 0 ? 0 : ~std::uint64_t{0} >> (64 - width);
      return (high << 32 | low) & mask;
    }
  }

  /// Four words, one after another, with zigzag undone where `code` is on.
  TDZ_HOST_DEVICE FourRows<Word> four(std::uint32_t bit, unsigned width, MaybeZigzag code) const {
    FourRows<Word> made;
#ifdef __CUDA_ARCH__
#pragma unroll
#endif
    for (unsigned i = 0; i < 4 / kSide; ++i) {
      const std::uint32_t at = bit + i * kSide * width;
      if constexpr (sizeof(Word) < 4) {
        made.part[i] = code.template in_packed<Word>(short_words(at, width));
      } else if constexpr (sizeof(Word) == 4) {
        made.part[i] = code.template in<Word>(word(at, width));
      } else {
        const std::uint64_t bits = word(at, width);
        made.part[i] =
            code.in_halves(static_cast<std::uint32_t>(bits), static_cast<std::uint32_t>(bits >> 32));
      }
    }
    return made;
  }

 private:
  TDZ_HOST_DEVICE static std::uint32_t shifted(std::uint32_t low, std::uint32_t high, unsigned by) {
#ifdef __CUDA_ARCH__
    return __funnelshift_r(low, high, by);
#else
    return static_cast<std::uint32_t>((std::uint64_t{high} << 32 | low) >> by);
#endif
  }
  /// As many words as 4 bytes hold: packed, they are 32 bits at most.
  TDZ_HOST_DEVICE std::uint32_t short_words(std::uint32_t bit, unsigned width) const {
    const std::uint32_t bits = shifted(memory[bit / 32], memory[bit / 32 + 1], bit % 32);
    const std::uint32_t mask = (1u << width) - 1;
    std::uint32_t made = bits & mask;
#ifdef __CUDA_ARCH__
#pragma unroll
#endif
    for (unsigned k = 1; k < kSide; ++k) made |= (bits >> (k * width) & mask) << (k * kBits);
    return made;
  }
};

/// Carries that enter stretches, by chunk, stretch and lane; first they are the sums of the stretches.
template <class Total, unsigned Order>
struct Stretches {
  std::uint32_t count = 1;                      ///< in the chunk that has the most
  std::uint32_t groups = 0;                     ///< of a stretch, a multiple of kGroupsAPlace
  Polynomial<Total, Order>* carries = nullptr;  ///< null: each stretch begins with zero
};

/// What a warp does with the values.
enum class GroupTask { sum, write };

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

/// One thread of a warp. Order 0: there is no difference. OneLane: the tuple is 1.
template <class WordType, unsigned Order, bool OneLane>
class GroupWalker {
 public:
  using Word = WordType;
  using Total = Sum<Word>;
  static constexpr unsigned kOrder = Order > 0 ? Order : 1;
  using Carry = Polynomial<Total, kOrder>;
  using Space = Stretches<Total, kOrder>;

  /// `stretch` counts those of all chunks, as if all had as many as the longest one. `memory`: of this warp,
  /// GroupPiece::memory_bytes().
  __device__ GroupWalker(const GroupBatch& batch, const Space& space, std::uint32_t stretch,
                         std::byte* memory)
      : batch_(batch),
        space_(space),
        memory_(memory),
        number_(stretch),
        tuple_(OneLane ? 1 : batch.steps.tuple),
        thread_(threadIdx.x % kWarp),
        segment_(OneLane ? thread_ : thread_ / tuple_),
        lane_(OneLane ? 0 : thread_ % tuple_),
        piece_{sizeof(Word), tuple_},
        code_{batch.steps.zigzag ? 1u : 0u} {}

  template <GroupTask Task>
  __device__ void run() {
    if (!open()) return;
    read_head();
    Groups now = find(0, codes(0));
    if (!start(now, 0)) return;
    std::uint32_t next_codes = codes(1);
    Carry carry = Task == GroupTask::write && space_.carries != nullptr ? *own_carry() : Carry{};
    for (unsigned p = 0;; ++p) {
      wait_for_copies();
      __syncwarp();  // publishes the piece's bits, and frees the other part
      const bool last = p + 1 == pieces_;
      Groups next;
      if (!last) {
        next = find(p + 1, next_codes);
        if (!start(next, p + 1)) return;
        next_codes = codes(p + 2);
      }
      Rows rows = unpack(now, p);
      __syncwarp();  // frees the bits for words
      if constexpr (!OneLane) rows = exchange(rows, p);
      walk<Task>(rows, carry, p);
      if (last) break;
      now = next;
    }
    if constexpr (Task == GroupTask::sum) {
      if (segment_ == 0) *own_carry() = carry;
    }
  }

 private:
  static constexpr unsigned kBits = 8 * sizeof(Word);
  static constexpr unsigned kGroups = GroupPiece::groups_of_segment(sizeof(Word));
  static constexpr unsigned kRows = GroupPiece::rows(sizeof(Word));
  static constexpr unsigned kFours = kWordsOfGroup / 4;
  static constexpr unsigned kLines = kWarp * kRows * sizeof(Word) / kGranule;  ///< of a piece of 32 segments
  using Rows = KeptRows<Word, kRows / 4>;

  /// This thread's groups of a piece.
  struct Groups {
    std::uint32_t bit = 0;               ///< the first one's, counted from the part where the bits are
    std::uint32_t widths = 0;            ///< a byte each
    std::uint32_t first = 0, bytes = 0;  ///< of the bits of the piece, counted from the chunk's
    bool right = true;
  };

  // ---- The stretch

  __device__ bool open() {
    const std::uint32_t which = number_ / space_.count;
    chunk_ = batch_.chunks[which];
    const std::uint32_t stretch = number_ - which * space_.count;
    // Below 2^32: a chunk has at most kMostStepWords words, and the last stretch begins in the longest one.
    first_group_ = stretch * space_.groups;
    if (first_group_ >= chunk_.groups) return false;
    groups_ = smaller(space_.groups, chunk_.groups - first_group_);
    pieces_ = (groups_ + piece_.groups() - 1) / piece_.groups();
    return true;
  }
  __device__ Carry* own_carry() const { return space_.carries + number_ * std::size_t{tuple_} + lane_; }
  __device__ std::uint32_t group_behind() const { return first_group_ + groups_; }
  __device__ bool ends_chunk() const { return group_behind() == chunk_.groups; }
  /// Whether the stretch ends where the file says what its groups sum up to.
  __device__ bool knows_end() const { return ends_chunk() || group_behind() % kGroupsAPlace == 0; }
  /// Whether this thread has a segment: all have one, if the tuple divides 32.
  __device__ bool works() const { return OneLane || thread_ < piece_.segments() * tuple_; }

  __device__ void refuse() const {
    if (thread_ == 0) atomicOr(batch_.status + chunk_.chunk, static_cast<std::uint32_t>(kWrongGroups));
  }

  // ---- Head

  __device__ const std::byte* content() const { return batch_.packed + chunk_.packed; }
  /// A byte of the content.
  __device__ std::uint32_t byte_at(std::uint32_t at) const {
    return static_cast<std::uint32_t>(content()[chunk_.at(at)]);
  }
  __device__ std::uint32_t place_at(std::uint32_t place) const {
    std::uint32_t value = 0;
    for (unsigned b = 4; b-- > 0;) value = value << 8 | byte_at(chunk_.places_at() + 4 * place + b);
    return value;
  }

  /// Thread t < 16 gets width t. The threads after them read a byte each of the place where the bits begin,
  /// and of the one where they end.
  __device__ void read_head() {
    const std::uint32_t place = first_group_ / kGroupsAPlace, next = group_behind() / kGroupsAPlace;
    std::uint32_t found = 0;
    if (thread_ < chunk_.widths) found = byte_at(thread_);
    const unsigned half = thread_ / 4;
    if (half == 4) found = byte_at(chunk_.places_at() + 4 * place + thread_ % 4);
    if (half == 5 && knows_end() && !ends_chunk())
      found = byte_at(chunk_.places_at() + 4 * next + thread_ % 4);
    width_ = found;
    const std::uint32_t before = __shfl_up_sync(~0u, found, 1);
    const bool is_width = thread_ < chunk_.widths;
    right_ = !is_width || (found <= kBits && (thread_ == 0 || found > before));
    std::uint32_t value = found << 8 * (thread_ % 4);
    value |= __shfl_xor_sync(~0u, value, 1);
    value |= __shfl_xor_sync(~0u, value, 2);
    base_ = __shfl_sync(~0u, value, 16);
    end_ = __shfl_sync(~0u, value, 20);
    if (ends_chunk()) end_ = chunk_.bits;
    if (first_group_ == 0 && base_ != 0) right_ = false;
    if (base_ > chunk_.bits) right_ = false;
    if (first_group_ % kGroupsAPlace != 0) base_ += bytes_before(first_group_ % kGroupsAPlace);
    if (base_ > chunk_.bits) right_ = false;
    if (ends_chunk() && chunk_.groups % 2 != 0 && thread_ == 0)  // the unused half of the last byte
      right_ = right_ && byte_at(chunk_.codes_at() + chunk_.groups / 2) >> 4 == 0;
  }

  /// Bytes of the `count` groups before the stretch, fewer than a place has. Each thread takes some.
  __device__ std::uint32_t bytes_before(std::uint32_t count) {
    constexpr unsigned kEach = kGroupsAPlace / kWarp;
    const std::uint32_t from = chunk_.codes_at() + (first_group_ - count + thread_ * kEach) / 2;
    std::uint32_t bytes = 0;
#pragma unroll
    for (unsigned k = 0; k < kEach; k += 2) {
      const bool there = thread_ * kEach + k < count;  // as `count` is even, the one after it is there too
      const std::uint32_t codes = there ? byte_at(from + k / 2) : 0;
      const std::uint32_t widths =
          __shfl_sync(~0u, width_, codes & 15) + __shfl_sync(~0u, width_, codes >> 4);
      right_ = right_ && (!there || ((codes & 15) < chunk_.widths && codes >> 4 < chunk_.widths));
      if (there) bytes += kWordsOfGroup / 8 * widths;
    }
    return __shfl_sync(~0u, inclusive_sum(bytes), kWarp - 1);
  }

  // ---- Groups of a piece

  /// The number of this thread's first group, counted from the stretch's.
  __device__ std::uint32_t own_group(unsigned piece) const {
    return piece * piece_.groups() + thread_ * kGroups;
  }
  /// The codes of this thread's groups, 4 bits each. Groups that are not there have any.
  __device__ std::uint32_t codes(unsigned piece) const {
    std::uint32_t found = 0;
    const std::uint32_t own = own_group(piece), from = chunk_.codes_at() + (first_group_ + own) / 2;
#pragma unroll
    for (unsigned k = 0; k < kGroups; k += 2)
      if (own + k < groups_) found |= byte_at(from + k / 2) << 4 * k;
    return kGroups == 1 ? found >> own % 2 * 4 : found;
  }

  /// Finds the bits of the next piece: `base_` moves from piece to piece.
  __device__ Groups find(unsigned piece, std::uint32_t codes) {
    const std::uint32_t own = own_group(piece), there = works() && own < groups_ ? groups_ - own : 0;
    Groups found;
    std::uint32_t bytes = 0;
    bool right = right_;
#pragma unroll
    for (unsigned k = 0; k < kGroups; ++k) {
      const std::uint32_t code = codes >> 4 * k & 15, width = __shfl_sync(~0u, width_, code);
      if (k >= there) continue;
      right = right && code < chunk_.widths;
      found.widths |= width << 8 * k;
      bytes += kWordsOfGroup / 8 * width;
    }
    const std::uint32_t sum = inclusive_sum(bytes), begin = sum - bytes;
    found.first = base_, found.bytes = __shfl_sync(~0u, sum, kWarp - 1);
    if (own != 0 && there != 0 && (first_group_ + own) % kGroupsAPlace == 0)
      right = right && place_at((first_group_ + own) / kGroupsAPlace) == base_ + begin;
    right = right && found.bytes <= chunk_.bits - base_;
    base_ += found.bytes;
    if (piece + 1 == pieces_ && knows_end()) right = right && base_ == end_;
    found.bit = 8 * begin;
    found.right = __all_sync(~0u, right);
    return found;
  }

  // ---- Load

  __device__ std::byte* part(unsigned piece) const {
    return memory_ + piece % 2 * piece_.part_bytes();
  }

  /// Starts to copy the bits into their part; false where the groups are wrong. Lines are copied as they lie;
  /// where the header of a block cuts the bits, byte by byte.
  __device__ bool start(Groups& groups, unsigned piece) const {
    if (!groups.right) {
      refuse();
      return false;
    }
    const std::uint32_t first = chunk_.bits_at() + groups.first, count = groups.bytes;
    if (count == 0) return true;
    std::byte* to = part(piece);
    if (count > chunk_.side_by_side(first)) {
      for (std::uint32_t at = thread_; at < count; at += kWarp)
        to[at] = static_cast<std::byte>(byte_at(first + at));
      return true;
    }
    const std::byte* from = content() + chunk_.at(first);
    const auto skew = static_cast<std::uint32_t>(reinterpret_cast<std::uintptr_t>(from) % kGranule);
    for (std::uint32_t at = thread_ * kGranule; at < skew + count; at += kWarp * kGranule)
      start_copy<kGranule>(to + at, from - skew + at);
    groups.bit += 8 * skew;
    return true;
  }

  // ---- Unpack

  /// The words of this thread's groups, with zigzag undone. Groups that are not there have no bits.
  __device__ Rows unpack(const Groups& groups, unsigned piece) const {
    const GroupBits<Word> bits{reinterpret_cast<const std::uint32_t*>(part(piece))};
    if (ends_chunk() && piece + 1 == pieces_) check_fill(bits, groups, piece);
    Rows rows;
    std::uint32_t bit = groups.bit;
#pragma unroll
    for (unsigned k = 0; k < kGroups; ++k) {
      const unsigned width = groups.widths >> 8 * k & 255;
#pragma unroll
      for (unsigned f = 0; f < kFours; ++f)
        rows.four[k * kFours + f] = bits.four(bit + 4 * f * width, width, code_);
      bit += kWordsOfGroup * width;
    }
    return rows;
  }

  /// Words after the last word of the chunk are zero. In a pass of its own, for the last piece alone.
  __device__ void check_fill(const GroupBits<Word>& bits, const Groups& groups, unsigned piece) const {
    Word fill = 0;
    std::uint32_t bit = groups.bit;
#pragma unroll 1
    for (unsigned k = 0; k < kGroups; ++k) {
      const unsigned width = groups.widths >> 8 * k & 255;
      const std::uint32_t group = first_group_ + own_group(piece) + k;
      const std::uint32_t block = group / chunk_.tuple, lane = group - block * chunk_.tuple;
#pragma unroll 1
      for (std::uint32_t row = 0; row < kWordsOfGroup; ++row)
        if ((block * kWordsOfGroup + row) * chunk_.tuple + lane >= chunk_.words)
          fill = static_cast<Word>(fill | bits.word(bit + row * width, width));
      bit += kWordsOfGroup * width;
    }
    if (fill != 0) atomicOr(batch_.status + chunk_.chunk, static_cast<std::uint32_t>(kWrongGroups));
  }

  // ---- Words of several lanes. A thread has whole groups; then it takes its segment.

  __device__ Rows exchange(const Rows& rows, unsigned piece) const {
    // A segment of one group is the group that the thread has.
    if (kGroups == 1 && batch_.steps.same_lanes) return rows;
    std::byte* words = part(piece);
#pragma unroll
    for (unsigned k = 0; k < kGroups; ++k) {
      const std::uint32_t group = thread_ * kGroups + k;
      if (!works()) continue;
      if (batch_.steps.same_lanes) {
        const std::uint32_t block = group / tuple_, lane = group - block * tuple_;
        Word* to = reinterpret_cast<Word*>(words + block / kGroups * kGranule) +
                   block * kWordsOfGroup * tuple_ + lane;
#pragma unroll
        for (unsigned r = 0; r < kWordsOfGroup; ++r)
          to[r * tuple_] = static_cast<Word>(rows.four[k * kFours + r / 4][r % 4]);
      } else {
        const std::uint32_t segment = group / (kGroups * tuple_);
        put_fours(words + group * kWordsOfGroup * sizeof(Word) + segment * kGranule, rows.four + k * kFours);
      }
    }
    __syncwarp();  // publishes the words
    Rows own{};
    if (works()) {
      const Word* from = reinterpret_cast<const Word*>(segment_at(piece)) + lane_;
#pragma unroll
      for (unsigned f = 0; f < kRows / 4; ++f) own.four[f] = four_words(from + 4 * f * tuple_);
    }
    __syncwarp();  // frees the words for values
    return own;
  }
  /// Rows of one lane, side by side.
  __device__ static void put_fours(std::byte* to, const FourRows<Word>* four) {
    constexpr unsigned kCount = kFours * sizeof(FourRows<Word>) / kGranule;
    uint4 line[kCount];
    memcpy(line, four, sizeof(line));
#pragma unroll
    for (unsigned l = 0; l < kCount; ++l) reinterpret_cast<uint4*>(to)[l] = line[l];
  }
  __device__ FourRows<Word> four_words(const Word* from) const {
    Sum<Word> word[4];
#pragma unroll
    for (unsigned r = 0; r < 4; ++r) word[r] = from[r * tuple_];
    if constexpr (sizeof(Word) == 1) {
      return {{packed<Word>({word[0], word[1], word[2], word[3]})}};
    } else if constexpr (sizeof(Word) == 2) {
      return {{packed<Word>({word[0], word[1]}), packed<Word>({word[2], word[3]})}};
    } else {
      return {{word[0], word[1], word[2], word[3]}};
    }
  }

  // ---- Sums

  __device__ std::uint32_t segment_bytes() const {
    return kRows * tuple_ * sizeof(Word);
  }
  /// Where this thread's segment of all lanes begins.
  __device__ std::byte* segment_at(unsigned piece) const {
    return part(piece) + segment_ * (segment_bytes() + kGranule);
  }

  /// Of each lane in a piece. The last piece of a stretch may have fewer, unless the tuple divides 32.
  __device__ std::uint32_t segments_of(unsigned piece) const {
    if (OneLane) return kWarp;
    return smaller(piece_.segments(), (groups_ - piece * piece_.groups()) / (kGroups * tuple_));
  }

  /// Moves the carry from the start of the piece to its end, and stores the values.
  template <GroupTask Task>
  __device__ void walk(const Rows& rows, Carry& carry, unsigned piece) const {
    Carry start{};
    if constexpr (Order > 0) {
      const Carry own = moved(summarise<Total, kOrder, kRows>(rows, Nowhere{}),
                              kMoves<Total, kOrder, kRows>.back, segment_);
      const Carry upto = sum_in_warp(own, tuple_);
      if constexpr (Task == GroupTask::write) {
        start =
            moved(add(carry, before_in_warp(upto, tuple_)), kMoves<Total, kOrder, kRows>.forward, segment_);
      }
      const unsigned last = (piece_.segments() - 1) * tuple_ + lane_;
      for (unsigned k = 0; k < kOrder; ++k) carry.term[k] += __shfl_sync(~0u, upto.term[k], last);
      carry = moved(carry, kMoves<Total, kOrder, kRows>.forward, segments_of(piece));
    }
    if constexpr (Task == GroupTask::write) {
      put_values(rows, start, piece);
      __syncwarp();  // publishes the values
      store(piece);
    }
  }

  __device__ void put_values(const Rows& rows, Carry start, unsigned piece) const {
    if (!works()) return;
    std::byte* own = segment_at(piece);
    const auto step = [&](Total word) { return Order == 0 ? word : integrate_step(start, word); };
    if constexpr (OneLane) {
      sweep<Total, kRows>(rows, LineSink<Word>{own}, step);
    } else {
      const WordView<Word, Plain> words{reinterpret_cast<Word*>(own) + lane_, tuple_, Plain{}};
      sweep<Total, kRows>(rows, words, step);
    }
  }

  // ---- Store

  __device__ void store(unsigned piece) const {
    const std::uint32_t group = piece * piece_.groups(), groups = smaller(piece_.groups(), groups_ - group);
    const std::uint32_t word = (first_group_ + group) * kWordsOfGroup;
    const std::uint32_t bytes =
        smaller(groups * kWordsOfGroup, chunk_.words - word) * std::uint32_t{sizeof(Word)};
    const std::uint64_t at_byte = word * std::uint64_t{sizeof(Word)};
    Byte* to = reinterpret_cast<Byte*>(batch_.out + chunk_.out) + at_byte;
    const bool aligned = reinterpret_cast<std::uintptr_t>(to) % kGranule == 0;
    if (OneLane && aligned && bytes == kLines * kGranule) return store_all(to, at_byte / xxh3::kBlock, piece);
    const std::byte* from = part(piece);
    const Divisor of_segment(segment_bytes() / kGranule);
    const auto place = [&](std::uint32_t line) { return (line + of_segment.quotient(line)) * kGranule; };
    const std::uint32_t lines = aligned ? bytes / kGranule : 0;
    for (std::uint32_t l = thread_; l < lines; l += kWarp)
      reinterpret_cast<uint4*>(to)[l] = *reinterpret_cast<const uint4*>(from + place(l));
    for (std::uint32_t at = lines * kGranule + thread_; at < bytes; at += kWarp)
      to[at] = static_cast<Byte>(from[place(at / kGranule) + at % kGranule]);
    if (batch_.digest_rows == nullptr) return;
    __syncwarp();  // publishes what was written
    for (std::uint64_t b = at_byte / xxh3::kBlock; b < (at_byte + bytes) / xxh3::kBlock; ++b) {
      const Byte* block = to - at_byte + b * xxh3::kBlock + kGranule * thread_;
      sum_block(b, written(block, aligned), written(block + kWarp * kGranule, aligned));
    }
  }
  /// A line that this warp has written before. Past the first-level cache, which may have older bytes.
  __device__ static uint4 written(const Byte* at, bool aligned) {
    if (aligned) return __ldcg(reinterpret_cast<const uint4*>(at));
    std::uint32_t part[4] = {};
#pragma unroll 1
    for (unsigned b = 0; b < kGranule; ++b) part[b / 4] |= std::uint32_t{__ldcg(at + b)} << 8 * (b % 4);
    return {part[0], part[1], part[2], part[3]};
  }
  /// A whole piece of one lane.
  __device__ void store_all(Byte* to, std::uint64_t first_block, unsigned piece) const {
    constexpr unsigned kEach = kLines / kWarp, kOfSegment = kRows * sizeof(Word) / kGranule;
    const std::byte* from = part(piece);
    uint4 line[kEach];
#pragma unroll
    for (unsigned i = 0; i < kEach; ++i) {
      const unsigned l = i * kWarp + thread_;
      line[i] = reinterpret_cast<const uint4*>(from)[l + l / kOfSegment];
      reinterpret_cast<uint4*>(to)[l] = line[i];
    }
    if (batch_.digest_rows == nullptr) return;
#pragma unroll
    for (unsigned b = 0; b < kEach / 2; ++b) sum_block(first_block + b, line[2 * b], line[2 * b + 1]);
  }

  // ---- Digests

  /// Leaves the row of a block of XXH3; a stretch begins with one.
  __device__ void sum_block(std::uint64_t block, const uint4& low, const uint4& high) const {
    const std::uint64_t bytes = chunk_.words * std::uint64_t{sizeof(Word)};
    std::uint64_t* row = nullptr;
    if (block < xxh3::scrambles_of(bytes)) {
      const std::uint64_t first = first_row({chunk_.out - batch_.digest_origin, bytes});
      row = batch_.digest_rows + (first + block) * xxh3::kStateWords;
    }
    leave_row(row, low, high, thread_);
  }

  const GroupBatch& batch_;
  const Space& space_;
  std::byte* memory_;
  std::uint32_t number_, tuple_;
  unsigned thread_;
  std::uint32_t segment_, lane_;
  GroupPiece piece_;
  MaybeZigzag code_;
  PackedChunk chunk_;
  std::uint32_t first_group_ = 0, groups_ = 0, pieces_ = 0;
  std::uint32_t width_ = 0;           ///< of code thread_
  std::uint32_t base_ = 0, end_ = 0;  ///< of the bits that are not found yet
  bool right_ = true;                 ///< the head
};

__device__ inline std::byte* group_memory() {
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
inline constexpr unsigned kGroupWarps = 4;  ///< of a block; they have nothing in common

/// Threads of all blocks share the headers.
__device__ inline void judge_headers(const GroupBatch& batch) {
  for (std::uint32_t i = blockIdx.x * blockDim.x + threadIdx.x; i < batch.check_count;
       i += gridDim.x * blockDim.x)
    if (!stand_there(batch.checks[i], batch.packed))
      atomicOr(batch.status + batch.checks[i].chunk, static_cast<std::uint32_t>(kWrongHeader));
}

/// A warp for each stretch.
template <class Word, unsigned Order, bool OneLane, GroupTask Task>
__global__ void __launch_bounds__(kGroupWarps* kWarp, kGroupBlocks<Word>)
    walk_groups(const __grid_constant__ GroupBatch batch,
                const __grid_constant__ Stretches<Sum<Word>, (Order > 0 ? Order : 1)> space) {
  const unsigned warp = threadIdx.x / kWarp;
  const std::uint32_t stretch = blockIdx.x * kGroupWarps + warp;
  if constexpr (Task == GroupTask::write) judge_headers(batch);
  if (stretch >= batch.count * space.count) return;
  const GroupPiece piece{sizeof(Word), batch.steps.tuple};
  GroupWalker<Word, Order, OneLane>(batch, space, stretch, group_memory() + warp * piece.memory_bytes())
      .template run<Task>();
}

/// A warp for each lane of each chunk: from the sums of stretches of kRowsOfStretch rows to the carries that
/// enter them.
template <class Total, unsigned Order>
__global__ void __launch_bounds__(kWarp)
    join_stretches(const __grid_constant__ Stretches<Total, Order> space, std::uint32_t tuple) {
  using Carry = Polynomial<Total, Order>;
  const std::uint32_t chunk = blockIdx.x / tuple, lane = blockIdx.x - chunk * tuple;
  Carry* own = space.carries + std::size_t{chunk} * space.count * tuple + lane;
  const unsigned thread = threadIdx.x % kWarp;
  Carry carry{};
  for (std::uint32_t first = 0; first < space.count; first += kWarp) {
    const std::uint32_t stretch = first + thread;
    const bool there = stretch < space.count;
    const Carry sum = there ? own[std::size_t{stretch} * tuple] : Carry{};
    const Carry upto = sum_in_warp(moved(sum, kMoves<Total, Order, kRowsOfStretch>.back, thread), 1);
    const Carry entering =
        moved(add(carry, before_in_warp(upto, 1)), kMoves<Total, Order, kRowsOfStretch>.forward, thread);
    if (there) own[std::size_t{stretch} * tuple] = entering;
    for (unsigned k = 0; k < Order; ++k) carry.term[k] += __shfl_sync(~0u, upto.term[k], kWarp - 1);
    carry = moved(carry, kMoves<Total, Order, kRowsOfStretch>.forward, kWarp);
  }
}

}  // namespace tdz::cuda
