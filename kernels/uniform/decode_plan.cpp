// SPDX-License-Identifier: Apache-2.0
#include "kernels/uniform/decode_plan.hpp"

#include <algorithm>
#include <bit>
#include <optional>
#include <span>
#include <utility>

#include "formats/plan/substreams.hpp"
#include "formats/steps/lane_map.hpp"
#include "kernels/uniform/block.hpp"
#include "kernels/uniform/frame.hpp"
#include "kernels/uniform/parts.hpp"

namespace tdz::uniform {
namespace {

using formats::BlockEntry;
using formats::FrameLengths;

constexpr std::size_t kSideAlignment = 16;

constexpr std::uint64_t aligned_side(std::uint64_t at) {
  return (at + kSideAlignment - 1) / kSideAlignment * kSideAlignment;
}

// ---- Headers of frames, as they must stand there

/// The header of a single segment with this content. The bytes around the blocks of a frame tell which of the
/// headers of zstd it has, and whether a checksum follows; nothing if it has none of them.
std::optional<FrameHeader> frame_header(std::uint64_t content, std::uint64_t around) {
  const bool checksum = around >= 10;
  const std::uint64_t own = around - (checksum ? 4 : 0);
  if (content > kLongestFrame || (own != 6 && own != 7 && own != 9)) return std::nullopt;
  const auto bytes = static_cast<std::uint32_t>(content);
  const unsigned size = own == 6 ? 0 : own == 7 ? 1 : 2;
  if (!FrameHeader::holds(bytes, size)) return std::nullopt;
  return FrameHeader(bytes, size, checksum);
}

/// Whether an entry can be that of a block whose tree a device takes.
bool can_be_block(const BlockEntry& entry, std::size_t tokens) {
  return is_block(entry, tokens) && entry.bits <= kLongestCode;
}

// ---- Steps

/// What the kernel undoes together with the layout, for one lane.
struct FusedSteps {
  std::uint8_t order = 0, zigzag = 0;
};

bool is_zigzag(const PlanStep& step) {
  return std::holds_alternative<ZigzagStep>(step);
}

bool is_fused_difference(const PlanStep& step, const TokensStep& tokens) {
  const auto* difference = std::get_if<DifferenceStep>(&step);
  return difference != nullptr && difference->tuple == tokens.tuple && difference->run == tokens.run &&
         difference->order <= kHighestFusedOrder;
}

/// Lanes that the kernel integrates. Sources that are added behind the sums, at no lag, are left.
bool is_fused_lanes(const PlanStep& step, const TokensStep& tokens) {
  const auto* lanes = std::get_if<LanesStep>(&step);
  return lanes != nullptr && lanes->lanes.size() == tokens.tuple && lanes->run == tokens.run &&
         std::ranges::all_of(lanes->lanes, [](const LaneRule& rule) {
           const bool comes_last = rule.lag == 0 && (!rule.after || rule.order == 0);
           return rule.order <= kHighestFusedOrder && (!rule.has_source() || comes_last);
         });
}

/// Words of many lanes would go to memory one by one.
bool is_planar(const Column& column, const TokensStep& tokens) {
  return tokens.tuple > kLargestTeam && (column.width == 1 || column.width == 2 || column.width == 4);
}

class ColumnSteps {
 public:
  ColumnSteps(const Column& column, const TokensStep& tokens) : left_(column.steps.size() - 1) {
    const auto& steps = column.steps;
    if (left_ > 0 && is_fused_lanes(steps[left_ - 1], tokens)) {
      rules_ = &std::get<LanesStep>(steps[left_ - 1]).lanes;
      adds_sources_ = std::ranges::any_of(*rules_, &LaneRule::has_source);
      if (!adds_sources_) --left_;
      return;
    }
    if (left_ > 0 && is_zigzag(steps[left_ - 1])) all_.zigzag = 1, --left_;
    if (left_ > 0 && is_fused_difference(steps[left_ - 1], tokens))
      all_.order = std::get<DifferenceStep>(steps[--left_]).order;
  }

