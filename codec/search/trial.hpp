// SPDX-License-Identifier: Apache-2.0
// Measures the packed size of samples, with the real steps and the real zstd.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <span>
#include <tuple>
#include <utility>
#include <vector>

#include "codec/chunk/frame_plan.hpp"
#include "codec/chunk/zstd_coder.hpp"
#include "codec/search/samples.hpp"
#include "formats/digest.hpp"
#include "kernels/buffer.hpp"
#include "kernels/steps/column_encoder.hpp"

namespace tdz {

/// The substreams of pieces, plane by plane as if they were one chunk.
struct Joined {
  std::vector<std::byte> bytes;
  std::vector<std::size_t> planes;  ///< lengths, as from plane_lengths
};

/// Lengths that were measured with Packing::quick, by the bytes and their parts. Searches of several efforts
/// try much of the same. Used by one thread.
using KnownSizes = std::map<std::pair<formats::Digest128, std::vector<std::size_t>>, std::uint64_t>;

/// Keeps contexts and memory between trials. Used by one thread. The constructor and the functions may throw
/// std::bad_alloc. Error limit.
class Trial {
 public:
  /// None, or those of each column.
  using Hints = std::span<const ColumnHints>;

  /// `level` is the zstd level of Packing::search. `sizes`, if there will be trials of the same bytes; it
  /// must outlive this trial.
  explicit Trial(int level, KnownSizes* sizes = nullptr);
  Trial(const Trial&) = delete;  // the encoder refers to the fits
  Trial& operator=(const Trial&) = delete;
  /// From now on share_of_records is that of a stream of this number of original bytes.
  void count_plans(std::uint64_t original) { original_ = original; }
  /// What the records of chunks take, as far as it falls to these pieces: steps with many parameters must be
  /// worth them. 0, if the stream is of unknown length.
  std::uint64_t share_of_records(const Plan& plan, const Pieces& pieces) const;
  /// Applies the plan to all pieces and joins equal planes: plane 0 of all pieces, then plane 1 of all, and
  /// so on. In a chunk planes are as long as these joined ones; the short planes of single pieces would share
  /// one Huffman code that suits none of them. Valid until the next call.
  Result<const Joined*> joined(const Plan& plan, const Pieces& pieces, Hints hints = {});
  /// The packed length of all pieces, joined as above, in one frame. With Packing::quick, planes that are
  /// smaller with Huffman codes alone count as such: later they get frames of their own.
  Result<std::uint64_t> packed_together(const Plan& plan, const Pieces& pieces,
                                        Packing packing = Packing::quick, Hints hints = {});
  /// The packed length of one piece, as with Packing::quick above.
  Result<std::uint64_t> packed_alone(const Plan& plan, std::span<const std::byte> piece, Hints hints = {});
  /// The smaller one of this length and that of a search, if the plan is plain bytes: only a search finds
  /// their short repeats.
  Result<std::uint64_t> searched_too(const Plan& plan, const Pieces& pieces, std::uint64_t quickly_packed);
  /// The substreams of one piece, valid until the next call.
  Result<Substreams> substreams(const Plan& plan, std::span<const std::byte> piece, Hints hints = {});
  /// The packed length of substreams with these planes, packed by this plan.
  Result<std::uint64_t> packed(const FramePlan& plan, std::span<const std::byte> bytes,
                               std::span<const std::size_t> planes);
  /// The packed length of bytes with Huffman codes alone, in zstd's long blocks: samples are joined from many
  /// places, so blocks that end where the bytes change look better in them than they are in chunks.
  Result<std::uint64_t> packed_by_codes(std::span<const std::byte> bytes);
  /// The packed length of each part of a frame, valid as long as this trial. Frames that it knows are not
  /// packed again: the plans of packing that a search compares have many in common.
  Result<std::span<const std::size_t>> packed_parts(std::span<const std::byte> bytes,
                                                    const std::vector<std::size_t>& parts, Packing packing);

 private:
  Result<std::uint64_t> packed_quickly(std::span<const std::byte> bytes, std::span<const std::size_t> planes);
  Result<std::uint64_t> measured_quickly(std::span<const std::byte> bytes,
                                         const std::vector<std::size_t>& parts);
  Result<std::vector<std::size_t>> sizes_of_parts(std::span<const std::byte> bytes,
                                                  std::span<const std::size_t> parts, Packing packing);

  std::uint64_t original_ = 0;  // 0: unknown
  KnownFits fits_;
  KnownSizes* sizes_;
  /// The length of each part of frames that were packed, by the bytes, the packing, and the parts.
  std::map<std::tuple<formats::Digest128, Packing, std::vector<std::size_t>>, std::vector<std::size_t>>
      frames_;
  ColumnEncoder columns_;
  ZstdEncoder zstd_;
  Buffer packed_;
  std::vector<std::vector<std::byte>> planes_;
  Joined joined_;
};

/// What a plan takes in a chunk, with the lengths of its substreams.
std::uint64_t bytes_in_chunk(const Plan& plan);

}  // namespace tdz
