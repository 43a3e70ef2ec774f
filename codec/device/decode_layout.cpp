// SPDX-License-Identifier: Apache-2.0
#include "codec/device/decode_layout.hpp"

#include <algorithm>
#include <cstdint>
#include <map>
#include <optional>
#include <span>
#include <string_view>
#include <utility>
#include <vector>

#include "codec/device/places.hpp"
#include "formats/plan/substreams.hpp"
#include "kernels/cuda/packed/packed_plan.hpp"
#include "kernels/uniform/block_layout.hpp"

namespace tdz {
namespace {

using cuda::DecodeJob;
using cuda::DecodeSlice;
using cuda::IndexRange;
using cuda::PackedRun;
using cuda::RowShape;
using cuda::StepBase;
using cuda::StepRun;
using cuda::StepWords;

constexpr std::uint64_t kFrameAlignment = 64;
constexpr std::uint64_t kWordAlignment = 16;

std::uint32_t size32(std::size_t count) {
  return static_cast<std::uint32_t>(count);
}

// ---- Launches after the decoding of blocks: steps that are left, columns that the host decoded, and bytes
// after the last row. Chunks of one plan share their launches.

/// Which steps one launch undoes together with the sources of the lanes step `number`: [first, number].
struct JoinedSteps {
  std::size_t first;
  cuda::LaneSources sources;

  /// Nothing: the lanes are too many for one launch, or want a launch for each source of a source.
  static std::optional<JoinedSteps> of(const Column& column, std::size_t number) {
    const auto& lanes = std::get<LanesStep>(column.steps[number]);
    if (lanes.lanes.size() < 2 || lanes.lanes.size() > cuda::kMostJoinedLanes) return std::nullopt;
    if (cuda::chains_skip_lanes(lanes)) return std::nullopt;
    JoinedSteps joined{number, cuda::sources_of(lanes)};
    const auto* difference = number == 0 ? nullptr : std::get_if<DifferenceStep>(&column.steps[number - 1]);
    if (difference != nullptr && cuda::is_of_rows(*difference) && difference->tuple % lanes.lanes.size() == 0)
      --joined.first;
    return joined;
  }
};

/// What the launches for a column need besides what uniform::ColumnDecode says.
struct ColumnLaunches {
  std::uint64_t second_work = 0;      ///< a second place for its words in the work memory, if they need one
  std::optional<JoinedSteps> joined;  ///< steps that its sources, if it has some, are undone with
};

/// A chunk that the device decodes.
struct DeviceChunk {
  const SelectedChunk* chunk = nullptr;
  std::uint32_t status = 0;                   ///< index
  uniform::ChunkDecode decode;                ///< what is left to do after the decoding of blocks
  std::vector<ColumnLaunches> launches = {};  ///< a column
  std::vector<HostColumn> host_columns;
  // A chunk that has one of them has no blocks, and nothing above counts.
  std::optional<cuda::PackedChunk> packed;
  std::optional<cuda::PlainChunk> plain;
};

/// Chunks with one plan.
using Group = std::vector<const DeviceChunk*>;

const Plan& plan_of(const Group& group) {
  return group.front()->chunk->parsed.plan;
}

/// A column of all chunks of a plan, and where its words stand in their rows.
struct GroupColumn {
  const Group& group;
  const Column& column;
  RowShape rows;
  std::size_t number = 0;
  std::uint64_t at = 0;  ///< in a row
  std::size_t first_substream = 0;

  /// Chunks of one plan differ in none of these, because add_chunk() looks at plans alone for them.
  const uniform::ColumnDecode& left() const { return group.front()->decode.columns[number]; }
  const std::optional<JoinedSteps>& joined() const { return group.front()->launches[number].joined; }
};

std::uint32_t words_of(const DeviceChunk& chunk, const Column& column) {
  const auto& parsed = chunk.chunk->parsed;
  return size32(formats::rows_of(parsed.plan, parsed.record.original_bytes) * column.count);
}

/// Whether the second place for the words of a column is where they go at last: the values, if nothing else
/// stands in the rows, and if no launch has to leave its input as it is.
bool gathers_in_values(const Plan& plan, const uniform::ColumnDecode& left) {
  return left.planar && !left.adds_sources && plan.columns.size() == 1;
}

/// Whether the launches for a column need a second place for its words in the work memory. They do not if the
/// words go to the values from where the blocks put them, or are changed in their place.
bool needs_second_work(const Plan& plan, const uniform::ColumnDecode& left,
                       const std::optional<JoinedSteps>& joined) {
  if (left.planar) return left.steps_left > 0 && !gathers_in_values(plan, left);
  return joined && joined->first > 0;
}

class SliceSteps {
 public:
  explicit SliceSteps(DecodeJob& job) : job_(job) {}

