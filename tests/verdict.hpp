// SPDX-License-Identifier: Apache-2.0
// A result as a word, for tables of what readers shall say.
#pragma once

#include <string>

#include "formats/error.hpp"

namespace tdz::test {

/// "accepted", or the kind of the error.
template <class T>
std::string verdict_of(const Result<T>& result) {
  return result ? "accepted" : std::string(name_of(result.error().kind));
}

}  // namespace tdz::test
