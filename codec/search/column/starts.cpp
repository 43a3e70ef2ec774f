// SPDX-License-Identifier: Apache-2.0
#include "codec/search/column/starts.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <cstdlib>

#include "codec/search/column/step_proposals.hpp"
#include "formats/bytes.hpp"

namespace tdz {

using namespace formats;

namespace {

constexpr std::array<std::uint8_t, 2> kRealWords{4, 8};
constexpr std::size_t kLookedAt = std::size_t{32} << 10;  // of a piece
constexpr std::uint64_t kAll = 1000;
constexpr std::uint64_t kWorthTrying = 25;  // 4 %: scale must promise so much of the bits to change the word
constexpr std::uint64_t kCloseLanes = 8;  // 12 %: rules of lanes may win back more than a narrow tuple lacks
constexpr std::uint64_t kWorthPart = 10;  // 10 %: scale must promise so much for steps of a part
constexpr std::array<std::uint8_t, 3> kTokenWords{2, 4, 8};
constexpr std::size_t kTokenBytes = std::size_t{8} << 10;  // of a piece
constexpr std::uint64_t kWorthTokens = 50;   // 2 %: tokens of words alone must promise more than this
constexpr std::size_t kLongestRecord = 256;  // bytes
constexpr std::size_t kFewestRepeats = 5;    // a shorter multiple of the best record is that record again

std::vector<ScaleEstimate> estimates_of(const Parameters& base, ScaleKind kind, const Pieces& pieces) {
  return detect_scale({base.word, kind, scale_tuple(base)}, pieces);
}

std::vector<DraftScale> drafts_of(ScaleKind kind, std::vector<ScaleEstimate> estimates) {
  std::vector<DraftScale> scales;
  for (ScaleEstimate& e : estimates) scales.push_back({kind, std::move(e.plan)});
  return scales;
}

/// Words in the order of bytes that scale reads.
std::vector<std::byte> swapped(std::span<const std::byte> piece, std::size_t word) {
  std::vector<std::byte> bytes(piece.begin(), piece.end());
  for (std::size_t at = 0; at + word <= bytes.size(); at += word)
    std::reverse(bytes.begin() + static_cast<std::ptrdiff_t>(at),
                 bytes.begin() + static_cast<std::ptrdiff_t>(at + word));
  return bytes;
}

/// Pieces of little-endian words.
struct ScalePieces {
  std::vector<std::vector<std::byte>> memory;
  Pieces pieces;

  ScalePieces(const Parameters& base, const Pieces& from) : pieces(first_of(from, kLookedAt)) {
    if (!base.big_endian) return;
    for (auto& piece : pieces) {
      memory.push_back(swapped(piece, base.word));
      piece = memory.back();
    }
  }
};

/// Read in this byte order, most words are IEEE numbers of like size, from 2^-100 to 2^100: their exponents
/// are within 20 of the middle one. Zeros do not count. What stands again and again counts once: it may be
/// the value of a mask.
bool are_like_reals(std::uint8_t word, bool big_endian, const Pieces& pieces) {
  constexpr std::size_t kWords = 128;  // of a piece, spread over it
  constexpr int kNear = 20, kFar = 100;
  const unsigned low = word == 4 ? 23 : 52;
  const int bits = word == 4 ? 255 : 2047, one = bits / 2;
  std::vector<int> exponents;
  for (const auto piece : pieces) {
    std::uint64_t before = 0;
    const std::size_t words = piece.size() / word,
                      apart = (words / kWords) | 1;  // odd: not always the same lanes
    for (std::size_t i = 0; i < words; i += apart) {
      const std::uint64_t x = load_word(piece.data() + i * word, word, big_endian);
      if (x == 0 || x == before) continue;
      exponents.push_back(static_cast<int>(x >> low) & bits);
      before = x;
    }
  }
  if (exponents.empty()) return false;
  const auto middle = exponents.begin() + static_cast<std::ptrdiff_t>(exponents.size() / 2);
  std::ranges::nth_element(exponents, middle);
  const auto is_near = [&, m = *middle](int e) {
    return std::abs(e - one) <= kFar && std::abs(e - m) <= kNear;
  };
  return 2 * static_cast<std::size_t>(std::ranges::count_if(exponents, is_near)) > exponents.size();
}

bool are_big_endian_reals(std::uint8_t word, const Pieces& pieces) {
  return are_like_reals(word, true, pieces) && !are_like_reals(word, false, pieces);
}

}  // namespace

bool may_hold_reals(const Pieces& pieces) {
  return std::ranges::any_of(kRealWords, [&](std::uint8_t word) {
    return are_like_reals(word, false, pieces) || are_like_reals(word, true, pieces);
  });
}

namespace {

class Starts {
 public:
  Starts(const Samples& samples, const Kind& kind, const SearchOptions& request, const SearchLimits& limits)
      : samples_(samples), kind_(kind), request_(request), limits_(limits) {}

