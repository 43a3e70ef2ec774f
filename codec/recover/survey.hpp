// SPDX-License-Identifier: Apache-2.0
// What can be known of a damaged file before it is walked: the ends that are left, and the stream that most
// of a region belongs to.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <stop_token>
#include <vector>

#include "codec/recover/record_scan.hpp"

namespace tdz {

/// An intact END, found from the end of the file.
struct KnownEnd {
  formats::EndRecord end;
  std::uint64_t offset = 0;
  std::uint64_t begin = 0;  ///< of its stream: where its HDR stands, or where END says that it stood
  bool headed = false;      ///< HDR indeed stands there,
  bool anchored = false;    ///< or at least a chunk that the index lists where that makes it stand:
  std::uint64_t seen = 0;   ///< here, the first of its records that is found in its place; 0 if none is
  std::optional<std::uint64_t> first_digest = {};  ///< of its first chunk, as the index has it

  std::uint64_t behind() const { return offset + formats::kEndBytes + end.seek_bytes; }
};

/// Where all headers of a file stand, those inside the frames of other streams as well, and whose they are.
class KnownHeaders {
 public:
  /// Reads the whole file. Errors: io, limit, cancelled.
  static Result<KnownHeaders> find(RandomAccess& file, const std::stop_token& stop);
  /// The one before this END from which its stream's id was made, if there are several that next to where END
  /// says that it stood.
  std::optional<std::uint64_t> of(const KnownEnd& known) const;

 private:
  struct Entry {
    std::uint64_t stream = 0;
    std::uint64_t where = 0;
    auto operator<=>(const Entry&) const = default;
  };
  std::vector<Entry> entries_;
  std::vector<ScannedRecord> alone_;  // their first chunk is lost
};

/// The id that a stream has by its HDR record and what stands behind it; nothing if that is damaged. Errors:
/// io.
Result<std::optional<std::uint64_t>> id_by_header(RandomAccess& file,
                                                  std::span<const std::byte> header_record,
                                                  const formats::StreamHeader& header, std::uint64_t behind);

/// The same by the index, where the first chunk is lost: its first part has the digest that the id was made
/// of. Headers of pipes are one like the other, so that another chunk must stand where it lists one, counted
/// from `begin`. Errors: io, limit, cancelled.
Result<std::optional<std::uint64_t>> id_by_index(RandomAccess& file, std::span<const std::byte> header_record,
                                                 const formats::StreamHeader& header, std::uint64_t begin,
                                                 std::uint64_t limit, const std::stop_token& stop = {});

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

/// The same, of the first chunk.
Result<std::optional<std::uint64_t>> first_stream(RandomAccess& file, const formats::StreamHeader& header,
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
