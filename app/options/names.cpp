// SPDX-License-Identifier: Apache-2.0
#include "app/options/names.hpp"

#include <spdlog/fmt/fmt.h>

#include <algorithm>
#include <cctype>
#include <charconv>
#include <optional>

#include "app/options/options.hpp"
#include "formats/hidden_characters.hpp"

namespace tdz::app {

// ---- Names of files

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

constexpr std::size_t kHiddenLetters = 6;

/// FNV-1a over the name, as letters and digits.
std::string hidden_letters(std::string_view name, std::uint64_t number) {
  constexpr std::string_view kLetters = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789";
  constexpr std::uint64_t kBasis = 0xCBF29CE484222325, kPrime = 0x100000001B3;
  std::uint64_t hash = (kBasis ^ number) * kPrime;
  for (std::size_t i = 0; i < name.size(); ++i) hash = (hash ^ byte_at(name, i)) * kPrime;
  hash ^= hash >> 32;
  std::string letters;
  for (; letters.size() < kHiddenLetters; hash /= kLetters.size())
    letters += kLetters[hash % kLetters.size()];
  return letters;
}

/// "x" for ".x-AbCd12SUFFIX"; nothing for any other name.
std::optional<std::string_view> between_dot_and_letters(std::string_view last, std::string_view suffix) {
  if (!last.starts_with('.') || !last.ends_with(suffix)) return std::nullopt;
  last.remove_suffix(suffix.size());
  if (last.size() < 1 + 1 + kHiddenLetters || last[last.size() - kHiddenLetters - 1] != '-')
    return std::nullopt;
  const bool are_letters = std::ranges::all_of(last.substr(last.size() - kHiddenLetters),
                                               [](unsigned char c) { return std::isalnum(c) != 0; });
  if (!are_letters) return std::nullopt;
  return last.substr(1, last.size() - kHiddenLetters - 2);
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

/// Cuts a long name between characters, because some file systems take only whole ones.
std::string hidden_name(std::string_view last, std::string_view suffix, std::uint64_t number,
                        std::size_t longest) {
  const std::string end = "-" + hidden_letters(last, number) + std::string(suffix);
  std::size_t kept = std::min(last.size(), longest - std::min(longest, 1 + end.size()));
  while (kept > 0 && kept < last.size() && (byte_at(last, kept) & 0xC0) == 0x80) --kept;
  return "." + std::string(last.substr(0, kept)) + end;
}

bool is_temporary_name(std::string_view last) {
  return between_dot_and_letters(last, kTemporarySuffix).has_value();
}

bool is_hidden_source_name(std::string_view last) {
  return between_dot_and_letters(last, kHiddenSourceSuffix).has_value();
}

std::optional<std::string> path_of_hidden_source(std::string_view file) {
  const std::string last = last_part(file);
  const auto name = between_dot_and_letters(last, kHiddenSourceSuffix);
  file.remove_suffix(last.size());
  for (unsigned number = 0; name && number < kLastingNames; ++number)
    if (hidden_name(*name, kHiddenSourceSuffix, number, last.size()) == last)
      return std::string(file).append(*name);
  return std::nullopt;
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

// ---- Numbers of bytes

namespace {

constexpr std::string_view kPrefixes = "KMGTPE";

Error not_a_size(std::string_view text) {
  return {ErrorKind::usage,
          fmt::format("'{}' is not a size; write a number of bytes, or 64KiB, 1M, 2GiB", text)};
}

/// The power of two of a unit: 0 for "" and "B", 10 for "K", "k" and "KiB". Decimal units ("KB") are refused,
/// because they could be misread.
std::optional<unsigned> unit_shift(std::string_view unit) {
  if (unit.empty() || unit == "B") return 0;
  const auto power =
      kPrefixes.find(static_cast<char>(std::toupper(static_cast<unsigned char>(unit.front()))));
  const auto rest = unit.substr(1);
  if (power == std::string_view::npos || (!rest.empty() && rest != "iB" && rest != "ib")) return std::nullopt;
  return 10 * (static_cast<unsigned>(power) + 1);
}

}  // namespace

Result<std::uint64_t> parse_size(std::string_view text) {
  std::uint64_t count = 0;
  const char* end = text.data() + text.size();
  const auto [stop, error] = std::from_chars(text.data(), end, count);
  if (error != std::errc{}) return not_a_size(text);
  const auto shift = unit_shift({stop, static_cast<std::size_t>(end - stop)});
  if (!shift || count > (~std::uint64_t{0} >> *shift)) return not_a_size(text);
  return count << *shift;
}

std::string format_size(std::uint64_t bytes) {
  if (bytes < 1024) return fmt::format("{} B", bytes);
  auto value = static_cast<double>(bytes) / 1024;
  std::size_t power = 0;
  for (; value >= 999.5 && power + 1 < kPrefixes.size(); ++power) value /= 1024;
  const int decimals = value < 9.995 ? 2 : value < 99.95 ? 1 : 0;
  return fmt::format("{:.{}f} {}iB", value, decimals, kPrefixes[power]);
}

std::string ratio_text(std::uint64_t original_bytes, std::uint64_t stored_bytes) {
  if (original_bytes == 0 || stored_bytes == 0) return "-";
  return fmt::format("{:.2f}", static_cast<double>(original_bytes) / static_cast<double>(stored_bytes));
}

}  // namespace tdz::app
