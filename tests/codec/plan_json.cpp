// SPDX-License-Identifier: Apache-2.0
// Does a plan come back from its JSON, and is every other text refused with a sentence that says where?
#include <doctest/doctest.h>

#include <algorithm>
#include <array>
#include <string>
#include <vector>

#include "formats/names.hpp"
#include "formats/plan/made_plans.hpp"
#include "formats/plan/plan_rules.hpp"
#include "tdz/plan.hpp"
#include "tests/codec/random_plans.hpp"

namespace tdz::test {
namespace {

std::vector<Packing> random_planes(Chance& chance) {
  std::vector<Packing> planes(chance.below(4));
  for (Packing& packing : planes) packing = static_cast<Packing>(chance.below(kPackings));
  return planes;
}

PackOptions random_packing(Chance& chance) {
  constexpr std::uint32_t kFrames[] = {0, 4096, 65537, 1u << 30}, kBlocks[] = {0, 1024, 16384, 131072};
  constexpr std::uint8_t kCodes[] = {0, 8, 9, 11};
  return {static_cast<int>(chance.below(23)), chance.one_of(kFrames), chance.one_of(kBlocks),
          chance.one_of(kCodes), random_planes(chance)};
}

/// One for each step `scale` of the plan; fills and pairs fit words of any width.
std::vector<ScalePlan> random_scales(Chance& chance, const Plan& plan) {
  constexpr double kNumbers[] = {1, 0.1, 24400, 1e-80, 96800000.5};
  std::vector<ScalePlan> scales(static_cast<std::size_t>(std::ranges::count_if(plan.columns, has_scale)));
  for (ScalePlan& scale : scales) {
    for (std::size_t n = chance.below(kMaxScalePairs + 1); n > 0; --n)
      scale.pairs.push_back({chance.one_of(kNumbers), chance.one_of(kNumbers)});
    if (chance.below(2) != 0) scale.fill = chance.below(256);
    scale.unsigned_words = chance.below(2) != 0;
  }
  return scales;
}

/// A letter that numbers of this width may have.
char random_kind(Chance& chance, const Column& column) {
  constexpr char kLetters[] = {'u', 'i', 'f', '\0'};
  const char kind = chance.one_of(kLetters);
  const bool is_float = column.width == 2 || column.width == 4 || column.width == 8;
  return kind == 'f' && !is_float ? 'u' : kind;
}

std::vector<char> kinds_of(const Plan& plan) {
  std::vector<char> kinds;
  for (const Column& column : plan.columns) kinds.push_back(column.kind);
  return kinds;
}

/// The message of the error, which must be one of usage.
std::string refusal(std::string_view text) {
  const auto plan = plan_from_json(text);
  if (plan) return "accepted";
  CHECK(plan.error().kind == ErrorKind::usage);
  return plan.error().message;
}

/// A plan of one column of 4-byte words, with these steps and this layout.
std::string column(std::string_view steps, std::string_view layout = R"({"layout":"interleaved"})") {
  return R"({"version":1,"record":4,"columns":[{"type":"f32","count":1,"steps":[)" + std::string(steps) +
         R"(],"layout":)" + std::string(layout) + "}]}";
}

/// `text` with the first `from` replaced.
std::string with(std::string text, std::string_view from, std::string_view to) {
  return text.replace(text.find(from), from.size(), to);
}

const std::string kPlain = column(R"({"step":"zigzag"})");

}  // namespace

TEST_CASE("every plan comes back from its JSON, with packing and letters") {
  Chance chance(7);
  for (int i = 0; i < 2000; ++i) {
    Plan plan = random_plan(chance);
    plan.packing = random_packing(chance);
    if (chance.below(2) != 0) plan.packing.scales = random_scales(chance, plan);
    for (Column& c : plan.columns) c.kind = random_kind(chance, c);
    REQUIRE(formats::check(plan));
    const std::string text = to_json(plan);
    CAPTURE(text);
    const auto back = plan_from_json(text);
    if (!back) FAIL_CHECK(back.error().message);
    REQUIRE(back);
    CHECK(*back == plan);
    CHECK(kinds_of(*back) == kinds_of(plan));
    CHECK(to_json(*back) == text);
  }
}

TEST_CASE("the JSON of a plan is the documented one") {
  Plan plan = *formats::plan_of(*formats::parse_types("u64,f32x5,i24"));
  plan.columns[2].steps = {LanesStep{{{2, true}, {0, false, 0, 1, true}}, 1024}, TokensStep{2, {3, 1}, 2048}};
  plan.columns[1].steps = {ScaleStep{5, ScaleKind::real}, PredictStep{1, Sign::is_signed}};
  plan.packing.level = 19;
  CHECK(to_json(plan) ==
        R"({"version":1,"record":31,"columns":[)"
        R"({"type":"u64","count":1,"steps":[{"step":"difference","tuple":1,"order":1,"run":0},)"
        R"({"step":"zigzag"}],"layout":{"layout":"planes"}},)"
        R"({"type":"f32","count":5,"steps":[{"step":"scale","tuple":5,"kind":"real"},)"
        R"({"step":"predict","tuple":1,"signed":true}],"layout":{"layout":"interleaved"}},)"
        R"({"type":"i24","count":1,"steps":[{"step":"lanes","run":1024,"rules":[{"order":2,"zigzag":true},)"
        R"({"source":0,"lag":1,"after":true}]}],)"
        R"("layout":{"layout":"tokens","tuple":2,"k":3,"m":1,"run":2048}}],)"
        R"("packing":{"level":19,"frame":0,"block":0,"uniform":false,"code_limit":0}})");
}

TEST_CASE("letters that a width does not have are not written") {
  CHECK(to_json({Coding::zstd, {{3, 1, {}, 'f'}}}).find(R"("w24")") != std::string::npos);
  CHECK(to_json({Coding::zstd, {{4, 1, {}, '"'}}}).find(R"("w32")") != std::string::npos);
  CHECK(to_json(plain_plan()).find(R"("bytes")") != std::string::npos);
}

TEST_CASE("the longest plan is shorter than the limit of a text") {
  Plan plan{Coding::uniform, {}, {22, 1u << 30, 131072, 11}};
  LanesStep lanes{{}, 65536};
  for (std::uint16_t l = 0; l < 256; ++l) lanes.lanes.push_back({8, true, 255, 1, true});
  // No lane of a good plan is its own source; a shorter one changes few bytes.
  lanes.lanes[255] = {8, true};
  const Column most{
      8,
      100,
      {lanes, ByteswapStep{}, DifferenceStep{0xFFFFFFFF, 8, 65536}, ScaleStep{256, ScaleKind::integer},
       PredictStep{256, Sign::is_unsigned}, ZigzagStep{}, ByteswapStep{}, TokensStep{256, {7, 1}, 65536}}};
  while (formats::check(plan) || plan.columns.empty()) plan.columns.push_back(most);
  plan.columns.pop_back();
  REQUIRE(formats::check(plan));
  CHECK(plan.columns.size() > 50);
  const std::string text = to_json(plan);
  CHECK(text.size() < kMaxPlanText);
  const auto back = plan_from_json(text);
  REQUIRE(back);
  CHECK(*back == plan);
}

TEST_CASE("packing and what a lane does not do may be left out") {
  const auto plain = plan_from_json(kPlain);
  REQUIRE(plain);
  CHECK(plain->packing == PackOptions{});
  CHECK(plain->columns[0].kind == 'f');
  const auto lanes = plan_from_json(column(R"({"step":"lanes","run":0,"rules":[{},{"source":0}]})"));
  REQUIRE(lanes);
  CHECK(lanes->columns[0].steps[0] == PlanStep{LanesStep{{{}, {0, false, 0}}, 0}});
}

TEST_CASE("an unknown member is named, with its place") {
  CHECK(refusal(with(kPlain, R"("version")", R"("verson":2,"version")")) ==
        R"(a plan: unknown member "verson")");
  CHECK(refusal(with(kPlain, R"("count")", R"("stride":8,"count")")) ==
        R"(a plan: unknown member "stride" in columns[0])");
  CHECK(refusal(column(R"({"step":"zigzag"},{"step":"zigzag","order":1})")) ==
        R"(a plan: unknown member "order" in columns[0].steps[1])");
  CHECK(refusal(column("", R"({"layout":"planes","tuple":1})")) ==
        R"(a plan: unknown member "tuple" in columns[0].layout)");
  CHECK(refusal(column(R"({"step":"lanes","run":0,"rules":[{"Order":1}]})")) ==
        R"(a plan: unknown member "Order" in columns[0].steps[0].rules[0])");
  CHECK(refusal(with(kPlain, R"("columns")", R"("packing":{"window":1},"columns")")) ==
        R"(a plan: unknown member "window" in packing)");
  CHECK(refusal(with(kPlain, R"("columns")", R"("\n\u00e9":1,"columns")")) ==
        R"(a plan: unknown member "\n\u00e9")");
  CHECK(refusal(with(kPlain, R"("columns")", '"' + std::string(500, 'a') + R"(":1,"columns")")).size() < 100);
}

TEST_CASE("planes are packed as listed, and the list is made of known names") {
  const auto packed = [](std::string_view planes) {
    return with(kPlain, R"("columns")", R"("packing":{"planes":)" + std::string(planes) + R"(},"columns")");
  };
  const auto plan = plan_from_json(packed(R"(["entropy","distant-quick"])"));
  REQUIRE(plan);
  CHECK(plan->packing.planes == std::vector{Packing::entropy, Packing::distant_quick});
  CHECK(refusal(packed(R"(["fast"])")).starts_with("a plan: packing.planes must name packings"));
  for (const char* other : {"\"quick\"", "[1]", "[\"quick\",null]", "{}"})
    CHECK(refusal(packed(other)) == "a plan: packing.planes must be an array of strings");
  std::string many = "[\"quick\"";
  for (int i = 0; i < 256; ++i) many += ",\"quick\"";
  CHECK(refusal(packed(many + "]")) == "a plan: packing: 257 planes, but at most 256 are named");
}

TEST_CASE("there is a scale for each step, of pairs and a fill that the words can have") {
  const auto scaled = [](std::string_view scales) {
    return with(column(R"({"step":"scale","tuple":1,"kind":"real"})"), R"("columns")",
                R"("packing":{"scales":)" + std::string(scales) + R"(},"columns")");
  };
  const auto plan = plan_from_json(scaled(R"([{"pairs":[{"num":1,"den":24400.5}],"fill":4294967295}])"));
  REQUIRE(plan);
  CHECK(plan->packing.scales == std::vector<ScalePlan>{{{{1, 24400.5}}, 4294967295, false}});
  CHECK(refusal(scaled("[{\"pairs\":[]},{\"pairs\":[]}]")) == "a plan: packing: 2 scales for 1 steps");
  CHECK(refusal(scaled(R"([{"pairs":[],"fill":4294967296}])")).find("fill is wider") != std::string::npos);
  for (const char* pair : {R"({"num":0,"den":1})", R"({"num":1,"den":-2})", R"({"num":1e300,"den":1e-320})"})
    CHECK(refusal(scaled(R"([{"pairs":[)" + std::string(pair) + "]}]")).find("out of range") !=
          std::string::npos);
  CHECK(refusal(scaled(R"([{"pairs":[{"num":"1","den":1}]}])")) ==
        "a plan: packing.scales[0].pairs[0].num must be a number");
  CHECK(refusal(scaled("[{}]")) == "a plan: packing.scales[0].pairs is missing");
}

TEST_CASE("a member that is missing, stands twice, or has another value") {
  CHECK(refusal(with(kPlain, R"("record":4)", R"("record":4E444)")) ==
        "a plan: JSON with a number that is too large");
  CHECK(refusal(with(kPlain, R"("record":4,)", "")) == "a plan: record is missing");
  CHECK(refusal(with(kPlain, R"("count":1,)", "")) == "a plan: columns[0].count is missing");
  CHECK(refusal(with(kPlain, R"("record":4)", R"("record":4,"record":4)")) ==
        R"(a plan: the member "record" stands twice)");
  CHECK(refusal(with(kPlain, R"("record":4)", R"("record":8)")) ==
        "a plan: record is 8, but the columns take 4 bytes");
  for (const char* number :
       {"0", "-1", "1.0", "1e0", "65537", "\"1\"", "true", "null", "99999999999999999999"}) {
    CAPTURE(number);
    CHECK(refusal(with(kPlain, R"("count":1)", R"("count":)" + std::string(number))) ==
          "a plan: columns[0].count must be a whole number from 1 to 65535");
  }
  for (const char* type : {"f24", "f32x2", "f32x1", "u8,u8", "", "float"}) {
    CHECK(refusal(with(kPlain, R"("f32")", '"' + std::string(type) + '"'))
              .starts_with("a plan: columns[0].type"));
  }
  CHECK(refusal(column(R"({"step":"Zigzag"})")).starts_with("a plan: columns[0].steps[0].step must be"));
  CHECK(
      refusal(column("", R"({"layout":"columns"})")).starts_with("a plan: columns[0].layout.layout must be"));
  CHECK(refusal(column(R"({"step":"predict","tuple":1,"signed":1})")) ==
        "a plan: columns[0].steps[0].signed must be true or false");
  CHECK(refusal(column(R"({"step":"difference","tuple":1,"order":1,"run":1000})")).find("power of two") !=
        std::string::npos);
  CHECK(refusal(column("7")) == "a plan: columns[0].steps[0].step is missing");
  CHECK(refusal(column("", R"("planes")")) == "a plan: columns[0].layout must be an object");
}

TEST_CASE("what reads as a plan must be a valid one") {
  const std::string_view scale = R"({"step":"scale","tuple":1,"kind":"real"})";
  CHECK(plan_from_json(column(scale)));
  CHECK(refusal(column(std::string(scale) + ',' + std::string(scale))).find("two steps scale") !=
        std::string::npos);
  CHECK(refusal(R"({"version":1,"record":1,"columns":[]})").find("0 columns") != std::string::npos);
  CHECK(refusal(column(R"({"step":"lanes","run":0,"rules":[{"source":0}]})")).find("circle") !=
        std::string::npos);
  CHECK(refusal(column("", R"({"layout":"tokens","tuple":1,"k":7,"m":7,"run":0})")).find("tokens") !=
        std::string::npos);
  CHECK(refusal(with(kPlain, R"("columns")", R"("packing":{"frame":1},"columns")")).find("packing") !=
        std::string::npos);
}

TEST_CASE("a later version is unsupported, before anything else is read") {
  const auto later = plan_from_json(R"({"version":2,"graph":[]})");
  REQUIRE_FALSE(later);
  CHECK(later.error().kind == ErrorKind::unsupported);
}

TEST_CASE("texts that are no JSON, too long, or too deep") {
  for (const std::string_view text :
       {"", " ", "{", "}", "[]", "null", "1", "{}", "{\"version\":1}x", "{'version':1}", "\xff", "\"\xc3\"",
        "{\"version\":1,}", "// a\n{}", "nan"}) {
    CAPTURE(text);
    CHECK(refusal(text).starts_with("a plan: "));
  }
  CHECK(refusal(kPlain + " x").starts_with("a plan: not JSON from byte "));
  CHECK(plan_from_json(kPlain + std::string(1000, ' ')));
  CHECK(refusal(kPlain + std::string(kMaxPlanText, ' ')).find("1048576") != std::string::npos);
  for (const char* opening : {"[", "{\"a\":"}) {
    std::string deep;
    while (deep.size() + 8 < kMaxPlanText) deep += opening;
    CHECK(refusal(deep).find("too deep") != std::string::npos);
  }
}

TEST_CASE("a text that is damaged anywhere is refused, or is another good plan") {
  Chance chance(11);
  for (int i = 0; i < 4000; ++i) {
    std::string text = to_json(random_plan(chance));
    constexpr char kBytes[] = {'"', '{', '}', '[',  ']',  ',',    ':', '0',
                               '9', '-', 'e', '\\', '\0', '\x80', 'a'};
    text[chance.below(text.size())] = chance.one_of(kBytes);
    const auto plan = plan_from_json(text);
    if (plan) CHECK(formats::check(*plan));
  }
}

}  // namespace tdz::test
