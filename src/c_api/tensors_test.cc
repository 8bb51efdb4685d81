#include "src/c_api/tensors.h"

#include <gtest/gtest.h>

#include <cstddef>
#include <optional>
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

TEST_F(CApi, TakesEveryPolicy) {
  struct Case {
    std::int32_t policy;
    std::vector<float> expected;
  };
  Floats data = floats({3}, {10, 20, 30});
  Indices wanted = indices({2}, {4, -5});
  for (const Case& one :
       {Case{WINDROW_OUT_OF_RANGE_ZERO, {0, 0}}, Case{WINDROW_OUT_OF_RANGE_CLAMP, {30, 10}},
        Case{WINDROW_OUT_OF_RANGE_MODULO, {20, 20}}}) {
    windrow_call_options options = call_options();
    options.out_of_range = one.policy;
    ASSERT_EQ(compile("Gather", {data.tensor(), wanted.tensor()}, {}, &options), WINDROW_OK);
    Floats output = floats({2}, {-1, -1});
    ASSERT_EQ(run(output.tensor()), WINDROW_OK) << message();
    EXPECT_EQ(output.values, one.expected) << "policy " << one.policy;
  }
  windrow_call_options options = call_options();
  options.out_of_range = WINDROW_OUT_OF_RANGE_ERROR;
  ASSERT_EQ(compile("Gather", {data.tensor(), wanted.tensor()}, {}, &options), WINDROW_OK);
  Floats output = floats({2}, {-1, -1});
  EXPECT_EQ(run(output.tensor()), WINDROW_INDEX_OUT_OF_RANGE);
}

TEST_F(CApi, TakesEveryMeaningOfNegativeIndices) {
  Floats data = floats({3}, {10, 20, 30});
  Indices wanted = indices({2}, {1, -1});
  windrow_call_options options = call_options();
  options.out_of_range = WINDROW_OUT_OF_RANGE_ZERO;
  for (const auto& [negative, last] :
       {std::pair{WINDROW_NEGATIVE_DEFAULT, 30.0F}, std::pair{WINDROW_NEGATIVE_FROM_END, 30.0F},
        std::pair{WINDROW_NEGATIVE_OUT_OF_RANGE, 0.0F}}) {
    options.negative = negative;
    ASSERT_EQ(compile("Gather", {data.tensor(), wanted.tensor()}, {}, &options), WINDROW_OK);
    Floats output = floats({2}, {-1, -1});
    ASSERT_EQ(run(output.tensor()), WINDROW_OK) << message();
    EXPECT_EQ(output.values, (std::vector<float>{20, last})) << "negative " << negative;
  }
  options.negative = WINDROW_NEGATIVE_ERROR;
  ASSERT_EQ(compile("Gather", {data.tensor(), wanted.tensor()}, {}, &options), WINDROW_OK);
  Floats output = floats({2}, {-1, -1});
  EXPECT_EQ(run(output.tensor()), WINDROW_INDEX_OUT_OF_RANGE);
}

TEST_F(CApi, TakesAPaddingIndex) {
  Floats data = floats({3}, {10, 20, 30});
  Indices wanted = indices({2}, {0, -1});
  windrow_call_options options = call_options();
  for (const auto& [has, padding, expected] :
       {std::tuple{0, -1, std::vector<float>{10, 30}}, {1, -1, {10, 0}}, {1, 0, {0, 30}}}) {
    options.has_padding_index = has;
    options.padding_index = padding;
    ASSERT_EQ(compile("Gather", {data.tensor(), wanted.tensor()}, {}, &options), WINDROW_OK);
    Floats output = floats({2}, {-1, -1});
    ASSERT_EQ(run(output.tensor()), WINDROW_OK) << message();
    EXPECT_EQ(output.values, expected);
  }
}

TEST_F(CApi, RefusesDuplicatesWhenAsked) {
  Floats data = floats({3}, {10, 20, 30});
  Indices where = indices({2}, {1, 1});
  Floats updates = floats({2}, {1, 2});
  windrow_call_options options = call_options();
  options.duplicates = WINDROW_DUPLICATES_ERROR;
  ASSERT_EQ(
      compile("ScatterElements", {data.tensor(), where.tensor(), updates.tensor()}, {}, &options),
      WINDROW_OK)
      << message();
  EXPECT_EQ(run(data.tensor()), WINDROW_DUPLICATE);
  EXPECT_EQ(data.values, (std::vector<float>{10, 20, 30}));
}

