// SPDX-License-Identifier: Apache-2.0
// What a report says of the machine it was measured on.
#pragma once

#include "app/bench/results.hpp"
#include "tdz/tdz.hpp"

namespace tdz::app::bench {

/// Keeps the calling thread, and those that it starts, on one of the processors it may use, so that the
/// scheduler's moves are not measured. Returns which, or why not.
std::string pin_to_one_processor();

/// Everything but `pinned`. The device is looked at only if one is measured.
Machine this_machine(bool with_device, int device);

/// Bytes that a new allocation may take without swapping, or nothing where the system does not say.
std::optional<std::uint64_t> available_memory();

/// What the last of the processor's caches holds, or nothing where the system does not say.
std::optional<std::uint64_t> last_cache();

/// Now, in UTC: "2026-01-31T12:00:00Z".
std::string utc_now();

}  // namespace tdz::app::bench
