// SPDX-License-Identifier: Apache-2.0
#include "codec/roundtrip/roundtrip.hpp"

#include <algorithm>
#include <cstring>
#include <utility>

#include "codec/stream/options.hpp"

namespace tdz {

// ---- Mismatches

namespace {

constexpr std::size_t kNeighbours = 4;

std::size_t width_of(const Plan& plan) {
  return plan.columns.size() == 1 ? plan.columns[0].width : 1;
}

/// The numbers that stand side by side: of a tuple or a row.
std::uint32_t lanes_of(const Plan& plan) {
  if (plan.columns.size() != 1) return static_cast<std::uint32_t>(row_bytes(plan));
  return shortest_tuple(plan.columns[0]);
}

/// The number at byte `at`. At the end it may have fewer bytes than a word.
std::uint64_t number_at(std::span<const std::byte> bytes, std::size_t at, std::size_t word) {
  std::uint64_t number = 0;
  for (std::size_t i = 0; i < std::min(word, bytes.size() - at); ++i) {
    number |= std::to_integer<std::uint64_t>(bytes[at + i]) << (8 * i);
  }
  return number;
}

/// Original and restored bytes as numbers.
struct Comparison {
  const PlacedChunk& original;
  std::span<const std::byte> restored;
  std::size_t word;
  std::uint32_t tuple;

  std::size_t values() const { return (restored.size() + word - 1) / word; }
  ComparedValue value(std::size_t index) const {
    return {original.offset / word + index, static_cast<std::uint32_t>(index % tuple),
            number_at(original.bytes, index * word, word), number_at(restored, index * word, word)};
  }
};

}  // namespace

std::optional<Mismatch> first_mismatch(const PlacedChunk& original, std::span<const std::byte> restored,
                                       const Plan& plan) {
  const std::span<const std::byte> wanted = original.bytes;
  if (wanted.empty() || std::memcmp(wanted.data(), restored.data(), wanted.size()) == 0) return std::nullopt;
  const auto place = std::ranges::mismatch(wanted, restored).in1 - wanted.begin();
  const Comparison both{original, restored, width_of(plan), lanes_of(plan)};
  const std::size_t index = static_cast<std::size_t>(place) / both.word;

  Mismatch mismatch;
  mismatch.first = both.value(index);
  mismatch.offset = original.offset + index * both.word;
  mismatch.width = static_cast<std::uint8_t>(std::min(both.word, wanted.size() - index * both.word));
  const std::size_t end = std::min(index + kNeighbours + 1, both.values());
  for (std::size_t i = index - std::min(index, kNeighbours); i < end; ++i) {
    mismatch.around.push_back(both.value(i));
  }
  return mismatch;
}

// ---- The round trip

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

/// True if every byte of a row still holds the complement: nothing wrote there. (The bytes after the last row
/// are not coded, only copied.)
bool untouched(std::span<const std::byte> restored, std::span<const std::byte> original, const Plan& plan) {
  const std::size_t rows = original.size() / row_bytes(plan) * row_bytes(plan);
  return std::ranges::equal(restored.first(rows), original.first(rows),
                            [](std::byte left, std::byte was) { return left == ~was; });
}

/// The longest front whose lanes consist of whole uniform blocks: what a device codes. Empty, if there is
/// none.
PlacedChunk front_of_blocks(PlacedChunk chunk, const Plan& gpu) {
  const std::uint64_t unit = uniform_unit(gpu, ~std::uint64_t{0});
  chunk.bytes = chunk.bytes.first(static_cast<std::size_t>(chunk.bytes.size() / unit * unit));
  return chunk;
}

}  // namespace

RoundtripTester::RoundtripTester(std::vector<RoundtripSide> sides) {
  for (RoundtripSide& side : sides) sides_.push_back({std::move(side), {}});
}

Result<RoundtripOutcome> RoundtripTester::test(const PlacedChunk& chunk, const Plan& plan, int level) {
  whole_ = chunk;
  cell_ = plan;
  level_ = level;
  const auto takes_gpu_frames = [](const Side& side) { return side.way.takes_gpu_frames; };
  const auto gpu = std::ranges::any_of(sides_, takes_gpu_frames) ? gpu_plan(plan) : std::nullopt;
  for (Side& side : sides_) side.takes_part = !gpu || !takes_gpu_frames(side);
  RoundtripOutcome outcome;
  Status done = test_in(plan, chunk, Frames::general, outcome);
  if (done && gpu) done = test_gpu_frames(*gpu, outcome);
  if (!done) return done.error();
  return outcome;
}

