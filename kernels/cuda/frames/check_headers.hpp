// SPDX-License-Identifier: Apache-2.0
// Headers of frames and blocks on a device: what they must be, and what the status of a chunk says where they
// are not. For host and device.
#pragma once

#include <cstddef>
#include <cstdint>

#include "kernels/scan_algebra.hpp"
#include "kernels/uniform/places.hpp"

namespace tdz::cuda {

/// Why a chunk was refused: any of these bits of its status.
enum DecodeFault : std::uint32_t {
  kWrongHeader = 1,  ///< of a frame or a block
  kWrongTree = 2,
  kWrongStream = 4,   ///< it has no end, or not the tokens
  kWrongRawBits = 8,  ///< they do not fill their bytes, or unused ones are set
  kWrongToken = 16,   ///< no word has it
  kWrongGroups = 32,  ///< packed: widths, codes, places or bits break the format
};

/// Whether these bytes stand there. No byte waits for the one before.
TDZ_HOST_DEVICE inline bool stand_there(const uniform::ByteCheck& check, const std::byte* packed) {
  unsigned wrong = 0;
#ifdef __CUDA_ARCH__
#pragma unroll 4
#endif
  for (unsigned i = 0; i < check.count; ++i)
    wrong |= static_cast<unsigned>(static_cast<std::uint8_t>(packed[check.at + i]) ^ check.bytes[i]);
  return wrong == 0;
}

}  // namespace tdz::cuda
