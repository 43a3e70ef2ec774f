// SPDX-License-Identifier: Apache-2.0
// For reports: the packed sizes of the chosen steps with other orders and tuples.
#pragma once

#include <vector>

#include "codec/search/trial.hpp"
#include "tdz/tdz.hpp"

namespace tdz {

/// Empty if `chosen` is not a list of steps that Parameters describe. Otherwise `chosen` with the orders 0 to
/// 4 and the tuples 1 to 8, and with its own order and tuple: all tuples of order 0 first. The pieces are
/// packed together. Errors: those of Trial.
Result<std::vector<GridCell>> order_and_tuple_grid(const Plan& chosen, const Pieces& pieces, Trial& trial);

}  // namespace tdz
