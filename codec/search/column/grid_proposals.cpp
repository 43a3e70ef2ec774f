// SPDX-License-Identifier: Apache-2.0
#include "codec/search/column/grid_proposals.hpp"

#include <algorithm>
#include <bit>
#include <cstdlib>
#include <utility>

#include "codec/search/column/column_draft.hpp"
#include "codec/search/column/kinds.hpp"
#include "codec/search/column/proposals.hpp"
#include "codec/search/column/step_proposals.hpp"
#include "formats/bytes.hpp"
#include "kernels/cpu/steps/steps.hpp"

namespace tdz {
namespace {

constexpr std::size_t kAgreeing = 2;      // pieces that must have the same line, which stands out in one
constexpr std::size_t kManyAgreeing = 4;  // pieces that need not show it better than other lines
constexpr std::size_t kComparedForLines = 1024;              // words of a piece
constexpr std::size_t kLongestLine = 16384;                  // words
constexpr std::size_t kTriedPieces = 4;                      // on which layouts and slices are tried
constexpr std::size_t kShortPiece = std::size_t{128} << 10;  // bytes: some 20 lines of a picture
constexpr std::size_t kComparedWords = 8192;                 // of a piece, to look for slices
constexpr std::uint32_t kLeastHeight = 8;                    // lines
constexpr std::uint32_t kMostHeight = 4096;
constexpr std::uint64_t kWorthGrid = 200;    // 0.5 %: of these pieces, to be compared on longer samples
constexpr std::uint64_t kHopelessGrid = 25;  // 4 %: larger on one piece, so the others are not tried
constexpr std::uint64_t kCloseLayout = 50;   // 2 %: longer samples may like another layout better

constexpr std::uint32_t kInPicture = 0x0000FF;  // neighbours in the line and above
constexpr std::uint32_t kInOther = 0x003F00;    // in the lane before
constexpr std::uint32_t kInVolume = 0xFFC09F;   // in the line, above, and in the slices before

/// Of the words of a piece, what each differs by from the word a tuple before, in bits.
using Lengths = std::vector<std::uint8_t>;

std::int64_t signed_word(std::uint64_t x, unsigned width) {
  const unsigned unused = 64 - 8 * width;
  return static_cast<std::int64_t>(x << unused) >> unused;
}

class GridProposals {
 public:
  GridProposals(const ColumnDraft& draft, std::uint32_t known_row, const Pieces& pieces,
                const SearchLimits& limits, Trial& trial)
      : rival_(draft),
        draft_(before_differences(draft)),
        row_of_draft_(draft.base.row),
        known_row_(known_row),
        pieces_(pieces),
        limits_(limits),
        trial_(trial) {
    draft_.base.row = 0;
    if (draft_.base.tuple <= kMostGridLanes) return;
    row_of_draft_ = draft_.base.tuple;  // a tuple so wide is a row, or a slice
    draft_.base.tuple = 1;
  }

  Result<std::vector<ColumnDraft>> run() {
    std::vector<ColumnDraft> drafts;
    if (auto done = look_at_words(); !done) return done.error();
    for (const Line& line : find_lines()) {
      auto hopeless = is_hopeless(line);
      if (!hopeless) return hopeless.error();
      if (*hopeless) continue;
      tried_on_ = some_of(line.pieces);
      auto size_to_beat = size_of_rival(rival_);
      if (!size_to_beat) return size_to_beat.error();
      auto grid = best_grid(line.points);
      if (!grid) return grid.error();
      if (auto done = add_layouts(*grid, *size_to_beat, drafts); !done) return done.error();
    }
    return drafts;
  }

 private:
  std::uint32_t tuple() const { return draft_.base.tuple; }
  unsigned width() const { return draft_.base.word; }

  // ---- Lines

  /// The points of a line, and the pieces that stand in such lines: an input may hold several pictures.
  struct Line {
    std::uint32_t points = 0;
    Pieces pieces;
    bool stands_out = false;  ///< in one of the pieces, from lines that are a little longer or shorter
  };

  /// At most kTriedPieces, spread over all.
  static Pieces some_of(const Pieces& pieces) {
    Pieces some;
    const std::size_t count = std::min(kTriedPieces, pieces.size());
    for (std::size_t i = 0; i < count; ++i) some.push_back(pieces[(2 * i + 1) * pieces.size() / (2 * count)]);
    return some;
  }

