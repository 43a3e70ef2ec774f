// SPDX-License-Identifier: Apache-2.0
#include "app/options/combinations.hpp"

#include <algorithm>

namespace tdz::app {
namespace {

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

}  // namespace

Status check_output(const OutputOptions& output, const std::vector<std::string>& files,
                    const FileSelection& selection) {
  if (auto done = check_one_result(output, files, selection); !done) return done;
  if (auto done = check_output_dir(output, files); !done) return done;
  if (auto done = check_removal(output, files); !done) return done;
  return check_skipping(output, files);
}

Status check_selection(const FileSelection& selection, const std::vector<std::string>& files) {
  if (selection.recursive && files.empty() && selection.lists.empty())
    return usage("-r needs the name of a folder; for the current folder, use .");
  const auto lists = std::ranges::count(selection.lists, kStandardInput, &NameList::file);
  if (lists > 0 && lists + std::ranges::count(files, kStandardInput) > 1)
    return usage("standard input is already a list of names; it cannot be read a second time");
  return ok();
}

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

}  // namespace tdz::app
