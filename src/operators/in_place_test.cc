#include <gtest/gtest.h>

#include "src/operators/test_support.h"
#include "windrow/onnx.h"

namespace windrow::internal {
namespace {

constexpr std::int64_t kMany = 200000;  // enough elements for several threads

TEST(InPlace, GivesWhatARunIntoAnotherTensorGives) {
  const Tensor indices = Tensor::of<std::int64_t>({3}, {2, -3, 2});
  const Tensor updates = Tensor::of<float>({3}, {10, 20, 30});
  for (const std::string reduction : {"none", "add", "max"}) {
    Tensor data = counted<float>({3});
    const Plan plan = compile(onnx::ScatterElements{.reduction = reduction, .version = 18},
                              {data.spec(), indices.spec(), updates.spec()})
                          .value();
    const Tensor expected = plan.run({data, indices, updates}).value();
    ASSERT_TRUE(plan.run({data, indices, updates}, data.mutable_view()));
    EXPECT_TRUE(same_bits(data, expected)) << reduction;
  }
}

TEST(InPlace, WritesTheUpdatedElementsAlone) {
  std::vector<std::int64_t> cells(static_cast<std::size_t>(kMany));
  for (std::int64_t i = 0; i < kMany; ++i) cells[static_cast<std::size_t>(i)] = kMany - 1 - i;
  const Tensor indices = Tensor::from<std::int64_t>({kMany}, cells);
  const Tensor updates = counted<std::int32_t>({kMany});
  Tensor data = Tensor::zeros(DType::kInt32, {kMany + 1}).value();
  EagerThreads threads(4);
  ASSERT_TRUE(
      compile(onnx::ScatterElements{.version = 18}, {data.spec(), indices.spec(), updates.spec()})
          ->run({data, indices, updates}, data.mutable_view(), {.threads = &threads}));
  for (std::int64_t i = 0; i < kMany; ++i)
    ASSERT_EQ(data.values<std::int32_t>()[static_cast<std::size_t>(i)], kMany - 1 - i);
  EXPECT_EQ(data.values<std::int32_t>()[static_cast<std::size_t>(kMany)], 0);
}

TEST(InPlace, StridesMustBeTheSame) {
  Tensor data = counted<float>({2, 2});
  const Tensor indices = Tensor::of<std::int64_t>({1, 2}, {1, 0});
  const Tensor updates = Tensor::of<float>({1, 2}, {8, 9});
  const Plan plan =
      compile(onnx::ScatterElements{.version = 18}, {data.spec(), indices.spec(), updates.spec()})
          .value();
  const MutableTensorView transposed(DType::kFloat32, {2, 2}, Strides{4, 8}, data.data());
  EXPECT_EQ(plan.run({data, indices, updates}, transposed).code(), ErrorCode::kInvalidArgument);
  ASSERT_TRUE(plan.run({TensorView(transposed), indices, updates}, transposed));
  EXPECT_TRUE(same_bits(data, Tensor::of<float>({2, 2}, {0, 8, 9, 3})));
}

TEST(InPlace, PartialOverlapIsRefused) {
  Tensor memory = counted<float>({8});
  auto* floats = static_cast<float*>(memory.data());
  const Tensor indices = Tensor::of<std::int64_t>({2}, {0, 1});
  const TensorSpec four{DType::kFloat32, {4}, {}, {}};
  const TensorSpec two{DType::kFloat32, {2}, {}, {}};
  const Plan plan =
      compile(onnx::ScatterElements{.version = 18}, {four, indices.spec(), two}).value();
  const MutableTensorView out(DType::kFloat32, {4}, floats);
  const auto refused = [&](const float* data, const float* updates, const std::string& name) {
    const Status status = plan.run({TensorView(DType::kFloat32, {4}, data), indices,
                                    TensorView(DType::kFloat32, {2}, updates)},
                                   out);
    return status.code() == ErrorCode::kInvalidArgument &&
           status.message() ==
               "onnx.ScatterElements-18: the output overlaps " + name + " in memory";
  };
  EXPECT_TRUE(refused(floats + 1, floats + 5, "data"));
  EXPECT_TRUE(refused(floats, floats + 3, "updates"));
  EXPECT_TRUE(refused(floats, floats + 2, "updates"));
  EXPECT_TRUE(same_bits(memory, counted<float>({8})));
  EXPECT_TRUE(plan.run({TensorView(DType::kFloat32, {4}, floats), indices,
                        TensorView(DType::kFloat32, {2}, floats + 4)},
                       out));
}

class InPlaceErrors : public testing::TestWithParam<int> {
 protected:
  // Expects that an in-place scatter of many cells, the last of which is `last`, changes nothing.
  void expect_unchanged(std::int64_t last, const CallOptions& options, ErrorCode code,
                        const std::string& reduction) {
    Tensor cells = counted<std::int64_t>({kMany});
    static_cast<std::int64_t*>(cells.data())[kMany - 1] = last;
    const Tensor updates = Tensor::zeros(DType::kFloat32, {kMany}).value();
    Tensor data = counted<float>({kMany});
    const Plan plan = compile(onnx::ScatterElements{.reduction = reduction, .version = 18},
                              {data.spec(), cells.spec(), updates.spec()}, options)
                          .value();
    ReverseThreads threads(GetParam());
    const RunOptions run{.threads = &threads};
    EXPECT_EQ(plan.run({data, cells, updates}, data.mutable_view(), run).code(), code);
    EXPECT_TRUE(same_bits(data, counted<float>({kMany})));
    Tensor other = Tensor::zeros(DType::kFloat32, {kMany}).value();
    EXPECT_EQ(plan.run({data, cells, updates}, other.mutable_view(), run).code(), code);
  }
};

TEST_P(InPlaceErrors, ABadIndexLeavesTheDataAlone) {
  expect_unchanged(kMany, {}, ErrorCode::kIndexOutOfRange, "none");
  expect_unchanged(-kMany - 1, {}, ErrorCode::kIndexOutOfRange, "mul");
}

TEST_P(InPlaceErrors, ADuplicateLeavesTheDataAlone) {
  expect_unchanged(5, {.duplicates = Duplicates::kError}, ErrorCode::kDuplicate, "none");
  expect_unchanged(5, {.duplicates = Duplicates::kError}, ErrorCode::kDuplicate, "mul");
  expect_unchanged(0, {.strict = true}, ErrorCode::kDuplicate, "none");
}

INSTANTIATE_TEST_SUITE_P(Threads, InPlaceErrors, testing::Values(1, 4));

TEST(InPlace, ABadIndexLeavesASmallTensorAlone) {
  const Tensor indices = Tensor::of<std::int64_t>({2, 2}, {0, 1, 1, 2});
  const Tensor updates = Tensor::of<float>({2, 2}, {10, 20, 30, 40});
  for (const std::string reduction : {"none", "add", "max"}) {
    Tensor data = counted<float>({2, 2});
    const Plan plan = compile(onnx::ScatterElements{.reduction = reduction, .version = 18},
                              {data.spec(), indices.spec(), updates.spec()})
                          .value();
    const Status status = plan.run({data, indices, updates}, data.mutable_view());
    EXPECT_EQ(status.code(), ErrorCode::kIndexOutOfRange) << reduction;
    EXPECT_TRUE(same_bits(data, counted<float>({2, 2}))) << reduction;
  }
}

std::string duplicate_message(const Plan& plan, const std::vector<TensorView>& inputs) {
  const Status status = plan.run(inputs).error();
  EXPECT_EQ(status.code(), ErrorCode::kDuplicate);
  return status.message();
}

TEST(DuplicateErrors, NameTheFirstRepeatAndTheFirstWriter) {
  const Tensor data = counted<float>({2, 3});
  const Tensor indices = Tensor::of<std::int64_t>({2, 3}, {0, 1, 1, 1, 1, 0});
  const Tensor updates = counted<float>({2, 3});
  const Plan plan = compile(onnx::ScatterElements{.version = 18},
                            {data.spec(), indices.spec(), updates.spec()}, {.strict = true})
                        .value();
  EXPECT_EQ(duplicate_message(plan, {data, indices, updates}),
            "onnx.ScatterElements-18 [ONNX-ScatterElements-D1]: updates[1, 1] writes the cell at "
            "[1, 1], which updates[0, 1] has written already");
}

TEST(DuplicateErrors, ASliceIsNamedByItsFirstElement) {
  const Tensor data = counted<float>({4, 2, 2});
  const Tensor indices = Tensor::of<std::int64_t>({4, 1}, {2, 0, 3, -2});
  const Tensor updates = counted<float>({4, 2, 2});
  const Plan plan =
      compile(onnx::ScatterND{.version = 16}, {data.spec(), indices.spec(), updates.spec()},
              {.duplicates = Duplicates::kError})
          .value();
  EXPECT_EQ(duplicate_message(plan, {data, indices, updates}),
            "onnx.ScatterND-16 [ONNX-ScatterND-D1]: updates[3, 0, 0] writes the cell at [2, 0, 0], "
            "which updates[0, 0, 0] has written already");
}

}  // namespace
}  // namespace windrow::internal
