// SPDX-License-Identifier: Apache-2.0
// Chunks of uniform blocks as a device gets them, what it must make of them, and a plain simulation of it:
// one thread, the same functions of kernels/uniform, no ring, no tile.
#pragma once

#include <bit>
#include <cstring>
#include <string>

#include "kernels/uniform/block.hpp"
#include "kernels/uniform/decode_plan.hpp"
#include "kernels/uniform/stream_place.hpp"
#include "kernels/uniform/token_shape.hpp"
#include "tests/codec/uniform_chunks.hpp"
#include "tests/oracle/uniform.hpp"

namespace tdz::test {

/// A plan whose columns a device decodes wholly or in part.
inline Plan random_device_plan(Chance& chance) {
  Plan plan = random_uniform_plan(chance);
  for (Column& column : plan.columns) {
    const auto* last = column.steps.empty() ? nullptr : std::get_if<TokensStep>(&column.steps.back());
    if (last == nullptr || chance.once_in(4)) continue;
    const TokensStep tokens = *last;
    column.steps.pop_back();
    if (chance.once_in(2)) column.steps.clear();
    const auto order = static_cast<std::uint8_t>(chance.below(5));
    const std::uint32_t run = tokens.run > 4096 ? 0 : tokens.run;
    if (chance.once_in(4)) {
      LanesStep lanes{std::vector<LaneRule>(tokens.tuple), run};
      for (LaneRule& rule : lanes.lanes)
        rule = {static_cast<std::uint8_t>(chance.below(4)), chance.once_in(2), LaneRule::kNoSource, 0, false};
      const bool has_sources = tokens.tuple <= 9 && chance.once_in(2);
      for (std::size_t l = 1; has_sources && l < tokens.tuple; ++l)
        if (!chance.once_in(3)) lanes.lanes[l].source = static_cast<std::uint16_t>(chance.below(l));
      // Rows of an image, of whole points.
      const auto row = static_cast<std::uint32_t>(tokens.tuple * (100 + chance.below(300)));
      if (has_sources && column.steps.empty() && chance.once_in(2))
        column.steps.push_back(DifferenceStep{row, static_cast<std::uint8_t>(1 + chance.below(3))});
      column.steps.push_back(lanes);
    } else {
      if (order != 0) column.steps.push_back(DifferenceStep{tokens.tuple, order, run});
      if (!chance.once_in(4)) column.steps.push_back(ZigzagStep{});
    }
    column.steps.push_back(tokens);
  }
  return plan;
}

/// A plan of packed groups that a device decodes: any steps that the scan kernels undo before them.
inline Plan random_packed_plan(Chance& chance) {
  constexpr std::uint8_t kWidths[] = {1, 2, 2, 4, 4, 8};
  constexpr std::uint32_t kTuples[] = {1, 1, 1, 2, 3, 7, 40, 256}, kRows[] = {2, 17, 640, 3000};
  Column column{chance.one_of(kWidths), static_cast<std::uint16_t>(chance.once_in(4) ? 3 : 1), {}};
  if (column.width > 1 && chance.once_in(5)) column.steps.push_back(ByteswapStep{});
  if (chance.once_in(4)) column.steps.push_back(DifferenceStep{chance.one_of(kRows), 1});
  if (!chance.once_in(4)) {
    const auto order = static_cast<std::uint8_t>(1 + chance.below(chance.once_in(3) ? 8 : 2));
    column.steps.push_back(DifferenceStep{chance.one_of(kTuples), order});
  }
  if (!chance.once_in(4)) column.steps.push_back(ZigzagStep{});
  column.steps.push_back(PackedStep{chance.one_of(kTuples)});
  Plan plan{Coding::zstd, {std::move(column)}};
  if (chance.once_in(4)) plan.packing.frame_bytes = static_cast<std::uint32_t>(4096 + chance.below(400'000));
  return plan;
}

struct BatchChunk {
  Made made;
  Bytes original;
  uniform::ChunkBase base;
  uniform::ChunkDecode left;
};

/// The chunks of a batch that a device may decode, and the buffers on the host.
class DeviceBatch {
 public:
  static constexpr std::size_t kSlack = 64;

  /// False: not for a device. `apart`: bytes between this chunk and the one before, in packed and values.
  bool add(const Made& made, const Bytes& original, std::size_t apart = 0) {
    BatchChunk chunk{made, original, {}, {}};
    chunk.base = {static_cast<std::uint32_t>(chunks.size()), packed.size() + apart, values + apart};
    if (!uniform::add_chunk(made.chunk.plan, made.chunk.record, chunk.base, tables, chunk.left)) return false;
    packed.resize(packed.size() + apart, std::byte{0xCC});
    packed.insert(packed.end(), made.packed.begin(), made.packed.end());
    values += apart + original.size();
    side.resize(static_cast<std::size_t>(tables.side_bytes));
    ZstdDecoder zstd;
    for (const auto& frame : chunk.left.frames) {
      const auto from = std::span(packed).subspan(static_cast<std::size_t>(frame.packed), frame.packed_bytes);
      const auto to = std::span(side).subspan(static_cast<std::size_t>(frame.side), frame.unpacked_bytes);
      chunk_is_damaged = !zstd.decode(from, to) || chunk_is_damaged;
    }
    chunks.push_back(std::move(chunk));
    return true;
  }

  uniform::DecodeTables tables;
  std::vector<BatchChunk> chunks;
  Bytes packed, side;
  std::uint64_t values = 0;  ///< bytes of all originals
  bool chunk_is_damaged = false;
};

/// What a device makes of a batch.
struct Decoded {
  Bytes values, work;
  std::vector<std::uint32_t> status;
};

/// The words of a column behind its first `left` steps.
inline Bytes words_after(const Plan& plan, std::size_t number, std::size_t left, const Bytes& original) {
  Plan shorter = plan;
  shorter.coding = Coding::zstd;
  shorter.packing = {};
  for (std::size_t c = 0; c < plan.columns.size(); ++c)
    shorter.columns[c].steps.resize(c == number ? left : 0);
  const Made made = made_of(*encode_block(shorter, original));
  const auto all = by_libzstd(made.chunk, made.packed).value();
  const auto substreams = formats::substreams(made.chunk.plan, original.size());
  std::size_t at = 0;
  for (std::size_t i = 0; i < substreams.size(); ++i) {
    const std::size_t bytes = made.chunk.record.substreams[i];
    if (substreams[i].role == formats::SubstreamRole::words && substreams[i].column == number)
      return {all.begin() + static_cast<std::ptrdiff_t>(at),
              all.begin() + static_cast<std::ptrdiff_t>(at + bytes)};
    at += bytes;
  }
  return {};
}

/// Words side by side, as numbers and back.
inline std::uint64_t word_at(const Bytes& words, std::size_t i, std::size_t width) {
  std::uint64_t word = 0;
  for (std::size_t b = 0; b < width; ++b)
    word |= std::to_integer<std::uint64_t>(words[i * width + b]) << (8 * b);
  return word;
}
inline void put_word(Bytes& words, std::size_t i, std::size_t width, std::uint64_t word) {
  for (std::size_t b = 0; b < width; ++b) words[i * width + b] = static_cast<std::byte>(word >> (8 * b));
}

/// The words of integrated lanes, to which their sources are still to be added.
inline Bytes without_sources(const LanesStep& lanes, std::size_t width, const Bytes& words) {
  const std::size_t tuple = lanes.lanes.size();
  Bytes made = words;
  for (std::size_t i = 0; i < words.size() / width; ++i) {
    const LaneRule& rule = lanes.lanes[i % tuple];
    const std::size_t other = i - i % tuple + rule.source;
    if (!rule.has_source() || other >= words.size() / width) continue;
    put_word(made, i, width, word_at(words, i, width) - word_at(words, other, width));
  }
  return made;
}

/// What must stand in the work memory: the words behind the steps that are left, side by side.
inline Bytes words_left(const BatchChunk& chunk, std::size_t number) {
  const Plan& plan = chunk.made.chunk.plan;
  const Column& column = plan.columns[number];
  const auto& left = chunk.left.columns[number];
  if (!left.adds_sources) return words_after(plan, number, left.steps_left, chunk.original);
  const std::size_t lanes = left.steps_left - 1u;
  return without_sources(std::get<LanesStep>(column.steps[lanes]), column.width,
                         words_after(plan, number, lanes, chunk.original));
}

/// What does stand there, lanes together.
inline Bytes words_found(const BatchChunk& chunk, std::size_t number, std::size_t bytes, const Bytes& work) {
  const Column& column = chunk.made.chunk.plan.columns[number];
  const auto& left = chunk.left.columns[number];
  const std::size_t width = column.width, words = bytes / width, tuple = tuple_of(column.steps.back());
  Bytes found(bytes);
  for (std::size_t i = 0; i < words; ++i) {
    std::uint64_t at = left.work + i * width;
    if (left.planar)
      at = left.work +
           i % tuple * uniform::planar_lane_bytes(words, static_cast<std::uint32_t>(tuple), column.width) +
           i / tuple * width;
    std::copy_n(work.begin() + static_cast<std::ptrdiff_t>(at), width,
                found.begin() + static_cast<std::ptrdiff_t>(i * width));
  }
  return found;
}

/// An empty text, or which column of a chunk is wrong. The chunk's status is not looked at.
inline std::string fault_of(const BatchChunk& chunk, const Decoded& decoded) {
  const Plan& plan = chunk.made.chunk.plan;
  const std::size_t row = row_bytes(plan), rows = chunk.original.size() / row;
  std::size_t field = 0;
  for (std::size_t c = 0; c < plan.columns.size(); field += row_bytes(plan.columns[c]), ++c) {
    const auto& left = chunk.left.columns[c];
    const std::size_t own = row_bytes(plan.columns[c]);
    if (!left.uniform) continue;
    if (left.steps_left != 0 || left.planar) {
      const Bytes words = words_left(chunk, c);
      if (words.size() != rows * own) return "no words of column " + std::to_string(c);
      if (words != words_found(chunk, c, words.size(), decoded.work))
        return "words of column " + std::to_string(c);
      continue;
    }
    for (std::size_t r = 0; r < rows; ++r) {
      const std::size_t at = r * row + field;
      if (std::memcmp(chunk.original.data() + at, decoded.values.data() + chunk.base.values + at, own) != 0)
        return "row " + std::to_string(r) + " of column " + std::to_string(c);
    }
  }
  return {};
}

// ---- The simulation

class BatchSimulation {
 public:
  explicit BatchSimulation(const DeviceBatch& batch) : batch_(batch), tables_(batch.tables) {
    decoded_.values.assign(static_cast<std::size_t>(batch.values), std::byte{0xA5});
    decoded_.work.assign(static_cast<std::size_t>(tables_.work_bytes), std::byte{0xA5});
    decoded_.status.assign(batch.chunks.size(), 0);
    joined_.resize(static_cast<std::size_t>(tables_.joined_bytes));
  }

  Decoded run() {
    for (const auto& check : tables_.checks) {
      const auto* found = bytes_of(batch_.packed, check.at);
      if (!std::equal(found, found + check.count, check.bytes)) decoded_.status[check.chunk] = 1;
    }
    for (const auto& piece : tables_.joins)
      std::copy_n(batch_.packed.data() + piece.from, piece.bytes, joined_.data() + piece.to);
    for (const auto& groups : tables_.groups)
      for (const auto& group : groups) run(group);
    return std::move(decoded_);
  }

 private:
  static const std::uint8_t* bytes_of(const Bytes& bytes, std::uint64_t at) {
    return reinterpret_cast<const std::uint8_t*>(bytes.data()) + at;
  }
  uniform::ListedBlock listed(const uniform::BlockPlace& block, const uniform::LanePlace& lane) const {
    return {bytes_of(batch_.packed, block.at), block.length, static_cast<uniform::BlockType>(block.type),
            4u << lane.run_log, block.last != 0};
  }
  /// Its symbols, by the next `longest` bits.
  static std::vector<std::uint16_t> table_of(const uniform::TreeWeights& tree) {
    std::vector<std::uint16_t> table;
    for (std::uint32_t w = 1; w <= uniform::kHeaviest; ++w)
      for (std::uint32_t s = 0; s < tree.symbols; ++s)
        if (tree.of[s] == w)
          table.insert(table.end(), std::size_t{1} << (w - 1), static_cast<std::uint16_t>(s));
    return table;
  }

  void run(const uniform::BlockGroup& group) {
    lane_ = tables_.lanes[group.lane];
    tree_ = {};
    if (group.tree != uniform::BlockGroup::kNoTree) {
      const auto block = listed(tables_.blocks[group.tree], lane_);
      const auto place = block.tree();
      uniform::FseSpace space;
      if (place.bytes == 0 || oracle::read_weights(block.bytes + place.at, place.bytes, space, tree_) == 0)
        return refuse();
      const auto kind = static_cast<std::size_t>(std::bit_width(std::bit_ceil(unsigned{lane_.width})) - 1);
      if (tree_.longest > tables_.code_limit[kind]) return refuse();
      table_ = table_of(tree_);
      CHECK(table_.size() == std::size_t{1} << tree_.longest);
    }
    std::uint32_t row = group.row;
    for (std::uint32_t b = 0; b < group.blocks; ++b)
      for (std::uint32_t run = 0; run < 4; ++run, row += 1u << lane_.run_log)
        if (!decode_run(tables_.blocks[group.first + b], run, row)) refuse();
  }
  void refuse() { decoded_.status[lane_.chunk] = 2; }

  bool decode_run(const uniform::BlockPlace& block, std::uint32_t number, std::uint32_t row) {
    const std::uint32_t words = 1u << lane_.run_log;
    if (block.type == 4) {
      const std::uint32_t before = number * words;
      const std::uint32_t count = block.length > before ? std::min(words, block.length - before) : 0;
      return put_words(block, number, row, {bytes_of(batch_.side, block.at) + before, count});
    }
    const auto in = listed(block, lane_);
    if (!in.header_agrees()) return false;
    std::vector<std::uint8_t> tokens(words);
    if (in.has_codes() &&
        (!read_codes(in, number, tokens) || (block.bits != 0 && block.bits != tree_.longest)))
      return false;
    for (std::uint32_t i = 0; i < words && !in.has_codes(); ++i)
      tokens[i] = in.bytes[3 + (block.type == 1 ? 0 : number * words + i)];
    return put_words(block, number, row, tokens);
  }

  bool read_codes(const uniform::ListedBlock& block, std::uint32_t number,
                  std::vector<std::uint8_t>& tokens) const {
    const auto place = block.stream(number);
    if (place.bytes == 0) return false;
    oracle::BackwardBits in({reinterpret_cast<const std::byte*>(block.bytes) + place.at, place.bytes});
    if (!in.has_end()) return false;
    for (auto& token : tokens) {
      const std::uint16_t symbol = table_[in.peek(tree_.longest)];
      const unsigned bits = tree_.longest + 1 - tree_.of[symbol];
      if (bits > in.left()) return false;
      in.skip(bits);
      token = static_cast<std::uint8_t>(symbol);
    }
    return in.left() == 0;
  }

  bool put_words(const uniform::BlockPlace& block, std::uint32_t number, std::uint32_t row,
                 std::span<const std::uint8_t> tokens) {
    std::uint64_t at = block.raw_at;
    for (std::uint32_t i = 0; i < number; ++i) at += block.raw[i];
    const Bytes& source = block.joined != 0 ? joined_ : batch_.packed;
    const std::span raw(source.data() + at, block.raw[number]);
    std::int64_t left = 8 * std::ssize(raw);
    std::uint64_t sum[4] = {};
    for (const std::uint8_t token : tokens) {
      if (token >= uniform::tokens_of(lane_.k, lane_.m, 8u * lane_.width)) return false;
      const auto shape = uniform::shape_of_token(lane_.k, lane_.m, token);
      std::uint64_t word = shape.mantissa;
      for (std::uint32_t i = 0; i < shape.raw_bits; ++i) {
        if (--left < 0) return false;
        word = word << 1 | oracle::bits_at(raw, left, 1);
      }
      if (lane_.zigzag != 0) word = word >> 1 ^ (0 - (word & 1));
      sum[0] = word;
      for (unsigned i = 1; i <= lane_.order; ++i) sum[i] += sum[i - 1];
      put(row++, sum[lane_.order]);
    }
    return left <= 7 && oracle::bits_at(raw, 0, static_cast<unsigned>(left)) == 0;
  }

  void put(std::uint32_t row, std::uint64_t word) {
    Bytes& out = lane_.to_work != 0 ? decoded_.work : decoded_.values;
    const std::uint64_t x = lane_.first + std::uint64_t{row} * lane_.tuple;
    const std::uint64_t at = lane_.linear != 0
                                 ? lane_.at + std::uint64_t{row} * lane_.stride
                                 : lane_.at + x / lane_.count * lane_.row + x % lane_.count * lane_.width;
    for (unsigned b = 0; b < lane_.width; ++b)
      out[static_cast<std::size_t>(at + b)] = static_cast<std::byte>(word >> (8 * b));
  }

  const DeviceBatch& batch_;
  const uniform::DecodeTables& tables_;
  Decoded decoded_;
  Bytes joined_;
  uniform::LanePlace lane_;
  uniform::TreeWeights tree_;
  std::vector<std::uint16_t> table_;
};

}  // namespace tdz::test
