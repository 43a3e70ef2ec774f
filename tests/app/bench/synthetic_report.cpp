// SPDX-License-Identifier: Apache-2.0
#include "tests/app/bench/synthetic_report.hpp"

#include <array>
#include <cmath>

namespace tdz::app::bench {
namespace {

constexpr std::uint64_t kMebi = std::uint64_t{1} << 20, kGibi = std::uint64_t{1} << 30;
constexpr std::array<std::uint8_t, 4> kWords{1, 2, 4, 8};

Timing timing(std::uint64_t bytes, double bytes_per_second) {
  const double median = static_cast<double>(bytes) / bytes_per_second;
  return {.median = median, .least = median * 0.98, .most = median * 1.05, .runs = 5};
}

Coding coding_of(std::uint8_t word, std::uint32_t tuple, std::uint8_t order, Layout layout) {
  return {.word = word, .tuple = tuple, .order = order, .zigzag = order > 0, .layout = layout};
}

CodecResult codec_cell(std::size_t data, const Coding& coding, int level, const std::string& backend) {
  CodecResult cell;
  cell.data = data;
  cell.coding = coding;
  cell.level = level;
  cell.backend = backend;
  cell.bytes = 16 * kMebi;
  const double order = coding.order, wide = coding.word;
  const double ratio =
      1.2 + 1.4 / (1 + std::abs(order - 2)) + 0.1 * level + 0.05 * wide + (coding.tuple == 2 ? 0.6 : 0);
  cell.stored = static_cast<std::uint64_t>(static_cast<double>(cell.bytes) / ratio);
  const auto at = [&](double mega) { return timing(cell.bytes, mega * 1e6); };
  cell.compress = at(190 + 20 * wide - 8 * order - 12 * level);
  cell.decompress = at(900 + 30 * wide - 20 * order);
  cell.stages = {.digest = at(21000),
                 .difference = at(9000 - 700 * order),
                 .pack = at(230),
                 .unpack = at(1200),
                 .integrate = at(8000 - 800 * order),
                 .to_device = {},
                 .from_device = {}};
  if (backend == "cuda") {
    cell.stages.integrate = cell.stages.difference = at(190000);
    cell.stages.to_device = cell.stages.from_device = at(24000);
  }
  cell.copy = at(11000);
  return cell;
}

RawResult raw_cell(std::size_t data, int level) {
  return {.data = data,
          .level = level,
          .bytes = 16 * kMebi,
          .stored = 11 * kMebi / static_cast<unsigned>(level),
          .compress = timing(16 * kMebi, 450e6 / level),
          .decompress = timing(16 * kMebi, 1.1e9)};
}

struct Scan {
  std::string_view name;
  double share, loss;  ///< the share at order 1, and its loss with each higher order
};
constexpr std::array<Scan, 6> kScans{{{"tdz", 0.96, 0.02},
                                      {"sam", 0.65, 0.5},
                                      {"cub", 0.75, 0.9},
                                      {"look-back-per-order", 0.72, 0.8},
                                      {"kogge-stone", 0.4, 0.7},
                                      {"blelloch", 0.33, 0.6}}};

/// A scan of so many bytes. The copy is slow if there are few.
ScanResult scan_cell(const std::string& backend, const Scan& made, Shape shape, const Coding& coding,
                     std::uint64_t bytes) {
  ScanResult scan;
  scan.backend = backend;
  scan.scan = made.name;
  scan.shape = shape;
  scan.coding = coding;
  scan.bytes = bytes;
  scan.chunk_bytes = shape == Shape::batch ? kMebi : bytes;
  const bool gpu = backend == "cuda";
  const double full = gpu ? 2.79e12 : 13e9, start = gpu ? 2.5e-6 : 2e-7;
  const double copy = static_cast<double>(bytes) / full + start;
  scan.copy = timing(bytes, static_cast<double>(bytes) / copy);
  const double share = made.share / (1 + made.loss * (coding.order - 1)) / (1 + 0.012 * (coding.tuple - 1));
  const double small =
      1 + (gpu ? 3.0 : 0.5) * static_cast<double>(kMebi) / static_cast<double>(bytes + kMebi);
  scan.kernel = timing(bytes, static_cast<double>(bytes) / copy * share / small);
  scan.limit.bandwidth = static_cast<double>(bytes) / (full * 1.04);
  if (!gpu) return scan;
  scan.with_copies = timing(bytes, 24e9);
  scan.limit.latency = static_cast<double>(bytes) / 16 * 6e-7 / 270336;
  scan.limit.reduction = 6e-7 * std::log2(static_cast<double>(bytes));
  return scan;
}

/// Words x orders x tuples of one scan.
void add_grid(Report& report, const std::string& backend, const Scan& made, Shape shape, Direction direction,
              std::uint32_t tuples, std::uint64_t bytes) {
  for (const std::uint8_t word : kWords)
    for (std::uint8_t order = 1; order <= 8; ++order)
      for (std::uint32_t tuple = 1; tuple <= tuples; ++tuple) {
        auto scan =
            scan_cell(backend, made, shape, coding_of(word, tuple, order, Layout::interleaved), bytes);
        scan.direction = direction;
        report.scans.push_back(std::move(scan));
      }
}

void add_curves(Report& report, std::size_t scans, unsigned least, unsigned most) {
  for (const std::uint8_t word : {std::uint8_t{4}, std::uint8_t{8}})
    for (const auto& [order, tuple] : {std::pair{2, 1}, {5, 1}, {8, 1}, {1, 2}, {1, 5}, {1, 8}})
      for (std::size_t i = 0; i < scans; ++i)
        for (unsigned power = least; power <= most; ++power)
          report.curves.push_back(scan_cell("cuda", kScans.at(i), Shape::chain,
                                            coding_of(word, static_cast<std::uint32_t>(tuple),
                                                      static_cast<std::uint8_t>(order), Layout::interleaved),
                                            (std::uint64_t{1} << power) * word));
}

Machine machine() {
  return {.processor = "AMD EPYC 7003 (Zen 3)",
          .cores = 2,
          .pinned = "cpu 1",
          .clock = "governor performance, boost on",
          .memory = 16 * kGibi,
          .system = "Linux 6.18, Debian 12",
          .compiler = "g++ 12.2, -O3",
          .tdz = "0.2.0",
          .zstd = "1.5.4",
          .instructions = "AVX2",
          .device = "NVIDIA H100 80GB HBM3",
          .driver = "580.159",
          .cuda = "13.0"};
}

Report begun(std::vector<std::string> command_line) {
  Report report;
  report.command_line = std::move(command_line);
  report.started = "2026-01-31T12:00:00Z";
  report.seconds = 19.5;
  report.load = {0.25, 1.5};
  report.cpu_share = 0.975;
  report.machine = machine();
  report.models = {{"cpu", 13.6e9, 9.1e-8, 20, 8}, {"cuda", 2.92e12, 6.12e-7, 270336, 16}};
  return report;
}

void add_codec(Report& report, std::size_t data, std::uint8_t word, Layout layout) {
  for (const auto* backend : {"cpu", "cuda"})
    for (std::uint8_t order = 0; order <= 4; ++order)
      for (std::uint32_t tuple = 1; tuple <= 3; ++tuple)
        report.codec.push_back(
            codec_cell(data, coding_of(word, tuple, order, layout), data == 0 ? 3 : 19, backend));
}

/// Adds faults, missing figures and an interruption.
void spoil(Report& report) {
  report.complete = false;
  report.remarks = {"No room for cells of 1 GiB: 256 MiB each.", std::string("Left out: ") + kHostileName};
  report.machine.clock = "";
  report.codec[3].fault = "byte 17 of chunk 2: expected 01, found <02>";
  report.codec[7] = {};
  report.codec[7].data = 1;
  report.codec[7].backend = "cpu";
  report.codec[7].coding = coding_of(2, 65536, 3, Layout::bit_planes);
  report.scans[5].fault = std::string("value 9 differs, ") + kHostileName;
  report.scans[6].limit = {};
  report.scans[7].kernel = {};
  report.curves[2].fault = "value 0 differs";
  report.curves[4].kernel = {};
}

}  // namespace

Report full_report() {
  Report report = begun({"bench", "--orders", "1-8", kHostileName});
  report.data = {{kHostileName, 16 * kMebi, {'i', 2, 2}, false},
                 {"smooth", 16 * kMebi, {'f', 4, 1}, true},
                 {"/a/long/path/" + std::string(150, 'x') + "/é", 16 * kMebi, {'u', 1, 3}, false},
                 {"never measured", 0, {}, false}};
  for (std::size_t data = 0; data < 3; ++data) report.raw.push_back(raw_cell(data, 3));
  report.raw.push_back(raw_cell(0, 1));
  for (const std::uint8_t word : kWords) add_codec(report, 0, word, Layout::interleaved);
  add_codec(report, 1, 4, Layout::tuple_planes);
  add_codec(report, 2, 1, Layout::planes);
  add_grid(report, "cpu", kScans[0], Shape::batch, Direction::integrate, 4, 64 * kMebi);
  add_grid(report, "cpu", kScans[0], Shape::batch, Direction::difference, 4, 64 * kMebi);
  add_grid(report, "cuda", kScans[0], Shape::batch, Direction::integrate, 8, kGibi);
  add_grid(report, "cuda", kScans[1], Shape::chain, Direction::integrate, 3, kGibi);
  add_curves(report, 3, 10, 20);
  spoil(report);
  return report;
}

Report large_report() {
  Report report = begun({"bench", "--words", "1,2,4,8", "--tuples", "1-8", "--orders", "1-8", "--backends",
                         "cpu,cuda", "--scans", "tdz,sam,cub,look-back-per-order,kogge-stone,blelloch",
                         "--curves", "--format", "html", "-o", "report.html", "recording.raw"});
  report.data = {{"recording.raw", 16 * kMebi, {'i', 2, 2}, false}};
  report.raw = {raw_cell(0, 1), raw_cell(0, 3)};
  for (const std::uint8_t word : kWords)
    for (std::uint8_t order = 0; order <= 8; ++order)
      for (std::uint32_t tuple = 1; tuple <= 8; ++tuple)
        report.codec.push_back(codec_cell(0, coding_of(word, tuple, order, Layout::interleaved), 3, "cpu"));
  add_grid(report, "cpu", kScans[0], Shape::batch, Direction::integrate, 8, 64 * kMebi);
  for (const Shape shape : {Shape::batch, Shape::chain}) {
    add_grid(report, "cuda", kScans[0], shape, Direction::integrate, 8, kGibi);
    add_grid(report, "cuda", kScans[0], shape, Direction::difference, 8, kGibi);
  }
  for (std::size_t i = 1; i < kScans.size(); ++i)
    add_grid(report, "cuda", kScans.at(i), Shape::chain, Direction::integrate, 8, kGibi);
  add_curves(report, kScans.size(), 10, 30);
  return report;
}

Report small_report() {
  Report report = begun({"bench", "recording.raw"});
  report.models.pop_back();
  report.machine.device = report.machine.driver = report.machine.cuda = "";
  report.data = {{"recording.raw", 16 * kMebi, {'i', 2, 2}, false}};
  report.raw = {raw_cell(0, 3)};
  for (std::uint8_t order = 0; order <= 4; ++order) {
    const Coding coding = coding_of(2, 2, order, Layout::tuple_planes);
    report.codec.push_back(codec_cell(0, coding, 3, "cpu"));
    report.scans.push_back(scan_cell("cpu", kScans[0], Shape::batch, coding, 16 * kMebi));
  }
  return report;
}

}  // namespace tdz::app::bench
