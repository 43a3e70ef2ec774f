// SPDX-License-Identifier: Apache-2.0
#include <utility>

#include "app/reports/info_report.hpp"
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

class InfoJson final : public InfoReport {
 public:
  explicit InfoJson(TextOutput& out) : out_(out) {}

  Status begin() override { return out_.put(R"({"schema":"tdz-info/1","files":[)"); }
  Status begin_file(const FileInfo& file) override {
    if (auto done = next_element(); !done) return done;
    first_ = true;
    return out_.put(open_object(json_of(file)) + R"(,"streams":[)");
  }
  Status begin_stream(const StreamInfo& stream) override {
    if (auto done = next_element(); !done) return done;
    return out_.put(open_object(stream_json(stream)));
  }
  Status begin_chunks() override {
    first_ = true;
    return out_.put(R"(,"chunk_list":[)");
  }
  Status chunk(const ChunkInfo& chunk) override {
    if (auto done = next_element(); !done) return done;
    return out_.put(dump(chunk_json(chunk)));
  }
  Status end_chunks() override {
    first_ = false;  // the stream around it is an element of its list
    return out_.put("]");
  }
  Status end_stream() override { return out_.put("}"); }
  Status end_file(const Error* error) override {
    first_ = false;
    return out_.put(error == nullptr ? "]}" : R"(],"error":)" + dump(error_json(*error)) + "}");
  }
  Status end() override { return out_.put("\n]}\n"); }

 private:
  Status next_element() { return out_.put(std::exchange(first_, false) ? "\n" : ",\n"); }

  TextOutput& out_;
  bool first_ = true;  // no element of the innermost list is written yet
};

}  // namespace

std::unique_ptr<InfoReport> info_json(TextOutput& out) {
  return std::make_unique<InfoJson>(out);
}

}  // namespace tdz::app
