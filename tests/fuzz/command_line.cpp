// SPDX-License-Identifier: Apache-2.0
// Any words give a command, or an error in printable text.
#include "app/options/command_line.hpp"

#include "tests/fuzz/support.hpp"

using namespace tdz;

TDZ_FUZZ_TARGET(command_line, bytes) {
  std::vector<std::string> words(1);
  for (const std::byte b : bytes) {
    const char letter = static_cast<char>(b);
    if (letter == '\n') {
      words.emplace_back();
    } else if (letter != '\0') {
      words.back() += letter;
    }
  }
  const auto command = app::parse_command_line(words);
  if (command) return;
  TDZ_MUST(command.error().kind == ErrorKind::usage);
  for (const char letter : command.error().message) TDZ_MUST(static_cast<unsigned char>(letter) >= 0x20);
}
