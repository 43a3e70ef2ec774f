// SPDX-License-Identifier: Apache-2.0
#include "codec/chunk/chunk_coder.hpp"

#include "formats/digest.hpp"

namespace tdz {
namespace {

bool has_digest(std::span<const std::byte> original, std::uint64_t digest) {
  return formats::xxh3_64(original) == digest;
}

Error wrong_digest() {
  return corrupt("the restored bytes do not match their digest");
}

}  // namespace

ChunkEncoder::ChunkEncoder(Backend& backend, int level) : backend_(backend), zstd_(level) {}

Status ChunkEncoder::encode(std::span<const std::byte> original, const Recipe& recipe,
                            std::uint32_t frame_bytes, EncodedChunk& out) {
  out.digest = formats::xxh3_64(original);
  auto residuals = transformed(original, recipe.transform);
  if (!residuals) return residuals.error();
  return pack(*residuals, cut_frames(recipe, original.size(), frame_bytes), out);
}

Result<std::span<const std::byte>> ChunkEncoder::transformed(std::span<const std::byte> original,
                                                             const Transform& transform) {
  if (transform.steps().empty()) return original;
  const TransformJob job{&transform, original, residuals_.take(original.size()),
                         scratch_.take(scratch_bytes(transform, original.size()))};
  if (auto done = backend_.forward(job); !done) return done.error();
  return std::span<const std::byte>(job.out);
}

Status ChunkEncoder::pack(std::span<const std::byte> residuals, std::span<const FramePiece> pieces,
                          EncodedChunk& out) {
  std::size_t bound = 0;
  for (const FramePiece& piece : pieces) bound += zstd_bound(piece.parts);
  const auto memory = out.memory.take(bound);
  std::size_t used = 0;
  out.frames.clear();
  for (const FramePiece& piece : pieces) {
    auto packed =
        zstd_.encode(residuals.first(piece.bytes), piece.parts, memory.subspan(used), piece.packing);
    if (!packed) return packed.error();
    out.frames.push_back({static_cast<std::uint32_t>(*packed), static_cast<std::uint32_t>(piece.bytes)});
    residuals = residuals.subspan(piece.bytes);
    used += *packed;
  }
  out.packed = memory.first(used);
  return ok();
}

ChunkDecoder::ChunkDecoder(Backend& backend, FrameChecksum checksum) : backend_(backend), zstd_(checksum) {}

Status ChunkDecoder::decode(const formats::ChunkRecord& record, std::span<const std::byte> packed,
                            std::span<std::byte> original) {
  const Transform& transform = record.transform;
  const bool plain = transform.steps().empty();
  const auto residuals = plain ? original : residuals_.take(original.size());
  if (auto done = unpack(record, packed, residuals); !done) return done;
  if (plain) return has_digest(original, record.digest) ? ok() : wrong_digest();
  const auto scratch = scratch_.take(scratch_bytes(transform, original.size()));
  return restore({&transform, residuals, original, scratch}, record.digest);
}

/// After a wrong digest, a second backend shows whether the file or the first backend is wrong.
Status ChunkDecoder::restore(const TransformJob& job, std::uint64_t digest) {
  if (auto done = backend_.inverse(job); !done) return done;
  if (has_digest(job.out, digest)) return ok();
  Backend* other = backend_.second_opinion();
  if (other == nullptr) return wrong_digest();
  if (auto done = other->inverse(job); !done) return done;
  if (!has_digest(job.out, digest)) return wrong_digest();
  backend_.distrust("it restored a chunk that does not match its digest");
  return ok();
}

Status ChunkDecoder::unpack(const formats::ChunkRecord& record, std::span<const std::byte> packed,
                            std::span<std::byte> residuals) {
  for (const auto& frame : record.frames) {
    auto done = zstd_.decode(packed.first(frame.packed), residuals.first(frame.unpacked));
    if (!done) return done;
    packed = packed.subspan(frame.packed);
    residuals = residuals.subspan(frame.unpacked);
  }
  return ok();
}

}  // namespace tdz