  std::vector<Start> run(const Climbed& climbed) {
    const Candidate* best = begin(climbed);
    if (best == nullptr) return {};
    add(best_, true);
    add_narrow(best->packed_bytes, climbed.tried);
    for (Real& real : reals(kWorthTrying))
      if (has_room()) starts_.push_back(std::move(real.start));
    add_multiples();
    for (const Parameters& shape : kind_.others) add_words_of_3(shape);
    for (const Parameters& shape : kind_.others) add_record(shape);
    add_tokens(best->packed_bytes, climbed.pieces);
    std::stable_partition(starts_.begin(), starts_.end(), [](const Start& start) {
      return !start.scales.empty() && start.scales.front().kind == ScaleKind::real;
    });
    for (Start& start : starts_) start.row = climbed.row;
    return std::move(starts_);
  }

  /// The words of which scale promises most, if it promises enough. A fill without pairs does not count.
  std::optional<Start> scaled(const Climbed& climbed) {
    if (begin(climbed) == nullptr ||
        std::ranges::none_of(kRealWords, [&](auto word) { return is_like_reals(as_real(word)); }))
      return {};
    std::vector<Real> found = reals(kWorthPart);
    std::erase_if(found, [&](const Real& real) {
      return real.start.scales.front().plan.pairs.empty() || !is_like_reals(real.start.draft.base);
    });
    if (found.empty()) return {};
    found.front().start.row = climbed.row;
    return std::move(found.front().start);
  }

 private:
  struct Real {
    Start start;
    std::uint64_t promise;
  };

  /// Null: there is nothing to begin with.
  const Candidate* begin(const Climbed& climbed) {
    const auto best = std::ranges::min_element(climbed.tried, {}, &Candidate::packed_bytes);
    const auto steps = best == climbed.tried.end() ? std::nullopt : parameters_of(best->plan);
    if (!steps) return nullptr;
    best_ = with_tuple(*steps);
    return &*best;
  }

  Pieces pieces_for(const Parameters& base) const { return aligned(samples_, kind_.pieces, record_of(base)); }

  bool has_room() const { return starts_.size() < limits_.starts; }

  void add(const Parameters& base, bool climbed = false) {
    if (has_room()) starts_.push_back({{.base = base}, climbed, propose_scales(base, pieces_for(base))});
  }

  /// A tuple of a whole row of a picture, say, says nothing of the lanes in it.
  void add_narrow(std::uint64_t packed_bytes, std::vector<Candidate> tried) {
    if (record_of(best_) <= kLongestRecord) return;
    std::ranges::stable_sort(tried, {}, &Candidate::packed_bytes);
    for (const Candidate& c : tried) {
      if (clearly_smaller(packed_bytes, c.packed_bytes, kCloseLanes)) return;
      const auto steps = parameters_of(c.plan);
      if (steps && steps->order != 0 && steps->row == 0 && steps->tuple <= kWidestUsualTuple)
        return add(*steps);
    }
  }

  /// Steps without differences do not name their tuple.
  Parameters with_tuple(Parameters steps) const {
    if (steps.order != 0 || steps.tuple != 1) return steps;
    for (const Parameters& shape : kind_.shapes) {
      if (shape.word == steps.word) return steps.tuple = shape.tuple, steps;
    }
    return steps;
  }

