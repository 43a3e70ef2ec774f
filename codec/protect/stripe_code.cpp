// SPDX-License-Identifier: Apache-2.0
#include "codec/protect/stripe_code.hpp"

#include <isa-l/erasure_code.h>

namespace tdz {
namespace {

using Matrix = std::vector<unsigned char>;  // row after row

/// targets = matrix * sources, byte by byte. ISA-L takes pointers to bytes that may change, and changes only
/// the targets.
void multiply(const Matrix& tables, std::span<const std::byte* const> sources, std::size_t bytes,
              std::span<std::byte* const> targets) {
  std::vector<unsigned char*> from, to;
  for (const std::byte* source : sources)
    from.push_back(reinterpret_cast<unsigned char*>(const_cast<std::byte*>(source)));
  for (std::byte* target : targets) to.push_back(reinterpret_cast<unsigned char*>(target));
  ec_encode_data(static_cast<int>(bytes), static_cast<int>(from.size()), static_cast<int>(to.size()),
                 const_cast<unsigned char*>(tables.data()), from.data(), to.data());
}

Matrix tables_of(Matrix matrix, std::size_t columns, std::size_t rows) {
  constexpr std::size_t kTableBytes = 32;  // for each number of a matrix
  Matrix tables(kTableBytes * columns * rows);
  ec_init_tables(static_cast<int>(columns), static_cast<int>(rows), matrix.data(), tables.data());
  return tables;
}

/// The places where `pieces` has one, or has none.
std::vector<unsigned> places(const std::vector<const std::byte*>& pieces, bool there) {
  std::vector<unsigned> found;
  for (unsigned place = 0; place < pieces.size(); ++place) {
    if ((pieces[place] != nullptr) == there) found.push_back(place);
  }
  return found;
}

/// The lost pieces are the inverse of their coefficients in `rows`, times what these parity pieces miss
/// without them. So the matrix has a column for each piece that is there, then one for each parity piece.
Matrix restoring_matrix(const std::vector<unsigned>& lost, const std::vector<unsigned>& there,
                        const std::vector<unsigned>& rows) {
  const std::size_t e = lost.size(), columns = there.size() + e;
  Matrix square(e * e), inverse(e * e), matrix(e * columns);
  for (std::size_t x = 0; x < e; ++x) {
    for (std::size_t y = 0; y < e; ++y) square[x * e + y] = parity_coefficient(rows[x], lost[y]);
  }
  gf_invert_matrix(square.data(), inverse.data(), static_cast<int>(e));  // a Cauchy matrix has an inverse
  for (std::size_t x = 0; x < e; ++x) {
    for (std::size_t y = 0; y < e; ++y) {
      const unsigned char factor = inverse[x * e + y];
      matrix[x * columns + there.size() + y] = factor;
      for (std::size_t q = 0; q < there.size(); ++q)
        matrix[x * columns + q] ^= gf_mul(factor, parity_coefficient(rows[y], there[q]));
    }
  }
  return matrix;
}

}  // namespace

std::uint8_t parity_coefficient(unsigned r, unsigned q) {
  return gf_inv(static_cast<unsigned char>((255 - r) ^ q));
}

void StripeEncoder::encode(std::span<const std::byte* const> pieces, std::size_t bytes,
                           std::span<std::byte* const> parity) {
  if (pieces_ != pieces.size()) {
    pieces_ = pieces.size();
    Matrix matrix;
    for (unsigned r = 0; r < parity_; ++r) {
      for (unsigned q = 0; q < pieces_; ++q) matrix.push_back(parity_coefficient(r, q));
    }
    tables_ = tables_of(std::move(matrix), pieces_, parity_);
  }
  multiply(tables_, pieces, bytes, parity);
}

bool restore_pieces(const DamagedStripe& stripe, std::size_t bytes, std::span<std::byte* const> restored) {
  const auto lost = places(stripe.pieces, false);
  const auto there = places(stripe.pieces, true);
  auto rows = places(stripe.parity, true);
  if (lost.empty()) return true;
  if (rows.size() < lost.size()) return false;
  rows.resize(lost.size());
  std::vector<const std::byte*> sources;
  for (const unsigned place : there) sources.push_back(stripe.pieces[place]);
  for (const unsigned row : rows) sources.push_back(stripe.parity[row]);
  const auto tables = tables_of(restoring_matrix(lost, there, rows), sources.size(), lost.size());
  multiply(tables, sources, bytes, restored);
  return true;
}

}  // namespace tdz
