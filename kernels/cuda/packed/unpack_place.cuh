// SPDX-License-Identifier: Apache-2.0
// One thread block unpacks the groups of one place, 4096 words. Phases: head, load (the bits, to shared
// memory), groups (their widths, and where each begins), store.
//
// Bounds, whatever the file says. The host made the entry (packed_plan.cpp): the content of the frames has
// bits_at() + bits bytes, and lies in the packed bytes as the layout says, even if their headers are wrong. A
// block reads of the content
//   - the widths, of which there are chunk.widths, at most 16;
//   - the codes of its groups g < chunk.groups, byte g / 2 of (groups + 1) / 2;
//   - its place i < places() and the next one if there is one;
//   - bits [begin, end), only after it was seen that begin <= end <= chunk.bits, and that PlaceMemory holds
//     them. A group's bits are taken out of them only after it was seen that end - begin is the sum of 2 b
//     over all groups, each with b <= 8 sizeof(Word): so they lie within them.
// Whole lines of 16 bytes are read, so up to 15 bytes around the packed bytes. A block writes words whose
// number is below chunk.words.
//
// Each block compares its place with the next one, the last block with the length of the bits, the first
// block its place with 0. So if all blocks find them right, every place is the sum over all groups before.
#pragma once

#include "kernels/cuda/packed/packed_chunk.hpp"
#include "kernels/cuda/steps/word_access.hpp"

namespace tdz::cuda {

/// Few, so that many blocks share a multiprocessor: a block waits for memory three times, one after another.
inline constexpr unsigned kUnpackThreads = 64;
inline constexpr unsigned kGroupsOfThread = kGroupsAPlace / kUnpackThreads;
static_assert(kGroupsOfThread % 2 == 0 && kGroupsOfThread <= 8);  // whole bytes of codes, in 32 bits
inline constexpr std::uint32_t kLine = 16;                        ///< bytes of an access

template <class Word>
struct PlaceMemory {
  static constexpr std::uint32_t kMostBytes = kGroupsAPlace * kWordsOfGroup * sizeof(Word);

  /// The bits. The first line may begin up to 15 bytes before them, and words are read up to 8 bytes past
  /// them.
  uint4 lines[kMostBytes / kLine + 2];
  std::uint32_t groups[kGroupsAPlace];  ///< where the group's bits begin in those of the place, and its width
  std::uint32_t warp_bytes[kUnpackThreads / 32];
  std::uint32_t ends[2];  ///< of the bits, in the substream
  std::uint32_t fault;
  std::uint8_t widths[kMostWidths];
};

/// What one thread of the block does.
template <class Word>
class PlaceUnpacker {
 public:
  __device__ PlaceUnpacker(const UnpackBatch& batch, const PackedChunk& chunk, std::uint32_t place,
                           PlaceMemory<Word>& memory)
      : chunk_(chunk),
        content_(batch.packed + chunk.packed),
        out_(reinterpret_cast<Byte*>(batch.out + chunk.out)),
        status_(batch.status + chunk.chunk),
        memory_(memory),
        place_(place) {}

  __device__ void run() {
    const std::uint32_t codes = head();
    __syncthreads();  // publishes widths, begin, end, and that there is no fault
    // Before the groups are known, so that the bits are on their way while their places are found.
    const bool fits = place_fits();
    const std::uint32_t skew = fits ? load() : 0;
    groups(codes, fits);
    __syncthreads();  // publishes groups, a fault, and the bits
    if (memory_.fault != 0) return;
    const bool right = chunk_.tuple == 1 ? store_rows(skew) : store_lanes(skew);
    if (!right) refuse();
  }

 private:
  static constexpr unsigned kBits = 8 * sizeof(Word);
  static constexpr unsigned kShortWords = 4 / sizeof(Word);  ///< of 1 and 2 bytes
  static constexpr unsigned kWidthBits = 8;                  ///< of an entry in groups

  __device__ void refuse() const { atomicOr(status_, kWrongGroups); }

  // ---- head

  /// A byte of the content.
  __device__ std::uint32_t byte_at(std::uint32_t at) const {
    return static_cast<std::uint32_t>(content_[chunk_.frames.at(at)]);
  }
  __device__ std::uint32_t place_at(std::uint32_t place) const {
    std::uint32_t value = 0;
    for (unsigned b = 4; b-- > 0;) value = value << 8 | byte_at(chunk_.places_at() + 4 * place + b);
    return value;
  }

  /// Returns the codes of this thread's groups, 4 bits each.
  __device__ std::uint32_t head() {
    std::uint32_t codes = 0;
#pragma unroll
    for (unsigned j = 0; j < kGroupsOfThread; j += 2)
      if (first_group() + j < chunk_.groups)
        codes |= byte_at(chunk_.codes_at() + (first_group() + j) / 2) << (4 * j);
    if (threadIdx.x < chunk_.widths)
      memory_.widths[threadIdx.x] = static_cast<std::uint8_t>(byte_at(threadIdx.x));
    if (threadIdx.x / 2 == kMostWidths) {
      const std::uint32_t place = place_ + threadIdx.x % 2;
      memory_.ends[threadIdx.x % 2] = place < chunk_.places() ? place_at(place) : chunk_.bits;
    }
    // One thread reads the status, because other blocks may write it now.
    if (threadIdx.x == kUnpackThreads - 1) memory_.fault = *status_;
    return codes;
  }
  __device__ std::uint32_t first_group() const {
    return place_ * kGroupsAPlace + threadIdx.x * kGroupsOfThread;
  }
  /// The bits of the place lie in those of the chunk, and in PlaceMemory.
  __device__ bool place_fits() const {
    const auto [begin, end] = memory_.ends;
    return begin <= end && end <= chunk_.bits && end - begin <= PlaceMemory<Word>::kMostBytes;
  }

