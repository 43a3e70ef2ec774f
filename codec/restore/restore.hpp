// SPDX-License-Identifier: Apache-2.0
// The work of decompress(), and of a verification.
#pragma once

#include "tdz/tdz.hpp"

namespace tdz {

/// As decompress(). `to` is null if nobody wants the bytes: then a device needs to return none.
Result<Totals> restore(Source& from, Sink* to, const DecompressOptions& options);

}  // namespace tdz