  /// Starts that read the same record as IEEE numbers, if scale promises to save one part in `parts`; the
  /// best first. Words that another start has are left out.
  std::vector<Real> reals(std::uint64_t parts) const {
    std::vector<Real> found;
    for (const std::uint8_t word : kRealWords) {
      const Parameters base = as_real(word);
      const auto same = [&](const Start& s) {
        return s.draft.base.word == word && s.draft.base.big_endian == base.big_endian;
      };
      if (request_.word || std::ranges::any_of(starts_, same) || !is_like_reals(base)) continue;
      auto estimates = estimates_of(base, ScaleKind::real, ScalePieces(base, pieces_for(base)).pieces);
      const std::uint64_t promise = promise_of(estimates);
      if (promise * parts <= kAll) continue;
      found.push_back({{{.base = base}, false, drafts_of(ScaleKind::real, std::move(estimates))}, promise});
    }
    std::ranges::stable_sort(found, std::ranges::greater(), &Real::promise);
    return found;
  }

  /// The same record as wider integers whose differences are multiples of a factor: narrow words hide it.
  void add_multiples() {
    for (const std::uint8_t word : kRealWords) {
      const bool wider = word > best_.word && record_of(best_) % word == 0;
      if (!has_room() || !wider || request_.word || best_.big_endian) continue;
      const Parameters base = as_words(word);
      const ScaleShape shape{word, ScaleKind::integer, scale_tuple(base)};
      if (shape.tuple == base.tuple && !common_factors(shape, pieces_for(base)).empty()) add(base);
    }
  }

  /// Words that do not follow from one another, but of which some are frequent or most are small. Planes of
  /// bytes do not show it.
  void add_tokens(std::uint64_t packed_bytes, const Pieces& pieces) {
    if (best_.order != 0 || limits_.token_codes == 0 || asks_for_steps()) return;
    std::optional<ColumnDraft> promising;
    std::uint64_t least = packed_bytes;
    for (const std::uint8_t word : kTokenWords) {
      const TokenProposal tokens = tokens_of(word, pieces);
      if (!clearly_smaller(tokens.bytes, least, kWorthTokens)) continue;
      promising =
          ColumnDraft{.base = {.word = word, .order = 0, .layout = Layout::planes}, .tokens = tokens.code};
      least = tokens.bytes;
    }
    if (promising) starts_.push_back({*std::move(promising), true, {}});
  }
  bool asks_for_steps() const {
    return request_.word || request_.tuple || request_.order || request_.zigzag || request_.layout ||
           request_.row || request_.big_endian;
  }

  /// The best code for the words of the pieces, and about how many bytes these take with it.
  static TokenProposal tokens_of(std::uint8_t word, const Pieces& pieces) {
    std::vector<std::byte> words;
    std::uint64_t all = 0;
    for (const auto piece : pieces) {
      const auto some = piece.first(std::min(kTokenBytes, piece.size()) / word * word);
      words.insert(words.end(), some.begin(), some.end());
      all += piece.size();
    }
    if (words.empty()) return {{}, UINT64_MAX};
    const LaneMap map = LaneMap::of_width(word, 1, words.size() / word);
    TokenProposal tokens = best_tokens(map, octets(std::span<const std::byte>(words)), 1);
    tokens.bytes = tokens.bytes * all / words.size();
    return tokens;
  }

  /// Of the best candidate, or, where that is plain bytes, of the shape that comes next.
  std::size_t record() const {
    const auto other =
        std::ranges::find_if(kind_.others, [](const Parameters& shape) { return record_of(shape) > 1; });
    return record_of(best_) > 1 || other == kind_.others.end() ? record_of(best_) : record_of(*other);
  }

  Parameters as_words(std::uint8_t word) const {
    const bool fits = record() % word == 0 && record() <= kLongestRecord;
    Parameters base{.word = word, .order = 1, .zigzag = true, .layout = Layout::tuple_planes};
    base.tuple = fits ? static_cast<std::uint32_t>(record() / word) : 1;
    base = apply_request(request_, base);
    base.row = 0;
    return base;
  }

