// SPDX-License-Identifier: Apache-2.0
// Are the words at a place IEEE 754 numbers? What their bytes say, in integers.
#pragma once

#include "codec/search/records/digits.hpp"

namespace tdz {

/// Words of 4 or 8 bytes: moderate exponents, mantissas whose lower bytes tell no less than higher ones, no
/// text.
bool looks_real(const RecordSample& sample, const DigitCosts& costs, const WordPlace& word);

}  // namespace tdz
