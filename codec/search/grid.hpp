// SPDX-License-Identifier: Apache-2.0
// For reports: what the chosen steps would do with other orders and tuples.
#pragma once

#include <vector>

#include "codec/search/trial.hpp"
#include "tdz/tdz.hpp"

namespace tdz {

/// `chosen` with the orders 0 to 4 (and its own), over the tuples 1 to 8 (and its own), order by order,
/// packed together. Errors: those of trials.
Result<std::vector<Candidate>> order_and_tuple_grid(const Transform& chosen, const Pieces& pieces,
                                                    Trial& trial);

}  // namespace tdz
