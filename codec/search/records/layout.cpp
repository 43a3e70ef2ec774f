// SPDX-License-Identifier: Apache-2.0
#include "codec/search/records/layout.hpp"

#include <algorithm>

namespace tdz {
namespace {

bool are_neighbours(const RecordCut& x, const RecordCut& y) {
  return x.width == y.width && x.big_endian == y.big_endian && x.real == y.real;
}

/// One costs at most an eighth more than the other, among other things.
bool are_alike(const RecordField& x, const RecordField& y) {
  const auto [low, high] = std::minmax(x.cost, y.cost);
  return x.decimal == y.decimal && x.order == y.order && high - low <= low / 8;
}

/// `alike`: as the cut before, if they are neighbours.
void append(const RecordCut& cut, bool alike, std::vector<Neighbours>& parts) {
  if (parts.empty() || !are_neighbours(parts.back().front(), cut)) {
    parts.push_back({cut});
  } else if (alike) {
    parts.back().back().count += cut.count;
  } else {
    parts.back().push_back(cut);
  }
}

}  // namespace

RecordCut joined(const Neighbours& part) {
  RecordCut cut = part.front();
  cut.count = 0;
  for (const RecordCut& one : part) cut.count += one.count;
  return cut;
}

std::size_t RecordLayout::record_bytes() const {
  std::size_t sum = 0;
  for (const Neighbours& part : parts) sum += joined(part).bytes();
  return sum;
}

std::size_t RecordLayout::fields() const {
  std::size_t sum = 0;
  for (const Neighbours& part : parts) sum += part.size();
  return sum;
}

RecordLayout layout_of(const RecordGuess& guess) {
  RecordLayout layout{guess.begin, {}};
  const RecordField* last = nullptr;
  for (const RecordField& field : guess.fields) {
    const bool alike = last != nullptr && are_alike(*last, field);
    append({field.width, 1, field.big_endian, field.real}, alike, layout.parts);
    last = &field;
  }
  return layout;
}

RecordLayout layout_of(std::span<const NumberType> said, bool big_endian) {
  RecordLayout layout;
  for (const NumberType& type : said)
    append({type.word, type.tuple, big_endian && type.word > 1, type.kind == 'f'}, false, layout.parts);
  return layout;
}

}  // namespace tdz
