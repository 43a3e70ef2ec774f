// SPDX-License-Identifier: Apache-2.0
// The walk over a chunk: runs of words that share a group, then the holes.
#include "kernels/scale.hpp"

#include <algorithm>
#include <bit>
#include <cstring>

#include "formats/bytes.hpp"
#include "formats/error.hpp"
#include "formats/steps/scale.hpp"
#include "kernels/cpu/scale_run.hpp"
#include "kernels/steps/any_width.hpp"

namespace tdz {
namespace cpu {
namespace {

/// A run is this long, so that its holes are whole bytes and it lies in the first-level cache.
constexpr std::size_t kRun = kScaleGroup;

const std::uint8_t* bytes_of(std::span<const std::byte> span) {
  return reinterpret_cast<const std::uint8_t*>(span.data());
}
std::uint8_t* bytes_of(std::span<std::byte> span) {
  return reinterpret_cast<std::uint8_t*>(span.data());
}

/// The pairs of one chunk, group by group.
class Groups {
 public:
  Groups(const ScaleShape& shape, std::size_t words, std::span<const ScalePair> pairs,
         std::span<const std::byte> selectors)
      : shape_(shape), words_(words), several_(pairs.size() > 1), selectors_(selectors) {
    lanes_.pairs = pairs.data();
    lanes_.tuple = shape.tuple;
    if (!pairs.empty() && !several_) fill_table(1);
  }

  /// Words [first, first + kRun) at most, for which table and lanes hold until the next call.
  ScaleRun run_from(std::size_t first) {
    if (several_) enter(first / shape_.tuple / kScaleGroup);
    return {shape_, &table_, first % shape_.tuple, std::min(kRun, words_ - first)};
  }

  const LanePairs& lanes() const { return lanes_; }

 private:
  void enter(std::size_t group) {
    if (group == group_) return;
    group_ = group;
    bool same = true, changed = group == 0;
    for (std::size_t lane = 0; lane < shape_.tuple; ++lane) {
      if (words_of_lane(words_, shape_.tuple, lane) <= group * kScaleGroup) break;
      const auto selector =
          std::to_integer<std::uint8_t>(selectors_[selector_place(words_, shape_.tuple, lane) + group]);
      changed = changed || lanes_.selectors[lane] != selector;
      lanes_.selectors[lane] = selector;
      same = same && selector == lanes_.selectors[0];
    }
    if (changed) fill_table(same ? 1 : shape_.tuple);
  }

  void fill_table(std::size_t period) {
    table_.period = period;
    table_.multiply = table_.divide = table_.plain = false;
    table_.short_den = true;
    for (std::size_t i = 0; i < period + PairTable::kVector; ++i) put(i, lanes_.of(i % period));
  }

  void put(std::size_t i, const ScalePair& pair) {
    table_.num[i] = pair.num;
    table_.den[i] = pair.den;
    table_.inverse[i] = 1 / pair.den;
    table_.multiply |= pair.num != 1;
    table_.divide |= pair.den != 1;
    table_.plain |= !is_simple(shape_, pair);
    put_short(i, pair);
  }

  void put_short(std::size_t i, const ScalePair& pair) {
    const bool in_range = pair.num == 1 && pair.den >= 1 && pair.den <= 0x1p24;
    table_.den32[i] = in_range ? static_cast<float>(pair.den) : 1.0F;
    table_.inverse32[i] = 1 / table_.den32[i];
    table_.short_den &= in_range && static_cast<double>(table_.den32[i]) == pair.den;
  }

