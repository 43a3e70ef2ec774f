// SPDX-License-Identifier: Apache-2.0
#include "app/options/command_line.hpp"

#include <spdlog/fmt/fmt.h>

#include <algorithm>
#include <functional>
#include <optional>

#include "app/options/arguments.hpp"
#include "app/options/combinations.hpp"
#include "app/options/names.hpp"
#include "app/options/number_options.hpp"
#include "app/options/pages/pages.hpp"
#include "app/options/sizes.hpp"
#include "app/options/table/option_parser.hpp"
#include "app/options/table/option_rows.hpp"
#include "formats/type_name.hpp"

namespace tdz::app {
namespace {

void add_options(OptionParser& parser, Settings& to, const std::function<bool(const OptionRow&)>& wanted) {
  for (const OptionRow& row : option_rows()) {
    if (wanted(row)) row.bind(OptionSlot(parser, row.names), to);
  }
}

/// The options of a verb, or those of the form without a verb.
void add_options(OptionParser& parser, Settings& to, std::optional<Verb> verb) {
  add_options(parser, to, [verb](const OptionRow& row) {
    return verb ? row.verbs.has(*verb) : exists_without_verb(row);
  });
}

/// As long as the verb is not known: a name has the same kind of value with every verb.
bool takes_value_anywhere(std::string_view name) {
  return std::ranges::any_of(option_rows(), [name](const OptionRow& row) {
    const std::string names = "," + std::string(row.names) + ",";
    return !row.argument.empty() && names.find("," + std::string(name) + ",") != std::string::npos;
  });
}

bool is_known_without_verb(std::string_view name) {
  Settings ignored;
  OptionParser all;
  add_options(all, ignored, std::nullopt);
  return all.knows(name);
}

/// Why `word` is not an option here. The options belong to `verb`; it is empty where there is none.
Error unknown_option(std::string_view word, std::string_view verb) {
  const std::string option = printable(word);
  if (verb.empty()) return usage(fmt::format("unknown option {}; see tdz --help", option));
  if (!is_known_without_verb(word.substr(0, word.find('='))))
    return usage(fmt::format("unknown option {}; see tdz {} --help", option, verb));
  return usage(fmt::format("{} is not an option of {}; see tdz {} --help", option, verb, verb));
}

Status parse_options(OptionParser& parser, std::vector<std::string> words, std::string_view verb) {
  return parser.parse(std::move(words), [&](std::string_view word) { return unknown_option(word, verb); });
}

Result<Verb> chosen_verb(const Settings& settings) {
  if (settings.decompress + settings.verify_files + settings.list > 1)
    return usage("-d, -t and -l exclude each other; give only one of them");
  if (settings.decompress) return Verb::decompress;
  if (settings.verify_files) return Verb::verify;
  return settings.list ? Verb::info : Verb::compress;
}

/// Without a verb the parser knows the options of every verb. An option that the chosen verb does not use
/// must not be ignored: with --range the user asks for a part, with --max-output for a limit. Exception:
/// harmless options.
Status check_options_of(Verb verb, std::vector<std::string> options) {
  Settings ignored;
  OptionParser parser;
  add_options(parser, ignored, [verb](const OptionRow& row) {
    return row.verbs.has(verb) || (row.harmless && exists_without_verb(row));
  });
  return parse_options(parser, std::move(options), verb_name(verb));
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
  command.codec.compare_digest = settings.sum;
  command.codec.max_output = settings.max_output;
  return Command(std::move(command));
}

Result<Command> info_command(const Settings& settings, std::vector<std::string> files) {
  return Command(InfoCommand{std::move(files),
                             settings.selection,
                             settings.reporting,
                             settings.json,
                             settings.chunks,
                             settings.sum,
                             {.memory = settings.memory, .max_output = settings.max_output}});
}

Result<Command> analyze_command(const Settings& settings, std::vector<std::string> files) {
  auto codec = encoder_options(settings);
  if (!codec) return codec.error();
  return Command(AnalyzeCommand{std::move(files), settings.reporting, settings.output.force, settings.json,
                                *std::move(codec)});
}

Result<Command> recover_command(const Settings& settings, std::vector<std::string> files) {
  RecoverCommand command{std::move(files), settings.reporting, output_options(settings), {}, settings.map};
  command.codec.fill = settings.fill;
  command.codec.memory = settings.memory;
  command.codec.max_output = settings.max_output;
  if (command.files.size() > 1) return usage("recover takes only one FILE");
  if (command.map == kStandardInput) return usage("--map needs a file name; standard output is not possible");
  if (auto done = check_output(command.output, command.files); !done) return done.error();
  if (!command.output.file && !command.output.to_stdout)
    return usage("recover needs to know where the result goes; use -o FILE or -c");
  return Command(std::move(command));
}

Status check_one_device(const DeviceOptions& device) {
  if (device.numbers.size() == 1) return ok();
  return usage("--device: bench and roundtrip take the number of one GPU");
}

Result<Command> bench_command(const Settings& settings, std::vector<std::string> files) {
  BenchCommand command = settings.bench;
  if (auto done = check_one_device(settings.device); !done) return done.error();
  if (settings.type && files.empty())
    return usage("--type describes the numbers in FILE, but no FILE is given");
  if (settings.type) {
    const auto type = formats::parse_type(*settings.type);
    if (!type) return usage("--type: " + type.error().message);
    command.type = *type;
  }
  command.files = std::move(files);
  command.reporting = settings.reporting;
  command.grid = settings.grid;
  command.output = output_options(settings).file;
  command.force = settings.output.force;
  command.device = settings.device;
  return Command(std::move(command));
}

Result<Command> roundtrip_command(const Settings& settings, std::vector<std::string> files) {
  RoundtripCommand command;
  if (auto done = check_one_device(settings.device); !done) return done.error();
  if (settings.json && settings.junit)
    return usage("--json and --junit exclude each other; give only one of them");
  command.format = settings.json    ? RoundtripFormat::json
                   : settings.junit ? RoundtripFormat::junit
                                    : settings.report;
  command.grid = settings.grid;
  command.chunk_bytes = settings.codec.chunk_bytes;
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

Result<Command> completions_command(const Settings& settings, const std::vector<std::string>& files) {
  const auto script = files.size() == 1 ? completions(files.front()) : std::nullopt;
  if (!script) return usage("completions needs the name of a shell: bash, zsh or fish");
  return Command(TextCommand{settings.reporting, *script});
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
    case Verb::completions:
      return completions_command(settings, files);
  }
  return usage("no such verb");
}

}  // namespace

std::optional<std::size_t> place_of_verb(std::span<const std::string> arguments) {
  return split_arguments(arguments, takes_value_anywhere).first_operand;
}

std::vector<std::string> with_verb_first(std::vector<std::string> arguments,
                                         const std::function<bool(const std::string&)>& is_file) {
  const auto place = place_of_verb(arguments);
  if (!place || !verb_named(arguments[*place]) || is_file(arguments[*place])) return arguments;
  const auto verb = arguments.begin() + static_cast<std::ptrdiff_t>(*place);
  std::rotate(arguments.begin(), verb, verb + 1);
  return arguments;
}

Result<Command> parse_command_line(std::span<const std::string> arguments) {
  std::optional<Verb> verb;
  if (!arguments.empty()) verb = verb_named(arguments.front());
  Settings settings;
  settings.bench.command_line.assign(arguments.begin(), arguments.end());
  OptionParser parser;
  add_options(parser, settings, verb);
  auto split = split_arguments(arguments.subspan(verb ? 1 : 0),
                               [&](std::string_view name) { return parser.takes_value(name); });
  if (auto done = parse_options(parser, split.options, verb ? verb_name(*verb) : ""); !done)
    return done.error();

  if (settings.help) return Command(TextCommand{settings.reporting, help_text(verb)});
  if (settings.version) return Command(VersionCommand{settings.reporting});
  if (!verb) {
    const auto chosen = chosen_verb(settings);
    if (!chosen) return chosen.error();
    verb = *chosen;
    if (auto done = check_options_of(*verb, std::move(split.options)); !done) return done.error();
  }
  if (auto done = check_selection(settings.selection, split.operands); !done) return done.error();
  const bool reads_input = verb != Verb::devices && verb != Verb::bench && verb != Verb::completions;
  if (split.operands.empty() && settings.selection.lists.empty() && reads_input)
    split.operands.emplace_back(kStandardInput);
  return command_for(*verb, settings, std::move(split.operands));
}

}  // namespace tdz::app
