// SPDX-License-Identifier: Apache-2.0
#include "app/options/arguments.hpp"

#include <algorithm>

namespace tdz::app {
namespace {

constexpr std::string_view kDigits = "0123456789";

class Splitter {
 public:
  Splitter(std::span<const std::string> arguments, const std::function<bool(std::string_view)>& takes_value)
      : left_(arguments), count_(arguments.size()), takes_value_(takes_value) {}

  SplitArguments run() {
    while (!left_.empty()) {
      const std::string argument = pop();
      if (argument == "--") {
        split_.operands.insert(split_.operands.end(), left_.begin(), left_.end());
        break;
      }
      take(argument);
    }
    return std::move(split_);
  }

 private:
  std::string pop() {
    std::string first = left_.front();
    left_ = left_.subspan(1);
    return first;
  }

  void take(const std::string& argument) {
    if (argument.size() < 2 || argument[0] != '-') {
      if (split_.operands.empty()) split_.first_operand = count_ - left_.size() - 1;
      split_.operands.push_back(argument);
    } else if (argument[1] == '-') {
      take_long(argument);
    } else {
      take_cluster(std::string_view(argument).substr(1));
    }
  }

  void take_long(const std::string& argument) {
    const auto equals = argument.find('=');
    const std::string name = argument.substr(0, equals);
    if (!takes_value_(name)) {
      split_.options.push_back(argument);
    } else if (equals != std::string::npos) {
      push_with_value(name, argument.substr(equals + 1));
    } else {
      push_with_next(name);
    }
  }

  /// The letters after one dash: flags and levels; the last may be an option with a value.
  void take_cluster(std::string_view letters) {
    while (!letters.empty()) {
      const auto digits = std::min(letters.find_first_not_of(kDigits), letters.size());
      if (digits > 0) {
        push_with_value("--level", std::string(letters.substr(0, digits)));
        letters.remove_prefix(digits);
        continue;
      }
      const std::string name{'-', letters.front()};
      letters.remove_prefix(1);
      if (takes_value_(name))
        return letters.empty() ? push_with_next(name) : push_with_value(name, std::string(letters));
      split_.options.push_back(name);
    }
  }

  void push_with_value(const std::string& name, std::string value) {
    split_.options.push_back(name);
    split_.options.push_back(std::move(value));
  }

  void push_with_next(const std::string& name) {
    split_.options.push_back(name);
    if (!left_.empty()) split_.options.push_back(pop());
  }

  std::span<const std::string> left_;
  std::size_t count_;
  const std::function<bool(std::string_view)>& takes_value_;
  SplitArguments split_;
};

}  // namespace

SplitArguments split_arguments(std::span<const std::string> arguments,
                               const std::function<bool(std::string_view)>& takes_value) {
  return Splitter(arguments, takes_value).run();
}

}  // namespace tdz::app
