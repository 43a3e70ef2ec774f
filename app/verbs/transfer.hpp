// SPDX-License-Identifier: Apache-2.0
// One file's way from source to result, as far as both directions share it: opening, progress, publishing,
// --rm.
#pragma once

#include <memory>
#include <optional>
#include <string>

#include "app/files/fd_io.hpp"
#include "app/files/input_file.hpp"
#include "app/files/output_file.hpp"
#include "app/files/output_tree.hpp"
#include "app/files/sparse_sink.hpp"
#include "app/options/options.hpp"
#include "app/reports/progress.hpp"
#include "app/verbs/session.hpp"

namespace tdz::app {

/// Compressed bytes do not go to terminals.
enum class Content : unsigned char { compressed, restored };

/// What is to be moved where. No target is standard output.
struct TransferPlan {
  std::string source;
  std::optional<std::string> target;
  Content content = Content::compressed;
  Links links = Links::follow;
  const OutputTree* tree = nullptr;  ///< that the target lies in, if it does
};

class Transfer {
 public:
  /// Opens both ends. Errors: usage (refused), io.
  static Result<std::unique_ptr<Transfer>> open(const TransferPlan& plan, const OutputOptions& options,
                                                const Reporting& reporting, Session& session);

  Source& source() { return *source_; }
  Sink& sink() { return sparse_ ? static_cast<Sink&>(*sparse_) : *sink_; }
  /// For the library: `done` picks which count of a Progress is measured against the source's size.
  ProgressCallback progress(std::uint64_t Progress::*done);
  /// "x -> x.tdz".
  std::string shown() const;

  /// What was written so far, from its beginning. Precondition: the target is a new file.
  Result<FdSource> written() const;
  /// Is the target a new file, so that it can be read back?
  bool makes_file() const { return file_ != nullptr; }

  /// The result gets its name, then the source is removed if that was asked for.
  Status finish();

 private:
  Transfer(InputFile input, const TransferPlan& plan, const OutputOptions& options, Session& session);

  Status open_target();
  Status open_standard_output();
  Status open_existing(const struct stat& target);
  Status open_file();
  Status close_existing() const;
  Status check_readers(int fd) const;

  InputFile input_;
  TransferPlan plan_;
  const OutputOptions& options_;
  Session& session_;
  Fd device_;
  std::unique_ptr<OutputFile> file_;
  std::optional<FdSource> source_;
  std::optional<FdSink> sink_;
  std::optional<SparseSink> sparse_;
  std::optional<ProgressLine> line_;
};

}  // namespace tdz::app
