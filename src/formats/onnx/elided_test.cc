#include "src/formats/onnx/elided.h"

#include <gtest/gtest.h>

#include <cstdint>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "src/formats/onnx/graph_write.h"
#include "windrow/models.h"

namespace windrow::internal {
namespace {

pb::TensorProto bytes_tensor(const std::string& name, std::size_t bytes, char byte) {
  pb::TensorProto tensor;
  tensor.set_name(name);
  tensor.set_data_type(pb::TensorProto::kUint8);
  tensor.add_dims(static_cast<std::int64_t>(bytes));
  tensor.set_raw_data(std::string(bytes, byte));
  return tensor;
}

// An If whose body has a large initializer and a small one, in a graph that has them too.
pb::ModelProto model_with_body() {
  pb::ModelProto model;
  model.set_producer_name(std::string(5000, 'p'));
  pb::GraphProto& graph = *model.mutable_graph();
  graph.set_name("main");
  pb::NodeProto& node = *graph.add_node();
  node.set_op_type("If");
  pb::AttributeProto& body = *node.add_attribute();
  body.set_name("then_branch");
  body.set_type(pb::AttributeProto::kGraph);
  *body.mutable_g()->add_initializer() = bytes_tensor("inner", 3000, 'i');
  *body.mutable_g()->add_initializer() = bytes_tensor("small", 100, 's');
  *graph.add_initializer() = bytes_tensor("outer", 400000, 'o');
  *graph.add_initializer() = bytes_tensor("little", 7, 'l');
  return model;
}

std::string found_bytes(const ElidedFile& file, const std::string& whole, std::string_view place) {
  const auto range = file.find(place);
  if (!range) return {};
  return whole.substr(static_cast<std::size_t>(range->offset),
                      static_cast<std::size_t>(range->bytes));
}

TEST(ElidedFile, LeavesLargeInitializersOut) {
  const std::string whole = model_with_body().serialize();
  const auto elided = ElidedFile::read(MemorySource(whole)).value();
  ASSERT_TRUE(elided);
  EXPECT_LT(elided->bytes().size(), 6000U);
  pb::ModelProto model;
  ASSERT_TRUE(model.parse(std::string(elided->bytes())));
  pb::GraphProto& graph = *model.mutable_graph();
  pb::GraphProto& body = *graph.mutable_node(0)->mutable_attribute(0)->mutable_g();
  pb::TensorProto& outer = *graph.mutable_initializer(0);
  pb::TensorProto& inner = *body.mutable_initializer(0);
  EXPECT_EQ(found_bytes(*elided, whole, outer.raw_data()), std::string(400000, 'o'));
  EXPECT_EQ(found_bytes(*elided, whole, inner.raw_data()), std::string(3000, 'i'));
  EXPECT_FALSE(elided->find(graph.initializer(1).raw_data()));
  EXPECT_FALSE(elided->find(body.initializer(1).raw_data()));
  // All else is as it was.
  outer.set_raw_data(std::string(400000, 'o'));
  inner.set_raw_data(std::string(3000, 'i'));
  EXPECT_EQ(model.serialize(), whole);
}

TEST(ElidedFile, HasATokenThatNoFileKnows) {
  const std::string whole = model_with_body().serialize();
  const auto place_in = [&whole] {
    const auto elided = ElidedFile::read(MemorySource(whole)).value();
    pb::ModelProto model;
    EXPECT_TRUE(model.parse(std::string(elided->bytes())));
    return model.graph().initializer(0).raw_data();
  };
  const std::string first = place_in();
  EXPECT_NE(first, place_in());
  const auto elided = ElidedFile::read(MemorySource(whole)).value();
  EXPECT_FALSE(elided->find(first));
}

TEST(ElidedFile, LeavesWhatIsNoMessageToTheParser) {
  const std::string whole = model_with_body().serialize();
  // Cut anywhere, it is no message or a shorter one; never does it read behind its end.
  for (std::size_t size = 0; size < whole.size(); size += size < 5200 ? 1 : 4999) {
    const auto elided = ElidedFile::read(MemorySource(std::string_view(whole).substr(0, size)));
    ASSERT_TRUE(elided.ok());
    pb::ModelProto model;
    EXPECT_TRUE(!*elided || model.parse(std::string((*elided)->bytes())));
  }
  for (const std::string& bytes : {std::string(";<"), std::string("\x3a\xff\xff\xff\xff\x0f"),
                                   std::string(11, '\xff'), std::string("\x0e\x01")})
    EXPECT_FALSE(ElidedFile::read(MemorySource(bytes)).value());
}

// A field that is a message or text, of this tag.
std::string field(char tag, const std::string& content) {
  std::string text(1, tag);
  std::size_t size = content.size();
  for (; size >= 0x80; size >>= 7) text.push_back(static_cast<char>(size | 0x80));
  text.push_back(static_cast<char>(size));
  return text + content;
}

TEST(ElidedFile, GoesNoDeeperThanProtobuf) {
  std::string graph = field('\x12', std::string(2000, 'x'));  // a name
  const auto is_read = [&graph] {
    return ElidedFile::read(MemorySource(field('\x3a', graph))).value().has_value();
  };
  EXPECT_TRUE(is_read());
  // A graph in an attribute of a node.
  for (int depth = 0; depth < 50; ++depth)
    graph = field('\x0a', field('\x2a', field('\x32', graph)));
  EXPECT_FALSE(is_read());
}

}  // namespace
}  // namespace windrow::internal

