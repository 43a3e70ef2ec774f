// SPDX-License-Identifier: Apache-2.0
// The step `lanes` lane by lane, and differences that start anew: both are the sweep (kernels/cpu/sweep.hpp)
// on stretches, with a map for a source or for a narrow width. Then the step `predict`, block by block.
#include <algorithm>
#include <vector>

#include "kernels/cpu/steps/seams.hpp"
#include "kernels/cpu/steps/steps.hpp"
#include "kernels/cpu/sweep.hpp"

namespace tdz::cpu {
namespace {

using Bytes = const std::uint8_t*;

/// Calls visit(first, bytes) for stretches of `length` bytes, 0 = all of it.
template <class Visit>
void for_each_stretch(std::size_t bytes, std::size_t length, const Visit& visit) {
  if (length == 0) return visit(std::size_t{0}, bytes);
  for (std::size_t at = 0; at < bytes; at += std::min(length, bytes - at)) {
    visit(at, std::min(length, bytes - at));
  }
}

/// One lane on its way through its rule.
struct LaneJob {
  const LaneMap& map;
  const LaneRule& rule;
  std::size_t run;
  std::size_t words;
  Bytes source;              ///< null: none
  std::size_t source_words;  ///< in the source's lane

  std::size_t bytes() const { return words * map.word; }
  bool full_width() const { return map.width == map.word; }
  /// The sweep does zigzag itself where it comes right behind the differences of whole words.
  bool zigzag_in_sweep() const { return rule.zigzag && full_width() && !(rule.has_source() && rule.after); }
  Pass pass() const { return {.word = map.word, .order = rule.order, .zigzag = zigzag_in_sweep()}; }

