// SPDX-License-Identifier: Apache-2.0
// What all pages share, and the help.
#include <spdlog/fmt/fmt.h>

#include <algorithm>
#include <cctype>
#include <type_traits>

#include "app/exit_code.hpp"
#include "app/options/pages/pages.hpp"
#include "app/options/table/option_rows.hpp"
#include "formats/plan/plan.hpp"

namespace tdz::app {

// ---- What all pages share

std::vector<StepRow> step_rows() {
  std::vector<formats::StepHelp> steps;
  for_each_step([&]<class T>(std::type_identity<T>) { steps.push_back(T::kTraits.help); });
  std::ranges::stable_sort(steps, {}, &formats::StepHelp::place);
  std::vector<StepRow> rows;
  for (const formats::StepHelp& step : steps) rows.push_back({step.name, step.meaning});
  rows.push_back(
      {"in runs of N", "the step restarts after every N numbers of a column, so that a GPU can start there"});
  rows.push_back({"none", "the bytes as they are"});
  return rows;
}

std::string join(const std::vector<std::string>& parts, std::string_view separator) {
  std::string text;
  for (const std::string& part : parts) {
    if (!text.empty()) text += separator;
    text += part;
  }
  return text;
}

std::vector<std::string> shown_names(const OptionRow& row) {
  auto names = split(row.names, ',');
  if (row.names == "--level") names.emplace(names.begin(), "-1 .. -22");
  return names;
}

std::vector<std::string> verbs_of(const OptionRow& row) {
  std::vector<std::string> verbs;
  for (const VerbRow& verb : verb_rows()) {
    if (row.verbs.has(verb.verb)) verbs.emplace_back(verb.name);
  }
  if (exists_without_verb(row)) verbs.emplace_back("none");
  return verbs;
}

std::string verbs_text(const OptionRow& row) {
  if (row.verbs == Verbs::all()) return "every verb";
  auto verbs = verbs_of(row);
  if (row.section != Section::choice) std::erase(verbs, "none");
  return join(verbs, ", ");
}

std::string sentences(std::string_view part, std::string_view more) {
  std::string text(part);
  if (!text.empty()) text.front() = static_cast<char>(std::toupper(static_cast<unsigned char>(text.front())));
  text += '.';
  if (!more.empty()) text += ' ';
  return text.append(more);
}

std::string plain(std::string_view text) {
  std::string result(text);
  std::erase(result, '`');
  return result;
}

std::string wrapped(std::string_view text, std::size_t indent, std::size_t column, std::size_t width) {
  std::string lines;
  bool begins = true;
  for (const std::string& word : split(text, ' ')) {
    if (!begins && column + 1 + word.size() > width) {
      lines += '\n';
      column = 0;
      begins = true;
    }
    const std::size_t blanks = begins ? indent - std::min(indent, column) : 1;
    lines.append(blanks, ' ').append(word);
    column += blanks + word.size();
    begins = false;
  }
  return lines + '\n';
}

// ---- The help

namespace {

constexpr std::size_t kWidth = 80;
constexpr std::size_t kTextColumn = 22, kExampleColumn = 40;

/// "  NAME      text", with the text on the next line where the name is long.
std::string entry(std::string_view name, std::string_view text, std::size_t column = kTextColumn) {
  std::string line = fmt::format("  {}", name);
  if (line.size() + 2 > column) return line + '\n' + wrapped(plain(text), column, 0, kWidth);
  return line + wrapped(plain(text), column, line.size(), kWidth);
}

/// "-o, --output FILE".
std::string shown_option(const OptionRow& row) {
  return join(shown_names(row), ", ") + (row.argument.empty() ? "" : " ") + std::string(row.argument);
}

std::string options(std::optional<Verb> verb) {
  std::string text;
  for (const SectionRow& section : section_rows()) {
    std::string entries;
    for (const OptionRow& row : option_rows()) {
      if (row.section == section.section && (verb ? row.verbs.has(*verb) : exists_without_verb(row)))
        entries += entry(shown_option(row), row.help);
    }
    if (!entries.empty()) text += fmt::format("\n{}:\n{}", section.title, entries);
  }
  return text;
}

std::string examples(const VerbRow& verb) {
  std::string text;
  for (const Example& example : verb.examples)
    text += entry(example.command, example.meaning, kExampleColumn);
  return text;
}

std::string verbs() {
  std::string text;
  for (const VerbRow& verb : verb_rows()) {
    const std::string form = verb.short_form.empty() ? "" : fmt::format(" ({})", verb.short_form);
    text += entry(fmt::format("{}{}", verb.name, form), verb.summary);
  }
  return text;
}

std::string exit_codes() {
  std::string text;
  for (const ExitRow& row : kExitRows) text += entry(row.code, row.meaning);
  return text;
}

std::string steps() {
  std::string text;
  for (const StepRow& row : step_rows()) text += entry(row.name, row.meaning);
  return "\nSteps, as the report names them. T is the length of a tuple (1: single numbers):\n" + text;
}

std::string program_help() {
  std::string shown_examples;
  for (const VerbRow& verb : verb_rows().first(2)) shown_examples += examples(verb);
  return fmt::format(
      "Usage: tdz [VERB] [OPTION]... [FILE]...\n\n{}\nVerbs; tdz VERB --help prints the options of "
      "each:\n{}{}\n"
      "Examples:\n{}\nExit status; with several files, the largest of theirs:\n{}",
      wrapped(plain(about_program()), 0, 0, kWidth), verbs(), options(std::nullopt), shown_examples,
      exit_codes());
}

}  // namespace

std::string help_text(std::optional<Verb> verb) {
  if (!verb) return program_help();
  const VerbRow& row = verb_rows()[static_cast<std::size_t>(*verb)];
  const std::string_view blank = row.operands.empty() ? "" : " ";
  std::string text = fmt::format("Usage: tdz {} [OPTION]...{}{}\n\n", row.name, blank, row.operands);
  text += wrapped(plain(row.about), 0, 0, kWidth) + options(verb);
  if (verb == Verb::analyze || verb == Verb::info) text += steps();
  if (!row.examples.empty()) text += "\nExamples:\n" + examples(row);
  return text;
}

std::string_view short_help() {
  return R"(tdz compresses files of fixed-width numbers: sensor logs, audio, images, grids.

  tdz FILE                   compress FILE to FILE.tdz
  tdz -d FILE.tdz            restore FILE
  tdz --help                 all verbs and options
)";
}

}  // namespace tdz::app
