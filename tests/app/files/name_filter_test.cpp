// SPDX-License-Identifier: Apache-2.0
// Does --exclude do what its documentation says?
#include "app/files/job_list.hpp"

#include <doctest/doctest.h>

using namespace tdz::app;

namespace {

bool excluded(const char* glob, const char* name) {
  return NameFilter({glob}).excludes(name);
}

}  // namespace

TEST_CASE("a pattern without a slash is compared with the last part of a name") {
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

TEST_CASE("a pattern with a slash is compared with the whole name") {
  CHECK(excluded("a/*", "a/b"));
  CHECK(excluded("a/*", "a/b/c"));
  CHECK(excluded("a/*", "././/a/b"));
  CHECK(excluded("/x/*.raw", "/x/y.raw"));
  CHECK_FALSE(excluded("a/*", "x/a/b"));
}

TEST_CASE("paths to the same name are the same pattern") {
  for (const char* glob : {"a/b", "./a/b", "a//b", "a/b/", ".//a///b//"}) {
    CAPTURE(glob);
    for (const char* name : {"a/b", "./a/b/", "a//b"}) CHECK(excluded(glob, name));
    CHECK_FALSE(excluded(glob, "x/a/b"));
  }
  CHECK(excluded("tmp/", "x/tmp"));
  CHECK(excluded("./tmp", "x/tmp/"));
  CHECK_FALSE(excluded("./", "a"));
}

TEST_CASE("no pattern excludes . or .. or the root") {
  for (const char* name : {".", "..", "./", "../", "a/..", "/", ""}) {
    CAPTURE(name);
    CHECK_FALSE(excluded("*", name));
    CHECK_FALSE(excluded(".*", name));
  }
  CHECK(excluded(".*", ".git"));
  CHECK(excluded("*", "./..."));
}

TEST_CASE("one matching pattern of several excludes; an empty list excludes nothing") {
  const NameFilter two({"a", "b"});
  CHECK(two.excludes("a"));
  CHECK(two.excludes("b"));
  CHECK_FALSE(two.excludes("c"));
  CHECK_FALSE(NameFilter({}).excludes("a"));
}
