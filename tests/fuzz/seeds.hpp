// SPDX-License-Identifier: Apache-2.0
// The first inputs: small streams of every shape, headers of other formats, words. If a target takes choices,
// they come first.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "tests/codec/support.hpp"

namespace tdz::fuzz {

/// The seeds of a target.
std::vector<test::Bytes> seeds_for(const std::string& target);

}  // namespace tdz::fuzz
