// SPDX-License-Identifier: Apache-2.0
// A report about files, told as it is found: a list of chunks may be longer than memory.
#pragma once

#include "app/reports/info_text.hpp"

namespace tdz::app {

/// Calls nest: report { file { stream { chunks { chunk } } } }. Errors are those of the output.
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
