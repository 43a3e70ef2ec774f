// SPDX-License-Identifier: Apache-2.0
// The arithmetic of parity: FORMAT.md, section 5, "Parity notes". Parity pieces are sums of the pieces of a
// stripe over GF(2^8), with the coefficients of a Cauchy matrix (Bloemer et al. 1995), so any e lost pieces
// follow from the others and any e parity pieces. The loops over bytes are those of ISA-L. A StripeEncoder
// belongs to one thread; the functions are thread-safe.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace tdz {

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

}  // namespace tdz
