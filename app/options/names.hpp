// SPDX-License-Identifier: Apache-2.0
// Names of files: the names of results, and how names are shown. Pure functions.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

#include "formats/error.hpp"

namespace tdz::app {

inline constexpr std::string_view kSuffix = ".tdz";
inline constexpr std::string_view kTemporarySuffix = ".tdz.tmp";
inline constexpr std::size_t kTemporaryLetters = 6;  ///< random, between a dash and the suffix

/// "a/x" -> "a/x.tdz".
std::string packed_name(std::string_view file);
/// "a/x.tdz" -> "a/x". Error usage for any other name.
Result<std::string> restored_name(std::string_view file);
/// "a/x" -> "a" and "x"; "x" -> "." and "x"; "/x" -> "/" and "x".
std::string folder_of(std::string_view file);
std::string last_part(std::string_view file);
/// Does it end in .tdz, with something before that?
bool is_packed_name(std::string_view last);
/// The name of a temporary file, ".x-AbCd12.tdz.tmp". A killed tdz can leave one where the file system has no
/// unnamed files.
bool is_temporary_name(std::string_view last);

/// Safe to show: control characters, others that show nothing or turn the text
/// (formats/hidden_characters.hpp), and bytes that are not UTF-8 become \xNN.
std::string printable(std::string_view name);
/// The name of a FILE in messages: printable, and "(stdin)" for "-".
std::string shown_name(std::string_view file);

/// The word as a shell must get it: in quotes if it has other characters than letters, digits and -_./,+=:@%.
std::string shell_word(const std::string& word);
/// "this is not a tdz file (at byte 0)".
std::string error_text(const Error& error);

}  // namespace tdz::app
