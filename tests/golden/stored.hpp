// SPDX-License-Identifier: Apache-2.0
// The golden streams that are stored in the tree.
#pragma once

#include <doctest/doctest.h>

#include <filesystem>
#include <fstream>
#include <span>
#include <string>

#include "tests/codec/support.hpp"

namespace tdz::test {

inline Bytes stored_golden(const std::string& name) {
  const auto path = std::filesystem::path(TDZ_GOLDEN_DIR) / (name + ".tdz");
  std::ifstream file(path, std::ios::binary);
  REQUIRE_MESSAGE(file, "cannot open ", path.string(), "; tests/golden/README.md says how it is made");
  const std::string text(std::istreambuf_iterator<char>(file), {});
  const auto bytes = std::as_bytes(std::span(text));
  return {bytes.begin(), bytes.end()};
}

}  // namespace tdz::test