  void add_group(const Group& group) {
    const Plan& plan = plan_of(group);
    std::uint64_t at = 0;
    std::size_t number = 0, substream = 0;
    for (const Column& column : plan.columns) {
      const auto rows =
          plan.columns.size() == 1 ? RowShape{} : RowShape{size32(row_bytes(plan)), column.count};
      add_column({group, column, rows, number++, at, substream});
      at += row_bytes(column);
      substream += formats::substream_count(column);
    }
  }

  /// Bytes after the last row of all chunks.
  void add_rests(std::span<const DeviceChunk> chunks) {
    StepRun run = new_run(1);
    for (const DeviceChunk& chunk : chunks) {
      const std::uint64_t bytes = chunk.decode.rest_bytes;
      if (bytes == 0) continue;
      const auto& record = chunk.chunk->parsed.record;
      const std::uint64_t from = chunk.decode.substreams.back().side + record.substreams.back() - bytes;
      const std::uint64_t to = chunk.chunk->values_at + record.original_bytes - bytes;
      add_words(run, {StepBase::side, StepBase::values, from, to, size32(bytes), chunk.status});
    }
    close(run);
  }

 private:
  /// Where words of a chunk are.
  struct Home {
    StepBase base;
    std::uint64_t at;
  };

  StepRun new_run(std::uint8_t width) const {
    StepRun run;
    run.width = width;
    run.words.first = size32(job_.words.size());
    run.first_side = size32(job_.sides.size());
    return run;
  }
  void add_words(StepRun& run, const StepWords& words) {
    job_.words.push_back(words);
    run.most_words = std::max(run.most_words, words.words);
  }
  void close(StepRun& run) {
    run.words.count = size32(job_.words.size()) - run.words.first;
    if (run.words.count > 0) job_.runs.push_back(std::move(run));
  }

  /// Where the words of a column go: they stay where they are, or go to their other place, or to the values.
  enum class Target { here, other, values };

  void add_column(const GroupColumn& of) {
    const uniform::ColumnDecode& left = of.left();
    if (!left.uniform) return add_host_column(of);
    second_ = false;
    if (left.planar) gather(of, left.steps_left == 0 ? Target::values : Target::other);
    std::size_t number = left.steps_left;
    if (left.adds_sources) number = add_sources(of, number - 1);
    while (number-- > 0) add_step(of, number);
  }

  /// Words of many lanes come together: in the values, if no steps are left.
  void gather(const GroupColumn& of, Target target) {
    StepRun run = new_run(of.column.width);
    run.gathered_lanes = tuple_of(of.column.steps.back());
    add_column_words(run, of, target);
    close(run);
  }

  /// Adds the sources of a lanes step whose lanes are integrated. Returns the number of the first step that
  /// the launches undo.
  std::size_t add_sources(const GroupColumn& of, std::size_t number) {
    StepRun run = new_run(of.column.width);
    const auto& joined = of.joined();
    const std::size_t first = joined ? joined->first : number;
    LanesStep lanes = std::get<LanesStep>(of.column.steps[number]);
    for (LaneRule& rule : lanes.lanes) rule.order = 0, rule.zigzag = false;
    if (!joined) add_rules(run, cuda::device_rules(lanes));
    if (joined) run.sources = joined->sources;
    run.step = first == number ? PlanStep{std::move(lanes)} : of.column.steps[first];
    add_column_words(run, of, first == 0 ? Target::values : joined ? Target::other : Target::here);
    close(run);
    return first;
  }

  void add_rules(StepRun& run, const std::vector<cuda::DeviceLaneRule>& rules) {
    run.first_rule = size32(job_.lane_rules.size());
    run.depths = cuda::depths_of(rules);
    job_.lane_rules.insert(job_.lane_rules.end(), rules.begin(), rules.end());
  }

