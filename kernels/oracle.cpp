// SPDX-License-Identifier: Apache-2.0
#include "kernels/oracle.hpp"

#include <algorithm>

namespace tdz::oracle {
namespace {

using Bytes = std::vector<std::uint8_t>;

/// A step that changes numbers, on every word x[i], i < n, of the bytes. All sums are mod 2^(8w).
void change_words(const Step& step, std::size_t w, Bytes& bytes, bool inverse) {
  std::vector<std::uint64_t> x(bytes.size() / w, 0);
  const std::uint64_t mask = ~std::uint64_t{0} >> (64 - 8 * w);
  for (std::size_t i = 0; i < x.size() * w; ++i) x[i / w] |= std::uint64_t{bytes[i]} << (i % w * 8);
  for (unsigned k = 0; k < step.order; ++k) {
    if (inverse) {
      for (std::size_t i = step.tuple; i < x.size(); ++i) x[i] += x[i - step.tuple];
    } else {
      for (std::size_t i = x.size(); i-- > step.tuple;) x[i] -= x[i - step.tuple];
    }
  }
  for (std::uint64_t& r : x) {
    if (step.id != StepId::zigzag) continue;
    const bool negative = (inverse ? r : r >> (8 * w - 1)) & 1;
    r = (inverse ? (r & mask) >> 1 : r << 1) ^ (negative ? mask : 0);
  }
  for (std::size_t i = 0; i < x.size() * w; ++i) {
    bytes[i] =
        static_cast<std::uint8_t>(x[i / w] >> ((step.id == StepId::byteswap ? w - 1 - i % w : i % w) * 8));
  }
}

/// A step that moves bits: the bits in their new order, each as its old place, but for those that stay at the
/// end.
std::vector<std::size_t> new_order(const Step& step, std::size_t w, std::size_t n) {
  std::vector<std::size_t> order;
  const std::size_t lanes = step.id == StepId::tuple_planes ? std::min<std::size_t>(step.tuple, n) : 1;
  for (std::size_t lane = 0; lane < lanes && step.id != StepId::bit_planes; ++lane) {
    for (std::size_t b = 0; b < w; ++b) {
      for (std::size_t i = lane; i < n; i += lanes) {
        for (std::size_t bit = 0; bit < 8; ++bit) order.push_back((i * w + b) * 8 + bit);
      }
    }
  }
  for (std::size_t bit = 0; bit < 8 * w && step.id == StepId::bit_planes; ++bit) {
    for (std::size_t i = 0; i < n - n % 8; ++i) order.push_back(i * w * 8 + bit);
  }
  return order;
}

void move_bits(const Step& step, std::size_t w, Bytes& bytes, bool inverse) {
  const std::vector<std::size_t> order = new_order(step, w, bytes.size() / w);
  Bytes moved(order.size() / 8, 0);
  for (std::size_t k = 0; k < order.size(); ++k) {
    const std::size_t from = inverse ? k : order[k], to = inverse ? order[k] : k;
    moved[to / 8] |= static_cast<std::uint8_t>((bytes[from / 8] >> (from % 8) & 1) << (to % 8));
  }
  for (std::size_t i = 0; i < moved.size(); ++i) bytes[i] = moved[i];
}

void apply(const Step& step, std::size_t w, Bytes& bytes, bool inverse) {
  const bool moves = step.id >= StepId::planes;
  moves ? move_bits(step, w, bytes, inverse) : change_words(step, w, bytes, inverse);
}

}  // namespace

Bytes forward(const Transform& transform, Bytes bytes) {
  for (const Step& step : transform.steps()) apply(step, transform.word, bytes, false);
  return bytes;
}

Bytes inverse(const Transform& transform, Bytes bytes) {
  for (std::size_t k = transform.step_count; k-- > 0;)
    apply(transform.storage[k], transform.word, bytes, true);
  return bytes;
}

}  // namespace tdz::oracle
