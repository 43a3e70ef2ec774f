// SPDX-License-Identifier: Apache-2.0
// info of any file: if the file decodes, info agrees with the result.
#include "tests/fuzz/support.hpp"

using namespace tdz;

TDZ_FUZZ_TARGET(info, bytes) {
  const auto stored = fuzz::with_right_checks(bytes);
  MemoryRandomAccess file(stored);
  const auto streams = inspect(file);
  if (!streams) {
    TDZ_MUST(fuzz::is_verdict(streams.error()));
    return;
  }
  std::uint64_t original = 0;
  for (const auto& stream : *streams) {
    original += stream.original_bytes;
    (void)for_each_chunk(file, stream, [](const ChunkInfo&) { return true; });
  }
  const auto whole = decompress(stored, fuzz::limited());
  if (whole) TDZ_MUST(whole->size() == original);
}
