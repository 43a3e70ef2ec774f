// SPDX-License-Identifier: Apache-2.0
// What every verb is given beside its options.
#pragma once

#include "app/interrupts.hpp"
#include "app/log.hpp"

namespace tdz::app {

struct Session {
  Interrupts& interrupts;
  Log& log;
};

}  // namespace tdz::app
