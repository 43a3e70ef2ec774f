// SPDX-License-Identifier: Apache-2.0
// What `tdz analyze` says to people. Pure functions from values to lines.
#pragma once

#include <string>

#include "tdz/tdz.hpp"

namespace tdz::app {

/// One file as analyze found it; `name` as it was given.
struct FileAnalysis {
  std::string name;
  Analysis analysis;
};

/// The choice, the best candidates, ratios by order and tuple as a small picture, and a command line that
/// asks for the choice.
std::string analysis_text(const FileAnalysis& file);

/// "tdz --word 2 ... NAME", ready for a shell.
std::string command_for(const FileAnalysis& file, const Transform& chosen);

}  // namespace tdz::app
