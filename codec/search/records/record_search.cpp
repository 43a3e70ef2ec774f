// SPDX-License-Identifier: Apache-2.0
#include "codec/search/records/record_search.hpp"

#include <algorithm>
#include <utility>

#include "codec/search/column/climb.hpp"
#include "codec/search/column/proposals.hpp"
#include "codec/search/column/steps_search.hpp"
#include "codec/search/records/fields.hpp"
#include "formats/plan/made_plans.hpp"
#include "kernels/float_environment.hpp"
#include "kernels/steps/any_width.hpp"
#include "kernels/steps/scale/detect_scale.hpp"

namespace tdz {
namespace {

// Of the samples that cut records into fields: so many bytes, for long records enough to hold so many
// records, but not more than a limit; and a limit for all lengths together.
constexpr std::size_t kGuessBytes = std::size_t{64} << 10;
constexpr std::size_t kGuessRecords = 256;
constexpr std::size_t kMostGuessBytes = std::size_t{192} << 10;
constexpr std::size_t kAllGuessBytes = std::size_t{256} << 10;

constexpr std::size_t kLongestRecord = 65535;                 // so that every count fits a plan
constexpr std::size_t kColumnBytes = std::size_t{128} << 10;  // of records, to find the steps of columns
constexpr std::size_t kMostApart = 8;                         // of neighbours: each column takes trials
constexpr std::size_t kJoinedPieces = 4;
constexpr std::size_t kFewestRecords = 64;   // that pieces must hold
constexpr std::uint64_t kWorthColumns = 50;  // 2 %: the guesses must promise more than this

// Of the size with one column, in parts of 10: if integer fields alone cost more, no trial is worth its time.
// For such a verdict there must be enough records.
constexpr std::uint64_t kHopelessFields = 11;
constexpr std::size_t kEnoughRecords = 128;

constexpr std::size_t kMostReals = 16;    // of equal fields, each of which is asked whether it can be scaled
constexpr std::size_t kAskedWords = 512;  // of a field in each piece
constexpr std::uint64_t kWorthScale = 5;  // one part in 5 of the bits: less says nothing

// ---- The steps for one column whose words are known

struct ColumnChoice {
  Column column;
  ColumnHints hints;
  std::uint64_t packed_bytes = 0;  ///< of all pieces together, at zstd -1
};

SearchOptions for_column(std::uint8_t width, std::uint16_t count, SearchOptions request) {
  request.word = width;
  if (!request.tuple) request.tuple = count;
  return request;
}

/// The steps without side data: the order, the layout, rows.
Result<formats::Parameters> usual_steps(const Pieces& words, const SearchOptions& request,
                                        const SearchLimits& limits, Trial& trial) {
  Kind kind{words, {apply_request(request, {.order = 1, .zigzag = true, .layout = Layout::tuple_planes})}};
  kind.shapes.front().row = 0;
  auto climbed = climb(kind, request, std::nullopt, limits, trial);
  if (!climbed) return climbed.error();
  const auto best = std::ranges::min_element(climbed->tried, {}, &Candidate::packed_bytes);
  formats::Parameters steps = parameters_of(best->plan, kind.shapes.front().tuple).value();
  if (steps.order == 0 && steps.tuple > kMaxSideTuple) steps.tuple = 1;  // so it may have side data
  return steps;
}

/// The steps for words of `width` bytes (1 to 8), `count` in a row. `words`: pieces of gathered words; each
/// begins with the first word of a row. What the request sets of tuple (else `count`), order, zigzag, layout
/// and row stays; its word counts for nothing. Errors: those of Trial.
Result<ColumnChoice> search_column(std::uint8_t width, std::uint16_t count, const Pieces& words,
                                   const SearchOptions& request, const SearchLimits& limits, Trial& trial) {
  const FloatEnvironment usual;
  const SearchOptions of_column = for_column(width, count, request);
  auto steps = usual_steps(words, of_column, limits, trial);
  if (!steps) return steps.error();
  auto tried = search_steps({{.base = *steps, .count = count}, true, propose_scales(*steps, words)}, words,
                            of_column, limits, UINT64_MAX / 2, trial);
  if (!tried) return tried.error();
  const TriedDraft& best = tried->best;
  return ColumnChoice{column_of(best.draft), hints_of(best.draft), best.packed_bytes};
}

// ---- Records

using MaybeChoice = Result<std::optional<RecordChoice>>;

/// The words of one column, from all pieces in turn. The search for one column compares few pieces at first:
/// so there are few, and they are long.
struct Gathered {
  std::vector<std::vector<std::byte>> memory;
  Pieces pieces;
};

Gathered gathered(const Pieces& records, const FieldPlace& place) {
  Gathered words;
  words.memory.resize(std::min(kJoinedPieces, records.size()));
  for (std::size_t p = 0; p < records.size(); ++p) {
    auto& memory = words.memory[p * words.memory.size() / records.size()];
    const std::size_t used = memory.size();
    memory.resize(used + records[p].size() / place.row * place.bytes);
    gather(place, records[p], std::span(memory).subspan(used));
  }
  for (const auto& memory : words.memory) words.pieces.emplace_back(memory);
  return words;
}

/// The whole records of each piece.
Pieces records_of(const Samples& samples, const Pieces& pieces, std::size_t record, std::uint64_t phase) {
  Pieces records;
  for (const auto piece : aligned(samples, pieces, record)) {
    const auto rest = piece.subspan(std::min<std::size_t>(phase, piece.size()));
    if (rest.size() >= record) records.push_back(rest.first(rest.size() / record * record));
  }
  return records;
}

/// All fields are words of one width that look real: what they cost does not show which of them can be
/// scaled.
bool are_equal_reals(const RecordGuess& guess) {
  const RecordField& first = guess.fields.front();
  const auto same = [&](const RecordField& f) {
    return f.real && f.width == first.width && f.big_endian == first.big_endian;
  };
  return guess.fields.size() > 1 && guess.fields.size() <= kMostReals && !first.big_endian &&
         std::ranges::all_of(guess.fields, same);
}

/// Asks each of equal real fields for itself.
void mark_decimals(const Pieces& records, std::size_t record, RecordGuess& guess) {
  FieldPlace place{record, guess.begin, guess.fields.front().width};
  const Pieces some = first_of(records, kAskedWords * record);
  for (RecordField& field : guess.fields) {
    const auto estimates = detect_scale({field.width, ScaleKind::real, 1}, gathered(some, place).pieces);
    const bool some_pairs = !estimates.empty() && !estimates.front().plan.pairs.empty();
    field.decimal = some_pairs &&
                    clearly_smaller(estimates.front().bits_with, estimates.front().bits_without, kWorthScale);
    place.at += field.width;
  }
}

/// Equal words from the first byte on: the search for one column has tried them. Columns of their own may
/// still be worth it where each field wants another difference, or only some of them are real or can be
/// scaled.
bool is_plain(const RecordLayout& layout, const RecordGuess& guess) {
  if (layout.phase != 0 || layout.parts.size() != 1) return false;
  const Neighbours& only = layout.parts.front();
  const RecordField& first = guess.fields.front();
  const bool alike = std::ranges::all_of(
      guess.fields, [&](const RecordField& f) { return f.real == first.real && f.decimal == first.decimal; });
  const bool no_gain = !clearly_smaller(guess.cost, guess.plain_cost, kWorthColumns);
  return is_word_size(only.front().width) && alike && (no_gain || only.size() == 1);
}

/// The columns of neighbours, and their packed size.
struct PartChoice {
  std::vector<ColumnChoice> columns;
  std::uint64_t packed_bytes = 0;
};

class RecordSearch {
 public:
  RecordSearch(const Samples& samples, const Pieces& pieces, const SearchOptions& request,
               const SearchLimits& limits, Trial& trial)
      : samples_(samples),
        pieces_(pieces),
        request_(request),
        limits_(limits),
        trial_(trial),
        bytes_(bytes_of(pieces)) {
    if (!request_.row) request_.row = 0;  // columns of records have no rows
  }

