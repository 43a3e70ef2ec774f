// SPDX-License-Identifier: Apache-2.0
// What DeviceDecoder does, over any store of chunks and any device.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "codec/device/chunk_store.hpp"
#include "codec/device/decode_layout.hpp"
#include "kernels/buffer.hpp"
#include "kernels/cuda/host/decode_queue.hpp"
#include "tdz/device_decoder.hpp"

namespace tdz {

class HostSide;
struct PackedFrames;

/// Used by one thread. The calls are those of DeviceDecoder, and may throw std::bad_alloc.
class DecodeWork {
 public:
  DecodeWork(std::unique_ptr<cuda::DecodeQueue> queue, const DeviceDecoderOptions& options);

  void take_stream(RandomAccess& file);
  void take_stream(std::span<const std::byte> stored);
  void take_stream_on_device(const std::byte* stored, std::uint64_t bytes);
  void take_blocks(std::span<const std::span<const std::byte>> blocks);
  void take_blocks_on_device(const std::byte* stored, std::span<const PackedBlock> blocks);
  void take_store(std::unique_ptr<ChunkStore> store) { store_ = std::move(store); }
  /// Whether load() also takes pinned memory for all values, and finish() copies them there. Before select().
  void bring_values_back(bool wanted) { brings_back_ = wanted; }
  /// Whether load() sends packed bytes to the scratch, through pieces of pinned memory; then they need no
  /// place in the image. Before select(). Several threads have to be allowed to read the store.
  void load_in_pieces(bool wanted) { in_pieces_ = wanted; }
  /// Of pinned memory.
  std::uint64_t bytes_of_pieces() const { return in_pieces_ ? cuda::pieces_bytes(threads_) : 0; }
  /// The queue. Others may use it except between decode() and finish().
  cuda::DecodeQueue& queue() { return *queue_; }

  Result<DeviceSizes> select(const std::optional<Range>& range);
  /// `scratch` is needed for pieces alone: that of decode().
  Status load(std::byte* scratch = nullptr);
  Status decode(std::byte* values, void* scratch, CUstream_st* stream);
  Status finish();
  /// As finish(), except that what is wrong with chunks stands in errors() alone.
  Status judge();
  std::uint64_t refused_chunks() const { return refused_; }
  /// How many chunks the CPU decoded when they were loaded.
  std::uint64_t cpu_chunks() const { return layout_.cpu.size(); }
  /// Of the last finish(): how many chunks are good, but the device restored other bytes.
  std::uint64_t wrong_chunks() const { return wrong_; }
  /// Of the last finish(), one for each selected chunk. They name no chunk.
  std::span<const std::optional<Error>> errors() const { return errors_; }
  /// What finish() copied back.
  std::span<const std::byte> values() const { return brought_back_; }

 private:
  enum class State : std::uint8_t { opened, selected, loaded, decoding };

  StoreOptions store_options() const;
  StoreOptions own_file_on_device(const std::byte* stored, std::uint64_t bytes);
  DeviceSizes sizes() const;
  Status check_pinned() const;
  std::uint64_t pinned_bytes() const;
  void write_tables();
  Status load_device_chunks(std::byte* scratch);
  const std::byte* direct() const;
  bool has_image_of_packed() const;
  Status load_packed();
  Status send_packed(std::byte* to);
  Status send_piece(unsigned worker, std::uint64_t begin, std::byte* to);
  Status load_sides();
  Status load_sides_from_device(std::span<const std::size_t> wanted, std::span<HostSide> sides);
  Result<PackedFrames> frames_of(const DecodeOnDevice& chunk, Buffer& memory);
  void fill_side(std::size_t number, const PackedFrames& packed, HostSide& host);
  template <class Room, class Take>
  Status decode_on_cpu(std::span<const std::size_t> indexes, const Room& room, const Take& take);
  Status load_cpu_chunks();
  Status settle(std::span<const std::size_t> refused);
  std::uint32_t status_of(std::size_t device_chunk) const;
  std::span<std::byte> image_at(std::uint64_t at, std::uint64_t bytes) const;
  const SelectedChunk& selected(std::size_t index) const { return selection_.chunks[index]; }

  DeviceDecoderOptions options_;
  unsigned threads_;
  std::unique_ptr<cuda::DecodeQueue> queue_;
  std::unique_ptr<RandomAccess> owned_file_;  ///< the file of the store, if it is bytes in memory; or null
  std::unique_ptr<ChunkStore> store_;
  const std::byte* on_device_ = nullptr;  ///< the stored bytes in device memory
  std::span<const std::byte> stored_;     ///< the stored bytes in the caller's host memory

  State state_ = State::opened;
  Selection selection_;
  DecodeLayout layout_;
  std::span<std::byte> image_;
  std::vector<std::optional<Error>> errors_;  ///< of each selected chunk that the CPU decoded
  std::byte* values_ = nullptr;               ///< of the last decode()
  std::uint64_t refused_ = 0, wrong_ = 0;
  bool brings_back_ = false, in_pieces_ = false;
  std::span<std::byte> brought_back_;
};

}  // namespace tdz
