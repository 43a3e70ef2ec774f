// SPDX-License-Identifier: Apache-2.0
// Carries a plan out, and says on what machine.
#include <spdlog/fmt/chrono.h>
#include <spdlog/fmt/fmt.h>
#include <sys/resource.h>
#include <sys/utsname.h>

#include <algorithm>
#include <chrono>
#include <cstdlib>
#include <fstream>

#include "app/bench/measure/codec_bench.hpp"
#include "app/bench/measure/timing.hpp"
#include "app/bench/plan.hpp"
#include "app/files/system_calls.hpp"
#include "app/options/names.hpp"
#include "app/verbs/file_loop.hpp"
#include "codec/stream/resources.hpp"
#include "kernels/cpu/sweep.hpp"

namespace tdz::app::bench {
namespace {

// ---- What a report says about the machine that it was measured on

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

/// Everything except `pinned` and what the run itself did. Asks for the device only if one is measured.
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

/// Processes that ran or waited to run, as a mean over the last minute; nothing if the system does not say.
std::optional<double> load_average() {
  double minute = 0;
  return getloadavg(&minute, 1) == 1 ? std::optional(minute) : std::nullopt;
}

/// Processor time of this process so far, user and system.
double cpu_seconds() {
  rusage use{};
  if (getrusage(RUSAGE_SELF, &use) != 0) return 0;
  const auto seconds = [](const timeval& time) {
    return static_cast<double>(time.tv_sec) + static_cast<double>(time.tv_usec) * 1e-6;
  };
  return seconds(use.ru_utime) + seconds(use.ru_stime);
}

/// Now, in UTC: "2026-01-31T12:00:00Z".
std::string utc_now() {
  const auto time = std::chrono::system_clock::to_time_t(std::chrono::system_clock::now());
  return fmt::format("{:%Y-%m-%dT%H:%M:%SZ}", fmt::gmtime(time));
}

// ---- The run

Status check_memory(const Plan& plan) {
  const std::uint64_t available = available_memory();
  if (plan.memory() <= available) return ok();
  return Error{ErrorKind::limit,
               fmt::format("this run needs {} of memory and {} are free; ask for a smaller --size",
                           format_size(plan.memory()), format_size(available))};
}

/// A reader of the kernels' speed must know whether a cache can hold their numbers.
std::string cache_remark(std::uint64_t bytes) {
  const auto cache = last_cache();
  if (!cache)
    return fmt::format(
        "The CPU's kernels read the same {} in every run; the size of the CPU's caches is not known.",
        format_size(bytes));
  const bool within = 2 * bytes <= *cache;
  return fmt::format(
      "The CPU's kernels read and write the same {} in every run. The CPU's last cache holds {}, so it {} "
      "them.",
      format_size(bytes), format_size(*cache), within ? "may hold" : "cannot hold");
}

class Run {
 public:
  Run(const Plan& plan, const Hooks& hooks)
      : plan_(plan), hooks_(hooks), pacer_(plan.seconds, plan.pieces()) {}

  Result<Outcome> all() {
    const double begin = now(), cpu_begin = cpu_seconds();
    const auto load_before = load_average();
    report_.started = utc_now();
    report_.remarks = plan_.remarks;
    report_.machine = this_machine(plan_.with_device, plan_.device.first());
    report_.machine.pinned = pin_to_one_processor();
    Status done = scans();
    if (done) done = subjects();
    report_.complete = static_cast<bool>(done);
    report_.seconds = now() - begin;
    report_.cpu_share = (cpu_seconds() - cpu_begin) / report_.seconds;
    if (const auto load_after = load_average(); load_before && load_after)
      report_.load = {*load_before, *load_after};
    if (done || done.error().kind == ErrorKind::cancelled) return Outcome{std::move(report_)};
    if (done_ == 0) return done.error();
    report_.remarks.push_back("The run ended early: " + error_text(done.error()));
    return Outcome{std::move(report_), std::move(done)};
  }

