// SPDX-License-Identifier: Apache-2.0
#include "app/verbs/transfer.hpp"

#include <fcntl.h>
#include <spdlog/fmt/fmt.h>
#include <sys/stat.h>
#include <unistd.h>

#include "app/files/hidden_file.hpp"
#include "app/options/names.hpp"

namespace tdz::app {

namespace {

/// Opens the source. If a killed --rm left it under a hidden name, it gets its own back first.
Result<InputFile> open_source(const TransferPlan& plan, UnusualInput unusual, const OutputOptions& options,
                              Session& session) {
  if (options.remove_source && plan.source != kStandardInput) remove_second_names(plan.source);
  auto input = InputFile::open(plan.source, unusual, plan.links);
  if (input || plan.source == kStandardInput || !named_again(plan.source, session)) return input;
  return InputFile::open(plan.source, unusual, plan.links);
}

}  // namespace

bool named_again(const std::string& path, Session& session) {
  const auto hidden = give_name_back(path);
  if (!hidden) return false;
  session.log.warn(fmt::format("{}: a run that was killed had hidden it as {}; now it has its name again",
                               printable(path), printable(*hidden)));
  return true;
}

Result<std::unique_ptr<Transfer>> Transfer::open(const TransferPlan& plan, const OutputOptions& options,
                                                 const Reporting& reporting, Session& session) {
  // A result of a device has no name of its own: the user must say where it goes.
  const bool unusual = options.force && (options.to_stdout || options.file || plan.source == kStandardInput);
  auto input = open_source(plan, unusual ? UnusualInput::allow : UnusualInput::refuse, options, session);
  if (!input) return input.error();
  std::unique_ptr<Transfer> transfer(new Transfer(*std::move(input), plan, options, session));
  if (options.remove_source && plan.source != kStandardInput) {
    if (auto done = transfer->input_.check_removable(); !done) return done.error();
  }
  if (auto done = transfer->open_target(); !done) return done.error();
  const auto style = progress_style(reporting, plan.target ? StandardOutput::unused : StandardOutput::result);
  transfer->line_.emplace(transfer->input_.shown(), transfer->source_->size(), style);
  return transfer;
}

Transfer::Transfer(InputFile input, const TransferPlan& plan, const OutputOptions& options, Session& session)
    : input_(std::move(input)), plan_(plan), options_(options), session_(session) {
  source_.emplace(input_.fd(), session.interrupts);
}

Status Transfer::open_target() {
  if (!plan_.target) return open_standard_output();
  struct stat target {};
  const bool exists = stat(plan_.target->c_str(), &target) == 0;
  if (!exists && errno != ENOENT) return io_error("creating", *plan_.target);
  if (exists && !plan_.in_place && same_file(target, input_.status()))
    return usage("input and output are the same file");
  if (exists && session_.log.file() == identity_of(target))
    return usage(printable(*plan_.target) + " is the log file of this run; use another log file");
  // --output-dir creates files only: a link below it could lead to a device.
  const bool special = exists && !S_ISREG(target.st_mode) && !S_ISDIR(target.st_mode);
  return special && plan_.tree == nullptr ? open_existing(target) : open_file();
}

Status Transfer::open_file() {
  const auto existing = options_.force || plan_.in_place ? ExistingTarget::replace : ExistingTarget::refuse;
  auto folder = plan_.tree != nullptr ? plan_.tree->folder_for(plan_.source) : Result<Fd>(Fd());
  if (!folder) return folder.error();
  auto file = plan_.tree != nullptr ? OutputFile::create_in(*std::move(folder), *plan_.target, existing)
                                    : OutputFile::create(*plan_.target, existing);
  if (!file) return file.error();
  file_ = *std::move(file);
  sink_.emplace(file_->fd(), *plan_.target, Placement::anywhere, session_.interrupts);
  if (options_.sparse)
    placed_ = std::make_unique<SparseSink>(*sink_);
  else if (plan_.many_writers && MappedSink::suits(file_->fd()))
    placed_ = std::make_unique<MappedSink>(*sink_, file_->fd());
  return ok();
}

Status Transfer::open_standard_output() {
  struct stat target {};
  if (fstat(STDOUT_FILENO, &target) != 0) return io_error("writing", "(stdout)");
  if (S_ISREG(target.st_mode) && same_file(target, input_.status())) {
    return usage("input and output are the same file");
  }
  if (auto done = check_terminal(STDOUT_FILENO); !done) return done;
  sink_.emplace(STDOUT_FILENO, "(stdout)", Placement::in_order, session_.interrupts);
  return ok();
}

/// A pipe or a device is written directly; it cannot be replaced by a new file.
Status Transfer::open_existing(const struct stat& target) {
  if (S_ISBLK(target.st_mode) && !options_.force) return target_exists(*plan_.target);
  if (options_.sparse)
    return usage("--sparse makes holes in a file, but " + printable(*plan_.target) +
                 " is not a regular file");
  if (options_.remove_source)
    return usage("--rm needs a result on disk, but " + printable(*plan_.target) + " is not a regular file");
  device_ = Fd(::open(plan_.target->c_str(), O_WRONLY | O_CLOEXEC | O_NOCTTY));
  if (!device_) return io_error("opening", *plan_.target);
  sink_.emplace(device_.get(), *plan_.target, Placement::in_order, session_.interrupts);
  return check_terminal(device_.get());
}

Status Transfer::check_terminal(int fd) const {
  if (plan_.content == Content::restored || options_.force || !isatty(fd)) return ok();
  return usage("compressed data is not written to a terminal; use -o FILE, or -f to write it anyway");
}

ProgressCallback Transfer::progress(std::uint64_t Progress::*done) {
  return [this, done](const Progress& now) { line_->update(now.*done, now.original_bytes); };
}

std::string Transfer::shown() const {
  return fmt::format("{} -> {}", input_.shown(), plan_.target ? printable(*plan_.target) : "(stdout)");
}

Result<FdRandomAccess> Transfer::whole_source() const {
  const Error refusal =
      usage(plan_.verb + " needs a regular file that is not empty; save a pipe to a file first");
  if (!S_ISREG(input_.status().st_mode)) return refusal;
  auto file = FdRandomAccess::open(input_.fd());
  if (file && file->size() == 0) return refusal;
  return file;
}

Result<FdSource> Transfer::written() const {
  if (lseek(file_->fd(), 0, SEEK_SET) != 0) return io_error("reading", *plan_.target);
  return FdSource(file_->fd(), session_.interrupts);
}

/// Closes a copy of the descriptor to get the error of close. Some file systems, above all network file
/// systems, report a failed write only there.
Status Transfer::close_existing() const {
  const int fd = device_ ? device_.get() : STDOUT_FILENO;
  const int copy = dup(fd);
  if (copy < 0 || close(copy) == 0 || errno == EINTR) return ok();
  return io_error("writing", plan_.target ? *plan_.target : "(stdout)");
}

Status Transfer::finish() {
  line_->erase();
  if (plan_.in_place && input_.has_changed())
    return Error{ErrorKind::io, "the file has changed since it was read; it stays as it is"};
  if (!options_.remove_source && input_.has_changed())
    session_.log.warn(input_.shown() +
                      ": the source has changed since it was read; the result holds what was read");
  if (file_ == nullptr) return close_existing();
  if (session_.interrupts.requested()) return Error{ErrorKind::cancelled, "stopped"};
  if (placed_ != nullptr) {
    if (auto done = placed_->finish(); !done) return done;
  }
  if (auto done = file_->publish(metadata_of(input_.fd())); !done) return done;
  if (!options_.remove_source || input_.is_standard_input()) return ok();
  if (source_->size_is_wrong())
    return Error{
        ErrorKind::io,
        "the source is kept: the system states a wrong size for it, so nobody can tell whether it changes"};
  return input_.remove(options_.force ? Unknown::allow : Unknown::refuse);
}

}  // namespace tdz::app
