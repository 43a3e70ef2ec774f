// SPDX-License-Identifier: Apache-2.0
// The steps that compressing and restoring a file share: open source and target, show progress, give the
// result its name, remove the source.
#pragma once

#include <memory>
#include <optional>
#include <string>

#include "app/files/fd_io.hpp"
#include "app/files/input_file.hpp"
#include "app/files/output_file.hpp"
#include "app/files/placed_sinks.hpp"
#include "app/files/targets.hpp"
#include "app/options/options.hpp"
#include "app/reports/progress.hpp"
#include "app/verbs/verbs.hpp"

namespace tdz::app {

/// Compressed bytes are not written to a terminal.
enum class Content : unsigned char { compressed, restored };

/// Source and target of one file. Without a target the result goes to standard output.
struct TransferPlan {
  std::string source;
  std::optional<std::string> target;
  Content content = Content::compressed;
  Links links = Links::follow;
  const OutputTree* tree = nullptr;  ///< the folder of --output-dir, if the target is in it
  bool many_writers = false;         ///< enough threads write to make mapped pages worth their faults
  bool in_place = false;             ///< the target is the source, which is replaced
  std::string verb = "recover";      ///< for a message about a source that is no regular file
};

/// Gives a source its name back that a killed --rm left under a hidden one, and says so. False if there is
/// none.
bool named_again(const std::string& path, Session& session);

class Transfer {
 public:
  /// Opens both ends. Errors: usage (refused), io.
  static Result<std::unique_ptr<Transfer>> open(const TransferPlan& plan, const OutputOptions& options,
                                                const Reporting& reporting, Session& session);

  Source& source() { return *source_; }
  /// The source at any offset. Errors: usage (it is not a regular file, or empty), io.
  Result<FdRandomAccess> whole_source() const;
  Sink& sink() { return placed_ != nullptr ? static_cast<Sink&>(*placed_) : *sink_; }
  /// For the library. `done` is the count of a Progress that is compared with the size of the source.
  ProgressCallback progress(std::uint64_t Progress::*done);
  /// "x -> x.tdz".
  std::string shown() const;

  /// The bytes written so far, from the beginning. Precondition: the target is a new file.
  Result<FdSource> written() const;
  /// Is the target a new file, so that it can be read back?
  bool makes_file() const { return file_ != nullptr; }

  /// Gives the result its name; with --rm, removes the source afterwards.
  Status finish();

 private:
  Transfer(InputFile input, const TransferPlan& plan, const OutputOptions& options, Session& session);

  Status open_target();
  Status open_standard_output();
  Status open_existing(const struct stat& target);
  Status open_file();
  Status close_existing() const;
  Status check_terminal(int fd) const;

  InputFile input_;
  TransferPlan plan_;
  const OutputOptions& options_;
  Session& session_;
  Fd device_;
  std::unique_ptr<OutputFile> file_;
  std::optional<FdSource> source_;
  std::optional<FdSink> sink_;
  std::unique_ptr<PlacedSink> placed_;  ///< before sink_, or null
  std::optional<ProgressLine> line_;
};

}  // namespace tdz::app
