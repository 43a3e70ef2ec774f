// SPDX-License-Identifier: Apache-2.0
// What the caller said, over what the search proposes.
#pragma once

#include "formats/parameters.hpp"
#include "tdz/tdz.hpp"

namespace tdz {

/// The caller's part, which stays as it is, over what a candidate proposes.
formats::Parameters fixed(const SearchOptions& said, formats::Parameters parameters);

}  // namespace tdz
