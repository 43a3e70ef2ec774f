// SPDX-License-Identifier: Apache-2.0
// The steps of a column in groups that run together. Pure functions.
#pragma once

#include <variant>
#include <vector>

#include "formats/plan/plan.hpp"

namespace tdz {

/// Plain steps that a backend takes all at once, or one other step.
using Stage = std::variant<Transform, PlainStep, ScaleStep, LanesStep, PredictStep, TokensStep>;

/// In the order of the steps. A plain step is a stage of its own where the backends do not have it: words of
/// 3, 5, 6 or 7 bytes. Differences that start anew are rules of lanes, with the zigzag behind them.
std::vector<Stage> stages_of(const Column& column);

}  // namespace tdz
