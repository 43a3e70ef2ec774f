// SPDX-License-Identifier: Apache-2.0
// What a reader asks of a zstd frame before it decodes it: FORMAT.md, section 1, "Frames". Pure functions,
// thread-safe.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include "formats/error.hpp"

namespace tdz {

/// `frame` must be exactly one frame with this content size, without a dictionary, whose window and blocks
/// keep the limits of the format. Nothing is decoded. Error corrupt.
Status check_frame(std::span<const std::byte> frame, std::uint64_t content);

}  // namespace tdz
