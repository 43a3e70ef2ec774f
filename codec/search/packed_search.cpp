// SPDX-License-Identifier: Apache-2.0
#include "codec/search/search.hpp"

#include <algorithm>
#include <array>
#include <functional>
#include <optional>
#include <utility>

#include "codec/search/column/proposals.hpp"
#include "codec/search/limits.hpp"
#include "formats/plan/made_plans.hpp"
#include "kernels/cuda/packed/packed_chunk.hpp"
#include "kernels/cuda/packed/packed_plan.hpp"
#include "kernels/float_environment.hpp"
#include "kernels/steps/any_width.hpp"
#include "kernels/steps/column_encoder.hpp"

namespace tdz {
namespace {

// Samples grow with the input: a search may take a millisecond for 200 KB, and 8 for any length.
constexpr std::uint64_t kLongInput = std::uint64_t{1} << 20;
constexpr std::size_t kPieces = 8, kPieceBytes = std::size_t{64} << 10;
constexpr std::size_t kPiecesOfShort = 4, kPieceBytesOfShort = std::size_t{12} << 10;
/// Shapes are compared on a part of each piece: there are many, and they differ much.
constexpr std::size_t kPartForShapes = 4;
constexpr std::size_t kTriedEach = 2;  ///< orders, rows and scale are tried on every second piece
constexpr std::size_t kShapes = 4;     ///< shapes whose orders are tried
constexpr std::size_t kRows = 2;       ///< row lengths that are tried
constexpr std::size_t kPiecesForRows = 3;
constexpr std::size_t kLookedAt = 1024;  ///< words of a piece that show whether they are IEEE numbers
constexpr unsigned kHighestTried = 4;    ///< order; noise grows by half a bit with each

// The next ones are parts of a size: n means 1/n of it.
constexpr std::uint64_t kWorthLanes = 66;    // 1.5 %: groups of single words are restored faster than lanes
constexpr std::uint64_t kWorthRow = 50;      // 2 %: a difference over rows is one more pass
constexpr std::uint64_t kWorthPacking = 50;  // 2 %: plain bytes are a copy
constexpr std::uint64_t kWorthScale = 4;     // a fifth of the smaller size: scale takes longer than all else

/// With runs a GPU needs one pass, and no sum of what comes before; a CPU loses no time. The first group of a
/// run may need all bits of its words: of a 256th of the words, so runs cost at most ratio / 256 of size. On
/// the corpus that was 0.02 to 0.2 %. Where the ratio is high, sums are a short pass too.
constexpr std::uint32_t kRunForGpu = cuda::kRowsOfStretch;
constexpr std::uint64_t kMostRatioForRuns = 5;  // 2 %
/// A warp takes a run, and a GPU holds some 4200 warps at once: two for each keep it busy to the end. So
/// short inputs of wide tuples get shorter runs where those cost hardly more.
constexpr std::uint64_t kRunsForGpu = 8192;
constexpr std::uint64_t kWorthLongRun = 200;    // 0.5 %: shorter runs are not taken
constexpr std::uint64_t kWorthTupleOnGpu = 50;  // 2 %: with a single lane threads need not exchange words

/// One field of the rows of samples, or several equal ones, as an input of its own.
Samples field_of(const Samples& samples, FieldPlace place) {
  Samples field;
  std::vector<std::size_t> lengths;
  for (const auto piece : aligned(samples, samples.pieces, place.row)) {
    const std::size_t rows = piece.size() / place.row, begin = field.memory.size();
    field.memory.resize(begin + rows * place.bytes);
    gather(place, piece.first(rows * place.row), std::span(field.memory).subspan(begin));
    lengths.push_back(rows * place.bytes);
  }
  std::span<const std::byte> rest = field.memory;
  for (const std::size_t length : lengths) {
    field.pieces.push_back(rest.first(length));
    field.offsets.push_back(0);
    rest = rest.subspan(length);
  }
  return field;
}

/// The steps of one column, as the search varies them.
struct PackedDraft {
  std::uint8_t word = 1;
  bool swapped = false;
  std::uint32_t tuple = 1;  ///< of the difference
  unsigned order = 1;
  bool zigzag = true;
  std::uint32_t row = 0;    ///< of a difference before it; 0: none
  std::uint32_t lanes = 1;  ///< of the groups
  std::uint32_t run = 0;    ///< of the difference
  std::optional<ScalePlan> scale{};
  ScaleKind kind = ScaleKind::real;

