// SPDX-License-Identifier: Apache-2.0
// The step scale with its side data: words to integers and four substreams, and back.

#include <algorithm>
#include <array>

#include "formats/bytes.hpp"
#include "formats/steps/scale.hpp"
#include "kernels/scale.hpp"
#include "kernels/steps/scale/detect_scale.hpp"
#include "kernels/steps/scale/fit_scale.hpp"
#include "kernels/steps/step_coding.hpp"

namespace tdz {
namespace {

/// Words of each lane in a piece that is looked at, and pieces of a chunk.
constexpr std::size_t kPieceRows = 512;
constexpr std::size_t kSamplePieces = 8;

ScaleShape shape_of(const ScaleStep& step, const ColumnWords& words) {
  return {words.width, step.kind, step.tuple};
}

/// Pieces that begin at lane 0, spread over the words.
Pieces pieces_of(const ScaleShape& shape, std::span<const std::byte> words) {
  const std::size_t row = std::size_t{shape.word} * shape.tuple;
  const std::size_t rows = words.size() / row, length = std::min(rows, kPieceRows);
  if (rows <= kSamplePieces * kPieceRows) return {words};
  Pieces pieces;
  for (std::size_t k = 0; k < kSamplePieces; ++k) {
    pieces.push_back(words.subspan((rows - length) * k / (kSamplePieces - 1) * row, length * row));
  }
  return pieces;
}

ScalePlan asked(const ScaleShape& shape, std::span<const std::byte> words) {
  const auto estimates = detect_scale(shape, pieces_of(shape, words));
  return estimates.empty() ? ScalePlan{} : estimates.front().plan;
}

void put_pairs(std::span<const ScalePair> pairs, SubstreamSink& out) {
  const std::size_t bytes = pairs.size() * formats::kScalePairBytes;
  formats::write_scale_pairs(pairs, out.room(bytes));
  out.keep(bytes);
}

void put_holes(const ScaleShape& shape, std::span<const std::byte> words, std::span<const std::byte> bitmap,
               std::size_t holes, SubstreamSink& out) {
  if (holes == 0) {
    out.keep(0);
    out.keep(0);
    return;
  }
  out.put(bitmap);
  if (const auto common = common_hole(shape, words, bitmap)) {
    std::array<std::byte, 8> word;
    formats::set_le<std::uint64_t>(word, *common);
    return out.put(std::span(word).first(shape.word));
  }
  const std::size_t bytes = holes * shape.word;
  collect_holes(shape, words, bitmap, out.room(bytes).first(bytes));
  out.keep(bytes);
}

}  // namespace

/// Pairs come from the hints; without them the words are asked.
ColumnWords encode(const ScaleStep& step, const ColumnWords& x, const Encoding& how) {
  const ColumnWords words = to_packed(x, how.memory);
  const ScaleShape shape = shape_of(step, words);
  const ScalePlan plan = how.hints.scale ? *how.hints.scale : asked(shape, words.bytes);
  const ScaleFit fit =
      how.fits ? how.fits->fit(shape, plan, words.bytes) : fit_scale(shape, plan, words.bytes);
  const auto bitmap = how.memory.scratch(bitmap_bytes(words.words));
  const auto integers = how.memory.take(words.bytes.size());
  const std::size_t holes = encode_scale(shape, fit.choice(), words.bytes, integers, bitmap);
  put_pairs(fit.pairs, how.out);
  how.out.put(fit.selectors);
  put_holes(shape, words.bytes, bitmap, holes, how.out);
  return {integers, words.width, words.words, 0};
}

Result<ColumnWords> decode(const ScaleStep& step, const ColumnWords& x, const Decoding& how) {
  const ColumnWords integers = to_packed(x, how.memory);
  const auto words = how.place(integers.bytes.size());
  const ScaleShape shape = shape_of(step, integers);
  const auto read =
      formats::read_scale_side(shape, integers.words, {how.side[0], how.side[1], how.side[2], how.side[3]});
  if (!read) return read.error();
  if (auto done = decode_scale(shape, *read, integers.bytes, words); !done) return done.error();
  return ColumnWords{words, x.width, x.words, 0};
}

}  // namespace tdz
