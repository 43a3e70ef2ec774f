// SPDX-License-Identifier: Apache-2.0
// The lines of the report of `tdz info`. Pure functions from values to lines.
#pragma once

#include <span>
#include <string>

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

std::string table_head(DigestColumn digests, const Screen& screen);
/// One line for a file; two on a narrow terminal.
std::string table_row(const FileInfo& file, DigestColumn digests, const Screen& screen);
/// Several lines for a stream, for -v.
std::string stream_details(const StreamInfo& stream, const Screen& screen);
std::string chunk_head(const Screen& screen);
std::string chunk_row(const ChunkInfo& chunk, const Screen& screen);

}  // namespace tdz::app
