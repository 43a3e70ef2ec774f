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
constexpr std::size_t kGuessRecords = 256;                   // for long records more, but not more than this:
constexpr std::size_t kMostGuessBytes = std::size_t{192} << 10;
constexpr std::size_t kColumnBytes = std::size_t{16} << 10;  // of a piece, to find the steps of columns
constexpr std::size_t kColumnRecords = 16;                   // the same for long records
constexpr std::uint64_t kWorthColumns = 50;                  // 2 %: columns must save more than this
// Of the size with one column, in parts of 10: if the bits of the fields are more, no trial is worth its time.
constexpr std::uint64_t kHopeless = 11;
constexpr std::size_t kEnoughRecords = 1024;  // for such a verdict

/// A column before its steps are known.
struct Cut {
  std::uint8_t width = 1;
  std::uint16_t count = 1;
  bool big_endian = false;

  std::size_t bytes() const { return std::size_t{width} * count; }
};

/// Neighbours of one width and byte order: one column for all of them or one for each, which trials decide.
/// Few columns are faster, and lanes may be sources of one another.
using Neighbours = std::vector<Cut>;

/// A record that may be; it begins `phase` bytes behind the raw prefix.
struct RecordLayout {
  std::uint64_t phase = 0;
  std::vector<Neighbours> parts;
};

Cut joined(const Neighbours& part) {
  Cut cut = part.front();
  cut.count = 0;
  for (const Cut& c : part) cut.count = static_cast<std::uint16_t>(cut.count + c.count);
  return cut;
}

std::size_t record_bytes(const RecordLayout& layout) {
  std::size_t sum = 0;
  for (const Neighbours& part : layout.parts) sum += joined(part).bytes();
  return sum;
}

/// Appends a field. `apart`: it differs from the field before, so that it may want a column of its own.
void append(const Cut& field, bool apart, std::vector<Neighbours>& parts) {
  const bool new_part = parts.empty() || parts.back().front().width != field.width ||
                        parts.back().front().big_endian != field.big_endian;
  if (new_part) {
    parts.push_back({field});
  } else if (apart) {
    parts.back().push_back(field);
  } else {
    Cut& last = parts.back().back();
    last.count = static_cast<std::uint16_t>(last.count + field.count);
  }
}

RecordLayout layout_of(const RecordGuess& guess) {
  RecordLayout layout{guess.begin, {}};
  const RecordField* last = nullptr;
  for (const RecordField& field : guess.fields) {
    const bool apart = last == nullptr || last->real != field.real || last->order != field.order;
    append({field.width, 1, field.big_endian}, apart, layout.parts);
    last = &field;
  }
  return layout;
}

RecordLayout layout_of(std::span<const NumberType> said, bool big_endian) {
  RecordLayout layout;
  for (const NumberType& type : said)
    append({type.word, static_cast<std::uint16_t>(type.tuple), big_endian && type.word > 1}, true, layout.parts);
  return layout;
}

