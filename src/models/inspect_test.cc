#include "src/models/inspect.h"

#include <gtest/gtest.h>

#include <cstdint>
#include <limits>
#include <string>
#include <vector>

#include "windrow/operators.h"

namespace windrow::internal {
namespace {

ValueInfo of_extents(const std::vector<std::int64_t>& extents) {
  ValueInfo value{"v", DType::kFloat32, std::vector<Dim>()};
  for (const std::int64_t extent : extents) value.dims->push_back({extent, ""});
  return value;
}

std::string axes(const OperatorId& id, const Attributes& attributes,
                 const std::vector<ValueInfo>& inputs) {
  ModelNode node;
  node.attributes = attributes;
  return to_string(find_indexed_axes(node, find_operator(id).value(), inputs));
}

TEST(IndexedAxes, OfOneHotAreThoseOfItsOutput) {
  const std::vector<ValueInfo> inputs{of_extents({5}), of_extents({}), of_extents({2})};
  const OperatorId one_hot{"onnx", "OneHot", 11};
  EXPECT_EQ(axes(one_hot, {}, inputs), "axis 1 of 2");
  EXPECT_EQ(axes(one_hot, {{"axis", std::int64_t{0}}}, inputs), "axis 0 of 2");
}

TEST(IndexedAxes, OfSegmentMaxIsTheFirst) {
  const std::vector<ValueInfo> inputs{of_extents({5, 2}), of_extents({5}), of_extents({})};
  EXPECT_EQ(axes({"openvino", "SegmentMax", 16}, {}, inputs), "axis 0 of 2");
}

TEST(IndexedAxes, CountBatchAxesFromTheEndOfTheIndices) {
  ValueInfo axis = of_extents({});
  axis.elements = {{1, ""}};
  const std::vector<ValueInfo> inputs{of_extents({2, 3, 4}), of_extents({2, 7}), axis};
  EXPECT_EQ(axes({"openvino", "Gather", 8}, {{"batch_dims", std::int64_t{-1}}}, inputs),
            "axis 1 of 3 (batch_dims 1)");
}

TEST(IndexedAxes, OfTensorRTGathersDependOnTheMode) {
  const std::vector<ValueInfo> inputs{of_extents({2, 3, 4}), of_extents({2, 5, 1})};
  const OperatorId gather{"tensorrt", "Gather", 10};
  const auto mode = [](const char* name, std::int64_t batch_dims) {
    return Attributes{{"mode", std::string(name)},
                      {"axis", std::int64_t{2}},
                      {"num_elementwise_dims", batch_dims}};
  };
  EXPECT_EQ(axes(gather, mode("DEFAULT", 1), inputs), "axis 2 of 3 (batch_dims 1)");
  EXPECT_EQ(axes(gather, mode("ELEMENT", 0), inputs), "axis 2 of 3");
  EXPECT_EQ(axes(gather, mode("ND", 0), inputs), "axis 0 of 3");
  EXPECT_EQ(axes(gather, mode("ND", 1), inputs), "axis 1 of 3 (batch_dims 1)");
  EXPECT_EQ(axes({"tensorrt", "Scatter", 10}, {{"mode", std::string("ND")}}, inputs),
            "axis 0 of 3");
}

TEST(IndexedAxes, OfCacheUpdatesAreThoseOfTheSequence) {
  const std::vector<ValueInfo> inputs{of_extents({2, 3, 8, 4}), of_extents({2, 3, 1, 4}),
                                      of_extents({2})};
  EXPECT_EQ(axes({"tensorrt", "KVCacheUpdate", 10}, {}, inputs), "axis 2 of 4");
  EXPECT_EQ(axes({"onnx", "TensorScatter", 24}, {}, inputs), "axis 2 of 4");
}

// Of models that break the operators' rules.
TEST(IndexedAxes, ThatAreNotThereAreUnknown) {
  const OperatorId gather{"onnx", "Gather", 13};
  const OperatorId tuples{"onnx", "GatherND", 13};
  const ValueInfo data = of_extents({2, 3});
  EXPECT_EQ(axes(gather, {{"axis", std::int64_t{2}}}, {data, of_extents({1})}), "? of 2");
  EXPECT_EQ(axes(gather, {{"axis", std::int64_t{-3}}}, {data, of_extents({1})}), "? of 2");
  constexpr std::int64_t kMost = std::numeric_limits<std::int64_t>::max();
  EXPECT_EQ(axes(tuples, {}, {data, of_extents({kMost})}), "? of 2");
  EXPECT_EQ(axes(tuples, {{"batch_dims", kMost}}, {data, of_extents({2})}),
            "? of 2 (batch_dims " + std::to_string(kMost) + ")");
  EXPECT_EQ(axes(tuples, {{"batch_dims", -kMost}}, {data, of_extents({2})}), "? of 2");
  EXPECT_EQ(axes(tuples, {}, {data, of_extents({4, 0})}), "no axis of 2");
  EXPECT_EQ(axes(gather, {}, {data}), "?");
}

}  // namespace
}  // namespace windrow::internal
