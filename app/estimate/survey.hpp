// SPDX-License-Identifier: Apache-2.0
// The files of a folder, by the suffix of their names, and a few of them to take samples from. Memory is
// bounded, however many files there are.
#pragma once

#include <cstdint>
#include <map>
#include <random>
#include <string>
#include <vector>

#include "app/files/input_file.hpp"

namespace tdz::app {

struct SurveyedFile {
  std::string name;
  std::uint64_t bytes = 0;
  Links links = Links::follow;
  double key = 0;  ///< of those with the same suffix, the larger one is sampled first
};

/// Files whose names have the same suffix, in small letters.
struct Kind {
  std::string suffix;  ///< ".raw"; "" without one; kNumberSuffix and kOtherSuffixes
  std::uint64_t files = 0;
  std::uint64_t bytes = 0;
  std::vector<SurveyedFile> largest;  ///< the largest is the first
  std::vector<SurveyedFile> others;   ///< some of the rest: each byte has the same chance to be here
};

inline constexpr const char* kNumberSuffix = ".NUMBER";  ///< the suffixes are numbers, as in run.0001
inline constexpr const char* kOtherSuffixes = "others";  ///< many kinds, each with few bytes

class Survey {
 public:
  void add(SurveyedFile file);
  /// The kind with the most bytes is the first. Those after the first dozen or so are one kind, the last.
  std::vector<Kind> take() &&;

 private:
  Kind& kind_of(const std::string& name);
  void add_to(Kind& kind, SurveyedFile file);
  void add_to_others(Kind& kind, SurveyedFile file);

  std::map<std::string, Kind> kinds_;
  std::mt19937_64 chance_{1};  // the same choice every time
};

}  // namespace tdz::app
