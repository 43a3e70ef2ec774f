// SPDX-License-Identifier: Apache-2.0
#include <utility>

#include "app/reports/info_report.hpp"

namespace tdz::app {
namespace {

/// It says nothing of a file's error: the log reports it.
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

}  // namespace tdz::app
