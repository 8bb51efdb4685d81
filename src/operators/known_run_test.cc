#include "src/operators/known_run.h"

#include <gtest/gtest.h>

#include <cstdint>
#include <memory>
#include <vector>

#include "src/operators/test_support.h"
#include "windrow/array.h"
#include "windrow/onnx.h"
#include "windrow/operators.h"

namespace windrow::internal {
namespace {

// Enough points that the plan is not a small one.
constexpr std::int64_t kRows = 5000;

struct Scatter {
  explicit Scatter(std::int64_t last, const CallOptions& options = {})
      : plan(compile(onnx::ScatterND{}, {data.spec(), indices.spec(), updates.spec()}, options)
                 .value()) {
    auto* const values = static_cast<std::int64_t*>(indices.data());
    for (std::int64_t i = 0; i < kRows; ++i) values[i] = i;
    values[kRows - 1] = last;
  }

  Status run(const RunKnowledge& knowledge) {
    const std::vector<TensorView> inputs = {data, indices, updates};
    return run_known(plan, inputs, data.mutable_view(), knowledge, {});
  }

  Tensor data = Tensor::zeros(DType::kFloat32, {kRows, 2}).value();
  Tensor indices = Tensor::zeros(DType::kInt64, {kRows, 1}).value();
  Tensor updates = counted<float>({kRows, 2});
  Plan plan;
};

TEST(KnownRun, WithoutKnowledgeAnErrorChangesNothing) {
  Scatter scatter(kRows);
  EXPECT_EQ(scatter.run({}).code(), ErrorCode::kIndexOutOfRange);
  EXPECT_TRUE(same_bits(scatter.data, Tensor::zeros(DType::kFloat32, {kRows, 2}).value()));
}

TEST(KnownRun, ALostOutputIsWrittenBeforeTheErrorIsFound) {
  Scatter scatter(kRows);
  const Status expected = Scatter(kRows).run({});
  const Status found = scatter.run({.output_may_be_lost = true});
  EXPECT_EQ(found.message(), expected.message());
  EXPECT_FALSE(same_bits(scatter.data, Tensor::zeros(DType::kFloat32, {kRows, 2}).value()));
}

TEST(KnownRun, WhatIsCheckedBeforehandIsNotCheckedAgain) {
  Scatter twice(0, {.duplicates = Duplicates::kError});
  EXPECT_EQ(twice.run({}).code(), ErrorCode::kDuplicate);
  EXPECT_TRUE(twice.run({.output_may_be_lost = true, .indices_are_checked = true}));
  EXPECT_FALSE(same_bits(twice.data, Tensor::zeros(DType::kFloat32, {kRows, 2}).value()));
}

TEST(KnownRun, NoIndexIsTrusted) {
  Scatter scatter(kRows);
  const Status found = scatter.run({.output_may_be_lost = true, .indices_are_checked = true});
  EXPECT_EQ(found.code(), ErrorCode::kIndexOutOfRange);
}

TEST(KnownRun, ScattersSayWhatTheyWriteOver) {
  const Tensor data = counted<float>({3, 2});
  const Tensor ids = Tensor::of<std::int64_t>({2}, {0, 1});
  const Tensor places = Tensor::of<std::int64_t>({1, 1}, {0});
  const Tensor row = counted<float>({1, 2});
  EXPECT_EQ(in_place_input(compile(onnx::Gather{}, {data.spec(), ids.spec()}).value()),
            std::nullopt);
  EXPECT_EQ(
      in_place_input(compile(onnx::ScatterND{}, {data.spec(), places.spec(), row.spec()}).value()),
      0U);
  TensorSpec depth = Tensor::of<std::int64_t>({}, {3}).spec();
  depth.value = std::make_shared<const Tensor>(Tensor::of<std::int64_t>({}, {3}));
  const Tensor off_on = counted<float>({2});
  EXPECT_EQ(in_place_input(compile(onnx::OneHot{}, {ids.spec(), depth, off_on.spec()}).value()),
            std::nullopt);
  const Tensor segments = Tensor::of<std::int64_t>({3}, {0, 0, 1});
  EXPECT_EQ(
      in_place_input(
          compile(array::SegmentReduce{.num_segments = 2}, {data.spec(), segments.spec()}).value()),
      std::nullopt);
}

}  // namespace
}  // namespace windrow::internal
