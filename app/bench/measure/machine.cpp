// SPDX-License-Identifier: Apache-2.0
#include "app/bench/measure/machine.hpp"

#include <sched.h>
#include <spdlog/fmt/chrono.h>
#include <spdlog/fmt/fmt.h>
#include <sys/resource.h>
#include <sys/utsname.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <cstdlib>
#include <fstream>

#include "app/options/option_values.hpp"
#include "codec/stream/resources.hpp"
#include "kernels/cpu/step_list.hpp"

namespace tdz::app::bench {
namespace {

/// The value of KEY in a file of "KEY<separator> value" lines; empty if it is not there.
std::string value_in(const char* file, std::string_view key, char separator) {
  std::ifstream stream(file);
  for (std::string line; std::getline(stream, line);) {
    if (!line.starts_with(key)) continue;
    const auto at = line.find(separator);
    const auto begin = at == std::string::npos ? at : line.find_first_not_of(" \t\"", at + 1);
    if (begin == std::string::npos) continue;
    const auto end = line.find_last_not_of(" \t\"");
    return line.substr(begin, end + 1 - begin);
  }
  return {};
}

std::string first_line(const char* file) {
  std::ifstream stream(file);
  std::string line;
  std::getline(stream, line);
  return line;
}

std::string system_text() {
  utsname names{};
  if (uname(&names) != 0) return {};
  return fmt::format("{} {} {}, {}", names.sysname, names.release, names.machine,
                     value_in("/etc/os-release", "PRETTY_NAME", '='));
}

std::string clock_text() {
  const std::string governor = first_line("/sys/devices/system/cpu/cpu0/cpufreq/scaling_governor");
  const std::string mhz = value_in("/proc/cpuinfo", "cpu MHz", ':');
  return fmt::format("governor {}{}", governor.empty() ? "not visible" : governor,
                     mhz.empty() ? "" : fmt::format(", {} MHz when it was read", mhz));
}

/// "NVIDIA UNIX ... Kernel Module  580.159  ..."
std::string driver_text() {
  return value_in("/proc/driver/nvidia/version", "NVRM version", ':');
}

void add_device(Machine& machine, int number) {
  const auto found = devices();
  if (!found) return;
  for (const DeviceInfo& device : *found) {
    if (device.number != number) continue;
    machine.device = fmt::format("{}, compute capability {}.{}, {:.1f} GiB", device.name, device.major,
                                 device.minor, static_cast<double>(device.memory) / (1u << 30));
    machine.driver = driver_text();
  }
}

}  // namespace

std::string pin_to_one_processor() {
  cpu_set_t set;
  CPU_ZERO(&set);
  if (sched_getaffinity(0, sizeof set, &set) != 0)
    return "no, the system does not say which processors there are";
  std::size_t last = CPU_SETSIZE;
  for (std::size_t cpu = 0; cpu < CPU_SETSIZE; ++cpu) {
    if (CPU_ISSET(cpu, &set)) last = cpu;
  }
  if (last == CPU_SETSIZE) return "no, the system names no processor";
  CPU_ZERO(&set);
  CPU_SET(last, &set);
  if (sched_setaffinity(0, sizeof set, &set) != 0) return "no, the system does not allow it";
  return fmt::format("processor {}", last);
}

Machine this_machine(bool with_device, int device) {
  Machine machine;
  machine.processor = value_in("/proc/cpuinfo", "model name", ':');
  machine.cores = usable_cores();
  machine.clock = clock_text();
  machine.memory = usable_memory().value_or(0);
  machine.system = system_text();
#if defined(__clang__)
  machine.compiler = "clang " __clang_version__;
#else
  machine.compiler = "gcc " __VERSION__;
#endif
  machine.tdz = version();
  machine.zstd = zstd_version();
  machine.instructions = cpu::backend_info().detail;
  if (with_device) add_device(machine, device);
  return machine;
}

std::optional<std::uint64_t> last_cache() {
  for (const int level : {_SC_LEVEL4_CACHE_SIZE, _SC_LEVEL3_CACHE_SIZE, _SC_LEVEL2_CACHE_SIZE}) {
    if (const long bytes = sysconf(level); bytes > 0) return static_cast<std::uint64_t>(bytes);
  }
  return std::nullopt;
}

std::optional<double> load_average() {
  double minute = 0;
  return getloadavg(&minute, 1) == 1 ? std::optional(minute) : std::nullopt;
}

double cpu_seconds() {
  rusage use{};
  if (getrusage(RUSAGE_SELF, &use) != 0) return 0;
  const auto seconds = [](const timeval& time) {
    return static_cast<double>(time.tv_sec) + static_cast<double>(time.tv_usec) * 1e-6;
  };
  return seconds(use.ru_utime) + seconds(use.ru_stime);
}

std::string utc_now() {
  const auto time = std::chrono::system_clock::to_time_t(std::chrono::system_clock::now());
  return fmt::format("{:%Y-%m-%dT%H:%M:%SZ}", fmt::gmtime(time));
}

}  // namespace tdz::app::bench
