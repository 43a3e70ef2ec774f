// SPDX-License-Identifier: Apache-2.0
// A report about files that is written piece by piece, because a list of chunks can be longer than the
// memory.
#pragma once

#include "app/reports/info_text.hpp"

namespace tdz::app {

/// The calls nest: report { file { stream { chunks { chunk } } } }. The errors are errors of the output.
class InfoReport {
 public:
  virtual ~InfoReport() = default;
  virtual Status begin() = 0;
  virtual Status begin_file(const FileInfo& file) = 0;
  virtual Status begin_stream(const StreamInfo& stream) = 0;
  virtual Status begin_chunks() = 0;
  virtual Status chunk(const ChunkInfo& chunk) = 0;
  virtual Status end_chunks() = 0;
  virtual Status end_stream() = 0;
  virtual Status end_file(const Error* error) = 0;  ///< what stopped this file, or null
  virtual Status end() = 0;
};

}  // namespace tdz::app
