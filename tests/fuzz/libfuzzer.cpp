// SPDX-License-Identifier: Apache-2.0
// The entry point for libFuzzer. The environment names the target: TDZ_FUZZ=decode tdz_fuzz CORPUS
#include <cstdint>
#include <cstdio>
#include <cstdlib>

#include "tests/fuzz/targets.hpp"

static tdz::fuzz::Target* chosen = nullptr;

extern "C" int LLVMFuzzerInitialize(int*, char***) {
  const char* name = std::getenv("TDZ_FUZZ");
  const auto found = tdz::fuzz::targets().find(name == nullptr ? "" : name);
  if (found != tdz::fuzz::targets().end()) {
    chosen = found->second;
    return 0;
  }
  std::fputs("TDZ_FUZZ names one of:\n", stderr);
  for (const auto& [known, target] : tdz::fuzz::targets()) std::fprintf(stderr, "%s\n", known.c_str());
  std::exit(1);
}

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  chosen(std::as_bytes(std::span(data, size)));
  return 0;
}
