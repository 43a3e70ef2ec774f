// SPDX-License-Identifier: Apache-2.0
// What a report says about itself, as pairs of name and text: the run, the machine, the constants of the
// model. Unknown facts are left out. Pure functions.
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

}  // namespace tdz::app::bench