  std::uint8_t left() const { return static_cast<std::uint8_t>(left_); }
  bool adds_sources() const { return adds_sources_; }
  FusedSteps of_lane(std::size_t lane) const {
    if (rules_ == nullptr) return all_;
    return {(*rules_)[lane].order, static_cast<std::uint8_t>((*rules_)[lane].zigzag ? 1 : 0)};
  }

 private:
  std::size_t left_;
  FusedSteps all_;
  const std::vector<LaneRule>* rules_ = nullptr;
  bool adds_sources_ = false;
};

// ---- A column, while its lanes and raw bits are read

struct OpenColumn {
  const Column* column = nullptr;
  const TokensStep* tokens = nullptr;
  std::size_t first_block = 0;  ///< of its blocks and remainders in the tables
  std::uint64_t block_tokens = 0;
  std::uint64_t lane_bytes = 0;  ///< in work, if lanes stand there one behind the other; otherwise 0
  std::vector<std::vector<BlockGroup>> groups;  ///< of each lane
  std::vector<BlockGroup> remainders;
};

/// Bytes of raw bits that stand together in the file.
struct RawPiece {
  std::uint64_t begin = 0, packed = 0, bytes = 0;
};

class ChunkPlanner {
 public:
  ChunkPlanner(const Plan& plan, const formats::ChunkRecord& record, const ChunkBase& base,
               DecodeTables& tables, ChunkDecode& left)
      : plan_(plan),
        record_(record),
        base_(base),
        tables_(tables),
        left_(left),
        frames_(record.frames),
        list_(record.blocks),
        packed_(base.packed) {}

  bool run() {
    left_ = {};
    left_.columns.resize(plan_.columns.size());
    const auto rows = formats::rows_of(plan_, record_.original_bytes);
    left_.rest_bytes = record_.original_bytes - rows * row_bytes(plan_);
    begin_side();
    const auto substreams = formats::substreams(plan_, record_.original_bytes);
    for (std::size_t i = 0; i < substreams.size(); ++i)
      if (!add_substream(substreams[i], record_.substreams[i], static_cast<std::size_t>(rows))) return false;
    return end_side() && frames_.used_all() && list_.used_all() && blocks_ > 0;
  }

 private:
  bool add_substream(const formats::Substream& substream, std::uint64_t bytes, std::size_t rows) {
    using enum formats::SubstreamRole;
    const bool of_tokens = substream.role == tokens || substream.role == raw_bits;
    const Column* column = of_tokens ? &plan_.columns[substream.column] : nullptr;
    const TokensStep* step = column != nullptr ? uniform_tokens(plan_, *column) : nullptr;
    left_.substreams.push_back({step != nullptr, add_side(step != nullptr ? 0 : bytes)});
    if (step == nullptr) return true;
    if (substream.role == tokens) return add_lanes(substream.column, *step, rows);
    return add_raw(bytes);
  }

  // ---- What ordinary frames hold

  void begin_side() { tables_.side_bytes = side_begin_ = aligned_side(tables_.side_bytes); }
  std::uint64_t add_side(std::uint64_t bytes) {
    const std::uint64_t at = tables_.side_bytes;
    tables_.side_bytes += bytes;
    return at;
  }
  /// Frames that hold exactly the bytes since begin_side().
  bool end_side() {
    std::uint64_t at = side_begin_;
    while (at < tables_.side_bytes) {
      const FrameLengths* frame = frames_.next();
      if (frame == nullptr || frame->unpacked == 0 || frame->unpacked > tables_.side_bytes - at) return false;
      left_.frames.push_back({packed_, at, frame->packed, frame->unpacked});
      packed_ += frame->packed;
      at += frame->unpacked;
    }
    begin_side();
    return true;
  }

  // ---- Lanes

