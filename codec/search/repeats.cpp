// SPDX-License-Identifier: Apache-2.0
#include "codec/search/repeats.hpp"

#include <algorithm>
#include <array>
#include <bitset>
#include <vector>

#include "formats/bytes.hpp"

namespace tdz {
namespace {

constexpr std::uint64_t kShortest = std::uint64_t{64} << 10;  // shorter distances show in samples
constexpr std::size_t kReadAtOnce = std::size_t{256} << 10;   // bytes that are read at once
constexpr std::size_t kAnchors = 12;
constexpr std::size_t kEnough = 4;            // anchors that stand again
constexpr std::size_t kKey = 8;               // bytes
constexpr std::size_t kSame = 4096;           // bytes that must be the same
constexpr std::size_t kLookedThrough = 1024;  // bytes in which an anchor is chosen
constexpr std::size_t kMostChecks = 32;       // places of one anchor that are compared
constexpr std::size_t kAlike =
    64;  // bytes that must be the same before that: keys of smooth numbers are frequent
constexpr std::uint64_t kRegion = std::uint64_t{16} << 20;
constexpr std::size_t kPeriods = 192;  // bytes; a multiple of every usual word and of short records

// Every eighth place is looked at, so each anchor has the keys of eight places. With more of them, keys that
// are frequent use up an anchor's checks.
constexpr std::size_t kStride = 8;
constexpr std::size_t kGroup = 4;  // places that are looked at with one branch

/// A place whose bytes are looked for elsewhere.
struct Anchor {
  std::uint64_t at = 0;
  std::array<std::byte, kAlike> bytes{};
  std::uint64_t distance = 0;  // the shortest one that was found, or 0
  std::size_t checks = 0;
};

/// The bytes that stand `shift` bytes behind an anchor.
struct Key {
  std::uint64_t bytes = 0;
  std::size_t anchor = 0;
  std::size_t shift = 0;
};

constexpr unsigned kDigestBits = 14;

/// So short that a byte for each digest stays in the first cache.
std::size_t digest_of(std::uint64_t key) {
  return static_cast<std::size_t>(key * 0x9E3779B97F4A7C15u >> (64 - kDigestBits));
}

class Repeats {
 public:
  Repeats(RandomAccess& input, std::uint64_t offset)
      : input_(input), begin_(offset), end_(std::min(input.size(), offset + kRegion)) {}

  Result<std::uint64_t> run() {
    if (end_ < begin_ + 2 * kShortest) return std::uint64_t{0};
    if (auto done = place_anchors(); !done) return done.error();
    if (auto done = look(); !done) return done.error();
    return usual_distance();
  }

 private:
  Status place_anchors() {
    for (std::size_t k = 0; k < kAnchors; ++k) {
      const std::uint64_t at = begin_ + (end_ - begin_ - kSame) * (2 * k + 1) / (2 * kAnchors);
      if (auto done = place_anchor_near(at); !done) return done;
    }
    std::ranges::stable_sort(keys_, {}, &Key::bytes);
    note_keys();
    return ok();
  }

  void note_keys() {
    seen_.fill(false);
    for (const Key& key : keys_) seen_[digest_of(key.bytes)] = true;
  }

  /// Eight bytes with many different values stand elsewhere by chance only rarely. One value that fills a
  /// stretch says nothing about long distances: no anchor stands there.
  Status place_anchor_near(std::uint64_t at) {
    std::array<std::byte, kLookedThrough> bytes;
    if (auto done = input_.read_at(at, bytes); !done) return done;
    if (is_filled(bytes)) return ok();
    std::size_t best = 0, most = 0;
    for (std::size_t i = 0; i + kAlike <= bytes.size(); i += kKey) {
      std::bitset<256> values;
      for (const std::byte b : std::span(bytes).subspan(i, kKey)) values.set(std::to_integer<std::size_t>(b));
      if (values.count() > most) most = values.count(), best = i;
    }
    for (std::size_t shift = 0; shift < kStride; ++shift) {
      keys_.push_back({key_at(bytes, best + shift), anchors_.size(), shift});
    }
    Anchor& anchor = anchors_.emplace_back(Anchor{.at = at + best});
    std::ranges::copy(std::span(bytes).subspan(best, kAlike), anchor.bytes.begin());
    return ok();
  }

  static bool is_filled(std::span<const std::byte> bytes) {
    return std::ranges::equal(bytes.first(bytes.size() - kPeriods), bytes.subspan(kPeriods));
  }

  static std::uint64_t key_at(std::span<const std::byte> bytes, std::size_t i) {
    return formats::get_le<std::uint64_t>(bytes.subspan(i, kKey));
  }

  Status look() {
    std::vector<std::byte> block(kReadAtOnce);
    for (std::uint64_t at = begin_; at + kKey <= end_; at += kReadAtOnce - kKey) {
      const auto bytes =
          std::span(block).first(static_cast<std::size_t>(std::min<std::uint64_t>(kReadAtOnce, end_ - at)));
      if (auto done = input_.read_at(at, bytes); !done) return done;
      if (auto done = look_at(at, bytes); !done) return done;
    }
    return ok();
  }