/// Equal words from the first byte on: the search for one column has tried them. Columns of their own may still
/// be worth it where each field wants another difference, or only some of them are real.
bool is_plain(const RecordLayout& layout, const RecordGuess& guess) {
  const bool equal = layout.phase == 0 && layout.parts.size() == 1 && is_word_size(layout.parts.front().front().width);
  const bool alike = !clearly_smaller(guess.bits, guess.plain_bits, kWorthColumns);
  const bool same = std::ranges::all_of(guess.fields, [&](const RecordField& f) { return f.real == guess.fields[0].real; });
  return equal && same && (alike || layout.parts.front().size() == 1);
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

struct PartChoice {
  std::vector<ColumnChoice> columns;
  std::uint64_t packed_bytes = 0;
};

class RecordSearch {
 public:
  RecordSearch(const Samples& samples, const Pieces& pieces, const SearchOptions& request,
               const SearchLimits& limits, std::uint64_t single_column_bytes, Trial& trial)
      : samples_(samples), pieces_(pieces), request_(request), limits_(limits), single_(single_column_bytes),
        trial_(trial) {
    request_.word.reset();
    request_.tuple.reset();
    if (!request_.row) request_.row = 0;  // rows of columns are not looked for
    for (const auto piece : pieces) bytes_ += piece.size();
  }

  Result<std::optional<RecordChoice>> run(std::span<const NumberType> said) {
    if (!said.empty()) {
      auto choice = worth(layout_of(said, request_.big_endian));
      if (!choice || *choice) return choice;
    }
    const auto layout = guess();
    if (!layout) return std::optional<RecordChoice>();
    return worth(*layout);
  }

 private:
  /// The best guess among the lengths that the bytes propose, if it is worth trials.
  std::optional<RecordLayout> guess() const {
    std::optional<RecordLayout> best;
    std::uint64_t least = UINT64_MAX;
    for (const std::size_t record : propose_mixed_records(pieces_)) {
      const std::size_t sample = std::clamp(kGuessRecords * record, kGuessBytes, kMostGuessBytes);
      const RecordGuess guess = guess_fields(records_of(samples_, pieces_, record, 0), record, sample);
      if (guess.fields.empty() || is_hopeless(guess)) continue;
      RecordLayout layout = layout_of(guess);
      const std::uint64_t bytes = guess.bytes_of(guess.bits, bytes_);
      if (is_plain(layout, guess) || bytes >= least) continue;
      best = std::move(layout);
      least = bytes;
    }
    return best;
  }

  /// Fields that scale may divide can become much smaller than their bits; the others hardly can.
  bool is_hopeless(const RecordGuess& guess) const {
    if (guess.records < kEnoughRecords || single_ > bytes_) return false;
    return guess.bytes_of(guess.integer_bits, bytes_) * 10 > single_ * kHopeless;
  }

  /// The choice for this layout, if it is clearly smaller than one column.
  Result<std::optional<RecordChoice>> worth(const RecordLayout& layout) {
    const std::size_t record = record_bytes(layout);
    std::size_t fields = 0;
    for (const Neighbours& part : layout.parts) fields += part.size();
    if (record > kMaxRowBytes || layout.parts.size() > kMaxColumns) return std::optional<RecordChoice>();
    auto choice = choose(layout, fields <= kMaxColumns);
    if (!choice) return choice.error();
    if (!clearly_smaller(choice->packed_bytes, single_, kWorthColumns)) return std::optional<RecordChoice>();
    return std::optional(*std::move(choice));
  }

  Result<RecordChoice> choose(const RecordLayout& layout, bool may_split) {
    const std::size_t record = record_bytes(layout);
    const Pieces records = records_of(samples_, pieces_, record, layout.phase);
    const Pieces some = first_of(records, std::max(kColumnBytes, kColumnRecords * record) / record * record);
    RecordChoice choice;
    choice.phase = layout.phase;
    FieldPlace place{record, 0, 0};
    for (const Neighbours& part : layout.parts) {
      auto columns = columns_of(part, may_split, some, place);
      if (!columns) return columns.error();
      for (ColumnChoice& column : columns->columns) {
        choice.plan.columns.push_back(std::move(column.column));
        choice.hints.push_back(std::move(column.hints));
      }
      place.at += joined(part).bytes();
    }
    auto size = trial_.packed_together(choice.plan, records, Packing::quick, choice.hints);
    if (!size) return size.error();
    choice.packed_bytes = *size;
    return choice;
  }

  /// One column, or one for each of the neighbours where that is smaller.
  Result<PartChoice> columns_of(const Neighbours& part, bool may_split, const Pieces& records, FieldPlace place) {
    auto one = columns_of({joined(part)}, records, place);
    if (!one || part.size() == 1 || !may_split) return one;
    auto each = columns_of(part, records, place);
    if (!each) return each.error();
    return each->packed_bytes < one->packed_bytes ? each : one;
  }

  Result<PartChoice> columns_of(const Neighbours& cuts, const Pieces& records, FieldPlace place) {
    PartChoice choice;
    for (const Cut& cut : cuts) {
      place.bytes = cut.bytes();
      const Gathered words = gather(records, place);
      SearchOptions request = request_;
      request.big_endian = cut.big_endian;
      auto column = search_column(cut.width, cut.count, words.pieces, request, limits_, trial_);
      if (!column) return column.error();
      choice.packed_bytes += column->packed_bytes;
      choice.columns.push_back(*std::move(column));
      place.at += place.bytes;
    }
    return choice;
  }

  const Samples& samples_;
  const Pieces& pieces_;
  SearchOptions request_;
  const SearchLimits& limits_;
  std::uint64_t single_;
  Trial& trial_;
  std::uint64_t bytes_ = 0;
};

}  // namespace

Result<std::optional<RecordChoice>> search_record(const Samples& samples, const Pieces& pieces,
                                                  std::span<const NumberType> said, const SearchOptions& request,
                                                  const SearchLimits& limits, std::uint64_t single_column_bytes,
                                                  Trial& trial) {
  return RecordSearch(samples, pieces, request, limits, single_column_bytes, trial).run(said);
}

}  // namespace tdz
