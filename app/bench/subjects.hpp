// SPDX-License-Identifier: Apache-2.0
// The files of a bench: what they hold, and their first bytes.
#pragma once

#include "app/bench/plan.hpp"
#include "app/verbs/verbs.hpp"

namespace tdz::app::bench {

/// The length, and word, tuple and layout: those of the command, or those that compress would choose.
/// Errors: usage (no regular file, or an empty one), io.
Result<Subject> look_at(const std::string& file, const BenchCommand& command, Session& session);

/// The first `subject.bytes` bytes. Error io.
Result<std::vector<std::byte>> load(const Subject& subject);

}  // namespace tdz::app::bench
