// SPDX-License-Identifier: Apache-2.0
// Writes blocks: headers, Huffman streams, raw bits. A thread block a group, a warp a block, one run after
// another.
//
// The first token's bits stand on top of a stream, and its length is known: so a run is written from its last
// byte down, in the order of its words. A tile's bits go into a ring of 32-bit words in shared memory, each
// thread's at the place that a sum over the threads gives. Words that are complete leave the ring, side by
// side.
#pragma once

#include "kernels/cuda/frames/encode_space.hpp"
#include "kernels/cuda/frames/encode_words.cuh"
#include "kernels/uniform/block_layout.hpp"

namespace tdz::cuda::frames {

inline constexpr unsigned kEmitWarps = 8;  // the blocks of a group
inline constexpr unsigned kRing = 256;     // words; a tile has at most 176 of codes and 127 of raw bits
inline constexpr unsigned kPending = 64;   // complete words that may wait in it

/// Bytes of a run: side by side, or across headers between raw blocks.
struct StreamPlace {
  std::byte* to = nullptr;                     ///< the first byte; or that of the column's raw frames
  const uniform::RawLayout* layout = nullptr;  ///< null: side by side
  std::uint32_t first = 0;                     ///< by layout

  __device__ std::byte* at(std::uint32_t byte) const {
    return layout == nullptr ? to + byte : to + layout->at(first + byte);
  }
};

/// One stream of bits, written downwards. All threads of a warp hold the same values.
class StreamWriter {
 public:
  /// `end_mark`: a bit that is set stands above the bits.
  __device__ void begin(const StreamPlace& place, std::uint32_t* ring, std::uint32_t bits, bool end_mark) {
    place_ = place, ring_ = ring;
    skip_ = place.layout == nullptr
                ? static_cast<std::uint32_t>(reinterpret_cast<std::uintptr_t>(place.to) % 4)
                : 0;
    const std::uint32_t bytes = end_mark ? bits / 8 + 1 : (bits + 7) / 8;
    end_ = skip_ + bytes;
    top_ = end_mark ? 8 * skip_ + bits : 8 * end_;
    flushed_ = (end_ + 3) / 4;
    if (end_mark && warp_thread() == 0) atomicOr(&ring_[top_ / 32 % kRing], 1u << top_ % 32);
  }
  __device__ std::uint32_t top() const { return top_; }
  __device__ std::uint32_t* ring() const { return ring_; }
  /// Takes note of bits that were put below the top. Every thread calls it.
  __device__ void advance(std::uint32_t bits) {
    top_ -= bits;
    const std::uint32_t complete = (top_ + 31) / 32;
    if (flushed_ >= complete + kPending) flush(complete);
  }
  __device__ void end() { flush(0); }

 private:
  __device__ void flush(std::uint32_t down_to) {
    __syncwarp();  // publishes the ring
    for (std::uint32_t w = down_to + warp_thread(); w < flushed_; w += 32) {
      const std::uint32_t bits = ring_[w % kRing];
      ring_[w % kRing] = 0;
      const std::uint32_t byte = 4 * w;
      if (byte >= skip_ && byte + 4 <= end_ && place_.layout == nullptr) {
        *reinterpret_cast<std::uint32_t*>(place_.to + byte - skip_) = bits;
      } else {
        for (unsigned i = 0; i < 4; ++i)
          if (byte + i >= skip_ && byte + i < end_)
            *place_.at(byte + i - skip_) = static_cast<std::byte>(bits >> (8 * i));
      }
    }
    flushed_ = down_to;
    __syncwarp();  // frees it
  }

