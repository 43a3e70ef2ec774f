// SPDX-License-Identifier: Apache-2.0
#include "app/bench/measure/limit.hpp"

#include <cmath>

namespace tdz::app::bench {

Limit memory_machine_limit(const MachineModel& model, std::uint64_t bytes, unsigned word) {
  const double moved = 2 * static_cast<double>(bytes);
  const double numbers = std::max(static_cast<double>(bytes) / word, 1.0);
  return {moved / model.bytes_per_second, moved / model.access_bytes * model.latency / model.threads,
          model.latency * std::log2(numbers)};
}

Limit copy_limit(const Timing& copy) {
  return {copy.median, 0, 0};
}

}  // namespace tdz::app::bench
