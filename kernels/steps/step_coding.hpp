// SPDX-License-Identifier: Apache-2.0
// Every step on the words of a column, each way: encode(step, ...) and decode(step, ...), one pair for each
// step of PlanStep. A new step gets its pair here, and ColumnEncoder and ColumnDecoder take it. Used by one
// thread at a time.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <optional>
#include <span>
#include <vector>

#include "formats/error.hpp"
#include "formats/plan/plan.hpp"
#include "formats/steps/lane_map.hpp"
#include "kernels/buffer.hpp"
#include "kernels/passes.hpp"
#include "kernels/steps/scale/fit_scale.hpp"

namespace tdz {

// ---- The words of one column between two steps: as rows have them, or lane after lane for the steps on
// lanes

/// Two buffers in turn: a step reads what the last take() gave and writes to the next one.
class StepMemory {
 public:
  std::span<std::byte> take(std::size_t bytes) {
    next_ ^= 1;
    return newest_ = halves_[next_].take(bytes);
  }
  /// What the last take() gave.
  std::span<std::byte> newest() const { return newest_; }
  /// What a single step needs beside the words.
  std::span<std::byte> scratch(std::size_t bytes) { return scratch_.take(bytes); }
  /// What a group of passes needs beside the words.
  std::span<std::byte> pass_scratch(std::size_t bytes) { return pass_scratch_.take(bytes); }

 private:
  std::array<Buffer, 2> halves_;
  Buffer scratch_;
  Buffer pass_scratch_;
  std::span<std::byte> newest_;
  unsigned next_ = 0;
};

/// Words of `width` bytes. tuple 0: packed, in the order of the rows. Otherwise lane after lane for this
/// tuple, each word in the next machine word (LaneMap).
struct ColumnWords {
  std::span<const std::byte> bytes;
  std::uint8_t width = 1;
  std::size_t words = 0;
  std::uint32_t tuple = 0;

  LaneMap map(std::uint32_t of_tuple) const { return LaneMap::of_width(width, of_tuple, words); }
};

/// The same words for this tuple; new memory only if they move.
ColumnWords to_lanes(const ColumnWords& x, std::uint32_t tuple, StepMemory& memory);
/// The same words packed; new memory only if they move.
ColumnWords to_packed(const ColumnWords& x, StepMemory& memory);
/// Packed into `out`, which holds words * width bytes and does not overlap.
void pack_into(const ColumnWords& x, StepMemory& memory, std::span<std::byte> out);

inline const std::uint8_t* octets(std::span<const std::byte> bytes) {
  return reinterpret_cast<const std::uint8_t*>(bytes.data());
}
inline std::uint8_t* octets(std::span<std::byte> bytes) {
  return reinterpret_cast<std::uint8_t*>(bytes.data());
}
inline std::span<const std::uint8_t> octet_span(std::span<const std::byte> bytes) {
  return {octets(bytes), bytes.size()};
}

// ---- Steps

/// What a search found for a column, beyond what the plan's bytes hold. The default: each chunk asks itself.
struct ColumnHints {
  std::optional<ScalePlan> scale;
  unsigned highest_order = 16;  ///< of predictors that are tried
};

/// The substreams of a chunk while they are made, one after the other. Keeps its memory.
class SubstreamSink {
 public:
  /// `expected`: a guess that saves moves.
  void begin(std::size_t expected) {
    memory_.take(expected);
    used_ = 0;
    lengths_.clear();
  }
  /// Memory after what there is, until the next call.
  std::span<std::byte> room(std::size_t bytes) { return memory_.grow(used_ + bytes, used_).subspan(used_); }
  /// The next `bytes` bytes of the room are a substream.
  void keep(std::size_t bytes) {
    used_ += bytes;
    lengths_.push_back(static_cast<std::uint32_t>(bytes));
  }
  void put(std::span<const std::byte> bytes) {
    const auto to = room(bytes.size());
    if (!bytes.empty()) std::memcpy(to.data(), bytes.data(), bytes.size());
    keep(bytes.size());
  }

  std::span<const std::byte> bytes() { return memory_.grow(used_, used_); }
  const std::vector<std::uint32_t>& lengths() const { return lengths_; }

 private:
  Buffer memory_;
  std::size_t used_ = 0;
  std::vector<std::uint32_t> lengths_;
};

/// What a step may use while it encodes.
struct Encoding {
  StepMemory& memory;
  SubstreamSink& out;  ///< takes side data and layouts
  const ColumnHints& hints;
  KnownFits* fits = nullptr;  ///< of words that may come again; null: none
  bool last = false;          ///< no step follows: what is written is the substream itself

  /// Where packed words go.
  std::span<std::byte> place(std::size_t bytes) const {
    return last ? out.room(bytes).first(bytes) : memory.take(bytes);
  }
};

namespace cpu {
struct PackedBits;
}

/// What a step may use while it decodes.
struct Decoding {
  StepMemory& memory;
  /// Where a step may write its result at once; empty: to memory. It overlaps the words only if the group
  /// runs in place. What a step returns may lie in it.
  std::span<std::byte> target;
  std::span<const std::span<const std::byte>>
      side;                               ///< the step's substreams; those of planes are the words themselves
  std::uint32_t wanted = 0;               ///< the tuple whose lanes the step before works on; 0: none
  const cpu::PackedBits* bits = nullptr;  ///< packed groups: not null, where side.back() is none

