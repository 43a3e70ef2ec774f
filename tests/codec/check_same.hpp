// SPDX-License-Identifier: Apache-2.0
// The comparison of what a decoder gives with what another one gives.
#pragma once

#include <doctest/doctest.h>

#include "tests/codec/support.hpp"

namespace tdz::test {

/// Same bytes, or the same error.
inline void check_same(const Result<Bytes>& found, const Result<Bytes>& wanted) {
  if (!found && wanted) FAIL(found.error().message);
  REQUIRE(bool(found) == bool(wanted));
  if (wanted) {
    CHECK(*found == *wanted);
    return;
  }
  CHECK(found.error().kind == wanted.error().kind);
  CHECK(found.error().message == wanted.error().message);
  CHECK(found.error().where == wanted.error().where);
}

}  // namespace tdz::test
