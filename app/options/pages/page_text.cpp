// SPDX-License-Identifier: Apache-2.0
#include "app/options/pages/page_text.hpp"

#include <algorithm>
#include <cctype>
#include <type_traits>

#include "formats/plan/plan.hpp"

namespace tdz::app {

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

}  // namespace tdz::app
