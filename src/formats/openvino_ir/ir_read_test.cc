#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "src/formats/openvino_ir/ir_fixture.h"
#include "src/formats/test_support.h"

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

}  // namespace
}  // namespace windrow::internal
