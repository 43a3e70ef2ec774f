// SPDX-License-Identifier: Apache-2.0
// Notes of kind "prty": parity for a part of the stream. FORMAT.md, section 5, "Parity notes". Here are their
// shape and their rules; codec/protect has the arithmetic. Pure functions, thread-safe.
#pragma once

#include <compare>
#include <cstdint>
#include <optional>
#include <vector>

#include "formats/stream/stream_records.hpp"

namespace tdz::formats {

inline constexpr RecordKind kParityNote{0x79747270};  // "prty"
inline constexpr unsigned kMinPieceBits = 9;
inline constexpr unsigned kMaxPieceBits = 15;
inline constexpr unsigned kMaxParity = 128;       ///< parity pieces of a stripe
inline constexpr unsigned kMaxStripe = 256;       ///< pieces of a stripe, with its parity pieces
inline constexpr std::uint64_t kEndNumbers = 64;  ///< bytes 32 to 95 of END

/// A part of the stream that notes protect: how it is cut into pieces, and where its notes stand.
struct Area {
  std::uint64_t bytes = 0;                  ///< L. Its notes stand right after them
  std::uint8_t piece_bits = kMinPieceBits;  ///< p
  std::uint8_t parity = 1;                  ///< M, of each stripe
  std::uint16_t stripes = 1;                ///< I
  bool has_end = false;                     ///< E: the notes with digests also have the numbers of END

  friend auto operator<=>(const Area&, const Area&) = default;

  std::uint32_t piece_bytes() const { return 1u << piece_bits; }
  /// K. Precondition: bytes is at most what keeps_rules() allows.
  std::uint64_t pieces() const { return (bytes + piece_bytes() - 1) >> piece_bits; }
  /// K_i: the pieces of stripe i. Piece `place` of it is piece i + place * stripes of the area.
  std::uint32_t pieces_of(std::uint32_t stripe) const {
    return static_cast<std::uint32_t>((pieces() - stripe + stripes - 1) / stripes);
  }
  bool has_digests(unsigned r) const { return r == 0 || r + 1u == parity; }
  /// The length of the note with parity piece r of a stripe.
  std::uint64_t note_bytes(unsigned r, std::uint32_t stripe) const;
  /// Where this note stands, from the end of the area on.
  std::uint64_t note_place(unsigned r, std::uint32_t stripe) const;
  /// Of all notes together.
  std::uint64_t notes_bytes() const;
  bool keeps_rules() const;
};

struct ParityNote {
  Area area;
  std::uint64_t tag = 0;
  std::uint64_t offset = 0;       ///< of this note in the stream
  std::uint64_t area_digest = 0;  ///< tells apart areas of streams that begin alike
  std::uint8_t r = 0;             ///< the number of its parity piece in the stripe
  std::uint16_t stripe = 0;
  std::vector<std::byte> parity{};
  std::vector<std::uint64_t> digests{};  ///< of the stripe's pieces, if the note has them
  std::vector<std::byte> end{};          ///< the numbers of END, if the note has them

  /// Where the area begins in the stream.
  std::uint64_t area_begin() const { return offset - area.note_place(r, stripe) - area.bytes; }
};

/// Precondition: the note keeps the rules.
std::vector<std::byte> serialize(const ParityNote& note);
/// Nothing for a note of another kind, and for one that breaks a rule: it is a note and no more.
std::optional<ParityNote> parse_parity(const Note& note);

/// END as a note with digests has it, or nothing if those are no numbers of the END of this area's stream.
std::vector<std::byte> end_numbers(const EndRecord& end);
std::optional<EndRecord> end_from(const ParityNote& note);

}  // namespace tdz::formats
