// SPDX-License-Identifier: Apache-2.0
// The report of `tdz info`. It is written piece by piece, because a list of chunks can be longer than the
// memory.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "app/options/options.hpp"
#include "app/reports/report_output.hpp"
#include "app/reports/screen.hpp"
#include "tdz/tdz.hpp"

namespace tdz::app {

/// The streams of one file, and its name as it was given.
struct FileInfo {
  std::string name;
  std::uint64_t file_bytes = 0;
  std::vector<StreamInfo> streams;

  std::uint64_t original_bytes() const;
  std::uint64_t stored_bytes() const;
  std::uint64_t chunks() const;
};

enum class DigestColumn : unsigned char { hidden, shown };

// The lines of the table. Pure functions.

std::string table_head(DigestColumn digests, const Screen& screen);
/// One line for a file; two on a narrow terminal.
std::string table_row(const FileInfo& file, DigestColumn digests, const Screen& screen);
/// Several lines for a stream, for -v.
std::string stream_details(const StreamInfo& stream, const Screen& screen);
std::string chunk_head(const Screen& screen);
std::string chunk_row(const ChunkInfo& chunk, const Screen& screen);

/// The calls nest: report { file { stream { chunks { chunk } } } }. The errors are errors of the output.
class InfoReport {
 public:
  virtual ~InfoReport() = default;
  virtual Status begin() { return ok(); }
  virtual Status begin_file(const FileInfo& file) = 0;
  virtual Status begin_stream(const StreamInfo& stream) = 0;
  virtual Status begin_chunks() = 0;
  virtual Status chunk(const ChunkInfo& chunk) = 0;
  virtual Status end_chunks() { return ok(); }
  virtual Status end_stream() { return ok(); }
  virtual Status end_file(const Error*) { return ok(); }  ///< what stopped this file, or null
  virtual Status end() { return ok(); }
};

/// For people.
std::unique_ptr<InfoReport> info_table(TextOutput& out, const InfoCommand& command, const Screen& screen);
/// For programs: schema tdz-info/1, docs/json.md. Only the elements of a list of chunks are JSON objects in
/// memory; the brackets around them are written as text.
std::unique_ptr<InfoReport> info_json(TextOutput& out);

}  // namespace tdz::app
