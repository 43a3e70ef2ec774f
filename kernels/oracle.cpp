// SPDX-License-Identifier: Apache-2.0
#include "kernels/oracle.hpp"

#include <algorithm>

namespace tdz::oracle {
namespace {

using Bytes = std::vector<std::uint8_t>;
using Words = std::vector<std::uint64_t>;  // of w bytes each: all sums are mod 2^(8w)

/// Reads the bytes as words x[0], x[1], ..., lets `change` change them, and writes them back.
template <class Change>
void change_words(std::size_t w, Bytes& bytes, const Change& change) {
  Words x(bytes.size() / w, 0);
  for (std::size_t i = 0; i < x.size() * w; ++i) x[i / w] |= std::uint64_t{bytes[i]} << (i % w * 8);
  change(x);
  for (std::size_t i = 0; i < x.size() * w; ++i)
    bytes[i] = static_cast<std::uint8_t>(x[i / w] >> (i % w * 8));
}

void byteswap(std::size_t w, Words& x) {
  for (std::uint64_t& r : x) {
    std::uint64_t swapped = 0;
    for (std::size_t b = 0; b < w; ++b) swapped |= (r >> (b * 8) & 0xFF) << ((w - 1 - b) * 8);
    r = swapped;
  }
}

void difference(const DifferenceStep& step, Words& x) {
  for (unsigned k = 0; k < step.order; ++k) {
    for (std::size_t i = x.size(); i-- > step.tuple;) x[i] -= x[i - step.tuple];
  }
}

void integrate(const DifferenceStep& step, Words& x) {
  for (unsigned k = 0; k < step.order; ++k) {
    for (std::size_t i = step.tuple; i < x.size(); ++i) x[i] += x[i - step.tuple];
  }
}

void zigzag(std::size_t w, Words& x) {
  for (std::uint64_t& r : x) r = (r << 1) ^ ((r >> (8 * w - 1) & 1) != 0 ? ~std::uint64_t{0} : 0);
}

void unzigzag(Words& x) {
  for (std::uint64_t& r : x) r = (r >> 1) ^ ((r & 1) != 0 ? ~std::uint64_t{0} : 0);
}

/// The bytes of n words in the order of byte planes, lane by lane, each as its old place.
std::vector<std::size_t> order_of_planes(std::size_t tuple, std::size_t w, std::size_t n) {
  std::vector<std::size_t> order;
  order.reserve(n * w);
  const std::size_t lanes = std::min(tuple, n);  // so i + lanes fits std::size_t of 32 bits too
  for (std::size_t lane = 0; lane < lanes; ++lane) {
    for (std::size_t b = 0; b < w; ++b) {
      for (std::size_t i = lane; i < n; i += lanes) order.push_back(i * w + b);
    }
  }
  return order;
}

/// The bits of n words in the order of bit planes. The last n % 8 words stay where they are, and are not
/// listed.
std::vector<std::size_t> order_of_bit_planes(std::size_t w, std::size_t n) {
  std::vector<std::size_t> order;
  order.reserve(n * w * 8);
  for (std::size_t bit = 0; bit < 8 * w; ++bit) {
    for (std::size_t i = 0; i < n - n % 8; ++i) order.push_back(i * w * 8 + bit);
  }
  return order;
}

void move_bytes(const std::vector<std::size_t>& order, Bytes& bytes, bool inverse) {
  Bytes moved(order.size(), 0);
  for (std::size_t k = 0; k < order.size(); ++k) {
    const std::size_t from = inverse ? k : order[k], to = inverse ? order[k] : k;
    moved[to] = bytes[from];
  }
  for (std::size_t i = 0; i < moved.size(); ++i) bytes[i] = moved[i];
}

void move_bits(const std::vector<std::size_t>& order, Bytes& bytes, bool inverse) {
  Bytes moved(order.size() / 8, 0);
  for (std::size_t k = 0; k < order.size(); ++k) {
    const std::size_t from = inverse ? k : order[k], to = inverse ? order[k] : k;
    moved[to / 8] |= static_cast<std::uint8_t>((bytes[from / 8] >> (from % 8) & 1) << (to % 8));
  }
  for (std::size_t i = 0; i < moved.size(); ++i) bytes[i] = moved[i];
}

struct Apply {
  std::size_t w;
  Bytes& bytes;
  bool inverse;

  std::size_t words() const { return bytes.size() / w; }

  void operator()(const ByteswapStep&) const {
    change_words(w, bytes, [&](Words& x) { byteswap(w, x); });
  }
  void operator()(const DifferenceStep& step) const {
    change_words(w, bytes, [&](Words& x) { inverse ? integrate(step, x) : difference(step, x); });
  }
  void operator()(const ZigzagStep&) const {
    change_words(w, bytes, [&](Words& x) { inverse ? unzigzag(x) : zigzag(w, x); });
  }
  void operator()(const PlanesStep&) const { move_bytes(order_of_planes(1, w, words()), bytes, inverse); }
  void operator()(const TuplePlanesStep& step) const {
    move_bytes(order_of_planes(step.tuple, w, words()), bytes, inverse);
  }
  void operator()(const BitPlanesStep&) const { move_bits(order_of_bit_planes(w, words()), bytes, inverse); }
  template <class OtherStep>
  void operator()(const OtherStep&) const {}  // those that no pass has have an oracle of their own
};

}  // namespace

Bytes forward(const Column& column, Bytes bytes) {
  for (const PlanStep& step : column.steps) std::visit(Apply{column.width, bytes, false}, step);
  return bytes;
}

Bytes inverse(const Column& column, Bytes bytes) {
  for (std::size_t k = column.steps.size(); k-- > 0;)
    std::visit(Apply{column.width, bytes, true}, column.steps[k]);
  return bytes;
}

}  // namespace tdz::oracle
