#include "src/execute/check_order.h"

#include <gtest/gtest.h>

#include <vector>

namespace windrow::internal {
namespace {

Operation ascending(int input) {
  Operation operation;
  operation.ascending_input = input;
  operation.operator_name = "array.SegmentReduce-1";
  operation.order_constraint = "ARRAY-SegmentReduce-C3";
  operation.input_names = {"data", "segment_ids"};
  return operation;
}

TEST(CheckOrder, NamesTheFirstValueThatFalls) {
  const Tensor ids = Tensor::of<std::int64_t>({6}, {-2, 0, 0, 3, 2, 1});
  const std::vector<TensorView> inputs{TensorView(), ids};
  const Status status = check_order(ascending(1), inputs);
  EXPECT_EQ(status.code(), ErrorCode::kInvalidArgument);
  EXPECT_EQ(status.constraint(), "ARRAY-SegmentReduce-C3");
  EXPECT_EQ(status.message(),
            "array.SegmentReduce-1 [ARRAY-SegmentReduce-C3]: segment_ids[4] is 2 after 3, must not "
            "be smaller");
  EXPECT_TRUE(check_order(ascending(-1), inputs));
}

TEST(CheckOrder, FollowsStridesAndTypes) {
  const std::vector<std::uint8_t> memory{9, 0, 7, 0, 7};
  const TensorView backwards(DType::kUint8, {3}, Strides{-2}, memory.data() + 4);
  const TensorView forwards(DType::kUint8, {3}, Strides{2}, memory.data());
  EXPECT_TRUE(check_order(ascending(1), std::vector<TensorView>{TensorView(), backwards}));
  EXPECT_FALSE(check_order(ascending(1), std::vector<TensorView>{TensorView(), forwards}));
}

TEST(CheckOrder, NothingIsInOrder) {
  const TensorView none(DType::kInt32, {0}, nullptr);
  EXPECT_TRUE(check_order(ascending(1), std::vector<TensorView>{TensorView(), none}));
}

}  // namespace
}  // namespace windrow::internal