  bool add_lanes(std::uint16_t number, const TokensStep& step, std::size_t rows) {
    const Column& column = plan_.columns[number];
    const LaneMap map = LaneMap::of_width(column.width, step.tuple, rows * column.count);
    const ColumnSteps steps(column, step);
    open_ = {&column,
             &step,
             tables_.blocks.size(),
             kRuns * std::uint64_t{step.run},
             is_planar(column, step) ? planar_lane_bytes(map.words, step.tuple, column.width) : 0,
             std::vector<std::vector<BlockGroup>>(map.lanes()),
             {}};
    const bool planar = open_.lane_bytes != 0;
    tables_.work_bytes = aligned_side(tables_.work_bytes);
    left_.columns[number] = {true, steps.left(), tables_.work_bytes, steps.adds_sources(), planar};
    if (steps.left() != 0 || planar) {
      const std::uint64_t bytes = planar ? map.lanes() * open_.lane_bytes : map.words * column.width;
      tables_.work_bytes = aligned_side(tables_.work_bytes + bytes);
    }
    for (std::size_t l = 0; l < map.lanes(); ++l) {
      tables_.lanes.push_back(lane_place(number, steps, l));
      const std::uint64_t rest = map.length(l) % open_.block_tokens;
      if (!add_blocks(l, map.length(l) - rest) || !add_remainder(map.length(l) - rest, rest)) return false;
    }
    add_groups();
    return true;
  }

  LanePlace lane_place(std::uint16_t number, const ColumnSteps& steps, std::size_t lane) const {
    const Column& column = plan_.columns[number];
    const TokensStep& step = *open_.tokens;
    const FusedSteps fused = steps.of_lane(lane);
    LanePlace place;
    place.chunk = base_.chunk;
    place.width = column.width;
    place.k = step.code.k, place.m = step.code.m;
    place.run_log = static_cast<std::uint8_t>(std::countr_zero(step.run));
    place.order = fused.order, place.zigzag = fused.zigzag;
    place.to_work = steps.left() != 0 || open_.lane_bytes != 0;
    put_place(place, number, static_cast<std::uint32_t>(lane));
    return place;
  }

  void put_place(LanePlace& place, std::uint16_t number, std::uint32_t lane) const {
    const Column& column = plan_.columns[number];
    const auto tuple = open_.tokens->tuple;
    const bool alone = place.to_work != 0 || plan_.columns.size() == 1;
    std::uint64_t begin = place.to_work != 0 ? left_.columns[number].work : base_.values;
    if (place.to_work == 0)
      for (std::size_t c = 0; c < number; ++c) begin += row_bytes(plan_.columns[c]);
    if (open_.lane_bytes != 0) {
      place.at = begin + lane * open_.lane_bytes, place.stride = column.width, place.first = lane;
      return;
    }
    place.row = static_cast<std::uint32_t>(row_bytes(plan_));
    place.tuple = tuple, place.count = column.count, place.first = lane;
    place.linear = alone || column.count == 1 || column.count == tuple;
    if (place.linear == 0) return void(place.at = begin);
    const bool by_word = alone || column.count != 1;  // neighbouring words of a row
    place.at = begin + std::uint64_t{lane} * (by_word ? column.width : place.row);
    place.stride = alone ? tuple * column.width : column.count == 1 ? tuple * place.row : place.row;
  }

  bool add_blocks(std::size_t lane, std::uint64_t tokens) {
    if (tokens == 0) return true;
    if (!end_side()) return false;
    for (std::uint64_t row = 0; row < tokens;) {
      const FrameLengths* frame = frames_.next();
      if (frame == nullptr || frame->unpacked == 0 || frame->unpacked > tokens - row) return false;
      const std::uint64_t blocks = frame->unpacked / open_.block_tokens;
      const bool last = row + frame->unpacked == tokens;
      if (frame->unpacked % open_.block_tokens != 0 || (!last && blocks % kGroup != 0)) return false;
      if (!add_uniform_frame(*frame, lane, row)) return false;
      row += frame->unpacked;
    }
    return true;
  }