  // ---- groups

  /// At most kBits, and more than the one before.
  __device__ bool width_is_right(unsigned i) const {
    return memory_.widths[i] <= kBits && (i == 0 || memory_.widths[i] > memory_.widths[i - 1]);
  }

  /// The width of group `first_group()` + j. Sets `right` to false where the codes are wrong.
  __device__ std::uint32_t width_of_group(unsigned j, std::uint32_t codes, bool& right) const {
    const std::uint32_t group = first_group() + j, code = codes >> (4 * j) & 15;
    if (group >= chunk_.groups) return 0;
    const bool last_half = group + 1 == chunk_.groups && j % 2 == 0;
    right = right && code < chunk_.widths && !(last_half && (codes >> (4 * j + 4) & 15) != 0);
    return code < chunk_.widths ? memory_.widths[code] : 0;
  }

  /// Bytes of the groups before this thread's and with it: `own` is that of each thread.
  __device__ std::uint32_t sum_up_to(std::uint32_t own) {
    const unsigned lane = threadIdx.x % 32, warp = threadIdx.x / 32;
    std::uint32_t sum = own;
    for (unsigned step = 1; step < 32; step *= 2) {
      const std::uint32_t before = __shfl_up_sync(0xFFFFFFFFu, sum, step);
      if (lane >= step) sum += before;
    }
    if (lane == 31) memory_.warp_bytes[warp] = sum;
    __syncthreads();  // publishes the sums of the warps
    for (unsigned w = 0; w < warp; ++w) sum += memory_.warp_bytes[w];
    return sum;
  }

  /// Widths of up to 255 may be there before it is known that they are right: the sums stay below 2^17.
  __device__ void groups(std::uint32_t codes, bool fits) {
    bool right = fits && (threadIdx.x >= chunk_.widths || width_is_right(threadIdx.x));
    std::uint32_t width[kGroupsOfThread], own = 0;
#pragma unroll
    for (unsigned j = 0; j < kGroupsOfThread; ++j) {
      width[j] = width_of_group(j, codes, right);
      own += kWordsOfGroup / 8 * width[j];
    }
    std::uint32_t begin = sum_up_to(own) - own;
#pragma unroll
    for (unsigned j = 0; j < kGroupsOfThread; ++j) {
      memory_.groups[threadIdx.x * kGroupsOfThread + j] = begin << kWidthBits | width[j];
      begin += kWordsOfGroup / 8 * width[j];
    }
    if (threadIdx.x == kUnpackThreads - 1) right = right && place_is_right(begin);
    if (!right) {
      refuse();
      memory_.fault = 1;  // whoever writes it writes the same
    }
  }
  __device__ bool place_is_right(std::uint32_t bytes) const {
    return (place_ != 0 || memory_.ends[0] == 0) && memory_.ends[1] - memory_.ends[0] == bytes;
  }

  // ---- load

  /// Returns where the bits begin in the lines, in bytes. Lines are copied as they lie in memory; where the
  /// header of a block cuts the bits, byte by byte.
  __device__ std::uint32_t load() {
    const std::uint32_t count = memory_.ends[1] - memory_.ends[0];
    const std::uint32_t first = chunk_.bits_at() + memory_.ends[0];
    if (count == 0) return 0;
    if (count > chunk_.frames.side_by_side(first)) {
      auto* to = reinterpret_cast<Byte*>(memory_.lines);
      for (std::uint32_t i = threadIdx.x; i < count; i += kUnpackThreads)
        to[i] = static_cast<Byte>(byte_at(first + i));
      return 0;
    }
    const std::byte* from = content_ + chunk_.frames.at(first);
    const auto skew = static_cast<std::uint32_t>(reinterpret_cast<std::uintptr_t>(from) % kLine);
    const auto* lines = reinterpret_cast<const uint4*>(from - skew);
    for (std::uint32_t i = threadIdx.x; i < (skew + count + kLine - 1) / kLine; i += kUnpackThreads)
      memory_.lines[i] = lines[i];
    return skew;
  }

  // ---- store

