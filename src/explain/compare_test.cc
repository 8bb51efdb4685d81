#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <string>
#include <vector>

#include "windrow/explain.h"

namespace windrow {
namespace {

Tensor counted_floats(const Shape& shape) {
  Tensor tensor = Tensor::zeros(DType::kFloat32, shape).value();
  for (std::int64_t i = 0; i < tensor.element_count(); ++i)
    static_cast<float*>(tensor.data())[i] = static_cast<float>(i);
  return tensor;
}

Explanation explained(const TranslatedCall& call, const CallOptions& options = {}) {
  return explain(call.id, call.attributes, call.inputs, options).value();
}

Comparison compared_gathers(const OperatorId& from, const OperatorId& to,
                            const std::vector<std::int64_t>& numbers,
                            const CallOptions& second_options = {}) {
  const Tensor data = counted_floats({4});
  Tensor indices = Tensor::zeros(DType::kInt64, {std::ssize(numbers)}).value();
  std::copy(numbers.begin(), numbers.end(), static_cast<std::int64_t*>(indices.data()));
  const std::array<TensorView, 2> inputs = {data, indices};
  const TranslatedCall first = translate_call(from, {}, inputs, from).value();
  const TranslatedCall second = translate_call(from, {}, inputs, to).value();
  return compare(explained(first), explained(second, second_options));
}

TEST(Compare, ANegativeIndexCountsFromTheEndHereAndIsClampedThere) {
  CallOptions clamp;
  clamp.out_of_range = OutOfRange::kClamp;
  const Comparison comparison =
      compared_gathers({"onnx", "Gather", {}}, {"array", "Take", {}}, {1, -1}, clamp);
  EXPECT_TRUE(parts(comparison));
  ASSERT_EQ(comparison.partings.size(), 1U);
  EXPECT_EQ(comparison.partings[0].element, Dims({1}));
  EXPECT_EQ(comparison.partings[0].first, "3");
  EXPECT_EQ(comparison.partings[0].second, "0");
  const std::string text = to_text(comparison);
  EXPECT_NE(text.find("-1 counts as 3 on axis 0 (extent 4)\n"), std::string::npos) << text;
  EXPECT_NE(text.find("-1 is outside of axis 0 (extent 4), the nearest valid coordinate is 0\n"),
            std::string::npos)
      << text;
}

TEST(Compare, OneCallMayFailWhereTheOtherDoesNot) {
  const Comparison comparison =
      compared_gathers({"onnx", "Gather", {}}, {"openvino", "Gather", 8}, {1, 4});
  EXPECT_TRUE(parts(comparison));
  EXPECT_NE(comparison.first_failure, "");
  EXPECT_EQ(comparison.second_failure, "");
  EXPECT_EQ(comparison.parting, 1);
}

TEST(Compare, LikeCallsAgree) {
  const Comparison comparison =
      compared_gathers({"onnx", "Gather", {}}, {"array", "Take", {}}, {1, -1});
  EXPECT_FALSE(parts(comparison));
  EXPECT_EQ(comparison.compared, 2);
  EXPECT_EQ(to_text(comparison),
            "onnx.Gather-13 and array.Take-1 give the same result\n"
            "0 of 2 compared elements differ; the output has 2 elements\n");
}

// A cache of 2000 positions, whose values are not kept, with one update behind another from 1999
// on.
Comparison compared_caches(float update) {
  const Tensor cache = Tensor::zeros(DType::kFloat32, {1, 1, 2000, 1}).value();
  Tensor updates = Tensor::zeros(DType::kFloat32, {1, 1, 2, 1}).value();
  static_cast<float*>(updates.data())[1] = update;
  const Tensor position = Tensor::of<std::int64_t>({1}, {1999});
  const std::array<TensorView, 3> inputs = {cache, updates, position};
  const OperatorId from{"onnx", "TensorScatter", {}};
  const TranslatedCall circular =
      translate_call(from, {{"mode", std::string("circular")}}, inputs, from).value();
  const TranslatedCall linear =
      translate_call(from, {{"mode", std::string("linear")}}, inputs, from).value();
  return compare(explained(circular), explained(linear));
}

TEST(Compare, ACellThatOneCallNeverWritesDiffersOnlyByItsValue) {
  const Comparison same = compared_caches(0);
  EXPECT_EQ(same.compared, 2000);
  EXPECT_EQ(same.parting, 0) << to_text(same);
  const Comparison other = compared_caches(7);
  EXPECT_EQ(other.parting, 1) << to_text(other);
  ASSERT_EQ(other.partings.size(), 1U);
  EXPECT_EQ(other.partings[0].element, Dims({0, 0, 0, 0}));
  EXPECT_EQ(other.partings[0].first, "7");
  EXPECT_EQ(other.partings[0].second, "0");
  EXPECT_EQ(other.partings[0].second_reason, "no update reaches it");
}

// Two forms of SegmentMax on 1200 segments, of which only the first two have an element.
Comparison compared_segments(float first, const std::string& empty_segments) {
  Tensor data = Tensor::zeros(DType::kFloat32, {2}).value();
  static_cast<float*>(data.data())[0] = first;
  const Tensor ids = Tensor::of<std::int64_t>({2}, {0, 1});
  const Tensor count = Tensor::of<std::int64_t>({}, {1200});
  const std::array<TensorView, 3> inputs = {data, ids, count};
  const OperatorId from{"openvino", "SegmentMax", {}};
  const auto call = [&](const std::string& fill) {
    return translate_call(from, {{"fill_mode", fill}}, inputs, from).value();
  };
  return compare(explained(call("ZERO")), explained(call(empty_segments)));
}

TEST(Compare, CellsThatNoUpdateReachesDifferByWhatTheCallsStartWith) {
  EXPECT_EQ(compared_segments(1, "ZERO").parting, 0);
  const Comparison comparison = compared_segments(1, "LOWEST");
  EXPECT_EQ(comparison.compared, 1200);
  EXPECT_EQ(comparison.parting, 1198);
  ASSERT_FALSE(comparison.partings.empty());
  EXPECT_EQ(comparison.partings[0].element, Dims({2}));
  EXPECT_EQ(comparison.partings[0].first, "0");
  EXPECT_EQ(comparison.partings[0].second, "-3.4028235e+38");
}

TEST(TranslateCall, AnAttributeBecomesAnInputAndBack) {
  const Tensor data = counted_floats({3, 2});
  const Tensor indices = Tensor::of<std::int64_t>({1}, {1});
  const std::array<TensorView, 2> inputs = {data, indices};
  const Attributes axis = {{"axis", std::int64_t{1}}};
  const TranslatedCall there =
      translate_call({"onnx", "Gather", {}}, axis, inputs, {"openvino", "Gather", {}}).value();
  ASSERT_EQ(there.inputs.size(), 3U);
  EXPECT_TRUE(there.attributes.contains("batch_dims") == false);
  EXPECT_EQ(explained(there).output.shape, Shape({3, 1}));
  const TranslatedCall back =
      translate_call(there.id, there.attributes, there.inputs, {"onnx", "Gather", {}}).value();
  EXPECT_EQ(back.attributes, axis);
}

TEST(TranslateCall, NamesOfReductionsAndModesAreThoseOfTheOtherDialect) {
  const Tensor data = counted_floats({3});
  const Tensor indices = Tensor::of<std::int64_t>({1, 1}, {1});
  const Tensor updates = counted_floats({1});
  const std::array<TensorView, 3> inputs = {data, indices, updates};
  const OperatorId from{"onnx", "ScatterND", {}};
  const TranslatedCall openvino = translate_call(from, {{"reduction", std::string("add")}}, inputs,
                                                 {"openvino", "ScatterNDUpdate", {}})
                                      .value();
  EXPECT_EQ(openvino.attributes.at("reduction"), AttributeValue(std::string("sum")));
  const TranslatedCall tensorrt =
      translate_call(from, {}, inputs, {"tensorrt", "Scatter", {}}).value();
  EXPECT_EQ(tensorrt.attributes.at("mode"), AttributeValue(std::string("ND")));
}

TEST(TranslateCall, TheValuesOfOneHotAreATensorOrTwoScalars) {
  const Tensor indices = Tensor::of<std::int64_t>({2}, {1, 0});
  const Tensor depth = Tensor::of<std::int64_t>({}, {3});
  const Tensor values = Tensor::of<float>({2}, {4.0F, 5.0F});
  const std::array<TensorView, 3> inputs = {indices, depth, values};
  const TranslatedCall there =
      translate_call({"onnx", "OneHot", {}}, {}, inputs, {"openvino", "OneHot", {}}).value();
  ASSERT_EQ(there.inputs.size(), 4U);
  EXPECT_EQ(*static_cast<const float*>(there.inputs[2].data), 5.0F);
  EXPECT_EQ(*static_cast<const float*>(there.inputs[3].data), 4.0F);
  EXPECT_EQ(explained(there).output.shape, Shape({2, 3}));
  const TranslatedCall back =
      translate_call(there.id, there.attributes, there.inputs, {"tensorrt", "OneHot", {}}).value();
  ASSERT_EQ(back.inputs.size(), 3U);
  EXPECT_EQ(static_cast<const float*>(back.inputs[1].data)[0], 4.0F);
  EXPECT_EQ(static_cast<const float*>(back.inputs[1].data)[1], 5.0F);
  EXPECT_FALSE(parts(compare(explained(there), explained(back))));
}

TEST(TranslateCall, AnAttributeWithoutAPlaceIsRefused) {
  const Tensor data = counted_floats({3});
  const Tensor indices = Tensor::of<std::int64_t>({1, 1}, {1});
  const Tensor updates = counted_floats({1});
  const std::array<TensorView, 3> inputs = {data, indices, updates};
  const Result<TranslatedCall> call =
      translate_call({"onnx", "ScatterND", {}}, {{"reduction", std::string("add")}}, inputs,
                     {"tensorrt", "Scatter", {}});
  ASSERT_FALSE(call.ok());
  EXPECT_EQ(call.error().message(),
            "attribute 'reduction' of onnx.ScatterND-18 has no place in tensorrt.Scatter-11");
}

}  // namespace
}  // namespace windrow
