// SPDX-License-Identifier: Apache-2.0
// Heals a file by its parity: FORMAT.md, section 5, "Parity notes". A file is healed area by area; all bytes
// outside areas stay as they are. Memory: 40 bytes for each record, 16 bytes for each piece of one area, and
// the bytes that are restored. Time: it looks at 16 times the bytes of the file at most. Not thread-safe.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <span>
#include <stop_token>
#include <vector>

#include "codec/recover/groups.hpp"
#include "formats/stream/parity.hpp"
#include "tdz/tdz.hpp"

namespace tdz {

/// Where a record of a stream stands. The begin of the stream follows: where - offset. A record after bytes
/// that were put in or cut out has another begin than one before them.
struct Anchor {
  std::uint64_t offset = 0;  ///< in the stream
  std::uint64_t where = 0;   ///< in the file
  std::int64_t begin() const { return static_cast<std::int64_t>(where) - static_cast<std::int64_t>(offset); }
};

/// A note that was found.
struct NotePlace {
  std::uint64_t where = 0;
  std::uint8_t r = 0;
  std::uint16_t stripe = 0;
};

/// An area of which at least one note was found.
struct FoundArea {
  formats::Area area;
  std::uint64_t tag = 0;
  std::uint64_t begin = 0;  ///< in the stream
  std::uint64_t digest = 0;
  std::vector<NotePlace> notes{};
  // In the file, once place_areas() has found them: what stands there is healed.
  std::uint64_t from = 0;
  std::uint64_t to = 0;

  std::uint64_t notes_begin() const { return begin + area.bytes; }
  std::uint64_t end() const { return notes_begin() + area.notes_bytes(); }
};

/// The records of one tag, as far as their offsets grow: one copy of a stream.
struct StreamCopy {
  std::vector<Anchor> anchors{};
  std::vector<FoundArea> areas{};
  std::optional<std::uint64_t> first_digest{};  ///< of chunk 0
  bool has_no_chunk = false;                    ///< END says so
  std::optional<std::uint64_t> end_offset{};    ///< of END, if it was found
  std::optional<FoundHeader> header{};          ///< the last one before the first record
};

/// Takes the records of a file in their order, and finds areas.
class AreaSearch {
 public:
  void add(formats::RecordKind kind, const Place& place, std::span<const std::byte> record);
  /// All copies that have areas. Their areas do not overlap, in the stream or in the file, and are in the
  /// order of the file.
  std::vector<StreamCopy> copies(std::uint64_t file_bytes) &&;

 private:
  StreamCopy& copy_of(std::uint64_t tag, std::uint64_t offset);
  void place_areas(StreamCopy& copy, std::uint64_t file_bytes) const;
  std::uint64_t next_record(std::uint64_t where, std::uint64_t file_bytes) const;

  std::vector<StreamCopy> copies_;
  std::map<std::uint64_t, std::size_t> latest_;  // copy of this tag
  std::vector<std::uint64_t> places_;            // of all records
  std::optional<FoundHeader> header_;            // that no copy has taken
};

/// The file as it was before the damage, as far as parity tells.
class HealedFile final : public RandomAccess {
 public:
  struct Limits {
    std::uint64_t memory = ~std::uint64_t{0};  ///< for restored bytes
    bool notes = false;                        ///< restores lost notes too
    std::stop_token stop = {};
  };
  /// The file lives longer than this.
  explicit HealedFile(RandomAccess& file) : file_(file) {}
  /// Errors: limit, cancelled, and those of the file.
  Status heal(AreaSearch found, const Limits& limits);

  const Healing& healing() const { return healing_; }
  /// Does it differ from the file?
  bool differs() const { return differs_; }

  std::uint64_t size() const override { return spans_.empty() ? file_.size() : spans_.back().end(); }
  Status read_at(std::uint64_t offset, std::span<std::byte> into) override;

 private:
  enum class From : std::uint8_t { file, memory, zeros };
  /// Bytes of the healed file that stand together where they come from.
  struct Span {
    std::uint64_t at;
    std::uint64_t bytes;
    From from;
    std::uint64_t where;
    std::uint64_t end() const { return at + bytes; }
  };
  friend class AreaHealer;

  void append(From from, std::uint64_t where, std::uint64_t bytes);
  void append_file(std::int64_t where, std::uint64_t bytes);
  bool takes_bytes_twice() const;
  void leave_alone();
  /// Keeps restored bytes; where they are in memory.
  Result<std::uint64_t> keep(std::span<const std::byte> bytes);

  RandomAccess& file_;
  std::uint64_t most_memory_ = 0;
  std::vector<Span> spans_;  // none: the file as it is
  std::vector<std::byte> restored_;
  Healing healing_;
  bool differs_ = false;
};

/// Looks for the records of `file`, which is the one of `healed`, and heals it. Errors: those of heal().
Status heal_by_parity(HealedFile& healed, RandomAccess& file, const HealedFile::Limits& limits);

}  // namespace tdz
