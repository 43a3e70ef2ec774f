// SPDX-License-Identifier: Apache-2.0
#include "codec/chunk/chunk_coder.hpp"

#include <algorithm>

#include "codec/chunk/uniform_frames.hpp"
#include "formats/digest.hpp"
#include "formats/plan/plan_bytes.hpp"

namespace tdz {
namespace {

bool has_digest(std::span<const std::byte> original, std::uint64_t digest) {
  return formats::xxh3_64(original) == digest;
}

/// Then the length of the substreams is that of the chunk. Plain bytes are as short as a chunk can be so.
bool is_never_packed_by_zstd(const Recipe& recipe) {
  if (std::ranges::all_of(recipe.plan.columns, is_packed)) return true;
  return recipe.packing == one_packing(Packing::stored) && !is_copy(recipe.plan);
}

/// The content of a chunk of packed groups that is one frame of raw blocks, as writers make them.
std::optional<uniform::RawContent> raw_packed_groups(const ParsedChunk& chunk,
                                                     std::span<const std::byte> packed,
                                                     std::size_t original_bytes) {
  const auto& record = chunk.record;
  if (!ColumnDecoder::ends_with_packed_bits(chunk.plan, record.substreams, original_bytes))
    return std::nullopt;
  if (record.frames.size() != 1) return std::nullopt;
  return uniform::raw_content(packed.first(record.frames[0].packed), record.frames[0].unpacked);
}

Error wrong_digest() {
  return corrupt("the restored bytes do not match their digest");
}

}  // namespace

ChunkEncoder::ChunkEncoder(int level) : zstd_(level) {}

Status ChunkEncoder::encode(std::span<const std::byte> original, const Recipe& recipe,
                            std::uint32_t frame_bytes, EncodedChunk& out) {
  auto coded = columns_.encode(recipe.plan, recipe.hints, original);
  if (!coded) return encode(original, Recipe{}, frame_bytes, out);  // the substreams are too long
  if (is_never_packed_by_zstd(recipe) && coded->bytes.size() >= original.size())
    return encode(original, Recipe{plain_plan(), {}, one_packing(Packing::stored)}, frame_bytes, out);
  out.record = {};
  out.record.digest = formats::xxh3_64(original);
  out.record.original_bytes = static_cast<std::uint32_t>(original.size());
  out.record.plan = formats::serialize(recipe.plan);
  out.record.substreams = coded->lengths;
  if (recipe.plan.coding == Coding::uniform)
    return encode_uniform(original, recipe, frame_bytes, *coded, out);
  const FramePlan packing = with_stored_groups(recipe.packing, recipe.plan, coded->lengths);
  return pack(coded->bytes, cut_frames(packing, plane_lengths(recipe.plan, coded->lengths), frame_bytes),
              out);
}

Status ChunkEncoder::encode_uniform(std::span<const std::byte> original, const Recipe& recipe,
                                    std::uint32_t frame_bytes, const Substreams& coded, EncodedChunk& out) {
  auto done = uniform::pack(recipe.plan, coded, frame_bytes, zstd_, out);
  if (!done) return done.error();
  if (*done) return ok();
  Recipe usual = recipe;
  usual.plan.coding = Coding::zstd;
  return encode(original, usual, frame_bytes, out);
}

Status ChunkEncoder::pack(std::span<const std::byte> substreams, std::span<const FramePiece> pieces,
                          EncodedChunk& out) {
  std::size_t bound = 0;
  for (const FramePiece& piece : pieces) bound += zstd_bound(piece.parts);
  const auto memory = out.memory.take(bound);
  std::size_t used = 0;
  for (const FramePiece& piece : pieces) {
    auto packed =
        zstd_.encode(substreams.first(piece.bytes), piece.parts, memory.subspan(used), piece.packing);
    if (!packed) return packed.error();
    out.record.frames.push_back(
        {static_cast<std::uint32_t>(*packed), static_cast<std::uint32_t>(piece.bytes)});
    substreams = substreams.subspan(piece.bytes);
    used += *packed;
  }
  out.packed = memory.first(used);
  return ok();
}

Status ChunkDecoder::decode(const ParsedChunk& chunk, std::span<const std::byte> packed,
                            std::span<std::byte> original) {
  const Status done = restore(chunk, packed, original);
  return done && !has_digest(original, chunk.record.digest) ? wrong_digest() : done;
}

Status ChunkDecoder::restore(const ParsedChunk& chunk, std::span<const std::byte> packed,
                             std::span<std::byte> original) {
  if (const auto raw = raw_packed_groups(chunk, packed, original.size()))
    return columns_.decode(chunk.plan, chunk.record.substreams, *raw, original);
  const bool copy = is_copy(chunk.plan);
  const auto substreams =
      copy ? original : substreams_.take(static_cast<std::size_t>(substream_bytes(chunk.record)));
  if (auto done = unpack(chunk, packed, substreams); !done) return done;
  return copy ? ok() : columns_.decode(chunk.plan, chunk.record.substreams, substreams, original);
}

Status ChunkDecoder::unpack(const ParsedChunk& chunk, std::span<const std::byte> packed,
                            std::span<std::byte> substreams) {
  for (const auto& frame : chunk.record.frames) {
    auto done = zstd_.decode(packed.first(frame.packed), substreams.first(frame.unpacked));
    if (!done) return done;
    packed = packed.subspan(frame.packed);
    substreams = substreams.subspan(frame.unpacked);
  }
  return ok();
}

}  // namespace tdz
