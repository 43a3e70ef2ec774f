// SPDX-License-Identifier: Apache-2.0
// A part of a file, and what coding it takes on this machine.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "app/estimate/survey.hpp"
#include "app/files/interrupts.hpp"
#include "tdz/tdz.hpp"

namespace tdz::app {

/// All of a short file. Of a longer one its begin, and pieces from all of it to its end, joined. What is left
/// out between them is a multiple of 360360 bytes: so numbers and records of most lengths go on where they
/// broke off.
struct FileSample {
  std::uint64_t file_bytes = 0;
  std::vector<std::byte> bytes;

  bool whole() const { return bytes.size() == file_bytes; }
};

/// Reads at most `most` bytes, which is 1 MiB or more. Errors: those of InputFile::open and of reading.
Result<FileSample> read_sample(const SurveyedFile& file, std::uint64_t most);

/// A sample that was compressed and restored by one thread. Times are seconds.
struct CodedSample {
  std::uint64_t file_bytes = 0;
  std::uint64_t sample_bytes = 0;
  std::uint64_t stored_bytes = 0;  ///< of the sample
  std::uint64_t chunk_bytes = 0;   ///< the longest chunk: parts that threads share
  double search = 0;    ///< for steps; 0 where a plan of options.plans was taken. Does not grow with the file
  double compress = 0;  ///< the rest
  double restore = 0;
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

}  // namespace tdz::app
