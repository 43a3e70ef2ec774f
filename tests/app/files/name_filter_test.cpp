// SPDX-License-Identifier: Apache-2.0
// Does --exclude mean what its documentation says?
#include "app/files/name_filter.hpp"

#include <doctest/doctest.h>

using namespace tdz::app;

namespace {

bool excluded(const char* glob, const char* name) {
  return NameFilter({glob}).excludes(name);
}

}  // namespace

TEST_CASE("a pattern without a slash is held against the last part") {
  CHECK(excluded("*.tmp", "a/b.tmp"));
  CHECK(excluded("*.tmp", ".tmp"));
  CHECK(excluded("b", "a/b"));
  CHECK(excluded("b", "a/b/"));
  CHECK(excluded("[ab]?", "x/b7"));
  CHECK(excluded("\\*", "*"));
  CHECK_FALSE(excluded("a", "a/b"));
  CHECK_FALSE(excluded("b", "a/bb"));
  CHECK_FALSE(excluded("*.TMP", "b.tmp"));
  CHECK_FALSE(excluded("\\*", "a"));
}

TEST_CASE("a pattern with a slash is held against the whole name") {
  CHECK(excluded("a/*", "a/b"));
  CHECK(excluded("a/*", "a/b/c"));
  CHECK(excluded("a/*", "././/a/b"));
  CHECK(excluded("/x/*.raw", "/x/y.raw"));
  CHECK_FALSE(excluded("a/*", "x/a/b"));
}

TEST_CASE("what leads to the same name is the same pattern") {
  for (const char* glob : {"a/b", "./a/b", "a//b", "a/b/", ".//a///b//"}) {
    CAPTURE(glob);
    for (const char* name : {"a/b", "./a/b/", "a//b"}) CHECK(excluded(glob, name));
    CHECK_FALSE(excluded(glob, "x/a/b"));
  }
  CHECK(excluded("tmp/", "x/tmp"));
  CHECK(excluded("./tmp", "x/tmp/"));
  CHECK_FALSE(excluded("./", "a"));
}

TEST_CASE("the folder one is in cannot be excluded by its other name") {
  for (const char* name : {".", "..", "./", "../", "a/..", "/", ""}) {
    CAPTURE(name);
    CHECK_FALSE(excluded("*", name));
    CHECK_FALSE(excluded(".*", name));
  }
  CHECK(excluded(".*", ".git"));
  CHECK(excluded("*", "./..."));
}

TEST_CASE("any of several patterns is enough, and none exclude nothing") {
  const NameFilter two({"a", "b"});
  CHECK(two.excludes("a"));
  CHECK(two.excludes("b"));
  CHECK_FALSE(two.excludes("c"));
  CHECK_FALSE(NameFilter({}).excludes("a"));
}
