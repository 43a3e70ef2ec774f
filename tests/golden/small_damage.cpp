// SPDX-License-Identifier: Apache-2.0
// Does every small damage to a golden stream give the right kind of error, and never wrong bytes with
// success? Tests a sample of all damages; with TDZ_TEST_FULL=1 all of them.
#include <doctest/doctest.h>

#include <cstdlib>
#include <set>

#include "tests/golden/cases.hpp"
#include "tests/golden/stored.hpp"

using namespace tdz;
using namespace tdz::test;

namespace {

/// The places to test, of so many: with TDZ_TEST_FULL=1 all, else about `sample`.
class Places {
 public:
  Places(std::size_t count, std::size_t sample) : count_(count) {
    if (std::getenv("TDZ_TEST_FULL") == nullptr) step_ = count / sample + 1;
  }
  void for_each(auto visit) const {
    for (std::size_t place = count_ % step_; place < count_; place += step_) visit(place);
  }

 private:
  std::size_t count_;
  std::size_t step_ = 1;
};

/// Decodes in all ways; each that succeeds must give the original. Returns the kinds of the errors.
std::set<ErrorKind> errors_of(const Bytes& damaged, const Bytes& original) {
  std::set<ErrorKind> kinds;
  for (const bool compared : {false, true}) {
    auto options = one_thread();
    options.compare_digest = compared;
    const auto result = decompress(damaged, options);
    if (result) {
      CHECK(*result == original);
    } else {
      kinds.insert(result.error().kind);
    }
  }
  return kinds;
}

void for_each_golden(std::size_t sample, auto test) {
  const auto cases = golden_cases();
  for (const auto& golden : cases) {
    INFO("golden stream ", golden.name);
    test(golden.original, stored_golden(golden.name), sample / cases.size());
  }
}

const std::set<ErrorKind> kCorrupt = {ErrorKind::corrupt};
const std::set<ErrorKind> kTruncated = {ErrorKind::truncated};

/// The zstd frames of a stream in order, including its records.
std::vector<Bytes> frames_of(const Bytes& stream) {
  std::vector<Bytes> frames;
  auto cut = [&, rest = std::span<const std::byte>(stream)](std::size_t length) mutable {
    frames.emplace_back(rest.begin(), rest.begin() + static_cast<std::ptrdiff_t>(length));
    rest = rest.subspan(length);
  };
  for (const Piece& piece : dissect(stream)) {
    const auto record = static_cast<std::size_t>(formats::read_prefix(piece.bytes, 0)->total_bytes);
    const auto bytes = std::span(piece.bytes).first(record);
    cut(record);
    if (piece.kind != formats::RecordKind::chunk) continue;
    for (const auto& frame : formats::parse_chunk(bytes, {}, 0).value().frames) cut(frame.packed);
  }
  return frames;
}

Bytes joined(const std::vector<Bytes>& frames) {
  Bytes all;
  for (const Bytes& frame : frames) all.insert(all.end(), frame.begin(), frame.end());
  return all;
}

}  // namespace

TEST_CASE("every truncation of a golden stream is truncated") {
  for_each_golden(6000, [](const Bytes& original, const Bytes& stored, std::size_t sample) {
    Places(stored.size(), sample).for_each([&](std::size_t length) {
      INFO("cut to ", length);
      CHECK(errors_of({stored.begin(), stored.begin() + static_cast<std::ptrdiff_t>(length)}, original) ==
            kTruncated);
    });
  });
}

TEST_CASE("every flipped bit of a golden stream is corrupt, or harmless") {
  for_each_golden(24000, [](const Bytes& original, const Bytes& stored, std::size_t sample) {
    Bytes damaged = stored;
    Places(stored.size() * 8, sample).for_each([&](std::size_t bit) {
      INFO("bit ", bit % 8, " of byte ", bit / 8);
      damaged[bit / 8] ^= static_cast<std::byte>(1u << (bit % 8));
      const auto kinds = errors_of(damaged, original);
      CHECK((kinds.empty() || kinds == kCorrupt));
      damaged[bit / 8] = stored[bit / 8];
    });
  });
}

TEST_CASE("every byte of a golden stream set to 00 or FF is corrupt, or harmless") {
  for_each_golden(6000, [](const Bytes& original, const Bytes& stored, std::size_t sample) {
    Bytes damaged = stored;
    Places(stored.size() * 2, sample).for_each([&](std::size_t place) {
      INFO("byte ", place / 2);
      damaged[place / 2] = place % 2 == 0 ? std::byte{0x00} : std::byte{0xFF};
      const auto kinds = errors_of(damaged, original);
      CHECK((kinds.empty() || kinds == kCorrupt));
      damaged[place / 2] = stored[place / 2];
    });
  });
}

TEST_CASE(
    "a golden stream with any frame dropped, doubled, or swapped with the next is never taken for whole") {
  for_each_golden(1, [](const Bytes& original, const Bytes& stored, std::size_t) {
    const auto frames = frames_of(stored);
    REQUIRE(joined(frames) == stored);
    for (std::size_t n = 0; n < frames.size(); ++n) {
      INFO("frame ", n, " of ", frames.size());
      const auto here = static_cast<std::ptrdiff_t>(n);
      auto dropped = frames, doubled = frames, swapped = frames;
      dropped.erase(dropped.begin() + here);
      doubled.insert(doubled.begin() + here, frames[n]);
      if (n + 1 < frames.size()) std::swap(swapped[n], swapped[n + 1]);
      CHECK_FALSE(errors_of(joined(dropped), original).empty());
      CHECK_FALSE(errors_of(joined(doubled), original).empty());
      CHECK(errors_of(joined(swapped), original).empty() == (swapped == frames));
      for (const auto& damaged : {dropped, doubled, swapped}) {
        for (const ErrorKind kind : errors_of(joined(damaged), original)) {
          CHECK((kind == ErrorKind::corrupt || kind == ErrorKind::truncated));
        }
      }
    }
  });
}
