// SPDX-License-Identifier: Apache-2.0
// Options that are each valid but do not go together. Pure functions; each error says which options, and what
// to do. Error usage.
#pragma once

#include <string>
#include <vector>

#include "app/options/options.hpp"

namespace tdz::app {

/// Where results go, against the files that they are made of.
Status check_output(const OutputOptions& output, const std::vector<std::string>& files,
                    const FileSelection& selection = {});

/// The ways to name files: each needs something to read, and standard input can be read only once.
Status check_selection(const FileSelection& selection, const std::vector<std::string>& files);

/// A part of the original must not get the name, or take the place, of the whole.
Status check_range(const DecompressCommand& command);

}  // namespace tdz::app