  bool has_differences() const { return order != 0 || row != 0; }
};

Column column_of(const PackedDraft& draft) {
  Column column{.width = draft.word, .count = 1, .steps = {}};
  if (draft.swapped) column.steps.push_back(ByteswapStep{});
  if (draft.scale) column.steps.push_back(ScaleStep{draft.tuple, draft.kind});
  if (draft.row != 0) column.steps.push_back(DifferenceStep{draft.row, 1});
  if (draft.order != 0)
    column.steps.push_back(DifferenceStep{draft.tuple, static_cast<std::uint8_t>(draft.order), draft.run});
  if (draft.zigzag) column.steps.push_back(ZigzagStep{});
  column.steps.push_back(PackedStep{draft.lanes});
  return column;
}

Recipe recipe_of(const PackedDraft& draft) {
  Recipe recipe{formats::plan_of(column_of(draft)), {}, one_packing(Packing::stored)};
  if (draft.scale) recipe.hints = {ColumnHints{.scale = draft.scale}};
  return recipe;
}

struct Sized {
  PackedDraft draft;
  std::uint64_t bytes = 0;
};

class PackedSearch {
 public:
  /// `for_gpu`: only what one kernel undoes in one pass, so neither a difference over rows nor scale.
  PackedSearch(const SearchInput& known, const SearchOptions& request, bool for_gpu, Samples samples)
      : known_(known), request_(request), for_gpu_(for_gpu), samples_(std::move(samples)) {
    for (std::size_t i = 0; i < samples_.pieces.size(); i += kTriedEach) tried_.push_back(samples_.pieces[i]);
  }

  /// Without runs. Nothing: plain bytes are hardly larger.
  std::optional<Sized> run() {
    std::vector<Sized> best;
    for (const Sized& shape : best_shapes()) best.push_back(with_best_order(shape.draft));
    std::ranges::stable_sort(best, {}, [this](const Sized& s) { return cost(s); });
    if (best.empty()) return {};
    Sized chosen = with_row(best.front());
    if (!for_gpu_) {
      if (auto scaled = with_scale(chosen)) chosen = *std::move(scaled);
    }
    chosen = with_fewest_lanes(chosen);
    const bool asked = request_.order || request_.zigzag || request_.row;  // a type asks for no step
    if (!asked && !clearly_smaller(chosen.bytes, bytes_of(tried_), kWorthPacking)) return {};
    return chosen;
  }

  /// What run() chose, in runs where a device takes it and they cost little.
  PackedDraft with_runs(const Sized& chosen) {
    PackedDraft draft = chosen.draft;
    // A caller who names an order gets that difference alone.
    const bool cheap = !request_.order && chosen.bytes * kMostRatioForRuns > bytes_of(tried_);
    if ((for_gpu_ || cheap) && cuda::is_packed_for_device(formats::plan_of(column_of(draft))))
      draft.run = kRunForGpu;
    return for_gpu_ && draft.run != 0 && draft.order != 0 ? with_enough_runs(draft) : draft;
  }

  Samples take_samples() && { return std::move(samples_); }

 private:
  std::uint64_t size_of(const PackedDraft& draft, const Pieces& pieces) {
    const Recipe recipe = recipe_of(draft);
    std::uint64_t sum = 0;
    const Pieces whole = in_tuples(draft, pieces);
    for (const auto piece : whole) {
      const auto coded = encoder_.encode(recipe.plan, recipe.hints, piece);
      sum += coded ? coded->bytes.size() : 2 * piece.size();
    }
    // Words before the first whole tuple of a piece count as they are: pieces are equally long for all.
    return sum + bytes_of(pieces) - bytes_of(whole);
  }
  /// The pieces from their first whole tuple on.
  Pieces in_tuples(const PackedDraft& draft, const Pieces& pieces) const {
    return aligned(samples_, pieces, std::size_t{draft.word} * draft.tuple);
  }
  /// By which shapes are compared.
  std::uint64_t cost(const Sized& sized) const {
    return sized.bytes + (for_gpu_ && sized.draft.tuple > 1 ? sized.bytes / kWorthTupleOnGpu : 0);
  }
  Sized sized(const PackedDraft& draft, const Pieces& pieces) { return {draft, size_of(draft, pieces)}; }

