// SPDX-License-Identifier: Apache-2.0
// Single steps on words that no pass takes: words of 3, 5, 6 and 7 bytes, and differences in runs over a
// tuple of more than 256 lanes (runs_as_lanes() takes those of fewer lanes).
#include <algorithm>
#include <array>

#include "kernels/cpu/steps/steps.hpp"
#include "kernels/cpu/sweep.hpp"
#include "kernels/steps/any_width.hpp"
#include "kernels/steps/step_coding.hpp"

namespace tdz {
namespace {

/// code(words, out) on packed words. `how`: Encoding or Decoding.
template <class How, class Code>
ColumnWords on_packed(const ColumnWords& words, const How& how, const Code& code) {
  const ColumnWords packed = to_packed(words, how.memory);
  const auto out = how.place(packed.bytes.size());
  code(packed, out);
  return {out, words.width, words.words, 0};
}

/// The same on words in machine words, into memory: code(map, in, out).
template <class Code>
ColumnWords in_machine_words(const ColumnWords& words, StepMemory& memory, const Code& code) {
  const LaneMap map = words.map(words.tuple);
  const auto out = memory.take(map.words * map.word);
  code(map, octets(words.bytes), octets(out));
  return {out, words.width, words.words, words.tuple};
}

}  // namespace

// ---- byteswap

namespace {

/// It is its own inverse.
void byteswap(const ColumnWords& in, std::span<std::byte> out) {
  byteswap_any_width(in.width, octets(in.bytes), octets(out), in.words);
}

}  // namespace

ColumnWords encode(const ByteswapStep&, const ColumnWords& words, const Encoding& how) {
  return on_packed(words, how, byteswap);
}

Result<ColumnWords> decode(const ByteswapStep&, const ColumnWords& words, const Decoding& how) {
  return on_packed(words, how, byteswap);
}

// ---- zigzag

namespace {

/// Zigzag takes words in any order.
ColumnWords in_any_order(const ColumnWords& words, StepMemory& memory) {
  return words.tuple != 0 ? words : to_lanes(words, 1, memory);
}

}  // namespace

ColumnWords encode(const ZigzagStep&, const ColumnWords& words, const Encoding& how) {
  return in_machine_words(in_any_order(words, how.memory), how.memory, cpu::zigzag_words);
}

Result<ColumnWords> decode(const ZigzagStep&, const ColumnWords& words, const Decoding& how) {
  return in_machine_words(in_any_order(words, how.memory), how.memory, cpu::unzigzag_words);
}

// ---- difference

namespace {

Pass pass_of(const DifferenceStep& step, unsigned word) {
  return {.word = static_cast<std::uint8_t>(word), .order = step.order, .tuple = step.tuple};
}

/// `run`: cpu::forward_anew or cpu::inverse_anew.
template <class How, class Run>
ColumnWords code_difference(const DifferenceStep& step, const ColumnWords& words, const How& how,
                            const Run& run) {
  if (is_word_size(words.width)) {
    return on_packed(words, how, [&](const ColumnWords& in, std::span<std::byte> out) {
      run(pass_of(step, in.width), step.run, octets(in.bytes), octets(out), out.size());
    });
  }
  const auto code = [&](const LaneMap& map, const std::uint8_t* in, std::uint8_t* out) {
    run(pass_of(step, map.word), step.run, in, out, map.words * map.word);
    cpu::mask_words(map, out);
  };
  return in_machine_words(to_lanes(words, 1, how.memory), how.memory, code);
}

}  // namespace

ColumnWords encode(const DifferenceStep& step, const ColumnWords& words, const Encoding& how) {
  return code_difference(step, words, how, cpu::forward_anew);
}

Result<ColumnWords> decode(const DifferenceStep& step, const ColumnWords& words, const Decoding& how) {
  return code_difference(step, words, how, cpu::inverse_anew);
}

// ---- planes and tuple-planes

namespace {

/// The byte planes of words of any width are those of longer tuples of bytes.
Pass byte_planes(unsigned width, std::uint32_t tuple = 1) {
  return {.word = 1, .layout = Layout::tuple_planes, .tuple = width * tuple, .layout_tuple = width * tuple};
}

}  // namespace

ColumnWords encode(const TuplePlanesStep& step, const ColumnWords& words, const Encoding& how) {
  return on_packed(words, how, [&](const ColumnWords& in, std::span<std::byte> out) {
    if (step.tuple > kMaxSideTuple)
      return encode_planes_any_width(in.width, step.tuple, octets(in.bytes), octets(out), in.words);
    cpu::forward(byte_planes(in.width, step.tuple), octets(in.bytes), octets(out), out.size());
  });
}

Result<ColumnWords> decode(const TuplePlanesStep& step, const ColumnWords& words, const Decoding& how) {
  return on_packed(words, how, [&](const ColumnWords& in, std::span<std::byte> out) {
    if (step.tuple > kMaxSideTuple)
      return decode_planes_any_width(in.width, step.tuple, octets(in.bytes), octets(out), in.words);
    cpu::inverse(byte_planes(in.width, step.tuple), octets(in.bytes), octets(out), out.size());
  });
}

ColumnWords encode(const PlanesStep&, const ColumnWords& words, const Encoding& how) {
  return encode(TuplePlanesStep{1}, words, how);
}

Result<ColumnWords> decode(const PlanesStep&, const ColumnWords& words, const Decoding& how) {
  return decode(TuplePlanesStep{1}, words, how);
}

// ---- bit-planes

namespace {

constexpr std::size_t kBlockWords = 4096;  // a multiple of 8; two blocks lie in the first cache
using Block = std::array<std::uint8_t, kBlockWords * kMaxWidth>;
constexpr Pass kBitsOfBytes{.word = 1, .layout = Layout::bit_planes};

/// Calls use(first word, words) for blocks of all words in groups of 8.
template <class Use>
void for_each_block(std::size_t words, const Use& use) {
  for (std::size_t at = 0; at < words / 8 * 8; at += kBlockWords) {
    use(at, std::min(kBlockWords, words / 8 * 8 - at));
  }
}

/// Bit j of byte b of the words is plane 8 b + j: the bit planes of byte plane b.
void encode_bit_planes(const ColumnWords& words, std::span<std::byte> out) {
  const std::size_t width = words.width, plane = words.words / 8;
  Block bytes, bits;
  for_each_block(words.words, [&](std::size_t at, std::size_t count) {
    cpu::forward(byte_planes(words.width), octets(words.bytes) + at * width, bytes.data(), count * width);
    for (std::size_t b = 0; b < width; ++b) {
      cpu::forward(kBitsOfBytes, bytes.data() + b * count, bits.data(), count);
      for (std::size_t j = 0; j < 8; ++j)
        std::copy_n(bits.data() + j * count / 8, count / 8, octets(out) + (8 * b + j) * plane + at / 8);
    }
  });
  std::ranges::copy(words.bytes.subspan(8 * plane * width),
                    out.begin() + static_cast<std::ptrdiff_t>(8 * plane * width));
}

void decode_bit_planes(const ColumnWords& words, std::span<std::byte> out) {
  const std::size_t width = words.width, plane = words.words / 8;
  Block bytes, bits;
  for_each_block(words.words, [&](std::size_t at, std::size_t count) {
    for (std::size_t b = 0; b < width; ++b) {
      for (std::size_t j = 0; j < 8; ++j)
        std::copy_n(octets(words.bytes) + (8 * b + j) * plane + at / 8, count / 8,
                    bits.data() + j * count / 8);
      cpu::inverse(kBitsOfBytes, bits.data(), bytes.data() + b * count, count);
    }
    cpu::inverse(byte_planes(words.width), bytes.data(), octets(out) + at * width, count * width);
  });
  std::ranges::copy(words.bytes.subspan(8 * plane * width),
                    out.begin() + static_cast<std::ptrdiff_t>(8 * plane * width));
}

}  // namespace

ColumnWords encode(const BitPlanesStep&, const ColumnWords& words, const Encoding& how) {
  return on_packed(words, how, encode_bit_planes);
}

Result<ColumnWords> decode(const BitPlanesStep&, const ColumnWords& words, const Decoding& how) {
  return on_packed(words, how, decode_bit_planes);
}

}  // namespace tdz
