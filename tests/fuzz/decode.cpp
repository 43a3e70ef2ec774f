// SPDX-License-Identifier: Apache-2.0
// Any file, decoded from a buffer, with its checks as they are and with right checks. The result is an error
// about the data, or bytes: the same bytes in strict mode and without it.
#include "tests/fuzz/support.hpp"

using namespace tdz;

namespace {

void decode(std::span<const std::byte> bytes) {
  auto options = fuzz::limited();
  const auto lenient = decompress(bytes, options);
  options.strict = true;
  const auto strict = decompress(bytes, options);
  if (!lenient) TDZ_MUST(fuzz::is_verdict(lenient.error()));
  if (!strict) TDZ_MUST(fuzz::is_verdict(strict.error()));
  if (strict) TDZ_MUST(lenient && *lenient == *strict);
}

}  // namespace

TDZ_FUZZ_TARGET(decode, bytes) {
  decode(bytes);
  decode(fuzz::with_right_checks(bytes));
}
