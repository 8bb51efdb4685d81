#include "src/models/host_ops/host_ops.h"

#include <gtest/gtest.h>

#include <memory>
#include <string>
#include <vector>

namespace windrow::internal {
namespace {

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
