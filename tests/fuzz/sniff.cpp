// SPDX-License-Identifier: Apache-2.0
// Headers of other formats, right or wrong: a hint can be used, and more of the file does not change it.
#include "formats/sniff.hpp"

#include "tests/fuzz/support.hpp"

using namespace tdz;

TDZ_FUZZ_TARGET(sniff, bytes) {
  const auto hint = formats::sniff(bytes);
  if (hint) {
    TDZ_MUST(!hint->format.empty());
    TDZ_MUST(is_word_size(hint->type.word));
    TDZ_MUST(hint->type.word > 1 || !hint->big_endian);
    TDZ_MUST(hint->columns.list().size() != 1);
    TDZ_MUST(hint->columns.row_bytes() <= kMaxRowBytes);
  }
  const auto shorter = formats::sniff(bytes.first(bytes.size() - bytes.size() / 3));
  if (shorter) TDZ_MUST(hint == shorter);
}
