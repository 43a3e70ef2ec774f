// SPDX-License-Identifier: Apache-2.0
// Chunks of packed groups as a device gets them, whole and damaged, and what it must make of them: the CPU's
// decoder judges the content of their frames.
#pragma once

#include <doctest/doctest.h>

#include <optional>
#include <string>

#include "kernels/cuda/packed/packed_plan.hpp"
#include "kernels/steps/column_decoder.hpp"
#include "tests/codec/uniform_chunks.hpp"
#include "tests/cuda/digest_rows.hpp"

namespace tdz::test {

struct PackedCase {
  Made made;
  Bytes words;
  cuda::PackedChunk entry;
  std::uint64_t out = 0;
  bool refused = false;  ///< a device must refuse it
  std::string name = {};
};

/// Words of which every group has another width.
inline Bytes words_of_groups(Chance& chance, unsigned width, std::size_t words, std::size_t tuple) {
  Bytes made(words * width);
  const bool few = chance.once_in(3);
  unsigned bits = 0;
  for (std::size_t i = 0; i < words; ++i) {
    if (i % (16 * tuple) == 0) bits = static_cast<unsigned>(chance.below(few ? 3 : 8 * width + 1));
    const std::uint64_t word = bits == 0 ? 0 : chance.bits() >> (64 - bits);
    for (unsigned b = 0; b < width; ++b) made[i * width + b] = static_cast<std::byte>(word >> (8 * b));
  }
  return made;
}

/// The content of raw frames, whatever their headers say.
inline Bytes raw_content(const Made& made) {
  Bytes content;
  std::size_t at = 0;
  for (const auto& frame : made.chunk.record.frames) {
    const std::size_t blocks = (frame.unpacked + uniform::kRawBlock - 1) / uniform::kRawBlock;
    std::size_t from = at + frame.packed - 3 * blocks - frame.unpacked;  // after a header without a checksum
    for (std::size_t left = frame.unpacked; left > 0;) {
      const std::size_t own = std::min(left, uniform::kRawBlock);
      const auto first = made.packed.begin() + static_cast<std::ptrdiff_t>(from + 3);
      content.insert(content.end(), first, first + static_cast<std::ptrdiff_t>(own));
      from += 3 + own, left -= own;
    }
    at += frame.packed;
  }
  return content;
}

/// What the CPU makes of the content, or nothing where it is corrupt.
inline std::optional<Bytes> by_cpu(const Made& made, std::size_t bytes) {
  Bytes words(bytes);
  const auto done =
      ColumnDecoder().decode(made.chunk.plan, made.chunk.record.substreams, raw_content(made), words);
  return done ? std::optional(words) : std::nullopt;
}

class PackedBatch {
 public:
  static constexpr std::size_t kSlack = 64;
  static constexpr std::byte kUnwritten{0xA5};

  /// False: not for a device. `apart`: bytes between this chunk and the one before.
  bool add(const Made& made, std::size_t apart = 0) {
    PackedCase one{made, {}, {}, values + apart};
    const std::uint64_t bytes = made.chunk.record.original_bytes;
    const uniform::ChunkBase base{static_cast<std::uint32_t>(cases.size()), packed.size() + apart, one.out};
    const std::size_t checks = tables.checks.size();
    if (!cuda::add_packed_chunk(made.chunk.plan, made.chunk.record, base, tables, one.entry)) {
      CHECK(tables.checks.size() == checks);
      return false;
    }
    CHECK(tables.work_bytes == 0);  // no steps are left
    packed.resize(packed.size() + apart, std::byte{0xCC});
    packed.insert(packed.end(), made.packed.begin(), made.packed.end());
    values += apart + bytes;
    const auto words = by_cpu(made, static_cast<std::size_t>(bytes));
    one.refused = !words || !headers_fit(checks);
    if (words) one.words = *words;
    cases.push_back(std::move(one));
    return true;
  }

