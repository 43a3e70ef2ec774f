// SPDX-License-Identifier: Apache-2.0
// A device that is none: host memory takes the place of device memory, and everything happens at once. It
// does what a DecodeJob says, by the simulation of frames and by the CPU's steps.
#pragma once

#include <doctest/doctest.h>

#include <atomic>
#include <chrono>
#include <cstring>
#include <set>
#include <string>
#include <thread>

#include "formats/digest.hpp"
#include "kernels/cuda/host/decode_queue.hpp"
#include "kernels/steps/column_decoder.hpp"
#include "tdz/device_decoder.hpp"
#include "tests/codec/device_batch.hpp"

namespace tdz::test {

/// What happens to a HostQueue besides its work; it lives longer than the queue.
struct HostDevice {
  std::span<const std::byte> stored;       ///< bytes "in device memory"
  std::set<std::uint32_t> refused = {};    ///< chunks that the device does not take
  std::set<std::uint32_t> spoiled = {};    ///< chunks of which the device restores a byte wrongly
  bool pinned = false;                     ///< the caller's memory
  std::span<const std::byte> except = {};  ///< a part of it that is not
  bool lost = false;                       ///< wait() fails
  unsigned fails_at = 0;                   ///< the n-th call fails; 0: none
  ErrorKind kind = ErrorKind::io;          ///< of that failure
  std::atomic<unsigned> calls = 0;
  std::atomic<std::uint64_t> chunks = 0;  ///< of the last job
  std::atomic<std::size_t> runs = 0, packed_runs = 0, plain = 0, gathered = 0, joined = 0, slices = 0,
                           jobs = 0;
  int number = 0;
  const HostDevice* beside = nullptr;  ///< every job waits until this device also has one
};

class HostQueue final : public cuda::DecodeQueue {
 public:
  explicit HostQueue(HostDevice& device) : device_(device) {}

  int device() const override { return device_.number; }
  Status make_current() override { return call(); }
  CUstream_st* stream() const override { return nullptr; }
  Result<std::byte*> memory(std::size_t bytes) override {
    if (auto fails = call(); !fails) return fails.error();
    device_memory_.assign(bytes + kDeviceAlignment, std::byte{0xDD});
    const auto address = reinterpret_cast<std::uintptr_t>(device_memory_.data());
    return device_memory_.data() + (kDeviceAlignment - address % kDeviceAlignment) % kDeviceAlignment;
  }
  Result<std::span<std::byte>> pinned(std::size_t bytes) override {
    if (auto fails = call(); !fails) return fails.error();
    memory_.assign(bytes, std::byte{0xEE});
    return std::span(memory_);
  }
  Status make_pieces(unsigned threads) override {
    pieces_.resize(threads);
    return call();
  }
  Result<std::span<std::byte>> piece(unsigned thread) override {
    if (auto fails = call(); !fails) return fails.error();
    pieces_.at(thread).assign(cuda::kPieceBytes, std::byte{0xCC});
    return std::span(pieces_[thread]);
  }
  Status send(unsigned thread, std::byte* to, std::size_t bytes) override {
    std::memcpy(to, pieces_.at(thread).data(), bytes);
    return call();
  }
  bool is_pinned(std::span<const std::byte> bytes) const override {
    if (!device_.pinned || bytes.empty()) return false;
    const bool is_except = !device_.except.empty() && &bytes.front() >= &device_.except.front() &&
                           &bytes.front() <= &device_.except.back();
    return !is_except;
  }
  std::uint64_t step_scratch_bytes(const cuda::StepRun& run) const override { return run.words.count; }
  std::uint64_t step_scratch_bytes(const cuda::PackedRun& run) const override { return run.chunks.count; }
  Status prepare(const cuda::DecodeJob&) override { return call(); }
  Status wait() override {
    if (device_.lost) return Error{ErrorKind::io, "the device is lost"};
    return call();
  }
  Status copy_down(std::span<std::byte> to, const std::byte* from) override {
    std::memcpy(to.data(), from, to.size());
    return call();
  }
  Status copy_up(std::byte* to, std::span<const std::byte> from) override {
    std::memcpy(to, from.data(), from.size());
    return call();
  }
  Status gather(std::span<std::byte> to, const std::byte* from,
                std::span<const cuda::PutPiece> pieces) override {
    for (const cuda::PutPiece& piece : pieces)
      std::memcpy(to.data() + piece.to, from + piece.from, static_cast<std::size_t>(piece.bytes));
    return call();
  }

