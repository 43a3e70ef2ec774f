// SPDX-License-Identifier: Apache-2.0
// Recovery of any file: a file that decodes is recovered completely; for other files recovered and missing
// bytes add up. Parity makes of a file that decodes another one with the same original, or leaves it alone.
#include "tests/fuzz/support.hpp"

using namespace tdz;

TDZ_FUZZ_TARGET(recover, bytes) {
  const auto stored = fuzz::with_right_checks(bytes);
  MemoryRandomAccess file(stored);
  test::PositionedSink to;
  RecoverOptions options;
  options.max_output = fuzz::kMaxOutput;
  std::uint64_t missing = 0, last = 0;
  bool open = false;
  options.missing = [&](const MissingRange& range) {
    TDZ_MUST(range.offset >= last);
    TDZ_MUST(!range.length || *range.length > 0);
    last = range.offset + range.length.value_or(0);
    missing += range.length.value_or(0);
    open = open || !range.length;
  };
  const auto recovered = recover(file, to, options);
  const auto whole = decompress(stored, fuzz::limited());
  if (whole && !whole->empty()) TDZ_MUST(recovered && recovered->complete() && to.collected == *whole);
  test::CollectingSink healed;
  const auto healing = heal(file, healed, {.memory = fuzz::kMemory});
  TDZ_MUST(healing || fuzz::is_verdict(healing.error()));
  if (whole && healing) {
    const auto again = decompress(healed.collected, fuzz::limited());
    TDZ_MUST(again && *again == *whole);
  }
  if (!recovered) {
    TDZ_MUST(fuzz::is_verdict(recovered.error()));
    return;
  }
  const std::uint64_t accounted =
      recovered->recovered_bytes + missing;  // a range of unknown length may hide a lost chunk before it
  TDZ_MUST(accounted == recovered->original_bytes || (open && accounted < recovered->original_bytes));
  TDZ_MUST(to.collected.size() == recovered->original_bytes);
}
