// SPDX-License-Identifier: Apache-2.0
// Are the CPU mask and the limits of cgroups found, of either version, of the own cgroup and of all above it?
#include "codec/stream/resources.hpp"

#include <doctest/doctest.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <thread>

#include "codec/stream/memory_limit.hpp"
#include "codec/stream/pipeline.hpp"

#ifdef TDZ_LINUX_CALLS
#include <sched.h>
#endif

using namespace tdz;
using cgroup::Folder;

namespace {

/// A made-up system in a folder of its own, which is removed at the end.
class Tree {
 public:
  Tree() {
    std::string name = (std::filesystem::temp_directory_path() / "tdz-cgroup-XXXXXX").string();
    REQUIRE(mkdtemp(name.data()) != nullptr);
    root_ = name;
  }
  ~Tree() { std::filesystem::remove_all(root_); }
  Tree(const Tree&) = delete;
  Tree& operator=(const Tree&) = delete;

  Tree& add(const std::string& file, const std::string& text) {
    const std::filesystem::path path = root_ + file;
    std::filesystem::create_directories(path.parent_path());
    std::ofstream(path) << text;
    return *this;
  }
  CgroupLimits limits() const { return cgroup_limits(root_); }

 private:
  std::string root_;
};

constexpr auto kSecond = "29 23 0:26 / /sys/fs/cgroup rw,nosuid shared:4 - cgroup2 cgroup2 rw,nsdelegate\n";
constexpr auto kFirst =
    "30 25 0:27 / /sys/fs/cgroup ro - tmpfs tmpfs ro,mode=755\n"
    "31 30 0:28 / /sys/fs/cgroup/unified rw - cgroup2 cgroup2 rw\n"
    "33 30 0:30 /docker/ab /sys/fs/cgroup/cpu,cpuacct rw master:11 - cgroup cgroup rw,cpu,cpuacct\n"
    "34 30 0:31 /docker/ab /sys/fs/cgroup/memory rw - cgroup cgroup rw,memory\n"
    "35 30 0:32 /docker/ab /sys/fs/cgroup/cpuset rw - cgroup cgroup rw,cpuset\n";
constexpr auto kFirstOwn =
    "12:memory:/docker/ab/job\n5:cpu,cpuacct:/docker/ab\n1:name=systemd:/docker/ab\n0::/x\n";

}  // namespace

TEST_CASE("a quota is a number of cores") {
  CHECK(cgroup::cores_of_max("150000 100000\n") == 1.5);
  CHECK(cgroup::cores_of_max("20000 10000") == 2.0);
  CHECK(cgroup::cores_of_quota("400000\n", "100000\n") == 4.0);
  for (const auto* text :
       {"max 100000\n", "", "\n", "100000", "0 100000", "100000 0", "x 100000", "-1 100000", "1e5 1e5"}) {
    CAPTURE(text);
    CHECK_FALSE(cgroup::cores_of_max(text));
  }
  CHECK_FALSE(cgroup::cores_of_quota("-1\n", "100000\n"));
  CHECK_FALSE(cgroup::cores_of_quota("50000\n", ""));
}

TEST_CASE("a memory limit is a number of bytes") {
  CHECK(cgroup::memory_of("1073741824\n") == 1u << 30);
  CHECK(cgroup::memory_of("0\n") == 0u);
  for (const auto* text : {"max\n", "", "9223372036854771712\n", "18446744073709551615\n",
                           "99999999999999999999\n", "-1\n", "12 kB\n"}) {
    CAPTURE(text);
    CHECK_FALSE(cgroup::memory_of(text));
  }
}

TEST_CASE("the own cgroup is found below its mount") {
  CHECK(cgroup::folder_of("", "0::/user.slice/a b\n", kSecond) ==
        Folder{"/sys/fs/cgroup", "/user.slice/a b"});
  CHECK(cgroup::folder_of("", "0::/\n", kSecond) == Folder{"/sys/fs/cgroup", ""});
  CHECK(cgroup::folder_of("memory", kFirstOwn, kFirst) == Folder{"/sys/fs/cgroup/memory", "/job"});
  CHECK(cgroup::folder_of("cpu", kFirstOwn, kFirst) == Folder{"/sys/fs/cgroup/cpu,cpuacct", ""});
  CHECK(cgroup::folder_of("", kFirstOwn, kFirst) == Folder{"/sys/fs/cgroup/unified", "/x"});
  CHECK_FALSE(cgroup::folder_of("cpu", "0::/\n", kFirst));    // no line names the controller
  CHECK_FALSE(cgroup::folder_of("cpu", kFirstOwn, kSecond));  // it is not mounted
  CHECK_FALSE(cgroup::folder_of("pids", kFirstOwn, kFirst));
  CHECK_FALSE(cgroup::folder_of("", "", ""));
  CHECK_FALSE(cgroup::folder_of("", "0::/\n", "29 23 0:26 / /sys/fs/cgroup rw\nnonsense\n"));
}

