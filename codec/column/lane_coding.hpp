// SPDX-License-Identifier: Apache-2.0
// The steps lanes, predict and tokens with their side data, each way. Words come in any form; those that come
// out lie lane behind lane for the tuple of the step.
#pragma once

#include "codec/column/column_words.hpp"
#include "codec/column/scale_coding.hpp"
#include "codec/column/substream_sink.hpp"
#include "formats/error.hpp"
#include "formats/plan/plan.hpp"

namespace tdz {

ColumnWords without_sources(const LanesStep& step, const ColumnWords& words, StepMemory& memory);
/// `target`: where packed words may go at once, or empty. Here and below.
ColumnWords with_sources(const LanesStep& step, const ColumnWords& words, std::span<std::byte> target,
                         StepMemory& memory);

/// `highest_order`: of the predictors that are tried. The words alone choose among them.
ColumnWords predicted(const PredictStep& step, unsigned highest_order, const ColumnWords& words,
                      StepMemory& memory, SubstreamSink& out);
/// Error corrupt: the side data break the format.
Result<ColumnWords> unpredicted(const PredictStep& step, std::span<const std::byte> side,
                                const ColumnWords& words, std::span<std::byte> target, StepMemory& memory);

void put_tokens(const TokensStep& step, const ColumnWords& words, StepMemory& memory, SubstreamSink& out);
/// `shape` says how many words of which width. Error corrupt: tokens and raw bits contradict one another.
Result<ColumnWords> words_of_tokens(const TokensStep& step, SideData side, const ColumnWords& shape,
                                    std::span<std::byte> target, StepMemory& memory);

}  // namespace tdz
