#include <gtest/gtest.h>

#include <cstdlib>
#include <cstring>
#include <memory>
#include <string>
#include <vector>

#include "src/c_api/c_api_fixture.h"

namespace windrow {
namespace {

TEST_F(CApi, CompilesAndRunsAGather) {
  Floats data = floats({2, 3}, {1, 2, 3, 4, 5, 6});
  Indices wanted = indices({2}, {2, -3});
  ASSERT_EQ(compile("Gather", {data.tensor(), wanted.tensor()}, {int_attribute("axis", 1)}),
            WINDROW_OK)
      << message();
  windrow_tensor result{};
  windrow_plan_result(plan_.get(), &result);
  EXPECT_EQ(result.dtype, WINDROW_FLOAT32);
  EXPECT_EQ(std::vector<std::int64_t>(result.shape, result.shape + result.rank),
            (std::vector<std::int64_t>{2, 2}));
  EXPECT_EQ(result.byte_strides, nullptr);
  EXPECT_EQ(result.data, nullptr);
  Floats output = floats({2, 2}, {0, 0, 0, 0});
  ASSERT_EQ(run(output.tensor()), WINDROW_OK) << message();
  EXPECT_EQ(output.values, (std::vector<float>{3, 1, 6, 4}));
}

TEST_F(CApi, TakesByteStridesOfInputsAndOutput) {
  Floats data = floats({3, 2}, {1, 2, 3, 4, 5, 6});  // the transpose of [[1, 2, 3], [4, 5, 6]]
  data.values = {1, 2, 3, 4, 5, 6};
  data.strides = {4, 12};
  Indices wanted = indices({2}, {2, 0});
  ASSERT_EQ(compile("Gather", {data.tensor(), wanted.tensor()}), WINDROW_OK) << message();
  Floats output = floats({2, 2}, {0, 0, 0, 0});
  output.strides = {4, 8};
  ASSERT_EQ(run(output.tensor()), WINDROW_OK) << message();
  EXPECT_EQ(output.values, (std::vector<float>{3, 1, 6, 4}));
}

TEST_F(CApi, CompilesForValuesOfAnyType) {
  Indices wanted = indices({2}, {1, 0});
  Floats depth = floats({}, {2.9F});
  Floats values = floats({2}, {0, 1});
  ASSERT_EQ(compile("OneHot", {wanted.tensor(), depth.tensor(), values.tensor()}), WINDROW_OK)
      << message();
  Floats output = floats({2, 2}, {9, 9, 9, 9});
  ASSERT_EQ(run(output.tensor()), WINDROW_OK) << message();
  EXPECT_EQ(output.values, (std::vector<float>{0, 1, 1, 0}));
  Strings text = strings({}, {"2"});
  EXPECT_EQ(compile("OneHot", {wanted.tensor(), text.tensor(), values.tensor()}), WINDROW_TYPE);
}

TEST_F(CApi, DescribesThePlan) {
  Floats data = floats({2}, {1, 2});
  Indices wanted = indices({1}, {0});
  ASSERT_EQ(compile("Gather", {data.tensor(), wanted.tensor()}, {}, nullptr, 11), WINDROW_OK);
  EXPECT_STREQ(windrow_plan_operator(plan_.get()), "onnx.Gather-11");
  EXPECT_STRNE(windrow_plan_kernel_set(plan_.get()), "");
  EXPECT_EQ(windrow_plan_scratch_bytes(plan_.get(), 1), 0U);
  const size_t length = windrow_plan_describe(plan_.get(), nullptr, 0);
  ASSERT_GT(length, 8U);
  std::string all(length + 1, '?');
  EXPECT_EQ(windrow_plan_describe(plan_.get(), all.data(), all.size()), length);
  EXPECT_EQ(std::strlen(all.c_str()), length);
  std::string cut(8, '?');
  EXPECT_EQ(windrow_plan_describe(plan_.get(), cut.data(), cut.size()), length);
  EXPECT_EQ(cut.substr(0, 7), all.substr(0, 7));
  EXPECT_EQ(cut[7], '\0');
}

TEST_F(CApi, RefusesANullPlan) {
  Floats output = floats({2}, {7, 8});
  const windrow_tensor to = output.tensor();
  windrow_error* error = nullptr;
  EXPECT_EQ(windrow_plan_run(nullptr, nullptr, 0, &to, nullptr, &error), WINDROW_INVALID_ARGUMENT);
  EXPECT_STREQ(windrow_error_message(error), "plan is null");
  windrow_error_free(error);
  windrow_strings* strings = nullptr;
  EXPECT_EQ(windrow_plan_run_strings(nullptr, nullptr, 0, &to, nullptr, &strings, nullptr),
            WINDROW_INVALID_ARGUMENT);
  EXPECT_EQ(strings, nullptr);
  EXPECT_EQ(output.values, (std::vector<float>{7, 8}));
}

TEST_F(CApi, AnswersQuestionsAboutANullPlan) {
  windrow_tensor result = {};
  result.rank = 9;
  windrow_plan_result(nullptr, &result);
  EXPECT_EQ(result.rank, 0U);
  EXPECT_EQ(result.shape, nullptr);
  EXPECT_EQ(windrow_plan_scratch_bytes(nullptr, 1), 0U);
  EXPECT_EQ(windrow_plan_operator(nullptr), nullptr);
  EXPECT_EQ(windrow_plan_kernel_set(nullptr), nullptr);
  EXPECT_EQ(windrow_plan_note_count(nullptr), 0U);
  EXPECT_EQ(windrow_plan_note(nullptr, 0), nullptr);
  std::string text(4, '?');
  EXPECT_EQ(windrow_plan_describe(nullptr, text.data(), text.size()), 0U);
  EXPECT_EQ(text.front(), '\0');
}

TEST_F(CApi, DescribesIntoNoBuffer) {
  Floats data = floats({2}, {1, 2});
  Indices wanted = indices({1}, {0});
  ASSERT_EQ(compile("Gather", {data.tensor(), wanted.tensor()}), WINDROW_OK) << message();
  EXPECT_EQ(windrow_plan_describe(plan_.get(), nullptr, 8),
            windrow_plan_describe(plan_.get(), nullptr, 0));
  windrow_plan_result(plan_.get(), nullptr);
}

TEST_F(CApi, GivesTheNotesOfADeprecatedOperator) {
  Floats data = floats({2}, {1, 2});
  Indices where = indices({1}, {0});
  Floats updates = floats({1}, {5});
  ASSERT_EQ(compile("Scatter", {data.tensor(), where.tensor(), updates.tensor()}, {}, nullptr, 11),
            WINDROW_OK)
      << message();
  ASSERT_EQ(windrow_plan_note_count(plan_.get()), 1U);
  EXPECT_NE(std::string(windrow_plan_note(plan_.get(), 0)).find("ScatterElements"),
            std::string::npos);
  EXPECT_EQ(windrow_plan_note(plan_.get(), 1), nullptr);
}

TEST_F(CApi, ScattersInPlaceAndSkips) {
  Floats data = floats({3}, {10, 20, 30});
  Indices where = indices({3}, {1, 9, 1});
  Floats updates = floats({3}, {1, 2, 3});
  windrow_call_options options = call_options();
  options.out_of_range = WINDROW_OUT_OF_RANGE_SKIP;
  ASSERT_EQ(compile("ScatterElements", {data.tensor(), where.tensor(), updates.tensor()},
                    {string_attribute("reduction", "add")}, &options),
            WINDROW_OK)
      << message();
  ASSERT_EQ(run(data.tensor()), WINDROW_OK) << message();
  EXPECT_EQ(data.values, (std::vector<float>{10, 24, 30}));
}

TEST_F(CApi, OmitsOptionalInputs) {
  Floats cache = floats({1, 3, 1}, {1, 2, 3});
  Floats update = floats({1, 1, 1}, {9});
  ASSERT_EQ(compile("TensorScatter", {cache.tensor(), update.tensor(), windrow_tensor{}}),
            WINDROW_OK)
      << message();
  ASSERT_EQ(run(cache.tensor()), WINDROW_OK) << message();
  EXPECT_EQ(cache.values, (std::vector<float>{9, 2, 3}));
}

constexpr std::int64_t kRows = 200000;

// Tasks in falling order, counted.
void run_backwards(void* user, int tasks, void (*task)(void*, int), void* context) {
  *static_cast<int*>(user) += tasks;
  for (int index = tasks - 1; index >= 0; --index) task(context, index);
}

TEST_F(CApi, RunsOnTheCallersThreads) {
  Floats data = floats({4, 2}, {0, 1, 10, 11, 20, 21, 30, 31});
  Indices wanted = indices({kRows}, std::vector<std::int64_t>(kRows));
  for (std::size_t i = 0; i < wanted.values.size(); ++i)
    wanted.values[i] = static_cast<std::int64_t>(i % 4);
  ASSERT_EQ(compile("Gather", {data.tensor(), wanted.tensor()}), WINDROW_OK);
  int tasks = 0;
  windrow_threads threads = {3, &run_backwards, &tasks};
  const size_t scratch_bytes = windrow_plan_scratch_bytes(plan_.get(), 3);
  const std::unique_ptr<void, decltype(&std::free)> scratch(
      std::aligned_alloc(64, (scratch_bytes + 64) / 64 * 64), &std::free);
  windrow_run_options options{};
  options.size = sizeof(options);
  options.threads = &threads;
  options.scratch = scratch.get();
  options.scratch_bytes = scratch_bytes;
  Floats output = floats({kRows, 2}, std::vector<float>(kRows * 2));
  ASSERT_EQ(run(output.tensor(), &options), WINDROW_OK) << message();
  EXPECT_GT(tasks, 1);
  for (std::size_t i = 0; i < output.values.size(); ++i)
    ASSERT_EQ(output.values[i], data.values[i % 8]) << "element " << i;

  threads.count = 0;
  EXPECT_EQ(run(output.tensor(), &options), WINDROW_INVALID_ARGUMENT);
  threads = {2, nullptr, nullptr};
  EXPECT_EQ(run(output.tensor(), &options), WINDROW_INVALID_ARGUMENT);
}

TEST_F(CApi, EndsARunThatTheCallerInterrupts) {
  constexpr std::int64_t kWide = std::int64_t{1} << 18;
  Floats data = floats({2, kWide}, std::vector<float>(2 * kWide, 1.5F));
  Indices wanted = indices({40}, std::vector<std::int64_t>(40, 1));
  ASSERT_EQ(compile("Gather", {data.tensor(), wanted.tensor()}), WINDROW_OK);
  Floats output = floats({40, kWide}, std::vector<float>(40 * kWide));
  int left = 100;
  windrow_run_options options{};
  options.size = sizeof(options);
  options.interrupted = [](void* user) -> int32_t { return --*static_cast<int*>(user) == 0; };
  options.interrupted_user = &left;
  EXPECT_EQ(run(output.tensor(), &options), WINDROW_OK) << message();
  EXPECT_LT(left, 100);
  left = 1;
  EXPECT_EQ(run(output.tensor(), &options), WINDROW_INTERRUPTED);
  EXPECT_EQ(message(), "onnx.Gather-13: interrupted by the caller");
  EXPECT_EQ(left, 0);
}

TEST_F(CApi, GathersStrings) {
  Strings data = strings({3}, {"one", "", "a text that is too long to be stored in place"});
  Indices wanted = indices({3}, {2, 0, 1});
  ASSERT_EQ(compile("Gather", {data.tensor(), wanted.tensor()}), WINDROW_OK) << message();
  Strings output(WINDROW_STRING, {3}, std::vector<windrow_string>(3));
  ASSERT_EQ(run_strings(output.tensor()), WINDROW_OK) << message();
  EXPECT_EQ(text(output.values[0]), "a text that is too long to be stored in place");
  EXPECT_EQ(text(output.values[1]), "one");
  EXPECT_EQ(text(output.values[2]), "");
}

TEST_F(CApi, FoldsStringsInPlaceWithStrides) {
  Strings data = strings({2}, {"a", "?", "b", "?"});
  data.strides = {2 * sizeof(windrow_string)};
  Indices where = indices({3, 1}, {1, 0, 1});
  Strings updates = strings({3}, {"x", "y", "z"});
  ASSERT_EQ(compile("ScatterND", {data.tensor(), where.tensor(), updates.tensor()},
                    {string_attribute("reduction", "add")}),
            WINDROW_OK)
      << message();
  ASSERT_EQ(run_strings(data.tensor()), WINDROW_OK) << message();
  EXPECT_EQ(text(data.values[0]), "ay");
  EXPECT_EQ(text(data.values[1]), "?");
  EXPECT_EQ(text(data.values[2]), "bxz");
  EXPECT_EQ(text(data.values[3]), "?");
}

TEST_F(CApi, StringsAndNumbersHaveTheirOwnRun) {
  Strings data = strings({2}, {"a", "b"});
  Indices wanted = indices({1}, {1});
  Strings output = strings({1}, {"kept"});
  ASSERT_EQ(compile("Gather", {data.tensor(), wanted.tensor()}), WINDROW_OK);
  EXPECT_EQ(run(output.tensor()), WINDROW_INVALID_ARGUMENT);
  wanted.values = {2};
  EXPECT_EQ(run_strings(output.tensor()), WINDROW_INDEX_OUT_OF_RANGE);
  EXPECT_EQ(text(output.values[0]), "kept");
  wanted.values = {1};
  EXPECT_EQ(run_strings(strings({2}, {"", ""}).tensor()), WINDROW_SHAPE);
  EXPECT_EQ(run_strings(floats({1}, {0}).tensor()), WINDROW_TYPE);
  data.values[0] = {nullptr, 1};
  EXPECT_EQ(run_strings(output.tensor()), WINDROW_INVALID_ARGUMENT);

  Floats numbers = floats({2}, {1, 2});
  ASSERT_EQ(compile("Gather", {numbers.tensor(), wanted.tensor()}), WINDROW_OK);
  EXPECT_EQ(run_strings(output.tensor()), WINDROW_INVALID_ARGUMENT);
}

}  // namespace
}  // namespace windrow