  /// `width` bits from this bit of the lines on.
  __device__ Word bits_at(std::uint32_t bit, unsigned width) const {
    const auto* words = reinterpret_cast<const std::uint32_t*>(memory_.lines) + bit / 32;
    const std::uint32_t low = __funnelshift_r(words[0], words[1], bit % 32);
    if constexpr (sizeof(Word) < 8) {
      return static_cast<Word>(low & static_cast<std::uint32_t>((std::uint64_t{1} << width) - 1));
    } else {
      const std::uint64_t high = __funnelshift_r(words[1], words[2], bit % 32);
      const std::uint64_t mask = width == 0 ? 0 : ~std::uint64_t{0} >> (64 - width);
      return (high << 32 | low) & mask;
    }
  }
  /// As many words as 4 bytes hold, one after another: packed, they are 32 bits at most.
  __device__ std::uint32_t short_words_at(std::uint32_t bit, unsigned width) const {
    const auto* words = reinterpret_cast<const std::uint32_t*>(memory_.lines) + bit / 32;
    const std::uint32_t bits = __funnelshift_r(words[0], words[1], bit % 32);
    const std::uint32_t mask = (1u << width) - 1;
    std::uint32_t made = bits & mask;
#pragma unroll
    for (unsigned k = 1; k < kShortWords; ++k) made |= (bits >> (k * width) & mask) << (k * kBits);
    return made;
  }
  __device__ static unsigned width_of(std::uint32_t entry) {
    return entry % (1u << kWidthBits);
  }
  /// The first bit of a word of a group.
  __device__ static std::uint32_t bit_of(std::uint32_t entry, std::uint32_t row, std::uint32_t skew) {
    return 8 * (skew + (entry >> kWidthBits)) + row * width_of(entry);
  }

  __device__ void store(std::uint32_t number, Word word) const {
    Byte* to = out_ + std::uint64_t{number} * sizeof(Word);
    write_word<sizeof(Word)>(to, word, reinterpret_cast<std::uintptr_t>(to) % sizeof(Word) == 0);
  }

  /// A single lane: a thread takes words that fill a line, all of one group. False: a fill word is not zero.
  __device__ bool store_rows(std::uint32_t skew) const {
    constexpr std::uint32_t kWords = kLine / sizeof(Word);
    const bool aligned = reinterpret_cast<std::uintptr_t>(out_) % kLine == 0;
    const std::uint32_t first = place_ * kGroupsAPlace * kWordsOfGroup;
    Word fill = 0;
    for (std::uint32_t i = threadIdx.x * kWords; i < kGroupsAPlace * kWordsOfGroup;
         i += kUnpackThreads * kWords) {
      const std::uint32_t group = i / kWordsOfGroup, number = first + i;
      if (place_ * kGroupsAPlace + group >= chunk_.groups) break;
      const std::uint32_t entry = memory_.groups[group], bit = bit_of(entry, i % kWordsOfGroup, skew);
      union {
        uint4 line;
        std::uint32_t part[kLine / 4];
        Word word[kWords];
      } made;
      const unsigned width = width_of(entry);
      if constexpr (sizeof(Word) <= 2) {
#pragma unroll
        for (unsigned k = 0; k < kLine / 4; ++k)
          made.part[k] = short_words_at(bit + k * kShortWords * width, width);
      } else {
#pragma unroll
        for (unsigned k = 0; k < kWords; ++k) made.word[k] = bits_at(bit + k * width, width);
      }
      if (aligned && number + kWords <= chunk_.words) {
        *reinterpret_cast<uint4*>(out_ + std::uint64_t{number} * sizeof(Word)) = made.line;
        continue;
      }
#pragma unroll
      for (unsigned k = 0; k < kWords; ++k)
        fill = static_cast<Word>(fill | store_or_fill(number + k, made.word[k]));
    }
    return fill == 0;
  }

  /// Several lanes: a word for each thread.
  __device__ bool store_lanes(std::uint32_t skew) const {
    const std::uint32_t before = place_ * kGroupsAPlace;
    const PlaceWords words(chunk_.tuple, before);
    Word fill = 0;
    for (std::uint32_t i = threadIdx.x; i < words.count(); i += kUnpackThreads) {
      const PlaceWords::Word word = words.word(i);
      if (word.group >= kGroupsAPlace || before + word.group >= chunk_.groups) continue;
      const std::uint32_t entry = memory_.groups[word.group];
      const Word value = bits_at(bit_of(entry, word.row, skew), width_of(entry));
      fill = static_cast<Word>(fill | store_or_fill(word.number, value));
    }
    return fill == 0;
  }

  /// Stores a word, or returns it if it is one after the last word.
  __device__ Word store_or_fill(std::uint32_t number, Word word) const {
    if (number >= chunk_.words) return word;
    store(number, word);
    return 0;
  }

  const PackedChunk& chunk_;
  const std::byte* content_;  ///< the first frame: RawLayout counts from here
  Byte* out_;
  std::uint32_t* status_;
  PlaceMemory<Word>& memory_;
  std::uint32_t place_;
};

/// `places` blocks for each chunk.
template <class Word>
__global__ void __launch_bounds__(kUnpackThreads) unpack_places(UnpackBatch batch) {
  __shared__ PlaceMemory<Word> memory;
  const PackedChunk chunk = batch.chunks[blockIdx.x / batch.places];
  const std::uint32_t place = blockIdx.x % batch.places;
  if (place >= chunk.places()) return;
  PlaceUnpacker<Word>(batch, chunk, place, memory).run();
}

}  // namespace tdz::cuda
