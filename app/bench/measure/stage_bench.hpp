// SPDX-License-Identifier: Apache-2.0
// The stages of the codec, each alone over all chunks of some numbers. The caller runs them in the order of
// their declarations.
#pragma once

#include <memory>
#include <optional>
#include <vector>

#include "app/bench/measure/codec_bench.hpp"
#include "app/bench/measure/packed_chunks.hpp"
#include "app/bench/measure/timing.hpp"
#include "codec/chunk/zstd_coder.hpp"
#include "kernels/buffer.hpp"
#include "kernels/cuda/meter/meter.hpp"

namespace tdz::app::bench {

class StageBench {
 public:
  /// Errors: unsupported (no such backend), limit.
  static Result<std::unique_ptr<StageBench>> open(const CodecWork& work);

  Status digest();
  Status difference();
  Status pack();
  Status unpack();
  Status integrate();

  /// What is wrong with the result of that stage; empty: nothing.
  std::string check_digest() const;
  std::string check_difference();
  std::string check_packed();
  std::string check_residuals() const;
  std::string check_values() const;
  /// Overwrites the output of the next stage with wrong bytes.
  void spoil_residuals() { groups_ ? groups_->forget() : residuals_.poison(); }
  void spoil_unpacked() { unpacked_.poison(); }
  void spoil_values() { restored_.poison(); }

  std::uint64_t packed_bytes() const { return packed_bytes_; }

 private:
  explicit StageBench(const CodecWork& work);

  /// A frame: the place of its residuals, and the place of its packed bytes. With packed groups a chunk is a
  /// frame, whose `bytes` are known when difference() has run.
  struct Frame {
    std::size_t begin, bytes;
    std::vector<std::size_t> parts;
    Packing packing;
    std::size_t packed_at, packed_room, packed_bytes;
  };

  void cut();
  void cut_groups();
  Status pack_groups();
  Status unpack_groups();
  std::span<const std::byte> residuals_of(const Frame& frame) const;
  std::span<const std::byte> chunk(std::size_t begin) const;
  std::span<const std::byte> residuals() const { return coding_does_nothing_ ? data_ : residuals_.span(); }
  template <class Do>
  Status for_each_chunk(const Do& work);
  Status run(bool integrate, std::span<const std::byte> in, std::span<std::byte> out);

  std::span<const std::byte> data_;
  Column column_;
  bool coding_does_nothing_;
  std::size_t chunk_bytes_;
  std::unique_ptr<cuda::Meter> device_;  ///< null: the CPU computes differences, and integrates
  ZstdEncoder encoder_;
  ZstdDecoder decoder_;
  std::optional<PackedChunks> groups_;  ///< in place of residuals_
  PageBytes residuals_, unpacked_, restored_;
  std::vector<std::byte> packed_;
  Buffer scratch_;
  std::vector<Frame> frames_;
  std::uint64_t packed_bytes_ = 0;
  std::uint64_t digest_ = 0, expected_digest_ = 0;
  std::optional<std::uint64_t> residuals_digest_, packed_digest_;  ///< of the first run
};

}  // namespace tdz::app::bench
