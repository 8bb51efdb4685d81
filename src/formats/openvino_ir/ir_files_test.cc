#include <gtest/gtest.h>

#include <memory>
#include <string>
#include <vector>

#include "src/formats/openvino_ir/ir_fixture.h"
#include "src/formats/test_support.h"
#include "src/models/types.h"

namespace windrow::internal {
namespace {

using Names = std::vector<std::string>;

const std::string kToF16 = R"(<data destination_type="f16"/>)";

// x -> Convert c -> Result.
std::string converter() {
  return net(parameter(0, "x", "2,?") + unary(1, "c", "Convert", kToF16) + result(2),
             edge(0, 0, 1, 0) + edge(1, 1, 2, 0));
}

TEST(IrRead, MakesAModelOfLayersAndEdges) {
  const Model model = read_ir_text(converter()).value();
  EXPECT_EQ(model.dialect, "openvino");
  ASSERT_EQ(model.inputs.size(), 1U);
  EXPECT_EQ(model.inputs[0].name, "x");
  EXPECT_EQ(to_string(model.inputs[0]), "float32[2, ?]");
  ASSERT_EQ(model.nodes.size(), 1U);
  EXPECT_EQ(model.nodes[0].name, "c");
  EXPECT_EQ(model.nodes[0].op_type, "Convert");
  EXPECT_EQ(model.nodes[0].origin, "layer 1");
  EXPECT_EQ(model.nodes[0].inputs, Names{"x"});
  ASSERT_EQ(model.outputs.size(), 1U);
  EXPECT_EQ(model.outputs[0].name, "c");
  const Tensor x = Tensor::of<float>({2, 1}, {1, -2});
  const NamedTensors got = model.run({{"x", x}}).value();
  EXPECT_EQ(got[0].second.dtype(), DType::kFloat16);
  EXPECT_EQ(static_cast<const std::uint16_t*>(got[0].second.data())[1], 0xc000);
}

TEST(IrRead, SortsLayersAndKeepsTheOrderOfParametersAndResults) {
  const std::string xml =
      net(result(9) + unary(5, "b", "Convert", kToF16) + unary(4, "a", "Convert", kToF16) +
              parameter(3, "y", "1") + parameter(2, "x", "1") + result(8),
          edge(2, 0, 4, 0) + edge(4, 1, 5, 0) + edge(5, 1, 9, 0) + edge(3, 0, 8, 0));
  const Model model = read_ir_text(xml).value();
  EXPECT_EQ(model.nodes[0].name, "a");
  EXPECT_EQ(model.nodes[1].name, "b");
  EXPECT_EQ(model.inputs[0].name, "y");
  EXPECT_EQ(model.inputs[1].name, "x");
  EXPECT_EQ(model.outputs[0].name, "b");
  EXPECT_EQ(model.outputs[1].name, "y");
}

TEST(IrRead, LeavesOutWhatNoResultNeedsButKeepsParameters) {
  const std::string xml = net(parameter(0, "x", "1") + parameter(1, "unused", "1") +
                                  unary(2, "dead", "Convert", kToF16) + result(3),
                              edge(1, 0, 2, 0) + edge(0, 0, 3, 0));
  const Model model = read_ir_text(xml).value();
  EXPECT_TRUE(model.nodes.empty());
  EXPECT_EQ(model.inputs.size(), 2U);
}

TEST(IrRead, NamesValuesByTheirPortsThenByTheirLayers) {
  const auto output = [](const std::string& names) {
    return ports("input", {input_port(0)}) +
           ports("output", {output_port(1, "FP16", "names=\"" + names + "\"")});
  };
  const std::string xml = net(
      parameter(0, "x", "1") + layer(1, "a", "Convert", kToF16 + output("p\\,q,r")) +
          layer(2, "b", "Convert", kToF16 + output("p\\,q,r,s")) +
          unary(3, "a", "Convert", kToF16) + unary(4, "x", "Convert", kToF16) + result(5),
      edge(0, 0, 1, 0) + edge(1, 1, 2, 0) + edge(2, 1, 3, 0) + edge(3, 1, 4, 0) + edge(4, 1, 5, 0));
  const Model model = read_ir_text(xml).value();
  EXPECT_EQ(model.nodes[0].outputs, Names{"p,q"});
  EXPECT_EQ(model.nodes[1].outputs, Names{"b"});  // its first name is taken
  EXPECT_EQ(model.nodes[2].outputs, Names{"a"});
  EXPECT_EQ(model.nodes[3].outputs, Names{"x:1"});
  const std::map<std::string, std::string, std::less<>> aliases = {{"r", "p,q"}, {"s", "b"}};
  EXPECT_EQ(model.aliases, aliases);
}

TEST(IrRead, ShapesOfParameters) {
  const auto shape = [](const std::string& text) {
    return to_string(
        read_ir_text(net(parameter(0, "x", text) + result(1), edge(0, 0, 1, 0))).value().inputs[0]);
  };
  EXPECT_EQ(shape(""), "float32[]");
  EXPECT_EQ(shape("..."), "float32?");
  EXPECT_EQ(shape("?,-1,3"), "float32[?, ?, 3]");
  EXPECT_EQ(shape("[1..10, ..7, 2.., 4..4]"), "float32[1..10, 0..7, 2.., 4]");
}

TEST(IrRead, OlderNamesOfTypes) {
  const std::string xml = net(parameter(0, "x", "1", "FP16") + result(1), edge(0, 0, 1, 0), "10");
  EXPECT_EQ(read_ir_text(xml).value().inputs[0].dtype, DType::kFloat16);
}

TEST(IrRead, UnknownLayersDoNotStopLoading) {
  const std::string loop = R"(<data n="3"/>)" + ports("input", {input_port(0)}) +
                           ports("output", {output_port(1)}) + "<body/>";
  const std::string xml = net(
      parameter(0, "x", "1") + unary(1, "act", "Relu", R"(<data alpha="0.5"/>)") +
          unary(2, "mine", "Fancy", "", "extension") + layer(3, "loop", "TensorIterator", loop) +
          unary(4, "same", "Identity", "", "opset15") + result(5),
      edge(0, 0, 1, 0) + edge(1, 1, 2, 0) + edge(2, 1, 3, 0) + edge(3, 1, 4, 0) + edge(4, 1, 5, 0));
  const Model model = read_ir_text(xml).value();
  EXPECT_EQ(std::get<std::string>(model.nodes[0].attributes.at("alpha")), "0.5");
  EXPECT_EQ(model.unsupported(),
            (Names{"Fancy (version 'extension' is not an opset), node mine (layer 2)",
                   "Identity (opset15 has no such operator), node same (layer 4)",
                   "Relu (version 1), node act (layer 1)",
                   "TensorIterator (version 1), node loop (layer 3)"}));
  const Tensor x = Tensor::of<float>({1}, {1});
  const Status status = model.run({{"x", x}}).error();
  EXPECT_EQ(status.code(), ErrorCode::kUnsupported);
  EXPECT_NE(status.message().find("act (layer 1)"), std::string::npos) << status.message();
}

TEST(IrRead, EntitiesOfTheFileAreNotExpanded) {
  std::string xml =
      net(parameter(0, "a&lt;&amp;&quot;&#228;&evil;", "1") + result(1), edge(0, 0, 1, 0));
  xml.insert(xml.find("<net"), R"(<!DOCTYPE net [<!ENTITY evil "expanded">]>)");
  EXPECT_EQ(read_ir_text(xml).value().inputs[0].name, "a<&\"\u00e4&evil;");
}

std::shared_ptr<const Tensor> shared(Tensor tensor) {
  return std::make_shared<const Tensor>(std::move(tensor));
}

ModelNode convert_node(const std::string& name, const std::string& input,
                       const std::string& output) {
  ModelNode node{name, "", "Convert", {input}, {output}, {}, ""};
  node.attributes["destination_type"] = std::string("f16");
  node.version = 1;
  return node;
}

Model small_model() {
  Model model;
  model.dialect = "openvino";
  Dim interval;
  interval.low = 1;
  interval.high = 10;
  model.inputs = {{"x", DType::kFloat32, std::vector<Dim>{{3, ""}, Dim(), interval}},
                  {"scalar", DType::kInt64, std::vector<Dim>()},
                  {"any", DType::kAbsent, std::nullopt}};
  model.nodes = {convert_node("first", "x", "y"), convert_node("second", "w", "z")};
  model.constants["w"] = shared(sample(DType::kFloat64, {2, 3}));
  model.outputs = {{"y", DType::kAbsent, std::nullopt},
                   {"z", DType::kAbsent, std::nullopt},
                   {"y", DType::kAbsent, std::nullopt},
                   {"x", DType::kAbsent, std::nullopt}};
  model.aliases = {{"x,2", "x"}, {"more \\,<&\"'> of y", "y"}, {"first", "y"}, {"w2", "w"}};
  return model;
}

void expect_same(const Model& a, const Model& b, Kept kept = Kept::kCompared) {
  EXPECT_TRUE(same_graph(a, b, kept));
  EXPECT_EQ(a.aliases, b.aliases);
}

TEST(IrWrite, RoundTrips) {
  const TestFolder folder;
  const Model model = small_model();
  ASSERT_TRUE(save_model(model, folder / "m.xml").ok());
  const Model first = load_model(folder / "m.xml").value();
  EXPECT_TRUE(same_values(first.inputs, model.inputs));
  EXPECT_EQ(to_string(first.outputs[1]), "float16[2, 3]");
  std::map<std::string, std::string, std::less<>> aliases = model.aliases;
  aliases["second"] = "z";
  EXPECT_EQ(first.aliases, aliases);
  EXPECT_TRUE(same_bits(elements(first.constants.at("w")), elements(model.constants.at("w"))));
  ASSERT_TRUE(save_model(first, folder / "n.xml").ok());
  expect_same(load_model(folder / "n.xml").value(), first);
  EXPECT_EQ(read_bytes(folder / "n.bin"), read_bytes(folder / "m.bin"));
  EXPECT_EQ(files_in(folder), (std::vector<std::string>{"m.bin", "m.xml", "n.bin", "n.xml"}));
}

// One node per operator version, each with all of its attributes.
Model model_of_all_versions() {
  Model model;
  model.dialect = "openvino";
  model.inputs = {
      {"data", DType::kFloat32, std::nullopt},      {"indices", DType::kInt64, std::nullopt},
      {"updates", DType::kFloat32, std::nullopt},   {"on_value", DType::kFloat32, std::nullopt},
      {"off_value", DType::kFloat32, std::nullopt}, {"segment_ids", DType::kInt64, std::nullopt}};
  for (const char* name :
       {"emb_table", "per_sample_weights", "step_ids", "parent_ids", "max_seq_len", "end_token"})
    model.inputs.push_back({name, DType::kFloat32, std::nullopt});
  for (const char* name : {"offsets", "default_index"})
    model.inputs.push_back({name, DType::kInt64, std::nullopt});
  model.constants["axis"] = shared(Tensor::of<std::int8_t>({}, {-1}));
  model.constants["depth"] = shared(Tensor::of<std::int64_t>({}, {3}));
  model.constants["num_segments"] = shared(Tensor::of<std::int64_t>({}, {4}));
  for (const char* vector : {"start", "stop", "step", "axes"})
    model.constants[vector] = shared(Tensor::of<std::int32_t>({2}, {1, 2}));
  for (const OperatorInfo& info : list_operators()) {
    if (info.dialect != "openvino") continue;
    const std::string name = info.name + "-" + std::to_string(info.since_version);
    ModelNode node{name, "", info.name, {}, {name}, {}, ""};
    node.version = info.since_version;
    for (const OperatorInput& input : info.inputs) node.inputs.push_back(input.name);
    for (const OperatorAttribute& attribute : info.attributes)
      node.attributes[attribute.name] = attribute.default_value;
    model.outputs.push_back({name, DType::kFloat32, std::nullopt});
    model.values.push_back(model.outputs.back());
    model.nodes.push_back(std::move(node));
  }
  return model;
}

TEST(IrWrite, EveryVersionOfEveryOperator) {
  const TestFolder folder;
  const Model model = model_of_all_versions();
  EXPECT_EQ(model.nodes.size(), 21U);
  ASSERT_TRUE(save_model(model, folder / "m.xml").ok());
  expect_same(load_model(folder / "m.xml").value(), model, Kept::kLeftOut);
  const std::string xml = read_bytes(folder / "m.xml");
  for (const char* opset : {"\"opset4\"", "\"opset7\"", "\"opset15\"", "\"opset16\""})
    EXPECT_NE(xml.find(opset), std::string::npos) << opset;
}

TEST(IrWrite, EveryTypeOfConstant) {
  const TestFolder folder;
  Model model;
  model.dialect = "openvino";
  for (const DType type : all_dtypes()) {
    const std::string name(dtype_name(type));
    if (openvino_name(type).empty()) continue;
    model.constants[name] = shared(sample(type, {3, 3}));
    model.outputs.push_back({name, type, std::nullopt});
  }
  EXPECT_EQ(model.outputs.size(), 23U);
  ASSERT_TRUE(save_model(model, folder / "m.xml").ok());
  const Model again = load_model(folder / "m.xml").value();
  for (const auto& [name, constant] : model.constants)
    EXPECT_TRUE(same_bits(elements(constant), elements(again.constants.at(name)))) << name;
}

TEST(IrWrite, EqualConstantsStandOnceInTheFile) {
  const TestFolder folder;
  Model model;
  model.dialect = "openvino";
  for (const char* name : {"a", "b", "c"}) {
    model.constants[name] = shared(Tensor::of<std::int64_t>({1}, {*name == 'c' ? 2 : 1}));
    model.outputs.push_back({name, DType::kInt64, std::nullopt});
  }
  ASSERT_TRUE(save_model(model, folder / "m.xml").ok());
  EXPECT_EQ(read_bytes(folder / "m.bin").size(), 16U);
}

TEST(IrWrite, LayersThatAreNotRunKeepTheirAttributes) {
  const TestFolder folder;
  const std::string xml =
      net(parameter(0, "x", "1") + unary(1, "act", "Elu", R"(<data alpha="0.5"/>)", "opset2") +
              result(2),
          edge(0, 0, 1, 0) + edge(1, 1, 2, 0));
  const Model model = read_ir_text(xml).value();
  ASSERT_TRUE(save_model(model, folder / "m.xml").ok());
  expect_same(load_model(folder / "m.xml").value(), model);
}

TEST(IrWrite, SaysWhatItCannotWrite) {
  const TestFolder folder;
  const auto refuse = [&](const Model& model, ErrorCode code, const std::string& part,
                          const std::string& external = {}) {
    const Status status = save_model(model, folder / "m.xml", external);
    EXPECT_EQ(status.code(), code);
    EXPECT_NE(status.message().find(part), std::string::npos) << status.message();
    EXPECT_TRUE(files_in(folder).empty());
  };
  const Model good = small_model();
  Model model = good;
  model.nodes[0].unsupported = "of another world";
  refuse(model, ErrorCode::kUnsupported, "node 'first': cannot be written: of another world");
  model = good;
  model.nodes[0].attributes["t"] = shared(Tensor::of<float>({}, {1}));
  refuse(model, ErrorCode::kUnsupported, "node 'first': attribute 't'");
  model = good;
  model.nodes[0].op_type = "Relu";
  model.nodes[0].version.reset();
  refuse(model, ErrorCode::kUnsupported, "node 'first': Relu has no version");
  model = good;
  model.constants["w"] = shared(sample(DType::kComplex64, {2}));
  refuse(model, ErrorCode::kUnsupported, "constant 'w': OpenVINO has no element type complex64");
  model = good;
  model.inputs[0].dtype = DType::kComplex64;
  refuse(model, ErrorCode::kUnsupported, "input 'x': OpenVINO has no element type complex64");
  model = good;
  model.aliases["back\\"] = "x";
  refuse(model, ErrorCode::kUnsupported, "no spelling for the name 'back\\'");
  model = good;
  model.constants["x"] = shared(sample(DType::kFloat32, {3, 1, 1}));
  model.default_inputs = {model.inputs[0]};
  model.inputs.erase(model.inputs.begin());
  refuse(model, ErrorCode::kUnsupported, "no defaults of inputs: 'x'");
  model = good;
  model.dialect = "onnx";
  refuse(model, ErrorCode::kUnsupported, "dialect 'onnx' can't be written as OpenVINO IR");
  refuse(good, ErrorCode::kInvalidArgument, "external data", "m.data");
  EXPECT_EQ(save_model(good, folder / "m.onnx").code(), ErrorCode::kUnsupported);
  EXPECT_EQ(save_model(good, folder / "absent/m.xml").code(), ErrorCode::kIo);
  model = good;
  model.nodes[0].attributes["no name"] = std::string("1");
  refuse(model, ErrorCode::kUnsupported, "attribute 'no name': XML has no attribute of that name");
  model = good;
  model.nodes[0].bodies = {{"while_body", std::make_shared<const Graph>()}};
  refuse(model, ErrorCode::kUnsupported, "node 'first': OpenVINO IR has no place for a graph");
  model = good;
  model.nodes[0].kept = "\x08\x01";
  refuse(model, ErrorCode::kInvalidArgument, "node 'first': what was kept");
  model = good;
  model.nodes[0].kept = R"(<layer><port_map><input internal_layer_id="0"/></port_map></layer>)";
  refuse(model, ErrorCode::kInvalidArgument, "node 'first': port_map: there is no Parameter");
  model = good;
  model.kept = "<net/>";
  refuse(model, ErrorCode::kInvalidArgument, "what was kept");
  model = good;
  model.constants.erase("w");
  model.opaque_constants["w"] = {"it is of no known type", {}};
  refuse(model, ErrorCode::kInvalidArgument, "constant 'w': what was kept");
  std::shared_ptr<const Graph> deep = std::make_shared<const Graph>();
  for (int i = 0; i < 33; ++i) {
    Graph around;
    around.nodes = {convert_node("loop", "", "")};
    around.nodes[0].inputs.clear();
    around.nodes[0].outputs.clear();
    around.nodes[0].bodies = {{"body", deep}};
    deep = std::make_shared<const Graph>(around);
  }
  model = good;
  model.nodes[0].bodies = {{"body", deep}};
  refuse(model, ErrorCode::kUnsupported, "more than 32 deep");
}

}  // namespace
}  // namespace windrow::internal
