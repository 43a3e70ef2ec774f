// SPDX-License-Identifier: Apache-2.0
#include "kernels/cuda/host/device_transform.hpp"

#include <algorithm>

#include "formats/plan/plan_rules.hpp"
#include "kernels/cuda/host/cuda_handles.hpp"
#include "kernels/cuda/host/dispatch.hpp"

namespace tdz::cuda {
namespace {

Result<DeviceShape> shape() {
  DeviceShape shape;
  const cudaError_t result = current_shape(shape);
  const Status asked = checked(result, "cudaDeviceGetAttribute");
  if (result == cudaErrorNoDevice || result == cudaErrorInsufficientDriver) {
    return unsupported(asked.error().message);
  }
  if (!asked) return asked.error();
  return shape;
}

bool is_aligned(const void* pointer) {
  return reinterpret_cast<std::uintptr_t>(pointer) % kGranule == 0;
}

Status check_transform(const Column& column) {
  if (!is_word_size(column.width)) return usage("a word has 1, 2, 4 or 8 bytes");
  if (column.steps.size() > kMaxSteps) return usage("too many steps");
  const auto is_good = [&](const PlanStep& step) { return !formats::flaw_of_step(step, column.width); };
  if (!std::ranges::all_of(column.steps, is_good)) return usage("a step's tuple or order is out of range");
  if (!std::ranges::all_of(column.steps, is_of_passes))
    return usage(
        "a step that has side data, or a difference that starts anew: only whole chunks of a file have "
        "these");
  return ok();
}

Status check_request(const Column& column, const DeviceBuffers& buffers) {
  if (buffers.bytes > 0 && (buffers.chunk_bytes == 0 || buffers.chunk_bytes % kGranule != 0)) {
    return usage("chunk_bytes must be a multiple of 16 above 0");
  }
  if (buffers.bytes > 0 && chunk_count(buffers.bytes, buffers.chunk_bytes) > kMostChunks) {
    return usage("there are more than 2^31 - 1 chunks");
  }
  if (!is_aligned(buffers.in) || !is_aligned(buffers.out)) {
    return usage("buffers must be aligned to 16 bytes");
  }
  return check_transform(column);
}

Status run(const Column& column, const DeviceBuffers& buffers, Direction direction, void* space,
           std::size_t space_bytes_given, cudaStream_t stream) {
  const Status right = check_request(column, buffers);
  if (!right || buffers.bytes == 0) return right;
  if (buffers.in == nullptr || buffers.out == nullptr) return usage("a buffer is null");
  if (!is_aligned(space)) return usage("the space must be aligned to 16 bytes");
  const auto device = shape();
  if (!device) return device.error();
  const ChunkBatch batch = cut({buffers.in, buffers.out, buffers.bytes}, buffers.chunk_bytes);
  const std::size_t needed = space_bytes(column, batch, direction, *device);
  if (space_bytes_given < needed || (needed > 0 && space == nullptr)) {
    return usage("the space is smaller than device_space_bytes() says");
  }
  return checked(enqueue(column, batch, direction, *device, space, stream), "kernel launch");
}

}  // namespace

Result<std::size_t> device_space_bytes(const Column& column, const DeviceBuffers& buffers) {
  const Status right = check_request(column, buffers);
  if (!right) return right.error();
  if (buffers.bytes == 0) return std::size_t{0};
  const auto device = shape();
  if (!device) return device.error();
  const ChunkBatch batch = cut({buffers.in, buffers.out, buffers.bytes}, buffers.chunk_bytes);
  return std::max(space_bytes(column, batch, Direction::difference, *device),
                  space_bytes(column, batch, Direction::integrate, *device));
}

Status device_forward(const Column& column, const DeviceBuffers& buffers, void* space,
                      std::size_t space_bytes, CUstream_st* stream) {
  return run(column, buffers, Direction::difference, space, space_bytes, stream);
}

Status device_inverse(const Column& column, const DeviceBuffers& buffers, void* space,
                      std::size_t space_bytes, CUstream_st* stream) {
  return run(column, buffers, Direction::integrate, space, space_bytes, stream);
}

}  // namespace tdz::cuda
