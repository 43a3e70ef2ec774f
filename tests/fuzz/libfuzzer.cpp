// SPDX-License-Identifier: Apache-2.0
// The entry point for libFuzzer. The environment names the target: TDZ_FUZZ=decode tdz_fuzz CORPUS. Without
// it the name of the program does, because OSS-Fuzz wants one program for each target: copies of this one.
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <filesystem>

#include "tests/fuzz/targets.hpp"

static tdz::fuzz::Target* chosen = nullptr;

extern "C" int LLVMFuzzerInitialize(int*, char*** arguments) {
  const char* name = std::getenv("TDZ_FUZZ");
  const std::string wanted = name != nullptr ? name : std::filesystem::path(**arguments).filename().string();
  const auto found = tdz::fuzz::targets().find(wanted);
  if (found != tdz::fuzz::targets().end()) {
    chosen = found->second;
    return 0;
  }
  std::fputs("TDZ_FUZZ, or without it the name of this program, is one of:\n", stderr);
  for (const auto& [known, target] : tdz::fuzz::targets()) std::fprintf(stderr, "%s\n", known.c_str());
  std::exit(1);
}

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  chosen(std::as_bytes(std::span(data, size)));
  return 0;
}
