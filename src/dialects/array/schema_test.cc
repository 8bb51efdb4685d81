#include "src/dialects/array/schema.h"

#include <gtest/gtest.h>

#include "src/dialects/test_support.h"

namespace windrow::internal {
namespace {

Tensor indices_of(const Shape& shape, std::initializer_list<std::int64_t> values) {
  return Tensor::of<std::int64_t>(shape, values);
}

std::int64_t at(const Tensor& tensor, std::int64_t position) {
  return tensor.values<std::int64_t>()[static_cast<std::size_t>(position)];
}

// The label of the rule that the call breaks, "" if it breaks none.
template <class Op>
std::string broken(const Op& op, const std::vector<TensorView>& inputs,
                   const CallOptions& options = {}) {
  std::vector<TensorSpec> specs;
  for (const TensorView& input : inputs) specs.push_back(input.spec());
  const Result<Operation> operation = make_operation(op, specs, options);
  return operation ? "" : operation.error().constraint();
}

TEST(ArrayTake, ReadsASliceForEveryIndex) {
  const Tensor indices = indices_of({2, 2}, {2, 0, -1, 1});
  expect_positions(array::Take{.axis = 1}, {shaped({2, 3}), indices}, [&](const Dims& p) {
    return Dims{p[0], (at(indices, 2 * p[1] + p[2]) + 3) % 3};
  });
}

TEST(ArrayTake, ClampTakesANegativeIndexAsBelowTheFirst) {
  const Tensor indices = indices_of({4}, {-1, -9, 2, 9});
  const std::int64_t clamped[] = {0, 0, 2, 2};
  const std::int64_t wrapped[] = {2, 0, 2, 0};
  const auto expect = [&](OutOfRange policy, const std::int64_t* places) {
    expect_positions(
        array::Take{}, {shaped({3}), indices}, [&](const Dims& p) { return Dims{places[p[0]]}; },
        with_policy(policy));
  };
  expect(OutOfRange::kClamp, clamped);
  expect(OutOfRange::kModulo, wrapped);
}

TEST(ArrayTake, Rules) {
  EXPECT_EQ(broken(array::Take{}, {shaped({}), index_shaped({1})}), "ARRAY-Take-C1");
  EXPECT_EQ(broken(array::Take{.axis = 1}, {shaped({2}), index_shaped({1})}), "ARRAY-Take-A1");
  EXPECT_EQ(broken(array::Take{}, {shaped(Shape::filled(kMaxRank, 1)), index_shaped({1, 1})}),
            "ARRAY-Take-C2");
}

TEST(ArrayTakeAlongAxis, EitherSideIsRepeatedOffTheAxis) {
  const Tensor indices = indices_of({1, 2, 2}, {0, 2, 1, 0});
  const std::vector<TensorView> inputs{shaped({4, 3, 1}), indices};
  EXPECT_EQ(build_for(array::TakeAlongAxis{.axis = 1}, inputs).result_shape, Shape({4, 2, 2}));
  expect_positions(array::TakeAlongAxis{.axis = 1}, inputs, [&](const Dims& p) {
    return Dims{p[0], at(indices, 2 * p[1] + p[2]), 0};
  });
}

TEST(ArrayTakeAlongAxis, TheAxisItselfIsNotRepeated) {
  const Tensor indices = indices_of({2, 1}, {2, 0});
  const std::vector<TensorView> inputs{shaped({2, 3}), indices};
  EXPECT_EQ(build_for(array::TakeAlongAxis{}, inputs).result_shape, Shape({2, 1}));
  EXPECT_EQ(build_for(array::TakeAlongAxis{}, {shaped({0, 3}), index_shaped({1, 5})}).result_shape,
            Shape({0, 5}));
}

TEST(ArrayTakeAlongAxis, Rules) {
  const array::TakeAlongAxis op;
  EXPECT_EQ(broken(op, {shaped({2}), index_shaped({2, 1})}), "ARRAY-TakeAlongAxis-C1");
  EXPECT_EQ(broken(op, {shaped({}), index_shaped({})}), "ARRAY-TakeAlongAxis-C1");
  EXPECT_EQ(broken(array::TakeAlongAxis{.axis = -2}, {shaped({2}), index_shaped({2})}),
            "ARRAY-TakeAlongAxis-A1");
  EXPECT_EQ(broken(op, {shaped({2, 3}), index_shaped({3, 3})}), "ARRAY-TakeAlongAxis-C2");
}

TEST(ArrayPutAlongAxis, DataOfExtentOneIsWrittenAtZero) {
  const Tensor indices = indices_of({3, 1}, {0, 0, 1});
  const std::vector<TensorView> inputs{shaped({1, 2}), indices, shaped({})};
  const Operation operation = build_for(array::PutAlongAxis{}, inputs);
  EXPECT_EQ(operation.result_shape, Shape({1, 2}));
  EXPECT_TRUE(operation.updates_broadcast);
  expect_positions(array::PutAlongAxis{}, inputs, [&](const Dims& p) {
    return Dims{0, at(indices, p[0])};
  });
}

TEST(ArrayPutAlongAxis, ValuesBroadcastToWhatIsAddressed) {
  const auto put = [](const Shape& values) {
    return broken(array::PutAlongAxis{}, {shaped({2, 3}), index_shaped({1, 4}), shaped(values)});
  };
  for (const Shape& fits : {Shape{}, {1}, {4}, {2, 1}, {1, 4}, {2, 4}, {1, 1, 2, 4}})
    EXPECT_EQ(put(fits), "") << to_string(fits);
  for (const Shape& fails : {Shape{2}, {3, 4}, {2, 2, 4}, {0}, {0, 2, 4}})
    EXPECT_EQ(put(fails), "ARRAY-PutAlongAxis-C3") << to_string(fails);
  EXPECT_FALSE(
      build_for(array::PutAlongAxis{}, {shaped({2, 3}), index_shaped({1, 4}), shaped({2, 4})})
          .updates_broadcast);
}

TEST(ArrayIndexAdd, AddsASliceForEveryIndex) {
  const Tensor indices = indices_of({4}, {1, 0, 1, -1});
  const std::vector<TensorView> inputs{shaped({2, 3}), indices, shaped({4, 3})};
  EXPECT_EQ(build_for(array::IndexAdd{}, inputs).combine, Combine::kAdd);
  expect_positions(array::IndexAdd{}, inputs, [&](const Dims& p) {
    return Dims{(at(indices, p[0]) + 2) % 2, p[1]};
  });
}

TEST(ArrayIndexAdd, Rules) {
  const array::IndexAdd op;
  EXPECT_EQ(broken(op, {shaped({}), index_shaped({1}), shaped({})}), "ARRAY-IndexAdd-C1");
  EXPECT_EQ(broken(op, {shaped({2}), index_shaped({}), shaped({})}), "ARRAY-IndexAdd-C2");
  EXPECT_EQ(broken(op, {shaped({2}), index_shaped({1, 1}), shaped({1, 1})}), "ARRAY-IndexAdd-C2");
  EXPECT_EQ(broken(op, {shaped({2, 3}), index_shaped({4}), shaped({4})}), "ARRAY-IndexAdd-C3");
  EXPECT_EQ(broken(op, {shaped({2, 3}), index_shaped({4}), shaped({4, 1})}), "ARRAY-IndexAdd-C3");
}

TEST(ArrayIndexReduce, A3Reductions) {
  const auto reduce = [](const std::string& reduction, DType dtype) {
    return broken(array::IndexReduce{.reduction = reduction},
                  {shaped({2}, dtype), index_shaped({1}), shaped({1}, dtype)});
  };
  for (const std::string reduction : {"sum", "prod", "min", "max", "mean"})
    EXPECT_EQ(reduce(reduction, DType::kInt4), "") << reduction;
  for (const std::string reduction : {"sum", "prod"})
    EXPECT_EQ(reduce(reduction, DType::kComplex64), "") << reduction;
  for (const std::string reduction : {"min", "max", "mean"})
    EXPECT_EQ(reduce(reduction, DType::kComplex128), "ARRAY-IndexReduce-A3") << reduction;
  EXPECT_EQ(reduce("mean", DType::kBool), "ARRAY-IndexReduce-A3");
  EXPECT_EQ(reduce("max", DType::kBool), "");
  EXPECT_EQ(reduce("none", DType::kInt4), "ARRAY-IndexReduce-A3");
}

TEST(ArraySegmentReduce, StartsWithNoTensor) {
  const Tensor ids = indices_of({3}, {0, 2, 2});
  const array::SegmentReduce op{.num_segments = 4, .reduction = "max"};
  const std::vector<TensorView> inputs{shaped({3, 2}), ids};
  const Operation operation = build_for(op, inputs);
  EXPECT_EQ(operation.result_shape, Shape({4, 2}));
  EXPECT_LT(operation.data_input, 0);
  EXPECT_FALSE(operation.from_data);
  EXPECT_EQ(operation.ascending_input, 1);
  expect_positions(op, inputs, [&](const Dims& p) { return Dims{at(ids, p[0]), p[1]}; });
}

TEST(ArraySegmentReduce, SkipDropsNegativeIds) {
  const Tensor ids = indices_of({3}, {-1, 0, 4});
  const Operation operation = build_for(array::SegmentReduce{.num_segments = 4}, {shaped({3}), ids},
                                        with_policy(OutOfRange::kSkip));
  const std::vector<TensorView> inputs{shaped({3}), ids};
  EXPECT_EQ(evaluate(operation.map, inputs, {0}), std::nullopt);
  EXPECT_EQ(evaluate(operation.map, inputs, {1}), Position(Dims{0}));
  EXPECT_EQ(evaluate(operation.map, inputs, {2}), std::nullopt);
}

TEST(ArraySegmentReduce, OffsetsBoundSegments) {
  const array::SegmentReduce op{.num_segments = 2, .reduction = "mean"};
  for (const std::int64_t given : {2, 3}) {
    const Operation operation = build_for(op, {shaped({5, 4}), {}, index_shaped({given})});
    EXPECT_EQ(operation.result_shape, Shape({2, 4}));
    EXPECT_EQ(operation.map.loops, Shape({5, 4}));
    EXPECT_LT(operation.ascending_input, 0);
    ASSERT_TRUE(operation.segments);
    EXPECT_EQ(operation.segments->bounds_input, 2);
    EXPECT_EQ(operation.segments->has_end, given == 3);
    EXPECT_FALSE(operation.segments->first_is_zero);
  }
  CallOptions padded;
  padded.padding_index = 0;
  EXPECT_EQ(broken(op, {shaped({5}), {}, index_shaped({2})}, padded), "CALL-O4");
  EXPECT_EQ(broken(op, {shaped({5}), {}, index_shaped({4})}), "ARRAY-SegmentReduce-C2");
}

TEST(ArraySegmentReduce, Rules) {
  const array::SegmentReduce op{.num_segments = 4};
  EXPECT_EQ(broken(op, {shaped({}), index_shaped({})}), "ARRAY-SegmentReduce-C1");
  EXPECT_EQ(broken(op, {shaped({3, 2}), index_shaped({2})}), "ARRAY-SegmentReduce-C2");
  EXPECT_EQ(broken(op, {shaped({3, 2}), index_shaped({3, 1})}), "ARRAY-SegmentReduce-C2");
  EXPECT_EQ(broken(array::SegmentReduce{.num_segments = -1}, {shaped({3}), index_shaped({3})}),
            "ARRAY-SegmentReduce-A4");
  for (const OutOfRange policy : {OutOfRange::kClamp, OutOfRange::kModulo})
    EXPECT_EQ(broken(op, {shaped({3}), index_shaped({3})}, with_policy(policy)), "CALL-O1");
}

}  // namespace
}  // namespace windrow::internal
