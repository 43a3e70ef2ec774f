// SPDX-License-Identifier: Apache-2.0
#include "app/bench/measure/made_numbers.hpp"

#include <algorithm>

namespace tdz::app::bench {
namespace {

/// A linear congruential generator modulo 2^64 (Knuth's multiplier). Its upper half is used.
class Random {
 public:
  explicit Random(std::uint64_t seed) : state_(seed * 2 + 1) { next(); }
  std::uint64_t next() {
    state_ = state_ * 6364136223846793005u + 1442695040888963407u;
    return state_ >> 32 | state_ << 32;
  }
  /// -2^(bits-1) .. 2^(bits-1) - 1, as a word that wraps around.
  std::uint64_t noise(unsigned bits) {
    return bits == 0 ? 0 : (next() >> (64 - bits)) - (std::uint64_t{1} << (bits - 1));
  }

 private:
  std::uint64_t state_;
};

/// One lane. Each call gives a number; its lower bits count.
class Lane {
 public:
  Lane(Kind kind, unsigned word, std::uint64_t seed) : kind_(kind), bits_(8 * word), random_(seed) {
    value_ = random_.noise(62);
  }

  std::uint64_t next() {
    switch (kind_) {
      case Kind::smooth:
        return smooth();
      case Kind::noisy:
        return value_ += random_.noise(bits_ - 2);
      case Kind::stepped:
        return stepped();
    }
    return value_;
  }

 private:
  /// A pendulum. A swing takes 400 numbers; its state has 64 bits for every word. The noise has an eighth of
  /// the word's bits.
  std::uint64_t smooth() {
    const auto place = static_cast<std::int64_t>(value_);
    speed_ -= static_cast<std::uint64_t>(place / 4096);
    value_ += speed_;
    return (value_ >> (64 - bits_)) + random_.noise(bits_ / 8);
  }
  std::uint64_t stepped() {
    if (random_.next() % 64 == 0) value_ = random_.next();
    return value_;
  }

  Kind kind_;
  unsigned bits_;
  Random random_;
  std::uint64_t value_ = 0, speed_ = 0;
};

void put(std::vector<std::byte>& out, std::uint64_t value, unsigned word) {
  for (unsigned b = 0; b < word; ++b) out.push_back(static_cast<std::byte>(value >> (8 * b)));
}

}  // namespace

std::string_view kind_name(Kind kind) {
  switch (kind) {
    case Kind::smooth:
      return "smooth";
    case Kind::noisy:
      return "noisy";
    case Kind::stepped:
      return "stepped";
  }
  return "";
}

std::vector<std::byte> made_numbers(Kind kind, const NumberType& type, std::size_t bytes) {
  const std::uint64_t row = std::uint64_t{type.word} * type.tuple;
  std::vector<Lane> lanes;
  for (std::uint32_t lane = 0; lane < type.tuple; ++lane) lanes.emplace_back(kind, type.word, lane + 1);
  std::vector<std::byte> out;
  const std::uint64_t rows = std::max<std::uint64_t>(bytes / row, 1);
  out.reserve(static_cast<std::size_t>(rows * row));
  for (std::uint64_t i = 0; i < rows; ++i) {
    for (Lane& lane : lanes) put(out, lane.next(), type.word);
  }
  return out;
}

}  // namespace tdz::app::bench
