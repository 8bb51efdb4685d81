#include <gtest/gtest.h>

#include <cstdint>
#include <initializer_list>
#include <string>

#include "src/formats/onnx/model_fixture.h"
#include "src/formats/test_support.h"
#include "windrow/models.h"

// Models that have more than a Model has members for.
namespace windrow::internal {
namespace {

// Fields that no class has: a text of one letter each.
std::string unknown_fields(std::initializer_list<std::uint32_t> numbers) {
  pb::WireWriter out;
  for (const std::uint32_t number : numbers) {
    out.write_tag(number, pb::WireType::kLen);
    pb::Text::write(out, "x");
  }
  return out.take();
}

// A model with everything that has no place of its own in Model.
pb::ModelProto model_of_everything() {
  pb::ModelProto proto = two_inputs();
  proto.set_ir_version(7);
  proto.set_producer_name("somebody");
  *proto.mutable_unknown_fields() = unknown_fields({14, 4711});
  pb::GraphProto& graph = *proto.mutable_graph();
  graph.set_name("whole");
  graph.set_doc_string("of everything");
  graph.mutable_input(1)->set_doc_string("the second input, which has a default");
  pb::TensorProto& w = *graph.add_initializer();
  w.set_name("w");
  w.set_doc_string("its default");
  w.set_data_type(pb::TensorProto::kInt64);
  w.add_dims(1);
  w.set_raw_data(std::string(8, '\0'));
  pb::TensorProto& strange = *graph.add_initializer();
  strange.set_name("strange");
  strange.set_data_type(99);
  strange.set_raw_data("strange");
  graph.add_sparse_initializer()->mutable_values()->set_name("sparse");
  *graph.mutable_unknown_fields() = unknown_fields({14});
  pb::ValueInfoProto& list = *graph.add_input();
  list.set_name("list");
  list.mutable_type()->mutable_sequence_type();

  pb::NodeProto& node = add_node(proto, "If", "x", "y");
  node.set_doc_string("chooses");
  pb::AttributeProto& body = *node.add_attribute();
  body.set_name("then_branch");
  body.set_type(pb::AttributeProto::kGraph);
  body.mutable_g()->set_name("then");
  pb::NodeProto& inner = *body.mutable_g()->add_node();
  inner.set_op_type("Identity");
  inner.add_input("w");  // of the graph around
  inner.add_output("z");
  body.mutable_g()->add_output()->set_name("z");
  pb::AttributeProto& types = *node.add_attribute();
  types.set_name("type");
  types.set_type(pb::AttributeProto::kTypeProto);
  types.mutable_tp()->mutable_optional_type();
  pb::AttributeProto& told = *node.add_attribute();
  told.set_name("alpha");
  told.set_doc_string("a number");
  told.set_type(pb::AttributeProto::kFloat);
  told.set_f(0.1F);
  pb::AttributeProto& graphs = *add_node(proto, "Choose", "strange", "c").add_attribute();
  graphs.set_name("branches");
  graphs.set_type(pb::AttributeProto::kGraphs);
  graphs.add_graphs()->set_name("first");
  graphs.add_graphs()->set_name("second");

  pb::FunctionProto& function = *proto.add_functions();
  function.set_name("Twice");
  function.set_domain("mine");
  function.set_doc_string("applies something twice");
  function.add_input("a");
  function.add_output("b");
  function.add_attribute("axis");
  function.add_opset_import()->set_version(13);
  pb::NodeProto& once = *function.add_node();
  once.set_op_type("Softmax");
  once.add_input("a");
  once.add_output("b");
  pb::AttributeProto& axis = *once.add_attribute();
  axis.set_name("axis");
  axis.set_ref_attr_name("axis");
  axis.set_type(pb::AttributeProto::kInt);
  return proto;
}

TEST(KeptModel, AnAttributeThatIsGoneLeavesNothingBehind) {
  Model model = read(model_of_everything()).value();
  ASSERT_EQ(model.nodes[0].attributes.erase("alpha"), 1U);
  const pb::ModelProto written = proto_of(model);
  for (const pb::AttributeProto& attribute : written.graph().node(0).attribute())
    EXPECT_NE(attribute.name(), "alpha");
}

TEST(KeptModel, IsWrittenAsItWasRead) {
  const Model model = read(model_of_everything()).value();
  EXPECT_EQ(model.default_inputs.size(), 1U);
  EXPECT_EQ(model.opaque_constants.size(), 2U);
  ASSERT_EQ(model.functions.size(), 1U);
  EXPECT_EQ(model.functions[0].graph.nodes.at(0).op_type, "Softmax");
  ASSERT_EQ(model.nodes.at(1).bodies.size(), 2U);
  EXPECT_EQ(model.nodes.at(1).bodies[1].attribute, "branches[1]");
  EXPECT_EQ(model.nodes.at(1).bodies[1].graph->name, "second");

  pb::ModelProto again = proto_of(model);
  // All names are given, and attributes are in the order of their names: alpha, then_branch, type.
  pb::ModelProto expected = model_of_everything();
  expected.mutable_opset_import(0)->set_domain("");
  expected.mutable_functions(0)->mutable_opset_import(0)->set_domain("");
  expected.mutable_graph()->mutable_node(0)->set_name("If_0");
  expected.mutable_graph()->mutable_node(1)->set_name("Choose_1");
  expected.mutable_functions(0)->mutable_node(0)->set_name("Softmax_0");
  pb::NodeProto& node = *expected.mutable_graph()->mutable_node(0);
  node.mutable_attribute(0)->mutable_g()->mutable_node(0)->set_name("Identity_0");
  node.mutable_attribute()->swap_elements(0, 2);
  node.mutable_attribute()->swap_elements(1, 2);
  EXPECT_EQ(again.serialize(), expected.serialize());
  EXPECT_EQ(proto_of(read(again).value()).serialize(), again.serialize());
}

TEST(KeptModel, LargeConstantsThatItDoesNotKnowAreWrittenToo) {
  const TestFolder folder;
  pb::ModelProto proto = model_of_everything();
  proto.mutable_graph()->mutable_initializer(1)->set_raw_data(std::string(5000, 's'));
  write_bytes(folder / "m.onnx", proto.serialize());
  const Model model = load_model(folder / "m.onnx").value();
  EXPECT_EQ(proto_of(model).graph().initializer(1).raw_data(), std::string(5000, 's'));
}

TEST(KeptModel, BodiesSeeWhatIsDefinedBeforeTheirNode) {
  const auto message = [](const std::string& name) {
    pb::ModelProto proto = model_of_everything();
    pb::GraphProto& body =
        *proto.mutable_graph()->mutable_node(0)->mutable_attribute(0)->mutable_g();
    body.mutable_node(0)->set_input(0, name);
    return read(proto).error().message();
  };
  for (const char* name : {"x", "w", "sparse"}) EXPECT_EQ(message(name), "") << name;
  for (const std::string name : {"y", "c", "z", "nothing"})
    EXPECT_EQ(message(name), "node 'If_0': 'then_branch': node 'Identity_0': input '" + name +
                                 "' is not defined before the node");
}

TEST(KeptModel, ConstantsThatAreNotKnownCannotBeRead) {
  pb::ModelProto proto = two_inputs();
  proto.mutable_graph()->add_sparse_initializer()->mutable_values()->set_name("s");
  add_node(proto, "Identity", "x", "y");
  proto.mutable_graph()->add_output()->set_name("y");
  const Tensor x = sample(DType::kFloat32, {2});
  const NamedViews inputs = {{"x", x.view()}, {"w", x.view()}};
  EXPECT_TRUE(read(proto).value().run(inputs).ok());
  add_node(proto, "Identity", "s", "z");
  proto.mutable_graph()->add_output()->set_name("z");
  const Status error = read(proto).value().run(inputs).error();
  EXPECT_EQ(error.code(), ErrorCode::kUnsupported);
  EXPECT_EQ(error.message(), "the constant 's' can't be used here: it is a sparse tensor");
}

}  // namespace
}  // namespace windrow::internal
