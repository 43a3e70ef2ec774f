// SPDX-License-Identifier: Apache-2.0
#include "codec/search/trial.hpp"

#include "codec/frame_plan.hpp"

namespace tdz {

Trial::Trial(Backend& backend, int level) : backend_(backend), zstd_(level) {}

Result<std::uint64_t> Trial::packed_together(const Transform& transform, const Samples& samples) {
  for (auto& plane : planes_) plane.clear();
  for (const auto piece : samples.pieces) {
    auto bytes = transformed(transform, piece);
    if (!bytes) return bytes.error();
    const auto lengths = plane_lengths(transform, piece.size());
    if (planes_.size() < lengths.size()) planes_.resize(lengths.size());
    auto from = bytes->begin();
    for (std::size_t p = 0; p < lengths.size(); ++p) {
      const auto end = from + static_cast<std::ptrdiff_t>(lengths[p]);
      planes_[p].insert(planes_[p].end(), from, end);
      from = end;
    }
  }
  std::uint64_t sum = 0;
  for (const auto& plane : planes_) {
    if (plane.empty()) continue;
    auto size = packed_bytes(plane, Packing::quick);
    if (!size) return size.error();
    sum += *size;
  }
  return sum;
}

Result<std::uint64_t> Trial::packed_alone(const Transform& transform, std::span<const std::byte> piece) {
  auto bytes = transformed(transform, piece);
  if (!bytes) return bytes.error();
  auto size = packed_bytes(*bytes, Packing::quick);
  if (!size) return size.error();
  return std::uint64_t{*size};
}

Result<std::span<const std::byte>> Trial::transformed(const Transform& transform,
                                                      std::span<const std::byte> piece) {
  if (transform.steps().empty()) return piece;
  const TransformJob job{&transform, piece, residuals_.take(piece.size()),
                         scratch_.take(scratch_bytes(transform, piece.size()))};
  if (auto done = backend_.forward({&job, 1}); !done) return done.error();
  return std::span<const std::byte>(job.out);
}

Result<std::size_t> Trial::packed_bytes(std::span<const std::byte> bytes, Packing packing) {
  return zstd_.encode(bytes, packed_.take(zstd_bound(bytes.size())), packing);
}

}  // namespace tdz
