// SPDX-License-Identifier: Apache-2.0
// The public headers for devices: device.hpp, device_decoder.hpp over DecodeWork, device_encoder.hpp over
// EncodeWork.
#include <utility>

#include "codec/device/decode_work.hpp"
#include "codec/device/encode_work.hpp"
#include "codec/stream/pipeline.hpp"
#include "kernels/cuda/host/cuda_devices.hpp"
#include "kernels/cuda/host/device_transform.hpp"
#include "tdz/device.hpp"
#include "tdz/device_decoder.hpp"
#include "tdz/device_encoder.hpp"

namespace tdz {

// ---- Steps alone

Result<std::vector<DeviceInfo>> devices() {
  return cuda_devices();
}

Result<std::size_t> device_space_bytes(const Column& column, const DeviceBuffers& buffers) {
  return cuda::device_space_bytes(column, buffers);
}

Status device_forward(const Column& column, const DeviceBuffers& buffers, void* space,
                      std::size_t space_bytes, CUstream_st* stream) {
  return cuda::device_forward(column, buffers, space, space_bytes, stream);
}

Status device_inverse(const Column& column, const DeviceBuffers& buffers, void* space,
                      std::size_t space_bytes, CUstream_st* stream) {
  return cuda::device_inverse(column, buffers, space, space_bytes, stream);
}

// ---- DeviceDecoder

class DeviceDecoder::Work : public DecodeWork {
 public:
  using DecodeWork::DecodeWork;

  /// A decoder on the current device; `take` gives it its store.
  template <class Take>
  static Result<DeviceDecoder> open(const DeviceDecoderOptions& options, const Take& take) {
    return guarded([&]() -> Result<DeviceDecoder> {
      auto queue = cuda::make_cuda_decode_queue();
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

// ---- DeviceEncoder

class DeviceEncoder::Work : public EncodeWork {
 public:
  using EncodeWork::EncodeWork;

  /// An encoder on the current device.
  static Result<DeviceEncoder> open(Result<EncodeRequest> request, unsigned threads) {
    if (!request) return request.error();
    auto queue = cuda::make_cuda_encode_queue();
    if (!queue) return queue.error();
    return DeviceEncoder(std::make_unique<Work>(*std::move(queue), *std::move(request), threads));
  }
};

DeviceEncoder::DeviceEncoder(std::unique_ptr<Work> work) : work_(std::move(work)) {}
DeviceEncoder::~DeviceEncoder() = default;
DeviceEncoder::DeviceEncoder(DeviceEncoder&&) noexcept = default;
DeviceEncoder& DeviceEncoder::operator=(DeviceEncoder&&) noexcept = default;

Result<DeviceEncoder> DeviceEncoder::open_blocks(const Plan& plan, std::span<const std::uint32_t> lengths,
                                                 const DeviceEncoderOptions& options) {
  return guarded([&] { return Work::open(request_of_blocks(plan, lengths, options), options.threads); });
}

Result<DeviceEncoder> DeviceEncoder::open_stream(std::uint64_t bytes, const DeviceStreamOptions& stream,
                                                 const DeviceEncoderOptions& options) {
  return guarded([&] { return Work::open(request_of_stream(bytes, stream, options), options.threads); });
}

DeviceEncoderSizes DeviceEncoder::sizes() const {
  return work_->sizes();
}

Status DeviceEncoder::prepare() {
  return guarded([&] { return work_->prepare(); });
}

Status DeviceEncoder::encode(const std::byte* values, std::byte* packed, void* scratch, CUstream_st* stream) {
  return guarded([&] { return work_->encode(values, packed, scratch, stream); });
}

Result<DeviceEncoded> DeviceEncoder::finish() {
  return guarded([&] { return work_->finish(); });
}

}  // namespace tdz
