// SPDX-License-Identifier: Apache-2.0
// How fast a prefix sum can be at best: the memory machine model. docs/limit.md explains it.
#pragma once

#include "app/bench/results.hpp"

namespace tdz::app::bench {

/// The unified memory machine's time for the prefix sums of n numbers, O(n/w + n l/p + l log n), with the
/// constants that a device was measured to have: bytes moved at its bandwidth; accesses of its resident
/// threads, a latency each; and one chain of dependent accesses, as deep as the reduction. Every byte is read
/// once and written once. Source: Nakano, "Simple Memory Machine Models for GPUs", IPDPSW 2012. Precondition:
/// word divides bytes or is shorter.
Limit memory_machine_limit(const MachineModel& model, std::uint64_t bytes, unsigned word);

/// Where only a copy's time is known, that is the limit.
Limit copy_limit(const Timing& copy);

}  // namespace tdz::app::bench
