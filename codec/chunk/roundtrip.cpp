// SPDX-License-Identifier: Apache-2.0
#include "codec/chunk/roundtrip.hpp"

#include <algorithm>
#include <utility>

namespace tdz {
namespace {

bool same_bytes(const EncodedChunk& a, const EncodedChunk& b) {
  return a.record == b.record && std::ranges::equal(a.packed, b.packed);
}

std::string text_of(const formats::FrameLengths& frame) {
  return std::to_string(frame.packed) + " bytes of " + std::to_string(frame.unpacked);
}

/// Precondition: they differ.
std::string difference_text(const EncodedChunk& a, const EncodedChunk& b) {
  if (a.record.digest != b.record.digest) return "the digests of the chunk differ";
  if (a.record.substreams != b.record.substreams) return "the lengths of substreams differ";
  const auto &frames = a.record.frames, &others = b.record.frames;
  if (frames.size() != others.size()) {
    return std::to_string(frames.size()) + " frames and " + std::to_string(others.size());
  }
  if (const auto [x, y] = std::ranges::mismatch(frames, others); x != frames.end()) {
    const auto number = std::to_string(x - frames.begin());
    return "frame " + number + " is " + text_of(*x) + ", and " + text_of(*y);
  }
  const auto place = std::ranges::mismatch(a.packed, b.packed).in1 - a.packed.begin();
  return "byte " + std::to_string(place) + " of the coded chunk differs";
}

/// True if every byte of a row still holds the complement: no backend wrote anything. (The bytes behind the last
/// row do not pass through a backend.)
bool untouched(std::span<const std::byte> restored, std::span<const std::byte> original, const Plan& plan) {
  const std::size_t rows = original.size() / row_bytes(plan) * row_bytes(plan);
  return std::ranges::equal(restored.first(rows), original.first(rows),
                            [](std::byte left, std::byte was) { return left == ~was; });
}

}  // namespace

RoundtripTester::RoundtripTester(std::span<Backend* const> backends) {
  for (Backend* backend : backends) sides_.emplace_back(*backend);
}

Result<RoundtripOutcome> RoundtripTester::test(const PlacedChunk& chunk, const Plan& plan, int level) {
  use_level(level);
  chunk_ = chunk;
  plan_ = plan;
  RoundtripOutcome outcome;
  for (Side& side : sides_) {
    if (auto done = code(side, outcome); !done) return done.error();
  }
  const auto first = std::ranges::find(sides_, true, &Side::coded);
  if (first == sides_.end()) return outcome;
  outcome.packed_bytes = first->encoded.packed.size();
  for (const Side& side : sides_) compare_coded(*first, side, outcome);
  for (const Side& side : sides_) {
    if (!side.coded || !first_of_its_kind(side)) continue;
    if (auto done = restore_by_all(side, outcome); !done) return done.error();
  }
  return outcome;
}

/// Keeps only one encoder for each backend, not one for each level: zstd's contexts are large.
void RoundtripTester::use_level(int level) {
  if (std::exchange(level_, level) == level) return;
  for (Side& side : sides_) side.encoder.emplace(side.backend, level);
}

Status RoundtripTester::code(Side& side, RoundtripOutcome& outcome) {
  const auto frame = std::max<std::size_t>(chunk_.bytes.size(), formats::kMinFrame);
  const auto done =
      side.encoder->encode(chunk_.bytes, {plan_, {}, {}}, static_cast<std::uint32_t>(frame), side.encoded);
  side.coded = static_cast<bool>(done);
  if (side.coded) return done;
  if (done.error().kind == ErrorKind::limit) return done;
  outcome.failures.push_back(failure(RoundtripFault::coding, side, done.error().message));
  return ok();
}

void RoundtripTester::compare_coded(const Side& first, const Side& other, RoundtripOutcome& outcome) const {
  if (!other.coded || same_bytes(first.encoded, other.encoded)) return;
  auto found = failure(RoundtripFault::disagreement, first, difference_text(first.encoded, other.encoded));
  found.restorer = other.name();
  outcome.failures.push_back(std::move(found));
}

/// True if no backend before this one coded the chunk in the same bytes. Equal bytes are restored only once
/// by each backend.
bool RoundtripTester::first_of_its_kind(const Side& side) const {
  const auto same = [&](const Side& other) { return other.coded && same_bytes(other.encoded, side.encoded); };
  return &*std::ranges::find_if(sides_, same) == &side;
}

Status RoundtripTester::restore_by_all(const Side& coder, RoundtripOutcome& outcome) {
  for (Side& restorer : sides_) {
    if (auto done = restore(coder, restorer, outcome); !done) return done;
  }
  return ok();
}

Status RoundtripTester::restore(const Side& coder, Side& restorer, RoundtripOutcome& outcome) {
  const auto restored = restored_.take(chunk_.bytes.size());
  std::ranges::transform(chunk_.bytes, restored.begin(), [](std::byte b) { return ~b; });
  const auto done = restorer.decoder.decode({coder.encoded.record, plan_}, coder.encoded.packed, restored);
  if (!done && done.error().kind == ErrorKind::limit) return done;
  auto mismatch = first_mismatch(chunk_, restored, plan_);
  if (done && !mismatch) return ok();
  // After a wrong digest there are wrong bytes to show. With damaged frames or a lost device there may be
  // none.
  const bool shown =
      mismatch && (done || (done.error().kind == ErrorKind::corrupt && !untouched(restored, chunk_.bytes, plan_)));
  auto found = failure(shown ? RoundtripFault::wrong_value : RoundtripFault::restoring, coder,
                       done ? std::string() : done.error().message);
  found.restorer = restorer.name();
  if (shown) found.mismatch = std::move(mismatch);
  outcome.failures.push_back(std::move(found));
  return ok();
}

RoundtripFailure RoundtripTester::failure(RoundtripFault fault, const Side& coder, std::string detail) const {
  RoundtripFailure found;
  found.fault = fault;
  found.coder = coder.name();
  found.chunk = chunk_.number;
  found.chunk_offset = chunk_.offset;
  found.detail = std::move(detail);
  return found;
}

}  // namespace tdz
