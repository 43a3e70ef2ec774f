// SPDX-License-Identifier: Apache-2.0
// Samples the kinds of a survey, within bounds of time and bytes.
#pragma once

#include <vector>

#include "app/estimate/estimate.hpp"
#include "app/verbs/verbs.hpp"

namespace tdz::app {

/// Reads at most about 64 MiB, and begins nothing after about ten seconds, except the first sample of all.
/// A file that cannot be read is logged, and `worst` becomes the worse of itself and the exit code for it.
/// Errors: cancelled, limit (no memory, no threads).
Result<FolderEstimate> estimate(const std::vector<Kind>& kinds, const AnalyzeCommand& command,
                                ExitCode& worst, Session& session);

}  // namespace tdz::app
