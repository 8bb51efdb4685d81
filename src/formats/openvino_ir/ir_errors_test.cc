#include <gtest/gtest.h>

#include <memory>
#include <string>

#include "src/formats/openvino_ir/ir_fixture.h"
#include "src/formats/test_support.h"

namespace windrow::internal {
namespace {

// That the text is refused, with a message that has `part`.
void refuse(const std::string& xml, ErrorCode code, const std::string& part,
            std::string_view bin = {}) {
  const Status status = read_ir_text(xml, bin).error();
  EXPECT_EQ(status.code(), code) << xml;
  EXPECT_NE(status.message().find(part), std::string::npos) << status.message();
}

void refuse_format(const std::string& xml, const std::string& part) {
  refuse(xml, ErrorCode::kFormat, part);
}

std::string around(const std::string& inner, const std::string& more_edges = "") {
  return net(parameter(0, "x", "1") + inner + result(2),
             edge(0, 0, 1, 0) + edge(1, 1, 2, 0) + more_edges);
}

const std::string kRelu = unary(1, "act", "Relu");

TEST(IrErrors, TextThatIsNoIr) {
  const std::string xml = around(kRelu);
  ASSERT_TRUE(read_ir_text(xml).ok());
  refuse_format("", "empty");
  refuse_format("hello", "XML");
  refuse_format("<model/>", "no <net>");
  refuse_format(R"(<net version="11"/>)", "no <layers>");
  for (std::size_t bytes = 1; bytes < xml.size(); bytes += 7)
    EXPECT_FALSE(read_ir_text(xml.substr(0, bytes)).ok()) << bytes;
  refuse(net(parameter(0, "x", "1"), "", "7"), ErrorCode::kUnsupported, "version '7'");
}

TEST(IrErrors, Layers) {
  refuse_format(around(kRelu + parameter(0, "y", "1")), "layer 0 'y': another layer has the same");
  refuse_format(around(layer(1, "", "Relu", "")), "layer 1 '': it has no name");
  refuse_format(around(R"(<layer name="q" type="Relu"/>)"), "layer 'q': <layer> has no id");
  refuse_format(around(R"(<layer id="-1" name="q" type="Relu"/>)"), "the id '-1'");
  refuse_format(around(layer(1, "a", "Relu", ports("output", {output_port(1), output_port(1)}))),
                "layer 1 'a': two ports have the id 1");
  refuse_format(around(layer(1, "a", "Relu", ports("output", {output_port(1, "XY")}))),
                "layer 1 'a': port 1: the precision 'XY'");
  refuse_format(around(layer(1, "a", "Relu", ports("output", {R"(<port id="1"/>)"}))),
                "layer 1 'a': port 1: there is no precision");
  refuse_format(
      around(layer(1, "a", "Relu", ports("output", {output_port(1, "FP32", "><dim>-2</dim")}))),
      "layer 1 'a': port 1: the dimension '-2'");
  std::string dims;
  for (int i = 0; i < 33; ++i)
    dims += (i == 0 ? "" : "<dim>") + std::string(i < 32 ? "1</dim>" : "1");
  refuse(around(layer(1, "a", "Relu",
                      ports("output", {output_port(1, "FP32", "><dim>" + dims + "</dim")}))),
         ErrorCode::kUnsupported, "layer 1 'a': port 1: the rank is 33");
  refuse_format(around(layer(1, "a", "Relu", R"(<data k="1" k="2"/>)")),
                "layer 1 'a': the attribute 'k' appears twice");
}

TEST(IrErrors, Edges) {
  refuse_format(around(kRelu, edge(7, 0, 2, 0)), "there is no layer 7");
  refuse_format(around(kRelu, edge(1, 0, 2, 0)), "layer 1 'act' has no such output");
  refuse_format(around(kRelu, edge(0, 0, 1, 4)), "layer 1 'act' has no such input");
  refuse_format(around(kRelu, edge(0, 0, 2, 0)), "another edge ends at that port of layer 2");
  refuse_format(around(kRelu, R"(<edge from-layer="x"/>)"), "the from-layer 'x'");
  refuse_format(net(kRelu + result(2), edge(1, 1, 2, 0)),
                "layer 1 'act': no edge ends at its port 0");
  refuse_format(net(kRelu + unary(3, "b", "Relu") + result(2),
                    edge(1, 1, 3, 0) + edge(3, 1, 1, 0) + edge(1, 1, 2, 0)),
                "cycle: layer 1 'act', layer 3 'b'");
}

TEST(IrErrors, ParametersAndResults) {
  const auto with = [](const std::string& parameter) {
    return net(parameter + result(1), edge(0, 0, 1, 0));
  };
  refuse_format(with(parameter(0, "x", "1,-2")), "layer 0 'x': the shape '1,-2'");
  refuse_format(with(parameter(0, "x", "5..1")), "layer 0 'x': the shape '5..1'");
  refuse_format(with(parameter(0, "x", "1,a")), "layer 0 'x': the shape '1,a'");
  refuse_format(with(parameter(0, "x", "1", "f31")), "layer 0 'x': the element_type 'f31'");
  std::string long_shape = "1";
  for (int i = 0; i < 32; ++i) long_shape += ",1";
  refuse(with(parameter(0, "x", long_shape)), ErrorCode::kUnsupported, "the rank is 33");
  refuse_format(with(layer(0, "x", "Parameter", ports("output", {output_port(0), output_port(1)}))),
                "layer 0 'x': a Parameter has 0 inputs and 1 output, it has 0 and 2");
  refuse_format(net(layer(0, "r", "Result", ""), ""),
                "layer 0 'r': a Result has 1 input and 0 outputs");
}

std::string with_constant(const std::string& text) {
  return net(text + result(1), edge(0, 0, 1, 0));
}

TEST(IrErrors, Constants) {
  const std::string bin(8, '\0');
  const auto refuse_constant = [&](const std::string& text, const std::string& part) {
    refuse(with_constant(text), ErrorCode::kFormat, part, bin);
  };
  ASSERT_TRUE(read_ir_text(with_constant(constant(0, "w", "i64", "1", 0, 8)), bin).ok());
  refuse_constant(constant(0, "w", "i64", "2", 0, 16), "not in the .bin file, which has 8");
  refuse_constant(constant(0, "w", "i64", "1", 1, 8), "not in the .bin file");
  refuse_constant(constant(0, "w", "i64", "2", 0, 8),
                  "layer 0 'w': i64[2] needs 16 bytes, its size is 8");
  refuse_constant(constant(0, "w", "i64", "-1", 0, 8), "layer 0 'w': the shape '-1'");
  refuse_constant(constant(0, "w", "i65", "1", 0, 8), "layer 0 'w': the element_type 'i65'");
  refuse_constant(constant(0, "w", "i64", "1", -1, 8), "layer 0 'w': the offset is '-1'");
  refuse_constant(constant(0, "w", "i64", "4294967296,4294967296", 0, 8), "is too large");
  refuse_constant(constant(0, "w", "i64", "4294967296", 0, 8), "its size is 8");
  refuse_constant(layer(0, "w", "Const", ports("output", {output_port(0)})),
                  "layer 0 'w': it has no element_type");
  refuse_constant(constant(0, "w", "u3", "1", 1, 8), "layer 0 'w': 8 bytes from byte 1 are not in");
}

TEST(IrErrors, BlobsThatOverlapAreBounded) {
  std::string layers;
  std::string edges;
  for (int i = 0; i < 40; ++i) {
    layers += constant(2 * i, "w" + std::to_string(i), "i8", "60", i, 60) + result(2 * i + 1);
    edges += edge(2 * i, 0, 2 * i + 1, 0);
  }
  refuse(net(layers, edges), ErrorCode::kFormat, "overlap", std::string(100, '\0'));
}

TEST(IrErrors, TheBinFileIsNeededByConstantsAlone) {
  const TestFolder folder;
  write_bytes(folder / "a.xml", net(parameter(0, "x", "1") + result(1), edge(0, 0, 1, 0)));
  EXPECT_TRUE(load_model(folder / "a.xml").ok());
  write_bytes(folder / "b.xml", with_constant(constant(0, "w", "i64", "1", 0, 8)));
  const Status status = load_model(folder / "b.xml").error();
  EXPECT_EQ(status.code(), ErrorCode::kIo);
  for (const char* part : {"b.xml", "layer 0 'w'", "b.bin", "No such file"})
    EXPECT_NE(status.message().find(part), std::string::npos) << status.message();
  EXPECT_EQ(load_model(folder / "c.xml").error().code(), ErrorCode::kIo);
}

// x -> a layer of one input and one output -> Result.
std::string around_body(const std::string& content) {
  return around(layer(1, "loop", "TensorIterator",
                      ports("input", {input_port(0)}) + ports("output", {output_port(1)}) + content,
                      "opset1"));
}

TEST(IrErrors, PortMaps) {
  const std::string inside = body("body", parameter(5, "p", "1") + result(6), edge(5, 0, 6, 0));
  const auto map = [&](const std::string& entries) {
    return around_body(inside + "<port_map>" + entries + "</port_map>");
  };
  ASSERT_TRUE(read_ir_text(map(map_entry("input", 0, 5) + map_entry("output", 1, 6))).ok());
  refuse_format(map(map_entry("input", 7, 5)),
                "layer 1 'loop': port_map: there is no input port of number '7'");
  refuse_format(map(map_entry("output", 0, 6)), "there is no output port of number '0'");
  refuse_format(map(map_entry("input", 0, 6)), "there is no Parameter of number '6'");
  refuse_format(map(map_entry("output", 1, 5)), "there is no Result of number '5'");
  refuse_format(map(R"(<input external_port_id="x" internal_layer_id="5"/>)"),
                "there is no input port of number 'x'");
  refuse_format(map(R"(<input external_port_id="99999999999999999999" internal_layer_id="5"/>)"),
                "there is no input port of number '99999999999999999999'");
  refuse_format(
      around_body(inside + R"(<back_edges><edge from-layer="6" to-layer="6"/></back_edges>)"),
      "back_edges: there is no Parameter of number '6'");
  refuse_format(around_body("<port_map>" + map_entry("input", 0, 5) + "</port_map>"),
                "port_map: there is no Parameter of number '5'");
  const std::string empty = body("body", "", "");
  EXPECT_TRUE(read_ir_text(around_body(empty)).ok());
  refuse_format(around_body(empty + "<port_map>" + map_entry("input", 0, 0) + "</port_map>"),
                "there is no Parameter of number '0'");
}

TEST(IrErrors, Bodies) {
  const auto with = [](const std::string& layers, const std::string& edges) {
    return around_body(body("body", layers, edges));
  };
  refuse_format(with(parameter(0, "p", "1") + parameter(0, "q", "1"), ""),
                "layer 1 'loop': body: layer 0 'q': another layer has the same");
  refuse_format(with(unary(1, "a", "Relu") + unary(2, "b", "Relu") + result(3),
                     edge(1, 1, 2, 0) + edge(2, 1, 1, 0) + edge(2, 1, 3, 0)),
                "layer 1 'loop': body: the layers depend on each other in a cycle");
  refuse_format(with(result(3), edge(0, 0, 3, 0)), "layer 1 'loop': body: the edge from port 0");
  refuse_format(with(unary(1, "a", "Relu") + result(2), edge(1, 1, 2, 0)),
                "body: layer 1 'a': no edge ends at its port 0");
  refuse_format(with(constant(1, "w", "i64", "1", 0, 8) + result(2), edge(1, 0, 2, 0)),
                "body: layer 1 'w': i64[1]: 8 bytes from byte 0 are not in");
}

// `depth` bodies inside each other.
std::string nested(int depth) {
  if (depth == 0) return body("body", parameter(0, "p", "1") + result(2), edge(0, 0, 2, 0));
  return body("body",
              parameter(0, "p", "1") +
                  layer(1, "loop", "Loop",
                        ports("input", {input_port(0)}) + ports("output", {output_port(1)}) +
                            nested(depth - 1)) +
                  result(2),
              edge(0, 0, 1, 0) + edge(1, 1, 2, 0));
}

TEST(IrErrors, BodiesNestToALimit) {
  ASSERT_TRUE(read_ir_text(around_body(nested(31))).ok());
  refuse(around_body(nested(32)), ErrorCode::kUnsupported, "more than 32 deep");
  // Not the parser of the text, nor anything else, needs a stack as deep as the file.
  std::string deep;
  for (int i = 0; i < 200'000; ++i) deep += "<layer id='0' name='l' type='t'><body><layers>";
  refuse_format(net(deep, ""), "XML");
  std::string closed;
  for (int i = 0; i < 200'000; ++i) closed += "</layers></body></layer>";
  refuse(net(deep + closed, ""), ErrorCode::kUnsupported, "more than 32 deep");
  std::string info;
  for (int i = 0; i < 200'000; ++i) info += "<a>";
  for (int i = 0; i < 200'000; ++i) info += "</a>";
  const TestFolder folder;
  const Model model = read_ir_text(around(layer(1, "act", "Relu",
                                                ports("input", {input_port(0)}) +
                                                    ports("output", {output_port(1)}) +
                                                    "<rt_info>" + info + "</rt_info>")))
                          .value();
  EXPECT_TRUE(save_model(model, folder / "m.xml").ok());
}

TEST(IrErrors, ABodyDoesNotSeeTheValuesAroundIt) {
  // Names of outer values may stand for others inside, and nothing outside is found by its name.
  const std::string inside =
      body("body", parameter(0, "x", "1") + unary(1, "act", "Relu") + result(2),
           edge(0, 0, 1, 0) + edge(1, 1, 2, 0));
  const Model model = read_ir_text(around_body(inside)).value();
  EXPECT_EQ(model.nodes[0].bodies[0].graph->inputs[0].name, "x");
  Model open = model;
  Graph changed = *model.nodes[0].bodies[0].graph;
  changed.nodes[0].inputs[0] = "outer";
  open.inputs.push_back({"outer", DType::kFloat32, std::nullopt});
  open.nodes[0].bodies[0].graph = std::make_shared<const Graph>(changed);
  const Status status = open.infer().error();
  EXPECT_EQ(status.code(), ErrorCode::kFormat);
  EXPECT_NE(status.message().find("'outer'"), std::string::npos) << status.message();
  open.dialect = "onnx";
  EXPECT_TRUE(open.infer().ok());
}

}  // namespace
}  // namespace windrow::internal
