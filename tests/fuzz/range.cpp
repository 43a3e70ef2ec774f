// SPDX-License-Identifier: Apache-2.0
// Any range of any file is that part of the whole result, with the index and without it.
#include "tests/fuzz/support.hpp"

using namespace tdz;

namespace {

Result<fuzz::Bytes> part(Source& from, const Range& range) {
  MemorySink to;
  auto options = fuzz::limited();
  options.range = range;
  auto totals = decompress(from, to, options);
  if (!totals) return totals.error();
  return std::move(to).take();
}

}  // namespace

TDZ_FUZZ_TARGET(range, bytes) {
  fuzz::Choices choices(bytes);
  const std::uint64_t begin = choices.number<std::uint32_t>() >> choices.below(32);
  const std::uint64_t length = choices.number<std::uint32_t>() >> choices.below(32);
  const auto stored = fuzz::with_right_checks(choices.rest());
  const Range range{{begin, false}, Extent{length, false}};
  const auto whole = decompress(stored, fuzz::limited());
  MemorySource file(stored);
  test::PieceSource pipe(stored, 1, 1 << 20);
  const auto jumped = part(file, range), walked = part(pipe, range);
  if (!whole) return;  // then a part may decode or fail
  TDZ_MUST(static_cast<bool>(jumped) == static_cast<bool>(walked));
  TDZ_MUST(static_cast<bool>(walked) == (begin + length <= whole->size()));
  if (!walked) return;
  const auto expected =
      std::span(*whole).subspan(static_cast<std::size_t>(begin), static_cast<std::size_t>(length));
  TDZ_MUST(std::ranges::equal(*walked, expected));
  TDZ_MUST(std::ranges::equal(*jumped, expected));
}
