// SPDX-License-Identifier: Apache-2.0
// Tests the round trip of a chunk in memory: every backend codes it, every backend restores it, and each byte
// is compared.
//
// Unlike compression of files, the test has no CPU fallback: it must show the fault of a device, not correct
// it. The restored bytes are compared with the chunk itself, not only by their digest. Before each restoring,
// the memory is filled with the complement of the chunk, so that a byte that is not written is found.
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
  std::string coder;  ///< the backend that coded the chunk
  /// The backend that restored it. For `disagreement` the other coder; for `coding` empty.
  std::string restorer;
  std::uint64_t chunk = 0;           ///< the chunk's number in the file
  std::uint64_t chunk_offset = 0;    ///< the offset of its first byte in the file
  std::string detail;                ///< the error's message, or where the coded bytes differ; may be empty
  std::optional<Mismatch> mismatch;  ///< for `wrong_value`
};

struct RoundtripOutcome {
  std::uint64_t packed_bytes = 0;  ///< of the first backend that coded it
  std::vector<RoundtripFailure> failures;
};

/// Used by one thread; keeps its memory.
class RoundtripTester {
 public:
  /// The backends must live longer than the tester. Throws std::bad_alloc.
  explicit RoundtripTester(std::span<Backend* const> backends);

  /// Error limit: too little memory for the test. Every other error of a backend is a RoundtripFailure.
  Result<RoundtripOutcome> test(const PlacedChunk& chunk, const Plan& plan, int level);

 private:
  /// One backend, with its coders and its coded chunk.
  struct Side {
    explicit Side(Backend& by) : backend(by), decoder(by) {}
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
  RoundtripFailure failure(RoundtripFault fault, const Side& coder, std::string detail) const;

  std::deque<Side> sides_;  // a deque because coders cannot be moved
  int level_ = 0;
  Buffer restored_;
  PlacedChunk chunk_;  // under test
  Plan plan_;
};

}  // namespace tdz
