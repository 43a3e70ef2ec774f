// SPDX-License-Identifier: Apache-2.0
// The records of a stream except CHK: HDR, INDX, END and notes, and what ties them together: FORMAT.md,
// sections 1 and 2. chunk.hpp has CHK. Pure functions, thread-safe.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <string>

#include "formats/digest.hpp"
#include "formats/stream/record.hpp"

namespace tdz::formats {

// ---- HDR, the begin of a stream

struct StreamHeader {
  std::uint8_t minor = 0;        ///< the first that has all steps of the stream
  std::uint16_t may_ignore = 0;  ///< features that a reader need not understand
  std::uint64_t original_bytes = kNone;
  std::uint32_t largest_chunk = 1u << 20;
  std::uint32_t largest_frame = 1u << 20;
  std::string type{};  ///< what a person calls the numbers; escape it before you print it

  friend bool operator==(const StreamHeader&, const StreamHeader&) = default;
};

/// The longest type for which HDR stays within its limit.
inline constexpr std::size_t kMaxType = 3900;

/// The sentence for whoever opens the file in an editor goes after the type. Precondition: the type has at
/// most kMaxType bytes.
std::vector<std::byte> serialize(const StreamHeader& header);
/// The sentence is not judged and not kept.
Result<StreamHeader> parse_header(std::span<const std::byte> record, std::uint64_t where);

/// Judged before anything after the prefix, because another major version may mean something else there.
Fault check_header_tag(std::uint64_t tag, std::uint64_t where);

// ---- INDX, a part of the index

/// One chunk.
struct IndexEntry {
  std::uint64_t record_offset = 0;  ///< of its CHK in the stream
  std::uint64_t original_offset = 0;
  std::uint64_t digest = 0;
  std::uint32_t original_bytes = 0;
  std::uint32_t stored_bytes = 0;  ///< CHK and frames
  std::uint16_t plan = 0;          ///< from 0
  friend bool operator==(const IndexEntry&, const IndexEntry&) = default;
};

struct IndexPart {
  std::uint64_t tag = 0;
  std::uint64_t offset = 0;  ///< of this INDX in the stream
  std::uint64_t first_chunk = 0;
  std::uint64_t previous = kNone;  ///< offset of the part before
  bool last = false;
  std::vector<std::vector<std::byte>> plans{};  ///< once each, in order of first use
  std::vector<IndexEntry> entries{};
  friend bool operator==(const IndexPart&, const IndexPart&) = default;
};

/// The number of bytes of the plan at the front of `bytes`, by its shape alone. An error makes the part
/// corrupt.
using PlanLength = std::function<Result<std::size_t>(std::span<const std::byte> bytes)>;

std::vector<std::byte> serialize(const IndexPart& part);

/// For a reader that begins at the index: the fields must agree with one another. The caller compares them
/// with the parts before and with the chunks. No plan is judged: `plan_length` tells where each ends.
/// `offset` is that of the part in the stream, if the caller knows it: it stands before the fields that can
/// be unsupported, so it is judged before them.
Result<IndexPart> parse_index(std::span<const std::byte> record, const PlanLength& plan_length,
                              std::uint64_t where, std::optional<std::uint64_t> offset = {});

/// For a reader of a whole stream: every field is the expected one. The flag is not compared, but returned.
Result<IndexPart> parse_index(std::span<const std::byte> record, const IndexPart& expected,
                              std::uint64_t where);

// ---- END

struct EndRecord {
  std::uint64_t tag = 0;
  std::uint64_t stream_bytes = 0;  ///< HDR's first to END's last
  std::uint64_t chunks = 0;
  std::uint64_t original_bytes = 0;
  std::uint64_t last_index = kNone;  ///< offset of the last INDX
  std::uint64_t chain = 0;           ///< that the next chunk would have
  Digest128 whole{};                 ///< of the whole original; decides nothing
  std::uint8_t whole_kind = 0;       ///< 0 none, 1 XXH3-128; another one is ignored

  friend bool operator==(const EndRecord&, const EndRecord&) = default;
};

/// What a reader of a whole stream knows about END.
struct EndRules {
  std::optional<EndRecord> expected{};   ///< its digest of the whole original is not compared
  std::uint64_t original_bytes = kNone;  ///< from HDR
  bool tag_is_wrong = false;             ///< notes of a stream without chunks have another tag
};

std::vector<std::byte> serialize(const EndRecord& end);
/// Without an expected END: its fields must agree with one another.
Result<EndRecord> parse_end(std::span<const std::byte> record, const EndRules& rules, std::uint64_t where);

// ---- Notes: records that readers check and step over. Version 1.0 defines none and writes none; serialize
// is for tests.

struct Note {
  RecordKind kind{};
  std::uint64_t tag = 0;
  std::uint64_t offset = 0;          ///< of this note in the stream
  std::vector<std::byte> content{};  ///< its own, with zeros up to a multiple of 8

  friend bool operator==(const Note&, const Note&) = default;
};

std::vector<std::byte> serialize(const Note& note);
/// The caller judges tag and offset: before chunk 0 the tag is not known yet.
Result<Note> parse_note(std::span<const std::byte> record, std::uint64_t where);

// ---- What ties the records of a stream together

/// The tag of all records of a stream except HDR: XXH3-64 over HDR, then the digest of chunk 0, if there is
/// one.
std::uint64_t stream_id(std::span<const std::byte> header_record, std::optional<std::uint64_t> first_digest);

/// The chain of chunk 0: XXH3-64 of no bytes.
inline constexpr std::uint64_t kFirstChain = 0x2D06800538D394C2;

/// The chain of chunk k + 1, from chain and digest of chunk k. So neighbours prove each other.
std::uint64_t next_chain(std::uint64_t chain, std::uint64_t digest);

}  // namespace tdz::formats
