// SPDX-License-Identifier: Apache-2.0
// The shortest possible time of a prefix sum: the memory machine model. docs/limit.md explains it.
#pragma once

#include "app/bench/results.hpp"

namespace tdz::app::bench {

/// The unified memory machine's time for the prefix sums of n numbers, O(n/w + n l/p + l log n), with the
/// measured constants of a device. The terms: all bytes at its bandwidth; the accesses of its resident
/// threads, one latency each; one chain of dependent accesses, as deep as the reduction. Every byte is read
/// once and written once. Source: Nakano, "Simple Memory Machine Models for GPUs", IPDPSW 2012. Precondition:
/// word divides bytes or is shorter.
Limit memory_machine_limit(const MachineModel& model, std::uint64_t bytes, unsigned word);

/// If only the time of a copy is known, it is the limit.
Limit copy_limit(const Timing& copy);

}  // namespace tdz::app::bench
