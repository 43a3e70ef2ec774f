// SPDX-License-Identifier: Apache-2.0
#include "tests/oracle/steps.hpp"

namespace tdz::oracle {
namespace {

using Word = std::uint64_t;
using Lane = std::vector<Word>;

Word cut(Word x, unsigned width) {
  return width == 8 ? x : x % (Word{1} << (8 * width));
}

bool is_negative(Word x, unsigned width) {
  return x >> (8 * width - 1) != 0;
}

std::size_t lanes_in(const Column& column) {
  return column.tuple < column.x.size() ? column.tuple : column.x.size();
}

Lane lane_of(const Column& column, std::size_t lane) {
  Lane words;
  for (std::size_t i = lane; i < column.x.size(); i += lanes_in(column)) words.push_back(column.x[i]);
  return words;
}

void put_lane(Column& column, std::size_t lane, const Lane& words) {
  for (std::size_t i = 0; i < words.size(); ++i) {
    column.x[lane + i * column.tuple] = cut(words[i], column.width);
  }
}

void difference_lane(Lane& lane, unsigned order, std::size_t run) {
  for (unsigned k = 0; k < order; ++k) {
    for (std::size_t i = lane.size(); i-- > 1;) {
      if (run == 0 || i % run != 0) lane[i] -= lane[i - 1];
    }
  }
}

void integrate_lane(Lane& lane, unsigned order, std::size_t run) {
  for (unsigned k = 0; k < order; ++k) {
    for (std::size_t i = 1; i < lane.size(); ++i) {
      if (run == 0 || i % run != 0) lane[i] += lane[i - 1];
    }
  }
}

void zigzag_lane(Lane& lane, unsigned width) {
  for (Word& x : lane) x = is_negative(cut(x, width), width) ? ~(x << 1) : x << 1;
}

void undo_zigzag_lane(Lane& lane) {
  for (Word& x : lane) x = x % 2 == 1 ? ~(x >> 1) : x >> 1;
}

/// lane[i] += factor * source[i - lag] where there is such an element.
void add_source(Lane& lane, const Lane& source, std::size_t lag, Word factor) {
  for (std::size_t i = lag; i < lane.size() && i - lag < source.size(); ++i)
    lane[i] += factor * source[i - lag];
}

void lane_forward(Column& out, const Column& in, const LanesStep& rules, std::size_t l) {
  const LaneRule& rule = rules.lanes[l];
  Lane lane = lane_of(in, l);
  const Lane source = rule.has_source() ? lane_of(in, rule.source) : Lane{};
  if (!rule.after) add_source(lane, source, rule.lag, ~Word{0});
  difference_lane(lane, rule.order, rules.run);
  if (rule.after) add_source(lane, source, rule.lag, ~Word{0});
  if (rule.zigzag) zigzag_lane(lane, in.width);
  put_lane(out, l, lane);
}

/// Undoes lane l, its source first; `done` tells what is undone already.
void lane_inverse(Column& column, const LanesStep& rules, std::size_t l, std::vector<bool>& done) {
  if (done[l]) return;
  const LaneRule& rule = rules.lanes[l];
  if (rule.has_source()) lane_inverse(column, rules, rule.source, done);
  Lane lane = lane_of(column, l);
  const Lane source = rule.has_source() ? lane_of(column, rule.source) : Lane{};
  if (rule.zigzag) undo_zigzag_lane(lane);
  if (rule.after) add_source(lane, source, rule.lag, 1);
  integrate_lane(lane, rule.order, rules.run);
  if (!rule.after) add_source(lane, source, rule.lag, 1);
  put_lane(column, l, lane);
  done[l] = true;
}

/// What a block predicts for its word i from the words x before it.
Word prediction(const Predictor& p, Sign sign, unsigned width, std::span<const Word> x, std::size_t i) {
  if (p.order == 0 || i == 0) return 0;
  if (i < p.order) return x[i - 1];
  Word sum = 0;
  for (unsigned j = 1; j <= p.order; ++j) {
    Word number = cut(x[i - j], width);
    if (sign == Sign::is_signed && width < 8 && is_negative(number, width)) number -= Word{1} << (8 * width);
    sum += static_cast<Word>(std::int64_t{p.coefficient[j - 1]}) * number;
  }
  return static_cast<Word>(static_cast<std::int64_t>(sum) >> p.shift);
}

template <class Change>
Column by_blocks(Column column, std::span<const Predictor> predictors, const Change& change) {
  std::size_t block = 0;
  for (std::size_t l = 0; l < lanes_in(column); ++l) {
    Lane lane = lane_of(column, l);
    for (std::size_t first = 0; first < lane.size(); first += kPredictBlock, ++block) {
      const std::size_t words = lane.size() - first < kPredictBlock ? lane.size() - first : kPredictBlock;
      change(std::span(lane).subspan(first, words), predictors[block]);
    }
    put_lane(column, l, lane);
  }
  return column;
}

using Bits = std::vector<bool>;  // the first is on top

void append_bits(Bits& bits, Word value, unsigned count) {
  for (unsigned b = count; b-- > 0;) bits.push_back((value >> b) % 2 == 1);
}

/// Bit 0 of byte 0 is the lowest bit of the integer, and what is left over below the bits is zero.
void append_run(TokenStreams& streams, const Bits& bits) {
  const std::size_t bytes = (bits.size() + 7) / 8, start = streams.raw.size();
  streams.raw.resize(start + bytes);
  for (std::size_t b = 0; b < bits.size(); ++b) {
    const std::size_t place = bytes * 8 - 1 - b;
    if (bits[b]) streams.raw[start + place / 8] |= static_cast<std::uint8_t>(1u << (place % 8));
  }
  streams.lengths.push_back(static_cast<std::uint32_t>(bytes));
}

Bits bits_of(std::span<const std::uint8_t> run) {
  Bits bits;
  for (std::size_t byte = run.size(); byte-- > 0;) append_bits(bits, run[byte], 8);
  return bits;
}

/// The shape of a token: its leading bits, and how many raw bits follow them.
struct Shape {
  Word lead = 0;
  unsigned raw = 0;
};

Shape shape_of(unsigned token, TokenCode code) {
  const unsigned small = 1u << code.k, step = 1u << code.m;
  if (token < small) return {token, 0};
  const unsigned f = (token - small) / step + code.k;
  return {step + (token - small) % step, f - code.m};
}

/// The words of one run; nothing where its bits do not fit them.
bool decode_run(std::span<const std::uint8_t> tokens, const Bits& bits, const Column& shape, TokenCode code,
                Lane& lane) {
  std::size_t used = 0;
  for (const std::uint8_t token : tokens) {
    const Shape s = shape_of(token, code);
    const bool too_large = token >= (1u << code.k) && s.raw + code.m >= 8 * shape.width;
    if (too_large || bits.size() - used < s.raw) return false;
    Word z = s.lead;
    for (unsigned b = 0; b < s.raw; ++b) z = z * 2 + (bits[used++] ? 1 : 0);
    lane.push_back(z);
  }
  if (bits.size() - used >= 8) return false;
  while (used < bits.size()) {
    if (bits[used++]) return false;
  }
  return true;
}

}  // namespace

Column lanes(Column column, const LanesStep& rules) {
  const Column in = column;
  for (std::size_t l = 0; l < lanes_in(in); ++l) lane_forward(column, in, rules, l);
  return column;
}

Column undo_lanes(Column column, const LanesStep& rules) {
  std::vector<bool> done(rules.lanes.size(), false);
  for (std::size_t l = 0; l < rules.lanes.size(); ++l) lane_inverse(column, rules, l, done);
  return column;
}

Column difference(Column column, unsigned order, std::size_t run) {
  for (std::size_t l = 0; l < lanes_in(column); ++l) {
    Lane lane = lane_of(column, l);
    difference_lane(lane, order, run);
    put_lane(column, l, lane);
  }
  return column;
}

Column undo_difference(Column column, unsigned order, std::size_t run) {
  for (std::size_t l = 0; l < lanes_in(column); ++l) {
    Lane lane = lane_of(column, l);
    integrate_lane(lane, order, run);
    put_lane(column, l, lane);
  }
  return column;
}

Column predict(Column column, Sign sign, std::span<const Predictor> predictors) {
  const unsigned width = column.width;
  return by_blocks(std::move(column), predictors, [&](std::span<Word> x, const Predictor& p) {
    for (std::size_t i = x.size(); i-- > 0;) x[i] -= prediction(p, sign, width, x, i);
  });
}

Column undo_predict(Column column, Sign sign, std::span<const Predictor> predictors) {
  const unsigned width = column.width;
  return by_blocks(std::move(column), predictors, [&](std::span<Word> x, const Predictor& p) {
    for (std::size_t i = 0; i < x.size(); ++i) x[i] = cut(x[i] + prediction(p, sign, width, x, i), width);
  });
}

TokenStreams tokens(const Column& column, TokenCode code, std::size_t run) {
  TokenStreams streams;
  for (std::size_t l = 0; l < lanes_in(column); ++l) {
    const Lane lane = lane_of(column, l);
    Bits bits;
    for (std::size_t i = 0; i < lane.size(); ++i) {
      unsigned f = 0;
      while (f < 63 && lane[i] >> (f + 1) != 0) ++f;
      unsigned token = static_cast<unsigned>(lane[i]), raw = 0;
      if (lane[i] >= Word{1} << code.k) {
        raw = f - code.m;
        const unsigned below = static_cast<unsigned>(lane[i] >> raw) % (1u << code.m);
        token = (1u << code.k) + (f - code.k) * (1u << code.m) + below;
      }
      streams.tokens.push_back(static_cast<std::uint8_t>(token));
      append_bits(bits, lane[i], raw);
      const bool ends = i + 1 == lane.size() || (run != 0 && (i + 1) % run == 0);
      if (ends) append_run(streams, bits);
      if (ends) bits.clear();
    }
  }
  return streams;
}

std::optional<Column> undo_tokens(const TokenStreams& streams, Column shape, TokenCode code,
                                  std::size_t run) {
  std::span<const std::uint8_t> tokens = streams.tokens, raw = streams.raw;
  std::size_t number = 0;
  for (std::size_t l = 0; l < lanes_in(shape); ++l) {
    Lane lane;
    const std::size_t words = lane_of(shape, l).size();
    while (lane.size() < words) {
      const std::size_t rest = words - lane.size(), count = run == 0 || run > rest ? rest : run;
      if (number == streams.lengths.size() || streams.lengths[number] > raw.size()) return {};
      const std::size_t bytes = streams.lengths[number++];
      if (count > tokens.size()) return {};
      if (!decode_run(tokens.first(count), bits_of(raw.first(bytes)), shape, code, lane)) return {};
      tokens = tokens.subspan(count);
      raw = raw.subspan(bytes);
    }
    put_lane(shape, l, lane);
  }
  if (!tokens.empty() || !raw.empty() || number != streams.lengths.size()) return {};
  return shape;
}

namespace {

/// The words of each group, as FORMAT.md numbers them; words that do not exist are 0.
std::vector<std::vector<std::uint64_t>> groups_of(const Column& column) {
  std::vector<std::vector<std::uint64_t>> groups;
  const std::size_t block = 16 * column.tuple;
  for (std::size_t begin = 0; begin < column.x.size(); begin += block) {
    for (std::size_t k = 0; k < column.tuple && begin + k < column.x.size(); ++k) {
      std::vector<std::uint64_t> group(16, 0);
      for (std::size_t i = 0; i < 16; ++i)
        if (begin + k + i * column.tuple < column.x.size()) group[i] = column.x[begin + k + i * column.tuple];
      groups.push_back(group);
    }
  }
  return groups;
}

/// Bit after bit, the first one lowest.
void put_bits(std::vector<bool>& bits, std::uint64_t word, unsigned width) {
  for (unsigned b = 0; b < width; ++b) bits.push_back((word >> b & 1) != 0);
}

}  // namespace

PackedStreams packed(const Column& column, std::span<const std::uint8_t> widths) {
  PackedStreams out{{widths.begin(), widths.end()}, {}, {}, {}};
  std::vector<bool> bits;
  std::size_t number = 0;
  for (const auto& group : groups_of(column)) {
    unsigned needed = 0;
    for (const std::uint64_t word : group)
      while (needed < 64 && word >> needed != 0) ++needed;
    std::size_t code = 0;
    while (widths[code] < needed) ++code;
    if (number % 2 == 0) out.codes.push_back(static_cast<std::uint8_t>(code));
    if (number % 2 == 1) out.codes.back() = static_cast<std::uint8_t>(out.codes.back() + 16 * code);
    for (unsigned b = 0; b < 4 && number % 256 == 0; ++b)
      out.places.push_back(static_cast<std::uint8_t>(bits.size() / 8 >> (8 * b)));
    for (const std::uint64_t word : group) put_bits(bits, word, widths[code]);
    ++number;
  }
  out.bits.resize(bits.size() / 8);
  for (std::size_t b = 0; b < bits.size(); ++b)
    out.bits[b / 8] = static_cast<std::uint8_t>(out.bits[b / 8] | bits[b] << (b % 8));
  return out;
}

std::optional<Column> undo_packed(const PackedStreams& streams, Column shape) {
  std::vector<std::vector<std::uint64_t>> groups = groups_of(shape);
  if (streams.codes.size() != (groups.size() + 1) / 2 ||
      streams.places.size() != (groups.size() + 255) / 256 * 4)
    return {};
  std::size_t bit = 0;
  for (std::size_t g = 0; g < groups.size(); ++g) {
    const std::size_t code = streams.codes[g / 2] >> (g % 2 * 4) & 15;
    if (code >= streams.widths.size()) return {};
    std::size_t place = 0;
    for (unsigned b = 0; b < 4 && g % 256 == 0; ++b)
      place |= std::size_t{streams.places[g / 256 * 4 + b]} << (8 * b);
    if (g % 256 == 0 && place != bit / 8) return {};
    for (std::uint64_t& word : groups[g]) {
      word = 0;
      for (unsigned b = 0; b < streams.widths[code]; ++b, ++bit) {
        if (bit / 8 >= streams.bits.size()) return {};
        word |= std::uint64_t{static_cast<unsigned>(streams.bits[bit / 8]) >> (bit % 8) & 1u} << b;
      }
    }
  }
  if (bit != 8 * streams.bits.size()) return {};
  std::size_t g = 0;
  for (std::size_t begin = 0; begin < shape.x.size(); begin += 16 * shape.tuple) {
    for (std::size_t k = 0; k < shape.tuple && begin + k < shape.x.size(); ++k, ++g) {
      for (std::size_t i = 0; i < 16; ++i) {
        const std::size_t at = begin + k + i * shape.tuple;
        if (at < shape.x.size()) shape.x[at] = groups[g][i];
        if (at >= shape.x.size() && groups[g][i] != 0) return {};
      }
    }
  }
  return shape;
}

}  // namespace tdz::oracle
