// SPDX-License-Identifier: Apache-2.0
// The report of `tdz recover --map`, schema "tdz-recover/1". See info_json.hpp for the promises of a schema.
//
//     document   {"schema": "tdz-recover/1", "name", "original_bytes", "recovered_bytes", "chunks",
//     "streams",
//                 "digests_match", "fill": "zero" or "skip", "missing": [range...]}
//     range      {"offset", "length" (null: unknown, because the end is lost)}, of the original
#pragma once

#include <span>
#include <string>

#include "tdz/tdz.hpp"

namespace tdz::app {

std::string recover_map(const std::string& name, Fill fill, const Recovered& recovered,
                        std::span<const MissingRange> missing);

/// "bytes 65536 to 131071 are missing (64.0 KiB)", or "from byte 65536 on, an unknown number of bytes is
/// missing".
std::string missing_text(const MissingRange& range);

}  // namespace tdz::app
