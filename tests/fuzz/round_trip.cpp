// SPDX-License-Identifier: Apache-2.0
// Any data with any parameters is restored, and its stream has the structure that the format requires.
#include "tests/fuzz/transforms.hpp"

using namespace tdz;

TDZ_FUZZ_TARGET(round_trip, bytes) {
  fuzz::Choices choices(bytes);
  CompressOptions options;
  options.transform = fuzz::any_transform(choices);
  options.chunk_bytes = formats::kMinChunk;
  options.frame_bytes = formats::kMinFrame << choices.below(5);
  options.raw_prefix = choices.number<std::uint8_t>();
  options.level = static_cast<int>(1 + choices.below(5));
  options.threads = 1 + choices.below(2);
  const unsigned repeats = 1 + choices.below(40);
  fuzz::Bytes data;
  const auto rest = choices.rest();
  for (unsigned i = 0; i < repeats; ++i) data.insert(data.end(), rest.begin(), rest.end());
  const auto stored = compress(data, options);
  TDZ_MUST(stored);
  auto strict = fuzz::limited();
  strict.strict = true;
  const auto restored = decompress(*stored, strict);
  TDZ_MUST(restored && *restored == data);
}
