// SPDX-License-Identifier: Apache-2.0
#include "app/bench/report/figures.hpp"

#include <spdlog/fmt/fmt.h>

#include <array>
#include <cmath>
#include <initializer_list>
#include <string_view>

#include "app/options/names.hpp"

namespace tdz::app::bench {
namespace {

constexpr auto kUnknown = "-";

bool measured(double value) {
  return std::isfinite(value) && value > 0;
}

/// The value in the largest unit in which it is at least 1. Each unit is a thousand times the one before.
template <std::size_t N>
std::string with_unit(double value, const std::array<std::string_view, N>& units) {
  if (!measured(value)) return kUnknown;
  std::size_t unit = 0;
  for (; value >= 999.5 && unit + 1 < N; ++unit) value /= 1000;
  return fmt::format("{} {}", three_digits(value), units[unit]);
}

}  // namespace

std::string three_digits(double value) {
  if (!measured(value)) return kUnknown;
  const int decimals = value < 9.995 ? 2 : value < 99.95 ? 1 : 0;
  return fmt::format("{:.{}f}", value, decimals);
}

std::string speed_text(double bytes_per_second) {
  return with_unit(bytes_per_second, std::array<std::string_view, 5>{"B/s", "kB/s", "MB/s", "GB/s", "TB/s"});
}

std::string mega_text(double bytes_per_second) {
  if (!measured(bytes_per_second)) return kUnknown;
  if (bytes_per_second < 9.95e6) return fmt::format("{:.1f}", bytes_per_second / 1e6);
  if (bytes_per_second < 99999.5e6) return fmt::format("{:.0f}", bytes_per_second / 1e6);
  return fmt::format("{:.0f}G", bytes_per_second / 1e9);
}

std::string giga_text(double bytes_per_second) {
  return three_digits(bytes_per_second / 1e9);
}

std::string percent_text(double share) {
  if (!measured(share)) return kUnknown;
  return fmt::format("{:.{}f}", share * 100, share < 0.00995 ? 1 : 0);
}

std::string ratio_figure(double ratio) {
  if (!measured(ratio)) return kUnknown;
  if (ratio < 99.9995) return fmt::format("{:.3f}", ratio);
  if (ratio < 9999.95) return fmt::format("{:.1f}", ratio);
  return ratio < 999999.5 ? fmt::format("{:.0f}", ratio) : fmt::format("{:.0e}", ratio);
}

std::string seconds_text(double seconds) {
  if (!measured(seconds)) return kUnknown;
  if (seconds >= 999.5) return fmt::format("{:.0f} s", seconds);
  return with_unit(seconds * 1e9, std::array<std::string_view, 4>{"ns", "us", "ms", "s"});
}

std::string_view direction_name(Direction direction) {
  return direction == Direction::difference ? "difference" : "integrate";
}

std::string_view shape_name(Shape shape) {
  return shape == Shape::batch ? "batch" : "chain";
}

std::string coding_type(const Coding& coding, const NumberType& type) {
  const char kind = coding.word == type.word ? type.kind : '\0';
  return formats::type_name({kind, coding.word, coding.tuple});
}

std::string scan_title(const ScanResult& scan) {
  const std::string shape =
      scan.shape == Shape::chain
          ? fmt::format("one chain of {}", format_size(scan.bytes))
          : fmt::format("{} in chunks of {}", format_size(scan.bytes), format_size(scan.chunk_bytes));
  return fmt::format("{}, {}: {}, {}, {}-bit words, {}{}", scan.backend, printable(scan.scan),
                     direction_name(scan.direction), shape, scan.coding.word * 8,
                     formats::layout_name(scan.coding), scan.coding.big_endian ? ", big-endian" : "");
}

std::string scan_cell_title(const ScanResult& scan) {
  return fmt::format("{}, order {}, tuple {}", scan_title(scan), scan.coding.order, scan.coding.tuple);
}

std::string codec_title(const Report& report, const CodecResult& cell) {
  const DataSet& data = data_of(report, cell.data);
  return fmt::format("{}, {}, order {}, {}, level {}, {}", shown_name(data.name),
                     coding_type(cell.coding, data.type), cell.coding.order,
                     formats::layout_name(cell.coding), cell.level, printable(cell.backend));
}

std::string data_title(const DataSet& data) {
  return fmt::format("{}: {}, {}{}", shown_name(data.name), formats::type_name(data.type),
                     data.generated ? "generated, " : "", format_size(data.bytes));
}

const DataSet& data_of(const Report& report, std::size_t index) {
  static const DataSet kNone;
  return index < report.data.size() ? report.data[index] : kNone;
}

// ---- The report itself

namespace {

/// Of a processor only the bandwidth is known.
std::string model_text(const MachineModel& model) {
  const std::string width = fmt::format("w {}", speed_text(model.bytes_per_second));
  if (model.latency == 0) return width;
  return fmt::format("{}, l {}, p {:.0f} threads, {:g} bytes an access", width, seconds_text(model.latency),
                     model.threads, model.access_bytes);
}

void add(Facts& facts, std::string name, std::string_view text) {
  if (!text.empty()) facts.emplace_back(std::move(name), printable(text));
}

}  // namespace

std::string load_text(const Report& report) {
  std::string text;
  if (report.load)
    text = fmt::format("{:.2f} before the run, {:.2f} after it", report.load->before, report.load->after);
  if (report.cpu_share)
    text += fmt::format("{}{:.0f} % of a processor for the run", text.empty() ? "" : "; ",
                        100 * *report.cpu_share);
  return text;
}

std::string command_text(const Report& report) {
  std::string text = "tdz";
  for (const std::string& word : report.command_line) text += " " + shell_word(word);
  return printable(text);
}

Facts run_facts(const Report& report) {
  Facts facts;
  if (!report.command_line.empty()) facts.emplace_back("command", command_text(report));
  add(facts, "started", report.started);
  if (report.seconds > 0) add(facts, "took", seconds_text(report.seconds));
  add(facts, "load", load_text(report));
  return facts;
}

Facts machine_facts(const Machine& machine) {
  Facts facts;
  add(facts, "processor", machine.processor);
  if (machine.cores > 0) add(facts, "cores", fmt::format("{}", machine.cores));
  add(facts, "pinned", machine.pinned);
  add(facts, "clock", machine.clock);
  if (machine.memory > 0) add(facts, "memory", format_size(machine.memory));
  add(facts, "instructions", machine.instructions);
  add(facts, "device", machine.device);
  add(facts, "driver", machine.driver);
  add(facts, "CUDA", machine.cuda);
  add(facts, "system", machine.system);
  add(facts, "compiler", machine.compiler);
  add(facts, "tdz", machine.tdz);
  add(facts, "zstd", machine.zstd);
  return facts;
}

Facts model_facts(const std::vector<MachineModel>& models) {
  Facts facts;
  for (const MachineModel& model : models)
    facts.emplace_back("model, " + printable(model.backend), model_text(model));
  return facts;
}

std::vector<std::string> faults(const Report& report) {
  std::vector<std::string> list;
  for (const CodecResult& cell : report.codec) {
    if (!cell.fault.empty()) list.push_back(codec_title(report, cell) + ": " + printable(cell.fault));
  }
  for (const auto* scans : {&report.scans, &report.curves})
    for (const ScanResult& scan : *scans)
      if (!scan.fault.empty()) list.push_back(scan_cell_title(scan) + ": " + printable(scan.fault));
  return list;
}

// ---- Doubts

namespace {

constexpr double kMostSpread = 0.25, kMostShare = 1.1, kMostOverStages = 3, kLeastCpuShare = 0.9;

/// Values of one kind, of which none should be above `most`.
class Doubt {
 public:
  explicit Doubt(double most) : most_(most) {}