  bool add_uniform_frame(const FrameLengths& frame, std::size_t lane, std::uint64_t row) {
    const std::size_t first = tables_.blocks.size();
    std::uint64_t inside = 0;
    for (std::uint64_t at = 0; at < frame.unpacked; at += open_.block_tokens) {
      const BlockEntry* entry = list_.next();
      if (entry == nullptr || !can_be_block(*entry, open_.block_tokens)) return false;
      BlockPlace place = listed(*entry);
      place.at = packed_ + inside;  // behind the header, which is not known yet
      place.length = entry->length;
      place.type = entry->type, place.bits = entry->bits;
      place.last = at + open_.block_tokens == frame.unpacked;
      tables_.blocks.push_back(place);
      inside += kBlockHeader + entry->length;
    }
    if (inside > frame.packed) return false;
    const auto header = frame_header(frame.unpacked, frame.packed - inside);
    if (!header) return false;
    tables_.check(packed_, base_.chunk, {header->bytes, header->length});
    for (std::size_t b = first; b < tables_.blocks.size(); ++b) tables_.blocks[b].at += header->length;
    packed_ += frame.packed;
    blocks_ += tables_.blocks.size() - first;
    return group_blocks(first, lane, row);
  }

  static BlockPlace listed(const BlockEntry& entry) {
    BlockPlace place;
    std::ranges::copy(entry.raw, place.raw);
    return place;
  }

  /// Section 4, "Trees": at most one in a group, before its first codes; none may be missing.
  bool group_blocks(std::size_t first, std::size_t lane, std::uint64_t row) {
    std::uint32_t tree = BlockGroup::kNoTree;
    for (std::size_t b = first; b < tables_.blocks.size(); b += kGroup) {
      const std::size_t end = std::min(b + kGroup, tables_.blocks.size());
      bool coded = false;
      for (std::size_t i = b; i < end; ++i) {
        const auto& block = tables_.blocks[i];
        const auto type = static_cast<BlockType>(block.type);
        if (type != BlockType::with_tree && type != BlockType::treeless) continue;
        if (type == BlockType::with_tree && coded) return false;
        if (type == BlockType::with_tree) tree = static_cast<std::uint32_t>(i);
        if (tree == BlockGroup::kNoTree) return false;
        coded = true;
        const unsigned bits = block.bits != 0 ? block.bits : kLongestCode;
        auto& limit = tables_.code_limit[word_kind()];
        limit = std::max(limit, static_cast<std::uint8_t>(bits + (has_wide_entries() ? 1 : 0)));
      }
      open_.groups[lane].push_back({static_cast<std::uint32_t>(b), static_cast<std::uint32_t>(end - b),
                                    coded ? tree : BlockGroup::kNoTree, this_lane(),
                                    static_cast<std::uint32_t>(row)});
      row += kGroup * open_.block_tokens;
    }
    return true;
  }

  bool add_remainder(std::uint64_t row, std::uint64_t tokens) {
    if (tokens == 0) return true;
    const BlockEntry* entry = list_.next();
    if (entry == nullptr || entry->type != static_cast<std::uint8_t>(BlockType::remainder)) return false;
    if (entry->length != 0 || entry->bits != 0) return false;
    for (std::size_t run = 0; run < kRuns; ++run)
      if (run * open_.tokens->run >= tokens && entry->raw[run] != 0) return false;
    BlockPlace place = listed(*entry);
    place.at = add_side(tokens);
    place.length = static_cast<std::uint16_t>(tokens);
    place.type = entry->type;
    open_.remainders.push_back({static_cast<std::uint32_t>(tables_.blocks.size()), 1, BlockGroup::kNoTree,
                                this_lane(), static_cast<std::uint32_t>(row)});
    tables_.blocks.push_back(place);
    return true;
  }

  std::uint32_t this_lane() const { return static_cast<std::uint32_t>(tables_.lanes.size() - 1); }
  std::size_t word_kind() const {
    return static_cast<std::size_t>(std::bit_width(std::bit_ceil(unsigned{open_.column->width})) - 1);
  }