  // ---- Words and tuples

  /// The words that the caller or a header names, or all.
  std::vector<std::uint8_t> words() const {
    if (request_.word) return {*request_.word};
    if (has_hint())
      return is_of_three_bytes() ? std::vector<std::uint8_t>{3} : std::vector{known_.hint->type.word};
    return {1, 2, 3, 4, 8};
  }
  bool has_hint() const { return known_.hint && known_.hint->type != NumberType{}; }
  /// Headers describe words of 3 bytes, of audio, as tuples of bytes.
  bool is_of_three_bytes() const {
    const NumberType& type = known_.hint->type;
    return type.kind == 0 && type.word == 1 && type.tuple % 3 == 0;
  }
  std::vector<std::uint32_t> tuples(std::uint8_t word, const std::vector<std::size_t>& records) const {
    if (request_.tuple) return {*request_.tuple};
    if (has_hint()) return {1, is_of_three_bytes() ? known_.hint->type.tuple / 3 : known_.hint->type.tuple};
    std::vector<std::uint32_t> tuples{1, 2, 3, 4};
    const std::uint32_t most = for_gpu_ ? cuda::kMostGroupTuple : kMaxSideTuple;
    for (const std::size_t bytes : records) {
      const std::size_t tuple = bytes / word;
      if (bytes % word == 0 && tuple > 4 && tuple <= most)
        tuples.push_back(static_cast<std::uint32_t>(tuple));
    }
    return tuples;
  }
  std::vector<bool> orders_of_bytes(std::uint8_t word) const {
    if (word == 1) return {false};
    if (request_.big_endian) return {true};
    if (has_hint()) return {known_.hint->big_endian};
    return request_.word ? std::vector{false} : std::vector{false, true};
  }

  /// Shapes with a difference of order 1, best first.
  std::vector<Sized> best_shapes() {
    const Pieces pieces = first_of(samples_.pieces, longest_piece() / kPartForShapes);
    std::vector<std::size_t> records;
    if (!request_.tuple && !has_hint()) records = propose_mixed_records(samples_.pieces);
    std::vector<Sized> shapes;
    for (const std::uint8_t word : words()) {
      for (const std::uint32_t tuple : tuples(word, records)) {
        for (const bool swapped : orders_of_bytes(word)) {
          const bool side = tuple <= (for_gpu_ ? cuda::kMostGroupTuple : kMaxSideTuple);
          shapes.push_back(sized({word, swapped, tuple, 1, true, 0, side ? tuple : 1}, pieces));
        }
      }
    }
    std::ranges::stable_sort(shapes, {}, [this](const Sized& s) { return cost(s); });
    if (shapes.size() > kShapes) shapes.resize(kShapes);
    return shapes;
  }
  std::size_t longest_piece() const {
    std::size_t longest = 0;
    for (const auto piece : samples_.pieces) longest = std::max(longest, piece.size());
    return longest;
  }

  // ---- Orders

  /// Orders from 0 on, as long as they save something; without a difference with and without zigzag.
  Sized with_best_order(PackedDraft draft) {
    if (request_.order) {
      draft.order = *request_.order;
      return with_best_zigzag(draft);
    }
    draft.order = 0;
    Sized best = with_best_zigzag(draft);
    for (unsigned order = 1; order <= kHighestTried; ++order) {
      draft.order = order;
      const Sized next = with_best_zigzag(draft);
      if (next.bytes >= best.bytes && order > 1) break;
      if (next.bytes < best.bytes) best = next;
    }
    return best;
  }
  Sized with_best_zigzag(PackedDraft draft) {
    draft.zigzag = request_.zigzag.value_or(true);
    Sized best = sized(draft, tried_);
    if (request_.zigzag || draft.has_differences()) return best;
    draft.zigzag = false;
    const Sized other = sized(draft, tried_);
    return other.bytes <= best.bytes ? other : best;
  }

