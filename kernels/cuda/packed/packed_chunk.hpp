// SPDX-License-Identifier: Apache-2.0
// Where a device finds the packed groups of a chunk, and where their words go: FORMAT.md, section 3,
// `packed`. Plain values, made by the host from CHK alone (packed_plan.hpp); for host and device.
#pragma once

#include <cstddef>
#include <cstdint>

#include "kernels/cuda/steps/word_access.hpp"
#include "kernels/uniform/block_layout.hpp"

namespace tdz::cuda {

/// The scan kernels, which undo the steps before the groups, ask for aligned addresses.
inline constexpr std::uint64_t kScanAlignment = 16;

// formats/steps/packed.hpp has them for the host; unpack.cu compares.
inline constexpr std::uint32_t kWordsOfGroup = 16, kGroupsAPlace = 256, kMostWidths = 16;

/// A chunk whose four substreams lie one after another in frames of raw blocks. The host has held all these
/// numbers against one another, the record and the buffers, so that every byte of the content lies within the
/// packed bytes, and `words` words fit where they go. What the frames hold is not known yet.
struct PackedChunk {
  std::uint64_t packed = 0;  ///< its first frame, in the packed bytes of the batch
  std::uint64_t out = 0;     ///< its first word, in the buffer that the launch names
  uniform::RawLayout frames{0, 1, 0};
  std::uint32_t chunk = 0;   ///< whose status tells of faults
  std::uint32_t words = 0;   ///< at most kMostStepWords
  std::uint32_t tuple = 1;   ///< 1 to 256
  std::uint32_t groups = 0;  ///< as the words give them
  std::uint32_t widths = 0;  ///< bytes of this substream, 1 to kMostWidths
  std::uint32_t bits = 0;    ///< bytes of this substream

  TDZ_HOST_DEVICE constexpr std::uint32_t places() const {
    return (groups + kGroupsAPlace - 1) / kGroupsAPlace;
  }
  // Where substreams begin in the content. The widths come first.
  TDZ_HOST_DEVICE constexpr std::uint32_t codes_at() const { return widths; }
  TDZ_HOST_DEVICE constexpr std::uint32_t places_at() const { return widths + (groups + 1) / 2; }
  TDZ_HOST_DEVICE constexpr std::uint32_t bits_at() const { return places_at() + 4 * places(); }
};

/// The words of the groups of one place, in an order in which neighbours lie side by side in memory, as far
/// as that goes: threads that take neighbours write whole lines.
class PlaceWords {
 public:
  /// A word: of which group, counted from the first one of the place, and where in the column.
  struct Word {
    std::uint32_t group, row, number;
  };

  TDZ_HOST_DEVICE constexpr PlaceWords(std::uint32_t tuple, std::uint32_t first_group)
      : tuple_(tuple),
        block_(kWordsOfGroup * tuple),
        first_block_(first_group / tuple),
        first_lane_(first_group % tuple) {}

  /// So many numbers word() takes. A block of rows has a group for each lane, and a place may begin and end
  /// inside of one; so some numbers of short tuples are no words of the place.
  TDZ_HOST_DEVICE constexpr std::uint32_t count() const {
    if (by_group()) return kGroupsAPlace * kWordsOfGroup;
    return (tuple_.quotient(first_lane_ + kGroupsAPlace - 1) + 1) * block_.value();
  }
  /// A group of kGroupsAPlace and more: there is no such word in the place. Precondition: i < count(), so i
  /// is below 2^14.
  TDZ_HOST_DEVICE constexpr Word word(std::uint32_t i) const {
    if (by_group()) {
      const std::uint32_t group = i % kGroupsAPlace, row = i / kGroupsAPlace;
      const std::uint32_t lane = first_lane_ + group, block = tuple_.quotient(lane);
      return at(group, row, block, lane - block * tuple_.value());
    }
    const std::uint32_t block = block_.quotient(i), inside = i - block * block_.value();
    const std::uint32_t row = tuple_.quotient(inside), lane = inside - row * tuple_.value();
    // Wraps around, to a number above all groups, for lanes before the first one.
    return at(block * tuple_.value() + lane - first_lane_, row, block, lane);
  }

 private:
  /// With so many lanes a warp writes words side by side if each thread takes the same row of its group.
  static constexpr std::uint32_t kManyLanes = 32;

  TDZ_HOST_DEVICE constexpr bool by_group() const { return tuple_.value() >= kManyLanes; }
  TDZ_HOST_DEVICE constexpr Word at(std::uint32_t group, std::uint32_t row, std::uint32_t block,
                                    std::uint32_t lane) const {
    return {group, row, (first_block_ + block) * block_.value() + row * tuple_.value() + lane};
  }

  Divisor tuple_, block_;
  std::uint32_t first_block_, first_lane_;
};

/// Chunks of one width of words. All pointers are device pointers.
struct UnpackBatch {
  const PackedChunk* chunks = nullptr;
  std::uint32_t count = 0;
  std::uint32_t places = 0;           ///< of the chunk that has the most
  const std::byte* packed = nullptr;  ///< with 16 readable bytes around
  std::byte* out = nullptr;  ///< PackedChunk::out counts from here. At any address; aligned to 16 is faster
  std::uint32_t* status = nullptr;  ///< of all chunks
};

/// A bit of a chunk's status, beside those of DecodeFault: widths, codes, places or bits break the format.
inline constexpr std::uint32_t kWrongGroups = 32;

}  // namespace tdz::cuda