  /// Every other piece votes first: in an input without lines it finds none, and the others say no more.
  std::vector<Line> find_lines() const {
    std::vector<Line> voted;
    for (const std::size_t first : {1u, 0u}) {
      for (std::size_t i = first; i < pieces_.size(); i += 2) vote(i, voted);
      const bool none = std::ranges::none_of(
          voted, [](const Line& line) { return line.stands_out || line.pieces.size() >= kAgreeing; });
      if (none && !voted.empty()) break;
    }
    std::ranges::stable_sort(voted, std::ranges::greater(),
                             [](const Line& line) { return line.pieces.size(); });
    std::vector<Line> lines;
    for (const Line& line : voted) {
      const bool shown = line.stands_out ? line.pieces.size() >= std::min(kAgreeing, pieces_.size())
                                         : line.pieces.size() >= kManyAgreeing;
      if (shown && lines.size() < limits_.grid_lines) lines.push_back(line);
    }
    for (const std::uint32_t known : {known_row_, row_of_draft_}) add_line(known, {}, true, lines);
    for (Line& line : lines) {
      if (line.pieces.empty()) line.pieces = pieces_;
      std::ranges::sort(line.pieces, {}, &std::span<const std::byte>::data);
    }
    return lines;
  }

  /// The distance after which lengths are most alike; and the best one that is far shorter, if it is better
  /// than most: where slices are alike, a slice is the first and a line the second.
  void vote(std::size_t piece, std::vector<Line>& voted) const {
    const Lengths lengths = lengths_of(words_.pieces[piece], kComparedForLines + kLongestLine);
    const std::size_t compared = std::min(kComparedForLines, lengths.size() / 4);
    const std::size_t longest = std::min(lengths.size() - compared, kLongestLine);
    const std::uint8_t* last = lengths.data() + lengths.size() - compared;
    std::vector<std::uint64_t> costs;  // of lines of kLeastGridLine points and more
    for (std::size_t row = std::size_t{kLeastGridLine} * tuple(); row <= longest; row += tuple())
      costs.push_back(difference(last, row, compared) * (8 * kLongestLine + row));
    if (costs.empty()) return;
    const auto row_at = [&](std::size_t i) {
      return static_cast<std::uint32_t>((kLeastGridLine + i) * tuple());
    };
    const auto best = static_cast<std::size_t>(std::ranges::min_element(costs) - costs.begin());
    add_line(row_at(best), {pieces_[piece]}, stands_out(costs, best), voted);
    const std::size_t eighth = (kLeastGridLine + best) / 8;
    const std::size_t far = eighth - std::min<std::size_t>(eighth, kLeastGridLine);
    if (far < 2) return;
    std::uint64_t sum = 0;
    for (std::size_t i = 0; i < far; ++i) sum += costs[i];
    const auto second = std::min_element(costs.begin(), costs.begin() + static_cast<std::ptrdiff_t>(far));
    const bool ends = second == costs.begin();  // words are alike because they are near
    if (!ends && 10 * *second * far < 9 * sum)
      add_line(row_at(static_cast<std::size_t>(second - costs.begin())), {pieces_[piece]}, true, voted);
  }
  /// Of a line in a picture, lines of other lengths from 3/4 to 5/4 of it cost more, except those next to it.
  /// Without a picture some line is the best by chance, or because words are alike where they are near.
  static bool stands_out(const std::vector<std::uint64_t>& costs, std::size_t best) {
    const std::size_t points = kLeastGridLine + best, next = points / 16 + 1;
    std::uint64_t least = 0;
    for (std::size_t i = 0; i < costs.size(); ++i) {
      const std::size_t other = kLeastGridLine + i;
      const bool near = 4 * other >= 3 * points && 4 * other <= 5 * points;
      if (near && (other + next < points || other > points + next))
        least = least == 0 ? costs[i] : std::min(least, costs[i]);
    }
    return 10 * costs[best] < 9 * least;
  }
  /// What lengths differ by from those `distance` before them: one sum of absolute differences of bytes, for
  /// compilers to make vectors of.
  static std::uint64_t difference(const std::uint8_t* here, std::size_t distance, std::size_t count) {
    const std::uint8_t* before = here - distance;
    unsigned sum = 0;
    for (std::size_t i = 0; i < count; ++i) sum += static_cast<unsigned>(std::abs(here[i] - before[i]));
    return sum;
  }

