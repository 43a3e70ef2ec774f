// SPDX-License-Identifier: Apache-2.0
// What a caller of tdz.h wants the search to know.
#pragma once

#include <string>

#include "codec/c/call.hpp"
#include "tdz/tdz.hpp"

namespace tdz::c {

struct SearchWish {
  const char* type = nullptr;  ///< NULL: unknown
  int level = 0;
  unsigned effort = TDZ_EFFORT_NORMAL;
  bool gpu = false;
  bool big_endian = false;
};

/// The options of a compression with a search. Errors: usage (type, level, effort or byte order).
Result<CompressOptions> compress_request(const SearchWish& wish);

/// The name of a type as files have it. Error usage: it names no type.
Result<std::string> checked_type(const char* type);

}  // namespace tdz::c