  Status enqueue(const cuda::DecodeJob& job, const cuda::DecodeMemory& memory, CUstream_st*) override {
    if (auto fails = call(); !fails) return fails;
    device_.chunks = job.chunk_count, device_.runs = job.runs.size(), device_.slices = job.slices.size();
    device_.packed_runs = job.packed_runs.size(), device_.plain = job.plain_chunks.size();
    device_.gathered = count_runs(job, [](const auto& run) { return run.gathered_lanes != 0; });
    device_.joined = count_runs(job, [](const auto& run) { return run.sources.lanes > 1; });
    ++device_.jobs;
    for (int i = 0; device_.beside != nullptr && device_.beside->jobs == 0 && i < 5000; ++i)
      std::this_thread::sleep_for(std::chrono::milliseconds(1));
    if (job.chunk_count != 0) decode(job, memory);
    for (const auto& copy : job.copies)
      std::memcpy(memory.values + copy.to, memory.image + copy.from, static_cast<std::size_t>(copy.bytes));
    return ok();
  }

 private:
  Status call() {
    const unsigned number = ++device_.calls;
    if (number != device_.fails_at) return ok();
    return Error{device_.kind, "call " + std::to_string(number) + " failed"};
  }

  template <class Is>
  static std::size_t count_runs(const cuda::DecodeJob& job, const Is& is) {
    return static_cast<std::size_t>(std::ranges::count_if(job.runs, is));
  }

  static void copy_image(const cuda::DecodeMemory& memory, std::uint64_t at, std::uint64_t bytes) {
    std::memcpy(memory.scratch + at, memory.image + at, static_cast<std::size_t>(bytes));
  }

  void decode(const cuda::DecodeJob& job, const cuda::DecodeMemory& memory) {
    copy_image(memory, 0, job.head_bytes);
    if (job.direct.empty())
      for (const auto& slice : job.slices) copy_image(memory, slice.packed_at, slice.packed_bytes);
    for (const auto& copy : job.direct)
      std::memcpy(memory.scratch + copy.to, copy.from, static_cast<std::size_t>(copy.bytes));
    auto* status = reinterpret_cast<std::uint32_t*>(memory.scratch + job.status);
    for (const std::uint32_t chunk : device_.refused)
      if (chunk < job.chunk_count) status[chunk] = 1;
    decode_frames(job, memory, status);
    CHECK(whole(job, [](const auto& s) { return s.packed_runs; }) == job.packed_runs.size());
    CHECK(whole(job, [](const auto& s) { return s.plain; }) == job.plain_chunks.size());
    for (const auto& chunk : table<cuda::PlainChunk>(memory, job.plain_table, job.plain_chunks.size()))
      copy_plain(chunk, job, memory, status);
    for (const auto& run : job.packed_runs) undo_packed(run, job, memory, status);
    for (const auto& run : job.runs) undo(run, job, memory, status);
    for (const std::uint32_t chunk : device_.spoiled)
      if (chunk < job.chunk_count) memory.values[places_of(job, memory)[chunk].offset] ^= std::byte{1};
    judge(job, memory, status);
    std::memcpy(memory.image + job.result, status, job.chunk_count * sizeof(*status));
  }

  template <class T>
  static std::vector<T> table(const cuda::DecodeMemory& memory, std::uint64_t at, std::size_t count) {
    const T* first = reinterpret_cast<const T*>(memory.scratch + at);
    return {first, first + count};
  }

  template <class T>
  static std::size_t count_of(std::uint64_t bytes) {
    return static_cast<std::size_t>(bytes) / sizeof(T);
  }

