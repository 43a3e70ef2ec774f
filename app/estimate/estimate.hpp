// SPDX-License-Identifier: Apache-2.0
// How small a folder becomes, and how long that takes, from samples. Values and pure functions.
//
// The largest files of a kind are sampled for themselves. Of the rest some are chosen by chance, and what
// they become for each byte (a ratio estimator) is taken for all of the rest.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <random>
#include <string>
#include <string_view>
#include <vector>

#include "app/files/input_file.hpp"
#include "app/files/interrupts.hpp"
#include "app/reports/screen.hpp"
#include "tdz/tdz.hpp"

namespace tdz::app {

// ---- The files of a folder, by the suffix of their names, and a few of them to take samples from. Memory is
// bounded, however many files there are.

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

// ---- A part of a file, and what coding it takes on this machine

/// All of a short file. Of a longer one its begin, and pieces from all of it to its end, joined. What is left
/// out between them is a multiple of 360360 bytes: so numbers and records of most lengths go on where they
/// broke off.
struct FileSample {
  std::uint64_t file_bytes = 0;
  std::vector<std::byte> bytes;
  double making = 0;  ///< seconds that a new file beside it costs, whatever it holds; see seconds_of_making

  bool whole() const { return bytes.size() == file_bytes; }
};

/// Reads at most `most` bytes, which is 1 MiB or more. Errors: those of InputFile::open and of reading.
Result<FileSample> read_sample(const SurveyedFile& file, std::uint64_t most);

/// A sample that was compressed and restored by one thread. Times are seconds. `making`: as in FileSample.
struct CodedSample {
  std::uint64_t file_bytes = 0;
  std::uint64_t sample_bytes = 0;
  std::uint64_t stored_bytes = 0;  ///< of the sample
  std::uint64_t chunk_bytes = 0;   ///< the longest chunk: parts that threads share
  double search = 0;    ///< for steps; 0 where a plan of options.plans was taken. Does not grow with the file
  double compress = 0;  ///< the rest
  double restore = 0;
  double making = 0;
  StreamInfo stream = {};  ///< with the type, and the plans that were found
};

/// `options`: with a search. `stop` ends the call with Error cancelled. Errors: those of compress and of
/// decompress.
Result<CodedSample> code_sample(const FileSample& sample, CompressOptions options);

/// How many times longer a chunk takes where `threads` threads work at once, each on a chunk of its own:
/// cores share memory, and often more. 1 for one thread, and at least 1.
struct Crowding {
  double compress = 1;
  double restore = 1;
};
/// Errors: those of code_sample; limit (a thread does not start).
Result<Crowding> measure_crowding(const FileSample& sample, const CompressOptions& options, unsigned threads);

// ---- All files

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

/// How many threads find work, and what that costs each of them.
struct Workers {
  unsigned threads = 1;
  Crowding crowding = {};
};

/// The most threads that find work in one of the sampled files: each takes a chunk.
std::uint64_t most_chunks(const std::vector<Sampled>& samples);

/// What a kind becomes, from samples of one effort. Precondition: there is a sample. `searches`: how often
/// its files are searched; each search takes the mean time of those of the samples.
Figures figures_of(const Kind& kind, const std::vector<Sampled>& samples, double searches,
                   const Workers& workers);

/// How often `files` files of a kind are searched. The sampled ones say it of themselves. What is found for
/// one serves the next: so the later half of them says it of all others. `files` where one was sampled.
double searches_of(const std::vector<Sampled>& samples, std::uint64_t files);

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
  std::vector<std::optional<Figures>> figures;  ///< of each effort; nothing: there was no time
  std::vector<FoundSteps> found;                ///< the most frequent first

  /// Was a file sampled?
  bool covered() const { return !figures.empty() && figures.front().has_value(); }
};

struct FolderEstimate {
  std::vector<Effort> efforts;  ///< the first is the one whose figures are shown in full
  std::vector<KindEstimate> kinds;
  unsigned threads = 1;
  double seconds = 0;                          ///< that sampling took
  std::uint64_t read_bytes = 0;                ///< of the files
  std::uint64_t unread = 0;                    ///< files that could not be read, and are in no kind
  std::vector<std::string> unread_names = {};  ///< of the first of them

  std::uint64_t files() const;
  std::uint64_t bytes() const;
  std::uint64_t sampled_files() const;
  /// Kinds without a sample are not covered: there was no time.
  std::uint64_t covered_files() const;
  std::uint64_t covered_bytes() const;
  /// Of all kinds that are covered. Nothing if one of them was not tried with this effort, or there is none.
  std::optional<Figures> total(std::size_t effort) const;
};

// ---- Reports

/// "20 ms", "0.3 s", "45 s", "12 min", "3.4 h", "2.1 days".
std::string duration_text(double seconds);

/// One table with a row for each kind, what was found in each, and what every effort makes of all.
std::string estimate_text(const FolderEstimate& folder, const Screen& screen);

/// Schema tdz-estimate/1, docs/json.md.
std::string estimate_json(const FolderEstimate& folder);

}  // namespace tdz::app
