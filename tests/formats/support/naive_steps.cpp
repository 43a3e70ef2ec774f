// SPDX-License-Identifier: Apache-2.0
#include "naive_steps.hpp"

#include <algorithm>

namespace tdz::test {
namespace {

using Words = std::vector<std::uint64_t>;

Words read_words(const Bytes& bytes, std::size_t w) {
  Words words(bytes.size() / w);
  for (std::size_t i = 0; i < words.size() * w; ++i)
    words[i / w] |= std::to_integer<std::uint64_t>(bytes[i]) << (8 * (i % w));
  return words;
}

std::byte byte_of(std::uint64_t word, std::size_t b) {
  return static_cast<std::byte>(word >> (8 * b));
}

Bytes words_in_order(const Words& x, std::size_t w) {
  Bytes out;
  for (const std::uint64_t word : x) {
    for (std::size_t b = 0; b < w; ++b) out.push_back(byte_of(word, b));
  }
  return out;
}

Bytes byteswap(const Words& x, std::size_t w) {
  Bytes out;
  for (const std::uint64_t word : x) {
    for (std::size_t b = w; b-- > 0;) out.push_back(byte_of(word, b));
  }
  return out;
}

Bytes difference(Words x, std::size_t w, const Step& step) {
  for (unsigned pass = 0; pass < step.order; ++pass) {
    for (std::size_t i = x.size(); i-- > step.tuple;) x[i] -= x[i - step.tuple];
  }
  return words_in_order(x, w);
}

Bytes zigzag(Words x, std::size_t w) {
  for (std::uint64_t& word : x) {
    const bool negative = (word >> (8 * w - 1) & 1) != 0;
    word = (word << 1) ^ (negative ? ~std::uint64_t{0} : 0);
  }
  return words_in_order(x, w);
}

Bytes tuple_planes(const Words& x, std::size_t w, std::size_t tuple) {
  const std::size_t lanes = std::min(tuple, x.size());
  Bytes out;
  for (std::size_t lane = 0; lane < lanes; ++lane) {
    for (std::size_t b = 0; b < w; ++b) {
      for (std::size_t i = lane; i < x.size(); i += lanes) out.push_back(byte_of(x[i], b));
    }
  }
  return out;
}

Bytes bit_planes(const Words& x, std::size_t w) {
  const std::size_t m = x.size() - x.size() % 8;
  Bytes out(m * w);
  for (std::size_t b = 0; b < 8 * w; ++b) {
    for (std::size_t i = 0; i < m; ++i)
      out[b * (m / 8) + i / 8] |= static_cast<std::byte>((x[i] >> b & 1) << (i % 8));
  }
  const Bytes rest = words_in_order(Words(x.begin() + static_cast<std::ptrdiff_t>(m), x.end()), w);
  out.insert(out.end(), rest.begin(), rest.end());
  return out;
}

Bytes apply(const Step& step, const Words& x, std::size_t w) {
  switch (step.id) {
    case StepId::byteswap:
      return byteswap(x, w);
    case StepId::difference:
      return difference(x, w, step);
    case StepId::zigzag:
      return zigzag(x, w);
    case StepId::planes:
      return tuple_planes(x, w, 1);
    case StepId::tuple_planes:
      return tuple_planes(x, w, step.tuple);
    case StepId::bit_planes:
      return bit_planes(x, w);
  }
  return {};
}

}  // namespace

Bytes naive_transform(const Transform& transform, Bytes bytes) {
  for (const Step& step : transform.steps()) {
    std::ranges::copy(apply(step, read_words(bytes, transform.word), transform.word), bytes.begin());
  }
  return bytes;
}

}  // namespace tdz::test
