#include "src/c_api/tensors.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "src/c_api/c_api_fixture.h"

namespace windrow {
namespace {

TEST_F(CApi, RefusesNullPointers) {
  Floats data = floats({2}, {1, 2});
  Indices wanted = indices({1}, {0});
  const std::vector<windrow_tensor> inputs = {data.tensor(), wanted.tensor()};
  windrow_plan* plan = nullptr;
  EXPECT_EQ(
      windrow_compile(nullptr, "Gather", 0, nullptr, 0, inputs.data(), 2, nullptr, &plan, nullptr),
      WINDROW_INVALID_ARGUMENT);
  EXPECT_EQ(
      windrow_compile("onnx", nullptr, 0, nullptr, 0, inputs.data(), 2, nullptr, &plan, nullptr),
      WINDROW_INVALID_ARGUMENT);
  EXPECT_EQ(
      windrow_compile("onnx", "Gather", 0, nullptr, 1, inputs.data(), 2, nullptr, &plan, nullptr),
      WINDROW_INVALID_ARGUMENT);
  EXPECT_EQ(windrow_compile("onnx", "Gather", 0, nullptr, 0, nullptr, 2, nullptr, &plan, nullptr),
            WINDROW_INVALID_ARGUMENT);
  EXPECT_EQ(
      windrow_compile("onnx", "Gather", 0, nullptr, 0, inputs.data(), 2, nullptr, nullptr, nullptr),
      WINDROW_INVALID_ARGUMENT);
  EXPECT_EQ(plan, nullptr);

  windrow_tensor shapeless = data.tensor();
  shapeless.shape = nullptr;
  EXPECT_EQ(compile("Gather", {shapeless, wanted.tensor()}), WINDROW_INVALID_ARGUMENT);
  EXPECT_EQ(compile("Gather", inputs, {int_attribute(nullptr, 0)}), WINDROW_INVALID_ARGUMENT);
  EXPECT_EQ(compile("ScatterND", inputs, {string_attribute("reduction", nullptr)}),
            WINDROW_INVALID_ARGUMENT);

  ASSERT_EQ(compile("Gather", inputs), WINDROW_OK);
  Floats output = floats({1}, {0});
  windrow_tensor nowhere = output.tensor();
  nowhere.data = nullptr;
  EXPECT_EQ(run(nowhere), WINDROW_INVALID_ARGUMENT);
  EXPECT_NE(message().find("output"), std::string::npos);
  inputs_[1].data = nullptr;
  EXPECT_EQ(run(output.tensor()), WINDROW_INVALID_ARGUMENT);
  EXPECT_NE(message().find("inputs[1]"), std::string::npos);
}

TEST_F(CApi, RefusesTensorsThatCannotBe) {
  Indices wanted = indices({1}, {0});
  const std::vector<std::int64_t> many(33, 1);
  const std::vector<std::int64_t> negative = {2, -1};
  const std::vector<std::int64_t> huge(3, std::int64_t{1} << 40);
  float value = 0;
  for (const windrow_tensor& bad : {
           windrow_tensor{WINDROW_FLOAT32, 33, many.data(), nullptr, &value},
           windrow_tensor{WINDROW_FLOAT32, -1, many.data(), nullptr, &value},
           windrow_tensor{WINDROW_FLOAT32, 2, negative.data(), nullptr, &value},
           windrow_tensor{WINDROW_FLOAT32, 3, huge.data(), nullptr, &value},
       })
    EXPECT_EQ(compile("Gather", {bad, wanted.tensor()}), WINDROW_SHAPE);
  const std::vector<std::int64_t> one = {1};
  const windrow_tensor packed = {WINDROW_INT4, 1, one.data(), one.data(), &value};
  EXPECT_EQ(compile("Gather", {packed, wanted.tensor()}), WINDROW_INVALID_ARGUMENT);
}

}  // namespace
}  // namespace windrow
