// SPDX-License-Identifier: Apache-2.0
#include "tests/fuzz/seeds.hpp"

#include "formats/bytes.hpp"
#include "formats/plan/plan_bytes.hpp"
#include "tdz/block.hpp"
#include "tdz/plan.hpp"
#include "tests/codec/random_plans.hpp"
#include "tests/golden/cases.hpp"

namespace tdz::fuzz {

using test::Bytes;
using test::operator+;

namespace {

constexpr std::size_t kShort = 4096;  // longer seeds only make mutations slower

std::vector<Bytes> short_golden_cases() {
  std::vector<Bytes> all;
  for (const auto& made : test::golden_cases()) {
    Bytes stored = test::packed(made.original, made.options);
    if (stored.size() <= kShort) all.push_back(std::move(stored));
  }
  return all;
}

/// A stream with parity, whole, with a damaged byte, and with bytes cut out.
std::vector<Bytes> protected_streams() {
  auto options = test::options_for("u16");
  options.protect = 50;
  const Bytes whole = test::packed(test::noise(900, 2), options);
  Bytes damaged = whole;
  damaged[700] ^= std::byte{1};
  return {whole, damaged, test::head(whole, 500) + test::tail(whole, 600), test::tail(whole, 300)};
}

/// Streams: the short golden cases, two concatenated, one inside another, one from a pipe, some with parity.
std::vector<Bytes> streams() {
  std::vector<Bytes> all = short_golden_cases();
  const Bytes first = all.front(), second = all.at(3);
  all.push_back(second + first + Bytes(9) + second);
  all.push_back(test::packed(second, test::options_for(Column{})));
  all.push_back(test::packed(Bytes(3 * formats::kMinChunk),
                             test::options_for("u32")));  // three chunks with little content
  test::PieceSource pipe(all.front(), 1, 7);
  test::CollectingSink to;
  if (compress(pipe, to, test::options_for("u16"))) all.push_back(to.collected);
  for (Bytes& stream : protected_streams()) all.push_back(std::move(stream));
  return all;
}

/// Each record of a stream by itself.
std::vector<Bytes> records() {
  std::vector<Bytes> all;
  for (const Bytes& stream : short_golden_cases()) {
    for (const auto& piece : test::dissect(stream)) {
      const auto prefix = formats::read_prefix(piece.bytes, 0);
      const auto length = static_cast<std::ptrdiff_t>(prefix->total_bytes);
      all.emplace_back(piece.bytes.begin(), piece.bytes.begin() + length);
    }
  }
  return all;
}

std::vector<Bytes> with_choices(std::size_t choices, std::vector<Bytes> all) {
  for (std::size_t i = 0; i < all.size(); ++i) {
    all[i] = test::noise(choices, static_cast<std::uint32_t>(i + 1)) + all[i];
  }
  return all;
}

std::vector<Bytes> numbers() {
  std::vector<Bytes> all;
  for (const unsigned word : {1u, 2u, 4u, 8u}) all.push_back(test::walk(700, word, word));
  all.push_back(test::noise(900));
  all.emplace_back(500);
  return all;
}

Bytes text(std::string_view words) {
  const auto bytes = std::as_bytes(std::span(words));
  return {bytes.begin(), bytes.end()};
}

std::vector<Bytes> words() {
  return {text("--type\ni16x2\n-9\nx"),
          text("-dc\n--range\n1K:20v\nx"),
          text("recover\nx\n-o\ny\n--fill\nskip"),
          text("info\n--json\n--chunks\n--\n-x"),
          text("--memory=64M\n--chunk\n1MiB\n--flush\n0.5\n-"),
          text("--fastest\n--row\n100\nx")};
}

std::vector<Bytes> headers() {
  std::vector<Bytes> all = {
      text("P6\n# a comment\n3 2\n255\n"),
      text("P5 640 480 65535\n"),
      text("BM"),
      text("SIMPLE  =                    T"),
      text("CDF\x01"),
      text("II*\0\x08\0\0\0"),
      text("RIFF$\0\0\0WAVEfmt \x10\0\0\0\x01\0\x02\0"),
      text("FORM\0\0\0\x2E"
           "AIFFCOMM"),
      text("\x93NUMPY\x01\0v\0{'descr': '<f4', 'fortran_order': False, 'shape': (3, 2), }\n")};
  for (Bytes& header : all) header = header + test::walk(300, 2, 3);
  return all;
}

/// A chunk for a plan by chance; and a plan, the length of a chunk, numbers that choose lengths, substreams.
std::vector<Bytes> plans() {
  std::vector<Bytes> all;
  for (std::uint64_t seed = 0; seed < 30; ++seed) {
    Bytes chance(9);
    chance[0] = std::byte{1};
    formats::set_le(std::span(chance).subspan(1), seed);
    all.push_back(chance + test::walk(700, 2, 3));
    test::Chance other(seed);
    const Bytes plan = formats::serialize(test::random_plan(other));
    if (plan.size() > 255) continue;
    const Bytes head = {std::byte{0}, static_cast<std::byte>(plan.size())};
    all.push_back(head + plan + Bytes{std::byte{0x22}, std::byte{1}} + Bytes(8) + test::walk(700, 1, 3));
  }
  return all;
}

/// Of one group and a remainder; short, because the numbers hardly change.
std::vector<Bytes> uniform_blocks() {
  std::vector<Bytes> all;
  for (const std::uint32_t tuple : {1u, 2u}) {
    const DifferenceStep difference{tuple, 1, 1024};
    const Plan plan{Coding::uniform, {{2, 1, {difference, TokensStep{tuple, {3, 1}, 1024}}}}};
    Bytes slow(20'000);
    for (std::size_t i = 0; i < slow.size(); i += 2) slow[i] = static_cast<std::byte>(i >> 9);
    all.push_back(encode_block(plan, slow).value());
  }
  return all;
}

std::vector<Bytes> lone_blocks() {
  std::vector<Bytes> all;
  for (std::uint64_t seed = 0; seed < 20; ++seed) {
    test::Chance chance(seed);
    Plan plan = test::random_plan(chance);
    plan.coding = Coding::zstd;
    all.push_back(encode_block(plan, test::random_chunk(chance, 400)).value());
  }
  for (Bytes& block : uniform_blocks()) all.push_back(std::move(block));
  return all;
}

/// Behind an offset.
std::vector<Bytes> blocks_and_streams() {
  auto all = with_choices(4, lone_blocks());
  for (Bytes& stream : with_choices(4, streams())) all.push_back(std::move(stream));
  return all;
}

std::vector<Bytes> plans_as_json() {
  std::vector<Bytes> all;
  for (std::uint64_t seed = 0; seed < 20; ++seed) {
    test::Chance chance(seed);
    all.push_back(text(to_json(test::random_plan(chance))));
  }
  return all;
}

}  // namespace

std::vector<Bytes> seeds_for(const std::string& target) {
  if (target == "records") return records();
  if (target == "slices") return with_choices(4, streams());
  if (target == "range") return with_choices(10, streams());
  if (target == "sniff") return headers();
  if (target == "analyze") return with_choices(1, numbers());
  if (target == "round_trip" || target == "steps") return with_choices(30, numbers());
  if (target == "columns") return plans();
  if (target == "blocks") return lone_blocks();
  if (target == "c_interface") return blocks_and_streams();
  if (target == "plan_json") return plans_as_json();
  if (target == "command_line") return words();
  return streams();
}

}  // namespace tdz::fuzz
