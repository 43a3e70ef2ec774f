// SPDX-License-Identifier: Apache-2.0
// Names of files: how results are called, and how names are shown. Pure functions.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

#include "formats/error.hpp"

namespace tdz::app {

inline constexpr std::string_view kSuffix = ".tdz";
inline constexpr std::string_view kTemporarySuffix = ".tdz.tmp";
inline constexpr std::size_t kTemporaryLetters = 6;  ///< before it, random, behind a dash

/// "a/x" -> "a/x.tdz".
std::string packed_name(std::string_view file);
/// "a/x.tdz" -> "a/x". Error usage for any other name.
Result<std::string> restored_name(std::string_view file);
/// "a/x" -> "a" and "x"; "x" -> "." and "x"; "/x" -> "/" and "x".
std::string folder_of(std::string_view file);
std::string last_part(std::string_view file);
/// Does it end in .tdz, and is that not all of it?
bool is_packed_name(std::string_view last);
/// What a killed tdz may have left where unnamed files are not known: ".x-AbCd12.tdz.tmp".
bool is_temporary_name(std::string_view last);

/// For a terminal: control characters and bytes that are no UTF-8 become \xNN, for a name may hold anything.
std::string printable(std::string_view name);
/// How a FILE is called in messages: printable, and "(stdin)" for "-".
std::string shown_name(std::string_view file);

/// "this is no tdz file (at byte 0)".
std::string error_text(const Error& error);

}  // namespace tdz::app