  Status look_at(std::uint64_t at, std::span<const std::byte> bytes) {
    for (std::size_t i = 0; i + kKey <= bytes.size(); i += kStride) {
      while (i + kGroup * kStride <= bytes.size() && !may_be_keys(bytes.subspan(i))) i += kGroup * kStride;
      if (i + kKey > bytes.size()) break;
      const std::uint64_t found = key_at(bytes, i);
      if (!seen_[digest_of(found)]) continue;
      bool settled = false;
      auto key = std::ranges::lower_bound(keys_, found, {}, &Key::bytes);
      for (; key != keys_.end() && key->bytes == found; ++key) {
        if (at + i < begin_ + key->shift) continue;
        Anchor& anchor = anchors_[key->anchor];
        if (differs(anchor, bytes, i, key->shift)) continue;
        if (auto done = check(anchor, at + i - key->shift); !done) return done;
        settled = settled || is_settled(anchor, at + i);
      }
      if (settled) forget_settled(at + i);
    }
    return ok();
  }

  /// Is one of the next kGroup places a key? One branch for all of them.
  bool may_be_keys(std::span<const std::byte> bytes) const {
    bool any = false;
    for (std::size_t k = 0; k < kGroup; ++k) any |= seen_[digest_of(key_at(bytes, k * kStride))];
    return any;
  }

  /// The bytes that begin `shift` before place i are others than the anchor's. Unknown at the ends of a
  /// block: false.
  static bool differs(const Anchor& anchor, std::span<const std::byte> bytes, std::size_t i,
                      std::size_t shift) {
    if (i < shift || i - shift + kAlike > bytes.size()) return false;
    return !std::ranges::equal(bytes.subspan(i - shift, kAlike), anchor.bytes);
  }

  /// No place behind `at` can give a shorter distance.
  static bool is_settled(const Anchor& anchor, std::uint64_t at) {
    return anchor.checks == kMostChecks || (anchor.distance != 0 && at > anchor.at + anchor.distance);
  }

  /// Keys of anchors that are settled only take time, in particular where one value fills long stretches.
  void forget_settled(std::uint64_t at) {
    std::erase_if(keys_, [&](const Key& key) { return is_settled(anchors_[key.anchor], at); });
    note_keys();
  }

  Status check(Anchor& anchor, std::uint64_t at) {
    const std::uint64_t distance = at < anchor.at ? anchor.at - at : at - anchor.at;
    const bool shorter = anchor.distance == 0 || distance < anchor.distance;
    const bool inside = std::max(at, anchor.at) + kSame <= end_;
    if (distance < kShortest || !shorter || !inside || anchor.checks == kMostChecks) return ok();
    ++anchor.checks;
    std::array<std::byte, kSame> here, there;
    if (auto done = input_.read_at(anchor.at, here); !done) return done;
    if (auto done = input_.read_at(at, there); !done) return done;
    if (here == there) anchor.distance = distance;
    return ok();
  }

  /// The one in the middle of those that were found.
  std::uint64_t usual_distance() const {
    std::vector<std::uint64_t> found;
    for (const Anchor& anchor : anchors_)
      if (anchor.distance != 0) found.push_back(anchor.distance);
    if (found.size() < kEnough) return 0;
    std::ranges::sort(found);
    return found[found.size() / 2];
  }

  RandomAccess& input_;
  const std::uint64_t begin_, end_;
  std::vector<Anchor> anchors_;
  std::vector<Key> keys_;
  std::array<bool, 1u << kDigestBits> seen_{};
};

}  // namespace

namespace {

constexpr std::size_t kMatch = 16;    // bytes that stand again
constexpr unsigned kPlacesBits = 15;  // of a table of places
constexpr std::uint64_t kEachSixteenth = 15;

}  // namespace

Result<Matches> matches_in(RandomAccess& input) {
  std::vector<std::byte> all(static_cast<std::size_t>(input.size()));
  if (auto done = input.read_at(0, all); !done) return done.error();
  const std::span<const std::byte> bytes = all;
  std::vector<std::uint32_t> places(std::size_t{1} << kPlacesBits, 0);
  Matches matches;
  for (std::size_t i = 0; i + kMatch <= bytes.size(); ++i) {
    const std::uint64_t word = formats::get_le<std::uint64_t>(bytes.subspan(i, 8));
    const std::uint64_t hash = word * 0x9E3779B97F4A7C15u;
    if ((hash >> 16 & kEachSixteenth) != 0) continue;  // chosen by what stands there, so copies agree
    std::uint32_t& place = places[static_cast<std::size_t>(hash >> (64 - kPlacesBits))];
    const bool run = word == (word & 0xFF) * 0x0101010101010101u;
    ++matches.places;
    matches.others += !run;
    if (place != 0 && std::ranges::equal(bytes.subspan(place - 1, kMatch), bytes.subspan(i, kMatch))) {
      ++matches.found;
      matches.found_of_others += !run;
    }
    place = static_cast<std::uint32_t>(i + 1);
  }
  return matches;
}

Result<std::uint64_t> repeat_distance(RandomAccess& input, std::uint64_t offset) {
  return Repeats(input, offset).run();
}

}  // namespace tdz
