// SPDX-License-Identifier: Apache-2.0
// Inputs to begin with: small streams of every shape, choices in front where a target takes them, foreign
// headers, words.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "tests/codec/support.hpp"

namespace tdz::fuzz {

/// The seeds of a target.
std::vector<test::Bytes> seeds_for(const std::string& target);

}  // namespace tdz::fuzz