  /// Chunks that one launch takes. Pointers are still to be set.
  struct Launch {
    unsigned width = 1;
    cuda::GroupBatch batch = {};
    std::vector<cuda::PackedChunk> chunks = {};
  };
  std::vector<Launch> launches() const {
    std::vector<Launch> all;
    for (const PackedCase& one : cases) {
      const Column& column = one.made.chunk.plan.columns[0];
      const cuda::PackedTail tail = cuda::packed_tail(column);
      const auto same = [&](const Launch& other) {
        return other.width == column.width && other.batch.steps == tail.steps;
      };
      auto found = std::ranges::find_if(all, same);
      if (found == all.end()) {
        found = all.insert(all.end(), Launch{column.width});
        found->batch.steps = tail.steps;
      }
      CHECK(one.entry.tuple == (tail.steps.same_lanes ? tail.steps.tuple : 1));
      found->chunks.push_back(one.entry);
      found->batch.count = static_cast<std::uint32_t>(found->chunks.size());
      found->batch.groups = std::max(found->batch.groups, one.entry.groups);
    }
    return all;
  }

  /// Are these the words and verdicts that the CPU has?
  void check(const Bytes& found, const std::vector<std::uint32_t>& status) const {
    std::size_t end = 0;
    for (std::size_t i = 0; i < cases.size(); ++i) {
      const PackedCase& one = cases[i];
      CAPTURE(i);
      CAPTURE(one.name);
      CAPTURE(formats::plan_name(one.made.chunk.plan));
      CAPTURE(one.entry.words);
      CHECK((status[i] != 0) == one.refused);
      const auto begin = static_cast<std::size_t>(one.out);
      for (; end < begin; ++end) CHECK(found[end] == kUnwritten);
      end += static_cast<std::size_t>(one.made.chunk.record.original_bytes);
      if (status[i] == 0 && !one.refused)
        CHECK(std::equal(one.words.begin(), one.words.end(),
                         found.begin() + static_cast<std::ptrdiff_t>(begin)));
    }
  }

  /// Memory for rows of digests, of chunks that count from the first value.
  std::vector<std::uint64_t> digest_rows() const {
    return std::vector<std::uint64_t>(static_cast<std::size_t>(cuda::digest_row_bytes(values)) / 8);
  }
  /// Has every whole block of XXH3 that a scramble follows its sum?
  void check_rows(const std::vector<std::uint64_t>& rows, const std::vector<std::uint32_t>& status) const {
    for (std::size_t i = 0; i < cases.size(); ++i) {
      const PackedCase& one = cases[i];
      if (status[i] != 0 || one.refused) continue;
      CAPTURE(i);
      CAPTURE(formats::plan_name(one.made.chunk.plan));
      check_digest_rows(one.words, one.out, rows);
    }
  }

  std::size_t refused() const {
    return static_cast<std::size_t>(std::ranges::count(cases, true, &PackedCase::refused));
  }

  uniform::DecodeTables tables;
  std::vector<PackedCase> cases;
  Bytes packed;
  std::uint64_t values = 0;  ///< bytes of all words, with gaps

