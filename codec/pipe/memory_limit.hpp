// SPDX-License-Identifier: Apache-2.0
// How much of a pipeline fits into a memory limit: slots are given up first, then workers, and then there is
// an error.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>

#include "formats/error.hpp"
#include "formats/records.hpp"

namespace tdz {

struct PipelineSize {
  unsigned workers = 1;
  std::size_t slots = 1;
  friend bool operator==(const PipelineSize&, const PipelineSize&) = default;
};
PipelineSize usual_size(unsigned workers);

/// What a pipeline takes.
struct MemoryNeeds {
  std::uint64_t slot = 0;
  std::uint64_t worker = 0;
  std::uint64_t of(const PipelineSize& size) const { return size.slots * slot + size.workers * worker; }
};
/// For chunks of at most `bytes` bytes, original and packed.
MemoryNeeds decoding_needs(std::uint64_t bytes);
/// The longer form of a chunk.
std::uint64_t longer_form(const formats::ChunkRecord& chunk);
/// Error limit if this chunk cannot be decoded within the limit, not even alone.
Status check_memory(const formats::ChunkRecord& chunk, std::uint64_t limit, std::uint64_t where);
/// For chunks of at most `chunk` bytes, in frames of at most `frame`. `trial` is what the choice between
/// recipes is tried on.
MemoryNeeds encoding_needs(int level, std::uint64_t chunk, std::uint64_t frame, std::uint64_t trial);

/// The largest size up to `wanted` that stays within the limit; nothing if one worker with one slot does not.
std::optional<PipelineSize> size_within(std::uint64_t limit, PipelineSize wanted, const MemoryNeeds& needs);

/// What is said of an original that would be longer than its limit of bytes.
std::string longer_than(std::uint64_t limit);
/// "chunks of 64.0 MiB need 256.2 MiB of memory, the limit is 100.0 MiB".
Error too_little_memory(std::uint64_t chunk, const MemoryNeeds& needs, std::uint64_t limit);

/// Bytes of this machine's memory; nothing where the system does not say, as in some sandboxes.
std::optional<std::uint64_t> physical_memory();
/// What decoding may take where nobody said: a quarter of what this machine, or whoever started the program,
/// allows it.
std::uint64_t usual_memory();

}  // namespace tdz
