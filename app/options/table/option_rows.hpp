// SPDX-License-Identifier: Apache-2.0
// The one table of options. Parsing, --help, the man page, docs/cli.md and the completions of shells come
// from its rows.
#pragma once

#include <span>
#include <string>
#include <string_view>

#include "app/options/settings.hpp"
#include "app/options/table/option_parser.hpp"
#include "app/options/table/verb_rows.hpp"

namespace tdz::app {

/// A set of verbs.
class Verbs {
 public:
  constexpr Verbs() = default;
  constexpr Verbs(Verb verb) : bits_(1u << static_cast<unsigned>(verb)) {}  // a verb is a set of one

  static constexpr Verbs all() { return Verbs(~0u); }
  constexpr bool has(Verb verb) const { return (bits_ & Verbs(verb).bits_) != 0; }
  constexpr Verbs operator|(Verbs other) const { return Verbs(bits_ | other.bits_); }
  constexpr bool operator==(const Verbs&) const = default;

 private:
  explicit constexpr Verbs(unsigned bits) : bits_(bits) {}
  unsigned bits_ = 0;
};

/// The options in groups, in the order of the help.
enum class Section : unsigned char {
  choice,
  numbers,
  compression,
  restoring,
  recovery,
  results,
  files,
  grid,
  reports,
  run,
  program
};

struct SectionRow {
  Section section;
  std::string_view name;   ///< one word: "numbers"
  std::string_view title;  ///< "What the numbers are"
};

/// In the order of the enumerators.
std::span<const SectionRow> section_rows();

/// Where a row stores what the command line says.
class OptionSlot {
 public:
  OptionSlot(OptionParser& parser, std::string_view names) : parser_(parser), names_(names) {}

  void flag(bool& target) const { parser_.flag(names_, target); }
  template <class T, class Read>
  void value(T& target, Read read) const {
    parser_.value(names_, target, read);
  }
  void each_value(const std::function<void(std::string)>& take) const { parser_.each_value(names_, take); }

 private:
  OptionParser& parser_;
  std::string names_;
};

/// Texts are Markdown with `code` as its only markup. `help` is a part of a line, `more` is whole sentences.
struct OptionRow {
  std::string_view names;     ///< "-o,--output"
  std::string_view argument;  ///< "FILE"; "on|off" where only these words are allowed; empty: a flag
  Section section;
  Verbs verbs;
  bool harmless;  ///< without a verb, -d, -t and -l ignore it: tar -I 'tdz --best' adds only -d to restore
  std::string_view help;
  std::string_view more;  ///< for the man page and docs/cli.md
  void (*bind)(const OptionSlot& slot, Settings& to);
};

/// A name has one row for each verb, at most.
std::span<const OptionRow> option_rows();

/// Can it be used without a verb, as with gzip?
bool exists_without_verb(const OptionRow& row);

}  // namespace tdz::app
