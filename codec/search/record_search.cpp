// SPDX-License-Identifier: Apache-2.0
#include "codec/search/record_search.hpp"

#include <algorithm>
#include <utility>

#include "codec/column/rows.hpp"
#include "codec/search/column_search.hpp"
#include "codec/search/record_fields.hpp"
#include "codec/search/record_lengths.hpp"

namespace tdz {
namespace {

constexpr std::size_t kGuessBytes = std::size_t{64} << 10;   // of the sample that cuts records into fields
constexpr std::size_t kGuessRecords = 256;
constexpr std::size_t kColumnBytes = std::size_t{16} << 10;  // of a piece, to find the steps of columns
constexpr std::uint64_t kWorthColumns = 50;                  // 2 %: columns must save more than this

/// A column before its steps are known.
struct Cut {
  std::uint8_t width = 1;
  std::uint16_t count = 1;
  bool big_endian = false;

  std::size_t bytes() const { return std::size_t{width} * count; }
};

/// A record that may be; it begins `phase` bytes behind the raw prefix.
struct Layoutt {
  std::uint64_t phase = 0;
  std::vector<Cut> cuts;
};

std::size_t record_bytes(const std::vector<Cut>& cuts) {
  std::size_t sum = 0;
  for (const Cut& cut : cuts) sum += cut.bytes();
  return sum;
}

/// Fields that stand together and are alike are one column: fewer columns are faster, and lanes may be
/// sources of one another.
std::vector<Cut> joined(const std::vector<RecordField>& fields) {
  std::vector<Cut> cuts;
  const RecordField* last = nullptr;
  for (const RecordField& field : fields) {
    const bool alike = last != nullptr && last->width == field.width && last->big_endian == field.big_endian &&
                       last->real == field.real;
    if (alike) {
      ++cuts.back().count;
    } else {
      cuts.push_back({field.width, 1, field.big_endian});
    }
    last = &field;
  }
  return cuts;
}

/// The words of one column, out of every piece.
struct Gathered {
  std::vector<std::vector<std::byte>> memory;
  Pieces pieces;
};

Gathered gather(const Pieces& records, const FieldPlace& place) {
  Gathered gathered;
  for (const auto piece : records) {
    gathered.memory.emplace_back(piece.size() / place.row * place.bytes);
    gather(place, piece.first(piece.size() / place.row * place.row), gathered.memory.back());
  }
  for (const auto& memory : gathered.memory) gathered.pieces.emplace_back(memory);
  return gathered;
}

/// The pieces from their first whole record on.
Pieces records_of(const Samples& samples, const Pieces& pieces, std::size_t record, std::uint64_t phase) {
  Pieces records;
  for (const auto piece : aligned(samples, pieces, record)) {
    const auto rest = piece.subspan(std::min<std::size_t>(phase, piece.size()));
    records.push_back(rest.first(rest.size() / record * record));
  }
  return records;
}

class RecordSearch {
 public:
  RecordSearch(const Samples& samples, const Pieces& pieces, const SearchOptions& request,
               const SearchLimits& limits, Trial& trial)
      : samples_(samples), pieces_(pieces), request_(request), limits_(limits), trial_(trial) {
    request_.word.reset();
    request_.tuple.reset();
    if (!request_.row) request_.row = 0;  // rows of columns are not looked for
  }

  /// The best guess among the lengths that the bytes propose.
  std::optional<Layoutt> guess() {
    std::optional<Layoutt> best;
    std::uint64_t lowest = 0;
    for (const std::size_t record : propose_mixed_records(pieces_)) {
      const RecordGuess guess = guess_fields(records_of(samples_, pieces_, record, 0), record, std::max(kGuessBytes, kGuessRecords * record));
      if (guess.fields.empty()) continue;
      const std::uint64_t bits = guess.bits;
      if (best && bits >= lowest) continue;
      best = Layoutt{guess.begin, joined(guess.fields)};
      lowest = bits;
    }
    return best;
  }

  Result<RecordChoice> choose(const Layoutt& layout) {
    const std::size_t record = record_bytes(layout.cuts);
    const Pieces records = records_of(samples_, pieces_, record, layout.phase);
    const Pieces some = first_of(records, std::max(kColumnBytes, 16 * record) / record * record);
    RecordChoice choice;
    choice.phase = layout.phase;
    std::size_t at = 0;
    for (const Cut& cut : layout.cuts) {
      const Gathered words = gather(some, {record, at, cut.bytes()});
      SearchOptions request = request_;
      request.big_endian = cut.big_endian;
      auto column = search_column(cut.width, cut.count, words.pieces, request, limits_, trial_);
      if (!column) return column.error();
      choice.plan.columns.push_back(std::move(column->column));
      choice.hints.push_back(std::move(column->hints));
      at += cut.bytes();
    }
    auto size = trial_.packed_together(choice.plan, records, Packing::quick, choice.hints);
    if (!size) return size.error();
    choice.packed_bytes = *size;
    return choice;
  }

 private:
  const Samples& samples_;
  const Pieces& pieces_;
  SearchOptions request_;
  const SearchLimits& limits_;
  Trial& trial_;
};

}  // namespace

Result<std::optional<RecordChoice>> search_record(const Samples& samples, const Pieces& pieces,
                                                  std::span<const NumberType> said, const SearchOptions& request,
                                                  const SearchLimits& limits, std::uint64_t single_column_bytes,
                                                  Trial& trial) {
  (void)said;
  RecordSearch search(samples, pieces, request, limits, trial);
  const auto guess = search.guess();
  if (!guess || guess->cuts.size() > kMaxColumns) return std::optional<RecordChoice>();
  auto choice = search.choose(*guess);
  if (!choice) return choice.error();
  if (!clearly_smaller(choice->packed_bytes, single_column_bytes, kWorthColumns)) return std::optional<RecordChoice>();
  return std::optional(*std::move(choice));
}

}  // namespace tdz
