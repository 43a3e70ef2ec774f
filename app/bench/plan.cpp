// SPDX-License-Identifier: Apache-2.0
#include "app/bench/plan.hpp"

#include <spdlog/fmt/fmt.h>

#include <algorithm>
#include <set>
#include <tuple>
#include <type_traits>

#include "app/bench/measure/codec_bench.hpp"
#include "app/bench/measure/packed_chunks.hpp"
#include "app/options/names.hpp"
#include "app/options/option_values.hpp"
#include "kernels/cuda/meter/meter.hpp"

namespace tdz::app::bench {
namespace {

constexpr double kUsualSeconds = 20;
constexpr std::uint64_t kUsualCodecBytes = 16u << 20;
constexpr std::uint64_t kUsualCpuScanBytes = 64u << 20;                   // longer than most caches
constexpr std::uint64_t kUsualDeviceScanBytes = 1u << 30;                 // longer than any
constexpr std::uint64_t kUsualDeviceCurveBytes = std::uint64_t{4} << 30;  // 2^30 numbers of 4 bytes
constexpr std::uint64_t kLeastCodecBytes = 256u << 10;
constexpr std::uint64_t kGranule = 16;

/// The lowest speed of the slowest stage, about, in bytes a second.
double slowest_rate(int level) {
  return level <= 3 ? 100e6 : level <= 9 ? 25e6 : 2e6;
}

template <class T>
bool has(const std::vector<T>& list, const std::type_identity_t<T>& value) {
  return std::ranges::find(list, value) != list.end();
}

/// Options that were not given take their values from the subject, or the usual ones.
Grid filled(Grid grid, const Subject& subject) {
  if (subject.made || grid.words.empty()) grid.words = {subject.type.word};
  if (grid.tuples.empty()) grid.tuples = {subject.type.tuple};
  if (grid.orders.empty()) grid.orders = {0, 1, 2, 3, 4};
  if (grid.layouts.empty()) grid.layouts = {{subject.layout}};
  if (grid.levels.empty()) grid.levels = {kDefaultLevel};
  return grid;
}

std::vector<Subject> made_subjects(const Grid& grid, std::uint64_t bytes) {
  const auto words = grid.words.empty() ? std::vector<std::uint8_t>{2, 4} : grid.words;
  const bool pairs = grid.tuples.empty() || has(grid.tuples, 2);
  const std::uint32_t tuple = pairs ? 2 : grid.tuples.front();
  std::vector<Subject> list;
  for (const auto word : words) {
    for (const Kind kind : kKinds) {
      const NumberType type{'u', word, tuple};
      list.push_back({fmt::format("{} {}", kind_name(kind), formats::type_name(type)), kind, type,
                      Layout::tuple_planes, bytes});
    }
  }
  return list;
}

void add_codec_cells(Plan& plan, std::size_t subject, const Grid& grid) {
  for (const int level : grid.levels) plan.raw.push_back({subject, level});
  for (const BackendChoice backend : grid.backends) {
    for (const int level : grid.levels) {
      for (const Coding& coding : codings(grid)) {
        const bool possible = backend == BackendChoice::cpu || !coding.packed;
        if (possible) plan.codec.push_back({subject, coding, level, backend});
      }
    }
  }
}

/// Every word, tuple and order of the codec's cells, interleaved and in each layout of the command.
std::vector<Coding> scan_codings(const Plan& plan, const Grid& asked) {
  std::vector<Coding> list;
  std::set<std::tuple<std::string_view, unsigned, std::uint32_t, unsigned>> known;
  constexpr GridLayout kInterleaved;
  std::vector<GridLayout> layouts = {kInterleaved};
  for (const GridLayout layout : asked.layouts) {
    if (layout != kInterleaved) layouts.push_back(layout);
  }
  for (const GridLayout layout : layouts) {
    for (const CodecCell& cell : plan.codec) {
      Coding coding = cell.coding;
      if (coding.order == 0) continue;
      coding.layout = layout.of_words;
      coding.packed = layout.packed;
      coding.zigzag = layout != kInterleaved;
      const auto name = formats::layout_name(coding);
      if (known.emplace(name, coding.word, coding.tuple, coding.order).second) list.push_back(coding);
    }
  }
  return list;
}

struct ScanSet {
  std::string_view backend;
  std::uint64_t bytes;
  std::span<const std::string> scans;
};

void add_if_possible(std::vector<ScanWork>& list, const ScanWork& work) {
  if (can_measure(work)) list.push_back(work);
}

void add_scans(Plan& plan, const ScanSet& set, std::span<const Coding> codings) {
  const std::string backend(set.backend);
  for (const std::string& scan : set.scans) {
    for (const Coding& coding : codings) {
      for (const Direction direction : {Direction::integrate, Direction::difference}) {
        add_if_possible(plan.scans, {.backend = backend,
                                     .scan = scan,
                                     .direction = direction,
                                     .shape = Shape::batch,
                                     .coding = coding,
                                     .bytes = set.bytes,
                                     .chunk_bytes = kBenchChunk});
      }
      if (backend == "cpu" || coding.layout != Layout::interleaved || coding.packed) continue;
      add_if_possible(plan.scans, {.backend = backend,
                                   .scan = scan,
                                   .direction = Direction::integrate,
                                   .shape = Shape::chain,
                                   .coding = coding,
                                   .bytes = set.bytes,
                                   .chunk_bytes = set.bytes});
    }
  }
}

/// The cells of the SAM paper's figures: orders with tuple 1, then tuples with order 1.
std::vector<Coding> curve_codings(const Grid& asked) {
  std::vector<Coding> list;
  for (const std::uint8_t word : {std::uint8_t{4}, std::uint8_t{8}}) {
    if (!asked.words.empty() && !has(asked.words, word)) continue;
    for (const unsigned order : {1u, 2u, 5u, 8u})
      list.push_back({.word = word, .tuple = 1, .order = static_cast<std::uint8_t>(order)});
    for (const std::uint32_t tuple : {2u, 5u, 8u}) list.push_back({.word = word, .tuple = tuple, .order = 1});
  }
  return list;
}

void add_curves(Plan& plan, const ScanSet& set, const Grid& asked) {
  constexpr std::uint64_t kFirst = std::uint64_t{1} << 10, kLast = std::uint64_t{1} << 30;
  for (const std::string& scan : set.scans) {
    for (const Coding& coding : curve_codings(asked)) {
      for (std::uint64_t values = kFirst; values <= kLast && values * coding.word <= set.bytes; values *= 4) {
        const std::uint64_t bytes = values * coding.word;
        add_if_possible(plan.curves, {.backend = std::string(set.backend),
                                      .scan = scan,
                                      .direction = Direction::integrate,
                                      .shape = Shape::chain,
                                      .coding = coding,
                                      .bytes = bytes,
                                      .chunk_bytes = bytes});
      }
    }
  }
}

Status check_scans(std::span<const std::string> scans, bool with_device) {
  const auto known = cuda::scan_names();
  for (const std::string& scan : scans) {
    if (scan == "tdz" || (with_device && has(known, scan))) continue;
    const bool literature = scan == "cub" || scan == "look-back-per-order" || scan == "sam" ||
                            scan == "chained" || scan == "kogge-stone" || scan == "blelloch" ||
                            scan == "brent-kung";
    if (!literature)
      return Error{ErrorKind::usage,
                   fmt::format("--scans: no scan is called {}; see tdz bench --help", printable(scan))};
    return Error{ErrorKind::usage,
                 with_device ? fmt::format("--scans: {} is only in a build with -DTDZ_BENCH=ON", scan)
                             : fmt::format("--scans: {} runs on a GPU; say --backends cuda too", scan)};
  }
  return ok();
}

/// A scan that the user named must have work, and so must the codec and --curves.
Status check_planned(const Plan& plan, const BenchCommand& command) {
  if (plan.codec.empty() && !plan.subjects.empty())
    return Error{ErrorKind::usage, "--layouts: packed is measured on the CPU alone; say --backends cpu too"};
  const auto has_cell = [&](const std::vector<ScanWork>& list, const std::string& scan) {
    return std::ranges::find(list, scan, &ScanWork::scan) != list.end();
  };
  for (const std::string& scan : command.scans) {
    if (has_cell(plan.scans, scan) || has_cell(plan.curves, scan)) continue;
    return Error{ErrorKind::usage,
                 fmt::format("--scans: {} cannot run in this grid; baselines only integrate "
                             "interleaved tuples of at most 8, at orders from 1 on",
                             scan)};
  }
  if (!command.curves || !plan.curves.empty()) return ok();
  return Error{ErrorKind::usage, "--curves measures words of 4 and 8 bytes; --words must name one of them"};
}

/// Seconds for each piece of work.
double share_of_piece(const Plan& plan) {
  return plan.seconds / static_cast<double>(std::max<std::size_t>(plan.pieces(), 1));
}

/// The bytes of each subject for which the time suffices: the slowest stage runs twice in its share, once to
/// warm up and once to be timed.
std::uint64_t affordable_bytes(const Plan& plan) {
  double rate = slowest_rate(kDefaultLevel);
  for (const CodecCell& cell : plan.codec) rate = std::min(rate, slowest_rate(cell.level));
  return std::max(kLeastCodecBytes, static_cast<std::uint64_t>(share_of_piece(plan) * rate / 2) /
                                        kLeastCodecBytes * kLeastCodecBytes);
}

/// A cell of the CPU's kernels reads its numbers about seven times, at a few GB/s.
void cut_scans_to_time(Plan& plan) {
  const auto rate = static_cast<std::uint64_t>(share_of_piece(plan) * kScanPieces * 3e9 / 7);
  const std::uint64_t most = std::max<std::uint64_t>(rate >> 20 << 20, std::uint64_t{1} << 20);
  bool cut = false;
  for (ScanWork& work : plan.scans) {
    if (work.backend != "cpu" || work.bytes <= most) continue;
    cut = true;
    work.bytes = most;
  }
  if (cut)
    plan.remarks.push_back(
        fmt::format("The CPU's kernels were measured on {}, as --time allows.", format_size(most)));
}

void cut_to_time(Plan& plan) {
  const std::uint64_t most = affordable_bytes(plan);
  bool cut = false;
  for (Subject& subject : plan.subjects) {
    cut = cut || subject.bytes > most;
    subject.bytes = std::min(subject.bytes, most);
  }
  if (cut)
    plan.remarks.push_back(fmt::format(
        "The codec was measured on at most {} of each data set, as --time allows.", format_size(most)));
}

void say_what_compress_chooses(Plan& plan) {
  for (const Subject& subject : plan.subjects) {
    if (subject.chosen.empty()) continue;
    plan.remarks.push_back(
        fmt::format("tdz compress would choose other steps for {}: {}. This report measures only "
                    "differences, zigzag and layouts.",
                    shown_name(subject.name), subject.chosen));
  }
}

void say_what_no_device_measures(Plan& plan, const Grid& asked) {
  if (plan.with_device && std::ranges::any_of(asked.layouts, &GridLayout::packed))
    plan.remarks.push_back("Packed groups are measured on the CPU alone.");
}

std::uint64_t scan_size(const BenchCommand& command, std::uint64_t usual) {
  return std::max(command.size.value_or(usual) / kGranule * kGranule, kGranule);
}

void add_all_scans(Plan& plan, const BenchCommand& command, std::span<const BackendChoice> backends) {
  const auto scan_list = command.scans.empty() ? std::vector<std::string>{"tdz"} : command.scans;
  const auto codings = scan_codings(plan, command.grid);
  for (const BackendChoice backend : backends) {
    const bool cpu = backend == BackendChoice::cpu;
    const ScanSet set{backend_name(backend),
                      scan_size(command, cpu ? kUsualCpuScanBytes : kUsualDeviceScanBytes), scan_list};
    add_scans(plan, set, codings);
    const ScanSet longer{set.backend, cpu ? set.bytes : scan_size(command, kUsualDeviceCurveBytes),
                         scan_list};
    if (command.curves) add_curves(plan, longer, command.grid);
  }
}

}  // namespace

std::size_t Plan::pieces() const {
  return raw.size() * kRawPieces + codec.size() * kCodecPieces + (scans.size() + curves.size()) * kScanPieces;
}

std::uint64_t Plan::scan_bytes(std::string_view backend) const {
  std::uint64_t most = 0;
  for (const auto* list : {&scans, &curves}) {
    for (const ScanWork& work : *list) {
      if (work.backend == backend) most = std::max(most, work.bytes);
    }
  }
  return most;
}

std::uint64_t Plan::memory() const {
  std::uint64_t most = 0;
  for (const Subject& subject : subjects) most = std::max(most, codec_memory(subject.bytes));
  // The pinned memory for a device stays while the codec runs. It holds a scan's numbers in both directions.
  std::uint64_t pinned = 0;
  for (const ScanWork& work : scans) {
    if (work.backend == "cuda") pinned = std::max(pinned, 2 * work.bytes);
  }
  const bool packed = std::ranges::any_of(scans, &Coding::packed, &ScanWork::coding);
  return std::max(most + pinned, (packed ? 3 + kPackedMemory : 3) * scan_bytes("cpu"));
}

Result<Plan> make_plan(const BenchCommand& command, std::span<const Subject> files) {
  Plan plan;
  const std::uint64_t bytes = command.size.value_or(kUsualCodecBytes);
  plan.subjects.assign(files.begin(), files.end());
  if (command.files.empty()) plan.subjects = made_subjects(command.grid, bytes);
  plan.device = command.device;
  Grid grid = command.grid;
  if (grid.backends.empty()) grid.backends = {BackendChoice::cpu};
  plan.with_device = has(grid.backends, BackendChoice::cuda);
  if (auto done = check_scans(command.scans, plan.with_device); !done) return done.error();
  plan.seconds = command.time ? std::chrono::duration<double>(*command.time).count() : kUsualSeconds;
  for (std::size_t i = 0; i < plan.subjects.size(); ++i) {
    plan.subjects[i].bytes = std::min(plan.subjects[i].bytes, bytes);
    add_codec_cells(plan, i, filled(grid, plan.subjects[i]));
  }
  add_all_scans(plan, command, grid.backends);
  if (auto done = check_planned(plan, command); !done) return done.error();
  say_what_compress_chooses(plan);
  say_what_no_device_measures(plan, grid);
  if (!command.size) cut_scans_to_time(plan);
  cut_to_time(plan);
  return plan;
}

}  // namespace tdz::app::bench