  void add_line(std::uint32_t row, const Pieces& pieces, bool stands_out, std::vector<Line>& lines) const {
    const std::uint32_t points = row / tuple();
    if (row % tuple() != 0 || points < kLeastGridLine) return;
    auto line = std::ranges::find(lines, points, &Line::points);
    if (line == lines.end()) line = lines.insert(line, {points, {}});
    line->pieces.insert(line->pieces.end(), pieces.begin(), pieces.end());
    line->stands_out |= stands_out;
  }

  // ---- Slices

  /// The words, and whether differences are shorter with a sign or without.
  Status look_at_words() {
    auto words = words_after(draft_, pieces_, trial_);
    if (!words) return words.error();
    words_ = *std::move(words);
    std::uint64_t with_sign = 0, without = 0;
    for (const auto piece : words_.pieces) {
      const auto looked_at = last_words(piece, kComparedForLines);
      const std::size_t count = looked_at.size() / width();
      for (std::size_t i = tuple(); i < count; ++i) {
        const std::uint64_t here = word_at(looked_at, i), before = word_at(looked_at, i - tuple());
        const std::uint64_t signed_ones = magnitude(signed_word(here, width()), signed_word(before, width()));
        with_sign += static_cast<std::uint64_t>(std::bit_width(signed_ones));
        without += static_cast<std::uint64_t>(std::bit_width(magnitude_of_unsigned(here, before)));
      }
    }
    sign_ = without <= with_sign ? Sign::is_unsigned : Sign::is_signed;
    return ok();
  }
  std::uint64_t word_at(std::span<const std::byte> words, std::size_t i) const {
    return formats::load_word(words.data() + i * width(), width(), false);
  }
  std::span<const std::byte> last_words(std::span<const std::byte> piece, std::size_t most) const {
    return piece.last(std::min(most, piece.size() / width()) * width());
  }
  /// Of the last words of a piece, at most `most`.
  Lengths lengths_of(std::span<const std::byte> piece, std::size_t most) const {
    const auto words = last_words(piece, most);
    Lengths lengths(words.size() / width(), 0);
    for (std::size_t i = tuple(); i < lengths.size(); ++i) {
      const std::int64_t d = signed_word(word_at(words, i) - word_at(words, i - tuple()), width());
      lengths[i] = static_cast<std::uint8_t>(2 * std::bit_width(magnitude(d, 0)) + (d < 0 ? 1 : 0));
    }
    return lengths;
  }
  static std::uint64_t magnitude(std::int64_t a, std::int64_t b) {
    const auto d = static_cast<std::uint64_t>(a) - static_cast<std::uint64_t>(b);
    return a < b ? 0 - d : d;
  }
  static std::uint64_t magnitude_of_unsigned(std::uint64_t a, std::uint64_t b) {
    return a < b ? b - a : a - b;
  }

  /// What lengths differ by from those `lines` lines before, in all pieces; nothing if no piece holds as
  /// many.
  std::uint64_t slice_cost(std::size_t distance) const {
    std::uint64_t cost = 0;
    for (const Lengths& lengths : lengths_) {
      const std::size_t end = lengths.size(), first = end - std::min(end, kComparedWords);
      if (first >= distance) cost += difference(lengths.data() + first, distance, end - first);
    }
    return cost;
  }

  /// The lines after which words are as they were, if one number of lines is clearly better than others.
  std::uint32_t find_height(std::uint32_t line) {
    std::size_t shortest = SIZE_MAX;
    for (const auto piece : words_.pieces) shortest = std::min(shortest, piece.size() / width());
    if (shortest <= kComparedWords || shortest == SIZE_MAX) return 0;
    if (lengths_.empty())
      for (const auto piece : words_.pieces) lengths_.push_back(lengths_of(piece, SIZE_MAX));
    const std::size_t row = std::size_t{line} * tuple();
    const std::size_t most = std::min<std::size_t>((shortest - kComparedWords) / row, kMostHeight);
    std::uint64_t sum = 0, least = UINT64_MAX;
    std::uint32_t best = 0;
    for (std::uint32_t height = kLeastHeight; height <= most; ++height) {
      const std::uint64_t cost = slice_cost(height * row);
      sum += cost;
      if (cost < least) least = cost, best = height;
    }
    const bool stands_out = best != 0 && 10 * least * (most - kLeastHeight + 1) < 9 * sum;
    return stands_out ? best : 0;
  }

