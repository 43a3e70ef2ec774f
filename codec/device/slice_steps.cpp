// SPDX-License-Identifier: Apache-2.0
#include "codec/device/slice_steps.hpp"

#include <algorithm>
#include <map>
#include <string_view>

#include "formats/plan/substreams.hpp"

namespace tdz {
namespace {

using cuda::DecodeJob;
using cuda::RowShape;
using cuda::StepBase;
using cuda::StepRun;
using cuda::StepWords;

/// Chunks with one plan.
using Group = std::vector<const ChunkLeft*>;

std::uint32_t size32(std::size_t count) {
  return static_cast<std::uint32_t>(count);
}

const Plan& plan_of(const Group& group) {
  return group.front()->chunk->chunk.plan;
}

/// Where a column's words stand in the rows of all chunks of a plan.
struct ColumnPlace {
  std::size_t number = 0;
  std::uint64_t at = 0;  ///< in a row
  std::size_t first_substream = 0;
  RowShape rows;
};

std::uint32_t words_of(const ChunkLeft& chunk, const Column& column) {
  const auto& parsed = chunk.chunk->chunk;
  return size32(formats::rows_of(parsed.plan, parsed.record.original_bytes) * column.count);
}

class SliceSteps {
 public:
  explicit SliceSteps(DecodeJob& job) : job_(job) {}

  void add_group(const Group& group) {
    const Plan& plan = plan_of(group);
    ColumnPlace place;
    for (const Column& column : plan.columns) {
      place.rows = plan.columns.size() == 1 ? RowShape{} : RowShape{size32(row_bytes(plan)), column.count};
      add_column(group, column, place);
      place.at += row_bytes(column);
      place.first_substream += formats::substream_count(column);
      ++place.number;
    }
  }

  /// Bytes behind the last row of all chunks.
  void add_rests(std::span<const ChunkLeft> chunks) {
    StepRun run = new_run(1);
    for (const ChunkLeft& chunk : chunks) {
      const std::uint64_t bytes = chunk.left.rest_bytes;
      if (bytes == 0) continue;
      const auto& record = chunk.chunk->chunk.record;
      const std::uint64_t from = chunk.left.substreams.back().side + record.substreams.back() - bytes;
      const std::uint64_t to = chunk.chunk->values + record.original_bytes - bytes;
      add_words(run, {StepBase::side, StepBase::values, from, to, size32(bytes), chunk.status});
    }
    close(run);
  }

 private:
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

  /// Chunks of one plan differ in no column, because add_chunk() looks at plans alone for that.
  void add_column(const Group& group, const Column& column, const ColumnPlace& place) {
    const uniform::ColumnDecode& left = group.front()->left.columns[place.number];
    if (!left.uniform) return add_host_column(group, column, place);
    for (std::size_t s = left.steps_left; s-- > 0;) add_step(group, column, place, s);
  }

  void add_host_column(const Group& group, const Column& column, const ColumnPlace& place) {
    StepRun run = new_run(column.width);
    run.out = place.rows;
    for (const ChunkLeft* chunk : group) {
      const auto host = std::ranges::find(chunk->host_columns, place.number, &HostColumn::column);
      const std::uint32_t words = words_of(*chunk, column);
      if (words == 0 || host == chunk->host_columns.end()) continue;
      add_words(run, {StepBase::side, StepBase::values, host->words_at, chunk->chunk->values + place.at,
                      words, chunk->status});
    }
    close(run);
  }

  /// Steps are undone in their place; the first one of a column, undone last, puts the words into rows.
  void add_step(const Group& group, const Column& column, const ColumnPlace& place, std::size_t number) {
    StepRun run = new_run(column.width);
    run.step = column.steps[number];
    const bool last = number == 0;
    if (last) run.out = place.rows;
    if (const auto* lanes = std::get_if<LanesStep>(&*run.step)) {
      const auto rules = cuda::device_rules(*lanes);
      run.first_rule = size32(job_.lane_rules.size());
      run.depths = cuda::depths_of(rules);
      job_.lane_rules.insert(job_.lane_rules.end(), rules.begin(), rules.end());
    }
    std::size_t side = place.first_substream;
    for (std::size_t s = 0; s < number; ++s) side += formats::substream_count(column.steps[s]);
    for (const ChunkLeft* chunk : group) {
      const std::uint64_t work = chunk->left.columns[place.number].work;
      const std::uint32_t words = words_of(*chunk, column);
      if (words == 0) continue;
      add_words(run, {StepBase::work, last ? StepBase::values : StepBase::work, work,
                      last ? chunk->chunk->values + place.at : work, words, chunk->status});
      add_sides(run, *chunk, side);
    }
    close(run);
  }

  void add_sides(StepRun& run, const ChunkLeft& chunk, std::size_t first) {
    const auto& lengths = chunk.chunk->chunk.record.substreams;
    const std::size_t count = formats::substream_count(*run.step);
    for (std::size_t i = first; i < first + count; ++i) {
      job_.sides.push_back({chunk.left.substreams[i].side, lengths[i]});
    }
    constexpr std::size_t kBitmap = 2;  // behind pairs and selectors
    if (std::holds_alternative<ScaleStep>(*run.step)) run.holes = run.holes || lengths[first + kBitmap] != 0;
  }

  DecodeJob& job_;
};

}  // namespace

void add_steps(std::span<const ChunkLeft> chunks, DecodeJob& job) {
  std::map<std::string_view, Group> groups;  // by the bytes of the plan
  for (const ChunkLeft& chunk : chunks) {
    const auto& plan = chunk.chunk->chunk.record.plan;
    groups[{reinterpret_cast<const char*>(plan.data()), plan.size()}].push_back(&chunk);
  }
  SliceSteps steps(job);
  for (const auto& [plan, group] : groups) steps.add_group(group);
  steps.add_rests(chunks);
}

}  // namespace tdz
