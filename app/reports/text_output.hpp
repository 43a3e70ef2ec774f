// SPDX-License-Identifier: Apache-2.0
// Text on standard output. It is written in pieces, and every error is reported.
#pragma once

#include <string>
#include <string_view>

#include "app/files/fd_io.hpp"

namespace tdz::app {

class TextOutput {
 public:
  explicit TextOutput(Interrupts& interrupts);

  Status put(std::string_view text);
  Status flush();

 private:
  FdSink sink_;
  std::string pending_;
};

}  // namespace tdz::app