  /// Mantissas of 7 bits and up to 63 raw bits: an entry takes the room of two.
  bool has_wide_entries() const { return open_.column->width > 4 && open_.tokens->code.k == 7; }

  /// Groups that write to the same lines stand together. Remainders take longest, so they come first.
  void add_groups() {
    auto& out = tables_.groups[word_kind()];
    const std::uint8_t team = team_of_lanes();
    auto& of_all = tables_.team[word_kind()];
    of_all = of_all == 0 || of_all == team ? team : 1;
    out.insert(out.end(), open_.remainders.begin(), open_.remainders.end());
    for (std::size_t i = open_.remainders.size(); i % team != 0; ++i)
      out.push_back({static_cast<std::uint32_t>(open_.first_block), 0, BlockGroup::kNoTree, this_lane(), 0});
    std::size_t most = 0;
    for (const auto& lane : open_.groups) most = std::max(most, lane.size());
    for (std::size_t g = 0; g < most; ++g)
      for (const auto& lane : open_.groups)
        if (g < lane.size()) out.push_back(lane[g]);
  }

  /// The lanes, if their words lie side by side and all have the same groups.
  std::uint8_t team_of_lanes() const {
    const std::size_t lanes = open_.groups.size();
    const unsigned width = open_.column->width;
    if (lanes < 2 || lanes > kLargestTeam || !std::has_single_bit(width)) return 1;
    if (lanes != open_.tokens->tuple || tables_.lanes.back().stride != lanes * width) return 1;
    for (const auto& lane : open_.groups)
      if (lane.size() != open_.groups[0].size()) return 1;
    return static_cast<std::uint8_t>(lanes);
  }

  // ---- Raw bits

  bool add_raw(std::uint64_t bytes) {
    if (!end_side()) return false;
    std::vector<RawPiece> pieces;
    for (std::uint64_t at = 0; at < bytes;) {
      const FrameLengths* frame = frames_.next();
      if (frame == nullptr || frame->unpacked == 0 || frame->unpacked > bytes - at) return false;
      if (!add_raw_frame(*frame, at, pieces)) return false;
      at += frame->unpacked;
    }
    return place_raw(pieces, bytes);
  }

  bool add_raw_frame(const FrameLengths& frame, std::uint64_t at, std::vector<RawPiece>& pieces) {
    const std::uint64_t blocks = (frame.unpacked + kRawBlock - 1) / kRawBlock;
    const std::uint64_t inside = frame.unpacked + kBlockHeader * blocks;
    if (inside > frame.packed) return false;
    const auto header = frame_header(frame.unpacked, frame.packed - inside);
    if (!header) return false;
    tables_.check_raw_frame(packed_, base_.chunk, *header, frame.unpacked);
    const std::uint64_t first = packed_ + header->length + kBlockHeader;
    for_each_raw_block(frame.unpacked, [&](std::uint32_t offset, std::uint32_t, std::uint32_t length) {
      pieces.push_back({at, first + offset, length});
      at += length;
    });
    packed_ += frame.packed;
    return true;
  }

  /// Gives every block of the open column its raw bits.
  bool place_raw(std::span<const RawPiece> pieces, std::uint64_t bytes) {
    std::uint64_t at = 0;
    for (std::size_t b = open_.first_block; b < tables_.blocks.size(); ++b) {
      BlockPlace& block = tables_.blocks[b];
      std::uint64_t sum = 0;
      for (const std::uint16_t own : block.raw) sum += own;
      if (sum > bytes - at) return false;
      if (sum == 0) continue;
      while (at >= pieces.front().begin + pieces.front().bytes) pieces = pieces.subspan(1);
      place_raw_of(block, at, sum, pieces);
      at += sum;
    }
    return at == bytes;
  }