  /// The words of a column in all chunks.
  void add_column_words(StepRun& run, const GroupColumn& of, Target target,
                        std::optional<std::size_t> first_side = {}) {
    if (target == Target::values) run.out = of.rows;
    for (const DeviceChunk* chunk : of.group) {
      const uniform::ColumnDecode& left = chunk->decode.columns[of.number];
      const Home first{StepBase::work, left.work};
      const Home values{StepBase::values, chunk->chunk->values_at + of.at};
      const Home second = gathers_in_values(plan_of(of.group), left)
                              ? values
                              : Home{StepBase::work, chunk->launches[of.number].second_work};
      const std::uint32_t words = words_of(*chunk, of.column);
      if (words == 0) continue;
      const Home &from = second_ ? second : first, &other = second_ ? first : second;
      const Home& to = target == Target::values ? values : target == Target::other ? other : from;
      add_words(run, {from.base, to.base, from.at, to.at, words, chunk->status});
      if (first_side) add_sides(run, *chunk, *first_side);
    }
    if (target == Target::other) second_ = !second_;
  }

  void add_host_column(const GroupColumn& of) {
    StepRun run = new_run(of.column.width);
    run.out = of.rows;
    for (const DeviceChunk* chunk : of.group) {
      const auto host = std::ranges::find(chunk->host_columns, of.number, &HostColumn::column);
      const std::uint32_t words = words_of(*chunk, of.column);
      if (words == 0 || host == chunk->host_columns.end()) continue;
      add_words(run, {StepBase::side, StepBase::values, host->words_at, chunk->chunk->values_at + of.at,
                      words, chunk->status});
    }
    close(run);
  }

  /// Steps are undone in their place; the first one of a column, undone last, puts the words into rows.
  void add_step(const GroupColumn& of, std::size_t number) {
    StepRun run = new_run(of.column.width);
    run.step = of.column.steps[number];
    if (const auto* lanes = std::get_if<LanesStep>(&*run.step)) add_rules(run, cuda::device_rules(*lanes));
    std::size_t side = of.first_substream;
    for (std::size_t s = 0; s < number; ++s) side += formats::substream_count(of.column.steps[s]);
    add_column_words(run, of, number == 0 ? Target::values : Target::here, side);
    close(run);
  }

  void add_sides(StepRun& run, const DeviceChunk& chunk, std::size_t first) {
    const auto& lengths = chunk.chunk->parsed.record.substreams;
    const std::size_t count = formats::substream_count(*run.step);
    for (std::size_t i = first; i < first + count; ++i) {
      job_.sides.push_back({chunk.decode.substreams[i].side, lengths[i]});
    }
    constexpr std::size_t kBitmap = 2;  // after pairs and selectors
    if (std::holds_alternative<ScaleStep>(*run.step)) run.holes = run.holes || lengths[first + kBitmap] != 0;
  }

  DecodeJob& job_;
  bool second_ = false;  ///< the words of the column are in their second place
};

/// Appends the launches for the chunks of one slice.
void add_steps(std::span<const DeviceChunk> chunks, DecodeJob& job) {
  std::map<std::string_view, Group> groups;  // by the bytes of the plan
  for (const DeviceChunk& chunk : chunks) {
    if (chunk.packed || chunk.plain) continue;
    const auto& plan = chunk.chunk->parsed.record.plan;
    groups[{reinterpret_cast<const char*>(plan.data()), plan.size()}].push_back(&chunk);
  }
  SliceSteps steps(job);
  for (const auto& [plan, group] : groups) steps.add_group(group);
  steps.add_rests(chunks);
}

// ---- Packed groups

/// The launches of a slice: chunks that lie side by side share them.
class SlicePacked {
 public:
  explicit SlicePacked(DecodeJob& job) : job_(job) {}

  void add(const DeviceChunk& chunk) {
    const auto& own = *chunk.packed;
    const std::uint64_t bytes = chunk.chunk->parsed.record.original_bytes;
    if (!joins(chunk)) begin(chunk);
    PackedRun& run = job_.packed_runs.back();
    run.bytes += bytes;
    run.groups = std::max(run.groups, own.groups);
    job_.packed_chunks.push_back(own);
    ++run.chunks.count;
    last_ = &chunk;
    if (!run.makes_values && run.steps.empty()) add_to_rows(chunk);
  }

