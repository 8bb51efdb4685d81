#include "src/models/host_ops/host_ops.h"

#include <gtest/gtest.h>

#include <cmath>
#include <cstdint>
#include <limits>
#include <memory>
#include <string>
#include <vector>

#include "src/models/types.h"

namespace windrow::internal {
namespace {

template <class T, class Bits = T>
std::vector<T> converted(const Tensor& from, DType type) {
  const Tensor to = convert(from, type).value();
  const auto* const data = static_cast<const Bits*>(to.data());
  return {data, data + to.byte_count() / static_cast<std::int64_t>(sizeof(Bits))};
}

using Bytes = std::vector<std::uint8_t>;

// Of numbers that OpenVINO's own Convert was asked for.
TEST(Convert, FloatsBecomeIntegersModuloTheirSize) {
  const Tensor from =
      Tensor::of<double>({12}, {0, -1, 2.5, -2.5, 127, 128, -129, 300, -300, 70000, 0.5, -0.5});
  EXPECT_EQ((converted<std::int8_t>(from, DType::kInt8)),
            (std::vector<std::int8_t>{0, -1, 2, -2, 127, -128, 127, 44, -44, 112, 0, 0}));
  EXPECT_EQ(
      (converted<std::uint16_t>(from, DType::kUint16)),
      (std::vector<std::uint16_t>{0, 65535, 2, 65534, 127, 128, 65407, 300, 65236, 4464, 0, 0}));
  EXPECT_EQ(converted<std::uint8_t>(from, DType::kInt4),
            (Bytes{0xf0, 0xe2, 0x0f, 0xcf, 0x04, 0x00}));
  EXPECT_EQ(converted<std::uint8_t>(from, DType::kUint1), (Bytes{0x4a, 0x00}));
  EXPECT_EQ(converted<std::uint8_t>(from, DType::kUint2), (Bytes{0xac, 0x33, 0x00}));
}

TEST(Convert, FloatsBeyondEveryIntegerAreDefined) {
  const double inf = std::numeric_limits<double>::infinity();
  const Tensor from = Tensor::of<double>({6}, {1e19, -1e19, 0x1p70, NAN, inf, -inf});
  EXPECT_EQ((converted<std::uint64_t>(from, DType::kUint64)),
            (std::vector<std::uint64_t>{10000000000000000000U, 8446744073709551616U, 0, 0, 0, 0}));
  EXPECT_EQ((converted<std::int64_t>(Tensor::of<float>({2}, {-0x1p63F, 0x1p63F}), DType::kInt64)),
            std::vector<std::int64_t>(2, std::numeric_limits<std::int64_t>::min()));
}

TEST(Convert, AnythingButZeroIsTrue) {
  const Tensor from = Tensor::of<float>({5}, {0, -0.0F, 0.5F, NAN, -1});
  EXPECT_EQ(converted<std::uint8_t>(from, DType::kBool), (Bytes{0, 0, 1, 1, 1}));
  Tensor truths = Tensor::zeros(DType::kBool, {3}).value();
  static_cast<std::uint8_t*>(truths.data())[1] = 7;
  EXPECT_EQ((converted<float>(truths, DType::kFloat32)), (std::vector<float>{0, 1, 0}));
}

TEST(Convert, SmallFloatsRoundToNearestEven) {
  const Tensor from = Tensor::of<float>({6}, {127, 449, -70000, 464.0F, 0.0146484375F, -0.0F});
  EXPECT_EQ(converted<std::uint8_t>(from, DType::kFloat8E4M3FN),
            (Bytes{112, 126, 255, 126, 8, 128}));
  EXPECT_EQ(converted<std::uint8_t>(from, DType::kFloat8E5M2), (Bytes{88, 95, 252, 95, 0x24, 128}));
  const Tensor halves = Tensor::of<double>({3}, {1 + 0x1p-11, 65520, NAN});
  EXPECT_EQ((converted<std::uint16_t>(halves, DType::kFloat16)),
            (std::vector<std::uint16_t>{0x3c00, 0x7c00, 0x7e00}));
  EXPECT_EQ((converted<std::uint16_t>(halves, DType::kBFloat16)),
            (std::vector<std::uint16_t>{0x3f80, 0x4780, 0x7fc0}));
}

TEST(Convert, IntegersKeepTheirLowBits) {
  const Tensor from = Tensor::of<std::int64_t>({4}, {-1, 255, (std::int64_t{1} << 40) + 5, -129});
  EXPECT_EQ((converted<std::uint32_t>(from, DType::kUint32)),
            (std::vector<std::uint32_t>{4294967295U, 255, 5, 4294967167U}));
  EXPECT_EQ((converted<std::int8_t>(from, DType::kInt8)),
            (std::vector<std::int8_t>{-1, -1, 5, 127}));
  const Tensor large = Tensor::of<std::uint64_t>({1}, {std::uint64_t{1} << 63});
  EXPECT_EQ((converted<double>(large, DType::kFloat64)), std::vector<double>{0x1p63});
  EXPECT_EQ((converted<std::int64_t>(large, DType::kInt64)),
            std::vector<std::int64_t>{std::numeric_limits<std::int64_t>::min()});
}

Tensor of_bytes(DType type, const Shape& shape, const Bytes& bytes) {
  Tensor tensor = Tensor::zeros(type, shape).value();
  std::copy(bytes.begin(), bytes.end(), static_cast<std::uint8_t*>(tensor.data()));
  return tensor;
}

TEST(Convert, ReadsPackedTypes) {
  EXPECT_EQ((converted<float>(of_bytes(DType::kInt4, {3}, {0xf7, 0x08}), DType::kFloat32)),
            (std::vector<float>{7, -1, -8}));
  EXPECT_EQ((converted<float>(of_bytes(DType::kUint4, {3}, {0xf7, 0x08}), DType::kFloat32)),
            (std::vector<float>{7, 15, 8}));
  EXPECT_EQ((converted<float>(of_bytes(DType::kUint2, {5}, {0xe4, 0xfd}), DType::kFloat32)),
            (std::vector<float>{0, 1, 2, 3, 1}));
  EXPECT_EQ((converted<float>(of_bytes(DType::kUint1, {4}, {0xa1}), DType::kFloat32)),
            (std::vector<float>{1, 0, 1, 0}));
  EXPECT_EQ((converted<float>(of_bytes(DType::kNF4, {4}, {0x70, 0xf8}), DType::kFloat32)),
            (std::vector<float>{-1, 0, 0.07958029955625534F, 1}));
  EXPECT_EQ((converted<float>(of_bytes(DType::kFloat4E2M1, {2}, {0xf1}), DType::kFloat32)),
            (std::vector<float>{0.5F, -6}));
}

// Blocks do not end where tensors do.
TEST(Convert, LongTensors) {
  std::vector<std::int32_t> numbers(5001);
  for (std::size_t i = 0; i < numbers.size(); ++i) numbers[i] = static_cast<std::int32_t>(i % 16);
  const Tensor from = Tensor::from<std::int32_t>({5001}, numbers);
  const Tensor packed = convert(from, DType::kUint4).value();
  EXPECT_EQ((converted<std::int32_t>(packed, DType::kInt32)), numbers);
}

TEST(Convert, TakesAnyStrides) {
  const Tensor from = Tensor::of<std::int32_t>({2, 2}, {1, 2, 3, 4});
  TensorView view = from.view();
  std::swap(view.strides[0], view.strides[1]);
  const Tensor to = convert(view, DType::kInt8).value();
  EXPECT_EQ(
      std::vector<std::int8_t>(to.values<std::int8_t>().begin(), to.values<std::int8_t>().end()),
      (std::vector<std::int8_t>{1, 3, 2, 4}));
}

TEST(Convert, RefusesTypesWithoutNumbers) {
  const Tensor text = Tensor::of<std::string>({1}, {"1"});
  EXPECT_EQ(convert(text, DType::kInt8).error().code(), ErrorCode::kUnsupported);
  const Tensor number = Tensor::of<float>({1}, {1});
  for (const DType type : {DType::kString, DType::kNF4, DType::kComplex64, DType::kFloat4E2M1})
    EXPECT_EQ(convert(number, type).error().code(), ErrorCode::kUnsupported);
}

ModelNode convert_node(AttributeValue value) {
  ModelNode node;
  node.op_type = "Convert";
  node.attributes["destination_type"] = std::move(value);
  return node;
}

TEST(Convert, TheNodeNamesItsType) {
  Model model;
  EXPECT_FALSE(is_convert(model, convert_node(std::string("f16"))));
  model.dialect = "openvino";
  EXPECT_TRUE(is_convert(model, convert_node(std::string("f16"))));
  EXPECT_EQ(convert_type(convert_node(std::string("f16"))).value(), DType::kFloat16);
  EXPECT_EQ(convert_type(convert_node(std::string("f15"))).error().code(), ErrorCode::kFormat);
  EXPECT_EQ(convert_type(convert_node(1.0)).error().code(), ErrorCode::kFormat);
  EXPECT_EQ(convert_type(convert_node(std::string("nf4"))).error().code(), ErrorCode::kUnsupported);
  ModelNode without = convert_node(1.0);
  without.attributes.clear();
  EXPECT_EQ(convert_type(without).error().code(), ErrorCode::kFormat);
}

TEST(Convert, TensorRtCallsItCast) {
  Model model;
  ModelNode node;
  node.op_type = "Cast";
  node.attributes["to_type"] = std::string("int64");
  EXPECT_FALSE(is_convert(model, node));
  model.dialect = "tensorrt";
  EXPECT_TRUE(is_convert(model, node));
  EXPECT_FALSE(is_convert(model, convert_node(std::string("f16"))));
  EXPECT_EQ(convert_type(node).value(), DType::kInt64);
  node.attributes["to_type"] = std::string("i64");
  EXPECT_EQ(convert_type(node).error().message(), "to_type 'i64' of Cast is not an element type");
  node.attributes["to_type"] = std::string("float4_e2m1fn");
  EXPECT_EQ(convert_type(node).error().code(), ErrorCode::kUnsupported);
}

TEST(OpenVinoTypes, HaveTwoNames) {
  EXPECT_EQ(dtype_of_openvino("boolean"), DType::kBool);
  EXPECT_EQ(dtype_of_openvino("BIN"), DType::kUint1);
  EXPECT_EQ(dtype_of_openvino("fp16"), DType::kFloat16);
  EXPECT_EQ(dtype_of_openvino("u3"), DType::kAbsent);
  EXPECT_EQ(dtype_of_openvino("f9"), std::nullopt);
  EXPECT_EQ(dtype_of_openvino(""), std::nullopt);
  EXPECT_EQ(openvino_name(DType::kBool), "boolean");
  EXPECT_EQ(openvino_precision(DType::kUint1), "BIN");
  EXPECT_EQ(openvino_precision(DType::kUint2), "U2");
  EXPECT_EQ(openvino_name(DType::kComplex64), "");
}

ModelNode constant(const std::string& name, AttributeValue value) {
  ModelNode node;
  node.op_type = "Constant";
  node.outputs = {"c"};
  node.attributes.emplace(name, std::move(value));
  return node;
}

TEST(Constant, TakesEveryKindOfValue) {
  const auto value = [](const std::string& name, AttributeValue attribute) {
    return constant_value(constant(name, std::move(attribute)), 12).value()->clone().value();
  };
  const Tensor integer = value("value_int", std::int64_t{-3});
  EXPECT_EQ(integer.shape(), Shape{});
  EXPECT_EQ(integer.values<std::int64_t>()[0], -3);
  const Tensor real = value("value_float", 0.5);
  EXPECT_EQ(real.dtype(), DType::kFloat32);
  EXPECT_EQ(real.values<float>()[0], 0.5F);
  EXPECT_EQ(value("value_string", std::string("a")).values<std::string>()[0], "a");
  const Tensor integers = value("value_ints", std::vector<std::int64_t>{1, 2});
  EXPECT_EQ(integers.shape(), Shape{2});
  EXPECT_EQ(integers.values<std::int64_t>()[1], 2);
  EXPECT_EQ(value("value_floats", std::vector<double>{}).shape(), Shape{0});
  EXPECT_EQ(value("value_strings", std::vector<std::string>{"x"}).values<std::string>()[0], "x");
  const auto tensor = std::make_shared<const Tensor>(Tensor::of<bool>({1, 1}, {true}));
  EXPECT_EQ(constant_value(constant("value", tensor), 12).value(), tensor);
}

TEST(Constant, VersionsAreReal) {
  EXPECT_EQ(constant_value(constant("value_int", std::int64_t{1}), 11).error().code(),
            ErrorCode::kUnsupported);
  const auto tensor = std::make_shared<const Tensor>(Tensor::of<bool>({}, {true}));
  EXPECT_TRUE(constant_value(constant("value", tensor), 1).ok());
}

TEST(Constant, RefusesOtherAttributes) {
  ModelNode none;
  none.op_type = "Constant";
  EXPECT_EQ(constant_value(none, 13).error().code(), ErrorCode::kFormat);
  ModelNode two = constant("value_int", std::int64_t{1});
  two.attributes["value_float"] = 1.0;
  EXPECT_EQ(constant_value(two, 13).error().code(), ErrorCode::kFormat);
  EXPECT_EQ(constant_value(constant("value_int", 1.0), 13).error().code(), ErrorCode::kFormat);
  EXPECT_EQ(constant_value(constant("valve", 1.0), 13).error().code(), ErrorCode::kUnsupported);
}

TEST(HostOps, BelongToTheirDomain) {
  ModelNode node = constant("value_int", std::int64_t{1});
  EXPECT_TRUE(is_constant(node));
  node.unsupported = "sparse";
  EXPECT_FALSE(is_constant(node));
  ModelNode identity;
  identity.op_type = "Identity";
  EXPECT_TRUE(is_identity(identity));
  identity.domain = "mine";
  EXPECT_FALSE(is_identity(identity));
}

TEST(HostOps, ArityIsChecked) {
  ModelNode identity;
  identity.op_type = "Identity";
  identity.inputs = {"x"};
  identity.outputs = {"y"};
  EXPECT_TRUE(check_arity(identity, 1, 1).ok());
  identity.inputs = {""};
  EXPECT_EQ(check_arity(identity, 1, 1).code(), ErrorCode::kFormat);
  identity.inputs = {"x", "z"};
  EXPECT_EQ(check_arity(identity, 1, 1).code(), ErrorCode::kFormat);
}

}  // namespace
}  // namespace windrow::internal
