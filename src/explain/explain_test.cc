#include "windrow/explain.h"

#include <gtest/gtest.h>

#include <array>
#include <string>
#include <vector>

namespace windrow {
namespace {

Tensor counted_floats(const Shape& shape) {
  Tensor tensor = Tensor::zeros(DType::kFloat32, shape).value();
  for (std::int64_t i = 0; i < tensor.element_count(); ++i)
    static_cast<float*>(tensor.data())[i] = static_cast<float>(i);
  return tensor;
}

bool contains(const std::string& text, const std::string& line) {
  return text.find(line) != std::string::npos;
}

TEST(Explain, WalksOfAGatherNameIndexCountAndSource) {
  const Tensor data = counted_floats({3, 4, 2});
  const Tensor indices = Tensor::of<std::int64_t>({2, 2}, {0, 1, 2, -1});
  const std::array<TensorView, 2> inputs = {data, indices};
  const Explanation explanation = explain({"onnx", "GatherND", {}}, {}, inputs).value();
  EXPECT_EQ(explanation.axes[0].origin, AxisOrigin::kIndex);
  EXPECT_EQ(explanation.axes[1].origin, AxisOrigin::kSlice);
  const std::string text = to_text(explanation);
  EXPECT_TRUE(contains(text,
                       "  output[1, 0] = data[2, 3, 0] = 22: indices[1] = (2, -1); -1 counts as 3 "
                       "on axis 1 (extent 4)\n"))
      << text;
  EXPECT_TRUE(contains(text, "4 of 4 elements shown\n")) << text;
}

TEST(Explain, AxesOfASliceAreNotSaidToHaveIndices) {
  const Tensor data = counted_floats({3, 9});
  const Tensor updates = counted_floats({3, 2});
  const Tensor start = Tensor::of<std::int64_t>({1}, {7});
  const Tensor stop = Tensor::of<std::int64_t>({1}, {2});
  const Tensor step = Tensor::of<std::int64_t>({1}, {-3});
  const Tensor axes = Tensor::of<std::int64_t>({1}, {1});
  const std::array<TensorView, 6> inputs = {data, updates, start, stop, step, axes};
  const Explanation explanation = explain({"openvino", "SliceScatter", {}}, {}, inputs).value();
  ASSERT_EQ(explanation.axes.size(), 2U);
  EXPECT_EQ(explanation.axes[0].origin, AxisOrigin::kSlice);
  EXPECT_EQ(explanation.axes[0].sentence, "goes along axis 0 of output");
  EXPECT_EQ(explanation.axes[1].sentence, "goes along axis 1 of output from 7 in steps of -3");
}

TEST(Explain, WritesOfAScatterSayWhoWins) {
  const Tensor data = counted_floats({3});
  const Tensor indices = Tensor::of<std::int64_t>({3, 1}, {2, 0, 2});
  const Tensor updates = Tensor::of<float>({3}, {10, 20, 30});
  const std::array<TensorView, 3> inputs = {data, indices, updates};
  const Explanation explanation = explain({"onnx", "ScatterND", {}}, {}, inputs).value();
  ASSERT_EQ(explanation.writes.size(), 3U);
  EXPECT_EQ(explanation.writes[0].later, 2);
  EXPECT_FALSE(explanation.writes[1].later.has_value());
  EXPECT_EQ(explanation.writes[2].earlier, 0);
  EXPECT_EQ(explanation.writes[2].before, "10");
  ASSERT_EQ(explanation.cells.size(), 2U);
  EXPECT_EQ(explanation.cells[1].result, "30");
  EXPECT_TRUE(contains(to_text(explanation), "replaced by 2\n")) << to_text(explanation);
}

TEST(Explain, AnIllegalIndexIsExplained) {
  const Tensor data = counted_floats({3});
  const Tensor indices = Tensor::of<std::int64_t>({2}, {0, 3});
  const std::array<TensorView, 2> inputs = {data, indices};
  const Explanation explanation = explain({"onnx", "Gather", {}}, {}, inputs).value();
  EXPECT_EQ(explanation.illegal, 1);
  EXPECT_FALSE(explanation.walks[1].cell.has_value());
  EXPECT_EQ(explanation.walks[1].value, "");
}

TEST(Explain, TheIndexThatFailsTheCallIsNamedThoughItsElementIsNotShown) {
  const Tensor data = counted_floats({3, 2});
  const Tensor indices = Tensor::of<std::int64_t>({3}, {0, 1, 5});
  const std::array<TensorView, 2> inputs = {data, indices};
  ExplainOptions options;
  options.most_points = 1;
  const Explanation explanation = explain({"onnx", "Gather", {}}, {}, inputs, {}, options).value();
  EXPECT_EQ(explanation.failure,
            "indices[2] is 5, which must lie in -3 to 2 for axis 0 of data (extent 3)");
  EXPECT_TRUE(contains(to_text(explanation), "the call fails: indices[2] is 5"));
}

TEST(Explain, ADuplicateThatFailsTheCallIsNamed) {
  const Tensor data = counted_floats({3});
  const Tensor indices = Tensor::of<std::int64_t>({3, 1}, {2, 0, 2});
  const Tensor updates = Tensor::of<float>({3}, {10, 20, 30});
  const std::array<TensorView, 3> inputs = {data, indices, updates};
  CallOptions options;
  options.duplicates = Duplicates::kError;
  const Explanation explanation = explain({"onnx", "ScatterND", {}}, {}, inputs, options).value();
  EXPECT_EQ(explanation.failure,
            "updates 0 and 2 both go to output[2], and the call refuses duplicates");
}

TEST(Explain, AFallingIdThatFailsTheCallIsNamed) {
  const Tensor data = counted_floats({3});
  const Tensor ids = Tensor::of<std::int64_t>({3}, {0, 2, 1});
  const std::array<TensorView, 2> inputs = {data, ids};
  const Attributes attributes = {{"num_segments", std::int64_t{3}}};
  const Explanation explanation =
      explain({"array", "SegmentReduce", {}}, attributes, inputs).value();
  EXPECT_TRUE(contains(explanation.failure, "segment_ids[2] is 1 after 2")) << explanation.failure;
}

TEST(Explain, SamplesBehindTheLastBagAreNotWalked) {
  const Tensor data = counted_floats({4});
  const Tensor ids = Tensor::of<std::int64_t>({4}, {0, 1, 3, 2});
  const Tensor offsets = Tensor::of<std::int64_t>({3}, {0, 1, 2});
  const std::array<TensorView, 3> inputs = {data, ids, offsets};
  const Explanation explanation =
      explain({"array", "EmbeddingBag", {}}, {{"include_last_offset", true}}, inputs).value();
  EXPECT_EQ(explanation.walks.size(), 2U);
  EXPECT_EQ(explanation.output_axes.front().sentence, "that of axis 0 of offsets, less 1");
}

TEST(Explain, EveryOutputAxisSaysWhereItsExtentComesFrom) {
  const Tensor data = counted_floats({2, 3, 4});
  const Tensor indices = Tensor::of<std::int64_t>({2, 3, 1}, {0, 1, 2, 2, 1, 0});
  const std::array<TensorView, 2> inputs = {data, indices};
  const Attributes attributes = {{"batch_dims", std::int64_t{1}}};
  const auto axes_of = [&](int version) {
    return explain({"openvino", "GatherND", version}, attributes, inputs).value().output_axes;
  };
  const std::vector<ExplainedOutputAxis> axes = axes_of(8);
  ASSERT_EQ(axes.size(), 3U);
  EXPECT_EQ(axes[0].sentence, "that of axis 0 of data and axis 0 of indices");
  EXPECT_EQ(axes[1].sentence, "that of axis 1 of indices");
  EXPECT_EQ(axes[2].sentence, "that of axis 2 of data");
}

TEST(Explain, AnOutputAxisMayBeSeveralAxesAsOne) {
  const Tensor data = counted_floats({2, 3, 4, 5});
  const Tensor indices = Tensor::zeros(DType::kInt64, {2, 3, 1}).value();
  const std::array<TensorView, 2> inputs = {data, indices};
  const Attributes attributes = {{"batch_dims", std::int64_t{2}}};
  const std::vector<ExplainedOutputAxis> axes =
      explain({"openvino", "GatherND", 5}, attributes, inputs).value().output_axes;
  ASSERT_EQ(axes.size(), 2U);
  EXPECT_EQ(axes[0].extent, 6);
  EXPECT_EQ(axes[0].loops, std::vector<int>({0, 1}));
  EXPECT_EQ(axes[1].sentence, "that of axis 3 of data");
}

TEST(Explain, ChosenElementsOfAHugeOutputCostNoMoreThanOfASmallOne) {
  const std::int64_t row = std::int64_t{1} << 40;
  const Tensor indices = Tensor::of<std::int64_t>({2}, {1, 0});
  const std::array<TensorView, 2> inputs = {TensorView(DType::kUint8, {2, row}, nullptr), indices};
  ExplainOptions options;
  options.elements = {{1, row - 1}};
  const Explanation explanation = explain({"onnx", "Gather", {}}, {}, inputs, {}, options).value();
  ASSERT_EQ(explanation.walks.size(), 1U);
  EXPECT_EQ(explanation.walks[0].cell, Dims({0, row - 1}));
  EXPECT_EQ(explanation.walks[0].value, "");
}

TEST(Explain, RefusesElementsOutsideOfTheOutput) {
  const Tensor data = counted_floats({3});
  const Tensor indices = Tensor::of<std::int64_t>({2}, {0, 1});
  const std::array<TensorView, 2> inputs = {data, indices};
  ExplainOptions options;
  options.elements = {{2}};
  const Result<Explanation> explanation = explain({"onnx", "Gather", {}}, {}, inputs, {}, options);
  ASSERT_FALSE(explanation.ok());
  EXPECT_EQ(explanation.error().code(), ErrorCode::kInvalidArgument);
}

TEST(Explain, UnknownIndicesLeaveNoWalks) {
  const std::array<TensorView, 2> inputs = {TensorView(DType::kFloat32, {3}, nullptr),
                                            TensorView(DType::kInt64, {2}, nullptr)};
  const Explanation explanation = explain({"onnx", "Gather", {}}, {}, inputs).value();
  EXPECT_TRUE(explanation.walks.empty());
  EXPECT_EQ(explanation.points, 2);
  EXPECT_EQ(explanation.equation, "output[i0] = data[indices[i0]]");
}

// Two rows of four values of 4 bits, in blocks of two.
Explanation explain_bytes(bool has_zero_points, std::int64_t index) {
  const Tensor data = Tensor::of<std::uint8_t>({2, 2}, {0x10, 0x32, 0xBA, 0xDC});
  const Tensor indices = Tensor::of<std::int64_t>({1}, {index});
  const Tensor scales = Tensor::of<float>({2, 2}, {1, 2, 0.5F, 0.25F});
  const Tensor zero_points = Tensor::of<std::uint8_t>({2, 1}, {0x21, 0x43});
  std::vector<TensorView> inputs = {data, indices, scales};
  if (has_zero_points) inputs.push_back(zero_points);
  ExplainOptions options;
  options.elements = {{0, 3}};
  return explain({"array", "TakeQuantized", {}},
                 {{"bits", std::int64_t{4}}, {"block_size", std::int64_t{2}}}, inputs,
                 {.out_of_range = OutOfRange::kZero}, options)
      .value();
}

TEST(Explain, TellsWhatACodeBecomesANumberBy) {
  const Explanation explanation = explain_bytes(false, 1);
  const ExplainedPoint& walk = explanation.walks.at(0);
  EXPECT_EQ(walk.code, "13");
  EXPECT_EQ(walk.zero_point, "8");
  EXPECT_EQ(walk.scale, "0.25");
  EXPECT_EQ(walk.value, "1.25");
  EXPECT_NE(
      to_text(explanation).find("output[0, 3] = data[1, 3] = 13 -> (13 - 8) * 0.25 = 1.25: ind"),
      std::string::npos)
      << to_text(explanation);
}

TEST(Explain, TellsTheZeroPointOfTheBlock) {
  const Explanation explanation = explain_bytes(true, 1);
  EXPECT_EQ(explanation.walks.at(0).zero_point, "4");
  EXPECT_EQ(explanation.walks.at(0).value, "2.25");
}

TEST(Explain, WithoutACellThereIsNoCode) {
  const Explanation explanation = explain_bytes(true, 2);
  const ExplainedPoint& walk = explanation.walks.at(0);
  EXPECT_EQ(walk.value, "0");
  EXPECT_EQ(walk.code + walk.zero_point + walk.scale, "");
}

TEST(Explain, OneScaleServesARowAndSignedBytesHaveNoZeroPoint) {
  const Tensor data = Tensor::of<std::int8_t>({2, 2}, {-3, 5, 7, -128});
  const Tensor indices = Tensor::of<std::int64_t>({2}, {1, 0});
  const Tensor scales = Tensor::of<float>({2, 1}, {0.5F, 2});
  const std::vector<TensorView> inputs = {data, indices, scales};
  const Explanation explanation = explain({"array", "TakeQuantized", {}}, {}, inputs).value();
  ASSERT_EQ(explanation.walks.size(), 4U);
  EXPECT_EQ(explanation.walks[1].code, "-128");
  EXPECT_EQ(explanation.walks[1].zero_point, "");
  EXPECT_EQ(explanation.walks[1].scale, "2");
  EXPECT_NE(to_text(explanation).find("data[0, 0] = -3 -> -3 * 0.5 = -1.5"), std::string::npos);
}

}  // namespace
}  // namespace windrow
