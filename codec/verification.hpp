// SPDX-License-Identifier: Apache-2.0
// Checks that a stream decodes. The decoded bytes are thrown away.
#pragma once

#include "tdz/tdz.hpp"

namespace tdz {

/// Decodes everything and writes nothing. Errors: those of decompress.
Result<Totals> verify_stream(Source& from, DecompressOptions options);

/// The same for a stream that was just written; `original` is the result of that compression. Also Error
/// corrupt if the stream decodes to other bytes, by the digest of the whole original.
Status verify_against(Source& from, const Totals& original, DecompressOptions options);

}  // namespace tdz
