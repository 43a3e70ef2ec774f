// SPDX-License-Identifier: Apache-2.0
// The report of `tdz analyze`: for people, for programs, and a plan in words. Pure functions.
#pragma once

#include <string>

#include "app/reports/screen.hpp"
#include "formats/error.hpp"
#include "formats/plan/plan.hpp"
#include "tdz/tdz.hpp"

namespace tdz::app {

/// The analysis of one file, its name as it was given, and what was asked for.
struct FileAnalysis {
  std::string name;
  Analysis analysis;
  CompressOptions asked = {};
};

/// The plan with the kinds of numbers (u, i, f) that the type names, if its fields are the columns.
Plan with_kinds(Plan plan, const std::string& type);

/// The choice as steps and in words, the best candidates, the ratios by order and tuple with small bars, and
/// a command line that gives the same steps.
std::string analysis_text(const FileAnalysis& file, const Screen& screen);

/// "tdz --word 2 ... NAME", quoted for a shell: the options that name these steps. If options cannot name
/// them, it repeats what was asked for, and the search finds the same steps again.
std::string command_for(const FileAnalysis& file, const Plan& chosen);

/// One "file" of `tdz analyze --json`: schema tdz-analysis/1, docs/json.md.
std::string analysis_json(const FileAnalysis& file);
std::string analysis_json(const std::string& name, const Error& error);

}  // namespace tdz::app