  /// In the order of bytes that looks more like reals.
  Parameters as_real(std::uint8_t word) const {
    Parameters base = as_words(word);
    base.big_endian = base.big_endian || are_big_endian_reals(word, pieces_for(base));
    return base;
  }
  bool is_like_reals(const Parameters& base) const {
    return are_like_reals(base.word, base.big_endian, pieces_for(base));
  }

  /// What part of the bits scale saves, of kAll.
  static std::uint64_t promise_of(const std::vector<ScaleEstimate>& estimates) {
    if (estimates.empty()) return 0;
    const ScaleEstimate& best = estimates.front();
    return (best.bits_without - best.bits_with) * kAll / best.bits_without;
  }

  /// Differences of single bytes come near those of whole samples; prediction does not.
  void add_words_of_3(const Parameters& shape) {
    if (shape.word == 3 && best_.word == 1) add(shape);
  }

  /// The widest words of records that were not seen yet: wide words hide less from statistics.
  void add_record(const Parameters& shape) {
    const std::size_t record = record_of(shape);
    const bool again = record % record_of(best_) == 0 && record / record_of(best_) < kFewestRepeats;
    const auto same = [&](const Start& start) { return record_of(start.draft.base) == record; };
    if (again || std::ranges::any_of(starts_, same)) return;
    Parameters widest = shape;
    for (const Parameters& other : kind_.others) {
      if (record_of(other) == record && other.word > widest.word) widest = other;
    }
    add(widest);
  }

  const Samples& samples_;
  const Kind& kind_;
  const SearchOptions& request_;
  const SearchLimits& limits_;
  Parameters best_;
  std::vector<Start> starts_;
};

}  // namespace

std::vector<DraftScale> propose_scales(const Parameters& base, const Pieces& pieces) {
  std::vector<DraftScale> scales;
  const ScalePieces words(base, pieces);
  for (const ScaleKind kind : {ScaleKind::real, ScaleKind::integer}) {
    const bool possible = std::has_single_bit(base.word) && base.word >= (kind == ScaleKind::real ? 4 : 2);
    if (!possible || !scales.empty()) continue;
    scales = drafts_of(kind, estimates_of(base, kind, words.pieces));
  }
  return scales;
}

std::vector<Start> starts_of(const Samples& samples, const Kind& kind, const Climbed& climbed,
                             const SearchOptions& request, const SearchLimits& limits) {
  return Starts(samples, kind, request, limits).run(climbed);
}

std::vector<PartStart> scaled_parts_of(const Samples& samples, const Kind& kind, const Climbed& climbed,
                                       const SearchOptions& request, const SearchLimits& limits) {
  const auto scaled = [&](const Pieces& pieces) {
    Kind part = kind;
    part.pieces = pieces;
    return Starts(samples, part, request, limits).scaled(climbed);
  };
  std::vector<PartStart> parts;
  for (const auto piece : kind.pieces) {
    auto start = scaled({piece});
    if (!start) continue;
    const Parameters& base = start->draft.base;
    const auto same = [&](const PartStart& part) {
      return part.start.draft.base.word == base.word && part.start.draft.base.big_endian == base.big_endian;
    };
    const auto part = std::ranges::find_if(parts, same);
    if (part == parts.end()) {
      parts.push_back({{piece}, *std::move(start)});
    } else {
      part->pieces.push_back(piece);
    }
  }
  std::erase_if(parts, [&](const PartStart& part) { return part.pieces.size() == kind.pieces.size(); });
  std::ranges::stable_sort(parts, std::ranges::greater(),
                           [](const PartStart& part) { return part.pieces.size(); });
  if (parts.size() >= limits.recipes) parts.resize(limits.recipes - 1);
  for (PartStart& part : parts)
    if (auto together = scaled(part.pieces)) part.start = *std::move(together);
  return parts;
}

}  // namespace tdz
