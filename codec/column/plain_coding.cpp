// SPDX-License-Identifier: Apache-2.0
#include "codec/column/plain_coding.hpp"

#include "kernels/cpu/steps/steps.hpp"
#include "kernels/steps/any_width.hpp"

namespace tdz {
namespace {

/// The kernels have the differences of these words.
bool has_kernel(const PlainStep& step, const ColumnWords& words) {
  return step.step.id == StepId::difference && is_word_size(words.width);
}

Pass pass_of(const PlainStep& step, const ColumnWords& words) {
  return {.word = words.width, .order = step.step.order, .tuple = step.step.tuple};
}

}  // namespace

void apply_plain(const PlainStep& step, const ColumnWords& words, std::span<std::byte> out) {
  if (has_kernel(step, words)) {
    return cpu::forward_anew(pass_of(step, words), step.run, octets(words.bytes), octets(out), out.size());
  }
  forward_any_width(step, words.width, octets(words.bytes), octets(out), words.words);
}

void undo_plain(const PlainStep& step, const ColumnWords& words, std::span<std::byte> out) {
  if (has_kernel(step, words)) {
    return cpu::inverse_anew(pass_of(step, words), step.run, octets(words.bytes), octets(out), out.size());
  }
  inverse_any_width(step, words.width, octets(words.bytes), octets(out), words.words);
}

}  // namespace tdz
