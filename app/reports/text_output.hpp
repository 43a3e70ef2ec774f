// SPDX-License-Identifier: Apache-2.0
// Lines on standard output, as many as there are: collected in pieces, with errors that are noticed.
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
