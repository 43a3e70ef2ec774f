// SPDX-License-Identifier: Apache-2.0
// Does sniff() keep its promises for random bytes after a good beginning?
#include <algorithm>
#include <array>
#include <random>

#include "sniff_samples.hpp"
#include "sniff_support.hpp"

namespace tdz::formats {
namespace {

constexpr unsigned kSeed = 20'240'607;
constexpr int kRounds = 100'000;
using Random = std::mt19937;

std::size_t below(Random& random, std::size_t bound) {
  return std::uniform_int_distribution<std::size_t>(0, bound - 1)(random);
}

// A good header with a few bytes changed, most of them to an extreme value.
Bytes changed(Random& random, Bytes bytes) {
  constexpr std::array<unsigned, 8> kEdges = {0, 1, 0x20, 0x7F, 0x80, 0xFE, 0xFF, '9'};
  for (std::size_t left = 1 + below(random, 8); left != 0; --left) {
    const std::size_t at = below(random, std::min<std::size_t>(bytes.size(), 400));
    bytes[at] = static_cast<std::byte>(below(random, 3) == 0 ? below(random, 256)
                                                             : kEdges[below(random, kEdges.size())]);
  }
  return bytes;
}

// The first bytes of a good header, then random bytes.
Bytes continued(Random& random, const Bytes& bytes) {
  const auto kept = static_cast<std::ptrdiff_t>(below(random, std::min<std::size_t>(bytes.size(), 400)));
  Bytes all(bytes.begin(), bytes.begin() + kept);
  for (std::size_t left = below(random, 200); left != 0; --left)
    all.push_back(static_cast<std::byte>(random()));
  return all;
}

bool may_stand_in_a_plan(const SniffedColumn& column) {
  const NumberType& type = column.type;
  return type.word >= 1 && type.word <= kMaxWidth && type.tuple >= 1 && type.tuple <= 0xFFFF &&
         (type.word != 1 || !column.big_endian);
}

bool columns_keep_promises(const SniffedColumns& columns) {
  return columns.list().size() != 1 && columns.row_bytes() <= kMaxRowBytes &&
         std::ranges::all_of(columns.list(), may_stand_in_a_plan);
}

bool keeps_promises(const std::optional<SniffedHint>& hint) {
  return !hint || (!hint->format.empty() && is_word_size(hint->type.word) && hint->type.tuple != 0 &&
                   hint->offset != 0 && (!hint->big_endian || hint->type.word != 1) &&
                   columns_keep_promises(hint->columns));
}

}  // namespace

TEST_CASE("random bytes after a good beginning give no hint, or a possible one that no prefix changes") {
  MESSAGE("seed " << kSeed);
  Random random(kSeed);
  const auto& samples = good_samples();
  int hints = 0;
  for (int round = 0; round < kRounds; ++round) {
    const Sample& sample = samples[below(random, samples.size())];
    const Bytes bytes = round % 2 == 0 ? changed(random, sample.bytes) : continued(random, sample.bytes);
    CAPTURE(round);
    CAPTURE(sample.name);
    const auto hint = sniff_all(bytes);
    REQUIRE(keeps_promises(hint));
    const auto shorter = sniff_first(bytes, below(random, bytes.size() + 1));
    REQUIRE((!shorter || shorter == hint));
    hints += hint ? 1 : 0;
  }
  CHECK(hints > kRounds / 100);  // fewer would mean that the changes destroy every header
}

}  // namespace tdz::formats