  /// Words of this lane that have an element of the source: [first, last).
  std::size_t first() const { return std::min<std::size_t>(rule.lag, words); }
  std::size_t last() const { return std::max(first(), std::min(words, source_words + rule.lag)); }
};

/// to = map(from, source), with no source at the ends. May run in place.
void map_lane(const LaneJob& job, PairMap map, bool with_source, Bytes from, std::uint8_t* to, bool zigzag) {
  const std::size_t w = job.map.word, first = with_source ? job.first() : job.words;
  const std::size_t last = with_source ? job.last() : job.words;
  const SourceMap m{job.map.word, static_cast<std::uint8_t>(job.map.bits()), zigzag};
  map(m, from, nullptr, to, first);
  if (first < last)
    map(m, from + first * w, job.source + (first - job.rule.lag) * w, to + first * w, last - first);
  if (last < job.words) map(m, from + last * w, nullptr, to + last * w, job.words - last);
}

void encode_lane(const LaneJob& job, Bytes in, std::uint8_t* out, std::uint8_t* scratch) {
  const bool source = job.rule.has_source(), before = source && !job.rule.after;
  if (before) map_lane(job, &subtract_source, true, in, scratch, false);
  forward_anew(job.pass(), job.run, before ? scratch : in, out, job.bytes());
  const bool zigzag = job.rule.zigzag && !job.zigzag_in_sweep();
  if ((source && !before) || zigzag || !job.full_width()) {
    map_lane(job, &subtract_source, source && !before, out, out, zigzag);
  }
}

void decode_lane(const LaneJob& job, Bytes in, std::uint8_t* out, std::uint8_t* scratch) {
  const bool source = job.rule.has_source(), before = source && !job.rule.after;
  const bool zigzag = job.rule.zigzag && !job.zigzag_in_sweep();
  const bool first = (source && !before) || zigzag;
  if (first) map_lane(job, &add_source, source && !before, in, scratch, zigzag);
  inverse_anew(job.pass(), job.run, first ? scratch : in, out, job.bytes());
  if (before || !job.full_width()) map_lane(job, &add_source, before, out, out, false);
}

LaneJob job_of(const LaneMap& map, const LanesStep& rules, std::size_t lane, Bytes sources) {
  const LaneRule& rule = rules.lanes[lane];
  LaneJob job{map, rule, rules.run, map.length(lane), nullptr, 0};
  if (!rule.has_source() || rule.source >= map.lanes()) return job;
  job.source = sources + map.first(rule.source) * map.word;
  job.source_words = map.length(rule.source);
  return job;
}

/// Bytes of a run in all lanes; 0: the column has no room for two of them.
std::size_t bytes_anew(const Pass& pass, std::size_t run, std::size_t bytes) {
  const std::size_t record = std::size_t{pass.tuple} * pass.word;
  return run == 0 || record > bytes / run ? 0 : record * run;
}

}  // namespace

void forward_anew(const Pass& pass, std::size_t run, Bytes in, std::uint8_t* out, std::size_t bytes) {
  for_each_stretch(bytes, bytes_anew(pass, run, bytes),
                   [&](std::size_t at, std::size_t length) { forward(pass, in + at, out + at, length); });
}

void inverse_anew(const Pass& pass, std::size_t run, Bytes in, std::uint8_t* out, std::size_t bytes) {
  for_each_stretch(bytes, bytes_anew(pass, run, bytes),
                   [&](std::size_t at, std::size_t length) { inverse(pass, in + at, out + at, length); });
}

void zigzag_words(const LaneMap& map, Bytes in, std::uint8_t* out) {
  subtract_source({map.word, static_cast<std::uint8_t>(map.bits()), true}, in, nullptr, out, map.words);
}

void unzigzag_words(const LaneMap& map, Bytes in, std::uint8_t* out) {
  add_source({map.word, static_cast<std::uint8_t>(map.bits()), true}, in, nullptr, out, map.words);
}

void mask_words(const LaneMap& map, std::uint8_t* words) {
  subtract_source({map.word, static_cast<std::uint8_t>(map.bits()), false}, words, nullptr, words, map.words);
}

void encode_lanes(const LaneMap& map, const LanesStep& rules, Bytes in, std::uint8_t* out,
                  std::uint8_t* scratch) {
  for (std::size_t lane = 0; lane < map.lanes(); ++lane) {
    const std::size_t at = map.first(lane) * map.word;
    encode_lane(job_of(map, rules, lane, in), in + at, out + at, scratch);
  }
}

void decode_lanes(const LaneMap& map, const LanesStep& rules, Bytes in, std::uint8_t* out,
                  std::uint8_t* scratch) {
  for (const std::uint32_t lane : decoding_order(rules.lanes)) {
    if (lane >= map.lanes()) continue;
    const std::size_t at = map.first(lane) * map.word;
    decode_lane(job_of(map, rules, lane, out), in + at, out + at, scratch);
  }
}

// ---- predict: all blocks of all lanes

namespace {

WordKind kind_of(const LaneMap& map, Sign sign) {
  return {map.word, map.width, sign};
}

std::vector<BlockJob> jobs_of(const LaneMap& map, std::span<const Predictor> predictors,
                              const std::uint8_t* from, std::uint8_t* to) {
  std::vector<BlockJob> jobs;
  jobs.reserve(predictors.size());
  for (std::size_t lane = 0; lane < map.lanes(); ++lane) {
    for (std::size_t at = 0; at < map.length(lane); at += kPredictBlock) {
      const std::size_t byte = (map.first(lane) + at) * map.word;
      const std::size_t words = std::min(kPredictBlock, map.length(lane) - at);
      jobs.push_back({&predictors[jobs.size()], from + byte, to + byte, words});
    }
  }
  return jobs;
}

}  // namespace

void encode_predict(const LaneMap& map, Sign sign, std::span<const Predictor> predictors,
                    const std::uint8_t* words, std::uint8_t* residuals) {
  for (const BlockJob& job : jobs_of(map, predictors, words, residuals))
    predict_block(kind_of(map, sign), job);
}

void decode_predict(const LaneMap& map, Sign sign, std::span<const Predictor> predictors,
                    const std::uint8_t* residuals, std::uint8_t* words) {
  std::vector<BlockJob> jobs = jobs_of(map, predictors, residuals, words);
  // Blocks run side by side as far as the shortest goes, with the terms that the longest sum needs.
  std::ranges::stable_sort(jobs, [](const BlockJob& a, const BlockJob& b) {
    return a.words != b.words ? a.words > b.words : a.predictor->order > b.predictor->order;
  });
  undo_blocks(kind_of(map, sign), jobs.data(), jobs.size());
}

}  // namespace tdz::cpu
