// SPDX-License-Identifier: Apache-2.0
// The step `scale` with its side data: words to integers and four substreams, and back.
#pragma once

#include <optional>
#include <span>

#include "codec/column/column_words.hpp"
#include "codec/column/substream_sink.hpp"
#include "codec/detect/detect_scale.hpp"
#include "codec/detect/known_fits.hpp"
#include "formats/error.hpp"
#include "formats/plan/plan.hpp"

namespace tdz {

using SideData = std::span<const std::span<const std::byte>>;

/// `proposal`: pairs that the search found; without it the words are asked. `fits`: none, or those of words that
/// may come again. Packed words, each way.
ColumnWords scaled(const ScaleStep& step, const std::optional<ScalePlan>& proposal, KnownFits* fits,
                   const ColumnWords& words, StepMemory& memory, SubstreamSink& out);
/// Into `words`. Error corrupt: the side data or an integer break the format.
Status unscaled(const ScaleStep& step, SideData side, const ColumnWords& scaled, std::span<std::byte> words);

}  // namespace tdz