  StreamPlace place_;
  std::uint32_t* ring_;
  std::uint32_t skip_, end_;  ///< bytes, from the aligned word on in which the first one stands
  std::uint32_t top_;         ///< the bits below it are not written yet
  std::uint32_t flushed_;     ///< words from here on left the ring
};

/// At most 64 bits.
struct FewBits {
  std::uint64_t value;
  std::uint32_t count;
};

/// Joins items [first, first + kCount), the last one lowest. Each has at most kMost bits; together they have
/// at most 64.
template <unsigned kCount, unsigned kMost, class Item>
__device__ FewBits join(const Item& item, unsigned first) {
  static_assert(kCount * kMost <= 64);
  if constexpr (kCount == 1) {
    return item(first);
  } else {
    const FewBits high = join<kCount / 2, kMost>(item, first);
    const FewBits low = join<kCount / 2, kMost>(item, first + kCount / 2);
    if constexpr (kCount * kMost <= 32) {
      const auto value =
          static_cast<std::uint32_t>(high.value) << low.count | static_cast<std::uint32_t>(low.value);
      return {value, high.count + low.count};
    } else {
      return {high.value << low.count | low.value, high.count + low.count};
    }
  }
}

/// Puts bits into a ring, from this bit upwards. The words there were zero where these bits stand.
__device__ inline void put_bits(std::uint32_t* ring, std::uint32_t bit, std::uint64_t bits) {
  const std::uint32_t word = bit / 32, turn = bit % 32;
  const auto low = static_cast<std::uint32_t>(bits), high = static_cast<std::uint32_t>(bits >> 32);
  const std::uint32_t second = __funnelshift_l(low, high, turn), third = __funnelshift_l(high, 0, turn);
  atomicOr(&ring[word % kRing], low << turn);
  if (second != 0) atomicOr(&ring[(word + 1) % kRing], second);
  if (third != 0) atomicOr(&ring[(word + 2) % kRing], third);
}

/// All items of a thread, the last one lowest, kJoined at a time.
template <unsigned kItems, unsigned kJoined, unsigned kMost, class Item>
__device__ void put_items(std::uint32_t* ring, std::uint32_t bit, const Item& item) {
#pragma unroll
  for (unsigned i = kItems; i > 0; i -= kJoined) {
    const FewBits bits = join<kJoined, kMost>(item, i - kJoined);
    put_bits(ring, bit, bits.value);
    bit += bits.count;
  }
}

__device__ inline bool has_codes(uniform::BlockType type) {
  return type == uniform::BlockType::with_tree || type == uniform::BlockType::treeless;
}

/// The tokens of one run as Huffman codes, as raw bits, and as they are, as the block needs it.
template <class Word, class Tokens>
class RunWriter {
 public:
  using Words = BlockWords<Word>;

  __device__ RunWriter(const Words& words, const Tokens& token, const std::uint32_t* codes, unsigned tiles)
      : words_(words), token_(token), codes_(codes), tiles_(tiles) {}

  bool has_codes = false, has_raw = false;
  StreamWriter huffman, raw;
  std::byte* tokens = nullptr;  ///< where the tokens go as they are, or null

  __device__ void write(unsigned first_tile) {
    auto loaded = words_.load(first_tile);
    for (unsigned tile = 0; tile < tiles_; ++tile) {
      auto next = loaded;
      if (tile + 1 < tiles_) next = words_.load(first_tile + tile + 1);
      write_tile(words_.transform(loaded), tile);
      loaded = next;
    }
    if (has_codes) huffman.end();
    if (has_raw) raw.end();
  }

 private:
  static constexpr unsigned kEach = Words::kEach;

  __device__ void write_tile(const typename Words::Coded& coded, unsigned tile) {
    std::uint32_t codes[kEach], raws[kEach], sums = 0;  // raw bits' sum above 16
#pragma unroll
    for (unsigned i = 0; i < kEach; ++i) {
      const auto made = token_(coded.word[i]);
      raws[i] = made.raw_bits;
      codes[i] = has_codes ? codes_[made.token] : made.token;
      sums += (raws[i] << 16) + (has_codes ? codes[i] >> 16 : 0);
    }
    if (tokens != nullptr) write_tokens(codes, tile);
    const std::uint32_t up_to = inclusive_sum(sums), all = __shfl_sync(kAll, up_to, 31);
    if (has_codes) {
      put_codes(codes, huffman.top() - (up_to & 0xFFFF));
      huffman.advance(all & 0xFFFF);
    }
    if (has_raw) {
      put_raw(coded, raws, raw.top() - (up_to >> 16));
      raw.advance(all >> 16);
    }
  }

