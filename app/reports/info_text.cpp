// SPDX-License-Identifier: Apache-2.0
#include "app/reports/info_text.hpp"

#include <spdlog/fmt/fmt.h>

#include <algorithm>

#include "app/options/names.hpp"
#include "app/options/sizes.hpp"
#include "codec/plan/info_json.hpp"
#include "formats/plan/plan_name.hpp"

namespace tdz::app {
namespace {

// One row of either table; the name comes last, because it may be long.
constexpr auto kTableRow = "{:>10} {:>10} {:>8} {:>9}  {:<8} {:<42} {}{}\n";
constexpr auto kChunkRow = "{:>10} {:>14} {:>10} {:>14} {:>10}  {:<16}  {}\n";
constexpr auto kDigestColumn = "{:<32} ";

std::uint64_t sum(const std::vector<StreamInfo>& streams, std::uint64_t StreamInfo::*field) {
  std::uint64_t total = 0;
  for (const auto& stream : streams) total += stream.*field;
  return total;
}

/// "difference(2, 1), zigzag, tuple-planes(2)": the word is in another column.
std::string steps_text(const Plan& plan) {
  const auto text = plan.columns.size() == 1 ? formats::steps_name(plan.columns[0])
                                             : fmt::format("{} columns, see -v", plan.columns.size());
  return plan.coding == Coding::uniform ? text + "; frames for a GPU" : text;
}

/// The steps of most chunks of a stream. Chunks of a file header have no steps.
std::string main_steps(const StreamInfo& stream) {
  const auto& all = stream.plans;
  if (all.empty()) return "none";
  const auto found = std::ranges::find_if(all, [](const Plan& plan) { return !has_no_steps(plan); });
  const auto text = steps_text(found == all.end() ? all.front() : *found);
  return all.size() == 1 ? text : fmt::format("{} +{}", text, all.size() - 1);
}

bool same_kind(const StreamInfo& a, const StreamInfo& b) {
  return a.type == b.type && a.plans == b.plans;
}

/// Whoever wrote the file chose the type's characters.
std::string type_text(const StreamInfo& stream) {
  return stream.type.empty() ? "bytes" : printable(stream.type);
}

/// The text of all streams if they are of the same kind, or "several".
template <class Text>
std::string common(const std::vector<StreamInfo>& streams, Text text) {
  if (streams.empty()) return "-";
  const bool alike =
      std::ranges::all_of(streams, [&](const auto& other) { return same_kind(other, streams.front()); });
  return alike ? text(streams.front()) : "several";
}

std::string stored_digest(const StreamInfo& stream) {
  return stream.digest_kind == 0 ? "none" : digest_text(stream.digest);
}

std::string digest_column(const FileInfo& file) {
  return fmt::format(kDigestColumn,
                     file.streams.size() == 1 ? stored_digest(file.streams.front()) : "several, see -v");
}

}  // namespace

std::uint64_t FileInfo::original_bytes() const {
  return sum(streams, &StreamInfo::original_bytes);
}
std::uint64_t FileInfo::stored_bytes() const {
  return sum(streams, &StreamInfo::stored_bytes);
}
std::uint64_t FileInfo::chunks() const {
  return sum(streams, &StreamInfo::chunks);
}

std::string table_head(DigestColumn digests) {
  const auto digest = digests == DigestColumn::shown ? fmt::format(kDigestColumn, "XXH3-128") : "";
  return fmt::format(kTableRow, "Stored", "Original", "Ratio", "Chunks", "Type", "Steps", digest, "Name");
}

std::string table_row(const FileInfo& file, DigestColumn digests) {
  const auto type = common(file.streams, type_text);
  const auto digest = digests == DigestColumn::shown ? digest_column(file) : "";
  return fmt::format(kTableRow, format_size(file.stored_bytes()), format_size(file.original_bytes()),
                     ratio_text(file.original_bytes(), file.stored_bytes()), file.chunks(), type,
                     common(file.streams, main_steps), digest, shown_name(file.name));
}

std::string stream_details(const StreamInfo& stream) {
  std::string text = fmt::format(
      "  stream at byte {}: format {}.{}, {} bytes of {}, {} chunks of up to {}, frames of up to {}\n",
      stream.offset, stream.version_major, stream.version_minor, stream.stored_bytes, stream.original_bytes,
      stream.chunks, format_size(stream.largest_chunk), format_size(stream.largest_frame));
  for (const Plan& plan : stream.plans) text += fmt::format("    {}\n", formats::plan_name(plan));
  return text + fmt::format("    XXH3-128 {}\n", stored_digest(stream));
}

std::string chunk_head() {
  return fmt::format(kChunkRow, "Chunk", "Stored at", "Stored", "Original at", "Original", "XXH3-64",
                     "Steps");
}

std::string chunk_row(const ChunkInfo& chunk) {
  return fmt::format(kChunkRow, chunk.number, chunk.stored_offset, chunk.stored_bytes, chunk.original_offset,
                     chunk.original_bytes, digest_text(chunk.digest),
                     formats::plan_name(chunk.plan));
}

}  // namespace tdz::app
