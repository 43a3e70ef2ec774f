// SPDX-License-Identifier: Apache-2.0
#include "codec/search/trial.hpp"

#include <algorithm>
#include <array>
#include <numeric>

#include "codec/chunk/block_ends.hpp"
#include "codec/search/limits.hpp"
#include "codec/stream/options.hpp"
#include "formats/plan/plan_bytes.hpp"
#include "formats/plan/substreams.hpp"
#include "kernels/steps/bits.hpp"

namespace tdz {

Trial::Trial(int level, KnownSizes* sizes)
    : sizes_(sizes), columns_(&fits_), zstd_(level, FrameUse::measured) {}

Result<const Joined*> Trial::joined(const Plan& plan, const Pieces& pieces, Hints hints) {
  for (auto& plane : planes_) plane.clear();
  std::size_t count = 0;
  for (const auto piece : pieces) {
    auto coded = substreams(plan, piece, hints);
    if (!coded) return coded.error();
    const auto lengths = plane_lengths(plan, coded->lengths);
    count = std::max(count, lengths.size());
    planes_.resize(std::max(planes_.size(), count));
    auto from = coded->bytes.begin();
    for (std::size_t p = 0; p < lengths.size(); ++p) {
      const auto end = from + static_cast<std::ptrdiff_t>(lengths[p]);
      planes_[p].insert(planes_[p].end(), from, end);
      from = end;
    }
  }
  joined_.bytes.clear();
  joined_.planes.clear();
  for (std::size_t p = 0; p < count; ++p) {
    joined_.bytes.insert(joined_.bytes.end(), planes_[p].begin(), planes_[p].end());
    joined_.planes.push_back(planes_[p].size());
  }
  return &joined_;
}

Result<std::uint64_t> Trial::packed_together(const Plan& plan, const Pieces& pieces, Packing packing,
                                             Hints hints) {
  auto all = joined(plan, pieces, hints);
  if (!all) return all.error();
  if (packing == Packing::quick) return packed_quickly((*all)->bytes, (*all)->planes);
  return packed(one_packing(packing), (*all)->bytes, (*all)->planes);
}

Result<std::uint64_t> Trial::packed_alone(const Plan& plan, std::span<const std::byte> piece, Hints hints) {
  auto coded = substreams(plan, piece, hints);
  if (!coded) return coded.error();
  return packed_quickly(coded->bytes, plane_lengths(plan, coded->lengths));
}

std::uint64_t bytes_in_chunk(const Plan& plan) {
  std::uint64_t substreams = 0;
  for (const Column& column : plan.columns) substreams += formats::substream_count(column);
  return formats::plan_bytes(plan) + substreams * sizeof(std::uint32_t);
}

/// Each chunk has a record. The plan stands there and, once, in the index.
std::uint64_t Trial::share_of_records(const Plan& plan, const Pieces& pieces) const {
  constexpr std::uint64_t kRecord = 128;  // without the plan
  if (original_ == 0) return 0;
  std::uint64_t bytes = 0;
  for (const auto piece : pieces) bytes += piece.size();
  bytes = std::min(bytes, original_);
  const std::uint64_t chunk =
      std::min<std::uint64_t>(original_, has_no_steps(plan) ? kChunkWithoutNumbers : kUsualChunk);
  return (kRecord + bytes_in_chunk(plan)) * bytes / chunk + formats::plan_bytes(plan) * bytes / original_;
}

namespace {

/// In a part of few different bytes without order, zstd -1 takes chance repeats, which cost more than Huffman
/// codes alone. A part that packs to less than 1/12 has real repeats; one that packs to more than 2/5 has no
/// chance repeats. A part below kShort gets no frame of its own.
bool may_have_chance_repeats(std::size_t bytes, std::size_t packed) {
  constexpr std::size_t kShort = 16384;
  return bytes >= kShort && packed * 12 > bytes && packed * 5 < bytes * 2;
}

constexpr std::size_t kStretch = 128, kApart = 1000;  // an eighth of the bytes shows what they cost
// 10 %: so far is what an eighth shows from what all show, at most.
constexpr std::uint64_t kHopelessEntropy = 10;

/// The entropy of a block's bytes, in bytes, about.
std::uint64_t entropy_of(std::span<const std::byte> block) {
  std::array<std::uint32_t, 256> counts{};
  std::uint64_t all = 0;
  for (; !block.empty(); block = block.subspan(std::min(kApart, block.size()))) {
    const auto stretch = block.first(std::min(kStretch, block.size()));
    for (const std::byte byte : stretch) ++counts[std::to_integer<std::size_t>(byte)];
    all += stretch.size();
  }
  BitsTimes256 bits = all * log2_of(all);
  for (const std::uint32_t n : counts) bits -= n == 0 ? 0 : n * log2_of(n);
  return bits / kBit / 8 * kApart / kStretch;
}

/// Huffman codes alone can hardly make it smaller than it is packed: its entropy is larger.
bool has_no_chance(std::span<const std::byte> part, std::size_t packed) {
  std::uint64_t entropy = 0;
  for (; !part.empty(); part = part.subspan(std::min(kLongestBlock, part.size())))
    entropy += entropy_of(part.first(std::min(kLongestBlock, part.size())));  // each has a code of its own
  return clearly_smaller(packed, entropy, kHopelessEntropy);
}

}  // namespace

Result<std::vector<std::size_t>> Trial::sizes_of_parts(std::span<const std::byte> bytes,
                                                       std::span<const std::size_t> parts, Packing packing) {
  std::vector<std::size_t> sizes(parts.size());
  auto all = zstd_.encode(bytes, parts, packed_.take(zstd_bound(parts)), packing, sizes);
  if (!all) return all.error();
  std::adjacent_difference(sizes.begin(), sizes.end(), sizes.begin());
  return sizes;
}

Result<std::span<const std::size_t>> Trial::packed_parts(std::span<const std::byte> bytes,
                                                         const std::vector<std::size_t>& parts,
                                                         Packing packing) {
  const std::tuple key(formats::xxh3_128(bytes), packing, parts);
  auto known = frames_.find(key);
  if (known == frames_.end()) {
    auto sizes = sizes_of_parts(bytes, parts, packing);
    if (!sizes) return sizes.error();
    known = frames_.emplace(key, *std::move(sizes)).first;
  }
  return std::span<const std::size_t>(known->second);
}

Result<std::uint64_t> Trial::packed_quickly(std::span<const std::byte> bytes,
                                            std::span<const std::size_t> planes) {
  const auto parts = without_short_parts(planes);
  if (sizes_ == nullptr) return measured_quickly(bytes, parts);
  const std::pair key(formats::xxh3_128(bytes), parts);
  if (const auto known = sizes_->find(key); known != sizes_->end()) return known->second;
  auto size = measured_quickly(bytes, parts);
  if (size) sizes_->emplace(key, *size);
  return size;
}

Result<std::uint64_t> Trial::measured_quickly(std::span<const std::byte> bytes,
                                              const std::vector<std::size_t>& parts) {
  auto sizes = sizes_of_parts(bytes, parts, Packing::quick);
  if (!sizes) return sizes.error();
  std::uint64_t sum = std::accumulate(sizes->begin(), sizes->end(), std::uint64_t{0});
  for (std::size_t p = 0; p < parts.size(); bytes = bytes.subspan(parts[p++])) {
    const std::size_t packed = (*sizes)[p];
    if (!may_have_chance_repeats(parts[p], packed)) continue;
    if (has_no_chance(bytes.first(parts[p]), packed)) continue;
    auto size = packed_by_codes(bytes.first(parts[p]));
    if (!size) return size.error();
    sum -= packed - std::min<std::uint64_t>(*size, packed);
  }
  return sum;
}

Result<std::uint64_t> Trial::packed_by_codes(std::span<const std::byte> bytes) {
  const auto size = zstd_.encode(bytes, packed_.take(zstd_bound(bytes.size())), Packing::entropy);
  if (!size) return size.error();
  return std::uint64_t{*size};
}

Result<std::uint64_t> Trial::searched_too(const Plan& plan, const Pieces& pieces,
                                          std::uint64_t quickly_packed) {
  if (!has_no_steps(plan)) return quickly_packed;
  auto searched = packed_together(plan, pieces, Packing::search);
  return searched ? std::min(quickly_packed, *searched) : searched;
}

Result<Substreams> Trial::substreams(const Plan& plan, std::span<const std::byte> piece, Hints hints) {
  return columns_.encode(plan, hints, piece);
}

Result<std::uint64_t> Trial::packed(const FramePlan& plan, std::span<const std::byte> bytes,
                                    std::span<const std::size_t> planes) {
  std::uint64_t sum = 0;
  for (const FramePiece& frame : cut_frames(plan, planes, std::max<std::size_t>(bytes.size(), 1))) {
    auto size = zstd_.encode(bytes.first(frame.bytes), frame.parts, packed_.take(zstd_bound(frame.parts)),
                             frame.packing);
    if (!size) return size.error();
    sum += *size;
    bytes = bytes.subspan(frame.bytes);
  }
  return sum;
}

}  // namespace tdz
