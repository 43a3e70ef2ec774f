// SPDX-License-Identifier: Apache-2.0
// The report of `tdz analyze --json`, schema "tdz-analysis/1". Fields may be added to a schema; if
// a field is removed or changes its meaning, the schema gets a new number.
//
//     document   {"schema": "tdz-analysis/1", "files": [file...]}
//     file       {"name", "header": string or null, "offset", "type", "level", "chunk_bytes",
//                 "chosen": [choice...], "holes": [number...], "sampled_bytes", "candidates": [candidate...], "grid": [cell...]}
//                or {"name", "error": {"kind", "message", "at"?}}
//     choice     {"word", "steps": [string...], "command"}
//                "holes": for each column of the first choice the share of its words that scale keeps; or empty
//     candidate  {"word", "steps", "packed_bytes", "ratio"}, in the order of the trials
//     cell       {"order", "tuple", "packed_bytes", "ratio"}: the first choice with other orders and tuples
//
// A "name" is the name that was given, "-" for standard input. "packed_bytes" is the size of "sampled_bytes"
// after zstd -1.
#pragma once

#include <string>

#include "app/reports/analysis_text.hpp"
#include "formats/error.hpp"

namespace tdz::app {

/// One "file" of the document. Pure functions.
std::string analysis_json(const FileAnalysis& file);
std::string analysis_json(const std::string& name, const Error& error);

}  // namespace tdz::app
