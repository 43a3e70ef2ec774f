// SPDX-License-Identifier: Apache-2.0
#include "app/reports/info_json.hpp"

#include "app/reports/json_parts.hpp"

namespace tdz::app {
namespace {

/// An object without its closing brace, so that more fields may follow.
std::string open_object(const Json& object) {
  std::string text = dump(object);
  text.pop_back();
  return text;
}

Json json_of(const FileInfo& file) {
  return {{"name", file.name},
          {"file_bytes", file.file_bytes},
          {"stored_bytes", file.stored_bytes()},
          {"original_bytes", file.original_bytes()},
          {"ratio", ratio_json(file.original_bytes(), file.stored_bytes())}};
}

}  // namespace

Status InfoJson::next_element() {
  return out_.put(std::exchange(first_, false) ? "\n" : ",\n");
}

Status InfoJson::begin() {
  return out_.put(R"({"schema":"tdz-info/1","files":[)");
}

Status InfoJson::begin_file(const FileInfo& file) {
  if (auto done = next_element(); !done) return done;
  first_ = true;
  return out_.put(open_object(json_of(file)) + R"(,"streams":[)");
}

Status InfoJson::begin_stream(const StreamInfo& stream) {
  if (auto done = next_element(); !done) return done;
  return out_.put(open_object(stream_json(stream)));
}

Status InfoJson::begin_chunks() {
  first_ = true;
  return out_.put(R"(,"chunk_list":[)");
}

Status InfoJson::chunk(const ChunkInfo& chunk) {
  if (auto done = next_element(); !done) return done;
  return out_.put(dump(chunk_json(chunk)));
}

Status InfoJson::end_chunks() {
  first_ = false;  // the stream around it is an element of its list
  return out_.put("]");
}

Status InfoJson::end_stream() {
  return out_.put("}");
}

Status InfoJson::end_file(const Error* error) {
  first_ = false;
  return out_.put(error == nullptr ? "]}" : R"(],"error":)" + dump(error_json(*error)) + "}");
}

Status InfoJson::end() {
  return out_.put("\n]}\n");
}

}  // namespace tdz::app
