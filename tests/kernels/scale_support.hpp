// SPDX-License-Identifier: Apache-2.0
// What the tests of scale share: both ways through the kernels with guarded buffers, and words of every
// class.
#pragma once

#include <bit>

#include "formats/steps/scale.hpp"
#include "kernels/scale.hpp"
#include "tests/kernels/support.hpp"
#include "tests/oracle/scale.hpp"
#include "tests/random.hpp"

namespace tdz::test {

/// A chunk as a writer leaves it.
struct Scaled {
  ByteVector scaled, pairs, selectors, bitmap, hole_words;

  friend bool operator==(const Scaled&, const Scaled&) = default;
};

inline std::span<const std::byte> view(const ByteVector& bytes) {
  return std::as_bytes(std::span(bytes));
}

inline Scaled scaled_of(const ScaleShape& shape, const ScaleChoice& choice, const ByteVector& words) {
  const std::size_t count = words.size() / shape.word;
  Scaled result;
  std::size_t holes = 0;
  result.bitmap = guarded(bitmap_bytes(count), [&](std::span<std::byte> bitmap) {
    result.scaled = guarded(words.size(), [&](std::span<std::byte> scaled) {
      holes = encode_scale(shape, choice, view(words), scaled, bitmap);
    });
  });
  result.pairs.resize(choice.pairs.size() * formats::kScalePairBytes);
  formats::write_scale_pairs(choice.pairs, std::as_writable_bytes(std::span(result.pairs)));
  for (const std::byte s : choice.selectors) result.selectors.push_back(std::to_integer<std::uint8_t>(s));
  if (holes == 0) {
    result.bitmap.clear();
  } else if (const auto common = common_hole(shape, view(words), view(result.bitmap))) {
    for (std::size_t b = 0; b < shape.word; ++b) {
      result.hole_words.push_back(static_cast<std::uint8_t>(*common >> (8 * b)));
    }
  } else {
    result.hole_words = guarded(holes * shape.word, [&](std::span<std::byte> hole_words) {
      collect_holes(shape, view(words), view(result.bitmap), hole_words);
    });
  }
  return result;
}

/// The words, or the error's text.
struct Unscaled {
  ByteVector words;
  std::string error;
};

inline Unscaled unscaled_of(const ScaleShape& shape, const Scaled& from) {
  const std::size_t count = from.scaled.size() / shape.word;
  const auto side = formats::read_scale_side(
      shape, count, {view(from.pairs), view(from.selectors), view(from.bitmap), view(from.hole_words)});
  if (!side) return {{}, side.error().message};
  Unscaled result;
  result.words = guarded(from.scaled.size(), [&](std::span<std::byte> words) {
    const Status done = decode_scale(shape, *side, view(from.scaled), words);
    if (!done) result.error = done.error().message;
  });
  return result;
}

template <class T>
ByteVector bytes_of_words(const std::vector<T>& words) {
  ByteVector bytes;
  for (const T word : words) {
    const auto bits = std::bit_cast<std::array<std::uint8_t, sizeof(T)>>(word);
    if constexpr (std::endian::native == std::endian::little) {
      bytes.insert(bytes.end(), bits.begin(), bits.end());
    } else {
      bytes.insert(bytes.end(), bits.rbegin(), bits.rend());
    }
  }
  return bytes;
}

/// The bits of an IEEE number of `word` bytes of some class: zeros, subnormals, infinities, NaN with
/// payloads, the largest, decimals, and anything.
inline std::uint64_t real_bits(std::size_t word, Random& random) {
  const bool narrow = word == 4;
  const std::uint64_t sign = (random() & 1) << (8 * word - 1);
  const std::uint64_t infinity = narrow ? 0x7F800000u : 0x7FF0000000000000u;
  const std::uint64_t payload = random() & (narrow ? 0x7FFFFFu : 0xFFFFFFFFFFFFFu);
  const double decimal = static_cast<double>(static_cast<std::int64_t>(random() % 2000001) - 1000000) / 100;
  const std::uint64_t tenths = narrow ? std::bit_cast<std::uint32_t>(static_cast<float>(decimal))
                                      : std::bit_cast<std::uint64_t>(decimal);
  switch (random() % 12) {
    case 0:
      return sign;
    case 1:
      return sign | payload;
    case 2:
      return sign | infinity;
    case 3:
      return sign | infinity | payload;
    case 4:
      return sign | (infinity - 1 - payload % 4);
    case 5:
      return random() & (infinity * 2 + (infinity - 1) % 2 * 0 + payload);
    case 6:
      return narrow ? 0x7CF00000u : 0x47D2CED32A16A1B1u;  // fill values
    default:
      return tenths;
  }
}

inline ByteVector mixed_words(const ScaleShape& shape, std::size_t count, Random& random) {
  ByteVector bytes;
  for (std::size_t i = 0; i < count; ++i) {
    std::uint64_t word = random() >> random() % 64;
    if (random() % 2 == 0) word = 10 * (random() % 4000) - 20000;
    if (shape.kind == ScaleKind::real) word = real_bits(shape.word, random);
    for (std::size_t b = 0; b < shape.word; ++b) bytes.push_back(static_cast<std::uint8_t>(word >> (8 * b)));
  }
  return bytes;
}

inline constexpr ScaleShape kShapes[] = {
    {1, ScaleKind::integer, 1}, {2, ScaleKind::integer, 1}, {4, ScaleKind::integer, 1},
    {8, ScaleKind::integer, 1}, {4, ScaleKind::real, 1},    {8, ScaleKind::real, 1},
    {3, ScaleKind::integer, 1}, {7, ScaleKind::integer, 1},
};

}  // namespace tdz::test
