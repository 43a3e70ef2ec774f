// SPDX-License-Identifier: Apache-2.0
#include <spdlog/fmt/fmt.h>

#include "app/exit_code.hpp"
#include "app/options/pages/pages.hpp"
#include "app/options/table/option_rows.hpp"
#include "tdz/tdz.hpp"

namespace tdz::app {
namespace {

/// Characters that groff would change or obey. In code a dash is a minus, so that it can be copied.
std::string escaped(std::string_view text, bool code) {
  std::string result;
  for (const char c : text) {
    switch (c) {
      case '\\':
        result += "\\e";
        break;
      case '-':
        result += code ? "\\-" : "-";
        break;
      case '~':
        result += "\\(ti";
        break;
      case '^':
        result += "\\(ha";
        break;
      case '\'':
        result += code ? "\\(aq" : "'";
        break;
      default:
        result += c;
    }
  }
  return result;
}

std::string bold(std::string_view code) {
  return fmt::format("\\fB{}\\fR", escaped(code, true));
}

/// A sentence in lines of 80 columns. A word with a dot or a quote at its beginning must not look like a
/// macro.
std::string lines_of(std::string_view sentence) {
  std::string result;
  for (const std::string& line : split(wrapped(sentence, 0, 0, 80), '\n')) {
    if (line.empty()) continue;
    if (line.front() == '.' || line.front() == '\'') result += "\\&";
    result += line + '\n';
  }
  return result;
}

/// Each sentence begins a line, as groff wants it. `code` is bold.
std::string paragraph(std::string_view text) {
  std::string marked;
  const auto parts = split(text, '`');
  for (std::size_t i = 0; i < parts.size(); ++i)
    marked += i % 2 == 1 ? bold(parts[i]) : escaped(parts[i], false);
  std::string result;
  for (std::size_t from = 0, end = 0; end != std::string::npos; from = end + 2) {
    end = marked.find(". ", from);
    result += lines_of(marked.substr(from, end == std::string::npos ? end : end + 1 - from));
  }
  return result;
}

std::string entry(std::string_view head, std::string_view text) {
  return fmt::format(".TP\n{}\n{}", head, paragraph(text));
}

/// Bold names and an argument in italics: \fB-o\fR, \fB--output\fR \fIFILE\fR.
std::string shown_option(const OptionRow& row) {
  std::vector<std::string> names;
  for (const std::string& name : shown_names(row)) names.push_back(bold(name));
  std::string head = join(names, ", ");
  if (row.argument.empty()) return head;
  const bool words = row.argument.find('|') != std::string_view::npos;
  return head + ' ' + (words ? bold(row.argument) : fmt::format("\\fI{}\\fR", escaped(row.argument, true)));
}

std::string verbs() {
  std::string text = ".SH VERBS\n";
  for (const VerbRow& row : verb_rows()) {
    std::string head = bold(fmt::format("tdz {}", row.name));
    if (!row.operands.empty()) head += fmt::format(" \\fI{}\\fR", escaped(row.operands, true));
    if (!row.short_form.empty()) head += fmt::format(" (or {})", bold(row.short_form));
    text += entry(head, row.about);
  }
  return text;
}

std::string options() {
  std::string text = ".SH OPTIONS\n";
  text += paragraph(
      "The verbs that take an option are named below it. Without a verb, the options of `compress`, "
      "`decompress`, "
      "`verify` and `info` are allowed. A SIZE is a number of bytes, or a whole number with K, M, G, T, P or "
      "E: powers "
      "of 1024. `64K` and `64KiB` are 65536.");
  for (const SectionRow& section : section_rows()) {
    text += fmt::format(".SS {}\n", section.title);
    for (const OptionRow& row : option_rows()) {
      if (row.section != section.section) continue;
      text += entry(shown_option(row), sentences(row.help, row.more));
      if (row.section != Section::choice) text += fmt::format("(\\fI{}\\fR)\n", verbs_text(row));
    }
  }
  return text;
}

std::string steps() {
  std::string text =
      ".SH STEPS\n" +
      paragraph("The names of the steps in reports. T is the length of a tuple (1: single numbers).");
  for (const StepRow& row : step_rows()) text += entry(bold(row.name), sentences(row.meaning, ""));
  return text;
}

std::string exit_status() {
  std::string text = ".SH EXIT STATUS\n";
  for (const ExitRow& row : kExitRows) text += entry(bold(row.code), sentences(row.meaning, ""));
  return text + ".PP\nWith several files the exit status is the largest of theirs.\n";
}

std::string examples() {
  std::string text = ".SH EXAMPLES\n";
  for (const VerbRow& row : verb_rows()) {
    for (const Example& example : row.examples)
      text += entry(bold(example.command), sentences(example.meaning, ""));
  }
  return text;
}

}  // namespace

std::string manual_page(std::string_view date) {
  std::string page = fmt::format(
      ".\\\" SPDX-License-Identifier: Apache-2.0\n.TH TDZ 1 {} \"tdz {}\"\n.nh\n.ad l\n", date, version());
  page += ".SH NAME\ntdz \\- compress files of fixed-width numbers\n";
  page += ".SH SYNOPSIS\n.B tdz\n.RI [ VERB ]\n.RI [ OPTION ]...\n.RI [ FILE ]...\n";
  page += ".SH DESCRIPTION\n" + paragraph(about_program());
  page += verbs() + options() + steps() + exit_status() + examples();
  page += ".SH ENVIRONMENT\n" + entry(bold("NO_COLOR"), "If it has a value, `bench` uses no colours.") +
          entry(bold("LC_ALL") + ", " + bold("LC_CTYPE") + ", " + bold("LANG"),
                "The first one with a value counts. If it does not name UTF-8, reports use only ASCII, "
                "except in names of "
                "files.") +
          entry(bold("TDZ_CUDA_LIBRARY"),
                "The libtdz_cuda.so that tdz uses for GPUs. tdz looks for no other one.");
  page += ".SH SEE ALSO\n.BR zstd (1),\n.BR tar (1)\n";
  return page;
}

}  // namespace tdz::app