 private:
  /// Whether this chunk continues the run of the last one.
  bool joins(const DeviceChunk& chunk) const {
    if (last_ == nullptr) return false;
    const PackedRun& run = job_.packed_runs.back();
    const auto &record = chunk.chunk->parsed.record, &before = last_->chunk->parsed.record;
    const bool aligned = run.makes_values || run.chunk_bytes % cuda::kScanAlignment == 0;
    const bool whole = before.original_bytes == run.chunk_bytes && aligned;
    const bool beside = chunk.chunk->values_at == run.values + run.bytes &&
                        (run.makes_values || chunk.packed->out == run.work + run.bytes);
    return whole && beside && record.original_bytes <= run.chunk_bytes && record.plan == before.plan &&
           chunk.status == last_->status + 1;
  }
  void begin(const DeviceChunk& chunk) {
    const Column& column = chunk.chunk->parsed.plan.columns.front();
    PackedRun run;
    const cuda::PackedTail tail = cuda::packed_tail(column);
    run.makes_values = tail.before == 0;
    const auto* rows = tail.before == 1 ? std::get_if<DifferenceStep>(&column.steps.front()) : nullptr;
    if (rows != nullptr && cuda::is_of_rows(*rows))
      begin_rows(*rows, column.width);
    else
      run.steps.assign(column.steps.begin(), column.steps.begin() + static_cast<std::ptrdiff_t>(tail.before));
    run.width = column.width, run.with_groups = tail.steps;
    run.chunks.first = size32(job_.packed_chunks.size());
    run.chunk_bytes = chunk.chunk->parsed.record.original_bytes;
    run.values = chunk.chunk->values_at;
    if (!run.makes_values) run.work = chunk.packed->out;
    job_.packed_runs.push_back(std::move(run));
  }

  /// The difference of rows that is left after the groups, as a launch of its own.
  void begin_rows(const DifferenceStep& rows, std::uint8_t width) {
    StepRun run;
    run.step = rows, run.width = width;
    run.words.first = size32(job_.words.size());
    run.first_side = size32(job_.sides.size());
    job_.runs.push_back(std::move(run));
  }
  void add_to_rows(const DeviceChunk& chunk) {
    StepRun& run = job_.runs.back();
    const std::uint32_t words = chunk.packed->words;
    job_.words.push_back(
        {StepBase::work, StepBase::values, chunk.packed->out, chunk.chunk->values_at, words, chunk.status});
    ++run.words.count;
    run.most_words = std::max(run.most_words, words);
  }

  DecodeJob& job_;
  const DeviceChunk* last_ = nullptr;
};

void add_packed(std::span<const DeviceChunk> chunks, DecodeJob& job) {
  SlicePacked slice(job);
  for (const DeviceChunk& chunk : chunks)
    if (chunk.packed) slice.add(chunk);
}

void add_plain(std::span<const DeviceChunk> chunks, DecodeJob& job) {
  for (const DeviceChunk& chunk : chunks)
    if (chunk.plain) job.plain_chunks.push_back(*chunk.plain);
}

// ---- The layout

/// The tables of a batch while chunks are added: where a slice begins.
struct TableMark {
  std::array<std::size_t, uniform::kWordKinds> groups{};
  std::size_t checks = 0, joins = 0, chunks = 0, runs = 0, packed_runs = 0, plain = 0;
  std::uint64_t packed = 0;
};

class DecodeLayoutMaker {
 public:
  DecodeLayoutMaker(const Selection& selection, const LayoutOptions& options, const cuda::DecodeQueue& queue)
      : selection_(selection), options_(options), queue_(queue) {}

  DecodeLayout make() {
    reserve();
    for (std::size_t i = 0; i < selection_.chunks.size(); ++i) {
      fetch(i);
      add(i);
    }
    close_slice();
    place_all();
    return std::move(out_);
  }

 private:
  // ---- Chunks

  /// Tables that grow are written again and again, into memory that the system has to clear first.
  void reserve() {
    std::size_t blocks = 0, frames = 0;
    for (const SelectedChunk& chunk : selection_.chunks)
      blocks += chunk.parsed.record.blocks.size(), frames += chunk.parsed.record.frames.size();
    out_.device.reserve(selection_.chunks.size());
    slice_.reserve(selection_.chunks.size());
    out_.tables.blocks.reserve(blocks);
    out_.tables.checks.reserve(frames);
  }

