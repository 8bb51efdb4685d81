#include "windrow/onnx.h"

#include <gtest/gtest.h>

#include "src/operators/test_support.h"

namespace windrow::internal {
namespace {

using Longs = std::initializer_list<std::int64_t>;

Tensor longs(const Shape& shape, Longs values) { return Tensor::of<std::int64_t>(shape, values); }

void expect(const Result<Tensor>& result, const Shape& shape, Longs values) {
  ASSERT_TRUE(result) << result.error().message();
  EXPECT_TRUE(same_bits(*result, longs(shape, values)));
}

// The examples of docs/operators/onnx.md.
TEST(Onnx, TheExamplesOfThePage) {
  const Tensor matrix = longs({2, 3}, {1, 2, 3, 4, 5, 6});
  const Tensor square = longs({2, 2}, {1, 2, 3, 4});
  expect(onnx::gather(matrix, longs({1, 2}, {2, 0}), {.axis = 1}), {2, 1, 2}, {3, 1, 6, 4});
  expect(onnx::gather_elements(square, longs({1, 2}, {1, 0})), {1, 2}, {3, 2});
  expect(onnx::gather_nd(square, longs({2, 1}, {1, 0}), {.batch_dims = 1}), {2}, {2, 3});
  const Tensor row = longs({3}, {1, 2, 3});
  const Tensor places = longs({3}, {2, 0, 2});
  const Tensor updates = longs({3}, {10, 20, 30});
  expect(onnx::scatter_elements(row, places, updates, {.reduction = "add"}), {3}, {21, 2, 43});
  expect(onnx::scatter(row, places, updates), {3}, {20, 2, 30});
  expect(onnx::scatter_nd(longs({4}, {1, 2, 3, 4}), longs({2, 1}, {1, 3}), longs({2}, {9, 8})), {4},
         {1, 9, 3, 8});
  expect(onnx::tensor_scatter(longs({1, 3, 1}, {1, 2, 3}), longs({1, 2, 1}, {8, 9}),
                              longs({1}, {2}), {.mode = "circular"}),
         {1, 3, 1}, {9, 2, 8});
  expect(onnx::tensor_scatter(longs({1, 3, 1}, {1, 2, 3}), longs({1, 2, 1}, {8, 9})), {1, 3, 1},
         {8, 9, 3});
  expect(onnx::array_feature_extractor(matrix, longs({2}, {2, 0})), {2, 2}, {3, 1, 6, 4});
}

TEST(Onnx, AttributesThatAVersionLacksMustHaveTheirDefault) {
  const TensorSpec data{DType::kFloat32, {2, 2}, {}, {}};
  const TensorSpec index{DType::kInt64, {2, 1}, {}, {}};
  const TensorSpec updates{DType::kFloat32, {2, 2}, {}, {}};
  EXPECT_TRUE(compile(onnx::GatherND{.batch_dims = 0, .version = 11}, {data, index}));
  const Status batched =
      compile(onnx::GatherND{.batch_dims = 1, .version = 11}, {data, index}).error();
  EXPECT_EQ(batched.constraint(), "ONNX-GatherND-A2");
  EXPECT_TRUE(compile(onnx::ScatterND{.reduction = "none", .version = 13}, {data, index, updates}));
  const Status reduced =
      compile(onnx::ScatterND{.reduction = "add", .version = 13}, {data, index, updates}).error();
  EXPECT_EQ(reduced.constraint(), "ONNX-ScatterND-A2");
}

TEST(Onnx, VersionsBeforeTheFirstAreUnsupported) {
  const TensorSpec data{DType::kFloat32, {2}, {}, {}};
  const TensorSpec index{DType::kInt64, {2}, {}, {}};
  const Status status = compile(onnx::GatherElements{.version = 10}, {data, index}).error();
  EXPECT_EQ(status.code(), ErrorCode::kUnsupported);
  EXPECT_EQ(status.message(), "onnx.GatherElements: version 10 is older than its first, 11");
}

TEST(Onnx, ResultsOfRankZero) {
  const Tensor row = longs({3}, {1, 2, 3});
  expect(onnx::gather(row, longs({}, {-1})), {}, {3});
  expect(onnx::gather_nd(row, longs({1}, {1})), {}, {2});
}

TEST(Onnx, TheLargestRank) {
  const Shape ones = Shape::filled(kMaxRank, 1);
  Shape deep = ones;
  deep[5] = 2;
  deep[31] = 3;
  const Tensor data = longs(deep, {1, 2, 3, 4, 5, 6});
  Shape row = deep;
  row[5] = 1;
  expect(onnx::gather(data, longs({1}, {1}), {.axis = 5}), row, {4, 5, 6});
  expect(onnx::gather_elements(data, longs(ones, {-2}), {.axis = -1}), ones, {2});
  expect(onnx::scatter_elements(data, longs(ones, {1}), longs(ones, {9}), {.axis = 5}), deep,
         {1, 2, 3, 9, 5, 6});
}

TEST(Onnx, EmptyTensors) {
  const Tensor matrix = longs({2, 3}, {1, 2, 3, 4, 5, 6});
  expect(onnx::gather(matrix, longs({0}, {})), {0, 3}, {});
  expect(onnx::gather(longs({2, 0}, {}), longs({3}, {1, 0, 1})), {3, 0}, {});
  expect(onnx::gather_elements(matrix, longs({0, 3}, {})), {0, 3}, {});
  expect(onnx::gather_nd(matrix, longs({0, 2}, {})), {0}, {});
  expect(onnx::scatter_elements(matrix, longs({0, 0}, {}), longs({0, 0}, {})), {2, 3},
         {1, 2, 3, 4, 5, 6});
  expect(onnx::scatter_nd(matrix, longs({0, 1}, {}), longs({0, 3}, {})), {2, 3},
         {1, 2, 3, 4, 5, 6});
  expect(onnx::scatter_nd(longs({0}, {}), longs({0, 1}, {}), longs({0}, {})), {0}, {});
  expect(onnx::tensor_scatter(longs({1, 2, 1}, {1, 2}), longs({1, 0, 1}, {}), longs({1}, {2})),
         {1, 2, 1}, {1, 2});
  expect(onnx::array_feature_extractor(matrix, longs({0}, {})), {2, 0}, {});
}

TEST(Onnx, ZeroOfEveryKind) {
  const Tensor outside = longs({1}, {9});
  const CallOptions zero{.out_of_range = OutOfRange::kZero};
  const auto text = onnx::gather(Tensor::of<std::string>({1}, {"a"}), outside, {}, zero);
  ASSERT_TRUE(text);
  EXPECT_EQ(text->values<std::string>()[0], "");
  const auto truth = onnx::gather(Tensor::of<bool>({1}, {true}), outside, {}, zero);
  ASSERT_TRUE(truth);
  EXPECT_FALSE(truth->values<bool>()[0]);
  expect(onnx::gather(longs({0}, {}), outside, {}, zero), {1}, {0});
}

TEST(Onnx, EveryIndexOfAnEmptyAxisIsOutside) {
  for (const std::int64_t lanes : {1, 16, 63, 64, 128, 1024}) {
    const Tensor data = Tensor::zeros(DType::kFloat32, {0, lanes}).value();
    const Tensor indices = Tensor::zeros(DType::kInt64, {4, lanes}).value();
    const Tensor updates = Tensor::zeros(DType::kFloat32, {4, lanes}).value();
    EXPECT_EQ(onnx::gather_elements(data, indices).error().code(), ErrorCode::kIndexOutOfRange);
    const auto zeros =
        onnx::gather_elements(data, indices, {}, {.out_of_range = OutOfRange::kZero});
    ASSERT_TRUE(zeros) << zeros.error().message();
    EXPECT_TRUE(same_bits(*zeros, updates)) << lanes;
    EXPECT_EQ(onnx::scatter_elements(data, indices, updates).error().code(),
              ErrorCode::kIndexOutOfRange);
    const auto skipped = onnx::scatter_elements(data, indices, updates, {.reduction = "add"},
                                                {.out_of_range = OutOfRange::kSkip});
    ASSERT_TRUE(skipped) << skipped.error().message();
    EXPECT_EQ(skipped->shape(), data.shape());
  }
}

TEST(Onnx, AnUpdateMayReplaceTheWholeTensor) {
  const Tensor data = longs({2}, {1, 2});
  const Tensor indices = longs({2, 0}, {});
  const Tensor updates = longs({2, 2}, {3, 4, 5, 6});
  expect(onnx::scatter_nd(data, indices, updates), {2}, {5, 6});
  expect(onnx::scatter_nd(data, indices, updates, {.reduction = "add"}), {2}, {9, 12});
}

}  // namespace
}  // namespace windrow::internal
