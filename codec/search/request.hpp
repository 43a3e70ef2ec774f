// SPDX-License-Identifier: Apache-2.0
// The caller's request replaces parts of what the search proposes.
#pragma once

#include "formats/parameters.hpp"
#include "tdz/tdz.hpp"

namespace tdz {

/// `parameters`, with each value that the caller set in its place.
formats::Parameters apply_request(const SearchOptions& request, formats::Parameters parameters);

}  // namespace tdz
