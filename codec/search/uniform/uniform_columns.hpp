// SPDX-License-Identifier: Apache-2.0
// A column's steps with tokens in place of their layout, and differences that start anew with every run: what
// uniform blocks hold. FORMAT.md, section 4. Pure functions.
#pragma once

#include <cstdint>
#include <vector>

#include "formats/plan/plan.hpp"
#include "kernels/uniform/decode_plan.hpp"

namespace tdz {

/// Words of a run. A uniform block has four runs: 8192 tokens.
inline constexpr std::uint32_t kUniformRun = 2048;

/// The steps of a column up to its tokens, and the tuple whose lanes become tokens.
struct UniformDraft {
  Column column;
  std::uint32_t tuple = 1;
  bool quick = true;  ///< no difference over the tuple, or one that is undone where tokens are decoded
};

/// The column's own steps without its layout; then with zigzag, if it has none; then both with other orders
/// of the difference over the tuple: one lower, one higher, and the highest quick one. Steps of other kinds
/// stay as they are. Bytes without steps also as words. Empty: the tuple is too wide for tokens,
/// or no device undoes a step.
std::vector<UniformDraft> uniform_drafts(const Column& column, bool order_may_change);

/// The column of a draft, with its tokens.
Column with_tokens(const UniformDraft& draft, TokenCode code);

}  // namespace tdz
