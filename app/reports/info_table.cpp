// SPDX-License-Identifier: Apache-2.0
#include "app/reports/info_table.hpp"

#include <utility>

namespace tdz::app {

Status InfoTable::begin_file(const FileInfo& file) {
  if (file.streams.empty()) return ok();  // nothing was found in it
  if (!std::exchange(head_shown_, true)) {
    if (auto done = out_.put(table_head(digests_, screen_)); !done) return done;
  }
  return out_.put(table_row(file, digests_, screen_));
}

Status InfoTable::begin_stream(const StreamInfo& stream) {
  return details_ ? out_.put(stream_details(stream, screen_)) : ok();
}

}  // namespace tdz::app