  MaybeChoice run(std::span<const NumberType> said, const MeasureColumn& single_column) {
    const auto lengths = propose_mixed_records(pieces_);
    if (said.empty() && lengths.empty()) return std::optional<RecordChoice>();
    auto single = single_column();
    if (!single) return single.error();
    single_ = *single;
    if (!said.empty()) {
      auto choice = choose(layout_of(said, request_.big_endian));
      if (!choice || *choice) return choice;
    }
    const auto layout = guess(lengths);
    if (!layout) return std::optional<RecordChoice>();
    return choose(*layout);
  }
  MaybeChoice known(std::span<const NumberType> fields) {
    return choose(layout_of(fields, request_.big_endian));
  }

 private:
  /// The cheapest guess among the lengths that the bytes propose, of those that are worth trials.
  std::optional<RecordLayout> guess(const std::vector<std::size_t>& lengths) const {
    std::optional<RecordLayout> best;
    std::uint64_t least = UINT64_MAX, plain = UINT64_MAX / 2;
    std::size_t left = kAllGuessBytes;
    for (const std::size_t record : lengths) {
      const std::size_t sample = std::clamp(kGuessRecords * record, kGuessBytes, kMostGuessBytes);
      if (sample > left) continue;
      left -= sample;
      const Pieces records = records_of(samples_, pieces_, record, 0);
      if (looks_plain(records, record, sample)) continue;
      RecordGuess guess = guess_fields(records, record, sample);
      if (guess.fields.empty() || is_hopeless(guess, record)) continue;
      if (guess.begin == 0 && are_equal_reals(guess)) mark_decimals(records, record, guess);
      RecordLayout layout = layout_of(guess);
      const std::uint64_t bytes = guess.packed_bytes(guess.cost, bytes_);
      if (is_plain(layout, guess)) {
        plain = std::min(plain, bytes);
      } else if (bytes < least) {
        best = std::move(layout);
        least = bytes;
      }
    }
    if (clearly_smaller(plain, least, kWorthColumns)) return std::nullopt;
    return best;
  }

