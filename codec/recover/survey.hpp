// SPDX-License-Identifier: Apache-2.0
// What can be known of a damaged file before it is walked: the ends that are left, and the stream that most
// of a region belongs to.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "codec/recover/record_scan.hpp"

namespace tdz {

/// An intact END, found from the end of the file.
struct KnownEnd {
  formats::EndRecord end;
  std::uint64_t offset = 0;
  std::uint64_t begin = 0;  ///< where its stream began, if nothing was inserted or lost
  bool anchored = false;    ///< and something of the stream indeed stands where that makes it stand

  std::uint64_t behind() const { return offset + formats::kEndBytes + end.seek_bytes; }
};

/// The intact ends of a file, first to last, as far as one leads to the one before it.
Result<std::vector<KnownEnd>> surviving_ends(RandomAccess& file);

/// Does a record begin at `offset`, or the region end there?
Result<bool> record_stands_at(RandomAccess& file, std::uint64_t offset, std::uint64_t limit);

/// The stream whose chunks fill the most of a region. Chunks are passed over as wholes, so that streams which
/// were compressed again, and lie within them, show up only where a chunk of the outer stream has lost its
/// record.
Result<std::optional<std::uint64_t>> commonest_stream(RandomAccess& file, const formats::StreamHeader& header,
                                                      std::uint64_t from, std::uint64_t limit);

/// A header that allows what the format allows, for streams that have lost theirs.
formats::StreamHeader permissive_header();

}  // namespace tdz
