// SPDX-License-Identifier: Apache-2.0
// How large a pipeline may be within a memory limit. Slots are given up first, then workers. If one worker
// with one slot needs more, there is an error.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "codec/chunk/frame_plan.hpp"
#include "codec/chunk/parsed_chunk.hpp"
#include "formats/error.hpp"
#include "tdz/tdz.hpp"

namespace tdz {

struct PipelineSize {
  unsigned workers = 1;
  std::size_t slots = 1;
  friend bool operator==(const PipelineSize&, const PipelineSize&) = default;
};
PipelineSize usual_size(unsigned workers);

/// The bytes of memory for each slot and each worker of a pipeline.
struct MemoryNeeds {
  std::uint64_t slot = 0;
  std::uint64_t worker = 0;
  std::uint64_t of(const PipelineSize& size) const { return size.slots * slot + size.workers * worker; }
};
/// The larger of each. Buffers never shrink, so this is what a pipeline needs for both.
MemoryNeeds larger_of(const MemoryNeeds& a, const MemoryNeeds& b);
/// What a plan takes in memory, beside its own struct.
std::uint64_t plan_memory(const Plan& plan);
/// What a record and its plan take in memory, beside their own structs.
std::uint64_t record_memory(const ParsedChunk& chunk);
/// The needs of decoding this chunk. CHK alone says them.
MemoryNeeds decoding_needs(const ParsedChunk& chunk);
/// Error limit, at offset `where`, if one worker cannot decode this chunk within `limit` bytes of memory.
Status check_memory(const ParsedChunk& chunk, std::uint64_t limit, std::uint64_t where);
/// The same for many chunks: what the steps of equal plans need is computed once. For one thread.
class MemoryCheck {
 public:
  explicit MemoryCheck(std::uint64_t limit) : limit_(limit) {}
  Status operator()(const ParsedChunk& chunk, std::uint64_t where);

 private:
  std::uint64_t limit_;
  std::vector<std::byte> plan_;  // of the last chunk; and its original
  std::uint32_t original_ = 0;
  std::uint64_t steps_ = 0;
};
/// The same for the frames alone: before they are read, no one knows if the rest of the file is there.
Status check_packed_memory(const ParsedChunk& chunk, std::uint64_t limit, std::uint64_t where);
/// The needs of encoding chunks of at most `chunk` bytes in frames of at most `frame` bytes, with any of
/// these recipes. `trial` is the number of bytes on which recipes are tried; 0 if there is only one recipe.
MemoryNeeds encoding_needs(std::span<const Recipe> recipes, int level, std::uint64_t chunk,
                           std::uint64_t frame, std::uint64_t trial);

/// The largest size up to `wanted` within the limit. Nothing if one worker with one slot needs more.
std::optional<PipelineSize> size_within(std::uint64_t limit, PipelineSize wanted, const MemoryNeeds& needs);

/// The message for an original that is longer than `limit` bytes.
std::string longer_than(std::uint64_t limit);
/// "chunks of 64.0 MiB need 256.2 MiB of memory, but the limit is 100.0 MiB".
Error too_little_memory(std::uint64_t chunk, const MemoryNeeds& needs, std::uint64_t limit);
/// "the list of streams needs 12.0 MiB of memory, but the limit is 10.0 MiB; allow more".
Error too_little_memory(std::string_view what, std::uint64_t bytes, std::uint64_t limit, std::uint64_t where);

/// A file for readers of records that have a memory limit: one of which no record is read that needs more
/// than this memory. What is made of a record takes about as much again.
class LimitedFile final : public RandomAccess {
 public:
  LimitedFile(RandomAccess& file, std::uint64_t memory) : file_(file), memory_(memory) {}
  std::uint64_t size() const override { return file_.size(); }
  Status read_at(std::uint64_t offset, std::span<std::byte> into) override {
    if (into.size() <= memory_ / 2) return file_.read_at(offset, into);
    return too_little_memory("a record", 2 * std::uint64_t{into.size()}, memory_, offset);
  }

 private:
  RandomAccess& file_;
  std::uint64_t memory_;
};

/// The default memory limit of decoding: a quarter of usable_memory(), or of the process's address space
/// limit if that is smaller.
std::uint64_t usual_memory();
/// The limit that a caller set; usual_memory() if it is 0.
std::uint64_t memory_or_usual(std::uint64_t memory);

}  // namespace tdz
