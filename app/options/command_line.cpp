// SPDX-License-Identifier: Apache-2.0
#include "app/options/command_line.hpp"

#include <spdlog/fmt/fmt.h>

#include <algorithm>
#include <limits>
#include <optional>

#include "app/options/arguments.hpp"
#include "app/options/columns.hpp"
#include "app/options/combinations.hpp"
#include "app/options/help.hpp"
#include "app/options/names.hpp"
#include "app/options/number_choice.hpp"
#include "app/options/option_table.hpp"
#include "app/options/option_values.hpp"
#include "app/options/sizes.hpp"
#include "formats/stream/limits.hpp"
#include "formats/type_name.hpp"

namespace tdz::app {
namespace {

constexpr int kMaxDevice = 255;         // the driver knows which devices exist
constexpr unsigned kMaxThreads = 1024;  // more threads only cost memory, so a larger number is a typing error

/// The values of all options. Whether they go together is checked later.
struct Settings {
  FileSelection selection;
  bool decompress = false, verify_files = false, list = false;
  bool help = false, version = false;
  Reporting reporting;
  OutputOptions output;
  bool keep = false;
  unsigned threads = 0;
  std::uint64_t memory = 0;
  std::uint64_t max_output = std::numeric_limits<std::uint64_t>::max();
  BackendChoice backend = BackendChoice::automatic;
  DeviceOptions device;
  std::optional<std::string> type;
  SearchOptions numbers;
  CompressOptions codec;
  bool fast = false, best = false;
  bool verify = false;
  bool json = false;
  std::optional<Range> range;
  InfoCommand info;
  RecoverOptions recovery;
  std::optional<std::string> map;
  BenchCommand bench;
  RoundtripCommand roundtrip;
  bool junit = false;
};

template <class T>
auto number_between(T least, T most) {
  return [least, most](std::string_view text) -> Result<T> {
    auto number = parse_number(text, static_cast<std::uint64_t>(least), static_cast<std::uint64_t>(most));
    if (!number) return number.error();
    return static_cast<T>(*number);
  };
}

auto size_between(std::uint32_t least, std::uint32_t most) {
  return [least, most](std::string_view text) { return parse_size_between(text, least, most); };
}

void add_general(OptionTable& table, Settings& to) {
  table.flag("-h,--help", to.help);
  table.flag("-V,--version", to.version);
  table.flag("-q,--quiet", to.reporting.quiet);
  table.flag("-v,--verbose", to.reporting.verbose);
  table.value("--log-file", to.reporting.log_file, parse_file_name);
}

/// How a run computes and what it shows meanwhile.
void add_run_options(OptionTable& table, Settings& to) {
  table.value("-T,--threads", to.threads, number_between(0u, kMaxThreads));
  table.value("--memory", to.memory, parse_memory);
  table.value("--backend", to.backend, parse_backend);
  table.value("--device", to.device.number, number_between(0, kMaxDevice));
  table.value("--gpu-memory", to.device.memory, parse_device_memory);
  table.value("--progress", to.reporting.progress, parse_progress);
  table.flag("-f,--force", to.output.force);
}

void add_output(OptionTable& table, Settings& to) {
  table.flag("-c,--stdout,--to-stdout", to.output.to_stdout);
  table.value("-o,--output", to.output.file, parse_file_name);
  table.flag("-k,--keep", to.keep);
  table.flag("--rm", to.output.remove_source);
}

void add_selection(OptionTable& table, FileSelection& to) {
  table.flag("-r,--recursive", to.recursive);
  for (const auto& [name, separator] : {std::pair("--filelist", '\n'), std::pair("--filelist0", '\0')}) {
    table.each_value(name, [&to, separator = separator](std::string file) {
      to.lists.push_back({std::move(file), separator});
    });
  }
  table.each_value("--exclude", [&to](std::string glob) { to.exclude.push_back(std::move(glob)); });
}

void add_many_results(OptionTable& table, OutputOptions& to) {
  table.value("--output-dir", to.tree, parse_file_name);
  table.flag("--skip-existing", to.skip_existing);
}

/// A type for the search, or the types of columns.
Result<std::string> parse_types_of_numbers(std::string_view text) {
  if (names_columns(text)) {
    if (const auto known = formats::parse_types(text); !known) return known.error();
  } else if (const auto known = formats::parse_type(text); !known) {
    return known.error();
  }
  return std::string(text);
}

void add_numbers(OptionTable& table, std::optional<std::string>& type, SearchOptions& to) {
  table.value("--type", type, parse_types_of_numbers);
  table.value("--word", to.word, parse_word);
  table.value("--tuple", to.tuple,
              number_between<std::uint32_t>(1, std::numeric_limits<std::uint32_t>::max()));
  table.value("--order", to.order, number_between<std::uint8_t>(0, kMaxOrder));
  table.value("--zigzag", to.zigzag, parse_switch);
  table.value("--layout", to.layout, formats::parse_layout);
  table.value("--row", to.row, number_between<std::uint32_t>(0, std::numeric_limits<std::uint32_t>::max()));
  table.flag("--big-endian", to.big_endian);
}

/// The options that compress and analyze share: what is known about the numbers, and how far to search.
void add_choice_of_steps(OptionTable& table, Settings& to) {
  add_numbers(table, to.type, to.numbers);
  table.value("--offset", to.codec.raw_prefix, parse_size);
  table.flag("--fast", to.fast);
  table.flag("--best", to.best);
  table.flag("--gpu", to.codec.gpu);
  table.value("--level", to.codec.level, number_between(kMinLevel, kMaxLevel));
}

void add_compression(OptionTable& table, Settings& to) {
  add_choice_of_steps(table, to);
  table.value("--chunk", to.codec.chunk_bytes, size_between(formats::kMinChunk, formats::kMaxChunk));
  table.value("--frame", to.codec.frame_bytes, size_between(formats::kMinFrame, formats::kMaxChunk));
  table.value("--flush", to.codec.flush_after, parse_seconds);
  table.flag("--verify", to.verify);
}

void add_decompression(OptionTable& table, Settings& to) {
  table.value("--range", to.range, parse_range);
  table.value("--max-output", to.max_output, parse_size);
  table.flag("--sparse", to.output.sparse);
}

void add_info(OptionTable& table, InfoCommand& to) {
  table.flag("--chunks", to.chunks);
}

void add_recovery(OptionTable& table, Settings& to) {
  table.value("-o,--output", to.output.file, parse_file_name);
  table.flag("-c,--stdout,--to-stdout", to.output.to_stdout);
  table.flag("-f,--force", to.output.force);
  table.value("--fill", to.recovery.fill, parse_fill);
  table.value("--map", to.map, parse_file_name);
  table.value("--max-output", to.recovery.max_output, parse_size);
  table.value("--memory", to.recovery.memory, parse_memory);
  table.value("--progress", to.reporting.progress, parse_progress);
}

void add_grid(OptionTable& table, Grid& to) {
  table.value("--words", to.words, parse_words);
  table.value("--tuples", to.tuples, parse_tuples);
  table.value("--orders", to.orders, parse_orders);
  table.value("--layouts", to.layouts, parse_layouts);
  table.value("--levels", to.levels, parse_levels);
  table.value("--backends", to.backends, parse_backends);
}

/// The options that bench and roundtrip share for their reports.
void add_report(OptionTable& table, Settings& to) {
  table.value("--device", to.device.number, number_between(0, kMaxDevice));
  table.value("--gpu-memory", to.device.memory, parse_device_memory);
  table.value("--progress", to.reporting.progress, parse_progress);
  table.value("-o,--output", to.output.file, parse_file_name);
  table.flag("-f,--force", to.output.force);
}

void add_bench(OptionTable& table, Settings& to) {
  add_grid(table, to.bench.grid);
  add_report(table, to);
  table.value("--type", to.bench.type, formats::parse_type);
  table.value("--scans", to.bench.scans, parse_names);
  table.value("--size", to.bench.size, parse_bench_size);
  table.value("--time", to.bench.time, parse_seconds);
  table.flag("--curves", to.bench.curves);
  table.value("--format", to.bench.format, parse_bench_format);
}

void add_roundtrip(OptionTable& table, Settings& to) {
  add_grid(table, to.roundtrip.grid);
  add_report(table, to);
  table.value("-T,--threads", to.threads, number_between(0u, kMaxThreads));
  table.value("--chunk", to.roundtrip.chunk_bytes, size_between(formats::kMinChunk, formats::kMaxChunk));
  table.value("--report", to.roundtrip.format, parse_roundtrip_format);
  table.flag("--json", to.json);
  table.flag("--junit", to.junit);
}

void add_choice_of_verb(OptionTable& table, Settings& to) {
  table.flag("-d,--decompress,--uncompress", to.decompress);
  table.flag("-t,--test", to.verify_files);
  table.flag("-l,--list", to.list);
}

/// Does the verb accept folders and lists of names?
bool accepts_many_files(Verb verb) {
  return verb == Verb::compress || verb == Verb::decompress || verb == Verb::verify || verb == Verb::info;
}

void add_options(OptionTable& table, Settings& to, std::optional<Verb> verb) {
  add_general(table, to);
  if (!verb) add_choice_of_verb(table, to);
  if (verb == Verb::recover) return add_recovery(table, to);
  if (verb == Verb::bench) return add_bench(table, to);
  if (verb == Verb::roundtrip) return add_roundtrip(table, to);
  if (verb == Verb::analyze) {
    table.flag("-f,--force", to.output.force);
    add_choice_of_steps(table, to);
  } else if (verb != Verb::info && verb != Verb::devices) {
    add_run_options(table, to);
  }
  if (!verb || accepts_many_files(*verb)) add_selection(table, to.selection);
  if (!verb || verb == Verb::compress || verb == Verb::decompress) {
    add_output(table, to);
    add_many_results(table, to.output);
  }
  if (!verb || verb == Verb::compress) add_compression(table, to);
  if (!verb || verb == Verb::decompress) add_decompression(table, to);
  if (!verb || verb == Verb::info) add_info(table, to.info);
  if (!verb || verb == Verb::info || verb == Verb::verify) table.flag("--sum", to.info.digests);
  if (!verb || verb == Verb::info || verb == Verb::analyze) table.flag("--json", to.json);
}

/// Does the form without a verb have this option?
bool exists_without_verb(std::string_view name) {
  Settings ignored;
  OptionTable all;
  add_options(all, ignored, std::nullopt);
  return all.knows(name);
}

/// Why `word` is not an option here. The options belong to `verb`; it is empty where there is none.
Error unknown_option(std::string_view word, std::string_view verb) {
  const std::string option = printable(word);
  if (verb.empty()) return usage(fmt::format("unknown option {}; see tdz --help", option));
  if (!exists_without_verb(word.substr(0, word.find('='))))
    return usage(fmt::format("unknown option {}; see tdz {} --help", option, verb));
  return usage(fmt::format("{} is not an option of {}; see tdz {} --help", option, verb, verb));
}

Status parse_options(OptionTable& table, std::vector<std::string> words, std::string_view verb) {
  return table.parse(std::move(words), [&](std::string_view word) { return unknown_option(word, verb); });
}

Result<Verb> chosen_verb(const Settings& settings) {
  if (settings.decompress + settings.verify_files + settings.list > 1)
    return usage("-d, -t and -l exclude each other; give only one of them");
  if (settings.decompress) return Verb::decompress;
  if (settings.verify_files) return Verb::verify;
  return settings.list ? Verb::info : Verb::compress;
}

/// Without a verb the table knows the options of every verb. An option that the chosen verb does not use must
/// not be ignored: with --range the user asks for a part, with --max-output for a limit. Exception: options
/// that say how to compress or how to run are allowed with every verb, because tar -I 'tdz --best' adds only
/// -d to restore.
Status check_options_of(Verb verb, std::vector<std::string> options) {
  Settings ignored;
  OptionTable table;
  add_options(table, ignored, verb);
  add_choice_of_verb(table, ignored);
  if (verb != Verb::compress) add_compression(table, ignored);
  if (verb == Verb::info) add_run_options(table, ignored);
  if (verb == Verb::info || verb == Verb::verify) table.flag("-k,--keep", ignored.keep);
  return parse_options(table, std::move(options), verb_name(verb));
}

/// -o - and -o /dev/stdout are other names of -c. --keep wins over --rm, because it is safer.
OutputOptions output_options(const Settings& settings) {
  OutputOptions output = settings.output;
  if (output.file == "-" || output.file == "/dev/stdout") {
    output.file.reset();
    output.to_stdout = true;
  }
  if (settings.keep) output.remove_source = false;
  return output;
}

Result<CompressOptions> encoder_options(const Settings& settings) {
  if (settings.fast && settings.best)
    return usage("--fast and --best exclude each other; give only one of them");
  SearchOptions search = settings.numbers;
  search.effort = settings.fast ? Effort::fast : settings.best ? Effort::best : Effort::normal;
  CompressOptions options = settings.codec;
  const bool columns = settings.type && names_columns(*settings.type);
  auto type = columns ? take_columns(*settings.type, search) : name_numbers(settings.type, search);
  if (!type) return type.error();
  options.search = std::move(search);
  options.type = *std::move(type);
  options.threads = settings.threads;
  options.memory = settings.memory;
  options.backend = settings.backend;
  options.device = settings.device;
  return options;
}

bool writes_standard_output(const OutputOptions& output, const std::vector<std::string>& files) {
  return output.to_stdout || (!output.file && std::ranges::count(files, kStandardInput) > 0);
}

Result<Command> compress_command(const Settings& settings, std::vector<std::string> files) {
  CompressCommand command{
      std::move(files), settings.selection, settings.reporting, output_options(settings), {}};
  if (auto done = check_output(command.output, command.files, command.selection); !done) return done.error();
  if (const auto chunk = settings.codec.chunk_bytes; chunk != 0 && settings.codec.frame_bytes > chunk) {
    return usage(fmt::format("--frame {} is longer than a chunk ({}); give a shorter frame",
                             format_size(settings.codec.frame_bytes),
                             format_size(settings.codec.chunk_bytes)));
  }
  auto codec = encoder_options(settings);
  if (!codec) return codec.error();
  command.codec = *std::move(codec);
  if (settings.verify && writes_standard_output(command.output, command.files))
    return usage("--verify needs a result that can be read back; use -o FILE");
  command.verify = settings.verify;
  return Command(std::move(command));
}

DecompressOptions decoder_options(const Settings& settings) {
  DecompressOptions options;
  options.threads = settings.threads;
  options.memory = settings.memory;
  options.backend = settings.backend;
  options.device = settings.device;
  return options;
}

Result<Command> decompress_command(const Settings& settings, std::vector<std::string> files) {
  DecompressCommand command{std::move(files), settings.selection, settings.reporting,
                            output_options(settings), decoder_options(settings)};
  if (auto done = check_output(command.output, command.files, command.selection); !done) return done.error();
  if (command.output.sparse && writes_standard_output(command.output, command.files))
    return usage("--sparse makes holes in a file, but standard output may not be a file; use -o FILE");
  command.codec.range = settings.range;
  command.codec.max_output = settings.max_output;
  if (auto done = check_range(command); !done) return done.error();
  return Command(std::move(command));
}

Result<Command> verify_command(const Settings& settings, std::vector<std::string> files) {
  VerifyCommand command{std::move(files), settings.selection, settings.reporting, settings.output.force,
                        decoder_options(settings)};
  command.codec.compare_digest = settings.info.digests;
  return Command(std::move(command));
}

Result<Command> info_command(const Settings& settings, std::vector<std::string> files) {
  InfoCommand command = settings.info;
  command.json = settings.json;
  command.files = std::move(files);
  command.selection = settings.selection;
  command.reporting = settings.reporting;
  return Command(std::move(command));
}

Result<Command> analyze_command(const Settings& settings, std::vector<std::string> files) {
  auto codec = encoder_options(settings);
  if (!codec) return codec.error();
  return Command(AnalyzeCommand{std::move(files), settings.reporting, settings.output.force, settings.json,
                                *std::move(codec)});
}

Result<Command> recover_command(const Settings& settings, std::vector<std::string> files) {
  RecoverCommand command{std::move(files), settings.reporting, output_options(settings), settings.recovery,
                         settings.map};
  if (command.files.size() > 1) return usage("recover takes only one FILE");
  if (command.map == kStandardInput) return usage("--map needs a file name; standard output is not possible");
  if (auto done = check_output(command.output, command.files); !done) return done.error();
  if (!command.output.file && !command.output.to_stdout)
    return usage("recover needs to know where the result goes; use -o FILE or -c");
  return Command(std::move(command));
}

Result<Command> bench_command(const Settings& settings, std::vector<std::string> files) {
  BenchCommand command = settings.bench;
  if (command.type && files.empty())
    return usage("--type describes the numbers in FILE, but no FILE is given");
  command.files = std::move(files);
  command.reporting = settings.reporting;
  command.output = output_options(settings).file;
  command.force = settings.output.force;
  command.device = settings.device;
  return Command(std::move(command));
}

Result<Command> roundtrip_command(const Settings& settings, std::vector<std::string> files) {
  RoundtripCommand command = settings.roundtrip;
  if (settings.json && settings.junit)
    return usage("--json and --junit exclude each other; give only one of them");
  if (settings.json) command.format = RoundtripFormat::json;
  if (settings.junit) command.format = RoundtripFormat::junit;
  command.files = std::move(files);
  command.reporting = settings.reporting;
  command.output = output_options(settings).file;
  command.force = settings.output.force;
  command.threads = settings.threads;
  command.device = settings.device;
  return Command(std::move(command));
}

Result<Command> devices_command(const Settings& settings, const std::vector<std::string>& files) {
  if (!files.empty()) return usage(fmt::format("{}: tdz devices takes no FILE", shown_name(files.front())));
  return Command(DevicesCommand{settings.reporting});
}

Result<Command> command_for(Verb verb, const Settings& settings, std::vector<std::string> files) {
  switch (verb) {
    case Verb::compress:
      return compress_command(settings, std::move(files));
    case Verb::decompress:
      return decompress_command(settings, std::move(files));
    case Verb::verify:
      return verify_command(settings, std::move(files));
    case Verb::info:
      return info_command(settings, std::move(files));
    case Verb::analyze:
      return analyze_command(settings, std::move(files));
    case Verb::recover:
      return recover_command(settings, std::move(files));
    case Verb::bench:
      return bench_command(settings, std::move(files));
    case Verb::roundtrip:
      return roundtrip_command(settings, std::move(files));
    case Verb::devices:
      return devices_command(settings, files);
  }
  return usage("no such verb");
}

}  // namespace

Result<Command> parse_command_line(std::span<const std::string> arguments) {
  std::optional<Verb> verb;
  if (!arguments.empty()) verb = verb_named(arguments.front());
  Settings settings;
  settings.bench.command_line.assign(arguments.begin(), arguments.end());
  OptionTable table;
  add_options(table, settings, verb);
  auto split = split_arguments(arguments.subspan(verb ? 1 : 0),
                               [&](std::string_view name) { return table.takes_value(name); });
  if (auto done = parse_options(table, split.options, verb ? verb_name(*verb) : ""); !done)
    return done.error();

  if (settings.help) return Command(HelpCommand{settings.reporting, help_text(verb)});
  if (settings.version) return Command(VersionCommand{settings.reporting});
  if (!verb) {
    const auto chosen = chosen_verb(settings);
    if (!chosen) return chosen.error();
    verb = *chosen;
    if (auto done = check_options_of(*verb, std::move(split.options)); !done) return done.error();
  }
  if (auto done = check_selection(settings.selection, split.operands); !done) return done.error();
  const bool reads_input = verb != Verb::devices && verb != Verb::bench;
  if (split.operands.empty() && settings.selection.lists.empty() && reads_input)
    split.operands.emplace_back(kStandardInput);
  return command_for(*verb, settings, std::move(split.operands));
}

}  // namespace tdz::app
