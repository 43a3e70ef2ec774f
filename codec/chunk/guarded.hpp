// SPDX-License-Identifier: Apache-2.0
// Memory that is missing, as an error value. Pure functions, thread-safe.
#pragma once

#include <new>

#include "formats/error.hpp"

namespace tdz {

/// The Error limit for a std::bad_alloc.
inline Error out_of_memory() noexcept {
  try {
    return {ErrorKind::limit, "out of memory; try fewer threads or smaller chunks"};
  } catch (const std::bad_alloc&) {
    return {ErrorKind::limit, "out of memory"};  // short enough for a string without allocation
  }
}

/// Calls it, and turns std::bad_alloc into an error value: no exception leaves a thread, or a call of the
/// library.
template <class Call>
auto guarded(const Call& call) -> decltype(call()) {
  try {
    return call();
  } catch (const std::bad_alloc&) {
    return out_of_memory();
  }
}

}  // namespace tdz
