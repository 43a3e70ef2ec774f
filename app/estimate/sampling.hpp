// SPDX-License-Identifier: Apache-2.0
// Samples the kinds of a survey, within bounds of time and bytes.
#pragma once

#include <vector>

#include "app/estimate/estimate.hpp"
#include "app/verbs/file_loop.hpp"

namespace tdz::app {

/// Reads at most about 64 MiB, and begins nothing after about ten seconds, except the first sample of all.
/// A file that cannot be read is logged, and added to the tally of those that the survey could not count.
/// Errors: cancelled, limit (no memory, no threads).
Result<FolderEstimate> estimate(const std::vector<Kind>& kinds, const AnalyzeCommand& command, Tally& tally,
                                Session& session);

}  // namespace tdz::app
