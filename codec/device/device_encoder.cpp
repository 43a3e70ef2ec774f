// SPDX-License-Identifier: Apache-2.0
#include "tdz/device_encoder.hpp"

#include <utility>

#include "codec/device/encode_work.hpp"
#include "codec/stream/pipeline.hpp"

namespace tdz {
namespace {

}  // namespace

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
