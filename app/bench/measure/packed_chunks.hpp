// SPDX-License-Identifier: Apache-2.0
// Chunks of numbers to packed groups, and back: the CPU's kernels of this layout. The kernels of other
// layouts give as many bytes as there are numbers, and each has its place. Packed groups give what the
// numbers need, in four substreams.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "app/bench/results.hpp"
#include "formats/error.hpp"
#include "kernels/steps/column_decoder.hpp"
#include "kernels/steps/column_encoder.hpp"

namespace tdz::app::bench {

/// The most memory that PackedChunks take, in lengths of the numbers: the groups, and words between two
/// steps.
inline constexpr std::uint64_t kPackedMemory = 3;

class PackedChunks {
 public:
  /// Of numbers of `bytes` bytes, as column_of(coding) packs them. Precondition: coding.packed.
  PackedChunks(const Coding& coding, std::size_t bytes, std::size_t chunk_bytes);

  std::size_t count() const { return chunks_.size(); }
  /// The most bytes that a chunk takes.
  std::size_t most() const;
  /// The groups of a chunk; empty, if they were forgotten.
  std::span<const std::byte> groups(std::size_t chunk) const { return chunks_[chunk].bytes; }

  /// Packs all chunks. Their groups stay where the kernels wrote them.
  Status pack(std::span<const std::byte> numbers);
  /// Restores a chunk from a copy of its groups, or from groups(). Error corrupt: the kernels do not take
  /// what they wrote.
  Status unpack(std::size_t chunk, std::span<const std::byte> groups, std::span<std::byte> numbers);
  /// All chunks from groups().
  Status unpack(std::span<std::byte> numbers);
  /// Then a chunk that is not packed anew is found.
  void forget();

 private:
  template <class Bytes>
  Bytes part(Bytes numbers, std::size_t chunk) const;

  Plan plan_;
  std::size_t bytes_, chunk_bytes_;
  std::vector<ColumnEncoder> encoders_;  ///< one for each chunk, whose groups it holds
  std::vector<Substreams> chunks_;
  ColumnDecoder decoder_;
};

}  // namespace tdz::app::bench