  /// Precondition: the pieces have them, from the first one on.
  void place_raw_of(BlockPlace& block, std::uint64_t at, std::uint64_t bytes,
                    std::span<const RawPiece> pieces) {
    const std::uint64_t skipped = at - pieces[0].begin;
    block.raw_at = pieces[0].packed + skipped;
    if (bytes <= pieces[0].bytes - skipped) return;
    block.joined = 1;
    std::uint64_t from = std::exchange(block.raw_at, tables_.joined_bytes), room = pieces[0].bytes - skipped;
    while (bytes > 0) {
      const std::uint64_t own = std::min(bytes, room);
      tables_.joins.push_back({tables_.joined_bytes, from, own});
      tables_.joined_bytes += own, bytes -= own;
      if (bytes == 0) break;
      pieces = pieces.subspan(1);
      from = pieces[0].packed, room = pieces[0].bytes;
    }
    tables_.joined_bytes = aligned_side(tables_.joined_bytes);
  }

  const Plan& plan_;
  const formats::ChunkRecord& record_;
  const ChunkBase& base_;
  DecodeTables& tables_;
  ChunkDecode& left_;
  Front<const FrameLengths> frames_;
  Front<const BlockEntry> list_;
  std::uint64_t packed_;  ///< where the next frame begins
  std::uint64_t side_begin_ = 0;
  std::size_t blocks_ = 0;
  OpenColumn open_;
};

/// The lengths of tables: what add_chunk() goes back to.
class Mark {
 public:
  explicit Mark(const DecodeTables& t)
      : blocks_(t.blocks.size()),
        lanes_(t.lanes.size()),
        checks_(t.checks.size()),
        joins_(t.joins.size()),
        limit_(t.code_limit),
        team_(t.team),
        side_(t.side_bytes),
        joined_(t.joined_bytes),
        work_(t.work_bytes) {
    for (std::size_t w = 0; w < kWordKinds; ++w) groups_[w] = t.groups[w].size();
  }
  void restore(DecodeTables& t) const {
    t.blocks.resize(blocks_), t.lanes.resize(lanes_), t.checks.resize(checks_), t.joins.resize(joins_);
    for (std::size_t w = 0; w < kWordKinds; ++w) t.groups[w].resize(groups_[w]);
    t.code_limit = limit_;
    t.team = team_;
    t.side_bytes = side_, t.joined_bytes = joined_, t.work_bytes = work_;
  }

 private:
  std::size_t blocks_, lanes_, checks_, joins_;
  std::array<std::size_t, kWordKinds> groups_{};
  std::array<std::uint8_t, kWordKinds> limit_, team_;
  std::uint64_t side_, joined_, work_;
};

}  // namespace

void DecodeTables::check(std::uint64_t at, std::uint32_t chunk, std::span<const std::uint8_t> bytes) {
  ByteCheck check{at, chunk, static_cast<std::uint8_t>(bytes.size()), {}};
  std::ranges::copy(bytes, check.bytes);
  checks.push_back(check);
}

void DecodeTables::check_raw_frame(std::uint64_t at, std::uint32_t chunk, const FrameHeader& header,
                                   std::uint32_t content) {
  check(at, chunk, {header.bytes, header.length});
  at += header.length;
  for_each_raw_block(content, [&](std::uint32_t offset, std::uint32_t says, std::uint32_t) {
    const std::uint8_t bytes[] = {static_cast<std::uint8_t>(says), static_cast<std::uint8_t>(says >> 8),
                                  static_cast<std::uint8_t>(says >> 16)};
    check(at + offset, chunk, bytes);
  });
}

bool add_chunk(const Plan& plan, const formats::ChunkRecord& record, const ChunkBase& base,
               DecodeTables& tables, ChunkDecode& left) {
  if (plan.coding != Coding::uniform) return false;
  const Mark mark(tables);
  if (ChunkPlanner(plan, record, base, tables, left).run()) return true;
  mark.restore(tables);
  return false;
}

}  // namespace tdz::uniform
