// SPDX-License-Identifier: Apache-2.0
#include "codec/info_json.hpp"

#include <string_view>
#include <utility>

#include "formats/names.hpp"

namespace tdz {
std::string digest_text(std::span<const std::byte> digest) {
  std::string text;
  for (const std::byte byte : digest) text += hex_digits(std::to_integer<std::uint64_t>(byte), 2);
  return text;
}

std::string digest_text(std::uint64_t digest) {
  return hex_digits(digest, 16);
}

Json plan_json(const Plan& plan) {
  Json columns = Json::array();
  for (const Column& column : plan.columns) {
    Json steps = Json::array();
    for (const PlanStep& step : column.steps) steps.push_back(formats::step_name(step));
    columns.push_back({{"bytes", column.width}, {"count", column.count}, {"steps", std::move(steps)}});
  }
  Json json = {{"columns", std::move(columns)}};
  if (plan.coding == Coding::uniform) json["uniform"] = true;
  return json;
}

namespace {

Json protection_json(const Protection& protection) {
  return {{"area_bytes", protection.area_bytes}, {"piece_bytes", protection.piece_bytes},
          {"stripes", protection.stripes},       {"pieces", protection.pieces},
          {"parity", protection.parity},         {"hole_bytes", protection.hole_bytes()}};
}

}  // namespace

Json stream_json(const StreamInfo& stream) {
  Json plans = Json::array();
  for (const Plan& plan : stream.plans) plans.push_back(plan_json(plan));
  const Json digest = stream.digest_kind == 0 ? Json(nullptr) : Json(digest_text(stream.digest));
  Json json = {
      {"offset", stream.offset},
      {"stored_bytes", stream.stored_bytes},
      {"original_bytes", stream.original_bytes},
      {"chunks", stream.chunks},
      {"chunk_bytes", stream.largest_chunk},
      {"frame_bytes", stream.largest_frame},
      {"format_version", std::to_string(stream.version_major) + "." + std::to_string(stream.version_minor)},
      {"type", stream.type.empty() ? "bytes" : stream.type},
      {"plans", std::move(plans)},
      {"xxh3_128", digest}};
  if (stream.protection) json["protection"] = protection_json(*stream.protection);
  return json;
}

Json chunk_json(const ChunkInfo& chunk) {
  return {{"number", chunk.number},
          {"stored_offset", chunk.stored_offset},
          {"stored_bytes", chunk.stored_bytes},
          {"original_offset", chunk.original_offset},
          {"original_bytes", chunk.original_bytes},
          {"xxh3_64", digest_text(chunk.digest)},
          {"plan", plan_json(chunk.plan)}};
}

namespace {

/// An object without its closing brace, so that more members may follow.
std::string open_object(const Json& object) {
  std::string text = dump(object);
  text.pop_back();
  return text;
}

/// A list of chunks can be long, so only one of its elements is a JSON object in memory.
Status append_chunks(RandomAccess& file, const StreamInfo& stream, std::string& text) {
  text += R"(,"chunk_list":[)";
  bool first = true;
  const auto append = [&](const ChunkInfo& chunk) {
    text += (std::exchange(first, false) ? "" : ",") + dump(chunk_json(chunk));
    return true;
  };
  auto done = for_each_chunk(file, stream, append);
  text += "]";
  return done;
}

}  // namespace

Result<std::string> file_json(RandomAccess& file, bool with_chunks) {
  const auto streams = inspect(file);
  if (!streams) return streams.error();
  std::uint64_t original = 0, stored = 0;
  for (const StreamInfo& stream : *streams) {
    original += stream.original_bytes;
    stored += stream.stored_bytes;
  }
  std::string text =
      open_object({{"original_bytes", original}, {"stored_bytes", stored}}) + R"(,"streams":[)";
  for (const StreamInfo& stream : *streams) {
    text += (&stream == &streams->front() ? "" : ",") + open_object(stream_json(stream));
    if (with_chunks)
      if (auto done = append_chunks(file, stream, text); !done) return done.error();
    text += "}";
  }
  return text + "]}";
}

}  // namespace tdz
