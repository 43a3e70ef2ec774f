// SPDX-License-Identifier: Apache-2.0
#include "app/bench/measure/stage_bench.hpp"

#include <algorithm>

#include "app/bench/measure/timing.hpp"
#include "codec/chunk/frame_plan.hpp"
#include "formats/digest.hpp"
#include "formats/plan/made_plans.hpp"
#include "formats/plan/substreams.hpp"
#include "kernels/cpu/sweep.hpp"
#include "kernels/cuda/host/cuda_devices.hpp"

namespace tdz::app::bench {
namespace {

/// Of the substreams: the words, and the bytes behind them.
std::vector<std::uint32_t> chunk_lengths(const Plan& plan, std::size_t bytes) {
  std::vector<std::uint32_t> lengths;
  for (const auto& part : formats::substreams(plan, bytes))
    lengths.push_back(static_cast<std::uint32_t>(part.most));
  return lengths;
}

}  // namespace

Result<std::unique_ptr<StageBench>> StageBench::open(const CodecWork& work) {
  if (work.coding.packed && work.backend == BackendChoice::cuda)
    return Error{ErrorKind::unsupported, "packed groups are measured on the CPU alone"};
  std::unique_ptr<StageBench> bench(new StageBench(work));
  if (work.backend != BackendChoice::cuda) return bench;
  constexpr std::uint64_t kFewChunks = std::uint64_t{64} << 20;
  const std::uint64_t memory = work.device.memory != 0 ? work.device.memory : kFewChunks;
  auto meter = cuda::make_meter(work.device.first(), bench->chunk_bytes_, memory);
  if (!meter) return not_available(meter.error());
  bench->device_ = *std::move(meter);
  return bench;
}

StageBench::StageBench(const CodecWork& work)
    : data_(work.data),
      column_(formats::column_of(work.coding)),
      coding_does_nothing_(column_.steps.empty()),
      encoder_(work.level),
      residuals_(coding_does_nothing_ || work.coding.packed ? 0 : work.data.size()),
      unpacked_(work.coding.packed ? 0 : work.data.size()),
      restored_(coding_does_nothing_ ? 0 : work.data.size()) {
  const std::uint64_t row = std::uint64_t{work.coding.word} * work.coding.tuple;
  chunk_bytes_ = row < kBenchChunk ? kBenchChunk - static_cast<std::size_t>(kBenchChunk % row) : kBenchChunk;
  if (work.coding.packed) {
    groups_.emplace(work.coding, data_.size(), chunk_bytes_);
    cut_groups();
  } else {
    cut();
  }
  static_cast<void>(digest());
  expected_digest_ = digest_;
}

/// Lists all frames of all chunks, and makes room for their packed bytes.
void StageBench::cut() {
  std::size_t room = 0;
  const Plan plan = formats::plan_of(column_);
  for (std::size_t begin = 0; begin < data_.size(); begin += chunk_bytes_) {
    std::size_t at = begin;
    const auto planes = plane_lengths(plan, chunk_lengths(plan, chunk(begin).size()));
    for (FramePiece& piece : cut_frames(FramePlan{}, planes, chunk_bytes_)) {
      const std::size_t bound = zstd_bound(piece.parts);
      frames_.push_back({at, piece.bytes, std::move(piece.parts), piece.packing, room, bound, 0});
      at += piece.bytes;
      room += bound;
    }
  }
  packed_.resize(room);
}

/// One stored frame for each chunk, as compress() has them. They hold what the groups can take at most.
void StageBench::cut_groups() {
  const std::size_t most = groups_->most(), bound = zstd_bound(most);
  for (std::size_t i = 0; i < groups_->count(); ++i)
    frames_.push_back({i * most, most, {}, Packing::stored, i * bound, bound, 0});
  unpacked_ = PageBytes(groups_->count() * most);
  packed_.resize(groups_->count() * bound);
}

std::span<const std::byte> StageBench::chunk(std::size_t begin) const {
  return data_.subspan(begin, std::min(chunk_bytes_, data_.size() - begin));
}

template <class Do>
Status StageBench::for_each_chunk(const Do& work) {
  for (std::size_t begin = 0; begin < data_.size(); begin += chunk_bytes_) {
    if (auto done = work(begin, chunk(begin).size()); !done) return done;
  }
  return ok();
}

/// Differences, zigzag and layout of a chunk, or their inverse: on the CPU, or in the scan kernels of a
/// device with the copies there and back.
Status StageBench::run(bool integrate, std::span<const std::byte> in, std::span<std::byte> out) {
  if (device_ != nullptr) return device_->run(column_, integrate, in, out);
  const auto scratch = scratch_.take(cpu::scratch_bytes(passes(column_), in.size()));
  const cpu::StepListJob job{column_.width, column_.steps, in, out, scratch};
  integrate ? cpu::inverse(job) : cpu::forward(job);
  return ok();
}

Status StageBench::digest() {
  digest_ = 0;
  return for_each_chunk([&](std::size_t begin, std::size_t bytes) {
    digest_ ^= formats::xxh3_64(data_.subspan(begin, bytes));
    return ok();
  });
}

Status StageBench::pack_groups() {
  auto done = groups_->pack(data_);
  for (std::size_t i = 0; i < frames_.size(); ++i) frames_[i].bytes = groups_->groups(i).size();
  return done;
}

Status StageBench::difference() {
  if (groups_) return pack_groups();
  if (coding_does_nothing_) return ok();
  return for_each_chunk([&](std::size_t begin, std::size_t bytes) {
    return run(false, data_.subspan(begin, bytes), residuals_.span().subspan(begin, bytes));
  });
}

std::span<const std::byte> StageBench::residuals_of(const Frame& frame) const {
  if (groups_) return groups_->groups(static_cast<std::size_t>(&frame - frames_.data()));
  return residuals().subspan(frame.begin, frame.bytes);
}

Status StageBench::pack() {
  packed_bytes_ = 0;
  for (Frame& frame : frames_) {
    auto packed =
        encoder_.encode(residuals_of(frame), frame.parts,
                        std::span(packed_).subspan(frame.packed_at, frame.packed_room), frame.packing);
    if (!packed) return packed.error();
    frame.packed_bytes = *packed;
    packed_bytes_ += *packed;
  }
  return ok();
}

Status StageBench::unpack() {
  for (const Frame& frame : frames_) {
    auto done =
        decoder_.decode(std::span<const std::byte>(packed_).subspan(frame.packed_at, frame.packed_bytes),
                        unpacked_.span().subspan(frame.begin, frame.bytes));
    if (!done) return done;
  }
  return ok();
}

Status StageBench::unpack_groups() {
  for (std::size_t i = 0; i < frames_.size(); ++i) {
    const auto groups = unpacked_.span().subspan(frames_[i].begin, frames_[i].bytes);
    if (auto done = groups_->unpack(i, groups, restored_.span()); !done) return done;
  }
  return ok();
}

Status StageBench::integrate() {
  if (coding_does_nothing_) return ok();
  if (groups_) return unpack_groups();
  return for_each_chunk([&](std::size_t begin, std::size_t bytes) {
    return run(true, unpacked_.span().subspan(begin, bytes), restored_.span().subspan(begin, bytes));
  });
}

std::string StageBench::check_digest() const {
  return digest_ == expected_digest_ ? std::string() : "two runs of the digest differ";
}

std::string StageBench::check_difference() {
  std::uint64_t digest = 0;
  for (const Frame& frame : frames_) digest = 31 * digest + formats::xxh3_64(residuals_of(frame));
  if (!residuals_digest_) residuals_digest_ = digest;  // integrate will show whether they are right
  if (digest == *residuals_digest_) return {};
  return "two runs of difference gave different residuals";
}

std::string StageBench::check_packed() {
  std::uint64_t digest = packed_bytes_;
  for (const Frame& frame : frames_)
    digest = 31 * digest + formats::xxh3_64(std::span(packed_).subspan(frame.packed_at, frame.packed_bytes));
  if (!packed_digest_) packed_digest_ = digest;
  return digest == *packed_digest_ ? std::string() : "two runs of zstd wrote different bytes";
}

std::string StageBench::check_residuals() const {
  const auto same = [&](const Frame& frame) {
    return std::ranges::equal(residuals_of(frame), unpacked_.span().subspan(frame.begin, frame.bytes));
  };
  return std::ranges::all_of(frames_, same) ? std::string() : "zstd did not restore the residuals";
}

std::string StageBench::check_values() const {
  if (coding_does_nothing_) return {};
  const auto place = first_difference(data_, restored_.span());
  return place ? "integrate: byte " + std::to_string(*place) + " is wrong" : std::string();
}

}  // namespace tdz::app::bench
