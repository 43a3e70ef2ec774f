// SPDX-License-Identifier: Apache-2.0
#include "app/reports/info_json.hpp"

#include <spdlog/fmt/fmt.h>

#include "app/reports/json_parts.hpp"

namespace tdz::app {
namespace {

/// An object without its closing brace, so that more fields may follow.
std::string open_object(const Json& object) {
  std::string text = dump(object);
  text.pop_back();
  return text;
}

Json json_of(const StreamInfo& stream) {
  Json plans = Json::array();
  for (const Plan& plan : stream.plans) plans.push_back(plan_json(plan));
  const Json digest = stream.digest_kind == 0 ? Json(nullptr) : Json(digest_text(stream.digest));
  return {{"offset", stream.offset},
          {"stored_bytes", stream.stored_bytes},
          {"original_bytes", stream.original_bytes},
          {"chunks", stream.chunks},
          {"chunk_bytes", stream.largest_chunk},
          {"frame_bytes", stream.largest_frame},
          {"format_version", fmt::format("{}.{}", stream.version_major, stream.version_minor)},
          {"type", stream.type.empty() ? "bytes" : stream.type},
          {"plans", std::move(plans)},
          {"xxh3_128", digest}};
}

Json json_of(const ChunkInfo& chunk) {
  return {{"number", chunk.number},
          {"stored_offset", chunk.stored_offset},
          {"stored_bytes", chunk.stored_bytes},
          {"original_offset", chunk.original_offset},
          {"original_bytes", chunk.original_bytes},
          {"xxh3_64", digest_text(chunk.digest)},
          {"plan", plan_json(chunk.plan)}};
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
  return out_.put(open_object(json_of(stream)));
}

Status InfoJson::begin_chunks() {
  first_ = true;
  return out_.put(R"(,"chunk_list":[)");
}

Status InfoJson::chunk(const ChunkInfo& chunk) {
  if (auto done = next_element(); !done) return done;
  return out_.put(dump(json_of(chunk)));
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