TEST_F(CApi, StrictRefusesWhatTheTextLeavesOpen) {
  Floats data = floats({3}, {10, 20, 30});
  Indices wanted = indices({1}, {-1});
  windrow_call_options options = call_options();
  options.strict = 1;
  ASSERT_EQ(compile("Gather", {data.tensor(), wanted.tensor()}, {}, &options, 1), WINDROW_OK);
  Floats output = floats({1}, {0});
  EXPECT_EQ(run(output.tensor()), WINDROW_INDEX_OUT_OF_RANGE);
}

TEST_F(CApi, TakesANamedKernelSet) {
  Floats data = floats({2}, {1, 2});
  Indices wanted = indices({1}, {0});
  windrow_call_options options = call_options();
  options.kernels = "plain";
  ASSERT_EQ(compile("Gather", {data.tensor(), wanted.tensor()}, {}, &options), WINDROW_OK);
  EXPECT_STREQ(windrow_plan_kernel_set(plan_.get()), "plain");
  options.kernels = "abacus";
  EXPECT_EQ(compile("Gather", {data.tensor(), wanted.tensor()}, {}, &options), WINDROW_UNSUPPORTED);
}

TEST_F(CApi, RefusesNumbersThatMeanNothing) {
  Floats data = floats({2}, {1, 2});
  Indices wanted = indices({1}, {0});
  windrow_call_options options = call_options();
  options.out_of_range = 6;
  EXPECT_EQ(compile("Gather", {data.tensor(), wanted.tensor()}, {}, &options),
            WINDROW_INVALID_ARGUMENT);
  options = call_options();
  options.duplicates = 2;
  EXPECT_EQ(compile("Gather", {data.tensor(), wanted.tensor()}, {}, &options),
            WINDROW_INVALID_ARGUMENT);
  options = call_options();
  options.negative = 4;
  EXPECT_EQ(compile("Gather", {data.tensor(), wanted.tensor()}, {}, &options),
            WINDROW_INVALID_ARGUMENT);
  windrow_tensor typeless = data.tensor();
  typeless.dtype = 99;
  EXPECT_EQ(compile("Gather", {typeless, wanted.tensor()}), WINDROW_TYPE);
  typeless.dtype = -1;
  EXPECT_EQ(compile("Gather", {typeless, wanted.tensor()}), WINDROW_TYPE);
  windrow_attribute kindless = int_attribute("axis", 0);
  kindless.kind = 5;
  EXPECT_EQ(compile("Gather", {data.tensor(), wanted.tensor()}, {kindless}),
            WINDROW_INVALID_ARGUMENT);
}

TEST_F(CApi, StructsMayBeOfAnotherVersion) {
  Floats data = floats({2}, {1, 2});
  Indices wanted = indices({1}, {5});
  struct {
    windrow_call_options known;
    std::int64_t newer;
  } options{call_options(), 0};
  options.known.size = sizeof(options);
  options.known.out_of_range = WINDROW_OUT_OF_RANGE_CLAMP;
  const std::vector<windrow_tensor> inputs = {data.tensor(), wanted.tensor()};
  EXPECT_EQ(compile("Gather", inputs, {}, &options.known), WINDROW_OK);
  options.newer = 1;
  EXPECT_EQ(compile("Gather", inputs, {}, &options.known), WINDROW_UNSUPPORTED);

  // An older caller's struct ends before `duplicates`; the bytes after it are not read.
  options.known.size = offsetof(windrow_call_options, duplicates);
  options.known.duplicates = 1234;
  ASSERT_EQ(compile("Gather", inputs, {}, &options.known), WINDROW_OK);
  Floats output = floats({1}, {0});
  ASSERT_EQ(run(output.tensor()), WINDROW_OK);
  EXPECT_EQ(output.values, std::vector<float>{2});

  options.known.size = 0;
  EXPECT_EQ(compile("Gather", inputs, {}, &options.known), WINDROW_INVALID_ARGUMENT);
  windrow_run_options run_options{};
  ASSERT_EQ(compile("Gather", inputs), WINDROW_OK);
  EXPECT_EQ(run(output.tensor(), &run_options), WINDROW_INVALID_ARGUMENT);
}

TEST(COptions, AnOlderCallersOutputIsNotFresh) {
  windrow_run_options options{};
  options.size = sizeof(options);
  options.fresh_output = 1;
  internal::CallerObjects objects;
  RunOptions run_options;
  ASSERT_TRUE(internal::read_run_options(&options, &objects, &run_options));
  EXPECT_TRUE(run_options.fresh_output);
  options.size = offsetof(windrow_run_options, fresh_output);
  ASSERT_TRUE(internal::read_run_options(&options, &objects, &run_options));
  EXPECT_FALSE(run_options.fresh_output);
}

}  // namespace
}  // namespace windrow
