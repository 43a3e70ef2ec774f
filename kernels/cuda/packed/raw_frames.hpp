// SPDX-License-Identifier: Apache-2.0
// Frames of raw blocks, from the lengths that CHK has of them. Host code, pure, thread-safe.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "formats/stream/chunk.hpp"
#include "kernels/uniform/block_layout.hpp"
#include "kernels/uniform/decode_plan.hpp"

namespace tdz::cuda {

/// The layout that these frames have, if they hold `content` bytes in raw blocks as write_raw_frame() writes
/// them; nothing if their lengths tell of something else. Whether they do is not known before their headers
/// are verified. `content` is above 0.
std::optional<uniform::RawLayout> raw_layout(std::span<const formats::FrameLengths> frames,
                                             std::uint64_t content);

/// Adds the headers of all frames and blocks of the layout to what a device verifies.
void check_headers(const uniform::RawLayout& layout, const uniform::ChunkBase& base,
                   std::vector<uniform::ByteCheck>& checks);

}  // namespace tdz::cuda
