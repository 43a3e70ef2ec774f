// SPDX-License-Identifier: Apache-2.0
#include <unistd.h>

#include "app/files/fd_io.hpp"
#include "app/files/input_file.hpp"
#include "app/reports/info.hpp"
#include "app/reports/report_output.hpp"
#include "app/verbs/file_loop.hpp"
#include "app/verbs/verbs.hpp"

namespace tdz::app {
namespace {

/// Returns the errors of the output; an error of the file goes to `fault`.
Status report_chunks(FdRandomAccess& file, const StreamInfo& stream, const InfoCommand& command,
                     InfoReport& report, Status& fault) {
  if (auto done = report.begin_chunks(); !done) return done;
  Status written = ok();
  const auto visit = [&](const ChunkInfo& chunk) {
    written = report.chunk(chunk);
    return static_cast<bool>(written);
  };
  fault = for_each_chunk(file, stream, visit, command.codec);
  return written ? report.end_chunks() : written;
}

Status report_stream(FdRandomAccess& file, const StreamInfo& stream, const InfoCommand& command,
                     InfoReport& report, Status& fault) {
  if (auto done = report.begin_stream(stream); !done) return done;
  if (command.chunks) {
    if (auto done = report_chunks(file, stream, command, report, fault); !done) return done;
  }
  return report.end_stream();
}

Totals totals_of(const FileInfo& info) {
  Totals totals;
  totals.original_bytes = info.original_bytes();
  totals.stored_bytes = info.stored_bytes();
  totals.chunks = info.chunks();
  totals.streams = info.streams.size();
  return totals;
}

/// A file that cannot be read is still listed in the report.
Result<Totals> report_fault(const std::string& name, const Error& error, InfoReport& report) {
  if (auto done = report.begin_file({name, 0, {}}); !done) return done.error();
  if (auto done = report.end_file(&error); !done) return done.error();
  return error;
}

Result<Totals> report_streams(const FileInfo& info, FdRandomAccess& file, const InfoCommand& command,
                              InfoReport& report) {
  if (auto done = report.begin_file(info); !done) return done.error();
  Status fault = ok();
  for (const auto& stream : info.streams) {
    if (auto done = report_stream(file, stream, command, report, fault); !done) return done.error();
    if (!fault) break;
  }
  if (auto done = report.end_file(fault ? nullptr : &fault.error()); !done) return done.error();
  if (!fault) return fault.error();
  return totals_of(info);
}

Result<Totals> report_file(const Job& job, const InfoCommand& command, InfoReport& report) {
  const std::string& name = job.file;
  auto input = InputFile::open(name, UnusualInput::refuse, job.links);
  if (!input) return report_fault(name, input.error(), report);
  auto file = FdRandomAccess::open(input->fd());
  if (!file) return report_fault(name, file.error(), report);
  auto streams = inspect(*file, command.codec);
  if (!streams) return report_fault(name, streams.error(), report);
  return report_streams({name, file->size(), *std::move(streams)}, *file, command, report);
}

}  // namespace

ExitCode run(const InfoCommand& command, Session& session) {
  TextOutput out(session.interrupts);
  const auto report = command.json ? info_json(out) : info_table(out, command, screen_of(STDOUT_FILENO));
  if (auto done = report->begin(); !done) return finished(done, ExitCode::done, session);
  const Batch batch{.files = command.files, .selection = command.selection, .work = [&](const Job& job) {
                      return report_file(job, command, *report);
                    }};
  const auto tally = for_each_file(batch, session);
  auto done = report->end();
  if (done) done = out.flush();
  return finished(std::move(done), tally.worst, session);
}

}  // namespace tdz::app
