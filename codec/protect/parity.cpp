// SPDX-License-Identifier: Apache-2.0
#include "codec/protect/parity.hpp"

#include <isa-l/erasure_code.h>

#include <algorithm>

#include "formats/digest.hpp"

namespace tdz {

using namespace formats;

// ---- Stripes

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

// ---- Areas

namespace {

constexpr unsigned kUsualBits = 12;          // a sector of a disk is a piece
constexpr std::uint64_t kUsualStripe = 200;  // pieces; more cost time, and gain little

constexpr std::uint64_t divided_up(std::uint64_t a, std::uint64_t b) {
  return (a + b - 1) / b;
}

/// XXH3-64 of all digests, as they would stand in a file.
std::uint64_t digest_of(std::span<const std::uint64_t> digests) {
  std::vector<std::byte> bytes;
  bytes.reserve(8 * digests.size());
  for (const std::uint64_t digest : digests) put_le(bytes, digest);
  return xxh3_64(bytes);
}

}  // namespace

Area area_for(std::uint64_t bytes, unsigned percent) {
  Area area{.bytes = bytes};
  while (area.piece_bits < kUsualBits && bytes > kUsualStripe << area.piece_bits) ++area.piece_bits;
  const std::uint64_t most = std::min<std::uint64_t>(kUsualStripe, kMaxStripe * 100u / (100 + percent));
  std::uint64_t stripes = divided_up(area.pieces(), most);
  if (stripes % 2 == 0 && stripes < area.pieces()) ++stripes;
  area.stripes = static_cast<std::uint16_t>(stripes);
  const std::uint64_t stripe = area.pieces_of(0);
  const std::uint64_t parity = std::max<std::uint64_t>(2, divided_up(stripe * percent, 100));
  area.parity = static_cast<std::uint8_t>(std::min(parity, kMaxStripe - stripe));
  return area;
}

AreaParity::AreaParity(const Area& area, std::vector<std::byte>& bytes)
    : area_(area), digests_(static_cast<std::size_t>(area.pieces())) {
  const std::size_t piece = area.piece_bytes();
  bytes.resize(digests_.size() * piece);
  parity_.resize(piece * area.parity * area.stripes);
  StripeEncoder encoder(area.parity);
  std::vector<const std::byte*> pieces;
  std::vector<std::byte*> parity(area.parity);
  for (std::size_t stripe = 0; stripe < area.stripes; ++stripe) {
    pieces.clear();
    for (std::size_t j = stripe; j < digests_.size(); j += area.stripes) {
      digests_[j] = xxh3_64(std::span(bytes).subspan(j * piece, piece));
      pieces.push_back(bytes.data() + j * piece);
    }
    for (std::size_t r = 0; r < parity.size(); ++r)
      parity[r] = parity_.data() + (r * area.stripes + stripe) * piece;
    encoder.encode(pieces, piece, parity);
  }
  area_digest_ = digest_of(digests_);
}

ParityNote AreaParity::note(unsigned r, std::uint32_t stripe, std::uint64_t area_begin) const {
  ParityNote note{.area = area_, .area_digest = area_digest_};
  note.offset = area_begin + area_.bytes + area_.note_place(r, stripe);
  note.r = static_cast<std::uint8_t>(r);
  note.stripe = static_cast<std::uint16_t>(stripe);
  const std::size_t piece = area_.piece_bytes();
  const auto parity = std::span(parity_).subspan((std::size_t{r} * area_.stripes + stripe) * piece, piece);
  note.parity.assign(parity.begin(), parity.end());
  if (!area_.has_digests(r)) return note;
  for (std::size_t j = stripe; j < digests_.size(); j += area_.stripes) note.digests.push_back(digests_[j]);
  return note;
}

/// Memory for a whole area is taken at once: to grow by and by costs as much time as the arithmetic.
void AreaWriter::add(std::span<const std::byte> bytes) {
  constexpr std::size_t kShort = 1u << 20;
  const std::size_t needed = bytes_.size() + bytes.size();
  if (needed > bytes_.capacity() && needed > kShort)
    bytes_.reserve(std::max(needed, static_cast<std::size_t>(protect_.area_bytes)) + (1u << kMaxPieceBits));
  bytes_.insert(bytes_.end(), bytes.begin(), bytes.end());
}

bool AreaWriter::has_room(std::uint64_t more) const {
  return bytes_.size() + more <= protect_.area_bytes;
}

Result<std::uint64_t> AreaWriter::write_notes(Sink& sink, std::uint64_t tag, std::uint64_t offset,
                                              std::optional<EndRecord> end) {
  Area area = area_for(bytes_.size(), protect_.percent);
  area.has_end = end.has_value();
  const std::uint64_t begin = offset - area.bytes, length = area.notes_bytes();
  if (end) end->stream_bytes = offset + length + kEndLength;
  const auto numbers = end ? end_numbers(*end) : std::vector<std::byte>();
  const AreaParity parity(area, bytes_);
  bytes_.clear();
  for (unsigned r = 0; r < area.parity; ++r) {
    for (std::uint32_t stripe = 0; stripe < area.stripes; ++stripe) {
      ParityNote note = parity.note(r, stripe, begin);
      note.tag = tag;
      if (area.has_digests(r)) note.end = numbers;
      if (auto done = sink.write(serialize(note)); !done) return done.error();
    }
  }
  return length;
}

}  // namespace tdz
