// SPDX-License-Identifier: Apache-2.0
// How small a folder becomes, and how long that takes, from samples. Values and pure functions.
//
// The largest files of a kind are sampled for themselves. Of the rest some are chosen by chance, and what
// they become for each byte (a ratio estimator) is taken for all of the rest.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "app/estimate/sample.hpp"
#include "app/estimate/survey.hpp"

namespace tdz::app {

/// "--fast", and "default" for Effort::normal.
std::string_view effort_name(Effort effort);

/// A sampled file of a kind, in the order of sampling: the first was searched, those after it may have taken
/// its plan.
struct Sampled {
  CodedSample coded;
  bool largest = false;  ///< of Kind::largest; false: of Kind::others
};

struct Figures {
  double stored_bytes = 0;
  double compress_seconds = 0;
  double restore_seconds = 0;
};

/// How many threads work, and what that costs each of them.
struct Workers {
  unsigned threads = 1;
  Crowding crowding = {};
};

/// What a kind becomes, from samples of one effort. Precondition: there is a sample. `search_again`: the part
/// of the first search that each file after it takes.
Figures figures_of(const Kind& kind, const std::vector<Sampled>& samples, double search_again,
                   const Workers& workers);

/// How long later files of the kind were searched, for each second that the first one took: 1 where no later
/// file was sampled, or the kind has no other.
double search_again(const std::vector<Sampled>& samples);

/// Figures of a quicker or slower effort that was tried on the first `few.size()` samples of `all` alone: the
/// bytes as many times those of `all` as there.
Figures figures_like(const Kind& kind, const std::vector<Sampled>& all, const std::vector<Sampled>& few,
                     const Workers& workers);

/// What was found in some of the sampled files.
struct FoundSteps {
  std::uint64_t files = 0;
  std::string header;  ///< "WAV", or empty
  std::string type;    ///< "i16x2", or empty: bytes. Made by tdz, but escape it before you print it
  std::vector<std::string> words;

  bool same(const FoundSteps& other) const {
    return header == other.header && type == other.type && words == other.words;
  }
};

struct KindEstimate {
  std::string suffix;
  std::uint64_t files = 0;
  std::uint64_t bytes = 0;
  std::uint64_t sampled_files = 0;
  std::uint64_t sampled_bytes = 0;
  std::vector<std::optional<Figures>> figures;  ///< of each effort; nothing: there was no time, or no file
  std::vector<FoundSteps> found;                ///< the most frequent first
};

struct FolderEstimate {
  std::vector<Effort> efforts;  ///< the first is the one whose figures are shown in full
  std::vector<KindEstimate> kinds;
  unsigned threads = 1;
  double seconds = 0;            ///< that sampling took
  std::uint64_t read_bytes = 0;  ///< of the files

  std::uint64_t files() const;
  std::uint64_t bytes() const;
  std::uint64_t sampled_files() const;
  /// Of all kinds. Nothing if a kind has none.
  std::optional<Figures> total(std::size_t effort) const;
};

}  // namespace tdz::app