  /// Slices cut every table into neighbouring pieces, and leave nothing over.
  template <class Piece>
  static std::uint32_t whole(const cuda::DecodeJob& job, const Piece& piece) {
    std::uint32_t end = 0;
    for (const auto& slice : job.slices) {
      const cuda::IndexRange range = piece(slice);
      CHECK(range.first == end);
      end += range.count;
    }
    return end;
  }

  void decode_frames(const cuda::DecodeJob& job, const cuda::DecodeMemory& memory, std::uint32_t* status) {
    DeviceBatch batch;
    auto& t = batch.tables;
    for (std::size_t w = 0; w < uniform::kWordKinds; ++w)
      t.groups[w] = table<uniform::BlockGroup>(
          memory, job.groups[w], whole(job, [w](const auto& slice) { return slice.groups[w]; }));
    t.checks =
        table<uniform::ByteCheck>(memory, job.checks, whole(job, [](const auto& s) { return s.checks; }));
    t.joins = table<uniform::RawJoin>(memory, job.joins, whole(job, [](const auto& s) { return s.joins; }));
    t.blocks =
        table<uniform::BlockPlace>(memory, job.blocks, count_of<uniform::BlockPlace>(job.lanes - job.blocks));
    t.lanes =
        table<uniform::LanePlace>(memory, job.lanes, count_of<uniform::LanePlace>(job.groups[0] - job.lanes));
    CHECK(whole(job, [](const auto& s) { return s.chunks; }) == job.chunk_count);
    CHECK(whole(job, [](const auto& s) { return s.runs; }) == job.runs.size());
    t.code_limit = job.code_limit;
    t.joined_bytes = job.work - job.joined, t.work_bytes = job.step_scratch[0] - job.work;
    t.side_bytes = job.head_bytes - job.side;
    batch.side = table<std::byte>(memory, job.side, static_cast<std::size_t>(t.side_bytes));
    if (memory.packed != nullptr) {
      CHECK(memory.packed == device_.stored.data());
      batch.packed.assign(device_.stored.begin(), device_.stored.end());
    } else {
      batch.packed = table<std::byte>(memory, job.packed, static_cast<std::size_t>(job.joined - job.packed));
    }
    batch.values = job.slices.back().values_at + job.slices.back().values_bytes;
    batch.chunks.resize(job.chunk_count);
    const Decoded decoded = BatchSimulation(batch).run();
    std::ranges::copy(decoded.work, memory.scratch + job.work);
    const auto places = places_of(job, memory);
    for (std::uint32_t chunk = 0; chunk < job.chunk_count; ++chunk) {
      std::memcpy(memory.values + places[chunk].offset, decoded.values.data() + places[chunk].offset,
                  static_cast<std::size_t>(places[chunk].bytes));
      status[chunk] |= decoded.status[chunk];
    }
  }

  /// In all of the values.
  static std::vector<cuda::ChunkPlace> places_of(const cuda::DecodeJob& job,
                                                 const cuda::DecodeMemory& memory) {
    auto places = table<cuda::ChunkPlace>(memory, job.places, job.chunk_count);
    for (const auto& slice : job.slices)
      for (auto& place : std::span(places).subspan(slice.chunks.first, slice.chunks.count)) {
        CHECK(place.offset + place.bytes <= slice.values_bytes);
        place.offset += slice.values_at;
      }
    return places;
  }

  static std::byte* base_of(cuda::StepBase base, const cuda::DecodeJob& job,
                            const cuda::DecodeMemory& memory) {
    if (base == cuda::StepBase::values) return memory.values;
    return memory.scratch + (base == cuda::StepBase::side ? job.side : job.work);
  }

