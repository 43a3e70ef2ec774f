// SPDX-License-Identifier: Apache-2.0
// What DeviceEncoder does, over any device.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "codec/device/encode_layout.hpp"
#include "formats/stream/stream_state.hpp"
#include "kernels/buffer.hpp"
#include "kernels/cuda/host/encode_queue.hpp"
#include "tdz/device_encoder.hpp"

namespace tdz {

/// What a caller of DeviceEncoder asks for, judged.
Result<EncodeRequest> request_of_blocks(const Plan& plan, std::span<const std::uint32_t> lengths,
                                        const DeviceEncoderOptions& options);
Result<EncodeRequest> request_of_stream(std::uint64_t bytes, const DeviceStreamOptions& stream,
                                        const DeviceEncoderOptions& options);

/// Used by one thread. The calls are those of DeviceEncoder, and may throw std::bad_alloc.
class EncodeWork {
 public:
  /// A chunk of the device, with what it left.
  struct EncodedByDevice {
    std::size_t index = 0;  ///< of all chunks
    formats::ChunkRecord record;
    std::uint64_t record_at = 0;  ///< in the output: the room for the record, then the frames
    std::uint64_t record_bytes = 0, packed_bytes = 0;
  };

  EncodeWork(std::unique_ptr<cuda::EncodeQueue> queue, EncodeRequest request, unsigned threads);

  /// For other chunks: prepare() follows.
  void take_request(EncodeRequest request);
  DeviceEncoderSizes sizes() const;
  Status prepare();
  Status encode(const std::byte* values, std::byte* packed, void* scratch, CUstream_st* stream);
  Result<DeviceEncoded> finish();
  /// As finish(), for lone blocks; but the records stay in `EncodedByDevice`, and chunks of the CPU are left
  /// to the caller.
  Result<std::vector<EncodedByDevice>> finish_chunks();

 private:
  enum class State : std::uint8_t { opened, prepared, encoding };

  void write_tables();
  template <class T>
  std::span<const T> result(std::uint64_t at, std::size_t count) const;
  unsigned helpers(std::size_t entries) const;

  cuda::frames::EncodedTables encoded() const;
  Result<std::vector<EncodedByDevice>> read_results() const;
  Status fetch_frames(std::span<const EncodedByDevice> all);
  Status put_records(std::span<EncodedByDevice> all);
  Status complete(std::size_t number, EncodedByDevice& made) const;
  Status write_record(std::size_t number, EncodedByDevice& made, std::byte* to) const;
  Status put(std::uint64_t at, std::span<const std::byte> bytes);
  Status copy_original(std::size_t chunk, Buffer& memory, std::span<std::byte>& original);

  Status finish_all(DeviceEncoded& out);
  Result<std::vector<EncodedByDevice>> take_chunks();
  Status finish_blocks(std::span<EncodedByDevice> made, DeviceEncoded& out);
  Status encode_blocks(std::span<const std::size_t> chunks, std::span<const std::uint64_t> places,
                       DeviceEncoded& out);
  Status finish_stream(std::span<EncodedByDevice> made, DeviceEncoded& out);
  Status close_part(formats::StreamState& state, bool last);
  Status encode_rest(formats::StreamState& state);

  EncodeRequest request_;
  unsigned threads_;
  std::unique_ptr<cuda::EncodeQueue> queue_;
  EncodeLayout layout_;
  State state_ = State::opened;
  std::span<std::byte> image_;
  // Of the last encode().
  cuda::EncodeMemory memory_;
  std::byte* packed_ = nullptr;  ///< the caller's
};

}  // namespace tdz
