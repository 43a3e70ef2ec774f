// SPDX-License-Identifier: Apache-2.0
// A parser of options on top of CLI11: flags, and options with one strictly parsed value. Only its source
// file knows CLI11.
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "formats/error.hpp"

namespace tdz::app {

class OptionParser {
 public:
  OptionParser();
  ~OptionParser();

  void flag(const std::string& names, bool& target);

  /// `read` turns the word after the option into a Result of what `target` holds. The last value wins.
  template <class T, class Read>
  void value(const std::string& names, T& target, Read read) {
    add_value(names, Values::last, [&target, read](const std::string& text) -> Status {
      auto result = read(std::string_view(text));
      if (!result) return result.error();
      target = std::move(*result);
      return ok();
    });
  }

  /// An option that may be given several times; `take` gets each of its values, in order. The values are
  /// names of files, or patterns for names.
  void each_value(const std::string& name, const std::function<void(std::string)>& take);

  bool takes_value(std::string_view name) const { return contains(with_value_, name); }
  bool knows(std::string_view name) const { return contains(with_value_, name) || contains(flags_, name); }

  /// Stores what the words say. An option that it does not know is left to `explain`, which gets its name
  /// and returns the error.
  Status parse(std::vector<std::string> words, const std::function<Error(std::string_view)>& explain);

 private:
  struct Library;  // its header is long, and every row of the table would include it
  enum class Values : unsigned char { last, each };
  using Store = std::function<Status(const std::string&)>;

  static bool contains(const std::vector<std::string>& names, std::string_view name);
  void add_value(const std::string& names, Values values, const Store& store);
  Status check_flags(const std::vector<std::string>& words) const;

  std::unique_ptr<Library> library_;
  // CLI11 could be asked for an option, but its function is noexcept and allocates memory.
  std::vector<std::string> with_value_, flags_;
};

/// A file name that a person typed: any text except the empty one. Error usage.
Result<std::string> parse_file_name(std::string_view text);

}  // namespace tdz::app