  // ---- Rows

  Sized with_row(const Sized& from) {
    Sized best = from;
    for (const std::uint32_t row : rows(from.draft)) {
      PackedDraft draft = from.draft;
      draft.row = row;
      const Sized next = with_best_order(draft);
      if (request_.row || clearly_smaller(next.bytes, best.bytes, kWorthRow)) best = next;
    }
    return best;
  }
  std::vector<std::uint32_t> rows(const PackedDraft& draft) {
    if (for_gpu_ && !request_.row) return {};
    if (request_.row) return *request_.row == 0 ? std::vector<std::uint32_t>{} : std::vector{*request_.row};
    std::vector<std::uint32_t> rows;
    if (known_.hint && known_.hint->row_words > draft.tuple) rows.push_back(known_.hint->row_words);
    Column residuals =
        column_of({draft.word, draft.swapped, draft.tuple, 1, true, 0, 1, 0, draft.scale, draft.kind});
    residuals.steps.pop_back();  // the layout
    const Plan plan = formats::plan_of(std::move(residuals));
    const auto hints = recipe_of(draft).hints;
    std::vector<std::vector<std::byte>> memory;
    Pieces pieces, whole = in_tuples(draft, samples_.pieces);
    whole.resize(std::min(whole.size(), kPiecesForRows));
    for (const auto piece : whole) {
      const auto coded = encoder_.encode(plan, hints, piece);
      if (!coded) break;
      const std::size_t words = piece.size() / draft.word * draft.word;
      const auto last = coded->bytes.subspan(coded->bytes.size() - piece.size() % draft.word - words, words);
      memory.emplace_back(last.begin(), last.end());
    }
    for (const auto& piece : memory) pieces.push_back(piece);
    for (const std::uint32_t row : propose_rows(pieces, {draft.word, draft.tuple}, kRows))
      rows.push_back(row);
    return rows;
  }

  // ---- Scale

  std::optional<Sized> with_scale(const Sized& from) {
    PackedDraft draft = from.draft;
    if (draft.word < 4 || draft.tuple > kMaxScaleTuple) return {};
    const Pieces numbers = in_machine_order(draft);
    if (!may_be_real(draft.word, numbers)) return {};
    const ScaleShape shape{draft.word, draft.kind, draft.tuple};
    for (const ScaleEstimate& estimate : detect_scale(shape, numbers)) {
      if (!clearly_smaller(estimate.bits_with, estimate.bits_without, kWorthScale)) continue;
      draft.scale = estimate.plan;
      draft.row = 0;
      const Sized next = with_row(with_best_order(draft));
      if (clearly_smaller(next.bytes, from.bytes, kWorthScale)) return next;
    }
    return {};
  }
  /// Most words, without those that repeat the word before them, are IEEE numbers of a usual size. Integers
  /// rarely look so; what stands for missing numbers repeats itself.
  static bool may_be_real(std::size_t width, const Pieces& numbers) {
    constexpr int kUsual = 40;  // powers of 2
    const int middle = width == 4 ? 127 : 1023;
    std::size_t usual = 0, others = 0;
    for (const auto piece : numbers) {
      std::uint64_t before = 0;
      for (std::size_t i = 0; i < std::min(kLookedAt, piece.size() / width); ++i) {
        const std::uint64_t word = formats::word_at(piece.data(), width, i);
        const std::uint64_t bits = word << (64 - 8 * width) << 1;  // without the sign
        const int exponent = static_cast<int>(bits >> (width == 4 ? 56 : 53));
        if (bits != 0 && word != before) ++(std::abs(exponent - middle) <= kUsual ? usual : others);
        before = word;
      }
    }
    return others < usual;
  }
  /// The pieces from their first whole tuple on, in little-endian words. Valid until the next call.
  Pieces in_machine_order(const PackedDraft& draft) {
    const Pieces pieces = in_tuples(draft, tried_);
    if (!draft.swapped) return pieces;
    Pieces swapped;
    swapped_.clear();
    for (const auto piece : pieces) {
      const auto coded = encoder_.encode(
          formats::plan_of(Column{.width = draft.word, .steps = {ByteswapStep{}}}), {}, piece);
      if (coded) swapped_.emplace_back(coded->bytes.begin(), coded->bytes.end());
    }
    for (const auto& piece : swapped_) swapped.push_back(piece);
    return swapped;
  }