  template <class Name>
  void look(double value, const Name& name) {
    ++all_;
    if (!(value > most_)) return;
    ++found_;
    if (value <= worst_) return;
    worst_ = value;
    where_ = name();
  }
  /// Adds text("3 of 12", the worst value, where it is), if there is a doubt.
  template <class Text>
  void say(std::vector<std::string>& list, const Text& text) const {
    if (found_ > 0) list.push_back(text(fmt::format("{} of {}", found_, all_), worst_, where_));
  }

 private:
  double most_, worst_ = 0;
  std::size_t found_ = 0, all_ = 0;
  std::string where_;
};

struct Doubts {
  Doubt spread{kMostSpread}, copy{kMostShare}, limit{kMostShare}, stage{kMostShare}, whole{kMostOverStages};
  std::size_t timings = 0, single = 0;
};

struct NamedTiming {
  std::string_view name;
  const Timing* time;
};

std::string raw_title(const Report& report, const RawResult& raw) {
  return fmt::format("{}, plain zstd, level {}", shown_name(data_of(report, raw.data).name), raw.level);
}

template <class Title>
void look_at_runs(Doubts& all, std::initializer_list<NamedTiming> timings, const Title& title) {
  for (const NamedTiming& timing : timings) {
    const Timing& time = *timing.time;
    if (time.runs == 0) continue;
    ++all.timings;
    if (time.runs == 1) ++all.single;
    if (time.has_spread())
      all.spread.look(time.spread(), [&] { return fmt::format("{}, {}", timing.name, title()); });
  }
}

/// A whole beside its stages. A stage that was not timed says nothing about the sum.
template <class Title>
void look_at_whole(Doubts& all, const NamedTiming& whole, std::initializer_list<NamedTiming> stages,
                   const Title& title) {
  double sum = 0;
  bool complete = whole.time->median > 0;
  for (const NamedTiming& stage : stages) {
    const Timing& time = *stage.time;
    complete = complete && time.runs > 0;
    sum += time.median;
    if (whole.time->median > 0 && time.median > 0)
      all.stage.look(time.median / whole.time->median,
                     [&] { return fmt::format("{}, {}", stage.name, title()); });
  }
  if (complete && sum > 0)
    all.whole.look(whole.time->median / sum, [&] { return fmt::format("{}, {}", whole.name, title()); });
}

void look_at(Doubts& all, const Report& report, const CodecResult& cell) {
  const auto title = [&] { return codec_title(report, cell); };
  const Stages& stages = cell.stages;
  const Timing none{.runs = 1};
  const NamedTiming compress{"compress", &cell.compress}, decompress{"restore", &cell.decompress},
      digest{"digest", &stages.digest}, difference{"difference", &stages.difference},
      pack{"pack", &stages.pack}, unpack{"unpack", &stages.unpack}, integrate{"integrate", &stages.integrate};
  const NamedTiming to{"to the device", stages.to_device ? &*stages.to_device : &none},
      from{"from the device", stages.from_device ? &*stages.from_device : &none};
  look_at_runs(all,
               {compress, decompress, digest, difference, pack, unpack, integrate, {"memcpy", &cell.copy}},
               title);
  if (cell.coding.packed && cell.ratio() <= 1) return;  // the whole stores the numbers as they are
  look_at_whole(all, compress, {digest, difference, pack, to, from}, title);
  look_at_whole(all, decompress, {digest, unpack, integrate, to, from}, title);
}

void look_at(Doubts& all, const ScanResult& scan) {
  const auto title = [&] { return scan_cell_title(scan); };
  look_at_runs(all, {{"kernel", &scan.kernel}, {"memcpy", &scan.copy}}, title);
  if (scan.kernel.median <= 0) return;
  all.copy.look(scan.share(), title);
  all.limit.look(scan.share_of_limit(), title);
}

std::string times(double value) {
  return three_digits(value) + " times";
}

std::vector<std::string> sentences(const Doubts& all) {
  std::vector<std::string> list;
  all.spread.say(list, [](const auto& cells, double worst, const auto& where) {
    return fmt::format(
        "In {} timings the runs differ by more than a quarter, at most by {} % ({}). Measure again, with "
        "nothing else running.",
        cells, percent_text(worst), where);
  });
  if (all.single > 0)
    list.push_back(fmt::format(
        "{} of {} timings are of a single run, so they have no spread. A longer --time gives more "
        "runs.",
        all.single, all.timings));
  all.copy.say(list, [](const auto& cells, double worst, const auto& where) {
    return fmt::format(
        "In {} cells a kernel is more than 1.1 times as fast as memcpy of the same bytes, at most {} ({}). "
        "One of the two was disturbed.",
        cells, times(worst), where);
  });
  all.limit.say(list, [](const auto& cells, double worst, const auto& where) {
    return fmt::format(
        "In {} cells a kernel is more than 1.1 times as fast as the limit of the model, at most {} ({}). "
        "The model's constants or the kernel were measured wrongly.",
        cells, times(worst), where);
  });
  all.stage.say(list, [](const auto& cells, double worst, const auto& where) {
    return fmt::format(
        "In {} stages one stage alone takes more than 1.1 times as long as the whole, at most {} ({}). One "
        "of the two was disturbed.",
        cells, times(worst), where);
  });
  all.whole.say(list, [](const auto& cells, double worst, const auto& where) {
    return fmt::format(
        "In {} cases the whole takes more than 3 times as long as its stages together, at most {} ({}). "
        "The numbers are few, or it was disturbed.",
        cells, times(worst), where);
  });
  return list;
}

}  // namespace

std::vector<std::string> doubts(const Report& report) {
  Doubts all;
  for (const RawResult& raw : report.raw)
    look_at_runs(all, {{"compress", &raw.compress}, {"restore", &raw.decompress}},
                 [&] { return raw_title(report, raw); });
  for (const CodecResult& cell : report.codec) look_at(all, report, cell);
  for (const auto* scans : {&report.scans, &report.curves})
    for (const ScanResult& scan : *scans) look_at(all, scan);
  auto list = sentences(all);
  // A run with a device waits for the device: then its share of the processor says nothing.
  if (report.machine.device.empty() && report.cpu_share && *report.cpu_share < kLeastCpuShare)
    list.push_back(fmt::format("The run had the processor for only {} % of its time: other programs ran.",
                               percent_text(*report.cpu_share)));
  return list;
}

}  // namespace tdz::app::bench
