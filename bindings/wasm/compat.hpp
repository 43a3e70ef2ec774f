// SPDX-License-Identifier: Apache-2.0
// What C++20 has and the libc++ of emscripten 3.1.6 has not: the algorithms of std::ranges that the decoder
// calls, and bit_cast. Included before every file of the decoder for browsers, and by nothing else. A later
// libc++ needs none of it.
#pragma once

#include <version>

#ifndef __cpp_lib_bit_cast
namespace std {

template <class To, class From>
constexpr To bit_cast(const From& from) noexcept {
  return __builtin_bit_cast(To, from);
}

}  // namespace std
#endif

#ifndef __cpp_lib_ranges
#include <algorithm>
#include <functional>
#include <iterator>
#include <ranges>

namespace std::ranges {  // the standard does not allow this; it stands in for what the standard promises

template <class Range, class Test>
constexpr bool all_of(Range&& range, Test test) {
  return std::all_of(std::begin(range), std::end(range), test);
}
template <class Range, class Test>
constexpr bool none_of(Range&& range, Test test) {
  return std::none_of(std::begin(range), std::end(range), test);
}
template <class Range, class Test>
constexpr bool any_of(Range&& range, Test test) {
  return std::any_of(std::begin(range), std::end(range), test);
}
template <class Range, class Test>
constexpr auto count_if(Range&& range, Test test) {
  return std::count_if(std::begin(range), std::end(range), test);
}
template <class Range, class Test>
constexpr auto find_if(Range&& range, Test test) {
  return std::find_if(std::begin(range), std::end(range), test);
}
template <class Range, class Test>
constexpr auto find_if_not(Range&& range, Test test) {
  return std::find_if_not(std::begin(range), std::end(range), test);
}
template <class Range, class Other>
constexpr bool equal(Range&& range, Other&& other) {
  return std::equal(std::begin(range), std::end(range), std::begin(other), std::end(other));
}
template <class Range, class Value>
constexpr auto fill(Range&& range, const Value& value) {
  std::fill(std::begin(range), std::end(range), value);
  return std::end(range);
}

/// What std::ranges::copy returns.
template <class Out>
struct copied {
  Out out;
};
template <class Range, class Out>
constexpr copied<Out> copy(Range&& range, Out out) {
  return {std::copy(std::begin(range), std::end(range), out)};
}

template <class Range, class Less>
constexpr void stable_sort(Range&& range, Less less) {
  std::stable_sort(std::begin(range), std::end(range), less);
}
template <class Range, class Less = std::less<>, class Key>
constexpr void stable_sort(Range&& range, Less, Key key) {
  std::stable_sort(std::begin(range), std::end(range),
                   [&](const auto& a, const auto& b) { return std::invoke(key, a) < std::invoke(key, b); });
}

}  // namespace std::ranges
#endif