  // ---- Runs

  PackedDraft with_enough_runs(PackedDraft draft) {
    const std::uint64_t row = std::uint64_t{draft.tuple} * draft.word;
    std::optional<std::uint64_t> longest;  // the size with the longest runs
    while (draft.run > cuda::kShortestRun && known_.input.size() / (row * draft.run) < kRunsForGpu) {
      if (!longest) longest = sized(draft, tried_).bytes;
      PackedDraft shorter = draft;
      shorter.run /= 2;
      if (clearly_smaller(*longest, sized(shorter, tried_).bytes, kWorthLongRun)) break;
      draft = shorter;
    }
    return draft;
  }

  // ---- Lanes

  Sized with_fewest_lanes(const Sized& from) {
    if (from.draft.lanes == 1) return from;
    PackedDraft draft = from.draft;
    draft.lanes = 1;
    const Sized next = sized(draft, tried_);
    // A GPU's threads have groups of 4 bytes and more where they need them, if the groups have lanes.
    if (for_gpu_ && draft.word >= 4) return from.bytes <= next.bytes ? from : next;
    return clearly_smaller(from.bytes, next.bytes, kWorthLanes) ? from : next;
  }

  const SearchInput& known_;
  const SearchOptions& request_;
  const bool for_gpu_;
  Samples samples_;
  Pieces tried_;    // for all but the shapes
  KnownFits fits_;  // every draft with scale asks for the same ones
  ColumnEncoder encoder_{&fits_};
  std::vector<std::vector<std::byte>> swapped_;
};

/// A column for each field. `known`: without a hint, which is of whole rows.
Recipe recipe_of_fields(const SearchInput& known, const Samples& samples, std::span<const NumberType> fields,
                        bool big_endian) {
  Recipe recipe{{Coding::zstd, {}}, {}, one_packing(Packing::stored)};
  FieldPlace place{0, 0, 0};
  for (const NumberType& field : fields) place.row += std::size_t{field.word} * field.tuple;
  for (const NumberType& field : fields) {
    place.bytes = std::size_t{field.word} * field.tuple;
    const SearchOptions request{.word = field.word, .tuple = field.tuple, .big_endian = big_endian};
    PackedSearch search(known, request, false, field_of(samples, place));
    const auto found = search.run();  // without runs: no device takes several columns
    Column column = found ? column_of(found->draft) : Column{.width = field.word, .steps = {}};
    column.count = static_cast<std::uint16_t>(field.tuple);
    column.kind = field.kind;
    recipe.plan.columns.push_back(std::move(column));
    recipe.hints.push_back(found ? ColumnHints{.scale = found->draft.scale} : ColumnHints{});
    place.at += place.bytes;
  }
  return recipe;
}

}  // namespace

Result<Found> search_packed(const SearchInput& input, std::uint64_t raw_prefix, const SearchOptions& request,
                            bool for_gpu) {
  const FloatEnvironment usual;
  const bool is_long = input.input.size() >= kLongInput;
  auto samples = take_samples(input.input, raw_prefix, is_long ? kPieces : kPiecesOfShort,
                              is_long ? kPieceBytes : kPieceBytesOfShort);
  if (!samples) return samples.error();
  Found found;
  found.recipes = {Recipe{plain_plan(), {}, one_packing(Packing::stored)}};
  if (!request.fields.empty()) {
    const SearchInput without_hint{input.input, {}, 0, input.chunk_bytes, nullptr};
    found.recipes = {recipe_of_fields(without_hint, *samples, request.fields, request.big_endian)};
    found.samples = *std::move(samples);
  } else {
    PackedSearch search(input, request, for_gpu, *std::move(samples));
    if (const auto chosen = search.run()) found.recipes = {recipe_of(search.with_runs(*chosen))};
    found.samples = std::move(search).take_samples();
  }
  found.tried_on = found.samples.pieces;
  return found;
}

}  // namespace tdz