  /// Asks the memory for what the chunks after this one point to. Other threads have parsed them, and a line
  /// from another core's cache takes as long as all work on a chunk. Inline, because gcc removes calls of a
  /// function that does nothing but this.
  [[gnu::always_inline]] void fetch(std::size_t index) const {
    constexpr std::size_t kAhead = 16, kStepsAhead = 8;
    const auto& chunks = selection_.chunks;
    if (index + kAhead >= chunks.size()) return;
    const ParsedChunk& far = chunks[index + kAhead].parsed;
    __builtin_prefetch(far.record.frames.data());
    __builtin_prefetch(far.record.substreams.data());
    __builtin_prefetch(far.record.plan.data());
    __builtin_prefetch(far.plan.columns.data());
    const auto& columns = chunks[index + kStepsAhead].parsed.plan.columns;
    if (!columns.empty()) __builtin_prefetch(columns.front().steps.data());
  }

  void add(std::size_t index) {
    const SelectedChunk& chunk = selection_.chunks[index];
    if (!add_to_device(index, chunk)) {
      out_.cpu.push_back({index, 0});
      return;
    }
    slice_values_ += chunk.parsed.record.original_bytes;
    if (options_.slice != 0 && slice_values_ >= options_.slice) close_slice();
  }

  bool add_to_device(std::size_t index, const SelectedChunk& chunk) {
    const auto& record = chunk.parsed.record;
    if (record.original_bytes > cuda::xxh3::kLongest) return false;
    const std::uint64_t packed =
        options_.packed_on_device ? chunk.store_at : rounded(packed_, kFrameAlignment);
    DeviceChunk made{&chunk, size32(out_.device.size()), {}, {}, {}, {}, {}};
    const uniform::ChunkBase base{made.status, packed, chunk.values_at};
    cuda::PackedChunk groups;
    cuda::PlainChunk plain;
    if (cuda::add_packed_chunk(chunk.parsed.plan, record, base, out_.tables, groups)) {
      made.packed = groups;
    } else if (cuda::add_plain_chunk(chunk.parsed.plan, record, base, out_.tables, plain)) {
      made.plain = plain;
    } else {
      if (!uniform::add_chunk(chunk.parsed.plan, record, base, out_.tables, made.decode)) return false;
      add_host_columns(chunk, made);
      add_launches(chunk, made);
    }
    DecodeOnDevice on_device{index, packed, made.decode.frames, made.decode.substreams, made.host_columns};
    for (auto& frame : on_device.frames) frame.packed -= packed;
    out_.device.push_back(std::move(on_device));
    if (options_.direct != nullptr)
      out_.job.direct.push_back({options_.direct + chunk.store_at, packed, chunk.packed_bytes});
    slice_.push_back(std::move(made));
    packed_ = packed + chunk.packed_bytes;
    return true;
  }

  void add_launches(const SelectedChunk& chunk, DeviceChunk& made) {
    const Plan& plan = chunk.parsed.plan;
    for (std::size_t c = 0; c < plan.columns.size(); ++c) {
      const uniform::ColumnDecode& left = made.decode.columns[c];
      auto& work = out_.tables.work_bytes;
      work = rounded(work, kWordAlignment);
      made.launches.push_back({work, {}});
      auto& joined = made.launches.back().joined;
      if (left.adds_sources) joined = JoinedSteps::of(plan.columns[c], left.steps_left - 1u);
      if (!needs_second_work(plan, left, joined)) continue;
      work += std::uint64_t{words_of(made, plan.columns[c])} * plan.columns[c].width;
    }
  }

  /// Their words get a place after the side bytes of the chunk.
  void add_host_columns(const SelectedChunk& chunk, DeviceChunk& made) {
    const Plan& plan = chunk.parsed.plan;
    const std::uint64_t rows = formats::rows_of(plan, chunk.parsed.record.original_bytes);
    for (std::size_t c = 0; c < plan.columns.size(); ++c) {
      if (made.decode.columns[c].uniform) continue;
      auto& side = out_.tables.side_bytes;
      side = rounded(side, kWordAlignment);
      made.host_columns.push_back({c, side});
      side += rows * row_bytes(plan.columns[c]);
    }
  }

  // ---- Slices

  static IndexRange since(std::size_t first, std::size_t end) { return {size32(first), size32(end - first)}; }

