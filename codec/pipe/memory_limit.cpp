// SPDX-License-Identifier: Apache-2.0
#include "codec/pipe/memory_limit.hpp"

#include <sys/resource.h>
#include <unistd.h>

#include <algorithm>
#include <limits>
#include <string>

#include "codec/pipe/pipeline.hpp"
#include "codec/chunk/zstd_coder.hpp"
#include "tdz/tdz.hpp"

namespace tdz {
namespace {

constexpr std::uint64_t kDecoderContext = 256u << 10;  // zstd takes a little more than 160 KiB

/// Gives up one slot, or one worker if there are no spare slots: fewer workers cost more speed than fewer
/// slots.
bool shrink(PipelineSize& size) {
  if (size.slots > size.workers) {
    --size.slots;
  } else if (size.workers > 1) {
    size.slots = --size.workers;
  } else {
    return false;
  }
  return true;
}

/// The limit, but at most half of the address space: with 32-bit pointers the free addresses are fragmented.
std::uint64_t addressable(std::uint64_t limit) {
  return std::min<std::uint64_t>(limit, std::numeric_limits<std::size_t>::max() / 2);
}

std::string in_units(std::uint64_t bytes) {
  const bool small = bytes < (1u << 20);
  const std::uint64_t unit = small ? 1u << 10 : 1u << 20;
  const std::uint64_t tenths = bytes / unit * 10 + bytes % unit * 10 / unit;
  return std::to_string(tenths / 10) + "." + std::to_string(tenths % 10) + (small ? " KiB" : " MiB");
}

}  // namespace

PipelineSize usual_size(unsigned workers) {
  return {workers, ring_size(workers)};
}

/// A slot holds a chunk twice: packed and restored. A worker holds the residuals and a second buffer of this
/// length between two steps.
MemoryNeeds decoding_needs(std::uint64_t bytes) {
  return {2 * bytes, 2 * bytes + kDecoderContext};
}

std::uint64_t longer_form(const formats::ChunkRecord& chunk) {
  return std::max<std::uint64_t>(chunk.original_bytes, chunk.packed_bytes());
}

Status check_memory(const formats::ChunkRecord& chunk, std::uint64_t limit, std::uint64_t where) {
  const auto needs = decoding_needs(longer_form(chunk));
  if (needs.of({}) <= addressable(limit)) return ok();
  auto error = too_little_memory(longer_form(chunk), needs, limit);
  error.where = where;
  return error;
}

/// As in decoding: a slot holds the chunk and its packed form, a worker the two buffers and zstd's context.
MemoryNeeds encoding_needs(int level, std::uint64_t chunk, std::uint64_t frame, std::uint64_t trial) {
  const std::uint64_t short_frames = chunk / 32;  // the bounds of many frames exceed the bound of one
  MemoryNeeds needs{chunk + zstd_bound(static_cast<std::size_t>(chunk)) + short_frames,
                    2 * chunk + zstd_encoder_bytes(level, static_cast<std::size_t>(frame))};
  if (trial > 0)
    needs.worker += 3 * trial + zstd_encoder_bytes(kDefaultLevel, static_cast<std::size_t>(trial));
  return needs;
}

std::optional<PipelineSize> size_within(std::uint64_t limit, PipelineSize wanted, const MemoryNeeds& needs) {
  while (needs.of(wanted) > addressable(limit)) {
    if (!shrink(wanted)) return std::nullopt;
  }
  return wanted;
}

std::string longer_than(std::uint64_t limit) {
  return "the original is longer than the limit of " + std::to_string(limit) + " bytes";
}

Error too_little_memory(std::uint64_t chunk, const MemoryNeeds& needs, std::uint64_t limit) {
  return {ErrorKind::limit, "chunks of " + in_units(chunk) + " need " + in_units(needs.of({})) +
                                " of memory, but the limit is " + in_units(addressable(limit)) +
                                "; allow more, or compress in shorter chunks"};
}

std::optional<std::uint64_t> physical_memory() {
  const long pages = sysconf(_SC_PHYS_PAGES), page = sysconf(_SC_PAGESIZE);
  if (pages <= 0 || page <= 0) return std::nullopt;
  return static_cast<std::uint64_t>(pages) * static_cast<std::uint64_t>(page);
}

std::uint64_t usual_memory() {
  constexpr std::uint64_t kAssumed = 2ull << 30;  // if the system does not tell its memory
  rlimit address_space{};
  const bool limited = getrlimit(RLIMIT_AS, &address_space) == 0 && address_space.rlim_cur != RLIM_INFINITY;
  const std::uint64_t addresses = limited ? address_space.rlim_cur : std::numeric_limits<std::size_t>::max();
  return std::min(physical_memory().value_or(kAssumed), addresses) / 4;
}

}  // namespace tdz
