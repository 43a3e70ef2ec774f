// SPDX-License-Identifier: Apache-2.0
#include "codec/roundtrip/mismatch.hpp"

#include <algorithm>
#include <cstring>

namespace tdz {
namespace {

constexpr std::size_t kNeighbours = 4;

std::size_t width_of(const Plan& plan) {
  return plan.columns.size() == 1 ? plan.columns[0].width : 1;
}

/// The numbers that stand side by side: of a tuple or a row.
std::uint32_t lanes_of(const Plan& plan) {
  if (plan.columns.size() != 1) return static_cast<std::uint32_t>(row_bytes(plan));
  return shortest_tuple(plan.columns[0]);
}

/// The number at byte `at`. At the end it may have fewer bytes than a word.
std::uint64_t number_at(std::span<const std::byte> bytes, std::size_t at, std::size_t word) {
  std::uint64_t number = 0;
  for (std::size_t i = 0; i < std::min(word, bytes.size() - at); ++i) {
    number |= std::to_integer<std::uint64_t>(bytes[at + i]) << (8 * i);
  }
  return number;
}

/// Original and restored bytes as numbers.
struct Comparison {
  const PlacedChunk& original;
  std::span<const std::byte> restored;
  std::size_t word;
  std::uint32_t tuple;

  std::size_t values() const { return (restored.size() + word - 1) / word; }
  ComparedValue value(std::size_t index) const {
    return {original.offset / word + index, static_cast<std::uint32_t>(index % tuple),
            number_at(original.bytes, index * word, word), number_at(restored, index * word, word)};
  }
};

}  // namespace

std::optional<Mismatch> first_mismatch(const PlacedChunk& original, std::span<const std::byte> restored,
                                       const Plan& plan) {
  const std::span<const std::byte> wanted = original.bytes;
  if (wanted.empty() || std::memcmp(wanted.data(), restored.data(), wanted.size()) == 0) return std::nullopt;
  const auto place = std::ranges::mismatch(wanted, restored).in1 - wanted.begin();
  const Comparison both{original, restored, width_of(plan), lanes_of(plan)};
  const std::size_t index = static_cast<std::size_t>(place) / both.word;

  Mismatch mismatch;
  mismatch.first = both.value(index);
  mismatch.offset = original.offset + index * both.word;
  mismatch.width = static_cast<std::uint8_t>(std::min(both.word, wanted.size() - index * both.word));
  const std::size_t end = std::min(index + kNeighbours + 1, both.values());
  for (std::size_t i = index - std::min(index, kNeighbours); i < end; ++i) {
    mismatch.around.push_back(both.value(i));
  }
  return mismatch;
}

}  // namespace tdz
