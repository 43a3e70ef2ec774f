// SPDX-License-Identifier: Apache-2.0
// The report of `tdz analyze --json`: schema tdz-analysis/1, docs/json.md.
#pragma once

#include <string>

#include "app/reports/analysis_text.hpp"
#include "formats/error.hpp"

namespace tdz::app {

/// One "file" of the document. Pure functions.
std::string analysis_json(const FileAnalysis& file);
std::string analysis_json(const std::string& name, const Error& error);

}  // namespace tdz::app
