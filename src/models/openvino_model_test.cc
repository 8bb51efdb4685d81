#include <gtest/gtest.h>

#include <memory>
#include <string>
#include <vector>

#include "windrow/inference.h"
#include "windrow/models.h"
#include "windrow/prepared_model.h"

namespace windrow {
namespace {

using Names = std::vector<std::string>;

std::shared_ptr<const Tensor> shared(Tensor tensor) {
  return std::make_shared<const Tensor>(std::move(tensor));
}

ModelNode node(const std::string& name, const std::string& type, int version, const Names& inputs,
               const std::string& output) {
  ModelNode made{name, "", type, inputs, {output}, {}, ""};
  made.version = version;
  return made;
}

// ids [1..10] -> Gather of weights [3, 2], which are stored as float16, along a constant axis.
Model lookup() {
  Model model;
  model.dialect = "openvino";
  Dim count;
  count.low = 1;
  count.high = 10;
  model.inputs = {{"ids", DType::kInt64, std::vector<Dim>{count}}};
  model.outputs = {{"rows", DType::kAbsent, std::nullopt}};
  model.constants["half"] = shared(Tensor::of<std::uint8_t>({3, 2}, {1, 2, 3, 4, 5, 6}));
  model.constants["axis"] = shared(Tensor::of<std::int8_t>({1}, {-2}));
  model.nodes = {node("decompress", "Convert", 1, {"half"}, "weights"),
                 node("pick", "Gather", 8, {"weights", "ids", "axis"}, "rows")};
  model.nodes[0].attributes["destination_type"] = std::string("f32");
  model.aliases = {{"indices", "ids"}, {"y", "rows"}};
  return model;
}

std::vector<float> run(const Model& model, const std::string& input,
                       const std::vector<std::int64_t>& ids) {
  const Tensor tensor = Tensor::from<std::int64_t>({static_cast<std::int64_t>(ids.size())}, ids);
  const NamedTensors got = model.run({{input, tensor}}).value();
  const auto values = got[0].second.values<float>();
  return {values.begin(), values.end()};
}

TEST(OpenVinoModel, RunsWithConvertedWeightsAndAConstantAxis) {
  EXPECT_EQ(run(lookup(), "ids", {2, -3, 7}), (std::vector<float>{5, 6, 1, 2, 0, 0}));
  EXPECT_TRUE(lookup().unsupported().empty());
}

TEST(OpenVinoModel, TheReferenceGivesTheSame) {
  ModelRunOptions options;
  options.reference = true;
  const Tensor ids = Tensor::of<std::int64_t>({2}, {1, 9});
  const NamedTensors got = lookup().run({{"ids", ids}}, options).value();
  EXPECT_EQ(got[0].second.values<float>()[1], 4);
  EXPECT_EQ(got[0].second.values<float>()[2], 0);
}

TEST(OpenVinoModel, AliasesAreNamesOfInputs) {
  EXPECT_EQ(run(lookup(), "indices", {0}), (std::vector<float>{1, 2}));
  const Tensor ids = Tensor::of<std::int64_t>({1}, {0});
  const Status twice = lookup().run({{"indices", ids}, {"ids", ids}}).error();
  EXPECT_EQ(twice.code(), ErrorCode::kInvalidArgument);
  EXPECT_NE(twice.message().find("two tensors"), std::string::npos) << twice.message();
  EXPECT_EQ(lookup().run({{"y", ids}}).error().code(), ErrorCode::kInvalidArgument);
}

TEST(OpenVinoModel, IntervalsAreChecked) {
  for (const std::int64_t count : {0, 11}) {
    const Tensor ids = Tensor::zeros(DType::kInt64, {count}).value();
    const Status status = lookup().run({{"ids", ids}}).error();
    EXPECT_EQ(status.code(), ErrorCode::kShape);
    EXPECT_NE(status.message().find("int64[1..10]"), std::string::npos) << status.message();
  }
}

TEST(OpenVinoModel, InferenceKnowsTheAxisThroughConvert) {
  Model model = lookup();
  model.constants["raw"] = shared(Tensor::of<std::int16_t>({}, {1}));
  model.nodes.insert(model.nodes.begin(), node("widen", "Convert", 1, {"raw"}, "wide"));
  model.nodes[0].attributes["destination_type"] = std::string("i64");
  model.nodes[2].inputs[2] = "wide";
  const ValueInfos values = model.infer().value().values();
  EXPECT_EQ(to_string(values.at("rows")), "float32[3, 1..10]");
  const std::vector<NodeReport> reports = model.inspect().value();
  ASSERT_EQ(reports.size(), 1U);
  EXPECT_EQ(to_string(reports[0].axis), "axis 1 of 2");
  model.inputs[0].dims = std::vector<Dim>{{4, ""}};
  EXPECT_EQ(model.inspect().value()[0].plan->operator_name, "openvino.Gather-8");
}

TEST(OpenVinoModel, AnUnknownAxisLeavesRankAlone) {
  Model model = lookup();
  model.constants.erase("axis");
  model.inputs.push_back({"axis", DType::kInt8, std::vector<Dim>{{1, ""}}});
  const std::vector<NodeReport> reports = model.inspect().value();
  EXPECT_EQ(to_string(reports[0].axis), "? of 2");
  EXPECT_EQ(reports[0].plan, nullptr);
  EXPECT_EQ(reports[0].no_plan, "input 'ids' is int64[1..10]");
  const Tensor ids = Tensor::of<std::int64_t>({1}, {1});
  for (const auto axis : {std::int8_t{0}, std::int8_t{1}}) {
    const Tensor at = Tensor::of<std::int8_t>({1}, {axis});
    const NamedTensors got = model.run({{"ids", ids}, {"axis", at}}).value();
    EXPECT_EQ(got[0].second.shape(), axis == 0 ? Shape({1, 2}) : Shape({3, 1}));
  }
}

TEST(OpenVinoModel, OneNodeTakesItsConvertedWeights) {
  for (const char* name : {"pick", "rows", "y"}) {
    const Model alone = lookup().only_node(name).value();
    EXPECT_EQ(alone.nodes.size(), 1U) << name;
    EXPECT_EQ(alone.inputs.size(), 1U) << name;
    EXPECT_EQ(run(alone, "indices", {1}), (std::vector<float>{3, 4})) << name;
  }
}

TEST(OpenVinoModel, SaysWhyAConvertDoesNotRun) {
  Model model = lookup();
  model.nodes[0].attributes["destination_type"] = std::string("nf4");
  const Tensor ids = Tensor::of<std::int64_t>({1}, {1});
  const Status status = model.run({{"ids", ids}}).error();
  EXPECT_EQ(status.message(), "node 'decompress': Convert to 'nf4' is not supported");
  model.nodes[0].inputs = {};
  EXPECT_EQ(model.run({{"ids", ids}}).error().code(), ErrorCode::kFormat);
}

TEST(OpenVinoModel, ListsWhatDoesNotRunWithItsVersionAndPlace) {
  Model model = lookup();
  model.nodes.push_back(node("act", "Relu", 1, {"rows"}, "z"));
  model.nodes.back().origin = "layer 7";
  model.nodes.push_back(node("mine", "Gather", 9, {"rows", "ids", "axis"}, "w"));
  EXPECT_EQ(model.unsupported(),
            (Names{"Gather (version 9), node mine", "Relu (version 1), node act (layer 7)"}));
}

// data [4, 1] -> SegmentMax by the sum of ids and nothing, which a Gather gives, or by ids.
Model segments(bool through_gather) {
  Model model;
  model.dialect = "openvino";
  model.inputs = {{"data", DType::kFloat32, std::vector<Dim>{Dim{4, {}}}},
                  {"ids", DType::kInt64, std::vector<Dim>{Dim{4, {}}}}};
  model.outputs = {{"largest", DType::kAbsent, std::nullopt}};
  model.constants["all"] = shared(Tensor::of<std::int64_t>({4}, {0, 1, 2, 3}));
  model.constants["axis"] = shared(Tensor::of<std::int64_t>({}, {0}));
  if (through_gather) model.nodes = {node("copy", "Gather", 8, {"ids", "all", "axis"}, "copied")};
  const std::string ids = through_gather ? "copied" : "ids";
  model.nodes.push_back(node("segments", "SegmentMax", 16, {"data", ids}, "largest"));
  model.nodes.back().attributes["fill_mode"] = std::string("ZERO");
  return model;
}

TEST(OpenVinoModel, APreparedRunFollowsTheLastIdOfEachRun) {
  const Tensor data = Tensor::of<float>({4}, {3, 1, 2, 4});
  for (const bool through_gather : {false, true}) {
    const Model model = segments(through_gather);
    const PreparedModel prepared = model.prepare().value();
    for (const std::int64_t last : {1, 1, 2, 5, 1}) {
      const Tensor ids = Tensor::of<std::int64_t>({4}, {0, 0, 1, last});
      const NamedTensors got = prepared.run({{"data", data}, {"ids", ids}}).value();
      EXPECT_EQ(got[0].second.shape(), (Shape{last + 1}));
      EXPECT_EQ(got[0].second.values<float>().back(), 4);
      const NamedTensors at_once = model.run({{"data", data}, {"ids", ids}}).value();
      EXPECT_EQ(at_once[0].second.shape(), (Shape{last + 1}));
    }
  }
}

TEST(OpenVinoModel, TheExtentOfSegmentsIsKnownWhereTheirIdsAre) {
  Model model = segments(false);
  const auto shape = [&] { return *model.infer().value().values().at("largest").dims; };
  EXPECT_FALSE(shape()[0].is_known());
  model.inputs.pop_back();
  model.constants["ids"] = shared(Tensor::of<std::int64_t>({4}, {0, 0, 1, 6}));
  EXPECT_EQ(shape()[0].value, 7);
}

}  // namespace
}  // namespace windrow
