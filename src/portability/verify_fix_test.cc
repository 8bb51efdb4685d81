#include <gtest/gtest.h>

#include <cstdint>
#include <string>
#include <vector>

#include "src/models/infer_fixture.h"
#include "windrow/fix.h"

namespace windrow {
namespace {

using infer_fixture::node;
using infer_fixture::value;

// table float32[rows, 3], ids int64[n] -> Gather.
Model lookup() {
  Model model;
  model.opset_imports[""] = 13;
  model.inputs = {value("table", DType::kFloat32, {{-1, "rows"}, {3, ""}}),
                  value("ids", DType::kInt64, {{-1, "n"}})};
  model.nodes = {node("Gather", {"table", "ids"}, "y")};
  model.outputs = {infer_fixture::untyped("y")};
  return model;
}

std::vector<InputContract> contracts(const std::string& low, const std::string& high) {
  InputContract contract;
  contract.input = "ids";
  contract.low = low;
  contract.high = high;
  return {contract};
}

TEST(SampleInputs, KeepToContracts) {
  for (std::uint64_t seed = 1; seed <= 50; ++seed) {
    const auto bounds = contracts("-table.shape[0]", "table.shape[0] - 1");
    const NamedTensors inputs = sample_inputs(lookup(), bounds, {seed, false}).value();
    ASSERT_EQ(inputs.size(), 2U);
    const std::int64_t rows = inputs[0].second.shape()[0];
    EXPECT_GE(rows, 1);
    for (const std::int64_t id : inputs[1].second.values<std::int64_t>()) {
      EXPECT_GE(id, -rows);
      EXPECT_LT(id, rows);
    }
    EXPECT_TRUE(lookup().run({{"table", inputs[0].second}, {"ids", inputs[1].second}}));
  }
}

TEST(SampleInputs, BreakContractsIfAsked) {
  bool breaks = false;
  for (std::uint64_t seed = 1; seed <= 50; ++seed) {
    const NamedTensors inputs =
        sample_inputs(lookup(), contracts("0", "table.shape[0] - 1"), {seed, true}).value();
    for (const std::int64_t id : inputs[1].second.values<std::int64_t>())
      breaks = breaks || id < 0 || id >= inputs[0].second.shape()[0];
  }
  EXPECT_TRUE(breaks);
}

TEST(SampleInputs, RefuseWhatIsTooLarge) {
  Model model = lookup();
  model.inputs[0].dims = std::vector<Dim>{{1 << 20, ""}, {1 << 20, ""}};
  EXPECT_EQ(sample_inputs(model, {}).error().code(), ErrorCode::kUnsupported);
}

TEST(VerifyFix, FindsEqualModels) {
  const Model model = lookup();
  const FixVerification found =
      verify_fix(model, {model, {}, {}}, contracts("0", "table.shape[0] - 1")).value();
  EXPECT_EQ(found.failure, "");
  EXPECT_GE(found.equal, 8);
  EXPECT_GT(found.refused, 0);
  EXPECT_EQ(found.gained, 0);
}

TEST(VerifyFix, FindsAnotherResult) {
  const Model model = lookup();
  FixedModel changed{model, {}, {}};
  changed.model.nodes[0].attributes["axis"] = std::int64_t{1};
  const FixVerification found = verify_fix(model, changed, {}).value();
  EXPECT_NE(found.failure, "");
}

// A model with an index that is out of range, and one with the nearest index that is not.
FixedModel with_constant(std::int64_t index) {
  Model model = lookup();
  model.inputs.pop_back();
  model.inputs[0].dims = std::vector<Dim>{{4, ""}, {3, ""}};
  model.constants["ids"] = Tensor::of<std::int64_t>({1}, {index});
  return {model, {}, {}};
}

TEST(VerifyFix, AcceptsAResultForAnErrorOnlyFromUnsafeChanges) {
  const FixedModel before = with_constant(9);
  FixedModel after = with_constant(3);
  after.applied = {{"gather-index-range", "main/node_y", "clipped", true}};
  EXPECT_NE(verify_fix(before.model, after, {}).value().failure, "");
  after.applied[0].safe = false;
  const FixVerification found = verify_fix(before.model, after, {}).value();
  EXPECT_EQ(found.failure, "");
  EXPECT_EQ(found.gained, 16);
}

TEST(VerifyFix, RefusesAnErrorForAResultAndRunsWithoutResults) {
  EXPECT_NE(verify_fix(with_constant(3).model, with_constant(9), {}).value().failure, "");
  const FixVerification found = verify_fix(with_constant(9).model, with_constant(9), {}).value();
  EXPECT_TRUE(found.failure.starts_with("no run gave a result: run 1 (drawn) ends with an error"));
  EXPECT_EQ(found.reasons.size(), static_cast<std::size_t>(found.refused));
}

TEST(VerifyFix, RefusesNodesThatRunElsewhere) {
  Model model = lookup();
  model.nodes.push_back(node("Relu", {"y"}, "z"));
  EXPECT_EQ(verify_fix(model, {model, {}, {}}, {}).error().code(), ErrorCode::kUnsupported);
}

}  // namespace
}  // namespace windrow
