// SPDX-License-Identifier: Apache-2.0
#include "app/reports/info.hpp"

#include <spdlog/fmt/fmt.h>

#include <algorithm>
#include <utility>

#include "app/options/names.hpp"
#include "codec/json.hpp"
#include "formats/names.hpp"

namespace tdz::app {
namespace {

// The name comes last, because it may be long. Where a terminal is too narrow, steps and digest follow below.
constexpr auto kTableRow = "{:>10} {:>10} {:>8} {:>9}  {:<9} ";
constexpr std::size_t kRowWidth = 53, kNameRoom = 24;  // with the blank after the steps
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

/// Made printable, because whoever wrote the file chose the type's characters.
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
      fmt::format(
          "  stream at byte {}: format {}.{}, {} bytes of {}, {} chunk{} of up to {}, frames of up to {}",
          stream.offset, stream.version_major, stream.version_minor, stream.stored_bytes,
          stream.original_bytes, stream.chunks, stream.chunks == 1 ? "" : "s",
          format_size(stream.largest_chunk), format_size(stream.largest_frame)),
      4, screen);
  if (const auto& parity = stream.protection) {
    text += folded(fmt::format("    parity: {} of {} pieces of {} may be lost, or a hole of {}",
                               parity->parity, parity->pieces + parity->parity,
                               format_size(parity->piece_bytes), format_size(parity->hole_bytes())),
                   6, screen);
  }
  for (const Plan& plan : stream.plans) text += folded("    " + formats::plan_name(plan), 6, screen);
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

// ---- For people

namespace {

/// The table says nothing of a file's error: the log reports it.
class InfoTable final : public InfoReport {
 public:
  InfoTable(TextOutput& out, const InfoCommand& command, const Screen& screen)
      : out_(out),
        screen_(screen),
        digests_(command.digests ? DigestColumn::shown : DigestColumn::hidden),
        details_(command.reporting.verbose) {}

  Status begin_file(const FileInfo& file) override {
    if (file.streams.empty()) return ok();  // nothing was found in it
    if (!std::exchange(head_shown_, true)) {
      if (auto done = out_.put(table_head(digests_, screen_)); !done) return done;
    }
    return out_.put(table_row(file, digests_, screen_));
  }
  Status begin_stream(const StreamInfo& stream) override {
    return details_ ? out_.put(stream_details(stream, screen_)) : ok();
  }
  Status begin_chunks() override { return out_.put(chunk_head(screen_)); }
  Status chunk(const ChunkInfo& chunk) override { return out_.put(chunk_row(chunk, screen_)); }

 private:
  TextOutput& out_;
  Screen screen_;
  DigestColumn digests_;
  bool details_;
  bool head_shown_ = false;  // an empty table has no head
};

}  // namespace

std::unique_ptr<InfoReport> info_table(TextOutput& out, const InfoCommand& command, const Screen& screen) {
  return std::make_unique<InfoTable>(out, command, screen);
}

// ---- For programs

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
