// SPDX-License-Identifier: Apache-2.0
// Decodes whole chunks of a file in batches: on a device if there is one, else on the CPU. The CPU also
// decodes what is not for a device, what a device refuses, and all of a batch in which the device fails.
#pragma once

#include <atomic>
#include <cstdint>
#include <deque>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "codec/chunk/chunk_coder.hpp"
#include "codec/device/decode_work.hpp"
#include "codec/device_choice.hpp"
#include "codec/stream/stream_reader.hpp"

namespace tdz {

/// For one batch at a time.
struct BatchLimits {
  unsigned threads = 1;
  std::uint64_t memory = ~std::uint64_t{0};         ///< of the host
  std::uint64_t device_memory = ~std::uint64_t{0};  ///< of the device
};

/// Used by one thread; keeps its memory.
class BatchDecoder {
 public:
  /// Takes a good chunk, by its number in the batch. Called by several threads at once.
  using Deliver = std::function<Status(std::size_t number, std::span<const std::byte> original)>;

  /// Both live longer than the decoder. The file allows parallel reads. Throws std::bad_alloc.
  BatchDecoder(RandomAccess& file, DeviceRecord& device, const BatchLimits& limits);

  bool has_device() const { return work_ != nullptr; }
  void take_device(std::unique_ptr<cuda::DecodeQueue> queue);

  /// Decodes all chunks; their frames were left in the file. Without `deliver` nobody wants the bytes.
  /// Returns for each chunk what is wrong with it: errors of the file, of decoding, and of `deliver`. Throws
  /// std::bad_alloc.
  std::span<const std::optional<Error>> decode(std::span<const StoredChunk* const> chunks, Deliver deliver);

 private:
  using Numbers = std::vector<std::size_t>;

  bool start(const Numbers& numbers);
  Status put_on_device(const DeviceSizes& sizes);
  bool is_usable(const Status& done);
  bool finish(const Numbers& numbers);
  void deliver_all(const Numbers& numbers);
  void on_cpu(const Numbers& numbers);
  Status decode_one(const StoredChunk& chunk, std::size_t number, unsigned worker);
  unsigned cpu_threads(const Numbers& numbers) const;

  /// What one thread needs.
  struct Worker {
    ChunkDecoder decoder;
    Buffer packed, original;
  };

  RandomAccess& file_;
  DeviceRecord& record_;
  BatchLimits limits_;
  std::unique_ptr<DecodeWork> work_;
  std::deque<Worker> workers_;  // a deque because decoders cannot be moved

  // Of the batch.
  std::span<const StoredChunk* const> chunks_;
  Deliver deliver_;
  std::atomic<bool> file_failed_ = false;
  std::vector<std::optional<Error>> errors_;
};

}  // namespace tdz
