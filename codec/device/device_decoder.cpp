// SPDX-License-Identifier: Apache-2.0
#include "tdz/device_decoder.hpp"

#include <utility>

#include "codec/device/device_work.hpp"
#include "codec/stream/pipeline.hpp"

namespace tdz {
namespace {

}  // namespace

class DeviceDecoder::Work : public DeviceWork {
 public:
  using DeviceWork::DeviceWork;

  /// A decoder on the current device; `take` gives it its store.
  template <class Take>
  static Result<DeviceDecoder> open(const DeviceDecoderOptions& options, const Take& take) {
    return guarded([&]() -> Result<DeviceDecoder> {
      auto queue = cuda::make_cuda_queue();
      if (!queue) return queue.error();
      auto work = std::make_unique<Work>(*std::move(queue), options);
      take(*work);
      return DeviceDecoder(std::move(work));
    });
  }
};

DeviceDecoder::DeviceDecoder(std::unique_ptr<Work> work) : work_(std::move(work)) {}
DeviceDecoder::~DeviceDecoder() = default;
DeviceDecoder::DeviceDecoder(DeviceDecoder&&) noexcept = default;
DeviceDecoder& DeviceDecoder::operator=(DeviceDecoder&&) noexcept = default;

Result<DeviceDecoder> DeviceDecoder::open(RandomAccess& file, const DeviceDecoderOptions& options) {
  return Work::open(options, [&](Work& work) { work.take_stream(file); });
}

Result<DeviceDecoder> DeviceDecoder::open(std::span<const std::byte> stored,
                                          const DeviceDecoderOptions& options) {
  return Work::open(options, [&](Work& work) { work.take_stream(stored); });
}

Result<DeviceDecoder> DeviceDecoder::open_on_device(const std::byte* stored, std::uint64_t bytes,
                                                    const DeviceDecoderOptions& options) {
  return Work::open(options, [&](Work& work) { work.take_stream_on_device(stored, bytes); });
}

Result<DeviceDecoder> DeviceDecoder::open_blocks(std::span<const std::span<const std::byte>> blocks,
                                                 const DeviceDecoderOptions& options) {
  return Work::open(options, [&](Work& work) { work.take_blocks(blocks); });
}

Result<DeviceDecoder> DeviceDecoder::open_blocks_on_device(const std::byte* stored,
                                                           std::span<const PackedBlock> blocks,
                                                           const DeviceDecoderOptions& options) {
  return Work::open(options, [&](Work& work) { work.take_blocks_on_device(stored, blocks); });
}

Result<DeviceSizes> DeviceDecoder::select(const std::optional<Range>& range) {
  return guarded([&] { return work_->select(range); });
}

Status DeviceDecoder::load() {
  return guarded([&] { return work_->load(); });
}

Status DeviceDecoder::decode(std::byte* values, void* scratch, CUstream_st* stream) {
  return guarded([&] { return work_->decode(values, scratch, stream); });
}

Status DeviceDecoder::finish() {
  return guarded([&] { return work_->finish(); });
}

std::uint64_t DeviceDecoder::refused_chunks() const {
  return work_->refused_chunks();
}

}  // namespace tdz
