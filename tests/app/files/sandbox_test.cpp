// SPDX-License-Identifier: Apache-2.0
// Is a hostile call stopped in the sandbox, in each thread, and does all that a command needs go on? Each
// question is asked in a process of its own, because rights never come back.
#include "app/files/system_calls.hpp"

#include <doctest/doctest.h>
#include <fcntl.h>
#include <signal.h>
#include <sys/mman.h>
#include <sys/personality.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <functional>
#include <thread>

#include "app/verbs/verbs.hpp"

using namespace tdz::app;
namespace fs = std::filesystem;

namespace {

/// Without the calls of Linux there is no sandbox to ask.
#ifdef TDZ_LINUX_CALLS
constexpr bool kNone = false;
#else
constexpr bool kNone = true;
#endif

struct TwoFolders {
  TwoFolders() {
    std::string name = (fs::temp_directory_path() / "tdz-test-XXXXXX").string();
    root = mkdtemp(name.data());
    fs::create_directories(fs::path(root) / "results");
    fs::create_directories(fs::path(root) / "other");
    for (const char* file : {"results/old", "other/old"}) std::ofstream(fs::path(root) / file) << "text";
  }
  ~TwoFolders() { fs::remove_all(root); }
  std::string operator/(const std::string& name) const { return (fs::path(root) / name).string(); }

  std::string root;
};

/// Results of questions to a child. A child must not run the tests of its parent.
enum Answer : int { kYes = 10, kNo = 11, kNoSandbox = 12, kLost = 13 };

/// Asks a process that may write to these places only.
Answer in_sandbox(const FileRights& rights, bool Sandbox::*part, const std::function<bool()>& question) {
  const pid_t child = fork();
  if (child == 0) _exit(enter_sandbox(rights).*part ? (question() ? kYes : kNo) : kNoSandbox);
  int status = 0;
  if (child < 0 || waitpid(child, &status, 0) != child || !WIFEXITED(status)) return kLost;
  return static_cast<Answer>(WEXITSTATUS(status));
}

bool fails_with(int error, long result) {
  return result < 0 && errno == error;
}

int opened(const std::string& path, int how) {
  return open(path.c_str(), how | O_CLOEXEC, 0600);
}

/// What a command does with names, in this folder.
bool works_in(const std::string& folder) {
  const auto path = [&](const char* name) { return folder + "/" + name; };
  const int file = opened(path("new"), O_CREAT | O_WRONLY);
  const bool unnamed = opened(folder, O_TMPFILE | O_RDWR) >= 0 || errno == EOPNOTSUPP || errno == EISDIR;
  return file >= 0 && write(file, "x", 1) == 1 && fsync(file) == 0 && unnamed &&
         link(path("new").c_str(), path("second").c_str()) == 0 &&
         rename(path("second").c_str(), path("third").c_str()) == 0 && unlink(path("third").c_str()) == 0 &&
         mkdir(path("folder").c_str(), 0700) == 0 && truncate(path("old").c_str(), 1) == 0;
}

bool is_closed(const std::string& folder) {
  const auto path = [&](const char* name) { return folder + "/" + name; };
  return fails_with(EACCES, opened(path("new"), O_CREAT | O_WRONLY)) &&
         fails_with(EACCES, opened(path("old"), O_WRONLY)) &&
         fails_with(EACCES, opened(path("old"), O_RDWR | O_TRUNC)) &&
         fails_with(EACCES, unlink(path("old").c_str())) &&
         fails_with(EACCES, mkdir(path("folder").c_str(), 0700)) &&
         fails_with(EACCES, rename(path("old").c_str(), path("new").c_str())) &&
         fails_with(EACCES, symlink("/", path("link").c_str()));
}

bool in_a_thread(const std::function<bool()>& question) {
  bool answer = false;
  std::thread([&] { answer = question(); }).join();
  return answer;
}

bool hostile_calls_fail() {
  char name[] = "/bin/true";
  char* const words[] = {name, nullptr};
  return fails_with(EPERM, execve(name, words, nullptr)) && fails_with(EPERM, fork()) &&
         fails_with(EPERM, socket(AF_INET, SOCK_STREAM, 0)) &&
         fails_with(EPERM, socket(AF_UNIX, SOCK_STREAM, 0)) && fails_with(EPERM, kill(getppid(), 0)) &&
         fails_with(EPERM, setuid(getuid())) &&
         fails_with(EPERM, syscall(SYS_tgkill, getppid(), getppid(), 0)) &&
         fails_with(EPERM, personality(0x0400000)) && personality(0xFFFFFFFF) >= 0 &&
         std::system("true") != 0 &&
         mmap(nullptr, 4096, PROT_READ | PROT_EXEC, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0) == MAP_FAILED;
}

void check_yes(Answer answer) {
  if (answer == kNoSandbox) {
    MESSAGE("this kernel or build has no such sandbox");
    return;
  }
  CHECK(answer == kYes);
}

FileRights writing_to(const std::string& place) {
  return {std::vector<std::string>{place}};
}

}  // namespace

