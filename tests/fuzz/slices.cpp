// SPDX-License-Identifier: Apache-2.0
// A file from a pipe in slices of any length, with several threads, gives the same outcome.
#include "tests/fuzz/support.hpp"

using namespace tdz;

TDZ_FUZZ_TARGET(slices, bytes) {
  fuzz::Choices choices(bytes);
  const std::uint32_t seed = choices.number<std::uint16_t>();
  const std::size_t longest = 1 + choices.number<std::uint16_t>();
  const auto stored = fuzz::with_right_checks(choices.rest());
  const auto whole = decompress(stored, fuzz::limited());
  test::PieceSource from(stored, seed, longest);
  test::CollectingSink to;
  auto options = fuzz::limited();
  options.threads = 1 + seed % 3;
  const auto sliced = decompress(from, to, options);
  TDZ_MUST(static_cast<bool>(whole) == static_cast<bool>(sliced));
  if (whole) TDZ_MUST(to.collected == *whole);
  if (!whole) TDZ_MUST(whole.error().kind == sliced.error().kind);
}
