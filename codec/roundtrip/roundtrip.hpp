// SPDX-License-Identifier: Apache-2.0
// Tests the round trip of a chunk in memory: every side codes it, every side restores it, and each byte is
// compared. A GPU's own work is coding and restoring frames for a GPU, so with a GPU the steps of a plan are
// also tested in such frames.
//
// The restored bytes are compared with the chunk itself, not only by their digest. Before each restoring, the
// memory is filled with the complement of the chunk, so that a byte that is not written is found.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "codec/roundtrip/sides.hpp"
#include "formats/plan/plan.hpp"
#include "kernels/buffer.hpp"

namespace tdz {

// ---- The first number that differs between original and restored bytes

/// A chunk of a file, and where in the file it lies.
struct PlacedChunk {
  std::span<const std::byte> bytes;
  std::uint64_t number = 0;  ///< of the chunk, from 0
  std::uint64_t offset = 0;  ///< of its first byte in the file
};

/// A number of the original, and the number at its place in the restored bytes.
struct ComparedValue {
  std::uint64_t value = 0;  ///< its index in the file
  std::uint32_t lane = 0;   ///< its column in the tuple
  std::uint64_t expected = 0;
  std::uint64_t found = 0;
  friend bool operator==(const ComparedValue&, const ComparedValue&) = default;
};

/// The first number that differs. A number is a little-endian word of the plan's column, or a byte where it
/// has several columns; the last number of a file may have fewer bytes. Tuples count from the chunk's
/// beginning, as in the coding.
struct Mismatch {
  ComparedValue first;
  std::uint64_t offset = 0;           ///< of its first byte in the file
  std::uint8_t width = 1;             ///< its length in bytes
  std::vector<ComparedValue> around;  ///< a few before it, itself, a few after it
};

/// Nothing if all bytes are equal. Preconditions: both have the same length, and the chunk's offset in the
/// file is a multiple of the word.
std::optional<Mismatch> first_mismatch(const PlacedChunk& original, std::span<const std::byte> restored,
                                       const Plan& plan);

// ---- The round trip

enum class RoundtripFault : std::uint8_t {
  coding,        ///< a side failed to code the chunk
  disagreement,  ///< two sides coded it in different bytes
  restoring,     ///< a side failed to restore it, and left nothing to compare
  wrong_value,   ///< it restored something else
};

struct RoundtripFailure {
  RoundtripFault fault = RoundtripFault::wrong_value;
  std::string coder;  ///< the backend of the side that coded the chunk
  /// The backend of the side that restored it. For `disagreement` the other coder; for `coding` empty.
  std::string restorer;
  std::uint64_t chunk = 0;         ///< the chunk's number in the file
  std::uint64_t chunk_offset = 0;  ///< the offset of its first byte in the file
  /// The error's message, or where the coded bytes differ; "frames for a GPU" comes first, if it is about
  /// these. May be empty.
  std::string detail;
  std::optional<Mismatch> mismatch;  ///< for `wrong_value`
};

struct RoundtripOutcome {
  std::uint64_t packed_bytes = 0;  ///< of the first side that coded the chunk
  std::vector<RoundtripFailure> failures;
};

/// Used by one thread; keeps its memory.
class RoundtripTester {
 public:
  /// Throws std::bad_alloc.
  explicit RoundtripTester(std::vector<RoundtripSide> sides);

  /// Error limit: too little memory for the test. Every other error of a side is a RoundtripFailure.
  /// Precondition: the plan has one column. Throws std::bad_alloc.
  Result<RoundtripOutcome> test(const PlacedChunk& chunk, const Plan& plan, int level);

 private:
  /// A side, with its coded chunk.
  struct Side {
    RoundtripSide way;
    EncodedChunk encoded;
    bool takes_part = false;
    bool coded = false;
  };
  enum class Frames : std::uint8_t { general, for_gpu };

  Status test_in(const Plan& plan, const PlacedChunk& chunk, Frames frames, RoundtripOutcome& outcome);
  Status test_gpu_frames(const Plan& gpu, RoundtripOutcome& outcome);
  Status code(Side& side, RoundtripOutcome& outcome);
  void compare_coded(const Side& first, const Side& other, RoundtripOutcome& outcome) const;
  bool first_of_its_kind(const Side& side) const;
  Status restore_by_all(const Side& coder, RoundtripOutcome& outcome);
  Status restore(const Side& coder, Side& restorer, RoundtripOutcome& outcome);
  RoundtripFailure failure(RoundtripFault fault, const Side& coder, const std::string& detail) const;

  std::vector<Side> sides_;
  Buffer restored_;
  // Under test.
  PlacedChunk whole_;
  Plan cell_;  ///< the caller's plan: its tuples number the lanes
  int level_ = 0;
  PlacedChunk chunk_;
  Plan plan_;
  Frames frames_ = Frames::general;
};

}  // namespace tdz
