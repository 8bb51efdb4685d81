#include <gtest/gtest.h>

#include <memory>
#include <string>
#include <vector>

#include "src/formats/openvino_ir/ir_fixture.h"
#include "src/formats/test_support.h"

// What a file says beyond the members of Model is written again.
namespace windrow::internal {
namespace {

using Names = std::vector<std::string>;

// What a model is written as: the .xml file, and in `bin` the other one.
std::string written(const Model& model, std::string* bin = nullptr) {
  const TestFolder folder;
  const Status status = save_model(model, folder / "m.xml");
  EXPECT_TRUE(status.ok()) << status.message();
  if (bin != nullptr) *bin = read_bytes(folder / "m.bin");
  return read_bytes(folder / "m.xml");
}

// Reads the text, and writes it: what is read again is the same, and is written as the same bytes.
// Gives the written text.
std::string expect_kept(const std::string& xml, const std::string& bin = {}) {
  const Model model = read_ir_text(xml, bin).value();
  std::string once_bin;
  std::string once = written(model, &once_bin);
  const Model again = read_ir_text(once, once_bin).value();
  EXPECT_TRUE(same_graph(model, again, Kept::kCompared)) << model.kept << '\n' << again.kept;
  EXPECT_EQ(model.aliases, again.aliases);
  std::string twice_bin;
  EXPECT_EQ(written(again, &twice_bin), once);
  EXPECT_EQ(twice_bin, once_bin);
  return once;
}

void expect_parts(const std::string& text, const Names& parts) {
  for (const std::string& part : parts)
    EXPECT_NE(text.find(part), std::string::npos) << part << "\n in " << text;
}

TEST(IrKept, LayersOfOtherOperators) {
  const std::string content =
      R"(<data alpha="0.5" k="&lt;&quot;&#10;"><more deep="1"/></data>)" +
      std::string(R"(<rt_info><attribute name="f" version="0"/></rt_info>)") +
      ports("input", {R"(<port id="0" lay="NC"><rt_info a="1"/></port>)"}) +
      ports("output", {R"(<port id="1" precision="FP32" names="b,a"/>)",
                       R"(<port id="2" precision="U2" what="2"/>)"});
  const std::string text =
      expect_kept(net(parameter(0, "x", "1") +
                          R"(<layer id="1" name="mine" type="Fancy" version="extension" own="7">)" +
                          content + "</layer>" + result(2),
                      edge(0, 0, 1, 0) + edge(1, 1, 2, 0)));
  expect_parts(text, {R"(name="mine" type="Fancy" version="extension" own="7")",
                      R"(alpha="0.5" k="&lt;&quot;&#10;")", R"(<more deep="1" />)",
                      R"(<attribute name="f" version="0" />)", R"(<rt_info a="1" />)",
                      R"(precision="FP32" lay="NC")", R"(names="b,a")",
                      R"(<port id="2" precision="U2" what="2" />)"});
}

TEST(IrKept, VersionsThatAreNone) {
  for (const std::string version : {"", "extension", "opset0", "opset17", "opset08"}) {
    const std::string xml =
        net(parameter(0, "x", "1") + unary(1, "r", "Reshape", "", version) +
                unary(2, "g", "GatherND", R"(<data batch_dims="1"/>)", version) + result(3),
            edge(0, 0, 1, 0) + edge(1, 1, 2, 0) + edge(2, 1, 3, 0));
    expect_parts(expect_kept(xml), {R"(type="Reshape" version=")" + version + '"',
                                    R"(type="GatherND" version=")" + version + '"'});
  }
}

TEST(IrKept, WhatTheFileSaysOfTheModel) {
  const std::string xml = R"(<net name="mine" version="10" more="&amp;"><layers>)" +
                          parameter(0, "x", "1") + result(1) + "</layers><edges>" +
                          edge(0, 0, 1, 0) +
                          R"(</edges><meta_data><tool value="mo"> text </tool></meta_data></net>)";
  const Model model = read_ir_text(xml).value();
  EXPECT_EQ(model.name, "mine");
  const std::string text = expect_kept(xml);
  expect_parts(text, {R"(<net name="mine" version="10" more="&amp;">)",
                      R"(<tool value="mo"> text </tool>)"});
  // OpenVINO reads <meta_data> only where there is no <rt_info>.
  EXPECT_EQ(text.find("rt_info"), std::string::npos);
}

TEST(IrKept, NamesOfLayersAndPorts) {
  const std::string output = R"(<port id="0" precision="FP32" names="a,c,b"/>)";
  const std::string xml =
      net(layer(0, "in", "Parameter",
                R"(<data shape="1" element_type="f32"/>)" + ports("output", {output})) +
              unary(1, "unnamed", "Relu") +
              R"(<layer id="2" name="out" type="Result" version="opset8" output_names="q">)" +
              ports("input", {input_port(0)}) + "</layer>",
          edge(0, 0, 1, 0) + edge(1, 1, 2, 0));
  expect_parts(expect_kept(xml), {R"(name="in" type="Parameter")", R"(names="a,c,b")",
                                  R"(<port id="1" precision="FP32" />)",
                                  R"(name="out" type="Result" version="opset8" output_names="q")"});
  // What is changed in the model is written, whatever was kept.
  Model model = read_ir_text(xml).value();
  model.nodes[0].outputs[0] = model.outputs[0].name = model.values[0].name = "new";
  model.aliases["more"] = "a";
  expect_parts(written(model), {R"(names="new")", R"(names="a,c,b,more")"});
}

// Names that more than one layer or port has.
TEST(IrKept, NamesThatRepeat) {
  std::string layers = parameter(0, "a", "1");
  std::string edges;
  for (int i = 1; i < 6; ++i) {
    layers += layer(i, "a", "Split",
                    ports("input", {input_port(0)}) +
                        ports("output", {output_port(7, "FP32", i % 2 == 0 ? "names='a:1,p'" : ""),
                                         output_port(8)}));
    edges += edge(i - 1, i == 1 ? 0 : 7, i, 0);
  }
  expect_kept(net(layers + result(6), edges + edge(5, 8, 6, 0)));
}

TEST(IrKept, VersionsAndAttributesOfTheLibrarysOwnOperators) {
  const auto gather = [](const std::string& data) {
    return net(parameter(0, "x", "3") + parameter(1, "i", "2", "i64") +
                   constant(2, "axis", "i64", "", 0, 8) +
                   layer(3, "g", "gather",
                         data + ports("input", {input_port(0), input_port(1), input_port(2)}) +
                             ports("output", {output_port(3)}),
                         "opset13") +
                   result(4),
               edge(0, 0, 3, 0) + edge(1, 0, 3, 1) + edge(2, 0, 3, 2) + edge(3, 3, 4, 0));
  };
  const std::string xml = gather(R"(<data batch_dims="0" alt_width="3"/>)");
  const std::string bin(8, '\0');
  expect_parts(expect_kept(xml, bin), {R"(type="Gather" version="opset13")", R"(alt_width="3")"});
  Model model = read_ir_text(xml, bin).value();
  EXPECT_EQ(model.unsupported(), Names{});
  model.nodes[0].version = 7;
  expect_parts(written(model), {R"(type="Gather" version="opset7")"});
}

TEST(IrKept, TypesAndConstantsThatTheLibraryLacks) {
  const std::string xml = net(
      constant(0, "w", "u3", "2", 1, 1) + constant(1, "same", "u3", "1, 2", 1, 1) +
          constant(2, "good", "u8", "2", 2, 2) +
          layer(
              3, "p", "Parameter",
              R"(<data shape="?" element_type="u6"/>)" + ports("output", {output_port(0, "U6")})) +
          layer(4, "cat", "Fancy",
                ports("input", {input_port(0), input_port(1), input_port(2), input_port(3)}) +
                    ports("output", {output_port(4)})) +
          result(5),
      edge(0, 0, 4, 0) + edge(1, 0, 4, 1) + edge(2, 0, 4, 2) + edge(3, 0, 4, 3) + edge(4, 4, 5, 0));
  const std::string bin("\7\xe4\1\2", 4);
  const Model model = read_ir_text(xml, bin).value();
  EXPECT_EQ(model.opaque_constants.size(), 2U);
  EXPECT_NE(model.opaque_constants.at("w").why.find("'u3'"), std::string::npos);
  expect_parts(expect_kept(xml, bin), {R"(element_type="u3")", R"(shape="1, 2")",
                                       R"(element_type="u6")", R"(<port id="0" precision="U6")"});
  std::string once_bin;
  written(model, &once_bin);
  EXPECT_EQ(once_bin, std::string("\xe4\1\2", 3));
}

// A loop over a body with a constant, and a loop in it; ids are other ones than positions.
std::string loops() {
  const std::string inner =
      layer(30, "inner", "TensorIterator",
            ports("input", {input_port(4)}) + ports("output", {output_port(9)}) +
                body("body", parameter(7, "y", "1") + result(3), edge(7, 0, 3, 0)) + "<port_map>" +
                map_entry("input", 4, 7, R"(axis="0" stride="-1")") + map_entry("output", 9, 3) +
                "</port_map>");
  const std::string inside = result(12) + constant(11, "go", "boolean", "", 0, 1) +
                             unary(10, "y", "Relu") + inner + parameter(40, "step", "") +
                             parameter(20, "x", "1") + result(50);
  const std::string edges =
      edge(11, 0, 12, 0) + edge(20, 0, 10, 0) + edge(10, 1, 30, 4) + edge(30, 9, 50, 0);
  return net(parameter(5, "x", "1") +
                 layer(6, "loop", "Loop",
                       "<port_map>" + map_entry("input", 2, 20) + map_entry("output", 3, 50) +
                           map_entry("input", -1, 40, R"(purpose="current_iteration")") +
                           map_entry("output", -1, 12, R"(purpose="execution_condition")") +
                           R"(</port_map><back_edges><edge from-layer="50" to-layer="20"/>)" +
                           "</back_edges>" + ports("input", {input_port(2)}) +
                           ports("output", {output_port(3)}) + body("body", inside, edges),
                       "opset5") +
                 result(8),
             edge(5, 0, 6, 2) + edge(6, 3, 8, 0));
}

TEST(IrKept, BodiesAndTheirPortMaps) {
  const std::string bin(1, '\1');
  const Model model = read_ir_text(loops(), bin).value();
  const Graph& inside = *model.nodes[0].bodies.at(0).graph;
  EXPECT_EQ(inside.inputs[0].name, "step");
  EXPECT_EQ(inside.inputs[1].name, "x");
  EXPECT_EQ((Names{inside.outputs[0].name, inside.outputs[1].name}), (Names{"go", "inner"}));
  EXPECT_TRUE(inside.constants.contains("go"));
  Names paths;
  model.visit_nodes([&paths](const NodePlace& place) { paths.push_back(place.path); });
  EXPECT_EQ(paths, (Names{"main/loop", "main/loop.body/y", "main/loop.body/inner"}));
  // In the body, Parameters are layers 0 and 1, Results 5 and 6.
  expect_parts(
      expect_kept(loops(), bin),
      {R"(<input external_port_id="0" internal_layer_id="1" />)",
       R"(<output external_port_id="1" internal_layer_id="6" />)",
       R"(<input external_port_id="-1" internal_layer_id="0" purpose="current_iteration" />)",
       R"(<output external_port_id="-1" internal_layer_id="5" purpose=)",
       R"(<edge from-layer="6" to-layer="1" />)",
       R"(<input external_port_id="0" internal_layer_id="0" axis="0" stride="-1" />)"});
}

TEST(IrKept, TheBodiesOfIf) {
  const auto branch = [](const std::string& name, const std::string& type) {
    return body(name + "_body", parameter(3, "x", "1") + unary(4, "act", type) + result(5),
                edge(3, 0, 4, 0) + edge(4, 1, 5, 0)) +
           "<" + name + "_port_map>" + map_entry("input", 1, 3) + map_entry("output", 2, 5) + "</" +
           name + "_port_map>";
  };
  const std::string xml = net(
      parameter(0, "c", "", "boolean") + parameter(1, "x", "1") +
          layer(2, "if", "If",
                ports("input", {input_port(0), input_port(1)}) + ports("output", {output_port(2)}) +
                    branch("then", "Relu") + branch("else", "Abs"),
                "opset8") +
          result(3),
      edge(0, 0, 2, 0) + edge(1, 0, 2, 1) + edge(2, 2, 3, 0));
  Names paths;
  const Model model = read_ir_text(xml).value();
  model.visit_nodes([&paths](const NodePlace& place) { paths.push_back(place.path); });
  EXPECT_EQ(paths, (Names{"main/if", "main/if.then_body/act", "main/if.else_body/act"}));
  expect_parts(expect_kept(xml), {"<then_port_map>", "<else_port_map>", "<else_body>"});
}

TEST(IrKept, VariablesAndLayersThatOnlyTheyNeed) {
  const std::string variable = R"(<data variable_id="v" variable_type="f32" variable_shape="1"/>)";
  const std::string text = expect_kept(
      net(parameter(0, "x", "1") + unary(1, "old", "ReadValue", variable, "opset6") +
              unary(2, "new", "Relu") + unary(3, "keep", "Assign", variable, "opset6") + result(4),
          edge(0, 0, 1, 0) + edge(1, 1, 4, 0) + edge(0, 0, 2, 0) + edge(2, 1, 3, 0)));
  expect_parts(text, {R"(type="Assign" version="opset6")", R"(variable_type="f32")"});
}

TEST(IrKept, WhatBreaksARuleIsWritten) {
  const std::string xml =
      net(parameter(0, "x", "3") + parameter(1, "i", "2", "f32") +
              layer(2, "g", "GatherElements",
                    R"(<data axis="7"/>)" + ports("input", {input_port(0), input_port(1)}) +
                        ports("output", {output_port(2)}),
                    "opset6") +
              result(3),
          edge(0, 0, 2, 0) + edge(1, 0, 2, 1) + edge(2, 2, 3, 0));
  EXPECT_FALSE(read_ir_text(xml).value().infer().value().first_broken_rule());
  expect_kept(xml);
}

TEST(IrKept, ManyOfEverythingTakesLittleTime) {
  std::string attributes;
  std::string outputs;
  std::string entries;
  for (int i = 0; i < 20'000; ++i) {
    attributes += attribute("a" + std::to_string(i), i);
    outputs += "<port" + attribute("id", i + 1) + R"( precision="FP32" own="1"/>)";
    entries += map_entry("input", 0, 3);
  }
  const std::string inside = body("body", parameter(3, "x", "1") + result(5), edge(3, 0, 5, 0));
  expect_kept(net(parameter(0, "x", "1") + "<layer" + attribute("id", 1) + attribute("name", "n") +
                      attribute("type", "Many") + attribute("version", "opset1") + attributes +
                      "><data" + attributes + "/>" + ports("input", {input_port(0)}) + "<output>" +
                      outputs + "</output>" + inside + "<port_map>" + entries +
                      "</port_map></layer>" + result(2),
                  edge(0, 0, 1, 0) + edge(1, 1, 2, 0)));
}

}  // namespace
}  // namespace windrow::internal
