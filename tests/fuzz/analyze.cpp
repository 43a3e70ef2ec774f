// SPDX-License-Identifier: Apache-2.0
// The search over any data: it ends, its choice can be run, and the result decodes.
#include "tests/fuzz/support.hpp"

using namespace tdz;

TDZ_FUZZ_TARGET(analyze, bytes) {
  fuzz::Choices choices(bytes);
  CompressOptions options;
  options.threads = 1;
  options.search = SearchOptions{.effort = Effort{static_cast<std::uint8_t>(choices.below(4))}};
  const auto data = choices.rest();
  MemorySource from(data);
  const auto analysis = analyze(from, options);
  TDZ_MUST(analysis);
  TDZ_MUST(!analysis->chosen.empty());
  const auto stored = compress(data, options);
  TDZ_MUST(stored);
  TDZ_MUST(data.size() > (1u << 20) || analysis->stored_bytes == stored->size());
  const auto restored = decompress(*stored, fuzz::limited());
  TDZ_MUST(restored && std::ranges::equal(*restored, data));
}
