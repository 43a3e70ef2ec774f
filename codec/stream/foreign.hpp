// SPDX-License-Identifier: Apache-2.0
// Recognises tdz streams, and other formats that users often give to tdz by mistake.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>

#include "formats/error.hpp"

namespace tdz {

/// Names the format of a file of another compressor, and what reads it; empty if `head` is none that is known
/// here.
std::string_view foreign_format(std::span<const std::byte> head);

/// `head` holds the bytes at `where`: 32, or fewer if the file ends before. Errors: truncated if they are the
/// beginning of a stream that is cut off, or if there are none; corrupt for anything else. The message names
/// the files that foreign_format knows. With `after_stream` it speaks of data after a stream instead.
Status check_is_stream(std::span<const std::byte> head, std::uint64_t where, bool after_stream);

}  // namespace tdz
