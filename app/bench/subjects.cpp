// SPDX-License-Identifier: Apache-2.0
#include "app/bench/subjects.hpp"

#include "app/files/fd_io.hpp"
#include "app/files/input_file.hpp"
#include "formats/parameters.hpp"
#include "formats/plan/made_plans.hpp"
#include "formats/type_name.hpp"

namespace tdz::app::bench {
namespace {

/// The type that compress would choose.
Status find_type(Subject& subject, FdSource& source, Session& session) {
  CompressOptions options;
  options.search.emplace();
  options.stop = session.interrupts.token();
  const auto analysis = analyze(source, options);
  if (!analysis) return analysis.error();
  // The benchmark's cells are lists of steps. Where the search found more than that, they show its first shape.
  const auto found = formats::parameters_of(formats::transform_of(analysis->chosen.front()).value_or(Transform{}));
  const auto named = formats::parse_type(analysis->type);
  const bool same = named && named->word == found.word && named->tuple == found.tuple;
  subject.type = {same ? named->kind : '\0', found.word, found.tuple};
  subject.layout = found.layout;
  return ok();
}

}  // namespace

Result<Subject> look_at(const std::string& file, const BenchCommand& command, Session& session) {
  auto input = InputFile::open(file, UnusualInput::refuse);
  if (!input) return input.error();
  if (!S_ISREG(input->status().st_mode))
    return Error{ErrorKind::usage, "bench reads its files again and again; save it first"};
  if (input->status().st_size == 0)
    return Error{ErrorKind::usage, "the file is empty, there is nothing to measure"};
  Subject subject{.name = file, .made = {}, .type = command.type.value_or(NumberType{})};
  subject.bytes = static_cast<std::uint64_t>(input->status().st_size);
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
