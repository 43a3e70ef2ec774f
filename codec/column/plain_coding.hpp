// SPDX-License-Identifier: Apache-2.0
// Plain steps that no Transform holds: words of 3, 5, 6 and 7 bytes, and differences that start anew.
#pragma once

#include "codec/column/column_words.hpp"
#include "formats/plan/plan.hpp"

namespace tdz {

/// Zigzag and differences of words that are no machine words; these run on wide words.
bool runs_wide(const PlainStep& step, unsigned width);
ColumnWords apply_wide(const PlainStep& step, const ColumnWords& words, StepMemory& memory);
ColumnWords undo_wide(const PlainStep& step, const ColumnWords& words, StepMemory& memory);

/// The other steps: packed words into `out`, which is as long and does not overlap.
void apply_plain(const PlainStep& step, const ColumnWords& words, std::span<std::byte> out);
void undo_plain(const PlainStep& step, const ColumnWords& words, std::span<std::byte> out);

}  // namespace tdz