namespace windrow {
namespace {

std::shared_ptr<const Tensor> zeros(std::int64_t count) {
  return std::make_shared<const Tensor>(Tensor::zeros(DType::kInt64, {count}).value());
}

// A model with a body, claims everywhere, and constants of 8 and 8000 bytes.
Model claiming_model() {
  Model model;
  model.opset_imports[""] = 17;
  model.inputs = {{"x", DType::kFloat32, std::vector<Dim>{{-1, "N"}}}};
  model.outputs = {{"y", DType::kFloat32, std::vector<Dim>{{7, ""}}}};
  model.values = {{"k", DType::kInt64, std::vector<Dim>{{7, ""}}}};
  model.constants.emplace("small", zeros(1));
  model.constants.emplace("large", zeros(1000));
  Graph body;
  body.inputs = {{"n", DType::kInt64, std::vector<Dim>{}}};
  body.outputs = {{"n", DType::kInt64, std::vector<Dim>{}}};
  ModelNode loop{"same", "", "Loop", {"", ""}, {"y"}, {}, ""};
  loop.bodies = {{"body", std::make_shared<const Graph>(std::move(body))}};
  model.nodes = {{"same", "", "Constant", {}, {"k"}, {{"value", zeros(1000)}}, ""}, loop};
  return model;
}

TEST(Skeleton, LeavesOutClaimsAndLargeConstants) {
  internal::pb::ModelProto proto;
  ASSERT_TRUE(proto.parse(onnx_skeleton(claiming_model()).value()));
  const internal::pb::GraphProto& graph = proto.graph();
  EXPECT_EQ(graph.value_info_size(), 0);
  EXPECT_TRUE(graph.input(0).has_type());
  EXPECT_FALSE(graph.output(0).has_type());
  EXPECT_EQ(graph.node(0).name(), "main/same");
  EXPECT_EQ(graph.node(1).name(), "main/same#1");
  const internal::pb::GraphProto& body = graph.node(1).attribute(0).g();
  EXPECT_FALSE(body.input(0).has_type());
  EXPECT_FALSE(body.output(0).has_type());
  ASSERT_EQ(graph.initializer_size(), 2);
  for (const internal::pb::TensorProto& tensor : graph.initializer()) {
    const bool is_small = tensor.name() == "small";
    EXPECT_EQ(tensor.dims(0), is_small ? 1 : 1000);
    EXPECT_EQ(tensor.raw_data().size(), is_small ? 8U : 0U);
    EXPECT_EQ(tensor.data_location() == internal::pb::TensorProto::kExternal, !is_small);
  }
  const internal::pb::TensorProto& value = graph.node(0).attribute(0).t();
  EXPECT_EQ(value.dims(0), 1000);
  EXPECT_TRUE(value.raw_data().empty());
}

TEST(Skeleton, HasABound) {
  Model model = claiming_model();
  model.nodes[0].op_type = std::string(std::size_t{51} << 20, 'a');
  const Status error = onnx_skeleton(model).error();
  EXPECT_EQ(error.code(), ErrorCode::kUnsupported);
  EXPECT_NE(error.message().find("more than the 52428800"), std::string::npos) << error.message();
}

TEST(Skeleton, IsForOnnxModels) {
  Model model;
  model.dialect = "openvino";
  EXPECT_EQ(onnx_skeleton(model).error().code(), ErrorCode::kUnsupported);
}

}  // namespace
}  // namespace windrow
