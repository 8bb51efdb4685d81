#include <gtest/gtest.h>

#include <cstdint>
#include <set>
#include <string>
#include <vector>

#include "src/models/infer_fixture.h"
#include "src/portability/verify_fix.h"
#include "windrow/fix.h"

namespace windrow {
namespace {

using infer_fixture::node;
using infer_fixture::value;

// table[4, 3], i int64[2, tuple], u[2, 3] -> ScatterND with a reduction.
Model scatter(const std::string& reduction, DType type = DType::kFloat32) {
  Model model;
  model.opset_imports[""] = 18;
  model.inputs = {value("table", type, {{4, ""}, {3, ""}}),
                  value("i", DType::kInt64, {{2, ""}, {1, ""}}),
                  value("u", type, {{2, ""}, {3, ""}})};
  model.outputs = {infer_fixture::untyped("y")};
  model.nodes = {node("ScatterND", {"table", "i", "u"}, "y", {{"reduction", reduction}})};
  model.nodes[0].name = "n";
  return model;
}

FixedModel fixed(const Model& model, const std::string& rule, bool unsafe = false) {
  CheckOptions only;
  only.select = {rule};
  CheckReport report = check(model, only).value();
  if (report.findings.empty()) {
    report.findings.emplace_back();
    report.findings[0].rule = rule;
    report.findings[0].node = "main/n";
  }
  FixOptions options;
  options.unsafe = unsafe;
  return fix_model(model, report, options).value();
}

std::vector<std::string> operators_of(const Model& model) {
  std::vector<std::string> names;
  for (const ModelNode& each : model.nodes) names.push_back(each.op_type);
  return names;
}

const std::string& why(const FixedModel& result) { return result.left.at(0).what; }

TEST(FixReductions, RowsAreScatteredAsElements) {
  const FixedModel result = fixed(scatter("add"), "scatter-nd-race");
  ASSERT_EQ(result.applied.size(), 1U) << why(result);
  EXPECT_TRUE(result.applied[0].safe);
  EXPECT_EQ(operators_of(result.model),
            (std::vector<std::string>{"Reshape", "Expand", "ScatterElements"}));
}

TEST(FixReductions, UpdatesThatAreNotWholeRowsStay) {
  Model model = scatter("add");
  model.inputs[2].dims->back() = Dim{-1, "m"};
  EXPECT_NE(why(fixed(model, "scatter-nd-race")).find("shorter than the rows"), std::string::npos);
  model = scatter("add");
  model.inputs[1].dims->back() = Dim{2, ""};
  model.inputs[2].dims = {{Dim{2, ""}}};
  EXPECT_NE(why(fixed(model, "scatter-nd-race")).find("tuples of one index"), std::string::npos);
}

TEST(FixReductions, NanIsKept) {
  const Model model = scatter("max");
  const FixedModel result = fixed(model, "reduction-nan");
  ASSERT_EQ(result.applied.size(), 1U) << why(result);
  EXPECT_TRUE(result.applied[0].safe);
  CheckOptions only;
  only.select = {"reduction-nan"};
  EXPECT_TRUE(check(result.model, only).value().findings.empty());
  EXPECT_TRUE(result.left.empty());
}

TEST(FixReductions, SumsAreWidenedIfRoundingMayChange) {
  const Model model = scatter("add", DType::kFloat16);
  EXPECT_NE(why(fixed(model, "reduction-half-sums")).find("unsafe"), std::string::npos);
  const FixedModel result = fixed(model, "reduction-half-sums", true);
  ASSERT_EQ(result.applied.size(), 1U) << why(result);
  EXPECT_FALSE(result.applied[0].safe);
  EXPECT_TRUE(result.applied[0].rounds);
  EXPECT_EQ(operators_of(result.model),
            (std::vector<std::string>{"Cast", "Cast", "ScatterND", "Cast"}));
}

// Whether no node reads what a later one computes.
bool is_in_order(const Model& model) {
  std::set<std::string> later;
  for (const ModelNode& each : model.nodes) later.insert(each.outputs.begin(), each.outputs.end());
  for (const ModelNode& each : model.nodes) {
    for (const std::string& input : each.inputs)
      if (later.contains(input)) return false;
    for (const std::string& output : each.outputs) later.erase(output);
  }
  return later.empty();
}

TEST(FixReductions, SeveralChangesOfAResultStandInOrder) {
  const Model model = scatter("max", DType::kFloat16);
  CheckOptions only;
  only.select = {"reduction-nan", "reduction-half", "scatter-nd-race"};
  const FixedModel result = fix_model(model, check(model, only).value()).value();
  EXPECT_EQ(result.applied.size(), 3U) << why(result);
  EXPECT_TRUE(is_in_order(result.model));
}

// The verification of a change that rounds, on rows of 0 and two updates of the first.
FixVerification verified(FixedModel after, float second) {
  const Model model = scatter("add", DType::kFloat32);
  const Tensor table = Tensor::from<float>({4, 3}, std::vector<float>(12, 0));
  const Tensor i = Tensor::of<std::int64_t>({2, 1}, {0, 0});
  const Tensor u = Tensor::of<float>({2, 3}, {1, 1, 1, second, second, second});
  VerifyOptions options;
  options.inputs = {{{"table", table}, {"i", i}, {"u", u}}};
  after.applied = {{"reduction-half-sums", "main/n", "", false, true}};
  return verify_fix(model, after, {}, options).value();
}

TEST(FixReductions, RoundingIsToldFromOtherDifferences) {
  FixedModel after;
  after.model = scatter("mul", DType::kFloat32);
  EXPECT_NE(verified(after, 1).failure, "");
  after.model = scatter("max", DType::kFloat32);
  EXPECT_EQ(verified(after, 0.0001F).failure, "");
  EXPECT_NE(verified(after, 0.1F).failure, "");
}

TEST(RemainingFindings, AChangeThatDoesNotHelpIsNamed) {
  const Model model = scatter("add");
  const CheckReport report = check(model).value();
  FixedModel after;
  after.model = model;
  after.applied = {{"scatter-nd-race", "main/n", "nothing", true, false}};
  const auto faults = internal::remaining_findings(model, after, report, {}).value();
  ASSERT_EQ(faults.size(), 1U);
  EXPECT_EQ(faults[0].rule, "scatter-nd-race");
  EXPECT_TRUE(faults[0].what.starts_with("a change would not help: after it, "));
}

TEST(RemainingFindings, AChangeThatBringsANewFindingIsNamed) {
  const Model model = scatter("none");
  CheckReport report = check(model).value();
  FixedModel after;
  after.model = scatter("add", DType::kFloat16);
  after.applied = {{"scatter-nd-duplicates", "main/n", "", true, false}};
  const auto faults = internal::remaining_findings(model, after, report, {}).value();
  ASSERT_FALSE(faults.empty());
  EXPECT_TRUE(faults[0].what.starts_with("a change would bring a new finding, "));
}

TEST(RemainingFindings, WhatWasFoundBeforeIsNoFault) {
  const Model model = scatter("add");
  const CheckReport report = check(model).value();
  FixedModel after;
  after.model = model;
  after.applied = {{"scatter-nd-reduction-none", "main/n", "", true, false}};
  EXPECT_TRUE(internal::remaining_findings(model, after, report, {}).value().empty());
}

}  // namespace
}  // namespace windrow
