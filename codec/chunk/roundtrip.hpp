// SPDX-License-Identifier: Apache-2.0
// Does a chunk come back? Coded by every backend and restored by every backend, in memory, each byte
// compared.
//
// No guard stands between, as it does when files are compressed: a device's fault is to be seen here, not to
// be mended. And no digest decides: what was restored is compared with the chunk itself, in memory that held
// the chunk's complement before, so that a byte which nobody writes cannot pass for one that was restored.
#pragma once

#include <cstdint>
#include <deque>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "codec/chunk/chunk_coder.hpp"
#include "codec/chunk/mismatch.hpp"

namespace tdz {

enum class RoundtripFault : std::uint8_t {
  coding,        ///< a backend failed to code the chunk
  disagreement,  ///< two backends coded it in different bytes
  restoring,     ///< a backend failed to restore it, and left nothing to compare
  wrong_value,   ///< it restored something else
};

struct RoundtripFailure {
  RoundtripFault fault = RoundtripFault::wrong_value;
  std::string coder;     ///< the backend that coded the chunk
  std::string restorer;  ///< the one that restored it; of a disagreement, the other coder; of coding, empty
  std::uint64_t chunk = 0;           ///< its number in the file
  std::uint64_t chunk_offset = 0;    ///< and its first byte
  std::string detail;                ///< what was said, or where the coded bytes differ; may be empty
  std::optional<Mismatch> mismatch;  ///< of a wrong value
};

struct RoundtripOutcome {
  std::uint64_t packed_bytes = 0;  ///< of the first backend that coded it
  std::vector<RoundtripFailure> failures;
};

/// For one thread; keeps its memory.
class RoundtripTester {
 public:
  /// The backends outlive it. Throws std::bad_alloc.
  explicit RoundtripTester(std::span<Backend* const> backends);

  /// Error limit: there was too little memory to tell.
  Result<RoundtripOutcome> test(const PlacedChunk& chunk, const Transform& transform, int level);

 private:
  /// What one backend does with the chunk.
  struct Side {
    explicit Side(Backend& by) : backend(by), decoder(by, FrameChecksum::checked) {}
    std::string name() const { return std::string(backend.name()); }

    Backend& backend;
    std::optional<ChunkEncoder> encoder;
    ChunkDecoder decoder;
    EncodedChunk encoded;
    bool coded = false;
  };

  void use_level(int level);
  Status code(Side& side, RoundtripOutcome& outcome);
  void compare_coded(const Side& first, const Side& other, RoundtripOutcome& outcome) const;
  bool first_of_its_kind(const Side& side) const;
  Status restore_by_all(const Side& coder, RoundtripOutcome& outcome);
  Status restore(const Side& coder, Side& restorer, RoundtripOutcome& outcome);
  formats::ChunkRecord record_of(const EncodedChunk& encoded) const;
  RoundtripFailure failure(RoundtripFault fault, const Side& coder, std::string detail) const;

  std::deque<Side> sides_;  // a deque because coders do not move
  int level_ = 0;
  Buffer restored_;
  PlacedChunk chunk_;  // under test
  Transform transform_;
};

}  // namespace tdz
