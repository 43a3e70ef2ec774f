// SPDX-License-Identifier: Apache-2.0
#include "app/options/names.hpp"

#include <spdlog/fmt/fmt.h>

#include <algorithm>
#include <cctype>

#include "app/options/options.hpp"
#include "formats/hidden_characters.hpp"

namespace tdz::app {
namespace {

unsigned char byte_at(std::string_view text, std::size_t i) {
  return static_cast<unsigned char>(text[i]);
}

/// The length of the UTF-8 sequence that starts with this byte; 0 if no sequence does. C0, C1 and bytes above
/// F4 never occur.
std::size_t sequence_length(unsigned char first) {
  if (first < 0x80) return 1;
  if (first >= 0xC2 && first <= 0xDF) return 2;
  if (first >= 0xE0 && first <= 0xEF) return 3;
  if (first >= 0xF0 && first <= 0xF4) return 4;
  return 0;
}

/// May the second byte follow the first? Overlong forms, surrogates and numbers above U+10FFFF are not UTF-8.
bool may_follow(unsigned char first, unsigned char second) {
  const unsigned char least = first == 0xE0 ? 0xA0 : first == 0xF0 ? 0x90 : 0x80;
  const unsigned char most = first == 0xED ? 0x9F : first == 0xF4 ? 0x8F : 0xBF;
  return second >= least && second <= most;
}

/// The length of the printable character at the start, or 0.
std::size_t printable_length(std::string_view text) {
  const unsigned char first = byte_at(text, 0);
  const std::size_t length = sequence_length(first);
  if (length == 0 || length > text.size()) return 0;
  if (length > 1 && !may_follow(first, byte_at(text, 1))) return 0;
  const bool whole = std::ranges::all_of(
      text.substr(1, length - 1), [](char c) { return (static_cast<unsigned char>(c) & 0xC0) == 0x80; });
  return whole && !formats::is_hidden(formats::code_point(text.substr(0, length))) ? length : 0;
}

}  // namespace

std::string packed_name(std::string_view file) {
  return std::string(file).append(kSuffix);
}

Result<std::string> restored_name(std::string_view file) {
  if (!is_packed_name(last_part(file))) {
    return Error{ErrorKind::usage, "the name does not end in .tdz; name the result with -o FILE, or use -c"};
  }
  return std::string(file.substr(0, file.size() - kSuffix.size()));
}

std::string folder_of(std::string_view file) {
  const auto slash = file.rfind('/');
  if (slash == std::string_view::npos) return ".";
  return std::string(file.substr(0, std::max<std::size_t>(slash, 1)));
}

std::string last_part(std::string_view file) {
  const auto slash = file.rfind('/');
  return std::string(slash == std::string_view::npos ? file : file.substr(slash + 1));
}

bool is_packed_name(std::string_view last) {
  return last.ends_with(kSuffix) && last.size() > kSuffix.size();
}

bool is_temporary_name(std::string_view last) {
  if (!last.starts_with('.') || !last.ends_with(kTemporarySuffix)) return false;
  last.remove_suffix(kTemporarySuffix.size());
  if (last.size() < 1 + 1 + kTemporaryLetters || last[last.size() - kTemporaryLetters - 1] != '-')
    return false;
  return std::ranges::all_of(last.substr(last.size() - kTemporaryLetters),
                             [](unsigned char c) { return std::isalnum(c) != 0; });
}

std::string printable(std::string_view name) {
  std::string shown;
  while (!name.empty()) {
    const std::size_t length = printable_length(name);
    if (length == 0) {
      shown += fmt::format("\\x{:02x}", byte_at(name, 0));
    } else {
      shown += name.substr(0, length);
    }
    name.remove_prefix(std::max<std::size_t>(length, 1));
  }
  return shown;
}

std::string shown_name(std::string_view file) {
  return file == kStandardInput ? "(stdin)" : printable(file);
}

std::string shell_word(const std::string& word) {
  constexpr std::string_view kPlain =
      "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-_./,+=:@%";
  if (!word.empty() && word.find_first_not_of(kPlain) == std::string::npos) return word;
  std::string quoted = "'";
  for (const char c : word) quoted += c == '\'' ? std::string("'\\''") : std::string(1, c);
  return quoted + "'";
}

std::string error_text(const Error& error) {
  return error.where == Error::kNowhere ? error.message
                                        : fmt::format("{} (at byte {})", error.message, error.where);
}

}  // namespace tdz::app
