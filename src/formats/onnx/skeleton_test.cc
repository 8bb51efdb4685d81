#include <gtest/gtest.h>

#include <cstdint>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "src/formats/onnx/schema.h"
#include "windrow/models.h"

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
  ASSERT_TRUE(proto.ParseFromString(onnx_skeleton(claiming_model()).value()));
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
    EXPECT_EQ(tensor.data_location() == internal::pb::TensorProto::EXTERNAL, !is_small);
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
