// SPDX-License-Identifier: Apache-2.0
// Compresses a whole file with a device: batches of chunks, several at a time. Until the device has started,
// and if it fails, the CPU encodes; so it does with what is not for a device.
#pragma once

#include <cstddef>
#include <cstdint>
#include <deque>
#include <functional>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "codec/chunk/chunk_coder.hpp"
#include "codec/device/encode_work.hpp"
#include "codec/device_choice.hpp"
#include "codec/search/prepare.hpp"
#include "codec/search/stored_size.hpp"
#include "kernels/cuda/host/decode_queue.hpp"

namespace tdz {

// ---- A batch: batch_encoder.cpp

/// Makes a queue on the current device.
using MakeEncodeQueue = std::function<Result<std::unique_ptr<cuda::EncodeQueue>>()>;

/// A chunk of a batch.
struct BatchChunk {
  std::uint64_t at = 0;  ///< in the file
  std::uint32_t bytes = 0;
  bool raw = false;  ///< these bytes are no rows
  // By encode(), until the next batch.
  std::span<std::byte> original;
  const Recipe* recipe = nullptr;
  std::uint64_t digest = 0;  ///< of the original; only of what a device encodes
  bool done = false;
  EncodedChunk encoded;
};

/// The most bytes of a batch.
struct BatchRoom {
  std::size_t original = 0;
  std::size_t packed = 0;  ///< with room that the device leaves between chunks
  std::size_t device = 0;  ///< of device memory
};
/// For batches of about `batch` bytes. Error unsupported: a device can do none of the recipes, or a chunk is
/// longer.
Result<BatchRoom> room_on_device(const Prepared& prepared, std::uint64_t batch);

/// Used by one thread at a time, whichever; keeps its memory.
class BatchEncoder {
 public:
  /// The file allows parallel reads. All live longer than the encoder. Throws std::bad_alloc.
  BatchEncoder(RandomAccess& file, const Prepared& prepared, const BatchRoom& room, DeviceRecord& record,
               unsigned threads);

  bool has_device() const { return queue_ != nullptr; }
  void take_device(std::unique_ptr<cuda::DecodeQueue> queue, const MakeEncodeQueue& make);

  /// Reads and encodes all chunks. Errors: those of the file and of encoding on the CPU. Throws
  /// std::bad_alloc.
  Status encode(std::span<BatchChunk> chunks);

 private:
  using Numbers = std::vector<std::size_t>;

  template <class Work>
  Status for_each(const Work& work);
  bool is_usable(const Status& done);
  Status start_device();
  void place_originals(bool with_device);
  Status read(BatchChunk& chunk, SettledEncoder& encoder, bool with_device);
  void encode_on_device(const Recipe& recipe);
  Status put_on_device(const Numbers& numbers, const DeviceEncoderSizes& sizes);
  Status compare_digests(const Numbers& numbers, std::span<const EncodeWork::EncodedByDevice> made) const;

  RandomAccess& file_;
  const Prepared& prepared_;
  const BatchRoom room_;
  DeviceRecord& record_;
  std::deque<SettledEncoder> encoders_;  // a deque because encoders cannot be moved
  Buffer memory_;
  // With a device.
  std::unique_ptr<cuda::DecodeQueue> queue_;
  MakeEncodeQueue make_;
  std::unique_ptr<EncodeWork> work_;

  // Of the batch.
  std::span<BatchChunk> chunks_;
  std::span<std::byte> pinned_;  ///< originals
  std::span<std::byte> packed_;  ///< pinned too: what is left
  std::byte* on_device_ = nullptr;
};

// ---- A file

/// How a call of compress() uses devices.
struct CompressingUse {
  RandomAccess* file = nullptr;
  std::uint64_t bytes = 0;  ///< of the file, at the start
  BatchRoom room;
  unsigned batches = 1;  ///< at the same time, on all devices together
  unsigned threads = 1;  ///< for each of them
  std::string reason = "as asked for";
};
/// The batches that are at work at the same time.
unsigned compressing_batches(const CompressOptions& options);
/// Their slots, each with a queue: one more waits to be written. A single batch is written before the next
/// one is read.
constexpr std::size_t slots_of(unsigned batches) {
  return batches == 1 ? 1 : batches + 1;
}
/// Whether devices may encode this input, as far as is known before it is read. Error unsupported: the CPU
/// encodes all; it says why.
Status check_input(Source& from, const CompressOptions& options);
/// The same errors.
Result<CompressingUse> compressing_use(Source& from, const Prepared& prepared);

/// As compress(). Nothing is written before a device is there; if none comes, that is the error. Throws
/// std::bad_alloc, and std::system_error if there is no thread for it.
Result<Totals> compress_on_device(const CompressingUse& use, Sink& to, const Prepared& prepared,
                                  DeviceStart& start, const MakeEncodeQueue& make);

/// The same, except that `by_cpu(why)` compresses if no device starts.
Result<Totals> compress_if_one_starts(const CompressingUse& use, Sink& to, const Prepared& prepared,
                                      DeviceStart& start, const MakeEncodeQueue& make,
                                      const std::function<Result<Totals>(const std::string& why)>& by_cpu);

}  // namespace tdz
