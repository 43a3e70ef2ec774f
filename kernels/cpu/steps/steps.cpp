// SPDX-License-Identifier: Apache-2.0
// Compiles the steps on lanes once per instruction set and picks one at run time, as kernels/cpu/sweep.cpp
// does for the sweeps. This file includes itself once per target.

#include "kernels/cpu/disabled_targets.hpp"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "kernels/cpu/steps/steps.cpp"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

#include <cstring>

#include "kernels/cpu/steps/seams.hpp"
#include "kernels/cpu/steps/steps.hpp"
#include "kernels/steps/any_width.hpp"

#include "kernels/cpu/steps/analysis-inl.hpp"
#include "kernels/cpu/steps/lanes-inl.hpp"
#include "kernels/cpu/steps/predict-inl.hpp"
#include "kernels/cpu/steps/tokens-inl.hpp"

HWY_BEFORE_NAMESPACE();
namespace tdz::cpu {
namespace HWY_NAMESPACE {

HWY_INLINE Number number_of(const WordKind& kind) {
  return {8u * kind.width, kind.sign == Sign::is_signed};
}

void deinterleave(unsigned word, std::size_t tuple, std::size_t count, const std::uint8_t* words,
                  std::uint8_t* lanes) {
  const LaneStarts starts{count / tuple, count % tuple};
  with_word(word, [&](auto w) HWY_ATTR { gather_records<decltype(w)>(words, lanes, tuple, starts); });
}

void interleave(unsigned word, std::size_t tuple, std::size_t count, const std::uint8_t* lanes,
                std::uint8_t* words) {
  const LaneStarts starts{count / tuple, count % tuple};
  with_word(word, [&](auto w) HWY_ATTR { scatter_records<decltype(w)>(lanes, words, tuple, starts); });
}

std::size_t widen_words(unsigned width, unsigned word, const std::uint8_t* in, std::uint8_t* out,
                        std::size_t words) {
  return widen_vectors({width, word}, in, out, words);
}

std::size_t narrow_words(unsigned width, unsigned word, const std::uint8_t* in, std::uint8_t* out,
                         std::size_t words) {
  return narrow_vectors({width, word}, in, out, words);
}

void subtract_source(const SourceMap& map, const std::uint8_t* from, const std::uint8_t* source,
                     std::uint8_t* to, std::size_t words) {
  with_word(map.word, [&](auto word) HWY_ATTR {
    using T = decltype(word);
    map_pairs<T>(from, source, to, words, SubtractSource<T>{map.bits, map.zigzag});
  });
}

void add_source(const SourceMap& map, const std::uint8_t* from, const std::uint8_t* source, std::uint8_t* to,
                std::size_t words) {
  with_word(map.word, [&](auto word) HWY_ATTR {
    using T = decltype(word);
    map_pairs<T>(from, source, to, words, AddSource<T>{map.bits, map.zigzag});
  });
}

void predict_block(const WordKind& kind, const BlockJob& job) {
  with_word(kind.word, [&](auto word) HWY_ATTR { predict_block_of<decltype(word)>(job, number_of(kind)); });
}

void undo_blocks(const WordKind& kind, const BlockJob* jobs, std::size_t count) {
  with_word(kind.word,
            [&](auto word) HWY_ATTR { undo_blocks_of<decltype(word)>(jobs, count, number_of(kind)); });
}

std::uint64_t size_of_residuals(const WordKind& kind, const std::uint8_t* residuals, std::size_t words) {
  return with_word(kind.word, [&](auto word) HWY_ATTR {
    return size_of_residuals_of<decltype(word)>(number_of(kind), residuals, words);
  });
}

void sizes_of_differences(const WordKind& kind, const std::uint8_t* words, std::size_t count,
                          std::uint64_t* sizes) {
  with_word(kind.word, [&](auto word) HWY_ATTR {
    sizes_of_differences_of<decltype(word)>(number_of(kind), words, count, sizes);
  });
}

void autocorrelate(const WordKind& kind, bool differences, const std::uint8_t* words, std::size_t count,
                   const std::uint16_t* window, unsigned lags, std::int64_t* sums) {
  with_word(kind.word, [&](auto word) HWY_ATTR {
    autocorrelate_of<decltype(word)>(number_of(kind), differences, words, count, window, lags, sums);
  });
}

std::uint8_t* split_run(const TokenRule& rule, const std::uint8_t* words, std::size_t count,
                        std::uint8_t* tokens, std::uint8_t* end) {
  return with_word(rule.word, [&](auto word) HWY_ATTR {
    return split_run_of<decltype(word)>(rule, words, count, tokens, end);
  });
}

TokenSum sum_tokens(const TokenRule& rule, const std::uint8_t* tokens, std::size_t count) {
  return sum_tokens_of(rule, tokens, count);
}

void join_run(const TokenRule& rule, const std::uint8_t* tokens, std::size_t count, const RawBits& raw,
              std::uint64_t top, std::uint8_t* words) {
  with_word(rule.word,
            [&](auto word) HWY_ATTR { join_run_of<decltype(word)>(rule, tokens, count, raw, top, words); });
}

}  // namespace HWY_NAMESPACE
}  // namespace tdz::cpu
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace tdz::cpu {

HWY_EXPORT(deinterleave);
HWY_EXPORT(interleave);
HWY_EXPORT(widen_words);
HWY_EXPORT(narrow_words);
HWY_EXPORT(subtract_source);
HWY_EXPORT(add_source);
HWY_EXPORT(predict_block);
HWY_EXPORT(undo_blocks);
HWY_EXPORT(size_of_residuals);
HWY_EXPORT(sizes_of_differences);
HWY_EXPORT(autocorrelate);
HWY_EXPORT(split_run);
HWY_EXPORT(sum_tokens);
HWY_EXPORT(join_run);

namespace {

void copy(const LaneMap& map, const std::uint8_t* from, std::uint8_t* to) {
  if (map.words > 0) std::memcpy(to, from, map.words * map.word);
}

}  // namespace

void deinterleave(const LaneMap& map, const std::uint8_t* words, std::uint8_t* lanes) {
  if (map.tuple == 1) return copy(map, words, lanes);
  HWY_DYNAMIC_DISPATCH(deinterleave)(map.word, map.tuple, map.words, words, lanes);
}

void interleave(const LaneMap& map, const std::uint8_t* lanes, std::uint8_t* words) {
  if (map.tuple == 1) return copy(map, lanes, words);
  HWY_DYNAMIC_DISPATCH(interleave)(map.word, map.tuple, map.words, lanes, words);
}

void widen(unsigned width, const std::uint8_t* in, std::uint8_t* out, std::size_t words) {
  const unsigned word = LaneMap::of_width(width, 1, words).word;
  const std::size_t done = HWY_DYNAMIC_DISPATCH(widen_words)(width, word, in, out, words);
  tdz::widen_portable(width, in + done * width, out + done * word, words - done);
}

void narrow(unsigned width, const std::uint8_t* in, std::uint8_t* out, std::size_t words) {
  const unsigned word = LaneMap::of_width(width, 1, words).word;
  const std::size_t done = HWY_DYNAMIC_DISPATCH(narrow_words)(width, word, in, out, words);
  tdz::narrow_portable(width, in + done * word, out + done * width, words - done);
}

void subtract_source(const SourceMap& map, const std::uint8_t* from, const std::uint8_t* source,
                     std::uint8_t* to, std::size_t words) {
  HWY_DYNAMIC_DISPATCH(subtract_source)(map, from, source, to, words);
}

void add_source(const SourceMap& map, const std::uint8_t* from, const std::uint8_t* source, std::uint8_t* to,
                std::size_t words) {
  HWY_DYNAMIC_DISPATCH(add_source)(map, from, source, to, words);
}

void predict_block(const WordKind& kind, const BlockJob& job) {
  HWY_DYNAMIC_DISPATCH(predict_block)(kind, job);
}

void undo_blocks(const WordKind& kind, const BlockJob* jobs, std::size_t count) {
  HWY_DYNAMIC_DISPATCH(undo_blocks)(kind, jobs, count);
}

std::uint64_t size_of_residuals(const WordKind& kind, const std::uint8_t* residuals, std::size_t words) {
  return HWY_DYNAMIC_DISPATCH(size_of_residuals)(kind, residuals, words);
}

void sizes_of_differences(const WordKind& kind, const std::uint8_t* words, std::size_t count,
                          std::uint64_t (&sizes)[kMostFixedOrders]) {
  HWY_DYNAMIC_DISPATCH(sizes_of_differences)(kind, words, count, sizes);
}

void autocorrelate(const WordKind& kind, bool differences, const std::uint8_t* words, std::size_t count,
                   const std::uint16_t* window, unsigned lags, std::int64_t* sums) {
  HWY_DYNAMIC_DISPATCH(autocorrelate)(kind, differences, words, count, window, lags, sums);
}

std::uint8_t* split_run(const TokenRule& rule, const std::uint8_t* words, std::size_t count,
                        std::uint8_t* tokens, std::uint8_t* end) {
  return HWY_DYNAMIC_DISPATCH(split_run)(rule, words, count, tokens, end);
}

TokenSum sum_tokens(const TokenRule& rule, const std::uint8_t* tokens, std::size_t count) {
  return HWY_DYNAMIC_DISPATCH(sum_tokens)(rule, tokens, count);
}

void join_run(const TokenRule& rule, const std::uint8_t* tokens, std::size_t count, const RawBits& raw,
              std::uint64_t top, std::uint8_t* words) {
  HWY_DYNAMIC_DISPATCH(join_run)(rule, tokens, count, raw, top, words);
}

}  // namespace tdz::cpu
#endif