  __device__ void put_codes(const std::uint32_t (&codes)[kEach], std::uint32_t bit) const {
    const auto item = [&](unsigned i) { return FewBits{codes[i] & 0xFFFF, codes[i] >> 16}; };
    put_items < kEach, kEach<4 ? kEach : 4, uniform::kLongestCode>(huffman.ring(), bit, item);
  }

  __device__ void put_raw(const typename Words::Coded& coded, const std::uint32_t (&raws)[kEach],
                          std::uint32_t bit) const {
    const auto item = [&](unsigned i) {
      return FewBits{coded.word[i] & ~(~typename Words::Wide{0} << raws[i]), raws[i]};
    };
    put_items<kEach, 8 / sizeof(Word), 8 * sizeof(Word)>(raw.ring(), bit, item);
  }

  __device__ void write_tokens(const std::uint32_t (&own)[kEach], unsigned tile) const {
    std::byte* to = tokens + tile * Words::kTile + warp_thread() * kEach;
#pragma unroll
    for (unsigned i = 0; i < kEach; ++i) to[i] = static_cast<std::byte>(own[i]);
  }

  const Words& words_;
  const Tokens& token_;
  const std::uint32_t* codes_;
  unsigned tiles_;
};

/// A warp writes a few bytes of a number, the lowest first.
__device__ inline void put_number(std::byte* to, std::uint64_t number, unsigned bytes) {
  if (warp_thread() < bytes) to[warp_thread()] = static_cast<std::byte>(number >> (8 * warp_thread()));
}

/// The first bytes of a frame of uniform blocks.
__device__ inline void put_frame_header(std::byte* to, std::uint32_t content, bool checksum) {
  if (warp_thread() != 0) return;
  const uniform::FrameHeader header(content, checksum);
  for (unsigned i = 0; i < header.length; ++i) to[i] = static_cast<std::byte>(header.bytes[i]);
}

/// Headers of Huffman literals, everything except the streams. Returns where these begin.
__device__ inline std::byte* put_literals_header(std::byte* to, const EncodedBlock& entry,
                                                 const BlockFacts& facts, const std::uint8_t* text,
                                                 std::uint32_t text_bytes, std::uint32_t tokens) {
  const uniform::LiteralsShape shape(tokens);
  const auto header = static_cast<std::uint32_t>(shape.header);
  put_number(to, shape.number(text_bytes != 0, tokens, entry.length - header - 1), header);
  if (warp_thread() == 0) to[entry.length - 1] = std::byte{0};  // no sequences
  to += header;
  for (unsigned i = warp_thread(); i < text_bytes; i += 32) to[i] = static_cast<std::byte>(text[i]);
  to += text_bytes;
  std::uint64_t jumps = 0;
  for (unsigned r = 0; r < 3; ++r)
    jumps |= std::uint64_t{uniform::stream_bytes(facts.stream_bits[r])} << (16 * r);
  put_number(to, jumps, uniform::kJumpTable);
  return to + uniform::kJumpTable;
}

/// Where a block's streams and raw bits go.
struct RunPlaces {
  std::byte* to = nullptr;          ///< Huffman streams, or tokens as they are
  std::byte* raw_frames = nullptr;  ///< of the column
  std::uint32_t raw_at = 0;         ///< in them, by layout
  uniform::RawLayout layout;
};

template <class Word, class Tokens>
__device__ void write_runs(const BlockWords<Word>& words, const EncodeColumn& column,
                           const EncodedBlock& entry, const BlockFacts& facts, const std::uint32_t* codes,
                           std::uint32_t (&rings)[2][kRing], RunPlaces at) {
  const Tokens token(column);
  const auto type = static_cast<uniform::BlockType>(entry.type);
  const unsigned tiles = (1u << column.run) / BlockWords<Word>::kTile;
  for (unsigned r = 0; r < 4; ++r) {
    RunWriter<Word, Tokens> run(words, token, codes, tiles);
    run.has_codes = has_codes(type);
    if (run.has_codes) {
      run.huffman.begin({at.to}, rings[0], facts.stream_bits[r], true);
      at.to += uniform::stream_bytes(facts.stream_bits[r]);
    } else if (type == uniform::BlockType::raw) {
      run.tokens = at.to;
      at.to += 1u << column.run;
    }
    run.has_raw = entry.raw[r] != 0;
    if (run.has_raw) {
      const bool one_piece = at.layout.is_one_piece(at.raw_at, entry.raw[r]);
      run.raw.begin(one_piece ? StreamPlace{at.raw_frames + at.layout.at(at.raw_at)}
                              : StreamPlace{at.raw_frames, &at.layout, at.raw_at},
                    rings[1], 8u * entry.raw[r], false);
      at.raw_at += entry.raw[r];
    }
    if (run.has_codes || run.has_raw || run.tokens != nullptr) run.write(r * tiles);
  }
}

/// Thread blocks of a multiprocessor, for which registers must suffice. Best on an H200, November 2026.
template <class Word>
inline constexpr unsigned kEmitBlocks = sizeof(Word) == 1 ? 3 : 4;

template <class Word>
__global__ void __launch_bounds__(32 * kEmitWarps, kEmitBlocks<Word>)
    emit(EncodeBuffers buffers, EncodeSpace space, std::uint32_t first_group) {
  __shared__ std::uint32_t codes[uniform::kSymbols];
  __shared__ std::uint32_t rings[kEmitWarps][2][kRing];
  const unsigned warp = threadIdx.x / 32;
  const std::uint32_t number = first_group + blockIdx.x;
  const BlockPlace place(buffers.tables, number, warp);
  const EncodeColumn& column = *place.column;
  const GroupFacts& group = space.groups[number];
  if (group.tree != kNone)
    for (unsigned s = threadIdx.x; s < column.symbols; s += 32 * kEmitWarps)
      codes[s] = space.codes[std::size_t{group.tree} * space.alphabet + s];
  for (unsigned i = threadIdx.x; i < kEmitWarps * 2 * kRing; i += 32 * kEmitWarps) (&rings[0][0][0])[i] = 0;
  __syncthreads();  // publishes codes and rings
  if (warp >= place.group->blocks) return;

  const std::uint32_t tokens = 4u << column.run;
  const EncodedBlock entry = buffers.results.blocks[place.block];
  const BlockFacts facts = space.blocks[place.block];
  std::byte* chunk = buffers.out + buffers.results.chunks[column.chunk].offset;
  std::byte* frame = chunk + space.frame_offsets[place.group->frame];
  const std::uint32_t content = place.frame->blocks * tokens;
  if (place.in_frame == 0) put_frame_header(frame, content, false);

  std::byte* to = frame + uniform::FrameHeader::length_of(content) + group.offset + facts.offset;
  const auto type = static_cast<uniform::BlockType>(entry.type);
  put_number(
      to,
      uniform::block_header(place.is_last(), type, type == uniform::BlockType::rle ? tokens : entry.length),
      uniform::kBlockHeader);
  to += uniform::kBlockHeader;
  if (type == uniform::BlockType::rle && warp_thread() == 0) *to = static_cast<std::byte>(facts.symbol);
  if (has_codes(type)) {
    const std::uint8_t* text = space.texts + std::size_t{group.tree} * uniform::kLongestText;
    to = put_literals_header(to, entry, facts, text,
                             type == uniform::BlockType::with_tree ? space.groups[group.tree].text_bytes : 0,
                             tokens);
  }

  const RunPlaces at{to,
                     chunk + space.raw_offsets[place.frame->column],
                     group.raw_offset + facts.raw_offset,
                     {buffers.results.raw_bytes[place.frame->column], column.segment}};
  const BlockWords<Word> words(buffers, column, *place.frame, place.in_frame);
  if constexpr (sizeof(Word) == 1) {
    if (ByteTokens::are_those_of(column))
      return write_runs<Word, ByteTokens>(words, column, entry, facts, codes, rings[warp], at);
  }
  write_runs<Word, TokenMaker>(words, column, entry, facts, codes, rings[warp], at);
}

}  // namespace tdz::cuda::frames