  void close_slice() {
    if (slice_.empty()) return;
    add_plain(slice_, out_.job);
    add_packed(slice_, out_.job);
    add_steps(slice_, out_.job);
    const TableMark now = mark();
    DecodeSlice slice;
    for (std::size_t w = 0; w < uniform::kWordKinds; ++w)
      slice.groups[w] = since(begin_.groups[w], now.groups[w]);
    slice.checks = since(begin_.checks, now.checks);
    slice.joins = since(begin_.joins, now.joins);
    slice.plain = since(begin_.plain, now.plain);
    for (std::size_t i = begin_.plain; i < now.plain; ++i)
      slice.longest_plain = std::max(slice.longest_plain, out_.job.plain_chunks[i].bytes());
    slice.packed_runs = since(begin_.packed_runs, now.packed_runs);
    slice.runs = since(begin_.runs, now.runs);
    slice.chunks = since(begin_.chunks, now.chunks);
    slice.leaves_rows = leave_rows(slice);
    slice.all_packed = packed_values(slice) == slice.chunks.count;
    const SelectedChunk& last = *slice_.back().chunk;
    slice.values_at = slice_.front().chunk->values_at;
    slice.values_bytes = last.values_at + last.parsed.record.original_bytes - slice.values_at;
    for (const DeviceChunk& chunk : slice_) {
      slice.longest = std::max<std::uint64_t>(slice.longest, chunk.chunk->parsed.record.original_bytes);
    }
    if (!options_.packed_on_device && !options_.in_pieces)
      slice.packed_at = begin_.packed, slice.packed_bytes = now.packed - begin_.packed;
    out_.job.slices.push_back(slice);
    begin_ = now;
    slice_.clear();
    slice_values_ = 0;
  }

  /// Whether every launch that makes values of the slice leaves the rows of their digests too.
  bool leave_rows(const DecodeSlice& slice) const {
    const DecodeJob& job = out_.job;
    std::uint32_t chunks = slice.plain.count + packed_values(slice);
    for (const StepRun& run : std::span(job.runs).subspan(slice.runs.first, slice.runs.count)) {
      if (job.words[run.words.first].to != StepBase::values) continue;
      if (!cuda::leaves_digest_rows(run)) return false;
      chunks += run.words.count;
    }
    return chunks == slice.chunks.count;
  }

  /// How many chunks of the slice get their values from a launch of packed groups.
  std::uint32_t packed_values(const DecodeSlice& slice) const {
    std::uint32_t chunks = 0;
    for (const PackedRun& run :
         std::span(out_.job.packed_runs).subspan(slice.packed_runs.first, slice.packed_runs.count))
      if (run.makes_values) chunks += run.chunks.count;
    return chunks;
  }

  TableMark mark() const {
    const auto& t = out_.tables;
    const DecodeJob& job = out_.job;
    TableMark now{{},
                  t.checks.size(),
                  t.joins.size(),
                  out_.device.size(),
                  job.runs.size(),
                  job.packed_runs.size(),
                  job.plain_chunks.size(),
                  packed_};
    for (std::size_t w = 0; w < uniform::kWordKinds; ++w) now.groups[w] = t.groups[w].size();
    return now;
  }

  // ---- Places

  void place_all() {
    DecodeJob& job = out_.job;
    job.chunk_count = size32(out_.device.size());
    job.code_limit = out_.tables.code_limit;
    job.team = out_.tables.team;
    Places image;
    place_head(image);
    Places scratch = image;
    if (!options_.packed_on_device && job.chunk_count != 0) {
      out_.packed_bytes = packed_;
      job.packed = scratch.take_with_slack(packed_);
    }
    for (DecodeSlice& slice : job.slices) slice.packed_at += job.packed;
    for (cuda::PackedCopy& copy : job.direct) copy.to += job.packed;
    if (options_.direct == nullptr && !options_.in_pieces) image = scratch;
    place_scratch(Places(scratch.end()));
    place_results(image);
  }