TEST_CASE("a cgroup outside of its mount is as near as the mount") {
  const auto at = [](const char* root, const char* own) {
    const std::string mounts = std::string("29 23 0:26 ") + root + " /c\\040g rw - cgroup2 none rw\n";
    return cgroup::folder_of("", std::string("0::") + own + "\n", mounts)->below;
  };
  CHECK(at("/", "/a/b") == "/a/b");
  CHECK(at("/a", "/a/b") == "/b");
  CHECK(at("/a", "/ab").empty());
  CHECK(at("/../..", "/").empty());
  CHECK(at("/", "/../x").empty());
  CHECK(cgroup::folder_of("", "0::/a\n", "1 1 0:1 / /c\\040g rw - cgroup2 none rw\n")->mount == "/c g");
  const std::string two = "1 1 0:1 /other /o rw - cgroup2 none rw\n2 1 0:1 /a /m rw - cgroup2 none rw\n";
  CHECK(cgroup::folder_of("", "0::/a/b\n", two) == Folder{"/m", "/b"});
}

TEST_CASE("version 2: the lowest limit of the cgroup and of all above it") {
  Tree tree;
  tree.add("/proc/self/cgroup", "0::/slice/job/step\n").add("/proc/self/mountinfo", kSecond);
  CHECK(tree.limits() == CgroupLimits{});
  tree.add("/sys/fs/cgroup/slice/job/step/cpu.max", "max 100000\n");
  tree.add("/sys/fs/cgroup/slice/job/step/memory.max", "max\n");
  CHECK(tree.limits() == CgroupLimits{});
  tree.add("/sys/fs/cgroup/slice/job/cpu.max", "300000 100000\n");
  tree.add("/sys/fs/cgroup/slice/memory.max", "4096000\n");
  CHECK(tree.limits() == CgroupLimits{3.0, 4096000});
  tree.add("/sys/fs/cgroup/slice/cpu.max", "50000 100000\n");
  tree.add("/sys/fs/cgroup/slice/job/step/memory.max", "8192000\n");
  CHECK(tree.limits() == CgroupLimits{0.5, 4096000});
  tree.add("/sys/fs/cgroup/slice/other/cpu.max", "10000 100000\n");  // of other processes
  CHECK(tree.limits() == CgroupLimits{0.5, 4096000});
}

TEST_CASE("version 2 in a container: its cgroup is the root") {
  Tree tree;
  tree.add("/proc/self/cgroup", "0::/\n").add("/proc/self/mountinfo", kSecond);
  tree.add("/sys/fs/cgroup/cpu.max", "200000 100000\n").add("/sys/fs/cgroup/memory.max", "536870912\n");
  CHECK(tree.limits() == CgroupLimits{2.0, 512u << 20});
}

TEST_CASE("version 1: each controller has a hierarchy") {
  Tree tree;
  tree.add("/proc/self/cgroup", kFirstOwn).add("/proc/self/mountinfo", kFirst);
  tree.add("/sys/fs/cgroup/cpu,cpuacct/cpu.cfs_quota_us", "-1\n")
      .add("/sys/fs/cgroup/cpu,cpuacct/cpu.cfs_period_us", "100000\n");
  tree.add("/sys/fs/cgroup/memory/memory.limit_in_bytes", "9223372036854771712\n");
  CHECK(tree.limits() == CgroupLimits{});
  tree.add("/sys/fs/cgroup/cpu,cpuacct/cpu.cfs_quota_us", "250000\n");
  tree.add("/sys/fs/cgroup/memory/memory.limit_in_bytes", "2000000\n");
  tree.add("/sys/fs/cgroup/memory/job/memory.limit_in_bytes", "1000000\n");
  CHECK(tree.limits() == CgroupLimits{2.5, 1000000});
  tree.add("/sys/fs/cgroup/unified/x/memory.max", "900000\n");  // both versions at once
  CHECK(tree.limits() == CgroupLimits{2.5, 900000});
}

TEST_CASE("a system without cgroups has no limits") {
  CHECK(Tree().limits() == CgroupLimits{});
  CHECK(Tree().add("/proc/self/cgroup", "0::/a\n").limits() == CgroupLimits{});
}

TEST_CASE("a file that cannot be read gives no limit") {
  Tree tree;
  tree.add("/proc/self/cgroup", "0::/\n").add("/proc/self/mountinfo", kSecond);
  tree.add("/sys/fs/cgroup/cpu.max/inside", "")
      .add("/sys/fs/cgroup/memory.max", "536870912\n");  // a folder: EISDIR
  CHECK(tree.limits() == CgroupLimits{std::nullopt, 512u << 20});
}

#ifdef TDZ_LINUX_CALLS
TEST_CASE("a thread that may run on one core counts one") {
  unsigned pinned = 0, usual = 0, asked = 0;
  std::thread([&] {
    cpu_set_t set;
    CPU_ZERO(&set);
    CPU_SET(static_cast<std::size_t>(sched_getcpu()), &set);
    if (sched_setaffinity(0, sizeof set, &set) != 0) return;
    pinned = usable_cores();
    usual = worker_count(0);
    asked = worker_count(7);
  }).join();
  CHECK(pinned == 1);
  CHECK(usual == 1);
  CHECK(asked == 7);  // what is asked for is not cut
}
#endif

TEST_CASE("the default memory of decoding is within what may be used") {
  CHECK(usable_cores() >= 1);
  if (usable_memory()) CHECK(usual_memory() <= *usable_memory() / 4);
}
