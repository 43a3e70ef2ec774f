// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <array>
#include <limits>
#include <optional>
#include <tuple>
#include <type_traits>
#include <utility>

#include "codec/json.hpp"
#include "formats/names.hpp"
#include "formats/plan/plan_rules.hpp"
#include "tdz/plan.hpp"

namespace tdz {
namespace {

constexpr unsigned kVersion = 1;
/// Plan, columns, column, steps, step, rules, rule.
constexpr JsonLimits kLimits{kMaxPlanText, 7};

// ---- Names

constexpr std::array<std::pair<std::string_view, ScaleKind>, 2> kScaleKinds = {
    {{"integer", ScaleKind::integer}, {"real", ScaleKind::real}}};

/// In the order of Packing.
constexpr std::array<std::string_view, kPackings> kPackingNames = {"search",     "quick",     "entropy",
                                                                   "moderate",   "distant",   "distant-quick",
                                                                   "search-cut", "quick-cut", "stored"};

// ---- To JSON

Json rule_json(const LaneRule& rule) {
  // What a rule does not do is left out: lanes of 60 columns stay below the limit of a text.
  Json json = Json::object();
  if (rule.order != 0) json["order"] = rule.order;
  if (rule.zigzag) json["zigzag"] = true;
  if (!rule.has_source()) return json;
  json["source"] = rule.source;
  if (rule.lag != 0) json["lag"] = rule.lag;
  if (rule.after) json["after"] = true;
  return json;
}

/// The JSON of a step: its name, and its parameters.
struct StepJson {
  Json operator()(const DifferenceStep& s) const {
    return {{"step", s.kTraits.name}, {"tuple", s.tuple}, {"order", s.order}, {"run", s.run}};
  }
  Json operator()(const ScaleStep& s) const {
    return {{"step", s.kTraits.name},
            {"tuple", s.tuple},
            {"kind", kScaleKinds[static_cast<std::size_t>(s.kind)].first}};
  }
  Json operator()(const LanesStep& s) const {
    Json rules = Json::array();
    for (const LaneRule& rule : s.lanes) rules.push_back(rule_json(rule));
    return {{"step", s.kTraits.name}, {"run", s.run}, {"rules", std::move(rules)}};
  }
  Json operator()(const PredictStep& s) const {
    return {{"step", s.kTraits.name}, {"tuple", s.tuple}, {"signed", s.sign == Sign::is_signed}};
  }
  Json operator()(const GridStep& s) const {
    return {{"step", s.kTraits.name}, {"tuple", s.tuple},   {"signed", s.sign == Sign::is_signed},
            {"line", s.line},         {"height", s.height}, {"neighbours", s.neighbours}};
  }
  Json operator()(const TokensStep& s) const {
    return {{"layout", s.kTraits.name}, {"tuple", s.tuple}, {"k", s.code.k}, {"m", s.code.m}, {"run", s.run}};
  }
  template <formats::StepOfNumbers T>
  Json operator()(const T& s) const {
    Json json = {{T::kTraits.is_layout ? "layout" : "step", T::kTraits.name}};
    [[maybe_unused]] const auto put = [&](const auto& number) {
      json[std::string(number.name)] = s.*number.place;
    };
    std::apply([&](const auto&... number) { (put(number), ...); }, T::numbers());
    return json;
  }
};

/// f32, i24; w where the kind is not known, or where no number of this width has it.
std::string type_of(const Column& column) {
  const std::string name = formats::type_name({column.kind, column.width, 1});
  return formats::parse_types(name) ? name : formats::type_name({0, column.width, 1});
}

Json column_json(const Column& column) {
  Json steps = Json::array(), layout = {{"layout", formats::layout_name(Layout::interleaved)}};
  for (const PlanStep& step : column.steps) {
    Json json = std::visit(StepJson{}, step);
    if (is_layout(step))
      layout = std::move(json);
    else
      steps.push_back(std::move(json));
  }
  return {{"type", type_of(column)},
          {"count", column.count},
          {"steps", std::move(steps)},
          {"layout", std::move(layout)}};
}

Json scale_json(const ScalePlan& scale) {
  Json pairs = Json::array();
  for (const ScalePair& pair : scale.pairs) pairs.push_back({{"num", pair.num}, {"den", pair.den}});
  Json json = {{"pairs", std::move(pairs)}};
  if (scale.fill) json["fill"] = *scale.fill;
  if (scale.unsigned_words) json["unsigned"] = true;
  return json;
}

Json packing_json(const Plan& plan) {
  Json json = {{"level", plan.packing.level},
               {"frame", plan.packing.frame_bytes},
               {"block", plan.packing.block_bytes},
               {"uniform", plan.coding == Coding::uniform},
               {"code_limit", plan.packing.code_limit}};
  for (const Packing packing : plan.packing.planes)
    json["planes"].push_back(kPackingNames[static_cast<std::size_t>(packing)]);
  for (const ScalePlan& scale : plan.packing.scales) json["scales"].push_back(scale_json(scale));
  return json;
}

// ---- From JSON

std::uint32_t number32(const JsonReader& in, std::string_view name, std::uint32_t least, std::uint32_t most) {
  return static_cast<std::uint32_t>(in.number(name, least, most));
}
std::uint8_t number8(const JsonReader& in, std::string_view name, unsigned least, unsigned most) {
  return static_cast<std::uint8_t>(in.number(name, least, most));
}

std::uint32_t any_tuple(const JsonReader& in) {
  return number32(in, "tuple", 1, std::numeric_limits<std::uint32_t>::max());
}
std::uint32_t side_tuple(const JsonReader& in) {
  return number32(in, "tuple", 1, kMaxSideTuple);
}

std::uint32_t run_of(const JsonReader& in) {
  const auto run = number32(in, "run", 0, std::numeric_limits<std::uint32_t>::max());
  if (!is_run(run)) in.refuse("run", "must be 0, or a power of two from 1024 to 65536");
  return run;
}

PlanStep read_json(std::type_identity<DifferenceStep>, const JsonReader& in) {
  in.knows({"step", "tuple", "order", "run"});
  const std::uint32_t tuple = any_tuple(in);
  const std::uint8_t order = number8(in, "order", 1, kMaxOrder);
  return DifferenceStep{tuple, order, run_of(in)};
}

PlanStep read_json(std::type_identity<ScaleStep>, const JsonReader& in) {
  in.knows({"step", "tuple", "kind"});
  const std::uint32_t tuple = side_tuple(in);
  const std::string said = in.text("kind");
  for (const auto& [name, kind] : kScaleKinds)
    if (said == name) return ScaleStep{tuple, kind};
  in.refuse("kind", "must be \"integer\" or \"real\"");
  return ScaleStep{};
}

LaneRule read_rule(const JsonReader& in) {
  in.knows({"order", "zigzag", "source", "lag", "after"});
  LaneRule rule;
  if (in.has("order")) rule.order = number8(in, "order", 0, kHighestLaneOrder);
  if (in.has("zigzag")) rule.zigzag = in.truth("zigzag");
  if (in.has("source")) rule.source = static_cast<std::uint16_t>(in.number("source", 0, kMaxSideTuple - 1));
  if (in.has("lag")) rule.lag = number8(in, "lag", 0, 1);
  if (in.has("after")) rule.after = in.truth("after");
  return rule;
}

PlanStep read_json(std::type_identity<LanesStep>, const JsonReader& in) {
  in.knows({"step", "run", "rules"});
  LanesStep lanes{{}, run_of(in)};
  for (const JsonReader& rule : in.array("rules")) lanes.lanes.push_back(read_rule(rule));
  return lanes;
}

PlanStep read_json(std::type_identity<PredictStep>, const JsonReader& in) {
  in.knows({"step", "tuple", "signed"});
  const std::uint32_t tuple = side_tuple(in);
  return PredictStep{tuple, in.truth("signed") ? Sign::is_signed : Sign::is_unsigned};
}

PlanStep read_json(std::type_identity<GridStep>, const JsonReader& in) {
  in.knows({"step", "tuple", "signed", "line", "height", "neighbours"});
  constexpr std::uint32_t kAny = std::numeric_limits<std::uint32_t>::max();
  GridStep step;
  step.tuple = number32(in, "tuple", 1, kMostGridLanes);
  step.sign = in.truth("signed") ? Sign::is_signed : Sign::is_unsigned;
  step.line = number32(in, "line", kLeastGridLine, kAny);
  step.height = number32(in, "height", 0, kAny);
  step.neighbours = number32(in, "neighbours", 1, (std::uint32_t{1} << kGridNeighbours.size()) - 1);
  return step;
}

PlanStep read_json(std::type_identity<TokensStep>, const JsonReader& in) {
  in.knows({"layout", "tuple", "k", "m", "run"});
  const std::uint32_t tuple = side_tuple(in);
  const std::uint8_t k = number8(in, "k", 0, kHighestTokenBits);
  return TokensStep{tuple, {k, number8(in, "m", 0, kHighestTokenBits)}, run_of(in)};
}

/// A step whose parameters are plain numbers, or that has none.
template <formats::StepOfNumbers T>
PlanStep read_json(std::type_identity<T>, const JsonReader& in) {
  T step;
  [[maybe_unused]] const auto read = [&]<class Number>(const formats::NumberParameter<T, Number>& number) {
    step.*number.place = static_cast<Number>(in.number(number.name, number.least, number.most));
  };
  std::apply(
      [&](const auto&... number) {
        in.knows({T::kTraits.is_layout ? "layout" : "step", number.name...});
        (read(number), ...);
      },
      T::numbers());
  return step;
}

/// "must be "a", "b" or "c"": the steps that are layouts, or those that are none.
std::string must_be(bool layouts) {
  std::vector<std::string> names;
  if (layouts) names.push_back(std::string(formats::layout_name(Layout::interleaved)));
  for_each_step([&]<class T>(std::type_identity<T>) {
    if (T::kTraits.is_layout == layouts) names.push_back(std::string(T::kTraits.name));
  });
  std::string text = "must be ";
  for (std::size_t i = 0; i < names.size(); ++i)
    text += (i == 0 ? "" : i + 1 == names.size() ? " or " : ", ") + ('"' + names[i] + '"');
  return text;
}

/// The step that is named under `key`, among all layouts or all others; nothing if there is none of this
/// name.
std::optional<PlanStep> read_named(const JsonReader& in, bool layouts, const std::string& said) {
  std::optional<PlanStep> found;
  for_each_step([&]<class T>(std::type_identity<T> step) {
    if (T::kTraits.is_layout == layouts && said == T::kTraits.name) found = read_json(step, in);
  });
  return found;
}

PlanStep read_step(const JsonReader& in) {
  const std::string said = in.text("step");
  if (auto step = read_named(in, false, said)) return *std::move(step);
  in.refuse("step", must_be(false));
  return ZigzagStep{};
}

void read_layout(const JsonReader& in, std::vector<PlanStep>& steps) {
  const std::string said = in.text("layout");
  if (said == formats::layout_name(Layout::interleaved)) return in.knows({"layout"});
  if (auto step = read_named(in, true, said)) return steps.push_back(*std::move(step));
  in.refuse("layout", must_be(true));
}

void read_type(const JsonReader& in, Column& column) {
  const std::string name = in.text("type");
  const auto types = formats::parse_types(name);
  if (!types || types->size() != 1 || name.find('x') != std::string::npos)
    return in.refuse("type", "must be the type of one number, such as \"u8\", \"i24\" or \"f32\"");
  column.kind = types->front().kind;
  column.width = types->front().word;
}

Column read_column(const JsonReader& in) {
  in.knows({"type", "count", "steps", "layout"});
  Column column;
  read_type(in, column);
  column.count = static_cast<std::uint16_t>(in.number("count", 1, 0xFFFF));
  for (const JsonReader& step : in.array("steps")) column.steps.push_back(read_step(step));
  read_layout(in.object("layout"), column.steps);
  return column;
}

std::vector<Packing> read_planes(const JsonReader& in) {
  std::vector<Packing> planes;
  for (const std::string& said : in.texts("planes")) {
    const auto at = std::ranges::find(kPackingNames, said);
    if (at == kPackingNames.end())
      in.refuse("planes", "must name packings: search, quick, entropy, moderate, distant or distant-quick");
    else
      planes.push_back(static_cast<Packing>(at - kPackingNames.begin()));
  }
  return planes;
}

ScalePair read_pair(const JsonReader& in) {
  in.knows({"num", "den"});
  return {in.real("num"), in.real("den")};
}

ScalePlan read_scale_plan(const JsonReader& in) {
  in.knows({"pairs", "fill", "unsigned"});
  ScalePlan scale;
  for (const JsonReader& pair : in.array("pairs")) scale.pairs.push_back(read_pair(pair));
  if (in.has("fill")) scale.fill = in.number("fill", 0, std::numeric_limits<std::uint64_t>::max());
  if (in.has("unsigned")) scale.unsigned_words = in.truth("unsigned");
  return scale;
}

void read_packing(const JsonReader& in, Plan& plan) {
  constexpr auto kMost = std::numeric_limits<std::uint32_t>::max();
  in.knows({"level", "frame", "block", "uniform", "code_limit", "planes", "scales"});
  if (in.has("level")) plan.packing.level = number8(in, "level", 0, 22);
  if (in.has("frame")) plan.packing.frame_bytes = number32(in, "frame", 0, kMost);
  if (in.has("block")) plan.packing.block_bytes = number32(in, "block", 0, kMost);
  if (in.has("uniform") && in.truth("uniform")) plan.coding = Coding::uniform;
  if (in.has("code_limit")) plan.packing.code_limit = number8(in, "code_limit", 0, 11);
  if (in.has("planes")) plan.packing.planes = read_planes(in);
  if (!in.has("scales")) return;
  for (const JsonReader& scale : in.array("scales")) plan.packing.scales.push_back(read_scale_plan(scale));
}

Result<Plan> read_plan(const Json& json) {
  formats::Fault fault;
  const JsonReader in(json, "", fault);
  const auto version = in.number("version", 1, std::numeric_limits<std::uint64_t>::max());
  if (!fault && version != kVersion)
    return unsupported("version " + std::to_string(version) + "; this tdz knows version 1");
  in.knows({"version", "record", "columns", "packing"});
  Plan plan;
  for (const JsonReader& column : in.array("columns")) plan.columns.push_back(read_column(column));
  if (in.has("packing")) read_packing(in.object("packing"), plan);
  const auto record = in.number("record", 1, kMaxRowBytes);
  if (fault) return *std::move(fault);
  if (auto good = formats::check(plan); !good) return good.error();
  if (record != row_bytes(plan))
    return usage("record is " + std::to_string(record) + ", but the columns take " +
                 std::to_string(row_bytes(plan)) + " bytes");
  return plan;
}

}  // namespace

std::string to_json(const Plan& plan) {
  Json columns = Json::array();
  for (const Column& column : plan.columns) columns.push_back(column_json(column));
  const Json json = {{"version", kVersion},
                     {"record", row_bytes(plan)},
                     {"columns", std::move(columns)},
                     {"packing", packing_json(plan)}};
  return json.dump();
}

Result<Plan> plan_from_json(std::string_view text) {
  const auto json = parse_json(text, kLimits);
  auto plan = json ? read_plan(*json) : Result<Plan>(json.error());
  if (plan || plan.error().message.starts_with("a plan: ")) return plan;
  Error error = plan.error();
  error.message = "a plan: " + error.message;
  return error;
}

}  // namespace tdz
