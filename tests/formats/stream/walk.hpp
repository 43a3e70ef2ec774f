// SPDX-License-Identifier: Apache-2.0
// A reader of records alone: it steps over frames and judges no plan. Verdicts are words: accepted,
// truncated, unsupported, corrupt.
#pragma once

#include <cstddef>
#include <span>
#include <string>

namespace tdz::test {

/// Of a file: streams, one behind the other.
std::string verdict_of_file(std::span<const std::byte> file);
std::string verdict_of_lone_block(std::span<const std::byte> block);

}  // namespace tdz::test
