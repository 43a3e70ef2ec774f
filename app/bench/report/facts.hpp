// SPDX-License-Identifier: Apache-2.0
// What a report says of itself, as lines of name and text: the run, the machine, the constants of the model.
// What nobody knows is left out. Pure functions.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "app/bench/results.hpp"

namespace tdz::app::bench {

using Facts = std::vector<std::pair<std::string, std::string>>;

/// The command line as a shell takes it; control characters are made visible.
std::string command_text(const Report& report);
Facts run_facts(const Report& report);
Facts machine_facts(const Machine& machine);
/// ("model, cuda", "w 3.02 TB/s, l 612 ns, p 270336 threads, 16 bytes an access").
Facts model_facts(const std::vector<MachineModel>& models);

/// A sentence for every result that came out wrong.
std::vector<std::string> faults(const Report& report);

}  // namespace tdz::app::bench