  /// Where packed words go.
  std::span<std::byte> place(std::size_t bytes) const { return target.empty() ? memory.take(bytes) : target; }
};

// ---- Steps that run together

/// The steps of a column in groups that run together: packed groups with the pass before them, which may have
/// runs; steps of passes one after another, of machine words; a difference that runs as lanes, with the
/// zigzag after it; each other step by itself.
std::vector<std::span<const PlanStep>> groups_of(const Column& column);

/// Whether a group of words of this width are steps of passes. Then it needs scratch_bytes().
bool runs_as_passes(std::span<const PlanStep> group, unsigned width);
/// Whether a group without packed groups begins with a difference in runs over a tuple of at most 256 lanes,
/// which is the most that LanesStep has. Then it runs as the rules of lanes_of(): in one pass, lane by lane.
bool runs_as_lanes(std::span<const PlanStep> group);
/// Precondition: runs_as_lanes(group).
LanesStep lanes_of(std::span<const PlanStep> group);

/// Whether a group ends with packed groups of words. The steps before them in the group are one pass.
bool runs_as_packed(std::span<const PlanStep> group);
struct PassBeforePacked {
  Pass pass;
  std::uint64_t run = 0;  ///< words after which its difference begins anew; 0: never
};
/// Nothing: the steps before the packed groups are not one pass, or a run would end within a group. `word`:
/// bytes of a machine word.
std::optional<PassBeforePacked> pass_before_packed(std::span<const PlanStep> group, unsigned word);

ColumnWords encode_passes(std::span<const PlanStep> group, const ColumnWords& words, const Encoding& how);
ColumnWords decode_passes(std::span<const PlanStep> group, const ColumnWords& words, const Decoding& how);

ColumnWords encode_packed(std::span<const PlanStep> group, const ColumnWords& words, const Encoding& how);
/// `words` says how many words of which width come out.
Result<ColumnWords> decode_packed(std::span<const PlanStep> group, const ColumnWords& words,
                                  const Decoding& how);

// ---- Single steps. Words come in any form; layouts leave the words as they are and put substreams.

/// Encoding never fails; std::bad_alloc may be thrown.
ColumnWords encode(const ByteswapStep& step, const ColumnWords& words, const Encoding& how);
ColumnWords encode(const DifferenceStep& step, const ColumnWords& words, const Encoding& how);
ColumnWords encode(const ZigzagStep& step, const ColumnWords& words, const Encoding& how);
ColumnWords encode(const PlanesStep& step, const ColumnWords& words, const Encoding& how);
ColumnWords encode(const TuplePlanesStep& step, const ColumnWords& words, const Encoding& how);
ColumnWords encode(const BitPlanesStep& step, const ColumnWords& words, const Encoding& how);
ColumnWords encode(const ScaleStep& step, const ColumnWords& words, const Encoding& how);
ColumnWords encode(const LanesStep& step, const ColumnWords& words, const Encoding& how);
ColumnWords encode(const PredictStep& step, const ColumnWords& words, const Encoding& how);
ColumnWords encode(const TokensStep& step, const ColumnWords& words, const Encoding& how);
ColumnWords encode(const PackedStep& step, const ColumnWords& words, const Encoding& how);
ColumnWords encode(const GridStep& step, const ColumnWords& words, const Encoding& how);

/// Error corrupt: side data or words break the format.
Result<ColumnWords> decode(const ByteswapStep& step, const ColumnWords& words, const Decoding& how);
Result<ColumnWords> decode(const DifferenceStep& step, const ColumnWords& words, const Decoding& how);
Result<ColumnWords> decode(const ZigzagStep& step, const ColumnWords& words, const Decoding& how);
Result<ColumnWords> decode(const PlanesStep& step, const ColumnWords& words, const Decoding& how);
Result<ColumnWords> decode(const TuplePlanesStep& step, const ColumnWords& words, const Decoding& how);
Result<ColumnWords> decode(const BitPlanesStep& step, const ColumnWords& words, const Decoding& how);
Result<ColumnWords> decode(const ScaleStep& step, const ColumnWords& words, const Decoding& how);
Result<ColumnWords> decode(const LanesStep& step, const ColumnWords& words, const Decoding& how);
Result<ColumnWords> decode(const PredictStep& step, const ColumnWords& words, const Decoding& how);
/// `words` says how many words of which width come out.
Result<ColumnWords> decode(const TokensStep& step, const ColumnWords& words, const Decoding& how);
Result<ColumnWords> decode(const PackedStep& step, const ColumnWords& words, const Decoding& how);
Result<ColumnWords> decode(const GridStep& step, const ColumnWords& words, const Decoding& how);

}  // namespace tdz
