// SPDX-License-Identifier: Apache-2.0
// The basic types of tdz: what a number is, and which steps turn numbers into residual bytes.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>

namespace tdz {

inline constexpr std::size_t kMaxSteps = 8;  ///< steps of one chunk; FORMAT.md, "Limits"
inline constexpr unsigned kMaxOrder = 8;     ///< order of one difference; higher orders only amplify noise

/// The steps of format version 1. These numbers are stored in files, so their meaning never changes.
enum class StepId : std::uint16_t {
  byteswap = 1,      ///< big-endian words to little-endian; its own inverse
  difference = 2,    ///< r = (1 - B^tuple)^order x, mod 2^w
  zigzag = 3,        ///< r -> (r << 1) ^ (r >> w-1, arithmetic)
  planes = 4,        ///< byte b of every word together
  tuple_planes = 5,  ///< byte b of every word of one lane together
  bit_planes = 6,    ///< bit b of every word together
};

constexpr bool is_word_size(unsigned bytes) {
  return bytes == 1 || bytes == 2 || bytes == 4 || bytes == 8;
}

/// The order in which zstd gets the bytes of the residuals.
enum class Layout : std::uint8_t { interleaved, planes, tuple_planes, bit_planes };

/// The layout that a step makes; interleaved if the step moves no bytes between words.
constexpr Layout layout_of(StepId id) {
  switch (id) {
    case StepId::byteswap:
    case StepId::difference:
    case StepId::zigzag:
      return Layout::interleaved;
    case StepId::planes:
      return Layout::planes;
    case StepId::tuple_planes:
      return Layout::tuple_planes;
    case StepId::bit_planes:
      return Layout::bit_planes;
  }
  return Layout::interleaved;
}

/// The parameters that a step takes.
enum class StepForm : std::uint8_t { unknown, plain, tuple, tuple_and_order };

constexpr StepForm form_of(StepId id) {
  switch (id) {
    case StepId::byteswap:
    case StepId::zigzag:
    case StepId::planes:
    case StepId::bit_planes:
      return StepForm::plain;
    case StepId::tuple_planes:
      return StepForm::tuple;
    case StepId::difference:
      return StepForm::tuple_and_order;
  }
  return StepForm::unknown;
}

/// One step. `tuple` is a number of words, `order` is 1..8. If a step has no such parameter (form_of), it is
/// 0: so equal steps compare as equal.
struct Step {
  StepId id = StepId::zigzag;
  std::uint32_t tuple = 0;
  std::uint8_t order = 0;

  static constexpr Step byteswap() { return {StepId::byteswap}; }
  static constexpr Step difference(std::uint32_t tuple, std::uint8_t order) {
    return {StepId::difference, tuple, order};
  }
  static constexpr Step zigzag() { return {StepId::zigzag}; }
  static constexpr Step planes() { return {StepId::planes}; }
  static constexpr Step tuple_planes(std::uint32_t tuple) { return {StepId::tuple_planes, tuple}; }
  static constexpr Step bit_planes() { return {StepId::bit_planes}; }

  friend constexpr bool operator==(const Step&, const Step&) = default;
};

/// Whether this is a known step with parameters in range.
constexpr bool is_valid(const Step& step) {
  const bool has_order = step.order >= 1 && step.order <= kMaxOrder;
  switch (form_of(step.id)) {
    case StepForm::unknown:
      return false;
    case StepForm::plain:
      return step.tuple == 0 && step.order == 0;
    case StepForm::tuple:
      return step.tuple >= 1 && step.order == 0;
    case StepForm::tuple_and_order:
      return step.tuple >= 1 && has_order;
  }
  return false;
}

/// What happens to the bytes of one chunk: they are words of `word` bytes (1, 2, 4 or 8), little-endian, and
/// the steps are applied in order. An incomplete word at the end does not change. Every step is a bijection
/// that keeps the length; to decode, the inverse steps run backwards.
struct Transform {
  std::uint8_t word = 1;
  std::uint8_t step_count = 0;
  std::array<Step, kMaxSteps> storage{};

  constexpr std::span<const Step> steps() const { return {storage.data(), step_count}; }
  /// Precondition: fewer than kMaxSteps steps so far.
  constexpr Transform& append(Step step) {
    storage[step_count++] = step;
    return *this;
  }

  friend constexpr bool operator==(const Transform&, const Transform&) = default;
};

/// The type of the numbers as people name it: i16x2 is {'i', 2, 2}. Only word and tuple change the coding.
/// The kind ('u', 'i', 'f', or 0 if it is unknown) is kept for reports.
struct NumberType {
  char kind = 0;
  std::uint8_t word = 1;
  std::uint32_t tuple = 1;

  friend constexpr bool operator==(const NumberType&, const NumberType&) = default;
};

}  // namespace tdz
