// SPDX-License-Identifier: Apache-2.0
#include "codec/verification.hpp"

#include <utility>

#include "codec/restore/restore.hpp"

namespace tdz {
Result<Totals> verify_stream(Source& from, DecompressOptions options) {
  return restore(from, nullptr, options);
}

Status verify_against(Source& from, const Totals& original, DecompressOptions options) {
  const bool has_digest = original.digest != std::array<std::byte, 16>{};
  options.compare_digest = has_digest;
  const auto found = verify_stream(from, std::move(options));
  if (!found) return found.error();
  const bool same = found->original_bytes == original.original_bytes && found->chunks == original.chunks &&
                    (!has_digest || found->digest == original.digest);
  return same ? ok() : Status(Error{ErrorKind::corrupt, "the result decodes to different bytes"});
}

}  // namespace tdz