  void place_head(Places& image) {
    DecodeJob& job = out_.job;
    const auto& t = out_.tables;
    job.status = image.take_table<std::uint32_t>(job.chunk_count);
    job.wanted = image.take_table<std::uint64_t>(job.chunk_count);
    job.places = image.take_table<cuda::ChunkPlace>(job.chunk_count);
    job.blocks = image.take_table<uniform::BlockPlace>(t.blocks.size());
    job.lanes = image.take_table<uniform::LanePlace>(t.lanes.size());
    for (std::size_t w = 0; w < uniform::kWordKinds; ++w)
      job.groups[w] = image.take_table<uniform::BlockGroup>(t.groups[w].size());
    job.checks = image.take_table<uniform::ByteCheck>(t.checks.size());
    job.joins = image.take_table<uniform::RawJoin>(t.joins.size());
    job.step_chunks = image.take_table<cuda::StepChunk>(job.words.size());
    job.side_entries = image.take(job.sides.size() * cuda::kSideEntry);
    job.rules = image.take_table<cuda::DeviceLaneRule>(job.lane_rules.size());
    job.packed_table = image.take_table<cuda::PackedChunk>(job.packed_chunks.size());
    job.plain_table = image.take_table<cuda::PlainChunk>(job.plain_chunks.size());
    job.early_bytes = image.end();
    job.side = image.take_with_slack(t.side_bytes);
    job.head_bytes = image.end();
    // Where packed bytes have to be copied too, side data come before them, as early as the tables.
    if (!options_.packed_on_device || blocks_need_sides()) job.early_bytes = job.head_bytes;
  }

  /// Remainders stand among the side data.
  bool blocks_need_sides() const {
    return std::ranges::any_of(out_.tables.blocks, [](const uniform::BlockPlace& block) {
      return block.type == static_cast<std::uint8_t>(uniform::BlockType::remainder);
    });
  }

  void place_scratch(Places scratch) {
    DecodeJob& job = out_.job;
    std::uint64_t of_steps = 0;
    for (const StepRun& run : job.runs) of_steps = std::max(of_steps, queue_.step_scratch_bytes(run));
    for (const PackedRun& run : job.packed_runs)
      of_steps = std::max(of_steps, queue_.step_scratch_bytes(run));
    job.joined = scratch.take_with_slack(out_.tables.joined_bytes);
    job.work = scratch.take_with_slack(out_.tables.work_bytes);
    // Fewer slices than streams leave the last of them without work.
    for (std::size_t turn = 0; turn < job.step_scratch.size(); ++turn)
      job.step_scratch[turn] = scratch.take(turn == 0 || turn < job.slices.size() ? of_steps : 0);
    for (DecodeSlice& slice : job.slices)
      slice.digest_scratch = scratch.take(cuda::digest_scratch_bytes(slice.values_bytes, slice.chunks.count));
    out_.scratch_bytes = job.chunk_count == 0 ? 0 : scratch.end();
  }

  /// What the host writes or reads beside the copy: statuses, and originals that the CPU decodes.
  void place_results(Places image) {
    DecodeJob& job = out_.job;
    job.result = image.take_table<std::uint32_t>(job.chunk_count);
    for (DecodeOnCpu& chunk : out_.cpu) {
      const SelectedChunk& selected = selection_.chunks[chunk.index];
      chunk.image_at = image.take(selected.parsed.record.original_bytes, 1);
      add_copy({chunk.image_at, selected.values_at, selected.parsed.record.original_bytes});
    }
    out_.restored_at = image.take(selection_.restored.size());
    add_copy({out_.restored_at, 0, selection_.restored.size()});
    out_.image_bytes = image.end();
  }

  void add_copy(const cuda::ValuesCopy& copy) {
    auto& copies = out_.job.copies;
    if (copy.bytes == 0) return;
    const bool next = !copies.empty() && copies.back().from + copies.back().bytes == copy.from &&
                      copies.back().to + copies.back().bytes == copy.to;
    if (next)
      copies.back().bytes += copy.bytes;
    else
      copies.push_back(copy);
  }

  const Selection& selection_;
  const LayoutOptions& options_;
  const cuda::DecodeQueue& queue_;
  DecodeLayout out_;
  std::uint64_t packed_ = 0;  ///< bytes of frames in the image so far
  TableMark begin_;           ///< of the open slice
  std::vector<DeviceChunk> slice_;
  std::uint64_t slice_values_ = 0;
};

}  // namespace

DecodeLayout layout_of(const Selection& selection, const LayoutOptions& options,
                       const cuda::DecodeQueue& queue) {
  return DecodeLayoutMaker(selection, options, queue).make();
}

}  // namespace tdz