  /// A glance at a part of the sample: the words are equal, and none looks real.
  static bool looks_plain(const Pieces& records, std::size_t record, std::size_t sample) {
    constexpr std::size_t kPart = 4;
    if (sample / kPart / record < kEnoughRecords) return false;
    const RecordGuess glance = guess_fields(records, record, sample / kPart);
    return !glance.fields.empty() && std::ranges::none_of(glance.fields, &RecordField::real) &&
           is_plain(layout_of(glance), glance);
  }

  /// Real fields may become much smaller than their cost, if they can be scaled; integers hardly.
  bool is_hopeless(const RecordGuess& guess, std::size_t record) const {
    if (guess.sample_bytes / record < kEnoughRecords || single_.quickly_packed > bytes_) return false;
    return guess.packed_bytes(guess.integer_cost, bytes_) > single_.quickly_packed / 10 * kHopelessFields;
  }

  /// Columns for this layout, if they are clearly smaller than one column.
  MaybeChoice choose(const RecordLayout& layout) {
    const std::size_t record = layout.record_bytes();
    if (record > kLongestRecord || layout.parts.size() > kMaxColumns) return std::optional<RecordChoice>();
    const Pieces records = records_of(samples_, pieces_, record, layout.phase);
    if (bytes_of(records) / record < kFewestRecords) return std::optional<RecordChoice>();
    auto choice = columns_of(layout, records);
    if (!choice) return choice.error();
    auto size = trial_.packed_together(choice->plan, records, limits_.finalist_packing, choice->hints);
    if (!size) return size.error();
    // The records are not all of the pieces.
    choice->packed_bytes = *size + trial_.share_of_records(choice->plan, records) +
                           (bytes_ - bytes_of(records)) * *size / bytes_of(records);
    if (!clearly_smaller(choice->packed_bytes, single_.packed_bytes, limits_.worth_columns))
      return std::optional<RecordChoice>();
    return std::optional(*std::move(choice));
  }

  Result<RecordChoice> columns_of(const RecordLayout& layout, const Pieces& records) {
    const std::size_t record = layout.record_bytes();
    const std::size_t of_piece = std::max(kColumnBytes / records.size(), kFewestRecords / 4 * record);
    const Pieces some = first_of(records, of_piece / record * record);
    RecordChoice choice;
    choice.phase = layout.phase;
    const bool may_split = layout.fields() <= kMaxColumns;
    FieldPlace place{record, 0, 0};
    for (const Neighbours& part : layout.parts) {
      auto columns = best_of(part, may_split, some, place);
      if (!columns) return columns.error();
      for (ColumnChoice& column : columns->columns) {
        choice.plan.columns.push_back(std::move(column.column));
        choice.hints.push_back(std::move(column.hints));
      }
      place.at += joined(part).bytes();
    }
    return choice;
  }

  /// One column, or one for each of the neighbours where that is smaller.
  Result<PartChoice> best_of(const Neighbours& part, bool may_split, const Pieces& records,
                             FieldPlace place) {
    auto one = columns_of({joined(part)}, records, place);
    if (!one || part.size() == 1 || part.size() > kMostApart || !may_split) return one;
    auto each = columns_of(part, records, place);
    if (!each) return each;
    return each->packed_bytes < one->packed_bytes ? each : one;
  }

  /// A column for each of the cuts; the first stands at `place`.
  Result<PartChoice> columns_of(const Neighbours& cuts, const Pieces& records, FieldPlace place) {
    PartChoice choice;
    SearchOptions request = request_;
    for (const RecordCut& cut : cuts) {
      place.bytes = cut.bytes();
      request.big_endian = cut.big_endian;
      const Gathered words = gathered(records, place);
      auto column = search_column(cut.width, static_cast<std::uint16_t>(cut.count), words.pieces, request,
                                  limits_, trial_);
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
  // Of one column; more than any size where fields are known.
  SingleColumn single_{UINT64_MAX / 2, UINT64_MAX / 2};
  Trial& trial_;
  std::uint64_t bytes_;
};

}  // namespace

MaybeChoice search_record(const Samples& samples, const Pieces& pieces, std::span<const NumberType> said,
                          const SearchOptions& request, const SearchLimits& limits,
                          const MeasureColumn& single_column, Trial& trial) {
  const bool shape_is_set = request.word || request.tuple;
  if (shape_is_set || pieces.empty()) return std::optional<RecordChoice>();
  return RecordSearch(samples, pieces, request, limits, trial).run(said, single_column);
}

MaybeChoice search_fields(const Samples& samples, const Pieces& pieces, std::span<const NumberType> fields,
                          const SearchOptions& request, const SearchLimits& limits, Trial& trial) {
  if (pieces.empty()) return std::optional<RecordChoice>();
  return RecordSearch(samples, pieces, request, limits, trial).known(fields);
}

}  // namespace tdz
