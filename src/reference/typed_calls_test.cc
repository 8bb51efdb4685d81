#include <gtest/gtest.h>

#include <array>
#include <cstdint>
#include <initializer_list>
#include <limits>
#include <span>
#include <string>
#include <string_view>
#include <type_traits>
#include <vector>

#include "src/reference/call.h"

// What no record of cases/ reaches: the operators' structs may ask for what call_reference()
// refuses before it asks the reference, and memory may be what no record can describe. Everything
// else is compared with the records by tests/conformance.
namespace windrow::internal::reference {
namespace {

template <class Operator>
Result<Tensor> call(const Operator& op, std::initializer_list<TensorView> inputs,
                    const CallOptions& options = {}) {
  return run(op, std::span<const TensorView>(inputs.begin(), inputs.size()), options);
}

Tensor floats(const Shape& shape, std::initializer_list<float> values) {
  return Tensor::of<float>(shape, values);
}

Tensor int64s(const Shape& shape, std::initializer_list<std::int64_t> values) {
  return Tensor::of<std::int64_t>(shape, values);
}

Tensor empty(DType dtype, const Shape& shape) { return Tensor::zeros(dtype, shape).value(); }

template <class Bits>
std::vector<Bits> bits_of(const Tensor& tensor) {
  const auto* first = static_cast<const Bits*>(tensor.data());
  return {first, first + static_cast<std::size_t>(tensor.byte_count()) / sizeof(Bits)};
}

// The result has this shape and these elements, bit for bit.
template <class Bits>
void expect_result(const Result<Tensor>& result, const Shape& shape,
                   std::type_identity_t<std::vector<Bits>> elements) {
  ASSERT_TRUE(result.ok()) << result.error().message();
  EXPECT_EQ(result->shape(), shape);
  EXPECT_EQ(bits_of<Bits>(*result), elements);
}

// The call failed with this code, breaking the rule with this label.
void expect_error(const Result<Tensor>& result, ErrorCode code, std::string_view label) {
  ASSERT_FALSE(result.ok());
  EXPECT_EQ(result.error().code(), code) << result.error().message();
  EXPECT_EQ(result.error().constraint(), label) << result.error().message();
  EXPECT_EQ(result.error().index_fault() != nullptr, code == ErrorCode::kIndexOutOfRange);
}

CallOptions with(OutOfRange policy) {
  CallOptions options;
  options.out_of_range = policy;
  return options;
}

constexpr std::int64_t kMax = std::numeric_limits<std::int64_t>::max();

template <class Operator>
Operator at_version(int version) {
  Operator op;
  op.version = version;
  return op;
}

TEST(ReferenceCall, A2AttributesBeforeTheirVersion) {
  const Tensor data = floats({2, 1}, {1, 2});
  const Tensor index = int64s({1, 1}, {0});
  const Tensor update = floats({1, 1}, {3});
  const auto expect = [](const Result<Tensor>& result, const std::string& label) {
    expect_error(result, ErrorCode::kInvalidArgument, label + "-A2");
  };
  auto gather_nd = at_version<onnx::GatherND>(11);
  gather_nd.batch_dims = 1;
  expect(call(gather_nd, {data, int64s({2, 1}, {0, 0})}), "ONNX-GatherND");
  for (const int version : {11, 13}) {
    auto elements = at_version<onnx::ScatterElements>(version);
    elements.reduction = "add";
    expect(call(elements, {data, index, update}), "ONNX-ScatterElements");
    auto tuples = at_version<onnx::ScatterND>(version);
    tuples.reduction = "mul";
    expect(call(tuples, {data, index, update}), "ONNX-ScatterND");
  }
  const Tensor axis = int64s({}, {0});
  auto gather = at_version<openvino::Gather>(1);
  gather.batch_dims = 1;
  expect(call(gather, {data, index, axis}), "OPENVINO-Gather");
  auto sums = at_version<openvino::ScatterElementsUpdate>(3);
  sums.reduction = "sum";
  expect(call(sums, {data, index, update, axis}), "OPENVINO-ScatterElementsUpdate");
  auto without = at_version<openvino::ScatterElementsUpdate>(3);
  without.use_init_val = false;
  expect(call(without, {data, index, update, axis}), "OPENVINO-ScatterElementsUpdate");
  auto hot = at_version<openvino::OneHot>(1);
  hot.negative_indices_mode = "normalize";
  expect(call(hot, {index, axis, floats({}, {1}), floats({}, {0})}), "OPENVINO-OneHot");
  auto tuples = at_version<openvino::ScatterNDUpdate>(3);
  tuples.reduction = "sum";
  expect(call(tuples, {data, index, update}), "OPENVINO-ScatterNDUpdate");
}

TEST(ReferenceCall, O1PoliciesOfTheOtherDirection) {
  const Tensor data = floats({1}, {1});
  const Tensor index = int64s({1}, {0});
  const auto expect = [](const Result<Tensor>& result) {
    expect_error(result, ErrorCode::kInvalidArgument, "CALL-O1");
  };
  const CallOptions skip = with(OutOfRange::kSkip);
  const CallOptions zero = with(OutOfRange::kZero);
  expect(call(onnx::Gather(), {data, index}, skip));
  expect(call(openvino::Gather(), {data, index, int64s({}, {0})}, skip));
  expect(call(tensorrt::Gather(), {data, index}, skip));
  expect(call(array::Take(), {data, index}, skip));
  expect(call(onnx::ScatterElements(), {data, index, data}, zero));
  expect(call(onnx::OneHot(), {index, int64s({}, {1}), floats({2}, {0, 1})}, zero));
  expect(call(tensorrt::OneHot(), {index, floats({2}, {0, 1}), int64s({}, {1})}, zero));
  expect(
      call(openvino::OneHot(), {index, int64s({}, {1}), floats({}, {1}), floats({}, {0})}, zero));
  expect(call(tensorrt::Scatter(), {data, index, data}, zero));
  expect(call(openvino::SegmentMax(), {data, index, int64s({}, {1})},
              {.out_of_range = OutOfRange::kClamp}));
}

TEST(ReferenceCall, I2SizesThatDoNotFit) {
  const float value = 0;
  const Tensor index = int64s({1}, {0});
  const TensorView too_large(DType::kFloat32, {kMax}, Strides{0}, &value);
  expect_error(call(onnx::Gather(), {too_large, index}), ErrorCode::kShape, "CALL-I2");
  const TensorView negative(DType::kFloat32, {-1}, Strides{0}, &value);
  expect_error(call(onnx::Gather(), {negative, index}), ErrorCode::kShape, "CALL-I2");
  const TensorView large(DType::kFloat32, {1, kMax / 4}, Strides{0, 0}, &value);
  expect_error(call(onnx::Gather(), {large, int64s({2}, {0, 0})}), ErrorCode::kShape, "CALL-I2");
}

TEST(ReferenceCall, I2JoinedBatchesThatDoNotFit) {
  const float value = 0;
  const Shape large = {std::int64_t{1} << 40, std::int64_t{1} << 40, 0};
  const TensorView data(DType::kFloat32, large, Strides{0, 0, 0}, &value);
  const TensorView indices(DType::kInt64, large, Strides{0, 0, 0}, &value);
  auto joins = at_version<openvino::GatherND>(5);
  joins.batch_dims = 2;
  expect_error(call(joins, {data, indices}), ErrorCode::kShape, "CALL-I2");
  auto keeps = at_version<openvino::GatherND>(8);
  keeps.batch_dims = 2;
  EXPECT_TRUE(call(keeps, {data, indices}).ok());
}

TEST(ReferenceCall, LargeShapesWithoutElements) {
  onnx::Gather gather;
  gather.axis = 1;
  expect_result<float>(
      call(gather, {empty(DType::kFloat32, {kMax, 0, 1}), empty(DType::kInt64, {0})}), {kMax, 0, 1},
      {});
}

TEST(ReferenceCall, SaysWhenThereIsNoMemory) {
  const float value = 0;
  const TensorView large(DType::kFloat32, {1, std::int64_t{1} << 58}, Strides{0, 0}, &value);
  const Result<Tensor> result = call(onnx::Gather(), {large, int64s({1}, {0})});
  expect_error(result, ErrorCode::kOutOfMemory, "");
}

TEST(ReferenceCall, FollowsStrides) {
  const Tensor data = Tensor::of<std::string>({3}, {"a", "b", "c"});
  const std::array<std::int32_t, 4> indices = {2, 99, 0, 99};
  const Result<Tensor> result =
      call(onnx::Gather(), {data, TensorView(DType::kInt32, {2}, Strides{8}, indices.data())});
  ASSERT_TRUE(result.ok());
  EXPECT_EQ(result->values<std::string>()[0], "c");
  EXPECT_EQ(result->values<std::string>()[1], "a");
}

TEST(ReferenceCall, TheAxesOfFeaturesAreCountedTogether) {
  const Tensor x = empty(DType::kFloat32, Shape::filled(kMaxRank, 0));
  const auto extract = [&](const Shape& shape) {
    return call(onnx::ArrayFeatureExtractor(), {x, empty(DType::kInt64, shape)});
  };
  expect_error(extract({0, 0}), ErrorCode::kShape, "ONNX-ArrayFeatureExtractor-C1");
  EXPECT_TRUE(extract({0, 1}).ok());
}

// The records' messages are those of compile() and call(); these are the reference's own words.
TEST(ReferenceCall, ItsOwnWords) {
  const Tensor square = floats({2, 2}, {1, 2, 3, 4});
  const Tensor index = int64s({1}, {0});
  const auto says = [](const Result<Tensor>& result, const std::string& message) {
    ASSERT_FALSE(result.ok()) << message;
    EXPECT_EQ(result.error().message(), message);
  };
  says(call(onnx::Gather{.axis = 2, .version = 13}, {square, index}),
       "onnx.Gather-13 [ONNX-Gather-A1]: axis is 2, must be in [-2, 1] for data of rank 2");
  says(call(openvino::Gather(), {square, index, int64s({1, 1}, {0})}),
       "openvino.Gather-8 [OPENVINO-Gather-A1]: axis has shape [1, 1], must have rank 0, or rank 1 "
       "and one element");
  says(call(openvino::GatherElements(), {square, int64s({2, 1}, {0, 0})}),
       "openvino.GatherElements-6 [OPENVINO-GatherElements-C2]: indices have shape [2, 1], must "
       "differ from data of shape [2, 2] in axis 0 alone");
  openvino::ScatterElementsUpdate sub;
  sub.reduction = "sub";
  says(call(sub, {square, int64s({1, 1}, {0}), floats({1, 1}, {1}), int64s({}, {0})}),
       "openvino.ScatterElementsUpdate-12 [OPENVINO-ScatterElementsUpdate-A3]: reduction is 'sub', "
       "must be one of: none, sum, prod, min, max, mean");
  says(call(openvino::ScatterUpdate(), {square, index, floats({2}, {1, 2}), int64s({}, {0})}),
       "openvino.ScatterUpdate-3 [OPENVINO-ScatterUpdate-C2]: updates have shape [2], must have "
       "that of data, [2, 2], with axis 0 replaced by the shape of indices, [1]");
  tensorrt::Gather dims;
  dims.axis = 1;
  dims.num_elementwise_dims = 3;
  says(call(dims, {square, int64s({2, 1}, {0, 0})}),
       "tensorrt.Gather-11 [TENSORRT-Gather-A4]: num_elementwise_dims is 3, must be in [0, 1]");
  says(call(array::SegmentReduce{.num_segments = 3, .reduction = "sum"},
            {floats({2}, {1, 2}), int64s({2}, {1, 0})}),
       "array.SegmentReduce-1 [ARRAY-SegmentReduce-C3]: segment_ids[1] is 0 after 1, must not be "
       "smaller");
}

}  // namespace
}  // namespace windrow::internal::reference
