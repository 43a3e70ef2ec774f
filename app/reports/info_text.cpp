// SPDX-License-Identifier: Apache-2.0
#include "app/reports/info_text.hpp"

#include <spdlog/fmt/fmt.h>

#include <algorithm>

#include "app/options/names.hpp"
#include "app/options/sizes.hpp"
#include "codec/info_json.hpp"
#include "formats/plan/plan_name.hpp"

namespace tdz::app {
namespace {

// The name comes last, because it may be long. Where a terminal is too narrow, steps and digest follow below.
constexpr auto kTableRow = "{:>10} {:>10} {:>8} {:>9}  {:<9} ";
constexpr std::size_t kRowWidth = 53, kNameRoom = 24;  // with the blank behind the steps
constexpr auto kBelow = "\n           ";
constexpr std::size_t kBelowWidth = 11;
constexpr std::size_t kShortSteps = 42, kLongSteps = 62;  // columns of the steps
constexpr auto kDigestColumn = "{:<32} ";
constexpr std::size_t kDigestWidth = 33;

constexpr auto kChunkRow = "{:>9} {:>13} {:>10} {:>13} {:>10}  {:<16}";
constexpr std::size_t kChunkWidth = 77;

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

std::string digest_of(const FileInfo& file) {
  return file.streams.size() == 1 ? stored_digest(file.streams.front()) : "several, see -v";
}

/// A line that ends with a name, or two where the line would be too long for a terminal.
std::string row(const std::string& figures, const std::string& steps, const std::string& digest,
                const std::string& name, const Screen& screen) {
  const std::string digest_column = digest.empty() ? "" : fmt::format(kDigestColumn, digest);
  const std::size_t others = kRowWidth + (digest.empty() ? 0 : kDigestWidth) + kNameRoom;
  if (!screen.columns) return fmt::format("{}{:<{}} {}{}\n", figures, steps, kLongSteps, digest_column, name);
  if (*screen.columns < others + kShortSteps) {
    const std::size_t room = screen.table_width() - kBelowWidth - (digest.empty() ? 0 : kDigestWidth);
    return figures + name + kBelow + digest_column + clipped(steps, room, screen.letters) + "\n";
  }
  const std::size_t width = std::min(*screen.columns - others, kLongSteps);
  const std::string shown = clipped(steps, width, screen.letters);
  return figures + shown + std::string(width - shown_width(shown) + 1, ' ') + digest_column + name + "\n";
}

/// The steps of a chunk follow below where a terminal is too narrow.
std::string chunk_line(const std::string& figures, const std::string& steps, const Screen& screen) {
  const bool below = screen.columns && *screen.columns < kChunkWidth + kLongSteps;
  return figures + (below ? kBelow : "  ") + steps + "\n";
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

std::string table_head(DigestColumn digests, const Screen& screen) {
  const auto digest = digests == DigestColumn::shown ? "XXH3-128" : "";
  return row(fmt::format(kTableRow, "Stored", "Original", "Ratio", "Chunks", "Type"), "Steps", digest, "Name",
             screen);
}

std::string table_row(const FileInfo& file, DigestColumn digests, const Screen& screen) {
  const auto digest = digests == DigestColumn::shown ? digest_of(file) : "";
  return row(fmt::format(kTableRow, format_size(file.stored_bytes()), format_size(file.original_bytes()),
                         ratio_text(file.original_bytes(), file.stored_bytes()), file.chunks(),
                         common(file.streams, type_text)),
             common(file.streams, main_steps), digest, shown_name(file.name), screen);
}

std::string stream_details(const StreamInfo& stream, const Screen& screen) {
  std::string text = folded(
      fmt::format("  stream at byte {}: format {}.{}, {} bytes of {}, {} chunk{} of up to {}, frames of up to {}",
                  stream.offset, stream.version_major, stream.version_minor, stream.stored_bytes,
                  stream.original_bytes, stream.chunks, stream.chunks == 1 ? "" : "s",
                  format_size(stream.largest_chunk), format_size(stream.largest_frame)),
      4, screen);
  for (const Plan& plan : stream.plans)
    text += folded("    " + formats::plan_name(plan), 6, screen);
  return text + fmt::format("    XXH3-128 {}\n", stored_digest(stream));
}

std::string chunk_head(const Screen& screen) {
  return chunk_line(
      fmt::format(kChunkRow, "Chunk", "Stored at", "Stored", "Original at", "Original", "XXH3-64"), "Steps",
      screen);
}

std::string chunk_row(const ChunkInfo& chunk, const Screen& screen) {
  return chunk_line(fmt::format(kChunkRow, chunk.number, chunk.stored_offset, chunk.stored_bytes,
                                chunk.original_offset, chunk.original_bytes, digest_text(chunk.digest)),
                    formats::plan_name(chunk.plan), screen);
}

}  // namespace tdz::app
