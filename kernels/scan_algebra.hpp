// SPDX-License-Identifier: Apache-2.0
// The algebra of higher-order prefix sums, for host and device. All sums are mod 2^w: Word is unsigned.
//
// A lane's state after some values is its carry c = (c_1 .. c_q), c_k the k-fold sum so far. Integrating one
// residual r is   c_1 += r; c_2 += c_1; ... c_q += c_{q-1}   and the value is c_q. Read c as the polynomial
// c_1 + c_2 x + ... + c_q x^(q-1): m lane steps without input multiply it by (1 - x)^-m mod x^q, that is
//
//     c'_k = sum_{j=0}^{k-1} C(m+j-1, j) c_{k-j}.
//
// So advances commute, and two advances compose by adding their m. A segment of m lane steps has the summary
// (m, c), where c is its carry from a zero start. (m_a, c_a) followed by (m_b, c_b) is (m_a + m_b,
// advance(c_a, m_b) + c_b). One look-back over such summaries carries all orders at once.
//
// Setting: Maleki, Yang, Burtscher, "Higher-Order and Tuple-Based Massively-Parallel Prefix Sums", PLDI 2016.
#pragma once

#include <cstdint>

#if defined(__CUDACC__)
#define TDZ_HOST_DEVICE __host__ __device__
#else
#define TDZ_HOST_DEVICE
#endif

namespace tdz {

/// A polynomial mod x^q, as q coefficients: a carry, or the weights (1 - x)^-m of an advance.
template <class Word, unsigned Order>
struct Polynomial {
  Word term[Order] = {};

  friend TDZ_HOST_DEVICE constexpr bool operator==(const Polynomial& a, const Polynomial& b) {
    for (unsigned k = 0; k < Order; ++k) {
      if (a.term[k] != b.term[k]) return false;
    }
    return true;
  }
};

template <class Word, unsigned Order>
TDZ_HOST_DEVICE constexpr Polynomial<Word, Order> add(const Polynomial<Word, Order>& a,
                                                      const Polynomial<Word, Order>& b) {
  Polynomial<Word, Order> sum;
  for (unsigned k = 0; k < Order; ++k) sum.term[k] = static_cast<Word>(a.term[k] + b.term[k]);
  return sum;
}

/// The product mod x^q. In 64 bits, because a product of two 16-bit words overflows a signed int.
template <class Word, unsigned Order>
TDZ_HOST_DEVICE constexpr Polynomial<Word, Order> multiply(const Polynomial<Word, Order>& a,
                                                           const Polynomial<Word, Order>& b) {
  Polynomial<Word, Order> product;
  for (unsigned k = 0; k < Order; ++k) {
    std::uint64_t sum = 0;
    for (unsigned j = 0; j <= k; ++j) sum += std::uint64_t{a.term[j]} * b.term[k - j];
    product.term[k] = static_cast<Word>(sum);
  }
  return product;
}

/// The weights of an advance by m lane steps, (1 - x)^-m mod x^q, by repeated squaring: O(q^2 log m).
/// Kernels look them up in a table: computing them for each value would cost more than the sums.
template <class Word, unsigned Order>
TDZ_HOST_DEVICE constexpr Polynomial<Word, Order> advance_weights(std::uint64_t m) {
  Polynomial<Word, Order> result, power;
  result.term[0] = 1;
  for (unsigned k = 0; k < Order; ++k) power.term[k] = 1;  // (1 - x)^-1
  for (; m != 0; m >>= 1) {
    if (m & 1) result = multiply(result, power);
    power = multiply(power, power);
  }
  return result;
}

/// One lane step: takes a residual, returns the value.
template <class Word, unsigned Order>
TDZ_HOST_DEVICE constexpr Word integrate_step(Polynomial<Word, Order>& carry, Word residual) {
  Word value = residual;
  for (unsigned k = 0; k < Order; ++k) {
    value = static_cast<Word>(carry.term[k] + value);
    carry.term[k] = value;
  }
  return value;
}

/// The inverse lane step: takes a value, returns the residual. Here the state is history
/// (x, its first difference, ...), not a carry; both are zero before the first value.
template <class Word, unsigned Order>
TDZ_HOST_DEVICE constexpr Word difference_step(Polynomial<Word, Order>& history, Word value) {
  Word residual = value;
  for (unsigned k = 0; k < Order; ++k) {
    const Word previous = history.term[k];
    history.term[k] = residual;
    residual = static_cast<Word>(residual - previous);
  }
  return residual;
}

}  // namespace tdz
