// SPDX-License-Identifier: Apache-2.0
#include "formats/plan/plan_bytes.hpp"

#include <bit>

#include "formats/bytes.hpp"
#include "formats/plan/plan_rules.hpp"

namespace tdz::formats {
namespace {

/// The length of a step's parameters in a file.
constexpr std::uint16_t parameter_bytes(StepForm form) {
  switch (form) {
    case StepForm::unknown:
    case StepForm::plain:
      return 0;
    case StepForm::tuple:
      return 4;
    case StepForm::tuple_and_order:
      return 8;
  }
  return 0;
}

// The ids of the steps that Transform does not have. Stored in files; they never change meaning.
constexpr std::uint16_t kScale = 7, kLanes = 8, kPredict = 9, kTokens = 10;

// Flags of a lane.
constexpr std::uint8_t kZigzag = 1, kLag = 2, kAfter = 4, kAllFlags = 7;

/// What FORMAT.md calls r: a run has 2^r words; 0 is all of a lane.
std::uint8_t log_of_run(std::uint32_t run) {
  return run == 0 ? std::uint8_t{0} : static_cast<std::uint8_t>(std::countr_zero(run));
}
/// The inverse; what is no run stays none.
std::uint32_t run_of_log(std::uint8_t r) {
  constexpr std::uint32_t kNoRun = 1;
  static_assert(!is_run(kNoRun));
  if (r == 0) return 0;
  return r < 32 ? std::uint32_t{1} << r : kNoRun;
}

// ---- serialize

struct StepWriter {
  std::vector<std::byte>& out;

  void head(std::uint16_t id, std::size_t length) const {
    put_le(out, id, static_cast<std::uint16_t>(length));
  }
  void operator()(const PlainStep& s) const {
    const StepForm form = form_of(s.step.id);
    head(static_cast<std::uint16_t>(s.step.id), parameter_bytes(form));
    if (form == StepForm::plain) return;
    put_le(out, s.step.tuple);
    if (form == StepForm::tuple) return;
    put_le(out, s.step.order, log_of_run(s.run), std::uint16_t{0});
  }
  void operator()(const ScaleStep& s) const {
    head(kScale, 4);
    put_le(out, static_cast<std::uint16_t>(s.tuple), static_cast<std::uint8_t>(s.kind), std::uint8_t{0});
  }
  void operator()(const LanesStep& s) const {
    head(kLanes, 4 + 4 * s.lanes.size());
    put_le(out, static_cast<std::uint16_t>(s.lanes.size()), log_of_run(s.run), std::uint8_t{0});
    for (const LaneRule& rule : s.lanes) {
      const unsigned flags =
          (rule.zigzag ? kZigzag : 0u) | (rule.lag != 0 ? kLag : 0u) | (rule.after ? kAfter : 0u);
      put_le(out, rule.order, static_cast<std::uint8_t>(flags), rule.source);
    }
  }
  void operator()(const PredictStep& s) const {
    head(kPredict, 4);
    put_le(out, static_cast<std::uint16_t>(s.tuple), static_cast<std::uint8_t>(s.sign), std::uint8_t{0});
  }
  void operator()(const TokensStep& s) const {
    head(kTokens, 8);
    put_le(out, static_cast<std::uint16_t>(s.tuple), s.code.k, s.code.m, log_of_run(s.run), std::uint8_t{0},
           std::uint16_t{0});
  }
};

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

/// Heads, steps and lengths; a read behind the end is remembered by the reader.
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

/// Reads the parameters of one step. Their length is judged first, then all values.
class StepReader {
 public:
  StepReader(const StepShape& shape, unsigned width, std::uint64_t where)
      : id_(shape.id),
        length_(shape.parameters.size()),
        in_(shape.parameters),
        width_(width),
        where_(where) {}

  Result<PlanStep> read() {
    switch (id_) {
      case kScale:
        return read_scale();
      case kLanes:
        return read_lanes();
      case kPredict:
        return read_predict();
      case kTokens:
        return read_tokens();
      default:
        return read_plain();
    }
  }

 private:
  Error wrong_length() const {
    return corrupt("step " + std::to_string(id_) + " has " + std::to_string(length_) + " bytes of parameters",
                   where_);
  }
  Error bad_value(const std::string& what) const {
    return unsupported("step " + std::to_string(id_) + ": " + what, where_);
  }
  /// The rest of the parameters, which is zero; and all values.
  Result<PlanStep> judged(PlanStep step) {
    if (!all_zero(in_.take(in_.left()))) return bad_value("a byte is set where zero belongs");
    if (auto flaw = flaw_of_step(step, width_)) return bad_value(*flaw);
    return step;
  }

  Result<PlanStep> read_plain() {
    PlainStep s{{StepId{id_}}};
    const StepForm form = form_of(s.step.id);
    if (form == StepForm::unknown) return bad_value("version 1.0 does not know it");
    if (length_ != parameter_bytes(form)) return wrong_length();
    if (form != StepForm::plain) s.step.tuple = in_.get<std::uint32_t>();
    if (form == StepForm::tuple_and_order) {
      s.step.order = in_.get<std::uint8_t>();
      s.run = run_of_log(in_.get<std::uint8_t>());
    }
    return judged(s);
  }
  Result<PlanStep> read_scale() {
    if (length_ != 4) return wrong_length();
    ScaleStep s;
    s.tuple = in_.get<std::uint16_t>();
    s.kind = ScaleKind{in_.get<std::uint8_t>()};
    return judged(s);
  }
  Result<PlanStep> read_lanes() {
    if (length_ < 4) return wrong_length();
    const std::size_t tuple = in_.get<std::uint16_t>();
    if (length_ != 4 + 4 * tuple) return wrong_length();
    LanesStep s{std::vector<LaneRule>(tuple), run_of_log(in_.get<std::uint8_t>())};
    if (in_.get<std::uint8_t>() != 0) return bad_value("a byte is set where zero belongs");
    for (LaneRule& rule : s.lanes) {
      rule.order = in_.get<std::uint8_t>();
      const auto flags = in_.get<std::uint8_t>();
      rule.source = in_.get<std::uint16_t>();
      if ((flags & ~kAllFlags) != 0) return bad_value("an unknown flag of a lane");
      rule.zigzag = (flags & kZigzag) != 0;
      rule.lag = (flags & kLag) != 0 ? 1 : 0;
      rule.after = (flags & kAfter) != 0;
    }
    return judged(std::move(s));
  }
  Result<PlanStep> read_predict() {
    if (length_ != 4) return wrong_length();
    PredictStep s;
    s.tuple = in_.get<std::uint16_t>();
    s.sign = Sign{in_.get<std::uint8_t>()};
    return judged(s);
  }
  Result<PlanStep> read_tokens() {
    if (length_ != 8) return wrong_length();
    TokensStep s;
    s.tuple = in_.get<std::uint16_t>();
    in_.read(s.code.k, s.code.m);
    s.run = run_of_log(in_.get<std::uint8_t>());
    return judged(s);
  }

  std::uint16_t id_;
  std::size_t length_;
  ByteReader in_;
  unsigned width_;
  std::uint64_t where_;
};

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
    auto step = StepReader(from, column.width, where).read();
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
    for (const PlanStep& step : column.steps) std::visit(StepWriter{out}, step);
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
