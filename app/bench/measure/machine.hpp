// SPDX-License-Identifier: Apache-2.0
// What a report says about the machine that it was measured on.
#pragma once

#include "app/bench/results.hpp"
#include "tdz/tdz.hpp"

namespace tdz::app::bench {

/// Ties the calling thread, and the threads that it starts, to one processor, so that moves between
/// processors are not measured. Returns which one, or the reason why not.
std::string pin_to_one_processor();

/// Everything except `pinned` and what the run itself did. Asks for the device only if one is measured.
Machine this_machine(bool with_device, int device);

/// Bytes of the processor's last cache; nothing if the system does not say.
std::optional<std::uint64_t> last_cache();

/// Processes that ran or waited to run, as a mean over the last minute; nothing if the system does not say.
std::optional<double> load_average();

/// Processor time of this process so far, user and system.
double cpu_seconds();

/// Now, in UTC: "2026-01-31T12:00:00Z".
std::string utc_now();

}  // namespace tdz::app::bench
