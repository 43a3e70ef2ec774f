// SPDX-License-Identifier: Apache-2.0
// Names of files: the names of results, and how names are shown; and numbers of bytes. Pure functions.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "formats/error.hpp"

namespace tdz::app {

inline constexpr std::string_view kSuffix = ".tdz";
inline constexpr std::string_view kTemporarySuffix = ".tdz.tmp";    ///< of a result without its name
inline constexpr std::string_view kHiddenSourceSuffix = ".tdz.rm";  ///< of a source that --rm removes
inline constexpr unsigned kLastingNames = 3;  ///< hidden names of a file that a later run looks for

/// "a/x" -> "a/x.tdz".
std::string packed_name(std::string_view file);
/// "a/x.tdz" -> "a/x". Error usage for any other name.
Result<std::string> restored_name(std::string_view file);
/// "a/x" -> "a" and "x"; "x" -> "." and "x"; "/x" -> "/" and "x".
std::string folder_of(std::string_view file);
std::string last_part(std::string_view file);
/// Does it end in .tdz, with something before that?
bool is_packed_name(std::string_view last);
/// A name that hides the file x for a while, ".x-AbCd12.tdz.tmp", of at most `longest` bytes. The six letters
/// come from the name and `number`, so that a later run knows what a killed one left, and of which file.
std::string hidden_name(std::string_view last, std::string_view suffix, std::uint64_t number,
                        std::size_t longest);
/// The name of a temporary file, as hidden_name() makes it. A killed tdz can leave one.
bool is_temporary_name(std::string_view last);
/// The name of a source that --rm is removing, ".x-AbCd12.tdz.rm".
bool is_hidden_source_name(std::string_view last);
/// "a/x" for "a/.x-AbCd12.tdz.rm", if this is one of the first kLastingNames hidden names of x, and not
/// shortened.
std::optional<std::string> path_of_hidden_source(std::string_view file);

/// Safe to show: control characters, others that show nothing or turn the text
/// (formats/hidden_characters.hpp), and bytes that are not UTF-8 become \xNN.
std::string printable(std::string_view name);
/// The name of a FILE in messages: printable, and "(stdin)" for "-".
std::string shown_name(std::string_view file);

/// The word as a shell must get it: in quotes if it has other characters than letters, digits and -_./,+=:@%.
std::string shell_word(const std::string& word);
/// "this is not a tdz file (at byte 0)".
std::string error_text(const Error& error);

// ---- Numbers of bytes, as people write and read them

/// "4096", "64KiB", "64K", "1M", "2GiB", "3T": powers of 1024, upper or lower case. Error usage.
Result<std::uint64_t> parse_size(std::string_view text);

/// "0 B", "1023 B", "1.00 KiB", "12.3 MiB", "456 GiB": three digits.
std::string format_size(std::uint64_t bytes);

/// "2.93"; "-" where one of them is 0.
std::string ratio_text(std::uint64_t original_bytes, std::uint64_t stored_bytes);

}  // namespace tdz::app