 private:
  bool fits(const uniform::ByteCheck& check) const {
    const auto* found = reinterpret_cast<const std::uint8_t*>(packed.data()) + check.at;
    return std::equal(found, found + check.count, check.bytes);
  }
  bool headers_fit(std::size_t first) const {
    return std::all_of(tables.checks.begin() + static_cast<std::ptrdiff_t>(first), tables.checks.end(),
                       [&](const auto& check) { return fits(check); });
  }
};

/// Words in groups. `before`: steps that stand before the groups in the plan, so that the words are
/// residuals.
inline Made packed_block(unsigned width, std::uint32_t tuple, const Bytes& words,
                         std::uint32_t frame_bytes = 0, const std::vector<PlanStep>& before = {}) {
  Plan plan{Coding::zstd, {{static_cast<std::uint8_t>(width), 1, {PackedStep{tuple}}}}};
  plan.packing.frame_bytes = frame_bytes;
  Made made = made_of(*encode_block(plan, words));
  auto& steps = made.chunk.plan.columns[0].steps;
  steps.insert(steps.begin(), before.begin(), before.end());
  return made;
}

/// None, or zigzag, or a difference, with runs or without, or both. Words of a single lane may be differences
/// of several.
inline std::vector<PlanStep> random_tail(Chance& chance, std::uint32_t tuple) {
  std::vector<PlanStep> steps;
  if (tuple == 1 && chance.once_in(2)) tuple = static_cast<std::uint32_t>(1 + chance.below(32));
  constexpr std::uint32_t kRuns[] = {0, 0, 1024, 2048, 4096, 65536};
  const std::uint32_t run = chance.one_of(kRuns);
  if (!chance.once_in(4))
    steps.push_back(DifferenceStep{tuple, static_cast<std::uint8_t>(1 + chance.below(kMaxOrder)), run});
  if (chance.once_in(2)) steps.push_back(ZigzagStep{});
  return steps;
}

/// One that a device takes: short and long, one lane or many, in one or several frames.
inline Made random_packed(Chance& chance, std::size_t most_bytes) {
  constexpr std::uint32_t kWidths[] = {1, 2, 4, 8};
  constexpr std::uint32_t kTuples[] = {1, 1, 1, 2, 3, 4, 5, 7, 8, 11, 16, 17, 31, 32};
  const std::uint32_t width = chance.one_of(kWidths), tuple = chance.one_of(kTuples);
  const std::size_t most = chance.once_in(3) ? 600 : most_bytes / width;
  const Bytes words = words_of_groups(chance, width, 1 + chance.below(most), tuple);
  const bool cut = chance.once_in(3);
  const auto frame = static_cast<std::uint32_t>(cut ? uniform::kRawBlock + chance.below(50'000) : 0);
  return packed_block(width, tuple, words, frame, random_tail(chance, tuple));
}

/// One byte of one substream, or of a header, becomes another one.
inline Made damaged_packed(Chance& chance, Made made) {
  const auto& lengths = made.chunk.record.substreams;
  const std::size_t section = chance.below(6);
  std::size_t at = chance.below(made.packed.size());
  if (section < lengths.size() && lengths[section] != 0) {
    const std::uint32_t segment = made.chunk.record.frames[0].unpacked;
    std::uint32_t content = 0, before = 0;
    for (const std::uint32_t length : lengths) content += length;
    for (std::size_t s = 0; s < section; ++s) before += lengths[s];
    // Places are wrong at their ends in ways of their own.
    const std::uint64_t inside =
        chance.once_in(3) ? chance.below(std::min(4u, lengths[section])) : chance.below(lengths[section]);
    const std::uint64_t from_end = chance.once_in(2) ? inside : lengths[section] - 1 - inside;
    at = static_cast<std::size_t>(
        uniform::RawLayout{content, segment, 0}.at(before + static_cast<std::uint32_t>(from_end)));
  } else if (section == 4) {
    at = chance.below(std::min<std::size_t>(12, made.packed.size()));
  }
  made.packed[at] ^=
      static_cast<std::byte>(chance.once_in(2) ? 1 + chance.below(255) : 1u << chance.below(8));
  return made;
}

/// Chunks of all lengths below 70 words, one after another: with more lanes than words, and without.
inline PackedBatch short_chunks(unsigned width, std::uint32_t tuple) {
  Chance chance(width * 1000 + tuple);
  PackedBatch batch;
  const auto before = random_tail(chance, tuple);
  for (std::size_t words = 1; words < 70; ++words)
    batch.add(packed_block(width, tuple, words_of_groups(chance, width, words, tuple), 0, before), words % 3);
  return batch;
}

/// So many that a warp takes a whole chunk, and two that are longer than a stretch.
inline PackedBatch many_chunks(unsigned width, std::uint32_t tuple) {
  Chance chance(width + tuple);
  PackedBatch batch;
  const std::vector<PlanStep> before{DifferenceStep{tuple, 3}, ZigzagStep{}};
  for (std::size_t i = 0; i < cuda::kManyChunks; ++i) {
    const std::size_t words = i % 4000 == 17 ? 3 * cuda::kRowsOfStretch * tuple - 5 : 1 + i % 90;
    batch.add(packed_block(width, tuple, words_of_groups(chance, width, words, tuple), 0, before));
  }
  return batch;
}

inline PackedBatch damaged_chunks(std::uint64_t seed, std::uint64_t count) {
  Chance chance(seed);
  PackedBatch batch;
  for (; count > 0; --count)
    batch.add(damaged_packed(chance, random_packed(chance, 100'000)), chance.below(40));
  return batch;
}

}  // namespace tdz::test
