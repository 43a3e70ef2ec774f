// SPDX-License-Identifier: Apache-2.0
// Checks a caller's options and computes the values that they leave open.
#pragma once

#include <cstdint>
#include <span>

#include "codec/chunk/frame_plan.hpp"
#include "codec/stream/chunk_cutter.hpp"
#include "formats/stream/stream_records.hpp"
#include "tdz/tdz.hpp"

namespace tdz {

/// Where the caller and the plan leave a chunk's length open.
inline constexpr std::uint32_t kUsualChunk = 1u << 20;

/// Error usage names the first option that is out of range.
Status check(const CompressOptions& options);

std::uint32_t chunk_bytes(const CompressOptions& options);
/// Chunks end at whole rows and tuples of every recipe, as far as possible. So a chunk begins with a whole
/// row and tuple, whichever recipe it takes.
CutRules cut_rules(const CompressOptions& options, std::span<const Recipe> recipes);
/// The bytes after which no lane of a column has a remainder after its uniform blocks. Columns that would
/// need more than `longest` bytes count for nothing.
std::uint64_t uniform_unit(const Plan& plan, std::uint64_t longest);
std::uint32_t frame_bytes(const CompressOptions& options);
/// `recipes`: those that chunks may take, beside the plan of the options.
formats::StreamHeader stream_header(const CompressOptions& options,
                                    std::optional<std::uint64_t> original_bytes,
                                    std::span<const Recipe> recipes = {});

}  // namespace tdz
