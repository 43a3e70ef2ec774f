// SPDX-License-Identifier: Apache-2.0
// What a report says about itself, as pairs of name and text: the run, the machine, the constants of the
// model; and which of its results are wrong, or not to be trusted. Unknown facts are left out. Pure
// functions.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "app/bench/results.hpp"

namespace tdz::app::bench {

using Facts = std::vector<std::pair<std::string, std::string>>;

/// "tdz" and its arguments, quoted for a shell. Control characters are made visible.
std::string command_text(const Report& report);
/// "0.35 before the run, 1.20 after it; 98 % of a processor for the run". Empty if nothing is known.
std::string load_text(const Report& report);
Facts run_facts(const Report& report);
Facts machine_facts(const Machine& machine);
/// ("model, cuda", "w 3.02 TB/s, l 612 ns, p 270336 threads, 16 bytes an access").
Facts model_facts(const std::vector<MachineModel>& models);

/// A sentence for every result that is wrong.
std::vector<std::string> faults(const Report& report);

/// The figures that cannot be trusted, and why: a spread above a quarter, a speed that is 1.1 times what
/// bounds it, a stage that takes 1.1 times as long as the whole, a whole that takes 3 times as long as its
/// stages, and processor time that other programs took. A sentence for each kind, with the number of cells
/// and the worst of them.
std::vector<std::string> doubts(const Report& report);

}  // namespace tdz::app::bench
