// SPDX-License-Identifier: Apache-2.0
// Does a stream decode? Strictly, with the checksums inside its frames, and with nothing kept.
#pragma once

#include "tdz/tdz.hpp"

namespace tdz {

/// decompress, strict, to nowhere. Its errors.
Result<Totals> verify_stream(Source& from, DecompressOptions options);

/// The same of a stream that was just written from `original`. Error corrupt, too, if it decodes to anything
/// else.
Status verify_against(Source& from, const Totals& original, DecompressOptions options);

}  // namespace tdz
