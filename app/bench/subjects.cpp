// SPDX-License-Identifier: Apache-2.0
#include "app/bench/subjects.hpp"

#include "app/files/fd_io.hpp"
#include "app/files/input_file.hpp"
#include "app/options/number_options.hpp"
#include "formats/parameters.hpp"
#include "formats/plan/made_plans.hpp"
#include "formats/plan/plan_name.hpp"
#include "formats/type_name.hpp"

namespace tdz::app::bench {
namespace {

/// The word, tuple and layout of a plan that may have more than parameters can say. The benchmark's cells are
/// parameters, so they show the plan's first shape.
formats::Parameters first_shape(const tdz::Plan& plan) {
  if (const auto said = formats::exact_parameters_of(plan)) return *said;
  const Column& column = plan.columns.front();
  if (plan.columns.size() > 1 || (column.width & (column.width - 1)) != 0) return {};
  auto shape = formats::parameters_of(column);
  shape.tuple = shortest_tuple(column);
  if (has_layout(column) && std::holds_alternative<TokensStep>(column.steps.back())) shape.layout = Layout::planes;
  return shape;
}

/// The type that compress would choose.
Status find_type(Subject& subject, FdSource& source, Session& session) {
  CompressOptions options;
  options.search.emplace();
  options.stop = session.interrupts.token();
  const auto analysis = analyze(source, options);
  if (!analysis) return analysis.error();
  const auto found = first_shape(analysis->chosen.front());
  const auto named = formats::parse_type(analysis->type);
  const bool same = named && named->word == found.word && named->tuple == found.tuple;
  subject.type = {same ? named->kind : '\0', found.word, found.tuple};
  subject.layout = found.layout;
  if (!step_options(analysis->chosen.front())) subject.chosen = formats::plan_name(analysis->chosen.front());
  return ok();
}

}  // namespace

Result<Subject> look_at(const std::string& file, const BenchCommand& command, Session& session) {
  auto input = InputFile::open(file, UnusualInput::refuse);
  if (!input) return input.error();
  if (!S_ISREG(input->status().st_mode))
    return Error{ErrorKind::usage, "bench reads a FILE several times; save this input to a file first"};
  auto bytes = FdRandomAccess::open(input->fd());
  if (!bytes) return bytes.error();
  if (bytes->size() == 0)
    return Error{ErrorKind::usage, "the file is empty, there is nothing to measure"};
  Subject subject{.name = file, .made = {}, .type = command.type.value_or(NumberType{})};
  subject.bytes = bytes->size();
  if (command.type) return subject;
  FdSource source(input->fd(), session.interrupts);
  if (auto done = find_type(subject, source, session); !done) return done.error();
  return subject;
}

Result<std::vector<std::byte>> load(const Subject& subject) {
  auto input = InputFile::open(subject.name, UnusualInput::refuse);
  if (!input) return input.error();
  auto file = FdRandomAccess::open(input->fd());
  if (!file) return file.error();
  std::vector<std::byte> bytes(static_cast<std::size_t>(subject.bytes));
  if (auto done = file->read_at(0, bytes); !done) return done.error();
  return bytes;
}

}  // namespace tdz::app::bench
