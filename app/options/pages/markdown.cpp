// SPDX-License-Identifier: Apache-2.0
#include <spdlog/fmt/fmt.h>

#include <optional>

#include "app/exit_code.hpp"
#include "app/options/pages/pages.hpp"
#include "app/options/table/option_rows.hpp"

namespace tdz::app {
namespace {

constexpr std::string_view kBegin = "<!-- table ", kBeginEnd = " -->\n", kEnd = "<!-- end -->\n";

/// A bar in a cell of a table.
std::string escaped(std::string text) {
  for (std::size_t at = 0; (at = text.find('|', at)) != std::string::npos; at += 2) text.insert(at, 1, '\\');
  return text;
}

std::string verbs_table() {
  std::string table = "| verb | short form | what it does |\n|---|---|---|\n";
  for (const VerbRow& row : verb_rows()) {
    const std::string form = row.short_form.empty() ? "" : fmt::format("`{}` ", row.short_form);
    const std::string name =
        fmt::format("tdz {}{}{}", row.name, row.operands.empty() ? "" : " ", row.operands);
    table += fmt::format("| `{}` | {}| {} |\n", escaped(name), form, row.summary);
  }
  return table;
}

std::string step_table() {
  std::string table = "| step | what it does |\n|---|---|\n";
  for (const StepRow& row : step_rows()) table += fmt::format("| `{}` | {} |\n", row.name, row.meaning);
  return table;
}

std::string exit_code_table() {
  std::string table = "| code | meaning |\n|---|---|\n";
  for (const ExitRow& row : kExitRows) table += fmt::format("| {} | {} |\n", row.code, row.meaning);
  return table;
}

/// "`-o`, `--output FILE`".
std::string shown_option(const OptionRow& row) {
  return fmt::format("`{}{}{}`", join(shown_names(row), "`, `"), row.argument.empty() ? "" : " ",
                     row.argument);
}

std::string option_table(Section section) {
  std::string table = "| option | verbs | meaning |\n|---|---|---|\n";
  for (const OptionRow& row : option_rows()) {
    if (row.section != section) continue;
    table += fmt::format("| {} | {} | {} |\n", escaped(shown_option(row)), verbs_text(row),
                         escaped(sentences(row.help, row.more)));
  }
  return table;
}

std::optional<std::string> table_named(std::string_view name) {
  if (name == "verbs") return verbs_table();
  if (name == "steps") return step_table();
  if (name == "exit-codes") return exit_code_table();
  for (const SectionRow& row : section_rows()) {
    if (row.name == name) return option_table(row.section);
  }
  return std::nullopt;
}

Status check_sections(std::string_view page) {
  for (const SectionRow& row : section_rows()) {
    if (page.find(fmt::format("{}{}{}", kBegin, row.name, kBeginEnd)) == std::string_view::npos)
      return usage(fmt::format("the table {} is missing", row.name));
  }
  return ok();
}

}  // namespace

Result<std::string> with_new_tables(std::string_view page) {
  if (auto done = check_sections(page); !done) return done.error();
  std::string renewed;
  for (auto begin = page.find(kBegin); begin != std::string_view::npos; begin = page.find(kBegin)) {
    const auto after = page.find(kBeginEnd, begin), end = page.find(kEnd, begin);
    if (end == std::string_view::npos || after > end) return usage("a table has no end");
    const auto table = table_named(page.substr(begin + kBegin.size(), after - begin - kBegin.size()));
    if (!table) return usage("no table has the name after \"table\"");
    renewed.append(page.substr(0, after + kBeginEnd.size())).append(*table).append(kEnd);
    page.remove_prefix(end + kEnd.size());
  }
  return renewed.append(page);
}

}  // namespace tdz::app
