// SPDX-License-Identifier: Apache-2.0
// What happens to files under hidden names, at the end of a run and in the next one?
#include "app/files/hidden_file.hpp"

#include <doctest/doctest.h>
#include <fcntl.h>
#include <sys/file.h>
#include <unistd.h>

#include <array>
#include <filesystem>
#include <fstream>

#include "app/options/names.hpp"

using namespace tdz::app;
namespace fs = std::filesystem;

namespace {

/// A folder that is removed with all that is in it.
struct Folder {
  Folder() {
    std::string name = (fs::temp_directory_path() / "tdz-test-XXXXXX").string();
    path = mkdtemp(name.data());
    fd = open_folder(AT_FDCWD, path);
  }
  ~Folder() { fs::remove_all(path); }

  void write(const std::string& name, const std::string& text) const {
    std::ofstream(fs::path(path) / name) << text;
  }
  std::string read(const std::string& name) const {
    std::ifstream file(fs::path(path) / name);
    return {std::istreambuf_iterator<char>(file), {}};
  }
  bool has(const std::string& name) const { return fs::exists(fs::path(path) / name); }
  /// Hides the file, as --rm does.
  int hide(const std::string& name) const {
    return HiddenName::current().claim(fd.get(), name, kHiddenSourceSuffix, name, [&](const char* hidden) {
      errno = rename_without_replacing(fd.get(), name.c_str(), hidden);
      return errno == 0;
    });
  }

  std::string path;
  Fd fd;
};

std::string hidden_source(const std::string& name, unsigned number = 0) {
  return hidden_name(name, kHiddenSourceSuffix, number, 255);
}

}  // namespace

TEST_CASE("at the end a source gets its name back, and a result is removed") {
  const Folder folder;
  folder.write("x", "source");
  REQUIRE(folder.hide("x") == 0);
  CHECK(folder.read(hidden_source("x")) == "source");
  CHECK_FALSE(folder.has("x"));
  CHECK(HiddenName::current().end() == 0);
  CHECK(folder.read("x") == "source");
  CHECK_FALSE(folder.has(hidden_source("x")));
  CHECK(HiddenName::current().end() == 0);  // there is none any more
  CHECK(folder.has("x"));

  const auto make = [&](const char* hidden) { return folder.write(hidden, "part"), true; };
  REQUIRE(HiddenName::current().claim(folder.fd.get(), "x", kTemporarySuffix, {}, make) == 0);
  const std::string part = HiddenName::current().text();
  CHECK(folder.has(part));
  CHECK(HiddenName::current().end() == 0);
  CHECK_FALSE(folder.has(part));
}

TEST_CASE("a name that was taken meanwhile is not taken back") {
  const Folder folder;
  folder.write("x", "source");
  REQUIRE(folder.hide("x") == 0);
  folder.write("x", "new");
  CHECK(HiddenName::current().end() == EEXIST);
  CHECK(folder.read("x") == "new");
  CHECK(folder.read(hidden_source("x")) == "source");
  CHECK(HiddenName::current().end_with([](const char*) { return true; }) == ENOENT);
}

TEST_CASE("a hidden name that exists is not used") {
  const Folder folder;
  folder.write("x", "source");
  for (unsigned number = 0; number < kLastingNames; ++number)
    folder.write(hidden_source("x", number), "other");
  REQUIRE(folder.hide("x") == 0);
  CHECK(folder.read(HiddenName::current().text()) == "source");
  CHECK(HiddenName::current().end() == 0);
  for (unsigned number = 0; number < kLastingNames; ++number)
    CHECK(folder.read(hidden_source("x", number)) == "other");
}

TEST_CASE("a source that was left gets its name back, if nobody uses it and the name is free") {
  const Folder folder;
  for (unsigned number = 0; number < kLastingNames; ++number) {
    const std::string hidden = hidden_source("x", number), path = folder.path + "/x";
    folder.write(hidden, "source");
    folder.write("x", "new");
    CHECK_FALSE(give_name_back(path));
    unlinkat(folder.fd.get(), "x", 0);
    const Fd file(openat(folder.fd.get(), hidden.c_str(), O_RDONLY));
    REQUIRE(flock(file.get(), LOCK_SH) == 0);
    CHECK_FALSE(hidden_source_of(path));
    REQUIRE(flock(file.get(), LOCK_UN) == 0);
    CHECK(hidden_source_of(path) == hidden);
    CHECK(give_name_back(path) == hidden);
    CHECK(folder.read("x") == "source");
    unlinkat(folder.fd.get(), "x", 0);
  }
  CHECK_FALSE(give_name_back(folder.path + "/x"));
  CHECK_FALSE(give_name_back(folder.path + "/none/x"));
}

TEST_CASE("a second name of a file is removed, and only that") {
  const Folder folder;
  folder.write("x", "source");
  const std::string second = hidden_source("x"), other = hidden_source("x", 1);
  REQUIRE(linkat(folder.fd.get(), "x", folder.fd.get(), second.c_str(), 0) == 0);
  folder.write(other, "other");
  remove_second_names(folder.path + "/x");
  CHECK(folder.read("x") == "source");
  CHECK_FALSE(folder.has(second));
  CHECK(folder.read(other) == "other");
}

TEST_CASE("whoever writes a result keeps it; a file that is gone, or that is being removed, is no result") {
  const Folder folder;
  const std::string hidden = hidden_name("x", kTemporarySuffix, 0, 255);
  const auto create = [&] { return Fd(openat(folder.fd.get(), hidden.c_str(), O_CREAT | O_RDWR, 0600)); };
  {
    const Fd writer = create();
    CHECK(lock_hidden_file(writer.get(), folder.fd.get(), hidden.c_str()));
    remove_leftovers(folder.fd.get(), "x");
    CHECK(folder.has(hidden));
    const Fd remover(openat(folder.fd.get(), hidden.c_str(), O_RDONLY));
    CHECK_FALSE(lock_hidden_file(remover.get(), folder.fd.get(), hidden.c_str()));
    CHECK(errno == EEXIST);
  }
  remove_leftovers(folder.fd.get(), "y");
  CHECK(folder.has(hidden));
  const Fd late = create();
  remove_leftovers(folder.fd.get(), "x");
  CHECK_FALSE(folder.has(hidden));
  CHECK_FALSE(lock_hidden_file(late.get(), folder.fd.get(), hidden.c_str()));
  CHECK(errno == EEXIST);
}