  // ---- Steps

  /// A grid, and what it makes of the pieces that are tried: its words after zigzag, and about what its side
  /// data take.
  struct Tried {
    ColumnDraft draft;
    DraftWords words;
    std::uint64_t side = 0;
    std::uint64_t size = 0;  ///< in planes
  };

  Result<std::uint64_t> size_of_rival(const ColumnDraft& rival) {
    const ColumnHints hints = hints_of(rival);
    return trial_.packed_together(plan_of(rival), tried_on_, Packing::quick, {&hints, 1});
  }

  /// On one piece, both in the same layout, a grid is far larger: most lines that are found are none. A
  /// difference before the grid, where the rival has one of a high order, may be what it lacks.
  Result<bool> is_hopeless(const Line& line) {
    tried_on_ = first_of({line.pieces[line.pieces.size() / 2]}, kShortPiece);
    ColumnDraft rival = before_layout(rival_);
    rival.base.layout = Layout::tuple_planes;
    auto size_to_beat = size_of_rival(rival);
    if (!size_to_beat) return size_to_beat.error();
    for (const std::uint8_t order : orders_before_grid()) {
      auto grid = with(line.points, 0, in_picture(), order);
      if (!grid) return grid.error();
      if (!clearly_smaller(*size_to_beat, grid->size, kHopelessGrid)) return false;
    }
    return true;
  }

  /// No difference; and one, where numbers want a high order, because a grid sees two points to the left
  /// only.
  std::vector<std::uint8_t> orders_before_grid() const {
    std::vector<std::uint8_t> orders{0};
    const std::uint8_t order = rival_.base.order;
    if (order >= 2 && is_word_size(width())) orders.push_back(static_cast<std::uint8_t>(order - 1));
    return orders;
  }

  std::uint32_t in_picture() const { return kInPicture | (tuple() > 1 ? kInOther : 0); }

  /// `order`: of a difference over the tuple before the grid.
  Result<Tried> with(std::uint32_t line, std::uint32_t height, std::uint32_t neighbours, std::uint8_t order) {
    Tried tried{draft_, {}};
    tried.draft.grid = GridStep{tuple(), order == 0 ? sign_ : Sign::is_signed, line, height, neighbours};
    tried.draft.base.order = order;
    tried.draft.base.zigzag = true;
    const ColumnHints hints = hints_of(tried.draft);
    const Plan plan = plan_of(tried.draft);
    for (const auto piece : tried_on_) {
      auto coded = trial_.substreams(plan, piece.first(piece.size() / width() * width()), {&hints, 1});
      if (!coded) return coded.error();
      const auto lengths = coded->lengths;
      const auto words = coded->bytes.last(lengths.back());
      tried.words.memory.emplace_back(words.begin(), words.end());
      for (std::size_t i = 0; i + 1 < lengths.size(); ++i) tried.side += lengths[i] / 2;
    }
    for (const auto& memory : tried.words.memory) tried.words.pieces.emplace_back(memory);
    tried.draft.base.layout = Layout::tuple_planes;
    auto size = size_of(tried, tried.draft);
    if (!size) return size.error();
    tried.size = *size;
    return tried;
  }

  /// The packed size of the words of a grid, with this layout.
  Result<std::uint64_t> size_of(const Tried& tried, const ColumnDraft& draft) {
    ColumnDraft layout;
    layout.base.word = draft.base.word;
    layout.base.tuple = draft.base.tuple;
    layout.base.layout = draft.base.layout;
    layout.tokens = draft.tokens;
    auto size = trial_.packed_together(plan_of(layout), tried.words.pieces);
    if (!size) return size.error();
    return *size + tried.side;
  }

