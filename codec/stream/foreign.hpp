// SPDX-License-Identifier: Apache-2.0
// Telling a tdz stream from what people hand to tdz by mistake.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include "formats/error.hpp"

namespace tdz {

/// `head` holds the first up to 32 bytes at `where`. Errors: truncated for a beginning of a stream (or nothing at all),
/// corrupt for anything else, naming zstd, gzip and xz where it is one; `after_stream` words it as trailing garbage.
Status check_is_stream(std::span<const std::byte> head, std::uint64_t where, bool after_stream);

}  // namespace tdz
