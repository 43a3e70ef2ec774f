// SPDX-License-Identifier: Apache-2.0
// A plan by chance and a chunk: its substreams give the chunk again. And bytes that claim to be a plan and
// substreams give bytes or a verdict.
#include "formats/plan/plan_bytes.hpp"
#include "formats/plan/plan_rules.hpp"
#include "formats/plan/substreams.hpp"
#include "kernels/steps/column_decoder.hpp"
#include "kernels/steps/column_encoder.hpp"
#include "tests/codec/random_plans.hpp"
#include "tests/fuzz/support.hpp"

using namespace tdz;

namespace {

void column_comes_back(const Plan& plan, std::span<const std::byte> chunk) {
  TDZ_MUST(formats::check(plan));
  ColumnEncoder encoder;
  const auto coded = encoder.encode(plan, {}, chunk);
  if (!coded) {
    TDZ_MUST(coded.error().kind == ErrorKind::limit);
    return;
  }
  test::Bytes out(chunk.size());
  ColumnDecoder decoder;
  TDZ_MUST(decoder.decode(plan, coded->lengths, coded->bytes, out));
  TDZ_MUST(std::ranges::equal(out, chunk));
}

/// Lengths that the plan allows, as far as the bytes reach; what is left over decides nothing.
void decode_claims(const Plan& plan, fuzz::Choices& choices) {
  const std::size_t original = choices.number<std::uint16_t>();
  std::vector<std::uint32_t> lengths;
  std::uint64_t sum = 0;
  for (const formats::Substream& s : formats::substreams(plan, original)) {
    const std::uint64_t units = (s.most - s.least) / s.unit;
    const std::uint64_t more = units == 0 ? 0 : choices.number<std::uint16_t>() % (units + 1);
    lengths.push_back(static_cast<std::uint32_t>(s.least + more * s.unit));
    sum += lengths.back();
  }
  const auto rest = choices.rest();
  test::Bytes bytes(rest.begin(), rest.end()), out(original);
  bytes.resize(sum);
  ColumnDecoder decoder;
  const auto done = decoder.decode(plan, lengths, bytes, out);
  if (!done) TDZ_MUST(done.error().kind == ErrorKind::corrupt);
}

}  // namespace

TDZ_FUZZ_TARGET(columns, bytes) {
  fuzz::Choices choices(bytes);
  if (choices.yes()) {
    test::Chance chance(choices.number<std::uint64_t>());
    const Plan plan = test::random_plan(chance);
    return column_comes_back(plan, choices.rest());
  }
  const std::size_t length = choices.number<std::uint8_t>();
  const auto rest = choices.rest();
  const auto claimed = rest.first(std::min(length, rest.size()));
  const auto plan = formats::parse_plan(claimed);
  if (!plan) {
    TDZ_MUST(plan.error().kind == ErrorKind::corrupt || plan.error().kind == ErrorKind::unsupported);
    return;
  }
  TDZ_MUST(std::ranges::equal(formats::serialize(*plan), claimed));
  fuzz::Choices behind(rest.subspan(claimed.size()));
  decode_claims(*plan, behind);
}