  void undo(const cuda::StepRun& run, const cuda::DecodeJob& job, const cuda::DecodeMemory& memory,
            std::uint32_t* status) {
    const std::size_t sides = run.step ? formats::substream_count(*run.step) : 0;
    for (std::uint32_t i = 0; i < run.words.count; ++i) {
      const cuda::StepWords& words = job.words[run.words.first + i];
      CHECK(words.words <= run.most_words);
      if (status[words.status_index] != 0) continue;
      const std::byte* in = base_of(words.from, job, memory) + words.in;
      Bytes bytes(in, in + std::size_t{words.words} * run.width);
      if (run.gathered_lanes != 0) gather_lanes(run, in, bytes);
      if (run.sources.lanes > 1) {
        CHECK(in != base_of(words.to, job, memory) + words.out);
        if (std::holds_alternative<DifferenceStep>(*run.step)) add_sources(run, bytes);
      }
      const auto own = std::span(job.sides).subspan(run.first_side + i * sides, sides);
      if (run.step && !undo_step(run, own, memory.scratch + job.side, bytes)) {
        status[words.status_index] = 0x301;
        continue;
      }
      put_rows(run, bytes, base_of(words.to, job, memory) + words.out);
    }
  }

  static void gather_lanes(const cuda::StepRun& run, const std::byte* in, Bytes& bytes) {
    CHECK(!run.step);
    CHECK(reinterpret_cast<std::uintptr_t>(in) % 16 == 0);
    const std::size_t words = bytes.size() / run.width, tuple = run.gathered_lanes;
    const auto lane =
        static_cast<std::size_t>(uniform::planar_lane_bytes(words, run.gathered_lanes, run.width));
    for (std::size_t i = 0; i < words; ++i)
      std::memcpy(bytes.data() + i * run.width, in + i % tuple * lane + i / tuple * run.width, run.width);
  }

  /// Before the difference of whole rows of lanes is undone.
  static void add_sources(const cuda::StepRun& run, Bytes& bytes) {
    const std::size_t lanes = run.sources.lanes, words = bytes.size() / run.width;
    CHECK(std::get<DifferenceStep>(*run.step).tuple % lanes == 0);
    const Bytes before = bytes;
    for (std::size_t i = 0; i < words; ++i) {
      std::uint64_t sum = word_at(before, i, run.width);
      for (std::size_t other = 0; other < lanes; ++other) {
        const std::size_t at = i - i % lanes + other;
        const bool is_added =
            run.sources.adds(static_cast<std::uint32_t>(i % lanes), static_cast<std::uint32_t>(other));
        if (is_added && at < words) sum += word_at(before, at, run.width);
      }
      put_word(bytes, i, run.width, sum);
    }
  }

  static void copy_plain(const cuda::PlainChunk& chunk, const cuda::DecodeJob& job,
                         const cuda::DecodeMemory& memory, const std::uint32_t* status) {
    if (status[chunk.chunk] != 0) return;
    CHECK(places_of(job, memory)[chunk.chunk].bytes == chunk.bytes());
    const std::byte* packed = memory.packed != nullptr ? memory.packed : memory.scratch + job.packed;
    for (std::uint32_t i = 0; i < chunk.bytes(); ++i)
      memory.values[chunk.values + i] = packed[chunk.packed + chunk.frames.at(i)];
  }

  /// As a chunk of one column with this step alone.
  static bool undo_step(const cuda::StepRun& run, std::span<const cuda::SideBytes> sides,
                        const std::byte* side, Bytes& bytes) {
    Bytes substreams;
    std::vector<std::uint32_t> lengths;
    for (const auto& one : sides) {
      substreams.insert(substreams.end(), side + one.at, side + one.at + one.bytes);
      lengths.push_back(one.bytes);
    }
    lengths.push_back(static_cast<std::uint32_t>(bytes.size()));
    substreams = substreams + bytes;
    const Plan plan{Coding::zstd, {{run.width, 1, {*run.step}}}};
    return bool(ColumnDecoder().decode(plan, lengths, substreams, bytes));
  }

  // ---- Packed groups: by the CPU's decoder. What it calls corrupt, the device refuses.

