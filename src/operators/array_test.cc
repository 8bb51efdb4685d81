#include "windrow/array.h"

#include <gtest/gtest.h>

#include <limits>

#include "src/operators/test_support.h"
#include "windrow/operators.h"

namespace windrow::internal {
namespace {

const Tensor& data() {
  static const Tensor tensor = Tensor::of<float>({2, 3}, {1, 2, 3, 4, 5, 6});
  return tensor;
}

TEST(ArrayCalls, EachTypedFunctionIsItsOperator) {
  const Tensor at = Tensor::of<std::int16_t>({1, 2}, {2, 0});
  const Tensor line = Tensor::of<std::uint8_t>({2}, {1, 1});
  const Tensor nine = Tensor::of<float>({}, {9});
  EXPECT_TRUE(same_bits(array::take(data(), at, {.axis = 1}).value(),
                        Tensor::of<float>({2, 1, 2}, {3, 1, 6, 4})));
  EXPECT_TRUE(same_bits(array::take_along_axis(data(), at).value(),
                        Tensor::of<float>({2, 2}, {3, 1, 6, 4})));
  EXPECT_TRUE(same_bits(array::put_along_axis(data(), at, nine).value(),
                        Tensor::of<float>({2, 3}, {9, 2, 9, 9, 5, 9})));
  EXPECT_TRUE(same_bits(array::index_add(data(), line, data()).value(),
                        Tensor::of<float>({2, 3}, {1, 2, 3, 9, 12, 15})));
  EXPECT_TRUE(same_bits(
      array::index_reduce(data(), line, data(), {.reduction = "mean", .use_init_val = false})
          .value(),
      Tensor::of<float>({2, 3}, {1, 2, 3, 2.5F, 3.5F, 4.5F})));
  EXPECT_TRUE(same_bits(array::segment_reduce(data(), line, {}, {.num_segments = 2}).value(),
                        Tensor::of<float>({2, 3}, {0, 0, 0, 5, 7, 9})));
}

TEST(ArrayCalls, CompileKeepsAPlan) {
  const Tensor ids = Tensor::of<std::int64_t>({2}, {0, 2});
  const auto plan = compile(array::SegmentReduce{.num_segments = 3, .reduction = "max"},
                            {data().spec(), ids.spec()});
  ASSERT_TRUE(plan);
  const float low = -std::numeric_limits<float>::infinity();
  EXPECT_TRUE(same_bits(plan->run({data(), ids}).value(),
                        Tensor::of<float>({3, 3}, {1, 2, 3, low, low, low, 4, 5, 6})));
  EXPECT_NE(plan->describe().find("start: one value everywhere\n"), std::string::npos);
  EXPECT_EQ(plan->describe().find("neutral"), std::string::npos);
}

TEST(ArrayCalls, AnyVersionIsTheFirst) {
  const Tensor at = Tensor::of<std::int64_t>({1}, {0});
  for (const int version : {1, 7})
    EXPECT_EQ(compile(array::Take{.version = version}, {data().spec(), at.spec()})->operator_name(),
              "array.Take-1");
  EXPECT_EQ(compile(array::Take{.version = 0}, {data().spec(), at.spec()}).error().code(),
            ErrorCode::kUnsupported);
}

TEST(ArrayPutAlongAxisRun, WritesIntoDataInPlace) {
  Tensor memory = data().clone().value();
  const Tensor at = Tensor::of<std::int64_t>({2, 1}, {2, 0});
  const Tensor values = Tensor::of<float>({1}, {9});
  const auto plan = compile(array::PutAlongAxis{}, {memory.spec(), at.spec(), values.spec()});
  ASSERT_TRUE(plan);
  ASSERT_TRUE(plan->run({memory, at, values}, memory.mutable_view()));
  EXPECT_TRUE(same_bits(memory, Tensor::of<float>({2, 3}, {1, 2, 9, 9, 5, 6})));
  const Tensor bad = Tensor::of<std::int64_t>({2, 1}, {0, 3});
  EXPECT_EQ(plan->run({memory, bad, values}, memory.mutable_view()).code(),
            ErrorCode::kIndexOutOfRange);
  EXPECT_TRUE(same_bits(memory, Tensor::of<float>({2, 3}, {1, 2, 9, 9, 5, 6})));
}

TEST(ArrayPutAlongAxisRun, ValuesMayOverlapNothing) {
  Tensor memory = data().clone().value();
  const Tensor at = Tensor::of<std::int64_t>({2, 1}, {2, 0});
  const TensorView inside(DType::kFloat32, {}, memory.data());
  const auto plan = compile(array::PutAlongAxis{}, {memory.spec(), at.spec(), inside.spec()});
  EXPECT_EQ(plan->run({memory, at, inside}, memory.mutable_view()).code(),
            ErrorCode::kInvalidArgument);
}

// Enough rows to run on several threads.
class ManySegments : public testing::TestWithParam<std::string> {
 protected:
  static constexpr std::int64_t kRows = 100'000;
  static constexpr std::int64_t kSegments = 1'000;
};

TEST_P(ManySegments, TheResultDoesNotDependOnThreads) {
  Tensor rows = Tensor::allocate(DType::kFloat32, {kRows, 3}).value();
  Tensor ids = Tensor::allocate(DType::kInt32, {kRows}).value();
  for (std::int64_t i = 0; i < 3 * kRows; ++i)
    static_cast<float*>(rows.data())[i] = 1.0F + static_cast<float>(i % 1013) / 1000;
  for (std::int64_t i = 0; i < kRows; ++i)
    static_cast<std::int32_t*>(ids.data())[i] = static_cast<std::int32_t>(i * kSegments / kRows);
  const array::SegmentReduce op{.num_segments = kSegments, .reduction = GetParam()};
  const Plan plan = compile(op, {rows.spec(), ids.spec()}).value();
  const Tensor serial = plan.run({rows, ids}).value();
  const Tensor reference = call_reference({"array", "SegmentReduce", 1},
                                          {{"num_segments", kSegments}, {"reduction", GetParam()}},
                                          std::vector<TensorView>{rows, ids})
                               .value();
  EXPECT_TRUE(same_bits(serial, reference));
  for (const int count : {2, 5}) {
    EagerThreads eager(count);
    EXPECT_TRUE(same_bits(plan.run({rows, ids}, {.threads = &eager}).value(), serial)) << count;
    ReverseThreads reverse(count);
    EXPECT_TRUE(same_bits(plan.run({rows, ids}, {.threads = &reverse}).value(), serial)) << count;
    EXPECT_GT(reverse.calls(), 0);
  }
}

INSTANTIATE_TEST_SUITE_P(Reductions, ManySegments,
                         testing::Values("sum", "prod", "min", "max", "mean"));

TEST_P(ManySegments, OffsetsGiveTheBitsOfTheIdsThatSayTheSame) {
  Tensor rows = Tensor::allocate(DType::kFloat32, {kRows, 3}).value();
  Tensor ids = Tensor::allocate(DType::kInt64, {kRows}).value();
  Tensor offsets = Tensor::allocate(DType::kInt32, {kSegments + 1}).value();
  for (std::int64_t i = 0; i < 3 * kRows; ++i)
    static_cast<float*>(rows.data())[i] = 1.0F + static_cast<float>(i % 1013) / 1000;
  // Segments of 90 and of no rows in turn; rows before and behind all of them.
  for (std::int64_t segment = 0; segment <= kSegments; ++segment)
    static_cast<std::int32_t*>(offsets.data())[segment] =
        static_cast<std::int32_t>(11 + (segment + 1) / 2 * 90);
  for (std::int64_t i = 0; i < kRows; ++i) {
    const std::int64_t segment = i < 11 ? -1 : (i - 11) / 90 * 2;
    static_cast<std::int64_t*>(ids.data())[i] = segment < kSegments ? segment : kSegments;
  }
  const array::SegmentReduce op{.num_segments = kSegments, .reduction = GetParam()};
  CallOptions skip;
  skip.out_of_range = OutOfRange::kSkip;
  const Plan by_ids = compile(op, {rows.spec(), ids.spec()}, skip).value();
  const Plan plan = compile(op, {rows.spec(), {}, offsets.spec()}).value();
  const Tensor expected = by_ids.run({rows, ids}).value();
  EXPECT_TRUE(same_bits(plan.run({rows, {}, offsets}).value(), expected));
  for (const int count : {2, 5}) {
    EagerThreads eager(count);
    EXPECT_TRUE(same_bits(plan.run({rows, {}, offsets}, {.threads = &eager}).value(), expected));
  }
}

TEST(ArraySegmentReduceRun, ABadOffsetLeavesTheOutputAlone) {
  const Tensor offsets = Tensor::of<std::int16_t>({4}, {0, 1, 3, -1});
  const Plan plan = compile(array::SegmentReduce{.num_segments = 4, .reduction = "mean"},
                            {data().spec(), {}, offsets.spec()})
                        .value();
  Tensor out = Tensor::zeros(DType::kFloat32, {4, 3}).value();
  const std::vector<TensorView> inputs = {data(), {}, offsets};
  const Status status = plan.run(inputs, out.mutable_view());
  EXPECT_EQ(status.code(), ErrorCode::kIndexOutOfRange);
  EXPECT_EQ(status.message(),
            "array.SegmentReduce-1 [ARRAY-SegmentReduce-C5]: offsets[2] is 3, must be in [0, 2]; 2 "
            "of 4 are out of range");
  EXPECT_TRUE(same_bits(out, Tensor::zeros(DType::kFloat32, {4, 3}).value()));
  RunOptions listing;
  listing.listed_indices = 5;
  const BadIndices bad = plan.bad_indices(inputs, listing).value();
  EXPECT_EQ(bad.input, "offsets");
  EXPECT_EQ(bad.positions, (std::vector<std::int64_t>{2, 3}));
  EXPECT_EQ(bad.values, (std::vector<std::int64_t>{3, -1}));
}

TEST(ArraySegmentReduceRun, AFallingIdLeavesTheOutputAlone) {
  const Tensor ids = Tensor::of<std::int64_t>({2}, {1, 0});
  const Plan plan =
      compile(array::SegmentReduce{.num_segments = 2}, {data().spec(), ids.spec()}).value();
  Tensor out = Tensor::of<float>({2, 3}, {7, 7, 7, 7, 7, 7});
  const Status status = plan.run({data(), ids}, out.mutable_view());
  EXPECT_EQ(status.code(), ErrorCode::kInvalidArgument);
  EXPECT_EQ(status.constraint(), "ARRAY-SegmentReduce-C3");
  EXPECT_TRUE(same_bits(out, Tensor::of<float>({2, 3}, {7, 7, 7, 7, 7, 7})));
}

TEST(ArraySegmentReduceRun, TheOutputMayNotBeItsData) {
  Tensor memory = data().clone().value();
  const Tensor ids = Tensor::of<std::int64_t>({2}, {0, 1});
  const Plan plan =
      compile(array::SegmentReduce{.num_segments = 2}, {memory.spec(), ids.spec()}).value();
  EXPECT_EQ(plan.run({memory, ids}, memory.mutable_view()).code(), ErrorCode::kInvalidArgument);
}

}  // namespace
}  // namespace windrow::internal
