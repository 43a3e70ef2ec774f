// SPDX-License-Identifier: Apache-2.0
#include "app/reports/text_output.hpp"

#include <unistd.h>

namespace tdz::app {
namespace {
constexpr std::size_t kPiece = 64u << 10;  // the capacity of a pipe
}

TextOutput::TextOutput(Interrupts& interrupts)
    : sink_(STDOUT_FILENO, "(stdout)", Placement::in_order, interrupts) {}

Status TextOutput::put(std::string_view text) {
  pending_ += text;
  return pending_.size() < kPiece ? ok() : flush();
}

Status TextOutput::flush() {
  auto done = sink_.write(std::as_bytes(std::span(pending_)));
  pending_.clear();
  return done;
}

}  // namespace tdz::app
