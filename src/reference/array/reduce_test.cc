#include <gtest/gtest.h>

#include <limits>

#include "src/reference/testing.h"

namespace windrow::internal::reference {
namespace {

constexpr float kInfinity = std::numeric_limits<float>::infinity();

TEST(ArrayIndexAdd, FoldsSlices) {
  expect_result<float>(
      call(array::IndexAdd{.axis = 1}, {floats({2, 2}, {1, 2, 3, 4}), int64s({3}, {1, 1, -2}),
                                        floats({2, 3}, {10, 20, 30, 40, 50, 60})}),
      {2, 2}, {31, 32, 63, 94});
}

TEST(ArrayIndexAdd, Rules) {
  const Tensor data = floats({2, 1}, {1, 2});
  const array::IndexAdd op;
  expect_error(call(op, {data, int64s({}, {0}), floats({1}, {1})}), ErrorCode::kShape,
               "ARRAY-IndexAdd-C2");
  expect_error(call(op, {data, int64s({1}, {0}), floats({1}, {1})}), ErrorCode::kShape,
               "ARRAY-IndexAdd-C3");
  expect_error(call(op, {data, int64s({1}, {2}), floats({1, 1}, {1})}), ErrorCode::kIndexOutOfRange,
               "ARRAY-IndexAdd-C4");
  expect_error(call(op, {data, int64s({2}, {1, -1}), floats({2, 1}, {1, 1})}, no_duplicates()),
               ErrorCode::kDuplicate, "ARRAY-IndexAdd-D1");
}

TEST(ArrayIndexReduce, WithAndWithoutTheCell) {
  const auto reduce = [](const std::string& reduction, bool use_init_val) {
    return call(array::IndexReduce{.reduction = reduction, .use_init_val = use_init_val},
                {floats({3}, {1, 2, 3}), int64s({2}, {0, 0}), floats({2}, {4, 6})});
  };
  expect_result<float>(reduce("mean", true), {3}, {11.0F / 3, 2, 3});
  expect_result<float>(reduce("mean", false), {3}, {5, 2, 3});
  expect_result<float>(reduce("prod", false), {3}, {24, 2, 3});
  expect_error(reduce("none", true), ErrorCode::kInvalidArgument, "ARRAY-IndexReduce-A3");
}

Result<Tensor> segments(const Tensor& data, const Tensor& ids, const std::string& reduction,
                        const CallOptions& options = {}) {
  return call(array::SegmentReduce{.num_segments = 3, .reduction = reduction}, {data, ids},
              options);
}

TEST(ArraySegmentReduce, AnEmptySegmentHoldsTheIdentity) {
  const Tensor data = floats({3}, {1, 5, 3});
  const Tensor ids = int64s({3}, {0, 0, 2});
  expect_result<float>(segments(data, ids, "sum"), {3}, {6, 0, 3});
  expect_result<float>(segments(data, ids, "prod"), {3}, {5, 1, 3});
  expect_result<float>(segments(data, ids, "min"), {3}, {1, kInfinity, 3});
  expect_result<float>(segments(data, ids, "max"), {3}, {5, -kInfinity, 3});
  expect_result<float>(segments(data, ids, "mean"), {3}, {3, 0, 3});
}

TEST(ArraySegmentReduce, IdentitiesOfTypesWithoutInfinity) {
  const auto empty_segment = [](DType dtype, const std::string& reduction) {
    const Result<Tensor> result = segments(empty(dtype, {0}), empty(DType::kInt64, {0}), reduction);
    return static_cast<const std::uint8_t*>(result.value().data())[0];
  };
  EXPECT_EQ(empty_segment(DType::kInt4, "min"), 0x77);
  EXPECT_EQ(empty_segment(DType::kInt4, "max"), 0x88);
  EXPECT_EQ(empty_segment(DType::kUint8, "min"), 0xff);
  EXPECT_EQ(empty_segment(DType::kBool, "min"), 1);
  EXPECT_EQ(empty_segment(DType::kFloat8E4M3FN, "max"), 0xfe);
  EXPECT_EQ(empty_segment(DType::kFloat8E5M2, "max"), 0xfc);
}

TEST(ArraySegmentReduce, Rules) {
  const Tensor data = floats({2}, {1, 2});
  const auto with_ids = [&](std::initializer_list<std::int64_t> ids,
                            const CallOptions& options = {}) {
    return segments(data, int64s({2}, ids), "sum", options);
  };
  const Result<Tensor> falls = with_ids({1, 0});
  expect_error(falls, ErrorCode::kInvalidArgument, "ARRAY-SegmentReduce-C3");
  EXPECT_EQ(falls.error().message(),
            "array.SegmentReduce-1 [ARRAY-SegmentReduce-C3]: segment_ids[1] is 0 after 1, must not "
            "be smaller");
  const Result<Tensor> outside = with_ids({-1, 3});
  expect_error(outside, ErrorCode::kIndexOutOfRange, "ARRAY-SegmentReduce-C4");
  EXPECT_EQ(outside.error().message(),
            "array.SegmentReduce-1 [ARRAY-SegmentReduce-C4]: segment_ids[0] is -1, out of range "
            "for axis 0 of output with extent 3 (legal: 0 to 2); 2 of 2 indices are out of range");
  expect_result<float>(with_ids({-1, 1}, with(OutOfRange::kSkip)), {3}, {0, 2, 0});
  expect_error(with_ids({0, 0}, with(OutOfRange::kClamp)), ErrorCode::kInvalidArgument, "CALL-O1");
  expect_error(with_ids({0, 0}, no_duplicates()), ErrorCode::kDuplicate, "ARRAY-SegmentReduce-D1");
  expect_error(segments(floats({}, {1}), int64s({}, {0}), "sum"), ErrorCode::kShape,
               "ARRAY-SegmentReduce-C1");
  expect_error(segments(data, int64s({1}, {0}), "sum"), ErrorCode::kShape,
               "ARRAY-SegmentReduce-C2");
  expect_error(call(array::SegmentReduce{.num_segments = -1}, {data, int64s({2}, {0, 0})}),
               ErrorCode::kInvalidArgument, "ARRAY-SegmentReduce-A4");
}

}  // namespace
}  // namespace windrow::internal::reference
