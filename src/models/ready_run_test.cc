#include "src/models/ready_run.h"

#include <gtest/gtest.h>

#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "windrow/models.h"

namespace windrow {
namespace {

// More different nodes than plans that are kept.
TEST(FirstRun, OfManyDifferentNodesIsRight) {
  Model model;
  model.opset_imports[""] = 13;
  model.constants["x"] = std::make_shared<const Tensor>(Tensor::of<float>({3}, {5, 6, 7}));
  for (int round = 0; round < 2; ++round) {
    for (int i = 0; i < 300; ++i) {
      const std::string name = std::to_string(round) + "_" + std::to_string(i);
      const std::vector<std::int64_t> indices(static_cast<std::size_t>(i), i % 3);
      model.constants["i" + name] =
          std::make_shared<const Tensor>(Tensor::from<std::int64_t>({i}, indices));
      model.nodes.push_back({"n" + name, "", "Gather", {"x", "i" + name}, {"y" + name}, {}, ""});
      model.outputs.push_back({"y" + name, DType::kAbsent, std::nullopt});
    }
  }
  const NamedTensors outputs = model.run({}).value();
  ASSERT_EQ(outputs.size(), 600U);
  for (std::size_t i = 0; i < outputs.size(); ++i) {
    const auto values = outputs[i].second.values<float>();
    EXPECT_EQ(values.size(), i % 300);
    for (const float value : values) EXPECT_EQ(value, 5 + static_cast<float>(i % 300 % 3));
  }
  EXPECT_EQ(model.inspect().value().size(), 600U);
}

}  // namespace
}  // namespace windrow

namespace windrow::internal {
namespace {

using Names = std::vector<std::string>;
using Kind = ValuePlace::Kind;

ValueInfo untyped(const std::string& name) { return {name, DType::kAbsent, std::nullopt}; }

ModelNode node(const std::string& op, const Names& inputs, const std::string& output) {
  return {output, "", op, inputs, {output}, {}, ""};
}

// What a run of the nodes with x (float32, `rows` of 4) and ids (int64[rows]) finds out.
struct Placed {
  Placed(std::vector<ModelNode> nodes, const Names& outputs, std::int64_t rows = 8)
      : model(std::make_shared<Model>()) {
    model->opset_imports[""] = 18;
    model->inputs = {untyped("ids"), untyped("x")};
    for (const std::string& name : outputs) model->outputs.push_back(untyped(name));
    model->nodes = std::move(nodes);
    model->constants["at"] = Constant(Tensor::of<std::int64_t>({1, 1}, {0}));
    model->constants["row"] = Constant(Tensor::zeros(DType::kFloat32, {1, 4}).value());
    model->constants["two"] = Constant(Tensor::of<std::int64_t>({2}, {0, 1}));
    program = Program::of(model).value();
    const std::vector<TensorView> given = {ids(rows), x(rows)};
    ran = run_first(*program, given, {.call = {}, .run = {}, .on_note = nullptr, .record = true})
              .value();
    places = place_values(*program, ran.steps, result_views(*program, given, ran.steps));
  }

  TensorView ids(std::int64_t rows) {
    tensors.push_back(Tensor::zeros(DType::kInt64, {rows}).value());
    return tensors.back();
  }
  TensorView x(std::int64_t rows) {
    tensors.push_back(Tensor::zeros(DType::kFloat32, {rows, 4}).value());
    return tensors.back();
  }

  const ValuePlace& result(std::size_t step) const { return places.results[step]; }

  std::shared_ptr<Model> model;
  std::vector<Tensor> tensors;
  std::shared_ptr<const Program> program;
  RanModel ran;
  ValuePlaces places;
};

TEST(PlaceValues, ResultsShareBuffersOneAfterAnother) {
  const Placed placed({node("Gather", {"x", "ids"}, "a"), node("Gather", {"a", "ids"}, "b"),
                       node("Gather", {"b", "ids"}, "c"), node("Gather", {"c", "ids"}, "d"),
                       node("Gather", {"d", "ids"}, "y")},
                      {"y"});
  EXPECT_EQ(placed.places.buffers.size(), 2U);
  EXPECT_EQ(placed.result(0).number, placed.result(2).number);
  EXPECT_NE(placed.result(0).number, placed.result(1).number);
  EXPECT_EQ(placed.result(4).kind, Kind::kOutput);
}

TEST(PlaceValues, ABufferStaysAsLongAsItIsRead) {
  const Placed placed(
      {node("Gather", {"x", "ids"}, "a"), node("Gather", {"a", "ids"}, "b"),
       node("Gather", {"b", "ids"}, "c"), node("Gather", {"a", "ids"}, "d"),
       node("ScatterND", {"c", "at", "row"}, "e"), node("Gather", {"d", "two"}, "y")},
      {"y", "e"});
  EXPECT_NE(placed.result(0).number, placed.result(1).number);
  EXPECT_EQ(placed.result(2).kind, Kind::kOutput) << "e is written over c, and is an output";
  EXPECT_EQ(placed.result(4).kind, Kind::kOutput);
  EXPECT_EQ(placed.result(2).number, 1U);
  EXPECT_TRUE(placed.ran.steps[4].in_place);
  EXPECT_NE(placed.result(3).number, placed.result(0).number);
}

TEST(PlaceValues, BuffersGrowInsteadOfBecomingMore) {
  const Placed placed({node("Gather", {"x", "two"}, "a"), node("Gather", {"a", "two"}, "b"),
                       node("Gather", {"b", "ids"}, "c"), node("Gather", {"c", "ids"}, "y")},
                      {"y"}, 100);
  ASSERT_EQ(placed.places.buffers.size(), 2U);
  EXPECT_EQ(placed.places.buffers[placed.result(2).number].bytes, 1600U);
  EXPECT_EQ(placed.places.buffers[placed.result(1).number].bytes, 32U);
}

TEST(PlaceValues, OnlyResultsThatNobodyElseReadsAreWrittenOver) {
  const Placed placed({node("ScatterND", {"x", "at", "row"}, "given"),
                       node("ScatterND", {"given", "at", "row"}, "output"),
                       node("ScatterND", {"output", "at", "row"}, "of_output"),
                       node("ScatterND", {"of_output", "at", "row"}, "first"),
                       node("ScatterND", {"first", "at", "row"}, "second"),
                       node("ScatterND", {"first", "at", "row"}, "third"),
                       node("ScatterND", {"third", "at", "third"}, "own")},
                      {"output", "second"}, 1);
  const std::vector<bool> in_place = {false, true, false, true, false, true, false};
  for (std::size_t i = 0; i < in_place.size(); ++i)
    EXPECT_EQ(placed.ran.steps[i].in_place, in_place[i]) << i;
}

TEST(PlaceValues, ResultsThatNothingReadsHaveAPlace) {
  const Placed placed({node("Gather", {"x", "ids"}, "a"), node("Gather", {"x", "ids"}, "unread"),
                       node("Gather", {"a", "ids"}, "y")},
                      {"y"});
  EXPECT_EQ(placed.result(1).kind, Kind::kBuffer);
  EXPECT_NE(placed.result(1).number, placed.result(0).number);
}

}  // namespace
}  // namespace windrow::internal