  void undo_packed(const cuda::PackedRun& run, const cuda::DecodeJob& job, const cuda::DecodeMemory& memory,
                   std::uint32_t* status) const {
    const auto chunks = table<cuda::PackedChunk>(memory, job.packed_table, job.packed_chunks.size());
    const std::byte* packed = memory.packed != nullptr ? memory.packed : memory.scratch + job.packed;
    std::byte* to = run.makes_values ? memory.values : memory.scratch + job.work;
    std::uint64_t bytes = 0;
    for (std::uint32_t i = 0; i < run.chunks.count; ++i) {
      const cuda::PackedChunk& chunk = chunks[run.chunks.first + i];
      CHECK(chunk.groups <= run.groups);
      CHECK(chunk.tuple == (run.with_groups.same_lanes ? run.with_groups.tuple : 1));
      CHECK(chunk.chunk == chunks[run.chunks.first].chunk + i);
      CHECK(chunk.out == (run.makes_values ? run.values : run.work) + bytes);
      bytes += std::uint64_t{chunk.words} * run.width;
      if (status[chunk.chunk] != 0) continue;
      if (!undo_groups(run, chunk, packed, to + chunk.out)) status[chunk.chunk] = cuda::kWrongGroups;
    }
    CHECK(bytes == run.bytes);
    if (!run.steps.empty()) undo_steps(run, memory.scratch + job.work + run.work, memory.values + run.values);
  }

  /// With the difference and the zigzag that go with them.
  static bool undo_groups(const cuda::PackedRun& run, const cuda::PackedChunk& chunk, const std::byte* packed,
                          std::byte* to) {
    Bytes content(chunk.frames.bytes);
    for (std::uint32_t i = 0; i < chunk.frames.bytes; ++i)
      content[i] = packed[chunk.packed + chunk.frames.at(i)];
    const std::vector<std::uint32_t> lengths{chunk.widths, (chunk.groups + 1) / 2, 4 * chunk.places(),
                                             chunk.bits};
    Plan plan{Coding::zstd, {{run.width, 1, {}}}};
    auto& steps = plan.columns[0].steps;
    const cuda::GroupSteps& own = run.with_groups;
    if (own.order != 0) steps.push_back(DifferenceStep{own.tuple, own.order});
    if (own.zigzag) steps.push_back(ZigzagStep{});
    steps.push_back(PackedStep{chunk.tuple});
    return bool(
        ColumnDecoder().decode(plan, lengths, content, std::span(to, std::size_t{chunk.words} * run.width)));
  }

  /// Chunk by chunk, as the scan kernels cut them.
  static void undo_steps(const cuda::PackedRun& run, const std::byte* from, std::byte* to) {
    CHECK(run.work % cuda::kScanAlignment == 0);
    CHECK((run.chunks.count == 1 || run.chunk_bytes % cuda::kScanAlignment == 0));
    for (std::uint64_t at = 0; at < run.bytes; at += run.chunk_bytes) {
      const auto bytes = static_cast<std::size_t>(std::min(run.chunk_bytes, run.bytes - at));
      const Plan plan{Coding::zstd, {{run.width, 1, run.steps}}};
      const std::vector lengths{static_cast<std::uint32_t>(bytes)};
      CHECK(ColumnDecoder().decode(plan, lengths, std::span(from + at, bytes), std::span(to + at, bytes)));
    }
  }

  static void put_rows(const cuda::StepRun& run, const Bytes& bytes, std::byte* out) {
    const std::size_t field = run.out.bytes == 0 ? bytes.size() : std::size_t{run.out.words} * run.width;
    for (std::size_t at = 0, row = 0; at < bytes.size(); at += field, ++row)
      std::memcpy(out + row * run.out.bytes, bytes.data() + at, std::min(field, bytes.size() - at));
  }

  static void judge(const cuda::DecodeJob& job, const cuda::DecodeMemory& memory, std::uint32_t* status) {
    const auto places = places_of(job, memory);
    const auto wanted = table<std::uint64_t>(memory, job.wanted, job.chunk_count);
    for (std::uint32_t chunk = 0; chunk < job.chunk_count; ++chunk) {
      const std::span values(memory.values + places[chunk].offset,
                             static_cast<std::size_t>(places[chunk].bytes));
      if (status[chunk] == 0 && formats::xxh3_64(values) != wanted[chunk]) status[chunk] = 0x202;
    }
  }

  HostDevice& device_;
  Bytes memory_, device_memory_;
  std::vector<Bytes> pieces_;
};

}  // namespace tdz::test