  const ScaleShape shape_;
  const std::size_t words_;
  const bool several_;
  const std::span<const std::byte> selectors_;
  std::size_t group_ = ~std::size_t{0};
  LanePairs lanes_;
  PairTable table_;
};

// ---- holes

/// The hole bits of words [first, first + 64), as far as there are any.
std::uint64_t hole_bits(std::span<const std::byte> bitmap, std::size_t first) {
  const auto bytes = bitmap.subspan(first / 8);
  if (bytes.size() >= 8) return formats::get_le<std::uint64_t>(bytes);
  std::uint64_t bits = 0;
  for (std::size_t b = 0; b < bytes.size(); ++b) bits |= std::to_integer<std::uint64_t>(bytes[b]) << (8 * b);
  return bits;
}

/// Calls visit(i, n) for stretches of holes, in order: n is 64 or 1.
template <class Visit>
void for_each_hole(std::span<const std::byte> bitmap, const Visit& visit) {
  for (std::size_t first = 0; first < 8 * bitmap.size(); first += 64) {
    std::uint64_t bits = hole_bits(bitmap, first);
    if (bits == ~std::uint64_t{0}) {
      visit(first, std::size_t{64});
      continue;
    }
    for (; bits != 0; bits &= bits - 1) {
      visit(first + static_cast<std::size_t>(std::countr_zero(bits)), std::size_t{1});
    }
  }
}

void put_words(const ScaleSide& side, std::size_t word_bytes, std::uint8_t* words) {
  const std::uint8_t* from = bytes_of(side.hole_words);
  with_width(word_bytes, [&](auto width) {
    for_each_hole(side.bitmap, [&](std::size_t i, std::size_t n) {
      std::memcpy(words + i * width, from, n == 1 ? width : 64 * width);
      from += n * width;
    });
  });
}

void put_one_word(const ScaleSide& side, std::size_t word_bytes, std::span<std::byte> words) {
  const std::uint64_t fill = formats::word_at(side.hole_words.data(), word_bytes, 0);
  const std::size_t done =
      fill_vectors(word_bytes, fill, bytes_of(side.bitmap), bytes_of(words), words.size() / word_bytes);
  std::uint8_t* rest = bytes_of(words) + done * word_bytes;
  std::uint8_t repeated[64 * 8];
  with_width(word_bytes, [&](auto width) {
    for (std::size_t i = 0; i < 64; ++i) std::memcpy(repeated + i * width, side.hole_words.data(), width);
    for_each_hole(side.bitmap.subspan(done / 8), [&](std::size_t i, std::size_t n) {
      std::memcpy(rest + i * width, repeated, n == 1 ? width : 64 * width);
    });
  });
}

void put_holes(const ScaleSide& side, std::size_t word_bytes, std::span<std::byte> words) {
  if (side.hole_words.empty()) return;
  const bool one_for_all = side.hole_words.size() == word_bytes;
  one_for_all ? put_one_word(side, word_bytes, words) : put_words(side, word_bytes, bytes_of(words));
}

/// Copies the tuple before `first` over the n words from there on: each store takes what was there before all
/// of them, so none waits for another.
template <std::size_t kWidth>
void repeat_tuple(std::size_t tuple, std::size_t first, std::size_t n, std::uint8_t* scaled) {
  const std::uint8_t* before = scaled + (first - tuple) * kWidth;
  std::uint8_t* to = scaled + first * kWidth;
  if (tuple == 1) {
    std::uint8_t word[kWidth];
    std::memcpy(word, before, kWidth);
    for (std::size_t i = 0; i < n; ++i) std::memcpy(to + i * kWidth, word, kWidth);
  } else if (n == 1) {
    std::memcpy(to, before, kWidth);
  } else {
    for (std::size_t i = 0; i < n; i += tuple)
      std::memcpy(to + i * kWidth, before, std::min(tuple, n - i) * kWidth);
  }
}

/// A hole repeats the q before it in its lane, 0 at first; chains of holes follow from the order. Returns
/// their number.
std::size_t repeat_under_holes(const ScaleShape& shape, std::span<const std::byte> bitmap,
                               std::uint8_t* scaled) {
  std::size_t holes = 0;
  const std::size_t tuple = shape.tuple;
  with_width(shape.word, [&](auto width) {
    for_each_hole(bitmap, [&](std::size_t first, std::size_t n) {
      holes += n;
      const std::size_t zeros = first < tuple ? std::min(n, tuple - first) : 0;
      std::memset(scaled + first * width, 0, zeros * width);
      if (zeros < n) repeat_tuple<width>(tuple, first + zeros, n - zeros, scaled);
    });
  });
  return holes;
}

// ---- both ways

Error error_of(ScaleFault fault) {
  const char* text = "scale: an integer is beyond 2^53";
  if (fault == ScaleFault::large) text = "scale: a number is beyond 64 bits";
  if (fault == ScaleFault::subnormal) text = "scale: a number is too small";
  if (fault == ScaleFault::overflow) text = "scale: a number is too large";
  return corrupt(text);
}

/// A bit for each of the words that is `word`. Padding to a byte is zero.
void mark_run(const ScaleShape& shape, std::uint64_t word, std::span<const std::byte> words,
              std::uint8_t* marks) {
  const ScaleRun run{shape, nullptr, 0, words.size() / shape.word};
  if (!mark_vectors(run, word, bytes_of(words), marks)) mark_plain(run, word, bytes_of(words), marks);
}

void mark_fill(const ScaleShape& shape, std::uint64_t fill, std::span<const std::byte> words,
               std::span<std::byte> bitmap) {
  const std::size_t width = shape.word, count = words.size() / width;
  for (std::size_t i = 0; i < count; i += kRun) {
    const std::size_t n = std::min(kRun, count - i);
    mark_run(shape, fill, words.subspan(i * width, n * width), bytes_of(bitmap) + i / 8);
  }
}

/// Whether every hole is this word.
bool all_holes_are(const ScaleShape& shape, std::uint64_t word, std::span<const std::byte> words,
                   std::span<const std::byte> bitmap) {
  const std::size_t width = shape.word, count = words.size() / width;
  std::uint8_t marks[kRun / 8];
  for (std::size_t i = 0; i < count; i += kRun) {
    const std::size_t n = std::min(kRun, count - i);
    mark_run(shape, word, words.subspan(i * width, n * width), marks);
    std::byte other{0};
    for (std::size_t k = 0; k < bitmap_bytes(n); ++k) other |= bitmap[i / 8 + k] & ~std::byte{marks[k]};
    if (other != std::byte{0}) return false;
  }
  return true;
}

}  // namespace
}  // namespace cpu

std::size_t encode_scale(const ScaleShape& shape, const ScaleChoice& choice, std::span<const std::byte> words,
                         std::span<std::byte> scaled, std::span<std::byte> bitmap, std::size_t most_holes) {
  const std::size_t width = shape.word, count = words.size() / width;
  if (choice.pairs.empty()) {
    std::ranges::copy(words, scaled.begin());
    if (choice.fill) cpu::mark_fill(shape, *choice.fill, words, bitmap);
    if (!choice.fill) std::ranges::fill(bitmap, std::byte{0});
    return cpu::repeat_under_holes(shape, bitmap, cpu::bytes_of(scaled));
  }
  const cpu::FillWord fill{choice.fill.value_or(0), choice.fill.has_value()};
  cpu::Groups groups(shape, count, choice.pairs, choice.selectors);
  for (std::size_t i = 0; i < count; i += cpu::kRun) {
    const cpu::ScaleRun run = groups.run_from(i);
    const auto* from = cpu::bytes_of(words) + i * width;
    auto *to = cpu::bytes_of(scaled) + i * width, *holes = cpu::bytes_of(bitmap) + i / 8;
    if (!cpu::encode_vectors(run, fill, choice.unsigned_words, from, to, holes)) {
      cpu::encode_plain(run, groups.lanes(), fill, choice.unsigned_words, from, to, holes);
    }
  }
  std::ranges::copy(words.subspan(count * width),
                    scaled.begin() + static_cast<std::ptrdiff_t>(count * width));
  if (most_holes < count) {
    if (const std::size_t holes = static_cast<std::size_t>(formats::count_holes(bitmap)); holes > most_holes)
      return holes;
  }
  return cpu::repeat_under_holes(shape, bitmap, cpu::bytes_of(scaled));
}

std::optional<std::uint64_t> common_hole(const ScaleShape& shape, std::span<const std::byte> words,
                                         std::span<const std::byte> bitmap) {
  const auto with_hole = std::ranges::find_if(bitmap, [](std::byte b) { return b != std::byte{0}; });
  const auto first = 8 * static_cast<std::size_t>(with_hole - bitmap.begin()) +
                     static_cast<std::size_t>(std::countr_zero(std::to_integer<std::uint8_t>(*with_hole)));
  const std::uint64_t word = formats::word_at(words.data(), shape.word, first);
  return cpu::all_holes_are(shape, word, words, bitmap) ? std::optional(word) : std::nullopt;
}

void collect_holes(const ScaleShape& shape, std::span<const std::byte> words,
                   std::span<const std::byte> bitmap, std::span<std::byte> hole_words) {
  std::uint8_t* to = cpu::bytes_of(hole_words);
  with_width(shape.word, [&](auto width) {
    cpu::for_each_hole(bitmap, [&](std::size_t i, std::size_t n) {
      std::memcpy(to, cpu::bytes_of(words) + i * width, n == 1 ? width : 64 * width);
      to += n * width;
    });
  });
}

Status decode_scale(const ScaleShape& shape, const ScaleSide& side, std::span<const std::byte> scaled,
                    std::span<std::byte> words) {
  const std::size_t width = shape.word, count = side.pair_count == 0 ? 0 : scaled.size() / width;
  cpu::Groups groups(shape, count, side.pairs(), side.selectors);
  for (std::size_t i = 0; i < count; i += cpu::kRun) {
    const cpu::ScaleRun run = groups.run_from(i);
    const auto* from = cpu::bytes_of(scaled) + i * width;
    auto* to = cpu::bytes_of(words) + i * width;
    if (cpu::decode_vectors(run, from, to)) continue;
    const auto* holes = side.bitmap.empty() ? nullptr : cpu::bytes_of(side.bitmap) + i / 8;
    const auto fault = cpu::decode_plain(run, groups.lanes(), holes, from, to);
    if (fault != cpu::ScaleFault::none) return cpu::error_of(fault);
  }
  std::ranges::copy(scaled.subspan(count * width),
                    words.begin() + static_cast<std::ptrdiff_t>(count * width));
  cpu::put_holes(side, width, words);
  return ok();
}

}  // namespace tdz
