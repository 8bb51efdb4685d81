#include <gtest/gtest.h>

#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "windrow/models.h"

namespace windrow {
namespace {

using Names = std::vector<std::string>;

std::shared_ptr<const Tensor> shared(Tensor tensor) {
  return std::make_shared<const Tensor>(std::move(tensor));
}

ValueInfo floats(const std::string& name, std::vector<Dim> dims) {
  return {name, DType::kFloat32, std::move(dims)};
}
ValueInfo integers(const std::string& name, std::vector<Dim> dims) {
  return {name, DType::kInt64, std::move(dims)};
}

ModelNode node(const std::string& name, const std::string& op, const Names& inputs,
               const std::string& output, Attributes attributes = {}) {
  return {name, "", op, inputs, {output}, std::move(attributes), ""};
}

// y = Gather(data [N, 3], ids [M]) along axis 0.
Model gather_model(int opset = 13) {
  Model model;
  model.opset_imports[""] = opset;
  model.inputs = {floats("data", {{-1, "N"}, {3, ""}}), integers("ids", {{-1, "M"}})};
  model.outputs = {{"y", DType::kFloat32, std::nullopt}};
  model.nodes = {node("emb", "Gather", {"data", "ids"}, "y")};
  return model;
}

const Tensor& data() {
  static const Tensor tensor = Tensor::of<float>({2, 3}, {1, 2, 3, 4, 5, 6});
  return tensor;
}
const Tensor& ids() {
  static const Tensor tensor = Tensor::of<std::int64_t>({1}, {-1});
  return tensor;
}

std::vector<float> values(const Tensor& tensor) {
  return {tensor.values<float>().begin(), tensor.values<float>().end()};
}

TEST(ModelRun, RunsOneNode) {
  const NamedTensors outputs =
      gather_model().run({{"data", data().view()}, {"ids", ids().view()}}).value();
  ASSERT_EQ(outputs.size(), 1U);
  EXPECT_EQ(outputs[0].first, "y");
  EXPECT_EQ(outputs[0].second.shape(), (Shape{1, 3}));
  EXPECT_EQ(values(outputs[0].second), (std::vector<float>{4, 5, 6}));
}

TEST(ModelRun, RunsSeveralNodesAndHostOperators) {
  Model model = gather_model();
  model.constants["two"] = shared(Tensor::of<std::int64_t>({1}, {1}));
  model.nodes.push_back(node("copy", "Identity", {"y"}, "same"));
  model.nodes.push_back(node("at", "Constant", {}, "column", {{"value_int", std::int64_t{2}}}));
  model.nodes.push_back(
      node("pick", "Gather", {"same", "column"}, "z", {{"axis", std::int64_t{1}}}));
  model.opset_imports[""] = 13;
  model.outputs = {{"z", DType::kAbsent, std::nullopt},
                   {"same", DType::kAbsent, std::nullopt},
                   {"y", DType::kAbsent, std::nullopt},
                   {"data", DType::kAbsent, std::nullopt},
                   {"two", DType::kAbsent, std::nullopt}};
  const NamedTensors outputs = model.run({{"data", data().view()}, {"ids", ids().view()}}).value();
  ASSERT_EQ(outputs.size(), 5U);
  EXPECT_EQ(outputs[0].first, "z");
  EXPECT_EQ(values(outputs[0].second), (std::vector<float>{6}));
  EXPECT_EQ(values(outputs[1].second), (std::vector<float>{4, 5, 6}));
  EXPECT_EQ(values(outputs[2].second), (std::vector<float>{4, 5, 6}));
  EXPECT_NE(outputs[1].second.data(), outputs[2].second.data());
  EXPECT_EQ(values(outputs[3].second), values(data()));
  EXPECT_NE(outputs[3].second.data(), data().data());
  EXPECT_NE(outputs[4].second.data(), model.constants["two"].tensor().value()->data());
}

TEST(ModelRun, OmittedInputsAreAbsent) {
  Model model;
  model.opset_imports[""] = 24;
  model.inputs = {floats("cache", {{1, ""}, {4, ""}, {1, ""}}),
                  floats("new", {{1, ""}, {2, ""}, {1, ""}})};
  model.outputs = {floats("out", {})};
  model.nodes = {node("kv", "TensorScatter", {"cache", "new", ""}, "out")};
  const Tensor cache = Tensor::of<float>({1, 4, 1}, {1, 2, 3, 4});
  const Tensor update = Tensor::of<float>({1, 2, 1}, {8, 9});
  const NamedTensors outputs = model.run({{"cache", cache.view()}, {"new", update.view()}}).value();
  EXPECT_EQ(values(outputs[0].second), (std::vector<float>{8, 9, 3, 4}));
}

TEST(ModelRun, DefaultsCanBeReplaced) {
  Model model = gather_model();
  model.default_inputs = {model.inputs[1]};
  model.inputs.pop_back();
  model.constants["ids"] = shared(Tensor::of<std::int64_t>({2}, {0, 0}));
  EXPECT_EQ(values(model.run({{"data", data().view()}}).value()[0].second),
            (std::vector<float>{1, 2, 3, 1, 2, 3}));
  EXPECT_EQ(values(model.run({{"data", data().view()}, {"ids", ids().view()}}).value()[0].second),
            (std::vector<float>{4, 5, 6}));
}

TEST(ModelRun, ChecksItsInputs) {
  const Model model = gather_model();
  const auto error = [&](const NamedViews& inputs) { return model.run(inputs).error(); };
  EXPECT_EQ(error({{"data", data().view()}}).message(),
            "missing input 'ids'; the model takes data float32[N, 3], ids int64[M]");
  EXPECT_EQ(error({}).message(),
            "missing input 'data', 'ids'; the model takes data float32[N, 3], ids int64[M]");
  EXPECT_EQ(error({{"data", data().view()}, {"ids", {}}}).code(), ErrorCode::kInvalidArgument);
  EXPECT_EQ(error({{"data", data().view()}, {"ids", ids().view()}, {"x", ids().view()}}).message(),
            "there is no input 'x'; the model takes data float32[N, 3], ids int64[M]");
  const Status type = error({{"data", ids().view()}, {"ids", ids().view()}});
  EXPECT_EQ(type.code(), ErrorCode::kType);
  EXPECT_EQ(type.message(), "input 'data' is int64[1], the model declares float32[N, 3]");
  const Tensor wide = Tensor::zeros(DType::kFloat32, {2, 4}).value();
  const Status extent = error({{"data", wide.view()}, {"ids", ids().view()}});
  EXPECT_EQ(extent.code(), ErrorCode::kShape);
  EXPECT_EQ(extent.message(),
            "input 'data' is float32[2, 4], the model declares float32[N, 3]: dimension 1 is 4: "
            "it must be 3");
  const Tensor flat = Tensor::zeros(DType::kFloat32, {3}).value();
  EXPECT_EQ(error({{"data", flat.view()}, {"ids", ids().view()}}).code(), ErrorCode::kShape);
}

TEST(ModelRun, ASymbolStandsForOneNumber) {
  Model model = gather_model();
  model.inputs[1] = integers("ids", {{-1, "N"}});
  const Status error = model.run({{"data", data().view()}, {"ids", ids().view()}}).error();
  EXPECT_EQ(error.code(), ErrorCode::kShape);
  EXPECT_NE(error.message().find("N is 2 in input 'data'"), std::string::npos) << error.message();
}

TEST(ModelRun, ErrorsNameTheNode) {
  const Tensor bad = Tensor::of<std::int64_t>({1}, {7});
  const Status error = gather_model().run({{"data", data().view()}, {"ids", bad.view()}}).error();
  EXPECT_EQ(error.code(), ErrorCode::kIndexOutOfRange);
  EXPECT_EQ(error.message().rfind("node 'emb': onnx.Gather-13 [", 0), 0U) << error.message();
  ASSERT_NE(error.index_fault(), nullptr);
  EXPECT_EQ(error.index_fault()->value, 7);
}

TEST(ModelRun, OptionsReachTheNodes) {
  const Tensor bad = Tensor::of<std::int64_t>({1}, {7});
  ModelRunOptions options;
  options.call.out_of_range = OutOfRange::kZero;
  const NamedTensors outputs =
      gather_model().run({{"data", data().view()}, {"ids", bad.view()}}, options).value();
  EXPECT_EQ(values(outputs[0].second), (std::vector<float>{0, 0, 0}));
}

TEST(ModelRun, ReportsEachNoteOnce) {
  Model model;
  model.opset_imports[""] = 11;
  model.inputs = {floats("x", {{3, ""}}), integers("i", {{1, ""}}), floats("u", {{1, ""}})};
  model.outputs = {floats("z", {{3, ""}})};
  model.nodes = {node("first", "Scatter", {"x", "i", "u"}, "y"),
                 node("second", "Scatter", {"y", "i", "u"}, "z")};
  const Tensor x = Tensor::of<float>({3}, {1, 2, 3});
  const Tensor i = Tensor::of<std::int64_t>({1}, {1});
  const Tensor u = Tensor::of<float>({1}, {9});
  Names notes;
  ModelRunOptions options;
  options.on_note = [&](const std::string& note) { notes.push_back(note); };
  ASSERT_TRUE(model.run({{"x", x.view()}, {"i", i.view()}, {"u", u.view()}}, options).ok());
  ASSERT_EQ(notes.size(), 1U);
  EXPECT_NE(notes[0].find("node 'first': "), std::string::npos);
  EXPECT_NE(notes[0].find("ScatterElements"), std::string::npos);
}

TEST(ModelRun, ListsWhatItCannotRun) {
  Model model = gather_model(10);
  model.nodes.push_back(node("conv1", "Conv", {"y"}, "a"));
  model.nodes.push_back(node("nd", "GatherND", {"y", "ids"}, "b"));
  model.nodes.push_back(node("conv2", "Conv", {"y"}, "c"));
  model.nodes.push_back(node("loop", "Loop", {"y"}, "d"));
  model.nodes.back().unsupported = "attribute 'body': graphs inside nodes are not supported";
  model.nodes.push_back(node("mine", "Gather", {"y", "ids"}, "e"));
  model.nodes.back().domain = "mine";
  EXPECT_EQ(model.unsupported(),
            (Names{"Conv (domain ai.onnx), nodes conv1, conv2",
                   "Gather (domain mine: the model imports no opset of domain 'mine'), node mine",
                   "GatherND (domain ai.onnx, opset 10), node nd",
                   "Loop (domain ai.onnx: attribute 'body': graphs inside nodes are not "
                   "supported), node loop"}));
  const Status error = model.run({{"data", data().view()}, {"ids", ids().view()}}).error();
  EXPECT_EQ(error.code(), ErrorCode::kUnsupported);
  for (const std::string& entry : model.unsupported())
    EXPECT_NE(error.message().find(entry), std::string::npos) << error.message();
}

TEST(ModelRun, TheDomainMatters) {
  Model model = gather_model();
  model.opset_imports["ai.onnx.ml"] = 3;
  model.nodes[0].domain = "ai.onnx.ml";
  EXPECT_EQ(model.unsupported(), Names{"Gather (domain ai.onnx.ml), node emb"});
  model.nodes[0].op_type = "ArrayFeatureExtractor";
  EXPECT_TRUE(model.unsupported().empty());
  model.nodes[0].domain = "";
  EXPECT_EQ(model.unsupported(), Names{"ArrayFeatureExtractor (domain ai.onnx), node emb"});
}

TEST(ModelRun, VersionsFollowTheOpset) {
  Model model = gather_model(11);
  model.inputs[0].dtype = DType::kBFloat16;
  const Tensor bits = Tensor::zeros(DType::kBFloat16, {2, 3}).value();
  const NamedViews inputs = {{"data", bits.view()}, {"ids", ids().view()}};
  EXPECT_EQ(model.run(inputs).error().code(), ErrorCode::kType);
  model.opset_imports[""] = 13;
  EXPECT_TRUE(model.run(inputs).ok());
}

TEST(ModelRun, RefusesGraphsThatDoNotHold) {
  Model model = gather_model();
  model.nodes[0].inputs[1] = "nowhere";
  const Status error = model.run({}).error();
  EXPECT_EQ(error.code(), ErrorCode::kFormat);
  EXPECT_EQ(error.message(), "node 'emb': input 'nowhere' is not defined before the node");
}

TEST(OnlyNode, TakesItsInputsAndConstants) {
  Model model = gather_model(12);
  model.constants["table"] = shared(Tensor::of<float>({3}, {7, 8, 9}));
  model.nodes.push_back(node("conv", "Conv", {"y"}, "ids2"));
  model.values = {integers("ids2", {{-1, "K"}})};
  model.nodes.push_back(node("at", "Constant", {}, "one", {{"value_int", std::int64_t{1}}}));
  model.nodes.push_back(node("pick", "Gather", {"table", "ids2"}, "z"));
  model.nodes.push_back(node("scalar", "Gather", {"table", "one"}, "w"));

  const Model pick = model.only_node("pick").value();
  ASSERT_EQ(pick.inputs.size(), 1U);
  EXPECT_EQ(pick.inputs[0].name, "ids2");
  EXPECT_EQ(to_string(pick.inputs[0]), "int64[K]");
  EXPECT_EQ(to_string(pick.outputs.at(0)), "float32[K]");
  EXPECT_TRUE(pick.constants.contains("table"));
  EXPECT_EQ(values(pick.run({{"ids2", ids().view()}}).value()[0].second), std::vector<float>{9});

  const Model scalar = model.only_node("scalar").value();
  EXPECT_TRUE(scalar.inputs.empty());
  EXPECT_EQ(values(scalar.run({}).value()[0].second), std::vector<float>{8});
}

// A Gather from the outer data in a branch of an If.
Model model_with_branch() {
  Model model = gather_model();
  auto branch = std::make_shared<Graph>();
  branch->nodes = {node("pick", "Gather", {"data", "own"}, "picked")};
  branch->constants["own"] = shared(Tensor::of<std::int64_t>({1}, {1}));
  branch->outputs = {ValueInfo{"picked", DType::kFloat32, std::nullopt}};
  model.nodes.push_back(node("decode", "If", {"ids"}, "chosen"));
  model.nodes.back().bodies = {{"then_branch", branch}};
  return model;
}

TEST(OnlyNode, FindsNodesInBodiesByTheirPaths) {
  const Model model = model_with_branch();
  for (const char* const path : {"decode.then_branch/pick", "main/decode.then_branch/pick"}) {
    const Model alone = model.only_node(path).value();
    ASSERT_EQ(alone.nodes.size(), 1U);
    EXPECT_EQ(alone.nodes[0].op_type, "Gather");
    EXPECT_TRUE(alone.constants.contains("own"));
    ASSERT_EQ(alone.inputs.size(), 1U);
    EXPECT_EQ(to_string(alone.inputs[0]), "float32[N, 3]");
  }
  EXPECT_FALSE(model.only_node("decode.else_branch/pick"));
  EXPECT_EQ(model.only_node("main/emb").value().nodes[0].name, "emb");
}

TEST(OnlyNode, KeepsDefaultsThatCanBeReplaced) {
  Model model = gather_model();
  model.default_inputs = {model.inputs[1]};
  model.inputs.pop_back();
  model.constants["ids"] = shared(Tensor::of<std::int64_t>({1}, {0}));
  const Model alone = model.only_node("emb").value();
  ASSERT_EQ(alone.default_inputs.size(), 1U);
  EXPECT_EQ(alone.default_inputs[0].name, "ids");
  EXPECT_EQ(alone.inputs.size(), 1U);
}

TEST(OnlyNode, NamesWhatThereIs) {
  Model model = gather_model();
  model.nodes.push_back(node("next", "Identity", {"y"}, "z"));
  const Status error = model.only_node("emc").error();
  EXPECT_EQ(error.code(), ErrorCode::kInvalidArgument);
  EXPECT_EQ(error.message(),
            "there is no node 'emc'; the model has 'emb', 'next'; did you mean emb?");
  model.nodes.push_back(node("next", "Identity", {"z"}, "q"));
  EXPECT_EQ(model.only_node("next").error().code(), ErrorCode::kInvalidArgument);
}

TEST(ValueInfoText, ShowsWhatIsKnown) {
  EXPECT_EQ(to_string(floats("x", {{2, ""}, {-1, "N"}, {-1, ""}})), "float32[2, N, ?]");
  EXPECT_EQ(to_string(floats("x", {})), "float32[]");
  EXPECT_EQ(to_string(ValueInfo{"x", DType::kFloat32, std::nullopt}), "float32?");
  EXPECT_EQ(to_string(ValueInfo{"x", DType::kAbsent, std::vector<Dim>{{2, ""}}}), "?[2]");
  EXPECT_EQ(to_string(ValueInfo{}), "?");
}

}  // namespace
}  // namespace windrow