 private:
  Status scans() {
    for (const std::string_view backend : {"cpu", "cuda"}) {
      const std::uint64_t bytes = plan_.scan_bytes(backend);
      if (bytes == 0) continue;
      auto bench = backend == "cpu" ? Result(cpu_scan_bench(bytes)) : device_scan_bench(plan_.device, bytes);
      if (!bench) return bench.error();
      if (backend == "cpu") report_.remarks.push_back(cache_remark(bytes));
      if (auto done = scans_on(backend, **bench); !done) return done;
      if (backend == "cuda") device_ = *std::move(bench);
    }
    return ok();
  }

  Status scans_on(std::string_view backend, ScanBench& bench) {
    auto model = bench.model(hooks_.stop);
    if (!model) return model.error();
    report_.models.push_back(*std::move(model));
    bench.describe(report_.machine);
    if (auto done = measure(bench, backend, plan_.scans, report_.scans); !done) return done;
    return measure(bench, backend, plan_.curves, report_.curves);
  }

  Status measure(ScanBench& bench, std::string_view backend, std::span<const ScanWork> list,
                 std::vector<ScanResult>& results) {
    for (const ScanWork& work : list) {
      if (work.backend != backend) continue;
      auto result = bench.measure(work, pacer_, hooks_.stop);
      if (!result) return result.error();
      results.push_back(*std::move(result));
      step();
    }
    return ok();
  }

  Status subjects() {
    for (std::size_t i = 0; i < plan_.subjects.size(); ++i) {
      const Subject& subject = plan_.subjects[i];
      auto bytes = numbers_of(subject);
      if (!bytes) return bytes.error();
      report_.data.push_back({subject.name, bytes->span().size(), subject.type, subject.made.has_value()});
      if (auto done = subject_cells(i, bytes->span()); !done) return done;
    }
    return ok();
  }

  Result<PageBytes> numbers_of(const Subject& subject) {
    auto bytes =
        subject.made
            ? Result(made_numbers(*subject.made, subject.type, static_cast<std::size_t>(subject.bytes)))
            : hooks_.load(subject);
    if (bytes) return PageBytes(*bytes);
    Error error = bytes.error();
    error.message = shown_name(subject.name) + ": " + error.message;
    return error;
  }

  Status subject_cells(std::size_t subject, std::span<const std::byte> bytes) {
    for (const RawCell& cell : plan_.raw) {
      if (cell.subject != subject) continue;
      auto result = measure_raw(bytes, cell.level, pacer_, hooks_.stop);
      if (!result) return result.error();
      result->data = subject;
      report_.raw.push_back(*result);
      step();
    }
    const auto copies = device_ ? device_->copies(bytes.size()) : Result(std::optional<Copies>());
    if (!copies) return copies.error();
    for (const CodecCell& cell : plan_.codec) {
      if (cell.subject != subject) continue;
      auto result =
          measure_codec({bytes, cell.coding, cell.level, cell.backend, plan_.device}, pacer_, hooks_.stop);
      if (!result) return result.error();
      result->data = subject;
      if (*copies && cell.backend == BackendChoice::cuda) {
        result->stages.to_device = (*copies)->to_device;
        result->stages.from_device = (*copies)->from_device;
      }
      report_.codec.push_back(*std::move(result));
      step();
    }
    return ok();
  }

  void step() { hooks_.progress(++done_); }

  const Plan& plan_;
  const Hooks& hooks_;
  Pacer pacer_;
  Report report_;
  std::unique_ptr<ScanBench> device_;  ///< kept: it also times the copies of the codec's cells
  std::size_t done_ = 0;
};

}  // namespace

Result<Outcome> carry_out(const Plan& plan, const Hooks& hooks) {
  if (auto done = check_memory(plan); !done) return done.error();
  return Run(plan, hooks).all();
}

}  // namespace tdz::app::bench
