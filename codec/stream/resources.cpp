// SPDX-License-Identifier: Apache-2.0
#include "codec/stream/resources.hpp"

#include <sys/resource.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <charconv>
#include <cmath>
#include <fstream>
#include <limits>
#include <string>
#include <thread>
#include <vector>

#ifdef TDZ_LINUX_CALLS
#include <sched.h>
#endif

namespace tdz {
namespace {

std::string_view taken_up_to(char separator, std::string_view& text) {
  const std::string_view front = text.substr(0, text.find(separator));
  text.remove_prefix(std::min(text.size(), front.size() + 1));
  return front;
}

/// The number, if the text is one, with blanks and line feeds after it.
std::optional<std::uint64_t> number_in(std::string_view text) {
  while (!text.empty() && (text.back() == '\n' || text.back() == ' ')) text.remove_suffix(1);
  std::uint64_t number = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  return error == std::errc() && end == text.data() + text.size() ? std::optional(number) : std::nullopt;
}

bool has_word(std::string_view list, std::string_view word) {
  while (!list.empty())
    if (taken_up_to(',', list) == word) return true;
  return false;
}

/// mountinfo writes a blank as \040.
std::string unescaped(std::string_view text) {
  std::string plain;
  for (std::size_t i = 0; i < text.size(); ++i) {
    unsigned code = 0;
    const char* digits = text.data() + i + 1;
    const bool escaped = text[i] == '\\' && text.size() - i > 3 &&
                         std::from_chars(digits, digits + 3, code, 8).ptr == digits + 3;
    plain += escaped ? static_cast<char>(code) : text[i];
    if (escaped) i += 3;
  }
  return plain;
}

/// "12:cpu,cpuacct:/a/b" in version 1, "0::/a/b" in version 2. Nothing if no line names the controller.
std::optional<std::string_view> own_path(std::string_view controller, std::string_view self) {
  while (!self.empty()) {
    std::string_view line = taken_up_to('\n', self);
    const bool is_second = taken_up_to(':', line) == "0";
    const std::string_view controllers = taken_up_to(':', line);
    if (controller.empty() ? is_second && controllers.empty() : has_word(controllers, controller))
      return line;
  }
  return std::nullopt;
}

struct Mount {
  std::string root;   ///< the folder of the hierarchy that is mounted
  std::string point;  ///< where
};

/// "36 35 98:0 /root /point rw,noatime optional... - cgroup2 source rw,memory".
std::optional<Mount> mount_in(std::string_view line, std::string_view controller) {
  for (int field = 0; field < 3; ++field) taken_up_to(' ', line);
  const std::string_view root = taken_up_to(' ', line), point = taken_up_to(' ', line);
  const auto dash = line.find(" - ");
  if (dash == std::string_view::npos) return std::nullopt;
  line.remove_prefix(dash + 3);
  const std::string_view kind = taken_up_to(' ', line);
  taken_up_to(' ', line);
  const bool fits = controller.empty() ? kind == "cgroup2" : kind == "cgroup" && has_word(line, controller);
  return fits ? std::optional(Mount{unescaped(root), unescaped(point)}) : std::nullopt;
}

/// The rest of a path below a folder: "/b" of "/a/b" below "/a". Nothing if it is not below.
std::optional<std::string> below(std::string_view path, std::string_view folder) {
  if (folder == "/") folder = {};
  if (!path.starts_with(folder)) return std::nullopt;
  path.remove_prefix(folder.size());
  if (path == "/") path = {};
  const bool leads_out = path == "/.." || path.starts_with("/../");
  if ((!path.empty() && path.front() != '/') || leads_out) return std::nullopt;
  return std::string(path);
}

/// Empty if it cannot be read. getline lets no exception of the buffer out, as an iterator would.
std::string text_of(const std::string& file) {
  std::ifstream stream(file, std::ios::binary);
  std::string text;
  std::getline(stream, text, '\0');
  return stream.bad() ? "" : text;
}

template <class T>
void lower(std::optional<T>& limit, const std::optional<T>& other) {
  if (other && (!limit || *other < *limit)) limit = other;
}

/// Calls use(folder) for the cgroup and for each above it, up to the mount.
template <class Use>
void for_each_level(const std::string& root, const std::optional<cgroup::Folder>& folder, const Use& use) {
  if (!folder) return;
  std::string path = folder->below;
  for (;;) {
    use(root + folder->mount + path + "/");
    if (path.empty()) return;
    path.erase(path.rfind('/'));
  }
}

/// More than 1024 processors need a longer mask; the system refuses one that is too short.
unsigned cores_of_mask() {
#ifdef TDZ_LINUX_CALLS
  constexpr std::size_t kMost = 1024;  // a million processors
  for (std::size_t sets = 1; sets <= kMost; sets *= 2) {
    std::vector<cpu_set_t> mask(sets);
    const std::size_t bytes = sets * sizeof(cpu_set_t);
    if (sched_getaffinity(0, bytes, mask.data()) == 0)
      return static_cast<unsigned>(CPU_COUNT_S(bytes, mask.data()));
    if (errno != EINVAL) break;
  }
#endif
  return std::thread::hardware_concurrency();
}

/// Read once: it takes longer than coding a small block, and a process seldom changes its cgroup.
const CgroupLimits& own_limits() {
  static const CgroupLimits limits = cgroup_limits("");
  return limits;
}

}  // namespace

namespace cgroup {

std::optional<double> cores_of_quota(std::string_view quota, std::string_view period) {
  const auto taken = number_in(quota), whole = number_in(period);
  if (!taken || !whole || *taken == 0 || *whole == 0) return std::nullopt;
  return static_cast<double>(*taken) / static_cast<double>(*whole);
}

std::optional<double> cores_of_max(std::string_view text) {
  const std::string_view quota = taken_up_to(' ', text);
  return cores_of_quota(quota, text);
}

std::optional<std::uint64_t> memory_of(std::string_view text) {
  constexpr std::uint64_t kUnlimited = std::uint64_t{1} << 60;  // version 1 says 2^63 less a page
  const auto bytes = number_in(text);
  return bytes && *bytes < kUnlimited ? bytes : std::nullopt;
}

/// A container sees its cgroup as the root of the mount. Where no mount holds the own path, as in another
/// namespace, the first mount is as near as one can see.
std::optional<Folder> folder_of(std::string_view controller, std::string_view self, std::string_view mounts) {
  const auto path = own_path(controller, self);
  std::optional<Folder> found;
  std::size_t nearest = 0;
  while (path && !mounts.empty()) {
    const auto mount = mount_in(taken_up_to('\n', mounts), controller);
    if (!mount) continue;
    const auto rest = below(*path, mount->root);
    const std::size_t near = rest ? 1 + mount->root.size() : 0;
    if (found && near <= nearest) continue;
    found = Folder{mount->point == "/" ? "" : mount->point, rest.value_or("")};
    nearest = near;
  }
  return found;
}

}  // namespace cgroup

CgroupLimits cgroup_limits(const std::string& root) {
  const std::string self = text_of(root + "/proc/self/cgroup"),
                    mounts = text_of(root + "/proc/self/mountinfo");
  CgroupLimits limits;
  for_each_level(root, cgroup::folder_of("", self, mounts), [&](const std::string& folder) {
    lower(limits.cores, cgroup::cores_of_max(text_of(folder + "cpu.max")));
    lower(limits.memory, cgroup::memory_of(text_of(folder + "memory.max")));
  });
  for_each_level(root, cgroup::folder_of("cpu", self, mounts), [&](const std::string& folder) {
    lower(limits.cores, cgroup::cores_of_quota(text_of(folder + "cpu.cfs_quota_us"),
                                               text_of(folder + "cpu.cfs_period_us")));
  });
  for_each_level(root, cgroup::folder_of("memory", self, mounts), [&](const std::string& folder) {
    lower(limits.memory, cgroup::memory_of(text_of(folder + "memory.limit_in_bytes")));
  });
  return limits;
}

unsigned usable_cores() {
  const unsigned cores = std::max(1u, cores_of_mask());
  const double quota = std::ceil(own_limits().cores.value_or(cores));
  return quota < cores ? std::max(1u, static_cast<unsigned>(quota)) : cores;
}

std::optional<std::uint64_t> usable_memory() {
  std::optional<std::uint64_t> memory = own_limits().memory;
  const long pages = sysconf(_SC_PHYS_PAGES), page = sysconf(_SC_PAGESIZE);
  if (pages > 0 && page > 0)
    lower(memory, std::optional(static_cast<std::uint64_t>(pages) * static_cast<std::uint64_t>(page)));
  return memory;
}

std::uint64_t address_space() {
  rlimit limit{};
  const bool limited = getrlimit(RLIMIT_AS, &limit) == 0 && limit.rlim_cur != RLIM_INFINITY;
  return limited ? std::uint64_t{limit.rlim_cur} : std::numeric_limits<std::size_t>::max();
}

namespace {

/// Nothing where the system does not tell.
std::optional<std::uint64_t> free_memory() {
  constexpr std::string_view kName = "MemAvailable:", kUnit = " kB";
  const std::string all = text_of("/proc/meminfo");
  for (std::string_view rest = all; !rest.empty();) {
    std::string_view line = taken_up_to('\n', rest);
    if (!line.starts_with(kName) || !line.ends_with(kUnit)) continue;
    line = line.substr(kName.size(), line.size() - kName.size() - kUnit.size());
    line.remove_prefix(std::min(line.find_first_not_of(' '), line.size()));
    const auto kibibytes = number_in(line);
    return kibibytes ? std::optional(*kibibytes << 10) : std::nullopt;
  }
  return std::nullopt;
}

}  // namespace

std::uint64_t available_memory() {
  constexpr std::uint64_t kNoLimit = std::numeric_limits<std::uint64_t>::max();
  return std::min({free_memory().value_or(kNoLimit), usable_memory().value_or(kNoLimit), address_space()});
}

}  // namespace tdz
