// SPDX-License-Identifier: Apache-2.0
#include "formats/plan/plan_bytes.hpp"

#include "formats/bytes.hpp"
#include "formats/plan/plan_rules.hpp"

namespace tdz::formats {
namespace {

/// Appends id, length and parameters.
template <class T>
void write_step(const T& step, std::vector<std::byte>& out) {
  put_le(out, T::kTraits.id, std::uint16_t{0});
  const std::size_t begin = out.size();
  step.write(out);
  set_le(std::span(out).subspan(begin - 2), static_cast<std::uint16_t>(out.size() - begin));
}

// ---- shape

struct StepShape {
  std::uint16_t id = 0;
  std::span<const std::byte> parameters;
};

struct ColumnShape {
  std::uint8_t width = 0;
  std::uint16_t count = 0;
  std::vector<StepShape> steps;
};

struct PlanShape {
  std::uint8_t coding = 0;
  std::uint16_t zero = 0;
  std::vector<ColumnShape> columns;
  std::size_t length = 0;
};

/// Heads, steps and lengths; a read past the end is remembered by the reader.
PlanShape read_shape(ByteReader& in) {
  PlanShape shape;
  shape.columns.resize(in.get<std::uint8_t>());
  in.read(shape.coding, shape.zero);
  for (ColumnShape& column : shape.columns) {
    column.width = in.get<std::uint8_t>();
    column.steps.resize(in.get<std::uint8_t>());
    column.count = in.get<std::uint16_t>();
  }
  for (ColumnShape& column : shape.columns) {
    for (StepShape& step : column.steps) {
      step.id = in.get<std::uint16_t>();
      const auto length = in.get<std::uint16_t>();
      if (length != 0) step.parameters = in.take(length);
    }
  }
  shape.length = in.position();
  return shape;
}

Result<PlanShape> shape_of(std::span<const std::byte> bytes, std::uint64_t where) {
  ByteReader in(bytes);
  PlanShape shape = read_shape(in);
  if (in.overran()) return corrupt("a plan ends too early", where);
  return shape;
}

// ---- parse

template <class T>
Result<PlanStep> read_parameters(ParameterReader& in, unsigned width) {
  auto step = T::read(in);
  if (!step) return step.error();
  if (!all_zero(in.take(in.left()))) return in.bad_value("a byte is set where zero belongs");
  if (auto flaw = step->flaw(width)) return in.bad_value(*flaw);
  return PlanStep(*std::move(step));
}

/// The step with this id, among all that there are. The length of its parameters is judged first, then all
/// values.
template <class... T>
Result<PlanStep> read_one_of(std::in_place_type_t<std::variant<T...>>, ParameterReader& in, unsigned width) {
  Result<PlanStep> step = Error{};
  const bool known = ((in.id() == T::kTraits.id && (step = read_parameters<T>(in, width), true)) || ...);
  if (!known) return in.bad_value("version 1.1 does not know it");
  return step;
}

Flaw read_heads(const PlanShape& shape, Plan& plan) {
  plan.coding = Coding{shape.coding};
  if (auto flaw = flaw_of_counts(shape.columns.size(), plan.coding)) return flaw;
  if (shape.zero != 0) return "a byte is set where zero belongs";
  for (const ColumnShape& from : shape.columns) {
    const Column column{from.width, from.count, {}};
    if (auto flaw = flaw_of_head(column, from.steps.size())) return flaw;
    plan.columns.push_back(column);
  }
  return {};
}

Fault read_steps(const ColumnShape& shape, std::uint64_t where, Column& column) {
  for (const StepShape& from : shape.steps) {
    ParameterReader in(from.id, from.parameters, where);
    auto step = read_one_of(std::in_place_type<PlanStep>, in, column.width);
    if (!step) return std::move(step).error();
    column.steps.push_back(std::move(step).value());
  }
  return {};
}

}  // namespace

std::vector<std::byte> serialize(const Plan& plan) {
  std::vector<std::byte> out;
  put_le(out, static_cast<std::uint8_t>(plan.columns.size()), static_cast<std::uint8_t>(plan.coding),
         std::uint16_t{0});
  for (const Column& column : plan.columns)
    put_le(out, column.width, static_cast<std::uint8_t>(column.steps.size()), column.count);
  for (const Column& column : plan.columns) {
    for (const PlanStep& step : column.steps) std::visit([&](const auto& s) { write_step(s, out); }, step);
  }
  return out;
}

std::size_t plan_bytes(const Plan& plan) {
  return serialize(plan).size();
}

Result<Plan> parse_plan(std::span<const std::byte> bytes, std::uint64_t where) {
  if (bytes.size() > kMaxPlanBytes) return corrupt("a plan longer than 65536 bytes", where);
  const auto shape = shape_of(bytes, where);
  if (!shape) return shape.error();
  if (shape->length != bytes.size()) return corrupt("bytes behind a plan", where);
  Plan plan;
  if (auto flaw = read_heads(*shape, plan)) return unsupported("a plan: " + *flaw, where);
  for (std::size_t c = 0; c < plan.columns.size(); ++c) {
    if (auto fault = read_steps(shape->columns[c], where, plan.columns[c])) return *std::move(fault);
  }
  if (auto flaw = flaw_of_columns(plan)) return unsupported("a plan: " + *flaw, where);
  return plan;
}

Result<std::size_t> plan_length(std::span<const std::byte> bytes, std::uint64_t where) {
  const auto shape = shape_of(bytes, where);
  if (!shape) return shape.error();
  return shape->length;
}

}  // namespace tdz::formats