  /// Of a picture; of a volume, if lines stand in slices; and with a difference before it.
  Result<Tried> best_grid(std::uint32_t line) {
    auto best = with(line, 0, in_picture(), 0);
    if (!best) return best;
    if (const std::uint32_t height = find_height(line); height != 0) {
      if (auto done = take_smaller(with(line, height, kInVolume, 0), *best); !done) return done.error();
    }
    for (const std::uint8_t order : orders_before_grid()) {
      if (order == 0) continue;
      if (auto done = take_smaller(with(line, 0, in_picture(), order), *best); !done) return done.error();
    }
    return best;
  }

  Status take_smaller(Result<Tried> other, Tried& best) {
    if (!other) return other.error();
    if (other->size < best.size) best = *std::move(other);
    return ok();
  }

  Status add_layouts(const Tried& grid, std::uint64_t size_to_beat, std::vector<ColumnDraft>& drafts) {
    std::vector<std::pair<std::uint64_t, ColumnDraft>> sized{{grid.size, grid.draft}};
    std::vector<ColumnDraft> others{grid.draft};
    others.back().base.layout = Layout::bit_planes;
    if (const auto code = width() > 1 ? token_code(grid) : std::nullopt) {
      others.push_back(grid.draft);
      others.back().tokens = *code;
    }
    for (const ColumnDraft& draft : others) {
      auto size = size_of(grid, draft);
      if (!size) return size.error();
      sized.emplace_back(*size, draft);
    }
    std::ranges::stable_sort(sized, {}, &std::pair<std::uint64_t, ColumnDraft>::first);
    if (!clearly_smaller(sized[0].first, size_to_beat, kWorthGrid)) return ok();
    drafts.push_back(sized[0].second);
    if (!clearly_smaller(sized[0].first, sized[1].first, kCloseLayout)) drafts.push_back(sized[1].second);
    return ok();
  }

  std::optional<TokenCode> token_code(const Tried& grid) const {
    std::vector<std::byte> all;
    for (const auto piece : grid.words.pieces) all.insert(all.end(), piece.begin(), piece.end());
    const LaneMap map = LaneMap::of_width(width(), tuple(), all.size() / width());
    if (map.words == 0) return std::nullopt;
    std::vector<std::byte> wide(map.words * map.word), lanes(wide.size());
    cpu::widen(width(), octets(std::span<const std::byte>(all)), octets(std::span(wide)), map.words);
    cpu::deinterleave(map, octets(std::span<const std::byte>(wide)), octets(std::span(lanes)));
    const auto codes = propose_tokens(map, octets(std::span<const std::byte>(lanes)));
    return codes.empty() ? std::nullopt : std::optional(codes.front());
  }

  ColumnDraft rival_;
  ColumnDraft draft_;
  std::uint32_t row_of_draft_;
  std::uint32_t known_row_;
  const Pieces& pieces_;
  const SearchLimits& limits_;
  Trial& trial_;
  Pieces tried_on_;
  DraftWords words_;
  std::vector<Lengths> lengths_;  // of all words of the pieces, once they are asked for
  Sign sign_ = Sign::is_unsigned;
};

}  // namespace

Result<std::vector<ColumnDraft>> grid_drafts(const ColumnDraft& draft, std::uint32_t known_row,
                                             const Pieces& pieces, const SearchLimits& limits, Trial& trial) {
  if (pieces.empty()) return std::vector<ColumnDraft>{};
  return GridProposals(draft, known_row, pieces, limits, trial).run();
}

Result<std::optional<ColumnDraft>> with_long_row(ColumnDraft draft, const Pieces& pieces, Trial& trial) {
  constexpr std::size_t kShortest = std::size_t{16} << 10;  // bytes: pieces of steps hold two shorter rows
  formats::Parameters& base = draft.base;
  const bool possible =
      base.order != 0 && base.tuple <= kWidestUsualTuple && is_word_size(base.word) && base.word > 1;
  if (!possible) return std::optional<ColumnDraft>{};
  ColumnDraft residuals = before_differences(draft);
  residuals.base.row = 0;
  residuals.base.order = 1;
  residuals.base.zigzag = true;
  auto words = words_after(residuals, pieces, trial);
  if (!words) return words.error();
  const auto row = propose_long_row(words->pieces, {base.word, base.tuple}, kShortest / base.word);
  if (!row || *row == base.row) return std::optional<ColumnDraft>{};
  if (base.row == 0 && base.order > 1) --base.order;
  base.row = *row;
  draft.row_order = 1;
  return std::optional(std::move(draft));
}

}  // namespace tdz
