// SPDX-License-Identifier: Apache-2.0
// Headers of other formats, true or lying: a hint that is usable, and that does not change when more of the
// file is seen.
#include "formats/sniff.hpp"

#include "tests/fuzz/support.hpp"

using namespace tdz;

TDZ_FUZZ_TARGET(sniff, bytes) {
  const auto hint = formats::sniff(bytes);
  if (hint) {
    TDZ_MUST(!hint->format.empty());
    TDZ_MUST(is_word_size(hint->type.word));
    TDZ_MUST(hint->type.word > 1 || !hint->big_endian);
  }
  const auto shorter = formats::sniff(bytes.first(bytes.size() - bytes.size() / 3));
  if (shorter) TDZ_MUST(hint == shorter);
}