/// All sides, on the whole chunk. Its lanes may end within a block; a device restores such chunks, but codes
/// none. So a front of whole blocks is tested too.
Status RoundtripTester::test_gpu_frames(const Plan& gpu, RoundtripOutcome& outcome) {
  for (Side& side : sides_) side.takes_part = true;
  const std::size_t before = outcome.failures.size();
  if (auto done = test_in(gpu, whole_, Frames::for_gpu, outcome); !done) return done;
  const PlacedChunk front = front_of_blocks(whole_, gpu);
  const bool other = !front.bytes.empty() && front.bytes.size() != whole_.bytes.size();
  if (!other || outcome.failures.size() != before) return ok();
  return test_in(gpu, front, Frames::for_gpu, outcome);
}

/// The sides that take part, in this plan.
Status RoundtripTester::test_in(const Plan& plan, const PlacedChunk& chunk, Frames frames,
                                RoundtripOutcome& outcome) {
  chunk_ = chunk;
  plan_ = plan;
  frames_ = frames;
  for (Side& side : sides_) {
    if (auto done = code(side, outcome); !done) return done;
  }
  const auto first = std::ranges::find(sides_, true, &Side::coded);
  if (first == sides_.end()) return ok();
  if (outcome.packed_bytes == 0) outcome.packed_bytes = first->encoded.packed.size();
  for (const Side& side : sides_) compare_coded(*first, side, outcome);
  for (const Side& side : sides_) {
    if (!side.coded || !first_of_its_kind(side)) continue;
    if (auto done = restore_by_all(side, outcome); !done) return done;
  }
  return ok();
}

Status RoundtripTester::code(Side& side, RoundtripOutcome& outcome) {
  side.coded = false;
  if (!side.takes_part) return ok();
  const auto done = side.way.encode(chunk_.bytes, plan_, level_, side.encoded);
  side.coded = static_cast<bool>(done);
  if (side.coded) return done;
  if (done.error().kind == ErrorKind::limit) return done;
  outcome.failures.push_back(failure(RoundtripFault::coding, side, done.error().message));
  return ok();
}

void RoundtripTester::compare_coded(const Side& first, const Side& other, RoundtripOutcome& outcome) const {
  if (!other.coded || same_bytes(first.encoded, other.encoded)) return;
  auto found = failure(RoundtripFault::disagreement, first, difference_text(first.encoded, other.encoded));
  found.restorer = other.way.name;
  outcome.failures.push_back(std::move(found));
}

/// True if no side before this one coded the chunk in the same bytes. Equal bytes are restored only once by
/// each side.
bool RoundtripTester::first_of_its_kind(const Side& side) const {
  const auto same = [&](const Side& other) { return other.coded && same_bytes(other.encoded, side.encoded); };
  return &*std::ranges::find_if(sides_, same) == &side;
}

Status RoundtripTester::restore_by_all(const Side& coder, RoundtripOutcome& outcome) {
  for (Side& restorer : sides_) {
    if (!restorer.takes_part) continue;
    if (auto done = restore(coder, restorer, outcome); !done) return done;
  }
  return ok();
}

Status RoundtripTester::restore(const Side& coder, Side& restorer, RoundtripOutcome& outcome) {
  const auto restored = restored_.take(chunk_.bytes.size());
  std::ranges::transform(chunk_.bytes, restored.begin(), [](std::byte b) { return ~b; });
  const auto done = restorer.way.decode(coder.encoded, plan_, restored);
  if (!done && done.error().kind == ErrorKind::limit) return done;
  auto mismatch = first_mismatch(chunk_, restored, cell_);
  if (done && !mismatch) return ok();
  // After a wrong digest there are wrong bytes to show. With damaged frames or a lost device there may be
  // none.
  const bool shown =
      mismatch &&
      (done || (done.error().kind == ErrorKind::corrupt && !untouched(restored, chunk_.bytes, plan_)));
  auto found = failure(shown ? RoundtripFault::wrong_value : RoundtripFault::restoring, coder,
                       done ? std::string() : done.error().message);
  found.restorer = restorer.way.name;
  if (shown) found.mismatch = std::move(mismatch);
  outcome.failures.push_back(std::move(found));
  return ok();
}

RoundtripFailure RoundtripTester::failure(RoundtripFault fault, const Side& coder,
                                          const std::string& detail) const {
  RoundtripFailure found;
  found.fault = fault;
  found.coder = coder.way.name;
  found.chunk = chunk_.number;
  found.chunk_offset = chunk_.offset;
  if (frames_ == Frames::for_gpu) found.detail = detail.empty() ? "frames for a GPU" : "frames for a GPU: ";
  found.detail += detail;
  return found;
}

}  // namespace tdz