TEST_CASE("files are written in the folders of a command, and nowhere else" * doctest::skip(kNone)) {
  for (const bool threads : {false, true}) {
    const TwoFolders folders;
    const auto asked = [&](const std::function<bool()>& question) {
      return threads ? in_a_thread(question) : question();
    };
    check_yes(in_sandbox(writing_to(folders / "results"), &Sandbox::files, [&] {
      return asked([&] { return works_in(folders / "results") && is_closed(folders / "other"); });
    }));
    CHECK(fs::exists(folders / "other/old"));
    CHECK(fs::file_size(folders / "other/old") == 4);
  }
}

TEST_CASE("a command that only reads writes nowhere, and what is open stays so" * doctest::skip(kNone)) {
  const TwoFolders folders;
  const int file = opened(folders / "results/old", O_WRONLY);
  check_yes(in_sandbox({std::vector<std::string>{}}, &Sandbox::files, [&] {
    std::ifstream old(folders / "other/old");
    return is_closed(folders / "other") && is_closed(folders / "results") && write(file, "y", 1) == 1 &&
           old.get() == 't';
  }));
  close(file);
}

TEST_CASE("a place that is not there yet stands for the folder above it" * doctest::skip(kNone)) {
  const TwoFolders folders;
  check_yes(in_sandbox(writing_to(folders / "results/a/b"), &Sandbox::files, [&] {
    return fs::create_directories(folders / "results/a/b") && works_in(folders / "results") &&
           is_closed(folders / "other");
  }));
}

TEST_CASE("a place that cannot be opened costs no other place its bounds" * doctest::skip(kNone)) {
  const TwoFolders folders;
  const FileRights rights{std::vector<std::string>{std::string(300, 'x') + "/y", folders / "results"}};
  check_yes(in_sandbox(rights, &Sandbox::files,
                       [&] { return works_in(folders / "results") && is_closed(folders / "other"); }));
}

TEST_CASE("a single file may be the place" * doctest::skip(kNone)) {
  const TwoFolders folders;
  check_yes(in_sandbox(writing_to(folders / "other/old"), &Sandbox::files, [&] {
    return opened(folders / "other/old", O_WRONLY | O_TRUNC) >= 0 && is_closed(folders / "results");
  }));
}

TEST_CASE("programs, networks, other processes and executable memory are denied, in threads too" *
          doctest::skip(kNone)) {
  check_yes(in_sandbox({}, &Sandbox::calls, hostile_calls_fail));
  check_yes(in_sandbox({}, &Sandbox::calls, [] { return in_a_thread(hostile_calls_fail); }));
}

TEST_CASE("commands keep what they need") {
  const auto written = [](const Command& command) {
    const auto rights = rights_of(command);
    return rights ? rights->written : std::nullopt;
  };
  using Places = std::vector<std::string>;
  CompressCommand compress;
  compress.codec.backend = tdz::BackendChoice::cpu;
  compress.files = {"a/b.bin", "c", std::string(kStandardInput)};
  CHECK(written(compress) == Places{".", "a"});
  compress.output.tree = "results";
  CHECK(written(compress) == Places{".", "a", "results"});
  compress.output.file = "/dev/null";
  CHECK(written(compress) == Places{".", "/dev", "/dev/null", "a", "results"});
  compress.selection.lists.push_back({"names"});
  CHECK(rights_of(compress));
  CHECK_FALSE(written(compress));
  compress.reporting.no_sandbox = true;
  CHECK_FALSE(rights_of(compress));

  VerifyCommand verify;
  verify.files = {"x/y.tdz"};
  verify.codec.backend = tdz::BackendChoice::cpu;
  CHECK(written(verify) == Places{});
  RecoverCommand recover;
  recover.files = {"x/y.tdz"};
  recover.output.file = "out/y";
  recover.map = "maps/y";
  CHECK(written(recover) == Places{"out", "x", "maps"});
  CHECK_FALSE(rights_of(BenchCommand{}));
}
