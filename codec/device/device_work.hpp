// SPDX-License-Identifier: Apache-2.0
// What DeviceDecoder does, over any store of chunks and any device.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "codec/chunk/buffer.hpp"
#include "codec/device/chunk_store.hpp"
#include "codec/device/decode_layout.hpp"
#include "codec/device/host_side.hpp"
#include "kernels/cuda/host/device_queue.hpp"
#include "tdz/device_decoder.hpp"

namespace tdz {

/// Used by one thread. The calls are those of DeviceDecoder, and may throw std::bad_alloc.
class DeviceWork {
 public:
  DeviceWork(std::unique_ptr<cuda::DeviceQueue> queue, const DeviceDecoderOptions& options);

  void take_stream(RandomAccess& file);
  void take_stream(std::span<const std::byte> stored);
  void take_stream_on_device(const std::byte* stored, std::uint64_t bytes);
  void take_blocks(std::span<const std::span<const std::byte>> blocks);
  void take_blocks_on_device(const std::byte* stored, std::span<const PackedBlock> blocks);

  Result<DeviceSizes> select(const std::optional<Range>& range);
  Status load();
  Status decode(std::byte* values, void* scratch, CUstream_st* stream);
  Status finish();
  std::uint64_t refused_chunks() const { return refused_; }

 private:
  enum class State : std::uint8_t { opened, selected, loaded, decoding };

  StoreOptions store_options() const;
  DeviceSizes sizes() const;
  Status check_pinned() const;
  void write_tables();
  Status load_device_chunks();
  Status load_packed();
  Result<std::span<const std::byte>> ordinary_frames(const DeviceChunk& chunk, Buffer& memory);
  void fill_side(const DeviceChunk& chunk, std::size_t number, std::span<const std::byte> packed,
                 HostSide& host);
  Status load_cpu_chunks();
  Status settle(std::span<const std::size_t> refused);
  std::span<std::byte> image_at(std::uint64_t at, std::uint64_t bytes) const;
  const SelectedChunk& selected(std::size_t index) const { return selection_.chunks[index]; }

  DeviceDecoderOptions options_;
  unsigned threads_;
  std::unique_ptr<cuda::DeviceQueue> queue_;
  std::unique_ptr<RandomAccess> memory_;  ///< a store of its own, or null
  std::unique_ptr<ChunkStore> store_;
  const std::byte* on_device_ = nullptr;  ///< the store's bytes

  State state_ = State::opened;
  Selection selection_;
  DecodeLayout layout_;
  std::span<std::byte> image_;
  std::vector<std::optional<Error>> errors_;  ///< of each selected chunk that the CPU decoded
  std::byte* values_ = nullptr;               ///< of the last decode()
  std::uint64_t refused_ = 0;
};

}  // namespace tdz
