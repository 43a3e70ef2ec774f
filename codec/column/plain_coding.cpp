// SPDX-License-Identifier: Apache-2.0
#include "codec/column/plain_coding.hpp"

#include <algorithm>
#include <array>

#include "kernels/cpu/steps/steps.hpp"
#include "kernels/cpu/sweep.hpp"
#include "kernels/steps/any_width.hpp"

namespace tdz {
namespace {

/// The kernels have the differences of these words.
bool has_kernel(const PlainStep& step, const ColumnWords& words) {
  return step.step.id == StepId::difference && is_word_size(words.width);
}

Pass pass_of(const PlainStep& step, unsigned word) {
  return {.word = static_cast<std::uint8_t>(word), .order = step.step.order, .tuple = step.step.tuple};
}

/// Zigzag takes words in any order, a difference in that of the rows.
ColumnWords to_wide(const PlainStep& step, const ColumnWords& words, StepMemory& memory) {
  const bool any = step.step.id == StepId::zigzag && words.tuple != 0;
  return any ? words : to_lanes(words, 1, memory);
}

// ---- layouts of words of 3, 5, 6 and 7 bytes, made of those of single bytes

/// The byte planes of words of any width are those of longer tuples of bytes.
bool are_byte_planes(const Step& step) {
  return step.id == StepId::planes || (step.id == StepId::tuple_planes && step.tuple <= kMaxSideTuple);
}
Pass byte_planes(unsigned width, std::uint32_t tuple) {
  return {.word = 1, .layout = Layout::tuple_planes, .tuple = width * tuple, .layout_tuple = width * tuple};
}
Pass byte_planes(const Step& step, unsigned width) {
  return byte_planes(width, step.id == StepId::tuple_planes ? step.tuple : 1);
}

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
void to_bit_planes(const ColumnWords& words, std::span<std::byte> out) {
  const std::size_t width = words.width, plane = words.words / 8;
  Block bytes, bits;
  for_each_block(words.words, [&](std::size_t at, std::size_t count) {
    cpu::forward(byte_planes(words.width, 1), octets(words.bytes) + at * width, bytes.data(), count * width);
    for (std::size_t b = 0; b < width; ++b) {
      cpu::forward(kBitsOfBytes, bytes.data() + b * count, bits.data(), count);
      for (std::size_t j = 0; j < 8; ++j)
        std::copy_n(bits.data() + j * count / 8, count / 8, octets(out) + (8 * b + j) * plane + at / 8);
    }
  });
  std::ranges::copy(words.bytes.subspan(8 * plane * width),
                    out.begin() + static_cast<std::ptrdiff_t>(8 * plane * width));
}

void from_bit_planes(const ColumnWords& words, std::span<std::byte> out) {
  const std::size_t width = words.width, plane = words.words / 8;
  Block bytes, bits;
  for_each_block(words.words, [&](std::size_t at, std::size_t count) {
    for (std::size_t b = 0; b < width; ++b) {
      for (std::size_t j = 0; j < 8; ++j)
        std::copy_n(octets(words.bytes) + (8 * b + j) * plane + at / 8, count / 8,
                    bits.data() + j * count / 8);
      cpu::inverse(kBitsOfBytes, bits.data(), bytes.data() + b * count, count);
    }
    cpu::inverse(byte_planes(words.width, 1), bytes.data(), octets(out) + at * width, count * width);
  });
  std::ranges::copy(words.bytes.subspan(8 * plane * width),
                    out.begin() + static_cast<std::ptrdiff_t>(8 * plane * width));
}

}  // namespace

bool runs_wide(const PlainStep& step, unsigned width) {
  return !is_word_size(width) && (step.step.id == StepId::zigzag || step.step.id == StepId::difference);
}

ColumnWords apply_wide(const PlainStep& step, const ColumnWords& words, StepMemory& memory) {
  const ColumnWords x = to_wide(step, words, memory);
  const LaneMap map = x.map(x.tuple);
  const auto out = memory.take(map.words * map.word);
  if (step.step.id == StepId::zigzag) {
    cpu::zigzag_words(map, octets(x.bytes), octets(out));
  } else {
    cpu::forward_anew(pass_of(step, map.word), step.run, octets(x.bytes), octets(out), out.size());
    cpu::cut_words(map, octets(out));
  }
  return {out, x.width, x.words, x.tuple};
}

ColumnWords undo_wide(const PlainStep& step, const ColumnWords& words, StepMemory& memory) {
  const ColumnWords x = to_wide(step, words, memory);
  const LaneMap map = x.map(x.tuple);
  const auto out = memory.take(map.words * map.word);
  if (step.step.id == StepId::zigzag) {
    cpu::unzigzag_words(map, octets(x.bytes), octets(out));
  } else {
    cpu::inverse_anew(pass_of(step, map.word), step.run, octets(x.bytes), octets(out), out.size());
    cpu::cut_words(map, octets(out));
  }
  return {out, x.width, x.words, x.tuple};
}

void apply_plain(const PlainStep& step, const ColumnWords& words, std::span<std::byte> out) {
  if (has_kernel(step, words)) {
    return cpu::forward_anew(pass_of(step, words.width), step.run, octets(words.bytes), octets(out), out.size());
  }
  if (step.step.id == StepId::bit_planes) return to_bit_planes(words, out);
  if (are_byte_planes(step.step)) {
    return cpu::forward(byte_planes(step.step, words.width), octets(words.bytes), octets(out), out.size());
  }
  forward_any_width(step, words.width, octets(words.bytes), octets(out), words.words);
}

void undo_plain(const PlainStep& step, const ColumnWords& words, std::span<std::byte> out) {
  if (has_kernel(step, words)) {
    return cpu::inverse_anew(pass_of(step, words.width), step.run, octets(words.bytes), octets(out), out.size());
  }
  if (step.step.id == StepId::bit_planes) return from_bit_planes(words, out);
  if (are_byte_planes(step.step)) {
    return cpu::inverse(byte_planes(step.step, words.width), octets(words.bytes), octets(out), out.size());
  }
  inverse_any_width(step, words.width, octets(words.bytes), octets(out), words.words);
}

}  // namespace tdz
