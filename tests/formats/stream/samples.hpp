// SPDX-License-Identifier: Apache-2.0
// Records of format 1.0 with random values, each with the parser that knows nothing but the record.
#pragma once

#include "../support/samples.hpp"
#include "formats/stream/stream_state.hpp"

namespace tdz::test::stream {

formats::StreamHeader any_header(RandomValues& random);
/// Within the limits of a lone block; tag, place and chain are random.
formats::ChunkRecord any_chunk(RandomValues& random);
formats::IndexPart any_index(RandomValues& random);
formats::EndRecord any_end(RandomValues& random);
formats::Note any_note(RandomValues& random);

/// A plan of one column without steps; all plans in tests have 8 bytes.
std::vector<std::byte> plan_of_width(unsigned width);
Result<std::size_t> eight_bytes(std::span<const std::byte> bytes);

std::vector<Specimen> specimens(std::uint64_t seed);

}  // namespace tdz::test::stream
