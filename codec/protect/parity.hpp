// SPDX-License-Identifier: Apache-2.0
// Parity: the arithmetic of its pieces, and the writer of its notes. FORMAT.md, section 5, "Parity notes".
// Objects belong to one thread each; the functions are thread-safe.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "formats/stream/parity.hpp"
#include "tdz/tdz.hpp"

namespace tdz {

// ---- Stripes. Parity pieces are sums of the pieces of a stripe over GF(2^8), with the coefficients of a
// Cauchy matrix (Bloemer et al. 1995), so any e lost pieces follow from the others and any e parity pieces.
// The loops over bytes are those of ISA-L.

/// c(r, q): what the piece at place q of a stripe counts in parity piece r. Precondition: r + q < 255.
std::uint8_t parity_coefficient(unsigned r, unsigned q);

class StripeEncoder {
 public:
  explicit StripeEncoder(unsigned parity) : parity_(parity) {}
  /// Makes all parity pieces of a stripe. Every piece has `bytes` bytes, a multiple of 512.
  void encode(std::span<const std::byte* const> pieces, std::size_t bytes,
              std::span<std::byte* const> parity);

 private:
  unsigned parity_;
  std::size_t pieces_ = 0;             // that tables_ are for
  std::vector<unsigned char> tables_;  // of ISA-L
};

/// A stripe as far as it is there: null stands for a piece that is lost.
struct DamagedStripe {
  std::vector<const std::byte*> pieces;
  std::vector<const std::byte*> parity;
};

/// Restores the lost pieces, in the order of their places, from the others and from the first parity pieces
/// that are there. False if there are fewer parity pieces than lost ones. Precondition: `restored` has a
/// pointer for each lost piece.
bool restore_pieces(const DamagedStripe& stripe, std::size_t bytes, std::span<std::byte* const> restored);

// ---- Areas

/// How an area is cut, so that about `percent` percent of it may be lost. The number of stripes is odd: then
/// damage that repeats at a power of two meets all of them. Precondition: percent is 1 to 100.
formats::Area area_for(std::uint64_t bytes, unsigned percent);

/// What a writer of streams protects.
struct Protect {
  unsigned percent = 0;                                 ///< 0: nothing
  std::uint64_t area_bytes = std::uint64_t{128} << 20;  ///< 5 % of them are a hole of 6 MiB
};

/// Makes the parity notes of a stream while it is written: keeps the bytes of an area, and when it is full
/// writes its notes. Memory: the area, 128 MiB at most unless one chunk is longer, and its parity.
class AreaWriter {
 public:
  explicit AreaWriter(const Protect& protect) : protect_(protect) {}

  /// The next bytes of the stream.
  void add(std::span<const std::byte> bytes);
  /// Is there room for so many bytes? If not, a writer writes the notes first.
  bool has_room(std::uint64_t more) const;
  /// Writes the notes of the bytes so far and returns their length; then the next area begins. They stand at
  /// `offset` in the stream. The last area has `end`, whose stream bytes are filled in here.
  Result<std::uint64_t> write_notes(Sink& sink, std::uint64_t tag, std::uint64_t offset,
                                    std::optional<formats::EndRecord> end);

 private:
  Protect protect_;
  std::vector<std::byte> bytes_;
};

/// The parity of an area in memory. `bytes` is filled up with zeros to whole pieces.
class AreaParity {
 public:
  AreaParity(const formats::Area& area, std::vector<std::byte>& bytes);
  /// The note, whose area begins at `area_begin` in the stream.
  formats::ParityNote note(unsigned r, std::uint32_t stripe, std::uint64_t area_begin) const;

 private:
  formats::Area area_;
  std::vector<std::uint64_t> digests_;  // of all pieces
  std::vector<std::byte> parity_;       // those with r = 0 of all stripes, then those with r = 1, ..
  std::uint64_t area_digest_;
};

}  // namespace tdz
