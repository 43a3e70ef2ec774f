// SPDX-License-Identifier: Apache-2.0
// What every verb gets besides its options.
#pragma once

#include "app/files/interrupts.hpp"
#include "app/reports/log.hpp"

namespace tdz::app {

struct Session {
  Interrupts& interrupts;
  Log& log;
};

}  // namespace tdz::app
