// SPDX-License-Identifier: Apache-2.0
// What a damaged file shows before the walk: the END records that are left, and the stream to which most of a
// region belongs.
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
  bool headed = false;      ///< HDR stands at `begin`
  bool anchored = false;    ///< HDR or a chunk that the index lists stands in its place, counted from `begin`
  std::uint64_t seen = 0;   ///< the first of its records that was found in its place; 0 if none was
  std::optional<std::uint64_t> first_digest = {};  ///< of its first chunk, from the index

  std::uint64_t behind() const { return offset + formats::kEndBytes + end.seek_bytes; }
};

/// The places and stream ids of all headers in a file, also of headers inside the frames of other streams.
class KnownHeaders {
 public:
  /// Reads the whole file. Errors: io, limit, cancelled.
  static Result<KnownHeaders> find(RandomAccess& file, const std::stop_token& stop);
  /// The header before this END from which its stream's id was made. If there are several, the one nearest to
  /// the place that END names.
  std::optional<std::uint64_t> of(const KnownEnd& known) const;

 private:
  struct Entry {
    std::uint64_t stream = 0;
    std::uint64_t where = 0;
    auto operator<=>(const Entry&) const = default;
  };
  std::vector<Entry> entries_;
  std::vector<ScannedRecord> alone_;  // headers without their first chunk
};

/// The stream's id, computed from its HDR record and the record after it. Nothing if that record is damaged.
/// Error io.
Result<std::optional<std::uint64_t>> id_by_header(RandomAccess& file,
                                                  std::span<const std::byte> header_record,
                                                  const formats::StreamHeader& header, std::uint64_t behind);

/// The stream's id, computed from HDR and the index, for a stream without its first chunk: the first part of
/// the index holds the digest of that chunk. Headers of streams from pipes are all equal; then another chunk
/// must stand where the index lists it, counted from `begin`. Errors: io, limit, cancelled.
Result<std::optional<std::uint64_t>> id_by_index(RandomAccess& file, std::span<const std::byte> header_record,
                                                 const formats::StreamHeader& header, std::uint64_t begin,
                                                 std::uint64_t limit, const std::stop_token& stop = {});

/// The intact END records of a file, first to last. Each is found from the beginning of the stream after it;
/// the list begins where this fails.
Result<std::vector<KnownEnd>> surviving_ends(RandomAccess& file, const std::stop_token& stop = {});

/// True if a record begins at `offset`, or if `offset` is the region's end.
Result<bool> record_stands_at(RandomAccess& file, std::uint64_t offset, std::uint64_t limit);

/// The id of the stream whose chunks take the most bytes of a region. The scan steps over whole chunks. So it
/// finds a stream inside a chunk only if the record of that outer chunk is lost.
Result<std::optional<std::uint64_t>> commonest_stream(RandomAccess& file, const formats::StreamHeader& header,
                                                      std::uint64_t from, std::uint64_t limit,
                                                      const std::stop_token& stop = {});

/// The id of the stream of the first chunk in a region.
Result<std::optional<std::uint64_t>> first_stream(RandomAccess& file, const formats::StreamHeader& header,
                                                  std::uint64_t from, std::uint64_t limit,
                                                  const std::stop_token& stop = {});

/// The first chunk of a stream in a region. The scan steps over whole chunks.
struct FirstSight {
  std::uint64_t where = 0;     ///< of the chunk's record in the file
  std::uint64_t number = 0;    ///< of the chunk in its stream
  std::uint64_t digest = 0;    ///< of the chunk
  bool others_before = false;  ///< chunks of other streams stand before it
};
/// Precondition: commonest_stream found `stream` there.
Result<FirstSight> first_sight(RandomAccess& file, const formats::StreamHeader& header, std::uint64_t stream,
                               std::uint64_t from, std::uint64_t limit, const std::stop_token& stop = {});

/// A header that allows everything that the format allows, for streams whose header is lost.
formats::StreamHeader permissive_header();

}  // namespace tdz
