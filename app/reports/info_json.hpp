// SPDX-License-Identifier: Apache-2.0
// The report of `tdz info --json`, schema "tdz-info/1". Fields may be added to a schema; if a
// field is removed or changes its meaning, the schema gets a new number.
//
//     document   {"schema": "tdz-info/1", "files": [file...]}
//     file       {"name", "file_bytes", "stored_bytes", "original_bytes", "ratio" (null: unknown),
//                 "streams": [stream...], "error"?: {"kind", "message", "at"?}}
//     stream     {"offset", "stored_bytes", "original_bytes", "chunks", "chunk_bytes", "frame_bytes",
//                 "format_version", "type", "plans": [plan...], "xxh3_128" (null: the file has none),
//                 "chunk_list"?: [chunk...]}
//     chunk      {"number", "stored_offset", "stored_bytes", "original_offset", "original_bytes",
//                 "xxh3_64", "plan": plan}
//     plan       {"columns": [{"bytes", "count", "steps": [string...]}...]}
//
// A "name" is the name that was given, "-" for standard input. A list of chunks can be longer than the
// memory, so only its elements are JSON objects in memory; the brackets around them are written as text.
#pragma once

#include "app/reports/info_report.hpp"
#include "app/reports/text_output.hpp"

namespace tdz::app {

class InfoJson final : public InfoReport {
 public:
  explicit InfoJson(TextOutput& out) : out_(out) {}

  Status begin() override;
  Status begin_file(const FileInfo& file) override;
  Status begin_stream(const StreamInfo& stream) override;
  Status begin_chunks() override;
  Status chunk(const ChunkInfo& chunk) override;
  Status end_chunks() override;
  Status end_stream() override;
  Status end_file(const Error* error) override;
  Status end() override;

 private:
  Status next_element();

  TextOutput& out_;
  bool first_ = true;  // no element of the innermost list is written yet
};

}  // namespace tdz::app
