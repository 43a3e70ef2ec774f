// SPDX-License-Identifier: Apache-2.0
// Any file, decoded from a buffer, with its checks as they are and with right checks. The result is an error
// about the data, or bytes: the same bytes if the digest of the whole original is compared too.
#include "tests/fuzz/support.hpp"

using namespace tdz;

namespace {

void decode_stream(std::span<const std::byte> bytes) {
  auto options = fuzz::limited();
  const auto plain = decompress(bytes, options);
  options.compare_digest = true;
  const auto compared = decompress(bytes, options);
  if (!plain) TDZ_MUST(fuzz::is_verdict(plain.error()));
  if (!compared) TDZ_MUST(fuzz::is_verdict(compared.error()));
  if (compared) TDZ_MUST(plain && *plain == *compared);
}

}  // namespace

TDZ_FUZZ_TARGET(decode, bytes) {
  decode_stream(bytes);
  decode_stream(fuzz::with_right_checks(bytes));
}
