// SPDX-License-Identifier: Apache-2.0
// What can be known of a damaged file before it is walked: the ends that are left, and the stream that most
// of a region belongs to.
#pragma once

#include <cstdint>
#include <optional>
#include <stop_token>
#include <vector>

#include "codec/recover/record_scan.hpp"

namespace tdz {

/// An intact END, found from the end of the file.
struct KnownEnd {
  formats::EndRecord end;
  std::uint64_t offset = 0;
  std::uint64_t begin = 0;  ///< where its stream began, if nothing was inserted or lost
  bool headed = false;      ///< and HDR indeed stands there,
  bool anchored = false;    ///< or at least the last INDX where that makes it stand

  std::uint64_t behind() const { return offset + formats::kEndBytes + end.seek_bytes; }
};

/// The intact ends of a file, first to last, as far as one leads to the one before it.
Result<std::vector<KnownEnd>> surviving_ends(RandomAccess& file, const std::stop_token& stop = {});

/// Does a record begin at `offset`, or the region end there?
Result<bool> record_stands_at(RandomAccess& file, std::uint64_t offset, std::uint64_t limit);

/// The stream whose chunks fill the most of a region. Chunks are passed over as wholes, so that streams which
/// were compressed again, and lie within them, show up only where a chunk of the outer stream has lost its
/// record.
Result<std::optional<std::uint64_t>> commonest_stream(RandomAccess& file, const formats::StreamHeader& header,
                                                      std::uint64_t from, std::uint64_t limit,
                                                      const std::stop_token& stop = {});

/// Where a stream is first seen in a region, chunks passed over as wholes.
struct FirstSight {
  std::uint64_t where = 0;     ///< of the record of its first chunk there
  std::uint64_t number = 0;    ///< of that chunk in the stream
  std::uint64_t digest = 0;    ///< of that chunk
  bool others_before = false;  ///< chunks of other streams stand before it
};
/// Precondition: commonest_stream found `stream` there.
Result<FirstSight> first_sight(RandomAccess& file, const formats::StreamHeader& header, std::uint64_t stream,
                               std::uint64_t from, std::uint64_t limit, const std::stop_token& stop = {});

/// A header that allows what the format allows, for streams that have lost theirs.
formats::StreamHeader permissive_header();

}  // namespace tdz
