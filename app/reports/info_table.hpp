// SPDX-License-Identifier: Apache-2.0
// The report of `tdz info` for people, as a table.
#pragma once

#include "app/options/options.hpp"
#include "app/reports/info_report.hpp"
#include "app/reports/text_output.hpp"

namespace tdz::app {

class InfoTable final : public InfoReport {
 public:
  InfoTable(TextOutput& out, const InfoCommand& command, const Screen& screen)
      : out_(out),
        screen_(screen),
        digests_(command.digests ? DigestColumn::shown : DigestColumn::hidden),
        details_(command.reporting.verbose) {}

  Status begin() override { return ok(); }
  Status begin_file(const FileInfo& file) override;
  Status begin_stream(const StreamInfo& stream) override;
  Status begin_chunks() override { return out_.put(chunk_head(screen_)); }
  Status chunk(const ChunkInfo& chunk) override { return out_.put(chunk_row(chunk, screen_)); }
  Status end_chunks() override { return ok(); }
  Status end_stream() override { return ok(); }
  Status end_file(const Error*) override { return ok(); }  // the log reports it
  Status end() override { return ok(); }

 private:
  TextOutput& out_;
  Screen screen_;
  DigestColumn digests_;
  bool details_;
  bool head_shown_ = false;  // an empty table has no head
};

}  // namespace tdz::app
