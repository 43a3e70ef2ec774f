// SPDX-License-Identifier: Apache-2.0
#include "app/options/settings.hpp"

#include <spdlog/fmt/fmt.h>

#include <algorithm>

#include "app/options/names.hpp"
#include "app/options/number_options.hpp"
#include "app/options/pages/pages.hpp"
#include "formats/names.hpp"

namespace tdz::app {
namespace {

// ---- Options that are each valid but do not go together. Each error says which options, and what to do.

bool reads_standard_input(const std::vector<std::string>& files) {
  return std::ranges::count(files, kStandardInput) > 0;
}

/// -o names one result.
Status check_one_result(const OutputOptions& output, const std::vector<std::string>& files,
                        const FileSelection& selection) {
  if (!output.file) return ok();
  if (output.to_stdout) return usage("-o and -c exclude each other; give only one of them");
  if (selection.looks_for_files())
    return usage("-o names one result, but there may be several files; use --output-dir");
  if (files.size() > 1) return usage("-o names one result, but there are several files; use --output-dir");
  return ok();
}

Status check_output_dir(const OutputOptions& output, const std::vector<std::string>& files) {
  if (!output.tree) return ok();
  if (output.file || output.to_stdout)
    return usage("--output-dir does not go with -o or -c; give only one of them");
  if (reads_standard_input(files))
    return usage("--output-dir needs the names of files, but standard input has no name; use -o FILE");
  return ok();
}

Status check_removal(const OutputOptions& output, const std::vector<std::string>& files) {
  if (!output.remove_source) return ok();
  if (reads_standard_input(files))
    return usage("--rm removes source files, but standard input is not a file; leave out --rm");
  if (output.to_stdout)
    return usage("--rm needs a result on disk, but standard output may be anything; use -o FILE");
  return ok();
}

Status check_skipping(const OutputOptions& output, const std::vector<std::string>& files) {
  if (!output.skip_existing) return ok();
  if (output.to_stdout)
    return usage("--skip-existing looks for the target by its name, but standard output has no name");
  if (reads_standard_input(files))
    return usage("--skip-existing could leave standard input unread; name the source files");
  if (output.force) return usage("--skip-existing and -f exclude each other; give only one of them");
  return ok();
}

/// Where results go, against the files that they are made of.
Status check_output(const OutputOptions& output, const std::vector<std::string>& files,
                    const FileSelection& selection = {}) {
  if (auto done = check_one_result(output, files, selection); !done) return done;
  if (auto done = check_output_dir(output, files); !done) return done;
  if (auto done = check_removal(output, files); !done) return done;
  return check_skipping(output, files);
}

/// The ways to name files: each needs something to read, and standard input can be read only once.
Status check_selection(const FileSelection& selection, const std::vector<std::string>& files) {
  if (selection.recursive && files.empty() && selection.lists.empty())
    return usage("-r needs the name of a folder; for the current folder, use .");
  const auto lists = std::ranges::count(selection.lists, kStandardInput, &NameList::file);
  if (lists > 0 && lists + std::ranges::count(files, kStandardInput) > 1)
    return usage("standard input is already a list of names; it cannot be read a second time");
  return ok();
}

/// A part of the original must not get the name, or take the place, of the whole.
Status check_range(const DecompressCommand& command) {
  if (!command.codec.range) return ok();
  const bool named = command.output.file || command.output.to_stdout;
  const bool whole =
      std::ranges::any_of(command.files, [](const auto& file) { return file != kStandardInput; });
  if (!named && (whole || command.selection.looks_for_files()))
    return usage("--range restores only a part; name the result with -o FILE, or use -c");
  if (command.output.remove_source)
    return usage("--range restores only a part, and --rm would lose the rest; leave out --rm");
  return ok();
}

// ---- The command of each verb

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

Effort effort_of(const Settings& settings) {
  if (settings.fastest) return Effort::fastest;
  if (settings.fast) return Effort::fast;
  return settings.best ? Effort::best : Effort::normal;
}

Result<CompressOptions> encoder_options(const Settings& settings) {
  if (settings.fastest + settings.fast + settings.best > 1)
    return usage("--fastest, --fast and --best exclude each other; give only one of them");
  if (settings.fastest && settings.codec.level != 0)
    return usage("--fastest packs numbers without zstd, so it has no level; leave out --level or --fastest");
  SearchOptions search = settings.numbers;
  search.effort = effort_of(settings);
  CompressOptions options = settings.codec;
  const bool columns = settings.type && names_columns(*settings.type);
  auto type = columns ? take_columns(*settings.type, search) : name_numbers(settings.type, search);
  if (!type) return type.error();
  options.search = std::move(search);
  options.type = *std::move(type);
  options.protect = settings.protect.value_or(0);
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
  command.independent = settings.independent;
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
  if (settings.selection.looks_for_files() && reads_standard_input(files))
    return usage("an estimate takes samples from files, but standard input is none; leave out -r, or -");
  return Command(AnalyzeCommand{std::move(files), settings.selection, settings.reporting,
                                settings.output.force, settings.json, *std::move(codec)});
}

Result<Command> recover_command(const Settings& settings, std::vector<std::string> files) {
  RecoverCommand command{std::move(files), settings.reporting, output_options(settings), {},
                         settings.map,     settings.archive};
  command.codec.fill = settings.fill;
  command.codec.memory = settings.memory;
  command.codec.max_output = settings.max_output;
  if (command.files.size() > 1) return usage("recover takes only one FILE");
  if (command.archive && command.map)
    return usage("--map lists what is missing of the original, but --archive restores none; leave out one");
  if (command.map == kStandardInput) return usage("--map needs a file name; standard output is not possible");
  if (auto done = check_output(command.output, command.files); !done) return done.error();
  if (!command.output.file && !command.output.to_stdout)
    return usage("recover needs to know where the result goes; use -o FILE or -c");
  return Command(std::move(command));
}

Result<Command> protect_command(const Settings& settings, std::vector<std::string> files) {
  ProtectCommand command{
      std::move(files), settings.selection, settings.reporting, output_options(settings), {}};
  command.codec.percent = settings.protect.value_or(kDefaultProtect);
  command.codec.threads = settings.threads;
  command.codec.memory = settings.memory;
  if (auto done = check_output(command.output, command.files, command.selection); !done) return done.error();
  if (command.output.to_stdout || reads_standard_input(command.files))
    return usage("protect reads its FILE more than once, and writes it anew; name a file");
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
    case Verb::protect:
      return protect_command(settings, std::move(files));
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

Result<Command> command_of(Verb verb, const Settings& settings, std::vector<std::string> files) {
  if (auto done = check_selection(settings.selection, files); !done) return done.error();
  const bool reads_input = verb != Verb::devices && verb != Verb::bench && verb != Verb::completions;
  if (files.empty() && settings.selection.lists.empty() && reads_input) files.emplace_back(kStandardInput);
  return command_for(verb, settings, std::move(files));
}

}  // namespace tdz::app
