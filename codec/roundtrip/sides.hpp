// SPDX-License-Identifier: Apache-2.0
// The sides of a round trip: the ways to code chunks and to restore them. One is the CPU, the other a device
// in the way that files use it.
//
// Files leave to the CPU what a device does not do, and what a device does wrongly. A side leaves only the
// first to the CPU: what a device refuses, or restores wrongly, is an error here.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "codec/chunk/parsed_chunk.hpp"
#include "formats/error.hpp"
#include "formats/plan/plan.hpp"
#include "kernels/cuda/host/decode_queue.hpp"
#include "kernels/cuda/host/encode_queue.hpp"

namespace tdz {

/// Used by one thread at a time; keeps its memory. Both functions may throw std::bad_alloc.
struct RoundtripSide {
  std::string name;               ///< of the backend, as in --backends
  std::string description;        ///< for people: the instruction set or the device
  bool takes_gpu_frames = false;  ///< where there is a gpu_plan(), it does its own work in that alone

  /// Codes a chunk with zstd's level. The longest frame is as long as the chunk. Errors: limit (memory); any
  /// other is a fault of this side. `out` may refer to memory of this side until the next call.
  std::function<Status(std::span<const std::byte> original, const Plan& plan, int level, EncodedChunk& out)>
      encode;
  /// Fills `restored`, which is as long as the record says. Errors: limit (memory); corrupt (`restored` holds
  /// what was restored, but it does not match the digest); any other is a fault of this side.
  std::function<Status(const EncodedChunk& coded, const Plan& plan, std::span<std::byte> restored)> decode;
};

RoundtripSide cpu_side();

/// A device, over these queues of it. It takes at most `memory` bytes of the device. Throws std::bad_alloc.
RoundtripSide device_side(std::unique_ptr<cuda::DecodeQueue> queue,
                          std::unique_ptr<cuda::EncodeQueue> encode_queue, std::string description,
                          std::uint64_t memory);

/// The same for the first of these devices: at most `count` sides, which share the memory that the options
/// grant, and at least one. There are fewer where the memory is too little for so many chunks of
/// `chunk_bytes`. Errors: unsupported or limit, with the reason, if the device cannot be used. The device
/// becomes the current one of this thread.
Result<std::vector<RoundtripSide>> device_sides(const DeviceOptions& device, unsigned count,
                                                std::uint64_t chunk_bytes);

/// The steps of this plan in frames for a GPU, as CompressOptions::gpu asks for them: tokens are in place of
/// the layout, and differences start anew in every run. Nothing, if the tuple is too long for tokens, or if
/// the layout is packed, which a device restores as it is. Precondition: the plan has one column.
std::optional<Plan> gpu_plan(const Plan& plan);

}  // namespace tdz
