// SPDX-License-Identifier: Apache-2.0
// When does compress take frames for a GPU, what may they cost, and can a device read all of them? Sizes
// decide, never times.
#include <doctest/doctest.h>

#include "codec/chunk/uniform_frames.hpp"
#include "codec/stream/memory_io.hpp"
#include "codec/stream/memory_limit.hpp"
#include "kernels/cpu/targets.hpp"
#include "kernels/cuda/packed/packed_plan.hpp"
#include "tests/codec/law.hpp"
#include "tests/codec/support.hpp"
#include "tests/oracle/uniform.hpp"

namespace tdz::test {
namespace {

CompressOptions options_of(bool gpu, Effort effort = Effort::normal) {
  CompressOptions options;
  options.search = SearchOptions{.effort = effort};
  options.gpu = gpu;
  options.threads = 1;
  return options;
}

/// Without any search for frames for a GPU: a caller's own length of frames stays.
CompressOptions general() {
  CompressOptions options = options_of(false);
  options.frame_bytes = 1u << 20;
  return options;
}

struct Coded {
  Bytes stored;
  Totals totals;
};

Coded coded(const Bytes& original, const CompressOptions& options) {
  Coded result;
  MemorySource from(original);
  MemorySink to;
  result.totals = compress(from, to, options).value();
  result.stored = std::move(to).take();
  CHECK(decompress(result.stored, one_thread()).value() == original);
  return result;
}

struct StoredChunk {
  ParsedChunk parsed;
  Bytes packed;
};

std::vector<StoredChunk> chunks_of(const Bytes& stored) {
  std::vector<StoredChunk> chunks;
  for (const Piece& piece : dissect(stored)) {
    if (piece.kind != formats::RecordKind::chunk) continue;
    const auto prefix = formats::parse_prefix(piece.bytes, {.chunk = true}, 0);
    const auto record = std::span(piece.bytes).first(static_cast<std::size_t>(prefix->total_bytes));
    chunks.push_back({parse_with_plan(record, {}, 0).value(),
                      {piece.bytes.begin() + std::ssize(record), piece.bytes.end()}});
  }
  return chunks;
}

/// The chunks of a stream that a device decodes. A reader by the list alone must accept each uniform one.
std::size_t chunks_for_a_device(const Bytes& stored) {
  std::size_t count = 0;
  for (const auto& [parsed, packed] : chunks_of(stored)) {
    if (!cuda::is_for_device(parsed.plan)) continue;
    if (parsed.plan.coding == Coding::uniform) CHECK(oracle::read_by_list(parsed, packed).has_value());
    ++count;
  }
  return count;
}

/// Words of `word` bytes in tuples, each lane a walk of its own.
Bytes tuples(std::size_t records, unsigned word, unsigned tuple, std::uint32_t seed) {
  std::mt19937 random(seed);
  std::vector<std::uint64_t> value(tuple);
  Bytes out;
  for (std::size_t i = 0; i < records * tuple; ++i) {
    auto& x = value[i % tuple];
    x += random() % (100u << (i % tuple)) - (49u << (i % tuple));
    for (unsigned b = 0; b < word; ++b) out.push_back(static_cast<std::byte>(x >> (8 * b)));
  }
  return out;
}

/// Prices with two decimals, as f32.
Bytes prices(std::size_t count) {
  std::mt19937 random(7);
  int cents = 12345;
  Bytes out;
  for (std::size_t i = 0; i < count; ++i) {
    cents += static_cast<int>(random() % 41) - 20;
    const float price = static_cast<float>(cents) / 100;
    const auto bytes = std::as_bytes(std::span(&price, 1));
    out.insert(out.end(), bytes.begin(), bytes.end());
  }
  return out;
}

Bytes text(std::size_t bytes) {
  constexpr std::string_view kWords[] = {"the ", "number ", "of ", "rows ", "is ", "not ", "known.\n", "a "};
  std::mt19937 random(3);
  Bytes out;
  while (out.size() < bytes)
    for (const char c : kWords[random() % std::size(kWords)]) out.push_back(static_cast<std::byte>(c));
  out.resize(bytes);
  return out;
}

std::vector<Bytes> inputs() {
  return {walk(3 << 19, 2, 3),     tuples(100'000, 4, 3, 5),  prices(300'000),
          tuples(80'000, 8, 2, 9), tuples(150'000, 3, 2, 11), walk(1 << 20, 1, 13)};
}

}  // namespace

TEST_CASE("frames for a GPU come back, cost at most 8 % of such numbers, and a device reads each" * law) {
  std::size_t taken = 0;
  for (const Bytes& original : inputs()) {
    CAPTURE(original.size());
    const Coded gpu = coded(original, options_of(true)), usual = coded(original, general());
    CHECK(gpu.totals.gpu_chunks == chunks_for_a_device(gpu.stored));
    CHECK(usual.totals.gpu_chunks == 0);
    // The rule is one of samples; these inputs are samples as a whole, in chunks of another length.
    CHECK(gpu.stored.size() * 100 <= usual.stored.size() * 109);
    taken += gpu.totals.gpu_chunks > 0 ? 1 : 0;
  }
  CHECK(taken >= 4);
}

TEST_CASE("unasked they cost at most 1 %" * law) {
  for (const Bytes& original : inputs()) {
    CAPTURE(original.size());
    const Coded unasked = coded(original, options_of(false)), usual = coded(original, general());
    CHECK(unasked.totals.gpu_chunks == chunks_for_a_device(unasked.stored));
    if (unasked.totals.gpu_chunks == 0) CHECK(unasked.stored.size() == usual.stored.size());
    CHECK(unasked.stored.size() * 1000 <= usual.stored.size() * 1015);
  }
}

TEST_CASE("with --fast codes have at most 8 bits") {
  std::size_t blocks = 0;
  for (const Bytes& original : inputs()) {
    const Coded fast = coded(original, options_of(true, Effort::fast));
    CHECK(chunks_for_a_device(fast.stored) == fast.totals.gpu_chunks);
    for (const auto& [parsed, packed] : chunks_of(fast.stored))
      for (const auto& entry : parsed.record.blocks) {
        CHECK(entry.bits <= 8);
        ++blocks;
      }
  }
  CHECK(blocks > 0);
}

TEST_CASE("what has no numbers, or lives on repeats, keeps general frames, and the same bytes") {
  Bytes repeats = noise(40'000, 5);
  while (repeats.size() < (1u << 20))
    repeats.insert(repeats.end(), repeats.begin(), repeats.begin() + 40'000);
  for (const Bytes& original : {text(1 << 20), repeats, Bytes{}, Bytes(1), walk(3000)}) {
    CAPTURE(original.size());
    const Coded gpu = coded(original, options_of(true));
    CHECK(gpu.totals.gpu_chunks == 0);
    CHECK(gpu.stored == coded(original, options_of(false)).stored);
  }
}

TEST_CASE("a layout that the caller set stays") {
  const Bytes original = tuples(100'000, 4, 3, 5);
  CompressOptions options = options_of(true);
  options.search->layout = Layout::planes;
  CHECK(coded(original, options).totals.gpu_chunks == 0);
}

TEST_CASE("every instruction set writes the same frames") {
  const Bytes original = tuples(50'000, 2, 2, 17);
  const Coded first = coded(original, options_of(true));
  CHECK(first.totals.gpu_chunks > 0);
  for (const cpu::Target& target : cpu::supported_targets()) {
    CAPTURE(target.name);
    cpu::force_target(target);
    CHECK(coded(original, options_of(true)).stored == first.stored);
  }
  cpu::unforce_target();
}

TEST_CASE("chunks end where lanes have no remainder") {
  const Coded gpu = coded(tuples(400'000, 4, 3, 5), options_of(true));
  const auto chunks = chunks_of(gpu.stored);
  const auto has_remainder = [](const StoredChunk& chunk) {
    return std::ranges::count(chunk.parsed.record.blocks, 4u, &formats::BlockEntry::type) > 0;
  };
  CHECK(chunks.size() >= 3);
  CHECK(std::ranges::count_if(chunks, has_remainder) <= 1);  // the last chunk
}

TEST_CASE("the writer's memory of uniform blocks counts") {
  Recipe recipe{{Coding::uniform, {{4, 1, {TokensStep{1, {5, 3}, 2048}}}}}, {}, {}};
  Recipe usual = recipe;
  usual.plan.coding = Coding::zstd;
  const auto needs = [](const Recipe& r) { return encoding_needs({&r, 1}, 3, 1u << 20, 1u << 20, 0); };
  CHECK(needs(recipe).slot >= (1u << 20) + uniform::pack_memory(recipe.plan, 5u << 18));
  CHECK(needs(recipe).slot > needs(usual).slot);
  const Bytes original = tuples(100'000, 4, 3, 5);
  CompressOptions options = options_of(true);
  const Bytes stored = coded(original, options).stored;
  options.memory = 64u << 20;
  CHECK(coded(original, options).stored == stored);
  options.memory = 1u << 20;
  CHECK(compress(original, options).error().kind == ErrorKind::limit);
}

}  // namespace tdz::test
